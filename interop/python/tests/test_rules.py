"""Every rule that a test names is a rule of the text."""
import re
import unittest

from .helper import ROOT, SPEC


class Rules(unittest.TestCase):
    def test_named_rules_exist(self):
        known = set(re.findall(r"^r\[([a-z0-9.-]+) \|", SPEC, re.M))
        named = set()
        for path in (ROOT / "tests").glob("test_*.py"):
            named |= set(re.findall(r"r\[([a-z][a-z0-9.-]*)\]", path.read_text(encoding="utf-8")))
        self.assertEqual(named - known, set())
        self.assertGreater(len(named), 100)
