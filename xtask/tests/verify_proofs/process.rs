//! The command as a process: it finds the repository, and its exit code is the documented one.

use std::process::Command;

use crate::tree::Tree;

#[test]
fn the_repository_is_found_from_a_folder_inside() {
    let tree = Tree::new();
    let verify = || {
        let command = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .arg("verify-proofs")
            .current_dir(tree.path("spec/draft"))
            .output();
        let output = command.unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let (code, text) = verify();
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains('\u{1b}'), "no colour in a pipe");
    tree.edit("spec/0.2/text.md", "two lines", "ten lines");
    assert_eq!(verify().0, Some(1));
}

#[test]
fn outside_a_repository_it_cannot_tell() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("verify-proofs")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error[not-in-repository]: "));
}
