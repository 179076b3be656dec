//! Characters and lengths of lines, and what a line with a fault still says (§11.2).

use super::build::{File, Files, endpoint, said};

pub(super) fn add(files: &mut Files<'_>) {
    control(files);
    unsafe_characters(files);
    line_length(files);
    unreadable(files);
    one_code(files);
}

fn control(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, character, name) in [
        ("nul", '\0', "U+0000"),
        ("bell", '\u{7}', "U+0007"),
        ("tab", '\t', "a tab"),
        ("vertical-tab", '\u{b}', "U+000B"),
        ("form-feed", '\u{c}', "U+000C"),
        ("escape", '\u{1b}', "U+001B"),
        ("001f", '\u{1f}', "U+001F"),
        ("delete", '\u{7f}', "U+007F"),
        ("0080", '\u{80}', "U+0080"),
        ("009f", '\u{9f}', "U+009F"),
    ] {
        files.case(
            &format!("control-{slug}"),
            "captxt.control captxt.unreadable-value text.control captxt.position",
            &format!("{name} between two words of a job"),
            "A control character, and Jobs is there but not read.",
            File::jobs(&format!("send a{character}mail")),
            said().error("control-character", 8, 13),
        );
    }
    files.case(
        "control-neighbours",
        "captxt.control text.control",
        "a space, U+007E and U+00A0 in a job",
        "The neighbours of the control characters are none.",
        File::jobs("send ~a\u{a0}mail"),
        said().endpoint(endpoint().jobs(["send ~a\u{a0}mail"])),
    );
    files.case(
        "control-tabs-allowed",
        "captxt.control",
        "tabs in a comment, on a blank line, behind a colon and at the end of a line",
        "Everywhere else than inside of names and values tabs are no fault.",
        File::plain()
            .line(5, "\t#\ta\tb\t")
            .line(7, "Protocol: \tmcp\t")
            .and("\t"),
        said(),
    );
    files.case(
        "control-comment",
        "captxt.control captxt.position",
        "U+0007 in a comment",
        "Comments hold no control character but the tab.",
        File::plain().line(5, "# ding \u{7}"),
        said().error("control-character", 5, 8),
    );
    files.case(
        "control-blank",
        "captxt.control captxt.line-codes",
        "a line of U+000B alone",
        "That is no white space of a blank line; of the line only the character is reported.",
        File::plain().line(5, "\u{b}"),
        said().error("control-character", 5, 1),
    );
    files.case(
        "control-once",
        "captxt.once captxt.control captxt.position",
        "three control characters on one line and one on another",
        "Once for a line, at the first.",
        File::jobs("send\u{1}a\u{2}mail\u{3}").line(9, "Sign-in: no\u{1}ne"),
        said()
            .error("control-character", 8, 11)
            .error("control-character", 9, 12),
    );
    files.case(
        "control-tab-in-a-name",
        "captxt.control captxt.unreadable-value",
        "a tab inside of the name Protocol",
        "The name is read without it, so Protocol is there, and its value is not read.",
        File::plain().line(7, "Proto\tcol: mcp"),
        said().error("control-character", 7, 6),
    );
    files.case(
        "control-unknown-field",
        "captxt.line-codes captxt.control captxt.unknown-field",
        "a tab in the value of an unknown field",
        "Of the line only the character is reported.",
        File::plain().line(5, "X-Note: a\tb"),
        said().error("control-character", 5, 10),
    );
}

fn unsafe_characters(files: &mut Files<'_>) {
    files.from("plain");
    for character in crate::generate::discovery::UNSAFE {
        let code = u32::from(character);
        files.case(
            &format!("unsafe-{code:04x}"),
            "captxt.unsafe captxt.unreadable-value text.unsafe captxt.position",
            &format!("U+{code:04X} in a job"),
            "Invisible, or it turns around what stands beside it: Jobs is there but not read.",
            File::jobs(&format!("send a{character}mail")),
            said().error("unsafe-character", 8, 13),
        );
    }
    files.case(
        "unsafe-neighbours",
        "captxt.unsafe text.unsafe",
        "U+00AC, U+200A, U+200C, U+200D, U+2010, U+2027, U+202F, U+205F, U+2070, U+FFFC and U+E0100 in a job",
        "The neighbours of unsafe characters are none, and the joiners are needed for several scripts.",
        File::jobs("a\u{ac}\u{200a}\u{200c}\u{200d}\u{2010}\u{2027}\u{202f}\u{205f}\u{2070}\u{fffc}\u{e0100}b"),
        said().endpoint(endpoint().jobs([
            "a\u{ac}\u{200a}\u{200c}\u{200d}\u{2010}\u{2027}\u{202f}\u{205f}\u{2070}\u{fffc}\u{e0100}b",
        ])),
    );
    let unassigned = "a\u{61d}\u{17b3}\u{180f}\u{2065}\u{fefe}\u{ff00}\u{fff8}\u{dffff}\u{e0080}b";
    files.case(
        "unsafe-neighbours-unassigned",
        "captxt.unsafe text.unsafe",
        "U+061D, U+17B3, U+180F, U+2065, U+FEFE, U+FF00, U+FFF8, U+DFFFF and U+E0080 in a job",
        "The set is one of code points; whether Unicode has assigned a neighbour does not matter.",
        File::jobs(unassigned),
        said().endpoint(endpoint().jobs([unassigned])),
    );
    files.case(
        "unsafe-e0000",
        "captxt.unsafe captxt.unreadable-value text.unsafe captxt.position",
        "U+E0000 in a job",
        "Unassigned, and in the set.",
        File::jobs("send a\u{e0000}mail"),
        said().error("unsafe-character", 8, 13),
    );
    files.case(
        "unsafe-comment",
        "captxt.unsafe captxt.position captxt.line-codes",
        "U+202E in a comment",
        "In a comment it is a warning.",
        File::plain().line(5, "  # \u{202e}neat"),
        said().warning("unsafe-character", 5, 5),
    );
    files.case(
        "unsafe-blank",
        "captxt.unsafe captxt.line-codes captxt.blank",
        "a line of U+200B alone",
        "That is no blank line, and of it only the character is reported.",
        File::plain().line(5, "\u{200b}"),
        said().error("unsafe-character", 5, 1),
    );
    files.case(
        "unsafe-once",
        "captxt.once captxt.unsafe",
        "two unsafe characters on one line",
        "Once for a line, at the first.",
        File::jobs("send\u{200b}a\u{200e}mail"),
        said().error("unsafe-character", 8, 11),
    );
    files.case(
        "unsafe-in-a-name",
        "captxt.unreadable-value captxt.unsafe captxt.block.required",
        "U+200B inside of the name Protocol",
        "The name is read without it, so Protocol is not missing.",
        File::plain().line(7, "Proto\u{200b}col: mcp"),
        said().error("unsafe-character", 7, 6),
    );
    files.case(
        "right-to-left-text",
        "captxt.unsafe captxt.jobs",
        "a job in Hebrew and one in Persian with U+200C",
        "Text that runs from right to left is no fault; characters that turn it around are.",
        File::jobs("\u{5e9}\u{5dc}\u{5d7} \u{5d3}\u{5d5}\u{5d0}\u{5e8}; \u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}"),
        said().endpoint(endpoint().jobs([
            "\u{5e9}\u{5dc}\u{5d7} \u{5d3}\u{5d5}\u{5d0}\u{5e8}",
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
        ])),
    );
}

fn line_length(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "line-4096",
        "captxt.line-length",
        "a comment of 4,096 bytes",
        "As long as a line may be.",
        File::plain().long(5, [("#", 1), ("x", 4095)]),
        said(),
    );
    files.case(
        "line-4096-crlf",
        "captxt.line-length",
        "a comment of 4,096 bytes before CR LF",
        "The line end does not count.",
        File::plain().long(5, [("#", 1), ("x", 4095), ("\r", 1)]),
        said(),
    );
    files.case(
        "line-4097",
        "captxt.line-length captxt.position",
        "a comment of 4,097 bytes",
        "One byte more: an error, also for a comment.",
        File::plain().long(5, [("#", 1), ("x", 4096)]),
        said().error("line-too-long", 5, 1),
    );
    files.case(
        "line-4097-wide",
        "captxt.line-length",
        "a comment of 2,049 characters in 4,097 bytes",
        "Bytes are counted.",
        File::plain().long(5, [("#", 1), ("\u{e9}", 2048)]),
        said().error("line-too-long", 5, 1),
    );
    files.case(
        "line-4097-blank",
        "captxt.line-length captxt.line-codes captxt.position",
        "a line of 4,097 spaces",
        "A blank line is a line; it has no character that is neither space nor tab, so this is said of its start.",
        File::plain().long(5, [(" ", 4097)]),
        said().error("line-too-long", 5, 1),
    );
    files.case(
        "line-4097-field",
        "captxt.line-length captxt.unreadable-value captxt.block.required",
        "Jobs with 4,097 bytes",
        "The field is there but not read: neither is it missing nor are its jobs too long.",
        File::plain().long(8, [("Jobs: ", 1), ("x", 4091)]),
        said().error("line-too-long", 8, 1),
    );
    files.case(
        "line-4097-indented",
        "captxt.line-length captxt.leading-space captxt.position",
        "two spaces before Jobs, 4,097 bytes in all",
        "Both are said of the first character that is neither space nor tab.",
        File::plain().long(8, [("  Jobs: ", 1), ("x", 4089)]),
        said()
            .error("leading-whitespace", 8, 3)
            .error("line-too-long", 8, 3),
    );
}

fn unreadable(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "unreadable-conformance",
        "captxt.unreadable-value captxt.conformance",
        "U+200B in the value of Conformance",
        "There but not read: neither missing nor of another version.",
        File::plain().line(1, "Conformance: Capability\u{200b} Resolution 9"),
        said().error("unsafe-character", 1, 24),
    );
    files.case(
        "unreadable-endpoint",
        "captxt.unreadable-value captxt.block",
        "U+200B in the value of Endpoint",
        "The block starts with the field, whatever its value; what stands in it does not stand outside.",
        File::endpoint("https://mail\u{200b}.example.com/mcp"),
        said().error("unsafe-character", 6, 23),
    );
    files.case(
        "unreadable-endpoint-without-jobs",
        "captxt.block.required captxt.unreadable-value",
        "U+0001 in the value of Endpoint, and no Jobs",
        "What the block needs is reported of such a block too.",
        File::endpoint("https://mail\u{1}.example.com/mcp").without(8),
        said()
            .error("missing-jobs", 6, 1)
            .error("control-character", 6, 23),
    );
    files.case(
        "unreadable-first",
        "captxt.header.once captxt.unreadable-value",
        "U+200B in Expires, and a second Expires that is sound",
        "The first is the one that is evaluated, also when its value is not read.",
        File::plain()
            .line(3, "Expires: 2027-04-30\u{200b}T00:00:00Z")
            .insert(4, "Expires: 2020-01-01T00:00:00Z"),
        said()
            .error("unsafe-character", 3, 20)
            .error("duplicate-field", 4, 1),
    );
    files.case(
        "unreadable-first-in-block",
        "captxt.block.once captxt.unreadable-value",
        "U+200B in Protocol, and a second Protocol that is no token",
        "The first is the one that is evaluated, also when its value is not read.",
        File::plain()
            .line(7, "Protocol: m\u{200b}cp")
            .insert(8, "Protocol: m c p"),
        said()
            .error("unsafe-character", 7, 12)
            .error("duplicate-field", 8, 1),
    );
    files.case(
        "unreadable-none",
        "captxt.block.none captxt.unreadable-value captxt.deny.salvaged",
        "U+00AD in the value none of Resolvers, and no block",
        "The value is not evaluated, so the strict reader misses endpoints; the deny reader still finds the word.",
        File::of(
            "Conformance: Capability Resolution 0.2\nContact: mailto:tools@example.com\n\
             Expires: 2027-04-30T00:00:00Z\nResolvers: \u{ad}none\n",
        ),
        said()
            .error("unsafe-character", 4, 12)
            .warning("no-endpoints", 1, 1)
            .warning("deny-salvaged", 4, 1)
            .denied(),
    );
}

fn one_code(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "line-codes-length-first",
        "captxt.line-codes",
        "a line of 4,097 bytes with U+0001 and U+200B, without colon",
        "Of the four codes only the first: the line is too long.",
        File::plain().long(5, [("\u{1}\u{200b}", 1), ("x", 4093)]),
        said().error("line-too-long", 5, 1),
    );
    files.case(
        "line-codes-control-first",
        "captxt.line-codes captxt.control captxt.unsafe",
        "a job with U+200B and behind it U+0001",
        "The order of the codes decides, and not that of the characters.",
        File::jobs("send\u{200b}a\u{1}mail"),
        said().error("control-character", 8, 13),
    );
    files.case(
        "line-codes-comment",
        "captxt.line-codes captxt.unsafe",
        "a comment with U+200B and U+0001",
        "The error comes before the warning, which is not given.",
        File::plain().line(5, "# \u{200b}\u{1}"),
        said().error("control-character", 5, 4),
    );
    files.case(
        "line-codes-unsafe-before-malformed",
        "captxt.line-codes captxt.field",
        "a line without colon and with U+200B",
        "Not malformed as well.",
        File::plain().line(5, "not\u{200b} a field"),
        said().error("unsafe-character", 5, 4),
    );
    files.case(
        "line-codes-space-before-colon",
        "captxt.line-codes captxt.space-before-colon",
        "Protocol with a space before its colon and U+200B in its value",
        "Beside the character nothing is said of how the field is written.",
        File::plain().line(7, "Protocol : m\u{200b}cp"),
        said().error("unsafe-character", 7, 13),
    );
    files.case(
        "line-codes-spacing-after-colon",
        "captxt.line-codes captxt.space-after-colon",
        "Protocol without space behind its colon and with U+200B in its value",
        "The value is not read, so nothing is said of the space before it.",
        File::plain().line(7, "Protocol:m\u{200b}cp"),
        said().error("unsafe-character", 7, 11),
    );
    files.case(
        "line-codes-cr",
        "captxt.line-codes captxt.line-end captxt.order",
        "a job with U+200B, and CR at the end of the line",
        "The line end is reported beside the character.",
        File::plain().raw(8, "Jobs: send\u{200b}mail\r"),
        said()
            .error("unsafe-character", 8, 11)
            .error("bare-cr", 8, 16),
    );
    files.case(
        "line-codes-duplicate",
        "captxt.line-codes captxt.header.once captxt.order",
        "a second Conformance with U+200B",
        "That the field is a duplicate is reported beside the character.",
        File::plain().insert(2, "Conformance: \u{200b}"),
        said()
            .error("duplicate-field", 2, 1)
            .error("unsafe-character", 2, 14),
    );
    files.case(
        "line-codes-in-block",
        "captxt.line-codes captxt.header.place",
        "Contact with U+0001 in a block",
        "Where the field stands is reported beside the character.",
        File::plain().and("Contact: mailto:a\u{1}@example.com"),
        said()
            .error("header-field-in-block", 11, 1)
            .error("control-character", 11, 18),
    );
    files.case(
        "line-codes-outside-block",
        "captxt.line-codes captxt.block.outside",
        "Payment with U+200B before the first Endpoint",
        "Where the field stands is reported beside the character.",
        File::plain().line(5, "Payment: no\u{200b}ne"),
        said()
            .error("field-outside-block", 5, 1)
            .error("unsafe-character", 5, 12),
    );
    files.case(
        "line-codes-damaged-name",
        "captxt.position captxt.line-codes captxt.unreadable-value",
        "a second Conformance with U+200B before and in its name",
        "The place of a name is its first character that is kept.",
        File::plain().insert(2, "\u{200b}Con\u{200b}formance: x"),
        said()
            .error("unsafe-character", 2, 1)
            .error("duplicate-field", 2, 2),
    );
}
