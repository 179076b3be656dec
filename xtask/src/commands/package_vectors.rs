//! `package-vectors`: the vectors as one archive.

use std::fs;
use std::path::PathBuf;

use command_console::{Console, Failure, Outcome};

use crate::archive::{self, Archive};
use crate::commands::diff::Edition;
use crate::repo::{self, Repo, RepoError};

/// Packs the vectors of a version with their schemas, how to use them and their licence, and writes the digest beside.
///
/// The same repository always gives the same bytes: anybody can pack them again and compare the digest.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask package-vectors                       the draft's, to target/vectors
  cargo xtask package-vectors 0.2 --out /tmp        those of a frozen version")]
pub struct Args {
    /// The version, or `draft`.
    #[arg(default_value = "draft")]
    pub edition: Edition,
    /// The folder to write to [default: target/vectors].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Runs the command: true once both files are written.
///
/// # Errors
/// If there is no such version, or a file cannot be read or written.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    let archive = archive::of(&repo, &args.edition.to_string())?;
    let folder = args
        .out
        .clone()
        .unwrap_or_else(|| repo.path("target/vectors"));
    let Archive {
        file_name,
        bytes,
        sha256,
        files,
    } = &archive;
    let sums = format!("{file_name}.sha256");
    fs::create_dir_all(&folder).map_err(RepoError::io("create", &folder))?;
    for (name, bytes) in [
        (file_name, bytes.as_slice()),
        (&sums, format!("{sha256}  {file_name}\n").as_bytes()),
    ] {
        repo::replace(&folder.join(name), bytes)?;
    }
    console.data(format_args!("{sha256}  {file_name}"));
    console.talk(format_args!(
        "{} files in {} bytes: {}, and its digest in {sums}",
        files.len(),
        bytes.len(),
        folder.join(file_name).display()
    ));
    Ok(Outcome::True)
}
