//! OpenTimestamps calendars over HTTP.

use timestamp_proof::digest::{Digest, DigestAlgorithm};
use timestamp_proof::ots::{Attestation, Proof};

use crate::server::{Answer, Asked, Server};
use crate::support::{LIST, Ran, Repository, VERSION};

const OTS: &str = "proof/0.9-rc.1/SHA256SUMS.ots";
const MEDIA_TYPE: &str = "application/octet-stream";
/// Append one byte and hash: what a calendar does to every digest here.
const STEP: [u8; 4] = [0xf0, 1, b'c', 0x08];

/// A promise to keep what is submitted, at the end of one step.
fn promise(uri: &str) -> Vec<u8> {
    let length = u8::try_from(uri.len()).unwrap();
    let attestation = [
        0x00,
        0x83,
        0xdf,
        0xe3,
        0x0d,
        0x2e,
        0xf9,
        0x0c,
        0x8e,
        length + 1,
        length,
    ];
    [&STEP, attestation.as_slice(), uri.as_bytes()].concat()
}

/// The block that the promise came to, one hash further.
const BLOCK: [u8; 12] = [
    0x08, 0x00, 0x05, 0x88, 0x96, 0x0d, 0x73, 0xd7, 0x19, 0x01, 1, 100,
];

fn calendar() -> Server {
    Server::start(|own, asked| match asked.line.as_str() {
        "POST /digest" => Answer::ok(MEDIA_TYPE, promise(own)),
        _ => Answer::Whole(
            "404 Not Found".to_owned(),
            b"Pending confirmation in Bitcoin blockchain".to_vec(),
        ),
    })
}

fn stamp(repository: &Repository, calendars: &[&str], more: &[&str]) -> Ran {
    let contact = [
        "--allow-loopback",
        "--contact",
        "https://example.org/editors",
        "--timeout",
        "2",
    ];
    let mut words = [&["stamp", VERSION, "--ots"], contact.as_slice(), more].concat();
    for calendar in calendars {
        words.extend(["--calendar", calendar]);
    }
    repository.run(&words)
}

fn kinds(repository: &Repository) -> Vec<&'static str> {
    let proof = Proof::parse(&repository.read(OTS)).unwrap();
    let list = Digest::of_bytes(DigestAlgorithm::Sha256, &repository.read(LIST));
    assert_eq!(proof.file_digest().bytes(), list.as_bytes());
    proof.attestations().map(Attestation::kind).collect()
}

#[test]
fn promises_of_two_calendars_are_joined() {
    let (first, second) = (calendar(), calendar());
    let repository = Repository::new();
    let ran = stamp(&repository, &[&first.url(""), &second.url("/")], &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out
            .starts_with("proof/0.9-rc.1/SHA256SUMS is promised a place in the Bitcoin chain"),
        "{}",
        ran.out
    );
    assert_eq!(kinds(&repository), ["pending", "pending"]);

    let asked = first.asked().remove(0);
    assert_eq!(asked.body, second.asked()[0].body);
    assert_eq!(asked.body.len(), 32);
    let list = Digest::of_bytes(DigestAlgorithm::Sha256, &repository.read(LIST));
    assert_ne!(asked.body, list.as_bytes(), "the digest itself is not told");
    assert!(
        asked
            .head
            .contains("accept: application/vnd.opentimestamps.v1"),
        "{}",
        asked.head
    );

    let before = repository.files();
    let again = stamp(&repository, &[&first.url("")], &[]);
    assert!(
        again.code == 2 && again.err.contains("error[proof-exists]"),
        "{again:?}"
    );
    assert_eq!(repository.files(), before);
}

#[test]
fn one_calendar_of_three_may_fail() {
    let (first, second) = (calendar(), calendar());
    let failing = Server::start(|_, _| Answer::status("500 Internal Server Error"));
    let repository = Repository::new();
    let ran = stamp(
        &repository,
        &[&failing.url(""), &first.url(""), &second.url("")],
        &[],
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.err
            .contains("warning[answer-status]: no promise of http://127.0.0.1:"),
        "{}",
        ran.err
    );
    assert_eq!(kinds(&repository), ["pending", "pending"]);
}

/// A path of the server, the exit code, and what the message holds.
type Case = (&'static str, i32, &'static [&'static str]);

const CASES: [Case; 11] = [
    ("/500", 2, &["warning[answer-status]", "found 500"]),
    (
        "/redirect",
        2,
        &[
            "warning[answer-status]",
            "a redirect to https://example.org/digest, which is not followed",
        ],
    ),
    (
        "/media-type",
        2,
        &["warning[answer-media-type]", "found text/html"],
    ),
    (
        "/silence",
        2,
        &["warning[timeout-", "took longer than 2000 ms"],
    ),
    ("/half", 2, &["warning[truncated]"]),
    (
        "/oversized",
        2,
        &["warning[body-too-large]", "the limit is 10000 bytes"],
    ),
    ("/garbage", 1, &["warning[unknown-operation]"]),
    ("/empty", 1, &["warning[truncated]", "the proof is cut off"]),
    ("/trailing", 1, &["warning[trailing-bytes]"]),
    ("/deep", 1, &["warning[too-deep]"]),
    (
        "/nothing",
        1,
        &[
            "warning[no-promise]",
            "expected a pending or a Bitcoin attestation, found unknown",
        ],
    ),
];

#[test]
fn whatever_else_comes_is_not_kept() {
    let server = Server::start(|own, asked| match asked.line.as_str() {
        "POST /500/digest" => Answer::status("500 Internal Server Error"),
        "POST /redirect/digest" => Answer::Whole(
            "307 Temporary Redirect\r\nLocation: https://example.org/digest?q".to_owned(),
            Vec::new(),
        ),
        "POST /media-type/digest" => Answer::ok("text/html", promise(own)),
        "POST /silence/digest" => Answer::Silence,
        "POST /half/digest" => Answer::Half(
            format!("200 OK\r\nContent-Type: {MEDIA_TYPE}"),
            promise(own),
        ),
        "POST /oversized/digest" => Answer::ok(MEDIA_TYPE, vec![0x08; 10_001]),
        "POST /garbage/digest" => Answer::ok(MEDIA_TYPE, *b"<html>It works!</html>"),
        "POST /empty/digest" => Answer::ok(MEDIA_TYPE, []),
        "POST /trailing/digest" => Answer::ok(MEDIA_TYPE, [promise(own), vec![0]].concat()),
        "POST /deep/digest" => Answer::ok(MEDIA_TYPE, [vec![0x08; 5_000], promise(own)].concat()),
        "POST /nothing/digest" => Answer::ok(MEDIA_TYPE, [0, 1, 2, 3, 4, 5, 6, 7, 8, 0]),
        _ => Answer::ok(MEDIA_TYPE, promise(own)),
    });
    for (path, code, said) in CASES {
        let repository = Repository::new();
        let before = repository.files();
        let ran = stamp(&repository, &[&server.url(path), &server.url("/good")], &[]);
        assert_eq!(ran.code, code, "{path}: {ran:?}");
        assert_eq!(ran.out, "", "{path}");
        assert!(
            ran.err.contains(
                "1 of 2 calendars gave a sound answer: expected at least 2; nothing was kept"
            ),
            "{}",
            ran.err
        );
        for part in said {
            assert!(
                ran.err.contains(part),
                "{path}: {part:?} is not in\n{}",
                ran.err
            );
        }
        assert_eq!(repository.files(), before, "{path}");
    }
}

#[test]
fn a_promise_is_asked_about_until_it_is_in_a_block() {
    let server = Server::start(|own, asked| match asked.line.as_str() {
        "POST /early/digest" => Answer::ok(MEDIA_TYPE, promise(&format!("{own}/early"))),
        "POST /late/digest" => Answer::ok(MEDIA_TYPE, promise(&format!("{own}/late"))),
        line if line.starts_with("GET /early/timestamp/") => Answer::ok(MEDIA_TYPE, BLOCK),
        _ => Answer::status("404 Not Found"),
    });
    let (early, late) = (server.url("/early"), server.url("/late"));
    let repository = Repository::new();
    let none = stamp(&repository, &[&late], &["--upgrade"]);
    assert!(
        none.code == 2 && none.err.contains("error[no-proof]"),
        "{none:?}"
    );

    assert_eq!(stamp(&repository, &[&early, &late], &[]).code, 0);
    let promised = repository.files();
    // No address is given, and the promise's own is none of the known: nobody is asked.
    let count = server.asked().len();
    let nobody = stamp(&repository, &[], &["--upgrade"]);
    assert!(
        nobody.code == 2 && nobody.err.contains("warning[unknown-calendar]"),
        "{nobody:?}"
    );
    assert_eq!(server.asked().len(), count);

    let pending = stamp(&repository, &[&late], &["--upgrade"]);
    assert_eq!(pending.code, 2, "{pending:?}");
    assert!(
        pending.out.contains("is in no block yet"),
        "{}",
        pending.out
    );
    assert_eq!(repository.files(), promised);

    let ran = stamp(&repository, &[&early, &late], &["--upgrade"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out
            .contains("is in Bitcoin block 100, says proof/0.9-rc.1/SHA256SUMS.ots"),
        "{}",
        ran.out
    );
    assert_eq!(kinds(&repository), ["bitcoin", "pending", "pending"]);
    // What was asked about is what the digest became on its way.
    let submitted = server.asked()[0].body.clone();
    let commitment = Digest::of_bytes(
        DigestAlgorithm::Sha256,
        &[submitted.as_slice(), b"c"].concat(),
    );
    let questions: Vec<_> = lines(&server)
        .into_iter()
        .filter(|line| line.starts_with("GET /early"))
        .collect();
    assert_eq!(
        questions,
        [format!("GET /early/timestamp/{}", commitment.to_hex())]
    );

    // What is in a block is not asked about again.
    stamp(&repository, &[&early, &late], &["--upgrade"]);
    assert_eq!(
        lines(&server)
            .iter()
            .filter(|line| line.starts_with("GET /early"))
            .count(),
        1
    );
}

fn lines(server: &Server) -> Vec<String> {
    server
        .asked()
        .into_iter()
        .map(|asked: Asked| asked.line)
        .collect()
}

#[test]
fn an_upgrade_that_is_false_leaves_the_proof_as_it_was() {
    let server = Server::start(|own, asked| match asked.line.as_str() {
        "POST /digest" => Answer::ok(MEDIA_TYPE, promise(own)),
        _ => Answer::ok(MEDIA_TYPE, *b"<html>It works!</html>"),
    });
    let repository = Repository::new();
    assert_eq!(stamp(&repository, &[&server.url("")], &[]).code, 0);
    let before = repository.files();
    let ran = stamp(&repository, &[&server.url("")], &["--upgrade"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.err.contains("warning[unknown-operation]"),
        "{}",
        ran.err
    );
    assert_eq!(repository.files(), before);
}

#[test]
fn a_proof_of_something_else_is_not_upgraded() {
    let server = calendar();
    let repository = Repository::new();
    assert_eq!(stamp(&repository, &[&server.url("")], &[]).code, 0);
    repository.write(LIST, b"another list\n");
    let count = server.asked().len();
    let ran = stamp(&repository, &[&server.url("")], &["--upgrade"]);
    assert!(
        ran.code == 1 && ran.err.contains("error[other-digest]"),
        "{ran:?}"
    );
    repository.write(OTS, b"no proof at all");
    let ran = stamp(&repository, &[&server.url("")], &["--upgrade"]);
    assert!(
        ran.code == 1 && ran.err.contains("error[bad-magic]"),
        "{ran:?}"
    );
    assert_eq!(server.asked().len(), count);
}
