//! What commands write for programs is of the form that `docs/schema` describes, of what holds and of what does not.
//! `verify-proofs` and `bench` are held against theirs where they are tested.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jsonschema::Validator;
use serde_json::{Value, json};
use tempfile::TempDir;

#[path = "support/ots.rs"]
mod ots;

use ots::{BLOCK_7, PROMISE, header, ots};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// What a command wrote, which is as its schema says.
struct Written {
    code: Option<i32>,
    json: Value,
    schema: Validator,
}

/// Runs `cargo xtask COMMAND ... --format json` in a folder.
fn written(folder: &Path, words: &[&str]) -> Written {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(words)
        .args(["--format", "json"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    let schema = root().join(format!("docs/schema/{}.schema.json", words[0]));
    let written = Written {
        code: output.status.code(),
        json: serde_json::from_slice(&output.stdout).unwrap(),
        schema: jsonschema::draft202012::new(&read(&schema)).unwrap(),
    };
    let errors: Vec<_> = written
        .schema
        .iter_errors(&written.json)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{:#}", written.json);
    written
}

impl Written {
    /// Fails unless the schema refuses this answer once a value in it is another, and once any object in it has one
    /// member more or, where all are required, one less.
    fn refuses(&self, changes: &[(&str, Value)]) {
        for (pointer, value) in changes {
            let mut json = self.json.clone();
            let place = json.pointer_mut(pointer);
            *place.unwrap_or_else(|| panic!("{pointer}: {:#}", self.json)) = value.clone();
            assert!(!self.schema.is_valid(&json), "{pointer} {value}");
        }
        let mut objects = Vec::new();
        find_objects(&self.json, String::new(), &mut objects);
        for pointer in objects {
            let mut json = self.json.clone();
            json.pointer_mut(&pointer).unwrap()["more"] = "of it".into();
            assert!(!self.schema.is_valid(&json), "more in {pointer:?}");
        }
    }

    fn refuses_without(&self, pointer: &str, members: &[&str]) {
        for member in members {
            let mut json = self.json.clone();
            let object = json.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
            assert!(object.remove(*member).is_some(), "{pointer} {member}");
            assert!(!self.schema.is_valid(&json), "{pointer} without {member}");
        }
    }
}

fn find_objects(json: &Value, pointer: String, found: &mut Vec<String>) {
    match json {
        Value::Object(members) => {
            for (name, value) in members {
                find_objects(value, format!("{pointer}/{name}"), found);
            }
            found.push(pointer);
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                find_objects(item, format!("{pointer}/{at}"), found);
            }
        }
        _ => {}
    }
}

/// A folder with the files that are given, and those that make it a repository.
fn repository(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files.iter().chain(&[("proof/README.md", "")]) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

const DRAFT: &str = "spec/draft/capability-resolution.md";

const TEXT: &str = "# T\n\nVersion: 0.2\n\n## 1. One\n\nr[a.b | vector, test]\nThis MUST be.\n\n\
                    r[a.c | none]\nThat SHOULD be.\n\n## Loose\n\nr[a.d]\nIt is so.\n";

#[test]
fn lint_spec() {
    let draft = written(&root(), &["lint-spec"]);
    let is_clean = draft.json["findings"] == json!([]);
    assert_eq!(draft.code, Some(i32::from(!is_clean)));

    let retired = ("spec/draft/retired-ids.toml", "rule = 1\n");
    let bad = written(repository(&[(DRAFT, TEXT), retired]).path(), &["lint-spec"]);
    assert_eq!(bad.code, Some(1));
    let findings = bad.json["findings"].as_array().unwrap();
    let has = |member: &str| findings.iter().any(|finding| finding.get(member).is_some());
    assert!(findings.len() > 3, "{findings:#?}");
    assert!(has("line") && has("facts") && has("help"), "{findings:#?}");
    bad.refuses(&[
        ("/findings", json!("none")),
        ("/findings/0/level", json!("note")),
        ("/findings/0/line", json!(0)),
    ]);
    bad.refuses_without("/findings/0", &["level", "code", "message", "line"]);
}

#[test]
fn requirements() {
    let draft = written(&root(), &["requirements"]);
    let is_clean = draft.json["findings"] == json!([]);
    assert_eq!(draft.code, Some(i32::from(!is_clean)));
    assert!(draft.json["rules"].as_array().unwrap().len() > 300);

    let reason =
        "[[rule]]\nid = \"a.c\"\nreason = \"Nobody can.\"\n[[rule]]\nid = \"a.x\"\nreason = \"\"\n";
    let tree = repository(&[
        (DRAFT, TEXT),
        ("spec/draft/not-observable.toml", reason),
        (
            "test-vectors/draft/v.json",
            r#"[{"id": "one", "rules": ["a.b", "a.y"]}]"#,
        ),
        ("test-vectors/draft/w.json", "["),
        // In pieces, as this file is read for ids of rules too.
        ("crates/x/tests/x.rs", concat!("// r", "[a.b] r", "[a.z]\n")),
    ]);
    let bad = written(tree.path(), &["requirements", "--strict"]);
    assert_eq!(bad.code, Some(1));
    assert_eq!(bad.json["rules"][0]["section"], "1");
    assert_eq!(bad.json["rules"][2]["section"], "");
    assert_eq!(bad.json["rules"][2]["level"], Value::Null);
    let count = |member: &str| bad.json[member].as_array().unwrap().len();
    assert_eq!(
        (count("findings"), count("strict_findings")),
        (4, 3),
        "{:#}",
        bad.json
    );
    bad.refuses(&[
        ("/rules/0/section", json!("\u{a7}1 One")),
        ("/rules/0/level", json!("MUST NOT")),
        ("/rules/0/tested", json!(["bench"])),
        ("/rules/0/covered_by/0/kind", json!("bench")),
        ("/uncovered/0", json!("a")),
    ]);
    let rule = [
        "id",
        "section",
        "section_title",
        "level",
        "tested",
        "covered_by",
    ];
    bad.refuses_without("/rules/0", &rule);
    bad.refuses_without("", &["version", "uncovered", "strict_findings"]);
}

#[test]
fn diff() {
    let real = written(&root(), &["diff", "0.2-rc.1", "draft"]);
    assert_eq!(real.code, Some(0));
    assert!(!real.json["changed"].as_array().unwrap().is_empty());

    let old = "# T\n\nVersion: 0.1\n\n## 1. One\n\nr[a.b | vector]\nThis MUST be.\n\n\
               r[a.d | test]\nIt MUST be so.\n\nr[a.e | test]\nIt MAY be.\n";
    let tree = repository(&[("spec/0.1/capability-resolution.md", old), (DRAFT, TEXT)]);
    let small = written(tree.path(), &["diff", "0.1", "draft"]);
    let json = &small.json;
    assert_eq!(json["added"][0]["id"], "a.c");
    assert_eq!(json["removed"][0]["id"], "a.e");
    let one = json!({ "section": "1", "section_title": "One" });
    let loose = json!({ "section": "", "section_title": "Loose" });
    assert_eq!(
        json["moved"],
        json!([{ "id": "a.d", "from": one, "to": loose }])
    );
    small.refuses(&[
        ("/added/0/section", json!("\u{a7}1 One")),
        ("/moved/0/from", json!("\u{a7}1 One")),
        ("/changed/0/words/0/change", json!("moved")),
        ("/unchanged", json!(-1)),
    ]);
    small.refuses_without("/added/0", &["section", "section_title", "level", "text"]);
    small.refuses_without("/moved/0/to", &["section", "section_title"]);

    let none = written(tree.path(), &["diff", "draft", "draft"]);
    assert_eq!(none.json["unchanged"], 3);
}

#[test]
fn verify_timestamp() {
    let data = root().join("crates/timestamp-proof/tests/data");
    let verify = |words: &[&str]| {
        let given = ["--token", "response.tsr", "--ca", "root.pem"];
        written(&data, &[&["verify-timestamp"], &given[..], words].concat())
    };
    let valid = verify(&["--data", "stamped.txt"]);
    assert_eq!(valid.code, Some(0));
    assert_eq!(valid.json["message_imprint_algorithm"], "sha256");
    valid.refuses(&[
        ("/verdict", json!("invalid")),
        ("/gen_time", json!("20261130103954Z")),
        ("/accuracy", json!(1.5)),
        ("/nonce", json!("6bfd")),
        ("/message_imprint_algorithm", json!("SHA-256")),
        ("/checks", json!([])),
    ]);
    let claims = ["gen_time", "accuracy", "nonce", "signer", "checks"];
    valid.refuses_without("", &claims);

    let invalid = verify(&["--data", "make.sh"]);
    assert_eq!(invalid.code, Some(1));
    assert_eq!(invalid.json["code"], "message-imprint");
    invalid.refuses(&[
        ("/verdict", json!("valid")),
        ("/code", json!("proof.imprint")),
    ]);
    invalid.refuses_without("", &["code", "detail"]);

    let unknown = verify(&["--data", "no-such-file"]);
    assert_eq!(unknown.code, Some(2));
    assert_eq!(unknown.json["verdict"], "unknown");
}

const BLOCK_8: &[u8] = b"\x00\x05\x88\x96\x0d\x73\xd7\x19\x01\x01\x08";
const LITECOIN: &[u8] = b"\x00\x06\x86\x9a\x0d\x73\xd7\x1b\x45\x01\x07";
const ETHEREUM: &[u8] = b"\x00\x30\xfe\x80\x87\xb5\xc7\xea\xd7\x01\x07";
const UNKNOWN: &[u8] = b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x01\x00";

#[test]
fn verify_ots() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text"), "text").unwrap();
    let verify = |proof: Vec<u8>, words: &[&str]| {
        fs::write(folder.path().join("proof.ots"), proof).unwrap();
        let given = ["verify-ots", "--file", "text", "--proof", "proof.ots"];
        written(folder.path(), &[&given[..], words].concat())
    };
    let more: &[u8] = b"\xff";
    let kinds = [PROMISE, BLOCK_7, BLOCK_8, LITECOIN, ETHEREUM, UNKNOWN];
    let mut paths: Vec<_> = kinds.iter().flat_map(|kind| [more, kind]).collect();
    paths.remove(paths.len() - 2);
    let all = ots(b"text", &paths);

    let seven = header(7, b"text");
    let valid = verify(all.clone(), &["--header", &seven]);
    assert_eq!(valid.code, Some(0), "{:#}", valid.json);
    let attestations = valid.json["attestations"].as_array().unwrap();
    assert_eq!(attestations.len(), kinds.len());
    let place = |kind: &str| {
        let at = attestations.iter().position(|one| one["kind"] == kind);
        format!("/attestations/{}", at.unwrap())
    };
    let confirmed = attestations.iter().position(|one| one["checked"] == true);
    let confirmed = format!("/attestations/{}", confirmed.unwrap());
    valid.refuses(&[
        ("/verdict", json!("pending")),
        ("/file_digest", json!("982d9e3e")),
        (&format!("{confirmed}/checked"), json!(false)),
        (&format!("{confirmed}/time"), json!(1_800_000_000)),
        (&format!("{}/checked", place("litecoin")), json!(true)),
        (&format!("{}/kind", place("ethereum")), json!("dogecoin")),
        (&format!("{}/tag", place("unknown")), json!("01")),
        (&format!("{}/uri", place("pending")), json!(null)),
    ]);
    valid.refuses_without("", &["file_digest", "detail", "attestations"]);
    valid.refuses_without(&confirmed, &["height", "merkle_root", "time", "work_bits"]);

    let contradicted = verify(all.clone(), &["--header", &header(7, b"another text")]);
    assert_eq!(contradicted.code, Some(1));
    contradicted.refuses(&[("/verdict", json!("valid"))]);
    contradicted.refuses_without("", &["code"]);
    let appended = verify(ots(b"text", &[b"\xf0\x01\x00", BLOCK_7]), &[]);
    assert_eq!(appended.json["attestations"][0].get("merkle_root"), None);
    let one = |path| ots(b"text", &[path]);
    for (proof, words, code, verdict) in [
        (all, &[][..], 2, "unknown"),
        (one(PROMISE), &[], 2, "pending"),
        (one(LITECOIN), &[], 2, "unknown"),
        (b"<!doctype html>".to_vec(), &[], 1, "invalid"),
        (one(BLOCK_7), &["--header", "7:00"], 1, "invalid"),
    ] {
        let found = verify(proof, words);
        assert_eq!(found.json["verdict"], verdict, "{:#}", found.json);
        assert_eq!(found.code, Some(code));
    }
    let nothing = ["verify-ots", "--proof", "no-such-proof"];
    assert_eq!(written(folder.path(), &nothing).code, Some(2));
}

/// A schema is one of draft 2020-12 that says what it is about, and every object in it is closed or refers to the
/// schema that says more.
#[test]
fn every_schema_is_closed() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("docs/schema")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let schema = read(&path);
        jsonschema::draft202012::meta::validate(&schema).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(
            schema["$schema"], "https://json-schema.org/draft/2020-12/schema",
            "{name}"
        );
        let title = schema["title"].as_str().unwrap();
        assert!(title.contains("--format json` "), "{name}: {title}");
        let mut objects = Vec::new();
        find_objects(&schema, String::new(), &mut objects);
        for pointer in objects {
            let object = schema.pointer(&pointer).unwrap();
            let types = object.get("type").unwrap_or(&Value::Null);
            let is_object = types == "object"
                || types
                    .as_array()
                    .is_some_and(|types| types.contains(&json!("object")));
            let description = object["description"].as_str().unwrap_or_default();
            let is_open = object.get("additionalProperties").is_none();
            assert!(
                !is_object || !is_open || description.contains("schema"),
                "{name} {pointer}"
            );
        }
        count += 1;
    }
    assert!(count > 20, "{count}");
}
