//! Needs.

use serde_json::json;

use crate::generate::cases::{Cases, input};
use crate::model::Input;

fn ask(need: &str) -> Input {
    input([("need", need.as_bytes())])
}

/// A need that is valid, and how it reads.
fn reads(
    cases: &mut Cases,
    slug: &str,
    rules: &str,
    change: &str,
    comment: &str,
    need: &str,
    read: &str,
) {
    cases
        .valid(slug, rules, change, comment, ask(need))
        .yields([("need", json!(read))]);
}

pub(super) fn add(cases: &mut Cases) {
    let plain = "send a transactional email";
    cases
        .base(
            "need-plain",
            "resolve.need.read",
            "A need in plain words. The needs after this one are made by saying something else.",
            ask(plain),
        )
        .yields([("need", json!(plain))]);
    lengths(cases);
    normalization(cases);
    white_space(cases);
    controls(cases);
}

fn lengths(cases: &mut Cases) {
    const RULES: &str = "resolve.need.length text.character resolve.client-need";
    let wide = |count: usize| "\u{1f600}".repeat(count);
    for (slug, need, comment) in [
        (
            "3-characters",
            "abc".to_owned(),
            "As short as a need may be.",
        ),
        (
            "200-characters",
            "a".repeat(200),
            "As long as a need may be.",
        ),
        (
            "3-wide-characters",
            wide(3),
            "Three characters in twelve bytes.",
        ),
        (
            "200-wide-characters",
            wide(200),
            "200 characters are 400 units of UTF-16 and 800 bytes.",
        ),
        (
            "3-ideographs",
            "\u{767a}\u{6ce8}\u{66f8}".to_owned(),
            "Three characters say a lot in some scripts.",
        ),
        (
            "family",
            "\u{1f469}\u{200d}\u{1f4bb}".to_owned(),
            "One picture on the screen, and three characters.",
        ),
    ] {
        reads(
            cases,
            &format!("need-{slug}"),
            RULES,
            &format!("{} characters", need.chars().count()),
            comment,
            &need,
            &need,
        );
    }
    for (slug, need, comment) in [
        ("empty", String::new(), "Nothing is asked for."),
        (
            "2-characters",
            "ab".to_owned(),
            "One character less than a need must have.",
        ),
        (
            "201-characters",
            "a".repeat(201),
            "One character more than a need may have.",
        ),
        (
            "2-wide-characters",
            wide(2),
            "Two characters, though four units of UTF-16 and eight bytes.",
        ),
        (
            "201-wide-characters",
            wide(201),
            "One character more, each of four bytes.",
        ),
        (
            "2-ideographs",
            "\u{767a}\u{6ce8}".to_owned(),
            "Two characters in six bytes.",
        ),
        ("1000-characters", "a".repeat(1000), "Much too long."),
    ] {
        cases.invalid(
            &format!("need-{slug}"),
            "need-length",
            RULES,
            &format!("{} characters", need.chars().count()),
            comment,
            ask(&need),
        );
    }
}

fn normalization(cases: &mut Cases) {
    const RULES: &str = "resolve.need.read text.character";
    for (slug, change, comment, need, read) in [
        (
            "composes",
            "a letter and a combining accent",
            "NFC makes one character of the two.",
            "cafe\u{301}".to_owned(),
            "caf\u{e9}".to_owned(),
        ),
        (
            "composes-hangul",
            "three parts of a syllable",
            "NFC makes one syllable of its parts.",
            "\u{1112}\u{1161}\u{11ab}\u{ae00}a".to_owned(),
            "\u{d55c}\u{ae00}a".to_owned(),
        ),
        (
            "reorders",
            "two accents in the other order",
            "NFC brings combining characters into one order.",
            "abc a\u{307}\u{323}".to_owned(),
            "abc \u{1ea1}\u{307}".to_owned(),
        ),
        (
            "singleton",
            "the sign of the kelvin",
            "NFC replaces it by the letter K.",
            "20 \u{212a}".to_owned(),
            "20 K".to_owned(),
        ),
        (
            "decomposes",
            "a letter that NFC takes apart",
            "It is excluded from composition: one character becomes two.",
            "ab\u{958}".to_owned(),
            "ab\u{915}\u{93c}".to_owned(),
        ),
        (
            "en-quad",
            "U+2000 inside",
            "NFC replaces the en quad by the en space.",
            "a\u{2000}b".to_owned(),
            "a\u{2002}b".to_owned(),
        ),
        (
            "ligature-stays",
            "a ligature",
            "NFC leaves it, and only NFKC takes it apart.",
            "\u{fb01}nd a file".to_owned(),
            "\u{fb01}nd a file".to_owned(),
        ),
        (
            "full-width-stays",
            "letters of full width",
            "NFC leaves them.",
            "\u{ff41}\u{ff42}\u{ff43}".to_owned(),
            "\u{ff41}\u{ff42}\u{ff43}".to_owned(),
        ),
        (
            "31-marks",
            "31 accents on a letter that composes with none",
            "NFC adds nothing to a long run of marks; the stream-safe form of UAX #15 is another one.",
            format!("q{}ab", "\u{301}".repeat(31)),
            format!("q{}ab", "\u{301}".repeat(31)),
        ),
        (
            "mark-behind-a-vowel-sign",
            "U+0308 behind U+09BE behind the letter o",
            "The vowel sign stands between letter and mark: nothing composes across it.",
            "o\u{9be}\u{308}ab".to_owned(),
            "o\u{9be}\u{308}ab".to_owned(),
        ),
        (
            "400-code-points",
            "400 code points that compose to 200",
            "Characters are counted after normalization.",
            "e\u{301}".repeat(200),
            "\u{e9}".repeat(200),
        ),
        (
            "2-code-points-of-4",
            "two code points that become four",
            "Characters are counted after normalization.",
            "\u{958}\u{958}".to_owned(),
            "\u{915}\u{93c}\u{915}\u{93c}".to_owned(),
        ),
        (
            "100-code-points-of-200",
            "100 code points that become 200",
            "Characters are counted after normalization.",
            "\u{958}".repeat(100),
            "\u{915}\u{93c}".repeat(100),
        ),
    ] {
        reads(
            cases,
            &format!("need-{slug}"),
            RULES,
            change,
            comment,
            &need,
            &read,
        );
    }
    for (slug, change, comment, need) in [
        (
            "402-code-points",
            "402 code points that compose to 201",
            "One character too many after normalization.",
            "e\u{301}".repeat(201),
        ),
        (
            "3-code-points-of-2",
            "three code points that compose to two",
            "Long enough before normalization, and not after it.",
            "ae\u{301}".to_owned(),
        ),
        (
            "101-code-points-of-202",
            "101 code points that become 202",
            "Short enough before normalization, and not after it.",
            "\u{958}".repeat(101),
        ),
        (
            "ligature-of-3",
            "a ligature and a letter",
            "Two characters: NFKC would make three of them.",
            "\u{fb01}t".to_owned(),
        ),
    ] {
        cases.invalid(
            &format!("need-{slug}"),
            "need-length",
            "resolve.need.read resolve.need.length text.character",
            change,
            comment,
            ask(&need),
        );
    }
}

fn white_space(cases: &mut Cases) {
    const RULES: &str = "text.white-space resolve.need.read";
    for (point, what) in [
        (0x9, "a tab"),
        (0xa, "a line feed"),
        (0xb, "a vertical tab"),
        (0xc, "a form feed"),
        (0xd, "a carriage return"),
        (0x20, "a space"),
        (0x85, "next line, which is a control character too"),
        (0xa0, "a no-break space"),
        (0x1680, "the ogham space"),
        (0x2000, "the en quad"),
        (0x200a, "the hair space"),
        (0x2028, "the line separator"),
        (0x2029, "the paragraph separator"),
        (0x202f, "the narrow no-break space"),
        (0x205f, "the mathematical space"),
        (0x3000, "the ideographic space"),
    ] {
        let Some(space) = char::from_u32(point) else {
            continue;
        };
        reads(
            cases,
            &format!("need-trim-{point:04x}"),
            RULES,
            &format!("U+{point:04X} at both ends"),
            &format!("White space is trimmed: {what}."),
            &format!("{space}abc{space}"),
            "abc",
        );
    }
    reads(
        cases,
        "need-trim-many",
        RULES,
        "much white space at both ends",
        "All of it is trimmed before anything is counted.",
        &format!("{0}abc{0}", " \t\u{a0}\u{3000}\r\n".repeat(60)),
        "abc",
    );
    reads(
        cases,
        "need-inner-spaces",
        RULES,
        "two spaces inside",
        "Nothing is trimmed or collapsed inside.",
        "send  email",
        "send  email",
    );
    reads(
        cases,
        "need-inner-white-space",
        "text.control resolve.need.control",
        "U+00A0, U+2028 and U+3000 inside",
        "White space that is no control character may stand inside.",
        "a\u{a0}b\u{2028}c\u{3000}d",
        "a\u{a0}b\u{2028}c\u{3000}d",
    );
    for (point, what) in [
        (
            0x180e,
            "the Mongolian vowel separator, which old versions of Unicode counted as white space",
        ),
        (0x200b, "the zero width space"),
        (0x2060, "the word joiner"),
        (0xfeff, "the byte order mark, which JavaScript trims"),
    ] {
        let Some(other) = char::from_u32(point) else {
            continue;
        };
        let need = format!("{other}ab");
        reads(
            cases,
            &format!("need-no-trim-{point:04x}"),
            RULES,
            &format!("U+{point:04X} before two letters"),
            &format!("No white space, so it stays and counts: {what}."),
            &need,
            &need,
        );
    }
    for point in [
        0x21, 0xa1, 0x167f, 0x1681, 0x2027, 0x202a, 0x202e, 0x2030, 0x205e, 0x2fff, 0x3001,
    ] {
        let Some(other) = char::from_u32(point) else {
            continue;
        };
        let need = format!("{other}a{other}");
        reads(
            cases,
            &format!("need-no-trim-{point:04x}"),
            RULES,
            &format!("U+{point:04X} at both ends of a letter"),
            "A neighbour of white space, and none itself: it stays and counts.",
            &need,
            &need,
        );
    }
    for (slug, need, change) in [
        ("only-spaces", "     ", "five spaces"),
        (
            "spaces-and-2-characters",
            "   ab   ",
            "two letters among spaces",
        ),
        (
            "only-wide-spaces",
            "\u{3000}\u{3000}\u{3000}",
            "three ideographic spaces",
        ),
        (
            "only-next-lines",
            "\u{85}\u{85}\u{85}",
            "three times U+0085",
        ),
    ] {
        cases.invalid(
            &format!("need-{slug}"),
            "need-length",
            "resolve.need.length text.white-space resolve.need.read",
            change,
            "Counted after trimming.",
            ask(need),
        );
    }
    for point in [0x8, 0xe, 0x84, 0x86, 0x9f] {
        let Some(control) = char::from_u32(point) else {
            continue;
        };
        cases.invalid(
            &format!("need-no-trim-{point:04x}"),
            "need-character",
            "text.white-space resolve.need.control",
            &format!("U+{point:04X} before three letters"),
            "A neighbour of white space, and none itself: it is still there when control characters are refused.",
            ask(&format!("{control}abc")),
        );
    }
    for point in [0x1c, 0x1d, 0x1e, 0x1f] {
        let Some(control) = char::from_u32(point) else {
            continue;
        };
        cases.invalid(&format!("need-no-trim-{point:04x}"), "need-character", "text.white-space resolve.need.control", &format!("U+{point:04X} before three letters"), "A control character that Python trims and the text does not, so it is still there when control characters are refused.", ask(&format!("{control}abc")));
    }
}

fn controls(cases: &mut Cases) {
    for (point, what) in [
        (0x0, "the first of all"),
        (0x7, "the bell"),
        (
            0x9,
            "a tab, which is white space and trimmed at the ends only",
        ),
        (0xa, "a line feed"),
        (0xd, "a carriage return"),
        (0x1b, "escape"),
        (0x1f, "the last before the space"),
        (0x7f, "delete"),
        (0x80, "the first above ASCII"),
        (0x85, "next line"),
        (0x9f, "the last of all"),
    ] {
        let Some(control) = char::from_u32(point) else {
            continue;
        };
        cases.invalid(
            &format!("need-control-{point:04x}"),
            "need-character",
            "resolve.need.control text.control",
            &format!("U+{point:04X} inside"),
            &format!("A control character: {what}."),
            ask(&format!("send{control}email")),
        );
    }
    reads(
        cases,
        "need-no-control",
        "resolve.need.control text.control",
        "U+007E, U+00A1 and U+00AD inside",
        "The neighbours of control characters, and one that is invisible: a need may hold it.",
        "a~b\u{a1}c\u{ad}d",
        "a~b\u{a1}c\u{ad}d",
    );
    cases.invalid(
        "need-control-at-end",
        "need-character",
        "resolve.need.control",
        "a zero character at the end",
        "It is no white space, so it is not trimmed.",
        ask("abc\0"),
    );
    cases.invalid(
        "need-order-control-before-length",
        "need-character",
        "resolve.order resolve.need.read",
        "one letter and a control character",
        "Two faults: control characters are refused before characters are counted.",
        ask("a\u{1}"),
    );
}
