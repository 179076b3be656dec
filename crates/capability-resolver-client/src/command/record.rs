//! `capability-resolver-client record`: what is stated of one server?

use capability_resolution::{ServerUrl, ServerUrlError};
use command_console::style::{BOLD, DIM};
use command_console::{Console, Explain, Failure, Format, Outcome, visible};

use super::Global;
use super::human::{self, ago, until};
use super::json::JsonRecorded;
use super::network::{self, Whom};
use crate::StatedRecord;

/// Show what your resolvers state of one server: its name, its status, since when they know it.
///
/// Each resolver that is asked learns in which server you are interested: one after the other, until one has a record.
///
/// Exit code 0: there is a record; 1: there is none; 2: there is none, and a resolver could not be asked.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver-client record https://mail.example.com/mcp
  capability-resolver-client record https://mail.example.com/mcp \\
      --resolver https://resolver.example --format json")]
pub(crate) struct Args {
    /// The server's URL, as a candidate has it.
    #[arg(value_name = "URL")]
    url: String,
    #[command(flatten)]
    whom: Whom,
    /// How the answer is written; for json see docs/schema/client-record.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What was given is no server URL.
#[derive(Debug, thiserror::Error)]
#[error("{url}: {why}")]
struct UrlError {
    url: String,
    why: ServerUrlError,
}

impl Explain for UrlError {
    fn code(&self) -> &'static str {
        "url-invalid"
    }

    fn help(&self) -> Option<String> {
        Some("a server URL has a path, such as https://mail.example.com/mcp".to_owned())
    }
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let url = url(&args.url, global)?;
    let client = network::client(global, &args.whom, false, console)?;
    let recorded = network::wait(client.record(&url))?;
    let now = global.now();
    match args.format {
        Format::Json => console.json(&JsonRecorded::new(&recorded, now)),
        Format::Human => {
            match recorded.record() {
                Some(record) => show(record, now, console),
                None => console.data(format_args!("{BOLD}no record{BOLD:#} of {url}")),
            }
            human::reports(recorded.resolvers(), console);
        }
    }
    Ok(human::outcome(
        recorded.record().is_some(),
        recorded.resolvers(),
    ))
}

fn url(text: &str, global: &Global) -> Result<ServerUrl, UrlError> {
    let read = match text.parse() {
        Err(_) if global.allow_loopback && text.starts_with("http://") => ServerUrl::loopback(text),
        read => read,
    };
    read.map_err(|why| UrlError {
        url: text.to_owned(),
        why,
    })
}

fn show(record: &StatedRecord, now: capability_resolution::Time, console: &mut Console) {
    let (claims, own) = (record.token().claims(), record.claims());
    let (style, word) = human::status(claims.status);
    console.data(format_args!(
        "{BOLD}{}{BOLD:#}  {}",
        visible(&own.name),
        claims.url
    ));
    console.data(format_args!(
        "    {style}{word:8}{style:#}  seen {}, holds {}",
        ago(now, claims.checked_at),
        until(now, claims.expires)
    ));
    let first_seen = ago(now, own.first_seen);
    console.data(format_args!("    {DIM}known since {first_seen}{DIM:#}"));
    if let Some(history) = &own.history {
        console.data(format_args!("    {DIM}history {history}{DIM:#}"));
    }
}
