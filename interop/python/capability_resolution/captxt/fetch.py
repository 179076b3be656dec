"""§11.7: what a resolver holds of a host after some fetches of its server file."""
import re

from .. import hosts
from .scope import site
from .strict import ServerFile

MAX_REDIRECTS = 5
DAY = 86_400
_HOST = re.compile(r"https://(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)")
_CHARSET = re.compile(r';\s*charset\s*=\s*("[^"]*"|[^;]*)', re.I)


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
    if content_type is None:
        return False
    charset = _CHARSET.search(content_type)
    return content_type.split(";")[0].strip().lower() == "text/plain" and (
        charset is None or charset.group(1).strip().strip('"').lower() == "utf-8")
