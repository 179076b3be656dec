"""The command line: `token` and `file`. Exit codes: 0 valid, 1 invalid, 2 could not tell."""
import argparse
import sys

from . import discovery, token
from .errors import Refused
from .protocol import BadInput, read_clock, read_server_file


def _token(args):
    with open(args.discovery, "rb") as file:
        document = file.read()
    if args.token == "-":
        text = sys.stdin.buffer.read().removesuffix(b"\n").removesuffix(b"\r")  # the shell's line end, not the token's
    else:
        text = args.token.encode("utf-8", "surrogateescape")
    now = read_clock(args.now)
    try:
        found = discovery.read_discovery(document, args.issuer)
    except Refused as refused:
        raise BadInput("the discovery document is refused: %s" % refused.code) from None
    try:
        claims = token.verify(text, found, now)
    except Refused as refused:
        print("invalid: %s" % refused.code)
        return 1
    print("valid")
    for name, value in claims.items():
        print("  %s: %s" % (name, value))
    return 0


def _file(args):
    with open(args.file, "rb") as file:
        data = file.read()
    found, allowed = read_server_file(data, args.host, args.resolver, read_clock(args.now))
    print("valid" if found.valid else "invalid")
    kinds = (("error", found.errors), ("warning", found.warnings))
    rows = [(one["line"], one["column"], one["code"], kind) for kind, diagnostics in kinds for one in diagnostics]
    for line, column, one, kind in sorted(rows):  # [captxt.order]
        print("  %s:%d:%d: %s: %s" % (args.file, line, column, kind, one))
    print("  %s %s list servers here" % (args.resolver, "may" if allowed else "may not"))
    for endpoint in found.endpoints:
        print("  endpoint %s%s" % (endpoint["url"], "" if endpoint["inScope"] else " (out of scope)"))
    return 0 if found.valid else 1


def run(arguments):
    parser = argparse.ArgumentParser(prog="main.py", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("token", help="judge a token, or with - the one on standard input")
    one.add_argument("--discovery", required=True, help="file of the discovery document")
    one.add_argument("--issuer", required=True)
    one.add_argument("--now", required=True, help="RFC 3339 with Z")
    one.add_argument("token")
    one.set_defaults(command=_token)
    two = commands.add_parser("file", help="read a capabilities.txt file with both readers")
    two.add_argument("file")
    two.add_argument("--host", required=True, help="the host that the file was asked of")
    two.add_argument("--resolver", required=True)
    two.add_argument("--now", required=True, help="RFC 3339 with Z")
    two.set_defaults(command=_file)
    args = parser.parse_args(arguments)
    try:
        return args.command(args)
    except (BadInput, OSError) as fault:
        print("could not tell: %s" % fault, file=sys.stderr)
        return 2
