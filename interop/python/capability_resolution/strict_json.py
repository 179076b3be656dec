"""§3.2: JSON read strictly. Numbers keep how they were written; objects are dicts."""
import re

from .errors import Refused

MAX_DEPTH = 32
_WS = " \t\n\r"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_HEX4 = re.compile(r"[0-9A-Fa-f]{4}")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Number:
    """A JSON number as written."""

    def __init__(self, text):
        self.text = text

    def is_integer(self):
        # [token.claims.integer]: no fraction, no exponent, not `-0`
        return self.text != "-0" and all(c in "-0123456789" for c in self.text)

    def int_in(self, low, high):
        """The integer, or None when it is outside of low..high (both of at most 16 digits, low >= 0)."""
        if self.text.startswith("-") or len(self.text) > 16:
            return None
        value = int(self.text)
        return value if low <= value <= high else None


class _Bad(Exception):
    pass


def depth_of(text):
    """[json.depth-measure]: the brackets outside of strings, never below zero."""
    depth = deepest = 0
    in_string = escaped = False
    for c in text:
        if in_string:
            if escaped:
                escaped = False
            elif c == "\\":
                escaped = True
            elif c == '"':
                in_string = False
        elif c == '"':
            in_string = True
        elif c in "[{":
            depth += 1
            if depth > deepest:
                deepest = depth
        elif c in "]}" and depth:
            depth -= 1
    return deepest


class _Parser:
    def __init__(self, text):
        self.text, self.pos, self.duplicate = text, 0, False

    def peek(self):
        return self.text[self.pos] if self.pos < len(self.text) else ""

    def skip(self):
        while self.pos < len(self.text) and self.text[self.pos] in _WS:
            self.pos += 1

    def expect(self, literal):
        if not self.text.startswith(literal, self.pos):
            raise _Bad()
        self.pos += len(literal)

    def document(self):
        self.skip()
        value = self.value()
        self.skip()
        if self.pos != len(self.text):
            raise _Bad()
        return value

    def value(self):
        c = self.peek()
        if c == "{":
            return self.object()
        if c == "[":
            return self.array()
        if c == '"':
            return self.string()
        for literal, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(literal, self.pos):
                self.pos += len(literal)
                return value
        return self.number()

    def number(self):
        match = _NUMBER.match(self.text, self.pos)
        if not match:
            raise _Bad()
        self.pos = match.end()
        # [json.number-range]: float() rounds to nearest and gives infinity beyond the range
        if float(match.group()) in (float("inf"), float("-inf")):
            raise _Bad()
        return Number(match.group())

    def string(self):
        self.expect('"')
        parts = []
        while True:
            match = _PLAIN.match(self.text, self.pos)
            parts.append(match.group())
            self.pos = match.end()
            c = self.peek()
            if c == '"':
                self.pos += 1
                return "".join(parts)
            if c != "\\":
                raise _Bad()
            self.pos += 1
            parts.append(self.escape())

    def escape(self):
        c = self.peek()
        self.pos += 1
        if c != "u":
            if c not in _ESCAPES:
                raise _Bad()
            return _ESCAPES[c]
        unit = self.hex4()
        if 0xDC00 <= unit <= 0xDFFF:
            raise _Bad()  # [json.surrogate]
        if 0xD800 <= unit <= 0xDBFF:
            self.expect("\\u")
            low = self.hex4()
            if not 0xDC00 <= low <= 0xDFFF:
                raise _Bad()
            return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        return chr(unit)

    def hex4(self):
        match = _HEX4.match(self.text, self.pos)
        if not match:
            raise _Bad()
        self.pos = match.end()
        return int(match.group(), 16)

    def array(self):
        self.expect("[")
        self.skip()
        items = []
        if self.peek() == "]":
            self.pos += 1
            return items
        while True:
            self.skip()
            items.append(self.value())
            self.skip()
            if self.peek() == "]":
                self.pos += 1
                return items
            self.expect(",")

    def object(self):
        self.expect("{")
        self.skip()
        members = {}
        if self.peek() == "}":
            self.pos += 1
            return members
        while True:
            self.skip()
            name = self.string()
            self.skip()
            self.expect(":")
            self.skip()
            value = self.value()
            if name in members:
                self.duplicate = True
            members[name] = value
            self.skip()
            if self.peek() == "}":
                self.pos += 1
                return members
            self.expect(",")


def read_object(data, prefix):
    """Read bytes as one JSON object, in the order of [json.order]; raise Refused with the code `prefix`-... ."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(prefix + "-not-utf8") from None
    if depth_of(text) > MAX_DEPTH:
        raise Refused(prefix + "-too-deep")
    parser = _Parser(text)
    try:
        value = parser.document()
    except (_Bad, RecursionError):
        raise Refused(prefix + "-not-json") from None
    if not isinstance(value, dict):
        raise Refused(prefix + "-not-object")
    if parser.duplicate:
        raise Refused(prefix + "-duplicate-member")
    return value
