//! The errors: body, headers, and what they keep to themselves.

use guarded_fetch::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use serde_json::{Map, Value};

use super::http::{allows_every_origin, essence, exposes, sets_no_cookie};
use crate::origin::check::{Check, Group, Not, could_not_tell, failed};
use crate::origin::evidence::Evidence;
use crate::origin::probes::{CANARY, Expect, SHORT_CANARY};
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
            "error.caching",
            "",
            "an error: Cache-Control: no-store",
            "send Cache-Control: no-store with errors",
            not_stored,
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
            "an error: Access-Control-Expose-Headers names ETag and Retry-After, or is *",
            "send Access-Control-Expose-Headers: ETag, Retry-After with errors too",
            exposes,
        ),
        check(
            "http.no-set-cookie",
            "error",
            "an error: no Set-Cookie",
            "send no cookie with errors either",
            sets_no_cookie,
        ),
        come_later("error.rate", 429, "rate-limited"),
        come_later("error.unavailable", 503, "unavailable"),
    ]
}

/// Errors that are not provoked, and judged where they are met.
fn come_later(id: &str, status: u16, code: &'static str) -> Option<Check> {
    Check::new(
        Group::Errors,
        id,
        "",
        format!("status {status} comes with the code {code} and a Retry-After"),
        "say in Retry-After after how many seconds it is worth asking again",
        move |evidence| {
            let told = later(evidence).filter_map(|exchange| {
                let reply = exchange.reply.as_ref().ok()?;
                (reply.status == status).then_some((exchange, reply))
            });
            let mut any = false;
            for (exchange, reply) in told {
                any = true;
                let what = exchange.what();
                if !reply.only(RETRY_AFTER).is_some_and(is_retry_after) {
                    return failed(format!("{what}: {}", reply.shown(RETRY_AFTER)));
                }
                let found =
                    body(reply).and_then(|body| Some(body.get("code")?.as_str()?.to_owned()));
                if found.as_deref() != Some(code) {
                    return failed(format!("{what}: the code is {found:?}"));
                }
            }
            if any {
                return Ok(());
            }
            let reason = format!("no request was answered with {status}");
            Err(Not::Applicable(reason))
        },
    )
}

/// RFC 9110 section 10.2.3.
fn is_retry_after(value: &str) -> bool {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    is_number || httpdate::parse_http_date(value).is_ok()
}

/// The answers with 429 and 503 of the endpoints, not those of pages.
fn later<'e>(evidence: &'e Evidence<'_>) -> impl Iterator<Item = &'e Exchange> {
    let all = evidence.recording.later.iter();
    all.filter(|exchange| !matches!(exchange.ask, Ask::Policy | Ask::Changelog))
}

/// Every answer to a request that has to be refused, and was.
fn each(evidence: &Evidence<'_>, judge: fn(&Reply) -> Result<(), String>) -> Result<(), Not> {
    evidence.discovery()?;
    let refused = |exchange: &&Exchange| matches!(exchange.ask, Ask::Probe(probe) if matches!(probe.expect, Expect::Error(_)));
    let mut any = false;
    let refused = evidence.recording.exchanges.iter().filter(refused);
    for exchange in refused.chain(later(evidence)) {
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

fn not_stored(reply: &Reply) -> Result<(), String> {
    let directives = reply.list(CACHE_CONTROL);
    let mut names = directives.iter();
    if names.any(|directive| directive.eq_ignore_ascii_case("no-store")) {
        return Ok(());
    }
    Err(reply.shown(CACHE_CONTROL))
}

fn no_need(reply: &Reply) -> Result<(), String> {
    let holds = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
        text.contains(CANARY)
    };
    let text = String::from_utf8_lossy(&reply.body);
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    if holds(&reply.body) || words.any(|word| word == SHORT_CANARY) {
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
