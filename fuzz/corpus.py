#!/usr/bin/env python3
"""Makes fuzz/corpus/TARGET out of the vectors: a file for each input of which a target can make something.

No vector holds what an MCP server answers; its target begins with the answers written here."""
import base64
import json
import pathlib

FUZZ = pathlib.Path(__file__).parent
VECTORS = FUZZ.parent / "test-vectors" / "draft"


def read(given, name):
    """The bytes of a member of an input, or None."""
    if name + "_base64" in given:
        return base64.b64decode(given[name + "_base64"])
    return given[name].encode() if isinstance(given.get(name), str) else None


def parts(token):
    """A token as the target takes one that it is to sign: header, payload, and a clock and a change of zero."""
    header, payload, _ = token.split(b".")
    return b"\0".join(base64.urlsafe_b64decode(segment + b"==") for segment in (header, payload)) + bytes(5)


def seeds(vector):
    """The targets that a vector has something for, and what."""
    given, operation = vector["input"], vector["operation"]
    if operation == "token":
        token = read(given, "token")
        yield "token", token
        if token.count(b".") == 2 and not token.startswith(b"."):
            try:
                yield "token", parts(token)
            except ValueError:
                pass  # a segment that is not base64 has no bytes to sign
    elif operation in ("discovery", "answer", "record"):
        yield operation, read(given, "document")
    elif operation in ("request", "need"):
        yield "request", read(given, "query" if operation == "request" else "need")
    elif operation.startswith("captxt"):
        for file in [given] + given.get("fetches", []):
            if text := read(file, "file"):
                yield "capabilities_txt", text
    elif value := read(given, "value"):
        yield "names", value
    document = read(given, "document" if operation == "discovery" else "discovery") or b""
    keys, found, _ = document.partition(b'"keys":[')[2].rpartition(b"]")
    if found:
        yield "key_set", keys


# Answers of MCP servers, after the byte that says where to begin: a frame of two bytes, and a body.
MCP = [
    b"\x00" + b"\0".join([
        b' \x20{"id":$,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}',
        b' \x20{"id":$,"result":{"resultType":"complete","tools":[{"name":"a","description":"b"}],"nextCursor":"c"}}',
    ]),
    b"\x06" + b"\0".join([
        b' \x21{"id":$,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"s"}}}',
        b"#\x20",
        b' \x28data: {"id":$,"result":{"tools":[{"name":"a"}],"nextCursor":""}}\n\n',
    ]),
    b"\x00" + b"\0".join([
        b"'\x20" + b'{"id":$,"error":{"code":-32022,"data":{"supported":["2025-06-18"]}}}',
        b"$\x24",
        b"(\x22",
    ]),
]


def main():
    made = set()
    for at, seed in enumerate(MCP):
        folder = FUZZ / "corpus" / "mcp_answer"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ("seed.%d" % at)).write_bytes(seed)
    for file in sorted(VECTORS.glob("*.json")):
        for vector in json.loads(file.read_text("utf-8"))["tests"]:
            for at, (target, seed) in enumerate(seeds(vector)):
                if (target, seed) not in made:
                    made.add((target, seed))
                    folder = FUZZ / "corpus" / target
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / ("%s.%d" % (vector["id"], at))).write_bytes(seed)
    print("%d seeds in %s" % (len(made), FUZZ / "corpus"))


if __name__ == "__main__":
    main()
