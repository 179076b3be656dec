//! `test`: the whole test suite, with one line at the end that says how it went.

use std::fmt;
use std::ops::AddAssign;

use crate::console::Console;
use crate::diagnostic::Diagnostic;
use crate::outcome::{Failure, Outcome};
use crate::process::CommandLine;
use crate::repo::Repo;

/// Runs every test: of the workspace with all features, and of the programs under interop.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask test             what a missing tool keeps from running is skipped and said
  cargo xtask test --no-skip   a missing tool is a failure, as in CI")]
pub struct Args {
    /// Fail where a tool is missing instead of skipping its tests.
    #[arg(long)]
    pub no_skip: bool,
}

/// A test runner and how it reports.
struct Suite {
    line: CommandLine,
    report: Report,
}

/// Adds what a line of output says.
type Report = fn(&mut Counts, &str);

/// How many tests passed, failed and were skipped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// Runs the command: true if at least one test ran, none failed, and every runner said so.
///
/// # Errors
/// If a runner cannot be started.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    let mut total = Counts::default();
    let mut holds = true;
    for suite in suites(&repo) {
        let tool = suite.line.program();
        if !is_installed(tool, &repo) {
            let skipped = Diagnostic::warning(
                "tool-missing",
                format!("{tool} is not installed: its tests are skipped"),
            );
            console.talk(skipped.fact("skipped", suite.line.to_string()));
            holds &= !args.no_skip;
            continue;
        }
        console.talk(format_args!("$ {}", suite.line));
        let mut counts = Counts::default();
        let succeeded = suite.line.run_reading(repo.root(), console, &mut |line| {
            (suite.report)(&mut counts, line);
        })?;
        if !succeeded && counts.failed == 0 {
            console.talk(Diagnostic::error(
                "runner",
                format!("`{}` failed before its tests did", suite.line),
            ));
        }
        holds &= succeeded && counts.failed == 0;
        total += counts;
    }
    console.data(total);
    Ok(Outcome::from_bool(holds && total.passed > 0))
}

fn is_installed(tool: &'static str, repo: &Repo) -> bool {
    CommandLine {
        words: vec![tool, "--version"],
        ..CommandLine::new(tool)
    }
    .probe(repo.root())
}

fn suites(repo: &Repo) -> Vec<Suite> {
    let cargo = |words| Suite {
        line: CommandLine::new(words),
        report: of_libtest,
    };
    let mut suites = if CommandLine::new("cargo nextest --version").probe(repo.root()) {
        let line = CommandLine::new("cargo nextest run --workspace --all-features --no-fail-fast");
        vec![
            Suite {
                line,
                report: of_nextest,
            },
            cargo("cargo test --workspace --all-features --doc --no-fail-fast"),
        ]
    } else {
        vec![cargo(
            "cargo test --workspace --all-features --no-fail-fast",
        )]
    };
    let interop: [(_, _, Report); 2] = [
        (
            "interop/python",
            "python3 -m unittest discover",
            of_unittest,
        ),
        ("interop/node", "node --test --test-reporter=tap", of_tap),
    ];
    let there = interop
        .into_iter()
        .filter(|(folder, ..)| repo.path(folder).is_dir());
    suites.extend(there.map(|(folder, words, report)| Suite {
        line: CommandLine::new(words).in_folder(folder),
        report,
    }));
    suites
}

/// `test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.04s`
fn of_libtest(counts: &mut Counts, line: &str) {
    let result = line
        .trim()
        .strip_prefix("test result: ")
        .and_then(|result| result.split_once(". "));
    if let Some((_, result)) = result {
        counts.add_listed(result.split(';'));
    }
}

/// `Summary [   4.344s] 71 tests run: 70 passed (1 slow), 1 failed, 0 skipped`
fn of_nextest(counts: &mut Counts, line: &str) {
    let result = line
        .trim()
        .strip_prefix("Summary [")
        .and_then(|result| result.split_once("run: "));
    if let Some((_, result)) = result {
        counts.add_listed(result.split(','));
    }
}

/// `Ran 5 tests in 0.005s`, then `OK`, `OK (skipped=1)` or `FAILED (failures=1, errors=1, skipped=1)`
fn of_unittest(counts: &mut Counts, line: &str) {
    if let Some(ran) = line.strip_prefix("Ran ") {
        counts.passed += ran
            .split(' ')
            .next()
            .and_then(|number| number.parse().ok())
            .unwrap_or(0);
    } else if let Some(reasons) = line
        .strip_prefix("OK (")
        .or_else(|| line.strip_prefix("FAILED ("))
    {
        let reasons = reasons
            .trim_end_matches(')')
            .split(", ")
            .filter_map(|reason| reason.split_once('='));
        for (name, number) in reasons {
            let number = number.parse().unwrap_or(0);
            match name {
                "expected failures" => continue,
                "skipped" => counts.skipped += number,
                _ => counts.failed += number,
            }
            // Those that ran include these.
            counts.passed = counts.passed.saturating_sub(number);
        }
    }
}

/// `# pass 3`, `# fail 1`, `# cancelled 0`, `# skipped 2`
fn of_tap(counts: &mut Counts, line: &str) {
    let Some((name, number)) = line
        .strip_prefix("# ")
        .and_then(|line| line.split_once(' '))
    else {
        return;
    };
    let Ok(number) = number.parse::<usize>() else {
        return;
    };
    match name {
        "pass" => counts.passed += number,
        "fail" | "cancelled" => counts.failed += number,
        "skipped" | "todo" => counts.skipped += number,
        _ => {}
    }
}

impl Counts {
    /// Adds `12 passed`, `1 failed`, `0 ignored`; what is neither passed nor skipped has failed.
    fn add_listed<'a>(&mut self, parts: impl Iterator<Item = &'a str>) {
        for part in parts {
            let mut words = part.split_whitespace();
            let Some(number) = words.next().and_then(|word| word.parse::<usize>().ok()) else {
                continue;
            };
            match words.next().unwrap_or_default() {
                "passed" => self.passed += number,
                "ignored" | "skipped" => self.skipped += number,
                "measured" | "filtered" => {}
                _ => self.failed += number,
            }
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(report: Report, output: &str) -> String {
        let mut counts = Counts::default();
        output.lines().for_each(|line| report(&mut counts, line));
        counts.to_string()
    }

    #[test]
    fn every_runner_is_understood() {
        let libtest = "running 3 tests\ntest result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 5 filtered out; \
                       finished in 0.04s\ntest result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(read(of_libtest, libtest), "13 passed, 2 failed, 1 skipped");
        let nextest = "     Summary [   4.344s] 74 tests run: 70 passed (1 slow), 1 failed, 1 exec failed, 2 timed out, \
                       3 skipped\n";
        assert_eq!(read(of_nextest, nextest), "70 passed, 4 failed, 3 skipped");
        assert_eq!(
            read(of_unittest, "Ran 5 tests in 0.005s\n\nOK\n"),
            "5 passed, 0 failed, 0 skipped"
        );
        let unittest = "Ran 9 tests in 0.005s\n\nFAILED (failures=1, errors=2, skipped=3, expected failures=1)\n";
        assert_eq!(read(of_unittest, unittest), "3 passed, 3 failed, 3 skipped");
        let tap = "# a note\n# tests 7\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 2\n# duration_ms 3.5\n";
        assert_eq!(read(of_tap, tap), "3 passed, 2 failed, 2 skipped");
    }

    #[test]
    fn programs_under_interop_are_tested_where_they_are() {
        let directory = tempfile::tempdir().unwrap();
        for folder in ["spec", "proof", "interop/node"] {
            std::fs::create_dir_all(directory.path().join(folder)).unwrap();
        }
        let lines: Vec<_> = suites(&Repo::find_from(directory.path()).unwrap())
            .iter()
            .map(|s| s.line.to_string())
            .collect();
        assert!(lines[0].starts_with("cargo "), "{lines:?}");
        assert_eq!(
            lines.last().unwrap(),
            "cd interop/node && node --test --test-reporter=tap"
        );
    }
}
