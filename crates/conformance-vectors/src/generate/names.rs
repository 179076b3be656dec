//! Origins, issuers, server URLs and times (§3.3 to §3.5).

mod origin;
mod server_url;

use super::cases::{Cases, input};
use crate::model::{Input, Kind, Operation, VectorFile};

fn ask(value: &str) -> Input {
    input([("value", value.as_bytes())])
}

/// How a name is shown as a change of another; what is long or invisible is described or escaped.
fn shown(value: &str) -> String {
    if value.len() > 90 {
        format!("{} bytes", value.len())
    } else {
        value.escape_default().to_string()
    }
}

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::Names, Operation::Origin);
    origin::add(&mut cases);
    cases.operation(Operation::ServerUrl);
    server_url::add(&mut cases);
    cases.operation(Operation::Time);
    times(&mut cases);
    cases.into_file()
}

fn times(cases: &mut Cases) {
    cases.base(
        "time-plain",
        "time.document",
        "A time as documents have it.",
        ask("2026-11-30T12:00:00Z"),
    );
    for (slug, value, comment) in [
        (
            "first",
            "0001-01-01T00:00:00Z",
            "The first second of the calendar.",
        ),
        (
            "last",
            "9999-12-31T23:59:59Z",
            "The last second of the calendar.",
        ),
        ("leap-day", "2024-02-29T00:00:00Z", "A leap year."),
        (
            "leap-day-2000",
            "2000-02-29T00:00:00Z",
            "A leap year: divisible by 400.",
        ),
        (
            "leap-day-0004",
            "0004-02-29T00:00:00Z",
            "The calendar is proleptic: its rules hold for all years.",
        ),
        (
            "1582",
            "1582-10-10T00:00:00Z",
            "A day that the calendar of Rome left out, and the proleptic one has.",
        ),
        (
            "before-1970",
            "1969-12-31T23:59:59Z",
            "Before the epoch of most clocks.",
        ),
        (
            "after-2038",
            "2038-01-19T03:14:08Z",
            "After the last second of 32 bits.",
        ),
    ] {
        cases.valid(
            &format!("time-{slug}"),
            "time.document",
            value,
            comment,
            ask(value),
        );
    }
    for (slug, value, comment) in [
        ("leap-day-2026", "2026-02-29T00:00:00Z", "No leap year."),
        (
            "leap-day-1900",
            "1900-02-29T00:00:00Z",
            "No leap year: divisible by 100 and not by 400.",
        ),
        (
            "leap-day-2100",
            "2100-02-29T00:00:00Z",
            "No leap year: divisible by 100 and not by 400.",
        ),
        (
            "february-30",
            "2024-02-30T00:00:00Z",
            "February never has 30 days.",
        ),
        ("april-31", "2026-04-31T00:00:00Z", "April has 30 days."),
        ("year-0", "0000-12-31T23:59:59Z", "Years begin at 1."),
        ("month-0", "2026-00-01T00:00:00Z", "Months begin at 1."),
        (
            "month-13",
            "2026-13-01T00:00:00Z",
            "There are twelve months.",
        ),
        ("day-0", "2026-11-00T00:00:00Z", "Days begin at 1."),
        ("day-32", "2026-12-32T00:00:00Z", "No month has 32 days."),
        (
            "hour-24",
            "2026-11-30T24:00:00Z",
            "ISO 8601 allowed it, and the text does not.",
        ),
        ("minute-60", "2026-11-30T12:60:00Z", "Minutes end at 59."),
        (
            "second-60",
            "2016-12-31T23:59:60Z",
            "A real leap second, and no time of the text.",
        ),
        ("second-61", "2026-11-30T12:00:61Z", "Never."),
        (
            "lower-case-t",
            "2026-11-30t12:00:00Z",
            "RFC 3339 allows it, and the text does not.",
        ),
        (
            "lower-case-z",
            "2026-11-30T12:00:00z",
            "RFC 3339 allows it, and the text does not.",
        ),
        (
            "space",
            "2026-11-30 12:00:00Z",
            "A space is not the letter T.",
        ),
        (
            "offset-zero",
            "2026-11-30T12:00:00+00:00",
            "The one way to write UTC is Z.",
        ),
        (
            "offset",
            "2026-11-30T13:00:00+01:00",
            "The same moment, with an offset.",
        ),
        ("no-zone", "2026-11-30T12:00:00", "Without a zone."),
        ("fraction", "2026-11-30T12:00:00.5Z", "Seconds are whole."),
        (
            "fraction-zero",
            "2026-11-30T12:00:00.000Z",
            "What JavaScript writes.",
        ),
        ("no-seconds", "2026-11-30T12:00Z", "Seconds are written."),
        ("date", "2026-11-30", "A date is no time."),
        (
            "basic",
            "20261130T120000Z",
            "The form of ISO 8601 without separators.",
        ),
        ("week", "2026-W49-1T12:00:00Z", "A week date."),
        ("ordinal", "2026-334T12:00:00Z", "A day of the year."),
        (
            "one-digit-month",
            "2026-1-30T12:00:00Z",
            "Every number has all its digits.",
        ),
        (
            "one-digit-hour",
            "2026-11-30T2:00:00ZZ",
            "20 characters, and not of this form.",
        ),
        (
            "five-digit-year",
            "12026-11-30T12:00:00Z",
            "Years end at 9999.",
        ),
        ("signed-year", "+2026-11-30T12:00:00Z", "No sign."),
        (
            "negative-year",
            "-001-11-30T12:00:00Z",
            "20 characters, the first a sign.",
        ),
        (
            "signed-day",
            "2026-11-+3T12:00:00Z",
            "20 characters, with a sign that some readers of numbers take.",
        ),
        (
            "space-padded-day",
            "2026-11- 3T12:00:00Z",
            "20 characters, with a space that some readers of numbers skip.",
        ),
        (
            "leading-space",
            " 2026-11-30T12:00:00Z",
            "Nothing is trimmed.",
        ),
        (
            "trailing-space",
            "2026-11-30T12:00:00Z ",
            "Nothing is trimmed.",
        ),
        (
            "trailing-line-feed",
            "2026-11-30T12:00:00Z\n",
            "A pattern that ends in $ lets a final line feed pass.",
        ),
        (
            "other-digits",
            "\u{662}\u{660}\u{662}\u{666}-11-30T12:00:00Z",
            "Arabic digits, which many patterns for digits match: 20 characters, and not of ASCII.",
        ),
        (
            "full-width-digits",
            "\u{ff12}\u{ff10}\u{ff12}\u{ff16}-11-30T12:00:00Z",
            "Digits of full width.",
        ),
        (
            "minus-signs",
            "2026\u{2212}11\u{2212}30T12:00:00Z",
            "U+2212 is the minus sign and not the hyphen.",
        ),
        (
            "slashes",
            "2026/11/30T12:00:00Z",
            "Hyphens, and no slashes.",
        ),
        (
            "seconds",
            "1796040000",
            "Seconds since 1970 are no time of a document.",
        ),
        (
            "http-date",
            "Mon, 30 Nov 2026 12:00:00 GMT",
            "The form of HTTP.",
        ),
        ("empty", "", "Nothing."),
    ] {
        cases.refused(
            &format!("time-{slug}"),
            "time.document",
            &shown(value),
            comment,
            ask(value),
        );
    }
    for (month, days) in [
        ("01", 31),
        ("02", 28),
        ("03", 31),
        ("04", 30),
        ("05", 31),
        ("06", 30),
        ("07", 31),
        ("08", 31),
        ("09", 30),
        ("10", 31),
        ("11", 30),
        ("12", 31),
    ] {
        let last = format!("2027-{month}-{days}T00:00:00Z");
        cases.valid(
            &format!("time-month-{month}-last-day"),
            "time.document",
            &last,
            "The last day of a month.",
            ask(&last),
        );
        let behind = format!("2027-{month}-{}T00:00:00Z", days + 1);
        cases.refused(
            &format!("time-month-{month}-day-behind"),
            "time.document",
            &behind,
            "A day that the month does not have.",
            ask(&behind),
        );
    }
}
