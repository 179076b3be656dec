//! Runs over a store with a prober that answers from a table and writes down what it was asked.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use capability_resolution::{Host, ServerUrl, Status};

mod own_network;
mod sources;

use super::*;
use crate::observed::{FailureClass, Outcome, Reason};
use crate::server_file::Denials;
use crate::standing::Statement;
use crate::store::{Claim, Entry, EntryState, Source, SourceKind, SqliteStore};

type Files = HashMap<&'static str, Result<FileOutcome<Vec<u8>>, NotNow>>;

/// Answers by host; remembers.
#[derive(Clone, Default)]
struct Table {
    outcomes: Arc<HashMap<&'static str, Result<Outcome, NotNow>>>,
    files: Arc<Mutex<Files>>,
    asked: Arc<Mutex<Vec<String>>>,
    under_way: Arc<Mutex<HashMap<String, usize>>>,
    most: Arc<AtomicUsize>,
    most_on_a_host: Arc<AtomicUsize>,
    /// How long an answer takes, in milliseconds.
    takes: u64,
    /// Hosts that do not answer at all, whatever is asked; `*` for all.
    silent: Arc<Mutex<HashSet<&'static str>>>,
    /// Documents of sources, and the sources of a run.
    documents: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    sources: Vec<Url>,
}

impl Table {
    fn log(&self, what: String) {
        self.asked.lock().unwrap().push(what);
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    fn is_silent(&self, host: &str) -> bool {
        let silent = self.silent.lock().unwrap();
        silent.contains("*") || silent.contains(host)
    }

    fn file(self, host: &'static str, text: &str) -> Self {
        let outcome = FileOutcome::File {
            file: text.as_bytes().to_vec(),
            withheld: None,
        };
        self.files.lock().unwrap().insert(host, Ok(outcome));
        self
    }
}

fn heard(silent: bool) -> Heard {
    if silent {
        Heard::Nobody
    } else {
        Heard::Somebody(Instant::now())
    }
}

impl Prober for Table {
    async fn probe(
        &self,
        url: &ServerUrl,
        begin_with: Start,
        started_at: Time,
    ) -> Result<Asked<Observed>, NotNow> {
        let host = url.origin().host().to_owned();
        self.log(format!("{url} {}", begin_with.as_str()));
        {
            let mut under_way = self.under_way.lock().unwrap();
            *under_way.entry(host.clone()).or_insert(0) += 1;
            self.most_on_a_host
                .fetch_max(under_way[&host], Ordering::SeqCst);
            self.most
                .fetch_max(under_way.values().sum(), Ordering::SeqCst);
        }
        tokio::time::sleep(Duration::from_millis(self.takes)).await;
        *self.under_way.lock().unwrap().get_mut(&host).unwrap() -= 1;
        let silent = self.is_silent(&host);
        let outcome = match self.outcomes.get(host.as_str()) {
            _ if silent => Outcome::Failure(FailureClass::Connection),
            Some(outcome) => outcome.clone()?,
            None => Outcome::Ok,
        };
        let settled = matches!(outcome, Outcome::Ok | Outcome::SignIn);
        let result = Observed {
            started_at,
            ended_at: started_at,
            outcome,
            began_with: begin_with,
            led_by: settled.then_some(Start::Initialize),
            handshake_ms: settled.then_some(1),
            requests: 1,
            retry_after: None,
            tools: None,
        };
        Ok(Asked {
            result,
            heard: heard(silent),
        })
    }

    async fn fetch_file(&self, host: &str) -> Result<Asked<FileOutcome<Vec<u8>>>, NotNow> {
        self.log(format!("file {host}"));
        tokio::time::sleep(Duration::from_millis(self.takes)).await;
        let silent = self.is_silent(host);
        let result = match self.files.lock().unwrap().get(host) {
            _ if silent => FileOutcome::Failed,
            Some(outcome) => outcome.clone()?,
            None => FileOutcome::Absent,
        };
        Ok(Asked {
            result,
            heard: heard(silent),
        })
    }

    async fn fetch_document(&self, url: &Url, name: &str) -> Asked<Result<Vec<u8>, ImportError>> {
        self.log(format!("document {url}"));
        tokio::time::sleep(Duration::from_millis(self.takes)).await;
        let silent = self.is_silent(url.host_str().unwrap_or_default());
        let document = self.documents.lock().unwrap().get(url.as_str()).cloned();
        Asked {
            heard: heard(silent),
            result: document.filter(|_| !silent).ok_or(ImportError::Status {
                name: name.to_owned(),
                status: 404,
            }),
        }
    }
}

impl Table {
    fn settings(&self, clock: fn() -> Time) -> Settings {
        Settings {
            sources: self.sources.clone(),
            ..settings(clock)
        }
    }
}

const START: i64 = 1_800_000_000;

fn at(seconds: i64) -> Time {
    Time::from_unix_seconds(START + seconds)
}

fn store(urls: &[&str]) -> (tempfile::TempDir, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&folder.path().join("s")).unwrap();
    let entries: Vec<Entry> = urls
        .iter()
        .map(|url| {
            let (key, urls) = ((*url).to_owned(), vec![url.parse().unwrap()]);
            Entry::Server(Claim {
                key,
                urls,
                name: None,
                description: None,
                state: EntryState::Active,
                tools: Vec::new(),
            })
        })
        .collect();
    store
        .take(
            &Source {
                name: "test".to_owned(),
                kind: SourceKind::Catalogue,
            },
            &entries,
            at(0),
        )
        .unwrap();
    (folder, store)
}

fn settings(clock: fn() -> Time) -> Settings {
    Settings {
        issuer: "https://resolver.example".parse().unwrap(),
        schedule: Schedule {
            interval_minutes: 480,
            second_look_minutes: 15,
        },
        in_flight: 4,
        per_host: 2,
        sources: Vec::new(),
        allow_loopback: false,
        clock,
    }
}

fn wait<F: Future>(work: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

fn once(
    store: &mut SqliteStore,
    table: &Table,
    clock: fn() -> Time,
) -> Result<Tally, ObserveError> {
    let observer = Observer::new(store, table.clone(), table.settings(clock));
    let mut tell = |_: News<'_>| {};
    let run = observer.run(true, std::future::pending(), &mut tell);
    wait(async {
        tokio::time::timeout(Duration::from_secs(60), run)
            .await
            .expect("the run comes to an end")
    })
}

/// What may be signed of the `nth` server.
fn statement(store: &SqliteStore, nth: usize, now: Time) -> Option<Statement> {
    let denials = Denials::read(store, &settings(|| at(0)).issuer, now).unwrap();
    denials.statement(&servers(store)[nth], now)
}

fn servers(store: &SqliteStore) -> Vec<Server> {
    let mut servers = Vec::new();
    store
        .each_server(&mut |server| servers.push(server))
        .unwrap();
    servers
}

// r[deny.before-listing] r[captxt.scope.which-files]
#[test]
fn each_is_observed_once_after_the_files_that_speak_for_it() {
    let (_folder, mut store) = store(&[
        "https://a.x.example/1",
        "https://a.x.example/2",
        "https://b.x.example/",
        "https://y.example/",
    ]);
    let table = Table::default();
    let tally = once(&mut store, &table, || at(10)).unwrap();
    assert_eq!(
        (tally.observed.clone(), tally.files, tally.waiting),
        ([("ok".to_owned(), 4)].into(), 4, 0)
    );
    let asked = table.asked();
    assert_eq!(asked.len(), 8, "{asked:?}");
    let place = |what: &str| {
        asked
            .iter()
            .position(|asked| asked == what)
            .unwrap_or_else(|| panic!("{what}: {asked:?}"))
    };
    for (file, server) in [
        ("a.x.example", "a.x.example/1"),
        ("x.example", "a.x.example/2"),
        ("x.example", "b.x.example/"),
        ("y.example", "y.example/"),
    ] {
        assert!(
            place(&format!("file {file}")) < place(&format!("https://{server} discover")),
            "{asked:?}"
        );
    }
    for server in servers(&store) {
        assert_eq!(store.history(server.id).unwrap().len(), 1);
        assert!(server.next_at >= at(25_000));
    }
    assert!((0..4).all(|nth| statement(&store, nth, at(10)).is_some()));
    // Nothing is due, so nobody is asked; and later it begins where it got through.
    assert_eq!(
        once(&mut store, &table, || at(20)).unwrap(),
        Tally::default()
    );
    assert!(table.asked().is_empty());
    once(&mut store, &table, || at(40_000)).unwrap();
    assert!(
        table
            .asked()
            .contains(&"https://y.example/ initialize".to_owned())
    );
}

// r[observation.stop] r[captxt.scope.deny-wins] r[deny.reread] r[deny.every-source]
#[test]
fn a_server_that_is_denied_is_not_asked_until_its_file_says_otherwise() {
    let (_folder, mut store) = store(&["https://a.x.example/", "https://y.example/"]);
    let table = Table::default().file("x.example", "Resolvers: -https://resolver.example\n");
    let tally = once(&mut store, &table, || at(10)).unwrap();
    assert_eq!((tally.denied, tally.observed["ok"]), (1, 1));
    assert!(
        !table
            .asked()
            .iter()
            .any(|asked| asked.starts_with("https://a.x.example"))
    );
    // The next turn is when the file is to be read again, and until then nobody asks.
    assert!(servers(&store)[0].next_at <= at(10 + 86_400));
    once(&mut store, &table, || at(70_000)).unwrap();
    assert!(
        !table
            .asked()
            .iter()
            .any(|asked| asked.contains("x.example"))
    );
    let table = table.file("x.example", "Resolvers: *\n");
    once(&mut store, &table, || at(83_000)).unwrap();
    let asked = table.asked();
    assert!(
        asked.contains(&"file x.example".to_owned())
            && asked.contains(&"https://a.x.example/ discover".to_owned()),
        "{asked:?}"
    );
}

// r[captxt.fetch.outcome] r[deny.honoured]
#[test]
fn a_deny_outlives_a_file_that_cannot_be_read() {
    let (_folder, mut store) = store(&["https://y.example/"]);
    let table = Table::default().file("y.example", "Resolvers: none\n");
    once(&mut store, &table, || at(0)).unwrap();
    for (outcome, observed) in [
        (FileOutcome::Failed, 0),
        (FileOutcome::Refused, 0),
        (FileOutcome::Absent, 1),
    ] {
        table
            .files
            .lock()
            .unwrap()
            .insert("y.example", Ok(outcome.clone()));
        let clock: fn() -> Time = match outcome {
            FileOutcome::Failed => || at(90_000),
            FileOutcome::Refused => || at(180_000),
            _ => || at(270_000),
        };
        let tally = once(&mut store, &table, clock).unwrap();
        assert_eq!(
            (tally.files, tally.observed.values().sum::<u64>()),
            (1, observed),
            "{outcome:?}"
        );
    }
}

// r[captxt.claims-valid-only]
#[test]
fn a_host_of_a_list_names_servers_by_its_file() {
    let (_folder, mut store) = store(&[]);
    let source = Source {
        name: "hosts".to_owned(),
        kind: SourceKind::Hosts,
    };
    store
        .take(
            &source,
            &[Entry::Host(Host::from_written("y.example").unwrap())],
            at(0),
        )
        .unwrap();
    let file = |host: &str| {
        format!(
            "Conformance: Capability Resolution 0.2\nContact: mailto:a@y.example\nExpires: 2027-12-31T00:00:00Z\n\
             Resolvers: *\n\nEndpoint: https://{host}/mcp\nProtocol: mcp\nJobs: send a transactional email\n"
        )
    };
    // The server that it names has a file too, and leads no further.
    let table = Table::default()
        .file("y.example", &file("m.y.example"))
        .file("m.y.example", &file("x.m.y.example"));
    let tally = once(&mut store, &table, || at(0)).unwrap();
    assert_eq!(tally.observed["ok"], 1, "{tally:?}");
    assert_eq!(
        table.asked(),
        [
            "file y.example",
            "file m.y.example",
            "https://m.y.example/mcp discover"
        ]
    );
    // What the file does not name any more, nobody names.
    table
        .files
        .lock()
        .unwrap()
        .insert("y.example", Ok(FileOutcome::Absent));
    once(&mut store, &table, || at(90_000)).unwrap();
    assert!(!servers(&store)[0].named);
    assert_eq!(
        store.history(servers(&store)[0].id).unwrap().len(),
        1,
        "what was seen stays"
    );
}

/// A server file that declares one endpoint.
fn declares(url: &str, jobs: &str) -> String {
    format!(
        "Conformance: Capability Resolution 0.2\nContact: mailto:a@y.example\nExpires: 2027-12-31T00:00:00Z\n\
         Resolvers: *\n\nEndpoint: {url}\nProtocol: mcp\nSign-in: none\nJobs: {jobs}\n"
    )
}

fn jobs(store: &SqliteStore) -> Vec<Vec<String>> {
    let mut jobs = Vec::new();
    store
        .each_listing(&mut |listing| jobs.push(listing.jobs))
        .unwrap();
    jobs
}

// r[captxt.scope.claims-nearest]
#[test]
fn what_the_nearest_file_declares_is_what_counts() {
    let url = "https://z.m.a.example/mcp";
    let (_folder, mut store) = store(&[url]);
    // The nearest file declares another endpoint.
    let table = Table::default()
        .file(
            "z.m.a.example",
            &declares("https://z.m.a.example/other", "read a book"),
        )
        .file(
            "m.a.example",
            &declares(url, "send an email; read an email"),
        )
        .file("a.example", &declares(url, "order a pizza"));
    once(&mut store, &table, || at(0)).unwrap();
    let other = "read a book";
    assert_eq!(
        jobs(&store),
        [vec!["send an email", "read an email"], vec![other]]
    );
    for (host, expected) in [("m.a.example", "order a pizza"), ("a.example", "")] {
        let absent = Ok(FileOutcome::Absent);
        table.files.lock().unwrap().insert(host, absent);
        let clock: fn() -> Time = match host {
            "a.example" => || at(180_000),
            _ => || at(90_000),
        };
        once(&mut store, &table, clock).unwrap();
        assert_eq!(
            jobs(&store)[0].join(" "),
            expected,
            "without that of {host}"
        );
    }
}

// r[captxt.claim] r[status.observed] r[status.never-observed]
#[test]
fn what_a_file_declares_is_no_observation() {
    let url = "https://y.example/mcp";
    for (outcome, status) in [
        (Ok(Outcome::SignIn), Some(Status::SignIn)),
        (Ok(Outcome::Unknown(Reason::NoTools)), Some(Status::Unknown)),
        (Err(NotNow::Later(Duration::ZERO)), None),
    ] {
        let (_folder, mut store) = store(&[url]);
        let table = Table {
            outcomes: Arc::new([("y.example", outcome)].into()),
            ..Table::default()
        }
        .file("y.example", &declares(url, "send an email"));
        once(&mut store, &table, || at(0)).unwrap();
        assert_eq!(jobs(&store), [["send an email"]], "the file was read");
        let stated = statement(&store, 0, at(0));
        assert_eq!(stated.map(|stated| stated.observation().status), status);
    }
}

#[test]
fn no_more_at_once_than_may_be() {
    for (hosts, most) in [(8, 4), (1, 2)] {
        let urls: Vec<String> = (0..24)
            .map(|n| format!("https://h{}.example/{n}", n % hosts))
            .collect();
        let (_folder, mut store) = store(&urls.iter().map(String::as_str).collect::<Vec<_>>());
        let table = Table {
            takes: 5,
            ..Table::default()
        };
        let tally = once(&mut store, &table, || at(0)).unwrap();
        assert_eq!((tally.observed["ok"], tally.files), (24, hosts));
        assert_eq!(table.most.load(Ordering::SeqCst), most);
        assert!(table.most_on_a_host.load(Ordering::SeqCst) <= 2);
    }
}

#[test]
fn what_is_stopped_was_not_seen_and_is_seen_later() {
    let urls: Vec<String> = (0..30).map(|n| format!("https://h{n}.example/")).collect();
    let (_folder, mut store) = store(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    let table = Table {
        takes: 20,
        ..Table::default()
    };
    let observer = Observer::new(&mut store, table.clone(), settings(|| at(0)));
    let stop = tokio::time::sleep;
    let tally = wait(async {
        observer
            .run(false, stop(Duration::from_millis(130)), &mut |_| {})
            .await
    })
    .unwrap();
    let kept: u64 = tally.observed.values().sum();
    let histories = |store: &SqliteStore| {
        servers(store)
            .iter()
            .map(|server| store.history(server.id).unwrap().len())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        histories(&store).iter().sum::<usize>(),
        usize::try_from(kept).unwrap()
    );
    assert!(kept < 30);
    once(&mut store, &table, || at(0)).unwrap();
    assert_eq!(histories(&store), [1; 30]);
}

// r[deny.at-once] r[deny.tokens] r[deny.honoured]
#[test]
fn nothing_is_stated_of_a_server_from_the_moment_that_its_file_denies() {
    let (_folder, mut store) = store(&["https://y.example/"]);
    let table = Table::default();
    once(&mut store, &table, || at(0)).unwrap();
    assert!(statement(&store, 0, at(80_000)).is_some());
    let table = table.file(
        "y.example",
        "Resolvers: none
",
    );
    // The file is read again before the observation is too old to be stated.
    once(&mut store, &table, || at(83_000)).unwrap();
    assert_eq!(
        servers(&store)[0]
            .standing()
            .map(|standing| standing.last().0),
        Some(at(0))
    );
    assert_eq!(statement(&store, 0, at(83_000)), None);
}

#[test]
fn after_a_clock_that_went_back_nothing_is_stated_and_nobody_waits_for_ever() {
    let (_folder, mut store) = store(&["https://y.example/"]);
    let table = Table::default();
    once(&mut store, &table, || at(1_000_000)).unwrap();
    assert!(statement(&store, 0, at(1_000_000)).is_some());
    let tally = once(&mut store, &table, || at(0)).unwrap();
    assert!(tally.observed.is_empty());
    assert_eq!(
        statement(&store, 0, at(0)),
        None,
        "it would be from the future"
    );
    assert!(servers(&store)[0].next_at <= at(86_400));
    once(&mut store, &table, || at(86_400)).unwrap();
    assert!(statement(&store, 0, at(86_400)).is_some());
    assert_eq!(store.history(servers(&store)[0].id).unwrap().len(), 2);
}

// r[status.down] r[status.first-failure]
#[test]
fn a_server_is_looked_at_a_second_time_before_it_is_down() {
    static NOW: AtomicI64 = AtomicI64::new(0);
    let clock = || at(NOW.load(Ordering::SeqCst));
    let (_folder, mut store) = store(&["https://gone.example/"]);
    let outcomes = [("gone.example", Ok(Outcome::Failure(FailureClass::Gone)))].into();
    let table = Table {
        outcomes: Arc::new(outcomes),
        ..Table::default()
    };
    let status = |store: &SqliteStore| {
        statement(store, 0, clock()).map(|statement| statement.observation().status)
    };
    once(&mut store, &table, clock).unwrap();
    assert_eq!(status(&store), Some(Status::Unknown));
    NOW.store(899, Ordering::SeqCst);
    once(&mut store, &table, clock).unwrap();
    assert_eq!(
        store.history(servers(&store)[0].id).unwrap().len(),
        1,
        "too soon"
    );
    NOW.store(1_200, Ordering::SeqCst);
    once(&mut store, &table, clock).unwrap();
    assert_eq!(status(&store), Some(Status::Down));
}

#[test]
fn what_cannot_be_asked_now_is_asked_later() {
    let (_folder, mut store) = store(&[
        "https://busy.example/",
        "https://file.example/",
        "https://y.example/",
    ]);
    let outcomes = [(
        "busy.example",
        Err(NotNow::Later(Duration::from_secs(5_000))),
    )]
    .into();
    let table = Table {
        outcomes: Arc::new(outcomes),
        ..Table::default()
    };
    table
        .files
        .lock()
        .unwrap()
        .insert("file.example", Err(NotNow::Later(Duration::ZERO)));
    let tally = once(&mut store, &table, || at(0)).unwrap();
    assert_eq!((tally.later, tally.observed["ok"]), (2, 1));
    let next: Vec<_> = servers(&store)
        .iter()
        .map(|server| server.next_at.unix_seconds() - START)
        .collect();
    assert_eq!(next[..2], [5_000, 600]);
    assert!(store.history(servers(&store)[0].id).unwrap().is_empty());

    let outcomes = [("busy.example", Err(NotNow::Machine("no roots".to_owned())))].into();
    let table = Table {
        outcomes: Arc::new(outcomes),
        ..Table::default()
    };
    assert!(matches!(
        once(&mut store, &table, || at(6_000)),
        Err(ObserveError::Machine(_))
    ));
}

// r[status.down]
#[test]
fn two_looks_over_a_jump_of_the_clock_are_no_second_look() {
    let (_folder, mut store) = store(&["https://gone.example/"]);
    let failed = |seconds| Observed {
        outcome: Outcome::Failure(FailureClass::Gone),
        ended_at: at(seconds),
        ..crate::standing::tests::seen(0, Outcome::Unknown(Reason::Blocked))
    };
    let id = servers(&store)[0].id;
    store.append(id, &failed(0), at(900)).unwrap();
    store.forget_first_failures().unwrap();
    let standing = store.append(id, &failed(5_000), at(6_000)).unwrap();
    assert_eq!(
        standing.status(at(5_000)).map(|(status, _)| status),
        Some(Status::Unknown)
    );
    let standing = store.append(id, &failed(5_600), at(6_600)).unwrap();
    assert_eq!(
        standing.status(at(5_600)).map(|(status, _)| status),
        Some(Status::Down)
    );
}
