//! What a verified token says.

use std::fmt;

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
    pub imprint_algorithm: DigestAlgorithm,
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

/// TSTInfo.genTime (RFC 3161 2.4.2): UTC, with any number of fraction digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GenTime {
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
