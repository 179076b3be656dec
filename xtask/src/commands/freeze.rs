//! `freeze`: the draft becomes a version.

use clap::ValueEnum;
use command_console::{Console, Diagnostic, Failure, Outcome};

use crate::freeze::{SUMS, freeze};
use crate::repo::Repo;
use crate::spec::version::Version;

/// Copies the draft and its vectors to a new version, with their digests and timestamp requests: all or nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask freeze 0.2.1-rc.1                        a candidate
  cargo xtask freeze 0.2.1-rc.1 --final-check strict   a candidate, held to what a final version is held to
  cargo xtask freeze 0.2.1                             a final version: requirements --strict holds")]
pub struct Args {
    /// The version, as the head of the draft names it.
    pub version: Version,
    /// Whether every rule has to be covered.
    #[arg(long, value_enum, default_value_t)]
    pub final_check: FinalCheck,
}

/// Whether every rule has to be covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum FinalCheck {
    /// For a final version, not for a candidate.
    #[default]
    Auto,
    /// In any case.
    Strict,
}

/// Runs the command: true if the version was cut, false if the draft or the tree is not fit for it.
///
/// # Errors
/// If something could not be read or written; nothing was changed then.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    let version = &args.version;
    let frozen = match freeze(&repo, version, args.final_check == FinalCheck::Strict) {
        Ok(frozen) => frozen,
        Err(error) if error.is_refusal() => {
            console.talk(Diagnostic::from_error(&error));
            return Ok(Outcome::False);
        }
        Err(error) => return Err(error.into()),
    };
    console.data(format_args!(
        "{version} is frozen: {} files, listed in proof/{version}/{SUMS}",
        frozen.files.len()
    ));
    console.talk("\nNext:");
    console.talk(format_args!(
        "  the line (\"{version}\", \"{}\") in xtask/tests/frozen.rs",
        frozen.manifest.to_hex()
    ));
    console.talk(format_args!(
        "  cargo xtask stamp {version} --authority local"
    ));
    for name in &frozen.authorities {
        console.talk(format_args!(
            "  cargo xtask-network stamp {version} --authority {name}   with a network"
        ));
    }
    console.talk(format_args!("  cargo xtask verify-proofs {version}"));
    console.talk(format_args!(
        "  git add spec proof test-vectors xtask && git commit -m \"Freeze {version}\""
    ));
    console.talk(format_args!(
        "  git tag --sign v{version} -m \"Capability Resolution {version}\""
    ));
    Ok(Outcome::True)
}
