//! Every rule that the text leaves to vectors is shown from both sides: what keeps it, and what breaks it.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use conformance_vectors::{Operation, Suite, Vector, Verdict};
use serde_json::{Value, json};

/// Rules that have one side, or none that a vector could show, each with the reason.
const ONE_SIDED: &[(&str, &str)] = &[
    (
        "captxt.fetch.code-order",
        "which of two codes is named shows in what is refused",
    ),
    ("code.document-list", "what is valid has no code"),
    ("code.form", "what is valid has no code"),
    ("code.token-list", "what is valid has no code"),
    (
        "conformance.vectors.output-order",
        "it binds who runs the vectors",
    ),
    (
        "discovery.etag",
        "it permits; a client that sends no tag passes the same vectors",
    ),
    (
        "discovery.order",
        "which of two faults comes first shows in what is refused",
    ),
    (
        "http.no-credentials",
        "what breaks it is a header field of a request, and shows in the requests that are compared",
    ),
    (
        "json.order",
        "which of two faults comes first shows in what is refused",
    ),
    (
        "record.history",
        "it permits; record.history-form says what is refused",
    ),
    (
        "record.order",
        "which of two faults comes first shows in what is refused",
    ),
    (
        "resolve.answer.empty",
        "it permits; no number of candidates is too small",
    ),
    (
        "resolve.answer.order",
        "which of two faults comes first shows in what is refused",
    ),
    (
        "resolve.order",
        "which of two faults comes first shows in what is refused",
    ),
    (
        "token.claims.order",
        "which of two faults comes first shows in what is refused",
    ),
    (
        "token.claims.unknown",
        "it permits; there is no unknown claim that is refused",
    ),
    (
        "token.header.unknown",
        "it permits; members that are refused have rules of their own",
    ),
];

/// The rules that the text marks as tested by vectors.
fn rules() -> BTreeSet<String> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../spec/draft/capability-resolution.md"
    );
    let text = fs::read_to_string(path).unwrap();
    let markers = text.lines().filter_map(|line| {
        let (id, ways) = line
            .strip_prefix("r[")?
            .strip_suffix(']')?
            .split_once(" | ")?;
        ways.split(", ")
            .any(|way| way == "vector")
            .then(|| id.to_owned())
    });
    markers.collect()
}

/// What of a vector's answer can stand on the one or the other side of a rule.
fn side(vector: &Vector) -> Vec<String> {
    let mut sides = vec![format!("result {}", vector.result)];
    let output = |name: &str| vector.output.as_ref().and_then(|output| output.get(name));
    if let Some(allowed) = output("resolverAllowed") {
        sides.push(format!("resolverAllowed {allowed}"));
    }
    // Of what is valid: is there anything to warn of or to report?
    for name in ["warnings", "dropped", "copyDiffers", "duplicateUrl"] {
        let found = output(name).and_then(Value::as_array);
        if let Some(found) = found.filter(|_| vector.result == Verdict::Valid) {
            sides.push(format!("{name} empty {}", found.is_empty()));
        }
    }
    if vector.operation == Operation::Client {
        sides.extend(sides_of_client(vector));
    }
    sides
}

/// What a client does in a scenario, also where nobody breaks a rule.
fn sides_of_client(vector: &Vector) -> Vec<String> {
    let output = serde_json::to_value(&vector.output).unwrap();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let requests = list(&output["requests"]);
    let is_again = |request: &Value| requests.iter().filter(|other| *other == request).count() > 1;
    let resolvers = list(&json!(vector.input.0["resolvers"]));
    let is_asked = |issuer: &Value| requests.iter().any(|request| request["origin"] == *issuer);
    let calls = list(&output["calls"]);
    let asked: Vec<_> = calls.iter().flat_map(|call| list(&call["asked"])).collect();
    let candidates: Vec<_> = calls
        .iter()
        .flat_map(|call| list(&call["candidates"]))
        .collect();
    let has_two = |candidate: &Value| list(&candidate["statements"]).len() > 1;
    let differs = |asked: &Value| !list(&asked["copyDiffers"]).is_empty();
    let is_double = |asked: &Value| !list(&asked["duplicateUrl"]).is_empty();
    [
        ("request again", requests.iter().any(is_again)),
        ("all asked", resolvers.iter().all(is_asked)),
        ("several statements", candidates.iter().any(has_two)),
        ("copies differ", asked.iter().any(differs)),
        ("duplicates", asked.iter().any(is_double)),
        (
            "clock doubt",
            asked.iter().any(|asked| asked["clockDoubt"] == true),
        ),
    ]
    .map(|(thing, is)| format!("{thing} {is}"))
    .to_vec()
}

/// The sides of each rule that vectors name.
fn sides() -> BTreeMap<String, BTreeSet<String>> {
    let mut sides: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for vector in Suite::embedded().unwrap().vectors() {
        for rule in &vector.rules {
            sides.entry(rule.clone()).or_default().extend(side(vector));
        }
    }
    sides
}

/// Do two of the sides differ in one thing?
fn are_both(sides: &BTreeSet<String>) -> bool {
    let things: BTreeSet<_> = sides
        .iter()
        .filter_map(|side| side.rsplit_once(' '))
        .map(|(thing, _)| thing)
        .collect();
    things.len() < sides.len()
}

#[test]
fn every_rule_left_to_vectors_is_shown_from_both_sides() {
    let sides = sides();
    let listed: BTreeMap<_, _> = ONE_SIDED.iter().copied().collect();
    let both = |rule: &str| sides.get(rule).is_some_and(are_both);
    let rules = rules();
    let missing: Vec<_> = rules
        .iter()
        .filter(|rule| !both(rule) && !listed.contains_key(rule.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "add a vector on the other side, or list the rule with the reason why there is none: {missing:#?}"
    );
    let stale: Vec<_> = listed
        .keys()
        .filter(|rule| both(rule) || !rules.contains(**rule))
        .collect();
    assert!(stale.is_empty(), "these need no excuse: {stale:?}");
}

#[test]
fn a_side_is_a_difference_in_one_thing() {
    let both = |sides: &[&str]| are_both(&sides.iter().map(|side| (*side).to_owned()).collect());
    assert!(both(&["result invalid", "result valid"]));
    assert!(both(&[
        "result valid",
        "warnings empty false",
        "warnings empty true"
    ]));
    assert!(!both(&["result valid", "warnings empty true"]));
    assert!(!both(&[]));
}
