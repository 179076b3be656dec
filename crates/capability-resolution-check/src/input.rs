//! What a command is given: bytes of bounded number, origins, hosts and times.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use capability_resolution::{Host, Origin, Time};
use jiff::Timestamp;
use serde::Serialize;

use crate::error::CheckError;

/// Whom a document was asked of that cannot have been asked of an issuer. No issuer is an address, so the document
/// breaks `discovery.iss`, if no rule before it.
pub(crate) const NOBODY: &str = "https://0.0.0.0";

/// Bytes that were read up to one more than a limit.
#[derive(Debug)]
pub(crate) struct Bounded {
    pub(crate) bytes: Vec<u8>,
    /// Whether there was more.
    pub(crate) cut: bool,
}

impl Bounded {
    /// Reads at most `limit` bytes and one more.
    fn read(stream: impl Read, limit: usize) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        stream.take(most).read_to_end(&mut bytes)?;
        let cut = bytes.len() > limit;
        Ok(Self { bytes, cut })
    }
}

/// A file.
pub(crate) fn file(path: &Path, limit: usize) -> Result<Bounded, CheckError> {
    let read = File::open(path).and_then(|file| Bounded::read(file, limit));
    read.map_err(|source| CheckError::File {
        path: path.display().to_string(),
        source,
    })
}

/// A file, or for `-` standard input.
pub(crate) fn file_or_stdin(path: &Path, limit: usize) -> Result<Bounded, CheckError> {
    if path == Path::new("-") {
        return Bounded::read(io::stdin().lock(), limit).map_err(CheckError::Input);
    }
    file(path, limit)
}

/// A word of the command line, or for `-` standard input as it is, untrimmed.
pub(crate) fn word_or_stdin(word: &OsStr, limit: usize) -> Result<Bounded, CheckError> {
    if word == "-" {
        return Bounded::read(io::stdin().lock(), limit).map_err(CheckError::Input);
    }
    Ok(Bounded {
        bytes: word.as_encoded_bytes().to_vec(),
        cut: false,
    })
}

/// An origin as the command line gives it.
pub(crate) fn origin(value: &str) -> Result<Origin, CheckError> {
    value.parse().map_err(|source| CheckError::Issuer {
        value: value.to_owned(),
        source,
    })
}

/// The origin of a resolver as a person writes it: `captxt.resolvers.canonical`.
pub(crate) fn resolver(value: &str) -> Result<Origin, CheckError> {
    Origin::from_written(value).map_err(|source| CheckError::Resolver {
        value: value.to_owned(),
        source,
    })
}

/// The origin of a resolver to ask, as a person writes it; with the switch of `origin.loopback` also one of this machine.
pub(crate) fn asked(value: &str, allow_loopback: bool) -> Result<Origin, CheckError> {
    let plain = value.strip_suffix('/').unwrap_or(value);
    // By http there is no other origin, so what is wrong is said of one of this machine.
    let origin = if allow_loopback && plain.starts_with("http://") {
        Origin::loopback(plain)
    } else {
        Origin::from_written(value)
    };
    origin.map_err(|source| CheckError::Asked {
        value: value.to_owned(),
        source,
    })
}

/// A host as a person writes it.
pub(crate) fn host(value: &str) -> Result<Host, CheckError> {
    Host::from_written(value).map_err(|source| CheckError::Host {
        value: value.to_owned(),
        source,
    })
}

/// Where a time came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NowSource {
    /// `--now`.
    Argument,
    /// The clock of this computer.
    Clock,
}

impl NowSource {
    /// What stands behind the time for people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Argument => "",
            Self::Clock => " by the clock of this computer",
        }
    }
}

/// The time that `--now` names, or that of this computer's clock.
pub(crate) fn now(argument: Option<&str>) -> Result<(Time, NowSource), CheckError> {
    if let Some(value) = argument {
        return Ok((time(value)?, NowSource::Argument));
    }
    Ok((clock(), NowSource::Clock))
}

/// The time by this computer's clock. No other code that judges reads it; the resolver of `faulty` has its own.
pub(crate) fn clock() -> Time {
    SystemTime::now().into()
}

/// A time of RFC 3339, in any zone, rounded down to whole seconds: `time.now`.
pub(crate) fn time(value: &str) -> Result<Time, CheckError> {
    // A `Timestamp` ends a day before the last time that a document can state.
    if let Some(time) = Time::from_document(&without_fraction(value)) {
        return Ok(time);
    }
    let timestamp: Timestamp = value.parse().map_err(|_| CheckError::Now {
        value: value.to_owned(),
    })?;
    let down = i64::from(timestamp.subsec_nanosecond() < 0);
    Ok(Time::from_unix_seconds(timestamp.as_second() - down))
}

/// A time in UTC without its fraction of a second, anything else as it is.
fn without_fraction(value: &str) -> Cow<'_, str> {
    let parts = value
        .strip_suffix('Z')
        .and_then(|time| time.split_once('.'));
    match parts {
        Some((whole, digits))
            if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            format!("{whole}Z").into()
        }
        _ => value.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[time.now]
    #[test]
    fn a_time_of_any_zone_is_rounded_down() {
        for (text, seconds) in [
            ("1970-01-01T00:00:10Z", 10),
            ("1970-01-01T00:00:10.999Z", 10),
            ("1970-01-01T01:00:10+01:00", 10),
            ("1969-12-31T23:59:59.5Z", -1),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("9999-12-31T23:59:59.999999999999Z", 253_402_300_799),
            ("0001-01-01T00:00:00.5Z", -62_135_596_800),
        ] {
            let time = time(text).unwrap();
            assert_eq!(time.unix_seconds(), seconds, "{text}");
        }
        for bad in [
            "",
            "now",
            "1970-01-01",
            "1970-01-01T00:00:10",
            "1970-01-01T00:00:10.Z",
            "1970-01-01T00:00:10.1.2Z",
            "12345",
        ] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_read_is_bounded() {
        let read = |bytes: &[u8]| Bounded::read(bytes, 3).unwrap();
        assert_eq!((read(b"abc").bytes.len(), read(b"abc").cut), (3, false));
        assert_eq!(
            (read(b"abcdef").bytes.len(), read(b"abcdef").cut),
            (4, true)
        );
    }
}
