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
    ("a_long_difference_is_named", a_long_difference_is_named),
    ("what_is_played_is_shown", what_is_played_is_shown),
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

fn a_long_difference_is_named() {
    let long = "x".repeat(400);
    let folder = Folder::of(&[Vector {
        output: serde_json::from_value(json!({"need": long})).expect("an output"),
        ..vectors().swap_remove(0)
    }]);
    let differs = format!("/need: expected \"{}…, got \"", &long[..299]);
    for format in ["human", "junit"] {
        let ran = folder.run(&["--format", format], "other-output@token-in-time");
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let shown = ran.out.replace("&quot;", "\"");
        assert!(shown.contains(&differs), "{}", ran.out);
    }
}

fn what_is_played_is_shown() {
    let folder = Folder::new();
    let ran = folder.command(&["show", "client-candidates-copies-lie"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in [
        "\nplay https://elsewhere.example",
        "\nplay https://one.example 0 body\n  {\"v\":\"0.2\",\"iss\":\"https://one.example\"",
        "\nplay https://one.example 1 body differs\n",
        "\nplay https://one.example 1 candidates/0/jws payload\n  {\"iss\":\"https://one.example\"",
    ] {
        assert!(ran.out.contains(line), "{line}: {}", ran.out);
    }
    let ran = folder.command(&["show", "client-failure-all-fail"]);
    let nobody = "\nplay https://one.example differs\n+ nobody listens\n";
    assert!(ran.out.contains(nobody), "{}", ran.out);
}
