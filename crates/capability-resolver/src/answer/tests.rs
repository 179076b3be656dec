//! Answers within one second, in which only what changes makes them others.

use capability_resolution::{Answer, Discovery, ResolveRequest};

use super::*;
use crate::keys::Keys;
use crate::observed::Outcome;
use crate::standing::tests::seen;
use crate::store::{Claim, Entry, EntryState, FileRow, Source, SourceKind, SqliteStore, Store};

const NOW: i64 = 1_800_000_000;

fn now() -> Time {
    Time::from_unix_seconds(NOW)
}

struct Place {
    folder: tempfile::TempDir,
    store: SqliteStore,
    resolver: Resolver,
}

impl Place {
    /// Two servers for mail, seen a minute ago.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        let mut store = SqliteStore::open(&path).unwrap();
        let source = Source {
            name: "s".to_owned(),
            kind: SourceKind::Catalogue,
        };
        let claims = ["https://a.example/mcp", "https://b.example/mcp"].map(|url| {
            Entry::Server(Claim {
                key: url.to_owned(),
                urls: vec![url.parse().unwrap()],
                name: Some("Mail".to_owned()),
                description: Some("Send an email".to_owned()),
                state: EntryState::Active,
                tools: Vec::new(),
            })
        });
        store.take(&source, &claims, now()).unwrap();
        let mut ids = Vec::new();
        store
            .each_server(&mut |server| ids.push(server.id))
            .unwrap();
        for id in ids {
            store
                .append(id, &seen(NOW - 60, Outcome::Ok), now())
                .unwrap();
        }
        std::fs::create_dir(folder.path().join("keys")).unwrap();
        let settings = Settings {
            identity: Identity {
                issuer: "https://resolver.test".parse().unwrap(),
                name: "R".to_owned(),
            },
            keys: folder.path().join("keys"),
            discovery_max_age: 60,
            allow_loopback: false,
            clock: now,
        };
        let mut keys = Keys::open(&settings.keys).unwrap();
        keys.rotate(now(), 60).unwrap();
        let resolver = start(settings, path);
        Self {
            folder,
            store,
            resolver,
        }
    }

    /// Starts the resolver again, under this name.
    fn restart_as(&mut self, name: &str) {
        let mut settings = self.resolver.settings().clone();
        settings.identity.name = name.to_owned();
        self.resolver = start(settings, self.folder.path().join("store.sqlite"));
    }

    fn ask(&self) -> Body {
        let request = ResolveRequest::from_query("need=send+an+email").unwrap();
        self.resolver.resolve(&request).unwrap()
    }

    /// How many candidates an answer has that verify with the document of this moment.
    fn verified(&self, body: &Body) -> usize {
        let issuer = &self.resolver.settings().identity.issuer;
        let discovery = Discovery::read(&self.resolver.discovery().json, issuer).unwrap();
        let answer = Answer::read(&body.json, &discovery, now()).unwrap();
        answer.candidates.len()
    }
}

fn start(settings: Settings, store: PathBuf) -> Resolver {
    let open = move || -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(SqliteStore::open_existing(&store)?))
    };
    let resolver = Resolver::new(settings, Reader::new(Box::new(open))).unwrap();
    assert!(resolver.refresh().unwrap());
    resolver
}

fn is_same(one: &Body, other: &Body) -> bool {
    one.json.as_ptr() == other.json.as_ptr()
}

// r[token.same-for-all] r[deny.at-once]
#[test]
fn what_was_answered_is_given_again_until_the_store_changes() {
    let mut place = Place::new();
    let first = place.ask();
    assert_eq!(place.verified(&first), 2);
    assert!(is_same(&first, &place.ask()));
    let deny = FileRow {
        fetched_at: now(),
        answered_at: Some(now()),
        body: Some(b"Resolvers: none\n".to_vec()),
        claims: true,
        withheld: None,
    };
    place.store.put_server_file("a.example", &deny).unwrap();
    let second = place.ask();
    assert_eq!(place.verified(&second), 1);
    assert_ne!(second.tag, first.tag);
    assert!(is_same(&second, &place.ask()));
    // A new snapshot says the same.
    assert!(place.resolver.refresh().unwrap());
    assert_eq!(place.ask().json, second.json);
}

// r[http.etag]
#[test]
fn an_answer_has_another_tag_under_another_name_and_else_the_same() {
    let mut place = Place::new();
    let first = place.ask();
    place.restart_as("R");
    let again = place.ask();
    assert_eq!((&again.json, &again.tag), (&first.json, &first.tag));
    place.restart_as("S");
    let second = place.ask();
    assert_eq!(place.verified(&second), 2);
    assert_ne!(second.json, first.json);
    assert_ne!(second.tag, first.tag);
}

// r[keys.compromised]
#[test]
fn what_was_answered_is_not_given_again_after_a_key_was_withdrawn() {
    let place = Place::new();
    let first = place.ask();
    let mut keys = Keys::open(&place.folder.path().join("keys")).unwrap();
    let old = keys.all()[0].kid().to_owned();
    keys.rotate(now(), 60).unwrap();
    keys.withdraw(&old, now()).unwrap();
    place.resolver.reread_keys().unwrap();
    assert_eq!(place.verified(&first), 0);
    assert_eq!(place.verified(&place.ask()), 2);
}

#[test]
fn whether_a_need_takes_a_search_is_known_at_once() {
    let place = Place::new();
    let request = ResolveRequest::from_query("need=send+an+email").unwrap();
    assert!(place.resolver.resolve_again(&request).unwrap().is_none());
    let body = place.ask();
    let again = place.resolver.resolve_again(&request).unwrap().unwrap();
    assert!(is_same(&body, &again));
}
