"""The resolver of this folder: asked over HTTP, judged by the reader beside it, and by the checker that CHECKER names."""
import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from urllib.parse import quote

from capability_resolution import protocol
from resolver import observations
from resolver.answers import WELL_KNOWN, Resolver
from resolver.example import observations as example
from resolver.problems import TABLE
from resolver.server import Bucket, Server
from resolver.status import DAY, Files, Observation, Standing, standing
from resolver.status import Server as Observed
from resolver.tokens import LIFE, REUSE, Signer, new_key
from resolver.values import is_issuer, is_loopback, is_server_url
from .helper import ISSUER, NOW, ROOT, SECRET

MAIL, POST, LETTERS, NEWS, MAYBE = ("https://mail.example.com/mcp", "https://post.example.net/v1/mcp", "https://letters.example.org/mcp",
                                    "https://news.example.org/mcp", "https://maybe.example.com/mcp")
EMAIL = "need=send%20an%20email"


def read(document, now=NOW):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "observations.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return observations.read(path, now)


def resolver(document=None, secret=SECRET, now=NOW):
    name, servers = read(document or example(now), now)
    return Resolver(ISSUER, name, servers, Signer(ISSUER, secret), b"policy", b"changelog")


def get(judged, target, now=NOW):
    response = judged.answer("GET", target.encode(), None, now)
    return response.status, json.loads(response.body)


def urls(judged, query, now=NOW):
    status, answer = get(judged, "/resolve?" + query, now)
    assert status == 200, answer
    return [candidate["url"] for candidate in answer["candidates"]]


class Documents(unittest.TestCase):
    """Judged by the reading that a client has, which knows nothing of the resolver."""

    def judge(self, operation, document, now, **more):
        given = {"discovery": get(resolver(), WELL_KNOWN)[1], "document": document}
        line = {"id": 1, "operation": operation, "input": {**{name: json.dumps(value) for name, value in given.items()},
                "issuer": ISSUER, "now": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now)), **more}}
        return protocol.answer_line(json.dumps(line).encode())

    def test_answer(self):  # r[candidate.copies], r[token.claims]
        _, answer = get(resolver(), "/resolve?" + EMAIL)
        self.assertEqual(len(answer["candidates"]), 5)
        judged = self.judge("answer", answer, NOW)
        self.assertEqual((judged["result"], judged["output"]), (
            "valid", {"candidates": [0, 1, 2, 3, 4], "dropped": [], "copyDiffers": [], "duplicateUrl": []}))

    def test_record(self):  # r[record.copies], r[record.claims], r[record.same-claims]
        judged = resolver()
        for candidate in get(judged, "/resolve?" + EMAIL)[1]["candidates"]:
            by_id = get(judged, candidate["evidence"]["record"].removeprefix(ISSUER))
            self.assertEqual(by_id, get(judged, "/record?url=" + quote(candidate["url"], safe="")))
            verdict = self.judge("record", by_id[1], NOW, requestedUrl=candidate["url"])
            self.assertEqual((verdict["result"], verdict["output"]), ("valid", {"copyDiffers": []}))
            self.assertEqual([by_id[1][name] for name in ("url", "status", "checked_at")],
                             [candidate[name] for name in ("url", "status", "checked_at")])

    def test_constraints(self):  # r[constraint.honoured], r[constraint.read-only], r[constraint.handshake], r[constraint.payment]
        judged = resolver()
        self.assertEqual(urls(judged, EMAIL), [MAIL, NEWS, POST, MAYBE, LETTERS])
        self.assertEqual(urls(judged, EMAIL + "&sign_in=none"), [MAIL, NEWS])
        self.assertEqual(urls(judged, EMAIL + "&read_only=true"), [MAIL])
        self.assertEqual(urls(judged, "need=create+an+issue&read_only=true"), ["https://issues.example.com/mcp"])
        self.assertEqual(urls(judged, "need=read+or+write&read_only=true"), ["https://files.example.com/mcp?tenant=1"])
        self.assertEqual(urls(judged, "need=write&read_only=true"), [])
        self.assertEqual(urls(judged, EMAIL + "&max_handshake_ms=95"), [POST, LETTERS])
        self.assertEqual(urls(judged, EMAIL + "&max_handshake_ms=240&payment=none"), [MAIL])
        self.assertEqual(urls(judged, EMAIL + "&max_handshake_ms=239&payment=none"), [])
        self.assertEqual(urls(judged, "need=nothing%20fits%20this"), [])  # r[resolve.answer.status]

    def test_claims_of_a_file_that_has_expired(self):  # r[captxt.claims-valid-only]
        document = example(NOW)
        document["servers"][0]["server_files"]["expires"] = "2026-11-30T12:00:05Z"
        self.assertEqual(urls(resolver(document), EMAIL + "&payment=none"), [])
        document["servers"][0]["server_files"]["expires"] = "2026-11-30T12:00:06Z"
        self.assertEqual(urls(resolver(document), EMAIL + "&payment=none"), [MAIL])

    def test_at_most_ten(self):  # r[resolve.answer.count]
        document = example(NOW)
        document["servers"] = [{**document["servers"][0], "url": f"https://mail{number}.example.com/"} for number in range(12)]
        self.assertEqual(len(urls(resolver(document), EMAIL)), 10)

    def test_not_stated(self):  # r[deny.honoured], r[status.never-observed], r[status.max-age.issue], r[record.not-found]
        judged = resolver()
        for host in ("private.example.org", "gone.example.org", "never.example.org"):
            status, body = get(judged, f"/record?url=https://{host}/mcp")
            self.assertEqual((status, body["code"]), (404, "record-not-found"))

    def test_same_token(self):  # r[token.same-for-all], r[status.checked-at]
        mail = lambda now, judged: get(judged, "/resolve?" + EMAIL, now)[1]["candidates"][0]
        document, ended = example(NOW), NOW - 1_200
        first = mail(NOW, resolver(document))
        self.assertEqual(first, mail(ended + REUSE - 1, resolver(document)))
        self.assertEqual(mail(ended + REUSE, resolver(document))["expires"],
                         time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ended + REUSE + LIFE)))
        self.assertNotEqual(first["jws"], mail(NOW, resolver(document, new_key()))["jws"])


class Errors(unittest.TestCase):
    def test_resolve(self):  # r[error.body], r[error.no-need], r[resolve.order]
        judged, secret = resolver(), "sesame"
        for query, code in (
                ("", "need-missing"), ("&&", "need-missing"), ("payment=none", "need-missing"), ("need", "need-length"), ("need=ab", "need-length"),
                ("need=+ab+", "need-length"), ("need=" + "a" * 201, "need-length"), ("need=%F0%9F%98%80%F0%9F%98%80", "need-length"),
                ("need=se%00same", "need-character"), ("need=%1Cabc", "need-character"),
                ("need=sesame%zz", "query-encoding"), ("need=sesame%", "query-encoding"),
                ("need=sesame%ff", "query-encoding"), ("need=sesame&%ff=", "query-encoding"), ("need=sesame&lang=en", "parameter-unknown"),
                ("need=sesame&=", "parameter-unknown"), ("Need=sesame", "parameter-unknown"), ("need=sesame&need=sesame", "parameter-repeated"),
                ("need=sesame&x&x", "parameter-unknown"), ("payment=none&payment=none", "parameter-repeated"), ("sign_in=x", "need-missing"),
                ("need=a&payment=x", "need-length"), ("need=%01&payment=x", "need-character"), ("need=sesame&sign_in=None", "constraint-value"),
                ("need=sesame&read_only=", "constraint-value"), ("need=sesame&payment=required", "constraint-value"),
                *(("need=sesame&max_handshake_ms=" + value, "constraint-value") for value in ("0", "01", "60001", "+1", "1.0", "%D9%A1", "1%0A"))):
            status, body = get(judged, "/resolve?" + query)
            self.assertEqual((status, body["code"]), (400, code), query)
            self.assertEqual(body, {"type": "about:blank", "title": "Bad Request", "status": 400, "detail": TABLE[code][2], "code": code, "rule": TABLE[code][1]})
            self.assertNotIn(secret, json.dumps(body))
        for query in ("need=%EF%BB%BFab", "need=%C2%A0+abc%0A", "need=abc&max_handshake_ms=60000", "&need=abc&&", "need=" + "%F0%9F%98%80" * 200,
                      "need=" + "e%CC%81" * 200, "n%65ed=abc"):  # r[resolve.need.read]
            self.assertEqual(get(judged, "/resolve?" + query)[0], 200, query)

    def test_record(self):  # r[record.request], r[record.id]
        judged = resolver()
        for query in ("", "id=", "id=a&id=a", "id=a&url=https://a.example/", "x=a", "id=a&x=", "id=%zz", "id=a+b", "id=" + "a" * 65, "url=",
                      "url=https://a.example", "url=http://a.example/", "url=https://A.example/", "url=https://a.example/../", "url=https://a.example/%252e/"):
            self.assertEqual((get(judged, "/record?" + query)[0], get(judged, "/record?" + query)[1]["code"]), (400, "record-query"), query)
        for query in ("id=" + "~" * 64, "url=https://never.example/%3F"):
            self.assertEqual((get(judged, "/record?" + query)[0], get(judged, "/record?" + query)[1]["code"]), (404, "record-not-found"), query)

    def test_values(self):  # r[url.form], r[url.dot-segment], r[origin.issuer]
        for url in ("https://a.example/", "https://[2001:db8::1]:8443/a?", "https://1.2.3.4/%2F'?%2f", "https://xn--bcher-kva.example/", "https://a_b/"):
            self.assertTrue(is_server_url(url), url)
        for url in ("https://a.example:443/", "https://a.example:08/", "https://a.example:65536/", "https://a..example/", "https://1.2.3/", "https://a.0x1/",
                    "https://[::0]/", "https://[::ffff:1.2.3.4]/", "https://a.example/%2E%2e/", "https://a.example/?'", "https://u@a.example/",
                    "https://a.example/#", "https://xn--a.example/", "https://a.example/\n", "https://a.example/" + "a" * 2031):
            self.assertFalse(is_server_url(url), url)
        self.assertTrue(is_issuer(ISSUER) and is_loopback("http://127.0.0.1:80800") is False and is_loopback("http://localhost:8080"))
        for origin in (ISSUER + "/", "https://1.2.3.4", "https://[::1]", ISSUER + ":443", "http://127.0.0.1:8080"):
            self.assertFalse(is_issuer(origin), origin)


class Status(unittest.TestCase):
    def stands(self, *seen, now=NOW, allowed=True, files_read=NOW):
        """`seen` are pairs of seconds ago and an outcome, where a failure is its class and `unknown` has a reason."""
        made = []
        for ago, outcome in seen:
            kind, _, reason = outcome.partition("/")
            kind = kind if kind in ("ok", "sign_in", "unknown") else "failure"
            made.append(Observation(NOW - ago, kind, reason or outcome, None, (), None))
        found = standing(Observed("https://a.example/", tuple(made), Files(files_read, allowed, None, None, ())), now)
        return found and (found.status, NOW - found.checked_at)

    def test_down(self):  # r[status.down], r[status.first-failure]
        self.assertEqual(self.stands((700, "ok"), (0, "timeout")), ("ok", 700))
        self.assertEqual(self.stands((600, "timeout"), (0, "timeout")), ("down", 0))
        self.assertEqual(self.stands((599, "timeout"), (0, "timeout")), ("unknown", 0))
        self.assertEqual(self.stands((900, "timeout"), (300, "timeout"), (0, "timeout")), ("down", 0))
        self.assertEqual(self.stands((900, "timeout"), (0, "gone")), ("unknown", 0))
        self.assertEqual(self.stands((2000, "ok"), (900, "timeout"), (300, "gone"), (0, "timeout")), ("ok", 2000))
        self.assertEqual(self.stands((2000, "gone"), (900, "gone"), (0, "timeout")), ("down", 900))
        self.assertEqual(self.stands((900, "timeout"), (300, "unknown/rate-limited"), (0, "timeout")), ("unknown", 0))
        self.assertEqual(self.stands((900, "sign_in"), (0, "unknown/rate-limited")), ("sign_in", 900))
        self.assertEqual(self.stands((900, "ok"), (0, "unknown/blocked")), ("unknown", 0))

    def test_age(self):  # r[status.max-age.issue], r[deny.reread]
        self.assertEqual(self.stands((DAY, "ok")), ("ok", DAY))
        self.assertIsNone(self.stands((DAY + 1, "ok")))
        self.assertEqual(self.stands((DAY, "ok"), (10, "timeout")), ("ok", DAY))
        self.assertEqual(self.stands((DAY + 1, "ok"), (10, "timeout")), ("unknown", 10))
        self.assertIsNone(self.stands((0, "ok"), allowed=False))
        self.assertIsNone(self.stands((0, "ok"), files_read=NOW - DAY - 1))
        self.assertNotEqual(Standing("ok", 1), Standing("ok", 2))

    def test_file_of_observations(self):
        def refused(change):
            document = example(NOW)
            change(document, document["servers"][0])
            with self.assertRaises(observations.Unreadable) as caught:
                read(document)
            return str(caught.exception)

        self.assertIn("servers[0].url", refused(lambda document, server: server.update(url="https://A.example/")))
        self.assertIn("never observed", refused(lambda document, server: server.update(observations=[])))
        self.assertIn("not come yet", refused(lambda document, server: server["observations"][0].update(ended="2026-11-30T12:00:06Z")))
        self.assertIn("handshake_ms", refused(lambda document, server: server["observations"][0].pop("handshake_ms")))
        self.assertIn("server_files", refused(lambda document, server: server.pop("server_files")))
        self.assertIn("twice", refused(lambda document, server: document["servers"].append(server)))
        self.assertIn("discovery.name", refused(lambda document, server: document.update(resolver="a\u200bb")))


class Overload(unittest.TestCase):
    def serve(self, judged, rate):
        server = Server(("127.0.0.1", 0), judged, rate, lambda: NOW)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def ask(self, server):
        connection = http.client.HTTPConnection(*server.server_address, timeout=10)
        self.addCleanup(connection.close)
        connection.request("GET", "/resolve?" + EMAIL)
        response = connection.getresponse()
        return response, json.loads(response.read())

    def test_rate(self):  # r[error.rate]
        server = self.serve(resolver(), 1)
        statuses = [self.ask(server)[0].status for _ in range(10)]
        self.assertEqual(statuses, [200] * 10)
        response, body = self.ask(server)
        self.assertEqual((response.status, body["code"], body["rule"]), (429, "rate-limited", "error.rate"))
        self.assertEqual((response.headers["Retry-After"], response.headers["Access-Control-Allow-Origin"]), ("1", "*"))
        self.assertEqual(Bucket(5).wait(), 0)

    def test_unavailable(self):  # r[error.unavailable]
        server = self.serve(None, 100)  # without a resolver behind it every answer fails
        errors, sys.stderr = sys.stderr, open(os.devnull, "w", encoding="utf-8")
        try:
            response, body = self.ask(server)
        finally:
            sys.stderr.close()
            sys.stderr = errors
        self.assertEqual((response.status, body["code"], response.headers["Retry-After"]), (503, "unavailable", "60"))
        while server.turns.acquire(blocking=False):
            pass
        response, body = self.ask(server)
        self.assertEqual((response.status, body["code"], response.headers["Retry-After"]), (503, "unavailable", "1"))


class Program(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with socket.create_server(("127.0.0.1", 0)) as free:
            cls.address = free.getsockname()
        cls.issuer = f"http://127.0.0.1:{cls.address[1]}"
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name) / "observations.json"
        path.write_text(json.dumps(example(int(time.time()))), encoding="utf-8")
        cls.program = subprocess.Popen([sys.executable, "resolver/main.py", "--listen", cls.issuer[7:], "--issuer", cls.issuer, str(path)],
                                       cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        cls.first_line = cls.program.stdout.readline().decode()

    @classmethod
    def tearDownClass(cls):
        cls.program.terminate()
        rest = cls.program.communicate(timeout=10)[0]
        cls.folder.cleanup()
        assert rest == b"", rest  # r[obligation.no-log]: nothing was written about any request

    def ask(self, target, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection(*self.address, timeout=10)
        self.addCleanup(connection.close)
        connection.request(method, target, body, headers)
        response = connection.getresponse()
        return response, response.read()

    def test_endpoints(self):  # r[http.media-type], r[http.cors], r[http.cors-expose], r[discovery.caching], r[resolve.caching], r[record.caching]
        _, body = self.ask(WELL_KNOWN)
        discovery = json.loads(body)
        self.assertEqual((discovery["v"], discovery["iss"], len(discovery["keys"])), ("0.2", self.issuer, 1))
        local = {name: url.removeprefix(self.issuer) for name, url in {**discovery["endpoints"], **discovery}.items() if isinstance(url, str)}
        for target, media_type, caching in (
                (WELL_KNOWN, "application/json", "public, max-age=3600"), (f"{local['resolve']}?{EMAIL}", "application/json", "private, max-age=300"),
                (f"{local['record']}?url={MAIL}", "application/json", "private, max-age=300"),
                (local["policy"], "text/markdown; charset=utf-8", "public, max-age=3600"),
                (local["changelog"], "text/markdown; charset=utf-8", "public, max-age=3600")):
            with self.subTest(target):
                response, body = self.ask(target)
                self.assertEqual((response.status, response.headers["Content-Type"], response.headers["Cache-Control"]), (200, media_type, caching))
                self.assertEqual((response.headers["Access-Control-Allow-Origin"], response.headers["Access-Control-Expose-Headers"],
                                  response.headers["Referrer-Policy"]), ("*", "ETag, Retry-After", "no-referrer"))
                head, nothing = self.ask(target, "HEAD")  # r[http.head]
                self.assertEqual((head.status, nothing, head.headers["Content-Length"]), (200, b"", str(len(body))))
                tag = response.headers["ETag"]  # r[http.etag]
                for condition in (tag, "W/" + tag, f'"other", {tag}', "*"):
                    again, nothing = self.ask(target, **{"If-None-Match": condition})
                    self.assertEqual((again.status, nothing, again.headers["ETag"]), (304, b"", tag))
                self.assertEqual(self.ask(target, **{"If-None-Match": '"other"'})[0].status, 200)
                for method in ("POST", "PUT", "DELETE", "PATCH", "get", "PROPFIND"):  # r[http.method]
                    refused, problem = self.ask(target, method, b"x" * 70_000 if method == "POST" else None)
                    self.assertEqual((refused.status, refused.headers["Allow"], json.loads(problem)["code"]), (405, "GET, HEAD, OPTIONS", "method-not-allowed"))
                    self.assertEqual(refused.headers["Access-Control-Allow-Origin"], "*")
                self.assertEqual(self.ask(target, "OPTIONS")[0].status, 204)

    def test_policy(self):  # r[policy.statements], r[policy.dated], r[policy.changelog]
        policy = self.ask("/policy")[1].decode()
        for rule in ("payment", "favour", "disclosure", "no-proxy", "no-caller", "no-sale", "changes"):
            self.assertRegex(policy, rf"`obligation\.{rule}`: \w+")
        self.assertRegex(policy, "In force from [0-9]{4}-[0-9]{2}-[0-9]{2}")
        self.assertRegex(self.ask("/changelog")[1].decode(), "- [0-9]{4}-[0-9]{2}-[0-9]{2}: .+")

    def test_errors(self):  # r[http.cors], r[error.body]
        for target, status in (("/resolve", 400), ("/record", 400), ("/record?id=none", 404)):
            response, body = self.ask(target)
            self.assertEqual((response.status, response.headers["Content-Type"], response.headers["Access-Control-Allow-Origin"]),
                             (status, "application/problem+json", "*"))
            self.assertEqual(json.loads(body)["status"], status)
            self.assertEqual(self.ask(target, "HEAD")[1], b"")
        self.assertEqual(self.ask("/elsewhere")[0].status, 404)

    def test_limits(self):  # r[error.too-long]
        for length, status in ((4_096, 400), (8_192, 400), (8_193, 414), (70_000, 414)):
            target = "/resolve?need=".ljust(length, "a")
            self.assertEqual((len(target), self.ask(target)[0].status), (length, status))

    def test_head_on_the_wire(self):  # r[http.head]
        with socket.create_connection(self.address, 10) as connection:
            connection.sendall(b"HEAD /policy HTTP/1.1\r\nHost: a\r\n\r\n")
            connection.shutdown(socket.SHUT_WR)
            self.assertTrue(connection.makefile("rb").read().endswith(b"\r\n\r\n"))

    def test_what_is_not_http(self):
        for sent, status in ((b"GET /resolve?need=sesame oil HTTP/1.1\r\n\r\n", b"400"), (b"GET / HTTP/1.1\r\n\r\n", b"400"),
                             (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"A: b\r\n" * 200 + b"\r\n", b"431")):
            with socket.create_connection(self.address, 10) as connection:
                connection.sendall(sent)
                connection.shutdown(socket.SHUT_WR)
                answer = connection.makefile("rb").read()
            self.assertEqual(answer.split(b" ")[1], status)
            self.assertNotIn(b"sesame", answer)

    def test_bad_starts(self):
        path = pathlib.Path(self.folder.name) / "observations.json"
        for changes, message in (({"--listen": "0.0.0.0:1"}, "http.https"), ({"--issuer": "http://resolver.example"}, "origin.issuer"),
                                 ({"--issuer": ISSUER}, "keys.retired"), ({"--key": str(path)}, "PEM"), ({"--policy": self.folder.name}, "directory")):
            given = {"--listen": "127.0.0.1:0", "--issuer": self.issuer, **changes}
            done = subprocess.run([sys.executable, "resolver/main.py", *(part for pair in given.items() for part in pair), str(path)],
                                  cwd=ROOT, capture_output=True, timeout=20)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr.decode())

    @unittest.skipUnless(os.environ.get("CHECKER"), "CHECKER does not name the checker's binary")
    def test_checker(self):
        done = subprocess.run([os.environ["CHECKER"], self.issuer, "--allow-loopback"], capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 0, (done.stdout + done.stderr).decode())
        self.assertIn(b"resolver-1", done.stdout)
