//! `conformance-vectors run`: the vectors against a program.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use command_console::{Console, Failure, Outcome};
use conformance_vectors::Reasons;
use conformance_vectors::run::{Settings, run as ask};

use super::error::CliError;
use super::expected::ExpectedFailures;
use super::report::Report;
use super::select::{Only, Source};

/// Run the vectors against a program and say which rules it breaks.
///
/// The program is started once, without a shell. It reads one line of JSON from standard input for each vector,
/// {"id", "operation", "input"}, and answers with one line on standard output:
/// {"id", "result": "valid" or "invalid", "reason": code or null, "output": ...}, or {"id", "unsupported": true}.
/// A crash, a hang or anything else is a failure of that vector, and the next one gets a fresh process.
///
/// Exit code 0: every vector passed, or failed as listed; 1: a vector failed, or passed though it is listed; 2: nothing
/// failed but something was not run, or the run could not begin.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  conformance-vectors run -- ./my-program --adapter
  conformance-vectors run --only token.exp -- python3 adapter.py
  conformance-vectors run --only token-spec-example-expired -- node adapter.js
  conformance-vectors run --without client -- node adapter.js  (for a program that asks no resolver)
  conformance-vectors run --expected-failures known.txt --format junit -- ./my-program  (a CI job)
  conformance-vectors run --reasons ignore -- ./my-program  (for a program that names no codes)")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    only: Only,
    /// A file of ids, one a line with # for comments, of vectors that are known to fail. One that passes is an error.
    #[arg(long, value_name = "FILE")]
    expected_failures: Option<PathBuf>,
    /// Whether a refusal for another reason is a failure.
    #[arg(long, value_enum, default_value_t, value_name = "WHETHER")]
    reasons: ReasonsArg,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// How long an answer may take, for the first of a process with its start.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ReasonsArg {
    /// It is.
    #[default]
    Check,
    /// It is not, and the report says so.
    Ignore,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// Sentences for people.
    #[default]
    Human,
    /// One JSON value: docs/schema/conformance-run.schema.json.
    Json,
    /// JUnit XML, without times and host names.
    Junit,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let vectors = args.source.read()?;
    let selected = vectors.select(&args.only)?;
    let expected = match &args.expected_failures {
        Some(path) => ExpectedFailures::read(path, &vectors.suite)?,
        None => ExpectedFailures::default(),
    };
    let settings = Settings {
        timeout: args.timeout,
        reasons: match args.reasons {
            ReasonsArg::Check => Reasons::Check,
            ReasonsArg::Ignore => Reasons::Ignore,
        },
    };
    let words: Vec<String> = args
        .command
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let run = ask(&args.command, selected, settings).map_err(|source| CliError::Start {
        program: words.first().cloned().unwrap_or_default(),
        source,
    })?;
    let report = Report::new(&vectors, &run, &expected, settings.reasons, words);
    match args.format {
        Format::Human => console.text(&report.human()),
        Format::Json => console.json(&report.json()),
        Format::Junit => console.text(&report.junit().to_string()),
    }
    Ok(report.outcome())
}

/// From a millisecond to an hour.
fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.001..=3600.0).contains(seconds))
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected seconds from 0.001 to 3600".to_owned())
}
