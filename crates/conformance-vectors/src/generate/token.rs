//! Tokens (§6), in the order of the checks.

mod claims;
mod example;
mod form;
mod header;
mod signature;
mod time;

use super::build::{
    NOW, Token, ask, ask_of, claims as plain_claims, discovery, header as plain_header,
};
use super::cases::Cases;
use super::json::{self, Extent};
use crate::model::{Kind, Operation, VectorFile};

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::Token, Operation::Token);
    cases.base(
        "plain",
        "token.order token.characters token.segments token.segment-empty token.alg.missing token.crit token.b64 \
         token.key-material token.cty token.kid.missing token.kid.usable token.signature.length token.signature.s \
         token.signature.r token.claims.integer token.iss token.aud token.checked-at discovery.refused origin.refused",
        "A token as a resolver sends it, in the middle of its life. Most tokens here are made from this one.",
        ask(Token::plain().compact()),
    );
    example::add(&mut cases);
    cases.from("plain");
    form::add(&mut cases);
    json::add(
        &mut cases,
        "header-",
        "header",
        "token.header.json",
        Extent::Core,
        &plain_header("key-1"),
        |header| ask(Token::plain().header(header).compact()),
    );
    header::add(&mut cases);
    signature::add(&mut cases);
    json::add(
        &mut cases,
        "payload-",
        "payload",
        "token.payload.json",
        Extent::All,
        &plain_claims(),
        |payload| ask(Token::plain().payload(payload).compact()),
    );
    claims::add(&mut cases);
    time::add(&mut cases);
    for (slug, code, change, document) in [
        (
            "not-json",
            "document-not-json",
            "the discovery document is empty",
            Vec::new(),
        ),
        (
            "version",
            "version-unsupported",
            "v: 0.3 in the discovery document",
            discovery().set("v", "\"0.3\"").text(),
        ),
        (
            "iss",
            "iss-mismatch",
            "another iss in the discovery document",
            discovery().set("iss", "\"https://other.example\"").text(),
        ),
    ] {
        cases.invalid(
            &format!("discovery-refused-{slug}"),
            code,
            "discovery.refused",
            change,
            "The document that the token would be judged by is refused, and its code is the token's.",
            ask_of(Token::plain().compact(), &document, NOW),
        );
    }
    cases.invalid(
        "discovery-refused-first",
        "version-unsupported",
        "discovery.refused",
        "no token, and v: 0.3 in the discovery document",
        "A resolver whose document is refused is skipped: its tokens are not looked at.",
        ask_of("", &discovery().set("v", "\"0.3\"").text(), NOW),
    );
    cases.into_file()
}
