//! Keys that change while everybody asks: section 4.4 of the text.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use capability_resolution::{Answer, Discovery};
use capability_resolver::clock;
use capability_resolver::keys::Keys;

use crate::common::{Folder, get, issuer, mail, soon};

const NEED: &str = "need=send+a+transactional+email";
const DISCOVERY: &str = "/.well-known/capability-resolver";

fn kids(server: &crate::common::Server) -> Vec<String> {
    let json = server.get(DISCOVERY).json();
    let keys = json["keys"].as_array().unwrap().iter();
    keys.map(|key| key["kid"].as_str().unwrap().to_owned())
        .collect()
}

fn signing(server: &crate::common::Server) -> String {
    use base64::Engine as _;
    let answer = server.resolve(NEED);
    let header = answer.candidates[0].jws.split('.').next().unwrap();
    let header = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(header)
        .unwrap();
    let header: serde_json::Value = serde_json::from_slice(&header).unwrap();
    header["kid"].as_str().unwrap().to_owned()
}

// r[keys.early] r[keys.retired] r[keys.compromised] r[discovery.keys.published]
#[test]
fn a_new_key_is_published_first_and_a_compromised_one_is_gone() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let first = kids(&server);
    let mut keys = Keys::open(&folder.path("keys")).unwrap();
    let second = keys.rotate(clock::now(), 3_600).unwrap().kid().to_owned();
    soon("the new key is published", || {
        kids(&server).contains(&second)
    });
    assert_eq!(signing(&server), first[0]);
    keys.withdraw(&first[0], clock::now()).unwrap();
    soon("the compromised key is gone", || {
        kids(&server) == [second.clone()]
    });
    assert_eq!(signing(&server), second);
    let record = server.record("https://mail.example.com/mcp");
    assert!(record.is_some());
}

// r[keys.retired] r[keys.early] r[discovery.keys.published]
#[test]
fn no_token_is_given_out_that_the_document_served_then_does_not_verify() {
    let folder = Folder::with(&[
        mail("https://mail.example.com/mcp"),
        mail("https://a.example/mcp"),
    ]);
    let server = folder.serve_plain();
    let address = server.address;
    let over = Arc::new(AtomicBool::new(false));
    let askers: Vec<_> = (0..6)
        .map(|n| {
            let over = Arc::clone(&over);
            thread::spawn(move || {
                let mut verified = 0_u32;
                while !over.load(Ordering::SeqCst) {
                    let answer = get(address, &format!("/resolve?{NEED}+{n}"));
                    let document = get(address, DISCOVERY);
                    let discovery = Discovery::read(&document.body, &issuer()).unwrap();
                    let answer = Answer::read(&answer.body, &discovery, clock::now()).unwrap();
                    assert!(answer.dropped.is_empty(), "{:?}", answer.dropped);
                    assert_eq!(answer.candidates.len(), 2);
                    verified += 2;
                }
                verified
            })
        })
        .collect();
    let mut signed = std::collections::HashSet::new();
    for _ in 0..6 {
        let mut keys = Keys::open(&folder.path("keys")).unwrap();
        let key = keys.rotate(clock::now(), 3_600).unwrap();
        // As if an hour had passed: it takes over with the next reading.
        let takes_over = format!("keys/{}", key.file_name());
        folder.edit(
            &takes_over,
            &key.signs_from().to_string(),
            &clock::now().to_string(),
        );
        let mut store = folder.store();
        thread::sleep(Duration::from_millis(1_100));
        folder.observe(
            &mut store,
            &crate::common::Seen {
                ago: 0,
                ..mail("https://mail.example.com/mcp")
            },
        );
        folder.observe(
            &mut store,
            &crate::common::Seen {
                ago: 0,
                ..mail("https://a.example/mcp")
            },
        );
        signed.insert(signing(&server));
    }
    over.store(true, Ordering::SeqCst);
    for asker in askers {
        assert!(asker.join().unwrap() > 100);
    }
    assert!(signed.len() > 3, "{signed:?}");
}

#[test]
fn keys_that_cannot_be_read_are_those_of_before() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let before = kids(&server);
    std::fs::write(folder.path("keys/broken.jwk"), "{}").unwrap();
    server.signal("HUP");
    thread::sleep(Duration::from_millis(1_500));
    assert_eq!(kids(&server), before);
    assert_eq!(signing(&server), before[0]);
    let (_, err) = server.stop();
    assert_eq!(
        err.matches("the keys are those of before").count(),
        1,
        "{err}"
    );
}
