//! What is read: values from rows.

use std::collections::HashSet;

use capability_resolution::{ServerUrl, Status, Time};
use rusqlite::Row;

use crate::import::TOOLS_MAX;
use crate::observed::{FailureClass, Observed, Outcome, Start, Tool};
use crate::standing::Standing;
use crate::store::{BETWEEN_JOBS, FileRow, Listing, Server, ServerId, SourceKind, StoreError};

pub(super) const SERVERS: &str =
    "SELECT server.id, server.url, server.named, server.next_at, standing.*
                       FROM server LEFT JOIN standing ON standing.server = server.id";

/// One row for each claim, those of one server one after the other.
pub(super) const LISTINGS: &str =
    "SELECT server.id, server.url, tool_list.tools AS listed, claim.name, claim.description, claim.tools, source.kind,
            length(source.name) AS source_length
     FROM server
     JOIN claim ON claim.server = server.id AND claim.state <> 'deleted'
     JOIN source ON source.id = claim.source
     LEFT JOIN tool_list ON tool_list.server = server.id
     WHERE server.named = 1
     ORDER BY server.id, source.name, claim.key";

/// Makes listings of the rows of [`LISTINGS`].
#[derive(Default)]
pub(super) struct Listings {
    current: Option<Listing>,
    /// The names of the current one's tools, since a source can name a server any number of times.
    known_tools: HashSet<String>,
    /// How long the name is of the server file that the jobs are from.
    jobs_of: u64,
}

impl Listings {
    /// Takes a row; hands over the listing that ended before it.
    pub(super) fn read(&mut self, row: &Row<'_>) -> Result<Option<Listing>, StoreError> {
        let server = ServerId(row.get("id")?);
        let before = self.current.take_if(|listing| listing.server != server);
        let listing = match &mut self.current {
            Some(listing) => listing,
            none => {
                let listed = tools(row, "listed")?;
                self.known_tools.clear();
                self.jobs_of = 0;
                none.insert(Listing {
                    server,
                    url: url(row)?,
                    names: Vec::new(),
                    descriptions: Vec::new(),
                    jobs: Vec::new(),
                    listed_tools: listed.is_some(),
                    tools: listed.unwrap_or_default(),
                })
            }
        };
        if let Some(name) = row.get("name")? {
            add(&mut listing.names, name);
        }
        let description: Option<String> = row.get("description")?;
        match word(row, "kind", SourceKind::from_word)? {
            // `captxt.scope.claims-nearest`: of hosts that all end in one another, the nearest has the longest name.
            SourceKind::ServerFile => {
                let length = number(row, "source_length")?;
                if length > self.jobs_of {
                    self.jobs_of = length;
                    listing.jobs.clear();
                }
                if length == self.jobs_of {
                    description
                        .iter()
                        .flat_map(|jobs| jobs.split(BETWEEN_JOBS))
                        .for_each(|job| add(&mut listing.jobs, job.to_owned()));
                }
            }
            _ => description
                .into_iter()
                .for_each(|text| add(&mut listing.descriptions, text)),
        }
        if !listing.listed_tools {
            for tool in tools(row, "tools")?.unwrap_or_default() {
                if listing.tools.len() < TOOLS_MAX && self.known_tools.insert(tool.name.clone()) {
                    listing.tools.push(tool);
                }
            }
        }
        Ok(before)
    }

    /// Hands over the last one.
    pub(super) fn end(self) -> Option<Listing> {
        self.current
    }
}

/// How many texts of a kind are taken from all sources together; more come only from a source that repeats itself.
const TEXTS_MAX: usize = 64;

/// Adds a text that is not there yet.
fn add(texts: &mut Vec<String>, text: String) {
    if texts.len() < TEXTS_MAX && !texts.contains(&text) {
        texts.push(text);
    }
}

fn tools(row: &Row<'_>, column: &str) -> Result<Option<Vec<Tool>>, StoreError> {
    let json: Option<String> = row.get(column)?;
    json.map(|json| serde_json::from_str(&json))
        .transpose()
        .map_err(|error| corrupt(column, &error.to_string()))
}

/// What a development switch let in once is there; whether it is asked is decided by the switch of each run.
fn url(row: &Row<'_>) -> Result<ServerUrl, StoreError> {
    let url: String = row.get("url")?;
    url.parse()
        .or_else(|error| ServerUrl::loopback(&url).map_err(|_| error))
        .map_err(|error| corrupt("url", &format!("{url:?}, {error}")))
}

pub(super) fn read_server(row: &Row<'_>) -> Result<Server, StoreError> {
    let observed = row.get::<_, Option<i64>>("server")?.is_some();
    Ok(Server {
        id: ServerId(row.get("id")?),
        url: url(row)?,
        named: row.get("named")?,
        next_at: time(row, "next_at")?,
        standing: if observed {
            Some(read_standing(row)?)
        } else {
            None
        },
    })
}

pub(super) fn read_standing(row: &Row<'_>) -> Result<Standing, StoreError> {
    let run = match row.get::<_, Option<i64>>("run_since")? {
        Some(since) => Some((
            word(row, "run_class", FailureClass::from_word)?,
            Time::from_unix_seconds(since),
        )),
        None => None,
    };
    Ok(Standing {
        first_seen: time(row, "first_seen")?,
        last: time(row, "last_at")?,
        last_outcome: outcome(row, "last_outcome", "last_why")?,
        status: word(row, "status", Status::from_word)?,
        status_at: time(row, "status_at")?,
        run,
        misses: row.get("misses")?,
        led_by: start(row, "led_by")?,
        handshake_ms: row.get("handshake_ms")?,
    })
}

pub(super) fn read_observation(row: &Row<'_>) -> Result<Observed, StoreError> {
    Ok(Observed {
        started_at: time(row, "started_at")?,
        ended_at: time(row, "ended_at")?,
        outcome: outcome(row, "outcome", "why")?,
        began_with: word(row, "began_with", Start::from_word)?,
        led_by: start(row, "led_by")?,
        handshake_ms: row.get("handshake_ms")?,
        requests: row.get("requests")?,
        retry_after: row.get("retry_after")?,
        tools: None,
    })
}

pub(super) fn read_file(row: &Row<'_>) -> Result<FileRow, StoreError> {
    Ok(FileRow {
        fetched_at: time(row, "fetched_at")?,
        answered_at: row
            .get::<_, Option<i64>>("answered_at")?
            .map(Time::from_unix_seconds),
        body: row.get("body")?,
        claims: row.get("claims")?,
        withheld: row.get("withheld")?,
    })
}

pub(super) fn time(row: &Row<'_>, column: &str) -> Result<Time, StoreError> {
    Ok(Time::from_unix_seconds(row.get(column)?))
}

pub(super) fn number(row: &Row<'_>, column: &str) -> Result<u64, StoreError> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| corrupt(column, &number.to_string()))
}

pub(super) fn word<T>(
    row: &Row<'_>,
    column: &str,
    read: fn(&str) -> Option<T>,
) -> Result<T, StoreError> {
    let word: String = row.get(column)?;
    read(&word).ok_or_else(|| corrupt(column, &word))
}

pub(super) fn start(row: &Row<'_>, column: &str) -> Result<Option<Start>, StoreError> {
    match row.get::<_, Option<String>>(column)? {
        Some(_) => word(row, column, Start::from_word).map(Some),
        None => Ok(None),
    }
}

pub(super) fn outcome(row: &Row<'_>, outcome: &str, why: &str) -> Result<Outcome, StoreError> {
    let (word, why): (String, Option<String>) = (row.get(outcome)?, row.get(why)?);
    Outcome::from_words(&word, why.as_deref())
        .ok_or_else(|| corrupt(outcome, &format!("{word} {why:?}")))
}

pub(super) fn corrupt(column: &str, found: &str) -> StoreError {
    StoreError::Corrupt {
        what: format!("{column} is {found}"),
    }
}
