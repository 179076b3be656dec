//! A small suite of vectors that stays the same when the real one grows, and the runner as a command.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use conformance_vectors::{Input, Kind, Level, Operation, Vector, VectorFile, Verdict};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A test of this program by name.
pub(super) type Test = (&'static str, fn());

/// A folder of vectors and what was run on it.
pub(super) struct Folder(TempDir);

/// What a command did.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

impl Ran {
    /// Exit code and both streams, for a snapshot.
    pub(super) fn all(&self) -> String {
        let code = self.code.map_or("none".to_owned(), |code| code.to_string());
        let stream = |name: &str, text: &str| match text {
            "" => String::new(),
            text => format!("----- {name}\n{text}"),
        };
        format!(
            "exit {code}\n{}{}",
            stream("stdout", &self.out),
            stream("stderr", &self.err)
        )
    }

    /// Standard output as JSON that keeps the schema.
    pub(super) fn json(&self, schema: &str) -> Value {
        let value = serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"));
        let path = format!(
            "{}/../../docs/schema/{schema}.schema.json",
            env!("CARGO_MANIFEST_DIR")
        );
        let schema =
            serde_json::from_str(&fs::read_to_string(path).expect("schema")).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let faults: Vec<_> = validator
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert!(faults.is_empty(), "{faults:#?}");
        value
    }
}

impl Folder {
    pub(super) fn new() -> Self {
        Self::of(&vectors())
    }

    /// A folder of these vectors, of kinds of which none begins with the name of another.
    pub(super) fn of(vectors: &[Vector]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for kind in Kind::ALL {
            let own = |vector: &&Vector| vector.id.starts_with(&format!("{kind}-"));
            let tests: Vec<Vector> = vectors.iter().filter(own).cloned().collect();
            let file = VectorFile {
                schema: format!("schema/{kind}.schema.json"),
                version: "draft".to_owned(),
                kind,
                number_of_tests: tests.len(),
                tests,
                withdrawn: serde_json::from_value(withdrawn(kind)).expect("withdrawn"),
            };
            write(folder.path(), &file);
        }
        Self(folder)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn file(&self, name: &str, text: &str) -> String {
        let path = self.path().join(name);
        fs::write(&path, text).expect("a file");
        path.display().to_string()
    }

    /// `conformance-vectors run` on a program of this behaviour.
    pub(super) fn run(&self, options: &[&str], behaviour: &str) -> Ran {
        let this = std::env::current_exe().expect("this program");
        let (folder, this) = (
            self.path().display().to_string(),
            this.display().to_string(),
        );
        let arguments = [
            &["run", "--vectors", &folder],
            options,
            &["--", &this, "program", behaviour, &folder],
        ];
        self.command(&arguments.concat())
    }

    /// `conformance-vectors`; the folder and this program have fixed names in what is returned.
    pub(super) fn command(&self, arguments: &[&str]) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_conformance-vectors"))
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .expect("the runner");
        let this = std::env::current_exe().expect("this program");
        let text = |bytes: Vec<u8>| {
            String::from_utf8(bytes)
                .expect("UTF-8")
                .replace(&self.path().display().to_string(), "VECTORS")
                .replace(&this.display().to_string(), "PROGRAM")
        };
        Ran {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

fn write(folder: &Path, file: &VectorFile) {
    let text = serde_json::to_string(file).expect("JSON");
    fs::write(folder.join(format!("{}.json", file.kind)), text).expect("a file");
}

fn withdrawn(kind: Kind) -> Value {
    match kind {
        Kind::Names => json!([{"id": "names-wrong", "why": "The text never said so."}]),
        _ => json!([]),
    }
}

pub(super) fn vectors() -> Vec<Vector> {
    let token = |id: &str, now: &str| Vector {
        id: id.to_owned(),
        comment: format!("The token at {now}."),
        rules: vec!["token.exp.expired".to_owned()],
        level: Level::Must,
        derived_from: None,
        mutation: None,
        operation: Operation::Token,
        input: input(json!({"token": "eyJhIjoxfQ.e30.AAE", "now": now})),
        result: Verdict::Valid,
        reason: None,
        output: None,
    };
    let expired = Vector {
        result: Verdict::Invalid,
        reason: Some("expired".to_owned()),
        derived_from: Some("token-in-time".to_owned()),
        mutation: Some("clock".to_owned()),
        ..token("token-expired", "2026-12-02T12:05:01Z")
    };
    vec![
        token("token-in-time", "2026-12-02T12:05:00Z"),
        expired.clone(),
        Vector {
            id: "request-long".to_owned(),
            comment: "A need that comes back, in more than the 65,536 bytes that a pipe holds."
                .to_owned(),
            rules: vec![
                "resolve.need.read".to_owned(),
                "text.white-space".to_owned(),
            ],
            operation: Operation::Need,
            input: input(json!({"need": format!("{}mail", " ".repeat(100_000))})),
            output: serde_json::from_value(json!({"need": "mail"})).expect("an output"),
            ..token("", "")
        },
        Vector {
            id: "names-origin-slash".to_owned(),
            comment: "A final slash.".to_owned(),
            rules: vec!["text.control".to_owned()],
            level: Level::Should,
            operation: Operation::Origin,
            input: input(json!({"value_base64": "/w=="})),
            reason: None,
            derived_from: None,
            ..expired
        },
    ]
}

pub(super) fn input(value: Value) -> Input {
    serde_json::from_value(value).expect("an input")
}
