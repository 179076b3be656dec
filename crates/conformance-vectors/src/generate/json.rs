//! The rules of §3.2, for every text that they hold for.
//!
//! Header, payload and documents are often read by different code, so each gets the cases of its own.

use super::build::Object;
use super::cases::Cases;
use crate::model::Input;

/// What is wrong with a text: the end of its code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    NotUtf8,
    TooDeep,
    NotJson,
    NotObject,
    Duplicate,
}

impl Fault {
    fn code(self) -> &'static str {
        match self {
            Self::NotUtf8 => "not-utf8",
            Self::TooDeep => "too-deep",
            Self::NotJson => "not-json",
            Self::NotObject => "not-object",
            Self::Duplicate => "duplicate-member",
        }
    }
}

/// How the text of a sound object is changed.
enum Change {
    /// An unknown member `x` with this value is added.
    Member(Vec<u8>),
    /// These bytes stand before and after it.
    Around(&'static [u8], &'static [u8]),
    /// Its first occurrence of the one is replaced by the other.
    Replace(&'static str, &'static str),
    /// It is something else altogether.
    Instead(&'static [u8]),
    /// It is UTF-16, little-endian, after this.
    Utf16(&'static [u8]),
    /// Its last byte is missing.
    CutShort,
    /// There is a comma before its last byte.
    TrailingComma,
}

use Change::{Around, CutShort, Instead, Member, Replace, TrailingComma, Utf16};
use Fault::{Duplicate, NotJson, NotObject, NotUtf8, TooDeep};

struct Case {
    slug: &'static str,
    fault: Option<Fault>,
    rules: &'static str,
    change: Change,
    comment: &'static str,
}

/// How many of the cases a text gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All.
    All,
    /// The ones that readers most often get wrong, and one for each code.
    Core,
}

/// The cases that [`Extent::Core`] has.
const CORE: [&str; 24] = [
    "utf8-overlong",
    "utf8-surrogate",
    "utf8-in-unknown-name",
    "utf16-with-mark",
    "depth-32",
    "depth-33",
    "depth-brackets-in-string",
    "depth-33-unclosed",
    "byte-order-mark",
    "trailing-comma",
    "comment",
    "nan",
    "trailing-object",
    "control-in-string",
    "white-space-no-break",
    "surrogate-lone-high",
    "surrogate-lone-in-name",
    "surrogate-pair",
    "number-1e400-nested",
    "number-largest-double",
    "duplicate-nested-in-unknown",
    "duplicate-escaped",
    "duplicate-in-array",
    "outermost-array",
];

/// Adds the cases for one text. `prefix` begins the slugs and the codes (`header`, `payload`, `document`).
pub(super) fn add(
    cases: &mut Cases,
    slug: &str,
    prefix: &str,
    rule: &str,
    extent: Extent,
    object: &Object,
    ask: impl Fn(Vec<u8>) -> Input,
) {
    for case in table() {
        if extent == Extent::Core && !CORE.contains(&case.slug) {
            continue;
        }
        let slug = format!("{slug}{}", case.slug);
        let (text, change) = case.change.apply(object);
        let rules = format!("{} {rule}", case.rules);
        match case.fault {
            None => {
                cases.valid(&slug, &rules, &change, case.comment, ask(text));
            }
            Some(fault) => {
                let code = format!("{prefix}-{}", fault.code());
                cases.invalid(&slug, &code, &rules, &change, case.comment, ask(text));
            }
        }
    }
}

impl Change {
    /// The changed text, and how it was changed.
    fn apply(&self, object: &Object) -> (Vec<u8>, String) {
        let text = object.text();
        match self {
            Member(value) => {
                let shown = value
                    .escape_ascii()
                    .to_string()
                    .replace("\\\"", "\"")
                    .replace("\\\\", "\\");
                let shown = if shown.len() > 60 {
                    format!("a value of {} bytes", value.len())
                } else {
                    shown
                };
                (
                    object.clone().and("x", value.clone()).text(),
                    format!("unknown member x: {shown}"),
                )
            }
            Around(before, after) => {
                let change = match (before.is_empty(), after.is_empty()) {
                    (false, false) => {
                        format!(
                            "{} before and {} after",
                            before.escape_ascii(),
                            after.escape_ascii()
                        )
                    }
                    (false, true) => format!("{} before", before.escape_ascii()),
                    _ => format!("{} after", after.escape_ascii()),
                };
                ([before, &text[..], after].concat(), change)
            }
            Replace(from, to) => {
                let at = text
                    .windows(from.len())
                    .position(|window| window == from.as_bytes());
                let at = at.unwrap_or(text.len());
                let rest = text.get(at + from.len()..).unwrap_or_default();
                (
                    [&text[..at], to.as_bytes(), rest].concat(),
                    format!("first {from} becomes {to}"),
                )
            }
            Instead(other) => (
                other.to_vec(),
                format!(
                    "{} instead",
                    other.escape_ascii().to_string().replace("\\\"", "\"")
                ),
            ),
            Utf16(mark) => {
                let units = text.iter().flat_map(|byte| [*byte, 0]);
                let what = if mark.is_empty() {
                    "UTF-16"
                } else {
                    "UTF-16 with a byte order mark"
                };
                (mark.iter().copied().chain(units).collect(), what.to_owned())
            }
            TrailingComma => (
                [&text[..text.len() - 1], b",}"].concat(),
                "a comma before the last brace".to_owned(),
            ),
            CutShort => (
                text[..text.len() - 1].to_vec(),
                "the last byte is missing".to_owned(),
            ),
        }
    }
}

/// A value that nests arrays: with the object around it, the text is one deeper.
fn arrays(depth: usize) -> Vec<u8> {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth)).into_bytes()
}

fn objects(depth: usize) -> Vec<u8> {
    format!("{}0{}", "{\"a\":".repeat(depth), "}".repeat(depth)).into_bytes()
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

fn table() -> Vec<Case> {
    [
        utf8(),
        depth(),
        syntax(),
        surrogates(),
        numbers(),
        duplicates(),
        order(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn case(
    slug: &'static str,
    fault: impl Into<Option<Fault>>,
    rules: &'static str,
    change: Change,
    comment: &'static str,
) -> Case {
    Case {
        slug,
        fault: fault.into(),
        rules,
        change,
        comment,
    }
}

fn member(value: impl Into<Vec<u8>>) -> Change {
    Member(value.into())
}

fn utf8() -> Vec<Case> {
    let bad = |slug, change, comment| {
        case(
            slug,
            NotUtf8,
            "json.utf8 json.unknown-member",
            change,
            comment,
        )
    };
    vec![
        case(
            "utf8-four-bytes",
            None,
            "json.utf8",
            member("\"\u{1f600}\""),
            "A character outside of the Basic Multilingual Plane, in four bytes.",
        ),
        bad(
            "utf8-lone-continuation",
            member(b"\"\x80\""),
            "A continuation byte without a start, in a member that nobody uses.",
        ),
        bad(
            "utf8-latin1",
            member(b"\"caf\xe9\""),
            "Latin-1 is not UTF-8.",
        ),
        bad(
            "utf8-overlong",
            member(b"\"\xc0\xaf\""),
            "An overlong form of a slash: some decoders accept it and let filters be bypassed.",
        ),
        bad(
            "utf8-overlong-three-bytes",
            member(b"\"\xe0\x80\xaf\""),
            "An overlong form in three bytes.",
        ),
        bad(
            "utf8-surrogate",
            member(b"\"\xed\xa0\x80\""),
            "A surrogate in UTF-8 form is not well-formed.",
        ),
        bad(
            "utf8-surrogate-pair",
            member(b"\"\xed\xa0\xbd\xed\xb8\x80\""),
            "CESU-8, a pair of surrogates in three bytes each, is not UTF-8.",
        ),
        bad(
            "utf8-above-10ffff",
            member(b"\"\xf4\x90\x80\x80\""),
            "One above the last code point.",
        ),
        bad(
            "utf8-truncated",
            member(b"\"\xf0\x9f\x98\""),
            "A character of four bytes of which the last is missing.",
        ),
        bad(
            "utf8-in-unknown-name",
            member(b"{\"\xff\":1}"),
            "The bad byte is in the name of a member inside an unknown member: a typed reader skips it unseen.",
        ),
        bad(
            "utf8-after-end",
            Around(b"", b"\xff"),
            "The bad byte is outside of the value: UTF-8 is checked before syntax.",
        ),
        bad(
            "utf16-with-mark",
            Utf16(b"\xff\xfe"),
            "UTF-16 with a byte order mark, which some parsers detect and accept.",
        ),
        case(
            "utf16-without-mark",
            NotJson,
            "json.syntax",
            Utf16(b""),
            "UTF-16 of ASCII characters without a mark is well-formed UTF-8 with zero bytes in it, and no JSON.",
        ),
    ]
}

fn depth() -> Vec<Case> {
    let good = |slug, rules, change, comment| case(slug, None, rules, change, comment);
    let bad = |slug, rules, change, comment| case(slug, TooDeep, rules, change, comment);
    vec![
        good(
            "depth-32",
            "json.depth",
            member(arrays(31)),
            "31 arrays in the object: 32 deep, the limit.",
        ),
        bad(
            "depth-33",
            "json.depth json.unknown-member",
            member(arrays(32)),
            "32 arrays in the object: 33 deep, one too many, though in an unknown member.",
        ),
        good(
            "depth-32-objects",
            "json.depth",
            member(objects(31)),
            "31 objects in the object: 32 deep.",
        ),
        bad(
            "depth-33-objects",
            "json.depth json.unknown-member",
            member(objects(32)),
            "32 objects in the object: 33 deep.",
        ),
        bad(
            "depth-1000",
            "json.depth json.unknown-member",
            member(arrays(999)),
            "1,000 deep: a reader that recurses must have stopped before.",
        ),
        good(
            "depth-siblings",
            "json.depth",
            member(format!("[{}[]]", "[],".repeat(60))),
            "61 arrays side by side are not deep.",
        ),
        good(
            "depth-brackets-in-string",
            "json.depth-measure",
            member(format!("\"{}\"", "[{".repeat(40))),
            "Brackets inside a string do not count.",
        ),
        good(
            "depth-brackets-after-escaped-quote",
            "json.depth-measure",
            member(format!("\"\\\"{}\"", "[".repeat(40))),
            "The escaped quote does not end the string, so the brackets after it do not count.",
        ),
        bad(
            "depth-33-after-escaped-backslash",
            "json.depth-measure",
            member([b"[\"\\\\\",", &arrays(31)[..], b"]"].concat()),
            "The backslash is escaped, so the quote after it ends the string and the brackets count: 33 deep.",
        ),
        good(
            "depth-32-after-escaped-backslash",
            "json.depth-measure",
            member([b"[\"\\\\\",", &arrays(30)[..], b"]"].concat()),
            "The same, 32 deep.",
        ),
        good(
            "depth-32-in-two",
            "json.depth-measure",
            member([b"[", &arrays(30)[..], b",", &arrays(30), b"]"].concat()),
            "Twice 32 deep, one after the other: every closing bracket goes one back.",
        ),
        case(
            "depth-closed-too-often",
            NotJson,
            "json.depth-measure json.order",
            Around(b"]]]]", b""),
            "The depth never goes below zero, so the closing brackets change nothing: no JSON, and not too deep.",
        ),
        bad(
            "depth-33-after-closing",
            "json.depth-measure json.order",
            Around(b"}}}}[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", b""),
            "33 brackets after four that close nothing: the depth does not go below zero before.",
        ),
        case(
            "depth-in-unclosed-string",
            NotJson,
            "json.depth-measure json.order",
            member(format!("\"{}", "[".repeat(40))),
            "The string ends with the text, so the brackets in it do not count.",
        ),
        bad(
            "depth-33-unclosed",
            "json.depth-measure json.order",
            member("[".repeat(32)),
            "Not JSON, since the arrays are never closed; but the depth is measured first, also of text that is not valid.",
        ),
    ]
}

fn syntax() -> Vec<Case> {
    let good = |slug, change, comment| case(slug, None, "json.syntax", change, comment);
    let bad = |slug, change, comment| case(slug, NotJson, "json.syntax", change, comment);
    vec![
        good(
            "white-space-around",
            Around(b" \t\r\n", b"\n\r\t "),
            "All four characters of JSON white space, before and after.",
        ),
        bad(
            "byte-order-mark",
            Around(b"\xef\xbb\xbf", b""),
            "A byte order mark is not white space, and many readers drop it silently.",
        ),
        bad(
            "white-space-no-break",
            Around(b"", "\u{a0}".as_bytes()),
            "A no-break space is not JSON white space.",
        ),
        bad(
            "white-space-form-feed",
            Around(b"\x0c", b""),
            "A form feed is not JSON white space.",
        ),
        bad(
            "white-space-vertical-tab",
            Around(b"", b"\x0b"),
            "A vertical tab is not JSON white space.",
        ),
        bad(
            "trailing-object",
            Around(b"", b"{}"),
            "A second value after the first.",
        ),
        bad(
            "trailing-word",
            Around(b"", b" x"),
            "Something after the value, which a streaming reader does not look at.",
        ),
        bad(
            "trailing-nul",
            Around(b"", b"\0"),
            "A zero byte after the value: the end for a reader of C strings.",
        ),
        bad(
            "trailing-comma",
            TrailingComma,
            "A comma before a closing brace.",
        ),
        bad("comment", Around(b"/* c */", b""), "JSON has no comments."),
        bad(
            "comment-line",
            Around(b"", b"// c\n"),
            "JSON has no comments, also not after the value.",
        ),
        bad(
            "comma-missing",
            Replace(",\"", " \""),
            "Two members without a comma between them.",
        ),
        bad(
            "colon-missing",
            Replace("\":", "\" "),
            "A name without a colon.",
        ),
        bad("cut-short", CutShort, "The object is never closed."),
        bad(
            "single-quotes",
            member("'a'"),
            "Strings have double quotes.",
        ),
        bad("name-unquoted", member("{a:1}"), "Names are strings."),
        bad(
            "nan",
            member("NaN"),
            "NaN is a value of JavaScript, and Python's reader takes it.",
        ),
        bad("infinity", member("Infinity"), "So is Infinity."),
        bad("minus-infinity", member("-Infinity"), "And -Infinity."),
        bad("undefined", member("undefined"), "No value of JSON."),
        bad(
            "literal-upper-case",
            member("True"),
            "Literals are in lower case.",
        ),
        bad("value-missing", member(""), "A name without a value."),
        bad(
            "array-trailing-comma",
            member("[1,]"),
            "A comma before a closing bracket.",
        ),
        bad(
            "array-hole",
            member("[1,,2]"),
            "A value is missing between two commas.",
        ),
        bad(
            "brackets-crossed",
            member("[}"),
            "A bracket that is closed by a brace.",
        ),
        bad(
            "string-unclosed",
            member("\"a"),
            "The string ends with the text.",
        ),
        bad(
            "control-in-string",
            member("\"a\nb\""),
            "A raw line feed in a string has to be escaped.",
        ),
        bad("control-tab-in-string", member("\"a\tb\""), "So has a tab."),
        bad(
            "control-nul-in-string",
            member("\"a\0b\""),
            "So has a zero byte.",
        ),
        bad(
            "control-1f-in-string",
            member("\"a\x1fb\""),
            "So has U+001F, the last one.",
        ),
        good(
            "delete-in-string",
            member("\"a\x7fb\""),
            "U+007F may stand raw in a JSON string.",
        ),
        good(
            "line-separator-in-string",
            member("\"a\u{2028}b\""),
            "U+2028 may stand raw in a JSON string, though old JavaScript could not hold it.",
        ),
        good(
            "escapes",
            member("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u0000\""),
            "Every escape that JSON has.",
        ),
        bad("escape-hex", member("\"\\x41\""), "JSON has no \\x escape."),
        bad(
            "escape-quote",
            member("\"\\'\""),
            "JSON has no escape of a single quote.",
        ),
        bad(
            "escape-short",
            member("\"\\u12\""),
            "Four hexadecimal digits have to follow \\u.",
        ),
        bad(
            "escape-upper-case",
            member("\"\\U0041\""),
            "The letter of an escape is in lower case.",
        ),
        bad(
            "escape-braces",
            member("\"\\u{41}\""),
            "The form of JavaScript and Rust is not JSON's.",
        ),
        bad("number-leading-zero", member("01"), "A leading zero."),
        bad(
            "number-minus-leading-zero",
            member("-01"),
            "A leading zero after a minus sign.",
        ),
        bad("number-plus", member("+1"), "A plus sign."),
        bad(
            "number-minus-alone",
            member("-"),
            "A minus sign without a digit.",
        ),
        bad(
            "number-point-first",
            member(".5"),
            "No digit before the point.",
        ),
        bad(
            "number-point-last",
            member("1."),
            "No digit after the point.",
        ),
        bad(
            "number-exponent-empty",
            member("1e"),
            "No digit in the exponent.",
        ),
        bad(
            "number-exponent-sign-only",
            member("1e+"),
            "No digit after the sign of the exponent.",
        ),
        bad(
            "number-hex",
            member("0x1f"),
            "JSON has no hexadecimal numbers.",
        ),
        bad(
            "number-underscore",
            member("1_000"),
            "JSON has no digit separators.",
        ),
    ]
}

fn surrogates() -> Vec<Case> {
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

fn numbers() -> Vec<Case> {
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

fn duplicates() -> Vec<Case> {
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

fn order() -> Vec<Case> {
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
