//! `capability-resolution-check watch`: one run after the other, for an operator's monitoring.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use capability_resolution::Time;
use command_console::style::{BAD, DOUBT, GOOD};
use command_console::{Console, Failure, Outcome};
use jiff::SignedDuration;

use super::origin::compare::{Outcomes, changes, outcomes};
use super::origin::{SAMPLE_NEED, plan, record};
use crate::error::CheckError;
use crate::input;
use crate::network::{Network, wait};
use crate::origin::{self as judge, Report, Standing};

/// Judge a resolver again and again, and say only what changed.
///
/// It ends with exit code 1 when the resolver does not reach resolver-1. While that cannot be told, it says so and goes on.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolution-check watch https://resolver.example --every 1h
  capability-resolution-check watch https://resolver.example --every 15m --keep-going \\
      --prometheus /var/lib/node_exporter/resolver.prom")]
pub(crate) struct Args {
    /// The origin.
    #[arg(
        help = "The origin, such as https://resolver.example",
        value_name = "URL"
    )]
    url: String,
    /// How long from the end of one run to the next, such as 1h, 30m or 90s: at least a minute.
    #[arg(long, value_name = "TIME", default_value = "1h")]
    every: String,
    /// End after so many runs.
    #[arg(long, value_name = "NUMBER")]
    runs: Option<u64>,
    /// Go on when the resolver does not reach resolver-1.
    #[arg(long)]
    keep_going: bool,
    /// Write what each run came to into this file, as text for Prometheus.
    #[arg(long, value_name = "FILE")]
    prometheus: Option<PathBuf>,
    /// A need that the resolver has candidates for.
    #[arg(long, value_name = "TEXT", default_value = SAMPLE_NEED)]
    sample_need: String,
    #[command(flatten)]
    network: Network,
}

/// What is remembered from one run to the next.
#[derive(PartialEq, Eq)]
enum Last {
    Nothing,
    /// No resolver answered, and why.
    Silent(String),
    Judged(Standing, Outcomes),
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let every = every(&args.every, args.network.allow_loopback)?;
    let (plan, fetcher) = plan(&args.url, &args.sample_need, &args.network)?;
    let (mut last, mut runs) = (Last::Nothing, 0_u64);
    loop {
        let at = input::clock();
        let seen = match wait(record(&plan, &fetcher))? {
            Ok(recording) => Ok(Report::new(&recording, &[])),
            Err(CheckError::NoResolver { why }) => Err(why),
            Err(error) => return Err(error.into()),
        };
        if let Some(path) = &args.prometheus {
            write(path, &metrics(plan.issuer.as_str(), at, seen.as_ref().ok()))?;
        }
        let standing = seen
            .as_ref()
            .map_or(Standing::CouldNotTell, Report::standing);
        last = tell(console, plan.issuer.as_str(), at, last, seen);
        runs += 1;
        let is_last = args.runs.is_some_and(|most| runs >= most);
        match standing {
            Standing::NotReached if is_last || !args.keep_going => return Ok(Outcome::False),
            Standing::Reached if is_last => return Ok(Outcome::True),
            Standing::CouldNotTell if is_last => return Ok(Outcome::Unknown),
            _ => std::thread::sleep(every),
        }
    }
}

/// Says what changed, and gives what is remembered now.
fn tell(
    console: &mut Console,
    origin: &str,
    at: Time,
    last: Last,
    seen: Result<Report, String>,
) -> Last {
    let report = match seen {
        Ok(report) => report,
        Err(why) => {
            let now = Last::Silent(why);
            if let (true, Last::Silent(why)) = (now != last, &now) {
                console.data(format_args!("{at} {DOUBT}could not tell{DOUBT:#}: {why}"));
            }
            return now;
        }
    };
    let standing = report.standing();
    let (before, known) = match last {
        Last::Judged(before, known) => (Some(before), Some(known)),
        Last::Nothing | Last::Silent(_) => (None, None),
    };
    if before != Some(standing) {
        let (style, words) = match standing {
            Standing::Reached => (GOOD, "reaches resolver-1"),
            Standing::NotReached => (BAD, "does not reach resolver-1"),
            Standing::CouldNotTell => (DOUBT, "may reach resolver-1 or not: it could not be told"),
        };
        console.data(format_args!("{at} {style}{origin} {words}{style:#}"));
    }
    let line = |console: &mut Console, id: &str, what: &str| {
        let judged = report.judged.iter().find(|judged| judged.check.id() == id);
        let seen = judged.map_or("", |judged| judged.seen.as_str());
        let between = if seen.is_empty() { "" } else { "; " };
        let seen = command_console::visible(seen);
        console.data(format_args!("{at}   {what}{between}{seen}"));
    };
    match known {
        Some(known) => {
            for change in changes(&known, &report) {
                line(console, &change.id, &change.to_string());
            }
        }
        // In the first run what failed is news.
        None => {
            for judged in report.of(judge::Outcome::Failed) {
                let id = judged.check.id();
                line(console, &id, &format!("{id}  failed"));
            }
        }
    }
    Last::Judged(standing, outcomes(&report))
}

/// At least a minute, but for a resolver of this machine.
fn every(value: &str, allow_any: bool) -> Result<Duration, CheckError> {
    const MINUTE: Duration = Duration::from_secs(60);
    const WEEK: Duration = Duration::from_secs(604_800);
    let read: Option<SignedDuration> = value.parse().ok();
    let read = read.and_then(|read| Duration::try_from(read).ok());
    let fits = |every: &Duration| (allow_any || *every >= MINUTE) && *every <= WEEK;
    read.filter(fits).ok_or_else(|| CheckError::Every {
        value: value.to_owned(),
    })
}

/// The text format of Prometheus, version 0.0.4. Writing to a string cannot fail.
fn metrics(origin: &str, at: Time, report: Option<&Report>) -> String {
    let mut out = String::new();
    let mut gauge = |name: &str, help: &str, values: &[(&str, i64)]| {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge");
        for (label, value) in values {
            let _ = writeln!(out, "{name}{{origin=\"{origin}\"{label}}} {value}");
        }
    };
    let reached = report.is_some_and(|report| report.standing() == Standing::Reached);
    gauge(
        "capability_resolution_check_reached",
        "1 if the resolver reached resolver-1, else 0.",
        &[("", i64::from(reached))],
    );
    gauge(
        "capability_resolution_check_answered",
        "1 if a resolver answered, else 0.",
        &[("", i64::from(report.is_some()))],
    );
    if let Some(report) = report {
        let of = |outcome| i64::try_from(report.count(outcome)).unwrap_or(i64::MAX);
        gauge(
            "capability_resolution_check_checks",
            "How many checks came out so.",
            &[
                (",outcome=\"passed\"", of(judge::Outcome::Passed)),
                (",outcome=\"failed\"", of(judge::Outcome::Failed)),
                (
                    ",outcome=\"could-not-tell\"",
                    of(judge::Outcome::CouldNotTell),
                ),
                (
                    ",outcome=\"not-applicable\"",
                    of(judge::Outcome::NotApplicable),
                ),
            ],
        );
    }
    gauge(
        "capability_resolution_check_run_timestamp_seconds",
        "When the last run began.",
        &[("", at.unix_seconds())],
    );
    out
}

/// Puts the whole file in the place of the former one.
fn write(path: &Path, text: &str) -> Result<(), CheckError> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let written =
        tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            readable(file.as_file())?;
            file.persist(path).map(drop).map_err(|error| error.error)
        });
    written.map_err(|source| CheckError::Metrics {
        path: path.display().to_string(),
        source,
    })
}

/// For the program that collects it, which is another user.
#[cfg(unix)]
fn readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
