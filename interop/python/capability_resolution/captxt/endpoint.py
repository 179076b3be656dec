"""§11.4: the value of Endpoint, and what it needs of the URL Standard's parser and serializer."""
import re

from .. import hosts, uts46
from ..errors import Refused
from ..text import WHITE_SPACE

MAX_LENGTH = 2_048
_FORBIDDEN = frozenset('\\<>"^{|}`') | WHITE_SPACE
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_AUTHORITY = re.compile(r"(\[[^\]]*\]|[^:]*)(?::([0-9]*))?")
_PATH_SET = frozenset(' "#<>?`{}^')
_QUERY_SET = frozenset(" \"#<>'")


class Endpoint:
    def __init__(self, host, url, has_query):
        self.host, self.url, self.has_query = host, url, has_query


def read_endpoint(value):
    """[captxt.endpoint.form], [captxt.endpoint.canonical]: an Endpoint, or Refused with the first code."""
    if any(c in _FORBIDDEN for c in value) or len(value) > MAX_LENGTH:
        raise Refused("endpoint-invalid")
    scheme = _SCHEME.match(value)
    if scheme and scheme.group(1).lower() != "https":
        raise Refused("endpoint-not-https")
    rest = value[scheme.end():] if scheme else ""
    if rest[:1] in ("", "/", "?", "#"):
        raise Refused("endpoint-invalid")
    if "@" in re.split(r"[/?#]", rest, maxsplit=1)[0]:
        raise Refused("endpoint-userinfo")
    if "#" in rest:
        raise Refused("endpoint-fragment")
    before_query, question, query = rest.partition("?")
    authority, slash, path = before_query.partition("/")
    match = _AUTHORITY.fullmatch(authority)
    if not match:
        raise Refused("endpoint-invalid")
    host = _host(match.group(1))
    url = "https://" + host + _port(match.group(2)) + _path(path)
    if question:
        url += "?" + _encode(query, _QUERY_SET)
    return Endpoint(host, url, bool(question))


def _host(written):
    """Point 6 of [captxt.endpoint.form]."""
    if written.startswith("["):
        pieces = hosts.parse_ipv6(written[1:-1])
        if pieces is None:
            raise Refused("endpoint-invalid")
        return "[" + hosts.format_ipv6(pieces) + "]"
    if hosts.is_ipv4(written):
        return written
    try:
        host = uts46.domain_to_ascii(written)
    except uts46.DomainError:
        raise Refused("endpoint-invalid") from None
    if not hosts.is_domain(host):
        raise Refused("endpoint-invalid")
    return host


def _port(digits):
    port = int(digits or 443)
    if port > 65535:
        raise Refused("endpoint-invalid")
    return "" if port == 443 else ":%d" % port


def _path(raw):
    """The path state of the URL Standard: dot segments go, the rest is percent-encoded."""
    out = []
    segments = raw.split("/")
    for index, segment in enumerate(segments):
        plain = re.sub("%2e", ".", segment, flags=re.I)
        if plain == ".." and out:
            out.pop()
        if plain not in (".", ".."):
            out.append(_encode(segment, _PATH_SET))
        elif index == len(segments) - 1:
            out.append("")
    return "/" + "/".join(out)


def _encode(text, encode_set):
    return "".join(
        "".join("%%%02X" % byte for byte in c.encode("utf-8")) if c in encode_set or not " " <= c <= "~" else c
        for c in text)
