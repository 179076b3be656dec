//! Times: section 3.3 of the text.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::SignedDuration;
use jiff::civil::{DateTime, date};

use crate::limits::NUMERIC_TIME_MAX;

/// Civil arithmetic reaches to the last second of the year 9999; a `jiff::Timestamp` ends a day earlier.
const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

/// A moment in whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// A moment from its seconds since 1970.
    #[must_use]
    pub fn from_unix_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Seconds since 1970; negative before it.
    #[must_use]
    pub fn unix_seconds(self) -> i64 {
        self.0
    }

    /// Reads the one form that documents use, `YYYY-MM-DDTHH:MM:SSZ` with a real date: `time.document`.
    #[must_use]
    pub fn from_document(text: &str) -> Option<Self> {
        let shape = text.len() == 20
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                10 => byte == b'T',
                13 | 16 => byte == b':',
                19 => byte == b'Z',
                _ => byte.is_ascii_digit(),
            });
        if !shape {
            return None;
        }
        let number = |from: usize, to: usize| text[from..to].parse::<i16>().ok();
        let small = |from: usize| number(from, from + 2).and_then(|n| i8::try_from(n).ok());
        let year = number(0, 4).filter(|year| *year >= 1)?;
        let civil = DateTime::new(
            year,
            small(5)?,
            small(8)?,
            small(11)?,
            small(14)?,
            small(17)?,
            0,
        )
        .ok()?;
        Some(Self(civil.duration_since(EPOCH).as_secs()))
    }

    /// Reads the literal of a numeric claim: `time.numeric`.
    ///
    /// # Errors
    ///
    /// [`NumericFault::Form`] for a literal with fraction or exponent or `-0`, [`NumericFault::Range`] for an integer
    /// outside of 0 to 2^53 - 1.
    pub(crate) fn from_literal(literal: &str) -> Result<Self, NumericFault> {
        let digits = literal.strip_prefix('-').unwrap_or(literal);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || literal == "-0" {
            return Err(NumericFault::Form);
        }
        literal
            .parse::<u64>()
            .ok()
            .filter(|seconds| *seconds <= NUMERIC_TIME_MAX)
            .and_then(|seconds| i64::try_from(seconds).ok())
            .map(Self)
            .ok_or(NumericFault::Range)
    }

    /// This moment and `seconds` more, or the last that a `Time` can hold.
    #[must_use]
    pub fn plus(self, seconds: u64) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(seconds).unwrap_or(i64::MAX)),
        )
    }

    /// How many seconds this moment is later than another; negative if it is earlier.
    #[must_use]
    pub fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// What a clock says, rounded down: `time.now`. One before 1970 reads as 1970.
impl From<SystemTime> for Time {
    fn from(clock: SystemTime) -> Self {
        let since = clock.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(0).plus(since.as_secs())
    }
}

/// The form of documents; moments outside of the years 1 to 9999 as bare seconds.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match EPOCH.checked_add(SignedDuration::from_secs(self.0)) {
            Ok(civil) => write!(f, "{}", civil.strftime("%Y-%m-%dT%H:%M:%SZ")),
            Err(_) => write!(f, "{} seconds since 1970", self.0),
        }
    }
}

/// Why a numeric claim was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumericFault {
    Form,
    Range,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    // r[time.document]
    #[test]
    fn one_form_and_real_dates() {
        assert_eq!(Time::from_document("1970-01-01T00:00:00Z"), Some(Time(0)));
        assert_eq!(
            Time::from_document("2024-02-29T23:59:59Z")
                .map(|t| t.to_string())
                .as_deref(),
            Some("2024-02-29T23:59:59Z")
        );
        for bad in [
            "2026-02-29T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:60Z",
            "2026-01-01t00:00:00Z",
            "2026-01-01T00:00:00+00:00",
            "2026-01-01T00:00:00.0Z",
            "+026-01-01T00:00:00Z",
            "2026-01-01T00:00:00Z ",
            "２026-01-01T00:00:0Z",
        ] {
            assert_eq!(Time::from_document(bad), None, "{bad}");
        }
        assert!(
            Time::from_document("0001-01-01T00:00:00Z").is_some()
                && Time::from_document("9999-12-31T23:59:59Z").is_some()
        );
    }

    #[test]
    fn arithmetic_ends_at_the_last_moment() {
        assert_eq!(Time(5).plus(u64::MAX), Time(i64::MAX));
        assert_eq!(Time(5).since(Time(8)), -3);
        assert_eq!(Time(i64::MAX).since(Time(-1)), i64::MAX);
    }

    // r[time.now]
    #[test]
    fn a_clock_is_rounded_down_and_begins_in_1970() {
        let clock = UNIX_EPOCH + Duration::from_millis(7_999);
        assert_eq!(Time::from(clock), Time(7));
        assert_eq!(Time::from(UNIX_EPOCH - Duration::from_secs(7)), Time(0));
    }

    // r[time.numeric]
    #[test]
    fn integers_without_fraction_exponent_and_sign() {
        assert_eq!(
            Time::from_literal("9007199254740991"),
            Ok(Time(9_007_199_254_740_991))
        );
        assert_eq!(
            Time::from_literal("9007199254740992"),
            Err(NumericFault::Range)
        );
        assert_eq!(Time::from_literal("-1"), Err(NumericFault::Range));
        assert_eq!(
            Time::from_literal("99999999999999999999999"),
            Err(NumericFault::Range)
        );
        for form in ["1.0", "1e3", "-0", "1E0"] {
            assert_eq!(Time::from_literal(form), Err(NumericFault::Form), "{form}");
        }
    }
}
