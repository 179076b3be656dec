//! `lint-spec`: is the draft well formed?

use command_console::{Console, Diagnostic, Failure, Format, Outcome};
use serde::Serialize;

use crate::repo::Repo;
use crate::spec;
use crate::spec::examples::EXAMPLES;

/// Checks the draft's form: rules, key words, references, terms, examples, lines and links.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask lint-spec                 findings for people
  cargo xtask lint-spec --format json   the same for programs")]
pub struct Args {
    /// How the findings are written; for json see docs/schema/lint-spec.schema.json.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// docs/schema/lint-spec.schema.json.
#[derive(Serialize)]
struct Report<'a> {
    findings: &'a [Diagnostic],
}

/// Runs the command: true if there are no findings.
///
/// # Errors
/// If a file cannot be read.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let findings = spec::lint_draft(&Repo::find()?, EXAMPLES)?;
    match args.format {
        Format::Json => console.json(&Report {
            findings: &findings,
        }),
        Format::Human => {
            for finding in &findings {
                console.data(format_args!("{finding}\n"));
            }
            let count = match findings.len() {
                0 => "no findings".to_owned(),
                1 => "1 finding".to_owned(),
                n => format!("{n} findings"),
            };
            console.data(format_args!("{}: {count}", spec::DRAFT));
        }
    }
    Ok(Outcome::from_bool(findings.is_empty()))
}
