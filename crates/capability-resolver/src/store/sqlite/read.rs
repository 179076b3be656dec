//! What is read: values from rows.

use capability_resolution::{ServerUrl, Status, Time};
use rusqlite::Row;

use crate::observed::{FailureClass, Observed, Outcome, Start};
use crate::standing::Standing;
use crate::store::{FileRow, Server, ServerId, StoreError};

pub(super) const SERVERS: &str =
    "SELECT server.id, server.url, server.named, server.next_at, standing.*
                       FROM server LEFT JOIN standing ON standing.server = server.id";

pub(super) fn read_server(row: &Row<'_>) -> Result<Server, StoreError> {
    let url: String = row.get("url")?;
    // What a development switch let in once is there; whether it is asked is decided by the switch of each run.
    let parsed = url
        .parse()
        .or_else(|error| ServerUrl::loopback(&url).map_err(|_| error));
    let url = parsed.map_err(|error| corrupt("url", &format!("{url:?}, {error}")))?;
    let observed = row.get::<_, Option<i64>>("server")?.is_some();
    Ok(Server {
        id: ServerId(row.get("id")?),
        url,
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
