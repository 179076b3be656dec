//! The way out, as the settings allow it.

use std::time::Duration;

use command_console::Explain;
use guarded_fetch::{Fetcher, Traffic};

use crate::config::{Config, EXAMPLE_ORIGIN, FILE_NAME};

/// Why nothing can be sent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum NetworkError {
    /// `http.user-agent`: nobody could be reached by what would be sent.
    #[error(
        "the settings still name {EXAMPLE_ORIGIN}, and a prober says who it is (rule http.user-agent)"
    )]
    Example,
    /// The fetcher cannot be set up.
    #[error("cannot set up requests")]
    Fetcher(#[source] Box<guarded_fetch::Error>),
    /// The runtime cannot be set up.
    #[error("cannot set up the runtime")]
    Runtime(#[source] std::io::Error),
}

impl Explain for NetworkError {
    fn code(&self) -> &'static str {
        match self {
            Self::Example => "example-origin",
            Self::Fetcher(_) => "no-fetcher",
            Self::Runtime(_) => "no-runtime",
        }
    }

    fn help(&self) -> Option<String> {
        matches!(self, Self::Example).then(|| format!("set origin and contact in {FILE_NAME}"))
    }
}

/// The switch of `origin.loopback`, of every command that sends requests.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Switch {
    /// For development: also ask servers on this machine, by http too. Holds for this run.
    #[arg(long)]
    pub(crate) allow_loopback: bool,
}

/// The one way out of this run.
pub(crate) fn fetcher(config: &Config, switch: Switch) -> Result<Fetcher, NetworkError> {
    if config.origin.as_str() == EXAMPLE_ORIGIN && !switch.allow_loopback {
        return Err(NetworkError::Example);
    }
    let many = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let traffic = Traffic {
        in_all: many(config.limits.in_flight),
        per_host: many(config.limits.per_host),
        retry_after: Duration::from_secs(86_400),
        ..Traffic::default()
    };
    let product = concat!("capability-resolver/", env!("CARGO_PKG_VERSION"));
    let builder = Fetcher::builder(product, &config.contact)
        .traffic(traffic)
        .allow_loopback(switch.allow_loopback);
    let builder = config
        .network
        .allow_addresses
        .iter()
        .fold(builder, |builder, range| builder.allow(*range));
    builder
        .build()
        .map_err(|error| NetworkError::Fetcher(Box::new(error)))
}

/// Runs what waits for the network, on this thread.
pub(crate) fn wait<F: Future>(work: F) -> Result<F::Output, NetworkError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(NetworkError::Runtime)?;
    Ok(runtime.block_on(work))
}
