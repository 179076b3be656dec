//! `capability-resolver status`: what is known, and what is due.

use std::collections::BTreeMap;

use capability_resolution::{Status, Time};
use command_console::style::{BOLD, DIM};
use command_console::{Console, Failure, Format, Outcome, roughly};
use serde::Serialize;

use crate::cli::Global;
use crate::clock::seconds_since;
use crate::server_file::Denials;
use crate::store::{SourceRow, Store, StoreError};

/// Show what is known: sources, servers by status, the oldest observation, what is due, who denied.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver status
  capability-resolver status --format json")]
pub(crate) struct Args {
    /// How the answer is written; for json see docs/schema/resolver-status.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// docs/schema/resolver-status.schema.json.
#[derive(Debug, Serialize)]
struct Answer {
    now: String,
    servers: Servers,
    observations: Observations,
    due: u64,
    next_due: Option<String>,
    deny: Deny,
    sources: Vec<JsonSource>,
    forgotten: Vec<JsonForgotten>,
}

/// Each server is counted once, in the first of these that fits.
#[derive(Debug, Default, Serialize)]
struct Servers {
    /// No source names them any more, or only as deleted.
    unnamed: u64,
    /// A server file denies them.
    denied: u64,
    never_observed: u64,
    /// Their last observation is too old to state anything.
    left_out: u64,
    /// By the status that would be stated now.
    stated: BTreeMap<&'static str, u64>,
    all: u64,
}

/// Of the servers that are named and not denied.
#[derive(Debug, Default, Serialize)]
struct Observations {
    oldest: Option<String>,
    newest: Option<String>,
    /// What the last observations came to, in the words of the text.
    last: BTreeMap<String, u64>,
}

#[derive(Debug, Serialize)]
struct Deny {
    hosts: usize,
}

#[derive(Debug, Serialize)]
struct JsonSource {
    name: String,
    kind: &'static str,
    read_at: String,
    entries: u64,
}

#[derive(Debug, Serialize)]
struct JsonForgotten {
    host: String,
    at: String,
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let (config, store) = global.store()?;
    let now = global.now();
    let denials = Denials::read(&store, &config.origin, now)?;
    let answer = answer(&store, &denials, now)?;
    super::warn_of_suffixes(now, console);
    match args.format {
        Format::Json => console.json(&answer),
        Format::Human => human(&answer, now, console),
    }
    Ok(Outcome::True)
}

fn answer(store: &dyn Store, denials: &Denials, now: Time) -> Result<Answer, StoreError> {
    let mut servers = Servers {
        stated: Status::ALL.map(|status| (status.as_str(), 0)).into(),
        ..Servers::default()
    };
    let mut last = BTreeMap::new();
    let (mut oldest, mut newest, mut next_due) = (None, None, None);
    let mut due = 0;
    store.each_server(&mut |server| {
        servers.all += 1;
        if !server.named {
            servers.unnamed += 1;
            return;
        }
        if denials.denies(&server.url) {
            servers.denied += 1;
            return;
        }
        if server.next_at <= now {
            due += 1;
        } else {
            let next = next_due.get_or_insert(server.next_at);
            *next = server.next_at.min(*next);
        }
        let Some(standing) = server.standing() else {
            servers.never_observed += 1;
            return;
        };
        let (at, outcome) = standing.last();
        let (word, why) = outcome.words();
        *last
            .entry(why.map_or_else(|| word.to_owned(), |why| format!("{word} ({why})")))
            .or_insert(0) += 1;
        oldest = Some(oldest.map_or(at, |oldest: Time| oldest.min(at)));
        newest = Some(newest.map_or(at, |newest: Time| newest.max(at)));
        match standing.status(now) {
            Some((status, _)) => *servers.stated.entry(status.as_str()).or_insert(0) += 1,
            None => servers.left_out += 1,
        }
    })?;
    let text = |time: Option<Time>| time.map(|time| time.to_string());
    let sources = store.sources()?.into_iter().map(
        |SourceRow {
             source,
             read_at,
             entries,
         }| JsonSource {
            name: source.name,
            kind: source.kind.as_str(),
            read_at: read_at.to_string(),
            entries,
        },
    );
    let forgotten = store
        .forgotten()?
        .into_iter()
        .map(|(host, at)| JsonForgotten {
            host,
            at: at.to_string(),
        });
    Ok(Answer {
        now: now.to_string(),
        servers,
        observations: Observations {
            oldest: text(oldest),
            newest: text(newest),
            last,
        },
        due,
        next_due: text(next_due),
        deny: Deny {
            hosts: denials.len(),
        },
        sources: sources.collect(),
        forgotten: forgotten.collect(),
    })
}

fn human(answer: &Answer, now: Time, console: &mut Console) {
    let servers = &answer.servers;
    console.data(format_args!("{BOLD}{} servers{BOLD:#}", servers.all));
    let mut rows: Vec<(&str, u64, &str)> = Vec::new();
    let meaning = |status: Status| match status {
        Status::Ok => "listed their tools to everybody",
        Status::SignIn => "asked to sign in",
        Status::Down => "failed the same way twice",
        Status::Unknown => "settled nothing when last asked",
    };
    for status in Status::ALL {
        rows.push((
            status.as_str(),
            servers.stated.get(status.as_str()).copied().unwrap_or(0),
            meaning(status),
        ));
    }
    rows.push((
        "left out",
        servers.left_out,
        "observed too long ago to state anything",
    ));
    rows.push(("never observed", servers.never_observed, "in no answer"));
    rows.push((
        "denied",
        servers.denied,
        "a server file does not allow this resolver",
    ));
    rows.push(("unnamed", servers.unnamed, "no source names them any more"));
    for (name, count, what) in rows.into_iter().filter(|(_, count, _)| *count > 0) {
        console.data(format_args!("  {name:14}  {count:>7}  {DIM}{what}{DIM:#}"));
    }
    console.data("");
    let ago = |text: &str| {
        let seconds = Time::from_document(text).map_or(0, |time| seconds_since(now, time));
        format!("{text}, {} ago", roughly(seconds))
    };
    if let (Some(oldest), Some(newest)) = (&answer.observations.oldest, &answer.observations.newest)
    {
        console.data(format_args!("oldest observation  {}", ago(oldest)));
        console.data(format_args!("newest observation  {}", ago(newest)));
    }
    let next = answer
        .next_due
        .as_ref()
        .map_or(String::new(), |next| format!(", the next one at {next}"));
    console.data(format_args!("due now             {}{next}", answer.due));
    console.data(format_args!("hosts that deny     {}", answer.deny.hosts));
    for (heading, lines) in [
        (
            "sources",
            answer.sources.iter().map(source_line).collect::<Vec<_>>(),
        ),
        (
            "forgotten",
            answer
                .forgotten
                .iter()
                .map(|forgotten| format!("{}  since {}", forgotten.host, forgotten.at))
                .collect(),
        ),
    ] {
        if !lines.is_empty() {
            console.data(format_args!("\n{BOLD}{heading}{BOLD:#}"));
            lines
                .iter()
                .for_each(|line| console.data(format_args!("  {line}")));
        }
    }
}

fn source_line(source: &JsonSource) -> String {
    format!(
        "{}  {}, {} entries, read {}",
        source.name, source.kind, source.entries, source.read_at
    )
}
