//! `capability-resolver forget`: a host that wants to be known no more.

use capability_resolution::{Host, OriginError};
use command_console::style::BOLD;
use command_console::{Console, Diagnostic, Explain, Failure, Format, Outcome};
use serde::Serialize;

use crate::cli::Global;
use crate::server_file::is_public_suffix;
use crate::store::Store as _;

/// Remove all that is known of the servers of a host and of the hosts below it, for good.
///
/// What sources said and what was seen goes, the history too. What stays is the name of the host, so that no source
/// brings it back, and a server file that restricts somebody, so that no deny is lost.
///
/// Exit code 0: done; 1: with --undo, the host was not forgotten; 2: it could not be done.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver forget tools.example.com
  capability-resolver forget --undo tools.example.com")]
pub(crate) struct Args {
    /// Let sources name the host again. What was removed does not come back.
    #[arg(long)]
    undo: bool,
    /// How the answer is written; for json see docs/schema/resolver-forget.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The host, without scheme, port and path.
    #[arg(value_name = "HOST")]
    host: String,
}

/// Why nothing was removed.
#[derive(Debug, thiserror::Error)]
enum ForgetError {
    #[error("{host} is not a host")]
    Form { host: String, source: OriginError },
    #[error("{host} is a public suffix: strangers have their hosts below it")]
    PublicSuffix { host: Host },
}

impl Explain for ForgetError {
    fn code(&self) -> &'static str {
        match self {
            Self::Form { .. } => "host-form",
            Self::PublicSuffix { .. } => "host-public-suffix",
        }
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Form { .. } => "for example tools.example.com".to_owned(),
            Self::PublicSuffix { host } => format!("name a host below it, such as example.{host}"),
        })
    }
}

/// docs/schema/resolver-forget.schema.json.
#[derive(Serialize)]
struct Answer<'a> {
    host: &'a str,
    forgotten: bool,
    servers: u64,
    claims: u64,
    observations: u64,
    files: u64,
    kept_files: u64,
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let (_, mut store) = global.store()?;
    let host = Host::from_written(&args.host).map_err(|source| ForgetError::Form {
        host: args.host.clone(),
        source,
    })?;
    if args.undo {
        let was = store.remember(&host)?;
        match (args.format, was) {
            (Format::Json, _) => console.json(&Answer {
                host: host.as_str(),
                forgotten: false,
                servers: 0,
                claims: 0,
                observations: 0,
                files: 0,
                kept_files: 0,
            }),
            (Format::Human, true) => console.data(format_args!("sources may name {host} again")),
            (Format::Human, false) => console.data(format_args!("{host} was not forgotten")),
        }
        return Ok(Outcome::from_bool(was));
    }
    if is_public_suffix(&host) {
        return Err(ForgetError::PublicSuffix { host }.into());
    }
    let gone = store.forget(&host, global.now())?;
    match args.format {
        Format::Json => console.json(&Answer {
            host: host.as_str(),
            forgotten: true,
            servers: gone.servers,
            claims: gone.claims,
            observations: gone.observations,
            files: gone.files,
            kept_files: gone.kept_files,
        }),
        Format::Human => {
            console.data(format_args!(
                "{BOLD}{host}{BOLD:#} is forgotten, with the hosts below it"
            ));
            console.data(format_args!(
                "  removed  {} servers, {} claims, {} observations, {} server files",
                gone.servers, gone.claims, gone.observations, gone.files
            ));
            console.data(format_args!(
                "  kept     the name, and {} server files that may restrict",
                gone.kept_files
            ));
        }
    }
    if gone.servers > 0 {
        console.talk(
            Diagnostic::warning(
                "tokens-live-on",
                "tokens that were given out cannot be called back",
            )
            .help("the last of them expires at most 48 hours from now (rule token.exp.max-life)"),
        );
    }
    Ok(Outcome::True)
}
