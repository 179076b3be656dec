//! A repository with one frozen version, and the command run in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

pub(crate) const VERSION: &str = "0.9-rc.1";
pub(crate) const LIST: &str = "proof/0.9-rc.1/SHA256SUMS";

/// A repository in a folder of its own, with a folder for temporary files beside it.
pub(crate) struct Repository {
    folder: TempDir,
}

impl Repository {
    pub(crate) fn new() -> Self {
        let repository = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for folder in ["repo/spec", "repo/proof/authorities", "tmp"] {
            fs::create_dir_all(repository.folder.path().join(folder)).unwrap();
        }
        let line = format!(
            "{}  spec/{VERSION}/capability-resolution.md\n",
            "00".repeat(32)
        );
        repository.write(LIST, line.as_bytes());
        repository
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join("repo").join(relative)
    }

    pub(crate) fn write(&self, relative: &str, bytes: &[u8]) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, relative: &str) -> Vec<u8> {
        fs::read(self.path(relative)).unwrap()
    }

    /// Every file, with its bytes.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        files_below(&self.path(""))
    }

    /// Every file that the command left among the temporary ones.
    pub(crate) fn left_behind(&self) -> Vec<String> {
        files_below(&self.folder.path().join("tmp"))
            .into_keys()
            .collect()
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command
            .args(words)
            .current_dir(self.path(""))
            .env("TMPDIR", self.folder.path().join("tmp"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        Ran::from(self.command(words).output().unwrap())
    }
}

/// How a command ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs openssl in a folder and gives what it wrote to standard output.
pub(crate) fn openssl(folder: &Path, words: &[&str]) -> Vec<u8> {
    let output = Command::new("openssl")
        .current_dir(folder)
        .args(words)
        .output();
    let output = output.expect("these tests need the command `openssl`");
    assert!(
        output.status.success(),
        "openssl {words:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}
