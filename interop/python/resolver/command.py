"""The command: reads what it is given, says what is wrong with it, and serves."""
import argparse
import pathlib
import re
import sys
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from . import observations
from .answers import Resolver
from .server import Server
from .tokens import Signer, new_key, read_key
from .values import is_issuer, is_loopback

PAGES = pathlib.Path(__file__).resolve().parent / "pages"
MOST_PAGE = 1_048_576  # [policy.page]


def main(arguments):
    parser = argparse.ArgumentParser(prog="main.py", description="A resolver over fixed observations.")
    parser.add_argument("--listen", required=True, metavar="127.0.0.1:PORT", help="plain HTTP on loopback; TLS stands before it")
    parser.add_argument("--issuer", required=True, metavar="ORIGIN", help="the public origin; http://127.0.0.1:PORT is for development")
    parser.add_argument("--key", action="append", default=[], metavar="FILE",
                        help="an Ed25519 key in PEM; the first one signs, others are only published (default: a new one for this run)")
    parser.add_argument("--policy", default=PAGES / "policy.md", metavar="FILE", help="the policy in Markdown")
    parser.add_argument("--changelog", default=PAGES / "changelog.md", metavar="FILE", help="the changelog in Markdown")
    parser.add_argument("--rate", type=int, default=200, metavar="N", help="requests a second, of all callers together")
    parser.add_argument("observations", metavar="observations.json")
    given = parser.parse_args(arguments)
    try:
        server = _server(given)
    except (observations.Unreadable, ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"answers for {given.issuer} on {given.listen}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    return 0


def _server(given):
    listen = re.fullmatch(r"(127\.0\.0\.1|localhost):([0-9]{1,5})", given.listen)
    if not listen or int(listen[2]) > 65535:
        raise ValueError("--listen: 127.0.0.1 and a port; it speaks no TLS, so it listens to this machine only [http.https]")
    if not is_issuer(given.issuer) and not is_loopback(given.issuer):
        raise ValueError("--issuer: an https origin of a domain without a final slash [origin.issuer], or http://127.0.0.1:PORT")
    if given.rate < 1:
        raise ValueError("--rate: at least 1")
    name, servers = observations.read(given.observations, int(time.time()))
    resolver = Resolver(given.issuer, name, servers, _signer(given), _page(given.policy), _page(given.changelog))
    return Server((listen[1], int(listen[2])), resolver, given.rate)


def _signer(given):
    keys = [read_key(pathlib.Path(path).read_bytes()) for path in given.key]
    if not keys:
        if not is_loopback(given.issuer):
            raise ValueError("--key: needed, since tokens of a key that ends with the run cannot be verified later [keys.retired]")
        keys = [new_key()]
    if not isinstance(keys[0], Ed25519PrivateKey):
        raise ValueError("--key: the first key is not private, so it cannot sign")
    if len(keys) > 32:
        raise ValueError("--key: more than 32 keys [discovery.keys.count]")
    return Signer(given.issuer, keys[0], [key.public_key() if isinstance(key, Ed25519PrivateKey) else key for key in keys[1:]])


def _page(path):
    data = pathlib.Path(path).read_bytes()
    if len(data) > MOST_PAGE:
        raise ValueError(f"{path}: longer than {MOST_PAGE} bytes [policy.page]")
    return data
