//! Answers and records: §5.3, §5.4, §7.2.

use serde_json::json;

use crate::discovery::{Discovery, Kind, member, text, version};
use crate::json::{self, Object, Value};
use crate::mutant::Mutant as M;
use crate::names;
use crate::token::{self, Claims};
use crate::verifier::{Verifier, refuse};

pub(crate) fn answer(
    v: Verifier,
    bytes: &[u8],
    discovery: &Discovery,
    now: i64,
) -> Result<serde_json::Value, String> {
    let most = if v.has(M::AnswerSize) {
        262_145
    } else {
        262_144
    };
    refuse(bytes.len() > most, "document-too-large")?;
    let object = json::read(v, "document", bytes)?;
    version(v, &object)?;
    let iss = text(v, &object, "iss")?;
    let name = match object.has("resolver") || !v.has(M::AnswerResolver) {
        true => text(v, &object, "resolver")?,
        false => discovery.name.clone(),
    };
    let Value::Array(entries) = member(v, &object, "candidates", Kind::Array)? else {
        return Err("member-type".to_owned());
    };
    let other = iss != discovery.issuer && !v.has(M::AnswerIss);
    refuse(other && !v.has(M::AnswerIssLate), "iss-mismatch")?;
    let most = if v.has(M::Candidates9) {
        9
    } else if v.has(M::Candidates11) {
        11
    } else {
        10
    };
    refuse(entries.len() > most, "too-many-candidates")?;
    refuse(other, "iss-mismatch")?;
    refuse(
        entries.is_empty() && v.has(M::AnswerEmpty),
        "member-missing",
    )?;

    let (mut kept, mut dropped, mut differ, mut duplicate) = (vec![], vec![], vec![], vec![]);
    let mut seen: Vec<String> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let (candidate, jws) = match entry {
            Value::Object(candidate) => (candidate, candidate.get("jws").and_then(Value::text)),
            _ => (&Object::default(), None),
        };
        let Some(jws) = jws else {
            refuse(v.has(M::UnsignedSpoils), "jws-missing")?;
            dropped.push(json!({"at": at, "reason": "jws-missing"}));
            continue;
        };
        let claims = match token::verify(v, jws.as_bytes(), discovery, now) {
            Ok(claims) => claims,
            Err(code) => {
                refuse(v.has(M::CandidateSpoils), &code)?;
                dropped.push(json!({"at": at, "reason": code}));
                continue;
            }
        };
        let copy = candidate
            .get("url")
            .and_then(Value::text)
            .unwrap_or_default()
            .to_owned();
        let url = if v.has(M::CopiesUsed) {
            copy
        } else {
            claims.url.clone()
        };
        let again = seen.iter().any(|other| is_same(v, other, &url)) && !v.has(M::DuplicateKept);
        if again {
            duplicate.push(at);
        } else {
            seen.push(url);
            kept.push(at);
        }
        if !again || v.has(M::DuplicateCompared) {
            let names = ["url", "status", "checked_at", "expires"];
            let differs = |name: &&str| match candidate.get(name) {
                None => !v.has(M::CopyMissing),
                Some(copy) => !is_copy(name, copy, &claims) && !v.has(M::CopiesUncompared),
            };
            differ.extend(
                names
                    .iter()
                    .filter(|name| differs(name))
                    .map(|name| format!("/candidates/{at}/{name}")),
            );
        }
    }
    if name != discovery.name && !v.has(M::AnswerName) {
        differ.push("/resolver".to_owned());
    }
    if v.has(M::PlacesBackwards) {
        kept.reverse();
    }
    Ok(
        json!({"candidates": kept, "dropped": dropped, "copyDiffers": differ, "duplicateUrl": duplicate}),
    )
}

pub(crate) fn record(
    v: Verifier,
    bytes: &[u8],
    discovery: &Discovery,
    requested: Option<&str>,
    now: i64,
) -> Result<serde_json::Value, String> {
    let most = if v.has(M::RecordSize) { 65_537 } else { 65_536 };
    refuse(bytes.len() > most, "document-too-large")?;
    let object = json::read(v, "document", bytes)?;
    version(v, &object)?;
    let (iss, resolver) = (text(v, &object, "iss")?, text(v, &object, "resolver")?);
    let jws = text(v, &object, "jws")?;
    if v.has(M::RecordNeedsUrl) {
        text(v, &object, "url")?;
    }
    refuse(iss != discovery.issuer, "iss-mismatch")?;
    let claims = token::verify(v, jws.as_bytes(), discovery, now)?;
    let other =
        requested.is_some_and(|url| !is_same(v, url, &claims.url)) && !v.has(M::RequestedIgnored);
    refuse(other && v.has(M::RecordClaimsFirst), "url-mismatch")?;
    record_claims(v, &claims, discovery)?;
    refuse(other, "url-mismatch")?;

    let names = [
        "url",
        "status",
        "checked_at",
        "expires",
        "name",
        "first_seen",
        "resolver",
    ];
    let differs = |name: &&str| match (*name, object.get(name)) {
        ("resolver", _) => resolver != discovery.name,
        (_, None) => v.has(M::RecordMissing),
        ("name" | "first_seen", _) if v.has(M::RecordCopies) => false,
        (name, Some(copy)) => !is_copy(name, copy, &claims),
    };
    let differ = names.into_iter().filter(differs);
    let pointers: Vec<String> = differ.map(|name| format!("/{name}")).collect();
    Ok(json!({"copyDiffers": pointers}))
}

fn record_claims(v: Verifier, claims: &Claims, discovery: &Discovery) -> Result<(), String> {
    if claims.payload.has("name") || !v.has(M::RecordClaims) {
        let name = token::text(&claims.payload, "name")?;
        let most = if v.has(M::RecordName201) { 201 } else { 200 };
        let sound = names::is_name(v, &name, most) || v.has(M::RecordNameUnchecked);
        refuse(!sound, "name-invalid")?;
    }
    let first_seen = names::time(v, &token::text(&claims.payload, "first_seen")?);
    let checked_at = names::time(v, &claims.checked_at);
    let sound = first_seen.is_some() && (first_seen <= checked_at || v.has(M::FirstSeenLater));
    refuse(!sound, "first-seen-invalid")?;
    let Some(history) = claims.payload.get("history") else {
        return Ok(());
    };
    refuse(v.has(M::HistoryRefused), "history-invalid")?;
    let url = history.text().and_then(|url| names::server_url(v, url));
    let issuer = names::issuer(v, &discovery.issuer);
    let own = url.is_some_and(|url| Some(url.origin) == issuer || v.has(M::HistoryOrigin));
    refuse(!own && !v.has(M::HistoryUnchecked), "history-invalid")
}

/// Whether two URLs name one server.
fn is_same(v: Verifier, a: &str, b: &str) -> bool {
    a == b || (v.has(M::UrlCase) && a.eq_ignore_ascii_case(b))
}

/// Whether a member repeats the claim that it is a copy of.
fn is_copy(name: &str, copy: &Value, claims: &Claims) -> bool {
    let Some(copy) = copy.text() else {
        return false;
    };
    match name {
        "url" => copy == claims.url,
        "status" => copy == claims.status,
        "checked_at" => copy == claims.checked_at,
        // There is one way to write a time.
        "expires" => names::time(Verifier::sound(), copy) == Some(claims.exp),
        name => claims.payload.get(name).and_then(Value::text) == Some(copy),
    }
}
