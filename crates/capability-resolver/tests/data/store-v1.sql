-- A store as the first schema version had it.
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
    tools TEXT,
    PRIMARY KEY (source, key, server)
) STRICT;
CREATE INDEX claim_server ON claim (server);
CREATE TABLE named_host (
    source INTEGER NOT NULL REFERENCES source (id),
    host TEXT NOT NULL,
    PRIMARY KEY (source, host)
) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten (host TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO source VALUES (1, '/srv/servers.jsonl', 'catalogue', 1764500000);
INSERT INTO server VALUES (1, 'https://a.example/mcp', 'a.example', 1, 1764500000);
INSERT INTO server VALUES (2, 'https://b.example/mcp', 'b.example', 0, 1764500000);
INSERT INTO claim VALUES (1, 'a', 1, 'A', 'Sends mail.', 'active', '[{"name":"send_email"}]');
INSERT INTO claim VALUES (1, 'b', 2, 'B', NULL, 'deleted', NULL);
INSERT INTO named_host VALUES (1, 'c.example');
INSERT INTO forgotten VALUES ('d.example', 1764400000);
PRAGMA application_id = 1129473395;
PRAGMA user_version = 1;
