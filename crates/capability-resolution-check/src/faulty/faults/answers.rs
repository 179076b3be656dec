//! Faults of answers and candidates.

use super::*;

pub(super) fn faults() -> Vec<Fault> {
    let members = |name: &str, rule, does: &str, edit: fn(&mut Value)| {
        fault(name, rule, does, Members(Answer, edit))
    };
    let head = |name: &str, rule, does: &str, edit| fault(name, rule, does, Head(Answer, edit));
    vec![
        quirk(
            "answers-a-need-once",
            "resolve.request",
            "fails when a need is asked again",
            AnsweredOnce,
        ),
        members(
            "answer-of-another-name",
            "resolve.answer.name",
            "has another name than the discovery document",
            |document| document["resolver"] = json!("Another"),
        ),
        quirk(
            "twelve-candidates",
            "resolve.answer.count",
            "gives twelve candidates",
            AllCandidates,
        ),
        quirk(
            "candidate-twice",
            "resolve.answer.unique",
            "gives a server twice",
            CandidateTwice,
        ),
        quirk(
            "order-by-turns",
            "resolve.answer.stable",
            "gives another order to each request",
            Rotated,
        ),
        head(
            "answer-uncached",
            "resolve.caching",
            "sends no Cache-Control with answers",
            |response| response.remove("Cache-Control"),
        ),
        head(
            "answer-public",
            "resolve.caching",
            "sends Cache-Control: public with answers",
            |response| response.set("Cache-Control", "public, max-age=60"),
        ),
        head(
            "answer-cached-long",
            "resolve.caching",
            "sends max-age=7200 with answers",
            |response| response.set("Cache-Control", "private, max-age=7200"),
        ),
        head(
            "answer-max-age-twice",
            "resolve.caching",
            "sends a second max-age with answers",
            |response| response.set("Cache-Control", "private, max-age=60, max-age=86400"),
        ),
        head(
            "answer-stale",
            "resolve.caching",
            "lets answers be used when they are stale",
            |response| {
                response.set(
                    "Cache-Control",
                    "private, max-age=60, stale-while-revalidate=86400",
                );
            },
        ),
        quirk(
            "cached-beyond-exp",
            "resolve.caching",
            "lets answers and records be cached beyond the end of their tokens",
            ShortLived,
        ),
        head(
            "answer-with-referrer",
            "resolve.referrer",
            "sends no Referrer-Policy",
            |response| response.remove("Referrer-Policy"),
        ),
        members(
            "candidate-without-status",
            "candidate.members",
            "gives a candidate without status",
            |document| third(document, |candidate| remove(candidate, "status")),
        ),
        members(
            "candidate-without-evidence",
            "candidate.members",
            "gives a candidate whose evidence is a string",
            |document| third(document, |candidate| candidate["evidence"] = json!("x")),
        ),
        members(
            "candidate-without-token",
            "candidate.members",
            "gives a candidate without jws",
            |document| third(document, |candidate| remove(candidate, "jws")),
        ),
        members(
            "candidate-of-another-status",
            "candidate.copies",
            "gives a status beside the token that is not the signed one",
            |document| third(document, |candidate| candidate["status"] = json!("unknown")),
        ),
        members(
            "candidate-expires-later",
            "candidate.copies",
            "gives an expiry beside the token that is not the signed one",
            |document| {
                third(document, |candidate| {
                    candidate["expires"] = json!("2099-01-01T00:00:00Z")
                });
            },
        ),
        members(
            "record-elsewhere",
            "candidate.evidence",
            "points to a record on another origin",
            |document| {
                third(document, |candidate| {
                    candidate["evidence"]["record"] = json!("https://another.example/record?id=r3")
                });
            },
        ),
        members(
            "record-id-long",
            "record.id",
            "points to a record whose id has 65 characters",
            |document| {
                third(document, |candidate| {
                    append(&mut candidate["evidence"]["record"], &"x".repeat(63))
                });
            },
        ),
    ]
}
