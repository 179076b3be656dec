//! Whether the wall clock jumped.

use capability_resolution::Time;
use tokio::time::Instant;

use crate::clock::seconds_since;

/// How far the clock may be from where it should be, in seconds, before it counts as a jump.
const JUMP_SECONDS: u64 = 60;

/// A wall clock, held against one that only goes forward.
#[derive(Debug)]
pub(super) struct SteadyClock {
    wall: Time,
    at: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    None,
    Forward,
    Back,
}

impl SteadyClock {
    pub(super) fn new(wall: Time, at: Instant) -> Self {
        Self { wall, at }
    }

    pub(super) fn check(&mut self, wall: Time, at: Instant) -> Jump {
        let expected = self
            .wall
            .plus(at.saturating_duration_since(self.at).as_secs());
        let jump = if seconds_since(wall, expected) > JUMP_SECONDS {
            Jump::Forward
        } else if seconds_since(expected, wall) > JUMP_SECONDS {
            Jump::Back
        } else {
            Jump::None
        };
        *self = Self { wall, at };
        jump
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_that_jumps_is_noticed() {
        let start = Instant::now();
        let later = |seconds| start + Duration::from_secs(seconds);
        let at = |seconds: i64| Time::from_unix_seconds(1_800_000_000 + seconds);
        let mut clock = SteadyClock::new(at(0), start);
        assert_eq!(clock.check(at(10), later(10)), Jump::None);
        assert_eq!(clock.check(at(80), later(20)), Jump::None);
        assert_eq!(clock.check(at(500), later(30)), Jump::Forward);
        assert_eq!(clock.check(at(510), later(40)), Jump::None);
        assert_eq!(clock.check(at(100), later(50)), Jump::Back);
    }
}
