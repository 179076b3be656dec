//! Lines as the deny reader takes them: where they end, and what is dropped from their start.

use super::super::build::{File, Files, said};
use super::missing;

pub(super) fn add(files: &mut Files<'_>) {
    line_ends(files);
    noise(files);
}

fn line_ends(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, end, name) in [
        ("vertical-tab", "\u{b}", "U+000B"),
        ("form-feed", "\u{c}", "U+000C"),
        ("nul", "\0", "U+0000"),
        ("next-line", "\u{85}", "U+0085"),
    ] {
        files.case(
            &format!("line-end-{slug}"),
            "captxt.deny.lines captxt.deny.salvaged",
            &format!("a comment, {name} and Resolvers: none"),
            "It ends the line for the deny reader, so the comment ends there.",
            File::plain().line(5, &format!("# note{end}Resolvers: none")),
            said()
                .error("control-character", 5, 7)
                .warning("deny-salvaged", 5, 1)
                .denied(),
        );
    }
    for (slug, end, name) in [
        ("line-separator", "\u{2028}", "U+2028"),
        ("paragraph-separator", "\u{2029}", "U+2029"),
    ] {
        files.case(
            &format!("line-end-{slug}"),
            "captxt.deny.lines captxt.deny.salvaged captxt.order",
            &format!("a comment, {name} and Resolvers: none"),
            "It ends the line for the deny reader. For the strict reader it is part of a comment, and the file is valid.",
            File::plain().line(5, &format!("# note{end}Resolvers: none")),
            said()
                .warning("deny-salvaged", 5, 1)
                .warning("unsafe-character", 5, 7)
                .denied(),
        );
    }
    files.case(
        "line-end-cr",
        "captxt.deny.lines captxt.line-end captxt.deny.salvaged",
        "a comment, CR and Resolvers: none",
        "It ends the line for both readers: a second Resolvers.",
        File::plain().line(5, "# note\rResolvers: none"),
        said()
            .error("bare-cr", 5, 7)
            .error("duplicate-field", 6, 1)
            .warning("deny-salvaged", 6, 1)
            .denied(),
    );
    for (slug, end, name) in [
        ("unit-separator", "\u{1f}", "U+001F"),
        ("file-separator", "\u{1c}", "U+001C"),
        ("escape", "\u{1b}", "U+001B"),
    ] {
        files.case(
            &format!("line-end-not-{slug}"),
            "captxt.deny.lines",
            &format!("a comment, {name} and Resolvers: none"),
            "It ends no line, whatever some languages say of it, so all of it is the comment.",
            File::plain().line(5, &format!("# note{end}Resolvers: none")),
            said().error("control-character", 5, 7),
        );
    }
}

fn noise(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, noise, code, name) in [
        ("no-break-space", "\u{a0}", "malformed-line", "U+00A0"),
        (
            "ideographic-space",
            "\u{3000} \u{a0}",
            "malformed-line",
            "other white space",
        ),
        ("replacement", "\u{fffd}", "malformed-line", "U+FFFD"),
        ("bell", "\u{7}", "control-character", "U+0007"),
        ("zero-width-space", "\u{200b}", "unsafe-character", "U+200B"),
        ("byte-order-mark", "\u{feff}", "unsafe-character", "U+FEFF"),
        ("tag", "\u{e0001}", "unsafe-character", "U+E0001"),
    ] {
        let line = format!("{noise}Resolvers: none");
        let (file, found) = match code {
            "malformed-line" => missing(&line, code),
            _ => (File::plain().line(4, &line), said().error(code, 4, 1)),
        };
        files.case(
            &format!("noise-{slug}"),
            "captxt.deny.strip captxt.deny.field captxt.deny.salvaged",
            &format!("{name} before Resolvers: none"),
            "Noise at the start of a line is dropped.",
            file,
            found.warning("deny-salvaged", 4, 1).denied(),
        );
    }
    for (slug, before, name) in [
        ("joiner", "\u{200c}", "U+200C"),
        ("letter", "x ", "a letter"),
        ("quote", "> ", "a quote of mail"),
        ("bullet", "\u{2022} ", "a bullet"),
        ("dash", "-", "a dash"),
    ] {
        // The dash makes the line a continuation of no Resolvers line, for there is none before it.
        let (file, found) = missing(&format!("{before}Resolvers: none"), "malformed-line");
        files.case(
            &format!("noise-not-{slug}"),
            "captxt.deny.strip captxt.deny.field",
            &format!("{name} before Resolvers: none"),
            "That is no noise, so the line is none of Resolvers.",
            file,
            found,
        );
    }
    files.case(
        "noise-before-a-comment",
        "captxt.deny.strip captxt.unsafe",
        "U+200B before a comment with Resolvers: none",
        "Behind the noise stands a number sign, so the line is skipped.",
        File::plain().line(5, "\u{200b}# Resolvers: none"),
        said().error("unsafe-character", 5, 1),
    );
    files.case(
        "comment",
        "captxt.deny.strip captxt.blank",
        "a comment with Resolvers: none",
        "A deny that is commented out is none.",
        File::plain().line(5, "  # Resolvers: none"),
        said(),
    );
}
