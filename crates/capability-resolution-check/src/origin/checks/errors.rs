//! The errors: body, headers, and what they keep to themselves.

use guarded_fetch::header::CONTENT_TYPE;
use serde_json::{Map, Value};

use super::http::{allows_every_origin, essence, exposes};
use crate::origin::check::{Check, Group, Not, could_not_tell, failed};
use crate::origin::evidence::Evidence;
use crate::origin::probes::{CANARY, Expect};
use crate::origin::recording::{Ask, Exchange, Reply};
use crate::origin::table::rule_of;

pub(super) fn checks() -> Vec<Option<Check>> {
    let check = |id: &str,
                 aspect: &'static str,
                 expected: &'static str,
                 mend: &'static str,
                 judge: fn(&Reply) -> Result<(), String>| {
        let judge = move |evidence: &Evidence<'_>| each(evidence, judge);
        Check::new(Group::Errors, id, aspect, expected, mend, judge)
    };
    vec![
        check(
            "error.body",
            "media-type",
            "the media type application/problem+json",
            "send Content-Type: application/problem+json with every error",
            media_type,
        ),
        check(
            "error.body",
            "members",
            "a JSON object with type, title, status, code and rule",
            "add the member; status is a number, the others are strings",
            members,
        ),
        check(
            "error.body",
            "status",
            "the member status is the status of the answer",
            "write the status of the answer into the body",
            status,
        ),
        check(
            "error.body",
            "rule",
            "the member rule is the one that the table gives for the code",
            "write the rule of the table beside the code",
            rule,
        ),
        check(
            "error.no-need",
            "",
            "nothing of the need in the error",
            "say what is wrong without repeating what was sent, in body and headers",
            no_need,
        ),
        check(
            "http.cors",
            "error",
            "an error: Access-Control-Allow-Origin: *",
            "send Access-Control-Allow-Origin: * with errors too",
            allows_every_origin,
        ),
        check(
            "http.cors-expose",
            "error",
            "an error: Access-Control-Expose-Headers names ETag and Retry-After",
            "send Access-Control-Expose-Headers: ETag, Retry-After with errors too",
            exposes,
        ),
    ]
}

/// Every answer to a request that has to be refused, and was.
fn each(evidence: &Evidence<'_>, judge: fn(&Reply) -> Result<(), String>) -> Result<(), Not> {
    evidence.discovery()?;
    let refused = |exchange: &Exchange| matches!(exchange.ask, Ask::Probe(probe) if matches!(probe.expect, Expect::Error(_)));
    let mut any = false;
    for exchange in evidence
        .recording
        .exchanges
        .iter()
        .filter(|exchange| refused(exchange))
    {
        let Ok(reply) = &exchange.reply else {
            continue;
        };
        if reply.status >= 400 {
            any = true;
            judge(reply).or_else(|seen| failed(format!("{}: {seen}", exchange.what())))?;
        }
    }
    if any {
        Ok(())
    } else {
        could_not_tell("no request was answered with an error")
    }
}

fn media_type(reply: &Reply) -> Result<(), String> {
    let given = reply.only(CONTENT_TYPE).unwrap_or_default();
    if essence(given).eq_ignore_ascii_case("application/problem+json") {
        return Ok(());
    }
    Err(reply.shown(CONTENT_TYPE))
}

fn body(reply: &Reply) -> Option<Map<String, Value>> {
    serde_json::from_slice(&reply.body).ok()
}

fn members(reply: &Reply) -> Result<(), String> {
    let body = body(reply).ok_or("the body is no JSON object")?;
    let strings = ["type", "title", "code", "rule"];
    let missing = strings
        .into_iter()
        .find(|name| !body.get(*name).is_some_and(Value::is_string));
    if let Some(name) = missing {
        return Err(format!("the body has no string {name}"));
    }
    if !body.get("status").is_some_and(Value::is_u64) {
        return Err("the body has no number status".to_owned());
    }
    Ok(())
}

fn status(reply: &Reply) -> Result<(), String> {
    // A member that is missing has a check of its own.
    match body(reply).and_then(|body| body.get("status")?.as_u64()) {
        Some(status) if status != u64::from(reply.status) => Err(format!(
            "the body says {status}, the answer {}",
            reply.status
        )),
        _ => Ok(()),
    }
}

fn rule(reply: &Reply) -> Result<(), String> {
    let Some(body) = body(reply) else {
        return Ok(());
    };
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let (Some(code), Some(found)) = (text("code"), text("rule")) else {
        return Ok(());
    };
    match rule_of(code) {
        Some(rule) if rule != found => Err(format!(
            "the code {code} with the rule {found:?} and not {rule}"
        )),
        _ => Ok(()),
    }
}

fn no_need(reply: &Reply) -> Result<(), String> {
    let holds = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
        text.contains(CANARY)
    };
    if holds(&reply.body) {
        return Err("the body repeats what was asked".to_owned());
    }
    let named = reply
        .headers
        .iter()
        .find(|(_, value)| holds(value.as_bytes()));
    match named {
        Some((name, _)) => Err(format!("the header {name} repeats what was asked")),
        None => Ok(()),
    }
}
