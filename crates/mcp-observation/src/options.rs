//! What an observation may be told.

use std::time::Duration;

use crate::findings::Start;
use crate::message::Client;

/// How to observe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Who asks.
    pub client: Client,
    /// Where to begin: [`crate::Findings::next_start`] of the last observation of this server.
    pub start: Start,
    /// Whether to read further pages of tools, to index them. The status rests on the first.
    pub all_pages: bool,
    /// How long and how much.
    pub limits: Limits,
}

impl Options {
    /// From step 1, the first page only, by the limits of the text.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            client: Client {
                name: name.to_owned(),
                version: version.to_owned(),
            },
            start: Start::Discover,
            all_pages: false,
            limits: Limits::default(),
        }
    }
}

/// `mcp.limits`, and the times of steps 1 and 4. The default is the text's; a test has less patience.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a connection attempt. 5 s.
    pub connect: Duration,
    /// From sending a request to the head of the answer. 10 s.
    pub head: Duration,
    /// From sending the request of step 1 to the end of the answer. 15 s.
    pub discover: Duration,
    /// From the head of the answer to GET to the event `endpoint`. 5 s.
    pub endpoint: Duration,
    /// For the observation. 30 s.
    pub total: Duration,
    /// The largest body, in bytes. 4,194,304.
    pub body: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            head: Duration::from_secs(10),
            discover: Duration::from_secs(15),
            endpoint: Duration::from_secs(5),
            total: Duration::from_secs(30),
            body: 4_194_304,
        }
    }
}
