//! What the README of the repository shows of the client.

use std::fs;
use std::path::Path;

use crate::common::Home;

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The lines of a fenced block.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1);
    blocks
        .filter_map(|block| Some(block.split_once("```")?.0.to_owned()))
        .collect()
}

/// The code is that of the crate's documentation, where it is run.
#[test]
fn the_three_lines_are_those_that_are_run() {
    let run: String = text("src/lib.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//! "))
        .filter(|line| !line.starts_with("# "))
        .map(|line| format!("{line}\n"))
        .collect();
    let shown = blocks(&text("../../README.md"), "rust");
    assert_eq!(shown.len(), 1);
    assert!(run.contains(&shown[0]), "{}", shown[0]);
}

/// The commands are run as they stand, but for the one that asks a resolver that is nobody's.
#[test]
fn the_commands_do_what_they_say() {
    let home = Home::new();
    let mut ran = 0;
    for line in blocks(&text("../../README.md"), "sh")
        .iter()
        .flat_map(|block| block.lines())
    {
        let Some(words) = line.strip_prefix("capability-resolver-client ") else {
            continue;
        };
        let mut words: Vec<&str> = words
            .split('\'')
            .enumerate()
            .flat_map(|(at, piece)| match at % 2 {
                0 => piece.split_whitespace().collect(),
                _ => vec![piece],
            })
            .collect();
        if words[0] == "resolve" {
            words.push("--help");
        }
        let done = home.run(&words);
        assert_eq!(done.code, Some(0), "{line}: {done:?}");
        ran += 1;
    }
    assert_eq!(ran, 3);
    assert!(
        home.run(&["resolvers", "list"])
            .out
            .contains("https://resolver.example")
    );
}
