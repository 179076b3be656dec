"""§5.1 and §5.2."""
import unittest

from capability_resolution import request
from .helper import code


class Needs(unittest.TestCase):
    def test_length(self):  # r[resolve.need.length], r[text.character]
        self.assertIsNone(code(request.read_need, "abc"))
        self.assertIsNone(code(request.read_need, "\U0001f600" * 200))
        for bad in ("ab", "", "   ", "a" * 201, "e\u0301e\u0301"):
            self.assertEqual(code(request.read_need, bad), "need-length")

    def test_read(self):  # r[resolve.need.read], r[resolve.need.control], r[text.white-space]
        self.assertEqual(request.read_need("\u3000\tabc\u0085"), "abc")
        self.assertEqual(code(request.read_need, "a\tbc"), "need-character")
        self.assertEqual(code(request.read_need, "a\u0085"), "need-length")
        self.assertEqual(code(request.read_need, "\u200babc"), None)

    def test_order(self):  # r[resolve.order], r[resolve.query.encoding], r[constraint.names]
        for query, want in (
                ("need=abc", None), ("need=a+%62c&sign_in=none&read_only=true&payment=none", None),
                ("need=abc&x=1&need=%zz", "query-encoding"), ("need=%ff", "query-encoding"),
                ("x=1&need=a&need=b", "parameter-unknown"), ("need=a&need=b", "parameter-repeated"),
                ("", "need-missing"), ("sign_in=x", "need-missing"), ("need", "need-length"),
                ("need=%01&sign_in=x", "need-character"), ("need=ab&sign_in=x", "need-length"),
                ("need=abc&sign_in=None", "constraint-value"), ("need=abc&read_only=false", "constraint-value"),
                ("need=abc&max_handshake_ms=1", None), ("need=abc&max_handshake_ms=60000", None),
                ("need=abc&max_handshake_ms=60001", "constraint-value"),
                ("need=abc&max_handshake_ms=0", "constraint-value"),
                ("need=abc&max_handshake_ms=%2B1", "constraint-value"),
                ("need=abc&max_handshake_ms=01", "constraint-value")):
            self.assertEqual(code(request.read_query, query.encode()), want, query)
