//! `stamp`: get a proof of time for a frozen version, and keep it if it verifies.

use std::path::Path;

use clap::ArgGroup;
use command_console::{Console, Diagnostic, Failure, Outcome};
use timestamp_proof::rfc3161::Timestamp;

use crate::repo::Repo;
use crate::spec::version::Version;
use crate::stamp::{NetworkOptions, StampError, Subject, local};

/// Gets a proof of time for a frozen version, and keeps it only if it verifies.
///
/// Only the digest of the version's SHA256SUMS is sent.
#[derive(Debug, clap::Args)]
#[command(
    group = ArgGroup::new("by").required(true).args(["authority", "ots"]),
    after_help = "Examples:
  cargo xtask stamp 0.2 --authority local              by ourselves: the machinery works, and nothing is proven
  cargo xtask-network stamp 0.2 --authority freetsa    by an independent timestamp authority (RFC 3161)
  cargo xtask-network stamp 0.2 --ots                  by OpenTimestamps calendars
  cargo xtask-network stamp 0.2 --ots --upgrade        some hours later: which block is it in?"
)]
pub struct Args {
    /// The frozen version.
    pub version: Version,
    /// Ask this authority of proof/authorities, or `local` for one of our own that is made for this stamp.
    #[arg(long, value_name = "NAME")]
    pub authority: Option<String>,
    /// Ask OpenTimestamps calendars.
    #[arg(long)]
    pub ots: bool,
    /// Ask the calendars what became of their promises, and add what they say.
    #[arg(long, requires = "ots")]
    pub upgrade: bool,
    /// Ask this calendar, and not the public pools; can be given more than once.
    #[arg(long = "calendar", value_name = "URL", requires = "ots")]
    pub calendars: Vec<String>,
    /// How the network is used.
    #[command(flatten)]
    pub network: NetworkOptions,
}

/// Runs the command: true if a proof was kept, false if an answer was false.
///
/// # Errors
/// If there was no answer, or it could not be kept.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    match stamp(args, &repo, console) {
        Err(error) if error.is_false() => {
            console.talk(Diagnostic::from_error(&error));
            Ok(Outcome::False)
        }
        stamped => Ok(stamped?),
    }
}

fn stamp(args: &Args, repo: &Repo, console: &mut Console) -> Result<Outcome, StampError> {
    let subject = Subject::load(repo, &args.version)?;
    if args.authority.as_deref() != Some(local::LOCAL) {
        return over_network(args, repo, &subject, console);
    }
    let stamped = local::stamp(repo, &subject)?;
    let report = Report {
        name: &stamped.name,
        independent: false,
        timestamp: &stamped.timestamp,
        kept: &stamped.path,
    };
    report.write(repo, &subject, console);
    Ok(Outcome::True)
}

struct Report<'a> {
    name: &'a str,
    independent: bool,
    timestamp: &'a Timestamp,
    kept: &'a Path,
}

impl Report<'_> {
    /// The verdict first, then what the token says.
    fn write(&self, repo: &Repo, subject: &Subject, console: &mut Console) {
        let list = repo.relative(subject.path());
        let Self {
            name, timestamp, ..
        } = self;
        let time = &timestamp.gen_time;
        console.data(if self.independent {
            format!("{list} existed by {time}, says {name}, which is independent of this project")
        } else {
            format!(
                "{list} is stamped {time} by ourselves ({name}): the machinery works, and nothing is proven about time"
            )
        });
        console.data(format_args!("  digest  {}", subject.digest()));
        console.data(format_args!("  signer  {}", timestamp.signer));
        console.data(format_args!(
            "  serial  {}, policy {}",
            timestamp.serial, timestamp.policy
        ));
        if let Some(accuracy) = timestamp.accuracy {
            console.data(format_args!("  clock   right to {accuracy}"));
        }
        console.data(format_args!("  kept    {}", repo.relative(self.kept)));
    }
}

#[cfg(not(feature = "network"))]
fn over_network(
    args: &Args,
    _: &Repo,
    _: &Subject,
    _: &mut Console,
) -> Result<Outcome, StampError> {
    let by = match &args.authority {
        Some(name) => format!("--authority {name}"),
        None => "--ots".to_owned(),
    };
    Err(StampError::NoNetwork {
        command: format!("stamp {} {by}", args.version),
    })
}

#[cfg(feature = "network")]
fn over_network(
    args: &Args,
    repo: &Repo,
    subject: &Subject,
    console: &mut Console,
) -> Result<Outcome, StampError> {
    use crate::proofs::authority::Authority;
    use crate::stamp::authority;
    use crate::stamp::network::Network;

    let network = || Network::new(repo, &args.network);
    let Some(name) = &args.authority else {
        return calendars::run(args, repo, subject, &network()?, console);
    };
    let authority = Authority::load(repo, name)?;
    let description = authority.description();
    let address = description.url.as_deref().unwrap_or("no address");
    console.talk(format_args!(
        "asking {} at {address}",
        description.description
    ));
    let (timestamp, path) = authority::stamp(&network()?, &authority, subject)?;
    let report = Report {
        name,
        independent: description.independent,
        timestamp: &timestamp,
        kept: &path,
    };
    report.write(repo, subject, console);
    Ok(Outcome::True)
}

#[cfg(feature = "network")]
mod calendars {
    use std::error::Error;

    use timestamp_proof::ots::Attestation;

    use super::{Args, Console, Diagnostic, Outcome, Repo, StampError, Subject};
    use crate::stamp::calendar::{self, Asked, DEFAULT_CALENDARS};
    use crate::stamp::network::Network;
    use command_console::Explain;

    pub(super) fn run(
        args: &Args,
        repo: &Repo,
        subject: &Subject,
        network: &Network,
        console: &mut Console,
    ) -> Result<Outcome, StampError> {
        if args.upgrade {
            return upgrade(args, repo, subject, network, console);
        }
        let mut calendars = args.calendars.clone();
        if calendars.is_empty() {
            calendars.extend(DEFAULT_CALENDARS.map(str::to_owned));
        }
        let path = calendar::submit(network, subject, &calendars, |asked| tell(asked, console))?;
        let (list, version) = (repo.relative(subject.path()), subject.version());
        console.data(format_args!(
            "{list} is promised a place in the Bitcoin chain; nothing is proven before it is there"
        ));
        console.data(format_args!("  digest  {}", subject.digest()));
        console.data(format_args!("  kept    {}", repo.relative(&path)));
        console.data(format_args!(
            "  next    in some hours: cargo xtask-network stamp {version} --ots --upgrade"
        ));
        Ok(Outcome::True)
    }

    fn upgrade(
        args: &Args,
        repo: &Repo,
        subject: &Subject,
        network: &Network,
        console: &mut Console,
    ) -> Result<Outcome, StampError> {
        let upgraded = calendar::upgrade(network, subject, &args.calendars, |asked| {
            tell(asked, console)
        })?;
        for stranger in &upgraded.strangers {
            let warning = format!("{stranger} was not asked: it is none of the known calendars");
            console.talk(
                Diagnostic::warning("unknown-calendar", warning)
                    .help(format!("to ask it: --calendar {stranger}")),
            );
        }
        let heights: Vec<_> = upgraded
            .proof
            .attestations()
            .filter_map(|one| match one {
                Attestation::Bitcoin { height, .. } => Some(*height),
                _ => None,
            })
            .collect();
        let (list, path) = (repo.relative(subject.path()), repo.relative(&upgraded.path));
        match heights.first() {
            Some(height) => {
                console.data(format_args!(
                    "{list} is in Bitcoin block {height}, says {path}; the block was not looked at"
                ));
                console.data(format_args!("  check   cargo xtask verify-ots --file {list} --proof {path} --header {height}:HEX"));
            }
            None => console.data(format_args!(
                "{list} is in no block yet; ask again in some hours"
            )),
        }
        console.data(format_args!(
            "  {}  {path}",
            if upgraded.grown { "grown " } else { "as was" }
        ));
        Ok(match (upgraded.any_false, heights.first()) {
            (true, _) => Outcome::False,
            (false, Some(_)) => Outcome::True,
            (false, None) => Outcome::Unknown,
        })
    }

    fn tell(asked: &Asked, console: &mut Console) {
        match &asked.answer {
            Ok(attestations) => {
                let attested: Vec<_> = attestations
                    .iter()
                    .map(|one| match one {
                        Attestation::Pending { uri, .. } => format!("pending at {uri}"),
                        Attestation::Bitcoin { height, .. } => format!("Bitcoin block {height}"),
                        other => other.kind().to_owned(),
                    })
                    .collect();
                console.talk(format_args!("{}: {}", asked.calendar, attested.join(", ")));
            }
            Err(error) => {
                let warning = Diagnostic::warning(
                    error.code(),
                    format!("no promise of {}: {error}", asked.calendar),
                );
                console.talk(match error.source() {
                    Some(source) => warning.note(source.to_string()),
                    None => warning,
                });
            }
        }
    }
}
