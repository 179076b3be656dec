//! Vectors of clients: what the runner plays, and what it sees itself.

use conformance_vectors::{Kind, Operation, Vector};
use serde_json::json;

use super::suite::{Folder, Test, input, vectors};

pub(super) const TESTS: &[Test] = &[
    (
        "a_client_is_judged_by_its_requests",
        a_client_is_judged_by_its_requests,
    ),
    (
        "a_scenario_that_cannot_be_played_is_a_fault",
        a_scenario_that_cannot_be_played,
    ),
    ("operations_can_be_left_out", operations_can_be_left_out),
];

/// A scenario in which one request is made, to an origin that answers so.
fn scenario(play: &serde_json::Value) -> Folder {
    let input = input(json!({
        "resolvers": ["https://one.example"], "ask": "in-order", "calls": [],
        "play": {"https://one.example": play},
    }));
    let requests = json!([{
        "origin": "https://one.example", "method": "GET", "path": "/x", "query": {}, "headers": {},
    }]);
    let output = json!({"calls": [], "requests": requests});
    Folder::of(&[Vector {
        id: format!("{}-plain", Kind::Client),
        operation: Operation::Client,
        input,
        output: serde_json::from_value(output).expect("an output"),
        ..vectors().swap_remove(0)
    }])
}

fn a_client_is_judged_by_its_requests() {
    let folder = scenario(&json!([]));
    let ran = folder.run(&[], "visit@client-plain");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for behaviour in [
        "right",
        "visit-twice@client-plain",
        "no-output@client-plain",
    ] {
        let ran = folder.run(&[], behaviour);
        assert_eq!(ran.code, Some(1), "{behaviour}: {ran:?}");
    }
}

fn a_scenario_that_cannot_be_played() {
    let ran = scenario(&json!("nothing")).run(&["--format", "json"], "visit@client-plain");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report = ran.json("conformance-run");
    assert_eq!(report["tests"][0]["problem"]["code"], "play");
}

fn operations_can_be_left_out() {
    let folder = Folder::new();
    let ran = folder.run(
        &["--without", "token", "--without", "need"],
        "accept@token-expired",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = folder.run(&["--without", "tokens"], "right");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(
        ran.err.contains("invalid value 'tokens' for '--without"),
        "{}",
        ran.err
    );
}
