//! Running the checker as a person does.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use jsonschema::Validator;
use serde_json::Value;

/// What a command did; paths of the test's own folder are replaced.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn all(&self) -> String {
        let code = self.code.map_or("none".to_owned(), |code| code.to_string());
        format!("exit {code}\n{}{}", self.out, self.err)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

/// Runs the checker; FOLDER stands for `folder` in what it writes.
pub(crate) fn command(arguments: &[&str], stdin: &[u8], folder: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_capability-resolution-check"));
    // Help is wrapped at this width where no terminal says its own.
    command.env_remove("COLUMNS");
    ran(command.args(arguments), stdin, folder)
}

/// The same of a command that is set up.
pub(crate) fn ran(command: &mut Command, stdin: &[u8], folder: &str) -> Ran {
    let mut child = command
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

/// `docs/schema/NAME.schema.json`.
pub(crate) fn schema(name: &str) -> Validator {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/schema/{name}.schema.json"));
    let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// Fails unless an answer is as `docs/schema/NAME.schema.json` says.
pub(crate) fn check_schema(name: &str, answer: &Value) {
    let faults: Vec<_> = schema(name)
        .iter_errors(answer)
        .map(|e| e.to_string())
        .collect();
    assert!(faults.is_empty(), "{faults:#?}: {answer:#}");
}
