"""Header fields that speak of time: `Cache-Control`, `Age`, `Retry-After`, `Date`."""
import re
import time
from calendar import timegm

_DATES = ("%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y")

# The members of a list: a comma inside of quotes ends none.
_LIST = re.compile(r'(?:"(?:\\.|[^"\\])*"?|[^",])+')


def read_date(text):
    """An HTTP-date of RFC 9110 in seconds since 1970, or None."""
    for form in _DATES:
        try:
            return timegm(time.strptime(text, form))
        except ValueError:
            pass
    return None


def _seconds(text):
    return int(text) if text is not None and re.fullmatch("[0-9]+", text) else None


def _directives(controls):
    return [part.strip(" \t").partition("=") for part in _LIST.findall(",".join(controls))]


def is_stored_nowhere(controls):
    """[discovery.not-modified]: whether a copy ends with its call."""
    return any(name.lower() == "no-store" for name, _, _ in _directives(controls))


def fresh_for(controls, age, default, longest):
    """[discovery.cache-time], [client.cache]: for how many seconds something may be used again; 0 is not at all."""
    directives = _directives(controls)
    names = [name.lower() for name, _, _ in directives]
    if "no-store" in names or "no-cache" in names:
        return 0
    seconds = _seconds(directives[names.index("max-age")][2]) if "max-age" in names else None
    if seconds is None:
        return default
    return max(0, min(seconds - (_seconds(age) or 0), longest))


def retry_at(value, now, longest):
    """[client.retry-after]: until when a resolver is left alone, or None."""
    if value is None:
        return None
    seconds, date = _seconds(value), read_date(value)
    if seconds is None and date is None:
        return None
    return min(date if seconds is None else now + seconds, now + longest)
