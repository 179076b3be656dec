//! `capability-resolution-check file` and `new`, and every message of them.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail as it does")]

mod file;
mod fixtures;
mod new;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

const NOW: &str = "2026-11-30T12:00:00Z";

/// What a command did; paths of the test's own folder are replaced.
#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn all(&self) -> String {
        let code = self.code.map_or("none".to_owned(), |code| code.to_string());
        format!("exit {code}\n{}{}", self.out, self.err)
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

fn command(arguments: &[&str], stdin: &[u8], folder: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolution-check"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that needs no more of its input may have closed it.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap().replace(folder, "FOLDER");
    Ran {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// Fails unless the answer of `file --format json` is of the form that is promised.
fn check_schema(answer: &Value) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/check-file.schema.json");
    let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<_> = validator
        .iter_errors(answer)
        .map(|e| e.to_string())
        .collect();
    assert!(faults.is_empty(), "{faults:#?}: {answer:#}");
}

#[test]
fn help_is_complete() {
    insta::assert_snapshot!(
        "help_file",
        command(&["file", "--help"], b"", "/no/folder").out
    );
    insta::assert_snapshot!(
        "help_new",
        command(&["new", "--help"], b"", "/no/folder").out
    );
}
