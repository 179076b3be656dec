//! Fields: names, colons, and the space around both (§11.2).

use super::build::{File, Files, endpoint, said};

pub(super) fn add(files: &mut Files<'_>) {
    fields(files);
    names(files);
    before_the_colon(files);
    behind_the_colon(files);
    leading_space(files);
}

fn fields(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "names-in-any-case",
        "captxt.field",
        "names in upper, lower and mixed case",
        "ASCII case does not matter in names.",
        File::plain()
            .line(1, "CONFORMANCE: Capability Resolution 0.2")
            .line(4, "resolvers: *")
            .line(6, "eNDPOINT: https://mail.example.com/mcp")
            .line(9, "Sign-IN: none"),
        said(),
    );
    files.case(
        "spaces-around-values",
        "captxt.field captxt.control captxt.space-before-colon",
        "spaces and tabs behind the colons and at the ends of lines",
        "They are no part of the value.",
        File::plain()
            .line(1, "Conformance:   Capability Resolution 0.2\t")
            .line(6, "Endpoint: \t https://mail.example.com/mcp \t ")
            .line(7, "Protocol: mcp   "),
        said(),
    );
    files.case(
        "no-break-space-around-a-value",
        "captxt.field captxt.token",
        "U+00A0 before the value of Protocol",
        "Only spaces and tabs are dropped.",
        File::plain().line(7, "Protocol: \u{a0}mcp"),
        said().error("invalid-token", 7, 11),
    );
    files.case(
        "colon-in-a-value",
        "captxt.field captxt.jobs",
        "colons and slashes in a job",
        "Only the first colon of the line separates.",
        File::jobs("tell time: 12:30, http://x"),
        said().endpoint(endpoint().jobs(["tell time: 12:30, http://x"])),
    );
    for (slug, line, comment) in [
        ("no-colon", "Just a sentence", "A line without colon."),
        ("no-name", ": none", "A colon without name before it."),
        (
            "underscore",
            "X_Note: none",
            "Names have letters, digits and hyphens.",
        ),
        ("space", "X Note: none", "A space in the name."),
        ("digit", "2X: none", "A name starts with a letter."),
        ("hyphen", "-X: none", "A name starts with a letter."),
        ("not-ascii", "Not\u{e9}: none", "A letter outside of ASCII."),
        (
            "full-width-colon",
            "X-Note\u{ff1a} none",
            "U+FF1A is no colon.",
        ),
        (
            "url",
            "https://mail.example.com/mcp",
            "The colon of a URL is followed by two slashes.",
        ),
        (
            "slashes-without-name",
            "://",
            "Nothing before the colon, and slashes behind it.",
        ),
    ] {
        files.case(
            &format!("malformed-{slug}"),
            "captxt.field captxt.position",
            line.escape_default().to_string().as_str(),
            comment,
            File::plain().and(line),
            said().error("malformed-line", 11, 1),
        );
    }
    files.case(
        "malformed-not-a-field",
        "captxt.field captxt.header.required",
        "two slashes right behind the colon of Contact",
        "The line is not read as a field, so Contact is missing too.",
        File::plain().line(2, "Contact://mailto.example.com"),
        said()
            .error("missing-contact", 1, 1)
            .error("malformed-line", 2, 1),
    );
    files.case(
        "malformed-long-s",
        "captxt.field captxt.block.required",
        "U+017F in the name Jobs",
        "Only ASCII case is without meaning: a long s is no s.",
        File::plain().line(8, "Job\u{17f}: send a transactional email"),
        said()
            .error("missing-jobs", 6, 1)
            .error("malformed-line", 8, 1),
    );
    files.case(
        "slashes-behind-a-space",
        "captxt.field captxt.unknown-field",
        "X-Note: //",
        "The slashes do not stand right behind the colon.",
        File::plain().line(5, "X-Note: //"),
        said().warning("unknown-field", 5, 1),
    );
}

fn names(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, line, comment) in [
        (
            "",
            "X-Note: hello",
            "A field of a later version, or of somebody's own.",
        ),
        (
            "-without-value",
            "X-Note:",
            "Only a defined field needs a value.",
        ),
        (
            "-hyphens",
            "a--1-: x",
            "The grammar allows hyphens and digits behind the first letter.",
        ),
        (
            "-tight",
            "X-Note:hello",
            "Nothing is said of the space behind the colon of such a field.",
        ),
        (
            "-near",
            "Contacts: nobody",
            "A name that is nearly one of the defined names is not that one.",
        ),
    ] {
        files.case(
            &format!("unknown-field{slug}"),
            "captxt.unknown-field captxt.position",
            line,
            comment,
            File::plain().line(5, line),
            said().warning("unknown-field", 5, 1),
        );
    }
    files.case(
        "unknown-field-in-a-block",
        "captxt.unknown-field captxt.block captxt.token.absent",
        "Signin for Sign-in",
        "Ignored where it stands, and the block goes on; Sign-in is absent.",
        File::plain().line(9, "Signin: none"),
        said()
            .warning("unknown-field", 9, 1)
            .endpoint(endpoint().sign_in(None)),
    );
    files.case(
        "unknown-fields-each",
        "captxt.once captxt.unknown-field captxt.order",
        "two unknown fields of one name",
        "Each is reported.",
        File::plain().line(5, "X-Note: a").and("X-Note: a"),
        said()
            .warning("unknown-field", 5, 1)
            .warning("unknown-field", 11, 1),
    );
    for (slug, line, comment) in [
        (
            "",
            "Protocol:",
            "There, but without a value: it is not missing as well.",
        ),
        ("-spaces", "Protocol: \t ", "Spaces and tabs are no value."),
    ] {
        files.case(
            &format!("empty-value{slug}"),
            "captxt.empty-value captxt.unreadable-value captxt.position",
            &line.escape_default().to_string(),
            comment,
            File::plain().line(7, line),
            said().error("empty-value", 7, 1),
        );
    }
    files.case(
        "empty-value-endpoint",
        "captxt.empty-value captxt.block",
        "Endpoint without value",
        "The block starts all the same, so nothing in it stands outside of a block.",
        File::plain().line(6, "Endpoint:"),
        said().error("empty-value", 6, 1),
    );
    files.case(
        "empty-value-contact",
        "captxt.empty-value captxt.header.once",
        "a second Contact without value",
        "Contact may be repeated, but each needs a value.",
        File::plain().insert(3, "Contact: "),
        said().error("empty-value", 3, 1),
    );
}

fn before_the_colon(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, line) in [("", "Protocol : mcp"), ("-tabs", "Protocol\t \t: mcp")] {
        files.case(
            &format!("space-before-colon{slug}"),
            "captxt.space-before-colon captxt.position captxt.control",
            &line.escape_default().to_string(),
            "An error at the first character between name and colon; the field is read and not missing.",
            File::plain().line(7, line),
            said().error("space-before-colon", 7, 9),
        );
    }
    files.case(
        "space-before-colon-and-value",
        "captxt.space-before-colon captxt.token captxt.order",
        "Protocol : m c",
        "The field is read, so its value is judged too.",
        File::plain().line(7, "Protocol : m c"),
        said()
            .error("space-before-colon", 7, 9)
            .error("invalid-token", 7, 12),
    );
    files.case(
        "space-before-colon-unknown-field",
        "captxt.space-before-colon captxt.unknown-field",
        "X-Note : x",
        "The rule holds for every name that the grammar allows.",
        File::plain().line(5, "X-Note : x"),
        said()
            .error("space-before-colon", 5, 7)
            .warning("unknown-field", 5, 1),
    );
    files.case(
        "space-before-colon-in-a-bad-name",
        "captxt.space-before-colon captxt.field",
        "X Note : x",
        "The grammar does not allow the name, so the line is malformed and nothing else.",
        File::plain().line(5, "X Note : x"),
        said().error("malformed-line", 5, 1),
    );
}

fn behind_the_colon(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, line, comment) in [
        ("none", "Protocol:mcp", "No space behind the colon."),
        ("tab", "Protocol:\tmcp", "A tab behind the colon."),
        (
            "tab-and-space",
            "Protocol:\t mcp",
            "A tab before the space.",
        ),
    ] {
        files.case(
            &format!("spacing-after-colon-{slug}"),
            "captxt.space-after-colon captxt.position",
            &line.escape_default().to_string(),
            &format!("{comment} A warning at the character behind the colon."),
            File::plain().line(7, line),
            said().warning("spacing-after-colon", 7, 10),
        );
    }
    files.case(
        "spacing-after-colon-not-read",
        "captxt.space-after-colon captxt.block.once",
        "a second Protocol without space behind the colon",
        "The value is not read, so nothing is said of the space.",
        File::plain().insert(8, "Protocol:mcp"),
        said().error("duplicate-field", 8, 1),
    );
}

fn leading_space(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "leading-space",
        "captxt.leading-space captxt.position",
        "two spaces before Protocol",
        "An error, and the field is read, so it is not missing.",
        File::plain().line(7, "  Protocol: mcp"),
        said().error("leading-whitespace", 7, 3),
    );
    files.case(
        "leading-tab",
        "captxt.leading-space",
        "a tab before Protocol",
        "A tab is one character and no better.",
        File::plain().line(7, "\tProtocol: mcp"),
        said().error("leading-whitespace", 7, 2),
    );
    files.case(
        "leading-space-value",
        "captxt.leading-space captxt.token captxt.position",
        "a space before Protocol, and another value",
        "The value is judged, and its column counts the space.",
        File::plain().line(7, " Protocol: m c"),
        said()
            .error("leading-whitespace", 7, 2)
            .error("invalid-token", 7, 12),
    );
    for (slug, line, comment) in [
        (
            "text",
            "  and a receipt",
            "What looks like a folded value is not added to it, and not malformed either.",
        ),
        (
            "unknown-field",
            "  X-Note: x",
            "Of other text than a defined field nothing else is said.",
        ),
        (
            "url",
            "  https://mail.example.com/",
            "A URL on an indented line.",
        ),
    ] {
        files.case(
            &format!("leading-space-{slug}"),
            "captxt.leading-space",
            line,
            comment,
            File::plain().insert(9, line),
            said().error("leading-whitespace", 9, 3),
        );
    }
    files.case(
        "leading-space-characters",
        "captxt.leading-space captxt.unsafe captxt.line-codes",
        "an indented line with U+200B",
        "The characters of such a line are judged all the same.",
        File::plain().insert(9, "  and\u{200b} more"),
        said()
            .error("leading-whitespace", 9, 3)
            .error("unsafe-character", 9, 6),
    );
    files.case(
        "leading-space-endpoint",
        "captxt.leading-space captxt.block captxt.position",
        "a space before Endpoint, without Jobs",
        "The block starts, and what it lacks is reported at the name of its Endpoint.",
        File::plain()
            .line(6, " Endpoint: https://mail.example.com/mcp")
            .without(8),
        said()
            .error("leading-whitespace", 6, 2)
            .error("missing-jobs", 6, 2),
    );
}
