//! The vectors of tokens, served in real answers over TLS: every invalid one is dropped with its code, every valid one
//! shown.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use capability_resolution::{Constraints, Origin, Time};
use capability_resolver_client::{Budget, Client, GuardedTransport, Outcome};
use conformance_vectors::{Kind, Operation, Suite, Vector, Verdict};

use crate::stage::need;
use crate::stand::{Act, Authority, Greeting, Stand, json};

/// What an answer's tokens have in common: issuer, discovery document, moment.
type Group = (String, Vec<u8>, String);

// r[client.verify] r[candidate.dropped] r[candidate.claims-only] r[token.order]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_vector_of_a_token_comes_to_its_result() {
    let suite = Suite::embedded().unwrap();
    let mut groups: BTreeMap<Group, Vec<(&Vector, String)>> = BTreeMap::new();
    let files = suite.files().iter();
    let tokens = files
        .filter(|file| matches!(file.kind, Kind::Token | Kind::KeySet))
        .flat_map(|file| &file.tests)
        .filter(|vector| vector.operation == Operation::Token);
    let mut left = 0;
    for vector in tokens {
        let input = vector.input.expanded();
        let text = |name: &str| String::from_utf8(input.bytes(name).unwrap());
        let (Ok(issuer), Ok(now), Some(document)) =
            (text("issuer"), text("now"), input.bytes("discovery"))
        else {
            panic!("{}: no issuer, now or document", vector.id)
        };
        // A token that is not UTF-8 cannot stand in JSON.
        let Ok(token) = text("token") else {
            left += 1;
            continue;
        };
        groups
            .entry((issuer, document, now))
            .or_default()
            .push((vector, token));
    }
    let authority = Arc::new(Authority::new());
    let mut checked = 0;
    for ((issuer, document, now), vectors) in groups {
        let Ok(issuer) = issuer.parse::<Origin>() else {
            left += vectors.len();
            continue;
        };
        // A fraction of a second is rounded down: `time.now`.
        let now = format!("{}Z", &now[..19]);
        let now = Time::from_document(&now).unwrap();
        for ten in vectors.chunks(10) {
            checked += check(&authority, &issuer, &document, now, ten).await;
        }
    }
    assert!(checked > 500 && left < 20, "{checked} checked, {left} left");
}

async fn check(
    authority: &Authority,
    issuer: &Origin,
    document: &[u8],
    now: Time,
    vectors: &[(&Vector, String)],
) -> usize {
    let candidates: Vec<_> = vectors
        .iter()
        .map(|(_, token)| serde_json::json!({"jws": token}))
        .collect();
    let answer = serde_json::json!({
        "v": "0.2", "iss": issuer.as_str(), "resolver": "Example Resolver", "candidates": candidates,
    });
    let (document, answer) = (document.to_vec(), answer.to_string());
    let tls = authority.tls(issuer.host());
    let stand = Stand::start(Some(tls), Greeting::None, move |target| {
        Act::Say(match target.starts_with("/resolve?") {
            true => json(&answer),
            false => json(&document),
        })
    });
    let address = stand.address;
    let find = move |_: &str, _: u16| -> io::Result<_> { Ok(vec![address]) };
    let fetcher = GuardedTransport::builder()
        .allow_loopback(true)
        .root_certificate(authority.root.clone())
        .resolver(find)
        .build()
        .unwrap();
    let client = Client::builder()
        .resolver(issuer.clone())
        .unwrap()
        .clock(move || now)
        .budget(Budget {
            per_resolver: Duration::from_secs(30),
            in_all: Duration::from_secs(30),
        })
        .transport(GuardedTransport::over(fetcher))
        .build()
        .unwrap();
    let found = client.resolve(&need(), Constraints::default()).await;
    let report = &found.resolvers()[0];
    for (at, (vector, token)) in vectors.iter().enumerate() {
        let reason = match report.outcome() {
            // The code of a document that is refused is that of every token: `discovery.refused`.
            Outcome::Skipped(failure) => Some(failure.code().as_str()),
            Outcome::Answered(answered) => {
                let dropped = answered.dropped.iter().find(|dropped| dropped.at == at);
                dropped.map(|dropped| dropped.refusal.code().as_str())
            }
            Outcome::NotAsked => panic!("not asked"),
        };
        assert_eq!(reason, vector.reason.as_deref(), "{}", vector.id);
        let statements = found.advice().iter().flat_map(|advice| advice.statements());
        let urls_twice = || {
            let Outcome::Answered(answered) = report.outcome() else {
                return false;
            };
            let twice = |difference: &capability_resolver_client::Difference| matches!(difference, capability_resolver_client::Difference::DuplicateUrl(place) if *place == at);
            answered.differences.iter().any(twice)
        };
        let shown = statements
            .map(|statement| statement.jws())
            .any(|jws| jws == token)
            || urls_twice();
        assert_eq!(shown, vector.result == Verdict::Valid, "{}", vector.id);
    }
    vectors.len()
}
