"""§3.2, §4 and §6."""
import hashlib
import json
import unittest

from capability_resolution import discovery as reader, ed25519, strict_json, token
from .helper import ISSUER, KID, NOW, SECRET, b64, claims, code, discovery, sign

D = reader.read_discovery(json.dumps(discovery()).encode(), ISSUER)
HEADER = {"alg": "EdDSA", "kid": KID}


def verdict(text, record=False, now=NOW, found=D):
    return code(token.verify_record if record else token.verify, text.encode(), found, now)


class Json(unittest.TestCase):
    def check(self, text, want):
        data = text if isinstance(text, bytes) else text.encode()
        self.assertEqual(code(strict_json.read_object, data, "x"), want and "x-" + want, data[:60])

    def test_json(self):
        self.check('{"a":"\\ud83d\\ude00"}', None)  # r[json.surrogate]
        self.check('{"a":"\\ud83d"}', "not-json")
        self.check('{"\\ude00":1}', "not-json")
        self.check(b'{"a":"\xed\xa0\x80"}', "not-utf8")  # r[json.utf8]
        self.check(b'\xef\xbb\xbf{}', "not-json")  # r[json.syntax]
        for bad in ("", "{},", '{"a":1,}', '{"a":NaN}', '{"a":01}', '{"a":.5}', "{}{}", '{"a":"\t"}', "\u00a0{}",
                    "{/**/}", "{'a':1}", '{"a":+1}', '{"a":"\\x"}', "{a:1}"):
            self.check(bad, "not-json")
        self.check('{"a":1e308}', None)  # r[json.number-range]
        self.check('{"a":1e400}', "not-json")
        self.check('{"a":' + "9" * 40 + "}", None)
        self.check('{"a":' + "9" * 5000 + "}", "not-json")
        self.check('{"a":1.7976931348623158e308}', None)
        self.check('{"a":1.7976931348623159e308}', "not-json")
        self.check('{"a":{"b":1,"\\u0062":2}}', "duplicate-member")  # r[json.duplicate]
        self.check('[{"b":1,"b":2}]', "not-object")  # r[json.order]
        self.check('{"a":' + "[" * 31 + "]" * 31 + "}", None)  # r[json.depth]
        self.check('{"a":' + "[" * 32 + "]" * 32 + "}", "too-deep")
        self.check("x" + "[" * 33, "too-deep")  # r[json.depth-measure]
        self.check("]" * 9 + "[" * 33, "too-deep")
        self.check("]" * 9 + "[" * 32, "not-json")
        self.check('["' + "[" * 33, "not-json")
        self.check('{"a":"' + "[" * 50 + '\\""}', None)


class Points(unittest.TestCase):
    def test_points(self):  # r[token.signature.point]
        le = lambda y, sign=0: (y | sign << 255).to_bytes(32, "little")
        for y, sign, canonical in ((0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0), (ed25519.P - 1, 0, 1),
                                   (ed25519.P - 1, 1, 0), (ed25519.P, 0, 0), (2, 1, 1), (2 ** 255 - 1, 0, 0)):
            self.assertEqual(ed25519.is_canonical(le(y, sign)), bool(canonical), (y, sign))
        self.assertEqual(len(ed25519.SMALL_ORDER), 5)
        for point in ed25519.SMALL_ORDER:
            self.assertTrue(ed25519.is_small_order(point[:31] + bytes([point[31] | 0x80])))

    def test_signature(self):  # r[token.signature.s], r[token.signature.r], r[token.signature.length]
        key = bytes(D.keys[KID].public)
        good = SECRET.sign(b"m")
        s = int.from_bytes(good[32:], "little")
        one = (1).to_bytes(32, "little")
        for signature, want in (
                (good, None), (good[:63], "signature-length"), (good + b"\0", "signature-length"),
                (good[:32] + (s + ed25519.L).to_bytes(32, "little"), "signature-noncanonical"),
                (good[:32] + (ed25519.L - 1).to_bytes(32, "little"), "signature-invalid"),
                (b"\xff" * 32 + good[32:], "signature-noncanonical"), (one + good[32:], "signature-small-order"),
                (one[:31] + b"\x80" + good[32:], "signature-noncanonical"),
                (good[:31] + bytes([good[31] ^ 0x80]) + good[32:], "signature-invalid")):
            self.assertEqual(code(ed25519.check_signature, key, b"m", signature), want)
        self.assertEqual(code(ed25519.check_key, one), "key-weak")
        self.assertEqual(code(ed25519.check_key, one[:31]), "key-malformed")

    def test_off_curve_key(self):  # r[token.signature.equation]
        off = next(y for y in range(2, 50) if not reference_decode(y.to_bytes(32, "little")))
        self.assertIsNone(code(ed25519.check_key, off.to_bytes(32, "little")))
        self.assertEqual(code(ed25519.check_signature, off.to_bytes(32, "little"), b"m", SECRET.sign(b"m")),
                         "signature-invalid")

    def test_torsion(self):  # r[token.signature.equation]: the library is cofactorless
        
        eight = reference_decode(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"))
        a, r = 12345, 67890
        torsion_key = reference_encode(reference_add(reference_mul(a, BASE), eight))
        verdicts = set()
        for count in range(10):
            message = b"%d" % count
            for point in (reference_mul(r, BASE), reference_add(reference_mul(r, BASE), eight)):
                big_r = reference_encode(point)
                k = int.from_bytes(hashlib.sha512(big_r + torsion_key + message).digest(), "little") % ed25519.L
                s = (r + k * a) % ed25519.L
                minus_key = reference_decode(torsion_key)
                minus_key = (-minus_key[0] % ed25519.P, minus_key[1])
                equal = reference_encode(reference_add(reference_mul(s, BASE), reference_mul(k, minus_key))) == big_r
                got = code(ed25519.check_signature, torsion_key, message, big_r + s.to_bytes(32, "little"))
                self.assertEqual(got, None if equal else "signature-invalid")
                verdicts.add(got)
        self.assertEqual(verdicts, {None, "signature-invalid"})


DD = -121665 * pow(121666, -1, ed25519.P) % ed25519.P


def reference_decode(data):
    p = ed25519.P
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    square = (y * y - 1) * pow(DD * y * y + 1, -1, p) % p
    x = pow(square, (p + 3) // 8, p)
    if x * x % p != square:
        x = x * pow(2, (p - 1) // 4, p) % p
    if x * x % p != square:
        return None
    return (x if x & 1 == sign else p - x, y)


def reference_add(one, two):
    p = ed25519.P
    (x1, y1), (x2, y2) = one, two
    t = DD * x1 * x2 * y1 * y2 % p
    return ((x1 * y2 + x2 * y1) * pow(1 + t, -1, p) % p, (y1 * y2 + x1 * x2) * pow(1 - t, -1, p) % p)


def reference_mul(n, point):
    out = (0, 1)
    while n:
        if n & 1:
            out = reference_add(out, point)
        point = reference_add(point, point)
        n >>= 1
    return out


def reference_encode(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


BASE = reference_decode((4 * pow(5, -1, ed25519.P) % ed25519.P).to_bytes(32, "little"))


class Discovery(unittest.TestCase):
    def check(self, want, issuer=ISSUER, **changes):
        data = json.dumps(discovery(**changes)).encode()
        self.assertEqual(code(reader.read_discovery, data, issuer), want, changes)

    def test_order(self):  # r[discovery.order], r[discovery.members], r[version.unknown]
        self.check(None)
        self.check("member-missing", v=...)
        self.check("member-type", v=0.2)
        self.check("version-unsupported", v="0.3", iss=...)
        self.check("member-type", iss=1, resolver=...)
        self.check("member-missing", iss="x", resolver=...)
        self.check("member-type", endpoints=[])
        self.check("member-type", changelog=None)
        self.check("iss-mismatch", iss="https://other.example", resolver="")
        self.check("iss-mismatch", issuer="https://192.0.2.1", iss="https://192.0.2.1")  # r[origin.issuer]
        self.check(None, changelog=..., history=3)

    def test_name(self):  # r[discovery.name]
        self.check(None, resolver="n" * 100)
        for bad in ("", "n" * 101, "a\u200b", "a\n"):
            self.check("name-invalid", resolver=bad)

    def test_endpoints(self):  # r[discovery.endpoints], r[discovery.endpoints.origin], r[discovery.endpoints.query]
        ok = "https://resolver.example/r"
        self.check("endpoint-invalid", endpoints={"resolve": ok + "?x", "record": ok})
        self.check("endpoint-invalid", endpoints={"resolve": "http://x/", "record": ok})
        self.check("endpoint-origin", endpoints={"resolve": ok, "record": "https://resolver.example:8443/"})
        self.check("endpoint-origin", endpoints={"resolve": ok, "record": ok, "mcp": "https://x.example/?a"})
        self.check(None, endpoints={"resolve": ok, "record": ok, "mcp": ok + "?a", "else": 1})
        self.check("member-type", endpoints={"resolve": ok, "record": ok, "mcp": None})
        self.check("endpoint-invalid", policy="mailto:x")
        self.check(None, policy="https://else.example/?p")

    def test_keys(self):  # r[discovery.keys.count], r[discovery.keys.private], r[discovery.keys.kid-unique]
        key = discovery()["keys"][0]
        self.check(None, keys=[])
        self.check(None, keys=[{}] * 32)
        self.check("keys-too-many", keys=[1] * 33)
        self.check("member-type", keys=[1, {"d": 1}])  # r[discovery.key-type]
        for name in ("d", "k", "p", "q", "dp", "dq", "qi", "oth"):
            self.check("key-private", keys=[key, key, {name: None}])
        self.check("kid-ambiguous", keys=[key, {"kid": KID}])
        self.check("kid-ambiguous", keys=[key, key], policy="x")

    def test_usable(self):  # r[discovery.keys.usable], r[token.kid.usable]
        key = discovery()["keys"][0]
        zero = b64(bytes(32))
        for changes, want in (
                ({}, None), ({"kty": "EC"}, "key-wrong-type"), ({"crv": "X25519"}, "key-wrong-type"),
                ({"use": "enc", "alg": "x"}, "key-wrong-use"), ({"key_ops": []}, "key-wrong-use"),
                ({"key_ops": ["sign", "verify"]}, None), ({"key_ops": "verify"}, "key-wrong-use"),
                ({"use": None}, "key-wrong-use"), ({"alg": "Ed25519"}, "key-wrong-alg"),
                ({"x": key["x"] + "="}, "key-malformed"), ({"x": key["x"][:-1] + "N"}, "key-malformed"),
                ({"x": b64(bytes(31))}, "key-malformed"), ({"x": zero}, "key-weak"),
                ({"x": b64(b"\xff" * 32)}, "key-weak"), ({"kid": "k" * 129}, "kid-unknown"), ({"kid": 1}, "kid-unknown")):
            found = reader.read_discovery(json.dumps(discovery(keys=[{**key, **changes}])).encode(), ISSUER)
            self.assertEqual(verdict(sign(claims()), found=found), want, changes)

    def test_size(self):  # r[discovery.size]
        data = json.dumps(discovery()).encode()
        self.assertIsNone(code(reader.read_discovery, data + b" " * (65536 - len(data)), ISSUER))
        self.assertEqual(code(reader.read_discovery, data + b" " * (65537 - len(data)), ISSUER), "document-too-large")


class Tokens(unittest.TestCase):
    def test_form(self):  # r[token.length], r[token.characters], r[token.segments], r[token.segment-empty], r[token.base64]
        good = sign(claims())
        for text, want in ((good, None), (good + ".", "token-segment-count"), ("a.b", "token-segment-count"),
                           (good + "\n", "token-bad-character"), (good + "=", "token-bad-character"),
                           ("..", "token-segment-empty"), (good + "..", "token-segment-count"),
                           ("", "token-segment-count"), ("a.b.c", "base64-noncanonical"),
                           ("!" * 8193, "token-too-long"), ("!" * 8192, "token-bad-character")):
            self.assertEqual(verdict(text), want, text[:40])

    def test_header(self):  # r[token.header.json] to r[token.kid.known]
        for header, want in (
                (b"[]", "header-not-object"), (b"\xff", "header-not-utf8"), (b"{", "header-not-json"),
                (b'{"a":1,"a":1}', "header-duplicate-member"), (b"[" * 33, "header-too-deep"),
                ({"kid": KID, "crit": 1}, "alg-missing"), ({"alg": None}, "alg-not-allowed"),
                ({"alg": "Ed25519", "crit": 1}, "alg-not-allowed"), ({**HEADER, "crit": None, "b64": 1}, "crit-unsupported"),
                ({**HEADER, "b64": True, "jwk": 1}, "b64-unsupported"), ({**HEADER, "jwk": {}, "cty": 1}, "header-key-material"),
                ({**HEADER, "x5c": None}, "header-key-material"), ({**HEADER, "cty": "", "typ": 1}, "cty-unsupported"),
                ({**HEADER, "typ": "jwt"}, "typ-not-allowed"), ({**HEADER, "typ": None}, "typ-not-allowed"),
                ({**HEADER, "typ": "JWT", "x5t": 1}, None), ({"alg": "EdDSA"}, "kid-missing"),
                ({"alg": "EdDSA", "kid": ""}, "kid-invalid"), ({"alg": "EdDSA", "kid": "k" * 129}, "kid-invalid"),
                ({"alg": "EdDSA", "kid": "k" * 128}, "kid-unknown"), ({"alg": "EdDSA", "kid": None}, "kid-invalid")):
            self.assertEqual(verdict(sign(claims(), header)), want, header)

    def test_claims(self):  # r[token.claims], r[token.claims.order]
        for changes, want in (
                ({"iss": None, "iat": "x"}, "claim-missing"), ({"iss": 1}, "claim-type"), ({"iss": ISSUER + "/"}, "iss-mismatch"),
                ({"iat": None, "exp": "x"}, "claim-missing"), ({"iat": "x", "exp": None}, "claim-type"),
                ({"iat": -1}, "claim-range"), ({"exp": 2 ** 53}, "claim-range"), ({"exp": 2 ** 53 - 1}, "lifetime-too-long"),
                ({"iat": 1.0}, "claim-type"), ({"iat": True}, "claim-type"), ({"nbf": "1"}, "claim-type"),
                ({"nbf": -1, "aud": 1, "exp": 1}, "claim-range"),
                ({"exp": 1796040000}, "lifetime-invalid"), ({"exp": 1796040001}, None),  # r[token.exp.after-iat]
                ({"exp": 1796040000 + 172801}, "lifetime-too-long"),  # r[token.exp.max-life]
                ({"nbf": NOW + 300}, None), ({"nbf": NOW + 301, "aud": 1}, "not-yet-valid"),  # r[token.nbf]
                ({"aud": [], "url": None}, "aud-unexpected"), ({"url": "https://a.example"}, "url-invalid"),
                ({"url": 1, "status": None}, "claim-type"), ({"status": "OK"}, "status-invalid"),
                ({"checked_at": None}, "claim-missing"), ({"checked_at": "2026-11-30"}, "checked-at-invalid"),
                ({"checked_at": "2026-11-30T12:05:05Z"}, None), ({"checked_at": "2026-11-30T12:05:06Z"}, "checked-at-future"),
                ({"checked_at": "2026-11-29T12:00:00Z"}, None),  # r[status.max-age]
                ({"checked_at": "2026-11-29T11:59:59Z"}, "observation-too-old"), ({"name": 5, "x": {}}, None)):
            self.assertEqual(verdict(sign(claims(**changes))), want, changes)

    def test_integers(self):  # r[token.claims.integer]
        text = json.dumps(claims())
        for written, want in (("1796040000.0", "claim-type"), ("179604e4", "claim-type"), ("-0", "claim-type"),
                              ("-1", "claim-range"), ("1e400", "payload-not-json"), ("9" * 40, "claim-range"),
                              ("null", "claim-type"), ("1796040000", None)):
            self.assertEqual(verdict(sign(text.replace("1796040000", written).encode())), want, written)

    def test_payload(self):  # r[token.payload.json]
        for payload, want in ((b"[]", "payload-not-object"), (b"\xff", "payload-not-utf8"), (b'{"a":1,"a":1}', "payload-duplicate-member")):
            self.assertEqual(verdict(sign(payload)), want)

    def test_record(self):  # r[record.claims], r[record.name], r[record.first-seen], r[record.history-form]
        base = {"name": "N", "first_seen": "2026-11-30T11:42:07Z"}
        for changes, want in (
                ({}, None), ({"name": None}, "claim-missing"), ({"name": 1}, "claim-type"), ({"name": ""}, "name-invalid"),
                ({"name": "n" * 200}, None), ({"name": "n" * 201}, "name-invalid"), ({"first_seen": None}, "claim-missing"),
                ({"first_seen": "2026-11-30T11:42:08Z"}, "first-seen-invalid"), ({"first_seen": "x"}, "first-seen-invalid"),
                ({"history": ISSUER + "/h"}, None), ({"history": ISSUER}, "history-invalid"),
                ({"history": "https://x.example/h"}, "history-invalid"), ({"history": 1}, "history-invalid")):
            self.assertEqual(verdict(sign(claims(**{**base, **changes})), record=True), want, changes)
