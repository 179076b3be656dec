//! `authority add`: fetch the certificates of a described authority.

use clap::Subcommand;
use command_console::{Console, Diagnostic, Failure, Outcome};

use crate::proofs::authority::Authority;
use crate::repo::Repo;
use crate::stamp::{NetworkOptions, StampError};

/// The timestamp authorities of proof/authorities.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// What can be done with an authority.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Fetches the roots and the chain that authority.toml points to, and keeps them only if each root is the pinned one.
    #[command(after_help = "Examples:
  cargo xtask-network authority add freetsa    fetch its root; keep it only if it is the pinned one")]
    Add {
        /// The authority's folder in proof/authorities.
        name: String,
        /// How the network is used.
        #[command(flatten)]
        network: NetworkOptions,
    },
}

/// Runs the command: true if the certificates are there now, false if a root is not the pinned one.
///
/// # Errors
/// If there was no answer, or it could not be kept.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let Action::Add { name, network } = &args.action;
    let repo = Repo::find()?;
    match add(name, network, &repo, console) {
        Err(error) if error.is_false() => {
            console.talk(Diagnostic::from_error(&error));
            Ok(Outcome::False)
        }
        added => Ok(added?),
    }
}

#[cfg(not(feature = "network"))]
fn add(
    name: &str,
    _: &NetworkOptions,
    repo: &Repo,
    _: &mut Console,
) -> Result<Outcome, StampError> {
    Authority::load(repo, name)?;
    Err(StampError::NoNetwork {
        command: format!("authority add {name}"),
    })
}

#[cfg(feature = "network")]
fn add(
    name: &str,
    options: &NetworkOptions,
    repo: &Repo,
    console: &mut Console,
) -> Result<Outcome, StampError> {
    use crate::stamp::network::Network;
    use crate::stamp::roots;

    let authority = Authority::load(repo, name)?;
    let description = authority.description();
    let sources = description
        .roots
        .iter()
        .filter_map(|root| root.source.as_deref());
    for source in sources.chain(description.chain.iter().map(|chain| chain.source.as_str())) {
        console.talk(format_args!("fetching {source}"));
    }
    let kept = roots::add(&Network::new(repo, options)?, &authority)?;
    console.data(format_args!(
        "{name}: its root is the one that authority.toml pins, and is kept"
    ));
    for file in kept {
        console.data(format_args!(
            "  kept    {}, from {}",
            repo.relative(&file.path),
            file.sources.join(", ")
        ));
        for sha256 in file.fingerprints {
            console.data(format_args!("  sha256  {sha256}"));
        }
    }
    Ok(Outcome::True)
}
