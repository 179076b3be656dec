//! The field Resolvers as the deny reader finds it, and its value.

use super::super::build::{File, Files, said};
use super::missing;

pub(super) fn add(files: &mut Files<'_>) {
    names(files);
    without_separator(files);
    comments_behind(files);
}

fn names(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, line, comment) in [
        (
            "equals",
            "Resolvers = none",
            "An equals sign for the colon.",
        ),
        (
            "full-width-colon",
            "RESOLVERS\u{ff1a}none",
            "U+FF1A for the colon, and capital letters.",
        ),
        (
            "singular-equals",
            "Resolver=none",
            "The name without its s, and an equals sign.",
        ),
    ] {
        let (file, found) = missing(line, "malformed-line");
        files.case(
            &format!("field-{slug}"),
            "captxt.deny.field captxt.deny.value captxt.deny.salvaged",
            &line.escape_default().to_string(),
            comment,
            file,
            found.warning("deny-salvaged", 4, 1).denied(),
        );
    }
    files.case(
        "field-singular",
        "captxt.deny.field captxt.unknown-field captxt.deny.salvaged captxt.order",
        "Resolver: none",
        "The name without its s: an unknown field for the strict reader.",
        File::plain().line(4, "Resolver: none"),
        said()
            .error("missing-resolvers", 1, 1)
            .warning("deny-salvaged", 4, 1)
            .warning("unknown-field", 4, 1)
            .denied(),
    );
    files.case(
        "field-noise-before-colon",
        "captxt.deny.field captxt.unreadable-value captxt.deny.salvaged",
        "U+200B between the name and its colon",
        "Noise may stand there.",
        File::plain().line(4, "Resolvers\u{200b} : none"),
        said()
            .error("unsafe-character", 4, 10)
            .warning("deny-salvaged", 4, 1)
            .denied(),
    );
    files.case(
        "field-in-a-block",
        "captxt.deny.field captxt.header.place captxt.deny.salvaged",
        "Resolvers: none behind the first Endpoint",
        "Anywhere in the file.",
        File::plain().and("Resolvers: none"),
        said()
            .error("header-field-in-block", 11, 1)
            .warning("deny-salvaged", 11, 1)
            .denied(),
    );
    for (slug, line, comment) in [
        ("plural-twice", "Resolverss: none", "Another word."),
        ("longer", "Resolvers-Note: none", "A longer name."),
        ("shorter", "Resolve: none", "A shorter name."),
        (
            "prefix",
            "X-Resolvers: none",
            "The name does not start the line.",
        ),
    ] {
        files.case(
            &format!("field-not-{slug}"),
            "captxt.deny.field captxt.unknown-field",
            line,
            comment,
            File::plain().line(5, line),
            said().warning("unknown-field", 5, 1),
        );
    }
    for (slug, line, comment) in [
        (
            "long-s",
            "Re\u{17f}olvers: none",
            "ASCII case only: U+017F is no s.",
        ),
        (
            "arrow",
            "Resolvers -> none",
            "An arrow is no separator, and begins a run of its own.",
        ),
        ("slash", "Resolvers/none", "A slash is no separator."),
        (
            "other-colon",
            "Resolvers\u{2236}none",
            "U+2236 looks like a colon and is none.",
        ),
    ] {
        files.case(
            &format!("field-not-{slug}"),
            "captxt.deny.field",
            &line.escape_default().to_string(),
            comment,
            File::plain().line(5, line),
            said().error("malformed-line", 5, 1),
        );
    }
}

fn without_separator(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, line, comment) in [
        ("none", "Resolvers none", "The colon was forgotten."),
        ("tab", "resolver\t\tNONE", "Tabs, and other case."),
        ("deny", "Resolvers -https://resolver.example", "A deny."),
        (
            "dash",
            "Resolvers \u{2013}resolver.example",
            "A deny with another dash.",
        ),
        (
            "quoted",
            "Resolvers \"none\"",
            "The quotes are dropped from the entry.",
        ),
        ("brackets", "Resolvers [none]", "Brackets are dropped too."),
        (
            "list",
            "Resolvers *,none",
            "One of the entries is enough to see what is meant.",
        ),
        (
            "noise-behind",
            "Resolvers none \u{a0}",
            "White space behind the run.",
        ),
        (
            "comment-behind",
            "Resolvers none # for now",
            "A number sign ends it.",
        ),
        (
            "noise-before-comment",
            "Resolvers none \u{a0}# for now",
            "White space may stand before the number sign.",
        ),
        (
            "comment-close",
            "Resolvers none# for now",
            "A number sign ends the run too.",
        ),
    ] {
        let (file, found) = missing(line, "malformed-line");
        files.case(
            &format!("bare-{slug}"),
            "captxt.deny.field captxt.deny.value captxt.deny.salvaged",
            &line.escape_default().to_string(),
            &format!("{comment} One run that says something is a value without its colon."),
            // A tab between words is a control character for the strict reader.
            if slug == "tab" {
                File::plain().line(4, line)
            } else {
                file
            },
            if slug == "tab" {
                said()
                    .error("missing-resolvers", 1, 1)
                    .error("control-character", 4, 9)
                    .warning("deny-salvaged", 4, 1)
                    .denied()
            } else {
                found.warning("deny-salvaged", 4, 1).denied()
            },
        );
    }
    for (slug, line, comment) in [
        ("star", "Resolvers *", "A star allows."),
        (
            "origin",
            "Resolvers https://resolver.example",
            "The origin of the resolver allows it.",
        ),
    ] {
        let (file, found) = missing(line, "malformed-line");
        files.case(
            &format!("bare-{slug}"),
            "captxt.deny.field captxt.deny.verdict",
            line,
            comment,
            file,
            found,
        );
    }
    let (file, found) = missing("Resolvers http://other.example", "malformed-line");
    files.case(
        "bare-other",
        "captxt.deny.field captxt.deny.verdict",
        "Resolvers http://other.example",
        "An entry that starts with http:// shows that this is a list, and the resolver is not on it.",
        file,
        found.denied(),
    );
    files.case(
        "bare-star-continued",
        "captxt.deny.field captxt.deny.continuation captxt.deny.salvaged",
        "Resolvers * and an indented deny behind it",
        "The star makes it a Resolvers line, to which the deny is added.",
        File::plain()
            .line(4, "Resolvers *")
            .line(5, "  -https://resolver.example"),
        said()
            .error("missing-resolvers", 1, 1)
            .error("malformed-line", 4, 1)
            .error("leading-whitespace", 5, 3)
            .warning("deny-salvaged", 5, 1)
            .denied(),
    );
    for (slug, line, comment) in [
        (
            "word",
            "Resolvers everyone",
            "The run says nothing that the deny reader knows.",
        ),
        (
            "host",
            "Resolvers other.example",
            "A host alone could be a sentence.",
        ),
        ("sentence", "Resolvers none of them", "More than one run."),
        (
            "two-runs",
            "Resolvers - https://resolver.example",
            "A dash and an origin are two runs.",
        ),
        ("nothing", "Resolvers", "No run."),
        (
            "comment",
            "Resolvers # none",
            "The number sign comes first.",
        ),
        (
            "close",
            "Resolvers\u{2013}none",
            "No white space between name and run.",
        ),
    ] {
        let (file, found) = missing(line, "malformed-line");
        files.case(
            &format!("bare-not-{slug}"),
            "captxt.deny.field",
            &line.escape_default().to_string(),
            comment,
            file,
            found,
        );
    }
    files.case(
        "bare-noise-without-white-space",
        "captxt.deny.field captxt.unsafe",
        "U+200B between Resolvers and none",
        "The noise holds no white space, so nothing separates the two.",
        File::plain().line(5, "Resolvers\u{200b}none"),
        said().error("unsafe-character", 5, 10),
    );
    files.case(
        "bare-unsafe-behind",
        "captxt.deny.field captxt.unsafe captxt.deny.salvaged",
        "Resolvers none, with a space and U+200B behind it",
        "Noise behind the run is none.",
        File::plain().line(4, "Resolvers none \u{200b}"),
        said()
            .error("missing-resolvers", 1, 1)
            .error("unsafe-character", 4, 16)
            .warning("deny-salvaged", 4, 1)
            .denied(),
    );
    files.case(
        "bare-noise-with-white-space",
        "captxt.deny.field captxt.unsafe captxt.deny.salvaged",
        "a space and U+200B between Resolvers and none",
        "The noise holds white space.",
        File::plain().line(5, "Resolvers \u{200b}none"),
        said()
            .error("unsafe-character", 5, 11)
            .warning("deny-salvaged", 5, 1)
            .denied(),
    );
}

fn comments_behind(files: &mut Files<'_>) {
    files.from("allowing");
    files.case(
        "value-ends-at-hash",
        "captxt.deny.value captxt.resolvers.form captxt.deny.salvaged",
        "none with a comment behind it",
        "The value goes up to the number sign.",
        File::resolvers("none # for now"),
        said()
            .error("resolvers-entry-invalid", 4, 12)
            .warning("deny-salvaged", 4, 1)
            .denied(),
    );
    files.case(
        "value-deny-behind-hash",
        "captxt.deny.value captxt.resolvers.form",
        "a star with a deny in a comment behind it",
        "What stands behind the number sign is no part of the value.",
        File::resolvers("* # -https://resolver.example"),
        said().error("resolvers-entry-invalid", 4, 12),
    );
    files.case(
        "value-allow-before-hash",
        "captxt.deny.value captxt.deny.verdict",
        "the origin of the resolver with a fragment",
        "The value ends before the fragment, and is an entry without noise.",
        File::resolvers("https://resolver.example#x"),
        said().error("resolvers-entry-invalid", 4, 12),
    );
}
