"""The line protocol and the command line."""
import base64
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from capability_resolution import protocol
from .helper import EXAMPLES, ISSUER, ROOT, SECRET, body

TOKEN = EXAMPLES["token"].strip()
WHEN = "2026-11-30T12:00:05Z"
COMMON = {"discovery": body("discovery-response"), "issuer": ISSUER, "now": WHEN}
FILE = {"file": EXAMPLES["capabilities-txt"], "host": "example.com", "resolver": ISSUER, "now": WHEN}


def run(*args, data=b""):
    return subprocess.run([sys.executable, "main.py", *args], cwd=ROOT, input=data, capture_output=True)


def ask(operation, **given):
    return protocol.answer_line(json.dumps({"id": 1, "operation": operation, "input": given}).encode())


class Protocol(unittest.TestCase):
    def check(self, answer, result, reason, output=None):
        self.assertEqual(answer, {"id": 1, "result": result, "reason": reason, "output": output})

    def test_documents(self):  # r[code.form], r[code.token-list], r[code.document-list]
        self.check(ask("token", token=TOKEN, **COMMON), "valid", None)
        self.check(ask("token", token_base64=base64.b64encode(b"\xff").decode(), **COMMON), "invalid", "token-bad-character")
        self.check(ask("token", token=TOKEN, **{**COMMON, "now": "2026-11-30T11:54:59.9Z"}), "invalid", "issued-in-future")
        self.check(ask("discovery", document=body("discovery-response"), issuer=ISSUER), "valid", None)
        # r[discovery.refused], r[json.document-code]
        self.check(ask("token", token=TOKEN, **{**COMMON, "discovery": "{"}), "invalid", "document-not-json")
        self.check(ask("answer", document=body("resolve-response"), **COMMON), "valid", None,
                   {"candidates": [0, 1], "dropped": [], "copyDiffers": [], "duplicateUrl": []})
        self.check(ask("record", document=body("record-response"), requestedUrl=None, **COMMON), "valid", None,
                   {"copyDiffers": []})
        self.check(ask("record", document=body("record-response"), requestedUrl="https://x/", **COMMON), "invalid", "url-mismatch")

    def test_values(self):
        public = SECRET.public_key().public_bytes_raw().hex()
        signature = SECRET.sign(b"m").hex()
        self.check(ask("ed25519", publicKey=public, message="6d", signature=signature), "valid", None)
        self.check(ask("ed25519", publicKey="00", message="", signature=""), "invalid", "key-malformed")
        self.check(ask("request", query="need=+abc+&payment=none"), "valid", None, {"need": "abc"})
        self.check(ask("request", query="need=abc&x"), "invalid", "parameter-unknown")
        self.check(ask("need", need=" e\u0301tc"), "valid", None, {"need": "\u00e9tc"})
        for operation, good, bad in (("origin", "https://[::1]", "https://[::1]/"), ("issuer", ISSUER, "https://[::1]"),
                                     ("server-url", ISSUER + "/", ISSUER), ("time", WHEN, "now")):
            self.check(ask(operation, value=good), "valid", None)
            self.check(ask(operation, value=bad), "invalid", None)

    def test_file(self):
        answer = ask("captxt", **{**FILE, "host": "EXAMPLE.com.", "resolver": "https://Unwanted.example/"})
        self.assertEqual((answer["result"], answer["output"]["resolverAllowed"]), ("valid", False))
        answer = ask("captxt", **{**FILE, "file": EXAMPLES["capabilities-txt-damaged"]})
        self.assertEqual((answer["result"], answer["reason"], answer["output"]["errors"][1]), (
            "invalid", "missing-conformance", {"code": "expired", "line": 2, "column": 10}))
        answer = ask("captxt", publicSuffixes=["example.com"], **FILE)
        self.assertEqual(answer["output"]["endpoints"][0]["inScope"], False)

    def test_survives(self):
        as_line = lambda operation, given: json.dumps({"id": 1, "operation": operation, "input": given}).encode()
        lines = [b"", b"\xff", b"[]", b"[" * 100000, b'{"id":1}', b'{"id":NaN,"operation":"x"}', as_line("nothing", {}),
                 as_line("token", None), as_line("token", {"token": TOKEN}), as_line("token", {**COMMON, "token_base64": "!"}),
                 as_line("token", {**COMMON, "token": "\ud800"}), as_line("ed25519", {"publicKey": "ZZ"}),
                 as_line("captxt", {**FILE, "host": "a b"}), as_line("need", {"need": "abc"})]
        answers = [json.loads(line) for line in run(data=b"\n".join(lines) + b"\n").stdout.split(b"\n")[:-1]]
        self.assertEqual(len(answers), len(lines))
        self.assertEqual([sorted(a)[0] if "result" not in a else a["result"] for a in answers],
                         ["error"] * 6 + ["id"] + ["error"] * 6 + ["valid"])
        self.assertEqual(answers[6], {"id": 1, "unsupported": True})


class Commands(unittest.TestCase):
    def test_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            discovery, good, damaged = (Path(folder) / name for name in ("discovery", "good", "damaged"))
            discovery.write_text(body("discovery-response"), encoding="utf-8")
            good.write_text(EXAMPLES["capabilities-txt"], encoding="utf-8")
            damaged.write_text(EXAMPLES["capabilities-txt-damaged"], encoding="utf-8")
            token = ("token", "--discovery", str(discovery), "--issuer", ISSUER, "--now")
            self.assertEqual(run(*token, WHEN, "-", data=TOKEN.encode() + b"\n").returncode, 0)
            self.assertEqual(run(*token, WHEN, TOKEN + " ").returncode, 1)
            self.assertEqual(run(*token, "today", TOKEN).returncode, 2)
            file = ("--host", "example.com", "--resolver", ISSUER, "--now", WHEN)
            shown = run("file", str(damaged), *file).stdout.decode()
            found = [":".join(row.split(":")[-4:]) for row in shown.splitlines()[1:-1]]
            self.assertEqual(found, ["1:1: error: missing-conformance", "1:1: warning: no-endpoints", "2:10: error: expired",
                                     "3:1: warning: deny-salvaged", "3:15: error: resolvers-entry-invalid"])  # r[captxt.order]
            self.assertEqual([run("file", str(path), *file).returncode for path in (good, damaged, folder)], [0, 1, 2])
