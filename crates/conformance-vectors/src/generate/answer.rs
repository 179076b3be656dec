//! Answers (§5.3, §5.4): what is refused, what is dropped, and what is kept with a remark.

mod candidates;

use serde_json::{Value, json};

use super::build::{
    CHECKED_AT, EXPIRES, ISSUER, NOW, Object, Token, array, claims_of, discovery, header, jwk,
    quoted,
};
use super::cases::{Cases, input};
use super::curve::Key;
use super::json::{self, Extent};
use crate::model::{Input, Kind, Operation, Vector, VectorFile};

/// A candidate for a token with these claims, and copies of the plain ones.
fn candidate_of(url: &str, token: &str) -> Object {
    Object::default()
        .and("url", quoted(url))
        .and("status", "\"ok\"")
        .and("checked_at", quoted(CHECKED_AT))
        .and("expires", quoted(EXPIRES))
        .and(
            "evidence",
            "{\"record\":\"https://resolver.example/record?id=s-1\"}",
        )
        .and("jws", quoted(token))
}

/// An honest candidate.
fn candidate(url: &str) -> Object {
    candidate_of(url, &Token::of(&header("key-1"), &claims_of(url)).compact())
}

/// The server of the candidate at this place.
fn server(place: usize) -> String {
    format!("https://server-{place}.example/mcp")
}

fn answer_of<T: AsRef<[u8]>>(candidates: impl IntoIterator<Item = T>) -> Object {
    Object::default()
        .and("v", "\"0.2\"")
        .and("iss", quoted(ISSUER))
        .and("resolver", "\"Example Resolver\"")
        .and("candidates", array(candidates))
}

fn answer(candidates: impl IntoIterator<Item = Object>) -> Object {
    answer_of(candidates.into_iter().map(|candidate| candidate.text()))
}

/// Two honest candidates.
fn plain() -> Object {
    answer([candidate(&server(0)), candidate(&server(1))])
}

fn ask_text(document: impl AsRef<[u8]>) -> Input {
    ask_by(document, &discovery(), NOW)
}

fn ask_by(document: impl AsRef<[u8]>, discovery: &Object, now: &str) -> Input {
    input([
        ("document", document.as_ref()),
        ("discovery", &discovery.text()),
        ("issuer", ISSUER.as_bytes()),
        ("now", now.as_bytes()),
    ])
}

fn ask(document: &Object) -> Input {
    ask_text(document.text())
}

/// What a client has after it read an answer.
#[derive(Default)]
struct Read<'a> {
    kept: &'a [usize],
    dropped: &'a [(usize, &'a str)],
    differs: &'a [&'a str],
    duplicates: &'a [usize],
}

impl Read<'_> {
    fn of(&self, vector: &mut Vector) {
        let dropped: Vec<Value> = self
            .dropped
            .iter()
            .map(|(at, reason)| json!({"at": at, "reason": reason}))
            .collect();
        vector.yields([
            ("candidates", json!(self.kept)),
            ("dropped", json!(dropped)),
            ("copyDiffers", json!(self.differs)),
            ("duplicateUrl", json!(self.duplicates)),
        ]);
    }
}

const BOTH: Read = Read {
    kept: &[0, 1],
    dropped: &[],
    differs: &[],
    duplicates: &[],
};

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::Answer, Operation::Answer);
    BOTH.of(cases.base(
        "plain",
        "resolve.answer.members resolve.answer.iss resolve.answer.name-read candidate.unsigned candidate.dropped \
         candidate.claims-only candidate.copy-differs candidate.duplicate",
        "An answer with two candidates, both sound. Most answers here are made from this one.",
        ask(&plain()),
    ));
    size(&mut cases);
    json::add(
        &mut cases,
        "json-",
        "document",
        "json.document-code",
        Extent::Core,
        &plain(),
        ask_text,
    );
    members(&mut cases);
    counts(&mut cases);
    candidates::add(&mut cases);
    order(&mut cases);
    let mut file = cases.into_file();
    // The valid cases of §3.2 are the plain answer with a member more.
    for vector in &mut file.tests {
        if vector.reason.is_none() && vector.output.is_none() {
            BOTH.of(vector);
        }
    }
    file
}

fn size(cases: &mut Cases) {
    let of_size = |size: usize| {
        let shortest = plain().and("x", "\"\"").text().len();
        plain()
            .and("x", quoted(&"x".repeat(size - shortest)))
            .text()
    };
    BOTH.of(cases.valid(
        "size-262144",
        "resolve.answer.size",
        "an unknown member, 262,144 bytes in all",
        "As large as an answer may be.",
        ask_text(of_size(262_144)),
    ));
    cases.invalid(
        "size-262145",
        "document-too-large",
        "resolve.answer.size",
        "an unknown member, 262,145 bytes in all",
        "One byte too many.",
        ask_text(of_size(262_145)),
    );
}

fn members(cases: &mut Cases) {
    for name in ["v", "iss", "resolver", "candidates"] {
        cases.invalid(
            &format!("{name}-missing"),
            "member-missing",
            "resolve.answer.members",
            &format!("without {name}"),
            &format!("The member {name} is not optional."),
            ask(&plain().without(name)),
        );
        cases.invalid(
            &format!("{name}-null"),
            "member-type",
            "resolve.answer.members",
            &format!("{name}: null"),
            "Null is a value of another type, and not a missing member.",
            ask(&plain().set(name, "null")),
        );
        cases.invalid(
            &format!("{name}-number"),
            "member-type",
            "resolve.answer.members",
            &format!("{name}: 0"),
            "A number is of another type.",
            ask(&plain().set(name, "0")),
        );
    }
    cases.invalid(
        "candidates-object",
        "member-type",
        "resolve.answer.members",
        "candidates: an object",
        "An object is no array.",
        ask(&plain().set("candidates", "{\"0\":{}}")),
    );
    cases.invalid(
        "v-other",
        "version-unsupported",
        "version.unknown version.value",
        "v: 0.3",
        "Another version may mean anything.",
        ask(&plain().set("v", "\"0.3\"")),
    );
    cases.invalid(
        "v-longer",
        "version-unsupported",
        "version.unknown version.value",
        "v: 0.2.0",
        "Another string.",
        ask(&plain().set("v", "\"0.2.0\"")),
    );
    for (slug, value, comment) in [
        (
            "other",
            "https://other.example",
            "The answer of somebody else.",
        ),
        (
            "final-slash",
            "https://resolver.example/",
            "An origin has no path, and a reader repairs nothing.",
        ),
        (
            "upper-case",
            "https://Resolver.example",
            "Compared byte for byte.",
        ),
        (
            "default-port",
            "https://resolver.example:443",
            "The default port is not written.",
        ),
    ] {
        cases.invalid(
            &format!("iss-{slug}"),
            "iss-mismatch",
            "resolve.answer.iss origin.comparison",
            &format!("iss: {value}"),
            comment,
            ask(&plain().set("iss", quoted(value))),
        );
    }
    BOTH.of(cases.valid(
        "unknown-members",
        "json.unknown-member",
        "unknown members in the answer and a candidate",
        "Members that the text does not define are ignored.",
        ask(&answer([
            candidate(&server(0)).and("rank", "1"),
            candidate(&server(1)),
        ])
        .and("took_ms", "12")),
    ));
    BOTH.of(cases.valid(
        "reversed",
        "resolve.answer.members",
        "members in reverse order",
        "Members of an object have no order.",
        ask(&answer([candidate(&server(0)).reversed(), candidate(&server(1))]).reversed()),
    ));
    BOTH.of(cases.valid(
        "evidence-missing",
        "candidate.claims-only",
        "a candidate without evidence",
        "A client needs nothing of a candidate but its token.",
        ask(&answer([
            candidate(&server(0)).without("evidence"),
            candidate(&server(1)),
        ])),
    ));
    BOTH.of(cases.valid(
        "evidence-number",
        "candidate.claims-only",
        "a candidate whose evidence is a number",
        "Nor does it look at the type.",
        ask(&answer([
            candidate(&server(0)).set("evidence", "1"),
            candidate(&server(1)),
        ])),
    ));
    for (slug, value, comment) in [
        (
            "other",
            "Other Resolver".to_owned(),
            "The name of the discovery document is shown, and the difference reported.",
        ),
        (
            "case",
            "example resolver".to_owned(),
            "Compared character for character.",
        ),
        (
            "empty",
            String::new(),
            "A name that a discovery document could not have is a difference too.",
        ),
        (
            "control",
            "Example\u{7}Resolver".to_owned(),
            "A name that a discovery document could not have is a difference too.",
        ),
    ] {
        Read {
            differs: &["/resolver"],
            ..BOTH
        }
        .of(cases.valid(
            &format!("name-{slug}"),
            "resolve.answer.name-read",
            &format!("resolver: {}", value.escape_debug()),
            comment,
            ask(&plain().set("resolver", quoted(&value))),
        ));
    }
}

fn counts(cases: &mut Cases) {
    Read::default().of(cases.valid(
        "empty",
        "resolve.answer.empty",
        "no candidates",
        "Nobody can do the job: that is an answer.",
        ask(&answer([])),
    ));
    Read {
        kept: &[0],
        ..Read::default()
    }
    .of(cases.valid(
        "one",
        "resolve.answer.count",
        "one candidate",
        "The plain answer with one candidate.",
        ask(&answer([candidate(&server(0))])),
    ));
    let many = |count: usize| answer((0..count).map(|place| candidate(&server(place))));
    Read {
        kept: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        ..Read::default()
    }
    .of(cases.valid(
        "10-candidates",
        "resolve.answer.count",
        "ten candidates",
        "As many as an answer may have.",
        ask(&many(10)),
    ));
    cases.invalid(
        "11-candidates",
        "too-many-candidates",
        "resolve.answer.count",
        "eleven candidates",
        "One too many: the whole answer is refused, and not cut.",
        ask(&many(11)),
    );
    cases.invalid(
        "11-candidates-of-no-worth",
        "too-many-candidates",
        "resolve.answer.count resolve.answer.order",
        "eleven numbers",
        "Candidates are counted before they are looked at.",
        ask(&answer_of(["1"; 11])),
    );
    let dropped: Vec<_> = (0..10).map(|place| (place, "jws-missing")).collect();
    Read {
        dropped: &dropped,
        ..Read::default()
    }
    .of(cases.valid(
        "10-dropped",
        "candidate.unsigned",
        "ten empty objects",
        "Every candidate is dropped, and the answer stays valid.",
        ask(&answer_of(["{}"; 10])),
    ));
}

/// Two faults each: the rule says which is reported.
fn order(cases: &mut Cases) {
    for (slug, code, change, document) in [
        (
            "duplicate-before-v",
            "document-duplicate-member",
            "v of another version, twice",
            plain().set("v", "\"9\"").and("v", "\"9\""),
        ),
        (
            "v-before-iss",
            "version-unsupported",
            "v of another version, without iss",
            plain().set("v", "\"9\"").without("iss"),
        ),
        (
            "types-before-iss-value",
            "member-missing",
            "another iss, without candidates",
            plain()
                .set("iss", "\"https://other.example\"")
                .without("candidates"),
        ),
        (
            "iss-type-before-candidates",
            "member-type",
            "iss a number, without candidates",
            plain().set("iss", "1").without("candidates"),
        ),
        (
            "resolver-before-candidates",
            "member-missing",
            "without resolver, candidates a number",
            plain().without("resolver").set("candidates", "1"),
        ),
        (
            "iss-before-count",
            "iss-mismatch",
            "another iss, eleven candidates",
            answer_of(["{}"; 11]).set("iss", "\"https://other.example\""),
        ),
    ] {
        cases.invalid(
            &format!("order-{slug}"),
            code,
            "resolve.answer.order",
            change,
            "Two faults: the order of the checks decides which code is reported.",
            ask(&document),
        );
    }
    for (slug, code, change, document) in [
        (
            "version",
            "version-unsupported",
            "v: 0.3 in the discovery document",
            discovery().set("v", "\"0.3\""),
        ),
        (
            "private-key",
            "key-private",
            "a private key in the discovery document",
            discovery().set(
                "keys",
                array([jwk("key-1", &Key::first().public())
                    .and("d", "\"AA\"")
                    .text()]),
            ),
        ),
    ] {
        cases.invalid(&format!("discovery-refused-{slug}"), code, "discovery.refused", change, "The document that the answer would be judged by is refused, and its code is the answer's.", ask_by(plain().text(), &document, NOW));
    }
}
