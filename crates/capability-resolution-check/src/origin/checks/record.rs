//! Records: asked by id and by URL, and what they have in common with the candidates that point to them.

use serde_json::Value;

use super::http::later;
use super::resolve::private_until;
use crate::origin::check::{Check, Group, Not, could_not_tell, failed};
use crate::origin::evidence::{DocumentSeen, Evidence};
use crate::origin::recording::{Ask, Document};

pub(super) fn checks() -> Vec<Option<Check>> {
    let check =
        |id, aspect: &'static str, expected, mend, judge: fn(&Evidence<'_>) -> Result<(), Not>| {
            Check::new(Group::Record, id, aspect, expected, mend, judge)
        };
    vec![
        check(
            "record.request",
            "by-id",
            "the record that a candidate points to is answered with status 200",
            "answer GET on evidence.record as it stands in the candidate",
            |evidence| answered(evidence, Ask::RecordById),
        ),
        check(
            "record.request",
            "by-url",
            "the record of a candidate's server, asked by url, is answered with status 200",
            "answer GET on the endpoint record with the parameter url",
            |evidence| answered(evidence, Ask::RecordByUrl),
        ),
        check(
            "record.id",
            "",
            "ids of 1 to 64 characters of A to Z, a to z, 0 to 9, -, _, . and ~",
            "give records ids of these characters",
            id,
        ),
        check(
            "record.members",
            "strings",
            "a record has all ten members, all strings",
            "add the member, as a string, equal to the claim of the token",
            members,
        ),
        check(
            "record.same-claims",
            "",
            "the record states what the candidate states, or a newer observation",
            "make record and candidate from the same observation",
            same_claims,
        ),
        check(
            "record.copies",
            "",
            "url, status, checked_at, expires, name and first_seen are those of the token",
            "copy the members from the claims of the token beside them",
            copies,
        ),
        check(
            "record.caching",
            "",
            "Cache-Control: private, and one max-age no later than exp and at most 3600",
            "send Cache-Control: private, max-age=N with N counted from the token",
            caching,
        ),
    ]
}

fn answered(evidence: &Evidence<'_>, ask: Ask) -> Result<(), Not> {
    match evidence.recording.get(ask).map(|exchange| &exchange.reply) {
        None => could_not_tell(evidence.why_none(Document::Record)),
        Some(Err(none)) => could_not_tell(none.why.clone()),
        Some(Ok(reply)) if reply.status == 200 => Ok(()),
        // A rule of its own.
        Some(Ok(reply)) if (300..400).contains(&reply.status) => {
            could_not_tell("it was answered with a redirect")
        }
        Some(Ok(reply)) if reply.is_later() => could_not_tell(later(reply)),
        Some(Ok(reply)) => failed(format!("it was answered with {}", reply.status)),
    }
}

/// The record that a candidate points to.
fn pointer(candidate: &Value) -> Option<&str> {
    candidate.get("evidence")?.get("record")?.as_str()
}

fn id(evidence: &Evidence<'_>) -> Result<(), Not> {
    let mut any = false;
    for (place, candidate) in evidence.candidates()? {
        let Some((_, id)) = pointer(candidate).and_then(|record| record.split_once("?id=")) else {
            continue;
        };
        any = true;
        let form = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        if !(1..=64).contains(&id.len()) || !id.bytes().all(form) {
            return failed(format!("{place} has the id {id}"));
        }
    }
    if any {
        Ok(())
    } else {
        could_not_tell("no candidate points to a record by id")
    }
}

fn records<'e, 'r>(evidence: &'e Evidence<'r>) -> Result<Vec<&'e DocumentSeen<'r>>, Not> {
    evidence.discovery()?;
    let records: Vec<_> = evidence.documents(Document::Record)?.collect();
    if records.iter().any(|record| record.members.is_none()) {
        return could_not_tell("a record is no JSON object");
    }
    Ok(records)
}

fn members(evidence: &Evidence<'_>) -> Result<(), Not> {
    // The first four have steps of their own, since a client needs them.
    let wanted = [
        "url",
        "status",
        "checked_at",
        "expires",
        "name",
        "first_seen",
    ];
    for record in records(evidence)? {
        if let Some(member) = wanted
            .into_iter()
            .find(|member| record.text(member).is_none())
        {
            return failed(format!("{} has no string {member}", record.exchange.what()));
        }
    }
    Ok(())
}

fn same_claims(evidence: &Evidence<'_>) -> Result<(), Not> {
    let candidates = evidence.candidates()?;
    let mut any = false;
    for record in records(evidence)? {
        let Some((stated, _)) = record.text("jws").and_then(|jws| evidence.claims_of(jws)) else {
            continue;
        };
        let points_here = |candidate: &&Value| match record.exchange.ask {
            Ask::RecordByUrl | Ask::RecordLast | Ask::RecordLater => {
                candidate.get("url").and_then(Value::as_str) == Some(stated.url.as_str())
            }
            _ => pointer(candidate) == Some(record.exchange.url.as_str()),
        };
        let pointing = candidates
            .iter()
            .map(|(_, candidate)| *candidate)
            .find(points_here);
        let jws = pointing.and_then(|candidate| candidate.get("jws")?.as_str());
        let Some((claims, _)) = jws.and_then(|jws| evidence.claims_of(jws)) else {
            continue;
        };
        any = true;
        let is_newer = stated.checked_at > claims.checked_at;
        let is_same = stated.checked_at == claims.checked_at && stated.status == claims.status;
        if stated.url != claims.url || !(is_newer || is_same) {
            return failed(format!(
                "{}: {} was {} at {}; the candidate: {} was {} at {}",
                record.exchange.what(),
                stated.url,
                stated.status,
                stated.checked_at,
                claims.url,
                claims.status,
                claims.checked_at
            ));
        }
    }
    if any {
        Ok(())
    } else {
        could_not_tell("no record and candidate can be compared")
    }
}

fn copies(evidence: &Evidence<'_>) -> Result<(), Not> {
    let mut any = false;
    for record in records(evidence)? {
        if record
            .text("jws")
            .and_then(|jws| evidence.claims_of(jws))
            .is_none()
        {
            continue;
        }
        any = true;
        if let Some(pointer) = record
            .differing
            .iter()
            .find(|pointer| *pointer != "/resolver")
        {
            let value = record
                .text(pointer.trim_start_matches('/'))
                .unwrap_or_default();
            return failed(format!(
                "{pointer} of {} is {value:?}, and the token says otherwise",
                record.exchange.what()
            ));
        }
    }
    if any {
        Ok(())
    } else {
        could_not_tell("no record holds a token that verifies")
    }
}

fn caching(evidence: &Evidence<'_>) -> Result<(), Not> {
    for record in records(evidence)? {
        let claims = record.text("jws").and_then(|jws| evidence.claims_of(jws));
        let until = claims.map(|(claims, _)| claims.expires);
        private_until(record.exchange, record.reply, until)?;
    }
    Ok(())
}
