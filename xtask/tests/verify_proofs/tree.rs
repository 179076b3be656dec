//! A small repository whose proofs all hold, to be damaged.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use command_console::Console;
use tempfile::TempDir;
use xtask::commands::verify_proofs::{Args, run_in};
use xtask::repo::Repo;

/// The repository that `make.sh` makes, in a folder of its own.
pub(crate) struct Tree {
    folder: TempDir,
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let tree = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        copy(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_proofs/tree"),
            tree.folder.path(),
        );
        tree
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> Vec<u8> {
        fs::read(self.path(relative)).unwrap()
    }

    pub(crate) fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn remove(&self, relative: &str) {
        let path = self.path(relative);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap()
        } else {
            fs::remove_file(path).unwrap()
        }
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    /// Replaces text in a file; it must be there.
    pub(crate) fn edit(&self, relative: &str, from: &str, to: &str) {
        let text = String::from_utf8(self.read(relative)).unwrap();
        assert!(text.contains(from), "{relative} does not contain {from:?}");
        self.write(relative, text.replace(from, to));
    }

    /// What the command writes for people, and its exit code; what it writes for programs is of the same mind, and of
    /// the form that its schema describes.
    pub(crate) fn verify(&self, words: &[&str]) -> (String, u8) {
        let (text, code) = self.run(words);
        let (json, same_code) = self.run(&[words, &["--format", "json"]].concat());
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        crate::schema::check(&json);
        assert_eq!(same_code, code);
        assert_eq!(
            json["verdict"],
            ["valid", "invalid", "unknown"][usize::from(code)]
        );
        (text, code)
    }

    fn run(&self, words: &[&str]) -> (String, u8) {
        let repo = Repo::find_from(self.folder.path()).unwrap();
        let args = Cli::try_parse_from([&["verify-proofs"], words].concat())
            .unwrap()
            .args;
        let (mut console, captured) = Console::captured();
        let outcome = run_in(&repo, &args, &mut console).unwrap();
        assert!(console.flush().is_none());
        assert_eq!(captured.err(), "");
        (
            captured
                .out()
                .replace(&self.folder.path().display().to_string(), "[repository]"),
            outcome.code(),
        )
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target)
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
