"""§11.6: the deny reader. It reads any bytes and cannot fail."""
import re

from .. import hosts
from ..text import CONTROL, UNSAFE, WHITE_SPACE
from .fields import DEFINED

SCAN_LIMIT = 524_288  # [captxt.deny.scan-limit]
_NOISE = WHITE_SPACE | CONTROL | UNSAFE | {"\ufffd"}  # [captxt.deny.strip]
_DASHES = frozenset("-\u2212\ufe58\ufe63\uff0d") | {chr(c) for c in range(0x2010, 0x2016)}  # [captxt.deny.dash]
_QUOTES = frozenset("\"'`\u00ab\u00bb\u2039\u203a()[]{}<>") | {chr(c) for c in range(0x2018, 0x2020)}
_EDGES = _QUOTES | _NOISE  # [captxt.deny.entries], [captxt.deny.edges]
_LONGEST_ADDRESS = 45  # characters of an IPv6 address with a dotted part


def _any_of(characters):
    return "[" + re.escape("".join(sorted(characters))) + "]"


_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x00\x85\u2028\u2029]")  # [captxt.deny.lines]
_SEPARATED = re.compile("resolvers?" + _any_of(_NOISE) + "*[:=\uff1a]", re.I | re.A)
_BARE = re.compile("resolvers?(" + _any_of(_NOISE) + "+)", re.I | re.A)
_FIELD = re.compile("[ \t]+(?:" + "|".join(sorted(DEFINED)) + ")[ \t]*:", re.I | re.A)
_RUN = re.compile("[^" + _any_of(WHITE_SPACE)[1:] + "+")
_PIECE = re.compile("[^,;" + _any_of(WHITE_SPACE)[1:] + "+")
_SCHEME = re.compile("(https?)://", re.I | re.A)
_HOST_AND_PORT = re.compile(r"(\[[^\]]*\]|[^:]*)(?::([0-9]{1,5}))?")


class Deny:
    """What one deny says: of every resolver (host None), of one origin, or of a domain and all below it."""

    def __init__(self, host=None, port=None, below=False):
        self.host, self.port, self.below = host, port, below

    def holds_for(self, host, port):
        """[captxt.deny.match]"""
        if self.host is None:
            return True
        return port == self.port and (host == self.host or self.below and host.endswith("." + self.host))


class ResolversLine:
    """The entries of one Resolvers line with its continuations."""

    def __init__(self):
        self.segments = []  # (place in the text, text)
        self.denies, self.allows, self.star, self.none, self.other = [], set(), False, False, False
        self.restrictions = []  # the places of the denies and of the word `none`

    def allows_origin(self, host, port):
        if self.star or (host, port) in self.allows:
            return True
        return bool(self.denies) and not (self.allows or self.none or self.other)


class Reading:
    """What one decoding of the bytes says."""

    def __init__(self, text):
        self.lines = _find_lines(text)
        for line in self.lines:
            _read_entries(line)

    @property
    def restrictions(self):
        return [place for line in self.lines for place in line.restrictions]

    def allows(self, host, port):
        """[captxt.deny.verdict]"""
        if any(line.none or any(deny.holds_for(host, port) for deny in line.denies) for line in self.lines):
            return False
        return all(line.allows_origin(host, port) for line in self.lines)


def read(data):
    """[captxt.deny.decode]: the readings of the bytes, first the one as UTF-8."""
    data = data[:SCAN_LIMIT]
    readings = [Reading(data.decode("utf-8", "replace"))]
    for mark, encoding in ((b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le")):
        if data.startswith(mark):
            readings.append(Reading(data[2:].decode(encoding, "replace")))
    return readings


def is_allowed(readings, host, port):
    return all(reading.allows(host, port) for reading in readings)


def _start(text, dropped):
    """How many of the first characters are of the set."""
    start = 0
    while start < len(text) and text[start] in dropped:
        start += 1
    return start


def _find_lines(text):
    lines, current, place = [], None, 0
    ends = [(match.start(), match.end()) for match in _LINE_END.finditer(text)]
    for end, following in ends + [(len(text), len(text))]:
        line = text[place:end]
        indent = _start(line, _NOISE)
        stripped = line[indent:]
        if not stripped.startswith("#"):
            value = _value_of(stripped)
            if value is not None:
                current = ResolversLine()
                lines.append(current)
                current.segments.append((place + indent + value, stripped[value:].split("#")[0]))
            elif current is not None and _continues(line, stripped):
                current.segments.append((place, line.split("#")[0]))
            else:
                current = None
        place = following
    return lines


def _value_of(stripped):
    """[captxt.deny.field], [captxt.deny.value]: where the value starts, or None when it is no Resolvers line."""
    separated = _SEPARATED.match(stripped)
    if separated:
        return separated.end()
    bare = _BARE.match(stripped)
    if bare and not WHITE_SPACE.isdisjoint(bare.group(1)):
        runs = _RUN.findall(stripped[bare.end():].split("#")[0])
        if runs and all(_NOISE.issuperset(run) for run in runs[1:]) and any(
                _says_something(_without_edges(piece)) for piece in _PIECE.findall(runs[0])):
            return bare.end()
    return None


def _says_something(entry):
    """Whether an entry shows that its run is meant as a value, since no separator says so."""
    lower = entry.lower()
    return lower in ("*", "none") or lower.startswith(("https://", "http://")) or entry[:1] in _DASHES


def _continues(line, stripped):
    """[captxt.deny.continuation], for a line that is neither a comment nor a Resolvers line."""
    if not stripped:
        return False
    if line[0] in " \t":
        return not _FIELD.match(line)
    return line[0] in _DASHES and line[1:2] not in _DASHES


def _is_address(text):
    return len(text) <= _LONGEST_ADDRESS and hosts.parse_ipv6(text) is not None


def _end_of_entry(text):
    end = len(text)
    while end and (text[end - 1] in _EDGES or text[end - 1] == "."):
        if text[end - 1] == "]":
            begin = text.rfind("[", max(0, end - _LONGEST_ADDRESS - 2), end)
            if begin >= 0 and _is_address(text[begin + 1:end - 1]):
                break
        end -= 1
    return end


def _without_edges(text):
    text = text[:_end_of_entry(text)]
    return text[_start(text, _EDGES):]


def _read_entries(line):
    """[captxt.deny.entries], [captxt.deny.dash], [captxt.deny.verdict]"""
    pending = None  # the place of dashes that belong to the entry after them
    for offset, segment in line.segments:
        for match in _PIECE.finditer(segment):
            piece, place = match.group(), offset + match.start()
            entry = _without_edges(piece)
            if not entry:
                continue
            dashes = _start(entry, _DASHES)
            if dashes == len(entry):
                pending = place if pending is None else pending
                continue
            if dashes or pending is not None:
                line.restrictions.append(place if pending is None else pending)
                what = entry[dashes:]
                line.denies.append(_read_deny(what[_start(what, _EDGES):]))
                pending = None
            elif entry.lower() == "none":
                line.restrictions.append(place)
                line.none = True
            elif piece == "*":
                line.star = True
            else:
                origin = hosts.read_origin(piece) if _NOISE.isdisjoint(piece) else None
                if origin:
                    line.allows.add(origin)
                else:
                    line.other = True
    if pending is not None:
        line.restrictions.append(pending)
        line.denies.append(Deny())


def _read_deny(written):
    """[captxt.deny.repair], [captxt.deny.unreadable]"""
    every_resolver = Deny()
    scheme = _SCHEME.match(written)
    rest = written[scheme.end():] if scheme else written
    authority = re.split(r"[/?#\\]", rest, maxsplit=1)[0].rpartition("@")[2]
    below = authority.startswith("*.")
    match = _HOST_AND_PORT.fullmatch(authority[2:] if below else authority)
    if not match:
        return every_resolver
    host = hosts.canonical_host(match.group(1))
    if host is None or (not scheme and "." not in host):
        return every_resolver
    port = int(match.group(2) or 443)
    if port == 80 and scheme and scheme.group(1).lower() == "http":
        port = 443
    return Deny(host, port, below) if 1 <= port <= 65535 else every_resolver
