//! `openssl ts -verify` beside our own verdict, on everything that is stamped.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

use crate::tree::Tree;

/// Whether OpenSSL is installed; in CI it has to be.
fn openssl_is_here() -> bool {
    let here = Command::new("openssl")
        .arg("version")
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(
        here || env::var_os("CI").is_none(),
        "openssl is not installed, and in CI nothing may be skipped"
    );
    here
}

/// The commands that `verify-proofs` names for checking its proofs by hand, with whether it holds them to be proven.
fn by_hand(root: &Path) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["verify-proofs", "--format", "json"])
        .current_dir(root)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let versions = report["versions"].as_array().unwrap();
    let proofs = versions
        .iter()
        .flat_map(|version| version["proofs"].as_array().unwrap());
    proofs
        .flat_map(|proof| proof["by_hand"].as_array().unwrap())
        .map(|command| command.as_str().unwrap().to_owned())
        .filter(|command| command.starts_with("openssl "))
        .collect()
}

fn run(root: &Path, command: &str) -> bool {
    let mut words = command.split(' ');
    let output = Command::new(words.next().unwrap())
        .args(words)
        .current_dir(root)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).contains("Verification: OK")
}

#[test]
fn openssl_agrees_on_what_is_stamped() {
    if !openssl_is_here() {
        eprintln!("skipped: openssl is not installed");
        return;
    }
    let tree = Tree::new();
    let commands = by_hand(&tree.path(""));
    assert_eq!(commands.len(), 3);
    for command in &commands {
        assert!(
            run(&tree.path(""), command),
            "openssl refuses what we take: {command}"
        );
    }
    // And on what is not: the same commands after one byte of each stamped file was changed.
    for file in [
        "spec/0.2/text.md",
        "proof/0.2/SHA256SUMS",
        "proof/0.2-rc.1/SHA256SUMS",
    ] {
        let mut bytes = tree.read(file);
        bytes[0] ^= 1;
        tree.write(file, bytes);
    }
    for command in &commands {
        assert!(
            !run(&tree.path(""), command),
            "openssl takes what we refuse: {command}"
        );
    }
    assert_eq!(tree.verify(&[]).1, 1);

    let repository: PathBuf = [env!("CARGO_MANIFEST_DIR"), ".."].iter().collect();
    let tokens = stamped(&repository.join("proof"));
    let commands = by_hand(&repository);
    assert_eq!(
        commands.len(),
        tokens,
        "every token of the repository is proven"
    );
    for command in &commands {
        assert!(
            run(&repository, command),
            "openssl refuses what we take: {command}"
        );
    }
}

/// How many tokens lie below a folder.
fn stamped(folder: &Path) -> usize {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .map(|path| match path.is_dir() {
            true => stamped(&path),
            false => usize::from(path.extension().is_some_and(|extension| extension == "tsr")),
        })
        .sum()
}
