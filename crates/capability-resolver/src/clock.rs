//! The one place where this program reads the clock.

use std::time::{SystemTime, UNIX_EPOCH};

use capability_resolution::Time;

/// Now, in whole seconds rounded down: `time.now`. A clock before 1970 reads as 1970.
#[must_use]
pub fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    Time::from_unix_seconds(i64::try_from(seconds).unwrap_or(i64::MAX))
}

/// How many seconds one moment is later than another; 0 if it is earlier.
#[must_use]
pub fn seconds_since(later: Time, earlier: Time) -> u64 {
    u64::try_from(later.since(earlier)).unwrap_or(0)
}
