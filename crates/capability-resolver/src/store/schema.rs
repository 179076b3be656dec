//! The tables of the store, and how an older store becomes one of today.

use rusqlite::{Connection, TransactionBehavior};

/// The schema version of a store that this program writes.
pub const VERSION: u32 = 2;

/// Marks the file as a store of this program: the bytes `CRes`.
pub(super) const APPLICATION_ID: i32 = 0x4352_6573;

/// The step from each version to the next. A step that was released is never changed.
const STEPS: [&str; 2] = [SOURCES, OBSERVATIONS];

/// Brings a store to [`VERSION`], in one transaction. Its version is no newer.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read again inside of the transaction: another program may have been here first.
    let version = version(&transaction)?;
    for (next, step) in (1..).zip(STEPS) {
        if version < next {
            transaction.execute_batch(step)?;
            transaction.pragma_update(None, "user_version", next)?;
        }
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.commit()
}

pub(super) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Times are seconds since 1970.
const SOURCES: &str = "
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    read_at INTEGER NOT NULL
) STRICT;

CREATE TABLE server (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    -- Whether a claim names it that is not deleted.
    named INTEGER NOT NULL,
    next_at INTEGER NOT NULL
) STRICT;
CREATE INDEX server_due ON server (next_at) WHERE named = 1;

CREATE TABLE claim (
    source INTEGER NOT NULL REFERENCES source (id),
    key TEXT NOT NULL,
    server INTEGER NOT NULL REFERENCES server (id),
    name TEXT,
    description TEXT,
    state TEXT NOT NULL,
    -- JSON, or null for none.
    tools TEXT,
    PRIMARY KEY (source, key, server)
) STRICT;
CREATE INDEX claim_server ON claim (server);

-- A host that a source names, whose server file is to be read.
CREATE TABLE named_host (
    source INTEGER NOT NULL REFERENCES source (id),
    host TEXT NOT NULL,
    PRIMARY KEY (source, host)
) STRICT, WITHOUT ROWID;

CREATE TABLE forgotten (
    host TEXT PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

const OBSERVATIONS: &str = "
-- Set for the moment in which a server is forgotten, and never else.
ALTER TABLE server ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;

-- The history: appended to, and else only forgotten.
CREATE TABLE observation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    server INTEGER NOT NULL REFERENCES server (id),
    started_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    why TEXT,
    began_with TEXT NOT NULL,
    led_by TEXT,
    handshake_ms INTEGER,
    requests INTEGER NOT NULL,
    retry_after INTEGER
) STRICT;
CREATE INDEX observation_server ON observation (server);
CREATE TRIGGER observation_never_changes BEFORE UPDATE ON observation
BEGIN SELECT RAISE (ABORT, 'an observation never changes'); END;
CREATE TRIGGER observation_stays BEFORE DELETE ON observation
WHEN NOT EXISTS (SELECT 1 FROM server WHERE id = OLD.server AND forgotten = 1)
BEGIN SELECT RAISE (ABORT, 'an observation stays, unless its server is forgotten'); END;

-- What follows from the history, kept so that it need not be read: see standing.rs.
CREATE TABLE standing (
    server INTEGER PRIMARY KEY REFERENCES server (id),
    first_seen INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    last_outcome TEXT NOT NULL,
    last_why TEXT,
    status TEXT NOT NULL,
    status_at INTEGER NOT NULL,
    run_class TEXT,
    run_since INTEGER,
    misses INTEGER NOT NULL,
    led_by TEXT,
    handshake_ms INTEGER
) STRICT;

-- The tools of the last observation that listed some, as JSON.
CREATE TABLE tool_list (
    server INTEGER PRIMARY KEY REFERENCES server (id),
    observation INTEGER NOT NULL REFERENCES observation (id),
    tools TEXT NOT NULL
) STRICT;

CREATE TABLE server_file (
    host TEXT PRIMARY KEY,
    fetched_at INTEGER NOT NULL,
    answered_at INTEGER,
    claims INTEGER NOT NULL,
    withheld TEXT,
    body BLOB
) STRICT;
";
