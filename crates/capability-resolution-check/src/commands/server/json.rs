//! The answer for programs: docs/schema/check-server.schema.json.

use command_console::visible;
use serde::Serialize;

use super::{Observed, Report};

#[derive(Serialize)]
pub(super) struct Answer<'r, F> {
    host: &'r str,
    url: &'r str,
    outcome: &'static str,
    seen: String,
    withheld: Option<&'static str>,
    file: Option<F>,
    observed: Vec<JsonObserved<'r>>,
}

#[derive(Serialize)]
struct JsonObserved<'r> {
    url: &'r str,
    declared_sign_in: Option<&'r str>,
    /// As `capability-resolver observe` writes it; nothing if it was not observed.
    outcome: Option<String>,
    handshake_ms: Option<u64>,
    revision: Option<&'static str>,
    tools: Option<usize>,
    ended: Option<String>,
    not_observed: Option<String>,
}

pub(super) fn json<'r>(report: &'r Report<'_>) -> Answer<'r, impl Serialize> {
    Answer {
        host: report.host.as_str(),
        url: report.url,
        outcome: report.outcome,
        seen: visible(report.why),
        withheld: report.withheld.map(|code| code.as_str()),
        file: report.file.as_ref().map(|file| file.json()),
        observed: report.observed.iter().map(observed).collect(),
    }
}

fn observed(observed: &Observed) -> JsonObserved<'_> {
    let found = observed.found.as_ref().ok();
    let findings = found.map(|observation| &observation.findings);
    JsonObserved {
        url: &observed.url,
        declared_sign_in: observed.declared_sign_in.as_deref(),
        outcome: findings.map(|findings| findings.outcome.to_string()),
        handshake_ms: findings.and_then(|findings| findings.handshake_ms),
        revision: findings.and_then(|findings| Some(findings.revision?.as_str())),
        tools: findings.map(|findings| findings.tools.len()),
        ended: found.map(|observation| observation.ended.to_string()),
        not_observed: observed.found.as_ref().err().map(|why| visible(why)),
    }
}
