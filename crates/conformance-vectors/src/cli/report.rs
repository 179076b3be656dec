//! What a run showed, for people and for programs.

mod difference;
mod human;
mod json;
mod junit;

use command_console::{Outcome, visible};
use conformance_vectors::run::{Outcome as Found, Run};
use conformance_vectors::{Judgement, Level, Mismatch, Reasons, Vector, Verdict};
use serde::Serialize;

use super::expected::ExpectedFailures;
use super::select::Vectors;
use difference::{difference, shown};

/// What became of a vector, the list of expected failures taken into account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    Passed,
    Failed,
    FailedAsListed,
    PassedThoughListed,
    Skipped,
    NotRun,
}

/// A run with all that a report says of it.
pub(super) struct Report<'r> {
    vectors: &'r Vectors,
    rows: Vec<Row<'r>>,
    reasons: Reasons,
    stopped: bool,
    /// The program and its arguments.
    command: Vec<String>,
}

/// A vector in a report.
struct Row<'r> {
    vector: &'r Vector,
    found: &'r Found,
    status: Status,
}

/// How many vectors have each status.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Count {
    passed: usize,
    failed: usize,
    failed_as_listed: usize,
    passed_though_listed: usize,
    skipped: usize,
    not_run: usize,
}

impl<'r> Report<'r> {
    pub(super) fn new(
        vectors: &'r Vectors,
        run: &'r Run<'r>,
        expected: &ExpectedFailures,
        reasons: Reasons,
        command: Vec<String>,
    ) -> Self {
        let rows = run.judged.iter().map(|judged| {
            let listed = expected.contains(&judged.vector.id);
            let status = match (&judged.outcome, listed) {
                (Found::Passed, false) => Status::Passed,
                (Found::Passed, true) => Status::PassedThoughListed,
                (Found::Unsupported, _) => Status::Skipped,
                (Found::NotRun, _) => Status::NotRun,
                (_, true) => Status::FailedAsListed,
                (_, false) => Status::Failed,
            };
            Row {
                vector: judged.vector,
                found: &judged.outcome,
                status,
            }
        });
        Self {
            vectors,
            rows: rows.collect(),
            reasons,
            stopped: run.stopped,
            command,
        }
    }

    /// A failure outweighs what was not run, and what was not run is never green.
    pub(super) fn outcome(&self) -> Outcome {
        let count = self.count(|_| true);
        if count.failed + count.passed_though_listed > 0 {
            Outcome::False
        } else if count.skipped + count.not_run > 0 {
            Outcome::Unknown
        } else {
            Outcome::True
        }
    }

    fn count(&self, of: impl Fn(&Row<'_>) -> bool) -> Count {
        let mut count = Count::default();
        for row in self.rows.iter().filter(|row| of(row)) {
            *match row.status {
                Status::Passed => &mut count.passed,
                Status::Failed => &mut count.failed,
                Status::FailedAsListed => &mut count.failed_as_listed,
                Status::PassedThoughListed => &mut count.passed_though_listed,
                Status::Skipped => &mut count.skipped,
                Status::NotRun => &mut count.not_run,
            } += 1;
        }
        count
    }

    /// The levels that occur, the strongest first.
    fn levels(&self) -> impl Iterator<Item = (Level, Count)> {
        [Level::Must, Level::Should, Level::May]
            .into_iter()
            .filter(|level| self.rows.iter().any(|row| row.vector.level == *level))
            .map(|level| (level, self.count(|row| row.vector.level == level)))
    }

    /// The command that shows one vector.
    fn show(&self, id: &str) -> String {
        self.vectors.command(["show", id])
    }

    /// The command that runs one vector again.
    fn rerun(&self, id: &str) -> String {
        let reasons: &[&str] = match self.reasons {
            Reasons::Check => &[],
            Reasons::Ignore => &["--reasons", "ignore"],
        };
        let words = [&["run"], reasons, &["--only", id, "--"]].concat();
        let program = self.command.iter().map(String::as_str);
        self.vectors.command(words.into_iter().chain(program))
    }
}

impl Row<'_> {
    /// The rule that decides.
    fn rule(&self) -> &str {
        self.vector.rules.first().map_or("", String::as_str)
    }

    /// What the vector asks for.
    fn expected(&self) -> String {
        let Vector {
            result,
            reason,
            output,
            ..
        } = self.vector;
        match (result, reason, output) {
            (Verdict::Valid, _, Some(output)) => format!("valid, output {}", shown(output)),
            (Verdict::Valid, _, None) => "valid".to_owned(),
            (Verdict::Invalid, Some(reason), _) => format!("invalid, reason {reason}"),
            (Verdict::Invalid, None, _) => "invalid".to_owned(),
        }
    }

    /// Where the output differs, if that is hard to see.
    fn difference(&self) -> Option<String> {
        match self.found {
            Found::Differs { found, .. } => {
                difference(self.vector.output.as_ref(), found.output.as_ref())
            }
            _ => None,
        }
    }

    /// What the program did, on one line.
    fn got(&self) -> String {
        match self.found {
            Found::Passed => self.expected(),
            Found::Differs { mismatch, found } => said(*mismatch, found),
            Found::Fault { fault, .. } => visible(&fault.to_string()),
            Found::Unsupported => "unsupported".to_owned(),
            _ => "not run".to_owned(),
        }
    }
}

/// A judgement on one line.
fn said(mismatch: Mismatch, found: &Judgement) -> String {
    match (mismatch, &found.reason, &found.output) {
        (Mismatch::OtherOutput, _, Some(output)) => {
            format!("{}, output {}", found.result, shown(output))
        }
        (Mismatch::OtherOutput, _, None) => format!("{}, no output", found.result),
        (Mismatch::Accepted, ..) => "valid".to_owned(),
        (_, Some(reason), _) => format!("invalid, reason {}", visible(reason)),
        (_, None, _) => "invalid, no reason".to_owned(),
    }
}
