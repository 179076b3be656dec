//! The token of appendix A.4 of the text, made here once more.

use crate::generate::build::{Object, Token, array, ask_of, endpoints, header, jwk, quoted};
use crate::generate::cases::Cases;
use crate::generate::curve::Key;
use crate::model::Input;

const KID: &str = "yYGxzYTQgDnflW9KVhejhWzv3MUgMxZql1GtBf49h0g";

/// A token, asked about with the discovery document of appendix A.2.
fn ask(token: &str, now: &str) -> Input {
    let key = jwk(KID, &Key::of_text().public())
        .and("use", "\"sig\"")
        .and("alg", "\"EdDSA\"");
    let endpoints = endpoints().and("mcp", quoted("https://resolver.example/mcp"));
    let discovery = crate::generate::build::discovery()
        .set("endpoints", endpoints.text())
        .set("keys", array([key.text()]))
        .and("changelog", quoted("https://resolver.example/changelog"));
    ask_of(token, &discovery.text(), now)
}

pub(super) fn add(cases: &mut Cases) {
    let claims = Object::default()
        .and("iss", quoted("https://resolver.example"))
        .and("url", quoted("https://mail.example.com/mcp"))
        .and("status", quoted("ok"))
        .and("checked_at", quoted("2026-11-30T11:42:07Z"))
        .and("iat", "1796040000")
        .and("exp", "1796212800");
    let token = Token::of(&header(KID), &claims)
        .key(Key::of_text())
        .compact();
    cases.base(
        "spec-example",
        "token.order",
        "The token of appendix A.4, at the time of the answer that it came in.",
        ask(&token, "2026-11-30T12:00:05Z"),
    );
    for (slug, now, comment) in [
        (
            "first-second",
            "2026-11-30T11:55:00Z",
            "300 seconds before its iat: within leeway.",
        ),
        (
            "last-second",
            "2026-12-02T12:05:00Z",
            "300 seconds after its exp: within leeway.",
        ),
    ] {
        cases.valid(
            &format!("spec-example-{slug}"),
            "time.leeway",
            &format!("the clock is {now}"),
            comment,
            ask(&token, now),
        );
    }
    for (slug, code, rule, now, comment) in [
        (
            "too-early",
            "issued-in-future",
            "token.iat.future",
            "2026-11-30T11:54:59Z",
            "A second before.",
        ),
        (
            "expired",
            "expired",
            "token.exp.expired",
            "2026-12-02T12:05:01Z",
            "One second after exp and leeway.",
        ),
    ] {
        cases.invalid(
            &format!("spec-example-{slug}"),
            code,
            &format!("{rule} time.leeway"),
            &format!("the clock is {now}"),
            comment,
            ask(&token, now),
        );
    }
    let changed = format!("{}x", &token[..token.len() - 1]);
    cases.invalid(
        "spec-example-trailing-bits",
        "base64-noncanonical",
        "token.base64",
        "the last character is x and not w",
        "Its unused two bits are not zero, so it is not base64url as the text has it, though a lenient decoder finds the same 64 bytes.",
        ask(&changed, "2026-11-30T12:00:05Z"),
    );
}
