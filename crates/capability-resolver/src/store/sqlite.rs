//! The store as one SQLite file.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use capability_resolution::{Host, ServerUrl, Status, Time};
use rusqlite::{
    Connection, ErrorCode, OptionalExtension as _, Row, Transaction, TransactionBehavior,
    named_params, params,
};

use super::schema::{self, APPLICATION_ID, VERSION};
use super::{
    Claim, Due, Entry, FileRow, Forgotten, Server, ServerId, Source, SourceKind, SourceRow, Store,
    StoreError, Taken,
};
use crate::observed::{FailureClass, Observed, Outcome, Start, Tool};
use crate::standing::Standing;

/// A [`Store`] in one file, with its write-ahead log beside it.
///
/// What a method did is on the disk when it returns (`synchronous = FULL`).
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
}

impl SqliteStore {
    /// Opens a store, and makes it or brings it to [`VERSION`] where needed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Open`], [`StoreError::Foreign`], [`StoreError::Newer`], and what migration can meet.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let open = |source| StoreError::Open {
            path: path.to_owned(),
            source,
        };
        let mut connection = Connection::open(path).map_err(open)?;
        connection.busy_timeout(BUSY).map_err(open)?;
        check(&connection, path)?;
        prepare(&connection).map_err(|source| failed_or(source, open))?;
        schema::migrate(&mut connection).map_err(|source| failed_or(source, open))?;
        Ok(Self { connection })
    }

    fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }

    fn each<T>(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        read: fn(&Row<'_>) -> Result<T, StoreError>,
        each: &mut dyn FnMut(T),
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(parameters)?;
        while let Some(row) = rows.next()? {
            each(read(row)?);
        }
        Ok(())
    }

    fn all<T>(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        read: fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut all = Vec::new();
        self.each(sql, parameters, read, &mut |one| all.push(one))?;
        Ok(all)
    }
}

/// How long another program's transaction is waited for.
const BUSY: Duration = Duration::from_secs(10);

/// Refuses a file that is not ours to change, before anything in it changes.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let open = |source| StoreError::Open {
        path: path.to_owned(),
        source,
    };
    let foreign = || StoreError::Foreign {
        path: path.to_owned(),
    };
    let tables: i64 =
        match connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0)) {
            Ok(tables) => tables,
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
                return Err(foreign());
            }
            Err(error) => return Err(failed_or(error, open)),
        };
    let application: i32 = connection
        .pragma_query_value(None, "application_id", |row| row.get(0))
        .map_err(open)?;
    if tables > 0 && application != APPLICATION_ID {
        return Err(foreign());
    }
    match schema::version(connection).map_err(open)? {
        found if found > VERSION => Err(StoreError::Newer {
            path: path.to_owned(),
            found,
        }),
        _ => Ok(()),
    }
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // INSERT OR REPLACE deletes without a trigger, unless this is on.
    connection.pragma_update(None, "recursive_triggers", true)?;
    connection.pragma_update(None, "trusted_schema", false)
}

impl Store for SqliteStore {
    fn take(&mut self, source: &Source, entries: &[Entry], now: Time) -> Result<Taken, StoreError> {
        self.write(|transaction| take(transaction, source, entries, now))
    }

    fn replace(
        &mut self,
        source: &Source,
        entries: &[Entry],
        now: Time,
    ) -> Result<Taken, StoreError> {
        self.write(|transaction| {
            let before = unsay(transaction, &source.name)?;
            let taken = take(transaction, source, entries, now)?;
            before
                .into_iter()
                .try_for_each(|server| set_named(transaction, server))?;
            Ok(taken)
        })
    }

    fn withdraw(&mut self, source: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            let before = unsay(transaction, source)?;
            transaction
                .prepare_cached("DELETE FROM source WHERE name = ?1")?
                .execute([source])?;
            before
                .into_iter()
                .try_for_each(|server| set_named(transaction, server))
        })
    }

    fn append(
        &mut self,
        server: ServerId,
        observed: &Observed,
        next_at: Time,
    ) -> Result<Standing, StoreError> {
        self.write(|transaction| {
            let before = transaction
                .prepare_cached("SELECT * FROM standing WHERE server = ?1")?
                .query_row([server.0], |row| Ok(read_standing(row)))
                .optional()?
                .transpose()?;
            let standing = Standing::after(before.as_ref(), observed);
            let observation = put_observation(transaction, server, observed)?;
            put_standing(transaction, server, &standing)?;
            if let Some(tools) = &observed.tools {
                transaction
                    .prepare_cached("INSERT OR REPLACE INTO tool_list (server, observation, tools) VALUES (?1, ?2, ?3)")?
                    .execute(params![server.0, observation, json(tools)?])?;
            }
            set_next(transaction, server, next_at)?;
            Ok(standing)
        })
    }

    fn postpone(&mut self, server: ServerId, next_at: Time) -> Result<(), StoreError> {
        self.write(|transaction| set_next(transaction, server, next_at))
    }

    fn wait_no_longer_than(&mut self, latest: Time) -> Result<(), StoreError> {
        let sql = "UPDATE server SET next_at = ?1 WHERE named = 1 AND next_at > ?1";
        self.connection.execute(sql, [latest.unix_seconds()])?;
        Ok(())
    }

    fn forget_first_failures(&mut self) -> Result<(), StoreError> {
        self.connection
            .execute("UPDATE standing SET run_class = NULL, run_since = NULL", ())?;
        Ok(())
    }

    fn due(&self, now: Time) -> Result<Vec<Due>, StoreError> {
        let sql =
            "SELECT id, host FROM server WHERE named = 1 AND next_at <= ?1 ORDER BY next_at, id";
        self.all(sql, [now.unix_seconds()], |row| {
            Ok(Due {
                server: ServerId(row.get("id")?),
                host: row.get("host")?,
            })
        })
    }

    fn server(&self, server: ServerId) -> Result<Option<Server>, StoreError> {
        let sql = format!("{SERVERS} WHERE server.id = ?1");
        Ok(self.all(&sql, [server.0], read_server)?.pop())
    }

    fn each_server(&self, each: &mut dyn FnMut(Server)) -> Result<(), StoreError> {
        self.each(
            &format!("{SERVERS} ORDER BY server.id"),
            (),
            read_server,
            each,
        )
    }

    fn history(&self, server: ServerId) -> Result<Vec<Observed>, StoreError> {
        self.all(
            "SELECT * FROM observation WHERE server = ?1 ORDER BY id",
            [server.0],
            read_observation,
        )
    }

    fn server_file(&self, host: &str) -> Result<Option<FileRow>, StoreError> {
        Ok(self
            .all(
                "SELECT * FROM server_file WHERE host = ?1",
                [host],
                read_file,
            )?
            .pop())
    }

    fn put_server_file(&mut self, host: &str, file: &FileRow) -> Result<(), StoreError> {
        let sql = "INSERT INTO server_file (host, fetched_at, answered_at, claims, withheld, body)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                   ON CONFLICT (host) DO UPDATE SET fetched_at = ?2, answered_at = ?3, claims = ?4, withheld = ?5, body = ?6";
        self.connection.prepare_cached(sql)?.execute(params![
            host,
            file.fetched_at.unix_seconds(),
            file.answered_at.map(Time::unix_seconds),
            file.claims,
            file.withheld,
            file.body,
        ])?;
        Ok(())
    }

    fn each_restriction(&self, each: &mut dyn FnMut(&str, FileRow)) -> Result<(), StoreError> {
        let read = |row: &Row<'_>| Ok((row.get::<_, String>("host")?, read_file(row)?));
        self.each(
            "SELECT * FROM server_file WHERE body IS NOT NULL ORDER BY host",
            (),
            read,
            &mut |(host, file)| {
                each(&host, file);
            },
        )
    }

    fn files_due(&self, fetched_before: Time) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT host FROM server_file WHERE fetched_at < ?1
                   UNION SELECT host FROM named_host WHERE host NOT IN (SELECT host FROM server_file)";
        self.all(sql, [fetched_before.unix_seconds()], |row| {
            Ok(row.get("host")?)
        })
    }

    fn sources(&self) -> Result<Vec<SourceRow>, StoreError> {
        let sql = "SELECT name, kind, read_at,
                          (SELECT count(*) FROM claim WHERE source = source.id)
                          + (SELECT count(*) FROM named_host WHERE source = source.id) AS entries
                   FROM source ORDER BY name";
        self.all(sql, (), |row| {
            let source = Source {
                name: row.get("name")?,
                kind: word(row, "kind", SourceKind::from_word)?,
            };
            Ok(SourceRow {
                source,
                read_at: time(row, "read_at")?,
                entries: number(row, "entries")?,
            })
        })
    }

    fn forgotten(&self) -> Result<Vec<(String, Time)>, StoreError> {
        self.all("SELECT host, at FROM forgotten ORDER BY host", (), |row| {
            Ok((row.get("host")?, time(row, "at")?))
        })
    }

    fn forget(&mut self, host: &Host, now: Time) -> Result<Forgotten, StoreError> {
        self.write(|transaction| {
            // An underscore is a wildcard of LIKE and a character of hosts.
            let below = format!(".{host}");
            let delete = |sql: &str| -> Result<u64, StoreError> {
                let deleted = transaction.execute(sql, named_params! {":host": host.as_str(), ":below": below})?;
                Ok(u64::try_from(deleted).unwrap_or(u64::MAX))
            };
            let here = "(host = :host OR substr(host, -length(:below)) = :below)";
            let of_servers = |table: &str| {
                format!("DELETE FROM {table} WHERE server IN (SELECT id FROM server WHERE {here})")
            };
            let sql = "INSERT INTO forgotten (host, at) VALUES (?1, ?2) ON CONFLICT (host) DO UPDATE SET at = ?2";
            transaction.execute(sql, params![host.as_str(), now.unix_seconds()])?;
            delete(&format!("UPDATE server SET forgotten = 1 WHERE {here}"))?;
            delete(&of_servers("tool_list"))?;
            delete(&of_servers("standing"))?;
            let observations = delete(&of_servers("observation"))?;
            let claims = delete(&of_servers("claim"))?;
            let servers = delete(&format!("DELETE FROM server WHERE {here}"))?;
            delete(&format!("DELETE FROM named_host WHERE {here}"))?;
            let files = delete(&format!("DELETE FROM server_file WHERE {here} AND body IS NULL"))?;
            let kept_files = transaction.query_row(
                &format!("SELECT count(*) FROM server_file WHERE {here}"),
                named_params! {":host": host.as_str(), ":below": below},
                |row| row.get::<_, i64>(0),
            )?;
            let kept_files = u64::try_from(kept_files).unwrap_or(0);
            Ok(Forgotten { servers, claims, observations, files, kept_files })
        })
    }

    fn remember(&mut self, host: &Host) -> Result<bool, StoreError> {
        Ok(self
            .connection
            .execute("DELETE FROM forgotten WHERE host = ?1", [host.as_str()])?
            > 0)
    }
}

const SERVERS: &str = "SELECT server.id, server.url, server.named, server.next_at, standing.*
                       FROM server LEFT JOIN standing ON standing.server = server.id";

/// Takes entries; within a transaction.
fn take(
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
fn unsay(transaction: &Transaction<'_>, source: &str) -> Result<Vec<i64>, StoreError> {
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
fn set_named(transaction: &Transaction<'_>, server: i64) -> Result<(), StoreError> {
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

fn put_observation(
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

fn put_standing(
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

fn set_next(
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

fn read_server(row: &Row<'_>) -> Result<Server, StoreError> {
    let url: String = row.get("url")?;
    let url: ServerUrl = url
        .parse()
        .map_err(|error| corrupt("url", &format!("{url:?}, {error}")))?;
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

fn read_standing(row: &Row<'_>) -> Result<Standing, StoreError> {
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

fn read_observation(row: &Row<'_>) -> Result<Observed, StoreError> {
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

fn read_file(row: &Row<'_>) -> Result<FileRow, StoreError> {
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

fn time(row: &Row<'_>, column: &str) -> Result<Time, StoreError> {
    Ok(Time::from_unix_seconds(row.get(column)?))
}

fn number(row: &Row<'_>, column: &str) -> Result<u64, StoreError> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| corrupt(column, &number.to_string()))
}

fn word<T>(row: &Row<'_>, column: &str, read: fn(&str) -> Option<T>) -> Result<T, StoreError> {
    let word: String = row.get(column)?;
    read(&word).ok_or_else(|| corrupt(column, &word))
}

fn start(row: &Row<'_>, column: &str) -> Result<Option<Start>, StoreError> {
    match row.get::<_, Option<String>>(column)? {
        Some(_) => word(row, column, Start::from_word).map(Some),
        None => Ok(None),
    }
}

fn outcome(row: &Row<'_>, outcome: &str, why: &str) -> Result<Outcome, StoreError> {
    let (word, why): (String, Option<String>) = (row.get(outcome)?, row.get(why)?);
    Outcome::from_words(&word, why.as_deref())
        .ok_or_else(|| corrupt(outcome, &format!("{word} {why:?}")))
}

fn json(tools: &[Tool]) -> Result<String, StoreError> {
    serde_json::to_string(tools).map_err(|error| corrupt("tools", &error.to_string()))
}

fn corrupt(column: &str, found: &str) -> StoreError {
    StoreError::Corrupt {
        what: format!("{column} is {found}"),
    }
}

/// What happens to any store, or else what `other` makes of it.
fn failed_or(
    error: rusqlite::Error,
    other: impl FnOnce(rusqlite::Error) -> StoreError,
) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(error),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy(error),
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Corrupt {
            what: error.to_string(),
        },
        _ => other(error),
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        failed_or(error, StoreError::Sqlite)
    }
}

#[cfg(test)]
mod tests;
