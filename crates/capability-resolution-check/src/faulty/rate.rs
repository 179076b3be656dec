//! How often the resolver answers.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// At most so many requests a second, and as many at once: GCRA, the leaky bucket as a meter.
#[derive(Debug)]
pub(super) struct Rate {
    interval: Duration,
    used_up: Mutex<Instant>,
}

impl Rate {
    /// Nothing for 0.
    pub(super) fn new(per_second: u32) -> Option<Self> {
        Some(Self {
            interval: Duration::from_secs(1).checked_div(per_second)?,
            used_up: Mutex::new(Instant::now()),
        })
    }

    /// Counts a request; if it is one too many, how many whole seconds later it may be sent again.
    pub(super) fn wait(&self) -> Option<u64> {
        let now = Instant::now();
        let mut used_up = self.used_up.lock().unwrap_or_else(PoisonError::into_inner);
        let next = (*used_up).max(now) + self.interval;
        let over = (next - now).saturating_sub(Duration::from_secs(1));
        if over.is_zero() {
            *used_up = next;
            return None;
        }
        Some(over.as_secs() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_of_two_a_second_waits() {
        assert!(Rate::new(0).is_none());
        let rate = Rate::new(2).unwrap();
        assert_eq!([(); 3].map(|()| rate.wait()), [None, None, Some(1)]);
    }
}
