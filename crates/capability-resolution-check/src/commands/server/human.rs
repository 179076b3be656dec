//! What a host's file says, for people.

use std::fmt::Write as _;

use command_console::style::{BOLD, DOUBT};
use command_console::visible;

use super::{Observed, Report};

/// Writing to a string cannot fail, so its results are dropped here.
pub(super) fn human(report: &Report<'_>) -> String {
    let Report {
        host,
        url,
        outcome,
        why,
        ..
    } = report;
    let why = visible(why);
    let Some(file) = &report.file else {
        return match *outcome {
            "absent" => format!(
                "{BOLD}{url} is not there{BOLD:#} ({why}): nothing is claimed, and every resolver may list the servers of {host}\n"
            ),
            "refused" => format!(
                "{DOUBT}{url} is not given out{DOUBT:#} ({why}): nothing is claimed, and what a resolver read there before \
                 still holds (rule captxt.fetch.outcome)\n"
            ),
            _ => format!(
                "{DOUBT}{url} cannot be read{DOUBT:#} ({why}): a resolver goes on with what it read before (rule \
                 captxt.fetch.outcome)\n"
            ),
        };
    };
    let mut out = file.human();
    if let Some(code) = report.withheld {
        let code = code.as_str();
        let _ = writeln!(
            out,
            "\n{DOUBT}No resolver uses what it says about servers{DOUBT:#}: {code} ({why}). What it forbids holds."
        );
    }
    if !report.observed.is_empty() {
        let _ = writeln!(out, "\n{BOLD}what was observed{BOLD:#}");
    }
    for observed in &report.observed {
        let _ = writeln!(out, "  {}", line(observed));
    }
    out
}

/// What was observed, beside what the file says of it.
fn line(observed: &Observed) -> String {
    let url = &observed.url;
    let observation = match &observed.found {
        Ok(observation) => observation,
        Err(why) => return format!("{url}  not observed: {}", visible(why)),
    };
    let findings = &observation.findings;
    let handshake = findings
        .handshake_ms
        .map_or(String::new(), |ms| format!(", handshake {ms} ms"));
    let tools = match findings.tools.len() {
        0 => String::new(),
        count => format!(", {count} tools"),
    };
    let said = observed.declared_sign_in.as_deref().unwrap_or("not said");
    format!(
        "{url}  {}{handshake}{tools}, at {} (declared: sign-in {said})",
        findings.outcome, observation.ended
    )
}
