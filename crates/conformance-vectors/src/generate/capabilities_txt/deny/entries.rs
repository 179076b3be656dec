//! The entries of a value: what separates them, what is dropped from their edges, and dashes.

use super::super::build::{File, Files, Said, said};

pub(super) fn add(files: &mut Files<'_>) {
    separators(files);
    edges(files);
    brackets_of_addresses(files);
    dashes(files);
    lone_dashes(files);
}

/// What is said of a value that has an error at this column, and a deny that the strict reader did not take.
pub(super) fn salvaged(column: usize) -> Said {
    said()
        .error("resolvers-entry-invalid", 4, column)
        .warning("deny-salvaged", 4, 1)
}

fn separators(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, separator, name) in [
        ("semicolon", ";", "a semicolon"),
        ("space", " ", "a space"),
        ("no-break-space", "\u{a0}", "U+00A0"),
        ("ideographic-space", "\u{3000}", "U+3000"),
        ("mixed", " ;\u{2003}; ", "semicolons and white space"),
    ] {
        files.case(
            &format!("separator-{slug}"),
            "captxt.deny.entries captxt.deny.salvaged captxt.resolvers.form text.white-space",
            &format!("{name} between a star and a deny"),
            "It separates entries for the deny reader, and for the strict reader all is one entry.",
            File::resolvers(&format!("*{separator}-https://resolver.example")),
            salvaged(12).denied(),
        );
    }
    files.case(
        "separator-tab",
        "captxt.deny.entries captxt.deny.salvaged captxt.control",
        "a tab between a star and a deny",
        "It separates entries; the strict reader does not read the value.",
        File::resolvers("*\t-https://resolver.example"),
        said()
            .error("control-character", 4, 13)
            .warning("deny-salvaged", 4, 1)
            .denied(),
    );
    for (slug, separator, name) in [
        ("bar", "|", "a bar"),
        ("slash", "/", "a slash"),
        ("full-width-comma", "\u{ff0c}", "U+FF0C"),
        ("joiner", "\u{200c}", "U+200C"),
    ] {
        files.case(
            &format!("separator-not-{slug}"),
            "captxt.deny.entries captxt.deny.verdict captxt.resolvers.form",
            &format!("{name} between a star and a deny"),
            "It separates nothing: one entry, which neither denies nor allows.",
            File::resolvers(&format!("*{separator}-https://resolver.example")),
            said().error("resolvers-entry-invalid", 4, 12).denied(),
        );
    }
    files.case(
        "separator-not-bar-star",
        "captxt.deny.entries captxt.deny.verdict",
        "a bar between an origin and a deny, beside a star",
        "It separates nothing, so there is no deny, and the star allows.",
        File::resolvers("*, https://other.example|-https://resolver.example"),
        said().error("resolvers-entry-invalid", 4, 15),
    );
}

fn edges(files: &mut Files<'_>) {
    const RULES: &str = "captxt.deny.edges captxt.deny.entries captxt.deny.salvaged";
    files.from("allowing");
    for (slug, open, close) in [
        ("double-quotes", "\"", "\""),
        ("apostrophes", "'", "'"),
        ("grave-accents", "`", "`"),
        ("guillemets", "\u{ab}", "\u{bb}"),
        ("single-guillemets", "\u{2039}", "\u{203a}"),
        ("curly-quotes", "\u{201c}", "\u{201d}"),
        ("single-curly-quotes", "\u{2018}", "\u{2019}"),
        ("low-quotes", "\u{201e}", "\u{201f}"),
        ("parentheses", "(", ")"),
        ("brackets", "[", "]"),
        ("braces", "{", "}"),
        ("angle-brackets", "<", ">"),
    ] {
        files.case(
            &format!("edge-{slug}"),
            RULES,
            &format!("a deny in {open}{close}"),
            "Dropped from both edges of the entry.",
            File::resolvers(&format!("*, {open}-https://resolver.example{close}")),
            salvaged(15).denied(),
        );
    }
    for (slug, entry, comment) in [
        (
            "behind-the-dash",
            "-\"https://resolver.example\"",
            "Dropped behind the dash too.",
        ),
        (
            "bracket-behind-the-dash",
            "-[https://resolver.example]",
            "Dropped behind the dash too.",
        ),
        (
            "several",
            "\"'-<(https://resolver.example)>.'.\"",
            "As often as there are some, dots at the end among them.",
        ),
        ("dots", "-https://resolver.example...", "Dots at the end."),
        (
            "replacement",
            "\u{fffd}-https://resolver.example\u{fffd}",
            "U+FFFD is noise.",
        ),
        ("none", "(none).", "Dropped from the word none as well."),
    ] {
        files.case(
            &format!("edge-{slug}"),
            RULES,
            &entry.escape_default().to_string(),
            comment,
            File::resolvers(&format!("*, {entry}")),
            salvaged(15).denied(),
        );
    }
    files.case(
        "edge-behind-the-dash-other",
        RULES,
        "a deny whose origin is in quotes, of another resolver",
        "Dropped behind the dash too, so the host can be read, and only that one is denied.",
        File::resolvers("*, -\"https://other.example\""),
        salvaged(15),
    );
    files.case(
        "edge-unsafe",
        "captxt.deny.entries captxt.deny.strip captxt.deny.salvaged",
        "U+200B at both edges of a deny, and behind its dash",
        "Noise is dropped in all three places. The strict reader does not read the value.",
        File::resolvers("*, \u{200b}-\u{200b}https://resolver.example\u{200b}"),
        said()
            .error("unsafe-character", 4, 15)
            .warning("deny-salvaged", 4, 1)
            .denied(),
    );
    for (slug, entry, comment) in [
        (
            "bullet",
            "\u{2022}-https://resolver.example",
            "A bullet is no quote: the entry starts with it, and not with a dash.",
        ),
        (
            "exclamation-mark",
            "!-https://resolver.example",
            "An exclamation mark is no quote.",
        ),
        (
            "dot-at-the-start",
            ".-https://resolver.example",
            "Dots are dropped at the end only.",
        ),
        (
            "double-low-line",
            "\u{2017}-https://resolver.example",
            "U+2017 stands before the quotes, and is none.",
        ),
        (
            "dagger",
            "\u{2020}-https://resolver.example",
            "U+2020 stands behind the quotes, and is none.",
        ),
        (
            "ornament",
            "\u{275d}-https://resolver.example",
            "U+275D looks like a quote and is none here.",
        ),
    ] {
        files.case(
            &format!("edge-not-{slug}"),
            "captxt.deny.edges captxt.deny.entries",
            &entry.escape_default().to_string(),
            comment,
            File::resolvers(&format!("*, {entry}")),
            said().error("resolvers-entry-invalid", 4, 15),
        );
    }
    files.case(
        "edge-nothing-left",
        "captxt.deny.entries captxt.deny.verdict captxt.deny.salvaged",
        "a deny of another resolver, and brackets around nothing",
        "A piece of which nothing is left is no entry, so the line holds denies alone.",
        File::resolvers("-https://other.example, (), \""),
        said()
            .error("resolvers-entry-invalid", 4, 36)
            .error("resolvers-entry-invalid", 4, 40),
    );
    files.case(
        "edge-only-nothing",
        "captxt.deny.entries captxt.deny.verdict",
        "brackets around nothing",
        "A line without any entry allows nobody.",
        File::resolvers("()"),
        said().error("resolvers-entry-invalid", 4, 12).denied(),
    );
}

fn brackets_of_addresses(files: &mut Files<'_>) {
    const RULES: &str = "captxt.deny.edges captxt.deny.repair captxt.deny.salvaged";
    files.from("allowing");
    files.case(
        "address",
        RULES,
        "a deny of an IPv6 address with a path",
        "The brackets belong to the address; another host is denied.",
        File::resolvers("*, -https://[2001:db8::1]/mcp"),
        salvaged(15),
    );
    files.case(
        "address-in-brackets",
        RULES,
        "a deny of an IPv6 address in brackets of its own",
        "The outer brackets are dropped, and the address keeps its own.",
        File::resolvers("*, [-https://[2001:db8::1]]"),
        salvaged(15),
    );
    files.case(
        "address-in-quotes",
        RULES,
        "a deny of an IPv6 address whose closing bracket stands before a quote and a dot",
        "What stands behind the address is dropped up to its bracket.",
        File::resolvers("*, \"-https://[2001:db8::1].\""),
        salvaged(15),
    );
    files.case(
        "address-longest",
        RULES,
        "a deny of an IPv6 address of 45 characters, in quotes",
        "As long as an address can be written.",
        File::resolvers("*, '-https://[0000:0000:0000:0000:0000:ffff:192.168.100.228]'"),
        salvaged(15),
    );
    files.case(
        "address-open",
        "captxt.deny.edges captxt.deny.unreadable captxt.deny.salvaged",
        "a deny of an IPv6 address whose bracket is not closed",
        "No host is left, so everybody is denied.",
        File::resolvers("*, -https://[2001:db8::1"),
        salvaged(15).denied(),
    );
    files.case(
        "brackets-around-none",
        "captxt.deny.edges captxt.deny.unreadable captxt.deny.salvaged",
        "a deny of a host in brackets that is no address",
        "The closing bracket is dropped, and the opening one makes the host no host: everybody is denied.",
        File::resolvers("*, -https://[other.example]"),
        salvaged(15).denied(),
    );
    files.case(
        "address-without-scheme",
        "captxt.deny.unreadable captxt.deny.edges captxt.deny.salvaged",
        "a deny of an IPv6 address without scheme",
        "A host without scheme needs a dot, and this one has none: everybody is denied.",
        File::resolvers("*, -[2001:db8::1]"),
        salvaged(15).denied(),
    );
}

fn dashes(files: &mut Files<'_>) {
    files.from("allowing");
    for code in [
        0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xfe58, 0xfe63, 0xff0d,
    ] {
        let dash = char::from_u32(code).unwrap_or('-');
        files.case(
            &format!("dash-{code:04x}"),
            "captxt.deny.dash captxt.deny.salvaged captxt.resolvers.form",
            &format!("U+{code:04X} for the dash"),
            "What an editor or a keyboard makes of a hyphen denies like one.",
            File::resolvers(&format!("*, {dash}https://resolver.example")),
            salvaged(15).denied(),
        );
    }
    files.case(
        "dash-several",
        "captxt.deny.dash captxt.deny.salvaged",
        "a hyphen, U+2014 and a hyphen before the origin",
        "Once or more, of any kind.",
        File::resolvers("*, -\u{2014}-https://resolver.example"),
        salvaged(15).denied(),
    );
    for (slug, dash) in [
        ("2043", "\u{2043}"),
        ("2016", "\u{2016}"),
        ("02d7", "\u{2d7}"),
        ("30fc", "\u{30fc}"),
        ("tilde", "~"),
        ("underscore", "_"),
        ("exclamation-mark", "!"),
    ] {
        files.case(
            &format!("dash-not-{slug}"),
            "captxt.deny.dash captxt.resolvers.form",
            &format!("{} for the dash", dash.escape_default()),
            "That is no dash, so the entry is no deny; the star allows.",
            File::resolvers(&format!("*, {dash}https://resolver.example")),
            said().error("resolvers-entry-invalid", 4, 15),
        );
    }
    files.case(
        "dash-inside",
        "captxt.deny.dash captxt.resolvers.form",
        "a host that holds a dash",
        "A dash counts at the start of an entry.",
        File::resolvers("*, https://re-solver.example/x"),
        said().error("resolvers-entry-invalid", 4, 15),
    );
}

fn lone_dashes(files: &mut Files<'_>) {
    const RULES: &str = "captxt.deny.dash captxt.deny.salvaged captxt.resolvers.form";
    files.from("allowing");
    files.case(
        "lone-dash-space",
        RULES,
        "a space between dash and origin",
        "A dash alone belongs to the entry behind it.",
        File::resolvers("*, - https://resolver.example"),
        salvaged(15).denied(),
    );
    files.case(
        "lone-dash-comma",
        RULES,
        "a comma between dash and origin",
        "Whatever separates them.",
        File::resolvers("*, -, https://resolver.example"),
        salvaged(15).warning("resolvers-redundant", 4, 12).denied(),
    );
    files.case(
        "lone-dash-quoted",
        "captxt.deny.dash captxt.deny.edges captxt.deny.salvaged",
        "a dash in quotes before the origin",
        "The quotes are dropped, and a dash alone is left.",
        File::resolvers("*, \"-\" https://resolver.example"),
        salvaged(15).denied(),
    );
    files.case(
        "lone-dash-other",
        RULES,
        "a space between dash and another origin",
        "Only that one is denied.",
        File::resolvers("*, - https://other.example"),
        salvaged(15),
    );
    files.case(
        "lone-dash-before-star",
        "captxt.deny.dash captxt.deny.unreadable captxt.deny.salvaged",
        "a dash and a space before a star",
        "A denied star has no host, so everybody is denied.",
        File::resolvers("https://resolver.example, - *"),
        salvaged(38).denied(),
    );
    files.case(
        "lone-dash-last",
        "captxt.deny.dash captxt.deny.unreadable captxt.deny.salvaged",
        "a dash at the end",
        "No entry stands behind it, so it denies every resolver.",
        File::resolvers("*, -"),
        salvaged(15).denied(),
    );
    files.case(
        "lone-dash-before-nothing",
        "captxt.deny.dash captxt.deny.entries captxt.deny.salvaged",
        "a dash, and brackets around nothing",
        "They are no entry, so none stands behind the dash.",
        File::resolvers("*, - ()"),
        salvaged(15).denied(),
    );
}
