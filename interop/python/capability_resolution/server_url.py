"""§3.5: server URLs."""
import re

from . import hosts

_QCHAR = r"(?:[A-Za-z0-9._~!$&()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_SERVER_URL = re.compile(
    r"https://(?P<host>\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>(?:/(?:" + _QCHAR + r"|')*)+)(?:\?(?P<query>(?:" + _QCHAR + r"|[/?])*))?")


def split_server_url(text):
    """(origin, path, query or None) of a server URL, or None.  [url.form], [url.dot-segment]"""
    if len(text) > 2048:
        return None
    match = _SERVER_URL.fullmatch(text)
    if not match or not hosts.is_host(match.group("host")):
        return None
    port = match.group("port")
    if port is not None and not hosts.is_port(port):
        return None
    for segment in match.group("path").split("/"):
        if re.sub("%2e", ".", segment, flags=re.I) in (".", ".."):
            return None
    origin = "https://" + match.group("host") + (":" + port if port else "")
    return origin, match.group("path"), match.group("query")


def is_server_url(text):
    return split_server_url(text) is not None
