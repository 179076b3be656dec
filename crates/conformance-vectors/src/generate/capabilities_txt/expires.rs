//! Expires: its form, leap seconds, and the clock (§11.3).

use super::build::{File, Files, said};

/// The plain file with another value of Expires.
fn expires(value: &str) -> File {
    File::plain().line(3, &format!("Expires: {value}"))
}

pub(super) fn add(files: &mut Files<'_>) {
    form(files);
    leap_seconds(files);
    past(files);
    far(files);
}

fn form(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, comment) in [
        (
            "lower-case",
            "2027-04-30t00:00:00z",
            "RFC 3339 allows lower case.",
        ),
        ("offset", "2027-04-30T05:30:00+05:30", "An offset."),
        (
            "offset-minus-zero",
            "2027-04-30T00:00:00-00:00",
            "An offset of zero with a minus sign is an offset.",
        ),
        (
            "offset-largest",
            "2027-04-30T23:59:00+23:59",
            "The largest offset.",
        ),
        (
            "fraction",
            "2027-04-30T00:00:00.5Z",
            "A fraction of a second.",
        ),
        (
            "fraction-long",
            "2027-04-30T00:00:00.000000000000000000000000000001+00:00",
            "A fraction may have any number of digits.",
        ),
        (
            "last-second",
            "2027-04-30T23:59:59Z",
            "The last second of a day.",
        ),
    ] {
        files.case(
            &format!("expires-{slug}"),
            "captxt.expires.form",
            value,
            comment,
            expires(value),
            said(),
        );
    }
    files.case(
        "expires-leap-day",
        "captxt.expires.form",
        "2028-02-29T00:00:00Z, a year before",
        "2028 is a leap year.",
        expires("2028-02-29T00:00:00Z").at("2027-11-30T12:00:00Z"),
        said(),
    );
    files.case(
        "expires-year-0",
        "captxt.expires.form captxt.expires.past",
        "0000-02-29T00:00:00Z",
        "RFC 3339 has a year 0000, which is a leap year: a date, and one that has passed.",
        expires("0000-02-29T00:00:00Z"),
        said().error("expired", 3, 10),
    );
    for (slug, value, comment) in [
        ("date", "2027-04-30", "A date is no time."),
        (
            "no-offset",
            "2027-04-30T00:00:00",
            "Without Z or an offset.",
        ),
        (
            "space",
            "2027-04-30 00:00:00Z",
            "A space for T, which RFC 3339 leaves to applications.",
        ),
        (
            "underscore",
            "2027-04-30_00:00:00Z",
            "Another character for T.",
        ),
        ("no-seconds", "2027-04-30T00:00Z", "Seconds are written."),
        (
            "fraction-empty",
            "2027-04-30T00:00:00.Z",
            "A fraction without digits.",
        ),
        (
            "fraction-comma",
            "2027-04-30T00:00:00,5Z",
            "ISO 8601 has the comma, and RFC 3339 has not.",
        ),
        (
            "offset-no-colon",
            "2027-04-30T00:00:00+0530",
            "An offset has a colon.",
        ),
        (
            "offset-hour",
            "2027-04-30T00:00:00+05",
            "An offset has minutes.",
        ),
        (
            "offset-24",
            "2027-04-30T00:00:00+24:00",
            "An offset has at most 23 hours.",
        ),
        (
            "offset-60",
            "2027-04-30T00:00:00+05:60",
            "An offset has at most 59 minutes.",
        ),
        (
            "z-and-offset",
            "2027-04-30T00:00:00Z+00:00",
            "Z or an offset.",
        ),
        (
            "minus-sign",
            "2027-04-30T00:00:00\u{2212}01:00",
            "U+2212 is no minus sign of RFC 3339.",
        ),
        ("hour-24", "2027-04-30T24:00:00Z", "Hours end at 23."),
        ("minute-60", "2027-04-30T00:60:00Z", "Minutes end at 59."),
        ("second-61", "2027-04-30T00:00:61Z", "Seconds end at 60."),
        ("month-0", "2027-00-30T00:00:00Z", "Months begin at 1."),
        ("month-13", "2027-13-30T00:00:00Z", "Months end at 12."),
        ("day-0", "2027-04-00T00:00:00Z", "Days begin at 1."),
        ("day-31", "2027-04-31T00:00:00Z", "April has 30 days."),
        (
            "february-29",
            "2027-02-29T00:00:00Z",
            "2027 is no leap year.",
        ),
        (
            "year-5-digits",
            "12027-04-30T00:00:00Z",
            "Years have four digits.",
        ),
        (
            "year-2-digits",
            "27-04-30T00:00:00Z",
            "Years have four digits.",
        ),
        (
            "one-digit-day",
            "2027-04-3T00:00:00Z",
            "Every number has all its digits.",
        ),
        ("basic", "20270430T000000Z", "The form without separators."),
        ("seconds", "1809043200", "Seconds since 1970."),
        (
            "http-date",
            "Fri, 30 Apr 2027 00:00:00 GMT",
            "The form of HTTP and of mail.",
        ),
        ("words", "next spring", "Words."),
        (
            "more",
            "2027-04-30T00:00:00Z (or later)",
            "Something behind the time.",
        ),
        (
            "other-digits",
            "\u{ff12}\u{ff10}\u{ff12}\u{ff17}-04-30T00:00:00Z",
            "Digits of full width, which many patterns for digits match.",
        ),
    ] {
        files.case(
            &format!("expires-{slug}"),
            "captxt.expires.form captxt.position",
            &value.escape_default().to_string(),
            comment,
            expires(value),
            said().error("expires-invalid", 3, 10),
        );
    }
}

fn leap_seconds(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, comment) in [
        (
            "year",
            "2026-12-31T23:59:60Z",
            "A leap second at the end of a year.",
        ),
        (
            "month",
            "2027-02-28T23:59:60Z",
            "Whether there will be one is unknown; every end of a month can have one.",
        ),
        (
            "offset-plus",
            "2027-01-01T05:29:60+05:30",
            "23:59:60 UTC, after the offset is applied.",
        ),
        (
            "offset-minus",
            "2026-12-31T15:59:60-08:00",
            "23:59:60 UTC, after the offset is applied.",
        ),
        (
            "fraction",
            "2026-12-31T23:59:60.5Z",
            "A leap second has fractions too.",
        ),
    ] {
        files.case(
            &format!("expires-leap-{slug}"),
            "captxt.expires.leap captxt.expires.form",
            value,
            comment,
            expires(value),
            said(),
        );
    }
    for (month, day) in [
        ("01", 31),
        ("03", 31),
        ("04", 30),
        ("05", 31),
        ("06", 30),
        ("07", 31),
        ("08", 31),
        ("09", 30),
        ("10", 31),
        ("11", 30),
    ] {
        let value = format!("2027-{month}-{day}T23:59:60Z");
        files.case(
            &format!("expires-leap-month-{month}"),
            "captxt.expires.leap captxt.expires.form",
            &value,
            "Any month can end with a leap second.",
            expires(&value),
            said(),
        );
    }
    files.case(
        "expires-leap-last",
        "captxt.expires.leap captxt.expires.far",
        "9999-12-31T23:59:60Z",
        "It counts as the next second, which is far after every clock.",
        expires("9999-12-31T23:59:60Z"),
        said().warning("expires-far", 3, 10),
    );
    for (slug, value, comment) in [
        ("noon", "2026-12-31T12:00:60Z", "Not at the end of a day."),
        (
            "hour-22",
            "2026-12-31T22:59:60Z",
            "Not at the end of a day.",
        ),
        (
            "other-day",
            "2026-12-30T23:59:60Z",
            "Not on the last day of a month.",
        ),
        (
            "leap-year",
            "2028-02-28T23:59:60Z",
            "The last day of that February is the 29th.",
        ),
        (
            "offset-local",
            "2026-12-31T23:59:60-01:00",
            "The end of a month there, and not in UTC.",
        ),
    ] {
        files.case(
            &format!("expires-leap-{slug}"),
            "captxt.expires.leap captxt.expires.form",
            value,
            comment,
            expires(value),
            said().error("expires-invalid", 3, 10),
        );
    }
    files.case(
        "expires-leap-is-the-next-second",
        "captxt.expires.leap captxt.expires.past",
        "2026-12-31T23:59:60Z at 2027-01-01T00:00:00Z",
        "The leap second counts as the second behind it, which is now.",
        expires("2026-12-31T23:59:60Z").at("2027-01-01T00:00:00Z"),
        said().error("expired", 3, 10),
    );
    files.case(
        "expires-leap-before",
        "captxt.expires.leap captxt.expires.past",
        "2026-12-31T23:59:60Z at 2026-12-31T23:59:59Z",
        "One second before it.",
        expires("2026-12-31T23:59:60Z").at("2026-12-31T23:59:59Z"),
        said(),
    );
    files.case(
        "expires-leap-fraction-added",
        "captxt.expires.leap captxt.expires.past",
        "2026-12-31T23:59:60.5Z at 2027-01-01T00:00:00Z",
        "The fraction is added to the second behind it, so it has not passed.",
        expires("2026-12-31T23:59:60.5Z").at("2027-01-01T00:00:00Z"),
        said(),
    );
    files.case(
        "expires-leap-fraction-passed",
        "captxt.expires.leap captxt.expires.past",
        "2026-12-31T23:59:60.5Z at 2027-01-01T00:00:01Z",
        "The fraction does not reach the next second.",
        expires("2026-12-31T23:59:60.5Z").at("2027-01-01T00:00:01Z"),
        said().error("expired", 3, 10),
    );
}

fn past(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, comment) in [
        (
            "next-second",
            "2026-11-30T12:00:01Z",
            "One second from now.",
        ),
        (
            "next-second-offset",
            "2026-11-30T10:30:01-01:30",
            "The same, with an offset.",
        ),
        (
            "fraction-ahead",
            "2026-11-30T12:00:00.000001Z",
            "Later than now by its fraction.",
        ),
    ] {
        files.case(
            &format!("expires-{slug}"),
            "captxt.expires.past",
            value,
            comment,
            expires(value),
            said(),
        );
    }
    for (slug, value, comment) in [
        ("now", "2026-11-30T12:00:00Z", "Equal to now: passed."),
        (
            "now-fraction-zero",
            "2026-11-30T12:00:00.000Z",
            "A fraction of zero is no time.",
        ),
        (
            "now-offset",
            "2026-12-01T02:00:00+14:00",
            "Equal to now, though the date is that of tomorrow.",
        ),
        (
            "second-ago",
            "2026-11-30T11:59:59.999999Z",
            "Passed; there is no leeway.",
        ),
        (
            "long-ago",
            "2016-12-31T23:59:60Z",
            "A real leap second, long ago.",
        ),
    ] {
        files.case(
            &format!("expires-{slug}"),
            "captxt.expires.past captxt.position",
            value,
            comment,
            expires(value),
            said().error("expired", 3, 10),
        );
    }
    files.case(
        "expires-now-rounded-down",
        "captxt.expires.past time.now",
        "2026-11-30T12:00:00.5Z at 12:00:00.9",
        "Now is whole seconds, rounded down, and Expires keeps its fraction.",
        expires("2026-11-30T12:00:00.5Z").at("2026-11-30T12:00:00.9Z"),
        said(),
    );
    files.case(
        "expires-now-next",
        "captxt.expires.past",
        "2026-11-30T12:00:00.5Z at 12:00:01",
        "The next whole second is later.",
        expires("2026-11-30T12:00:00.5Z").at("2026-11-30T12:00:01Z"),
        said().error("expired", 3, 10),
    );
}

fn far(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "expires-366-days",
        "captxt.expires.far",
        "2027-12-01T12:00:00Z",
        "366 days from now to the second.",
        expires("2027-12-01T12:00:00Z"),
        said(),
    );
    for (slug, value, comment) in [
        (
            "366-days-and-a-second",
            "2027-12-01T12:00:01Z",
            "One second more.",
        ),
        (
            "366-days-and-a-fraction",
            "2027-12-01T12:00:00.1Z",
            "A fraction of a second more.",
        ),
        ("9999", "9999-12-31T23:59:59Z", "Never, some mean."),
    ] {
        files.case(
            &format!("expires-{slug}"),
            "captxt.expires.far captxt.position",
            value,
            &format!("{comment} A warning: a date so far ahead is soon forgotten."),
            expires(value),
            said().warning("expires-far", 3, 10),
        );
    }
}
