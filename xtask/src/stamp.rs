//! Getting proofs of time for a frozen version: from a timestamp authority, from OpenTimestamps calendars, or from an
//! authority of our own.
//!
//! Whatever comes from outside is verified before it is kept, and kept whole or not at all.

#[cfg(feature = "network")]
pub mod authority;
#[cfg(feature = "network")]
pub mod calendar;
mod error;
mod keep;
pub mod local;
#[cfg(feature = "network")]
pub mod network;
pub mod ots;
#[cfg(feature = "network")]
pub mod roots;
mod subject;

pub use error::StampError;
pub use subject::Subject;

/// What the command line says about the network. Without the feature `network` it is read, and changes nothing.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct NetworkOptions {
    /// Where servers may reach you: an https or mailto URL; without it, the https address of the git remote `origin`.
    #[arg(long, value_name = "URL")]
    pub contact: Option<String>,
    /// For development: let addresses lead to this machine, also by plain http.
    #[arg(long)]
    pub allow_loopback: bool,
    /// How long one answer may take, in seconds, 1 to 600.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub timeout: u64,
}

/// Random bytes of the operating system.
fn random<const N: usize>() -> Result<[u8; N], StampError> {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(StampError::Random {
            detail: error.to_string(),
        }),
    }
}
