"""§5.3, §5.4 and §7.2."""
import json
import unittest

from capability_resolution import discovery as reader, documents
from .helper import ISSUER, NOW, claims, code, discovery, sign

D = reader.read_discovery(json.dumps(discovery()).encode(), ISSUER)


class Answers(unittest.TestCase):
    def answer(self, candidates, **changes):
        document = {"v": "0.2", "iss": ISSUER, "resolver": "Example Resolver", "candidates": candidates, **changes}
        return documents.read_answer(json.dumps(document).encode(), D, NOW)

    def candidate(self, **changes):
        return {"url": "https://mail.example.com/mcp", "status": "ok", "checked_at": "2026-11-30T11:42:07Z",
                "expires": "2026-12-02T12:00:00Z", "jws": sign(claims()), **changes}

    def test_members(self):  # r[resolve.answer.members], r[resolve.answer.order], r[resolve.answer.iss]
        self.assertEqual(self.answer([]).kept, [])  # r[resolve.answer.empty]
        self.assertEqual(code(lambda: self.answer({})), "member-type")
        self.assertEqual(code(lambda: self.answer([1] * 11, iss="x")), "iss-mismatch")
        self.assertEqual(code(lambda: self.answer([1] * 11)), "too-many-candidates")  # r[resolve.answer.count]
        self.assertEqual(code(lambda: self.answer([], v="0.3", iss=1)), "version-unsupported")
        self.assertEqual(code(lambda: self.answer([], x="x" * 262144)), "document-too-large")  # r[resolve.answer.size]

    def test_candidates(self):
        self.assertEqual(self.answer([1] * 10).dropped, [(n, "jws-missing") for n in range(10)])  # r[candidate.unsigned]
        found = self.answer([
            {"jws": 1}, self.candidate(jws="x"), self.candidate(status="down", expires=1, url="x"), self.candidate(),
            self.candidate(checked_at=None)], resolver="Other")
        self.assertEqual(found.dropped, [(0, "jws-missing"), (1, "token-segment-count")])  # r[candidate.dropped]
        self.assertEqual(found.kept, [2])  # r[candidate.claims-only]
        self.assertEqual(found.duplicate_url, [3, 4])  # r[candidate.duplicate], r[code.difference-list]
        # r[candidate.copy-differs], r[resolve.answer.name-read]
        self.assertEqual(found.copy_differs, [
            "/resolver", "/candidates/2/url", "/candidates/2/status", "/candidates/2/expires"])

    def test_order_of_differences(self):  # r[conformance.vectors.output-order]
        # members that are missing have no place and come behind the others
        candidate = {"status": 1, "jws": sign(claims()), "expires": None}
        places = ["/candidates/0/" + name for name in ("status", "expires", "url", "checked_at")]
        read = lambda document: documents.read_answer(json.dumps(document).encode(), D, NOW).copy_differs
        rest = {"v": "0.2", "iss": ISSUER}
        self.assertEqual(read({"candidates": [candidate], "resolver": "Other", **rest}), places + ["/resolver"])
        self.assertEqual(read({"resolver": "Other", "candidates": [candidate], **rest}), ["/resolver"] + places)
        self.assertEqual(self.answer([self.candidate(expires=1, url=2)]).copy_differs,
                         ["/candidates/0/url", "/candidates/0/expires"])

    def test_first_that_verifies(self):  # r[candidate.duplicate]
        found = self.answer([self.candidate(jws=sign(claims(aud=1))), self.candidate()])
        self.assertEqual((found.kept, found.dropped), ([1], [(0, "aud-unexpected")]))


class Records(unittest.TestCase):
    def read(self, requested=None, token=(), **changes):
        jws = sign(claims(**{"name": "N", "first_seen": "2026-01-01T00:00:00Z", **dict(token)}))
        document = {"v": "0.2", "iss": ISSUER, "resolver": "Example Resolver", "jws": jws, **changes}
        return documents.read_record(json.dumps(document).encode(), D, NOW, requested).copy_differs

    def test_copies(self):  # r[record.copy-differs]
        self.assertEqual(self.read(), [])
        self.assertEqual(self.read(name=None, url=5, first_seen="2026-01-01T00:00:00Z"), ["/name", "/url"])
        self.assertEqual(self.read(url=5, name=None), ["/url", "/name"])  # r[conformance.vectors.output-order]
        self.assertEqual(self.read(first_seen=1, resolver="Other", status="down"), ["/resolver", "/first_seen", "/status"])
        self.assertEqual(self.read(resolver="Other", status="ok"), ["/resolver"])

    def test_members(self):  # r[record.members], r[record.size]
        self.assertEqual(code(lambda: self.read(resolver=1)), "member-type")
        self.assertEqual(code(lambda: self.read(jws=None)), "member-type")
        self.assertEqual(code(lambda: self.read(v="1")), "version-unsupported")
        self.assertEqual(code(lambda: self.read(iss="x")), "iss-mismatch")
        self.assertEqual(code(lambda: self.read(x="x" * 65536)), "document-too-large")

    def test_order(self):  # r[record.order], r[record.requested], r[record.history-form]
        wrong = {"name": "", "first_seen": "x", "history": 1, "status": "x"}
        for fixed, want in (({}, "status-invalid"), ({"status": "ok"}, "name-invalid"), ({"name": "N"}, "first-seen-invalid"),
                            ({"first_seen": "2026-01-01T00:00:00Z"}, "history-invalid"),
                            ({"history": ISSUER + "/h"}, "url-mismatch")):
            wrong.update(fixed)
            self.assertEqual(code(lambda: self.read("https://z.example/", wrong)), want)
        self.assertIsNone(code(lambda: self.read("https://mail.example.com/mcp", wrong)))

    def test_url_is_compared_as_a_string(self):  # r[url.comparison]
        token = {"url": "https://a.example/%2f"}
        self.assertIsNone(code(lambda: self.read("https://a.example/%2f", token)))
        self.assertEqual(code(lambda: self.read("https://a.example/%2F", token)), "url-mismatch")
