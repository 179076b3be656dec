"""§11.7: what a resolver holds of a host after some fetches of its server file."""
import re

from .. import hosts
from .scope import site
from .strict import ServerFile

MAX_REDIRECTS = 5
DAY = 86_400
_HOST = re.compile(r"https://(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)")
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_TYPE = re.compile("%s/%s" % (_TOKEN, _TOKEN))
_PARAMETER = re.compile(
    r'[ \t]*;(?:[ \t]*(%s)=(?:(%s)|"((?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[^\x00-\x08\x0a-\x1f\x7f])*)"))?' % (_TOKEN, _TOKEN))


class Fetch:
    """One fetch: when, where it was redirected to, and how it ended. `status` is None when it was not answered."""

    def __init__(self, at, redirects=(), failure=None, status=None, content_type=None, file=None):
        self.at, self.redirects, self.failure = at, redirects, failure
        self.status, self.content_type, self.file = status, content_type, file


class Holding:
    """What is held of a canonical host. `file` is the one whose restriction counts; `code` says why its claims do not,
    `""` when there is no file any more."""

    def __init__(self, host, rules=()):
        self.host, self.rules = host, rules
        self.file = self.code = None
        self.tried = self.answered = None

    def take(self, fetch):
        """[captxt.fetch.outcome], [captxt.fetch.redirect]"""
        self.forget(fetch.at)
        self.tried = fetch.at
        if fetch.failure is not None:
            return
        if len(fetch.redirects) > MAX_REDIRECTS or any(not url.startswith("https://") for url in fetch.redirects):
            self.code = ""
        elif fetch.status == 200:
            self.file, self.code = fetch.file, self._why_no_claims(fetch)
        elif fetch.status in (404, 410):
            self.file = self.code = None
        elif 400 <= fetch.status < 500 and fetch.status != 429:
            self.code = ""
        elif fetch.status != 304:
            return
        self.answered = fetch.at

    def _why_no_claims(self, fetch):
        if not _is_plain_text(fetch.content_type):
            return "fetch-content-type"
        if fetch.redirects:
            final = hosts.canonical_host(_HOST.match(fetch.redirects[-1]).group(1))
            if final is None or site(final, self.rules) != site(self.host, self.rules):
                return "fetch-cross-site"
        return None

    def forget(self, now):
        """[captxt.fetch.unreachable]"""
        if self.answered is not None and now - self.answered >= 30 * DAY:
            self.file = self.code = self.answered = None

    def is_due(self, now):
        """[captxt.fetch.cache]"""
        return self.tried is None or now - self.tried >= DAY

    def at(self, now, issuer):
        """(why there are no claims or None, the endpoints, whether the issuer is allowed)"""
        self.forget(now)
        if self.file is None:
            return "", [], True
        found = ServerFile(self.file, self.host, now, self.rules)
        code = self.code
        if code is None and found.errors:
            code = found.errors[0]["code"]
        return code, [] if code is not None else found.endpoints, found.allows(*issuer)


def _is_plain_text(content_type):
    """[captxt.fetch.media-type], and the first row of [captxt.fetch.outcome]"""
    text = (content_type or "").strip(" \t")
    essence = _TYPE.match(text)
    if not essence or essence.group().lower() != "text/plain":
        return False
    end, charsets = essence.end(), []
    while end < len(text):
        parameter = _PARAMETER.match(text, end)
        if not parameter:
            return False
        name, value, quoted = parameter.groups()
        if name and name.lower() == "charset":
            charsets.append(value or re.sub(r"\\(.)", r"\1", quoted))
        end = parameter.end()
    return not charsets or [charset.lower() for charset in charsets] == ["utf-8"]
