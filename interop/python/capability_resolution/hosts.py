"""§3.4: hosts and origins, and how §11.3 brings written ones into canonical form."""
import re

from . import uts46

_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PORT = re.compile(r"[1-9][0-9]{0,4}")


def is_ipv4(host):
    parts = host.split(".")
    return len(parts) == 4 and all(
        re.fullmatch(r"0|[1-9][0-9]{0,2}", part) and int(part) <= 255 for part in parts)


def is_domain(host):
    """[origin.host], [origin.numeric-label], [origin.idna]: a domain in canonical form."""
    if not 1 <= len(host) <= 253:
        return False
    labels = host.split(".")
    if not all(_LABEL.fullmatch(label) for label in labels) or _NUMERIC_LABEL.fullmatch(labels[-1]):
        return False
    try:
        return uts46.domain_to_ascii(host) == host
    except uts46.DomainError:
        return False


def parse_ipv6(text):
    """The eight pieces of an IPv6 address as the URL Standard reads it (without brackets), or None."""
    head, gap, tail = text.partition("::")
    if gap and "::" in tail:
        return None

    def pieces(part, last):
        if part == "":
            return []
        out = []
        items = part.split(":")
        for index, item in enumerate(items):
            if "." in item and last and index == len(items) - 1:
                if not is_ipv4(item):
                    return None
                a, b, c, d = (int(x) for x in item.split("."))
                out += [a << 8 | b, c << 8 | d]
            elif re.fullmatch(r"[0-9A-Fa-f]{1,4}", item):
                out.append(int(item, 16))
            else:
                return None
        return out

    left = pieces(head, not gap)
    right = pieces(tail, True) if gap else []
    if left is None or right is None:
        return None
    missing = 8 - len(left) - len(right)
    if gap:
        return left + [0] * missing + right if missing >= 1 else None
    return left if missing == 0 else None


def format_ipv6(pieces):
    """RFC 5952 without its section 5: an embedded IPv4 address stays hexadecimal, as in the URL Standard."""
    best_start, best_length, start = -1, 1, 0
    while start < 8:
        end = start
        while end < 8 and pieces[end] == 0:
            end += 1
        if end - start > best_length:
            best_start, best_length = start, end - start
        start = max(end, start + 1)
    words = ["%x" % piece for piece in pieces]
    if best_start < 0:
        return ":".join(words)
    return ":".join(words[:best_start]) + "::" + ":".join(words[best_start + best_length:])


def is_host(host):
    """[origin.host]: a host in canonical form."""
    if host.startswith("["):
        if not host.endswith("]"):
            return False
        pieces = parse_ipv6(host[1:-1])
        return pieces is not None and "[" + format_ipv6(pieces) + "]" == host
    return is_ipv4(host) or is_domain(host)


def is_address(host):
    return host.startswith("[") or is_ipv4(host)


def canonical_host(written):
    """The steps of [captxt.resolvers.canonical] for a host: the canonical form, or None."""
    if written.startswith("["):
        pieces = parse_ipv6(written[1:-1]) if written.endswith("]") else None
        return None if pieces is None else "[" + format_ipv6(pieces) + "]"
    if is_ipv4(written.removesuffix(".")):
        return written.removesuffix(".")
    try:
        host = uts46.domain_to_ascii(written).removesuffix(".")
    except uts46.DomainError:
        return None
    # What IDNA turns into an address was a domain whose last label is all digits: [origin.numeric-label].
    return host if is_domain(host) else None


def is_port(text):
    """A canonical port that is not the default: 1 to 65535, no leading zero, not 443."""
    return bool(_PORT.fullmatch(text)) and int(text) <= 65535 and text != "443"


def split_origin(text):
    """(host, port) of an origin in canonical form, or None.  [origin.serialization]"""
    if not text.startswith("https://"):
        return None
    rest = text[8:]
    match = re.fullmatch(r"(\[[0-9a-f:]*\]|[^:\[\]]*)(?::([0-9]+))?", rest)
    if not match or not is_host(match.group(1)):
        return None
    if match.group(2) is not None and not is_port(match.group(2)):
        return None
    return match.group(1), int(match.group(2) or 443)


def is_origin(text):
    return split_origin(text) is not None


def is_issuer(text):
    """[origin.issuer]: an origin whose host is a domain."""
    parts = split_origin(text)
    return parts is not None and not is_address(parts[0])


_WRITTEN_ORIGIN = re.compile(
    r"https://(\[[0-9A-Fa-f:.]*\]|[A-Za-z0-9_.\xa0-\U0010ffff-]+)(?::([0-9]{1,5}))?/?", re.I | re.A)


def format_origin(host, port):
    return "https://" + host + ("" if port == 443 else ":%d" % port)


def read_origin(written):
    """[captxt.resolvers.canonical]: (host, port) of an origin as a person writes it, or None."""
    match = _WRITTEN_ORIGIN.fullmatch(written)
    if not match:
        return None
    host = canonical_host(match.group(1))
    port = int(match.group(2) or 443)
    return (host, port) if host is not None and 1 <= port <= 65535 else None
