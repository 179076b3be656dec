"""Keys (§4.2) and tokens (§6)."""
import base64
import hashlib
import json

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from .values import write_time

LIFE = 86_400  # seconds; [token.exp.max-life] allows twice this
REUSE = 3_600  # seconds for which one token is given to everybody


class Signer:
    """Signs with the first key and publishes all of them, so that others can retire or come [keys.retired], [keys.early]."""

    def __init__(self, issuer, private, others=()):
        self._issuer = issuer
        self._private = private
        self.keys = [_jwk(key) for key in (private.public_key(), *others)]
        if len({key["kid"] for key in self.keys}) != len(self.keys):
            raise ValueError("one key is given twice")

    def sign(self, stands, url, now, **more):
        """A token, with the claims that it holds.

        Nothing is kept: `iat` moves in steps of `REUSE` from the observation on, and Ed25519 has one signature for one
        message. So everybody has the same token, also after a restart [token.same-for-all].
        """
        issued = now - (now - stands.checked_at) % REUSE
        claims = {"iss": self._issuer, "iat": issued, "exp": issued + LIFE, "url": url, "status": stands.status,
                  "checked_at": write_time(stands.checked_at), **more}
        signed = _segment({"alg": "EdDSA", "kid": self.keys[0]["kid"]}) + "." + _segment(claims)
        return claims, signed + "." + _base64url(self._private.sign(signed.encode()))


def new_key():
    return Ed25519PrivateKey.generate()


def read_key(pem):
    """A private or public Ed25519 key in PEM."""
    try:
        key = load_pem_private_key(pem, None) if b"PRIVATE" in pem else load_pem_public_key(pem)
    except (TypeError, ValueError) as error:
        raise ValueError("not a key in PEM without a passphrase") from error
    if not isinstance(key, (Ed25519PrivateKey, Ed25519PublicKey)):
        raise ValueError("not an Ed25519 key")
    return key


def _jwk(public):
    jwk = {"crv": "Ed25519", "kty": "OKP", "x": _base64url(public.public_bytes_raw())}
    thumbprint = hashlib.sha256(json.dumps(jwk, sort_keys=True, separators=(",", ":")).encode()).digest()
    return {**jwk, "kid": _base64url(thumbprint), "use": "sig", "alg": "EdDSA"}


def _segment(value):
    return _base64url(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
