//! The cases of `FIXTURES_DIR` through the command: the outcome of each, in an answer of the promised form.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::{check_schema, command};

/// The bytes of a case.
fn bytes(case: &Value) -> Vec<u8> {
    if let Some(text) = case["text"].as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(text) = case["text_base64"].as_str() {
        return STANDARD.decode(text).unwrap();
    }
    let parts = case["text_parts"].as_array().unwrap().iter();
    let part = |part: &Value| {
        let times = usize::try_from(part[1].as_u64().unwrap()).unwrap();
        part[0].as_str().unwrap().repeat(times)
    };
    parts.map(part).collect::<String>().into_bytes()
}

fn codes(value: &Value) -> BTreeSet<&str> {
    let of = |value| -> Option<&str> { Value::as_str(value).or_else(|| value["code"].as_str()) };
    value.as_array().unwrap().iter().filter_map(of).collect()
}

// r[captxt.two-readers] r[captxt.valid] r[captxt.claims-valid-only]
#[test]
fn the_cases_have_their_outcome() {
    let Some(folder) = std::env::var_os("FIXTURES_DIR") else {
        eprintln!("skipped: FIXTURES_DIR is not set");
        return;
    };
    let path = Path::new(&folder).join("capabilities-txt/cases.json");
    let cases: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let cases = cases.as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let option = |name: &str| case[name].as_str().unwrap();
        let arguments = [
            "file",
            "-",
            "--format",
            "json",
            "--host",
            option("fetched_host"),
            "--resolver",
            option("resolver_origin"),
            "--now",
            option("now"),
        ];
        let ran = command(&arguments, &bytes(case), "/no/folder");
        let answer = ran.json();
        check_schema(&answer);
        let (id, expected) = (&case["id"], &case["expect"]);
        let valid = expected["valid"].as_bool().unwrap();
        assert_eq!(ran.code, Some(i32::from(!valid)), "{id}");
        assert_eq!(answer["valid"], valid, "{id}");
        assert_eq!(
            answer["resolver_allowed"], expected["resolver_allowed"],
            "{id}"
        );
        for severity in ["errors", "warnings"] {
            assert_eq!(codes(&answer[severity]), codes(&expected[severity]), "{id}");
        }
        let fields = ["url", "in_scope", "jobs", "protocol", "sign_in", "payment"];
        let endpoints = answer["endpoints"].as_array().unwrap().iter();
        let found: Vec<_> = endpoints
            .map(|e| fields.map(|field| e[field].clone()))
            .collect();
        let endpoints = expected["endpoints"].as_array().unwrap().iter();
        let wanted: Vec<_> = endpoints
            .map(|e| fields.map(|field| e[field].clone()))
            .collect();
        assert_eq!(json!(found), json!(wanted), "{id}");
        let helps = answer["errors"].as_array().unwrap().iter();
        for finding in helps.chain(answer["warnings"].as_array().unwrap()) {
            assert_ne!(finding["help"], "see the rule", "{id}: {finding}");
        }
    }
}
