//! How long and how much, for one request.

use std::time::Duration;

use crate::error::setup;
use crate::{Error, Traffic};

/// The limits of one request. Every duration is more than zero and at most one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For the name, TCP and TLS together. Default 10 s.
    pub connect: Duration,
    /// From the start of sending to the head of the answer, however slowly it trickles.
    /// Default 20 s.
    pub head: Duration,
    /// The longest silence within a body. Default 20 s.
    pub idle: Duration,
    /// For everything, redirects included, until the last byte. Default 60 s.
    pub total: Duration,
    /// The largest body to send, in bytes. Default 1 MiB.
    pub request_bytes: usize,
    /// The largest body to take, in bytes, unless the request says otherwise; counted after a
    /// content coding is undone. Default 1 MiB.
    pub response_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            head: Duration::from_secs(20),
            idle: Duration::from_secs(20),
            total: Duration::from_secs(60),
            request_bytes: 1 << 20,
            response_bytes: 1 << 20,
        }
    }
}

impl Limits {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_duration("connect", self.connect)?;
        check_duration("head", self.head)?;
        check_duration("idle", self.idle)?;
        check_duration("total", self.total)
    }
}

impl Traffic {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_duration("wait", self.wait)?;
        if self.retry_after > DAY {
            return Err(setup(format!(
                "the limit retry_after is {:?}; expected at most one day",
                self.retry_after
            )));
        }
        for (name, value) in [("in_all", self.in_all), ("per_host", self.per_host)] {
            if !(1..=65_536).contains(&value) {
                return Err(setup(format!(
                    "the limit {name} is {value}; expected 1 to 65,536"
                )));
            }
        }
        Ok(())
    }
}

pub(crate) fn check_duration(name: &str, value: Duration) -> Result<(), Error> {
    if value.is_zero() || value > DAY {
        return Err(setup(format!(
            "the limit {name} is {value:?}; expected more than zero and at most one day"
        )));
    }
    Ok(())
}

const DAY: Duration = Duration::from_secs(86_400);
