//! What goes wrong around a resolver: its store goes and comes back, and it is stopped and started.

use std::fs;
use std::time::Duration;

use capability_resolver::store::Store as _;

use crate::common::{Folder, mail, soon};

const NEED: &str = "/resolve?need=send+a+transactional+email";
const MAIL: &str = "https://mail.example.com/mcp";

// r[error.unavailable]
#[test]
fn the_store_goes_and_comes_back() {
    let folder = Folder::with(&[mail(MAIL)]);
    let server = folder.serve_plain();
    assert_eq!(server.get(NEED).status, 200);
    let (store, away) = (folder.path("store.sqlite"), folder.path("away"));
    fs::rename(&store, &away).unwrap();
    // Nobody knows now who denies: no answer is true.
    for target in [NEED, "/record?url=https://mail.example.com/mcp", "/health"] {
        let response = server.get(target);
        assert_eq!(response.status, 503, "{target}");
        assert_eq!(response.json()["code"], "unavailable");
        assert!(
            response
                .header("retry-after")
                .unwrap()
                .parse::<u64>()
                .unwrap()
                > 0
        );
    }
    // What does not rest on it is there.
    for target in ["/.well-known/capability-resolver", "/policy", "/changelog"] {
        assert_eq!(server.get(target).status, 200, "{target}");
    }
    std::thread::sleep(Duration::from_millis(1_500));
    assert!(
        !store.exists(),
        "a store is never made in the place of one that is gone"
    );
    fs::rename(&away, &store).unwrap();
    soon("the store is back", || server.get(NEED).status == 200);
    assert_eq!(server.urls("need=send+email"), [MAIL]);

    // Another one in its place is read anew: what the first one said is said no more.
    let other = Folder::with(&[mail("https://other.example/mcp")]);
    drop(other.store());
    for ending in ["-wal", "-shm"] {
        let _ = fs::remove_file(folder.path(&format!("store.sqlite{ending}")));
    }
    fs::rename(other.path("store.sqlite"), &store).unwrap();
    let names = |url: &str| String::from_utf8_lossy(&server.get(NEED).body).contains(url);
    assert!(!names(MAIL));
    soon("the other store is read", || {
        names("https://other.example/mcp")
    });
    let (_, err) = server.stop();
    assert_eq!(err.matches("no answers: the store").count(), 2, "{err}");
    assert_eq!(err.matches("answers again").count(), 2, "{err}");
}

// r[deny.at-once]
#[test]
fn a_store_that_is_broken_says_nothing_and_is_left_as_it_is() {
    let folder = Folder::with(&[mail(MAIL)]);
    let server = folder.serve_plain();
    let (store, away) = (folder.path("store.sqlite"), folder.path("away"));
    fs::rename(&store, &away).unwrap();
    fs::write(&store, vec![7; 10_000]).unwrap();
    assert_eq!(server.get(NEED).status, 503);
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(fs::read(&store).unwrap(), vec![7; 10_000]);
    fs::rename(&away, &store).unwrap();
    soon("the store is back", || server.get(NEED).status == 200);
}

#[test]
fn one_that_is_stopped_ends_the_answers_under_way_and_starts_again_with_the_same_records() {
    let folder = Folder::with(&[mail(MAIL)]);
    let server = folder.serve_plain();
    let before = server.get(NEED).json();
    let began = std::time::Instant::now();
    let (out, err) = server.stop();
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(out.is_empty() && err.ends_with("stopping\n"), "{out} {err}");
    let after = folder.serve_plain().get(NEED).json();
    let record = |json: &serde_json::Value| json["candidates"][0]["evidence"]["record"].clone();
    assert_eq!(record(&before), record(&after));
}

#[test]
fn what_a_new_observation_shows_is_stated_by_the_next_answer() {
    let folder = Folder::with(&[mail(MAIL)]);
    let server = folder.serve_plain();
    let before = server.resolve("need=send+email").candidates[0]
        .token
        .claims()
        .checked_at;
    let mut store = folder.store();
    folder.observe(
        &mut store,
        &crate::common::Seen {
            ago: 0,
            ..mail(MAIL)
        },
    );
    let after = server.resolve("need=send+email").candidates[0]
        .token
        .claims()
        .checked_at;
    assert!(after > before);
    assert_eq!(
        store
            .history(crate::common::id(&store, MAIL))
            .unwrap()
            .len(),
        2
    );
    // A server that is new is in answers soon.
    folder.see(&[mail("https://new.example/mcp")]);
    soon("the new server", || {
        server.urls("need=send+email").len() == 2
    });
}
