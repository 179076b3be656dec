//! What is used again, for how long, and what can be read on the disk.

use std::fs;
use std::path::Path;

use capability_resolution::{Constraints, Need, Status};

use crate::stage::*;

const MAIL: &str = "https://mail.example.com/mcp";
const POST: &str = "https://post.example.net/v1/mcp";

// r[client.cache] r[discovery.cache-time]
#[tokio::test]
async fn an_answer_is_used_again_as_long_as_it_says() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    a.plays(&stage, &[a.ok(MAIL)]);
    stage.set(
        &a.issuer,
        "/resolve",
        with(
            a.answer(&[a.ok(MAIL)]),
            &[("cache-control", "private, max-age=600")],
        ),
    );
    let client = stage.client(&[&a]);
    assert_eq!(words(resolve(&client).await.resolvers()), ["answered"]);
    stage.asked();
    stage.pass(599);
    let found = resolve(&client).await;
    assert_eq!(
        (urls(&found), words(found.resolvers())),
        (vec![MAIL], vec!["cached".to_owned()])
    );
    assert_eq!(stage.asked(), [""; 0]);
    // Another need, other constraints: other questions.
    let other = Need::new("send a letter").unwrap();
    client.resolve(&other, Constraints::default()).await;
    client
        .resolve(
            &need(),
            Constraints {
                read_only: true,
                ..Constraints::default()
            },
        )
        .await;
    assert_eq!(stage.paths(), ["a.example /resolve", "a.example /resolve"]);
    stage.pass(1);
    assert_eq!(words(resolve(&client).await.resolvers()), ["answered"]);
    assert_eq!(stage.paths(), ["a.example /resolve"]);
    // With the clock set back nobody knows how old it is.
    stage.pass(-7_200);
    resolve(&client).await;
    assert_eq!(
        stage.paths(),
        [
            format!("a.example {DISCOVERY}"),
            "a.example /resolve".to_owned()
        ]
    );
}

// r[client.cache]
#[tokio::test]
async fn no_longer_than_a_token_lives_and_never_without_a_word_of_it() {
    let a = Resolver::new("a.example");
    let short = a.token(POST, Status::Ok, 60, 100);
    let dead = a.token(POST, Status::Ok, 50_000, -200);
    let gone = a.token(POST, Status::Ok, 50_000, -400);
    let control = |value| vec![("cache-control", value)];
    for (tokens, headers, after, words_then) in [
        (
            vec![a.ok(MAIL), short.clone()],
            control("max-age=3600"),
            99,
            "cached",
        ),
        (
            vec![a.ok(MAIL), short],
            control("max-age=3600"),
            100,
            "answered",
        ),
        (
            vec![a.ok(MAIL), dead],
            control("max-age=3600"),
            0,
            "answered",
        ),
        (
            vec![a.ok(MAIL), gone.clone()],
            control("max-age=3600"),
            3_599,
            "cached",
        ),
        (vec![gone], control("max-age=3600"), 0, "cached"),
        (vec![], control("max-age=3600"), 3_599, "cached"),
        (vec![a.ok(MAIL)], control("max-age=86400"), 3_599, "cached"),
        (
            vec![a.ok(MAIL)],
            control("max-age=86400"),
            3_600,
            "answered",
        ),
        (
            vec![a.ok(MAIL)],
            control("no-store, max-age=3600"),
            0,
            "answered",
        ),
        (vec![a.ok(MAIL)], control("public"), 0, "answered"),
        (vec![a.ok(MAIL)], vec![], 0, "answered"),
        (
            vec![a.ok(MAIL)],
            vec![("cache-control", "max-age=60"), ("age", "60")],
            0,
            "answered",
        ),
    ] {
        let stage = Stage::new();
        a.plays(&stage, &[]);
        stage.set(
            &a.issuer,
            DISCOVERY,
            with(a.document(), &[("cache-control", "max-age=86400")]),
        );
        stage.set(&a.issuer, "/resolve", with(a.answer(&tokens), &headers));
        let client = stage.client(&[&a]);
        resolve(&client).await;
        stage.pass(after);
        let found = resolve(&client).await;
        assert_eq!(
            words(found.resolvers()),
            [words_then],
            "{headers:?} {after}"
        );
    }
}

// r[discovery.cache-time]
#[tokio::test]
async fn a_document_is_kept_as_long_as_it_says() {
    let a = Resolver::new("a.example");
    for (control, age, kept) in [
        (Some("max-age=60"), None, 60),
        (Some("max-age=60"), Some("40"), 20),
        (Some("max-age=100000"), None, 86_400),
        (Some("no-cache"), None, 0),
        (None, None, 3_600),
    ] {
        let stage = Stage::new();
        a.plays(&stage, &[]);
        let headers: Vec<_> = control
            .map(|value| ("cache-control", value))
            .into_iter()
            .chain(age.map(|value| ("age", value)))
            .collect();
        stage.set(&a.issuer, DISCOVERY, with(a.document(), &headers));
        stage.set(&a.issuer, "/resolve", with(a.answer(&[]), &[]));
        let client = stage.client(&[&a]);
        resolve(&client).await;
        stage.asked();
        if kept > 0 {
            stage.pass(kept - 1);
            resolve(&client).await;
            assert_eq!(stage.paths(), ["a.example /resolve"], "{control:?}");
            stage.pass(1);
        }
        resolve(&client).await;
        assert_eq!(stage.paths().len(), 2, "{control:?}");
    }
}

// r[client.cache] r[keys.unknown-kid] r[client.retry-after]
#[tokio::test]
async fn the_next_process_knows_what_this_one_knew() {
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::new();
    let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
    let new = a.rotated("k2");
    a.plays(&stage, &[a.ok(MAIL), new.ok(POST)]);
    b.plays(&stage, &[]);
    stage.set(
        &b.issuer,
        "/resolve",
        status(429, &[("retry-after", "600")]),
    );
    let next = || {
        stage
            .builder(&[&b, &a])
            .keep_in(folder.path())
            .build()
            .unwrap()
    };
    assert_eq!(
        words(resolve(&next()).await.resolvers()),
        ["status-code", "answered"]
    );
    assert_eq!(stage.asked().len(), 5);
    stage.set(&a.issuer, DISCOVERY, json(a.document_with(&[&a, &new])));
    let found = resolve(&next()).await;
    assert_eq!(words(found.resolvers()), ["status-code", "cached"]);
    assert_eq!(
        (urls(&found), dropped(&found)),
        (vec![MAIL], vec!["kid-unknown"])
    );
    assert_eq!(stage.asked(), [""; 0]);
    stage.pass(301);
    let found = resolve(&next()).await;
    assert_eq!(urls(&found), [MAIL, POST]);
    assert_eq!(stage.paths(), [format!("a.example {DISCOVERY}")]);
    stage.pass(300);
    b.plays(&stage, &[b.ok(POST)]);
    assert_eq!(
        words(resolve(&next()).await.resolvers()),
        ["answered", "not-asked"]
    );
}

fn damage(folder: &Path, change: impl Fn(Vec<u8>) -> Vec<u8>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, change(bytes)).unwrap();
    }
}

#[tokio::test]
async fn a_damaged_folder_is_an_empty_one() {
    type Change = fn(Vec<u8>) -> Vec<u8>;
    let changes: [Change; 5] = [
        |_| Vec::new(),
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |mut bytes| {
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            bytes
        },
        |_| vec![b'x'; 3 << 20],
        |bytes| bytes.iter().rev().copied().collect(),
    ];
    for change in changes {
        let folder = tempfile::tempdir().unwrap();
        let stage = Stage::new();
        let a = Resolver::new("a.example");
        a.plays(&stage, &[a.ok(MAIL)]);
        let next = || stage.builder(&[&a]).keep_in(folder.path()).build().unwrap();
        resolve(&next()).await;
        damage(folder.path(), change);
        stage.asked();
        let found = resolve(&next()).await;
        assert_eq!(
            (urls(&found), words(found.resolvers())),
            (vec![MAIL], vec!["answered".to_owned()])
        );
        assert_eq!(stage.asked().len(), 2);
        assert_eq!(words(resolve(&next()).await.resolvers()), ["cached"]);
    }
}

// r[client.cache-private]
#[tokio::test]
async fn no_byte_on_the_disk_tells_a_need() {
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    a.plays(&stage, &[]);
    let canary = "canary quetzalcoatl é";
    let need = Need::new(canary).unwrap();
    // A resolver that gives the need back wherever it can.
    let echo = a
        .answer(&[a.ok("https://quetzalcoatl.example/canary")])
        .replace("\"v\":", &format!("\"need\":\"{canary}\",\"v\":"));
    stage.set(&a.issuer, "/resolve", json(echo));
    let client = stage.builder(&[&a]).keep_in(folder.path()).build().unwrap();
    client.resolve(&need, Constraints::default()).await;
    let next = stage.builder(&[&a]).keep_in(folder.path()).build().unwrap();
    let found = next.resolve(&need, Constraints::default()).await;
    assert_eq!(words(found.resolvers()), ["cached"]);
    let words: Vec<&[u8]> = vec![
        b"canary",
        b"quetzal",
        b"need",
        "é".as_bytes(),
        b"%C3%A9",
        b"a.example",
        b"eyJ",
        b"resolve",
    ];
    let mut files = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let bytes = fs::read(entry.path()).unwrap();
        files += 1;
        for word in &words {
            // Random bytes hold two of a kind now and then.
            if word.len() > 3 {
                assert!(
                    !bytes
                        .windows(word.len())
                        .any(|window| window.eq_ignore_ascii_case(word)),
                    "{name}"
                );
            }
        }
        assert!(
            !name.contains("canary") && !name.contains("quetzal"),
            "{name}"
        );
    }
    assert_eq!(files, 3);
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_is_told_of_and_one_that_goes_away_is_not_missed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    a.plays(&stage, &[a.ok(MAIL)]);
    assert!(stage.builder(&[&a]).keep_in(&file).build().is_err());
    let client = stage
        .builder(&[&a])
        .keep_in(folder.path().join("cache"))
        .build()
        .unwrap();
    fs::remove_dir_all(folder.path()).unwrap();
    assert_eq!(urls(&resolve(&client).await), [MAIL]);
}
