"""The line protocol: one JSON object a line in, one a line out (README.md)."""
import base64
import binascii
import json

from . import discovery, documents, ed25519, hosts, request, server_url, times, token
from .captxt.fetch import Fetch, Holding
from .captxt.strict import ServerFile
from .client import adapter
from .errors import Refused


class BadInput(Exception):
    """The request itself cannot be read: no verdict."""


def read_clock(text):
    """[time.now]: seconds, rounded down."""
    now = times.parse_rfc3339(text)
    if now is None or not text.endswith(("Z", "z")):
        raise BadInput("now is not a time of RFC 3339 with Z")
    return now[0]


def read_server_file(data, host, resolver, now, rules=()):
    """The file as asked of the host, and whether it allows the resolver."""
    canonical, origin = hosts.canonical_host(host), hosts.read_origin(resolver)
    if canonical is None:
        raise BadInput("host is no host")
    if origin is None:
        raise BadInput("resolver is no origin")
    found = ServerFile(data, canonical, now, rules)
    return found, found.allows(*origin)


class Reported:
    """An output that is given whatever the result is; the code is None if valid, and "" where the text has none."""

    def __init__(self, code, output):
        self.code, self.output = code, output


class Input:
    """The member `input` of a request."""

    def __init__(self, members):
        self._members = members

    def bytes(self, name):
        encoded = self._members.get(name + "_base64")
        if encoded is not None:
            try:
                return base64.b64decode(encoded, validate=True)
            except (binascii.Error, ValueError, TypeError):
                raise BadInput("%s_base64 is not base64" % name) from None
        try:
            return self._members[name].encode("utf-8")
        except (KeyError, AttributeError, UnicodeEncodeError):
            raise BadInput("%s is missing or not text" % name) from None

    def text(self, name):
        try:
            return self.bytes(name).decode("utf-8")
        except UnicodeDecodeError:
            raise BadInput("%s is not UTF-8" % name) from None

    def optional_text(self, name):
        if self._members.get(name) is None and self._members.get(name + "_base64") is None:
            return None
        return self.text(name)

    def hexadecimal(self, name):
        text = self.text(name)
        if len(text) % 2 or text.strip("0123456789abcdef"):
            raise BadInput("%s is not lower-case hexadecimal" % name)
        return bytes.fromhex(text)

    def rules(self):
        rules = self._members.get("publicSuffixes")
        if rules is None:
            return ()
        if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
            raise BadInput("publicSuffixes is not a list of strings")
        return rules

    def fetches(self):
        try:
            return [Fetch(read_clock(one["at"]), one["redirects"], one["failure"], one["status"], one["contentType"],
                          None if one["file"] is None else one["file"].encode("utf-8"))
                    for one in self._members["fetches"]]
        except (KeyError, TypeError, AttributeError, UnicodeEncodeError):
            raise BadInput("fetches is no list of fetches") from None

    def scenario(self):
        return self._members

    def now(self):
        return read_clock(self.text("now"))

    def discovery(self):
        return discovery.read_discovery(self.bytes("discovery"), self.text("issuer"))


def _token(given):
    now, text = given.now(), given.bytes("token")
    token.verify(text, given.discovery(), now)


def _discovery(given):
    discovery.read_discovery(given.bytes("document"), given.text("issuer"))


def _answer(given):
    now, document = given.now(), given.bytes("document")
    answer = documents.read_answer(document, given.discovery(), now)
    return {"candidates": answer.kept,
            "dropped": [{"at": place, "reason": code} for place, code in answer.dropped],
            "copyDiffers": answer.copy_differs, "duplicateUrl": answer.duplicate_url}


def _record(given):
    now, document, requested = given.now(), given.bytes("document"), given.optional_text("requestedUrl")
    return {"copyDiffers": documents.read_record(document, given.discovery(), now, requested).copy_differs}


def _ed25519(given):
    key, message, signature = (given.hexadecimal(name) for name in ("publicKey", "message", "signature"))
    ed25519.check_key(key)
    ed25519.check_signature(key, message, signature)


def _request(given):
    return {"need": request.read_query(given.bytes("query"))["need"]}


def _need(given):
    return {"need": request.read_need(given.text("need"))}


def _form(test):
    def operation(given):
        if not test(given.text("value")):
            raise Refused(None)
    return operation


def _captxt(given):
    found, allowed = read_server_file(
        given.bytes("file"), given.text("host"), given.text("resolver"), given.now(), given.rules())
    return Reported(found.errors[0]["code"] if found.errors else None, {
        "errors": found.errors, "warnings": found.warnings, "resolverAllowed": allowed, "endpoints": found.endpoints})


def _captxt_fetch(given):
    host, issuer, now = hosts.canonical_host(given.text("host")), hosts.read_origin(given.text("resolver")), given.now()
    if host is None or issuer is None:
        raise BadInput("host is no host or resolver is no origin")
    holding = Holding(host, given.rules())
    for fetch in given.fetches():
        holding.take(fetch)
    code, endpoints, allowed = holding.at(now, issuer)
    return Reported(code, {"endpoints": endpoints, "resolverAllowed": allowed, "fetchDue": holding.is_due(now)})


def _client(given):
    calls, code = adapter.play(given.scenario())
    return Reported(code, {"calls": calls})


OPERATIONS = {
    "token": _token, "discovery": _discovery, "answer": _answer, "record": _record, "ed25519": _ed25519,
    "request": _request, "need": _need, "captxt": _captxt, "captxt-fetch": _captxt_fetch, "client": _client,
    "origin": _form(hosts.is_origin), "issuer": _form(hosts.is_issuer), "server-url": _form(server_url.is_server_url),
    "time": _form(lambda text: times.parse_document_time(text) is not None)}


def answer_line(line):
    identifier = None
    try:
        asked = json.loads(line.decode("utf-8"))
        if not isinstance(asked, dict):
            raise BadInput("not an object")
        identifier = asked.get("id")
        name = asked.get("operation")
        if not isinstance(name, str):
            raise BadInput("operation is missing or not a string")
        if name not in OPERATIONS:
            return {"id": identifier, "unsupported": True}
        if not isinstance(asked.get("input"), dict):
            raise BadInput("input is missing or not an object")
        output, reason, valid = OPERATIONS[name](Input(asked["input"])), None, True
        if isinstance(output, Reported):
            reason, valid, output = output.code or None, output.code is None, output.output
    except Refused as refused:
        output, reason, valid = None, refused.code, False
    except BadInput as bad:
        return {"id": identifier, "error": str(bad)}
    except Exception as fault:  # whatever a line holds, the next one is still answered
        return {"id": identifier, "error": "%s: %s" % (type(fault).__name__, str(fault)[:200])}
    return {"id": identifier, "result": "valid" if valid else "invalid", "reason": reason, "output": output}


def serve(source, sink):
    for line in source:
        answer = answer_line(line)
        try:
            out = json.dumps(answer, allow_nan=False)
        except ValueError:  # an id that is no JSON value, such as NaN
            out = json.dumps({"id": None, "error": "id is not JSON"})
        sink.write(out + "\n")
        sink.flush()
