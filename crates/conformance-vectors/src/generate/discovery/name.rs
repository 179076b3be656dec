//! The name of a resolver: lengths, control characters, unsafe characters.

use super::ask;
use crate::generate::build::{discovery, quoted};
use crate::generate::cases::Cases;
use crate::model::Input;

fn named(name: &str) -> Input {
    ask(&discovery().set("resolver", quoted(name)))
}

/// The ends of every range of unsafe characters, as far as Unicode 13.0 assigned them.
pub(in crate::generate) const UNSAFE: [char; 24] = [
    '\u{ad}',
    '\u{34f}',
    '\u{61c}',
    '\u{115f}',
    '\u{1160}',
    '\u{17b4}',
    '\u{17b5}',
    '\u{180e}',
    '\u{200b}',
    '\u{200e}',
    '\u{200f}',
    '\u{2028}',
    '\u{202e}',
    '\u{2060}',
    '\u{2064}',
    '\u{2066}',
    '\u{206f}',
    '\u{3164}',
    '\u{feff}',
    '\u{ffa0}',
    '\u{fff9}',
    '\u{fffb}',
    '\u{e0001}',
    '\u{e007f}',
];

/// Their neighbours that are none.
const SAFE: &str = "\u{ac}\u{ae}\u{34e}\u{350}\u{61b}\u{115e}\u{1161}\u{17b6}\u{180d}\u{180a}\u{200a}\u{200c}\u{200d}\
                    \u{2010}\u{2027}\u{202f}\u{205f}\u{2070}\u{3163}\u{3165}\u{ff9f}\u{ffa1}\u{fffc}\u{e0100}";

pub(super) fn add(cases: &mut Cases) {
    for (slug, name, comment) in [
        ("1-character", "R".to_owned(), "As short as a name may be."),
        (
            "100-characters",
            "r".repeat(100),
            "As long as a name may be.",
        ),
        (
            "100-wide-characters",
            "\u{1f50e}".repeat(100),
            "100 characters are 200 units of UTF-16 and 400 bytes: characters are counted.",
        ),
        (
            "100-code-points",
            "e\u{301}".repeat(50),
            "100 code points in 50 letters: scalar values are counted, and nothing is normalized.",
        ),
        (
            "one-space",
            " ".to_owned(),
            "A space is one character; a name is not trimmed.",
        ),
        (
            "right-to-left",
            "\u{5e9}\u{5dc}\u{5d5}\u{5dd}".to_owned(),
            "Letters that are written from right to left are letters.",
        ),
        (
            "joiners",
            "\u{1f469}\u{200d}\u{1f4bb} \u{646}\u{200c}\u{645}".to_owned(),
            "U+200C and U+200D are not unsafe: scripts and emoji need them.",
        ),
    ] {
        cases.valid(
            &format!("name-{slug}"),
            "discovery.name text.character",
            &format!("a name of {} characters", name.chars().count()),
            comment,
            named(&name),
        );
    }
    for (slug, name, comment) in [
        ("empty", String::new(), "A name has at least one character."),
        (
            "101-characters",
            "r".repeat(101),
            "One character more than a name may have.",
        ),
        (
            "101-wide-characters",
            "\u{1f50e}".repeat(101),
            "One character more, each of four bytes.",
        ),
        (
            "102-code-points",
            "e\u{301}".repeat(51),
            "51 letters, but 102 scalar values: nothing is normalized before counting.",
        ),
    ] {
        cases.invalid(
            &format!("name-{slug}"),
            "name-invalid",
            "discovery.name text.character",
            &format!("a name of {} characters", name.chars().count()),
            comment,
            named(&name),
        );
    }
    for control in [
        '\0', '\t', '\n', '\u{1f}', '\u{7f}', '\u{80}', '\u{85}', '\u{9f}',
    ] {
        let point = format!("{:04x}", u32::from(control));
        cases.invalid(
            &format!("name-control-{point}"),
            "name-invalid",
            "text.control discovery.name",
            &format!("U+{} in the name", point.to_uppercase()),
            "A control character, also where it is white space.",
            named(&format!("a{control}b")),
        );
    }
    cases.valid(
        "name-not-control",
        "text.control discovery.name",
        "U+0020, U+007E and U+00A0 in the name",
        "The neighbours of the control characters.",
        named("a \u{7e}\u{a0}b"),
    );
    for unsafe_character in UNSAFE {
        let point = format!("{:04x}", u32::from(unsafe_character));
        cases.invalid(
            &format!("name-unsafe-{point}"),
            "name-invalid",
            "text.unsafe discovery.name",
            &format!("U+{} in the name", point.to_uppercase()),
            "Invisible, or it turns the direction of what stands beside it.",
            named(&format!("a{unsafe_character}b")),
        );
    }
    cases.valid(
        "name-not-unsafe",
        "text.unsafe discovery.name",
        "the neighbours of every range of unsafe characters",
        "Close to an unsafe character is not unsafe.",
        named(SAFE),
    );
    // Unicode assigned neither of the two; what counts is the list.
    cases.valid(
        "name-not-unsafe-2065",
        "text.unsafe discovery.name",
        "U+2065 in the name",
        "It stands between two ranges of unsafe characters, and in none.",
        named("a\u{2065}b"),
    );
    cases.invalid(
        "name-unsafe-e0000",
        "name-invalid",
        "text.unsafe discovery.name",
        "U+E0000 in the name",
        "The last range begins here, and not with the first character that is assigned.",
        named("a\u{e0000}b"),
    );
    cases.invalid(
        "name-unsafe-escaped",
        "name-invalid",
        "text.unsafe discovery.name",
        "U+202E, written as an escape",
        "The string counts and not how it is written.",
        ask(&discovery().set("resolver", "\"a\\u202eb\"")),
    );
}
