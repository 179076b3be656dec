//! How long is waited: `client.budget`.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

/// The bounds of a call. Each is at most a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// For each resolver. Default 5 s.
    pub per_resolver: Duration,
    /// For a call in all. Default 10 s.
    pub in_all: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            per_resolver: Duration::from_secs(5),
            in_all: Duration::from_secs(10),
        }
    }
}

impl Budget {
    /// The end of a call that begins now.
    pub(crate) fn begin(self) -> Deadline {
        Deadline(Instant::now() + self.in_all.min(DAY))
    }

    /// The end of a resolver's time that begins now, within that of the call.
    pub(crate) fn of_resolver(self, call: Deadline) -> Deadline {
        let own = Instant::now() + self.per_resolver.min(DAY);
        Deadline(own.min(call.0))
    }
}

const DAY: Duration = Duration::from_secs(86_400);

/// A moment after which nothing is waited for any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// Drops the future when the time is over.
    pub(crate) async fn run<F: Future>(self, future: F) -> Option<F::Output> {
        timeout_at(self.0, future).await.ok()
    }

    pub(crate) fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    pub(crate) fn is_over(self) -> bool {
        self.left().is_zero()
    }
}
