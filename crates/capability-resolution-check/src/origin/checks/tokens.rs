//! Tokens: each one fully, by the checks that the command `token` has too, and what all of them keep together.

use std::collections::BTreeMap;

use capability_resolution::Time;

use crate::checks::{Check as Step, Subject, checks as steps, failed as step_of};
use crate::origin::check::{Check, Group, Not, could_not_tell, failed};
use crate::origin::evidence::{Evidence, TokenSeen};
use crate::origin::probes::encoded;
use crate::origin::recording::Document;

pub(super) fn checks() -> Vec<Option<Check>> {
    let of_records = steps(Subject::Token, false).len();
    let steps = steps(Subject::Token, true);
    let mut checks = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        // A rule that is kept in several steps has one check.
        let is_first = steps.iter().position(|s| s.rule == step.rule) == Some(at);
        if is_first {
            checks.push(of_rule(step.rule, &steps, at >= of_records));
        }
    }
    let check = |id, expected, mend, judge: fn(&Evidence<'_>) -> Result<(), Not>| {
        Check::new(Group::Tokens, id, "", expected, mend, judge)
    };
    checks.extend([
        check(
            "token.header.sent",
            "the header has alg, kid and at most typ",
            "leave out every other member of the header",
            header_sent,
        ),
        check(
            "token.no-need",
            "no claim holds the need, a constraint or who asked",
            "sign what was observed, and nothing of the request",
            no_need,
        ),
        check(
            "token.same-for-all",
            "one observation has one token, whoever asks and whatever for",
            "sign an observation once and give that token until it is replaced",
            same_for_all,
        ),
        check(
            "status.checked-at",
            "checked_at is no later than iat",
            "state when the observation ended, and sign after that",
            checked_at,
        ),
    ]);
    checks
}

/// The rule by which a resolver keeps what a client checks, where the text has one.
fn of_resolver(rule: &'static str) -> &'static str {
    match rule {
        "token.kid.known" => "discovery.keys.published",
        rule => rule,
    }
}

fn of_rule(rule: &'static str, steps: &[Step], of_records: bool) -> Option<Check> {
    let group = if of_records {
        Group::Record
    } else {
        Group::Tokens
    };
    let subject = if of_records {
        "the token of a record"
    } else {
        "each token"
    };
    let steps = steps.iter().filter(|step| step.rule == rule);
    let holds: Vec<_> = steps.map(|step| step.holds).collect();
    let expected = format!("{subject}: {}", holds.join("; "));
    let judge = move |evidence: &Evidence<'_>| judge(evidence, rule, of_records);
    Check::new(group, of_resolver(rule), "", expected, mend(rule), judge)
}

fn mend(rule: &str) -> &'static str {
    match rule {
        "token.length" => "sign fewer and shorter claims",
        "token.characters" | "token.segments" | "token.segment-empty" | "token.base64" => {
            "write the token as a compact JWS: three segments of base64url without padding"
        }
        "token.alg.missing" | "token.alg" => "set alg to \"EdDSA\"",
        "token.header.json" | "token.payload.json" => {
            "write it with a JSON library, once and whole"
        }
        "token.crit" | "token.b64" | "token.key-material" | "token.cty" | "token.typ" => {
            "send the header {\"alg\":\"EdDSA\",\"kid\":...} and nothing else"
        }
        "token.kid.missing" | "token.kid.form" | "token.kid.known" => {
            "name the key by its kid, and publish it before you sign with it"
        }
        "token.kid.usable" => "publish the key as kty OKP, crv Ed25519, for signatures",
        "token.signature.length"
        | "token.signature.s"
        | "token.signature.r"
        | "token.signature.equation" => {
            "sign the first two segments with their dot, by Ed25519 of RFC 8032 with the key of this kid"
        }
        "token.iss" => "set iss to the origin that clients ask, byte for byte",
        "token.claims" => "state every claim of the table, each of its type",
        "token.claims.integer" => "write iat and exp as integers of seconds since 1970",
        "token.exp.after-iat" | "token.exp.max-life" | "token.iat.future" | "token.nbf" => {
            "set iat to now and exp to at most 172800 later, by a clock that is right"
        }
        "token.exp.expired" => {
            "sign anew before a token ends, and leave out what you cannot sign anew"
        }
        "token.aud" => "leave aud out: a token is for everybody",
        "token.url" => "state the server URL in canonical form",
        "token.status" => "state ok, sign_in, down or unknown",
        "token.checked-at" | "token.checked-at.future" => {
            "write the end of the observation as YYYY-MM-DDTHH:MM:SSZ"
        }
        "status.max-age" => "observe the server again, or leave it out",
        "record.claims" => "state name and first_seen, both as strings",
        "record.name" => "state a plain name of 1 to 200 characters",
        "record.first-seen" => "state when the server was first seen, no later than checked_at",
        "record.history-form" => "leave history out, or state a URL on the issuer",
        _ => "change what is signed so that the rule holds",
    }
}

/// Whether every token keeps one rule.
fn judge(evidence: &Evidence<'_>, rule: &str, of_records: bool) -> Result<(), Not> {
    evidence.discovery()?;
    let tokens = if of_records {
        let mut of_records = evidence
            .tokens
            .iter()
            .filter(|token| token.of_record)
            .peekable();
        if of_records.peek().is_none() {
            return could_not_tell(match evidence.documents(Document::Record) {
                Ok(_) => "no record holds a token".to_owned(),
                Err(_) => evidence.why_none(Document::Record),
            });
        }
        of_records.collect()
    } else {
        evidence.all_tokens()?.iter().collect::<Vec<_>>()
    };
    let steps = steps(Subject::Token, true);
    let last = steps.iter().rposition(|step| step.rule == rule);
    let mut hidden = None;
    for token in tokens {
        let Err(refusal) = &token.verified else {
            continue;
        };
        match step_of(&steps, refusal) {
            Some(broken) if steps[broken].rule == rule => {
                return failed(format!(
                    "{}: {} ({})",
                    token.place,
                    refusal.detail(),
                    refusal.code()
                ));
            }
            broken if broken > last => {}
            _ => hidden = Some(format!("{} breaks {} first", token.place, refusal.rule())),
        }
    }
    hidden.map_or(Ok(()), could_not_tell)
}

fn header_sent(evidence: &Evidence<'_>) -> Result<(), Not> {
    let mut any = false;
    for token in evidence.all_tokens()? {
        let Some(header) = &token.header else {
            continue;
        };
        any = true;
        // Members that make a client refuse the token have rules of their own.
        let refused = ["crit", "b64", "jwk", "jku", "x5u", "x5c", "cty"];
        let known = |name: &&String| {
            ["alg", "kid", "typ"].contains(&name.as_str()) || refused.contains(&name.as_str())
        };
        if let Some(name) = header.keys().find(|name| !known(name)) {
            return failed(format!("{}: the header has a member {name}", token.place));
        }
    }
    if any {
        Ok(())
    } else {
        could_not_tell("no token has a header that can be read")
    }
}

/// Claims that the text defines, and that cannot hold a need by their form.
const CLAIMS: [&str; 9] = [
    "iss",
    "iat",
    "exp",
    "nbf",
    "status",
    "checked_at",
    "name",
    "first_seen",
    "history",
];

fn no_need(evidence: &Evidence<'_>) -> Result<(), Not> {
    let need = evidence.recording.need.to_lowercase();
    let constraints = ["sign_in=", "read_only=", "max_handshake_ms=", "payment="];
    let needs = [encoded(&need).to_lowercase(), need.replace(' ', "+"), need];
    let asked = needs.into_iter().chain(constraints.map(str::to_owned));
    let asked: Vec<String> = asked.collect();
    let told = |token: &TokenSeen| {
        let claims = token.payload.iter().flatten();
        let mut others = claims.filter(|(name, _)| !CLAIMS.contains(&name.as_str()));
        others.find_map(|(name, value)| {
            let text = value.to_string().to_lowercase();
            // A host or a path may well be named after the job that its server does.
            let text = match text.split_once('?') {
                Some((_, query)) if name == "url" => query,
                None if name == "url" => "",
                _ => &text,
            };
            let holds = asked.iter().any(|asked| text.contains(asked.as_str()));
            let caller = text.contains(env!("CARGO_PKG_NAME"));
            (holds || caller).then(|| {
                let what = if holds { "what was asked" } else { "who asked" };
                format!("{}: the claim {name} holds {what}", token.place)
            })
        })
    };
    match evidence.all_tokens()?.iter().find_map(told) {
        Some(seen) => failed(seen),
        None => Ok(()),
    }
}

/// What was observed of a server: its URL, status and when; and whether a record states it, whose token holds more.
type Observation<'e> = (String, &'e str, Time, bool);

fn same_for_all(evidence: &Evidence<'_>) -> Result<(), Not> {
    evidence.claims()?;
    let answers = evidence.documents(Document::Answer)?;
    let candidates = answers.flat_map(|answer| answer.candidates());
    let of_candidates = candidates.filter_map(|candidate| candidate.get("jws")?.as_str());
    let records = evidence.documents(Document::Record).into_iter().flatten();
    let of_records = records.filter_map(|record| record.text("jws"));
    let mut given: BTreeMap<Observation<'_>, Vec<(&str, Time)>> = BTreeMap::new();
    for jws in of_candidates.chain(of_records) {
        let Some((claims, record)) = evidence.claims_of(jws) else {
            continue;
        };
        let observation = (
            claims.url.to_string(),
            claims.status.as_str(),
            claims.checked_at,
            record.is_some(),
        );
        let tokens = given.entry(observation).or_default();
        if !tokens.iter().any(|(known, _)| *known == jws) {
            tokens.push((jws, claims.issued_at));
        }
    }
    for ((url, ..), tokens) in given {
        // Once in a run a token may have been replaced by a newer one.
        match tokens.as_slice() {
            [_] => {}
            [(_, first), (_, second)] if first != second => {}
            tokens => {
                return failed(format!(
                    "{} tokens for one observation of {url}",
                    tokens.len()
                ));
            }
        }
    }
    Ok(())
}

fn checked_at(evidence: &Evidence<'_>) -> Result<(), Not> {
    for (token, claims) in evidence.claims()? {
        if claims.checked_at > claims.issued_at {
            return failed(format!(
                "{}: checked_at is {}, iat {}",
                token.place, claims.checked_at, claims.issued_at
            ));
        }
    }
    Ok(())
}
