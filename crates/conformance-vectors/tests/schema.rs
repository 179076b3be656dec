//! Every vector file is as its JSON Schema says, and the schemas refuse what is not.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;
use std::path::PathBuf;

use conformance_vectors::{Kind, Suite};
use jsonschema::Validator;
use serde_json::{Value, json};

fn schema(kind: Kind) -> Validator {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../test-vectors/draft/schema");
    let text = fs::read_to_string(folder.join(format!("{kind}.schema.json"))).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("{kind}: {error}"));
    jsonschema::validator_for(&schema).unwrap()
}

fn files() -> Vec<(Kind, Value)> {
    let suite = Suite::embedded().unwrap();
    suite
        .files()
        .iter()
        .map(|file| (file.kind, serde_json::to_value(file).unwrap()))
        .collect()
}

#[test]
fn every_file_is_as_its_schema_says() {
    for (kind, file) in files() {
        let faults: Vec<_> = schema(kind)
            .iter_errors(&file)
            .take(5)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{kind}: {faults:#?}");
    }
}

#[test]
fn every_schema_is_closed() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 12] = [
        ("a member more in the file", |file| file["more"] = json!(1)),
        ("another kind", |file| file["kind"] = json!("other")),
        ("no tests", |file| file["tests"] = json!([])),
        ("a member more", |file| file["tests"][0]["more"] = json!(1)),
        ("a member less", |file| {
            file["tests"][0].as_object_mut().unwrap().remove("comment");
        }),
        ("an id of another kind", |file| {
            file["tests"][0]["id"] = json!("other-plain")
        }),
        ("an unknown operation", |file| {
            file["tests"][0]["operation"] = json!("other")
        }),
        ("a third result", |file| {
            file["tests"][0]["result"] = json!("acceptable")
        }),
        ("a reason of what is valid", |file| {
            file["tests"][0]["reason"] = json!("expired")
        }),
        ("no rules", |file| file["tests"][0]["rules"] = json!([])),
        ("a member more in the input", |file| {
            file["tests"][0]["input"]["more"] = json!("")
        }),
        ("an empty input", |file| {
            file["tests"][0]["input"] = json!({})
        }),
    ];
    for (kind, file) in files() {
        let schema = schema(kind);
        for (what, change) in changes {
            let mut changed = file.clone();
            change(&mut changed);
            assert!(!schema.is_valid(&changed), "{kind}: {what}");
        }
    }
}

#[test]
fn a_text_travels_in_one_way_only() {
    let (kind, file) = files().swap_remove(0);
    let schema = schema(kind);
    let mut both = file.clone();
    both["tests"][0]["input"]["token_base64"] = json!("AA==");
    assert!(!schema.is_valid(&both));
    let mut neither = file.clone();
    neither["tests"][0]["input"]
        .as_object_mut()
        .unwrap()
        .remove("token");
    assert!(!schema.is_valid(&neither));
    neither["tests"][0]["input"]["token_base64"] = json!("AA==");
    assert!(schema.is_valid(&neither));
    assert!(schema.is_valid(&file));
}
