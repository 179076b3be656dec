//! Cases of a text as a whole: UTF-8, depth, syntax.

use super::Change::{Around, CutShort, Replace, TrailingComma, Utf16};
use super::Fault::{NotJson, NotUtf8, TooDeep};
use super::{Case, case, member};

pub(super) fn utf8() -> Vec<Case> {
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

pub(super) fn depth() -> Vec<Case> {
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

pub(super) fn syntax() -> Vec<Case> {
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

/// A value that nests arrays: with the object around it, the text is one deeper.
pub(super) fn arrays(depth: usize) -> Vec<u8> {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth)).into_bytes()
}

fn objects(depth: usize) -> Vec<u8> {
    format!("{}0{}", "{\"a\":".repeat(depth), "}".repeat(depth)).into_bytes()
}
