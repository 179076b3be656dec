//! The report as JUnit XML, which most CI systems show. It holds no times and no host names, so that two runs compare.

use std::fmt::Write as _;

use conformance_vectors::Reasons;
use conformance_vectors::run::Outcome as Found;

use super::super::sections::section;
use super::{Report, Row, Status, level_name};

impl Report<'_> {
    /// Writing to a string cannot fail, so its results are dropped here.
    pub(in super::super) fn junit(&self) -> String {
        let count = self.count(|_| true);
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
            self.rows.len(),
            count.failed + count.passed_though_listed,
            count.skipped + count.not_run + count.failed_as_listed
        );
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(out, "<testsuites {counts}>");
        let name = text(&format!("conformance-vectors {}", self.vectors.version()));
        let _ = writeln!(out, "  <testsuite name=\"{name}\" {counts}>");
        let reasons = match self.reasons {
            Reasons::Check => "check",
            Reasons::Ignore => "ignore",
        };
        let properties = [("vectors", self.vectors.folder()), ("reasons", reasons)];
        out.push_str("    <properties>\n");
        for (name, value) in properties {
            let value = text(value);
            let _ = writeln!(out, "      <property name=\"{name}\" value=\"{value}\"/>");
        }
        out.push_str("    </properties>\n");
        for row in &self.rows {
            self.case(&mut out, row);
        }
        out.push_str("  </testsuite>\n</testsuites>\n");
        out
    }

    fn case(&self, out: &mut String, row: &Row<'_>) {
        let head = format!(
            "    <testcase classname=\"{}\" name=\"{}\"",
            text(row.rule()),
            text(&row.vector.id)
        );
        let body = match row.status {
            Status::Passed => {
                let _ = writeln!(out, "{head}/>");
                return;
            }
            Status::Skipped => skipped("unsupported by the program"),
            Status::NotRun => skipped("not run: too many vectors in a row got no answer"),
            Status::FailedAsListed => skipped("failed as listed"),
            Status::Failed | Status::PassedThoughListed => self.failure_element(row),
        };
        let _ = writeln!(out, "{head}>\n      {body}\n    </testcase>");
    }

    fn failure_element(&self, row: &Row<'_>) -> String {
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
        format!(
            "<failure type=\"{}\" message=\"{}\">{}</failure>",
            level_name(row.vector.level),
            text(&message),
            lines
                .iter()
                .map(|line| text(line))
                .collect::<Vec<_>>()
                .join("\n")
        )
    }
}

fn skipped(why: &str) -> String {
    format!("<skipped message=\"{}\"/>", text(why))
}

/// For an attribute or for text: markup escaped, and what XML cannot hold or nobody would see as `U+XXXX`.
fn text(raw: &str) -> String {
    let shown = super::visible(raw);
    let mut escaped = String::with_capacity(shown.len());
    for c in shown.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
