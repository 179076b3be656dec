"""The examples of the text, and what tests make of them."""
import base64
import hashlib
import json
import pathlib
import re

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from capability_resolution.errors import Refused

ROOT = pathlib.Path(__file__).resolve().parents[1]
SPEC = (ROOT / "../../spec/draft/capability-resolution.md").read_text(encoding="utf-8")
EXAMPLES = {m.group(1): m.group(2) for m in re.finditer(r"^```\w+ example=([\w-]+)\n(.*?)^```$", SPEC, re.M | re.S)}
ISSUER = "https://resolver.example"
NOW = 1796040005
SECRET = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"capability-resolution example key").digest())
KID = "yYGxzYTQgDnflW9KVhejhWzv3MUgMxZql1GtBf49h0g"


def body(name):
    return EXAMPLES[name].split("\n\n", 1)[1]


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def sign(claims, header=None):
    """A token; claims and header as dicts or as bytes."""
    header = {"alg": "EdDSA", "kid": KID} if header is None else header
    parts = [x if isinstance(x, bytes) else json.dumps(x).encode() for x in (header, claims)]
    signed = b64(parts[0]) + "." + b64(parts[1])
    return signed + "." + b64(SECRET.sign(signed.encode()))


def claims(**changes):
    out = json.loads(EXAMPLES["token-payload"])
    out.update(changes)
    return {k: v for k, v in out.items() if v is not None}


def discovery(**changes):
    out = json.loads(body("discovery-response"))
    out.update(changes)
    return {k: v for k, v in out.items() if v is not ...}


def code(function, *args):
    """The code with which a function refuses, or None."""
    try:
        function(*args)
        return None
    except Refused as refused:
        return refused.code
