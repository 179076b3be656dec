"""Appendix A: every block is taken out of the text and checked."""
import hashlib
import json
import re
import unittest

from cryptography.hazmat.primitives import serialization

from capability_resolution import base64url, discovery, documents, hosts, request, strict_json, times, token
from capability_resolution.captxt.strict import ServerFile
from .helper import EXAMPLES, ISSUER, KID, SECRET, SPEC, b64, body, code

NOON = times.parse_document_time("2026-11-30T12:00:00Z")


class Appendix(unittest.TestCase):
    def setUp(self):
        self.discovery = discovery.read_discovery(body("discovery-response").encode(), ISSUER)

    def test_key(self):  # r[discovery.keys.usable]
        jwk = json.loads(EXAMPLES["jwk"])
        raw = SECRET.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        self.assertEqual(b64(raw), jwk["x"])
        thumb = json.dumps({k: jwk[k] for k in ("crv", "kty", "x")}, separators=(",", ":"), sort_keys=True)
        self.assertEqual(b64(hashlib.sha256(thumb.encode()).digest()), jwk["kid"])
        self.assertIsNone(self.discovery.keys[KID].fault)

    def test_answer(self):  # r[resolve.answer.members]
        found = documents.read_answer(body("resolve-response").encode(), self.discovery, NOON + 5)
        self.assertEqual((found.kept, found.dropped, found.copy_differs, found.duplicate_url), ([0, 1], [], [], []))

    def test_answer_max_age(self):  # r[resolve.caching], r[record.caching]
        for name in ("resolve-response", "record-response"):
            self.assertLessEqual(int(re.search(r"max-age=(\d+)", EXAMPLES[name]).group(1)), 3600)

    def test_token_taken_apart(self):  # r[token.segments]
        segments = EXAMPLES["token"].strip().split(".")
        self.assertEqual(base64url.decode(segments[0]).decode(), EXAMPLES["token-header"].strip())
        self.assertEqual(base64url.decode(segments[1]).decode(), EXAMPLES["token-payload"].strip())
        self.assertEqual(segments, json.loads(body("resolve-response"))["candidates"][0]["jws"].split("."))

    def test_clocks(self):  # r[token.exp.expired], r[token.iat.future]
        for line in EXAMPLES["token-clocks"].strip().split("\n"):
            when, verdict = line.split(" ", 1)
            got = code(token.verify, EXAMPLES["token"].strip().encode(), self.discovery, times.parse_document_time(when))
            self.assertEqual(verdict, "invalid " + got if got else "valid", line)

    def test_trailing_bits(self):  # r[token.base64]
        text, verdict = EXAMPLES["token-trailing-bits"].strip().split("\n")
        self.assertEqual(verdict, "invalid " + code(token.verify, text.encode(), self.discovery, NOON))

    def test_record(self):  # r[record.members]
        self.assertEqual(documents.read_record(
            body("record-response").encode(), self.discovery, NOON + 5, "https://mail.example.com/mcp").copy_differs, [])

    def test_error(self):  # r[error.body]
        problem = json.loads(body("error-response"))
        self.assertIn("| %d | `%s` | [%s] |" % (problem["status"], problem["code"], problem["rule"]), SPEC)

    def test_request(self):  # r[resolve.request]
        query = re.search(r"GET /resolve\?(\S+)", EXAMPLES["resolve-request"]).group(1)
        self.assertEqual(request.read_query(query.encode()), {"need": "send a transactional email", "payment": "none"})

    def read(self, name):
        found = ServerFile(EXAMPLES[name].encode(), "example.com", NOON)
        return found, lambda issuer: found.allows(*hosts.split_origin(issuer))

    def test_server_file(self):  # r[captxt.valid]
        found, allows = self.read("capabilities-txt")
        self.assertEqual((found.errors, found.warnings), ([], []))
        self.assertEqual(found.endpoints, [{
            "url": "https://mail.example.com/mcp", "inScope": True, "protocol": "mcp", "signIn": "none",
            "payment": "none", "jobs": ["send a transactional email", "look up a delivery status"]}])
        self.assertTrue(allows("https://resolver.example"))
        self.assertFalse(allows("https://unwanted.example"))

    def test_damaged_file(self):  # r[captxt.deny.dash], r[captxt.deny.salvaged]
        found, allows = self.read("capabilities-txt-damaged")
        self.assertEqual([(e["code"], e["line"]) for e in found.errors], [
            ("missing-conformance", 1), ("expired", 2), ("resolvers-entry-invalid", 3)])
        self.assertEqual([w["code"] for w in found.warnings], ["no-endpoints", "deny-salvaged"])
        self.assertFalse(allows("https://unwanted.example"))
        self.assertTrue(allows("https://resolver.example"))

    def test_observation_is_json(self):  # r[mcp.request]
        asked = strict_json.read_object(body("mcp-discover-request").encode(), "document")
        self.assertEqual(asked["method"], "server/discover")
        answer = strict_json.read_object(body("mcp-tools-response").encode(), "document")
        self.assertEqual(answer["result"]["resultType"], "complete")  # r[mcp.step.modern-tools]

    def test_every_block_is_known(self):
        self.assertEqual(set(EXAMPLES), {
            "server-url-grammar", "capabilities-grammar", "jwk", "discovery-request", "discovery-response",
            "resolve-request", "resolve-response", "token", "token-header", "token-payload", "token-clocks",
            "token-trailing-bits", "record-request", "record-response", "error-response", "capabilities-txt",
            "capabilities-txt-damaged", "mcp-discover-request", "mcp-tools-response"})
