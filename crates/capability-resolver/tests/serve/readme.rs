//! The commands that the operator's page shows, run in one shell, one after the other.

use std::process::{Command, Stdio};

#[test]
#[allow(clippy::print_stderr, reason = "what is skipped is told")]
fn the_commands_of_the_readme_do_what_it_says() {
    let has = Command::new("curl")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if !has.is_ok_and(|status| status.success()) {
        eprintln!("skipped: curl is not there");
        return;
    }
    // A port that is free in place of the one that is shown.
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let text = include_str!("../../README.md").replace("127.0.0.1:8420", &free.to_string());
    let (mut script, mut expected, mut inside) = (String::from("set -eum\n"), Vec::new(), false);
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            script.push_str(command);
            // `wait` ends with the status of what was ended.
            script.push_str(if command == "wait" {
                " || true\n"
            } else {
                "\n"
            });
        } else if inside && line != "..." {
            expected.push(line.to_owned());
        }
    }
    assert!(script.lines().count() > 8 && expected.len() > 3, "{script}");
    let folder = tempfile::tempdir().unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_capability-resolver"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let ran = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let out = String::from_utf8(ran.stdout).unwrap();
    let err = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.success(), "{script}{out}{err}");
    let mut rest = out.as_str();
    for line in expected {
        let at = rest
            .find(&line)
            .unwrap_or_else(|| panic!("{line:?} is not next in {out}{err}"));
        rest = &rest[at + line.len()..];
    }
}
