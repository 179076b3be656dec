"""§6.3: canonical points, points of small order, and the cofactorless equation."""
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .errors import Refused

P = 2 ** 255 - 19
L = 2 ** 252 + 27742317777372353535851937790883648493
SMALL_ORDER = frozenset(bytes.fromhex(h) for h in (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"))


def _without_sign(point):
    return point[:31] + bytes([point[31] & 0x7F])


def is_canonical(point):
    y = int.from_bytes(_without_sign(point), "little")
    return y < P and not (point[31] & 0x80 and y in (1, P - 1))


def is_small_order(point):
    return _without_sign(point) in SMALL_ORDER


def check_key(key):
    if len(key) != 32:
        raise Refused("key-malformed")
    if not is_canonical(key) or is_small_order(key):
        raise Refused("key-weak")


def check_signature(key, message, signature):
    """[token.signature.length] to [token.signature.equation], for a key that passed check_key."""
    if len(signature) != 64:
        raise Refused("signature-length")
    if int.from_bytes(signature[32:], "little") >= L:
        raise Refused("signature-noncanonical")
    if not is_canonical(signature[:32]):
        raise Refused("signature-noncanonical")
    if is_small_order(signature[:32]):
        raise Refused("signature-small-order")
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise Refused("signature-invalid") from None
