//! A resolver's folder, and the binary run in it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const NOW: &str = "2026-11-30T12:00:00Z";

/// What a command did; paths of the test's own folder are replaced.
#[derive(Debug, Default)]
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

    pub(crate) fn json(&self, schema: &str) -> Value {
        let value = serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"));
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../docs/schema")
            .join(schema);
        let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<_> = validator
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert!(faults.is_empty(), "{faults:#?}: {value:#}");
        value
    }
}

/// A place for a resolver.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With a resolver in `r`.
    pub(crate) fn with_resolver() -> Self {
        let place = Self::new();
        let ran = place.run(&["init", "r", "--origin", "https://resolver.test"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, b"")
    }

    /// On the resolver in `r`, at `now`.
    pub(crate) fn at(&self, now: &str, arguments: &[&str]) -> Ran {
        self.run(&[&["--config", "r/resolver.toml", "--now", now], arguments].concat())
    }

    pub(crate) fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        let arguments = match arguments.contains(&"--now") {
            true => arguments.to_vec(),
            false => [&["--now", NOW], arguments].concat(),
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolver"))
            .current_dir(self.0.path())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that needs no more of its input may have closed it.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        let output = child.wait_with_output().unwrap();
        let folder = self.0.path().canonicalize().unwrap().display().to_string();
        let text = |bytes| String::from_utf8(bytes).unwrap().replace(&folder, "FOLDER");
        Ran {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}
