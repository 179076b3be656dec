//! `verify-proofs`: are the bytes of each version the frozen ones, and who vouches for when?

use command_console::{Console, Failure, Format, Outcome};

use crate::proofs::headers::Header;
use crate::proofs::upstream::UpstreamFile;
use crate::proofs::{self, Options, human};
use crate::repo::Repo;

/// Verifies the frozen versions and their proofs, offline.
///
/// Exit code 0: all frozen bytes and all proofs that are here hold; 1: something is false; 2: it could not be told.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask verify-proofs                            every version
  cargo xtask verify-proofs 0.2 --verbose              one, with the checks that ran and the same by hand
  cargo xtask verify-proofs --require-independent      undecided unless somebody independent vouches for the time
  cargo xtask verify-proofs --upstream-file 0.2=a.md   compare a text of 7IT Solutions with what they state of it")]
pub struct Args {
    /// The versions to verify; all of them if none is named.
    #[arg(value_name = "VERSION")]
    pub versions: Vec<String>,

    /// Show the checks that ran, and the same checks by hand.
    #[arg(long)]
    pub verbose: bool,

    /// How the report is written; for json see docs/schema/verify-proofs.schema.json.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// Exit with 2 also when a version has no proof by somebody independent.
    #[arg(long)]
    pub require_independent: bool,

    /// The bytes of a text that `proof/upstream.toml` makes statements about; may be given several times.
    #[arg(long = "upstream-file", value_name = "VERSION=PATH")]
    pub upstream_files: Vec<UpstreamFile>,

    /// A Bitcoin block header that you vouch for, as HEIGHT:HEX; may be given several times.
    #[arg(long = "header", value_name = "HEIGHT:HEX")]
    pub headers: Vec<Header>,
}

/// Runs the command: true if everything holds.
///
/// # Errors
/// Outside a repository.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    run_in(&Repo::find()?, args, console)
}

/// The same in a repository that is given.
///
/// # Errors
/// None: what cannot be read is part of the report.
pub fn run_in(repo: &Repo, args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let report = proofs::verify(
        repo,
        &Options {
            versions: args.versions.clone(),
            headers: args.headers.clone(),
            upstream: args.upstream_files.clone(),
            require_independent: args.require_independent,
            ..Options::default()
        },
    );
    match args.format {
        Format::Json => console.json(&report),
        Format::Human => console.data(human::print(&report, args.verbose)),
    }
    Ok(report.verdict.into())
}
