"""§5.1 needs, §5.2 constraints, and the query of a resolve request."""
import re
import unicodedata

from .errors import Refused
from .text import CONTROL, trim

def read_need(need):
    """[resolve.need.read]: the need as normalized, or Refused."""
    need = trim(need)
    if any(c in CONTROL for c in need):
        raise Refused("need-character")
    need = unicodedata.normalize("NFC", need)
    if not 3 <= len(need) <= 200:
        raise Refused("need-length")
    return need


def _decode_component(raw):
    raw = raw.replace(b"+", b" ")
    if re.search(rb"%(?![0-9A-Fa-f]{2})", raw):
        raise Refused("query-encoding")
    data = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m.group(1), 16)]), raw)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("query-encoding") from None


def read_query(query):
    """[resolve.order]: the parameters of a raw query (bytes), the need as normalized, or Refused."""
    pairs = []
    for piece in query.split(b"&"):
        if piece:
            name, _, value = piece.partition(b"=")
            pairs.append((_decode_component(name), _decode_component(value)))
    names = [name for name, _ in pairs]
    if any(name not in ("need", *CONSTRAINTS) for name in names):
        raise Refused("parameter-unknown")
    if len(set(names)) != len(names):
        raise Refused("parameter-repeated")
    parameters = dict(pairs)
    if "need" not in parameters:
        raise Refused("need-missing")
    parameters["need"] = read_need(parameters["need"])
    for name, test in CONSTRAINTS.items():
        if name in parameters and not test(parameters[name]):
            raise Refused("constraint-value")
    return parameters


# [constraint.names]
CONSTRAINTS = {
    "sign_in": lambda v: v == "none",
    "read_only": lambda v: v == "true",
    "max_handshake_ms": lambda v: bool(re.fullmatch(r"[1-9][0-9]{0,4}", v)) and int(v) <= 60000,
    "payment": lambda v: v == "none",
}
