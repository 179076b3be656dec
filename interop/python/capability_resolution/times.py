"""§3.3 times, §6.5 now, and the times of RFC 3339 that §11.3 allows in Expires."""
import re

LEEWAY = 300  # [time.leeway]
MAX_INTEGER = 9_007_199_254_740_991  # [time.numeric]

_DOCUMENT_TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")
_RFC3339 = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))")


def _month_days(year, month):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _days(year, month, day):
    """Days since 1970-01-01 in the proleptic Gregorian calendar, year 0 included."""
    y = year - (month <= 2)
    era = y // 400
    yoe = y - era * 400
    doy = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468


def _civil(days):
    z = days + 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = mp + (3 if mp < 10 else -9)
    return yoe + era * 400 + (month <= 2), month, doy - (153 * mp + 2) // 5 + 1


def parse_document_time(text):
    """[time.document]: seconds since 1970, or None."""
    match = _DOCUMENT_TIME.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (int(g) for g in match.groups())
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= _month_days(year, month):
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    return _days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second


def format_document_time(seconds):
    """The form of [time.document], or None outside of the years 1 to 9999."""
    days, rest = divmod(seconds, 86400)
    year, month, day = _civil(days)
    if not 1 <= year <= 9999:
        return None
    return "%04d-%02d-%02dT%02d:%02d:%02dZ" % (year, month, day, rest // 3600, rest // 60 % 60, rest % 60)


def parse_rfc3339(text):
    """[captxt.expires.form], [captxt.expires.leap]: (seconds since 1970, whether a fraction follows), or None.

    Now is in whole seconds, so the digits of a fraction decide nothing; such pairs compare as the times do.
    """
    match = _RFC3339.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (int(g) for g in match.groups()[:6])
    fraction, sign, off_hour, off_minute = match.groups()[6:]
    if not 1 <= month <= 12 or not 1 <= day <= _month_days(year, month):
        return None
    if hour > 23 or minute > 59 or second > 60:
        return None
    offset = 0
    if sign:
        if int(off_hour) > 23 or int(off_minute) > 59:
            return None
        offset = (int(off_hour) * 60 + int(off_minute)) * 60 * (-1 if sign == "-" else 1)
    utc = _days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
    if second == 60:
        # 23:59:60 UTC on the last day of a month is the first second of the next month
        days, rest = divmod(utc, 86400)
        if rest != 0 or _civil(days)[2] != 1:
            return None
    return utc, bool(fraction and fraction.strip(".0"))
