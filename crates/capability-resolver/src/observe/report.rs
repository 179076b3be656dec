//! What a run came to, and what is told on the way.

use std::collections::BTreeMap;

use command_console::Explain;
use serde::Serialize;

use crate::import::{ImportError, Report};
use crate::store::StoreError;

/// Why observing ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObserveError {
    /// This machine cannot ask anybody.
    #[error("nothing can be observed from here: {0}")]
    Machine(String),
    /// Nobody answered: `observation.own-network`.
    #[error(
        "nobody answers: of the last {asked} servers and server files that were asked, none sent a response"
    )]
    NobodyAnswers {
        /// How many were asked; nothing of that is kept.
        asked: usize,
    },
    /// The store did not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Explain for ObserveError {
    fn code(&self) -> &'static str {
        match self {
            Self::Machine(_) => "machine",
            Self::NobodyAnswers { .. } => "nobody-answers",
            Self::Store(error) => error.code(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Machine(_) => None,
            Self::NobodyAnswers { .. } => Some(OWN_NETWORK_HELP.to_owned()),
            Self::Store(error) => error.help(),
        }
    }
}

/// What to do where nobody answers.
pub const OWN_NETWORK_HELP: &str = "look at this machine's network, name service and clock; nothing of it was kept (rule observation.own-network)";

/// What is told on the way.
#[derive(Debug, Clone, Copy)]
pub enum News<'n> {
    /// How far it is.
    Progress(&'n Tally),
    /// Nobody answered of so many who were asked: this machine's network is at fault, and no server.
    NobodyAnswers(usize),
    /// Somebody answers again.
    AnswersAgain,
    /// A source was read again, by its name.
    Source(&'n str, &'n Report),
    /// A source could not be read to its end; it is tried again in an hour.
    UnreadSource(&'n ImportError),
}

/// What was done so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Observations, by what they came to.
    pub observed: BTreeMap<String, u64>,
    /// Servers that were left alone, since a server file denies them.
    pub denied: u64,
    /// Servers that were left for later.
    pub later: u64,
    /// Observations that were not kept, since nobody answered: `observation.own-network`.
    pub unanswered: u64,
    /// Server files that were fetched, whatever came of it.
    pub files: u64,
    /// Sources that were read again.
    pub sources: u64,
    /// Sources that could not be read to their end.
    pub unread_sources: u64,
    /// Servers that wait for their turn.
    pub waiting: usize,
    /// Requests that are under way.
    pub under_way: usize,
}
