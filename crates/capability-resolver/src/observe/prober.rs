//! How a server is asked.

use std::time::Duration;

use capabilities_txt::fetch::Outcome as FileOutcome;
use capability_resolution::{ServerUrl, Time};
use tokio::time::Instant;
use url::Url;

use crate::import::ImportError;
use crate::observed::{Observed, Start};

/// How a server is asked. A clone asks the same way.
pub trait Prober: Clone + Send + Sync + 'static {
    /// Observes a server once: section 15.1.3.
    fn probe(
        &self,
        url: &ServerUrl,
        begin_with: Start,
        started_at: Time,
    ) -> impl Future<Output = Result<Asked<Observed>, NotNow>> + Send;

    /// Fetches the server file of a host: section 11.7.
    fn fetch_file(
        &self,
        host: &str,
    ) -> impl Future<Output = Result<Asked<FileOutcome<Vec<u8>>>, NotNow>> + Send;

    /// Fetches a document of a source that is called `name`.
    fn fetch_document(
        &self,
        url: &Url,
        name: &str,
    ) -> impl Future<Output = Asked<Result<Vec<u8>, ImportError>>> + Send;
}

/// What asking came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked<T> {
    /// What follows.
    pub result: T,
    /// Who was heard.
    pub heard: Heard,
}

/// Who was heard while something was asked: `observation.own-network`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// Another machine, whose response headers came after this moment, the latest that is known.
    Somebody(Instant),
    /// Nobody.
    Nobody,
    /// Nobody but this machine was asked, which says nothing of its network.
    OwnMachine,
}

/// Why nothing was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotNow {
    /// It is not the moment, for about so long.
    Later(Duration),
    /// This machine cannot ask anybody.
    Machine(String),
}
