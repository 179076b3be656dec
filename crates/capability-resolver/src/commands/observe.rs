//! `capability-resolver observe`: looks at what is due.

use std::error::Error as _;
use std::fs::{File, TryLockError};
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use command_console::style::BOLD;
use command_console::{Console, Diagnostic, Explain, Failure, Format, Outcome};
use serde::Serialize;

use crate::cli::Global;
use crate::clock;
use crate::config::Config;
use crate::import::{ImportError, Report, UrlSource};
use crate::network::{self, Switch};
use crate::observe::{NetworkProber, News, OWN_NETWORK_HELP, Observer, Settings, Tally};

/// Look at the servers that are due, after the files that speak for them, and keep what was seen.
///
/// Sources of resolver.toml that are URLs are read again each day; files are read by import.
///
/// Runs until it is stopped (Ctrl-C); what is under way then was not seen, and nothing else is lost.
///
/// Exit code 0: done, or stopped; 2: it could not be done.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver observe --once
  capability-resolver observe
  capability-resolver observe --once --format json")]
pub(crate) struct Args {
    /// End when nothing is left of what is due now. The second look at what failed is for another run.
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    switch: Switch,
    /// How the answer is written; for json see docs/schema/resolver-observe.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Why nothing is observed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    #[error("another program observes for this resolver already")]
    Running,
    #[error("cannot lock {}", path.display())]
    Unlocked { path: PathBuf, source: io::Error },
}

impl Explain for LockError {
    fn code(&self) -> &'static str {
        match self {
            Self::Running => "observer-running",
            Self::Unlocked { .. } => "observer-lock",
        }
    }

    fn help(&self) -> Option<String> {
        matches!(self, Self::Running)
            .then(|| "one is enough: two would ask every server twice".to_owned())
    }
}

/// docs/schema/resolver-observe.schema.json.
#[derive(Serialize)]
struct Answer<'t> {
    seconds: u64,
    #[serde(flatten)]
    tally: &'t Tally,
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let (config, mut store) = global.store()?;
    // Held until the end of the command; the system lets go of it when the process ends, however it ends.
    let _lock = lock(&config)?;
    let fetcher = network::fetcher(&config, args.switch)?;
    super::warn_of_suffixes(global.now(), console);
    let began = Instant::now();
    let observer = Observer::new(
        &mut store,
        NetworkProber::new(fetcher).allow_loopback(args.switch.allow_loopback),
        settings(&config, args.switch),
    );
    let mut last = None;
    let mut tell = |news: News<'_>| match news {
        News::Progress(tally) => {
            if last.as_ref() != Some(tally) {
                console.talk(line(tally));
                last = Some(tally.clone());
            }
        }
        News::NobodyAnswers(asked) => console.talk(nobody_answers(asked)),
        News::AnswersAgain => console.talk("somebody answers again, and observing goes on"),
        News::Source(name, report) => console.talk(source(name, report)),
        News::UnreadSource(error) => console.talk(unread(error)),
    };
    let tally = network::wait(observer.run(args.once, stopped(), &mut tell))??;
    let seconds = began.elapsed().as_secs();
    match args.format {
        Format::Json => console.json(&Answer {
            seconds,
            tally: &tally,
        }),
        Format::Human => human(&tally, seconds, console),
    }
    Ok(Outcome::True)
}

/// How a resolver with this configuration observes in this run.
pub(crate) fn settings(config: &Config, switch: Switch) -> Settings {
    let urls = config.sources.iter();
    Settings {
        issuer: config.origin.clone(),
        schedule: config.schedule,
        in_flight: usize::try_from(config.limits.in_flight).unwrap_or(usize::MAX),
        per_host: config.limits.per_host,
        sources: urls
            .filter_map(|written| UrlSource::url_of(written))
            .collect(),
        allow_loopback: switch.allow_loopback,
        clock: clock::now,
    }
}

/// Sees to it that one program at a time observes for a resolver, for as long as the file is kept.
pub(crate) fn lock(config: &Config) -> Result<File, LockError> {
    let mut path = config.store.clone();
    path.as_mut_os_string().push(".observer");
    let unlocked = |source| LockError::Unlocked {
        path: path.clone(),
        source,
    };
    let file = File::create(&path).map_err(unlocked)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LockError::Running),
        Err(TryLockError::Error(source)) => Err(unlocked(source)),
    }
}

/// Ready when somebody asks the program to stop.
pub(crate) async fn stopped() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupted => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            terminate.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}

/// The warning that nothing can be reached.
pub(crate) fn nobody_answers(asked: usize) -> Diagnostic {
    let message = format!(
        "nobody answers: of the last {asked} servers and server files that were asked, none sent a response; \
         a few are tried each minute"
    );
    Diagnostic::warning("nobody-answers", message).help(OWN_NETWORK_HELP)
}

/// What came of reading a source again, in one line.
pub(crate) fn source(name: &str, report: &Report) -> String {
    let refused: u64 = report.refused.values().sum();
    format!(
        "read {name}: entries {}, new servers {}, new hosts {}, refused {refused}",
        report.entries, report.new_servers, report.new_hosts
    )
}

fn unread(error: &ImportError) -> Diagnostic {
    let warning = Diagnostic::warning(error.code(), error.to_string());
    let warning = match error.source() {
        Some(cause) => warning.note(cause.to_string()),
        None => warning,
    };
    warning.help("what was taken of it stays; it is read again in an hour, and servers are observed meanwhile")
}

/// What was done so far, in one line.
pub(crate) fn line(tally: &Tally) -> String {
    let observed: u64 = tally.observed.values().sum();
    format!(
        "{observed} observed, {} under way, {} waiting, {} denied",
        tally.under_way, tally.waiting, tally.denied
    )
}

fn human(tally: &Tally, seconds: u64, console: &mut Console) {
    let observed: u64 = tally.observed.values().sum();
    console.data(format_args!(
        "{BOLD}{observed} observed{BOLD:#} in {seconds} s"
    ));
    for (outcome, count) in &tally.observed {
        console.data(format_args!("  {outcome:26}  {count:>7}"));
    }
    for (name, count) in [
        ("denied by a server file", tally.denied),
        ("left for later", tally.later),
        ("unanswered, not kept", tally.unanswered),
        ("server files fetched", tally.files),
        ("sources read", tally.sources),
        ("sources not read", tally.unread_sources),
    ] {
        if count > 0 {
            console.data(format_args!("  {name:26}  {count:>7}"));
        }
    }
}
