//! `capability-resolution-check URL`: an origin, judged as a resolver.

mod compare;
mod human;
mod json;
mod junit;

use std::path::PathBuf;
use std::time::Duration;

use capability_resolution::{Need, Time};
use clap::ValueEnum;
use command_console::{Console, Failure, Outcome};

use crate::error::CheckError;
use crate::input;
use crate::network::{Network, wait};
use crate::origin::{Plan, Recording, Report, Standing, recognize};

/// A job that many servers are for.
const SAMPLE_NEED: &str = "search documentation";

/// Judge the resolver at an origin: every rule that can be seen over HTTP.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The origin, such as https://resolver.example.
    #[arg(value_name = "URL", required = true)]
    url: Option<String>,
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
    /// How the answer is written; for json see docs/schema/check-origin.schema.json.
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
    // clap sees to it that there is one.
    let url = args.url.as_deref().unwrap_or_default();
    let issuer = input::asked(url, args.network.allow_loopback)?;
    let need = Need::new(&args.sample_need).map_err(|why| CheckError::Need(Box::new(why)))?;
    let before = args.compare.as_deref().map(compare::read).transpose()?;
    if let Some(value) = crate::origin::unknown(&args.only) {
        return Err(CheckError::Only { value }.into());
    }
    let (at, _) = input::now(None)?;
    let fetcher = args.network.fetcher(issuer.host())?;
    let plan = Plan {
        issuer,
        need,
        timeout: Duration::from_secs(args.network.timeout),
    };
    let recording =
        wait(plan.run(&fetcher))?.map_err(|error| CheckError::Fetch(Box::new(error)))?;
    recognize(&recording).map_err(|why| CheckError::NoResolver { why })?;
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
        Format::Junit => console.text(&junit::junit(&run)),
    }
    Ok(match run.report.standing() {
        Standing::Reached => Outcome::True,
        Standing::NotReached => Outcome::False,
        Standing::CouldNotTell => Outcome::Unknown,
    })
}
