//! Bytes, lines and fields as the deny reader takes them.

use super::super::build::{File, Files, Said, said};
use super::{DENY, denying};

pub(super) fn add(files: &mut Files<'_>) {
    expired(files);
    decoding(files);
    utf16(files);
    scan_limit(files);
    line_ends(files);
    noise(files);
    names(files);
    without_separator(files);
    comments_behind(files);
    continuations(files);
    continuations_end(files);
}

/// A file whose fourth line has this text, in which the strict reader finds no Resolvers.
fn missing(line: &str, code: &str) -> (File, Said) {
    let said = said().error("missing-resolvers", 1, 1);
    (File::plain().line(4, line), said.error(code, 4, 1))
}

fn expired(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "expired",
        "captxt.deny.verdict captxt.two-readers captxt.expires.past",
        "an Expires that has passed",
        "A forgotten date does not open the door.",
        denying().line(3, "Expires: 2025-04-30T00:00:00Z"),
        said().error("expired", 3, 10).denied(),
    );
    files.case(
        "faults-around",
        "captxt.two-readers captxt.deny.verdict",
        "lines that are no fields before and behind Resolvers",
        "The deny reader does not look at what the strict reader found.",
        denying().line(3, "What is this").line(5, "And this"),
        said()
            .error("missing-expires", 1, 1)
            .error("malformed-line", 3, 1)
            .error("malformed-line", 5, 1)
            .denied(),
    );
    files.case(
        "alone",
        "captxt.deny.verdict captxt.header.required",
        "the line Resolvers and nothing else",
        "Three fields are missing, and the deny holds; the strict reader evaluated it, so nothing was salvaged.",
        File::of(format!("Resolvers: {DENY}\n")),
        said()
            .error("missing-conformance", 1, 1)
            .error("missing-contact", 1, 1)
            .error("missing-expires", 1, 1)
            .warning("no-endpoints", 1, 1)
            .denied(),
    );
    files.from("allowing");
    files.case(
        "no-resolvers",
        "captxt.deny.verdict captxt.header.required",
        "without Resolvers",
        "A file without a Resolvers line allows every resolver.",
        File::plain().without(4),
        said().error("missing-resolvers", 1, 1),
    );
    files.case(
        "web-page",
        "captxt.deny.field captxt.deny.verdict",
        "a web page in its place that has the word Resolvers",
        "The word alone is no field.",
        File::of("<!doctype html>\n<p>\nResolvers are services.\nResolvers\n"),
        said()
            .error("malformed-line", 1, 1)
            .error("missing-conformance", 1, 1)
            .error("missing-contact", 1, 1)
            .error("missing-expires", 1, 1)
            .error("missing-resolvers", 1, 1)
            .error("malformed-line", 2, 1)
            .error("malformed-line", 3, 1)
            .error("malformed-line", 4, 1)
            .warning("no-endpoints", 1, 1),
    );
}

fn decoding(files: &mut Files<'_>) {
    files.from("plain");
    let not_utf8 = |line, column| {
        said()
            .error("not-utf8", line, column)
            .warning("deny-salvaged", 1, 1)
            .denied()
    };
    files.case(
        "not-utf8-elsewhere",
        "captxt.deny.decode captxt.deny.salvaged captxt.utf8",
        "FF in another line",
        "The strict reader takes nothing, and the deny holds.",
        denying().raw(8, b"Jobs: send a mail \xff\n"),
        not_utf8(8, 19),
    );
    for (slug, bytes, column, comment) in [
        (
            "in-the-name",
            &b"Resolvers\xff: none\n"[..],
            10,
            "Between name and colon it is noise.",
        ),
        (
            "at-the-start",
            b"\xfe\xffResolvers: none\n",
            1,
            "At the start of a line it is noise.",
        ),
        (
            "at-the-edge",
            b"Resolvers: \xffnone\xff\n",
            12,
            "At the edges of an entry it is dropped.",
        ),
        (
            "in-a-deny",
            b"Resolvers: *, -https://resolver.example\xff\n",
            40,
            "At the edge of a deny it is dropped.",
        ),
        (
            "unreadable",
            b"Resolvers: *, -https://r\xffesolver.example\n",
            25,
            "Inside of a deny it leaves no host, so everybody is denied.",
        ),
    ] {
        files.case(
            &format!("not-utf8-{slug}"),
            "captxt.deny.decode captxt.deny.strip captxt.deny.entries captxt.deny.salvaged",
            "bytes that are not UTF-8 in the line Resolvers",
            &format!("They are read as U+FFFD. {comment}"),
            denying().raw(4, bytes),
            not_utf8(4, column),
        );
    }
    files.from("allowing");
    files.case(
        "not-utf8-in-a-word",
        "captxt.deny.decode captxt.deny.field",
        "FF inside of the name Resolvers",
        "U+FFFD inside of a word makes another word.",
        File::plain().raw(4, b"Reso\xfflvers: none\n"),
        said().error("not-utf8", 4, 5),
    );
    files.case(
        "not-utf8-allow",
        "captxt.deny.verdict captxt.deny.decode",
        "FF behind the one origin that is allowed",
        "A sloppy deny counts, and a sloppy allow does not.",
        File::plain().raw(4, b"Resolvers: https://resolver.example\xff\n"),
        said().error("not-utf8", 4, 36).denied(),
    );
}

/// A text in UTF-16 with its mark.
fn utf16_of(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(bytes).collect()
}

fn utf16(files: &mut Files<'_>) {
    let text = |resolvers: &str| {
        format!(
            "Conformance: Capability Resolution 0.2\r\nResolvers: {resolvers}\r\nContact: x\r\n"
        )
    };
    let refused = said().error("not-utf8", 1, 1);
    let salvaged = refused.clone().warning("deny-salvaged", 1, 1).denied();
    files.from("plain");
    for (slug, file) in [
        ("little", utf16_of(&text(DENY), u16::to_le_bytes)),
        ("big", utf16_of(&text(DENY), u16::to_be_bytes)),
    ] {
        files.case(
            &format!("utf16-{slug}-endian"),
            "captxt.deny.decode captxt.deny.salvaged captxt.utf8",
            &format!("UTF-16, {slug} endian, with its mark"),
            "What an editor writes that was asked for Unicode: read as UTF-16 too.",
            File::of(file),
            salvaged.clone(),
        );
    }
    files.case(
        "utf16-mark-alone",
        "captxt.deny.decode",
        "FE FF at the start of the file",
        "It is read as UTF-8 as well, and both readings have to allow.",
        denying().after(b"\xfe\xff", 1),
        salvaged.clone(),
    );
    files.case(
        "utf16-cut",
        "captxt.deny.decode",
        "UTF-16 with half a unit at its end",
        "What is before it is read.",
        File::of([utf16_of(&text(DENY), u16::to_le_bytes), vec![0x41]].concat()),
        salvaged,
    );
    files.from("allowing");
    files.case(
        "utf16-star",
        "captxt.deny.decode captxt.deny.verdict",
        "UTF-16, little endian, with its mark",
        "Both readings allow: that as UTF-8 has no Resolvers line.",
        File::of(utf16_of(&text("*"), u16::to_le_bytes)),
        refused.clone(),
    );
    files.case(
        "utf16-not-listed",
        "captxt.deny.decode captxt.deny.verdict",
        "UTF-16, big endian, with another resolver listed",
        "A list restricts in this reading too; it is no deny, so nothing was salvaged.",
        File::of(utf16_of(&text("https://other.example"), u16::to_be_bytes)),
        refused.denied(),
    );
    files.case(
        "utf16-without-mark",
        "captxt.deny.decode captxt.deny.lines",
        "UTF-16, little endian, without its mark, and a deny",
        "Without the mark nothing says that this is UTF-16. It is even well-formed UTF-8, in lines with many a NUL.",
        File::of(utf16_of("Resolvers: none\n", u16::to_le_bytes).split_off(2)),
        said()
            .error("missing-conformance", 1, 1)
            .error("missing-contact", 1, 1)
            .error("missing-expires", 1, 1)
            .error("control-character", 1, 2)
            .error("control-character", 2, 1)
            .warning("no-endpoints", 1, 1)
            .warning("no-final-newline", 2, 2),
    );
}

/// Comments, so many bytes in all.
fn filler(length: usize) -> File {
    File::of("").filled(length)
}

fn scan_limit(files: &mut Files<'_>) {
    const LIMIT: usize = 524_288;
    let line = format!("Resolvers: {DENY}");
    files.from("plain");
    let too_large = || said().error("file-too-large", 1, 1);
    files.case(
        "size-65537",
        "captxt.deny.scan-limit captxt.size captxt.deny.salvaged",
        "comments, up to 65,537 bytes",
        "The limit of the strict reader is not that of the deny reader.",
        denying().filled(65_537),
        too_large().warning("deny-salvaged", 1, 1).denied(),
    );
    files.case(
        "scan-limit",
        "captxt.deny.scan-limit captxt.deny.salvaged captxt.position",
        "comments before the line, which ends with byte 524,288",
        "The last bytes that are read.",
        filler(LIMIT - line.len()).and_raw(&line, 1),
        too_large().warning("deny-salvaged", 1, 1).denied(),
    );
    files.case(
        "scan-limit-cut",
        "captxt.deny.scan-limit captxt.deny.salvaged",
        "comments before the line, whose last letter is byte 524,289",
        "What is read denies https://resolver.exampl: a deny, but of another resolver.",
        filler(LIMIT - line.len() + 1).and_raw(&line, 1),
        too_large().warning("deny-salvaged", 1, 1),
    );
    files.case(
        "scan-limit-behind",
        "captxt.deny.scan-limit",
        "comments before the line, up to byte 524,288",
        "It is not read at all.",
        filler(LIMIT).and_raw(&line, 1),
        too_large(),
    );
    files.case(
        "scan-limit-in-a-character",
        "captxt.deny.scan-limit captxt.deny.decode",
        "none behind comments, with a character of two bytes that the limit cuts",
        "Half a character is not well-formed, so it is U+FFFD, which is dropped from the edge of the entry.",
        filler(LIMIT - 16).and_raw("Resolvers: none\u{e9}\n", 1),
        too_large().warning("deny-salvaged", 1, 1).denied(),
    );
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
