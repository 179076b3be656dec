//! Faults of records.

use super::*;

pub(super) fn faults() -> Vec<Fault> {
    let members = |name: &str, rule, does: &str, edit: fn(&mut Value)| {
        fault(name, rule, does, Members(Record, edit))
    };
    let token = |name: &str, rule, does: &str, edit| fault(name, rule, does, RecordToken(edit));
    let head =
        |name: &str, does: &str, edit| fault(name, "record.caching", does, Head(Record, edit));
    vec![
        quirk(
            "no-record-by-id",
            "record.request",
            "does not find records by id",
            NoRecordById,
        ),
        quirk(
            "no-record-by-url",
            "record.request",
            "does not find records by url",
            NoRecordByUrl,
        ),
        quirk(
            "record-no-query-404",
            "record.request",
            "says record-not-found when nothing is asked",
            RecordNoQuery404,
        ),
        quirk(
            "record-both-taken",
            "record.request",
            "takes an id and a url",
            RecordBothTaken,
        ),
        quirk(
            "record-repeated-taken",
            "record.request",
            "takes the first of two ids",
            RecordRepeatedTaken,
        ),
        quirk(
            "record-unknown-taken",
            "record.request",
            "ignores an unknown parameter",
            RecordUnknownTaken,
        ),
        quirk(
            "record-bad-escape-kept",
            "record.request",
            "keeps an escape that is none as it is",
            RecordBadEscapeKept,
        ),
        quirk(
            "record-empty-id-404",
            "record.request",
            "says record-not-found of an empty id",
            RecordEmptyId404,
        ),
        quirk(
            "record-long-id-404",
            "record.request",
            "says record-not-found of a long id",
            RecordLongId404,
        ),
        quirk(
            "record-id-character-404",
            "record.request",
            "says record-not-found of an id with a space",
            RecordIdCharacter404,
        ),
        quirk(
            "record-id-line-end-404",
            "record.request",
            "says record-not-found of an id with a line end",
            RecordIdLineEnd404,
        ),
        quirk(
            "record-url-scheme-404",
            "record.request",
            "says record-not-found of a url by ftp",
            RecordUrlScheme404,
        ),
        quirk(
            "record-url-dots-404",
            "record.request",
            "says record-not-found of a url with ..",
            RecordUrlDots404,
        ),
        quirk(
            "record-url-case-404",
            "record.request",
            "says record-not-found of a url in capitals",
            RecordUrlCase404,
        ),
        quirk(
            "record-url-http-404",
            "record.request",
            "says record-not-found of a url by http",
            RecordUrlHttp404,
        ),
        quirk(
            "record-url-no-path-404",
            "record.request",
            "says record-not-found of a url without a path",
            RecordUrlNoPath404,
        ),
        quirk(
            "record-url-long-404",
            "record.request",
            "says record-not-found of a url that is too long",
            RecordUrlLong404,
        ),
        quirk(
            "record-url-encoded-dots-404",
            "record.request",
            "says record-not-found of a url with .%2e",
            RecordUrlEncodedDots404,
        ),
        quirk(
            "record-url-port-404",
            "record.request",
            "says record-not-found of a url with the port 443",
            RecordUrlPort404,
        ),
        quirk(
            "record-unknown-id-empty",
            "record.not-found",
            "answers an unknown id with 200 and nothing",
            RecordUnknownIdEmpty,
        ),
        quirk(
            "record-unknown-url-400",
            "record.not-found",
            "says record-query of an unknown url",
            RecordUnknownUrl400,
        ),
        quirk(
            "record-longest-id-refused",
            "record.not-found",
            "refuses an id of 64 characters",
            RecordLongestIdRefused,
        ),
        quirk(
            "record-of-another",
            "record.requested",
            "gives another server's record by url",
            RecordOfAnother,
        ),
        members(
            "record-without-first-seen",
            "record.members",
            "lacks the member first_seen",
            |document| remove(document, "first_seen"),
        ),
        members(
            "record-name-not-signed",
            "record.copies",
            "has a name beside the token that is not the signed one",
            |document| document["name"] = json!("Another"),
        ),
        token(
            "record-of-another-status",
            "record.same-claims",
            "states another status than the candidate",
            |parts| parts.edit_payload(|payload| payload["status"] = json!("unknown")),
        ),
        token(
            "record-observed-earlier",
            "record.same-claims",
            "states an earlier observation than the candidate",
            |parts| {
                parts.edit_payload(|payload| {
                    let earlier = payload["iat"].as_i64().unwrap_or_default() - 7_200;
                    payload["checked_at"] = json!(crate::faulty::resolver::time(earlier));
                });
            },
        ),
        token(
            "record-without-name",
            "record.claims",
            "signs no name",
            |parts| parts.edit_payload(|payload| remove(payload, "name")),
        ),
        token(
            "record-name-long",
            "record.name",
            "signs a name of 201 characters",
            |parts| parts.edit_payload(|payload| payload["name"] = json!("x".repeat(201))),
        ),
        token(
            "record-first-seen-late",
            "record.first-seen",
            "signs a first_seen after checked_at",
            |parts| {
                parts.edit_payload(|payload| payload["first_seen"] = json!("2099-01-01T00:00:00Z"))
            },
        ),
        token(
            "record-history-elsewhere",
            "record.history-form",
            "signs a history on another origin",
            |parts| {
                parts.edit_payload(|payload| {
                    payload["history"] = json!("https://another.example/history")
                })
            },
        ),
        head(
            "record-uncached",
            "sends no Cache-Control with records",
            |response| response.remove("Cache-Control"),
        ),
        head(
            "record-max-age-twice",
            "sends a second max-age with records",
            |response| response.set("Cache-Control", "private, max-age=60, max-age=86400"),
        ),
        head(
            "record-cached-long",
            "sends max-age=7200 with records",
            |response| response.set("Cache-Control", "private, max-age=7200"),
        ),
    ]
}
