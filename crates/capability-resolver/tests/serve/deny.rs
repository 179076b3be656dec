//! Denied is denied: from the moment the file is kept, whoever kept it. Section 9.3 of the text.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use capability_resolution::Host;
use capability_resolver::store::{FileRow, Store as _};

use crate::common::{Folder, Server, ago, get, mail, soon};

const NEED: &str = "need=send+a+transactional+email";
const MAIL: &str = "https://mail.example.com/mcp";
const OTHER: &str = "https://post.example.net/mcp";

fn in_answers(server: &Server) -> bool {
    server.urls(NEED).contains(&MAIL.to_owned())
}

// r[deny.honoured] r[deny.at-once] r[deny.tokens] r[deny.every-source] r[captxt.scope.deny-wins] r[captxt.scope.which-files]
#[test]
fn from_the_commit_on_the_server_is_in_no_answer_and_no_record_also_after_a_restart() {
    let folder = Folder::with(&[mail(MAIL), mail(OTHER)]);
    let server = folder.serve_plain();
    assert!(in_answers(&server) && server.record(MAIL).is_some());
    for (host, text) in [
        ("mail.example.com", "Resolvers: none\n"),
        ("example.com", "Resolvers: *, -https://resolver.test\n"),
        // A damaged file, with another dash.
        (
            "example.com",
            "\u{feff}Resolvers: *, \u{2013}https://resolver.test",
        ),
    ] {
        folder.server_file(host, text, 0);
        // Not soon: at once. The next request is after the commit.
        assert!(!in_answers(&server), "{text}");
        assert!(server.record(MAIL).is_none());
        assert_eq!(server.urls(NEED), [OTHER]);
        folder.server_file(host, "Resolvers: *\n", 0);
        soon("a deny that is taken back", || in_answers(&server));
    }
    folder.server_file("example.com", "Resolvers: none\n", 0);
    drop(server);
    let server = folder.serve_plain();
    assert!(!in_answers(&server) && server.record(MAIL).is_none());
    // Another source that names it changes nothing.
    folder.see(&[mail(MAIL)]);
    assert!(!in_answers(&server));
}

// r[deny.at-once]
#[test]
fn no_answer_that_begins_after_the_commit_names_the_server_however_many_are_asked_for() {
    let folder = Folder::with(&[mail(MAIL), mail(OTHER)]);
    let server = folder.serve_plain();
    let address = server.address;
    let (denied, over) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicBool::new(false)),
    );
    let askers: Vec<_> = (0..8)
        .map(|_| {
            let (denied, over) = (Arc::clone(&denied), Arc::clone(&over));
            thread::spawn(move || {
                let (mut before, mut after) = (0, 0);
                while !over.load(Ordering::SeqCst) {
                    let was_denied = denied.load(Ordering::SeqCst);
                    let answer = get(address, &format!("/resolve?{NEED}"));
                    let record = get(address, &format!("/record?url={MAIL}"));
                    let named = String::from_utf8_lossy(&answer.body).contains(MAIL);
                    if was_denied {
                        assert!(!named && record.status == 404, "{answer:?}");
                        after += 1;
                    } else {
                        before += u32::from(named);
                    }
                }
                (before, after)
            })
        })
        .collect();
    // An observer is at work all the while.
    let mut store = folder.store();
    for _ in 0..20 {
        folder.observe(&mut store, &mail(OTHER));
        thread::sleep(Duration::from_millis(20));
    }
    let deny = FileRow {
        fetched_at: ago(0),
        answered_at: Some(ago(0)),
        body: Some(b"Resolvers: none\n".to_vec()),
        claims: true,
        withheld: None,
    };
    store.put_server_file("mail.example.com", &deny).unwrap();
    denied.store(true, Ordering::SeqCst);
    for _ in 0..20 {
        folder.observe(&mut store, &mail(OTHER));
        thread::sleep(Duration::from_millis(20));
    }
    over.store(true, Ordering::SeqCst);
    for asker in askers {
        let (before, after) = asker.join().unwrap();
        assert!(before > 5 && after > 5, "{before} {after}");
    }
}

#[test]
fn what_is_forgotten_is_in_no_answer_at_once() {
    let folder = Folder::with(&[mail(MAIL), mail(OTHER)]);
    let server = folder.serve_plain();
    assert!(in_answers(&server));
    let host = Host::from_written("mail.example.com").unwrap();
    folder.store().forget(&host, ago(0)).unwrap();
    assert!(!in_answers(&server) && server.record(MAIL).is_none());
}
