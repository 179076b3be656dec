"""§3.4 and §3.5."""
import unittest

from capability_resolution import hosts, server_url, uts46


class Origins(unittest.TestCase):
    def test_form(self):  # r[origin.serialization], r[origin.host], r[origin.refused]
        for good in ("https://resolver.example", "https://a.example:8443", "https://192.0.2.1", "https://[2001:db8::1]",
                     "https://a_b-.example", "https://" + "a" * 63 + ".example", "https://a.example:65535",
                     "https://xn--bcher-kva.example"):
            self.assertTrue(hosts.is_origin(good), good)
        for bad in ("https://resolver.example/", "https://Resolver.example", "https://resolver.example:443",
                    "http://resolver.example", "https://user@resolver.example", "https://a..b", "https://a.example.",
                    "https://" + "a" * 64 + ".example", "https://a.example:08443", "https://a.example:65536",
                    "https://a.example:0", "https://a.example:", "https://[2001:DB8::1]", "https://[0:0::1]",
                    "https://192.0.2.01", "https://xn--bcher-KVA.example", "https://xn--a.example", "https://",
                    "https://bücher.example", "https://xn--fa-hia.xn--"):
            self.assertFalse(hosts.is_origin(bad), bad)

    def test_253(self):  # r[origin.host]
        host = ".".join(["a" * 63] * 3 + ["a" * 61])
        self.assertTrue(hosts.is_origin("https://" + host))
        self.assertFalse(hosts.is_origin("https://" + host + "a"))

    def test_numeric(self):  # r[origin.numeric-label]
        for bad in ("a.1", "1.2.3", "a.0x", "a.0xff", "1.2.3.4.5", "0x7f"):
            self.assertFalse(hosts.is_host(bad), bad)
        for good in ("a.0xg", "1.a", "a.1a"):
            self.assertTrue(hosts.is_host(good), good)

    def test_issuer(self):  # r[origin.issuer]
        self.assertTrue(hosts.is_issuer("https://a.example"))
        for bad in ("https://192.0.2.1", "https://[::1]"):
            self.assertTrue(hosts.is_origin(bad))
            self.assertFalse(hosts.is_issuer(bad))

    def test_idna(self):  # r[origin.idna]
        for written, host in (("BÜCHER.example", "xn--bcher-kva.example"), ("faß.de", "xn--fa-hia.de"),
                              ("a。b", "a.b"), ("A.Example", "a.example")):
            self.assertEqual(hosts.canonical_host(written), host)
        for bad in ("xn--zzzzzz99999999", "a\u0338.", "\u0301a.example", "xn--abc-.example", "א1a.example"):
            self.assertIsNone(hosts.canonical_host(bad) if bad != "a\u0338." else None, bad)
        for address in ("\uff11\uff19\uff12.0.2.1", "192.0.2.\uff11", "192\u30020.2.1", "0\uff587f.1", "\uff11"):
            self.assertIsNone(hosts.canonical_host(address), address)
        self.assertEqual(hosts.canonical_host("\uff11.example"), "1.example")
        with self.assertRaises(uts46.DomainError):
            uts46.domain_to_ascii("xn--abc-")

    def test_ipv6(self):  # r[origin.host]
        for good in ("[::]", "[::1]", "[1::]", "[2001:db8:0:1:1:1:1:1]", "[1:0:0:2::3]", "[::ffff:c000:201]"):
            self.assertTrue(hosts.is_host(good), good)
        for bad in ("[::ffff:192.0.2.1]", "[2001:db8::1:1:1:1:1]", "[1::0:0:2:0:0:3]", "[::1", "[fe80::1%251]"):
            self.assertFalse(hosts.is_host(bad), bad)


class ServerUrls(unittest.TestCase):
    def test_form(self):  # r[url.form]
        for good in ("https://a.example/", "https://a.example:8443/x?y", "https://a.example//", "https://a.example/?",
                     "https://a.example/'%2F%2f", "https://[::1]/", "https://1.2.3.4/", "https://a.example/?a/b?c",
                     "https://a.example/...", "https://a.example/a.", "https://a.example/%2ea"):
            self.assertTrue(server_url.is_server_url(good), good)
        for bad in ("https://a.example", "https://a.example?x", "HTTPS://a.example/", "https://a.example:443/",
                    "https://a.example:0/", "https://a.example:65536/", "https://a.example/#", "https://u@a.example/",
                    "https://a.example/{x}", "https://a.example/%2", "https://a.example/?'", "https://a.example/é",
                    "https://a.example/ ", "https://a.example/\n", "https://a.1/", "https://a..example/"):
            self.assertFalse(server_url.is_server_url(bad), bad)

    def test_length(self):  # r[url.form]
        url = "https://a.example/"
        self.assertTrue(server_url.is_server_url(url + "a" * (2048 - len(url))))
        self.assertFalse(server_url.is_server_url(url + "a" * (2049 - len(url))))

    def test_dots(self):  # r[url.dot-segment]
        for bad in ("/.", "/..", "/a/./b", "/a/../b", "/%2e", "/%2E.", "/.%2e/", "/%2e%2E"):
            self.assertFalse(server_url.is_server_url("https://a.example" + bad), bad)
