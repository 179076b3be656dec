//! The client that a command works with, as the settings and the command line have it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use capability_resolution::Time;
use command_console::{Console, Diagnostic, Explain, Failure};

use super::settings::{self, Settings, SettingsError};
use super::{Global, files};
use crate::{Asking, BuildError, Client, GuardedTransport, Resolvers, SystemClock};

/// Whom to ask, and how; of every command that asks for a need or a server.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Whom {
    /// Ask this resolver, and not those of your list; can be given several times.
    #[arg(long, value_name = "ORIGIN")]
    pub(super) resolver: Vec<String>,
    /// Give up after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub(super) timeout: Option<u64>,
    /// Use no earlier answer, and keep none.
    #[arg(long)]
    pub(super) no_cache: bool,
}

/// Why nobody can be asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum NetworkError {
    #[error("your list of resolvers is empty, so there is nobody to ask")]
    Nobody { path: PathBuf },
    #[error("cannot set up requests")]
    Fetcher(#[source] Box<guarded_fetch::Error>),
    #[error("cannot set up the client")]
    Client(#[source] BuildError),
    #[error("cannot set up the runtime")]
    Runtime(#[source] io::Error),
}

impl Explain for NetworkError {
    fn code(&self) -> &'static str {
        match self {
            Self::Nobody { .. } => "no-resolvers",
            Self::Fetcher(_) => "no-fetcher",
            Self::Client(_) => "no-client",
            Self::Runtime(_) => "no-runtime",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Nobody { path } => Some(format!(
                "capability-resolver-client resolvers add ORIGIN puts one into {}; which one you trust is for you to say",
                path.display()
            )),
            _ => None,
        }
    }
}

/// The client for these resolvers. A folder for answers that cannot be used is told of, and gone without.
pub(super) fn client(
    global: &Global,
    whom: &Whom,
    at_once: bool,
    console: &mut Console,
) -> Result<Client, Failure> {
    let path = settings::path(global)?;
    let settings = Settings::read(&path).map_err(SettingsError::failure)?;
    let (client, warning) = client_by(global, whom, at_once, &settings, path)?;
    if let Some(warning) = warning {
        console.talk(warning);
    }
    Ok(client)
}

/// The same by settings that were read, with the warning that may be due.
pub(super) fn client_by(
    global: &Global,
    whom: &Whom,
    at_once: bool,
    settings: &Settings,
    path: PathBuf,
) -> Result<(Client, Option<Diagnostic>), Failure> {
    let texts = match &*whom.resolver {
        [] => &settings.resolvers,
        named => named,
    };
    let resolvers = settings::list(texts, global.allow_loopback).map_err(SettingsError::failure)?;
    if resolvers.is_empty() {
        return Err(NetworkError::Nobody { path }.into());
    }
    let folder = files::answers().filter(|_| settings.keep_answers && !whom.no_cache);
    match build(global, whom, at_once, settings, resolvers.clone(), folder) {
        Err(NetworkError::Client(BuildError::Folder { folder, source })) => {
            let told = format!("no answers are kept: {} cannot be used", folder.display());
            let warning = Diagnostic::warning("no-cache", told).note(source.to_string());
            let client = build(global, whom, at_once, settings, resolvers, None)?;
            Ok((client, Some(warning)))
        }
        built => Ok((built?, None)),
    }
}

fn build(
    global: &Global,
    whom: &Whom,
    at_once: bool,
    settings: &Settings,
    resolvers: Resolvers,
    folder: Option<PathBuf>,
) -> Result<Client, NetworkError> {
    let ranges = settings.allow_addresses.iter();
    let fetcher = ranges
        .fold(GuardedTransport::builder(), |builder, range| {
            builder.allow(*range)
        })
        .allow_loopback(global.allow_loopback)
        .build()
        .map_err(|error| NetworkError::Fetcher(Box::new(error)))?;
    let mut budget = settings.budget();
    if let Some(seconds) = whom.timeout {
        budget.in_all = Duration::from_secs(seconds);
        budget.per_resolver = budget.per_resolver.min(budget.in_all);
    }
    let asking = if at_once {
        Asking::AtOnce
    } else {
        settings.asking()
    };
    let builder = Client::builder()
        .resolvers(resolvers)
        .asking(asking)
        .budget(budget)
        .transport(GuardedTransport::over(fetcher));
    let builder = match global.now {
        Some(now) => builder.clock(move || -> Time { now }),
        None => builder.clock(SystemClock),
    };
    let builder = match folder {
        Some(folder) => builder.keep_in(folder),
        None => builder,
    };
    builder.build().map_err(NetworkError::Client)
}

/// Runs what waits for the network, on this thread.
pub(super) fn wait<F: Future>(work: F) -> Result<F::Output, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(NetworkError::Runtime)?;
    Ok(runtime.block_on(work))
}
