"""joserfc (PyPI): https://jose.authlib.org/en/guide/jwt/, "Use key set" and "Validate claims"."""
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from protocol import serve

# The text lets a header have members that nobody knows; the library by itself does not.
HEADERS = JWSRegistry(algorithms=["EdDSA"], strict_check_header=False)


def verifier(document, issuer, now):
    keys = KeySet.import_key_set(document)
    claims = jwt.JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=300,
        iss={"essential": True, "value": issuer},
        iat={"essential": True},
        exp={"essential": True},
        url={"essential": True},
        status={"essential": True, "values": ["ok", "sign_in", "down", "unknown"]},
        checked_at={"essential": True},
    )

    def verify(token):
        claims.validate(jwt.decode(token, keys, registry=HEADERS).claims)

    return verify


serve(verifier, refusals=JoseError)
