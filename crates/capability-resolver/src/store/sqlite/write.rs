//! What is written: rows from values, within a transaction.

use std::borrow::Cow;
use std::collections::HashSet;

use capability_resolution::{Host, ServerUrl, Time};
use rusqlite::{OptionalExtension as _, Transaction, params};

use super::read::corrupt;
use crate::observed::{Observed, Start, Tool};
use crate::standing::Standing;
use crate::store::{Claim, Entry, ServerId, Source, StoreError, Taken};

/// Takes entries; within a transaction.
pub(super) fn take(
    transaction: &Transaction<'_>,
    source: &Source,
    entries: &[Entry],
    now: Time,
) -> Result<Taken, StoreError> {
    let forgotten: HashSet<String> = transaction
        .prepare_cached("SELECT host FROM forgotten")?
        .query_map((), |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let is_forgotten = |host: &str| {
        let parents = std::iter::successors(Some(host), |host| {
            host.split_once('.').map(|(_, parent)| parent)
        });
        !forgotten.is_empty() && parents.into_iter().any(|host| forgotten.contains(host))
    };
    let source = put_source(transaction, source, now)?;
    let mut taken = Taken::default();
    for entry in entries {
        match entry {
            Entry::Server(claim) => {
                let mut claim = Cow::Borrowed(claim);
                let listed = claim
                    .urls
                    .iter()
                    .filter(|url| !is_forgotten(url.origin().host()))
                    .count();
                if listed < claim.urls.len() {
                    taken.forgotten += u64::try_from(claim.urls.len() - listed).unwrap_or(u64::MAX);
                    claim
                        .to_mut()
                        .urls
                        .retain(|url| !is_forgotten(url.origin().host()));
                }
                put_claim(transaction, source, &claim, now, &mut taken)?;
            }
            Entry::Host(host) if is_forgotten(host.as_str()) => taken.forgotten += 1,
            Entry::Host(host) => match put_host(transaction, source, host)? {
                true => taken.new_hosts += 1,
                false => taken.known_hosts += 1,
            },
        }
    }
    Ok(taken)
}

/// Removes all that a source says, and hands over the servers that it named.
pub(super) fn unsay(transaction: &Transaction<'_>, source: &str) -> Result<Vec<i64>, StoreError> {
    let of_source = "WHERE source = (SELECT id FROM source WHERE name = ?1)";
    let servers = transaction
        .prepare_cached(&format!("SELECT DISTINCT server FROM claim {of_source}"))?
        .query_map([source], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    transaction
        .prepare_cached(&format!("DELETE FROM claim {of_source}"))?
        .execute([source])?;
    transaction
        .prepare_cached(&format!("DELETE FROM named_host {of_source}"))?
        .execute([source])?;
    Ok(servers)
}

/// Notes whether a claim still names a server.
pub(super) fn set_named(transaction: &Transaction<'_>, server: i64) -> Result<(), StoreError> {
    transaction
        .prepare_cached(
            "UPDATE server
             SET named = EXISTS (SELECT 1 FROM claim WHERE server = ?1 AND state <> 'deleted') WHERE id = ?1",
        )?
        .execute([server])?;
    Ok(())
}

fn put_source(
    transaction: &Transaction<'_>,
    source: &Source,
    now: Time,
) -> Result<i64, StoreError> {
    let sql = "INSERT INTO source (name, kind, read_at) VALUES (?1, ?2, ?3)
               ON CONFLICT (name) DO UPDATE SET kind = ?2, read_at = ?3 RETURNING id";
    let parameters = params![source.name, source.kind.as_str(), now.unix_seconds()];
    Ok(transaction
        .prepare_cached(sql)?
        .query_row(parameters, |row| row.get(0))?)
}

/// What the source says of one entry, in place of all that it said of it before.
fn put_claim(
    transaction: &Transaction<'_>,
    source: i64,
    claim: &Claim,
    now: Time,
    taken: &mut Taken,
) -> Result<(), StoreError> {
    let mut touched: Vec<i64> = transaction
        .prepare_cached("SELECT server FROM claim WHERE source = ?1 AND key = ?2")?
        .query_map(params![source, claim.key], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    transaction
        .prepare_cached("DELETE FROM claim WHERE source = ?1 AND key = ?2")?
        .execute(params![source, claim.key])?;
    let tools = if claim.tools.is_empty() {
        None
    } else {
        Some(json(&claim.tools)?)
    };
    for url in &claim.urls {
        let server = put_server(transaction, url, now, taken)?;
        transaction
            .prepare_cached(
                "INSERT OR IGNORE INTO claim (source, key, server, name, description, state, tools)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                source,
                claim.key,
                server,
                claim.name,
                claim.description,
                claim.state.as_str(),
                tools
            ])?;
        touched.push(server);
    }
    touched
        .into_iter()
        .try_for_each(|server| set_named(transaction, server))
}

fn put_server(
    transaction: &Transaction<'_>,
    url: &ServerUrl,
    now: Time,
    taken: &mut Taken,
) -> Result<i64, StoreError> {
    let known: Option<i64> = transaction
        .prepare_cached("SELECT id FROM server WHERE url = ?1")?
        .query_row([url.as_str()], |row| row.get(0))
        .optional()?;
    if let Some(known) = known {
        taken.known_servers += 1;
        return Ok(known);
    }
    taken.new_servers += 1;
    Ok(transaction
        .prepare_cached("INSERT INTO server (url, host, named, next_at) VALUES (?1, ?2, 0, ?3)")?
        .insert(params![
            url.as_str(),
            url.origin().host(),
            now.unix_seconds()
        ])?)
}

/// Says whether nobody had named the host before.
fn put_host(transaction: &Transaction<'_>, source: i64, host: &Host) -> Result<bool, StoreError> {
    let known: bool = transaction
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM named_host WHERE host = ?1)")?
        .query_row([host.as_str()], |row| row.get(0))?;
    transaction
        .prepare_cached("INSERT OR IGNORE INTO named_host (source, host) VALUES (?1, ?2)")?
        .execute(params![source, host.as_str()])?;
    Ok(!known)
}

pub(super) fn put_observation(
    transaction: &Transaction<'_>,
    server: ServerId,
    observed: &Observed,
) -> Result<i64, StoreError> {
    let (outcome, why) = observed.outcome.words();
    let id = transaction
        .prepare_cached(
            "INSERT INTO observation
             (server, started_at, ended_at, outcome, why, began_with, led_by, handshake_ms, requests, retry_after)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .insert(params![
            server.0,
            observed.started_at.unix_seconds(),
            observed.ended_at.unix_seconds(),
            outcome,
            why,
            observed.began_with.as_str(),
            observed.led_by.map(Start::as_str),
            observed.handshake_ms,
            observed.requests,
            observed.retry_after,
        ])?;
    Ok(id)
}

pub(super) fn put_standing(
    transaction: &Transaction<'_>,
    server: ServerId,
    standing: &Standing,
) -> Result<(), StoreError> {
    let (outcome, why) = standing.last_outcome.words();
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO standing
             (server, first_seen, last_at, last_outcome, last_why, status, status_at, run_class, run_since, misses, led_by,
              handshake_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            server.0,
            standing.first_seen.unix_seconds(),
            standing.last.unix_seconds(),
            outcome,
            why,
            standing.status.as_str(),
            standing.status_at.unix_seconds(),
            standing.run.map(|(class, _)| class.as_str()),
            standing.run.map(|(_, since)| since.unix_seconds()),
            standing.misses,
            standing.led_by.map(Start::as_str),
            standing.handshake_ms,
        ])?;
    Ok(())
}

pub(super) fn set_next(
    transaction: &Transaction<'_>,
    server: ServerId,
    next_at: Time,
) -> Result<(), StoreError> {
    let changed = transaction
        .prepare_cached("UPDATE server SET next_at = ?2 WHERE id = ?1")?
        .execute(params![server.0, next_at.unix_seconds()])?;
    if changed == 1 {
        Ok(())
    } else {
        Err(StoreError::NoServer(server.0))
    }
}

pub(super) fn json(tools: &[Tool]) -> Result<String, StoreError> {
    serde_json::to_string(tools).map_err(|error| corrupt("tools", &error.to_string()))
}
