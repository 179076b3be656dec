//! `site`: the text, its rules and its vectors as pages.

use std::path::PathBuf;

use command_console::{Console, Failure, Outcome};

use crate::repo::Repo;
use crate::site;

/// Writes every version and the draft as static pages: the text, a page for each rule and each vector, checks, changes,
/// proofs.
///
/// The pages need no script and load nothing from elsewhere, and the same repository always gives the same bytes. Exit
/// code 0: they are written, and the frozen versions hold; 1 or 2: they are written, and say which version does not, or
/// of which it could not be told.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask site                    to target/site; open target/site/index.html
  cargo xtask site --out /tmp/site    to a folder that is new, or that this command wrote before")]
pub struct Args {
    /// The folder to write to [default: target/site].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Runs the command: true if the frozen versions that the pages show hold.
///
/// # Errors
/// If a file cannot be read or written, or the folder holds something else.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    let folder = args.out.clone().unwrap_or_else(|| repo.path("target/site"));
    let site = site::build(&repo)?;
    site::write::replace(&folder, &site.files)?;
    for problem in &site.problems {
        console.talk(problem);
    }
    let bytes: usize = site.files.values().map(Vec::len).sum();
    console.data(format_args!(
        "{} files, {} KiB: {}",
        site.files.len(),
        bytes / 1024,
        folder.join("index.html").display()
    ));
    Ok(site.verdict.into())
}
