//! What time it is, as far as the client is told.

use std::time::SystemTime;

use capability_resolution::Time;

/// A clock: `time.now`. It decides which tokens hold and what may be used again; budgets run on their own.
///
/// A function is a clock too:
///
/// ```
/// use capability_resolution::Time;
/// use capability_resolver_client::Clock;
///
/// let stopped = || Time::from_unix_seconds(1_796_040_005);
/// assert_eq!(stopped.now().to_string(), "2026-11-30T12:00:05Z");
/// ```
pub trait Clock: Send + Sync + 'static {
    /// Now, in whole seconds rounded down.
    fn now(&self) -> Time;
}

impl<F: Fn() -> Time + Send + Sync + 'static> Clock for F {
    fn now(&self) -> Time {
        self()
    }
}

/// The clock of the system. One before 1970 reads as 1970.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        SystemTime::now().into()
    }
}

/// By how many seconds two moments differ.
pub(crate) fn difference(one: Time, other: Time) -> u64 {
    one.unix_seconds().abs_diff(other.unix_seconds())
}
