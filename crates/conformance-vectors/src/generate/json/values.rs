//! Cases of what stands in a text: strings, numbers, names, and the order of all checks.

use super::Change::Instead;
use super::Fault::{Duplicate, NotJson, NotObject, NotUtf8, TooDeep};
use super::text::arrays;
use super::{Case, case, member};

pub(super) fn surrogates() -> Vec<Case> {
    let good = |slug, change, comment| case(slug, None, "json.surrogate", change, comment);
    let bad = |slug, change, comment| {
        case(
            slug,
            NotJson,
            "json.surrogate json.unknown-member",
            change,
            comment,
        )
    };
    vec![
        good(
            "surrogate-pair",
            member("\"\\ud83d\\ude00\""),
            "Two escapes that are halves of one character.",
        ),
        good(
            "surrogate-pair-upper-case",
            member("\"\\uD83D\\uDE00\""),
            "The same with digits in upper case.",
        ),
        good(
            "surrogate-pair-lowest-and-highest",
            member("\"\\ud800\\udc00\\udbff\\udfff\""),
            "The first and the last code point that need a pair.",
        ),
        good(
            "surrogate-escaped-backslash",
            member("\"\\\\ud800\""),
            "An escaped backslash and five letters: no escape of a surrogate.",
        ),
        good(
            "surrogate-neighbours",
            member("\"\\ud7ff\\ue000\""),
            "The code points on both sides of the surrogates.",
        ),
        bad(
            "surrogate-lone-high",
            member("\"\\ud800\""),
            "The first half without the second stands for no character; typed readers skip it unseen.",
        ),
        bad(
            "surrogate-lone-low",
            member("\"\\udfff\""),
            "The second half without the first.",
        ),
        bad(
            "surrogate-reversed",
            member("\"\\ude00\\ud83d\""),
            "Both halves in the wrong order.",
        ),
        bad(
            "surrogate-high-then-letter",
            member("\"\\ud83d\\u0041\""),
            "The first half, then an escape that is not the second.",
        ),
        bad(
            "surrogate-high-then-raw",
            member("\"\\ud83dx\""),
            "The first half, then a raw character.",
        ),
        bad(
            "surrogate-high-high-low",
            member("\"\\ud83d\\ud83d\\ude00\""),
            "A first half before a whole pair.",
        ),
        bad(
            "surrogate-split-by-raw",
            member("\"\\ud83d \\ude00\""),
            "A space between both halves.",
        ),
        bad(
            "surrogate-lone-in-name",
            member("{\"\\ud800\":1}"),
            "In the name of a member inside an unknown member.",
        ),
        bad(
            "surrogate-lone-nested",
            member("[{\"a\":[\"\\udc00\"]}]"),
            "Deep inside an unknown member.",
        ),
    ]
}

pub(super) fn numbers() -> Vec<Case> {
    let good = |slug, change, comment| case(slug, None, "json.number-range", change, comment);
    let bad = |slug, change, comment| {
        case(
            slug,
            NotJson,
            "json.number-range json.unknown-member",
            change,
            comment,
        )
    };
    vec![
        good(
            "number-largest-double",
            member("1.7976931348623157e308"),
            "The largest finite double.",
        ),
        good(
            "number-rounds-to-largest-double",
            member("1.7976931348623158e308"),
            "More than the largest double, but it rounds to it.",
        ),
        bad(
            "number-rounds-to-infinity",
            member("1.7976931348623159e308"),
            "It rounds to infinity.",
        ),
        good(
            "number-below-half-way",
            member(BELOW_HALF_WAY),
            "The largest integer that still rounds to a finite double, all 309 digits.",
        ),
        bad(
            "number-half-way",
            member(HALF_WAY),
            "One more: exactly half way, and a tie goes to the even neighbour, which is infinity.",
        ),
        bad(
            "number-minus-half-way",
            member(format!("-{HALF_WAY}")),
            "The magnitude counts, so the same with a minus sign is refused too.",
        ),
        good("number-1e308", member("1e308"), "A power of ten in range."),
        bad(
            "number-1e309",
            member("1e309"),
            "The next power of ten is not.",
        ),
        bad(
            "number-1e400-nested",
            member("[{\"a\":1e400}]"),
            "Far out of range, inside an unknown member: typed readers skip it unseen.",
        ),
        bad(
            "number-minus-1e400",
            member("-1e400"),
            "Far out of range below.",
        ),
        bad(
            "number-exponent-of-20-digits",
            member("1e99999999999999999999"),
            "An exponent that overflows every machine integer.",
        ),
        good(
            "number-zero-with-exponent-of-20-digits",
            member("0e99999999999999999999"),
            "Zero, whatever its exponent.",
        ),
        good(
            "number-tiny",
            member("1e-400"),
            "Too small for a double is not too large: it rounds to zero.",
        ),
        good(
            "number-tiny-exponent-of-20-digits",
            member("1e-99999999999999999999"),
            "So does this.",
        ),
        good(
            "number-forty-digits",
            member("1234567890123456789012345678901234567890"),
            "An integer of 40 digits is in the range of a double.",
        ),
        good(
            "number-digits-1e308",
            member(format!("1{}", "0".repeat(308))),
            "10^308, written out.",
        ),
        bad(
            "number-digits-1e309",
            member(format!("1{}", "0".repeat(309))),
            "10^309, written out: no exponent to look at.",
        ),
        good(
            "number-2-to-the-64",
            member("18446744073709551616"),
            "One more than the largest machine integer, in a member that has no rule of its own.",
        ),
        good(
            "number-minus-zero",
            member("-0"),
            "A number of JSON; only for claims there is more to say.",
        ),
        good(
            "number-exponent-forms",
            member("[1E2,1e+2,1E-2,1.5e2]"),
            "Every way to write an exponent.",
        ),
    ]
}

pub(super) fn duplicates() -> Vec<Case> {
    let good = |slug, change, comment| case(slug, None, "json.duplicate", change, comment);
    let bad = |slug, change, comment| {
        case(
            slug,
            Duplicate,
            "json.duplicate json.unknown-member",
            change,
            comment,
        )
    };
    vec![
        good(
            "duplicate-not-at-other-depth",
            member("{\"a\":{\"a\":{\"a\":1}},\"b\":{\"a\":1}}"),
            "The same name in different objects is no duplicate.",
        ),
        good(
            "duplicate-not-by-case",
            member("{\"a\":1,\"A\":2}"),
            "Names that differ in case are different.",
        ),
        good(
            "duplicate-not-by-normalization",
            member("{\"\u{e9}\":1,\"e\u{301}\":2}"),
            "Names are not normalized: one character and two are different names.",
        ),
        good(
            "duplicate-not-by-nul",
            member("{\"a\":1,\"a\\u0000\":2}"),
            "A zero character is part of a name.",
        ),
        good(
            "proto-once",
            member("{\"__proto__\":{\"a\":1},\"constructor\":2}"),
            "Names that are special in JavaScript are names.",
        ),
        bad(
            "duplicate-unknown",
            member("1,\"x\":1"),
            "Two unknown members with the same name and even the same value.",
        ),
        bad(
            "duplicate-nested-in-unknown",
            member("{\"a\":1,\"a\":1}"),
            "Inside an unknown member, with equal values: typed readers skip it unseen.",
        ),
        bad(
            "duplicate-in-array",
            member("[0,{\"a\":1,\"a\":2}]"),
            "Inside an array in an unknown member.",
        ),
        bad(
            "duplicate-escaped",
            member("{\"a\":1,\"\\u0061\":2}"),
            "The names are equal after the escape is resolved.",
        ),
        bad(
            "duplicate-escaped-slash",
            member("{\"/\":1,\"\\/\":2}"),
            "So are these.",
        ),
        bad(
            "duplicate-escaped-pair",
            member("{\"\u{1f600}\":1,\"\\ud83d\\ude00\":2}"),
            "And these: a raw character, and a pair of escapes for it.",
        ),
        bad(
            "duplicate-empty",
            member("{\"\":1,\"\":2}"),
            "The empty name is a name.",
        ),
        bad(
            "duplicate-proto",
            member("{\"__proto__\":1,\"__proto__\":2}"),
            "A reader that builds JavaScript objects does not see these names.",
        ),
        bad(
            "duplicate-not-adjacent",
            member("{\"a\":1,\"b\":2,\"c\":3,\"a\":4}"),
            "Other members stand between them.",
        ),
        bad(
            "duplicate-of-third-depth",
            member("{\"a\":{\"b\":{\"c\":1,\"d\":2,\"c\":3}}}"),
            "Three objects further in.",
        ),
    ]
}

pub(super) fn order() -> Vec<Case> {
    let bad = |slug, fault, change, comment| case(slug, fault, "json.order", change, comment);
    let outermost =
        |slug, text, comment| case(slug, NotObject, "json.order", Instead(text), comment);
    vec![
        bad(
            "order-utf8-before-depth",
            NotUtf8,
            member([b"\"\xff\",\"y\":", &arrays(32)[..]].concat()),
            "Not UTF-8 and too deep: UTF-8 is checked first.",
        ),
        bad(
            "order-depth-before-syntax",
            TooDeep,
            member([&arrays(32)[..], b",\"y\":NaN"].concat()),
            "Too deep and not JSON: depth is checked first.",
        ),
        bad(
            "order-syntax-before-duplicate",
            NotJson,
            member("{\"a\":1,\"a\":2,}"),
            "Not JSON and a duplicate: syntax is checked first.",
        ),
        bad(
            "order-surrogate-before-duplicate",
            NotJson,
            member("{\"a\":1,\"a\":\"\\ud800\"}"),
            "A lone surrogate and a duplicate: surrogates belong to syntax.",
        ),
        bad(
            "order-number-before-duplicate",
            NotJson,
            member("{\"a\":1,\"a\":1e400}"),
            "A number out of range and a duplicate: numbers belong to syntax.",
        ),
        bad(
            "order-type-before-duplicate",
            NotObject,
            Instead(b"[{\"a\":1,\"a\":2}]"),
            "An array that holds a duplicate: the outermost type is checked first.",
        ),
        bad(
            "order-syntax-before-type",
            NotJson,
            Instead(b"[1,]"),
            "An array that is not JSON: syntax is checked first.",
        ),
        outermost("outermost-array", b"[]", "An array is not an object."),
        outermost("outermost-string", b"\"a\"", "A string is not an object."),
        outermost("outermost-number", b"1", "A number is not an object."),
        outermost("outermost-null", b"null", "Null is not an object."),
        outermost("outermost-true", b"true", "A truth value is not an object."),
    ]
}

/// The integer half way between the largest double and the next power of two: the smallest that rounds to infinity.
const HALF_WAY: &str = concat!(
    "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017",
    "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273",
    "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704",
    "342711559699508093042880177904174497792",
);

/// One less.
const BELOW_HALF_WAY: &str = concat!(
    "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017",
    "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273",
    "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704",
    "342711559699508093042880177904174497791",
);
