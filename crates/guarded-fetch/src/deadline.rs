//! A moment after which nothing is waited for any more, and what to say then.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::{Error, ShownUrl, Stage};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    stage: Stage,
    limit: Duration,
}

impl Deadline {
    /// `limit` is at most a day, by the check of [`crate::Limits`], so that nothing overflows.
    pub(crate) fn after(limit: Duration, stage: Stage) -> Self {
        Self {
            at: Instant::now() + limit,
            stage,
            limit,
        }
    }

    #[must_use]
    pub(crate) fn or_sooner(self, other: Self) -> Self {
        if other.at < self.at { other } else { self }
    }

    /// Drops the future when the time is over.
    pub(crate) async fn run<F: Future>(
        self,
        url: &ShownUrl,
        future: F,
    ) -> Result<F::Output, Error> {
        timeout_at(self.at, future)
            .await
            .map_err(|_| Error::TimedOut {
                url: url.clone(),
                stage: self.stage,
                limit: self.limit,
            })
    }
}
