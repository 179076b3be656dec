//! Lines that the deny reader adds to a value, and lines that end it.

use super::super::build::{File, Files, said};

pub(super) fn add(files: &mut Files<'_>) {
    continuations(files);
    continuations_end(files);
}

fn continuations(files: &mut Files<'_>) {
    const RULES: &str = "captxt.deny.continuation captxt.deny.salvaged captxt.position";
    files.from("allowing");
    for (slug, line, code, column, comment) in [
        (
            "space",
            "  -https://resolver.example",
            "leading-whitespace",
            3,
            "It starts with a space.",
        ),
        (
            "tab",
            "\t-https://resolver.example",
            "leading-whitespace",
            2,
            "It starts with a tab.",
        ),
        (
            "dash",
            "-https://resolver.example",
            "malformed-line",
            1,
            "It starts with a dash.",
        ),
        (
            "other-dash",
            "\u{2212}resolver.example",
            "malformed-line",
            1,
            "It starts with another dash.",
        ),
        (
            "list",
            "  https://other.example, none",
            "leading-whitespace",
            3,
            "More of the list.",
        ),
        (
            "comment-behind",
            "  -resolver.example # why",
            "leading-whitespace",
            3,
            "Up to its first number sign.",
        ),
        (
            "unknown-field",
            "  X-Note: -https://resolver.example",
            "leading-whitespace",
            3,
            "Only defined fields end it.",
        ),
    ] {
        files.case(
            &format!("continued-{slug}"),
            RULES,
            &format!("{} behind Resolvers", line.escape_default()),
            &format!("{comment} The line is added to the value."),
            File::plain().line(5, line),
            said()
                .error(code, 5, column)
                .warning("deny-salvaged", 5, 1)
                .denied(),
        );
    }
    files.case(
        "continued-behind-comments",
        RULES,
        "two comments between Resolvers and an indented deny",
        "Comments are skipped.",
        File::plain()
            .line(5, "# one")
            .insert(6, "  # two")
            .insert(7, "  -https://resolver.example"),
        said()
            .error("leading-whitespace", 7, 3)
            .warning("deny-salvaged", 7, 1)
            .denied(),
    );
    files.case(
        "continued-behind-noise-and-comment",
        "captxt.deny.continuation captxt.deny.strip captxt.deny.salvaged captxt.unsafe",
        "U+200B before a comment between Resolvers and an indented deny",
        "A comment for the deny reader, which skips it, though none for the strict reader.",
        File::plain()
            .line(5, "\u{200b}# why")
            .insert(6, "  -https://resolver.example"),
        said()
            .error("unsafe-character", 5, 1)
            .error("leading-whitespace", 6, 3)
            .warning("deny-salvaged", 6, 1)
            .denied(),
    );
    files.case(
        "continued-twice",
        "captxt.deny.continuation captxt.once captxt.deny.salvaged captxt.position",
        "two indented lines, both with a deny",
        "Both are added; what was salvaged is said once, of the first.",
        File::plain()
            .line(5, "  -https://other.example,")
            .insert(6, "  -https://resolver.example"),
        said()
            .error("leading-whitespace", 5, 3)
            .error("leading-whitespace", 6, 3)
            .warning("deny-salvaged", 5, 1)
            .denied(),
    );
    files.case(
        "continued-dash-before",
        "captxt.deny.continuation captxt.deny.dash captxt.deny.salvaged captxt.position",
        "a dash at the end of Resolvers, and the origin on an indented line",
        "A space stands between the two, and the dash belongs to the entry behind it, whose line is that of the dash.",
        File::resolvers("*, -").line(5, "  https://resolver.example"),
        said()
            .error("resolvers-entry-invalid", 4, 15)
            .error("leading-whitespace", 5, 3)
            .warning("deny-salvaged", 4, 1)
            .denied(),
    );
    files.case(
        "continued-word-not-joined",
        "captxt.deny.continuation captxt.deny.repair",
        "a deny that is broken in the middle of its host",
        "The space between the lines makes two entries: a deny of another host, and something that is none.",
        File::resolvers("*, -https://reso.example").line(5, "  lver.example"),
        said().error("leading-whitespace", 5, 3),
    );
}

fn continuations_end(files: &mut Files<'_>) {
    const RULES: &str = "captxt.deny.continuation";
    files.from("allowing");
    files.case(
        "continued-not-behind-blank",
        RULES,
        "a blank line between Resolvers and an indented deny",
        "A line of noise alone ends the value.",
        File::plain().insert(6, "  -https://resolver.example"),
        said().error("leading-whitespace", 6, 3),
    );
    files.case(
        "continued-not-behind-noise",
        "captxt.deny.continuation captxt.deny.strip",
        "a line of U+200B between Resolvers and an indented deny",
        "A line of noise alone ends the value.",
        File::plain()
            .line(5, "\u{200b}")
            .insert(6, "  -https://resolver.example"),
        said()
            .error("unsafe-character", 5, 1)
            .error("leading-whitespace", 6, 3),
    );
    files.case(
        "continued-not-by-noise",
        "captxt.deny.continuation captxt.deny.strip",
        "U+200B, a space and a deny on the line behind Resolvers",
        "Before anything is dropped the line starts with neither space, tab nor dash.",
        File::plain().line(5, "\u{200b} -https://resolver.example"),
        said().error("unsafe-character", 5, 1),
    );
    files.case(
        "continued-not-by-two-dashes",
        "captxt.deny.continuation captxt.deny.dash",
        "two dashes before the origin on the line behind Resolvers",
        "Two dashes begin a separator or an option, and end the value.",
        File::plain().line(5, "--https://resolver.example"),
        said().error("malformed-line", 5, 1),
    );
    files.case(
        "continued-not-by-front-matter",
        RULES,
        "a line of three dashes behind Resolvers, and an indented deny",
        "The end of front matter, which ends the value.",
        File::plain()
            .line(5, "---")
            .insert(6, "  -https://resolver.example"),
        said()
            .error("malformed-line", 5, 1)
            .error("leading-whitespace", 6, 3),
    );
    files.case(
        "continued-not-by-defined-field",
        RULES,
        "an indented Contact with the value none",
        "A defined field ends the value, also when it is indented.",
        File::plain().line(5, "  contact : none"),
        said()
            .error("leading-whitespace", 5, 3)
            .error("space-before-colon", 5, 10)
            .error("contact-invalid", 5, 13),
    );
    files.case(
        "continued-not-behind-field",
        RULES,
        "an unknown field between Resolvers and an indented deny",
        "Any other line ends the value.",
        File::plain()
            .line(5, "X-Note: x")
            .insert(6, "  -https://resolver.example"),
        said()
            .error("leading-whitespace", 6, 3)
            .warning("unknown-field", 5, 1),
    );
    files.case(
        "continued-behind-resolvers",
        "captxt.deny.continuation captxt.deny.verdict captxt.deny.salvaged",
        "an indented second Resolvers with none",
        "A Resolvers line is one of its own.",
        File::plain().line(5, "  Resolvers: none"),
        said()
            .error("duplicate-field", 5, 3)
            .error("leading-whitespace", 5, 3)
            .warning("deny-salvaged", 5, 1)
            .denied(),
    );
}
