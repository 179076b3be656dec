//! What a verified token costs beside the bare signature check, and what refusing garbage costs.
//!
//! `verify_strict` runs on the same bytes in the same process: the ratio of the two medians is the figure, since the
//! machine's speed cancels out of it. `cargo xtask bench` runs this with other programs beside it, on the same token.

use std::hint::black_box;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use capability_resolution::{Discovery, Origin, Time, UnverifiedToken};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ed25519_dalek::{Signature, VerifyingKey};
use serde_json::Value;

/// The vector whose token is verified.
const VECTOR: &str = "token-plain";

fn token(c: &mut Criterion) {
    let input = input();
    let text = |name: &str| input[name].as_str().expect("a text");
    let issuer: Origin = text("issuer").parse().expect("an issuer");
    let now = Time::from_document(text("now")).expect("a time");
    let token = text("token");
    let document = text("discovery").as_bytes();
    let discovery = Discovery::read(document, &issuer).expect("a sound document");

    let mut group = c.benchmark_group("token");
    group.bench_function("verify", |b| {
        b.iter(|| {
            UnverifiedToken::parse(black_box(token.as_bytes()))
                .and_then(|token| token.verify(&discovery, now))
                .expect("valid")
        });
    });
    let (signed, signature) = token.rsplit_once('.').expect("three segments");
    let signature = URL_SAFE_NO_PAD.decode(signature).expect("base64url");
    let signature = Signature::from_slice(&signature).expect("64 bytes");
    let key = key(document);
    group.bench_function("verify_strict alone", |b| {
        b.iter(|| {
            key.verify_strict(black_box(signed.as_bytes()), &signature)
                .expect("valid")
        });
    });
    group.finish();
}

/// The input of the vector.
fn input() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../test-vectors/draft/token.json"
    );
    let file = std::fs::read(path).expect("the vectors");
    let file: Value = serde_json::from_slice(&file).expect("JSON");
    let tests = file["tests"].as_array().expect("tests");
    let test = tests.iter().find(|test| test["id"] == VECTOR);
    test.expect("the vector")["input"].clone()
}

/// The one key of a discovery document.
fn key(document: &[u8]) -> VerifyingKey {
    let document: Value = serde_json::from_slice(document).expect("JSON");
    let x = document["keys"][0]["x"].as_str().expect("a key");
    let x = URL_SAFE_NO_PAD.decode(x).expect("base64url");
    VerifyingKey::try_from(x.as_slice()).expect("a point")
}

fn garbage(c: &mut Criterion) {
    let mut group = c.benchmark_group("garbage");
    let of_header = |header: String| format!("{}.e30.AA", URL_SAFE_NO_PAD.encode(header));
    // Of sound JSON the dearest kinds for their length: short members, short escaped strings, short numbers.
    let members: Vec<String> = (0..70).map(|n| format!("\"m{n}\":{n}")).collect();
    let strings: Vec<String> = (0..70).map(|n| format!("\"{n}\":\"\\n\"")).collect();
    let shapes: [(&str, Vec<u8>); 6] = [
        (
            "random bytes",
            (0..1024_u32)
                .map(|n| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).unwrap_or(0))
                .collect(),
        ),
        ("one long segment", vec![b'A'; 1024]),
        ("header of brackets", of_header("[".repeat(760)).into()),
        (
            "header of members",
            of_header(format!("{{{}}}", members.join(","))).into(),
        ),
        (
            "header of escapes",
            of_header(format!("{{{}}}", strings.join(","))).into(),
        ),
        (
            "header of numbers",
            of_header(format!("{{\"a\":[{}0]}}", "1e9,".repeat(187))).into(),
        ),
    ];
    for (name, bytes) in shapes {
        group.throughput(Throughput::Bytes(
            u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        ));
        group.bench_function(name, |b| {
            b.iter(|| UnverifiedToken::parse(black_box(&bytes)).expect_err("refused"))
        });
    }
    group.finish();
}

criterion_group!(benches, token, garbage);
criterion_main!(benches);
