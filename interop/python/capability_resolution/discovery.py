"""§4: the discovery document and its keys; §3.7 and the order that all documents share."""
from . import base64url, ed25519, hosts, server_url, strict_json
from .errors import Refused
from .text import is_clean_name

PRIVATE_MEMBERS = ("d", "k", "p", "q", "dp", "dq", "qi", "oth")
MAX_SIZE = 65_536
MAX_KEYS = 32


class Key:
    """One entry of `keys` with a `kid`: its bytes, or the code of the first test that it failed."""

    def __init__(self, kid, public=None, fault=None):
        self.kid, self.public, self.fault = kid, public, fault


class Discovery:
    def __init__(self, issuer, name, keys, endpoints):
        self.issuer, self.name, self.keys, self.endpoints = issuer, name, keys, endpoints


def member(document, name, kind, optional=False):
    if name not in document:
        if optional:
            return None
        raise Refused("member-missing")
    if not isinstance(document[name], kind):
        raise Refused("member-type")
    return document[name]


def open_document(data, limit):
    """Size, JSON, object, then `v`: what discovery documents, answers and records have in common."""
    if len(data) > limit:
        raise Refused("document-too-large")
    document = strict_json.read_object(data, "document")
    if member(document, "v", str) != "0.2":
        raise Refused("version-unsupported")
    return document


def read_discovery(data, issuer):
    """[discovery.order], for a document that was asked of the issuer."""
    document = open_document(data, MAX_SIZE)
    iss = member(document, "iss", str)
    name = member(document, "resolver", str)
    endpoints = member(document, "endpoints", dict)
    resolve = member(endpoints, "resolve", str)
    record = member(endpoints, "record", str)
    mcp = member(endpoints, "mcp", str, optional=True)
    entries = member(document, "keys", list)
    policy = member(document, "policy", str)
    changelog = member(document, "changelog", str, optional=True)

    if iss != issuer or not hosts.is_issuer(iss):  # [discovery.iss]
        raise Refused("iss-mismatch")
    if not is_clean_name(name, 100):
        raise Refused("name-invalid")
    _check_endpoint(resolve, issuer, query_allowed=False)
    _check_endpoint(record, issuer, query_allowed=False)
    if mcp is not None:
        _check_endpoint(mcp, issuer)
    keys = _read_keys(entries)
    for page in (policy, changelog):
        if page is not None and not server_url.is_server_url(page):
            raise Refused("endpoint-invalid")
    return Discovery(iss, name, keys, {"resolve": resolve, "record": record})


def _check_endpoint(value, issuer, query_allowed=True):
    parts = server_url.split_server_url(value)
    if parts is None or (parts[2] is not None and not query_allowed):
        raise Refused("endpoint-invalid")
    if parts[0] != issuer:
        raise Refused("endpoint-origin")


def _read_keys(entries):
    if len(entries) > MAX_KEYS:
        raise Refused("keys-too-many")
    if not all(isinstance(entry, dict) for entry in entries):
        raise Refused("member-type")
    if any(name in entry for entry in entries for name in PRIVATE_MEMBERS):
        raise Refused("key-private")
    kids = [entry["kid"] for entry in entries if isinstance(entry.get("kid"), str)]
    if len(set(kids)) != len(kids):
        raise Refused("kid-ambiguous")
    return {kid: _read_key(kid, entry) for entry in entries if is_kid(kid := entry.get("kid"))}


def is_kid(value):
    return isinstance(value, str) and 1 <= len(value) <= 128


def _read_key(kid, entry):
    """[discovery.keys.usable]: the five tests in their order."""
    if entry.get("kty") != "OKP" or entry.get("crv") != "Ed25519":
        return Key(kid, fault="key-wrong-type")
    operations = entry.get("key_ops", ["verify"])
    if entry.get("use", "sig") != "sig" or not isinstance(operations, list) or "verify" not in operations:
        return Key(kid, fault="key-wrong-use")
    if entry.get("alg", "EdDSA") != "EdDSA":
        return Key(kid, fault="key-wrong-alg")
    x = entry.get("x")
    public = base64url.decode(x) if isinstance(x, str) else None
    if public is None:
        return Key(kid, fault="key-malformed")
    try:
        ed25519.check_key(public)
    except Refused as refused:
        return Key(kid, fault=refused.code)
    return Key(kid, public)
