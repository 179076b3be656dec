//! The store as one SQLite file.

mod read;
mod write;

use std::path::{Path, PathBuf};
use std::time::Duration;

use capability_resolution::{Host, Time};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension as _, Row, Transaction,
    TransactionBehavior, named_params, params,
};

use self::read::{
    LISTINGS, Listings, SERVERS, number, read_file, read_observation, read_server, read_standing,
    time, word,
};
use self::write::{json, put_observation, put_standing, set_named, set_next, take, unsay};
use super::schema::{self, APPLICATION_ID, VERSION};
use super::{
    Due, Entry, FileRow, Forgotten, Listing, Server, ServerId, Source, SourceKind, SourceRow,
    Store, StoreError, Taken,
};
use crate::observed::Observed;
use crate::standing::Standing;

/// A [`Store`] in one file, with its write-ahead log beside it.
///
/// What a method did is on the disk when it returns (`synchronous = FULL`).
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    path: PathBuf,
    identity: Option<Identity>,
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
        Self::of(Connection::open(path).map_err(open)?, path)
    }

    /// Opens a store that is there, and never makes one.
    ///
    /// # Errors
    ///
    /// As [`Self::open`], and [`StoreError::Open`] if there is none.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::default().difference(OpenFlags::SQLITE_OPEN_CREATE);
        let connection = Connection::open_with_flags(path, flags);
        let connection = connection.map_err(|source| StoreError::Open {
            path: path.to_owned(),
            source,
        })?;
        Self::of(connection, path)
    }

    fn of(mut connection: Connection, path: &Path) -> Result<Self, StoreError> {
        let open = |source| StoreError::Open {
            path: path.to_owned(),
            source,
        };
        connection.busy_timeout(BUSY).map_err(open)?;
        check(&connection, path)?;
        prepare(&connection).map_err(|source| failed_or(source, open))?;
        // A store of today is opened without writing: others would take that for a change.
        if schema::version(&connection).map_err(open)? < VERSION {
            schema::migrate(&mut connection).map_err(|source| failed_or(source, open))?;
        }
        Ok(Self {
            connection,
            path: path.to_owned(),
            identity: identity(path),
        })
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

/// What tells a file from another of the same name.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Other systems keep a file that is open from being replaced.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.exists().then_some((0, 0))
}

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

    fn version(&self) -> Result<u64, StoreError> {
        let found = identity(&self.path);
        if found.is_none() || found != self.identity {
            return Err(StoreError::Gone {
                path: self.path.clone(),
            });
        }
        let version: i64 = self
            .connection
            .prepare_cached("PRAGMA data_version")?
            .query_row((), |row| row.get(0))?;
        Ok(u64::try_from(version).unwrap_or(0))
    }

    fn each_listing(&self, each: &mut dyn FnMut(Listing)) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(LISTINGS)?;
        let mut rows = statement.query(())?;
        let mut listings = Listings::default();
        while let Some(row) = rows.next()? {
            listings.read(row)?.into_iter().for_each(&mut *each);
        }
        listings.end().into_iter().for_each(each);
        Ok(())
    }

    fn history(&self, server: ServerId) -> Result<Vec<Observed>, StoreError> {
        self.all(
            "SELECT * FROM observation WHERE server = ?1 ORDER BY id",
            [server.0],
            read_observation,
        )
    }

    fn is_named(&self, host: &str) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM named_host WHERE host = ?1) OR EXISTS (
                       SELECT 1 FROM server JOIN claim ON claim.server = server.id JOIN source ON source.id = claim.source
                       WHERE (server.host = ?1 OR substr(server.host, -length(?2)) = ?2)
                             AND claim.state <> 'deleted' AND source.kind <> 'server-file')";
        let below = format!(".{host}");
        Ok(self
            .connection
            .prepare_cached(sql)?
            .query_row([host, &below], |row| row.get(0))?)
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

    fn hosts_that_answered(&self, most: usize) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT host FROM server_file WHERE answered_at = fetched_at ORDER BY random() LIMIT ?1";
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.all(sql, [most], |row| Ok(row.get("host")?))
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
