//! Queries.

use serde_json::json;

use crate::generate::cases::{Cases, input};
use crate::model::Input;

fn query(text: &str) -> Input {
    input([("query", text.as_bytes())])
}

pub(super) fn add(cases: &mut Cases) {
    let plain = "send a transactional email";
    cases
        .base("plain", "resolve.need.read resolve.query.encoding resolve.need.missing resolve.parameter.repeated resolve.parameter.unknown", "A query with a need and nothing else. The queries after this one are made by writing something else.", query("need=send%20a%20transactional%20email"))
        .yields([("need", json!(plain))]);
    for (slug, rules, change, comment, text, need) in [
        (
            "plus",
            "resolve.query.encoding",
            "plus signs for spaces",
            "As HTML forms write spaces.",
            "need=send+a+transactional+email",
            plain,
        ),
        (
            "plus-escaped",
            "resolve.query.encoding",
            "an escaped plus sign",
            "A plus sign is one only if it is escaped.",
            "need=c%2B%2B+help",
            "c++ help",
        ),
        (
            "lower-case-escapes",
            "resolve.query.encoding",
            "hexadecimal digits in lower case",
            "Both cases are digits.",
            "need=caf%c3%a9",
            "caf\u{e9}",
        ),
        (
            "needless-escapes",
            "resolve.query.encoding",
            "a letter escaped",
            "Any byte may be escaped, also in a name.",
            "n%65ed=%73end",
            "send",
        ),
        (
            "composes",
            "resolve.need.read",
            "an escaped accent",
            "Decoded, then normalized.",
            "need=cafe%CC%81",
            "caf\u{e9}",
        ),
        (
            "byte-order-mark",
            "resolve.query.encoding resolve.need.read",
            "an escaped byte order mark",
            "It is decoded and not dropped, so the need has three characters.",
            "need=%EF%BB%BFab",
            "\u{feff}ab",
        ),
        (
            "trimmed",
            "resolve.need.read",
            "spaces around the need",
            "Trimmed.",
            "need=++send+email%0A",
            "send email",
        ),
        (
            "equals-in-value",
            "resolve.query.encoding",
            "a second equals sign",
            "A name ends at the first equals sign.",
            "need=a=b",
            "a=b",
        ),
        (
            "semicolon",
            "resolve.query.encoding",
            "a semicolon in the value",
            "Only an ampersand parts parameters.",
            "need=abc;payment=none",
            "abc;payment=none",
        ),
        (
            "question-mark",
            "resolve.query.encoding",
            "a question mark in the value",
            "The query has begun already.",
            "need=why?now",
            "why?now",
        ),
        (
            "empty-parts",
            "resolve.query.encoding",
            "empty parts",
            "Nothing between two ampersands is no parameter.",
            "&need=abc&&payment=none&",
            "abc",
        ),
        (
            "sign-in",
            "constraint.names",
            "sign_in=none",
            "One constraint.",
            "need=abc&sign_in=none",
            "abc",
        ),
        (
            "read-only",
            "constraint.names",
            "read_only=true",
            "One constraint.",
            "need=abc&read_only=true",
            "abc",
        ),
        (
            "payment",
            "constraint.names",
            "payment=none",
            "One constraint.",
            "need=abc&payment=none",
            "abc",
        ),
        (
            "handshake-1",
            "constraint.names",
            "max_handshake_ms=1",
            "The smallest value.",
            "need=abc&max_handshake_ms=1",
            "abc",
        ),
        (
            "handshake-60000",
            "constraint.names",
            "max_handshake_ms=60000",
            "The largest value.",
            "need=abc&max_handshake_ms=60000",
            "abc",
        ),
        (
            "all",
            "constraint.names",
            "all constraints, before the need",
            "Parameters have no order.",
            "payment=none&max_handshake_ms=800&read_only=true&sign_in=none&need=abc",
            "abc",
        ),
        (
            "escaped-constraint",
            "constraint.names resolve.query.encoding",
            "a constraint with escapes",
            "Decoded before it is compared.",
            "need=abc&sign%5Fin=n%6Fne",
            "abc",
        ),
        (
            "longest",
            "resolve.need.length",
            "200 characters of four bytes",
            "2,400 bytes of escapes for 200 characters.",
            &format!("need={}", "%F0%9F%98%80".repeat(200)),
            &"\u{1f600}".repeat(200),
        ),
    ] {
        cases
            .valid(slug, rules, change, comment, query(text))
            .yields([("need", json!(need))]);
    }
    constraints(cases);
    let mut bad = |slug: &str, code: &str, rules: &str, change: &str, comment: &str, text: &str| {
        cases.invalid(slug, code, rules, change, comment, query(text));
    };
    for (slug, text, comment) in [
        ("percent-alone", "need=100%", "A percent sign at the end."),
        ("percent-one-digit", "need=abc%4", "One digit at the end."),
        ("percent-one-digit-inside", "need=a%4+bc", "One digit."),
        ("percent-letters", "need=abc%zz", "No hexadecimal digits."),
        (
            "percent-sign",
            "need=abc%+1",
            "A sign is no digit, though some readers of numbers take it.",
        ),
        ("percent-in-name", "n%eed=abc", "In a name."),
        (
            "percent-in-constraint",
            "need=abc&payment=none%",
            "In another parameter.",
        ),
        ("not-utf8", "need=abc%FF", "No UTF-8."),
        ("latin1", "need=caf%E9", "Latin-1 is no UTF-8."),
        ("overlong", "need=abc%C0%AF", "An overlong form."),
        ("surrogate", "need=abc%ED%A0%80", "An encoded surrogate."),
        (
            "truncated",
            "need=abc%F0%9F%98",
            "The last byte of a character is missing.",
        ),
        ("not-utf8-in-name", "need=abc&%FF=1", "In a name."),
    ] {
        bad(
            &format!("encoding-{slug}"),
            "query-encoding",
            "resolve.query.encoding",
            text,
            comment,
            text,
        );
    }
    for (slug, text, comment) in [
        (
            "unknown",
            "need=abc&limit=5",
            "It may be a constraint of a later version, and to ignore it would be to break it.",
        ),
        (
            "unknown-upper-case",
            "need=abc&Payment=none",
            "Names have a case.",
        ),
        (
            "unknown-hyphen",
            "need=abc&sign-in=none",
            "The name has an underscore.",
        ),
        ("unknown-need-upper-case", "NEED=abc", "Names have a case."),
        (
            "unknown-empty-name",
            "need=abc&=1",
            "The empty name is a name that nobody defines.",
        ),
        (
            "unknown-empty-name-and-value",
            "need=abc&=",
            "Name and value are empty, but the piece is not, so it is not skipped.",
        ),
        (
            "unknown-trailing-space",
            "need=abc&payment+=none",
            "Names are not trimmed.",
        ),
        (
            "unknown-array",
            "need[]=abc",
            "A name is a name, whatever some frameworks make of brackets.",
        ),
        (
            "unknown-no-value",
            "need=abc&debug",
            "A name without a value.",
        ),
        (
            "unknown-proto",
            "need=abc&__proto__=1",
            "A name that every JavaScript object answers to.",
        ),
    ] {
        bad(
            slug,
            "parameter-unknown",
            "resolve.parameter.unknown",
            text,
            comment,
            text,
        );
    }
    for (slug, text, comment) in [
        (
            "repeated-need",
            "need=abc&need=def",
            "A resolver must not choose one.",
        ),
        (
            "repeated-equal",
            "need=abc&payment=none&payment=none",
            "Also with equal values.",
        ),
        (
            "repeated-escaped",
            "need=abc&n%65ed=abc",
            "Equal once it is decoded.",
        ),
        ("repeated-empty", "need=abc&need", "Also without a value."),
    ] {
        bad(
            slug,
            "parameter-repeated",
            "resolve.parameter.repeated",
            text,
            comment,
            text,
        );
    }
    for (slug, text, comment) in [
        ("missing", "payment=none", "No need."),
        ("missing-all", "", "An empty query."),
        ("missing-ampersands", "&&", "Nothing but separators."),
    ] {
        bad(
            slug,
            "need-missing",
            "resolve.need.missing",
            text,
            comment,
            text,
        );
    }
    for (slug, text, comment) in [
        (
            "empty-need",
            "need=",
            "A need that is empty is there, and too short.",
        ),
        (
            "need-without-equals",
            "need",
            "A name without an equals sign has an empty value.",
        ),
        ("need-2-characters", "need=ab", "Too short."),
        ("need-of-spaces", "need=++++", "Empty once it is trimmed."),
        (
            "need-201",
            &format!("need={}", "a".repeat(201)),
            "Too long.",
        ),
    ] {
        let change = if text.len() > 40 {
            "a need of 201 characters"
        } else {
            text
        };
        bad(
            &format!("length-{slug}"),
            "need-length",
            "resolve.need.length",
            change,
            comment,
            text,
        );
    }
    for (slug, text) in [
        ("line-feed", "need=send%0Aemail"),
        ("nul", "need=abc%00"),
        ("next-line", "need=a%C2%85bc"),
    ] {
        bad(
            &format!("control-{slug}"),
            "need-character",
            "resolve.need.control text.control",
            text,
            "A control character, once it is decoded.",
            text,
        );
    }
    for (slug, code, text) in [
        (
            "encoding-before-unknown",
            "query-encoding",
            "limit=5&need=%",
        ),
        (
            "unknown-before-repeated",
            "parameter-unknown",
            "need=abc&need=abc&limit=5",
        ),
        (
            "unknown-twice",
            "parameter-unknown",
            "need=abc&limit=5&limit=5",
        ),
        (
            "repeated-before-missing",
            "parameter-repeated",
            "payment=none&payment=none",
        ),
        ("missing-before-constraint", "need-missing", "payment=free"),
        ("character-before-length", "need-character", "need=a%01"),
        (
            "character-before-constraint",
            "need-character",
            "payment=free&need=abc%01",
        ),
        (
            "length-before-constraint",
            "need-length",
            "payment=free&need=ab",
        ),
        ("unknown-before-missing", "parameter-unknown", "limit=5"),
        (
            "repeated-before-length",
            "parameter-repeated",
            "need=a&need=b",
        ),
    ] {
        bad(
            &format!("order-{slug}"),
            code,
            "resolve.order",
            text,
            "Two faults: the order of the checks decides which code is reported.",
            text,
        );
    }
}

fn constraints(cases: &mut Cases) {
    for (slug, parameter, comment) in [
        ("sign-in-empty", "sign_in=", "No value."),
        ("sign-in-no-value", "sign_in", "No value."),
        ("sign-in-other", "sign_in=required", "There is one value."),
        ("sign-in-upper-case", "sign_in=None", "Values have a case."),
        ("sign-in-space", "sign_in=none+", "Values are not trimmed."),
        (
            "read-only-false",
            "read_only=false",
            "There is one value, and leaving the parameter out says the other.",
        ),
        ("read-only-1", "read_only=1", "There is one value."),
        (
            "read-only-upper-case",
            "read_only=True",
            "Values have a case.",
        ),
        ("read-only-empty", "read_only=", "No value."),
        ("payment-free", "payment=free", "There is one value."),
        ("payment-empty", "payment=", "No value."),
        (
            "handshake-0",
            "max_handshake_ms=0",
            "The smallest value is 1.",
        ),
        (
            "handshake-60001",
            "max_handshake_ms=60001",
            "The largest value is 60,000.",
        ),
        (
            "handshake-leading-zero",
            "max_handshake_ms=01",
            "No leading zero.",
        ),
        ("handshake-plus", "max_handshake_ms=%2B1", "No sign."),
        ("handshake-minus", "max_handshake_ms=-1", "No sign."),
        ("handshake-fraction", "max_handshake_ms=1.0", "An integer."),
        (
            "handshake-exponent",
            "max_handshake_ms=1e3",
            "Decimal digits only.",
        ),
        (
            "handshake-hex",
            "max_handshake_ms=0x10",
            "Decimal digits only.",
        ),
        ("handshake-empty", "max_handshake_ms=", "No digits."),
        (
            "handshake-leading-space",
            "max_handshake_ms=+1",
            "A plus sign is a space here, and nothing is trimmed.",
        ),
        (
            "handshake-line-feed",
            "max_handshake_ms=1%0A",
            "A pattern that ends in $ lets a final line feed pass.",
        ),
        (
            "handshake-separator",
            "max_handshake_ms=1_000",
            "Digits only.",
        ),
        (
            "handshake-other-digits",
            "max_handshake_ms=%D9%A1",
            "An Arabic digit, which many patterns for digits match.",
        ),
        (
            "handshake-full-width",
            "max_handshake_ms=%EF%BC%91",
            "A digit of full width.",
        ),
        (
            "handshake-huge",
            "max_handshake_ms=18446744073709551617",
            "Wraps to 1 in unsigned integers of 64 bits.",
        ),
        ("handshake-words", "max_handshake_ms=fast", "No digits."),
    ] {
        cases.invalid(
            slug,
            "constraint-value",
            "constraint.names",
            parameter,
            comment,
            query(&format!("need=abc&{parameter}")),
        );
    }
}
