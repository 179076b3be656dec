//! What all Resolvers lines together say.

use super::super::build::{File, Files, said};
use super::entries::salvaged;

pub(super) fn add(files: &mut Files<'_>) {
    allowed(files);
    none(files);
    several_lines(files);
    salvaged_or_not(files);
}

fn allowed(files: &mut Files<'_>) {
    const RULES: &str = "captxt.deny.verdict captxt.resolvers.form";
    files.from("allowing");
    for (slug, value, comment) in [
        (
            "forms",
            "https://RESOLVER.example.:443/",
            "An origin that the strict reader accepts, in another form.",
        ),
        (
            "second",
            "https://other.example, https://resolver.example:0443",
            "One of the entries is enough.",
        ),
    ] {
        let warning = said().warning(
            "origin-not-canonical",
            4,
            if slug == "forms" { 12 } else { 35 },
        );
        files.case(
            &format!("allow-{slug}"),
            RULES,
            value,
            comment,
            File::resolvers(value),
            warning,
        );
    }
    files.case(
        "allow-beside-error",
        RULES,
        "the origin of the resolver beside an entry with an error",
        "An entry that nobody understands takes nothing away.",
        File::resolvers("https://resolver.example, everyone"),
        said().error("resolvers-entry-invalid", 4, 38),
    );
    for (slug, value, comment) in [
        ("host", "resolver.example", "A host without scheme."),
        ("http", "http://resolver.example", "The scheme http."),
        ("path", "https://resolver.example/x", "A path."),
        ("quoted", "\"https://resolver.example\"", "In quotes."),
        (
            "quoted-star",
            "\"*\"",
            "A star in quotes: before anything is dropped it is none.",
        ),
        ("star-dot", "*.", "A star with a dot behind it."),
        ("wildcard", "https://*.example", "A wildcard."),
        ("word", "all", "A word."),
        (
            "replacement",
            "https://resolver.example\u{fffd}",
            "With U+FFFD behind it.",
        ),
        ("user", "https://me@resolver.example", "User information."),
    ] {
        files.case(
            &format!("allow-not-{slug}"),
            RULES,
            &value.escape_default().to_string(),
            &format!("{comment} A sloppy deny counts, and a sloppy allow does not."),
            File::resolvers(value),
            said().error("resolvers-entry-invalid", 4, 12).denied(),
        );
    }
    files.case(
        "allow-not-empty",
        "captxt.deny.verdict captxt.empty-value",
        "Resolvers without value",
        "No entry allows anybody.",
        File::plain().line(4, "Resolvers:"),
        said().error("empty-value", 4, 1).denied(),
    );
    files.case(
        "allow-not-unsafe",
        "captxt.deny.verdict captxt.unsafe",
        "U+200B behind the origin of the resolver",
        "An entry with noise allows nobody.",
        File::resolvers("https://resolver.example\u{200b}"),
        said().error("unsafe-character", 4, 36).denied(),
    );
    files.case(
        "allow-not-unsafe-star",
        "captxt.deny.verdict captxt.unsafe",
        "U+200B behind a star",
        "An entry with noise allows nobody.",
        File::resolvers("*\u{200b}"),
        said().error("unsafe-character", 4, 13).denied(),
    );
    files.case(
        "allow-expired",
        "captxt.deny.verdict captxt.expires.past",
        "the resolver listed in a file that has expired",
        "The list still allows whom it names.",
        File::resolvers("https://resolver.example").line(3, "Expires: 2025-04-30T00:00:00Z"),
        said().error("expired", 3, 10),
    );
    files.case(
        "allow-expired-other",
        "captxt.deny.verdict captxt.expires.past",
        "another resolver listed in a file that has expired",
        "The list still says no to everyone else.",
        File::resolvers("https://other.example").line(3, "Expires: 2025-04-30T00:00:00Z"),
        said().error("expired", 3, 10).denied(),
    );
    files.case(
        "only-denies-and-more",
        "captxt.deny.verdict captxt.deny.salvaged",
        "a deny of another resolver and a host without scheme",
        "The line holds something else than denies, so it allows nobody whom it does not name.",
        File::resolvers("-https://other.example, third.example"),
        said().error("resolvers-entry-invalid", 4, 36).denied(),
    );
    files.case(
        "only-denies-and-another",
        "captxt.deny.verdict",
        "a deny of one resolver, and another one that is allowed",
        "The line does not hold denies alone, so it allows nobody whom it does not name.",
        File::resolvers("-https://third.example, https://other.example"),
        said().denied(),
    );
    files.case(
        "only-sloppy-denies",
        "captxt.deny.verdict captxt.deny.salvaged",
        "two denies of other resolvers that the strict reader refuses",
        "Nothing but denies: everyone else is allowed.",
        File::resolvers("-other.example, \u{2013}third.example"),
        said()
            .error("resolvers-entry-invalid", 4, 12)
            .error("resolvers-entry-invalid", 4, 28)
            .warning("deny-salvaged", 4, 1),
    );
}

fn none(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, value, comment) in [
        ("with-dot", "none.", "A dot at its end is dropped."),
        ("quoted", "\"NONE\"", "Quotes are dropped."),
        (
            "beside-words",
            "none at all",
            "White space separates entries here.",
        ),
        (
            "semicolon",
            "none; *",
            "A semicolon separates entries here.",
        ),
    ] {
        files.case(
            &format!("none-{slug}"),
            "captxt.deny.verdict captxt.deny.entries captxt.deny.salvaged",
            value,
            &format!("{comment} The word denies every resolver."),
            File::resolvers(value),
            salvaged(12).denied(),
        );
    }
    for (slug, value) in [
        ("longer", "*, nonetheless"),
        ("hyphen", "*, none-of-them"),
        ("plural", "*, nones"),
    ] {
        files.case(
            &format!("none-not-{slug}"),
            "captxt.deny.verdict captxt.deny.entries",
            value,
            "Another word, which neither allows nor denies.",
            File::resolvers(value),
            said().error("resolvers-entry-invalid", 4, 15),
        );
    }
    files.case(
        "none-full-width",
        "captxt.deny.verdict",
        "a star, and none in letters of full width",
        "Nothing is normalized, so that is another word.",
        File::resolvers("*, \u{ff4e}\u{ff4f}\u{ff4e}\u{ff45}"),
        said().error("resolvers-entry-invalid", 4, 15),
    );
}

fn several_lines(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, second, denied, comment) in [
        ("star", "*", false, "Both lines allow."),
        (
            "listed",
            "https://resolver.example",
            false,
            "The first allows everybody, and the second the resolver.",
        ),
        (
            "not-listed",
            "https://other.example",
            true,
            "Every line has to allow, and the second names somebody else.",
        ),
        (
            "empty",
            "",
            true,
            "Every line has to allow, and the second allows nobody.",
        ),
    ] {
        let found = said().error("duplicate-field", 5, 1);
        files.case(
            &format!("two-lines-{slug}"),
            "captxt.deny.verdict captxt.header.once captxt.deny.salvaged",
            &format!("a second line Resolvers: {second}"),
            comment,
            File::plain().line(5, &format!("Resolvers: {second}")),
            if denied { found.denied() } else { found },
        );
    }
    files.case(
        "two-lines-deny",
        "captxt.deny.verdict captxt.header.once captxt.deny.salvaged captxt.position",
        "a second line that denies the resolver",
        "Any line may deny. The strict reader did not evaluate it, so it was salvaged.",
        File::plain().line(5, "Resolvers: *, -https://resolver.example"),
        said()
            .error("duplicate-field", 5, 1)
            .warning("deny-salvaged", 5, 1)
            .denied(),
    );
    files.case(
        "two-lines-deny-first",
        "captxt.deny.verdict captxt.header.once",
        "a deny of the resolver on the first line, a star on the second",
        "Any line may deny, and no line takes it back.",
        File::resolvers("*, -https://resolver.example").line(5, "Resolvers: *"),
        said().error("duplicate-field", 5, 1).denied(),
    );
}

fn salvaged_or_not(files: &mut Files<'_>) {
    const RULES: &str = "captxt.deny.salvaged captxt.position";
    files.from("allowing");
    files.case(
        "salvaged-other-resolver",
        RULES,
        "a deny of another resolver on a second line",
        "Said of whatever resolver the deny is.",
        File::plain().line(5, "Resolvers: *, -https://other.example"),
        said()
            .error("duplicate-field", 5, 1)
            .warning("deny-salvaged", 5, 1),
    );
    files.case(
        "salvaged-once",
        "captxt.deny.salvaged captxt.once captxt.position",
        "an entry with an error that denies, and a second line that denies",
        "Once for a file, at the first of the lines.",
        File::resolvers("*, -resolver.example").line(5, "Resolvers: none"),
        salvaged(15).error("duplicate-field", 5, 1).denied(),
    );
    files.case(
        "salvaged-second-line-first",
        "captxt.deny.salvaged captxt.position",
        "a sound deny on the first line, and one with an error on the second",
        "The first line was evaluated, so the place is that of the second.",
        File::resolvers("*, -https://other.example").line(5, "Resolvers: -other.example"),
        said()
            .error("duplicate-field", 5, 1)
            .warning("deny-salvaged", 5, 1),
    );
    files.case(
        "salvaged-not-sound",
        "captxt.deny.salvaged captxt.resolvers.canonical",
        "a deny in another form, which the strict reader takes",
        "It took the deny, with a warning of its own, so nothing was salvaged.",
        File::resolvers("*, -https://Resolver.example:443/"),
        said().warning("origin-not-canonical", 4, 15).denied(),
    );
    files.case(
        "salvaged-not-error-elsewhere",
        "captxt.deny.salvaged captxt.resolvers.form",
        "a sound deny beside an entry with an error",
        "The entry of the deny has no error of its own.",
        File::resolvers("*, -https://resolver.example, x"),
        said().error("resolvers-entry-invalid", 4, 42).denied(),
    );
    files.case(
        "salvaged-behind-mark",
        "captxt.deny.salvaged captxt.bom captxt.position",
        "U+FEFF at the start, and a deny without scheme",
        "The mark moves no place.",
        File::resolvers("*, -resolver.example").after("\u{feff}", 1),
        said()
            .error("resolvers-entry-invalid", 4, 15)
            .warning("bom", 1, 1)
            .warning("deny-salvaged", 4, 1)
            .denied(),
    );
    files.case(
        "salvaged-not-behind-mark",
        "captxt.deny.salvaged captxt.bom captxt.deny.strip",
        "U+FEFF at the start, and a sound deny on that line",
        "The mark is noise to the deny reader, and both readers mean the same entry.",
        File::plain()
            .without(4)
            .insert(1, "\u{feff}Resolvers: *, -https://resolver.example"),
        said().warning("bom", 1, 1).denied(),
    );
    files.case(
        "salvaged-unreadable-value",
        "captxt.deny.salvaged captxt.unreadable-value captxt.control",
        "a tab behind a comma before a deny",
        "The strict reader does not read the value, so it evaluated no entry of it.",
        File::resolvers("*,\t-https://resolver.example"),
        said()
            .error("control-character", 4, 14)
            .warning("deny-salvaged", 4, 1)
            .denied(),
    );
}
