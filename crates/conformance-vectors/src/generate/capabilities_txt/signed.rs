//! Files in an envelope of OpenPGP (§11.2).

use super::build::{File, Files, said};

const MESSAGE: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const BEGIN: &str = "-----BEGIN PGP SIGNATURE-----";
const END: &str = "-----END PGP SIGNATURE-----";

/// The plain file as a signed message: its lines are three further down, and the signature begins on line 14.
fn signed() -> File {
    File::plain()
        .insert(1, MESSAGE)
        .insert(2, "Hash: SHA512")
        .insert(3, "")
        .and(BEGIN)
        .and("")
        .and("iHUEARYKAB0WIQTb/notasignature=")
        .and(END)
}

pub(super) fn add(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "signed",
        "captxt.signed captxt.once captxt.position",
        "an envelope of OpenPGP around it",
        "One error, since nothing checks the signature; the fields inside are read, so nothing is missing.",
        signed(),
        said().error("signed-envelope", 1, 1),
    );
    files.case(
        "signed-fields-are-read",
        "captxt.signed captxt.position",
        "an envelope around it, and another version in it",
        "What is wrong inside is reported.",
        signed().line(4, "Conformance: Capability Resolution 0.3"),
        said()
            .error("signed-envelope", 1, 1)
            .error("conformance-unsupported", 4, 14),
    );
    files.case(
        "signed-armor-headers",
        "captxt.signed captxt.blank",
        "an envelope whose headers end at a line of spaces",
        "What stands before the first blank line is skipped, and a blank line may hold spaces and tabs.",
        signed().line(2, "Comment no field, \u{200b}").line(3, " \t"),
        said().error("signed-envelope", 1, 1),
    );
    files.case(
        "signed-two-armor-headers",
        "captxt.signed",
        "an envelope with two headers",
        "All lines up to the first blank one are skipped.",
        signed().insert(3, "Comment: none"),
        said().error("signed-envelope", 1, 1),
    );
    files.case(
        "signed-dash-escaped",
        "captxt.signed captxt.position",
        "an envelope, with Protocol escaped by a dash and a space",
        "The two characters are not read, and count in columns.",
        signed().line(10, "- Protocol: m c"),
        said()
            .error("signed-envelope", 1, 1)
            .error("invalid-token", 10, 13),
    );
    files.case(
        "signed-dash-escaped-outside",
        "captxt.signed captxt.field",
        "Protocol escaped by a dash and a space, without envelope",
        "Only in a signed message are these two characters dropped.",
        File::plain().line(7, "- Protocol: mcp"),
        said()
            .error("missing-protocol", 6, 1)
            .error("malformed-line", 7, 1),
    );
    files.case(
        "signed-signature-skipped",
        "captxt.signed captxt.line-end",
        "an envelope with U+0001 and CR in its signature",
        "Of a line that is skipped only a lone CR is reported.",
        signed().raw(16, "iHUE\u{1}\r"),
        said()
            .error("signed-envelope", 1, 1)
            .error("bare-cr", 16, 6),
    );
    files.case(
        "signed-signature-open",
        "captxt.signed captxt.final-newline",
        "an envelope that is cut off in its signature",
        "Without its end the signature goes to the end of the file.",
        signed().without(17).without(16).and_raw("iHUEA", 1),
        said()
            .error("signed-envelope", 1, 1)
            .warning("no-final-newline", 16, 6),
    );
    files.case(
        "signed-marks-with-spaces",
        "captxt.signed",
        "an envelope whose marks have spaces and tabs at their ends",
        "They are compared without those.",
        signed()
            .line(1, &format!("{MESSAGE} \t"))
            .line(14, &format!("{BEGIN}  "))
            .line(17, &format!("{END}\t")),
        said().error("signed-envelope", 1, 1),
    );
    files.case(
        "signed-more-behind",
        "captxt.signed captxt.unknown-field captxt.order",
        "an envelope, and a field behind its end",
        "Behind the signature lines are read again.",
        signed().and("X-Note: behind"),
        said()
            .error("signed-envelope", 1, 1)
            .warning("unknown-field", 18, 1),
    );
    files.case(
        "signed-twice",
        "captxt.once captxt.signed",
        "an envelope, and a second signature behind it",
        "Once for a file, at the first mark.",
        signed().and(BEGIN).and("x").and(END),
        said().error("signed-envelope", 1, 1),
    );
    files.case(
        "signed-other-armor",
        "captxt.signed captxt.field",
        "a line that begins a public key, with a line of it",
        "Of other armor only the mark itself is skipped.",
        File::plain()
            .and("-----BEGIN PGP PUBLIC KEY BLOCK-----")
            .and("mDMEZ"),
        said()
            .error("signed-envelope", 11, 1)
            .error("malformed-line", 12, 1),
    );
    files.case(
        "signed-indented-mark",
        "captxt.signed captxt.leading-space",
        "a space before a mark",
        "A mark starts its line.",
        File::plain().and(&format!(" {BEGIN}")),
        said().error("leading-whitespace", 11, 2),
    );
    files.case(
        "signed-end-alone",
        "captxt.signed captxt.field",
        "the mark of an end without a beginning",
        "It is a line without colon.",
        File::plain().and(END),
        said().error("malformed-line", 11, 1),
    );
    files.case(
        "signed-mark-in-a-comment",
        "captxt.signed captxt.blank",
        "a mark behind a number sign",
        "A comment is a comment.",
        File::plain().line(5, &format!("#{MESSAGE}")),
        said(),
    );
}
