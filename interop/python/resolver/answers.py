"""What the resolver answers to a request, without the network and without a clock."""
import dataclasses
import hashlib
import json
import re

from .problems import Problem
from .request import read_need, read_record
from .search import Index, name_of
from .status import standing
from .values import write_time

VERSION = "0.2"
WELL_KNOWN = "/.well-known/capability-resolver"
LONGEST_TARGET = 8_192  # [error.too-long]
DISCOVERY_AGE = 3_600
ANSWER_AGE = 300  # far below LIFE - REUSE, the shortest time to an `exp` [resolve.caching]
METHODS = "GET, HEAD, OPTIONS"
EVERYWHERE = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Retry-After",
              "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


@dataclasses.dataclass(frozen=True)
class Response:
    status: int
    headers: dict
    body: bytes = b""


def problem(code, **headers):
    """An error [error.body]. Nobody keeps one: 404 and 414 could be kept otherwise, with the need in their URL."""
    error = Problem(code)
    return Response(error.status, {**EVERYWHERE, "Content-Type": "application/problem+json", "Cache-Control": "no-store",
                                   **headers}, _json(error.body()))


def plain(status, text):
    """What this text has no error for, such as another path."""
    return Response(status, {**EVERYWHERE, "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"},
                    text.encode() + b"\n")


class Resolver:
    def __init__(self, issuer, name, servers, signer, policy, changelog):
        self._issuer, self._name, self._signer = issuer, name, signer
        self._index = Index(servers)
        self._by_url = {server.url: server for server in servers}
        self._by_id = {_id(server): server for server in servers}
        self._pages = {"/policy": policy, "/changelog": changelog}
        self._paths = {WELL_KNOWN: self._discovery, "/resolve": self._resolve, "/record": self._record,
                       "/policy": self._page, "/changelog": self._page}

    def answer(self, method, target, if_none_match, now):
        """The response to a request; `target` is its request target as bytes, `now` seconds since 1970."""
        if len(target) > LONGEST_TARGET:
            return problem("request-too-long")
        path, _, query = re.sub(rb"\A[Hh][Tt][Tt][Pp][Ss]?://[^/?]*", b"", target).partition(b"?")
        path = path.decode("latin-1")
        if path not in self._paths:
            return plain(404, "There is nothing here. A resolver begins at " + WELL_KNOWN)
        if method == "OPTIONS":  # a browser asks so before it sends If-None-Match to another origin
            return Response(204, {**EVERYWHERE, "Allow": METHODS, "Access-Control-Allow-Methods": METHODS,
                                  "Access-Control-Allow-Headers": "If-None-Match", "Access-Control-Max-Age": "86400"})
        if method not in ("GET", "HEAD"):
            return problem("method-not-allowed", Allow=METHODS)
        try:
            media_type, caching, body = self._paths[path](path, query, now)
        except Problem as error:
            return problem(error.code)
        tag = '"' + hashlib.sha256(body).hexdigest()[:32] + '"'  # of the body alone, the same for everybody (§14.2)
        headers = {**EVERYWHERE, "Cache-Control": caching, "ETag": tag}
        if if_none_match and _matches(if_none_match, tag):  # [http.etag]
            return Response(304, headers)
        return Response(200, {**headers, "Content-Type": media_type}, body)

    def _discovery(self, path, query, now):
        document = {"v": VERSION, "iss": self._issuer, "resolver": self._name,
                    "endpoints": {name: self._issuer + "/" + name for name in ("resolve", "record")},
                    "keys": self._signer.keys, "policy": self._issuer + "/policy", "changelog": self._issuer + "/changelog"}
        return "application/json", f"public, max-age={DISCOVERY_AGE}", _json(document)

    def _resolve(self, path, query, now):
        found = self._index.find(read_need(query), now)
        candidates = [self._candidate(server, stands, now) for server, stands in found]
        return "application/json", f"private, max-age={ANSWER_AGE}", _json(self._document(candidates=candidates))

    def _candidate(self, server, stands, now):
        claims, token = self._signer.sign(stands, server.url, now)
        return {**_copies(claims), "evidence": {"record": f"{self._issuer}/record?id={_id(server)}"}, "jws": token}

    def _record(self, path, query, now):
        kind, value = read_record(query)
        server = (self._by_id if kind == "id" else self._by_url).get(value)
        stands = server and standing(server, now)
        if not stands:
            raise Problem("record-not-found")
        more = {"name": name_of(server), "first_seen": write_time(server.observations[0].ended)}
        claims, token = self._signer.sign(stands, server.url, now, **more)
        document = self._document(**_copies(claims), **more, jws=token)
        return "application/json", f"private, max-age={ANSWER_AGE}", _json(document)

    def _page(self, path, query, now):
        return "text/markdown; charset=utf-8", f"public, max-age={DISCOVERY_AGE}", self._pages[path]

    def _document(self, **members):
        return {"v": VERSION, "iss": self._issuer, "resolver": self._name, **members}


def _copies(claims):
    """[candidate.copies], [record.copies]"""
    return {"url": claims["url"], "status": claims["status"], "checked_at": claims["checked_at"],
            "expires": write_time(claims["exp"])}


def _id(server):
    return "s-" + hashlib.sha256(server.url.encode()).hexdigest()[:24]


def _matches(if_none_match, tag):
    """The weak comparison of RFC 9110, section 13.1.2."""
    return if_none_match.strip() == "*" or tag in re.findall(r'"[^"]*"', if_none_match)


def _json(value):
    return json.dumps(value, ensure_ascii=False).encode()
