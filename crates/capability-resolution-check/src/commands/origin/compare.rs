//! What changed since an earlier report.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::error::CheckError;
use crate::input;
use crate::origin::{Outcome, Report};

/// The largest report that is read, in bytes.
const REPORT_MAX_BYTES: usize = 4 << 20;

/// How each check came out, by its id.
pub(crate) type Outcomes = BTreeMap<String, Outcome>;

/// A check that came out otherwise than before. A check that one of the reports does not have has no outcome there.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Change {
    pub(crate) id: String,
    pub(crate) before: Option<Outcome>,
    pub(crate) after: Option<Outcome>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |outcome: Option<Outcome>| outcome.map_or("not checked", Outcome::word);
        write!(
            f,
            "{}  {}, before: {}",
            self.id,
            word(self.after),
            word(self.before)
        )
    }
}

/// The outcomes in a report of `--format json`.
pub(crate) fn read(path: &Path) -> Result<Outcomes, CheckError> {
    let file = input::file(path, REPORT_MAX_BYTES)?;
    let no_report = |why: &str| CheckError::Report {
        path: path.display().to_string(),
        why: why.to_owned(),
    };
    let report: Value =
        serde_json::from_slice(&file.bytes).map_err(|why| no_report(&why.to_string()))?;
    let checks = report.get("checks").and_then(Value::as_array);
    let checks = checks.ok_or_else(|| no_report("it has no array checks"))?;
    let outcome = |check: &Value| {
        let text = |name: &str| check.get(name).and_then(Value::as_str);
        Some((
            text("id")?.to_owned(),
            Outcome::from_word(text("outcome")?)?,
        ))
    };
    let read: Option<Outcomes> = checks.iter().map(outcome).collect();
    read.ok_or_else(|| no_report("a check has no id and outcome"))
}

/// The outcomes in a report.
pub(crate) fn outcomes(report: &Report) -> Outcomes {
    let outcomes = report
        .judged
        .iter()
        .map(|judged| (judged.check.id(), judged.outcome));
    outcomes.collect()
}

/// What differs, in the order of the ids.
pub(crate) fn changes(before: &Outcomes, report: &Report) -> Vec<Change> {
    let after = outcomes(report);
    // What was not chosen this time has not changed.
    let before_all = before
        .keys()
        .filter(|id| report.is_whole || after.contains_key(*id));
    let mut ids: Vec<&String> = before_all.chain(after.keys()).collect();
    ids.sort();
    ids.dedup();
    let change = |id: &String| Change {
        id: id.clone(),
        before: before.get(id).copied(),
        after: after.get(id).copied(),
    };
    let changes = ids.into_iter().map(change);
    changes
        .filter(|change| change.before != change.after)
        .collect()
}
