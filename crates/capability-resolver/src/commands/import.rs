//! `capability-resolver import`: takes what catalogues, registries and lists say.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use capability_resolution::Time;
use clap::ValueEnum;
use command_console::style::BOLD;
use command_console::{Console, Diagnostic, Failure, Format, Outcome};
use serde::Serialize;

use crate::cli::Global;
use crate::config::{Config, FILE_NAME};
use crate::import::{Import, ImportError, News, Report, UrlSource, fetch_document};
use crate::network::{self, Switch};
use crate::store::{SourceKind, Store};

/// Take what a catalogue, a registry or a list of hosts says. Nothing of it is stated before it was observed.
///
/// What cannot be used is shown with its place and left out. A source can be imported again, and an import that was
/// broken off too: the same once more changes nothing.
///
/// Exit code 0: every source was read to its end; 1: nothing of a source could be used; 2: a source could not be read.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver import servers.jsonl
  capability-resolver import https://registry.modelcontextprotocol.io/v0.1/servers
  capability-resolver import --as hosts - < hosts.txt
  capability-resolver import")]
pub(crate) struct Args {
    /// Files, URLs, and - for standard input; without any, the sources of resolver.toml.
    #[arg(value_name = "FILE|URL|-")]
    sources: Vec<String>,
    /// What the sources are; without it, their beginning says so.
    #[arg(long = "as", value_enum, value_name = "KIND")]
    kind: Option<Kind>,
    #[command(flatten)]
    switch: Switch,
    /// How the answer is written; for json see docs/schema/resolver-import.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// JSON Lines, one object with a member url a line.
    Catalogue,
    /// A listing of an MCP registry, API version 0.1.
    Registry,
    /// One host a line.
    Hosts,
}

impl From<Kind> for SourceKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Catalogue => Self::Catalogue,
            Kind::Registry => Self::Registry,
            Kind::Hosts => Self::Hosts,
        }
    }
}

/// docs/schema/resolver-import.schema.json.
#[derive(Serialize)]
struct Answer {
    sources: Vec<Imported>,
}

#[derive(Serialize)]
struct Imported {
    source: String,
    #[serde(flatten)]
    report: Report,
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let (config, mut store) = global.store()?;
    let sources = if args.sources.is_empty() {
        &config.sources
    } else {
        &args.sources
    };
    if sources.is_empty() {
        let none = Diagnostic::error("no-source", "there is nothing to import");
        return Err(Failure::new(none.help(format!(
            "name a FILE or URL, or enter some as sources in {FILE_NAME}"
        ))));
    }
    let mut answer = Answer {
        sources: Vec::new(),
    };
    let mut all_used = true;
    for written in sources {
        let (source, report) = one(written, args, &config, &mut store, global.now(), console)?;
        let refused: u64 = report.refused.values().sum();
        all_used &= refused == 0 || refused < report.entries;
        if args.format == Format::Human {
            human(&source, &report, console);
        }
        answer.sources.push(Imported { source, report });
    }
    if args.format == Format::Json {
        console.json(&answer);
    }
    Ok(Outcome::from_bool(all_used))
}

/// Imports one source; says what it is called.
fn one(
    written: &str,
    args: &Args,
    config: &Config,
    store: &mut dyn Store,
    now: Time,
    console: &mut Console,
) -> Result<(String, Report), Failure> {
    let kind = args.kind.map(SourceKind::from);
    let mut told = 0;
    let mut tell = |news: News<'_>| match news {
        News::Refused(fault) => {
            told += 1;
            if told <= TOLD_MAX {
                console.talk(fault.diagnostic());
            } else if told == TOLD_MAX + 1 {
                console.talk(format_args!("... and more of that, which is counted below"));
            }
        }
        News::Pages(pages, report) if pages % 10 == 0 => {
            console.talk(format_args!("{pages} pages, {} entries", report.entries));
        }
        News::Pages(..) => {}
    };
    let loopback = args.switch.allow_loopback;
    if let Some(url) = UrlSource::url_of(written) {
        let fetcher = network::fetcher(config, args.switch)?;
        let mut source = UrlSource::new(&url, kind);
        let reading = async {
            loop {
                let document = fetch_document(&fetcher, source.next(), source.name()).await?;
                if !source.take(&document, store, now, loopback, &mut tell)? {
                    return Ok::<_, ImportError>(());
                }
            }
        };
        network::wait(reading)??;
        return Ok((source.name().to_owned(), source.report().clone()));
    }
    if written == "-" {
        let name = "standard input".to_owned();
        let report = Import::new(store, &name, now, &mut tell)
            .allow_loopback(loopback)
            .read(io::stdin().lock(), kind)?;
        return Ok((name, report));
    }
    // The same file has one name, wherever it is named from.
    let unreadable = |source| ImportError::Unreadable {
        name: written.to_owned(),
        source,
    };
    let path = Path::new(written).canonicalize().map_err(unreadable)?;
    let file = File::open(&path).map_err(unreadable)?;
    let name = path.display().to_string();
    let report = Import::new(store, &name, now, &mut tell)
        .allow_loopback(loopback)
        .read(BufReader::with_capacity(BUFFER, file), kind)?;
    Ok((name, report))
}

/// How many faults of one source are shown.
const TOLD_MAX: u32 = 1_000;

/// How much of a file is read at once, in bytes.
const BUFFER: usize = 1 << 18;

fn human(source: &str, report: &Report, console: &mut Console) {
    console.data(format_args!(
        "{BOLD}{source}{BOLD:#}: {}",
        counted(report.entries, "entry", "entries")
    ));
    let mut line = |count: u64, text: String| {
        if count > 0 {
            console.data(format_args!("  {text}"));
        }
    };
    let servers = report.new_servers + report.known_servers;
    line(
        servers,
        format!(
            "{}, {} new and {} known",
            counted(servers, "server", "servers"),
            report.new_servers,
            report.known_servers
        ),
    );
    let hosts = report.new_hosts + report.known_hosts;
    line(
        hosts,
        format!(
            "{}, {} new and {} known",
            counted(hosts, "host", "hosts"),
            report.new_hosts,
            report.known_hosts
        ),
    );
    line(
        report.respelled,
        format!("{} brought into the form of a server URL", report.respelled),
    );
    line(
        report.without_url,
        format!("{} without a URL to ask", report.without_url),
    );
    line(
        report.older_versions,
        format!("{} older versions", report.older_versions),
    );
    line(
        report.forgotten,
        format!("{} on hosts that are forgotten", report.forgotten),
    );
    let refused: u64 = report.refused.values().sum();
    let by_code: Vec<_> = report
        .refused
        .iter()
        .map(|(code, count)| format!("{count} {code}"))
        .collect();
    line(
        refused,
        format!("{refused} refused: {}", by_code.join(", ")),
    );
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
