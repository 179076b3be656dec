//! Bytes and lines (§11.2).

use super::build::{File, Files, Said, endpoint, said};

pub(super) fn add(files: &mut Files<'_>) {
    encoding(files);
    size(files);
    byte_order_mark(files);
    line_ends(files);
    final_newline(files);
    blank(files);
}

fn encoding(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "utf8-widest",
        "captxt.utf8",
        "a comment of the first and last characters of two, three and four bytes",
        "Well-formed UTF-8 up to U+10FFFF; an unassigned code point is no fault.",
        File::plain().line(
            5,
            "# \u{a0} \u{7ff} \u{800} \u{d7ff} \u{e000} \u{ffff} \u{10000} \u{10ffff}",
        ),
        said(),
    );
    for (slug, bytes, change, comment) in [
        (
            "lone-continuation",
            &b"# caf\x80 x\n"[..],
            "a lone 80",
            "No sequence starts with 80.",
        ),
        (
            "latin-1",
            b"# caf\xe9 x\n",
            "a lone E9",
            "What an editor writes that knows ISO 8859-1 only.",
        ),
        (
            "overlong",
            b"# caf\xc0\xaf x\n",
            "C0 AF",
            "An overlong form of the slash.",
        ),
        (
            "surrogate",
            b"# caf\xed\xa0\x80 x\n",
            "ED A0 80",
            "An encoded surrogate.",
        ),
        (
            "too-large",
            b"# caf\xf4\x90\x80\x80 x\n",
            "F4 90 80 80",
            "Behind U+10FFFF.",
        ),
        (
            "cut",
            b"# caf\xe2\x82\n",
            "E2 82 before a line end",
            "A sequence that is cut off.",
        ),
    ] {
        files.case(
            &format!("utf8-{slug}"),
            "captxt.utf8 captxt.position",
            change,
            &format!("{comment} Reported where the sequence starts."),
            File::plain().raw(5, bytes),
            said().error("not-utf8", 5, 6),
        );
    }
    files.case(
        "utf8-characters-before",
        "captxt.position captxt.utf8",
        "FF behind characters of two and four bytes, after U+FEFF at the start",
        "Columns count characters, the U+FEFF at the very start does not count, and its warning is not given either.",
        File::of(b"\xef\xbb\xbf# \xc3\xa9\xf0\x9f\x93\x84\xff\n"),
        said().error("not-utf8", 1, 5),
    );
    files.case(
        "utf8-line-after-cr",
        "captxt.position captxt.line-end captxt.utf8",
        "FF on the third line, where a lone CR ended the first",
        "Lines are counted as the strict reader ends them, also up to a fault of the encoding.",
        File::of(b"# one\r# two\r\nx\xff\n"),
        said().error("not-utf8", 3, 2),
    );
    files.case(
        "utf8-nothing-else",
        "captxt.utf8",
        "FF at the end of a file that has nothing but a bad Expires",
        "Nothing else is said of a file that is not UTF-8: neither the fields that are missing nor those that are wrong.",
        File::of(b"Expires: tomorrow\n\xff"),
        said().error("not-utf8", 2, 1),
    );
}

fn size(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "size-65536",
        "captxt.size",
        "comments, up to 65,536 bytes",
        "As long as a file may be.",
        File::plain().filled(65_536),
        said(),
    );
    files.case(
        "size-65537",
        "captxt.size captxt.position",
        "comments, up to 65,537 bytes",
        "One byte more: the strict reader says this and nothing else, and takes no claim.",
        File::plain().filled(65_537),
        said().error("file-too-large", 1, 1),
    );
    files.case(
        "size-in-bytes",
        "captxt.size",
        "comments with characters of two bytes, 65,537 bytes in all",
        "Bytes are counted and not characters, of which there are far fewer.",
        File::plain()
            .and_raw("# \u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\n", 3000)
            .filled(65_537),
        said().error("file-too-large", 1, 1),
    );
    files.case(
        "size-byte-order-mark-counts",
        "captxt.size",
        "U+FEFF at the start, 65,537 bytes in all",
        "The mark is three of the bytes, and its warning is not given any more.",
        File::plain().after("\u{feff}", 1).filled(65_537),
        said().error("file-too-large", 1, 1),
    );
    files.case(
        "size-nothing-else",
        "captxt.size",
        "65,537 bytes without any field",
        "The fields that are missing are not reported: the strict reader stopped.",
        File::of("# No fields.\n").filled(65_537),
        said().error("file-too-large", 1, 1),
    );
}

fn byte_order_mark(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "bom",
        "captxt.bom captxt.position captxt.valid",
        "U+FEFF at the start",
        "What some editors write: skipped, with a warning.",
        File::plain().after("\u{feff}", 1),
        said().warning("bom", 1, 1),
    );
    files.case(
        "bom-not-counted",
        "captxt.position captxt.bom",
        "U+FEFF at the start, and another Conformance",
        "The column of the value is counted without the mark.",
        File::plain().line(1, "\u{feff}Conformance: Capability Resolution 0.3"),
        said()
            .error("conformance-unsupported", 1, 14)
            .warning("bom", 1, 1),
    );
    files.case(
        "bom-twice",
        "captxt.bom captxt.unsafe",
        "U+FEFF twice at the start",
        "One is skipped; the second is an unsafe character of the first line, whose field is there but not read.",
        File::plain().after("\u{feff}\u{feff}", 1),
        said().error("unsafe-character", 1, 1).warning("bom", 1, 1),
    );
    files.case(
        "bom-inside",
        "captxt.bom captxt.unsafe",
        "U+FEFF before the first Endpoint",
        "Two files that were joined: only the mark at the very start is skipped.",
        File::plain().line(6, "\u{feff}Endpoint: https://mail.example.com/mcp"),
        said().error("unsafe-character", 6, 1),
    );
    files.case(
        "bom-alone",
        "captxt.bom captxt.final-newline captxt.position",
        "U+FEFF and nothing else",
        "Three bytes are not nothing: the file has no line end at its end, and no field.",
        File::of("\u{feff}"),
        nothing()
            .warning("bom", 1, 1)
            .warning("no-endpoints", 1, 1)
            .warning("no-final-newline", 1, 1),
    );
}

/// What is said of a file without fields, before its warnings.
fn nothing() -> Said {
    said()
        .error("missing-conformance", 1, 1)
        .error("missing-contact", 1, 1)
        .error("missing-expires", 1, 1)
        .error("missing-resolvers", 1, 1)
}

fn line_ends(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "crlf",
        "captxt.line-end",
        "CR LF for each LF",
        "The line ends of Windows.",
        File::plain().replaced("\n", "\r\n"),
        said(),
    );
    files.case(
        "crlf-and-lf",
        "captxt.line-end",
        "CR LF at the end of one line",
        "Both ends may occur in one file.",
        File::plain().raw(3, "Expires: 2027-04-30T00:00:00Z\r\n"),
        said(),
    );
    files.case(
        "bare-cr",
        "captxt.line-end captxt.position",
        "CR without LF at the end of Contact",
        "It ends the line, so both fields are read, and is an error where it stands.",
        File::plain().raw(2, "Contact: mailto:tools@example.com\r"),
        said().error("bare-cr", 2, 34),
    );
    files.case(
        "bare-cr-everywhere",
        "captxt.line-end captxt.once captxt.order",
        "CR for each LF",
        "The line ends of old computers: one error for each line, and no other fault. The last CR counts as a line end.",
        File::plain().replaced("\n", "\r"),
        said()
            .error("bare-cr", 1, 39)
            .error("bare-cr", 2, 34)
            .error("bare-cr", 3, 30)
            .error("bare-cr", 4, 13)
            .error("bare-cr", 5, 1)
            .error("bare-cr", 6, 39)
            .error("bare-cr", 7, 14)
            .error("bare-cr", 8, 33)
            .error("bare-cr", 9, 14)
            .error("bare-cr", 10, 14),
    );
    files.case(
        "cr-cr-lf",
        "captxt.line-end",
        "CR CR LF at the end of Contact",
        "The first CR ends the line, and CR LF ends an empty one behind it.",
        File::plain().raw(2, "Contact: mailto:tools@example.com\r\r\n"),
        said().error("bare-cr", 2, 34),
    );
    files.case(
        "lf-cr",
        "captxt.line-end",
        "LF CR at the end of Contact",
        "The LF ends the line, and the CR without LF ends an empty one behind it.",
        File::plain().raw(2, "Contact: mailto:tools@example.com\n\r"),
        said().error("bare-cr", 3, 1),
    );
    files.case(
        "cr-inside-a-value",
        "captxt.line-end captxt.field",
        "CR between two words of a job",
        "What follows is a line of its own, and no field.",
        File::plain().raw(8, "Jobs: send a\rtransactional email\n"),
        said().error("bare-cr", 8, 13).error("malformed-line", 9, 1),
    );
    files.case(
        "next-line-is-no-end",
        "captxt.line-end captxt.control",
        "U+0085 between two lines",
        "Unicode ends lines there, the strict reader does not: a control character in a field that is there but not read.",
        File::plain().raw(9, "Sign-in: none\u{85}Payment: none\n").without(10),
        said().error("control-character", 9, 14),
    );
    files.case(
        "line-separator-is-no-end",
        "captxt.line-end captxt.unsafe",
        "U+2028 between two lines",
        "Unicode ends lines there, the strict reader does not: an unsafe character in a field that is there but not read.",
        File::plain().raw(9, "Sign-in: none\u{2028}Payment: none\n").without(10),
        said().error("unsafe-character", 9, 14),
    );
}

fn final_newline(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "no-final-newline",
        "captxt.final-newline captxt.position",
        "without the last LF",
        "Harmless, and often the sign of a file that was cut: a warning behind the last character.",
        File::plain().raw(10, "Payment: none"),
        said().warning("no-final-newline", 10, 14),
    );
    files.case(
        "no-final-newline-comment",
        "captxt.final-newline",
        "a comment without LF at the end",
        "The last line is a comment here.",
        File::plain().and_raw("# end", 1),
        said().warning("no-final-newline", 11, 6),
    );
    files.case(
        "no-final-newline-spaces",
        "captxt.final-newline captxt.blank",
        "two spaces behind the last LF",
        "A last line of spaces has no line end either.",
        File::plain().and_raw("  ", 1),
        said().warning("no-final-newline", 11, 3),
    );
    files.case(
        "final-newlines",
        "captxt.final-newline captxt.blank",
        "empty lines at the end",
        "More line ends than one are no fault.",
        File::plain().and_raw("\n", 3),
        said(),
    );
    files.case(
        "final-cr",
        "captxt.final-newline captxt.line-end",
        "CR for the last LF",
        "A lone CR counts as a line end, so this is one error and no warning.",
        File::plain().raw(10, "Payment: none\r"),
        said().error("bare-cr", 10, 14),
    );
    files.case(
        "empty",
        "captxt.final-newline captxt.header.required captxt.position captxt.order",
        "no bytes",
        "A file that is empty lacks four fields and no line end. Codes at one place are in byte order.",
        File::of(""),
        nothing().warning("no-endpoints", 1, 1),
    );
}

fn blank(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "comments-and-blank-lines",
        "captxt.blank captxt.block captxt.leading-space",
        "comments and blank lines before, between and behind the fields",
        "All of them are skipped, and none ends the block.",
        File::plain()
            .and_raw("   # at the end\n", 1)
            .insert(10, "")
            .insert(10, "#Payment: required")
            .insert(8, " \t ")
            .insert(7, "\t# Protocol: none")
            .insert(1, "#"),
        said(),
    );
    files.case(
        "comment-with-any-text",
        "captxt.blank",
        "a comment that looks like a faulty field",
        "What stands in a comment is not read.",
        File::plain().line(5, "  # : https://user@x #\t-----BEGIN PGP"),
        said(),
    );
    files.case(
        "comments-alone",
        "captxt.blank captxt.header.required",
        "comments and blank lines alone",
        "Nothing is read, so four fields are missing.",
        File::of("# Resolvers: *\n\n \t\n# Expires: 2027-04-30T00:00:00Z\n"),
        nothing().warning("no-endpoints", 1, 1),
    );
    files.case(
        "no-comment-behind-a-value",
        "captxt.blank captxt.token",
        "a comment behind the value of Protocol",
        "There are none: all of it is the value.",
        File::plain().line(7, "Protocol: mcp # the only one"),
        said().error("invalid-token", 7, 11),
    );
    files.case(
        "hash-in-a-job",
        "captxt.blank captxt.jobs",
        "a number sign in a job",
        "It belongs to the job.",
        File::jobs("read issue #12 of a project"),
        said().endpoint(endpoint().jobs(["read issue #12 of a project"])),
    );
    files.case(
        "no-break-space-is-not-blank",
        "captxt.blank captxt.field",
        "a line of U+00A0 alone",
        "A blank line has spaces and tabs only; this one has no colon.",
        File::plain().line(5, "\u{a0}"),
        said().error("malformed-line", 5, 1),
    );
}
