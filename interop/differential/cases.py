"""Inputs: a vector, taken apart and changed in one to four places. Which one is made depends on seed, kind and number."""
import base64
import hashlib
import json
import pathlib
import random
import re

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import mutate

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "test-vectors" / "draft"

# The operations, and of about how many in a hundred inputs each is asked.
WEIGHTS = {"token": 36, "discovery": 10, "answer": 7, "record": 7, "ed25519": 4, "request": 5, "need": 4, "origin": 5,
           "issuer": 2, "server-url": 5, "time": 3, "captxt": 8, "captxt-fetch": 2}

# The inputs that may be any bytes; all others are texts (test-vectors/draft/FORMAT.md).
BYTES = ("token", "document", "discovery", "file")

KEY = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"capability-resolution vectors: first key").digest())
L = 2 ** 252 + 27742317777372353535851937790883648493
POINTS = [bytes.fromhex(point) for point in (
    "00" * 32, "01" + "00" * 31, "01" + "00" * 30 + "80", "ec" + "ff" * 30 + "7f", "ec" + "ff" * 31, "ed" + "ff" * 30 + "7f",
    "ee" + "ff" * 30 + "7f", "ff" * 32, "00" * 31 + "80", "02" + "00" * 31,
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa")]

_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_PLACE = re.compile(r"<([0-9])>")


def to_bytes(text):
    return text.encode("utf-8", "surrogateescape")


def to_text(data):
    return data.decode("utf-8", "surrogateescape")


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def sign(parts):
    """A token of a header and a payload."""
    signed = ".".join(map(base64url, parts))
    return signed + "." + base64url(KEY.sign(signed.encode("ascii")))


class Case:
    """A question in parts: the members of its input, in which `<0>`, `<1>`, ... stand for tokens that are signed last.

    All parts are texts with surrogateescape; a token is a list of a header and a payload.
    """

    def __init__(self, operation, fields, tokens=()):
        self.operation, self.fields, self.tokens = operation, dict(fields), [list(token) for token in tokens]

    def copy(self):
        return Case(self.operation, self.fields, self.tokens)

    def token(self, match):
        at = int(match.group(1))
        if at >= len(self.tokens):
            return match.group()
        return sign([to_bytes(part) for part in self.tokens[at]])

    def input(self):
        """The member `input` of the question."""
        given = {}
        for name, value in self.fields.items():
            if not isinstance(value, str):
                given[name] = value
                continue
            data = to_bytes(_PLACE.sub(self.token, value))
            try:
                given[name] = data.decode("utf-8")
            except UnicodeDecodeError:
                if name in BYTES:
                    given[name + "_base64"] = base64.b64encode(data).decode("ascii")
                else:
                    given[name] = data.decode("utf-8", "replace")
        return given


def take_apart(vector):
    """The case of a vector, in which tokens that the first key signed are headers and payloads."""
    tokens = []

    def token(match):
        segments = match.group().split(".")[:2]
        try:
            parts = [base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4)) for segment in segments]
        except ValueError:
            return match.group()
        if sign(parts) != match.group() or len(tokens) == 10:
            return match.group()  # signed by somebody else, or not at all
        tokens.append([to_text(part) for part in parts])
        return "<%d>" % (len(tokens) - 1)

    fields = {}
    for name, value in vector["input"].items():
        if name.endswith("_base64"):
            name, value = name.removesuffix("_base64"), to_text(base64.b64decode(value))
        if name in ("token", "document") and vector["operation"] in ("token", "answer", "record"):
            value = _TOKEN.sub(token, value)
        fields[name] = value
    return Case(vector["operation"], fields, tokens)


def is_short(value):
    return isinstance(value, str) and len(value) < 20_000


class Source:
    """The vectors, and what stands in them: member names as they are written, and texts."""

    def __init__(self, folder=VECTORS):
        self.vectors, names, texts = {}, set(), set()
        for file in sorted(folder.glob("*.json")):
            for vector in json.loads(file.read_text("utf-8"))["tests"]:
                if vector["operation"] not in WEIGHTS or any(name.endswith("_parts") for name in vector["input"]):
                    continue  # what no change is for, and what is so long that it is written in parts
                self.vectors.setdefault(vector["operation"], []).append(vector)
                case = take_apart(vector)
                for text in filter(is_short, [*case.fields.values(), *sum(case.tokens, [])]):
                    names.update(re.findall(r'("(?:[^"\\]|\\.){0,40}")\s*:', text))
                    texts.update(re.findall(r'"((?:[^"\\]|\\.){0,300})"', text))
                if "value" in case.fields:
                    texts.add(case.fields["value"])
        texts.update(mutate.TRAPS)
        self.names = sorted(names | {'"%s"' % trap for trap in mutate.TRAPS})
        self.texts = sorted(text for text in texts if mutate.is_settled(text) and "\\" not in text)

    def case(self, seed, kind, number):
        """The input of a number: the same one for ever, while the vectors are the same."""
        chosen = random.Random("%s/%s/%d" % (seed, kind, number))
        vectors = self.vectors[kind]
        vector = chosen.choice(vectors)
        if vector["result"] == "invalid" and mutate.chance(chosen, 60):
            vector = chosen.choice([other for other in vectors if other["result"] == "valid"])
        case = take_apart(vector)
        for _ in range(chosen.choice([1, 1, 1, 2, 2, 3, 4])):
            CHANGES.get(kind, text_change)(chosen, case, self)
        return case


def text_change(chosen, case, source):
    """A name, a need or a query: one change of its characters. Where versions of Unicode differ, none."""
    name = chosen.choice([name for name in case.fields if name not in ("issuer", "now")])
    value = case.fields[name]
    changed = mutate.text(chosen, value, [other["input"].get(name, "") for other in source.vectors[case.operation]])
    if len(changed) < 20_000 and is_stable(changed):
        case.fields[name] = changed


def host(chosen):
    """A host, in canonical form or nearly so."""
    kind = chosen.randrange(4)
    if kind == 0:
        groups = [chosen.choice(["0", "0", "1", "ffff", "db8", "c000", "00", "1A", "0a", "10000"]) for _ in range(8)]
        start, end = sorted(chosen.randrange(9) for _ in range(2))
        address = ":".join(groups[:start]) + chosen.choice(["::", "::", ":"]) + ":".join(groups[end:])
        return "[%s]" % chosen.choice([address, address, ":".join(groups), "::ffff:" + ":".join(groups[6:]), "::192.0.2.7"])
    numbers = ["0", "1", "9", "255", "256", "00", "0x1f", "0x", "0xg", "08", "1e1", "1a"]
    if kind == 1:
        return ".".join(chosen.choice(numbers) for _ in range(chosen.choice([1, 3, 4, 4, 4, 4, 5])))
    labels = [chosen.choice(["a", "example", "-", "a--b", "_", "xn--", "xn--a", "xn---", "a" * 63, "a" * 64, "xn--a-", *numbers])
              for _ in range(chosen.choice([1, 1, 2, 4]))]
    if kind == 2:
        return ".".join(labels)
    word = "".join(chosen.choice(mutate.LETTERS) for _ in range(chosen.choice([1, 2, 2, 3, 4, 60])))
    labels[chosen.randrange(len(labels))] = "xn--" + word.encode("punycode").decode("ascii")
    return ".".join(labels)


def name_change(chosen, case, source):
    """Another host in an origin or a URL, or one change of its characters."""
    match = re.match(r"(https://)([^/:\[]+|\[[^\]]*\])", case.fields["value"])
    if match and mutate.chance(chosen, 40):
        case.fields["value"] = match.group(1) + host(chosen) + case.fields["value"][match.end():]
    else:
        text_change(chosen, case, source)


def need_change(chosen, case, source):
    """A need of as many characters as are allowed, or one change of its characters."""
    if mutate.chance(chosen, 25):
        letter = chosen.choice(mutate.CHARACTERS + mutate.LETTERS)
        length = chosen.choice([1, 2, 3, 66, 67, 99, 100, 101, 199, 200, 201])
        case.fields["need"] = case.fields["need"][:chosen.randrange(3)] + letter * length
    elif mutate.chance(chosen, 25):
        case.fields["need"] += "".join(chosen.choice(mutate.LETTERS) for _ in range(chosen.choice([1, 2, 5, 30])))
    else:
        text_change(chosen, case, source)


def is_stable(value):
    """Whether all versions of Unicode agree on a text, also on what Punycode in it stands for."""
    for label in re.findall(r"xn--[a-z0-9-]*", value.lower()):
        try:
            decoded = label[4:].encode("ascii").decode("punycode")
        except ValueError:  # no text at all: refused by everybody
            continue
        if not mutate.is_settled(decoded):
            return False
    return mutate.is_settled(value)


def request_change(chosen, case, source):
    query = case.fields["query"]
    if mutate.chance(chosen, 50):
        pieces = query.split("&")
        at, other = chosen.randrange(len(pieces)), chosen.choice(source.vectors["request"])["input"]["query"].split("&")
        pieces[at:at + chosen.randrange(2)] = [chosen.choice([chosen.choice(other), "max_handshake_ms=%d" % chosen.choice(
            [0, 1, 59999, 60000, 60001, 99999, 100000]), "", "=", "need", "sign_in=none", "read_only=true", "payment=none"])]
        case.fields["query"] = "&".join(pieces)
    else:
        text_change(chosen, case, source)


def document_change(chosen, case, source, name):
    document = mutate.json_document(chosen, case.fields[name], source.names, source.texts)[:300_000]
    if mutate.chance(chosen, 1):
        limit = {"answer": 262_144}.get(case.operation if name == "document" else name, 65_536)
        document += " " * (limit + chosen.choice([-1, 0, 1]) - len(to_bytes(_PLACE.sub(case.token, document))))
    case.fields[name] = document


def clock_change(chosen, case, _source):
    now = re.sub(r"\.[0-9]+Z$", "Z", case.fields["now"])
    case.fields["now"] = mutate.moved(now, chosen.choice(mutate.DELTAS)).replace("Z", chosen.choice(["Z", "Z", ".5Z", ".999999999Z"]))


EPOCHS = [-300, -1, 0, 60, 300, 86_400, 951_782_400, 2 ** 31 - 1, 2 ** 32, 253_402_214_400, 253_402_300_798, 253_402_300_799]


def epoch_change(chosen, case, _source):
    """The clock and every time in the case, all moved to another epoch: the first or last day of one, for instance."""
    seconds = mutate.seconds_of(re.sub(r"\.[0-9]+Z$", "Z", case.fields["now"]))
    if seconds is None:
        return
    by = chosen.choice(EPOCHS) - seconds

    def move(value):
        value = re.sub(r"\b[12][0-9]{3}-[0-9-]{5}T[0-9:]{8}Z", lambda match: mutate.moved(match.group(), by), value)
        return re.sub(r"\b1[78][0-9]{8}\b", lambda match: str(int(match.group()) + by), value)

    for name in {"now", "document"} & set(case.fields):
        case.fields[name] = move(case.fields[name])
    case.tokens = [[header, move(payload)] for header, payload in case.tokens]


def signed_change(chosen, case, source):
    """One change of what is inside of a token, which is signed again."""
    if not case.tokens:
        return document_change(chosen, case, source, "document" if "document" in case.fields else "discovery")
    part = chosen.choice([0, 1, 1, 1])
    token = chosen.choice(case.tokens)
    token[part] = mutate.json_document(chosen, token[part], source.names, source.texts)


def token_text_change(chosen, case, source):
    """One change of the text of a token, which then is not signed again."""
    token = _PLACE.sub(case.token, case.fields["token"])
    segments = token.split(".")
    kind = chosen.randrange(7)
    if kind == 0:
        token = mutate.raw(chosen, token)
    elif kind == 1:
        at = chosen.randrange(len(token) + 1)
        token = token[:at] + chosen.choice([".", "..", "=", "==", "+", "/", "-", "_", "A", "\n", " ", "~"]) + token[at:]
    elif kind == 2 and len(segments) > 1:
        at = chosen.randrange(len(segments))
        segments[at] = chosen.choice(["", segments[at] + "=", segments[at][:-1], segments[chosen.randrange(len(segments))]])
        token = ".".join(segments)
    elif kind == 3:
        # The last character of a segment holds bits that have to be zero.
        at = chosen.randrange(len(segments))
        last = chosen.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        segments[at] = segments[at][:-1] + last
        token = ".".join(segments)
    elif kind == 4:
        token = mutate.text(chosen, token, [other["input"].get("token", "") for other in source.vectors["token"]])
    elif kind == 5:
        # As long as is allowed, or a byte more.
        token = token + "A" * chosen.choice([8191 - len(token), 8192 - len(token), 8193 - len(token)])
    else:
        try:
            signature = base64.urlsafe_b64decode(segments[-1] + "==")
        except ValueError:
            return
        token = ".".join(segments[:-1] + [base64url(signature_change(chosen, signature))])
    case.fields["token"], case.tokens = token, []


def signature_change(chosen, signature):
    """Another signature: a bit, a scalar that is too large, a point that nobody takes, another length."""
    kind = chosen.randrange(5)
    if kind == 0 and signature:
        at = chosen.randrange(len(signature))
        return signature[:at] + bytes([signature[at] ^ 1 << chosen.randrange(8)]) + signature[at + 1:]
    if kind == 1:
        scalar = int.from_bytes(signature[32:64], "little") + chosen.choice([1, L, 2 * L, 8 * L])
        scalar = chosen.choice([scalar, scalar, L - 1, L, L + 1, 0, 2 ** 255])
        return signature[:32] + (scalar % 2 ** 256).to_bytes(32, "little")
    if kind == 2:
        return chosen.choice(POINTS) + signature[32:]
    if kind == 3:
        return signature[:chosen.randrange(len(signature) + 1)]
    return signature + b"\0"


def ed25519_change(chosen, case, source):
    key, message, signature = (bytes.fromhex(case.fields[name]) for name in ("publicKey", "message", "signature"))
    kind = chosen.randrange(5)
    if kind <= 1:
        signature = signature_change(chosen, signature)
    elif kind == 2:
        key = chosen.choice(POINTS + [signature_change(chosen, key), signature[:32]])
    elif kind == 3:
        message = chosen.choice([b"", message + b"\0", message[1:], message * 3])
        if mutate.chance(chosen, 50):
            key, signature = KEY.public_key().public_bytes_raw(), KEY.sign(message)
    else:
        other = chosen.choice(source.vectors["ed25519"])["input"]
        key = bytes.fromhex(chosen.choice([other["publicKey"], key.hex()]))
        signature = bytes.fromhex(other["signature"])[:32] + signature[32:]
    case.fields.update(publicKey=key.hex(), message=message.hex(), signature=signature.hex())


def token_change(chosen, case, source):
    kind = chosen.randrange(100)
    if kind < 55:
        signed_change(chosen, case, source)
    elif kind < 75:
        token_text_change(chosen, case, source)
    elif kind < 83:
        clock_change(chosen, case, source)
    elif kind < 86:
        epoch_change(chosen, case, source)
    else:
        document_change(chosen, case, source, "discovery")


def discovery_change(chosen, case, source):
    document_change(chosen, case, source, "document")
    if mutate.chance(chosen, 3):
        case.fields["issuer"] = chosen.choice(source.vectors["issuer"])["input"]["value"]


def signed_document_change(chosen, case, source):
    kind = chosen.randrange(100)
    if kind < 50:
        document_change(chosen, case, source, "document")
    elif kind < 85:
        signed_change(chosen, case, source)
    elif kind < 90:
        clock_change(chosen, case, source)
    elif kind < 93:
        epoch_change(chosen, case, source)
    elif "requestedUrl" in case.fields:
        case.fields["requestedUrl"] = chosen.choice([None, "", *source.texts])
    else:
        document_change(chosen, case, source, "discovery")


def server_file_change(chosen, case, source):
    """One change of a line or of a character of a capabilities.txt file."""
    other = chosen.choice(source.vectors["captxt"])["input"]
    if mutate.chance(chosen, 8):
        name = chosen.choice(["host", "resolver"])
        case.fields[name] = other[name]
    else:
        case.fields["file"] = server_file(chosen, case.fields["file"], case.fields["resolver"], other.get("file", ""))


def server_file(chosen, file, resolver, other):
    """The file with one change; lines may come from the other one."""
    lines = file.splitlines(keepends=True) or [""]
    at, kind = chosen.randrange(len(lines)), chosen.randrange(12)
    name, colon, value = lines[at].partition(":")
    end = lines[at][len(lines[at].rstrip("\r\n")):]
    if kind == 0:
        lines.insert(at, chosen.choice(lines))
    elif kind == 1:
        del lines[at]
    elif kind == 2:
        to = chosen.randrange(len(lines))
        lines[at], lines[to] = lines[to], lines[at]
    elif kind == 3:
        lines[at] = lines[at].rstrip("\r\n") + chosen.choice(["\r\n", "\n", "\r", "\n\n", " # x\n", ""])
    elif kind == 4:
        lines[at] = mutate.raw(chosen, lines[at])
    elif kind == 5:
        lines.insert(at, chosen.choice(other.splitlines(keepends=True) or ["\n"]))
    elif kind == 6 and colon:
        lines[at] = name + ": " + mutate.moved(value.strip(), chosen.choice(mutate.DELTAS)) + end
    elif kind <= 8 and colon:
        entry = chosen.choice(["*", "none", "NONE", "-", "", "-*", "x", "send an email", resolver])
        origin = chosen.choice(["https://", "HTTPS://", "http://", ""]) + host(chosen) + chosen.choice(["", "", "/", ":443", ":0443", ":8443", "."])
        entry = chosen.choice(["", "-", "- ", "\u2013"]) + chosen.choice([origin, origin, resolver]) \
            if mutate.chance(chosen, 70) else entry
        separator = chosen.choice([", ", ",", " ,", "  ", ";", "\t", ",, "])
        lines[at] = name + ":" + chosen.choice([
            value.rstrip("\r\n") + separator + entry, " " + entry + separator + value.strip(), " " + entry]) + end
    else:
        lines[at] = mutate.text(chosen, lines[at], lines)
    changed = "".join(lines)
    return changed if is_stable(changed) and not mutate.UNSETTLED_IN_DOMAINS.search(changed) else file


def fetch_change(chosen, case, source):
    """One change of when and with what outcome a server file was fetched. What is asked stays possible."""
    other = chosen.choice(source.vectors["captxt-fetch"])["input"]
    fetches = [dict(fetch) for fetch in case.fields["fetches"]]
    kind = chosen.randrange(10)
    if kind == 0:
        case.fields["now"] = mutate.moved(case.fields["now"], chosen.choice(DAYS))
    elif kind == 1:
        fetches += other["fetches"]
    elif kind == 2 and fetches:
        fetches.remove(chosen.choice(fetches))
    elif kind == 3:
        name = chosen.choice(["host", "resolver"])
        case.fields[name] = other[name]
    elif fetches:
        fetch = chosen.choice(fetches)
        if kind == 4:
            fetch["at"] = mutate.moved(fetch["at"], chosen.choice(DAYS))
        elif fetch["status"] is not None and kind == 5:
            fetch.update(status=chosen.choice([204, 206, 304, 400, 401, 403, 404, 410, 418, 429, 451, 500, 503, 599]),
                         contentType=None, file=None)
        elif fetch["file"] is not None and kind == 6:
            parts = re.split(r"([;= ])", fetch["contentType"] or "text/plain")
            at = chosen.randrange(len(parts))
            parts[at] = chosen.choice(["", ";", " ", "=", parts[at].upper(), '"%s"' % parts[at], "utf-8", "charset", "text/plain"])
            fetch["contentType"] = "".join(parts)
        elif fetch["file"] is not None and kind == 7:
            own = case.fields["host"]
            below = "www." + own if own[-1].isalpha() else own
            to = chosen.choice([own, below, other["host"], "cdn.example", "192.0.2.1", "example"])
            fetch["redirects"] = (fetch["redirects"] + ["https://%s%s/x" % (to, chosen.choice(["", ":8443"]))])[:5]
        elif fetch["file"] is not None:
            files = [each["file"] for each in other["fetches"] if each["file"] is not None]
            fetch["file"] = to_bytes(server_file(chosen, fetch["file"], case.fields["resolver"], "".join(files))).decode(
                "utf-8", "replace")
    case.fields["fetches"] = sorted((fetch for fetch in fetches if fetch["at"] <= case.fields["now"]), key=lambda fetch: fetch["at"])


# A file is kept for a day, and restricts for 30 more.
DAYS = [days * 86_400 + seconds for days in (-31, -30, -29, -1, 0, 1, 29, 30, 31) for seconds in (-1, 0, 1, 3600)]


CHANGES = {"token": token_change, "discovery": discovery_change, "answer": signed_document_change,
           "record": signed_document_change, "ed25519": ed25519_change, "request": request_change,
           "need": need_change, "origin": name_change, "issuer": name_change, "server-url": name_change,
           "captxt": server_file_change, "captxt-fetch": fetch_change}
