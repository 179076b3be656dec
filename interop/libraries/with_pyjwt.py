"""PyJWT (PyPI): https://pyjwt.readthedocs.io/en/2.15.1/usage.html, "Retrieve RSA signing keys from a JWKS endpoint",
"Requiring Presence of Claims" and the sections on registered claims."""
import datetime

import jwt

from protocol import serve


class Keys(jwt.PyJWKClient):
    """The library's client of a JWKS endpoint, given the document that it would fetch."""

    def __init__(self, document):
        super().__init__("https://resolver.example/")
        self.document = document

    def fetch_data(self):
        return self.document


class Clock(datetime.datetime):
    """The library has no argument for the time; this takes the place of the class that it asks."""

    moment = None

    @classmethod
    def now(cls, tz=None):
        return cls.moment


jwt.api_jwt.datetime = Clock


def verifier(document, issuer, now):
    keys, Clock.moment = Keys(document), now

    def verify(token):
        return jwt.decode(
            token,
            keys.get_signing_key_from_jwt(token),
            algorithms=["EdDSA"],
            issuer=issuer,
            leeway=300,
            options={"require": ["iss", "iat", "exp", "url", "status", "checked_at"]},
        )

    return verify


serve(verifier, refusals=jwt.PyJWTError)
