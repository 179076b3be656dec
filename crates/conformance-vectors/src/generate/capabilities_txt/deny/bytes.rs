//! Bytes as the deny reader takes them: a damaged file, its encoding, and how much is read.

use super::super::build::{File, Files, said};
use super::{DENY, denying};

pub(super) fn add(files: &mut Files<'_>) {
    damaged(files);
    decoding(files);
    utf16(files);
    scan_limit(files);
}

fn damaged(files: &mut Files<'_>) {
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
    files.case(
        "utf16-without-mark-first-line",
        "captxt.deny.decode captxt.deny.lines",
        "UTF-16, little endian, without its mark, with a deny on the second line",
        "The first two bytes are a line of their own, and no mark.",
        File::of(utf16_of("\nResolvers: none\n", u16::to_le_bytes).split_off(2)),
        said()
            .error("missing-conformance", 1, 1)
            .error("missing-contact", 1, 1)
            .error("missing-expires", 1, 1)
            .error("control-character", 2, 1)
            .error("control-character", 3, 1)
            .warning("no-endpoints", 1, 1)
            .warning("no-final-newline", 3, 2),
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
