//! The report as JUnit XML. It holds no times, so that two runs compare. What could not be told is an error, never a pass.

use std::fmt::Write as _;

use command_console::visible;

use super::Run;
use crate::origin::{Judged, Outcome};

/// Writing to a string cannot fail, so its results are dropped here.
pub(super) fn junit(run: &Run) -> String {
    let report = &run.report;
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        report.judged.len(),
        report.count(Outcome::Failed),
        report.count(Outcome::CouldNotTell),
        report.count(Outcome::NotApplicable)
    );
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites {counts}>");
    let name = text(&format!("resolver-1 {}", run.recording.issuer));
    let _ = writeln!(out, "  <testsuite name=\"{name}\" {counts}>");
    for judged in &report.judged {
        case(&mut out, judged);
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn case(out: &mut String, judged: &Judged) {
    let check = &judged.check;
    let (group, id) = (text(&check.group.to_string()), text(&check.id()));
    let _ = write!(out, "    <testcase classname=\"{group}\" name=\"{id}\"");
    let seen = text(&judged.seen);
    let _ = match judged.outcome {
        Outcome::Passed => writeln!(out, "/>"),
        Outcome::Failed => writeln!(
            out,
            ">\n      <failure type=\"{}\" message=\"{seen}\">rule {} §{}\nexpected {}\nmend {}</failure>\n    </testcase>",
            check.rule.level,
            check.rule.id,
            check.rule.section,
            text(&check.expected),
            text(&check.mend)
        ),
        Outcome::CouldNotTell => {
            writeln!(
                out,
                ">\n      <error type=\"could-not-tell\" message=\"{seen}\"/>\n    </testcase>"
            )
        }
        Outcome::NotApplicable => {
            writeln!(
                out,
                ">\n      <skipped message=\"{seen}\"/>\n    </testcase>"
            )
        }
    };
}

/// For an attribute or for text: markup escaped, and what nobody would see as `U+XXXX`.
fn text(raw: &str) -> String {
    let mut escaped = String::new();
    for c in visible(raw).chars() {
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
