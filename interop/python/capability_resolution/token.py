"""§6: tokens; §7.2: the further claims of a record's token."""
import re

from . import base64url, ed25519, server_url, strict_json, times
from .discovery import is_kid
from .errors import Refused
from .text import is_clean_name

MAX_LENGTH = 8192
MAX_LIFE = 172_800
MAX_AGE = 86_400
STATUSES = ("ok", "sign_in", "down", "unknown")


def verify(token, discovery, now):
    """[token.order]: the claims of a token (bytes), or Refused with the code of the first rule that it breaks."""
    return _verified(token, discovery, now)[0]


def verify_record(token, discovery, now, requested_url=None):
    """[record.order] from the token on: the claims, those of a record included, or Refused."""
    claims, payload = _verified(token, discovery, now)
    _record_claims(payload, claims, discovery.issuer)
    if requested_url is not None and requested_url != claims["url"]:
        raise Refused("url-mismatch")
    return claims


def _verified(token, discovery, now):
    segments = _split(token)
    key = _header(segments[0][1], discovery)
    signed = segments[0][0] + b"." + segments[1][0]
    ed25519.check_signature(key, signed, segments[2][1])
    payload = strict_json.read_object(segments[1][1], "payload")
    return _claims(payload, discovery.issuer, now), payload


def _split(token):
    if len(token) > MAX_LENGTH:
        raise Refused("token-too-long")
    if not re.fullmatch(rb"[A-Za-z0-9_.-]*", token):
        raise Refused("token-bad-character")
    segments = token.split(b".")
    if len(segments) != 3:
        raise Refused("token-segment-count")
    if b"" in segments:
        raise Refused("token-segment-empty")
    decoded = [base64url.decode(segment.decode("ascii")) for segment in segments]
    if None in decoded:
        raise Refused("base64-noncanonical")
    return list(zip(segments, decoded))


def _header(data, discovery):
    header = strict_json.read_object(data, "header")
    if "alg" not in header:
        raise Refused("alg-missing")
    if header["alg"] != "EdDSA":
        raise Refused("alg-not-allowed")
    if "crit" in header:
        raise Refused("crit-unsupported")
    if "b64" in header:
        raise Refused("b64-unsupported")
    if any(name in header for name in ("jwk", "jku", "x5u", "x5c")):
        raise Refused("header-key-material")
    if "cty" in header:
        raise Refused("cty-unsupported")
    if header.get("typ", "JWT") != "JWT":
        raise Refused("typ-not-allowed")
    if "kid" not in header:
        raise Refused("kid-missing")
    kid = header["kid"]
    if not is_kid(kid):
        raise Refused("kid-invalid")
    key = discovery.keys.get(kid)
    if key is None:
        raise Refused("kid-unknown")
    if key.fault:
        raise Refused(key.fault)
    return key.public


def _string_claim(payload, name):
    if name not in payload:
        raise Refused("claim-missing")
    if not isinstance(payload[name], str):
        raise Refused("claim-type")
    return payload[name]


def _time_claim(payload, name):
    if name not in payload:
        raise Refused("claim-missing")
    value = payload[name]
    if not isinstance(value, strict_json.Number) or not value.is_integer():
        raise Refused("claim-type")
    seconds = value.int_in(0, times.MAX_INTEGER)
    if seconds is None:
        raise Refused("claim-range")
    return seconds


def _claims(payload, issuer, now):
    """[token.claims.order]"""
    iss = _string_claim(payload, "iss")
    if iss != issuer:
        raise Refused("iss-mismatch")
    iat = _time_claim(payload, "iat")
    exp = _time_claim(payload, "exp")
    nbf = _time_claim(payload, "nbf") if "nbf" in payload else None
    if exp <= iat:
        raise Refused("lifetime-invalid")
    if exp - iat > MAX_LIFE:
        raise Refused("lifetime-too-long")
    if iat > now + times.LEEWAY:
        raise Refused("issued-in-future")
    if now > exp + times.LEEWAY:
        raise Refused("expired")
    if nbf is not None and nbf > now + times.LEEWAY:
        raise Refused("not-yet-valid")
    if "aud" in payload:
        raise Refused("aud-unexpected")
    url = _string_claim(payload, "url")
    if not server_url.is_server_url(url):
        raise Refused("url-invalid")
    status = _string_claim(payload, "status")
    if status not in STATUSES:
        raise Refused("status-invalid")
    checked_at = _string_claim(payload, "checked_at")
    checked = times.parse_document_time(checked_at)
    if checked is None:
        raise Refused("checked-at-invalid")
    if checked > now + times.LEEWAY:
        raise Refused("checked-at-future")
    if iat - checked > MAX_AGE:
        raise Refused("observation-too-old")
    return {"iss": iss, "iat": iat, "exp": exp, "url": url, "status": status, "checked_at": checked_at}


def _record_claims(payload, claims, issuer):
    """[record.claims], [record.name], [record.first-seen], [record.history-form]: added to the claims."""
    name = _string_claim(payload, "name")
    if not is_clean_name(name, 200):
        raise Refused("name-invalid")
    first_seen = _string_claim(payload, "first_seen")
    first = times.parse_document_time(first_seen)
    if first is None or first > times.parse_document_time(claims["checked_at"]):
        raise Refused("first-seen-invalid")
    if "history" in payload:
        history = payload["history"]
        parts = server_url.split_server_url(history) if isinstance(history, str) else None
        if parts is None or parts[0] != issuer:
            raise Refused("history-invalid")
    claims.update(name=name, first_seen=first_seen)
