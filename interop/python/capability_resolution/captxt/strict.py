"""§11.1 to §11.5: the strict reader; with the deny reader beside it, [captxt.two-readers]."""
import re

from . import deny
from .. import hosts, times
from ..errors import Refused
from ..text import trim, words
from .diagnostics import Diagnostics
from .endpoint import read_endpoint
from .fields import HEADER_FIELDS
from .lines import LINE_END, read_field, split_lines, unwrap
from .scope import in_scope

MAX_SIZE = 65_536
MAX_ENTRIES = 100
MAX_BLOCKS = 100
MAX_JOBS = 20
FAR = 366 * 86_400
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,31}")
_CONTACT = re.compile(r"(?:mailto|https|tel):(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+", re.I | re.A)


class Block:
    def __init__(self, field):
        self.field, self.endpoint, self.in_scope = field, None, False
        self.present, self.tokens, self.jobs, self.seen_jobs, self.job_count = set(), {}, [], set(), 0

    def report(self):
        return {"url": self.endpoint.url, "inScope": self.in_scope, "jobs": self.jobs,
                "protocol": self.tokens.get("protocol"), "signIn": self.tokens.get("sign-in"),
                "payment": self.tokens.get("payment")}


class ServerFile:
    """One server file that was asked of a canonical host; now in whole seconds, rules of the Public Suffix List."""

    def __init__(self, data, host, now, rules=()):
        self.host, self.now, self.rules = host, now, rules
        self.diagnostics = Diagnostics()
        self.readings = deny.read(data)
        self.blocks, self.present = [], set()
        self.only_none = False  # the value of Resolvers that is evaluated is `none`
        self.taken = set()  # where the restrictions stand that the strict reader took without an error
        self._read(data)

    @property
    def errors(self):
        return self.diagnostics.errors

    @property
    def warnings(self):
        return self.diagnostics.warnings

    @property
    def valid(self):
        return self.diagnostics.valid

    @property
    def endpoints(self):
        """[captxt.claims-empty]"""
        return [block.report() for block in self.blocks] if self.valid else []

    def allows(self, host, port):
        return deny.is_allowed(self.readings, host, port)

    def _read(self, data):
        if len(data) > MAX_SIZE:
            self.diagnostics.error("file-too-large")
            return self._salvaged_somewhere()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as fault:
            before = LINE_END.split(data[:fault.start].decode("utf-8").removeprefix("\ufeff"))
            self.diagnostics.error("not-utf8", len(before), len(before[-1]) + 1)
            return self._salvaged_somewhere()
        if text.startswith("\ufeff"):
            self.diagnostics.warn("bom")
        lines = split_lines(text.removeprefix("\ufeff"), self.diagnostics)
        if data and not text.endswith(("\n", "\r")):
            last = lines[-1] if lines else None
            self.diagnostics.warn("no-final-newline", last.number if last else 1, len(last.text) + 1 if last else 1)
        for line in unwrap(lines, self.diagnostics):
            field = read_field(line, self._is_second, self._reads_value, self.diagnostics)
            if field:
                self._dispatch(field)
        self._end_of_file()
        self._salvaged(text)
        return None

    # ---- fields

    def _is_second(self, name):
        """Whether nothing is said of what follows the name: [captxt.header.once], [captxt.block.once]."""
        if name in HEADER_FIELDS:
            return not self.blocks and name != "contact" and name in self.present
        return bool(self.blocks) and name != "jobs" and name in self.blocks[-1].present

    def _reads_value(self, name):
        """Whether anything is said of the value: [captxt.header.place], [captxt.block.outside]."""
        return name == "endpoint" or (name in HEADER_FIELDS) != bool(self.blocks)

    def _dispatch(self, field):
        if field.name in HEADER_FIELDS:
            self._header_field(field)
        elif field.name == "endpoint":
            self._start_block(field)
        elif not self.blocks:
            self.diagnostics.error("field-outside-block", field.number, field.name_column)
        else:
            self._block_field(field, self.blocks[-1])

    def _header_field(self, field):
        second = self._is_second(field.name)
        self.present.add(field.name)
        if self.blocks:
            self.diagnostics.error("header-field-in-block", field.number, field.name_column)
        elif second:
            self.diagnostics.error("duplicate-field", field.number, field.name_column)
        elif field.value is not None:
            {"conformance": self._conformance, "contact": self._contact, "expires": self._expires,
             "resolvers": self._resolvers}[field.name](field)

    def _conformance(self, field):
        if field.value != "Capability Resolution 0.2":
            self.diagnostics.error("conformance-unsupported", field.number, field.value_column())

    def _contact(self, field):
        if not _CONTACT.fullmatch(field.value):
            self.diagnostics.error("contact-invalid", field.number, field.value_column())

    def _expires(self, field):
        place = field.number, field.value_column()
        expires = times.parse_rfc3339(field.value)
        if expires is None:
            self.diagnostics.error("expires-invalid", *place)
        elif (self.now, False) >= expires:
            self.diagnostics.error("expired", *place)
        elif expires > (self.now + FAR, False):
            self.diagnostics.warn("expires-far", *place)

    def _resolvers(self, field):
        if field.value.lower() == "none":
            self.only_none = True
            self.taken.add(field.value_place())
            return
        pieces, offset = field.value.split(","), 0
        allows, denies, star, mixed, redundant = set(), set(), False, False, False
        clean_denies = 0
        for number, piece in enumerate(pieces, 1):
            entry = piece.strip(" ")
            at = offset + len(piece) - len(piece.lstrip(" "))
            offset += len(piece) + 1
            if number == MAX_ENTRIES + 1:
                self.diagnostics.error("too-many-resolvers", field.number, field.value_column(at))
            if entry.lower() == "none":
                mixed = True
                self.taken.add(field.value_place(at))
                continue
            if entry == "*":
                redundant |= star
                star = True
                continue
            written = entry.removeprefix("-")
            origin = hosts.read_origin(written)
            if origin is None:
                self.diagnostics.error("resolvers-entry-invalid", field.number, field.value_column(at))
                continue
            if hosts.format_origin(*origin) != written:
                self.diagnostics.warn("origin-not-canonical", field.number, field.value_column(at))
            same = allows
            if written != entry:
                same = denies
                clean_denies += 1
                self.taken.add(field.value_place(at))
            redundant |= origin in same
            same.add(origin)
        place = field.number, field.value_column()
        if mixed:
            self.diagnostics.error("resolvers-none-mixed", *place)
        if redundant or (star and allows):
            self.diagnostics.warn("resolvers-redundant", *place)
        if clean_denies == len(pieces):
            self.diagnostics.warn("resolvers-implied-star", *place)
        if allows & denies:
            self.diagnostics.warn("resolvers-conflict", *place)

    def _start_block(self, field):
        block = Block(field)
        self.blocks.append(block)
        if len(self.blocks) == MAX_BLOCKS + 1:
            self.diagnostics.error("too-many-endpoints", field.number, field.name_column)
        if field.value is None:
            return
        place = field.number, field.value_column()
        try:
            endpoint = read_endpoint(field.value)
        except Refused as refused:
            self.diagnostics.error(refused.code, *place)
            return
        if endpoint.has_query:
            self.diagnostics.warn("endpoint-query", *place)
        if any(other.endpoint and other.endpoint.url == endpoint.url for other in self.blocks):
            self.diagnostics.error("duplicate-endpoint", *place)
        block.endpoint = endpoint
        block.in_scope = in_scope(endpoint.host, self.host, self.rules)
        if not block.in_scope:
            self.diagnostics.warn("endpoint-out-of-scope", *place)

    def _block_field(self, field, block):
        second = self._is_second(field.name)
        block.present.add(field.name)
        if field.name == "jobs":
            if field.value is not None:
                self._jobs(field, block)
        elif second:
            self.diagnostics.error("duplicate-field", field.number, field.name_column)
        elif field.value is not None:
            self._token(field, block)

    def _jobs(self, field, block):
        offset = 0
        for piece in field.value.split(";"):
            job = trim(piece)
            at = offset + (piece.index(job) if job else len(piece))
            offset += len(piece) + 1
            block.job_count += 1
            if block.job_count == MAX_JOBS + 1:
                self.diagnostics.error("too-many-jobs", block.field.number, block.field.name_column)
            if not 3 <= len(job) <= 200:
                self.diagnostics.error("job-length", field.number, field.value_column(at))
                continue
            folded = " ".join(words(_simple_lower(job)))
            if folded in block.seen_jobs:
                self.diagnostics.warn("duplicate-job", field.number, field.value_column(at))
                continue
            block.seen_jobs.add(folded)
            block.jobs.append(job)

    def _token(self, field, block):
        place = field.number, field.value_column()
        if not _TOKEN.fullmatch(field.value):
            self.diagnostics.error("invalid-token", *place)
            return
        value = field.value.lower()
        if value not in (("mcp",) if field.name == "protocol" else ("none", "required")):
            self.diagnostics.warn("unknown-value", *place)
        block.tokens[field.name] = value

    # ---- the whole file

    def _end_of_file(self):
        for name in HEADER_FIELDS:
            if name not in self.present:
                self.diagnostics.error("missing-" + name)
        for block in self.blocks:
            for name in ("protocol", "jobs"):
                if name not in block.present:
                    self.diagnostics.error("missing-" + name, block.field.number, block.field.name_column)
        if not self.blocks and not self.only_none:
            self.diagnostics.warn("no-endpoints")

    def _salvaged_somewhere(self):
        """[captxt.deny.salvaged] for a file of which the strict reader evaluated nothing."""
        if any(reading.restrictions for reading in self.readings):
            self.diagnostics.warn("deny-salvaged")

    def _salvaged(self, text):
        """[captxt.deny.salvaged]: the first restriction at a place that the strict reader did not take one from."""
        mark = len(text) - len(text.removeprefix("\ufeff"))
        places = [place - mark for place in self.readings[0].restrictions if place - mark not in self.taken]
        if places:
            self.diagnostics.warn("deny-salvaged", len(LINE_END.split(text[mark:mark + min(places)])))


def _simple_lower(text):
    """[captxt.jobs.duplicate]: one character for one; only U+0130 has a longer full mapping."""
    return "".join("i" if c == "\u0130" else c.lower() for c in text)
