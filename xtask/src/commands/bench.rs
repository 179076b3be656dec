//! `bench`: the crates' benches, and other programs that do the same beside them.

use std::time::Duration;

use command_console::{Console, Failure, Format, Outcome};

use crate::bench::machine::Machine;
use crate::bench::peer::Running;
use crate::bench::report::{BenchReport, Report, Series};
use crate::bench::{Bench, BenchError, criterion, figures, table};
use crate::repo::{self, Repo, RepoError};

/// Measures the crates' benches and other programs beside them, in rounds, on the same input and in the same run.
///
/// Of each round the fastest sample counts, of the rounds the median: that is what the work takes, also on a machine
/// that others keep busy.
///
/// Exit code 0: everything was measured and every aim is reached; 1: an aim is missed; 2: something was left out.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask bench                              all, in about six minutes once they are compiled
  cargo xtask bench --rounds 15                  more rounds, for a machine that is busy
  cargo xtask bench --only token --format json   one bench, for programs
  cargo xtask bench --only observe               one that takes minutes, and is left out above
  cargo xtask bench --figures                    writes docs/figures.md too, in place of what was measured again
  FIXTURES_DIR=... cargo xtask bench --only search   how well servers are found, beside BM25")]
pub struct Args {
    /// Only this bench.
    #[arg(long, value_name = "BENCH", value_parser = targets())]
    pub only: Option<String>,
    /// How often everything is measured.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// How long each benchmark and each program is measured in a round.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 600,
          value_parser = clap::value_parser!(u64).range(10..=60_000))]
    pub time: u64,
    /// Write the figures to docs/figures.md too, each with its date and machine; those of other benches stay.
    #[arg(long)]
    pub figures: bool,
    /// How the figures are written; for json see docs/schema/bench.schema.json.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

fn targets() -> Vec<&'static str> {
    table::BENCHES.iter().map(|bench| bench.target).collect()
}

/// Runs the command: true if everything was measured and every aim is reached.
///
/// # Errors
/// If a bench does not compile or fails; a program beside it that does is left out.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    let wanted = |bench: &&'static Bench| match args.only.as_deref() {
        Some(only) => only == bench.target,
        None => bench.slow.is_none(),
    };
    let benches = table::BENCHES.iter().filter(wanted);
    let benches = benches
        .map(|bench| measure(&repo, bench, args, console))
        .collect::<Result<_, _>>()?;
    let report = Report {
        machine: Machine::this(),
        rounds: args.rounds,
        milliseconds: args.time,
        benches,
    };
    if args.figures {
        write_figures(&repo, &report)?;
        console.talk(format_args!("written: {}", figures::PATH));
    }
    match args.format {
        Format::Human => console.data(report.human()),
        Format::Json => console.json(&report),
    }
    Ok(report.outcome())
}

fn write_figures(repo: &Repo, report: &Report) -> Result<(), RepoError> {
    let path = repo.path(figures::PATH);
    let written = if path.exists() {
        repo::read_text(&path)?
    } else {
        String::new()
    };
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let page = figures::page(&written, report, &today, table::BENCHES);
    repo::replace(&path, page.as_bytes())
}

fn measure(
    repo: &Repo,
    bench: &'static Bench,
    args: &Args,
    console: &mut Console,
) -> Result<BenchReport, BenchError> {
    let name = format!("{} {}", bench.package, bench.target);
    if let Some((variable, what)) = bench.needs
        && std::env::var_os(variable).is_none()
    {
        let reason = format!("{variable} is not set; set it to {what}");
        return Ok(BenchReport::left_out(bench, reason));
    }
    console.talk(format_args!("{name}: compiling"));
    criterion::compile(repo, bench)?;
    let input = (bench.input)(repo)?;
    let time = Duration::from_millis(args.time);
    let mut series = Series::default();
    let mut peers = Vec::new();
    for peer in bench.peers {
        match Running::start(repo, peer) {
            Ok(running) => peers.push((peer.name, running)),
            Err(reason) => series.add_peer(peer.name, Err(reason)),
        }
    }
    let rounds = args.rounds.min(bench.slow.unwrap_or(u32::MAX));
    for round in 1..=rounds {
        console.talk(format_args!("{name}: round {round} of {rounds}"));
        series.add_own(criterion::round(repo, bench, time)?);
        peers.retain_mut(|(name, peer)| {
            let measured = peer.measure(&input, time);
            let goes_on = measured.is_ok();
            series.add_peer(name, measured);
            goes_on
        });
    }
    series.report(bench)
}
