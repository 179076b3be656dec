//! What was sent, what was seen, and what follows.

use std::fmt;
use std::time::Duration;

use capability_resolution::Time;
use guarded_fetch::Error;

use crate::findings::Findings;
use crate::message::Step;
use crate::target::Target;

/// One observation of one server. It holds no session id and no other secret but what the URL may hold, and its
/// `Debug` form shows the URL without its query.
#[derive(Clone, PartialEq, Eq)]
pub struct Observation {
    /// The URL asked.
    pub url: String,
    /// When it ended: `checked_at` of a status that rests on it (`status.checked-at`).
    pub ended: Time,
    /// The requests, in their order; a redirect that was followed has one of its own.
    pub exchanges: Vec<Exchange>,
    /// What follows.
    pub findings: Findings,
}

/// One request and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// Where in the procedure it stands; it says the method and the message too.
    pub step: Step,
    /// The status of the answer, if its head came.
    pub status: Option<u16>,
    /// The code of what went wrong in the transport ([`guarded_fetch::Error::code`]), if something did.
    pub failure: Option<&'static str>,
    /// From the start of the request, a connection to be made included, to the end of reading.
    pub took: Duration,
}

impl Observation {
    pub(crate) fn new(
        target: &Target,
        started: Time,
        took: Duration,
        exchanges: Vec<Exchange>,
        findings: Findings,
    ) -> Self {
        Self {
            url: target.url().as_str().to_owned(),
            ended: started.plus(took.as_secs()),
            exchanges,
            findings,
        }
    }
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observation")
            .field("url", &guarded_fetch::ShownUrl::from_text(&self.url))
            .field("ended", &self.ended)
            .field("exchanges", &self.exchanges)
            .field("findings", &self.findings)
            .finish()
    }
}

/// Nothing was observed, and the server is not the reason: the fetcher is busy, the server had asked to be left
/// alone, or this machine has no root certificates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not observed: {0}")]
pub struct NotObserved(#[source] pub Error);

impl NotObserved {
    /// The stable name of the kind of error: that of the fetcher.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.code()
    }
}
