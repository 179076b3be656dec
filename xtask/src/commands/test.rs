//! `test`: the whole test suite, with the names of what failed at its end, and one line that says how it went.

use std::fmt;
use std::ops::AddAssign;

use command_console::{Console, Diagnostic, Failure, Outcome};

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
    /// What has to succeed for the runner to work, and what that takes, in words.
    needs: (CommandLine, &'static str),
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
    let mut failed = Vec::new();
    let mut holds = true;
    for suite in suites(&repo) {
        let (probe, needed) = &suite.needs;
        if !probe.probe(repo.root()) {
            let message = format!("tests are skipped: {needed} is not here");
            let missing = Diagnostic::warning("tool-missing", message);
            console.talk(missing.fact("skipped", suite.line.to_string()));
            holds &= !args.no_skip;
            continue;
        }
        console.talk(format_args!("$ {}", suite.line));
        let mut counts = Counts::default();
        let status = suite.line.run_reading(repo.root(), console, &mut |line| {
            (suite.report)(&mut counts, line);
            failed.extend(failed_test(line).map(str::to_owned));
        })?;
        if !status.success() && counts.failed == 0 {
            let message = format!("`{}` failed and names no failed test: {status}", suite.line);
            console.talk(Diagnostic::error("runner", message));
        }
        holds &= status.success() && counts.failed == 0;
        total += counts;
    }
    for name in &failed {
        console.talk(format_args!("failed: {name}"));
    }
    console.data(total);
    Ok(Outcome::from_bool(holds && total.passed > 0))
}

/// The runners, one after the other. `cargo test` and not nextest: a process for each of some 2,000 small tests took
/// more than four times as long (140 CPU seconds against 32).
fn suites(repo: &Repo) -> Vec<Suite> {
    let cargo = Suite {
        line: CommandLine::new("cargo test --workspace --all-features --no-fail-fast"),
        report: of_libtest,
        needs: (CommandLine::new("cargo --version"), "cargo"),
    };
    let packages = CommandLine {
        words: vec![
            "python3",
            "-c",
            "import cryptography; from idna.uts46data import uts46data",
        ],
        ..CommandLine::default()
    };
    let differential = Suite {
        line: CommandLine::new("python3 -m unittest discover").in_folder("interop/differential"),
        report: of_unittest,
        needs: (packages, "python3 with cryptography and idna"),
    };
    // Its resolver is judged by the checker, which the tests before it have built beside this program.
    let checker = format!(
        "capability-resolution-check{}",
        std::env::consts::EXE_SUFFIX
    );
    let own = std::env::current_exe().unwrap_or_default();
    let python = Suite {
        line: differential
            .line
            .clone()
            .in_folder("interop/python")
            .with("CHECKER", own.with_file_name(checker).display().to_string()),
        needs: differential.needs.clone(),
        ..differential
    };
    let node = Suite {
        line: CommandLine::new("node --test --test-reporter=tap").in_folder("interop/node"),
        report: of_tap,
        needs: (CommandLine::new("node --version"), "node"),
    };
    let go = Suite {
        line: CommandLine::new("env GO111MODULE=off GOPATH=/usr/share/gocode go test -v .")
            .in_folder("interop/go"),
        report: of_go,
        needs: (
            CommandLine::new(
                "env GO111MODULE=off GOPATH=/usr/share/gocode go list golang.org/x/net/idna golang.org/x/text/unicode/norm",
            ),
            "go with Debian's golang.org/x/net and golang.org/x/text",
        ),
    };
    let is_there = |suite: &Suite| repo.path(suite.line.folder).is_dir();
    [cargo, python, differential, node, go]
        .into_iter()
        .filter(is_there)
        .collect()
}

/// The test that failed by a line of any of the runners. Parts of tests, whose lines are indented, are left out.
fn failed_test(line: &str) -> Option<&str> {
    let libtest = line
        .strip_prefix("test ")
        .and_then(|rest| rest.strip_suffix(" ... FAILED"));
    libtest
        .or_else(|| line.strip_prefix("--- FAIL: "))
        .or_else(|| line.strip_prefix("FAIL: "))
        .or_else(|| line.strip_prefix("ERROR: "))
        .or_else(|| line.strip_prefix("not ok "))
        .map(str::trim)
}

/// `test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.04s`
fn of_libtest(counts: &mut Counts, line: &str) {
    let result = line.trim().strip_prefix("test result: ");
    let Some((_, parts)) = result.and_then(|result| result.split_once(". ")) else {
        return;
    };
    for (number, word) in parts.split("; ").filter_map(|part| part.split_once(' ')) {
        let number = number.parse().unwrap_or(0);
        match word {
            "passed" => counts.passed += number,
            "failed" => counts.failed += number,
            "ignored" => counts.skipped += number,
            _ => {}
        }
    }
}

/// `Ran 5 tests in 0.005s`, then `OK`, `OK (skipped=1)` or `FAILED (failures=1, errors=1, skipped=1)`
fn of_unittest(counts: &mut Counts, line: &str) {
    if let Some(ran) = line.strip_prefix("Ran ") {
        let number = ran.split(' ').next().and_then(|number| number.parse().ok());
        counts.passed += number.unwrap_or(0);
        return;
    }
    let reasons = line
        .strip_prefix("OK (")
        .or_else(|| line.strip_prefix("FAILED ("));
    let reasons = reasons.unwrap_or_default().trim_end_matches(')');
    for (name, number) in reasons
        .split(", ")
        .filter_map(|reason| reason.split_once('='))
    {
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

/// `# pass 3`, `# fail 1`, `# cancelled 0`, `# skipped 2`
fn of_tap(counts: &mut Counts, line: &str) {
    let comment = line
        .strip_prefix("# ")
        .and_then(|line| line.split_once(' '));
    let Some((name, Ok(number))) = comment.map(|(name, number)| (name, number.parse::<usize>()))
    else {
        return;
    };
    match name {
        "pass" => counts.passed += number,
        "fail" | "cancelled" => counts.failed += number,
        "skipped" | "todo" => counts.skipped += number,
        _ => {}
    }
}

/// `--- PASS: TestName (0.00s)`, `--- FAIL: ...` or `--- SKIP: ...`; those of parts are indented
fn of_go(counts: &mut Counts, line: &str) {
    let verdict = line
        .strip_prefix("--- ")
        .and_then(|line| line.split_once(':'));
    match verdict.map(|(verdict, _)| verdict) {
        Some("PASS") => counts.passed += 1,
        Some("FAIL") => counts.failed += 1,
        Some("SKIP") => counts.skipped += 1,
        _ => {}
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
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
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
        let libtest = "running 3 tests\n\
                       test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 5 filtered out; finished in 0.04s\n\
                       test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(read(of_libtest, libtest), "13 passed, 2 failed, 1 skipped");
        let unittest = "Ran 5 tests in 0.005s\n\nOK\n";
        assert_eq!(read(of_unittest, unittest), "5 passed, 0 failed, 0 skipped");
        let unittest = "Ran 9 tests in 0.005s\n\nFAILED (failures=1, errors=2, skipped=3, expected failures=1)\n";
        assert_eq!(read(of_unittest, unittest), "3 passed, 3 failed, 3 skipped");
        let tap = "# a note\n# tests 7\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 2\n# duration_ms 3.5\n";
        assert_eq!(read(of_tap, tap), "3 passed, 2 failed, 2 skipped");
        let go = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- FAIL: TestB/part (0.00s)\n--- FAIL: TestB (0.00s)\n\
                  --- SKIP: TestC (0.00s)\n--- PASS: TestD (0.00s)\nFAIL\nok  \tx\t5.4s\n";
        assert_eq!(read(of_go, go), "2 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn what_failed_is_named() {
        for (line, name) in [
            ("test a::b ... FAILED", Some("a::b")),
            (
                "test README.md:15 cargo run     ... FAILED",
                Some("README.md:15 cargo run"),
            ),
            ("--- FAIL: TestB (0.00s)", Some("TestB (0.00s)")),
            (
                "ERROR: test_a (test_a.A.test_a)",
                Some("test_a (test_a.A.test_a)"),
            ),
            ("not ok 3 - reads a token", Some("3 - reads a token")),
            ("test a::b ... ok", None),
            ("test result: FAILED. 1 passed; 2 failed", None),
            ("    --- FAIL: TestB/part (0.00s)", None),
            ("FAIL", None),
            ("ok 3 - reads a token", None),
        ] {
            assert_eq!(failed_test(line), name, "{line}");
        }
    }

    #[test]
    fn the_python_resolver_is_judged_by_the_checker_of_this_build() {
        let directory = tempfile::tempdir().unwrap();
        for folder in ["spec", "proof", "interop/python"] {
            std::fs::create_dir_all(directory.path().join(folder)).unwrap();
        }
        let repo = Repo::find_from(directory.path()).unwrap();
        let suites = suites(&repo);
        let (name, checker) = suites[1].line.variable.as_ref().unwrap();
        assert_eq!(*name, "CHECKER");
        let own = std::env::current_exe().unwrap();
        let checker = std::path::Path::new(checker);
        assert_eq!(checker.parent(), own.parent());
        assert_eq!(checker.file_stem().unwrap(), "capability-resolution-check");
    }

    #[test]
    fn programs_under_interop_are_tested_where_they_are() {
        let directory = tempfile::tempdir().unwrap();
        for folder in ["spec", "proof", "interop/node"] {
            std::fs::create_dir_all(directory.path().join(folder)).unwrap();
        }
        let repo = Repo::find_from(directory.path()).unwrap();
        let lines: Vec<_> = suites(&repo)
            .iter()
            .map(|suite| suite.line.to_string())
            .collect();
        let expected = [
            "cargo test --workspace --all-features --no-fail-fast",
            "cd interop/node && node --test --test-reporter=tap",
        ];
        assert_eq!(lines, expected);
    }
}
