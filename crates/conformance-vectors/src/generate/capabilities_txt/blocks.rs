//! Blocks, and the words in them (§11.4).

use super::build::{Endpoint, File, Files, JOB, endpoint, said};

const SECOND_URL: &str = "https://post.example.com/mcp";

pub(super) fn add(files: &mut Files<'_>) {
    blocks(files);
    outside(files);
    required(files);
    once(files);
    count(files);
    no_blocks(files);
    words(files);
}

/// The plain file with a second block, on lines 11 to 13.
pub(super) fn two_blocks() -> File {
    File::plain()
        .and(&format!("Endpoint: {SECOND_URL}"))
        .and("Protocol: mcp")
        .and("Jobs: post a parcel")
}

pub(super) fn second() -> Endpoint {
    endpoint()
        .url(SECOND_URL)
        .jobs(["post a parcel"])
        .sign_in(None)
        .payment(None)
}

fn blocks(files: &mut Files<'_>) {
    files.base(
        "two-blocks",
        "captxt.block captxt.token.absent",
        "Two blocks without a blank line between them; the second has neither Sign-in nor Payment.",
        two_blocks(),
        said().endpoints([endpoint(), second()]),
    );
    files.case(
        "blank-lines-in-blocks",
        "captxt.block captxt.blank",
        "blank lines and comments in a block",
        "A block ends at the next Endpoint and nowhere else.",
        two_blocks()
            .insert(13, "")
            .insert(13, "# jobs")
            .insert(13, ""),
        said().endpoints([endpoint(), second()]),
    );
    files.case(
        "block-fields-in-any-order",
        "captxt.block captxt.block.outside",
        "Jobs before Protocol in the second block",
        "The fields of a block have no order.",
        two_blocks()
            .line(12, "Jobs: post a parcel")
            .line(13, "Protocol: mcp"),
        said().endpoints([endpoint(), second()]),
    );
    files.case(
        "one-bad-block",
        "captxt.claims-empty captxt.valid captxt.claims-valid-only captxt.two-readers",
        "another scheme in the second block",
        "The first block is sound, and its claim is dropped with the file.",
        two_blocks().line(11, "Endpoint: http://post.example.com/mcp"),
        said().error("endpoint-not-https", 11, 11),
    );
}

fn outside(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, field) in [
        ("protocol", "Protocol: mcp"),
        ("jobs", "Jobs: send a transactional email"),
        ("sign-in", "Sign-in: none"),
        ("payment", "Payment: none"),
    ] {
        files.case(
            &format!("outside-{slug}"),
            "captxt.block.outside captxt.position",
            &format!("{field} before the first Endpoint"),
            "There is no block that it could belong to.",
            File::plain().line(5, field),
            said().error("field-outside-block", 5, 1),
        );
    }
    files.case(
        "outside-nothing-else",
        "captxt.block.outside captxt.once",
        "Protocol twice before the first Endpoint, with a value that is no word and without value",
        "Nothing is said of the values, and each field is reported.",
        File::plain()
            .line(5, "Protocol:m c p")
            .insert(6, "Protocol:"),
        said()
            .error("field-outside-block", 5, 1)
            .error("field-outside-block", 6, 1),
    );
}

fn required(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "missing-protocol",
        "captxt.block.required captxt.position",
        "without Protocol",
        "Said of the name of the block's Endpoint.",
        File::plain().without(7),
        said().error("missing-protocol", 6, 1),
    );
    files.case(
        "missing-jobs",
        "captxt.block.required captxt.position",
        "without Jobs",
        "Said of the name of the block's Endpoint.",
        File::plain().without(8),
        said().error("missing-jobs", 6, 1),
    );
    files.case(
        "missing-both",
        "captxt.block.required captxt.order",
        "without Protocol and Jobs",
        "Two codes at one place, in byte order.",
        File::plain().without(8).without(7),
        said()
            .error("missing-jobs", 6, 1)
            .error("missing-protocol", 6, 1),
    );
    files.case(
        "optional-fields",
        "captxt.block.required captxt.token.absent",
        "without Sign-in and Payment",
        "A block needs neither. Absent is not none.",
        File::plain().without(10).without(9),
        said().endpoint(endpoint().sign_in(None).payment(None)),
    );
    files.from("two-blocks");
    files.case(
        "missing-jobs-second-block",
        "captxt.block.required",
        "a second block without Jobs",
        "Each block needs its own.",
        two_blocks().without(13),
        said().error("missing-jobs", 11, 1),
    );
}

fn once(files: &mut Files<'_>) {
    files.from("plain");
    for (line, name, field) in [
        (7, "protocol", "Protocol: mcp"),
        (9, "sign-in", "Sign-in: required"),
        (10, "payment", "Payment: none"),
    ] {
        files.case(
            &format!("duplicate-{name}"),
            "captxt.block.once captxt.position",
            &format!("a second field {field}"),
            "An error, whether it says the same or not.",
            File::plain().insert(line + 1, field),
            said().error("duplicate-field", line + 1, 1),
        );
    }
    files.case(
        "duplicate-in-block-nothing-else",
        "captxt.block.once captxt.space-before-colon",
        "a second Payment with a space before its colon and two words",
        "Nothing else is said of what follows the name.",
        File::plain().and("Payment : by card"),
        said().error("duplicate-field", 11, 1),
    );
    files.case(
        "jobs-repeated",
        "captxt.block.once captxt.jobs",
        "Jobs twice",
        "Jobs may be repeated, and all count.",
        File::plain().insert(9, "Jobs: read a mailbox"),
        said().endpoint(endpoint().jobs([JOB, "read a mailbox"])),
    );
}

/// The plain file with more blocks, of `https://m001.example.com/` and so on; the first begins on line 11, and each has
/// three lines.
fn more_blocks(count: usize) -> File {
    (1..=count).fold(File::plain(), |file, n| {
        file.and(&format!("Endpoint: https://m{n:03}.example.com/"))
            .and("Protocol: mcp")
            .and("Jobs: run")
    })
}

fn count(files: &mut Files<'_>) {
    files.from("plain");
    let more = (1..=99).map(|n| {
        let url = format!("https://m{n:03}.example.com/");
        endpoint()
            .url(&url)
            .jobs(["run"])
            .sign_in(None)
            .payment(None)
    });
    files.case(
        "blocks-100",
        "captxt.block.count",
        "99 more blocks",
        "As many blocks as may be.",
        more_blocks(99),
        said().endpoints([endpoint()].into_iter().chain(more)),
    );
    files.case(
        "blocks-101",
        "captxt.block.count captxt.position captxt.once",
        "101 more blocks",
        "Said of the 101st block, once.",
        more_blocks(101),
        said().error("too-many-endpoints", 308, 1),
    );
    files.case(
        "blocks-101-of-any-kind",
        "captxt.block.count captxt.block",
        "100 more blocks, one of them with another scheme",
        "A block counts, whatever the value of its Endpoint.",
        more_blocks(100).line(11, "Endpoint: http://m001.example.com/"),
        said()
            .error("endpoint-not-https", 11, 11)
            .error("too-many-endpoints", 308, 1),
    );
}

/// The header of the plain file alone.
fn header() -> File {
    (5..=10).fold(File::plain(), |file, _| file.without(5))
}

fn no_blocks(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "no-endpoints",
        "captxt.block.none captxt.position",
        "without a block",
        "Valid, but it declares nothing: a warning.",
        header(),
        said().endpoints([]).warning("no-endpoints", 1, 1),
    );
    for value in ["none", "NONE"] {
        files.case(
            &format!(
                "no-endpoints-{}",
                if value == "none" { "none" } else { "none-case" }
            ),
            "captxt.block.none captxt.deny.verdict",
            &format!("Resolvers: {value}, without a block"),
            "A file that only says no has nothing to declare.",
            header().line(4, &format!("Resolvers: {value}")),
            said().endpoints([]).denied(),
        );
    }
    files.case(
        "no-endpoints-denies",
        "captxt.block.none captxt.resolvers.implied-star",
        "a deny and no block",
        "Only none excuses the missing block.",
        header().line(4, "Resolvers: -https://resolver.example"),
        said()
            .endpoints([])
            .warning("no-endpoints", 1, 1)
            .warning("resolvers-implied-star", 4, 12)
            .denied(),
    );
    files.case(
        "no-endpoints-none-mixed",
        "captxt.block.none captxt.resolvers.none",
        "none and a deny, without a block",
        "The value is not none.",
        header().line(4, "Resolvers: none, -https://other.example"),
        said()
            .error("resolvers-none-mixed", 4, 12)
            .warning("no-endpoints", 1, 1)
            .denied(),
    );
    files.case(
        "no-endpoints-second-none",
        "captxt.block.none captxt.header.once captxt.deny.salvaged",
        "a star, and none as a second Resolvers, without a block",
        "The value that is evaluated is the star; the deny reader finds the second.",
        header().and("Resolvers: none"),
        said()
            .error("duplicate-field", 5, 1)
            .warning("no-endpoints", 1, 1)
            .warning("deny-salvaged", 5, 1)
            .denied(),
    );
}

fn words(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "words-case",
        "captxt.token captxt.token.known",
        "MCP, None and REQUIRED",
        "Reported in lower case, and known.",
        File::plain()
            .line(7, "Protocol: MCP")
            .line(9, "Sign-in: None")
            .line(10, "Payment: REQUIRED"),
        said().endpoint(endpoint().payment(Some("required"))),
    );
    files.case(
        "words-required",
        "captxt.token.known",
        "required for Sign-in",
        "The other known word.",
        File::plain().line(9, "Sign-in: required"),
        said().endpoint(endpoint().sign_in(Some("required"))),
    );
    let word_32 = "a".repeat(32);
    for (slug, word, comment) in [
        (
            "other",
            "a2a",
            "A protocol of which this text says nothing.",
        ),
        ("32", word_32.as_str(), "As long as a word may be."),
        ("digit", "2", "A word may start with a digit."),
        (
            "hyphens",
            "A--",
            "Hyphens may stand behind the first character, also at the end.",
        ),
        ("none", "none", "Known elsewhere, but no protocol."),
    ] {
        files.case(
            &format!("protocol-{slug}"),
            "captxt.token captxt.token.known captxt.position",
            word,
            &format!("{comment} Kept with a warning, in lower case."),
            File::plain().line(7, &format!("Protocol: {word}")),
            said()
                .warning("unknown-value", 7, 11)
                .endpoint(endpoint().protocol(&word.to_lowercase())),
        );
    }
    files.case(
        "sign-in-other",
        "captxt.token.known captxt.position",
        "optional for Sign-in",
        "Kept with a warning.",
        File::plain().line(9, "Sign-in: Optional"),
        said()
            .warning("unknown-value", 9, 10)
            .endpoint(endpoint().sign_in(Some("optional"))),
    );
    files.case(
        "payment-other",
        "captxt.token.known captxt.position",
        "no for Payment",
        "Kept with a warning; no is not none.",
        File::plain().line(10, "Payment: no"),
        said()
            .warning("unknown-value", 10, 10)
            .endpoint(endpoint().payment(Some("no"))),
    );
    let word_33 = "a".repeat(33);
    for (slug, word, comment) in [
        ("33", word_33.as_str(), "One character too many."),
        (
            "hyphen-first",
            "-mcp",
            "A word does not start with a hyphen.",
        ),
        ("two-words", "mcp a2a", "Two words."),
        ("list", "mcp,a2a", "A list."),
        ("underscore", "m_cp", "An underscore."),
        ("not-ascii", "mc\u{17f}", "A letter outside of ASCII."),
        ("dot", "mcp.", "A dot."),
    ] {
        files.case(
            &format!("protocol-{slug}"),
            "captxt.token captxt.position",
            &word.escape_default().to_string(),
            comment,
            File::plain().line(7, &format!("Protocol: {word}")),
            said().error("invalid-token", 7, 11),
        );
    }
    files.case(
        "sign-in-and-payment-words",
        "captxt.token captxt.order",
        "sentences for Sign-in and Payment",
        "The rule holds for all three fields.",
        File::plain()
            .line(9, "Sign-in: not needed")
            .line(10, "Payment: 1 EUR"),
        said()
            .error("invalid-token", 9, 10)
            .error("invalid-token", 10, 10),
    );
}
