//! The value of Expires: `captxt.expires.form`, `captxt.expires.leap`.

use std::fmt;

use capability_resolution::Time;
use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, date};

use super::ValueError;
use crate::code::Code;

/// Civil arithmetic holds every offset from every date of the years 0 to 9999 but the last day, which is done in seconds.
const EPOCH: Date = date(1970, 1, 1);

/// A moment as the owner wrote it, in the form of RFC 3339.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Expires {
    text: String,
    at: Time,
}

impl Expires {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The first whole second at which the file is expired. A fraction is rounded up, which changes no comparison with
    /// a time in whole seconds.
    #[must_use]
    pub fn at(&self) -> Time {
        self.at
    }

    /// From a moment of the years 1 to 9999; `None` outside of them.
    #[must_use]
    pub fn from_time(time: Time) -> Option<Self> {
        time.to_string().parse().ok()
    }
}

impl fmt::Display for Expires {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Expires {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let at = read(text).ok_or_else(|| why_not(text))?;
        Ok(Self {
            text: text.to_owned(),
            at,
        })
    }
}

fn why_not(text: &str) -> ValueError {
    let without_leap = text.get(17..19).filter(|second| *second == "60").is_some()
        && read(&format!("{}59{}", &text[..17], &text[19..])).is_some();
    if without_leap {
        return ValueError {
            rule: "captxt.expires.leap",
            ..ValueError::new(
                Code::ExpiresInvalid,
                "the second 60 is only at 23:59:60 UTC on the last day of a month",
            )
        };
    }
    ValueError::new(
        Code::ExpiresInvalid,
        "a time looks like 2027-04-30T00:00:00Z, and the date has to exist",
    )
}

/// Own shape, since date libraries allow more than RFC 3339 does; the calendar is the library's.
fn read(text: &str) -> Option<Time> {
    let (head, tail) = text.split_at_checked(19)?;
    let shape = head.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        10 => matches!(byte, b'T' | b't'),
        13 | 16 => byte == b':',
        _ => byte.is_ascii_digit(),
    });
    if !shape {
        return None;
    }
    let (year, second) = (head[..4].parse::<i16>().ok()?, two_digits(&head[17..])?);
    let day = Date::new(year, two_digits(&head[5..7])?, two_digits(&head[8..10])?).ok()?;
    let minute_of_day = minutes(&head[11..16])?;

    let digits = tail.strip_prefix('.').map(|rest| {
        let end = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest.split_at(end)
    });
    let (fraction, zone) = match digits {
        Some(("", _)) => return None,
        Some(parts) => parts,
        None => ("", tail),
    };
    let offset = match zone.as_bytes() {
        b"Z" | b"z" => 0,
        [b'+', ..] => minutes(&zone[1..])?,
        [b'-', ..] => -minutes(&zone[1..])?,
        _ => return None,
    };

    let days = day.duration_since(EPOCH).as_secs();
    let start_of_minute = days + (minute_of_day - offset) * 60;
    let sound = second <= 59 || second == 60 && ends_a_month(start_of_minute + 60);
    let rounded_up = i64::from(fraction.bytes().any(|digit| digit != b'0'));
    sound.then(|| Time::from_unix_seconds(start_of_minute + i64::from(second) + rounded_up))
}

/// Whether a new month starts at this second, in UTC.
fn ends_a_month(next_second: i64) -> bool {
    // The end of the last year there is; nothing later is written with a date that exists.
    if next_second == 253_402_300_800 {
        return true;
    }
    let midnight = EPOCH.to_datetime(jiff::civil::Time::midnight());
    let moment = midnight.checked_add(SignedDuration::from_secs(next_second));
    moment.is_ok_and(|m: DateTime| m.day() == 1 && m.time() == jiff::civil::Time::midnight())
}

/// `HH:MM` as minutes, 00:00 to 23:59.
fn minutes(text: &str) -> Option<i64> {
    let [h1, h2, b':', m1, m2] = *text.as_bytes() else {
        return None;
    };
    if ![h1, h2, m1, m2].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let (hour, minute) = (two_digits(&text[..2])?, two_digits(&text[3..])?);
    (hour <= 23 && minute <= 59).then(|| i64::from(hour) * 60 + i64::from(minute))
}

fn two_digits(text: &str) -> Option<i8> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<i64> {
        text.parse::<Expires>().ok().map(|e| e.at().unix_seconds())
    }

    // r[captxt.expires.form]
    #[test]
    fn takes_rfc_3339_and_no_more() {
        for (text, same) in [
            ("2027-04-30T00:00:00Z", "2027-04-30T00:00:00Z"),
            ("2027-04-30t00:00:00z", "2027-04-30T00:00:00Z"),
            ("2027-04-30T02:00:00+02:00", "2027-04-30T00:00:00Z"),
            ("2027-04-29T00:01:00-23:59", "2027-04-30T00:00:00Z"),
            ("2027-04-30T00:00:00.000Z", "2027-04-30T00:00:00Z"),
            (
                "2027-04-30T00:00:00.0000000000000000000001Z",
                "2027-04-30T00:00:01Z",
            ),
            ("2027-04-30T00:00:00-00:00", "2027-04-30T00:00:00Z"),
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
        ] {
            let same = Time::from_document(same).map(Time::unix_seconds);
            assert!(same.is_some() && seconds(text) == same, "{text}");
        }
        for text in [
            "0000-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59.5-23:59",
            "0000-02-29T00:00:00Z",
        ] {
            assert!(seconds(text).is_some(), "{text}");
        }
        for text in [
            "",
            "2027-04-30",
            "2027-04-30 00:00:00Z",
            "2027-04-30T00:00:00",
            "2027-04-30T00:00Z",
            "2027-4-30T00:00:00Z",
            "2027-04-31T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2027-13-01T00:00:00Z",
            "2027-00-01T00:00:00Z",
            "2027-04-30T24:00:00Z",
            "2027-04-30T00:60:00Z",
            "2027-04-30T00:00:61Z",
            "2027-04-30T00:00:00.Z",
            "2027-04-30T00:00:00,5Z",
            "2027-04-30T00:00:00+24:00",
            "2027-04-30T00:00:00+00:60",
            "2027-04-30T00:00:00+0000",
            "2027-04-30T00:00:00+00",
            "2027-04-30T00:00:00ZZ",
            "2027-04-30T00:00:00+0é:0",
            "2027-04-30T00:00:00Z[UTC]",
            "+027-04-30T00:00:00Z",
            "2027-04-30T+1:00:00Z",
            "２027-04-30T00:00:00Z",
            "10000-01-01T00:00:00Z",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    // r[captxt.expires.leap]
    #[test]
    fn a_leap_second_ends_a_month_in_utc() {
        for (text, next) in [
            ("2026-12-31T23:59:60Z", "2027-01-01T00:00:00Z"),
            ("2027-02-28T23:59:60Z", "2027-03-01T00:00:00Z"),
            ("2027-01-01T01:29:60+01:30", "2027-01-01T00:00:00Z"),
            ("2026-12-31T18:59:60-05:00", "2027-01-01T00:00:00Z"),
            ("2026-12-31T23:59:60.5Z", "2027-01-01T00:00:01Z"),
        ] {
            assert_eq!(
                seconds(text),
                Time::from_document(next).map(Time::unix_seconds),
                "{text}"
            );
        }
        assert_eq!(seconds("9999-12-31T23:59:60Z"), Some(253_402_300_800));
        for text in [
            "2026-12-30T23:59:60Z",
            "2026-12-31T23:58:60Z",
            "2026-12-31T22:59:60Z",
            "2026-12-31T23:59:60+01:00",
            "2028-02-28T23:59:60Z",
            "9999-12-31T23:59:60-00:01",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
