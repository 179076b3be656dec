//! Differences between what is signed and what stands beside it are told in the order of the document.

use capability_resolution::{
    Answer, Discovery, Observation, Record, RecordClaims, Signer, Status, Time,
};
use serde_json::json;

fn time(text: &str) -> Time {
    Time::from_document(text).expect("a time")
}

fn signer() -> Signer {
    let issuer = "https://resolver.example".parse().expect("an issuer");
    Signer::new(issuer, "k1", &[7; 32]).expect("a signer")
}

fn discovery() -> Discovery {
    let document = json!({
        "v": "0.2", "iss": "https://resolver.example", "resolver": "Example", "policy": "https://resolver.example/policy",
        "endpoints": {"resolve": "https://resolver.example/resolve", "record": "https://resolver.example/record"},
        "keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k1", "x": signer().public_x()}],
    });
    let issuer = "https://resolver.example".parse().expect("an issuer");
    Discovery::read(document.to_string().as_bytes(), &issuer).expect("a discovery document")
}

fn token() -> String {
    let observation = Observation {
        url: "https://mail.example.com/mcp".parse().expect("a URL"),
        status: Status::Ok,
        checked_at: time("2026-11-30T11:00:00Z"),
    };
    let claims = RecordClaims {
        name: "Example Mail".to_owned(),
        first_seen: time("2026-08-02T06:30:00Z"),
        history: None,
    };
    let (iat, exp) = (time("2026-11-30T12:00:00Z"), time("2026-11-30T13:00:00Z"));
    signer()
        .record_token(&observation, &claims, iat, exp)
        .expect("a token")
}

// r[conformance.vectors.output-order] r[candidate.copy-differs] r[resolve.answer.name-read]
#[test]
fn of_an_answer() {
    let jws = token();
    let candidate = format!(
        r#"{{"status":"down","jws":"{jws}","url":"x","checked_at":"2026-11-30T11:00:00Z"}}"#
    );
    let read = |document: String| {
        let now = time("2026-11-30T12:00:00Z");
        Answer::read(document.as_bytes(), &discovery(), now)
            .expect("an answer")
            .copy_differs
    };
    let of_candidate = [
        "/candidates/0/status",
        "/candidates/0/url",
        "/candidates/0/expires",
    ];
    let first = format!(
        r#"{{"v":"0.2","iss":"https://resolver.example","resolver":"x","candidates":[{candidate}]}}"#
    );
    assert_eq!(read(first), [&["/resolver"], &of_candidate[..]].concat());
    let last = format!(
        r#"{{"candidates":[{candidate}],"v":"0.2","iss":"https://resolver.example","resolver":"x"}}"#
    );
    assert_eq!(read(last), [&of_candidate[..], &["/resolver"]].concat());
}

// r[conformance.vectors.output-order] r[record.copy-differs]
#[test]
fn of_a_record() {
    let document = format!(
        r#"{{"name":"x","url":"x","v":"0.2","resolver":"x","iss":"https://resolver.example","jws":"{}","expires":1}}"#,
        token()
    );
    let now = time("2026-11-30T12:00:00Z");
    let record = Record::read(document.as_bytes(), &discovery(), None, now).expect("a record");
    assert_eq!(
        record.copy_differs,
        ["/name", "/url", "/resolver", "/expires"]
    );
}
