//! `capability-resolution-check file`: a capabilities.txt, and what resolvers understand of it.

mod advice;
pub(crate) mod finding;
mod human;
mod json;
mod sarif;

use std::path::{Path, PathBuf};

use capabilities_txt::limits::SCAN_MAX_BYTES;
use capabilities_txt::{PublicSuffixes, Reading, Restriction, Scope, Severity, Verdict, allows};
use capability_resolution::{Origin, Time};
use clap::ValueEnum;
use command_console::{Console, Failure, Outcome};
use serde::Serialize;

use crate::input::{self, NowSource};
use finding::Finding;

/// Judge a capabilities.txt: what is wrong, how to mend it, and what resolvers understand.
///
/// Exit code 0: the file is valid; 1: it is not; 2: it could not be read, or the command line is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolution-check file capabilities.txt --host example.com
  capability-resolution-check file - --host example.com \\
      --resolver https://resolver.example < capabilities.txt
  capability-resolution-check file capabilities.txt --host example.com \\
      --now 2026-11-30T12:00:00Z --format sarif")]
pub(crate) struct Args {
    /// The file, or - for standard input.
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
    /// The host that the file is asked of. It speaks for servers on this host and on those below it.
    #[arg(long, value_name = "HOST")]
    host: String,
    /// A resolver: is it allowed to list the servers?
    #[arg(long, value_name = "ORIGIN")]
    resolver: Option<String>,
    /// The moment at which the file is judged; without it, the clock of this computer says it.
    #[arg(long, value_name = "RFC3339")]
    now: Option<String>,
    /// How the answer is written; for json see docs/schema/check-file.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How the answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// Sentences for people.
    #[default]
    Human,
    /// One JSON value.
    Json,
    /// A SARIF 2.1.0 log, which code hosts show beside the lines.
    Sarif,
}

/// A file and what was made of it.
pub(super) struct Judgement<'a> {
    path: &'a Path,
    reading: Reading<'a>,
    now: Time,
    now_source: NowSource,
    restriction: Restriction,
    /// The resolver that was asked about, and whether it is allowed.
    resolver: Option<(Origin, Verdict)>,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let (now, now_source) = input::now(args.now.as_deref())?;
    let scope = Scope::new(input::host(&args.host)?, &PublicSuffixes::compiled_in());
    let resolver = args.resolver.as_deref().map(input::resolver).transpose()?;
    let source = input::file_or_stdin(&args.file, SCAN_MAX_BYTES)?;
    let reading = capabilities_txt::read(&source.bytes, &scope, now);
    let judgement = Judgement {
        path: &args.file,
        reading,
        now,
        now_source,
        restriction: Restriction::read(&source.bytes),
        resolver: resolver.map(|resolver| {
            let verdict = allows(&source.bytes, &resolver);
            (resolver, verdict)
        }),
    };
    match args.format {
        Format::Human => console.text(&human::human(&judgement)),
        Format::Json => console.json(&json::json(&judgement)),
        Format::Sarif => console.json(&sarif::sarif(&judgement)),
    }
    Ok(Outcome::from_bool(judgement.reading.is_valid()))
}

impl<'a> Judgement<'a> {
    /// Of a file from elsewhere.
    pub(super) fn fetched(bytes: &'a [u8], from: &'a str, scope: &'a Scope, now: Time) -> Self {
        Self {
            path: Path::new(from),
            reading: capabilities_txt::read(bytes, scope, now),
            now,
            now_source: NowSource::Clock,
            restriction: Restriction::read(bytes),
            resolver: None,
        }
    }

    /// For people.
    pub(super) fn human(&self) -> String {
        human::human(self)
    }

    /// For programs: docs/schema/check-file.schema.json.
    pub(super) fn json(&self) -> impl Serialize {
        json::json(self)
    }

    pub(super) fn reading(&self) -> &Reading<'a> {
        &self.reading
    }

    /// The name of the file for people.
    fn path(&self) -> String {
        if self.path == Path::new("-") {
            return "<stdin>".to_owned();
        }
        self.path.display().to_string()
    }

    /// How many errors and how many warnings there are.
    fn counts(&self) -> (usize, usize) {
        let all = self.reading.diagnostics();
        let is_error = |d: &&capabilities_txt::Diagnostic| d.severity() == Severity::Error;
        let errors = all.iter().filter(is_error).count();
        (errors, all.len() - errors)
    }

    /// At most so many findings in the order of the file, errors before warnings where there are more.
    fn findings(&self, most: usize) -> impl Iterator<Item = Finding> {
        let (errors, warnings) = self.counts();
        let mut errors = errors.min(most);
        let mut warnings = warnings.min(most - errors);
        let chosen = self.reading.diagnostics().iter().filter(move |diagnostic| {
            let left = match diagnostic.severity() {
                Severity::Error => &mut errors,
                Severity::Warning => &mut warnings,
            };
            let is_chosen = *left > 0;
            *left = left.saturating_sub(1);
            is_chosen
        });
        chosen.map(|diagnostic| Finding::new(&self.reading, diagnostic, self.now))
    }
}
