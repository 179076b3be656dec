//! The table of requests: each is answered as the text says.

use serde_json::Value;

use super::http::later;
use super::resolve::urls;
use crate::origin::check::{Check, Not, could_not_tell, failed};
use crate::origin::evidence::Evidence;
use crate::origin::probes::{Endpoint, Expect, PROBES, Probe};
use crate::origin::recording::{Ask, Reply};
use crate::origin::table::status_of;

pub(super) fn checks() -> Vec<Option<Check>> {
    PROBES.iter().map(check).collect()
}

fn check(probe: &'static Probe) -> Option<Check> {
    let what = probe.what;
    let (expected, mend) = match probe.expect {
        Expect::Answer => (
            format!("{what}: answered with 200"),
            "take this request as any other: it is correct".to_owned(),
        ),
        Expect::Sample => (
            format!("{what}: answered as the need itself is"),
            "read the query as the rule says: this is the same need".to_owned(),
        ),
        Expect::Error(code) => (
            format!("{what}: the error {code}, status {}", status_of(code)),
            format!(
                "answer this request with status {} and the code {code}",
                status_of(code)
            ),
        ),
        Expect::AnswerOrError(code) => (
            format!("{what}: answered as the need itself is, or the error {code}"),
            format!(
                "answer it, or refuse it with status {} and the code {code}",
                status_of(code)
            ),
        ),
    };
    let judge = move |evidence: &Evidence<'_>| judge(evidence, probe);
    Check::new(
        probe.group(),
        probe.rule,
        probe.aspect,
        expected,
        mend,
        judge,
    )
}

fn judge(evidence: &Evidence<'_>, probe: &'static Probe) -> Result<(), Not> {
    evidence.discovery()?;
    let Some(exchange) = evidence.recording.get(Ask::Probe(probe)) else {
        return could_not_tell(evidence.recording.why_not_asked());
    };
    let reply = match &exchange.reply {
        Ok(reply) => reply,
        Err(none) => return could_not_tell(none.why.clone()),
    };
    if reply.is_later() {
        return could_not_tell(later(reply));
    }
    // A redirect has a rule of its own.
    if (300..400).contains(&reply.status) && probe.endpoint == Endpoint::Resolve {
        return could_not_tell("it was answered with a redirect");
    }
    match probe.expect {
        Expect::Answer => answered(reply),
        Expect::Sample => {
            answered(reply)?;
            same(evidence, probe)
        }
        Expect::Error(code) => error(reply, code),
        Expect::AnswerOrError(code) => answered(reply).or_else(|_| error(reply, code)),
    }
}

fn answered(reply: &Reply) -> Result<(), Not> {
    match reply.status {
        200 => Ok(()),
        _ => failed(seen(reply)),
    }
}

/// Whether the servers are those of the sample need.
fn same(evidence: &Evidence<'_>, probe: &'static Probe) -> Result<(), Not> {
    let asks = [
        Ask::Sample,
        Ask::SampleAgain,
        Ask::SampleLast,
        Ask::Probe(probe),
    ];
    let documents = asks.map(|ask| evidence.document(ask).map(urls));
    let [Some(sample), Some(again), Some(last), Some(found)] = documents else {
        return could_not_tell("the sample need was not answered");
    };
    if [&sample, &again, &last].contains(&&found) {
        return Ok(());
    }
    let sorted = |mut urls: Vec<String>| {
        urls.sort();
        urls
    };
    // An answer that is never the same twice has a rule of its own.
    let is_steady = sample == again && sample == last;
    if !is_steady && sorted(found.clone()) == sorted(sample.clone()) {
        return Ok(());
    }
    failed(format!(
        "{} candidates, and for the need itself {} others",
        found.len(),
        sample.len()
    ))
}

fn error(reply: &Reply, code: &str) -> Result<(), Not> {
    let found = code_of(reply);
    if reply.status == status_of(code) && found.as_deref() == Some(code) {
        return Ok(());
    }
    failed(seen(reply))
}

fn code_of(reply: &Reply) -> Option<String> {
    let body: Value = serde_json::from_slice(&reply.body).ok()?;
    Some(body.get("code")?.as_str()?.to_owned())
}

fn seen(reply: &Reply) -> String {
    match code_of(reply) {
        Some(code) => format!("status {} and the code {code:?}", reply.status),
        None => format!("status {} and no code", reply.status),
    }
}
