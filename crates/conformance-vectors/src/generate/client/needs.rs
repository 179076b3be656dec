//! What a client sends, and what it does not send (§5.1, §5.2).

use super::super::cases::Cases;
use super::MAIL;
use super::party::ONE;
use super::scenario::{NEED, Scenario};

/// All four constraints.
const CONSTRAINTS: [(&str, &str); 4] = [
    ("sign_in", "none"),
    ("read_only", "true"),
    ("max_handshake_ms", "800"),
    ("payment", "none"),
];

pub(super) fn add(cases: &mut Cases) {
    let mail = ONE.offer(MAIL);
    let sent = |need: &str, sent: &str, constraints: &[(&str, &str)]| {
        Scenario::in_order([ONE])
            .need_with(0, need, sent, constraints)
            .discovery(ONE)
            .resolve(ONE, &[&mail])
            .gives(&[&mail])
            .says(ONE.answered())
    };
    cases.scene(
        "need-with-constraints",
        "resolve.client-need constraint.names",
        "A need with all four constraints: they are parameters beside it, and nothing else is.",
        &sent(NEED, NEED, &CONSTRAINTS),
    );
    for (slug, need, as_read, change, comment) in [
        (
            "trimmed",
            " \u{a0}send mail\t",
            "send mail",
            "white space around the need",
            "The need is sent as it was read: trimmed.",
        ),
        (
            "composed",
            "re\u{301}server une table",
            "r\u{e9}server une table",
            "a decomposed letter",
            "The need is sent as it was read: in NFC.",
        ),
        (
            "delimiters",
            "a+b & c=d; 100% #1 / ? \"x\"",
            "a+b & c=d; 100% #1 / ? \"x\"",
            "characters that mean something in a query",
            "What means something in a query is encoded.",
        ),
        (
            "other-scripts",
            "\u{5e9}\u{5dc}\u{5d7} \u{5de}\u{5d9}\u{5d9}\u{5dc} \u{1f4e7}",
            "\u{5e9}\u{5dc}\u{5d7} \u{5de}\u{5d9}\u{5d9}\u{5dc} \u{1f4e7}",
            "a need in Hebrew with an emoji",
            "Bytes of UTF-8 are encoded.",
        ),
    ] {
        cases.other_scene(
            &format!("need-{slug}"),
            "resolve.client-need",
            change,
            comment,
            &sent(need, as_read, &CONSTRAINTS),
        );
    }
    let long = "\u{1f4e7}".repeat(200);
    cases.other_scene(
        "need-200-characters",
        "resolve.client-need resolve.need.length",
        "200 characters of four bytes each",
        "The longest need there is.",
        &sent(&long, &long, &[]),
    );
    let too_long = "\u{1f4e7}".repeat(201);
    for (slug, need, constraints, code, change) in [
        (
            "too-short",
            "ab",
            &CONSTRAINTS[..],
            "need-length",
            "a need of two characters",
        ),
        (
            "too-long",
            too_long.as_str(),
            &CONSTRAINTS,
            "need-length",
            "a need of 201 characters",
        ),
        (
            "only-white-space",
            "  \u{3000}  ",
            &CONSTRAINTS,
            "need-length",
            "a need of white space",
        ),
        (
            "control",
            "send\u{7}mail",
            &CONSTRAINTS,
            "need-character",
            "a control character in the need",
        ),
        (
            "handshake-zero",
            NEED,
            &[("max_handshake_ms", "0")],
            "constraint-value",
            "max_handshake_ms: 0",
        ),
        (
            "handshake-60001",
            NEED,
            &[("max_handshake_ms", "60001")],
            "constraint-value",
            "max_handshake_ms: 60001",
        ),
        (
            "other-payment",
            NEED,
            &[("payment", "free")],
            "constraint-value",
            "payment: free",
        ),
        (
            "constraint-named-need",
            NEED,
            &[("need", "book a table")],
            "parameter-repeated",
            "a constraint need",
        ),
        (
            "unknown-constraint",
            NEED,
            &[("region", "eu")],
            "parameter-unknown",
            "a constraint region",
        ),
    ] {
        cases.other_scene(
            &format!("need-{slug}"),
            "resolve.client-need",
            change,
            "What a resolver would have to refuse is not sent, and nothing is fetched for it.",
            &Scenario::in_order([ONE])
                .need_with(0, need, need, constraints)
                .refuses(code),
        );
    }
    cases.other_scene(
        "need-refused-between-others",
        "resolve.client-need",
        "a second call with a need of two characters",
        "The call is refused, and the client goes on.",
        &sent(NEED, NEED, &[])
            .need(10, "ab")
            .refuses("need-length")
            .need(20, "book a table")
            .resolve(ONE, &[])
            .says(ONE.answered()),
    );
}
