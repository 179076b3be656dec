//! What a store promises, tried on the file itself.

use std::fs;
use std::path::PathBuf;

use capability_resolution::Status;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::observed::{Outcome, Reason, Tool};
use crate::standing::tests::{outcomes, seen};
use crate::store::{BETWEEN_JOBS, Claim, EntryState};

fn at(seconds: i64) -> Time {
    Time::from_unix_seconds(seconds)
}

fn new() -> (TempDir, PathBuf, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let store = SqliteStore::open(&path).unwrap();
    (folder, path, store)
}

fn source() -> Source {
    Source {
        name: "test".to_owned(),
        kind: SourceKind::Catalogue,
    }
}

fn claim(key: &str, urls: &[&str], state: EntryState) -> Entry {
    Entry::Server(Claim {
        key: key.to_owned(),
        urls: urls.iter().map(|url| url.parse().unwrap()).collect(),
        name: Some(key.to_owned()),
        description: None,
        state,
        tools: vec![Tool {
            name: "t".to_owned(),
            description: String::new(),
            read_only: true,
        }],
    })
}

fn active(key: &str, url: &str) -> Entry {
    claim(key, &[url], EntryState::Active)
}

fn servers(store: &SqliteStore) -> Vec<Server> {
    let mut servers = Vec::new();
    store
        .each_server(&mut |server| servers.push(server))
        .unwrap();
    servers
}

fn count(store: &SqliteStore, table: &str) -> i64 {
    store
        .connection
        .query_row(&format!("SELECT count(*) FROM {table}"), (), |row| {
            row.get(0)
        })
        .unwrap()
}

#[test]
fn the_same_once_more_changes_nothing() {
    let (_folder, _, mut store) = new();
    let entries = [
        active("a", "https://a.example/mcp"),
        active("b", "https://a.example/mcp"),
        active("c", "https://c.example/mcp"),
    ];
    let taken = store.take(&source(), &entries, at(100)).unwrap();
    assert_eq!(
        (taken.new_servers, taken.known_servers),
        (2, 1),
        "several names on one URL are one server"
    );
    let before = servers(&store);
    let again = store.take(&source(), &entries, at(200)).unwrap();
    assert_eq!((again.new_servers, again.known_servers), (0, 3));
    assert_eq!(servers(&store), before);
    let sources = store.sources().unwrap();
    assert_eq!((sources[0].entries, sources[0].read_at), (3, at(200)));
}

#[test]
fn an_entry_takes_the_place_of_what_it_said_before() {
    let (_folder, _, mut store) = new();
    let named = |store: &SqliteStore| {
        servers(store)
            .into_iter()
            .filter(|server| server.named)
            .map(|server| server.url.to_string())
            .collect::<Vec<_>>()
    };
    let other = Source {
        name: "other".to_owned(),
        ..source()
    };
    let (old, new) = ("https://old.example/mcp", "https://new.example/mcp");
    store.take(&source(), &[active("a", old)], at(0)).unwrap();
    store
        .take(
            &source(),
            &[claim("a", &[new, old], EntryState::Active)],
            at(1),
        )
        .unwrap();
    assert_eq!(named(&store), [old, new]);
    store.take(&source(), &[active("a", new)], at(2)).unwrap();
    assert_eq!(named(&store), [new]);
    store
        .take(&other, &[claim("x", &[new], EntryState::Deprecated)], at(3))
        .unwrap();
    store
        .take(&source(), &[claim("a", &[new], EntryState::Deleted)], at(4))
        .unwrap();
    assert_eq!(named(&store), [new], "another source still names it");
    store
        .take(&other, &[claim("x", &[], EntryState::Active)], at(5))
        .unwrap();
    assert!(named(&store).is_empty());
    assert!(store.due(at(1_000)).unwrap().is_empty());
}

// r[captxt.claim]
#[test]
fn a_listing_is_all_that_is_said_and_its_own_tools_win_over_claims() {
    let (_folder, _, mut store) = new();
    let said = |key: &str, url: &str, description: &str, tools: &[&str]| {
        Entry::Server(Claim {
            key: key.to_owned(),
            urls: vec![url.parse().unwrap()],
            name: Some(format!("name {}", key.to_uppercase())),
            description: Some(description.to_owned()),
            state: EntryState::Active,
            tools: tools.iter().map(|name| tool(name, true)).collect(),
        })
    };
    fn tool(name: &str, read_only: bool) -> Tool {
        Tool {
            name: name.to_owned(),
            description: format!("does {name}"),
            read_only,
        }
    }
    let (a, b, c) = (
        "https://a.example/mcp",
        "https://b.example/mcp",
        "https://c.example/mcp",
    );
    let entries = [
        said("b", b, "of b", &["y"]),
        said("a", a, "of a", &["x", "y"]),
        said("a2", a, "of a", &["y", "z"]),
        claim("gone", &[a], EntryState::Deleted),
        claim("c", &[c], EntryState::Deleted),
    ];
    store.take(&source(), &entries, at(0)).unwrap();
    let file = Source {
        name: "file".to_owned(),
        kind: SourceKind::ServerFile,
    };
    let jobs = Entry::Server(Claim {
        key: a.to_owned(),
        urls: vec![a.parse().unwrap()],
        name: None,
        description: Some(["send an email", "read an email"].join(BETWEEN_JOBS)),
        state: EntryState::Active,
        tools: Vec::new(),
    });
    store.take(&file, &[jobs], at(0)).unwrap();
    let listings = |store: &SqliteStore| {
        let mut all = Vec::new();
        store
            .each_listing(&mut |listing| all.push(listing))
            .unwrap();
        all
    };
    let expected = Listing {
        server: servers(&store)[1].id,
        url: a.parse().unwrap(),
        names: vec!["name A".to_owned(), "name A2".to_owned()],
        descriptions: vec!["of a".to_owned()],
        jobs: vec!["send an email".to_owned(), "read an email".to_owned()],
        tools: vec![tool("x", true), tool("y", true), tool("z", true)],
        listed_tools: false,
    };
    let found = listings(&store);
    assert_eq!(found.len(), 2, "nobody names c");
    assert_eq!(found[0].url.as_str(), b);
    assert_eq!(found[1], expected);

    let mut observed = seen(1, Outcome::Ok);
    observed.tools = Some(vec![tool("own", false)]);
    store.append(expected.server, &observed, at(2)).unwrap();
    let own = Listing {
        tools: vec![tool("own", false)],
        listed_tools: true,
        ..expected
    };
    assert_eq!(listings(&store)[1], own);
    observed = seen(3, Outcome::SignIn);
    observed.tools = None;
    store.append(own.server, &observed, at(4)).unwrap();
    assert_eq!(listings(&store)[1], own, "the last list stands");
    store
        .forget(&Host::from_written("b.example").unwrap(), at(5))
        .unwrap();
    assert_eq!(listings(&store), [own]);
}

#[test]
fn a_host_is_named_by_those_who_are_no_server_file() {
    let (_folder, _, mut store) = new();
    let file = Source {
        name: "file".to_owned(),
        kind: SourceKind::ServerFile,
    };
    let list = Source {
        name: "list".to_owned(),
        kind: SourceKind::Hosts,
    };
    store
        .take(&source(), &[active("a", "https://a.b.example/mcp")], at(0))
        .unwrap();
    store
        .take(&file, &[active("c", "https://c.example/mcp")], at(0))
        .unwrap();
    store
        .take(
            &list,
            &[Entry::Host(Host::from_written("d.example").unwrap())],
            at(0),
        )
        .unwrap();
    for (host, named) in [
        ("a.b.example", true),
        ("b.example", true),
        ("x.a.b.example", false),
        ("ab.example", false),
        ("c.example", false),
        ("d.example", true),
    ] {
        assert_eq!(store.is_named(host).unwrap(), named, "{host}");
    }
}

#[test]
fn an_observation_is_never_changed_and_stays() {
    let (_folder, path, mut store) = new();
    store
        .take(&source(), &[active("a", "https://a.example/mcp")], at(0))
        .unwrap();
    let id = servers(&store)[0].id;
    let standing = store.append(id, &seen(10, Outcome::Ok), at(500)).unwrap();
    assert_eq!(standing.status(at(10)), Some((Status::Ok, at(10))));
    // Also for somebody else's connection to the file.
    let other = Connection::open(&path).unwrap();
    for sql in [
        "UPDATE observation SET outcome = 'ok'",
        "DELETE FROM observation",
    ] {
        let error = other.execute(sql, ()).unwrap_err().to_string();
        assert!(error.contains("an observation"), "{sql}: {error}");
    }
    let replaced = "INSERT OR REPLACE INTO observation SELECT id, server, 0, 0, 'failure', 'gone', 'stream', NULL, 1, 1, 1 FROM observation";
    assert!(store.connection.execute(replaced, ()).is_err());
    assert_eq!(store.history(id).unwrap(), [seen(10, Outcome::Ok)]);
    assert_eq!(store.due(at(499)).unwrap(), []);
    assert_eq!(
        store.due(at(500)).unwrap(),
        [Due {
            server: id,
            host: "a.example".to_owned()
        }]
    );
    assert!(matches!(
        store.append(ServerId(77), &seen(11, Outcome::Ok), at(0)),
        Err(StoreError::Sqlite(_) | StoreError::NoServer(_))
    ));
    assert_eq!(count(&store, "observation"), 1);
}

#[test]
fn the_tools_of_the_last_list_are_kept() {
    let (_folder, _, mut store) = new();
    store
        .take(&source(), &[active("a", "https://a.example/mcp")], at(0))
        .unwrap();
    let id = servers(&store)[0].id;
    let tools = |store: &SqliteStore| -> String {
        store
            .connection
            .query_row("SELECT tools FROM tool_list", (), |row| row.get(0))
            .unwrap()
    };
    let tool = |name: &str| Tool {
        name: name.to_owned(),
        description: "d".to_owned(),
        read_only: false,
    };
    let listed = |second, name| Observed {
        tools: Some(vec![tool(name)]),
        ..seen(second, Outcome::Ok)
    };
    store.append(id, &listed(1, "one"), at(2)).unwrap();
    store.append(id, &listed(2, "two"), at(3)).unwrap();
    store
        .append(id, &seen(3, Outcome::Unknown(Reason::Blocked)), at(4))
        .unwrap();
    assert_eq!(tools(&store), r#"[{"name":"two","description":"d"}]"#);
    assert_eq!(count(&store, "observation"), 3);
}

#[test]
fn an_older_store_becomes_one_of_today_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(include_str!("../../../tests/data/store-v1.sql"))
        .unwrap();
    drop(old);
    let mut store = SqliteStore::open(&path).unwrap();
    assert_eq!(schema::version(&store.connection).unwrap(), VERSION);
    let kept: Vec<_> = servers(&store)
        .iter()
        .map(|server| (server.url.to_string(), server.named))
        .collect();
    assert_eq!(
        kept,
        [
            ("https://a.example/mcp".to_owned(), true),
            ("https://b.example/mcp".to_owned(), false)
        ]
    );
    assert_eq!(store.sources().unwrap()[0].entries, 3);
    assert_eq!(
        store.forgotten().unwrap(),
        [("d.example".to_owned(), at(1_764_400_000))]
    );
    assert_eq!(store.files_due(at(0)).unwrap(), ["c.example"]);
    let id = store.due(at(1_764_500_000)).unwrap()[0].server;
    store
        .append(id, &seen(1_764_500_001, Outcome::SignIn), at(1_764_600_000))
        .unwrap();
    // What a migrated store looks like is what a new one looks like.
    let schema = |store: &SqliteStore| {
        let sql =
            "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
        let mut statement = store.connection.prepare(sql).unwrap();
        let rows = statement
            .query_map((), |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?))
            })
            .unwrap();
        let plain = |text: String| {
            text.lines()
                .filter(|line| !line.contains("--"))
                .flat_map(str::split_whitespace)
                .collect::<String>()
        };
        rows.map(Result::unwrap)
            .map(|(name, sql)| (name, sql.map(plain)))
            .collect::<Vec<_>>()
    };
    assert_eq!(schema(&store), schema(&new().2));
}

#[test]
fn what_is_not_ours_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    SqliteStore::open(&path("newer"))
        .unwrap()
        .connection
        .pragma_update(None, "user_version", VERSION + 1)
        .unwrap();
    let other = Connection::open(path("other")).unwrap();
    other
        .execute_batch("CREATE TABLE notes (text TEXT)")
        .unwrap();
    drop(other);
    fs::write(
        path("text"),
        "name = \"a settings file that is no store\"\n".repeat(100),
    )
    .unwrap();
    for name in ["newer", "other", "text"] {
        let before = fs::read(path(name)).unwrap();
        let error = SqliteStore::open(&path(name)).unwrap_err();
        let as_expected = match name {
            "newer" => matches!(error, StoreError::Newer { found, .. } if found == VERSION + 1),
            _ => matches!(error, StoreError::Foreign { .. }),
        };
        assert!(as_expected, "{name}: {error:?}");
        assert_eq!(fs::read(path(name)).unwrap(), before, "{name}");
    }
    assert!(matches!(
        SqliteStore::open(&path("no/such/folder")),
        Err(StoreError::Open { .. })
    ));
}

#[test]
fn a_full_disk_loses_the_last_step_and_nothing_else() {
    let (_folder, path, mut store) = new();
    let batch = |from: usize| -> Vec<Entry> {
        (from..from + 100)
            .map(|n| active(&format!("{n}"), &format!("https://s{n}.example/mcp")))
            .collect()
    };
    let pages: i64 = store
        .connection
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .unwrap();
    store
        .connection
        .pragma_update(None, "max_page_count", pages + 20)
        .unwrap();
    let mut taken = 0;
    let error = loop {
        match store.take(&source(), &batch(taken), at(0)) {
            Ok(_) => taken += 100,
            Err(error) => break error,
        }
        assert!(taken < 100_000, "the disk is never full");
    };
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    assert!(taken > 0);
    assert_eq!(servers(&store).len(), taken);
    let id = servers(&store)[0].id;
    // An observation that does not fit is not in the history, and does not stand.
    let mut kept = 0;
    while store
        .append(id, &seen(kept + 1, Outcome::Ok), at(0))
        .is_ok()
    {
        kept += 1;
        assert!(kept < 100_000, "the disk is never full");
    }
    assert_eq!(
        store.history(id).unwrap().len(),
        usize::try_from(kept).unwrap()
    );
    let last = store
        .server(id)
        .unwrap()
        .unwrap()
        .standing
        .map(|standing| standing.last);
    assert_eq!(last, (kept > 0).then(|| at(kept)));
    // With room again it goes on, in this connection and in another.
    store
        .connection
        .pragma_update(None, "max_page_count", 1_000_000)
        .unwrap();
    store.take(&source(), &batch(taken), at(0)).unwrap();
    drop(store);
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(servers(&store).len(), taken + 100);
    let sound: String = store
        .connection
        .pragma_query_value(None, "integrity_check", |row| row.get(0))
        .unwrap();
    assert_eq!(sound, "ok");
}

// r[deny.every-source] r[deny.honoured]
#[test]
fn what_is_forgotten_goes_and_a_deny_stays() {
    let (_folder, _, mut store) = new();
    let host = |text: &str| Host::from_written(text).unwrap();
    let entries = [
        active("a", "https://a_b.example/mcp"),
        active("b", "https://x.a_b.example:8443/mcp"),
        active("c", "https://axb.example/mcp"),
        active("d", "https://ya_b.example/mcp"),
        Entry::Host(host("a_b.example")),
    ];
    store.take(&source(), &entries, at(0)).unwrap();
    for server in servers(&store) {
        store
            .append(server.id, &seen(1, Outcome::Ok), at(2))
            .unwrap();
        store
            .append(server.id, &seen(2, Outcome::Ok), at(3))
            .unwrap();
    }
    let file = |body: Option<&[u8]>| FileRow {
        fetched_at: at(1),
        answered_at: Some(at(1)),
        body: body.map(<[u8]>::to_vec),
        claims: true,
        withheld: None,
    };
    store
        .put_server_file("a_b.example", &file(Some(b"Resolvers: none")))
        .unwrap();
    store.put_server_file("x.a_b.example", &file(None)).unwrap();
    let gone = store.forget(&host("a_b.example"), at(9)).unwrap();
    assert_eq!(
        gone,
        Forgotten {
            servers: 2,
            claims: 2,
            observations: 4,
            files: 1,
            kept_files: 1
        }
    );
    let left: Vec<_> = servers(&store)
        .iter()
        .map(|server| server.url.to_string())
        .collect();
    assert_eq!(
        left,
        ["https://axb.example/mcp", "https://ya_b.example/mcp"]
    );
    assert_eq!(
        (
            count(&store, "observation"),
            count(&store, "standing"),
            count(&store, "named_host")
        ),
        (4, 2, 0)
    );
    assert!(store.server_file("a_b.example").unwrap().is_some());
    // No source brings it back.
    let taken = store.take(&source(), &entries, at(10)).unwrap();
    assert_eq!((taken.forgotten, taken.new_servers), (3, 0));
    assert!(
        store.remember(&host("a_b.example")).unwrap()
            && !store.remember(&host("a_b.example")).unwrap()
    );
    assert_eq!(
        store.take(&source(), &entries, at(11)).unwrap().new_servers,
        2
    );
    // An id is never used again.
    assert!(
        servers(&store)
            .iter()
            .all(|server| server.id.0 == 3 || server.id.0 == 4 || server.id.0 > 4)
    );
}

#[test]
fn a_clock_that_went_back_lets_nobody_wait_for_ever() {
    let (_folder, _, mut store) = new();
    store
        .take(
            &source(),
            &[active("a", "https://a.example/mcp")],
            at(1_000_000),
        )
        .unwrap();
    assert!(store.due(at(0)).unwrap().is_empty());
    store.wait_no_longer_than(at(86_400)).unwrap();
    assert_eq!(store.due(at(86_400)).unwrap().len(), 1);
    let id = servers(&store)[0].id;
    store.postpone(id, at(100)).unwrap();
    store.wait_no_longer_than(at(86_400)).unwrap();
    assert_eq!(servers(&store)[0].next_at, at(100));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    // r[status.observed]
    #[test]
    fn what_stands_is_what_the_history_says(history in prop::collection::vec((0_i64..100_000, outcomes()), 1..12)) {
        let (_folder, path, mut store) = new();
        store.take(&source(), &[active("a", "https://a.example/mcp")], at(0)).unwrap();
        let id = servers(&store)[0].id;
        for (ended, outcome) in &history {
            store.append(id, &seen(*ended, *outcome), at(0)).unwrap();
        }
        drop(store);
        let store = SqliteStore::open(&path).unwrap();
        let kept = store.history(id).unwrap();
        prop_assert_eq!(&kept, &history.iter().map(|(ended, outcome)| seen(*ended, *outcome)).collect::<Vec<_>>());
        let folded = kept.iter().fold(None, |before, observed| Some(Standing::after(before.as_ref(), observed)));
        prop_assert_eq!(store.server(id).unwrap().unwrap().standing, folded);
    }
}
