//! The report for programs: docs/schema/conformance-run.schema.json.

use std::collections::BTreeMap;

use conformance_vectors::run::Outcome as Found;
use conformance_vectors::{Judgement, Level, Operation, Reasons, Verdict};
use serde::Serialize;
use serde_json::Value;

use super::super::sections::section_number;
use super::{Count, Report, Row, Status};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct JsonReport<'r> {
    version: &'r str,
    vectors: &'r str,
    reasons: Reasons,
    /// Whether too many faults in a row ended the run early.
    stopped: bool,
    number_of_tests: usize,
    summary: Count,
    levels: BTreeMap<&'static str, Count>,
    tests: Vec<Test<'r>>,
}

#[derive(Serialize)]
struct Test<'r> {
    id: &'r str,
    status: Status,
    rules: &'r [String],
    section: Option<&'static str>,
    level: Level,
    operation: Operation,
    place: &'r str,
    expected: Expected<'r>,
    found: Option<&'r Judgement>,
    problem: Option<Problem<'r>>,
    rerun: String,
}

#[derive(Serialize)]
struct Expected<'r> {
    result: Verdict,
    reason: Option<&'r str>,
    output: Option<&'r BTreeMap<String, Value>>,
}

/// Why the status is not `passed`, where the program is to blame.
#[derive(Serialize)]
struct Problem<'r> {
    code: &'static str,
    message: String,
    line: Option<&'r str>,
    stderr: &'r [String],
}

impl Report<'_> {
    pub(in super::super) fn json(&self) -> JsonReport<'_> {
        JsonReport {
            version: self.vectors.version(),
            vectors: self.vectors.folder(),
            reasons: self.reasons,
            stopped: self.stopped,
            number_of_tests: self.rows.len(),
            summary: self.count(|_| true),
            levels: self
                .levels()
                .map(|(level, count)| (level.as_str(), count))
                .collect(),
            tests: self.rows.iter().map(|row| self.test(row)).collect(),
        }
    }

    fn test<'r>(&'r self, row: &'r Row<'r>) -> Test<'r> {
        let vector = row.vector;
        Test {
            id: &vector.id,
            status: row.status,
            rules: &vector.rules,
            section: section_number(row.rule()),
            level: vector.level,
            operation: vector.operation,
            place: self.vectors.place(&vector.id),
            expected: Expected {
                result: vector.result,
                reason: vector.reason.as_deref(),
                output: vector.output.as_ref(),
            },
            found: match row.found {
                Found::Differs { found, .. } => Some(found),
                _ => None,
            },
            problem: problem(row),
            rerun: self.rerun(&vector.id),
        }
    }
}

fn problem<'r>(row: &'r Row<'r>) -> Option<Problem<'r>> {
    let (code, message, line, stderr): (_, _, _, &[String]) = match row.found {
        Found::Differs { mismatch, .. } => (mismatch.code(), mismatch.to_string(), None, &[]),
        Found::Fault { fault, stderr } => (fault.code(), fault.to_string(), fault.line(), stderr),
        _ if row.status == Status::PassedThoughListed => (
            "passed-though-listed",
            "it passed and is listed as a failure".to_owned(),
            None,
            &[],
        ),
        _ => return None,
    };
    Some(Problem {
        code,
        message,
        line,
        stderr,
    })
}
