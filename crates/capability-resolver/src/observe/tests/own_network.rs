//! What an observer makes of a network on which nobody answers.

use std::cell::Cell;

use super::*;

thread_local! {
    /// When the runtime of this thread began, and at which second of the wall clock.
    static BEGAN: Cell<Option<(Instant, i64)>> = const { Cell::new(None) };
}

/// A wall clock that goes as fast as the time of a paused runtime.
fn runtime_clock() -> Time {
    let (began, second) = BEGAN.get().unwrap();
    at(second + i64::try_from(began.elapsed().as_secs()).unwrap())
}

/// Runs from a second to another, in time that passes as soon as everybody waits, and silences hosts at times between
/// these. Says what it came to and what was told.
pub(super) fn run(
    store: &mut SqliteStore,
    table: &Table,
    seconds: std::ops::Range<i64>,
    silences: &[(u64, &'static [&'static str])],
) -> (Tally, Vec<String>) {
    let mut told = Vec::new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    let tally = runtime.block_on(async {
        BEGAN.set(Some((Instant::now(), seconds.start)));
        let observer = Observer::new(store, table.clone(), table.settings(runtime_clock));
        let mut tell = |news: News<'_>| match news {
            News::Progress(_) => {}
            other => told.push(format!("{other:?}")),
        };
        let lasts = u64::try_from(seconds.end - seconds.start).unwrap();
        let stop = tokio::time::sleep(Duration::from_secs(lasts));
        let switch = async {
            for (seconds, hosts) in silences {
                tokio::time::sleep_until(BEGAN.get().unwrap().0 + Duration::from_secs(*seconds))
                    .await;
                silence(table, hosts.iter().copied());
            }
        };
        tokio::join!(observer.run(false, stop, &mut tell), switch).0
    });
    (tally.unwrap(), told)
}

fn hosts(count: usize) -> Vec<String> {
    (0..count)
        .map(|n| format!("https://h{n}.example/"))
        .collect()
}

fn store_of(urls: &[String]) -> (tempfile::TempDir, SqliteStore) {
    store(&urls.iter().map(String::as_str).collect::<Vec<_>>())
}

fn histories(store: &SqliteStore) -> Vec<usize> {
    let length = |server: &Server| store.history(server.id).unwrap().len();
    servers(store).iter().map(length).collect()
}

pub(super) fn silence(table: &Table, hosts: impl IntoIterator<Item = &'static str>) {
    *table.silent.lock().unwrap() = hosts.into_iter().collect();
}

// r[observation.own-network] r[captxt.fetch.own-network]
#[test]
fn where_nobody_answers_nothing_was_observed() {
    let (_folder, mut store) = store_of(&hosts(40));
    let table = Table::default();
    silence(&table, ["*"]);
    let ended = once(&mut store, &table, || at(0));
    // As many as are held back, and not one after the other without an end.
    assert!(
        matches!(ended, Err(ObserveError::NobodyAnswers { asked }) if (16..20).contains(&asked)),
        "{ended:?}"
    );
    assert_eq!(histories(&store), [0; 40]);
    for server in servers(&store) {
        assert!(server.standing().is_none());
        let host = server.url.origin().host().to_owned();
        assert_eq!(store.server_file(&host).unwrap(), None, "it was not tried");
    }
    // When the network is back, each is asked as if nothing had been.
    silence(&table, []);
    once(&mut store, &table, || at(600)).unwrap();
    assert_eq!(histories(&store), [1; 40]);
}

// r[observation.own-network] r[status.down] r[status.first-failure]
#[test]
fn a_server_that_answered_is_not_down_for_a_network_that_is() {
    static NOW: AtomicI64 = AtomicI64::new(0);
    let clock = || at(NOW.load(Ordering::SeqCst));
    let (_folder, mut store) = store_of(&hosts(20));
    let table = Table::default();
    once(&mut store, &table, clock).unwrap();
    silence(&table, ["*"]);
    for seconds in [30_000, 32_000, 34_000] {
        NOW.store(seconds, Ordering::SeqCst);
        assert!(matches!(
            once(&mut store, &table, clock),
            Err(ObserveError::NobodyAnswers { .. })
        ));
    }
    assert_eq!(histories(&store), [1; 20]);
    for nth in 0..20 {
        let statement = statement(&store, nth, clock()).unwrap();
        assert_eq!(statement.observation().status, Status::Ok);
    }
    // What is not observed for too long is left out, and never called down.
    assert_eq!(statement(&store, 0, at(86_401)), None);
}

// r[observation.own-network] r[status.down] r[captxt.fetch.own-network]
#[test]
fn one_that_is_gone_alone_is_down() {
    static NOW: AtomicI64 = AtomicI64::new(0);
    let clock = || at(NOW.load(Ordering::SeqCst));
    let (_folder, mut store) = store_of(&hosts(4));
    let table = Table::default();
    silence(&table, ["h0.example"]);
    let tally = once(&mut store, &table, clock).unwrap();
    assert_eq!(
        (tally.observed["failure (connection)"], tally.unanswered),
        (1, 0)
    );
    assert!(store.server_file("h0.example").unwrap().is_some());
    table.asked();
    // It alone is due: others who answered are asked for their files, and for nothing else.
    NOW.store(1_200, Ordering::SeqCst);
    let tally = once(&mut store, &table, clock).unwrap();
    assert_eq!(
        tally.observed,
        [("failure (connection)".to_owned(), 1)].into()
    );
    let mut asked = table.asked();
    assert_eq!(asked.remove(0), "https://h0.example/ discover");
    assert!((1..=3).contains(&asked.len()), "{asked:?}");
    assert!(
        asked
            .iter()
            .all(|asked| asked.starts_with("file h") && asked != "file h0.example")
    );
    let statement = statement(&store, 0, clock()).unwrap();
    assert_eq!(statement.observation().status, Status::Down);
}

// r[observation.own-network]
#[test]
fn one_of_whom_nobody_can_tell_is_not_observed() {
    let (_folder, mut store) = store_of(&hosts(1));
    let table = Table::default();
    silence(&table, ["*"]);
    let ended = once(&mut store, &table, || at(0));
    assert!(
        matches!(ended, Err(ObserveError::NobodyAnswers { asked: 1 })),
        "{ended:?}"
    );
}

// r[observation.own-network.pause]
#[test]
fn when_nobody_answers_few_are_asked_until_somebody_does() {
    let (_folder, mut store) = store_of(&hosts(100));
    let table = Table::default();
    silence(&table, ["*"]);
    let (tally, told) = run(&mut store, &table, 0..3_600, &[]);
    assert!(tally.observed.is_empty() && tally.files == 0, "{tally:?}");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("NobodyAnswers("), "{told:?}");
    // At first what is held back, then three a minute.
    let asked = table.asked().len();
    assert!((100..=16 + 4 + 3 * 60).contains(&asked), "{asked}");
    assert_eq!(histories(&store), [0; 100]);
    silence(&table, []);
    assert!(run(&mut store, &table, 4_200..4_300, &[]).1.is_empty());
    assert_eq!(histories(&store), [1; 100]);
}

// r[observation.own-network]
#[test]
fn observing_goes_on_when_the_network_is_back() {
    let (_folder, mut store) = store_of(&hosts(100));
    let table = Table {
        takes: 1_000,
        ..Table::default()
    };
    run(&mut store, &table, 0..100, &[]);
    assert_eq!(histories(&store), [1; 100]);
    let silences: &[(u64, &[&str])] = &[(10, &["*"]), (1_800, &[])];
    let (tally, told) = run(&mut store, &table, 30_000..37_200, silences);
    assert!(tally.unanswered > 0);
    assert_eq!(tally.observed, [("ok".to_owned(), 100)].into());
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[1], "AnswersAgain");
    assert_eq!(histories(&store), [2; 100]);
}

// r[observation.own-network.pause]
#[test]
fn those_who_answered_before_are_tried_first() {
    let (_folder, mut store) = store_of(&hosts(20));
    let table = Table::default();
    run(&mut store, &table, 0..10, &[]);
    let id = servers(&store)[0].id;
    store.postpone(id, at(0)).unwrap();
    let silences: &[(u64, &[&str])] = &[(0, &["*"]), (30, &["h0.example"])];
    let (_, told) = run(&mut store, &table, 1_000..1_100, silences);
    // Nobody is due but one who is gone, and it is noticed nevertheless.
    assert_eq!(told, ["NobodyAnswers(4)", "AnswersAgain"]);
}

// r[observation.own-network.pause]
#[test]
fn those_who_are_gone_for_good_are_not_the_only_ones_who_are_tried() {
    let (_folder, mut store) = store_of(&hosts(40));
    let table = Table::default();
    let gone: &[&str] = &["h0.example", "h1.example", "h2.example", "h3.example"];
    let silences: &[(u64, &[&str])] = &[(0, &["*"]), (900, gone)];
    let (tally, told) = run(&mut store, &table, 0..7_200, silences);
    assert_eq!((tally.observed["ok"], told.len()), (36, 2), "{tally:?}");
}
