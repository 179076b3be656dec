//! What an observation leaves behind.

use std::time::Duration;

use crate::challenge::Challenges;
use crate::outcome::{FailureClass, Outcome, words};
use crate::revision::{Era, Revision};
use crate::tool::{Server, Tool};

/// What follows from the answers of one observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// How it ended.
    pub outcome: Outcome,
    /// The step that led to `ok` or `sign_in`.
    pub led_by: Option<Start>,
    /// The handshake time in milliseconds, rounded up, for `ok` and `sign_in`: `mcp.handshake`.
    pub handshake_ms: Option<u64>,
    /// The revision that both sides speak, as far as it came to that.
    pub revision: Option<Revision>,
    /// What the server says of itself.
    pub server: Server,
    /// The tools, in the order of the server, for `ok`. Names can occur twice.
    pub tools: Vec<Tool>,
    /// Why there are no more tools.
    pub list_end: ListEnd,
    /// The challenges, for `sign_in`.
    pub challenges: Option<Challenges>,
    /// How many HTTP requests were made, further pages of tools not counted: `mcp.request.count`.
    pub requests: u8,
    /// How long the server asked to be left alone, at the longest: `observation.retry-after`.
    pub retry_after: Option<Duration>,
}

impl Findings {
    /// Where the next observation may begin: `mcp.era-cache`, `mcp.era-cache.recheck`.
    #[must_use]
    pub fn next_start(&self) -> Start {
        self.led_by.unwrap_or(Start::Discover)
    }

    /// The era of the revision.
    #[must_use]
    pub fn era(&self) -> Option<Era> {
        self.revision.map(Revision::era)
    }
}

impl Default for Findings {
    fn default() -> Self {
        Self {
            outcome: Outcome::Failure(FailureClass::Timeout),
            led_by: None,
            handshake_ms: None,
            revision: None,
            server: Server::default(),
            tools: Vec::new(),
            list_end: ListEnd::Unlisted,
            challenges: None,
            requests: 0,
            retry_after: None,
        }
    }
}

words! {
    /// The step at which an observation begins.
    Start {
        /// Step 1, as for every server that is not known.
        Discover = "discover",
        /// Step 2: the modern era.
        ModernTools = "modern-tools",
        /// Step 3: the legacy era.
        Initialize = "initialize",
        /// Step 4: HTTP+SSE.
        Stream = "stream",
    }
}

/// Why the list of tools ends where it does: `mcp.tools.pages`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListEnd {
    /// There was no list.
    Unlisted,
    /// These are all.
    Complete,
    /// There is more, and nobody asked for it.
    FirstPage,
    /// The next cursor had been sent before.
    RepeatedCursor,
    /// There was a page after the twentieth.
    TooManyPages,
    /// There were more than 2,000 tools.
    TooManyTools,
    /// A further page was not a list, or did not come in time, or its cursor was too long.
    Refused,
}
