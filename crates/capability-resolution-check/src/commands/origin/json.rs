//! The report for programs: docs/schema/check-origin.schema.json.

use serde::Serialize;

use super::Run;
use super::compare::Change;
use crate::origin::{Group, Judged, Level, Outcome, Standing};

#[derive(Serialize)]
pub(super) struct Answer<'r> {
    origin: &'r str,
    level: &'static str,
    /// Absent (null) where not every check was made.
    verdict: Option<Standing>,
    at: String,
    sample_need: &'r str,
    requests: usize,
    took_ms: u128,
    counts: Counts,
    checks: Vec<JsonCheck<'r>>,
    changes: Option<&'r [Change]>,
}

#[derive(Serialize)]
struct Counts {
    passed: usize,
    failed: usize,
    could_not_tell: usize,
    not_applicable: usize,
}

#[derive(Serialize)]
struct JsonCheck<'r> {
    id: String,
    rule: &'static str,
    section: &'static str,
    level: Level,
    group: Group,
    outcome: Outcome,
    expected: &'r str,
    /// What was seen, or why it could not be told or does not apply.
    seen: Option<&'r str>,
    mend: Option<&'r str>,
}

pub(super) fn json(run: &Run) -> Answer<'_> {
    let report = &run.report;
    Answer {
        origin: run.recording.issuer.as_str(),
        level: "resolver-1",
        verdict: report.is_whole.then(|| report.standing()),
        at: run.at.to_string(),
        sample_need: &run.recording.need,
        requests: run.recording.requests,
        took_ms: run.recording.took.as_millis(),
        counts: Counts {
            passed: report.count(Outcome::Passed),
            failed: report.count(Outcome::Failed),
            could_not_tell: report.count(Outcome::CouldNotTell),
            not_applicable: report.count(Outcome::NotApplicable),
        },
        checks: report.judged.iter().map(check).collect(),
        changes: run.changes.as_deref(),
    }
}

fn check(judged: &Judged) -> JsonCheck<'_> {
    let check = &judged.check;
    JsonCheck {
        id: check.id(),
        rule: check.rule.id,
        section: check.rule.section,
        level: check.rule.level,
        group: check.group,
        outcome: judged.outcome,
        expected: &check.expected,
        seen: Some(judged.seen.as_str()).filter(|seen| !seen.is_empty()),
        mend: (judged.outcome == Outcome::Failed).then_some(&*check.mend),
    }
}
