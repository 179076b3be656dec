//! Candidates: which are dropped, which are kept with a remark.

use super::{BOTH, Read, answer, answer_of, ask, ask_by, candidate, candidate_of, plain, server};
use crate::generate::build::{NOW, Object, Token, URL, claims_of, discovery, header, quoted};
use crate::generate::cases::Cases;
use crate::generate::curve::Key;

pub(super) fn add(cases: &mut Cases) {
    unsigned(cases);
    dropped(cases);
    copies(cases);
    duplicates(cases);
}

fn unsigned(cases: &mut Cases) {
    for (slug, change, comment, bad) in [
        (
            "jws-missing",
            "the first without jws",
            "Nothing is signed, so the copies are worth nothing, however complete.",
            candidate(&server(0)).without("jws").text(),
        ),
        (
            "jws-null",
            "jws of the first: null",
            "Null is no string.",
            candidate(&server(0)).set("jws", "null").text(),
        ),
        (
            "jws-object",
            "jws of the first: an object",
            "The JSON serialization of a JWS is no string.",
            candidate(&server(0))
                .set("jws", "{\"payload\":\"\"}")
                .text(),
        ),
        (
            "jws-array",
            "jws of the first: an array",
            "An array is no string.",
            candidate(&server(0)).set("jws", "[]").text(),
        ),
        (
            "jws-upper-case",
            "JWS instead of jws",
            "Names of members have a case.",
            candidate(&server(0)).renamed("jws", "JWS").text(),
        ),
        (
            "candidate-string",
            "the first is a string",
            "No object, so it has no jws.",
            b"\"https://server-0.example/mcp\"".to_vec(),
        ),
        (
            "candidate-null",
            "the first is null",
            "No object, so it has no jws.",
            b"null".to_vec(),
        ),
        (
            "candidate-array",
            "the first is an array",
            "No object, so it has no jws.",
            b"[]".to_vec(),
        ),
        (
            "candidate-number",
            "the first is a number",
            "No object, so it has no jws.",
            b"1".to_vec(),
        ),
        (
            "candidate-empty",
            "the first is an empty object",
            "It has no jws.",
            b"{}".to_vec(),
        ),
    ] {
        Read {
            kept: &[1],
            dropped: &[(0, "jws-missing")],
            ..Read::default()
        }
        .of(cases.valid(
            slug,
            "candidate.unsigned",
            change,
            comment,
            ask(&answer_of([bad, candidate(&server(1)).text()])),
        ));
    }
}

fn dropped(cases: &mut Cases) {
    let url = server(0);
    let claims = || claims_of(&url);
    let token = |claims: Object| Token::of(&header("key-1"), &claims).compact();
    let tampered = Token::of(&header("key-1"), &claims().set("status", "\"down\""))
        .with_signature(&Token::of(&header("key-1"), &claims()).signature());
    for (slug, code, change, jws) in [
        (
            "jws-empty",
            "token-segment-count",
            "an empty jws",
            String::new(),
        ),
        (
            "jws-line-feed",
            "token-bad-character",
            "a line feed after the jws",
            token(claims()) + "\n",
        ),
        (
            "jws-not-base64url",
            "base64-noncanonical",
            "a signature of 85 characters",
            token(claims())[..token(claims()).len() - 1].to_owned(),
        ),
        (
            "alg-none",
            "alg-not-allowed",
            "alg none",
            Token::of(&header("key-1").set("alg", "\"none\""), &claims()).compact(),
        ),
        (
            "kid-unknown",
            "kid-unknown",
            "an unknown kid",
            Token::of(&header("key-9"), &claims()).compact(),
        ),
        (
            "tampered",
            "signature-invalid",
            "another status under the old signature",
            tampered,
        ),
        (
            "payload-duplicate",
            "payload-duplicate-member",
            "url twice in the payload",
            token(claims().and("url", quoted(URL))),
        ),
        (
            "iss-other",
            "iss-mismatch",
            "a token of another issuer",
            token(claims().set("iss", "\"https://other.example\"")),
        ),
        (
            "expired",
            "expired",
            "an expired token",
            token(claims().set("iat", "1795900000").set("exp", "1796039699")),
        ),
        (
            "issued-in-future",
            "issued-in-future",
            "a token issued 301 seconds after now",
            token(claims().set("iat", "1796040301")),
        ),
        (
            "lifetime-too-long",
            "lifetime-too-long",
            "a token that lives too long",
            token(claims().set("exp", "1796300000")),
        ),
        (
            "url-invalid",
            "url-invalid",
            "a url that is no server URL",
            token(claims().set("url", "\"http://server-0.example/mcp\"")),
        ),
        (
            "observation-too-old",
            "observation-too-old",
            "an observation that was too old when the token was issued",
            token(claims().set("checked_at", "\"2026-11-29T11:58:59Z\"")),
        ),
        (
            "key-of-attacker",
            "signature-invalid",
            "signed by another key",
            Token::of(&header("key-1"), &claims())
                .key(Key::named("attacker"))
                .compact(),
        ),
    ] {
        Read {
            kept: &[1],
            dropped: &[(0, code)],
            ..Read::default()
        }
        .of(cases.valid(
            &format!("dropped-{slug}"),
            "candidate.dropped",
            &format!("the first with {change}"),
            "The candidate is dropped with the code of its token, and its neighbour is kept.",
            ask(&answer([candidate_of(&url, &jws), candidate(&server(1))])),
        ));
    }
    let last = Token::of(&header("key-9"), &claims_of(&server(1))).compact();
    Read {
        kept: &[0],
        dropped: &[(1, "kid-unknown")],
        ..Read::default()
    }
    .of(cases.valid(
        "dropped-last",
        "candidate.dropped",
        "the second with an unknown kid",
        "Also the last one: places count from 0.",
        ask(&answer([
            candidate(&server(0)),
            candidate_of(&server(1), &last),
        ])),
    ));
    Read {
        dropped: &[(0, "expired"), (1, "expired")],
        ..Read::default()
    }
    .of(cases.valid(
        "all-expired",
        "candidate.dropped token.exp.expired",
        "the clock is two days later",
        "All candidates are dropped, and the answer is still no error.",
        ask_by(plain().text(), &discovery(), "2026-12-02T12:00:00Z"),
    ));
    Read {
        dropped: &[(0, "kid-unknown"), (1, "kid-unknown")],
        ..Read::default()
    }
    .of(cases.valid(
        "all-unknown-kid",
        "candidate.dropped keys.withdrawn",
        "a discovery document without keys",
        "All candidates are dropped, since the key is withdrawn.",
        ask_by(plain().text(), &discovery().set("keys", "[]"), NOW),
    ));
}

fn copies(cases: &mut Cases) {
    let with = |change: &dyn Fn(Object) -> Object| {
        ask(&answer([
            candidate(&server(0)),
            change(candidate(&server(1))),
        ]))
    };
    for (name, value, comment) in [
        (
            "url",
            "\"https://attacker.example/mcp\"",
            "The copy leads elsewhere; the claim counts.",
        ),
        (
            "status",
            "\"down\"",
            "The copy says something else than what was signed.",
        ),
        (
            "checked_at",
            "\"2026-11-30T11:58:31Z\"",
            "The copy is a second later.",
        ),
        (
            "expires",
            "\"2026-12-01T12:00:01Z\"",
            "The copy is a second later.",
        ),
    ] {
        let pointer = format!("/candidates/1/{name}");
        let slug = name.replace('_', "-");
        let differs = &[pointer.as_str()];
        let read = Read { differs, ..BOTH };
        read.of(cases.valid(
            &format!("copy-{slug}-differs"),
            "candidate.copy-differs candidate.claims-only",
            &format!("{name} of the second: {value}"),
            comment,
            with(&|candidate| candidate.set(name, value)),
        ));
        read.of(cases.valid(
            &format!("copy-{slug}-missing"),
            "candidate.copy-differs candidate.claims-only",
            &format!("the second without {name}"),
            "A copy that is missing is a difference, and the candidate is kept.",
            with(&|candidate| candidate.without(name)),
        ));
        read.of(cases.valid(
            &format!("copy-{slug}-null"),
            "candidate.copy-differs candidate.claims-only",
            &format!("{name} of the second: null"),
            "A copy of another type is a difference.",
            with(&|candidate| candidate.set(name, "null")),
        ));
    }
    for (slug, value, comment) in [
        (
            "number",
            "1796126400",
            "The seconds of the claim in place of a time: not the form that a copy has.",
        ),
        (
            "offset",
            "\"2026-12-01T12:00:00+00:00\"",
            "The same moment in another form.",
        ),
        (
            "fraction",
            "\"2026-12-01T12:00:00.000Z\"",
            "The same moment in another form.",
        ),
    ] {
        Read {
            differs: &["/candidates/1/expires"],
            ..BOTH
        }
        .of(cases.valid(
            &format!("copy-expires-{slug}"),
            "candidate.copy-differs time.document",
            &format!("expires of the second: {value}"),
            comment,
            with(&|candidate| candidate.set("expires", value)),
        ));
    }
    BOTH.of(cases.valid(
        "copy-escaped",
        "candidate.copy-differs",
        "the second url written with escapes",
        "The strings are equal, so nothing differs.",
        with(&|candidate| candidate.set("url", "\"https:\\/\\/server-1.example\\/mcp\"")),
    ));
    Read {
        differs: &[
            "/candidates/0/status",
            "/candidates/1/url",
            "/candidates/1/checked_at",
        ],
        ..BOTH
    }
    .of(cases.valid(
        "copies-differ",
        "conformance.vectors.output-order candidate.copy-differs code.difference-list",
        "one copy of the first and two of the second",
        "Each difference is reported where it is.",
        ask(&answer([
            candidate(&server(0)).set("status", "\"unknown\""),
            candidate(&server(1))
                .set("url", "\"\"")
                .set("checked_at", "\"\""),
        ])),
    ));
    Read {
        differs: &["/candidates/1/checked_at", "/candidates/1/url", "/resolver"],
        ..BOTH
    }
    .of(cases.valid(
        "copies-differ-reversed",
        "conformance.vectors.output-order candidate.copy-differs resolve.answer.name-read",
        "another resolver and two copies of the second, all members in reverse order",
        "Pointers are a set: it does not matter in which order an implementation finds them.",
        ask(&answer([
            candidate(&server(0)),
            candidate(&server(1))
                .set("url", "\"\"")
                .set("checked_at", "\"\"")
                .reversed(),
        ])
        .set("resolver", "\"Other Resolver\"")
        .reversed()),
    ));
    let bad = candidate_of(&server(0), "no token").set("status", "\"down\"");
    Read {
        kept: &[1],
        dropped: &[(0, "token-bad-character")],
        ..Read::default()
    }
    .of(cases.valid(
        "copies-of-dropped",
        "candidate.copy-differs candidate.dropped",
        "another status and no token in the first",
        "Copies beside a token that does not verify are nobody's business.",
        ask(&answer([bad, candidate(&server(1))])),
    ));
}

fn duplicates(cases: &mut Cases) {
    let url = server(0);
    let other = Token::of(&header("key-1"), &claims_of(&url).set("status", "\"down\"")).compact();
    Read {
        kept: &[0, 2],
        duplicates: &[1],
        ..Read::default()
    }
    .of(cases.valid(
        "duplicate",
        "candidate.duplicate code.difference-list",
        "the first candidate twice, then another",
        "Only the first of the two is kept; what comes after is not touched.",
        ask(&answer([
            candidate(&url),
            candidate(&url),
            candidate(&server(1)),
        ])),
    ));
    Read {
        kept: &[0],
        duplicates: &[1],
        ..Read::default()
    }
    .of(cases.valid(
        "duplicate-other-status",
        "candidate.duplicate",
        "the first server again, with another status",
        "The first statement counts, also where the second says something else.",
        ask(&answer([
            candidate(&url),
            candidate_of(&url, &other).set("status", "\"down\""),
        ])),
    ));
    Read {
        kept: &[0, 1],
        ..Read::default()
    }
    .of(cases.valid(
        "duplicate-not-by-path",
        "candidate.duplicate url.comparison",
        "the same host with another path",
        "Another URL is another server.",
        ask(&answer([candidate(&url), candidate(&format!("{url}/"))])),
    ));
    Read {
        kept: &[0, 1],
        ..Read::default()
    }
    .of(cases.valid(
        "duplicate-not-by-escape",
        "candidate.duplicate url.comparison",
        "%2f and %2F",
        "Server URLs are compared byte for byte, so these are two.",
        ask(&answer([
            candidate("https://server-0.example/a%2fb"),
            candidate("https://server-0.example/a%2Fb"),
        ])),
    ));
    Read {
        kept: &[1],
        dropped: &[(0, "kid-unknown")],
        ..Read::default()
    }
    .of(cases.valid(
        "duplicate-of-dropped",
        "candidate.duplicate candidate.dropped",
        "the first candidate with an unknown kid, then a sound one of the same server",
        "A token that does not verify names no server, so the second is the first.",
        ask(&answer([
            candidate_of(
                &url,
                &Token::of(&header("key-9"), &claims_of(&url)).compact(),
            ),
            candidate(&url),
        ])),
    ));
    Read {
        kept: &[0],
        duplicates: &[1, 2],
        ..Read::default()
    }
    .of(cases.valid(
        "duplicate-three",
        "candidate.duplicate",
        "one candidate three times",
        "All others are reported.",
        ask(&answer([candidate(&url), candidate(&url), candidate(&url)])),
    ));
    Read {
        kept: &[0],
        duplicates: &[1],
        ..Read::default()
    }
    .of(cases.valid(
        "duplicate-copies-differ",
        "candidate.duplicate candidate.copy-differs",
        "the first candidate again, without copies",
        "Of a duplicate nothing else is reported.",
        ask(&answer([
            candidate(&url),
            candidate(&url).without("status").without("url"),
        ])),
    ));
    Read {
        kept: &[0],
        dropped: &[(1, "kid-unknown")],
        ..Read::default()
    }
    .of(cases.valid(
        "duplicate-only-by-copy",
        "candidate.duplicate candidate.dropped candidate.claims-only",
        "a sound candidate, then one of the same server with an unknown kid",
        "A token that does not verify is dropped with its code; that the copy beside it names a server that is kept is nothing.",
        ask(&answer([
            candidate(&url),
            candidate_of(
                &url,
                &Token::of(&header("key-9"), &claims_of(&url)).compact(),
            ),
        ])),
    ));
    let disguised = candidate_of(
        &server(1),
        &Token::of(&header("key-1"), &claims_of(&url)).compact(),
    );
    Read {
        kept: &[0],
        differs: &["/candidates/0/url"],
        duplicates: &[1],
        ..Read::default()
    }
    .of(cases.valid(
        "duplicate-by-claim",
        "candidate.duplicate candidate.claims-only",
        "two tokens of one server, the first with the url of another beside it",
        "The claims decide, and not the copies.",
        ask(&answer([disguised, candidate(&url)])),
    ));
}
