//! What a verified token says.

use std::fmt;

use der::{DateTime, Tag, Tagged, asn1::AnyRef};

use super::error::Error;
use crate::digest::DigestAlgorithm;

/// A verified time-stamp: the claims of TSTInfo, who signed them, and what was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timestamp {
    /// When, by the authority's clock.
    pub gen_time: GenTime,
    /// How far the clock may be off, where the token says so.
    pub accuracy: Option<Accuracy>,
    /// The policy's object identifier in dotted form.
    pub policy: String,
    /// The token's serial number, an integer of any length: `0x` and hexadecimal digits, `-` first if negative.
    pub serial: String,
    /// The nonce, written as the serial number is.
    pub nonce: Option<String>,
    /// The subject of the signer's certificate (RFC 4514).
    pub signer: String,
    /// SHA-256 of the signer's certificate as received, in lower-case hexadecimal.
    pub signer_sha256: String,
    /// The hash function of the messageImprint.
    pub message_imprint_algorithm: DigestAlgorithm,
    /// The checks that ran, in order; all of them passed.
    pub checks: Vec<Check>,
}

/// One check that ran and passed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Check {
    /// What holds, in words.
    pub what: String,
    /// The section of the standard that asks for it.
    pub reference: &'static str,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.what, self.reference)
    }
}

/// TSTInfo.genTime (RFC 3161 2.4.2): UTC, with any number of fraction digits. `Display` writes RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenTime {
    date_time: DateTime,
    unix_seconds: i64,
    fraction: String,
}

impl GenTime {
    /// Whole seconds since 1970-01-01T00:00:00Z; the fraction is cut off.
    #[must_use]
    pub fn unix_seconds(&self) -> i64 {
        self.unix_seconds
    }

    /// The digits of the fraction as transmitted, empty where there is none.
    #[must_use]
    pub fn fraction(&self) -> &str {
        &self.fraction
    }

    /// Is this instant not before the given second and not after it, fraction included?
    pub(super) fn is_within(&self, from: i64, until: i64) -> bool {
        let past_the_end = self.unix_seconds == until && !self.fraction.is_empty();
        from <= self.unix_seconds && self.unix_seconds <= until && !past_the_end
    }

    /// Reads `YYYYMMDDhhmmss[.f...]Z`. DER fixes the rest: UTC, seconds, a full stop, no zero at the end of a fraction.
    pub(super) fn read(value: AnyRef<'_>) -> Result<Self, Error> {
        let found = String::from_utf8_lossy(value.value()).into_owned();
        let wrong = |detail| Error::GenTime {
            found: found.clone(),
            detail,
        };
        if value.tag() != Tag::GeneralizedTime {
            return Err(wrong("it is no GeneralizedTime"));
        }
        let body = found
            .strip_suffix('Z')
            .ok_or_else(|| wrong("it does not end in Z (UTC)"))?;
        let (whole, fraction) = match body.split_once('.') {
            None => (body, ""),
            Some((_, "")) => return Err(wrong("no digit follows the decimal point")),
            Some((_, fraction)) if fraction.ends_with('0') => {
                return Err(wrong("the fraction ends in a zero, which DER leaves out"));
            }
            Some(parts) => parts,
        };
        if whole.len() != 14
            || !body.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            || fraction.contains('.')
        {
            return Err(wrong(
                "it has not 14 digits, and a fraction after a full stop if any",
            ));
        }
        let digits = |from: usize, to: usize| whole.get(from..to).unwrap_or_default();
        let part = |from, to| {
            digits(from, to)
                .parse()
                .map_err(|_| wrong("a part is no number"))
        };
        let year = digits(0, 4)
            .parse()
            .map_err(|_| wrong("the year is no number"))?;
        let date_time = DateTime::new(
            year,
            part(4, 6)?,
            part(6, 8)?,
            part(8, 10)?,
            part(10, 12)?,
            part(12, 14)?,
        )
        .map_err(|_| wrong("there is no such day or time of day from 1970 on"))?;
        let unix_seconds = i64::try_from(date_time.unix_duration().as_secs())
            .map_err(|_| wrong("there is no such day or time of day from 1970 on"))?;
        Ok(Self {
            date_time,
            unix_seconds,
            fraction: fraction.to_owned(),
        })
    }
}

impl fmt::Display for GenTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.date_time.to_string();
        let seconds = seconds.trim_end_matches('Z');
        if self.fraction.is_empty() {
            write!(f, "{seconds}Z")
        } else {
            write!(f, "{seconds}.{}Z", self.fraction)
        }
    }
}

/// TSTInfo.accuracy (RFC 3161 2.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accuracy {
    /// Seconds.
    pub seconds: u64,
    /// Milliseconds, 1 to 999, or 0 where the field is absent.
    pub millis: u16,
    /// Microseconds, 1 to 999, or 0 where the field is absent.
    pub micros: u16,
}

/// In seconds, for example `1.5 s`.
impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = format!("{:03}{:03}", self.millis, self.micros);
        match fraction.trim_end_matches('0') {
            "" => write!(f, "{} s", self.seconds),
            fraction => write!(f, "{}.{fraction} s", self.seconds),
        }
    }
}
