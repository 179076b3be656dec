//! The one place where this program reads the clock.

use std::time::SystemTime;

use capability_resolution::Time;

/// Now: `time.now`.
#[must_use]
pub fn now() -> Time {
    SystemTime::now().into()
}

/// How many seconds one moment is later than another; 0 if it is earlier.
#[must_use]
pub fn seconds_since(later: Time, earlier: Time) -> u64 {
    u64::try_from(later.since(earlier)).unwrap_or(0)
}
