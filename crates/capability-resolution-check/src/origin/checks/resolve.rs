//! Answers and their candidates, and what stays the same from one request to the next.

use capability_resolution::{Status, Time};
use guarded_fetch::header::{CACHE_CONTROL, DATE, REFERRER_POLICY};
use serde_json::Value;

use super::http::{later, max_age};
use crate::origin::check::{Check, Group, Not, could_not_tell, failed};
use crate::origin::evidence::{DocumentSeen, Evidence};
use crate::origin::probes::PROBES;
use crate::origin::recording::{Ask, Document, Exchange, Reply};

pub(super) fn checks() -> Vec<Option<Check>> {
    let answers = |id, expected, mend, judge: fn(&Evidence<'_>) -> Result<(), Not>| {
        Check::new(Group::Answers, id, "", expected, mend, judge)
    };
    vec![
        Check::new(
            Group::Discovery,
            "discovery.changelog-member",
            "",
            "the member changelog",
            "name the URL of the changelog in the discovery document",
            changelog_member,
        ),
        answers(
            "resolve.request",
            "the sample need is answered with status 200",
            "answer GET on the endpoint resolve with the parameter need",
            request,
        ),
        answers(
            "resolve.answer.name",
            "resolver is the name of the discovery document",
            "give the same name in both",
            name,
        ),
        answers(
            "resolve.answer.unique",
            "no server twice in one answer",
            "give each server once",
            unique,
        ),
        answers(
            "resolve.answer.stable",
            "the same request has the same servers, in the same order",
            "order candidates without chance or time: break ties by something fixed",
            stable,
        ),
        answers(
            "resolve.caching",
            "Cache-Control: private, and one max-age no later than the first exp and at most 3600",
            "send Cache-Control: private, max-age=N with N counted from the tokens in the answer",
            caching,
        ),
        answers(
            "resolve.referrer",
            "Referrer-Policy: no-referrer",
            "send Referrer-Policy: no-referrer with every answer",
            referrer,
        ),
        answers(
            "candidate.members",
            "each candidate has url, status, checked_at, expires, evidence.record and jws",
            "add the member, as a string; evidence is an object with the string record",
            members,
        ),
        answers(
            "candidate.copies",
            "url, status, checked_at and expires are those of the token",
            "copy the members from the claims of the token beside them",
            copies,
        ),
        answers(
            "candidate.evidence",
            "evidence.record is the endpoint record with the query id= and an id",
            "make it of the endpoint record, ?id= and the id, and of nothing else",
            evidence_record,
        ),
        Check::new(
            Group::Constraints,
            "constraint.honoured",
            "",
            "with sign_in=none every candidate has the status ok, and others are left out",
            "leave out every server whose status is not ok",
            honoured,
        ),
    ]
}

fn changelog_member(evidence: &Evidence<'_>) -> Result<(), Not> {
    for document in evidence.documents(Document::Discovery)? {
        let Some(members) = &document.members else {
            return could_not_tell("the discovery document is no JSON object");
        };
        if !members.contains_key("changelog") {
            return failed("the discovery document has no member changelog");
        }
    }
    Ok(())
}

fn request(evidence: &Evidence<'_>) -> Result<(), Not> {
    for ask in [Ask::Sample, Ask::SampleAgain] {
        match evidence.recording.reply(ask) {
            Some(reply) if reply.status == 200 => {}
            // A rule of its own.
            Some(reply) if (300..400).contains(&reply.status) => {
                return could_not_tell("it was answered with a redirect");
            }
            Some(reply) if reply.is_later() => return could_not_tell(later(reply)),
            Some(reply) => return failed(format!("it was answered with {}", reply.status)),
            None => return could_not_tell(evidence.why_none(Document::Answer)),
        }
    }
    Ok(())
}

fn name(evidence: &Evidence<'_>) -> Result<(), Not> {
    let name = evidence.discovery()?.resolver();
    for answer in evidence.documents(Document::Answer)? {
        match answer.text("resolver") {
            Some(found) if found == name => {}
            Some(found) => return failed(format!("{found:?}, and not {name:?}")),
            None => return could_not_tell("an answer has no string resolver"),
        }
    }
    Ok(())
}

fn unique(evidence: &Evidence<'_>) -> Result<(), Not> {
    evidence.candidates()?;
    for answer in evidence.documents(Document::Answer)? {
        let urls = urls(answer);
        let twice = urls
            .iter()
            .enumerate()
            .find(|(at, url)| urls[..*at].contains(url));
        if let Some((at, url)) = twice {
            return failed(format!(
                "/candidates/{at} of {} is {url} once more",
                answer.exchange.what()
            ));
        }
    }
    Ok(())
}

/// The servers of an answer in their order, by its copies.
pub(super) fn urls(answer: &DocumentSeen<'_>) -> Vec<String> {
    let url = |candidate: &Value| Some(candidate.get("url")?.as_str()?.to_owned());
    answer.candidates().iter().filter_map(url).collect()
}

fn stable(evidence: &Evidence<'_>) -> Result<(), Not> {
    evidence.candidates()?;
    let asks = [Ask::Sample, Ask::SampleAgain, Ask::SampleLast];
    let answers: Vec<_> = asks
        .iter()
        .filter_map(|ask| evidence.document(*ask))
        .collect();
    let [first, again, last] = answers.as_slice() else {
        return could_not_tell("the sample need was not answered three times");
    };
    // What changed once may have been observed anew.
    if urls(first) == urls(again) || urls(again) == urls(last) {
        return Ok(());
    }
    failed("three answers to the same request have the servers in three orders")
}

fn caching(evidence: &Evidence<'_>) -> Result<(), Not> {
    for answer in evidence.documents(Document::Answer)? {
        let expiries = answer.candidates().iter().filter_map(|candidate| {
            let claims = evidence.claims_of(candidate.get("jws")?.as_str()?)?;
            Some(claims.0.expires)
        });
        private_until(answer.exchange, answer.reply, expiries.min())?;
    }
    Ok(())
}

/// Directives that let an answer be kept longer, or by others.
const LOOSER: [&str; 4] = [
    "public",
    "s-maxage",
    "stale-while-revalidate",
    "stale-if-error",
];

/// `Cache-Control: private, max-age=N` with an `N` of at most an hour and no later than a moment.
pub(super) fn private_until(
    exchange: &Exchange,
    reply: &Reply,
    until: Option<Time>,
) -> Result<(), Not> {
    let shown = || format!("{}: {}", exchange.what(), reply.shown(CACHE_CONTROL));
    let directives = reply.list(CACHE_CONTROL);
    let has = |name: &str| {
        let names = directives
            .iter()
            .map(|directive| directive.split('=').next());
        names
            .flatten()
            .any(|found| found.trim().eq_ignore_ascii_case(name))
    };
    let is_private = directives
        .iter()
        .any(|directive| directive.eq_ignore_ascii_case("private"));
    let Some(seconds) = max_age(reply).filter(|_| is_private && !LOOSER.into_iter().any(has))
    else {
        return failed(shown());
    };
    if seconds > 3_600 {
        return failed(shown());
    }
    let ends = |until: Time| {
        let left = until.unix_seconds().saturating_sub(began(exchange, reply));
        i64::try_from(seconds).is_ok_and(|seconds| seconds > left.max(0))
    };
    match until.filter(|until| ends(*until)) {
        Some(until) => failed(format!("{}, and a token in it ends at {until}", shown())),
        None => Ok(()),
    }
}

/// When an answer was made: by the resolver's clock if it says so, since clocks may differ, and no later than by ours.
fn began(exchange: &Exchange, reply: &Reply) -> i64 {
    let sent = exchange.sent.unix_seconds();
    let date = reply
        .only(DATE)
        .and_then(|date| httpdate::parse_http_date(date).ok());
    let date = date.and_then(|date| date.duration_since(std::time::UNIX_EPOCH).ok());
    let date = date.and_then(|date| i64::try_from(date.as_secs()).ok());
    date.map_or(sent, |date| date.min(sent))
}

fn referrer(evidence: &Evidence<'_>) -> Result<(), Not> {
    for answer in evidence.documents(Document::Answer)? {
        let reply = answer.reply;
        if !reply
            .only(REFERRER_POLICY)
            .is_some_and(|policy| policy.eq_ignore_ascii_case("no-referrer"))
        {
            return failed(format!(
                "{}: {}",
                answer.exchange.what(),
                reply.shown(REFERRER_POLICY)
            ));
        }
    }
    Ok(())
}

fn members(evidence: &Evidence<'_>) -> Result<(), Not> {
    for (place, candidate) in evidence.candidates()? {
        let is_string = |member: &str| candidate.get(member).is_some_and(Value::is_string);
        let wanted = ["url", "status", "checked_at", "expires", "jws"];
        if let Some(member) = wanted.into_iter().find(|member| !is_string(member)) {
            return failed(format!("{place} has no string {member}"));
        }
        let record = candidate
            .get("evidence")
            .and_then(|evidence| evidence.get("record"));
        if !record.is_some_and(Value::is_string) {
            return failed(format!(
                "{place} has no object evidence with a string record"
            ));
        }
    }
    Ok(())
}

fn copies(evidence: &Evidence<'_>) -> Result<(), Not> {
    evidence.claims()?;
    for answer in evidence.documents(Document::Answer)? {
        let differing = answer
            .differing
            .iter()
            .filter(|pointer| *pointer != "/resolver");
        for pointer in differing {
            let value = answer
                .members
                .as_ref()
                .and_then(|members| pointed(members, pointer));
            // A member that is missing has a rule of its own.
            if let Some(value) = value.filter(|value| value.is_string()) {
                return failed(format!(
                    "{pointer} of {} is {value}, and the token says otherwise",
                    answer.exchange.what()
                ));
            }
        }
    }
    Ok(())
}

/// What a pointer of an answer, `/candidates/AT/MEMBER`, points to.
fn pointed<'v>(members: &'v serde_json::Map<String, Value>, pointer: &str) -> Option<&'v Value> {
    let mut parts = pointer.split('/').skip(2);
    let at: usize = parts.next()?.parse().ok()?;
    members.get("candidates")?.get(at)?.get(parts.next()?)
}

fn evidence_record(evidence: &Evidence<'_>) -> Result<(), Not> {
    let endpoint = evidence.discovery()?.record();
    let mut any = false;
    for (place, candidate) in evidence.candidates()? {
        let record = candidate
            .get("evidence")
            .and_then(|e| e.get("record"))
            .and_then(Value::as_str);
        let Some(record) = record else {
            continue;
        };
        any = true;
        if !record
            .strip_prefix(endpoint.as_str())
            .is_some_and(|query| query.starts_with("?id="))
        {
            return failed(format!(
                "{place} has {record}, and the endpoint is {endpoint}"
            ));
        }
    }
    if any {
        Ok(())
    } else {
        could_not_tell("no candidate has a string evidence.record")
    }
}

fn honoured(evidence: &Evidence<'_>) -> Result<(), Not> {
    let of_sign_in = |id: &str, aspect: &str| id == "constraint.supported" && aspect == "sign_in";
    let probe = PROBES
        .iter()
        .find(|probe| of_sign_in(probe.rule, probe.aspect));
    let answer = probe.and_then(|probe| evidence.document(Ask::Probe(probe)));
    let Some(answer) = answer else {
        return could_not_tell("a need with sign_in=none was not answered");
    };
    for candidate in answer.candidates() {
        let jws = candidate
            .get("jws")
            .and_then(Value::as_str)
            .unwrap_or_default();
        match evidence.claims_of(jws) {
            Some((claims, _)) if claims.status != Status::Ok => {
                return failed(format!(
                    "{} is given, and its status is {}",
                    claims.url, claims.status
                ));
            }
            _ => {}
        }
    }
    let Some(sample) = evidence.document(Ask::Sample) else {
        return could_not_tell("the sample need was not answered");
    };
    if sample.members.is_none() {
        return could_not_tell("the answer to the sample need is no JSON object");
    }
    let candidates = sample.candidates();
    let tokens = candidates.iter().filter_map(|c| c.get("jws")?.as_str());
    let stated: Vec<_> = tokens.filter_map(|jws| evidence.claims_of(jws)).collect();
    if stated.iter().any(|(claims, _)| claims.status != Status::Ok) {
        return Ok(());
    }
    if stated.is_empty() && !candidates.is_empty() {
        return could_not_tell("no token of the answer to the sample need verifies");
    }
    let reason = "the answer to the sample need has no server with another status than ok, so nothing had to be left out: \
                  --sample-need may name a need that has one";
    Err(Not::Applicable(reason.to_owned()))
}
