//! `list`, `show`, and what cannot be run.

use std::process::{Command, Stdio};

use insta::assert_snapshot;

use super::suite::{Folder, Test};

pub(super) const TESTS: &[Test] = &[
    ("list_shows_id_verdict_and_rule", list),
    ("list_selects_by_rule_and_id", list_selects),
    ("show_takes_a_token_apart", show),
    ("show_sets_a_vector_beside_its_base", show_beside),
    ("the_embedded_vectors_can_be_listed_and_shown", embedded),
    ("what_cannot_be_run_says_why", what_cannot_be_run),
    (
        "a_command_line_that_is_wrong_ends_with_2",
        a_wrong_command_line,
    ),
    ("no_shell_is_used", no_shell),
    ("help_is_complete", help),
    ("a_closed_pipe_ends_quietly", a_closed_pipe),
];

fn vectors<'a>(folder: &'a str, arguments: &[&'a str]) -> Vec<&'a str> {
    let (command, rest) = arguments.split_first().expect("a command");
    [&[*command, "--vectors", folder], rest].concat()
}

fn list() {
    let folder = Folder::new();
    let path = folder.path().display().to_string();
    assert_snapshot!(folder.command(&vectors(&path, &["list"])).all());
    let ran = folder.command(&vectors(&path, &["list", "--format", "json"]));
    assert_eq!(
        ran.json("conformance-list").as_array().map(Vec::len),
        Some(4)
    );
}

fn list_selects() {
    let folder = Folder::new();
    let path = folder.path().display().to_string();
    for (only, lines) in [
        (&["token"][..], 2),
        (&["token.exp"], 2),
        (&["token-expired"], 1),
        (&["text.white-space"], 1),
        (&["text"], 2),
        (&["text", "token-expired"], 3),
    ] {
        let flags: Vec<&str> = only.iter().flat_map(|only| ["--only", only]).collect();
        let ran = folder.command(&vectors(&path, &[&["list"][..], &flags].concat()));
        assert_eq!(ran.out.lines().count(), lines, "{only:?}: {ran:?}");
    }
    assert_snapshot!(
        folder
            .command(&vectors(&path, &["list", "--only", "token.ex"]))
            .all()
    );
}

fn show() {
    let folder = Folder::new();
    let path = folder.path().display().to_string();
    assert_snapshot!(
        "show_alone",
        folder
            .command(&vectors(&path, &["show", "token-in-time"]))
            .all()
    );
    let ran = folder.command(&vectors(&path, &["show", "names-origin-slash"]));
    assert_snapshot!("show_bytes", ran.all());
    let ran = folder.command(&vectors(&path, &["show", "request-long"]));
    assert!(ran.out.contains("… (100004 characters)"), "{}", ran.out);
}

fn show_beside() {
    let folder = Folder::new();
    let path = folder.path().display().to_string();
    assert_snapshot!(
        folder
            .command(&vectors(&path, &["show", "token-expired"]))
            .all()
    );
    let ran = folder.command(&vectors(
        &path,
        &["show", "token-expired", "--format", "json"],
    ));
    let shown = ran.json("conformance-show");
    assert_eq!(shown["base"]["id"], "token-in-time");
    assert_eq!(shown["parts"][1]["value"], "eyJhIjoxfQ.e30.AAE");
    assert_eq!(shown["parts"][4]["name"], "token signature");
    assert_eq!(shown["parts"][4]["value"], "0001");
}

fn embedded() {
    let folder = Folder::new();
    let listed = folder
        .command(&["list", "--format", "json"])
        .json("conformance-list");
    let ids = listed.as_array().expect("a list");
    assert!(!ids.is_empty());
    // A process for each of some two thousand would take minutes and show little more.
    for entry in ids.iter().step_by(50) {
        let id = entry["id"].as_str().expect("an id");
        folder
            .command(&["show", id, "--format", "json"])
            .json("conformance-show");
        let ran = folder.command(&["show", id]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let hidden = ran.out.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(hidden, None, "{id} is shown with an invisible character");
    }
}

fn what_cannot_be_run() {
    let folder = Folder::new();
    let path = folder.path().display().to_string();
    let unknown = folder.file("unknown.txt", "# a comment\ntoken-expird\n");
    let withdrawn = folder.file("withdrawn.txt", "names-wrong");
    let mut told = String::new();
    for arguments in [
        &["run", "--", "./no-such-program"][..],
        &["run", "--", "./no-such-program --adapter"],
        &["run", "--only", "token-exipred", "--", "cat"],
        &["run", "--expected-failures", "/no/such/file", "--", "cat"],
        &["run", "--expected-failures", &unknown, "--", "cat"],
        &["run", "--expected-failures", &withdrawn, "--", "cat"],
        &["show", "token-in-tim"],
        &["show", "nothing-of-this"],
    ] {
        let ran = folder.command(&vectors(&path, arguments));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        told += &ran.err;
    }
    let ran = folder.command(&["list", "--vectors", "/no/such/folder"]);
    assert_eq!(ran.code, Some(2));
    told += &ran.err;
    assert_snapshot!(told);
}

fn a_wrong_command_line() {
    let folder = Folder::new();
    for arguments in [
        &[][..],
        &["run"],
        &["run", "--"],
        &["run", "cat"],
        &["run", "--timeout", "0", "--", "cat"],
        &["run", "--timeout", "-1", "--", "cat"],
        &["run", "--timeout", "nan", "--", "cat"],
        &["run", "--timeout", "3601", "--", "cat"],
        &["run", "--reasons", "maybe", "--", "cat"],
        &["run", "--format", "xml", "--", "cat"],
        &["show"],
    ] {
        let ran = folder.command(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
    }
}

fn no_shell() {
    let folder = Folder::new();
    let canary = folder.path().join("canary");
    let line = format!("touch {}", canary.display());
    let ran = folder.command(&["run", "--", &line]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let echo = format!("$({line})");
    let one = ["run", "--only", "token.aud", "--timeout", "1"];
    let ran = folder.command(&[&one[..], &["--", "echo", &echo]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(!canary.exists(), "a shell was used");
}

fn help() {
    let folder = Folder::new();
    assert_snapshot!("help", folder.command(&["--help"]).out);
    assert_snapshot!("help_run", folder.command(&["run", "--help"]).out);
}

fn a_closed_pipe() {
    for arguments in [
        &["list", "--format", "json"][..],
        &["run", "--only", "token.aud", "--", "cat"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_conformance-vectors"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the runner");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(i32::from(arguments[0] == "run")));
    }
}
