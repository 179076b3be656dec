"""§11.2: lines, the signed envelope around them, their faults, and fields."""
import re

from ..text import CONTROL, UNSAFE
from .fields import DEFINED

MAX_LINE = 4_096
LINE_END = re.compile("\r\n|\n|\r")  # [captxt.line-end]
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_WSP = " \t"


class Line:
    """A line as it is read; `shift` characters before it are not, `place` is where it starts in the text."""

    def __init__(self, number, text, place, shift=0):
        self.number, self.text, self.place, self.shift = number, text, place, shift

    def column(self, index):
        return self.shift + index + 1

    @property
    def indent(self):
        return len(self.text) - len(self.text.lstrip(_WSP))

    @property
    def is_blank(self):
        return not self.text.strip(_WSP)

    @property
    def is_comment(self):
        return self.text.lstrip(_WSP).startswith("#")


class Field:
    """A defined field. `value` is None when it is not read."""

    def __init__(self, line, name, name_index):
        self.line, self.name, self.name_column = line, name, line.column(name_index)
        self.value = self.value_index = None

    @property
    def number(self):
        return self.line.number

    def value_column(self, offset=0):
        return self.line.column(self.value_index + offset)

    def value_place(self, offset=0):
        """Where a character of the value stands in the text."""
        return self.line.place + self.line.shift + self.value_index + offset


def split_lines(text, diagnostics):
    """[captxt.line-end], [captxt.final-newline]; what follows the last line end is a line if it is not empty."""
    lines, place = [], 0
    for match in LINE_END.finditer(text):
        lines.append(Line(len(lines) + 1, text[place:match.start()], place))
        if match.group() == "\r":
            diagnostics.error("bare-cr", len(lines), match.start() - place + 1)
        place = match.end()
    if place < len(text):
        lines.append(Line(len(lines) + 1, text[place:], place))
    return lines


def unwrap(lines, diagnostics):
    """[captxt.signed]: the lines that are read."""
    state, in_message, reported = "text", False, False
    for line in lines:
        mark = line.text.rstrip(_WSP)
        if state == "signature":
            if mark == "-----END PGP SIGNATURE-----":
                state = "text"
        elif state == "armor":
            if not mark:
                state = "text"
        elif line.text.startswith("-----BEGIN PGP "):
            if not reported:
                diagnostics.error("signed-envelope", line.number)
            reported = True
            if mark == "-----BEGIN PGP SIGNED MESSAGE-----":
                state, in_message = "armor", True
            elif mark == "-----BEGIN PGP SIGNATURE-----":
                state = "signature"
        elif in_message and line.text.startswith("- "):
            yield Line(line.number, line.text[2:], line.place, 2)
        else:
            yield line


def read_field(line, is_second, reads_value, diagnostics):
    """The defined field of a line, or None, after the faults of the line are reported.

    `is_second` tells of a name whether it is a `duplicate-field` at this place, `reads_value` whether its value is read.
    """
    fault = _fault(line)
    if fault:
        report = diagnostics.warn if fault[0] == "unsafe-character" and line.is_comment else diagnostics.error
        report(fault[0], line.number, line.column(fault[1]))
    if line.is_blank or line.is_comment:
        return None
    if line.indent:
        diagnostics.error("leading-whitespace", line.number, line.column(line.indent))
    field = _parse(line, damaged=fault is not None)
    if fault:
        if field and field.name in DEFINED:
            return field
        return None
    if line.indent and (not field or field.name not in DEFINED):
        return None
    if not field:
        diagnostics.error("malformed-line", line.number, line.column(line.indent))
        return None
    if not is_second(field.name):
        _read_value(line, field, reads_value, diagnostics)
    return field if field.name in DEFINED else None


def _parse(line, damaged):
    """[captxt.field]: a Field without its value, whatever its name, or None for a line that is none."""
    colon = line.text.find(":")
    if colon < 0 or line.text.startswith("//", colon + 1):
        return None
    name, index = line.text[line.indent:colon].rstrip(_WSP), line.indent
    if damaged:  # [captxt.unreadable-value]
        kept = [i for i in range(colon) if line.text[i] not in CONTROL and line.text[i] not in UNSAFE]
        name = "".join(line.text[i] for i in kept).strip(_WSP)
        index = next((i for i in kept if line.text[i] != " "), 0)
    return Field(line, name.lower(), index) if _NAME.fullmatch(name) else None


def _read_value(line, field, reads_value, diagnostics):
    """The value, and what the strict reader says about the colon; [captxt.space-before-colon] to [captxt.empty-value]."""
    colon = line.text.index(":")
    name_end = len(line.text[:colon].rstrip(_WSP))
    if name_end < colon:
        diagnostics.error("space-before-colon", line.number, line.column(name_end))
    if field.name not in DEFINED:
        diagnostics.warn("unknown-field", line.number, field.name_column)
        return
    if not reads_value(field.name):
        return
    after = line.text[colon + 1:]
    value = after.strip(_WSP)
    if not value:
        diagnostics.error("empty-value", line.number, field.name_column)
        return
    if not after.startswith(" "):
        diagnostics.warn("spacing-after-colon", line.number, line.column(colon + 1))
    field.value, field.value_index = value, colon + 1 + after.index(value)


def _fault(line):
    """[captxt.line-codes]: (code, index) of the first of the faults that make a line unreadable, or None."""
    if len(line.text.encode("utf-8")) > MAX_LINE:
        return "line-too-long", 0 if line.is_blank else line.indent
    tabs = _allowed_tabs(line)
    for index, c in enumerate(line.text):
        if c in CONTROL and not (c == "\t" and (line.is_comment or index in tabs)):
            return "control-character", index
    for index, c in enumerate(line.text):
        if c in UNSAFE:
            return "unsafe-character", index
    return None


def _allowed_tabs(line):
    """[captxt.control]: the spaces and tabs at the start, on both sides of the first colon, and at the end."""
    text, colon = line.text, line.text.find(":")
    allowed = set(range(line.indent)) | set(range(len(text.rstrip(_WSP)), len(text)))
    if colon >= 0:
        before, after = text[:colon], text[colon + 1:]
        allowed |= set(range(len(before.rstrip(_WSP)), colon))
        allowed |= set(range(colon + 1, len(text) - len(after.lstrip(_WSP))))
    return allowed
