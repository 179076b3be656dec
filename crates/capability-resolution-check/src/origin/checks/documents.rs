//! The form of the three documents, in the order in which a client checks it: the first rule that a document breaks
//! hides those behind it.

use capability_resolution::Code::{self, *};
use capability_resolution::Refusal;

use crate::origin::check::{Check, Group, Not, could_not_tell, failed};
use crate::origin::evidence::Evidence;
use crate::origin::recording::Document;

/// One rule of a document's form.
#[derive(Clone, Copy)]
struct Step {
    rule: &'static str,
    aspect: &'static str,
    /// What holds.
    holds: &'static str,
    mend: &'static str,
    codes: &'static [Code],
    /// Where it is broken, as the reader's messages begin; anywhere if empty.
    at: &'static [&'static str],
}

const fn step(
    rule: &'static str,
    aspect: &'static str,
    holds: &'static str,
    mend: &'static str,
    codes: &'static [Code],
    at: &'static [&'static str],
) -> Step {
    Step {
        rule,
        aspect,
        holds,
        mend,
        codes,
        at,
    }
}

impl Step {
    fn gives(&self, refusal: &Refusal) -> bool {
        let here = |at: &&str| refusal.detail().starts_with(at);
        self.codes.contains(&refusal.code()) && (self.at.is_empty() || self.at.iter().any(here))
    }
}

const UTF8: &str = "well-formed UTF-8";
const DEEP: &str = "nested at most 32 deep";
const SYNTAX: &str = "exactly one JSON value, without a byte order mark";
const DUPLICATE: &str = "no member twice in one object";
const VERSION: &str = "v is the string 0.2";
const MEND_UTF8: &str = "encode the JSON as UTF-8";
const MEND_DEEP: &str = "leave out members that nest so deep";
const MEND_SYNTAX: &str = "write it with a JSON library, and nothing before or behind it";
const MEND_DUPLICATE: &str = "write each member once, also those that the text does not define";
const MEND_VERSION: &str = "set v to \"0.2\"";
const MEND_ISS: &str = "set iss to the origin that clients ask, byte for byte";

fn steps(document: Document) -> &'static [Step] {
    match document {
        Document::Discovery => DISCOVERY,
        Document::Answer => ANSWER,
        Document::Record => RECORD,
    }
}

const DISCOVERY: &[Step] = &[
    step(
        "discovery.size",
        "",
        "at most 65,536 bytes",
        "leave out what the text does not ask for",
        &[DocumentTooLarge],
        &[],
    ),
    step(
        "json.utf8",
        "discovery",
        UTF8,
        MEND_UTF8,
        &[DocumentNotUtf8],
        &[],
    ),
    step(
        "json.depth",
        "discovery",
        DEEP,
        MEND_DEEP,
        &[DocumentTooDeep],
        &[],
    ),
    step(
        "json.syntax",
        "discovery",
        SYNTAX,
        MEND_SYNTAX,
        &[DocumentNotJson],
        &[],
    ),
    step(
        "discovery.members",
        "object",
        "one JSON object",
        "serve the object itself",
        &[DocumentNotObject],
        &[],
    ),
    step(
        "json.duplicate",
        "discovery",
        DUPLICATE,
        MEND_DUPLICATE,
        &[DocumentDuplicateMember],
        &[],
    ),
    step(
        "version.value",
        "discovery",
        VERSION,
        MEND_VERSION,
        &[MemberMissing, MemberType, VersionUnsupported],
        &["/v "],
    ),
    step(
        "discovery.members",
        "",
        "every member of the table, each of its type",
        "add the member, or give it its type",
        &[MemberMissing, MemberType],
        &[],
    ),
    step(
        "discovery.iss",
        "",
        "iss is the issuer that was asked",
        MEND_ISS,
        &[IssMismatch],
        &[],
    ),
    step(
        "discovery.name",
        "",
        "resolver is a name of 1 to 100 characters",
        "write a plain short name",
        &[NameInvalid],
        &[],
    ),
    step(
        "discovery.endpoints.query",
        "",
        "no query in resolve and record",
        "leave the query out: clients add their own",
        &[EndpointInvalid],
        &[
            "/endpoints/resolve has a query",
            "/endpoints/record has a query",
        ],
    ),
    step(
        "discovery.endpoints",
        "",
        "the endpoints are URLs in canonical form",
        "write the URL as a server URL: https, lower case, no fragment",
        &[EndpointInvalid],
        &["/endpoints"],
    ),
    step(
        "discovery.endpoints.origin",
        "",
        "the endpoints lie on the issuer",
        "serve the endpoints on the issuer itself",
        &[EndpointOrigin],
        &[],
    ),
    step(
        "discovery.keys.count",
        "",
        "at most 32 keys",
        "take out keys whose tokens have ended",
        &[KeysTooMany],
        &[],
    ),
    step(
        "discovery.key-type",
        "",
        "each key an object",
        "write each key as a JWK",
        &[MemberType],
        &["/keys/"],
    ),
    step(
        "discovery.keys.private",
        "",
        "no private key among the keys",
        "take the key out at once and make a new one: anybody can sign with it now",
        &[KeyPrivate],
        &[],
    ),
    step(
        "discovery.keys.kid-unique",
        "",
        "no kid twice",
        "give each key a kid of its own",
        &[KidAmbiguous],
        &[],
    ),
    step(
        "discovery.endpoints",
        "pages",
        "policy and changelog are URLs in canonical form",
        "write the URL as a server URL: https, lower case, no fragment",
        &[EndpointInvalid],
        &[],
    ),
];

const ANSWER: &[Step] = &[
    step(
        "resolve.answer.size",
        "",
        "at most 262,144 bytes",
        "give fewer or smaller candidates",
        &[DocumentTooLarge],
        &[],
    ),
    step(
        "json.utf8",
        "answer",
        UTF8,
        MEND_UTF8,
        &[DocumentNotUtf8],
        &[],
    ),
    step(
        "json.depth",
        "answer",
        DEEP,
        MEND_DEEP,
        &[DocumentTooDeep],
        &[],
    ),
    step(
        "json.syntax",
        "answer",
        SYNTAX,
        MEND_SYNTAX,
        &[DocumentNotJson],
        &[],
    ),
    step(
        "resolve.answer.members",
        "object",
        "one JSON object",
        "serve the object itself, and the candidates in it",
        &[DocumentNotObject],
        &[],
    ),
    step(
        "json.duplicate",
        "answer",
        DUPLICATE,
        MEND_DUPLICATE,
        &[DocumentDuplicateMember],
        &[],
    ),
    step(
        "version.value",
        "answer",
        VERSION,
        MEND_VERSION,
        &[MemberMissing, MemberType, VersionUnsupported],
        &["/v "],
    ),
    step(
        "resolve.answer.members",
        "",
        "v, iss, resolver and candidates, each of its type",
        "add the member, or give it its type",
        &[MemberMissing, MemberType],
        &[],
    ),
    step(
        "resolve.answer.iss",
        "",
        "iss is the issuer that was asked",
        MEND_ISS,
        &[IssMismatch],
        &[],
    ),
    step(
        "resolve.answer.count",
        "",
        "at most ten candidates",
        "give the ten best",
        &[TooManyCandidates],
        &[],
    ),
];

const RECORD: &[Step] = &[
    step(
        "record.size",
        "",
        "at most 65,536 bytes",
        "leave out what the text does not ask for",
        &[DocumentTooLarge],
        &[],
    ),
    step(
        "json.utf8",
        "record",
        UTF8,
        MEND_UTF8,
        &[DocumentNotUtf8],
        &[],
    ),
    step(
        "json.depth",
        "record",
        DEEP,
        MEND_DEEP,
        &[DocumentTooDeep],
        &[],
    ),
    step(
        "json.syntax",
        "record",
        SYNTAX,
        MEND_SYNTAX,
        &[DocumentNotJson],
        &[],
    ),
    step(
        "record.members",
        "object",
        "one JSON object",
        "serve the object itself",
        &[DocumentNotObject],
        &[],
    ),
    step(
        "json.duplicate",
        "record",
        DUPLICATE,
        MEND_DUPLICATE,
        &[DocumentDuplicateMember],
        &[],
    ),
    step(
        "version.value",
        "record",
        VERSION,
        MEND_VERSION,
        &[MemberMissing, MemberType, VersionUnsupported],
        &["/v "],
    ),
    step(
        "record.members",
        "",
        "iss, resolver and jws, each a string",
        "add the member, or make it a string",
        &[MemberMissing, MemberType],
        &[],
    ),
    step(
        "record.members",
        "iss",
        "iss is the issuer that was asked",
        MEND_ISS,
        &[IssMismatch],
        &[],
    ),
    step(
        "record.requested",
        "",
        "the record is of the server that was asked for",
        "give the record whose url is the one in the request",
        &[UrlMismatch],
        &[],
    ),
];

pub(super) fn checks() -> Vec<Option<Check>> {
    let of = |document: Document| {
        let group = match document {
            Document::Discovery => Group::Discovery,
            Document::Answer => Group::Answers,
            Document::Record => Group::Record,
        };
        let check = move |(at, step): (usize, &Step)| {
            let expected = format!("{}: {}", document.name(), step.holds);
            let judge = move |evidence: &Evidence<'_>| judge(evidence, document, at);
            Check::new(group, step.rule, step.aspect, expected, step.mend, judge)
        };
        steps(document).iter().enumerate().map(check)
    };
    Document::ALL.into_iter().flat_map(of).collect()
}

/// Whether every document of a kind keeps one step.
fn judge(evidence: &Evidence<'_>, kind: Document, at: usize) -> Result<(), Not> {
    if kind != Document::Discovery {
        evidence.discovery()?;
    }
    let mut hidden = None;
    for document in evidence.documents(kind)? {
        let Some(refusal) = &document.refusal else {
            continue;
        };
        let what = document.exchange.what();
        match broken(steps(kind), refusal) {
            Some(broken) if broken == at => {
                return failed(format!("{what}: {} ({})", refusal.detail(), refusal.code()));
            }
            Some(broken) if broken > at => {}
            _ => hidden = Some(format!("{what} breaks {} first", refusal.rule())),
        }
    }
    hidden.map_or(Ok(()), could_not_tell)
}

/// The step that a refusal is about: one that names the place, before one that stands for all others.
fn broken(steps: &[Step], refusal: &Refusal) -> Option<usize> {
    let find = |placed: bool| {
        let gives = |step: &Step| step.at.is_empty() != placed && step.gives(refusal);
        steps.iter().position(gives)
    };
    find(true).or_else(|| find(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes that no document as a whole gets.
    fn is_of_documents(code: Code) -> bool {
        let names = [
            "document-",
            "member-",
            "endpoint-",
            "keys-",
            "kid-ambiguous",
            "key-private",
        ];
        names.iter().any(|name| code.as_str().starts_with(name))
            || matches!(code, TooManyCandidates | UrlMismatch | VersionUnsupported)
    }

    #[test]
    fn every_code_of_a_document_has_its_step() {
        for code in Code::ALL.iter().filter(|code| is_of_documents(**code)) {
            let gives = |step: &&Step| step.codes.contains(code);
            assert!(
                [DISCOVERY, ANSWER, RECORD]
                    .concat()
                    .iter()
                    .any(|step| gives(&step)),
                "{code}"
            );
        }
    }
}
