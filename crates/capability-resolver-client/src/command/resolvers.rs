//! `capability-resolver-client resolvers`: the list of those who may learn a need.

use std::path::Path;

use capability_resolution::{Code, Origin};
use clap::Subcommand;
use command_console::style::{BAD, BOLD, DIM, GOOD};
use command_console::{Console, Failure, Format, Outcome, visible};
use serde::Serialize;

use super::Global;
use super::human;
use super::json::JsonFailure;
use super::network::{self, Whom};
use super::settings::{self, Settings, SettingsError};
use crate::{Discovered, FailureCode, Resolvers};

/// Add, remove, list and try the resolvers that you ask. The list is empty until you add one.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Add(Add),
    Remove(Remove),
    List(List),
    Test(Test),
}

/// Add a resolver behind the others. It learns what you ask for, so take one that you trust with it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver-client resolvers add https://resolver.example
  capability-resolver-client resolvers add https://first.example --first")]
struct Add {
    /// Its origin.
    origin: String,
    /// Before the others and not behind them.
    #[arg(long)]
    first: bool,
}

/// Take a resolver out of the list.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver-client resolvers remove https://resolver.example")]
struct Remove {
    /// Its origin.
    origin: String,
}

/// Show the list, in the order in which they are asked.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver-client resolvers list
  capability-resolver-client resolvers list --format json")]
struct List {
    /// How the answer is written; for json see docs/schema/client-resolvers.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Fetch each resolver's description of itself, and say what is wrong with it. No need is sent.
///
/// Exit code 0: all can be asked; 1: one breaks a rule; 2: one could not be reached.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver-client resolvers test
  capability-resolver-client resolvers test \\
      --resolver https://resolver.example --format json")]
struct Test {
    /// Try this one, and not those of your list; can be given several times.
    #[arg(long, value_name = "ORIGIN")]
    resolver: Vec<String>,
    /// How the answer is written; for json see docs/schema/client-resolvers.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What stands in the list can be seen and taken out without the switch that asking it needs: `origin.loopback-off`.
const LISTED: bool = true;

/// docs/schema/client-resolvers.schema.json.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    resolvers: Vec<JsonResolver<'a>>,
}

#[derive(Debug, Serialize)]
struct JsonResolver<'a> {
    iss: &'a str,
    /// What it says of itself; only where it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    tested: Option<Tested<'a>>,
}

#[derive(Debug, Serialize)]
struct Tested<'a> {
    resolver: Option<&'a str>,
    resolve: Option<&'a str>,
    record: Option<&'a str>,
    mcp: Option<&'a str>,
    policy: Option<&'a str>,
    usable_keys: usize,
    milliseconds: u128,
    failure: Option<JsonFailure<'a>>,
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let path = settings::path(global)?;
    match &args.command {
        Command::Add(args) => add(args, &path, global, console),
        Command::Remove(args) => remove(args, &path, console),
        Command::List(args) => list(args, &path, console),
        Command::Test(args) => test(args, global, console),
    }
}

fn add(
    args: &Add,
    path: &Path,
    global: &Global,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    let origin =
        settings::origin(&args.origin, global.allow_loopback).map_err(SettingsError::failure)?;
    settings::change_list(path, |array| {
        let mut list = known(array);
        list.add(origin.clone())?;
        match args.first {
            true => array.insert(0, origin.as_str()),
            false => array.push(origin.as_str()),
        }
        Ok(())
    })
    .map_err(SettingsError::failure)?;
    console.data(format_args!("{BOLD}{origin}{BOLD:#} is in your list now"));
    console.talk(format_args!(
        "{DIM}capability-resolver-client resolvers test tries it; the list is in {}{DIM:#}",
        path.display()
    ));
    Ok(Outcome::True)
}

fn remove(args: &Remove, path: &Path, console: &mut Console) -> Result<Outcome, Failure> {
    let origin = settings::origin(&args.origin, LISTED).map_err(SettingsError::failure)?;
    let mut there = false;
    settings::change_list(path, |array| {
        let before = array.len();
        array.retain(|entry| {
            let text = entry.as_str().unwrap_or_default();
            settings::origin(text, LISTED).ok().as_ref() != Some(&origin)
        });
        there = array.len() < before;
        Ok(())
    })
    .map_err(SettingsError::failure)?;
    if there {
        console.data(format_args!("{origin} is not asked any more"));
    } else {
        console.data(format_args!("{origin} is not in your list"));
    }
    Ok(Outcome::from_bool(there))
}

/// The origins of the file's list that can be read.
fn known(array: &toml_edit::Array) -> Resolvers {
    let mut list = Resolvers::new();
    for text in array.iter().filter_map(|entry| entry.as_str()) {
        if let Ok(origin) = settings::origin(text, LISTED) {
            // What stands twice is told of when the list is used.
            let _ = list.add(origin);
        }
    }
    list
}

fn list(args: &List, path: &Path, console: &mut Console) -> Result<Outcome, Failure> {
    let settings = Settings::read(path).map_err(SettingsError::failure)?;
    let resolvers = settings::list(&settings.resolvers, LISTED).map_err(SettingsError::failure)?;
    let origins: Vec<&Origin> = resolvers.iter().collect();
    match args.format {
        Format::Json => {
            let untested = origins.iter().map(|origin| JsonResolver {
                iss: origin.as_str(),
                tested: None,
            });
            console.json(&Answer {
                resolvers: untested.collect(),
            });
        }
        Format::Human if origins.is_empty() => {
            console.data("your list is empty: nobody is asked");
            console.talk(format_args!(
                "{DIM}capability-resolver-client resolvers add ORIGIN puts one into {}{DIM:#}",
                path.display()
            ));
        }
        Format::Human => {
            for (at, origin) in origins.iter().enumerate() {
                console.data(format_args!("{:>2}  {origin}", at + 1));
            }
        }
    }
    Ok(Outcome::True)
}

fn test(args: &Test, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let whom = Whom {
        resolver: args.resolver.clone(),
        no_cache: true,
        ..Whom::default()
    };
    let client = network::client(global, &whom, true, console)?;
    let discovered = network::wait(client.discover())?;
    match args.format {
        Format::Json => console.json(&Answer {
            resolvers: discovered.iter().map(json).collect(),
        }),
        Format::Human => discovered.iter().for_each(|one| show(one, console)),
    }
    let failures = discovered
        .iter()
        .filter_map(|one| one.document.as_ref().err());
    let worst = failures.map(|failure| match failure.code() {
        FailureCode::Rule(_) => Outcome::False,
        _ => Outcome::Unknown,
    });
    Ok(worst
        .max_by_key(|outcome| *outcome == Outcome::False)
        .unwrap_or(Outcome::True))
}

fn usable_keys(discovered: &Discovered) -> usize {
    let keys = discovered.document.as_ref().map(|document| document.keys());
    keys.map_or(0, |keys| {
        keys.iter().filter(|(_, why)| why.is_none()).count()
    })
}

fn json(discovered: &Discovered) -> JsonResolver<'_> {
    let document = discovered.document.as_ref().ok();
    JsonResolver {
        iss: discovered.issuer.as_str(),
        tested: Some(Tested {
            resolver: document.map(|document| document.resolver()),
            resolve: document.map(|document| document.resolve().as_str()),
            record: document.map(|document| document.record().as_str()),
            mcp: document
                .and_then(|document| document.mcp())
                .map(|url| url.as_str()),
            policy: document.map(|document| document.policy().as_str()),
            usable_keys: usable_keys(discovered),
            milliseconds: discovered.took.as_millis(),
            failure: discovered.document.as_ref().err().map(JsonFailure::new),
        }),
    }
}

fn show(discovered: &Discovered, console: &mut Console) {
    let issuer = &discovered.issuer;
    let took = discovered.took.as_millis();
    match &discovered.document {
        Ok(document) => {
            let keys = match usable_keys(discovered) {
                0 => format!("{BAD}no key that can be used{BAD:#}"),
                1 => "1 key".to_owned(),
                many => format!("{many} keys"),
            };
            console.data(format_args!(
                "{GOOD}good{GOOD:#}     {issuer}  {}, {keys}, {took} ms",
                visible(document.resolver())
            ));
            console.data(format_args!(
                "         {DIM}policy {}{DIM:#}",
                document.policy()
            ));
        }
        Err(failure) => {
            console.data(format_args!(
                "{BAD}skipped{BAD:#}  {issuer}  {}: {}, {took} ms",
                failure.code(),
                visible(failure.detail())
            ));
            if failure.code() == FailureCode::Rule(Code::KeyPrivate) {
                console.talk(human::loud(issuer));
            }
        }
    }
}
