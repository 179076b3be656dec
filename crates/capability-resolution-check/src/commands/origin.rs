//! `capability-resolution-check URL`: an origin, judged as a resolver.

pub(super) mod compare;
mod human;
mod json;
mod junit;

use std::path::PathBuf;
use std::time::Duration;

use capability_resolution::{Need, Time};
use clap::ValueEnum;
use command_console::{Console, Failure, Outcome};
use guarded_fetch::Fetcher;

use super::server;
use crate::error::CheckError;
use crate::input;
use crate::network::{Network, wait};
use crate::origin::{Plan, Recording, Report, Standing, recognize};

/// A job that many servers are for.
pub(super) const SAMPLE_NEED: &str = "search documentation";

/// Judge the resolver at an origin: every rule that can be seen over HTTP.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The origin.
    #[arg(
        help = "The origin, such as https://resolver.example",
        value_name = "URL",
        required_unless_present = "server"
    )]
    url: Option<String>,
    /// Read the capabilities.txt of this server's host instead, as a resolver would, and show who may list what.
    #[arg(long, value_name = "URL", conflicts_with_all = ["url", "only", "compare", "verbose", "sample_need"])]
    server: Option<String>,
    /// With --server: also observe each server that the file declares, as a resolver would.
    #[arg(long, requires_all = ["server", "contact"])]
    probe: bool,
    /// Make only the checks whose id begins so, such as token or resolve.need.length; can be given again. There is no
    /// verdict of resolver-1 then.
    #[arg(long, value_name = "RULE")]
    only: Vec<String>,
    /// A need that the resolver has candidates for.
    #[arg(long, value_name = "TEXT", default_value = SAMPLE_NEED)]
    sample_need: String,
    /// A report of --format json: says which checks came out otherwise since then.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// How the answer is written; for json see docs/schema/check-origin.schema.json, with --server
    /// docs/schema/check-server.schema.json; junit is not for --server.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Also list the checks that passed, with what they expect.
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    network: Network,
}

/// How the report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// Sentences for people.
    #[default]
    Human,
    /// One JSON value.
    Json,
    /// JUnit XML, which most CI systems show.
    Junit,
}

/// A run and what it came to.
struct Run {
    recording: Recording,
    report: Report,
    at: Time,
    /// Since an earlier report, if one was given.
    changes: Option<Vec<compare::Change>>,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    if let Some(server) = &args.server {
        let json = match args.format {
            Format::Human => false,
            Format::Json => true,
            Format::Junit => return Err(CheckError::NoTests.into()),
        };
        return server::run(server, args.probe, json, &args.network, console);
    }
    // clap sees to it that there is one.
    let url = args.url.as_deref().unwrap_or_default();
    let (plan, fetcher) = plan(url, &args.sample_need, &args.network)?;
    let before = args.compare.as_deref().map(compare::read).transpose()?;
    if let Some(value) = crate::origin::unknown(&args.only) {
        return Err(CheckError::Only { value }.into());
    }
    let at = input::clock();
    let recording = wait(record(&plan, &fetcher))??;
    let report = Report::new(&recording, &args.only);
    let changes = before.map(|before| compare::changes(&before, &report));
    let run = Run {
        recording,
        report,
        at,
        changes,
    };
    match args.format {
        Format::Human => console.text(&human::human(&run, args.verbose)),
        Format::Json => console.json(&json::json(&run)),
        Format::Junit => console.text(&junit::junit(&run).to_string()),
    }
    Ok(match run.report.standing() {
        Standing::Reached => Outcome::True,
        Standing::NotReached => Outcome::False,
        Standing::CouldNotTell => Outcome::Unknown,
    })
}

/// What is asked, and the way out to it.
pub(super) fn plan(
    url: &str,
    need: &str,
    network: &Network,
) -> Result<(Plan, Fetcher), CheckError> {
    let issuer = input::asked(url, network.allow_loopback)?;
    let need = Need::new(need).map_err(|why| CheckError::Need(Box::new(why)))?;
    let fetcher = network.fetcher()?;
    let timeout = Duration::from_secs(network.timeout);
    let plan = Plan {
        issuer,
        need,
        timeout,
    };
    Ok((plan, fetcher))
}

/// Makes one run, of a resolver.
pub(super) async fn record(plan: &Plan, fetcher: &Fetcher) -> Result<Recording, CheckError> {
    let recording = plan.run(fetcher).await;
    let recording = recording.map_err(|error| CheckError::Fetch(Box::new(error)))?;
    recognize(&recording).map_err(|why| CheckError::NoResolver { why })?;
    Ok(recording)
}
