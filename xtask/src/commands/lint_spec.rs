//! `lint-spec`: is the draft well formed?

use serde::Serialize;

use crate::cli::Format;
use crate::console::Console;
use crate::diagnostic::Diagnostic;
use crate::outcome::{Failure, Outcome};
use crate::repo::{self, Repo};
use crate::spec;
use crate::spec::lint::{Source, lint};

/// Checks the form of the specification text.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask lint-spec                 findings for people
  cargo xtask lint-spec --format json   the same for programs")]
pub struct Args {
    /// How the findings are written.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Serialize)]
struct Report<'a> {
    findings: &'a [Diagnostic],
}

/// Runs the command: true if there are no findings.
///
/// # Errors
/// If the text cannot be read.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    let text = repo::read_text(&repo.path(spec::DRAFT))?;
    let findings = lint(Source {
        path: spec::DRAFT,
        text: &text,
    });
    match args.format {
        Format::Json => console.json(&Report {
            findings: &findings,
        }),
        Format::Human => {
            for finding in &findings {
                console.data(format_args!("{finding}\n"));
            }
            match findings.len() {
                0 => console.data(format_args!("{}: no findings", spec::DRAFT)),
                1 => console.data(format_args!("{}: 1 finding", spec::DRAFT)),
                n => console.data(format_args!("{}: {n} findings", spec::DRAFT)),
            }
        }
    }
    Ok(Outcome::from_bool(findings.is_empty()))
}
