"""§3.3 and the times of §11.3."""
import unittest

from capability_resolution import times


class Times(unittest.TestCase):
    def test_document(self):  # r[time.document]
        for good in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2024-02-29T00:00:00Z", "2000-02-29T00:00:00Z"):
            self.assertIsNotNone(times.parse_document_time(good), good)
            self.assertEqual(times.format_document_time(times.parse_document_time(good)), good)
        for bad in ("0000-01-01T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-01-01T24:00:00Z",
                    "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01t00:00:00Z", "2024-01-01T00:00:00z",
                    "2024-01-01T00:00:00Z\n", "2024-01-01T00:00:00.0Z", "٢٠٢٤-01-01T00:00:00Z"):
            self.assertIsNone(times.parse_document_time(bad), bad)

    def test_epoch(self):  # r[time.numeric]
        self.assertEqual(times.parse_document_time("1970-01-01T00:00:00Z"), 0)
        self.assertEqual(times.parse_document_time("2026-11-30T12:00:00Z"), 1796040000)

    def test_expires(self):  # r[captxt.expires.form]
        for good in ("2027-01-01T00:00:00Z", "2027-01-01t00:00:00z", "2027-01-01T00:00:00.123+23:59",
                     "2027-01-01T00:00:00-00:00"):
            self.assertIsNotNone(times.parse_rfc3339(good), good)
        for bad in ("2027-01-01 00:00:00Z", "2027-01-01T00:00:00", "2027-01-01T00:00:00+24:00", "2027-01-01",
                    "2027-01-01T00:00:00+00:60", "2027-01-01T00:00:00.Z", "2027-13-01T00:00:00Z"):
            self.assertIsNone(times.parse_rfc3339(bad), bad)

    def test_leap(self):  # r[captxt.expires.leap]
        self.assertEqual(times.parse_rfc3339("2026-12-31T23:59:60Z"), times.parse_rfc3339("2027-01-01T00:00:00Z"))
        self.assertIsNotNone(times.parse_rfc3339("2027-01-01T00:59:60+01:00"))
        for bad in ("2026-12-30T23:59:60Z", "2026-12-31T23:58:60Z", "2026-12-31T23:59:60+01:00"):
            self.assertIsNone(times.parse_rfc3339(bad), bad)
