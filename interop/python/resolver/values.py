"""Characters (§3.1), times (§3.3), origins (§3.4) and server URLs (§3.5)."""
import calendar
import ipaddress
import re
import time
import unicodedata

WHITE_SPACE = "".join(map(chr, [*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
                                0x202F, 0x205F, 0x3000]))  # [text.white-space]
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")  # [text.control]
UNSAFE = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064"
                    "\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]")  # [text.unsafe]

_TIME = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z")
_SERVER_URL = re.compile(r"https://(\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?"
                         r"((?:/(?:[A-Za-z0-9._~!$&()*+,;=:@'-]|%[0-9A-Fa-f]{2})*)+)"
                         r"(\?(?:[A-Za-z0-9._~!$&()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?")
_ORIGIN = re.compile(r"https://(\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?")
_LOOPBACK = re.compile(r"http://(?:127\.0\.0\.1|localhost):([0-9]{1,5})")
_NOT_IN_LABELS = ("Cc", "Cs", "Co", "Cn", "Zs", "Zl", "Zp")


def clean(text, most):
    """One line without control and unsafe characters, at most `most` characters long [mcp.tools.unsafe]."""
    text = re.sub(f"[{WHITE_SPACE}]+", " ", text)
    return UNSAFE.sub("", CONTROL.sub("", text)).strip()[:most].strip()


def read_time(text):
    """Seconds since 1970 of a time in a document, or None [time.document]."""
    if not isinstance(text, str) or not _TIME.fullmatch(text) or text[:4] == "0000":
        return None
    try:
        return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))
    except ValueError:
        return None


def write_time(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def is_issuer(text):
    """Whether this is an origin whose host is a domain [origin.issuer]."""
    match = _ORIGIN.fullmatch(text)
    return bool(match) and _is_domain(match[1]) and _is_port(match[2], 443)


def is_loopback(text):
    """Whether this is an issuer for development [origin.loopback]."""
    match = _LOOPBACK.fullmatch(text)
    return bool(match) and _is_port(match[1], 80)


def is_server_url(text):
    """[url.form] and [url.dot-segment]. The text is also its own serialization then, and is compared as it stands."""
    if len(text) > 2048:
        return False
    match = _SERVER_URL.fullmatch(text)
    if not match or not _is_port(match[2], 443):
        return False
    segments = (part.lower().replace("%2e", ".") for part in match[3].split("/"))
    return not any(part in (".", "..") for part in segments) and _is_host(match[1])


def _is_port(text, default):
    return text is None or (text[0] != "0" and int(text) <= 65535 and int(text) != default)


def _is_host(host):
    if host[0] == "[":
        return _is_ipv6(host[1:-1])
    try:
        return str(ipaddress.IPv4Address(host)) == host
    except ValueError:
        return _is_domain(host)


def _is_ipv6(text):
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return False
    if address.ipv4_mapped:  # later versions of Python write these in the dotted form
        low = int(address) & 0xFFFFFFFF
        return text == f"::ffff:{low >> 16:x}:{low & 0xFFFF:x}"
    return str(address) == text


def _is_domain(host):
    """[origin.host], [origin.numeric-label] and, as far as the standard library goes, [origin.idna]."""
    labels = host.split(".")
    if len(host) > 253 or not all(re.fullmatch("[a-z0-9_-]{1,63}", label) for label in labels):
        return False
    if re.fullmatch("[0-9]+|0x[0-9a-f]*", labels[-1]):
        return False
    return all(_is_ace(label) for label in labels if label.startswith("xn--"))


def _is_ace(label):
    """Whether a label comes back as it is. UTS 46 has tables that the standard library lacks; this is its shape."""
    try:
        text = label[4:].encode().decode("punycode")
        again = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
        plain = all(unicodedata.category(character) not in _NOT_IN_LABELS for character in text) and unicodedata.category(text[0])[0] != "M"
        return plain and not text.isascii() and text == again and b"xn--" + text.encode("punycode") == label.encode()
    except (UnicodeError, ValueError, IndexError):
        return False
