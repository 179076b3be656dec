//! What the command writes for programs has the form that is documented.

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde_json::Value;

fn validator() -> Validator {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema/verify-proofs.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

pub(crate) fn check(json: &Value) {
    let errors: Vec<_> = validator()
        .iter_errors(json)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
}

#[test]
fn the_schema_refuses_what_the_command_does_not_write() {
    let validator = validator();
    let report =
        serde_json::json!({ "verdict": "valid", "versions": [], "upstream": [], "problems": [] });
    assert!(validator.is_valid(&report));
    for (member, value) in [("verdict", "true"), ("versions", "none"), ("more", "of it")] {
        let mut report = report.clone();
        report[member] = value.into();
        assert!(!validator.is_valid(&report), "{member}");
    }
}
