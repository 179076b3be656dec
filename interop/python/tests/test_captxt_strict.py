"""§11.1 to §11.5."""
import unittest

from capability_resolution import times
from capability_resolution.captxt.endpoint import read_endpoint
from capability_resolution.captxt.scope import in_scope
from capability_resolution.captxt.strict import ServerFile
from .helper import code

NOW = times.parse_document_time("2026-11-30T12:00:00Z")
HEAD = "Conformance: Capability Resolution 0.2\nContact: mailto:a@b\nExpires: 2027-04-30T00:00:00Z\n"
BLOCK = "Endpoint: https://mail.example.com/mcp\nProtocol: mcp\nJobs: send mail\n"
GOOD = HEAD + "Resolvers: *\n" + BLOCK
PLACE = 5  # the line of what `line` puts in


def read(text, host="example.com"):
    return ServerFile(text if isinstance(text, bytes) else text.encode(), host, NOW)


def codes(text, **more):
    """The codes of the errors, then those of the warnings with a question mark."""
    found = read(text, **more)
    return [e["code"] for e in found.errors] + [w["code"] + "?" for w in found.warnings]


def placed(diagnostics):
    return ["%s %d:%d" % (d["code"], d["line"], d["column"]) for d in diagnostics]


def line(extra):
    """What is reported of one line between the header fields and a block, with its columns."""
    found = read(HEAD + "Resolvers: *\n" + extra + "\n" + BLOCK)
    out = []
    for mark, diagnostics in (("", found.errors), ("?", found.warnings)):
        out += ["%s%s %d" % (d["code"], mark, d["column"]) for d in diagnostics if d["line"] == PLACE]
    return out


class Files(unittest.TestCase):
    def test_size(self):  # r[captxt.size]
        filler = "# x\n" * 16384
        self.assertNotIn("file-too-large", codes(filler))
        self.assertEqual(codes(filler.encode() + b"\xff"), ["file-too-large"])
        self.assertEqual(codes(filler + "Resolvers: none"), ["file-too-large", "deny-salvaged?"])

    def test_utf8(self):  # r[captxt.utf8], r[captxt.position]
        self.assertEqual(placed(read(b"\xef\xbb\xbf# \xc3\xa9\r# ab\xe2\x82\n").errors), ["not-utf8 2:5"])
        self.assertEqual(placed(read(b"\xef\xbb\xbf\xff").errors), ["not-utf8 1:1"])
        found = read(b"\xff\nResolvers: *, -x.example\n")
        self.assertEqual(placed(found.warnings), ["deny-salvaged 1:1"])
        self.assertEqual(codes("\ufeffResolvers: none".encode("utf-16-le")), ["not-utf8", "deny-salvaged?"])

    def test_bom(self):  # r[captxt.bom]
        self.assertEqual(codes("\ufeff" + GOOD), ["bom?"])
        self.assertEqual(placed(read("\ufeff# \ufeff\n" + GOOD).warnings), ["bom 1:1", "unsafe-character 1:3"])
        self.assertEqual(placed(read("\ufeff").warnings), ["bom 1:1", "no-endpoints 1:1", "no-final-newline 1:1"])

    def test_line_ends(self):  # r[captxt.line-end], r[captxt.final-newline]
        self.assertEqual(codes(GOOD), [])
        self.assertEqual(codes(GOOD.replace("\n", "\r\n")), [])
        self.assertEqual(codes(GOOD.replace("\n", "\r")), ["bare-cr"] * 7)
        self.assertEqual(placed(read(GOOD[:-1]).warnings), ["no-final-newline 7:16"])
        self.assertEqual(codes(""), ["missing-conformance", "missing-contact", "missing-expires", "missing-resolvers",
                                     "no-endpoints?"])

    def test_claims(self):  # r[captxt.claims-empty], r[captxt.claims-valid-only], r[captxt.valid]
        self.assertEqual(len(read(GOOD).endpoints), 1)
        self.assertEqual(read(GOOD + "x\n").endpoints, [])
        self.assertEqual(len(read(GOOD + "X: y\n").endpoints), 1)


    def test_order(self):  # r[captxt.order], r[captxt.once]
        found = read("X:y\nX:y\nExpires: x\n\u200b\u200b # \u200b\nResolvers:x,x\nResolvers:x\n -x\x01y\n")
        self.assertEqual(placed(found.errors), [
            "missing-conformance 1:1", "missing-contact 1:1", "expires-invalid 3:10", "unsafe-character 4:1",
            "resolvers-entry-invalid 5:11", "resolvers-entry-invalid 5:13", "duplicate-field 6:1",
            "leading-whitespace 7:2", "control-character 7:4"])
        self.assertEqual(placed(found.warnings), [
            "no-endpoints 1:1", "unknown-field 1:1", "unknown-field 2:1", "spacing-after-colon 5:11", "deny-salvaged 7:1"])


class Lines(unittest.TestCase):
    def check(self, *cases):
        for written, *wanted in cases:
            self.assertEqual(line(written), wanted, ascii(written)[:80])

    def test_blank(self):  # r[captxt.blank]
        self.check((" \t",), (" \t# x\ty",), (" " * 4097, "line-too-long 1"))

    def test_field(self):  # r[captxt.field], r[captxt.unknown-field]
        self.check(("foo", "malformed-line 1"), ("https://x", "malformed-line 1"), ("Contact ://x", "malformed-line 1"),
                   ("fo_o: x", "malformed-line 1"), (": x", "malformed-line 1"), ("Foo:x", "unknown-field? 1"),
                   ("Foo : x", "space-before-colon 4", "unknown-field? 1"))

    def test_colon(self):  # r[captxt.space-before-colon], r[captxt.space-after-colon], r[captxt.empty-value]
        self.check(("contact \t: mailto:x", "space-before-colon 8"), ("contact:mailto:x", "spacing-after-colon? 9"),
                   ("contact:\tmailto:x\t", "spacing-after-colon? 9"), ("contact: \tmailto:x",),
                   ("Contact:", "empty-value 1"), ("Contact: \t", "empty-value 1"))

    def test_leading_space(self):  # r[captxt.leading-space], r[captxt.line-codes]
        self.check((" \tcontact: mailto:x", "leading-whitespace 3"), (" foo", "leading-whitespace 2"),
                   ("\tFoo:x", "leading-whitespace 2"), (" foo\x01", "leading-whitespace 2", "control-character 5"),
                   (" foo" + "x" * 4096, "leading-whitespace 2", "line-too-long 2"),
                   (" contact :x", "leading-whitespace 2", "space-before-colon 9", "contact-invalid 11",
                    "spacing-after-colon? 11"))

    def test_characters(self):  # r[captxt.control], r[captxt.unsafe], r[captxt.line-length], r[captxt.once]
        self.check(("foo: a\tb", "control-character 7"), ("contact: mailto:a\x01\x01\u200b", "control-character 18"),
                   ("# \x01", "control-character 3"), ("# \u200b\u200b", "unsafe-character? 3"),
                   ("foo\u200b", "unsafe-character 4"), ("\u200b# x", "unsafe-character 1"),
                   ("# \U0001f600\u200b", "unsafe-character? 4"), ("#" * 4096,), ("#" * 4097, "line-too-long 1"),
                   ("\t contact \t : \t mailto:x\t ", "leading-whitespace 3", "space-before-colon 10"),
                   ("con\ttact: mailto:x", "control-character 4"), ("contact: mailto:x\ty", "control-character 18"),
                   ("# " + "é" * 2048, "line-too-long 1"), ("contact\t:\tmailto:x", "space-before-colon 8",
                                                             "spacing-after-colon? 10"))

    def test_unreadable(self):  # r[captxt.unreadable-value], r[captxt.line-codes]
        self.assertEqual(codes(GOOD.replace("mailto:a@b", "\u200b")), ["unsafe-character"])
        self.assertEqual(codes(GOOD.replace("Contact", "Con\u200bt\tact ")), ["control-character"])
        self.assertEqual(codes(GOOD.replace("Contact: ", "Contact:\x01//")), ["control-character"])
        self.assertEqual(codes(GOOD.replace("Contact: ", "Contact://\x01")), ["missing-contact", "control-character"])
        self.check(("Expires: \x01", "duplicate-field 1", "control-character 10"),
                   ("Jobs: \x01", "field-outside-block 1", "control-character 7"))
        # the name that is kept: r[captxt.position]; what is about the block stands beside it: r[captxt.line-codes]
        self.assertEqual(placed(read(HEAD + "Resolvers: *\n \u200bEndpoint: x\n").errors),
                         ["leading-whitespace 5:2", "unsafe-character 5:2", "missing-jobs 5:3", "missing-protocol 5:3"])
        self.check(("\u200bExpires: x", "unsafe-character 1", "duplicate-field 2"))
        self.assertEqual(codes(HEAD.replace("2027", "\x01") + "Expires: x\nResolvers: *\n" + BLOCK),
                         ["control-character", "duplicate-field"])  # r[captxt.header.once]

    def test_envelope(self):  # r[captxt.signed]
        text = ("-----BEGIN PGP SIGNED MESSAGE-----\t\nHash: SHA256\x01\n \t\n" + GOOD.replace("Contact", "- Contact")
                + "-----BEGIN PGP SIGNATURE-----\r\n\nxyz\r-----END PGP SIGNATURE----- \n- # x\n")
        self.assertEqual(placed(read(text).errors), ["signed-envelope 1:1", "bare-cr 13:4"])
        self.assertEqual(codes(GOOD + "-----BEGIN PGP SIGNATURE-----\nx"), ["signed-envelope", "no-final-newline?"])
        self.assertEqual(codes(GOOD + "- # x\n"), ["malformed-line"])
        self.check(("-----END PGP SIGNATURE-----", "malformed-line 1"))
        inner = "-----BEGIN PGP SIGNED MESSAGE-----\n\n- foo\n"
        self.assertIn("malformed-line 3:3", placed(read(inner).errors))


class Header(unittest.TestCase):
    def test_place(self):  # r[captxt.header.required], r[captxt.header.once], r[captxt.header.place]
        self.assertEqual(line("Conformance: x"), ["duplicate-field 1"])
        self.assertEqual(line("Contact: tel:+1"), [])
        self.assertEqual(codes(GOOD + "Contact:x\nExpires:\nExpires : x\n"),
                         ["header-field-in-block"] * 3 + ["space-before-colon"])
        moved = GOOD.replace("Contact: mailto:a@b\n", "") + "Contact: x\n"
        self.assertEqual(codes(moved), ["header-field-in-block"])

    def test_once(self):  # r[captxt.header.once], r[captxt.space-after-colon], r[captxt.empty-value]
        self.check(("Expires:", "duplicate-field 1"), ("Expires:x", "duplicate-field 1"),
                   ("Resolvers : x", "duplicate-field 1"), ("Expires \t:", "duplicate-field 1"),
                   ("Contact : tel:1", "space-before-colon 8"), ("Contact:", "empty-value 1"),
                   ("Contact:tel:1", "spacing-after-colon? 9"))
        self.assertEqual(codes(GOOD.replace("Resolvers: *", "Resolvers:\nResolvers:-https://x.example")),
                         ["empty-value", "duplicate-field", "deny-salvaged?"])

    def check(self, *cases):
        for written, *wanted in cases:
            self.assertEqual(line(written), wanted, written)

    def test_values(self):  # r[captxt.conformance], r[captxt.contact]
        self.assertEqual(codes(GOOD.replace("0.2", "0.3")), ["conformance-unsupported"])
        for good in ("mailto:x", "HTTPS:x", "https://a.example/x?y#z#", "tel:+1", "https://[::1]/", "mailto:[%20"):
            self.assertEqual(line("Contact: " + good), [], good)
        for bad in ("mailto:", "http://x", "mailto:a b", "mailto:%zz", "x", "mailto:é", "mailto:<a@b>", "mailto:\\"):
            self.assertEqual(line("Contact: " + bad), ["contact-invalid 10"], bad)

    def test_expires(self):  # r[captxt.expires.form], r[captxt.expires.past], r[captxt.expires.far]
        for value, *wanted in (
                ("2026-11-30T12:00:00Z", "expired"), ("2026-11-30T12:00:00.000z", "expired"),
                ("2026-11-30T12:00:00.001Z",), ("2027-12-01T12:00:00Z",), ("2027-12-01T12:00:00.1Z", "expires-far?"),
                ("2027-12-01", "expires-invalid"), ("0000-01-01T00:00:00Z", "expired"),
                ("2026-12-31T23:59:60.5Z",), ("2026-12-30T23:59:60Z", "expires-invalid")):  # r[captxt.expires.leap]
            self.assertEqual(codes(GOOD.replace("2027-04-30T00:00:00Z", value)), wanted, value)


class Resolvers(unittest.TestCase):
    def check(self, *cases):
        for value, *wanted in cases:
            self.assertEqual(codes(GOOD.replace("Resolvers: *", "Resolvers: " + value)), wanted, value[:60])

    def test_form(self):  # r[captxt.resolvers.form], r[captxt.resolvers.none]
        self.check(("NONE",), ("https://a.example ,-https://b.example",), ("*,", "resolvers-entry-invalid"),
                   ("http://a.example", "resolvers-entry-invalid"), ("https://a.example/x", "resolvers-entry-invalid"),
                   ("https://a.example\u00a0", "resolvers-entry-invalid"), ("- https://a.example", "resolvers-entry-invalid",
                                                                            "deny-salvaged?"),
                   ("none, *", "resolvers-none-mixed"), ("none, none", "resolvers-none-mixed"))

    def test_canonical(self):  # r[captxt.resolvers.canonical], r[origin.idna], r[origin.host]
        for changed in ("HTTPS://a.example", "https://A.example", "https://bücher.example", "https://a.example.",
                        "https://a.example/", "https://a.example:443", "https://a.example:08443", "https://[::0001]",
                        "https://[::ffff:192.0.2.1]", "https://192.0.2.1.", "https://a.example:00443"):
            self.check((changed, "origin-not-canonical?"))
        for refused in ("https://127.1", "https://192.0.2.01", "https://\uff11\uff19\uff12.0.2.1", "https://a.example:0",
                        "https://a.example:65536", "https://a.example:", "https://a.example:000443", "https://192\u30020.2.1",
                        "https://a..b", "https://u@a.example"):
            self.check((refused, "resolvers-entry-invalid"))

    def test_line(self):  # r[captxt.resolvers.redundant], r[captxt.resolvers.conflict], r[captxt.resolvers.implied-star]
        self.check(("*, https://a.example", "resolvers-redundant?"), ("*, *", "resolvers-redundant?"),
                   ("-https://a.example", "resolvers-implied-star?"),
                   ("-https://a.example, -https://a.example", "resolvers-implied-star?", "resolvers-redundant?"),
                   ("-https://a.example, x", "resolvers-entry-invalid"),
                   ("-https://a.example, https://a.example", "resolvers-conflict?"))

    def test_count(self):  # r[captxt.resolvers.count], r[captxt.position]
        self.check((", ".join("https://a%d.example" % n for n in range(100)),))
        found = read(GOOD.replace("Resolvers: *", "Resolvers: " + "*, " * 100 + "x"))
        self.assertEqual(placed(found.errors), ["resolvers-entry-invalid 4:312", "too-many-resolvers 4:312"])
        self.assertEqual(placed(found.warnings), ["resolvers-redundant 4:12"])

    def test_places(self):  # r[captxt.position]
        found = read(GOOD.replace("Resolvers: *", "Resolvers:  https://\U0001f600.example/, ,none"))
        self.assertEqual(placed(found.errors), ["resolvers-none-mixed 4:13", "resolvers-entry-invalid 4:33"])
        self.assertEqual(placed(found.warnings), ["origin-not-canonical 4:13"])
        self.assertEqual(placed(read(GOOD.replace("Resolvers: *", "Resolvers: *, ")).errors), ["resolvers-entry-invalid 4:14"])

    def test_salvaged(self):  # r[captxt.deny.salvaged]
        self.check(("*, -https://x.example",), ("none, -https://x.example", "resolvers-none-mixed"),
                   ("*, x, -https://x.example", "resolvers-entry-invalid"), ("*, -*", "resolvers-entry-invalid", "deny-salvaged?"),
                   ('*, "none"', "resolvers-entry-invalid", "deny-salvaged?"))
        self.check(("x, -https://x.example, -y", "resolvers-entry-invalid", "resolvers-entry-invalid", "deny-salvaged?"))
        for extra in ("Resolvers: -https://x.example", "Resolver: none", "Resolvers = none", "Resolvers: none\x01"):
            found = read(HEAD + "Resolvers: *\n" + extra + "\n" + BLOCK)
            self.assertIn("deny-salvaged 5:1", placed(found.warnings), extra)
        found = read("\ufeff" + GOOD.replace("*\n", "*,\r\n# x\r\n\t-https://x.example\r\n"))
        self.assertIn("deny-salvaged 6:1", placed(found.warnings))
        self.assertEqual(codes(GOOD + "Resolvers: -https://x.example\n"), ["header-field-in-block", "deny-salvaged?"])
        # an error of the line, or of the value, is none of the entry
        for instead, error in ((" Resolvers: *, -https://x.example", "leading-whitespace"),
                               ("Resolvers : none", "space-before-colon"),
                               ("Resolvers: " + "https://x.example, " * 100 + "-https://y.example", "too-many-resolvers")):
            found = codes(GOOD.replace("Resolvers: *", instead))
            self.assertIn(error, found)
            self.assertNotIn("deny-salvaged?", found)


class Blocks(unittest.TestCase):
    def test_block(self):  # r[captxt.block], r[captxt.block.outside], r[captxt.block.required], r[captxt.block.once]
        self.assertEqual(line("Jobs:"), ["field-outside-block 1"])
        found = read(HEAD + "Resolvers: *\n Endpoint:\x01\n")
        self.assertEqual(placed(found.errors), ["leading-whitespace 5:2", "missing-jobs 5:2", "missing-protocol 5:2",
                                                "control-character 5:11"])
        self.assertEqual(codes(GOOD + "\nProtocol: \nProtocol: x y\nJobs: more jobs\n"),
                         ["duplicate-field", "duplicate-field"])
        self.assertEqual(codes(GOOD + "Jobs:\nSign-in:\nSign-in:x y\nPayment : \u200b\nPayment : x y\n"),
                         ["empty-value", "empty-value", "duplicate-field", "unsafe-character", "duplicate-field"])
        self.assertEqual(codes(GOOD + "Protocol :x\nProtocol\t:\nJobs : more jobs\n"),
                         ["duplicate-field", "duplicate-field", "space-before-colon"])
        self.assertEqual(line("Jobs :"), ["field-outside-block 1", "space-before-colon 5"])
        self.assertEqual(codes(HEAD + "Resolvers: None\n"), [])  # r[captxt.block.none]
        self.assertEqual(codes(HEAD + "Resolvers: *\nResolvers: none\n"), ["duplicate-field", "no-endpoints?", "deny-salvaged?"])

    def test_count(self):  # r[captxt.block.count]
        many = HEAD + "Resolvers: *\n" + "".join(BLOCK.replace("/mcp", "/%d" % n) for n in range(102))
        self.assertEqual(placed(read(many).errors), ["too-many-endpoints 305:1"])

    def endpoint(self, value):
        return code(read_endpoint, value)

    def test_endpoint(self):  # r[captxt.endpoint.form]
        for value, want in (
                ("https://a.example.com/a b", "endpoint-invalid"), ("http://a.example.com/{", "endpoint-invalid"),
                ("http://u@a.example.com/", "endpoint-not-https"), ("ftp://x/", "endpoint-not-https"),
                ("a.example.com", "endpoint-invalid"), ("https:a.example.com", "endpoint-invalid"),
                ("https:///a.example.com/u@", "endpoint-invalid"), ("https://?x", "endpoint-invalid"),
                ("https://u@a.example.com/#x", "endpoint-userinfo"), ("https://a.example.com/@#x", "endpoint-fragment"),
                ("HTTPS://a.example.com", None), ("https://a.example.com./", "endpoint-invalid"),
                ("https://a%2eb/", "endpoint-invalid"), ("https://a.example.com:0/", None),
                ("https://a.example.com:/", None), ("https://a.example.com:65536/", "endpoint-invalid"),
                ("https://127.1/", "endpoint-invalid"), ("https://127.0.0.01/", "endpoint-invalid"),
                ("https://\uff11.0.0.1/", "endpoint-invalid"), ("https://127.0.0.1/", None), ("https://[::1]/", None),
                ("https://[::1/", "endpoint-invalid"), ("https://" + "a" * 64 + ".com/", "endpoint-invalid"),
                ("https://a.example.com/" + "x" * 2026, None), ("https://a.example.com/" + "x" * 2027, "endpoint-invalid")):
            self.assertEqual(self.endpoint(value), want, value[:60])

    def test_serialized(self):  # r[captxt.endpoint.canonical]
        for value, want in (
                ("HTTPS://Bücher.Example:0443", "https://xn--bcher-kva.example/"),
                ("https://a.b/x/../y/./%2E%2e/z/..", "https://a.b/"), ("https://a.b/../..//x", "https://a.b//x"),
                ("https://a.b/é'?é'", "https://a.b/%C3%A9'?%C3%A9%27"), ("https://[0:0::1]:8443/?", "https://[::1]:8443/?"),
                ("https://a.b/%zz;@:", "https://a.b/%zz;@:")):
            self.assertEqual(read_endpoint(value).url, want)

    def test_warnings(self):  # r[captxt.endpoint.query], r[captxt.endpoint.duplicate], r[captxt.scope.out]
        self.assertEqual(codes(GOOD.replace("/mcp", "/mcp?")), ["endpoint-query?"])
        self.assertEqual(codes(GOOD + BLOCK.replace("mail.", "MAIL.") + BLOCK), ["duplicate-endpoint"] * 2)
        self.assertEqual(codes(GOOD, host="other.example"), ["endpoint-out-of-scope?"])

    def jobs(self, value):
        found = read(GOOD.replace("send mail", value))
        return placed(found.errors) + placed(found.warnings), [e["jobs"] for e in found.endpoints]

    def test_jobs(self):  # r[captxt.jobs], r[captxt.jobs.duplicate], r[captxt.jobs.count], r[captxt.position]
        self.assertEqual(self.jobs("abc ;\u3000def"), ([], [["abc", "def"]]))
        self.assertEqual(self.jobs("abc; ;ab"), (["job-length 7:12", "job-length 7:13"], []))
        self.assertEqual(self.jobs("abc;\u3000")[0], ["job-length 7:12"])
        self.assertEqual(self.jobs("e\u0301e"), ([], [["e\u0301e"]]))
        self.assertEqual(self.jobs("a" * 200)[0], [])
        self.assertEqual(self.jobs("a" * 201 + ";" + "a" * 201)[0], ["job-length 7:7", "job-length 7:209"])
        self.assertEqual(self.jobs("Ab  Σ c; ab σ C"), (["duplicate-job 7:16"], [["Ab  Σ c"]]))
        self.assertEqual(self.jobs("\u0130bc; ibc")[0], ["duplicate-job 7:12"])
        self.assertEqual(self.jobs("ΑΣ x; ας x")[0], [])
        self.assertEqual(self.jobs(";".join(["abc"] * 20))[0][-1], "duplicate-job 7:83")
        self.assertEqual(self.jobs(";".join(["abc"] * 20 + ["x", "y"]))[0][:3],
                         ["too-many-jobs 5:1", "job-length 7:87", "job-length 7:89"])

    def test_tokens(self):  # r[captxt.token], r[captxt.token.known], r[captxt.token.absent]
        found = read(GOOD.replace("Protocol: mcp", "Protocol: MCP\nSign-in: Maybe"))
        self.assertEqual(([w["code"] for w in found.warnings], found.endpoints[0]["protocol"],
                          found.endpoints[0]["signIn"], found.endpoints[0]["payment"]), (["unknown-value"], "mcp", "maybe", None))
        self.assertEqual(codes(GOOD + "Payment: a b\n"), ["invalid-token"])
        self.assertEqual(codes(GOOD + "Payment: " + "a" * 32 + "\n"), ["unknown-value?"])
        self.assertEqual(codes(GOOD + "Payment: " + "a" * 33 + "\n"), ["invalid-token"])


class Scope(unittest.TestCase):
    def test_scope(self):  # r[captxt.scope], r[captxt.scope.address], r[captxt.scope.public-suffix]
        self.assertTrue(in_scope("a.example.com", "example.com"))
        self.assertFalse(in_scope("aexample.com", "example.com"))
        self.assertFalse(in_scope("example.com", "a.example.com"))
        self.assertFalse(in_scope("example.com", "com"))
        self.assertTrue(in_scope("com", "com"))
        self.assertFalse(in_scope("a.co.uk", "co.uk", ["uk", "co.uk"]))
        self.assertTrue(in_scope("a.co.uk", "co.uk"))
        self.assertFalse(in_scope("a.b.ck", "b.ck", ["*.ck", "!www.ck"]))
        self.assertTrue(in_scope("a.www.ck", "www.ck", ["// comment", "*.ck", "!www.ck"]))
        self.assertFalse(in_scope("a.xn--55qx5d.cn", "xn--55qx5d.cn", ["公司.cn"]))
        self.assertFalse(in_scope("1.2.3.4", "3.4"))
