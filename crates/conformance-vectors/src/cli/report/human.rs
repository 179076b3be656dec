//! The report for people: what failed, grouped by rule, then the count.

use std::fmt::Write as _;

use command_console::style::{BAD, BOLD, DIM, DOUBT, GOOD};
use command_console::visible;
use conformance_vectors::run::{MAX_FAULTS_IN_A_ROW, Outcome as Found};
use conformance_vectors::{Mismatch, Reasons};

use super::super::sections::section;
use super::{Count, Report, Row, Status};

impl Report<'_> {
    /// Writing to a string cannot fail, so its results are dropped here.
    pub(in super::super) fn human(&self) -> String {
        let mut out = String::new();
        for rule in self.failing_rules() {
            self.rule(&mut out, rule);
        }
        self.notes(&mut out);
        for (level, count) in self.levels() {
            let _ = writeln!(out, "{:8} {}", level.as_str(), closing(count));
        }
        let count = self.count(|_| true);
        let style = match (
            count.failed + count.passed_though_listed,
            count.skipped + count.not_run,
        ) {
            (0, 0) => GOOD,
            (0, _) => DOUBT,
            _ => BAD,
        };
        let _ = writeln!(out, "\n{style}{}{style:#}", closing(count));
        out
    }

    /// The deciding rules of what failed, each once, in the order of the vectors.
    fn failing_rules(&self) -> Vec<&str> {
        let mut rules = Vec::new();
        for row in self.rows.iter().filter(|row| is_failure(row)) {
            if !rules.contains(&row.rule()) {
                rules.push(row.rule());
            }
        }
        rules
    }

    fn rule(&self, out: &mut String, rule: &str) {
        let rows = || self.rows.iter().filter(|row| row.rule() == rule);
        let failed = rows().filter(|row| is_failure(row)).count();
        let _ = writeln!(
            out,
            "{BOLD}{rule}{BOLD:#} {}  {failed} of {} failed\n",
            section(rule),
            rows().count()
        );
        for row in rows().filter(|row| is_failure(row)) {
            self.failure(out, row);
        }
    }

    fn failure(&self, out: &mut String, row: &Row<'_>) {
        let vector = row.vector;
        let _ = writeln!(
            out,
            "  {BAD}FAIL{BAD:#} {} {}",
            vector.id,
            vector.level.as_str()
        );
        let _ = writeln!(out, "    {DIM}{}{DIM:#}", visible(&vector.comment));
        let mut fact = |name: &str, value: &str| {
            let _ = writeln!(out, "    {name:8}  {value}");
        };
        if row.status == Status::PassedThoughListed {
            fact("expected", "a failure, since it is listed as one");
            fact("got", &format!("{}: take it off the list", row.expected()));
        } else {
            fact("expected", &row.expected());
            match row.found {
                Found::Differs {
                    mismatch: Mismatch::OtherReason,
                    ..
                } => {
                    fact("got", &format!("{}: {}", row.got(), Mismatch::OtherReason));
                }
                _ => fact("got", &row.got()),
            }
        }
        if let Some(difference) = row.difference() {
            fact("differs", &difference);
        }
        if let Found::Fault { fault, stderr } = row.found {
            if let Some(line) = fault.line() {
                fact("line", &visible(line));
            }
            for (at, line) in stderr.iter().enumerate() {
                fact(if at == 0 { "stderr" } else { "" }, &visible(line));
            }
        }
        for rule in vector.rules.iter().skip(1) {
            fact("see also", &format!("{rule} {}", section(rule)));
        }
        fact("vector", self.vectors.place(&vector.id));
        fact("show", &self.show(&vector.id));
        fact("rerun", &self.rerun(&vector.id));
        out.push('\n');
    }

    /// What the count alone does not say.
    fn notes(&self, out: &mut String) {
        let before = out.len();
        let listed: Vec<_> = self.ids(Status::FailedAsListed);
        if !listed.is_empty() {
            let _ = writeln!(out, "Failed as listed: {}", listed.join(", "));
        }
        let mut skipped: Vec<_> = self
            .rows
            .iter()
            .filter(|row| row.status == Status::Skipped)
            .collect();
        skipped.sort_by_key(|row| row.vector.operation);
        for rows in skipped.chunk_by(|a, b| a.vector.operation == b.vector.operation) {
            if let Some(row) = rows.first() {
                let (operation, count) = (row.vector.operation, rows.len());
                let _ = writeln!(
                    out,
                    "{DOUBT}Skipped{DOUBT:#}: the program does not support {operation} ({count})"
                );
            }
        }
        if self.stopped {
            let _ = writeln!(
                out,
                "{BAD}Stopped{BAD:#}: {MAX_FAULTS_IN_A_ROW} vectors in a row got no answer; the rest was not run."
            );
        }
        if self.reasons == Reasons::Ignore {
            out.push_str(
                "Reasons were not compared (--reasons ignore): a refusal for a wrong reason counts as passed.\n",
            );
        }
        if out.len() > before {
            out.push('\n');
        }
        let (version, folder) = (self.vectors.version(), self.vectors.folder());
        let _ = writeln!(out, "{} vectors of {version} ({folder})", self.rows.len());
    }

    fn ids(&self, status: Status) -> Vec<&str> {
        let of = self.rows.iter().filter(|row| row.status == status);
        of.map(|row| row.vector.id.as_str()).collect()
    }
}

fn is_failure(row: &Row<'_>) -> bool {
    matches!(row.status, Status::Failed | Status::PassedThoughListed)
}

/// `N passed, N failed, N skipped`, and what else there is.
fn closing(count: Count) -> String {
    let mut line = format!(
        "{} passed, {} failed, {} skipped",
        count.passed,
        count.failed + count.passed_though_listed,
        count.skipped
    );
    for (number, name) in [
        (count.failed_as_listed, "failed as listed"),
        (count.not_run, "not run"),
    ] {
        if number > 0 {
            let _ = write!(line, ", {number} {name}");
        }
    }
    line
}
