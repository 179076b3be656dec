"""§11.6."""
import random
import time
import unittest

from capability_resolution.captxt import deny
from capability_resolution.captxt.strict import ServerFile


class Deny(unittest.TestCase):
    def check(self, data, x, other):
        """Whether https://x.example and https://other.example are allowed."""
        readings = deny.read(data if isinstance(data, bytes) else data.encode())
        self.assertEqual((deny.is_allowed(readings, "x.example", 443), deny.is_allowed(readings, "other.example", 443)),
                         (x, other), data[:80])

    def test_verdict(self):  # r[captxt.deny.verdict]
        for text, x, other in (
                ("", True, True), ("Resolvers: *", True, True), ("Resolvers: https://x.example", True, False),
                ("Resolvers: HTTPS://X.example.:0443/", True, False), ("Resolvers: http://x.example", False, False),
                ("Resolvers: x.example", False, False), ("Resolvers: 'https://x.example'", False, False),
                ("Resolvers: https://x.example;", True, False), ("Resolvers: -https://x.example", False, True),
                ("Resolvers: -https://x.example, y", False, False),
                ("Resolvers: *\nResolvers: https://x.example", True, False), ("Resolvers: *, 'NONE'", False, False),
                ("Resolvers:", False, False), ("Resolvers: ,;\n", False, False), ("Resolvers: y;*, .", True, True),
                ("Resolvers: '*'", False, False), ("Resolvers: *.", False, False), ("Resolvers: \u200b*", False, False),
                ("Resolvers: *\ufffd", False, False), ("Resolvers: https://x.example\u200b", False, False),
                ("Resolvers: https://x.exam\u00adple", False, False), ("Resolvers: (https://x.example)", False, False)):
            self.check(text, x, other)

    def test_field(self):  # r[captxt.deny.field], r[captxt.deny.strip], r[captxt.deny.value]
        for text in ("resolver = none", "\ufeff\u200b RESOLVERS \u200b\uff1anone", "Resolvers none", "Resolvers\ufffd\x01: none",
                     "\ufffdResolvers\u200b none # but", "Resolvers: none # no\nx"):
            self.check(text, False, False)
        for text in ("# Resolvers: none", "\u200b# Resolvers: none", "Resolvers-x: none", "Resolverss: none",
                     "Resolvers are none", "Resolversé: none", "x Resolvers: none", "Resolvers: * # none", "Resolvers",
                     "Resolvers # none", "Resolvers\u200bnone", "Resolvers/none", "Re\u017folvers: none"):
            self.check(text, True, True)

    def test_field_without_separator(self):  # r[captxt.deny.field]
        for text in ("Resolvers \u200b'None'. \u200b # x", "resolver\tHTTPS://y.example", "Resolvers http://x.example\u200b",
                     "Resolvers -*", "Resolvers \u201c\u2014", "Resolvers *\u200b", "Resolvers (*)",
                     "Resolvers none,none", "Resolvers y;'NONE'.", "Resolvers y.example,http://z.example", "Resolvers y,\u2013"):
            self.check(text, False, False)
        # one run, judged by its entries; noise at the end starts with white space
        self.check("Resolvers y,-https://x.example,* \u200b\ufffd ", False, True)
        self.check("Resolvers y,*", True, True)
        self.check("Resolvers y;https://x.example", True, False)
        self.check("Resolvers -x.example\u3000\u200b", False, True)
        for text in ("Resolvers y,z", "Resolvers none\u200bx", "Resolvers nones,y-", "Resolvers y,* z", "Resolvers ,;", "Resolvers y,#none"):
            self.check(text, True, True)
        self.check("Resolvers https://x.example # y", True, False)
        self.check("Resolvers -x.example,\u200b-z.example\u00a0\ufffd", False, True)
        for text in ("Resolvers welcome", "Resolvers x.example", "Resolvers none, none", "Resolvers none \u200bx", "Resolvers *",
                     "Resolvers nonesuch", "Resolvers https:x.example", "Resolvers \u200b", "Resolvers #none"):
            self.check(text, True, True)
        self.check("Resolvers: *,\n Resolvers https://x.example", True, False)  # it ends the line before and begins another
        self.check("Resolvers: *,\n Resolvers welcome https://x.example", True, True)

    def test_lines(self):  # r[captxt.deny.lines]
        for end in ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x00", "\x85", "\u2028", "\u2029"):
            self.check("x" + end + "Resolvers: none", False, False)

    def test_continuation(self):  # r[captxt.deny.continuation]
        for text in ("\n -https://x.example", "\r\n# c\r\n\t-https://x.example", "\n-https://x.example",
                     "\n\u2013 https://x.example", "\n \u200bContact: -x.example", "\n -\n # c\n\u2013x.example # c",
                     "\n  --https://x.example", "\n Foo: -x.example"):
            self.check("Resolvers: *," + text, False, True)
        for text in ("\n--https://x.example", "\n-\u2013https://x.example", "\n\n -https://x.example",
                     "\n\u200b\n -https://x.example", "\nfoo\n -https://x.example", "\n Jobs: none", "\n\tcontact \t: -x.example",
                     "\n\u00a0-x.example", "\n # -x.example"):
            self.check("Resolvers: *," + text, True, True)
        self.check("Resolvers: *\n Resolvers: https://x.example", True, False)

    def test_entries(self):  # r[captxt.deny.entries], r[captxt.deny.edges], r[captxt.deny.dash], r[captxt.deny.repair]
        for entry in ("\u2014https://x.example", "--x.example", "- x.example", "'-http://x.example:80.'",
                      "-https://u:p@x.example/a", "-X.EXAMPLE.", "(-https://x.example/#f)", "-https://x.example\\a",
                      "-x.example:443", "-x.example:0443", "-'x.example'", "-<https://x.example>.", '"-"https://x.example',
                      "-\u200bx.example", "-, x.example", "-*.x.example", "-https://*.x.example", "-x\u00ad.example",
                      "-http://x.example:080", "-http://x.example:443/", "-http://*.x.example:80",
                      "\u201c-x.example.\u201d.", "-HTTP://x.example"):
            self.check("Resolvers: * " + entry, False, True)
        for entry in ("-https://x.example:8443", "-x.example:80", "-https://[2001:db8::1]", "[-https://[::1]]", "-https://foo",
                      "-*.y.example"):  # r[captxt.deny.match]
            self.check("Resolvers: *, " + entry, True, True)

    def test_match(self):  # r[captxt.deny.match], r[captxt.deny.repair]
        for entry, denied, allowed in (
                ("-*.x.example", (("x.example", 443), ("a.b.x.example", 443)), (("ax.example", 443), ("a.x.example", 8443))),
                ("-http://*.x.example:8443", (("x.example", 8443), ("a.x.example", 8443)), (("x.example", 443),)),
                ("-http://x.example:80", (("x.example", 443),), (("x.example", 80), ("a.x.example", 443))),
                ("-https://x.example:80", (("x.example", 80),), (("x.example", 443),))):
            readings = deny.read(("Resolvers: *, " + entry).encode())
            for issuers, want in ((denied, False), (allowed, True)):
                for issuer in issuers:
                    self.assertEqual(deny.is_allowed(readings, *issuer), want, (entry, issuer))

    def test_nothing_left(self):  # r[captxt.deny.entries]
        self.check('Resolvers: -https://x.example, "" ... \u200b, ()', False, True)
        self.check("Resolvers: -https://x.example, 'y'", False, False)
        self.check('Resolvers: *, - "" x.example', False, True)

    def test_unreadable(self):  # r[captxt.deny.unreadable]
        for entry in ("-foo.com", "-foo.com.", "-*.foo.com", "-https://foo", "-https://*.foo.", "-foo\uff0ecom"):
            self.check("Resolvers: * " + entry, True, True)
        for entry in ("-foo.", "-foo.:8443", "-*.foo.", "-foo\u3002",
                      "-\uff11.2.3.4", "-https://1.2.3.\uff14",  # r[origin.idna]
                      "-a.example:000443"):  # r[captxt.resolvers.canonical]
            self.check("Resolvers: * " + entry, False, False)
        for entry in ("-*", "- *", "-everyone", "-https://", "-https://a..b", "-1.2", "-", "---", "-https://a.example:x",
                      "-none", "-https://a.example:", "-https://a.example:0", "-ftp://a.example", "-//a.example",
                      "-https:a.example", "-*.example", "-[2001:db8::1].", "-localhost/a.b", "-a%2eb", "-https://127.1"):
            self.check("Resolvers: * " + entry, False, False)

    def test_decode(self):  # r[captxt.deny.decode], r[captxt.deny.scan-limit]
        for encoding, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
            self.check(mark + "Resolvers: *, -x.example\n".encode(encoding), False, True)
            self.check(mark + "Resolvers: https://x.example\n".encode(encoding), True, False)
        self.check(b"\xffResolvers: none", False, False)
        self.check(b"#" * 524287 + b"\n" + b"Resolvers: none", True, True)
        self.check(b"#" * 524267 + b"\n" + b"Resolvers: none\n", False, False)

    def test_never_fails(self):  # r[captxt.two-readers]
        dice = random.Random(1)
        parts = ["Resolvers", ":", " ", "-", "*", ",", "https://", "[", "]", "::", "\n", "\r", "\ufeff", "none", ".", "x.example",
                 "#", "xn--", "é", "\x00", "@", "Endpoint: ", "-----BEGIN PGP SIGNED MESSAGE-----", "Jobs:", ";", "?", "%2e"]
        for _ in range(500):
            data = "".join(dice.choice(parts) for _ in range(dice.randrange(30))).encode()
            ServerFile(b"\xff\xfe" + data if dice.random() < 0.3 else data, "example.com", 0)

    def test_not_slow(self):
        for hard in ("[" * 524288, "[" + ":" * 524288, "-xn--" + "a" * 524288, "-" * 524288, "-https://" + "ü" * 262144,
                     "-\u00ad" * 131072, "- " * 262144):
            started = time.process_time()
            deny.read(("Resolvers: *," + hard).encode())
            self.assertLess(time.process_time() - started, 3, hard[:12])
