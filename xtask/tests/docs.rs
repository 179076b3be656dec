//! Runs every command that the documents show, and compares every block of output with what is printed.
//!
//! In a fenced block of the language `console`, a line that starts with `$ ` is a command, run by `sh` from the root of
//! the repository; the lines up to the next one are its output, standard output before standard error. `...` alone on
//! a line stands for any lines, `[..]` inside of a line for any text. `$ cmd  # exit 1` expects that exit code. What cargo
//! says of itself while it builds is left out.
//!
//! What the newest section of the changelog counts is counted again.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

/// The documents whose commands are run.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "proof/README.md",
    "test-vectors/README.md",
];

/// Commands that are shown and not run here, each with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo xtask test", "runs this test"),
    ("cargo xtask ci", "runs this test"),
];

/// Parts of commands that need more than this repository holds, with what tells whether it is there.
const NEEDS: &[(&str, &[&str])] = &[(
    "python3 interop/python/main.py",
    &[
        "python3",
        "-c",
        "import cryptography; from idna.uts46data import uts46data",
    ],
)];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the repository")
        .to_owned();
    let trials = DOCUMENTS
        .iter()
        .flat_map(|document| trials(&root, document))
        .chain([
            Trial::test("a number that is not so is found", numbers_are_compared),
            Trial::test("CHANGELOG.md counts right", {
                let root = root.clone();
                move || changelog(&root)
            }),
        ]);
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

#[expect(clippy::print_stderr, reason = "what is skipped is told")]
fn trials(root: &Path, document: &str) -> Vec<Trial> {
    let text = std::fs::read_to_string(root.join(document)).expect("a document is readable");
    let examples = examples(&text);
    let run = |example: &Example| {
        !NOT_RUN
            .iter()
            .any(|(start, _)| example.command.starts_with(start.trim_end()))
    };
    examples
        .into_iter()
        .filter(run)
        .map(|example| {
            let (name, root) = (
                format!("{document}:{} {}", example.line, example.command),
                root.to_owned(),
            );
            let missing = missing(&example.command);
            if let Some(probe) = &missing {
                eprintln!("skipped: {name}: `{probe}` fails");
            }
            Trial::test(name, move || check(&root, &example)).with_ignored_flag(missing.is_some())
        })
        .collect()
}

/// What a command needs and does not find here.
fn missing(command: &str) -> Option<String> {
    let needed = NEEDS.iter().filter(|(part, _)| command.contains(part));
    needed.map(|(_, probe)| probe).find_map(|probe| {
        let found = Command::new(probe[0]).args(&probe[1..]).output();
        let is_there = found.is_ok_and(|done| done.status.success());
        (!is_there).then(|| probe.join(" "))
    })
}

/// A command that a document shows, with what it is said to print.
#[derive(Debug, PartialEq)]
struct Example {
    line: usize,
    command: String,
    exit: i32,
    output: Vec<String>,
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut in_console = false;
    for (at, line) in text.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(language) => in_console = language == "console",
            None if !in_console => {}
            None => match line.trim_start().strip_prefix("$ ") {
                Some(command) => {
                    let (command, exit) = command.split_once("  # exit ").unwrap_or((command, "0"));
                    let exit = exit.trim().parse().expect("an exit code");
                    examples.push(Example {
                        line: at + 1,
                        command: command.trim().to_owned(),
                        exit,
                        output: Vec::new(),
                    });
                }
                None => examples
                    .last_mut()
                    .expect("a block starts with a command")
                    .output
                    .push(line.to_owned()),
            },
        }
    }
    examples
}

fn check(root: &PathBuf, example: &Example) -> Result<(), Failed> {
    // A folder of their own: what these commands build with fewer features must not take the place of the programs
    // that other tests run. What lies below these programs is shared, and so compiled once.
    let built = std::env::current_exe()?;
    let built = built.ancestors().nth(3).unwrap_or(root);
    let done = Command::new("sh")
        .arg("-c")
        .arg(&example.command)
        .current_dir(root)
        .env("NO_COLOR", "1")
        .env("CARGO_TARGET_DIR", root.join("target/docs"))
        .env("CARGO_BUILD_BUILD_DIR", built)
        .env("CARGO_TERM_QUIET", "true")
        .output()?;
    let printed = format!(
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    let found: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let shown: Vec<&str> = example.output.iter().map(|line| line.trim_end()).collect();
    if done.status.code() != Some(example.exit) {
        return Err(format!(
            "exit {:?} and not {}:\n{printed}",
            done.status.code(),
            example.exit
        )
        .into());
    }
    // A command that is shown without output promises none.
    if shown.is_empty() || matches(&shown, &found) {
        Ok(())
    } else {
        Err(format!("printed:\n{printed}").into())
    }
}

/// Whether lines fit a pattern in which `...` stands for any lines.
fn matches(pattern: &[&str], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, more)| line_matches(first, line) && matches(rest, more)),
    }
}

/// Whether a line fits a pattern in which `[..]` stands for any text.
fn line_matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| line_matches(after, &rest[at..]))
        }),
    }
}

/// Older sections say how many there were.
fn changelog(root: &Path) -> Result<(), Failed> {
    let read = |path: &str| std::fs::read_to_string(root.join(path));
    let checks: Vec<serde_json::Value> = serde_json::from_str(&read("docs/checks.json")?)?;
    let matrix = read("crates/capability-resolution-check/tests/origin/matrix.txt")?;
    let faults = matrix
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("none:"))
        .count();
    let counts = [("checks", checks.len()), ("faults", faults)];
    match wrong_numbers(&read("CHANGELOG.md")?, &counts).as_slice() {
        [] => Ok(()),
        wrong => Err(wrong.join("\n").into()),
    }
}

/// The numbers before these words in the newest section that are others.
fn wrong_numbers(changelog: &str, counts: &[(&str, usize)]) -> Vec<String> {
    let newest = changelog.split("\n## ").nth(1).unwrap_or_default();
    let words: Vec<&str> = newest.split_whitespace().collect();
    let pairs = words.windows(2).filter_map(|pair| {
        let word = pair[1].trim_end_matches(|c: char| !c.is_alphanumeric());
        let (_, count) = counts.iter().find(|(counted, _)| *counted == word)?;
        let stated: usize = pair[0].replace(',', "").parse().ok()?;
        (stated != *count).then(|| format!("CHANGELOG.md says {stated} {word}; there are {count}"))
    });
    pairs.collect()
}

fn numbers_are_compared() -> Result<(), Failed> {
    let said = |newest: &str| {
        let changelog = format!("# Changelog\n\n## 2\n\n{newest}\n\n## 1\n\n- 3 checks.\n");
        wrong_numbers(&changelog, &[("checks", 1_237), ("faults", 5)])
    };
    assert_eq!(
        said("- By 1,237 checks: all\n  of the checks, for 5\n  faults."),
        [""; 0]
    );
    assert_eq!(
        said("- 236 checks,\n  and 6\n  faults."),
        [
            "CHANGELOG.md says 236 checks; there are 1237",
            "CHANGELOG.md says 6 faults; there are 5"
        ]
    );
    Ok(())
}
