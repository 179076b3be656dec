//! The report as JUnit XML. What could not be told is an error, never a pass.

use command_console::{Case, End, Junit};

use super::Run;
use crate::origin::{Judged, Outcome};

pub(super) fn junit(run: &Run) -> Junit {
    Junit {
        name: format!("resolver-1 {}", run.recording.issuer),
        properties: Vec::new(),
        cases: run.report.judged.iter().map(case).collect(),
    }
}

fn case(judged: &Judged) -> Case {
    let check = &judged.check;
    let seen = judged.seen.clone();
    Case {
        class: check.group.to_string(),
        name: check.id(),
        end: match judged.outcome {
            Outcome::Passed => End::Passed,
            Outcome::Failed => {
                let lines = vec![
                    format!("rule {} §{}", check.rule.id, check.rule.section),
                    format!("expected {}", check.expected),
                    format!("mend {}", check.mend),
                ];
                End::Failed(check.rule.level.to_string(), seen, lines)
            }
            Outcome::CouldNotTell => End::Error("could-not-tell".to_owned(), seen),
            Outcome::NotApplicable => End::Skipped(seen),
        },
    }
}
