//! The frozen versions, pinned a second time. `verify-proofs` notices a file that no longer is what `SHA256SUMS` lists;
//! whoever changes the list with the file, and stamps both anew, is noticed here.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

/// The SHA-256 digest of each version's `SHA256SUMS`. A new version adds a line; no line ever changes.
const PINNED: &[(&str, &str)] = &[
    (
        "0.2-rc.1",
        "17abb03d90899f7bab102ef9dd63741de623dcda839ee4880fbcbadd5cbbe4ee",
    ),
    (
        "0.2-rc.2",
        "b5526ada58536230e0fdc59d87cfa9727a12a66e2866edd0ef13087ca7a7c499",
    ),
    (
        "0.2",
        "9f63b36a01334a14baef0aecea7e76567fa843947e81ed0307df1b10f264c0a7",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_version_is_pinned_and_its_manifest_is_what_it_was() {
    let mut found: Vec<_> = std::fs::read_dir(root().join("proof"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter_map(|entry| {
            let sums = std::fs::read(entry.path().join("SHA256SUMS")).ok()?;
            let version = entry.file_name().into_string().unwrap();
            Some((
                version,
                base16ct::lower::encode_string(&Sha256::digest(sums)),
            ))
        })
        .collect();
    found.sort();
    let mut pinned: Vec<_> = PINNED
        .iter()
        .map(|(version, digest)| ((*version).to_owned(), (*digest).to_owned()))
        .collect();
    pinned.sort();
    assert_eq!(
        found, pinned,
        "left what is there, right what was frozen: a frozen file is never edited, a new version adds its line"
    );
}

/// What was frozen was added once, and no later commit touched it. A shallow clone shows the commits that it has.
#[test]
fn no_commit_has_changed_what_was_frozen() {
    let mut git = Command::new("git");
    git.current_dir(root()).args([
        "log",
        "--diff-filter=a",
        "--format=commit %h",
        "--name-status",
        "--",
    ]);
    for (version, _) in PINNED {
        git.arg(format!("spec/{version}"));
        git.arg(format!("test-vectors/{version}"));
        git.arg(format!("proof/{version}/SHA256SUMS"));
    }
    // Without git, or outside of its work tree, there is no history to ask.
    let Ok(output) = git.output() else {
        eprintln!("skipped: git is not here");
        return;
    };
    if !output.status.success() {
        eprintln!("skipped: git shows no history here");
        return;
    }
    let touched = String::from_utf8_lossy(&output.stdout);
    assert!(touched.is_empty(), "frozen files were changed:\n{touched}");
}
