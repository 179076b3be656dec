//! Sources at URLs, read while servers are observed.

use super::own_network::{run, silence};
use super::*;

const LISTING: &str = "https://registry.example/v0.1/servers";

/// A page of a registry that names one server.
fn page(host: &str, next: Option<&str>) -> String {
    let next = next.map_or("null".to_owned(), |cursor| format!("\"{cursor}\""));
    format!(
        r#"{{"servers":[{{"server":{{"name":"{host}","remotes":[{{"type":"sse","url":"https://{host}/"}}]}}}}],"metadata":{{"nextCursor":{next}}}}}"#
    )
}

fn table(documents: &[(&'static str, &str)]) -> Table {
    let table = Table::default();
    for (query, document) in documents {
        let url = format!("{LISTING}?limit=100&version=latest{query}");
        let mut all = table.documents.lock().unwrap();
        all.insert(url, document.as_bytes().to_vec());
    }
    Table {
        sources: vec![LISTING.parse().unwrap()],
        ..table
    }
}

fn fetched(table: &Table) -> usize {
    let asked = table.asked();
    let documents = asked.iter().filter(|asked| asked.starts_with("document "));
    documents.count()
}

fn observed(store: &SqliteStore) -> Vec<(String, usize)> {
    let history = |server: &Server| store.history(server.id).unwrap().len();
    let named = |server: &Server| (server.url.origin().host().to_owned(), history(server));
    servers(store).iter().map(named).collect()
}

#[test]
fn what_a_source_names_is_observed_in_the_same_run() {
    let (_folder, mut store) = store(&[]);
    let two = page("b.example", None);
    let table = table(&[("", &page("a.example", Some("x"))), ("&cursor=x", &two)]);
    // A clock that goes on during the run.
    static NOW: AtomicI64 = AtomicI64::new(0);
    let clock = || at(NOW.fetch_add(1, Ordering::SeqCst));
    let tally = once(&mut store, &table, clock).unwrap();
    assert_eq!((tally.sources, tally.observed["ok"]), (1, 2), "{tally:?}");
    assert_eq!(fetched(&table), 2);
    // Until the next day it is not read again, whoever read it.
    let tally = once(&mut store, &table, || at(80_000)).unwrap();
    assert_eq!((tally.sources, fetched(&table)), (0, 0));
}

#[test]
fn sources_are_read_again_each_day_beside_the_observing() {
    let (_folder, mut store) = store(&["https://y.example/"]);
    let table = table(&[("", &page("a.example", None))]);
    let (tally, told) = run(&mut store, &table, 0..90_000, &[]);
    assert_eq!((tally.sources, fetched(&table)), (2, 2));
    assert!(
        told.iter().all(|told| told.starts_with("Source(")),
        "{told:?}"
    );
    let later = page("b.example", None).into_bytes();
    table
        .documents
        .lock()
        .unwrap()
        .values_mut()
        .for_each(|document| document.clone_from(&later));
    let (tally, _) = run(&mut store, &table, 90_000..180_000, &[]);
    assert_eq!(tally.sources, 1);
    let observed = observed(&store);
    let hosts: Vec<_> = observed.iter().map(|(host, _)| host.as_str()).collect();
    assert_eq!(hosts, ["y.example", "a.example", "b.example"]);
    assert!(
        observed.iter().all(|(_, times)| *times >= 1),
        "{observed:?}"
    );
    // It went back by a month, and nobody waits for a month.
    let (tally, _) = run(&mut store, &table, -2_592_000..-2_591_900, &[]);
    assert_eq!(tally.sources, 1);
}

#[test]
fn a_source_that_fails_is_tried_again_in_an_hour() {
    let (_folder, mut store) = store(&["https://y.example/"]);
    let table = table(&[]);
    let (tally, told) = run(&mut store, &table, 0..7_300, &[]);
    assert_eq!((tally.unread_sources, tally.sources), (3, 0));
    assert!(told[0].contains("404"), "{told:?}");
    assert_eq!(observed(&store), [("y.example".to_owned(), 1)]);
}

// r[observation.own-network.pause]
#[test]
fn a_source_is_no_reason_to_ask_more_while_nobody_answers() {
    let (_folder, mut store) = store(&["https://y.example/"]);
    let table = table(&[("", &page("a.example", None))]);
    silence(&table, ["*"]);
    let (tally, told) = run(&mut store, &table, 0..7_000, &[(6_000, &[])]);
    assert!(told[0].starts_with("UnreadSource("), "{told:?}");
    // Once at first; the next time when somebody answers, and the hour is over.
    assert_eq!((tally.unread_sources, tally.sources), (1, 1), "{told:?}");
    assert_eq!(tally.observed["ok"], 2);
}
