"""What a query asks (§5.1, §5.2, §7.1)."""
import dataclasses
import re
import unicodedata

from .problems import Problem
from .values import CONTROL, WHITE_SPACE, is_server_url

_CONSTRAINTS = {  # [constraint.names]
    "sign_in": re.compile("none"),
    "read_only": re.compile("true"),
    "max_handshake_ms": re.compile("[1-9][0-9]{0,3}|[1-5][0-9]{4}|60000"),
    "payment": re.compile("none"),
}
_ID = re.compile("[A-Za-z0-9_.~-]{1,64}")  # [record.id]


@dataclasses.dataclass(frozen=True)
class Need:
    text: str
    sign_in: str | None = None
    read_only: str | None = None
    max_handshake_ms: int | None = None
    payment: str | None = None


def read_need(query):
    """The need of a resolve query, or the first Problem in the order of [resolve.order]."""
    pairs = _pairs(query)
    names = [name for name, _ in pairs]
    if any(name != "need" and name not in _CONSTRAINTS for name in names):
        raise Problem("parameter-unknown")
    if len(set(names)) != len(names):
        raise Problem("parameter-repeated")
    given = dict(pairs)
    if "need" not in given:
        raise Problem("need-missing")
    text = given.pop("need").strip(WHITE_SPACE)  # [resolve.need.read]
    if CONTROL.search(text):
        raise Problem("need-character")
    text = unicodedata.normalize("NFC", text)
    if not 3 <= len(text) <= 200:
        raise Problem("need-length")
    if any(not _CONSTRAINTS[name].fullmatch(value) for name, value in given.items()):
        raise Problem("constraint-value")
    if "max_handshake_ms" in given:
        given["max_handshake_ms"] = int(given["max_handshake_ms"])
    return Need(text, **given)


def read_record(query):
    """`id` or `url`, and its value [record.request]."""
    try:
        pairs = _pairs(query)
    except Problem:
        raise Problem("record-query") from None
    if len(pairs) == 1:
        (name, value), = pairs
        if (name == "id" and _ID.fullmatch(value)) or (name == "url" and is_server_url(value)):
            return name, value
    raise Problem("record-query")


def _pairs(query):
    """Names and values of a query as bytes [resolve.query.encoding]."""
    pairs = []
    for piece in query.split(b"&"):
        if piece:
            name, _, value = piece.partition(b"=")
            pairs.append((_decode(name), _decode(value)))
    return pairs


def _decode(piece):
    if re.search(b"%(?![0-9A-Fa-f]{2})", piece):
        raise Problem("query-encoding")
    piece = re.sub(b"%(..)", lambda hit: bytes.fromhex(hit[1].decode()), piece.replace(b"+", b" "))
    try:
        return piece.decode("utf-8")
    except UnicodeDecodeError:
        raise Problem("query-encoding") from None
