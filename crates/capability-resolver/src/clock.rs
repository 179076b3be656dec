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

/// A moment so many seconds later than another, or the end of time.
#[must_use]
pub fn after(time: Time, seconds: u64) -> Time {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    Time::from_unix_seconds(time.unix_seconds().saturating_add(seconds))
}

/// How many seconds one moment is later than another; 0 if it is earlier.
#[must_use]
pub fn seconds_since(later: Time, earlier: Time) -> u64 {
    let seconds = later.unix_seconds().saturating_sub(earlier.unix_seconds());
    u64::try_from(seconds).unwrap_or(0)
}
