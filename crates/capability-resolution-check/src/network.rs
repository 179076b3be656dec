//! The way out of the commands that ask somebody.

use guarded_fetch::{Fetcher, Traffic};

use crate::error::CheckError;

/// At most so many requests at a time.
const AT_ONCE: usize = 2;

/// How the commands that ask somebody are told to behave.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Network {
    /// For each request.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=120)
    )]
    pub(crate) timeout: u64,
    /// Where who is asked reaches you: an https or mailto URL, sent in the User-Agent; without it, that names no one.
    #[arg(long, value_name = "URL")]
    pub(crate) contact: Option<String>,
    /// For development: also take origins of this machine, and ask them by http. Holds for this run.
    #[arg(long)]
    pub(crate) allow_loopback: bool,
}

impl Network {
    /// The one way out of this run. Who probes has a contact (`http.user-agent`); who only reads what is published to
    /// everybody need not name one, and is not made to name somebody else.
    pub(crate) fn fetcher(&self) -> Result<Fetcher, CheckError> {
        let product = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
        let traffic = Traffic {
            in_all: AT_ONCE,
            per_host: AT_ONCE,
            ..Traffic::default()
        };
        let builder = match &self.contact {
            Some(contact) => Fetcher::builder(product, contact),
            None => Fetcher::of_a_person(product),
        };
        builder
            .traffic(traffic)
            .allow_loopback(self.allow_loopback)
            .build()
            .map_err(|error| CheckError::Fetch(Box::new(error)))
    }
}

/// Runs what waits for the network, on this thread.
pub(crate) fn wait<F: Future>(work: F) -> Result<F::Output, CheckError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CheckError::Runtime)?;
    Ok(runtime.block_on(work))
}
