//! The report as JUnit XML.

use command_console::{Case, End, Junit};
use conformance_vectors::Reasons;
use conformance_vectors::run::Outcome as Found;

use super::super::sections::section;
use super::{Report, Row, Status};

impl Report<'_> {
    pub(in super::super) fn junit(&self) -> Junit {
        let reasons = match self.reasons {
            Reasons::Check => "check",
            Reasons::Ignore => "ignore",
        };
        let case = |row: &Row<'_>| Case {
            class: row.rule().to_owned(),
            name: row.vector.id.clone(),
            end: self.end(row),
        };
        Junit {
            name: format!("conformance-vectors {}", self.vectors.version()),
            properties: vec![
                ("vectors", self.vectors.folder().to_owned()),
                ("reasons", reasons.to_owned()),
            ],
            cases: self.rows.iter().map(case).collect(),
        }
    }

    fn end(&self, row: &Row<'_>) -> End {
        let skipped = |why: &str| End::Skipped(why.to_owned());
        match row.status {
            Status::Passed => End::Passed,
            Status::Skipped => skipped("unsupported by the program"),
            Status::NotRun => skipped("not run: too many vectors in a row got no answer"),
            Status::FailedAsListed => skipped("failed as listed"),
            Status::Failed | Status::PassedThoughListed => self.failed(row),
        }
    }

    fn failed(&self, row: &Row<'_>) -> End {
        let message = if row.status == Status::PassedThoughListed {
            "expected a failure, since it is listed as one".to_owned()
        } else {
            format!("expected {}, got {}", row.expected(), row.got())
        };
        let mut lines = vec![
            row.vector.comment.clone(),
            format!("rule {} {}", row.rule(), section(row.rule()))
                .trim_end()
                .to_owned(),
            format!("vector {}", self.vectors.place(&row.vector.id)),
        ];
        lines.extend(row.difference().map(|found| format!("differs {found}")));
        if let Found::Fault { fault, stderr } = row.found {
            lines.extend(fault.line().map(|line| format!("line {line}")));
            lines.extend(stderr.iter().map(|line| format!("stderr {line}")));
        }
        lines.push(format!("rerun {}", self.rerun(&row.vector.id)));
        End::Failed(row.vector.level.as_str().to_owned(), message, lines)
    }
}
