//! The strict reader on small files.

use capability_resolution::Host;

use super::*;
use crate::scope::PublicSuffixes;

const HEAD: &str = "Conformance: Capability Resolution 0.2\nContact: tel:1\nExpires: 2027-04-30T00:00:00Z\nResolvers: *\n";
const BLOCK: &str = "Endpoint: https://example.com/\nProtocol: mcp\nJobs: do a thing\n";

/// `code line:column`, errors with an exclamation mark.
fn found(bytes: impl AsRef<[u8]>) -> Vec<String> {
    let scope = Scope::new(
        Host::from_written("example.com").unwrap(),
        &PublicSuffixes::compiled_in(),
    );
    let reading = read(
        bytes.as_ref(),
        &scope,
        Time::from_unix_seconds(1_796_040_000),
    );
    let one = |d: &Diagnostic| {
        let mark = if d.severity() == Severity::Error {
            "!"
        } else {
            ""
        };
        format!("{mark}{} {}:{}", d.code(), d.line(), d.column())
    };
    reading.diagnostics().iter().map(one).collect()
}

/// What is found in a text that stands between a sound header, of four lines, and a sound block.
fn between(text: &str) -> Vec<String> {
    found(format!("{HEAD}{text}\n{BLOCK}"))
}

/// What is found in lines at the end of a sound block, from line 8 on.
fn behind(text: &str) -> Vec<String> {
    found(format!("{HEAD}{BLOCK}{text}\n"))
}

// r[captxt.size] r[captxt.utf8] r[captxt.bom] r[captxt.final-newline] r[captxt.position]
#[test]
fn the_whole_file() {
    assert!(found(format!("{HEAD}{BLOCK}")).is_empty());
    let fill = |n: usize| format!("{HEAD}{BLOCK}{}\n", "# fill\n".repeat(20_000).split_at(n).0);
    let rest = 65_536 - HEAD.len() - BLOCK.len() - 1;
    assert!(found(fill(rest)).is_empty());
    assert_eq!(found(fill(rest + 1)), ["!file-too-large 1:1"]);
    assert_eq!(
        found(format!("{}\u{ff}", fill(rest))),
        ["!file-too-large 1:1"]
    );
    assert_eq!(found(b"\xef\xbb\xbfa\r\n\xc3\xa4\xc3\n"), ["!not-utf8 2:2"]);
    assert_eq!(found(b"a\rb\n\xf0\x9f"), ["!not-utf8 3:1"]);
    assert_eq!(
        found(b"Resolvers: none\n\xff"),
        ["deny-salvaged 1:1", "!not-utf8 2:1"]
    );
    assert_eq!(found(format!("\u{feff}{HEAD}{BLOCK}")), ["bom 1:1"]);
    assert_eq!(found(format!("{HEAD}{BLOCK}# é")), ["no-final-newline 8:4"]);
    let missing = [
        "!missing-conformance 1:1",
        "!missing-contact 1:1",
        "!missing-expires 1:1",
        "!missing-resolvers 1:1",
    ];
    assert_eq!(found(""), [&missing[..], &["no-endpoints 1:1"]].concat());
    assert_eq!(
        found("\u{feff}"),
        [
            &["bom 1:1"],
            &missing[..],
            &["no-endpoints 1:1", "no-final-newline 1:1"]
        ]
        .concat()
    );
}

// r[captxt.line-end] r[captxt.blank] r[captxt.field] r[captxt.space-before-colon] r[captxt.space-after-colon]
// r[captxt.leading-space] r[captxt.unknown-field] r[captxt.empty-value]
#[test]
fn lines_and_fields() {
    for (text, expected) in [
        ("", &[][..]),
        (" \t", &[]),
        ("\t# ü\ttab", &[]),
        ("# é\r# x", &["!bare-cr 5:4"]),
        ("x", &["!malformed-line 5:1"]),
        (": x", &["!malformed-line 5:1"]),
        ("ü: x", &["!malformed-line 5:1"]),
        ("Contact://x", &["!malformed-line 5:1"]),
        ("X-Y: z", &["unknown-field 5:1"]),
        ("X\t :z", &["!space-before-colon 5:2", "unknown-field 5:1"]),
        ("contact : tel:2", &["!space-before-colon 5:8"]),
        ("CONTACT:\ttel:2\t", &["spacing-after-colon 5:9"]),
        ("Contact: \t ", &["!empty-value 5:1"]),
        ("  Contact: tel:2", &["!leading-whitespace 5:3"]),
        ("  other: x", &["!leading-whitespace 5:3"]),
        ("  other", &["!leading-whitespace 5:3"]),
        (
            " Contact:",
            &["!empty-value 5:2", "!leading-whitespace 5:2"],
        ),
    ] {
        let mut expected = expected.to_vec();
        expected.sort_by_key(|e| {
            (
                e.rsplit(':').next().and_then(|c| c.parse::<u32>().ok()),
                e.trim_start_matches('!'),
            )
        });
        assert_eq!(between(text), expected, "{text:?}");
    }
}

// r[captxt.control] r[captxt.unsafe] r[captxt.line-length] r[captxt.line-codes] r[captxt.unreadable-value] r[captxt.once]
#[test]
fn characters_and_lengths() {
    let long = format!("# {}", "x".repeat(4_095));
    let indented = format!(" Contact: {}\u{1}", "x".repeat(4_096));
    for (text, expected) in [
        ("#\u{1}\u{2}", &["!control-character 5:2"][..]),
        ("# \u{200b}\u{200b}", &["unsafe-character 5:3"]),
        ("# \u{200b}\u{7f}", &["!control-character 5:4"]),
        ("\u{200b}# x", &["!unsafe-character 5:1"]),
        ("Contact: tel:\u{1}2", &["!control-character 5:14"]),
        (
            "Contact\t:\ttel:2\t",
            &["!space-before-colon 5:8", "spacing-after-colon 5:10"],
        ),
        ("Contact: tel\t:2", &["!control-character 5:13"]),
        ("Con\u{ad}tact: tel:2", &["!unsafe-character 5:4"]),
        (
            "\u{1}Resolvers: x",
            &["!control-character 5:1", "!duplicate-field 5:2"],
        ),
        ("é\u{1}", &["!control-character 5:2"]),
        (&long, &["!line-too-long 5:1"]),
        (
            &indented,
            &["!leading-whitespace 5:2", "!line-too-long 5:2"],
        ),
        (&" ".repeat(4_097), &["!line-too-long 5:1"]),
    ] {
        assert_eq!(between(text), expected, "{text:?}");
    }
    // Present, so that it is not missing too.
    assert_eq!(
        found(format!("{HEAD}{BLOCK}").replace("0.2", "\u{200d}\u{1}")),
        ["!control-character 1:37"]
    );
}

// r[captxt.signed]
#[test]
fn a_signed_envelope() {
    let body = format!("{HEAD}{BLOCK}- - x: y\n- X: y\n");
    let signed = format!(
        "-----BEGIN PGP SIGNED MESSAGE----- \nHash: x\n\t\n{body}-----BEGIN PGP SIGNATURE-----\nResolvers\n\
         -----END PGP SIGNATURE-----\nX: y\n"
    );
    assert_eq!(
        found(signed),
        [
            "!signed-envelope 1:1",
            "!malformed-line 11:3",
            "unknown-field 12:3",
            "unknown-field 16:1"
        ]
    );
}

// r[captxt.header.required] r[captxt.header.once] r[captxt.header.place] r[captxt.conformance] r[captxt.contact]
#[test]
fn header_fields() {
    assert_eq!(between("Expires : x"), ["!duplicate-field 5:1"]);
    assert_eq!(between("Contact: x"), ["!contact-invalid 5:10"]);
    assert_eq!(behind("Resolvers:"), ["!header-field-in-block 8:1"]);
    assert_eq!(
        behind("Contact : x"),
        ["!header-field-in-block 8:1", "!space-before-colon 8:8"]
    );
    let without = |line: &str| found(format!("{HEAD}{BLOCK}").replace(line, ""));
    assert_eq!(without("Contact: tel:1\n"), ["!missing-contact 1:1"]);
    let conformance = HEAD.replace("0.2", "0.3");
    assert_eq!(
        found(format!("{conformance}{BLOCK}")),
        ["!conformance-unsupported 1:14"]
    );
    // The first is evaluated, also when its value is not read.
    let two = format!("Expires:\n{HEAD}{BLOCK}");
    assert_eq!(found(two), ["!empty-value 1:1", "!duplicate-field 4:1"]);
}

// r[captxt.expires.past] r[captxt.expires.far]
#[test]
fn expires() {
    let expires =
        |value: &str| found(format!("{HEAD}{BLOCK}").replace("2027-04-30T00:00:00Z", value));
    assert_eq!(expires("2026-11-30T12:00:00Z"), ["!expired 3:10"]);
    assert!(expires("2026-11-30T12:00:00.1Z").is_empty());
    assert!(expires("2027-12-01T12:00:00Z").is_empty());
    assert_eq!(expires("2027-12-01T12:00:00.1Z"), ["expires-far 3:10"]);
    assert_eq!(expires("2027"), ["!expires-invalid 3:10"]);
}

// r[captxt.resolvers.form] r[captxt.resolvers.none] r[captxt.resolvers.canonical] r[captxt.resolvers.count]
// r[captxt.resolvers.redundant] r[captxt.resolvers.implied-star] r[captxt.resolvers.conflict] r[captxt.deny.salvaged]
#[test]
fn resolvers() {
    let resolvers =
        |value: &str| found(format!("{HEAD}{BLOCK}").replace(": *", &format!(": {value}")));
    for (value, expected) in [
        ("none", &[][..]),
        ("NONE", &[]),
        ("*,-https://a.example", &[]),
        ("*, none", &["!resolvers-none-mixed 4:12"]),
        ("none,none", &["!resolvers-none-mixed 4:12"]),
        (
            "*, HTTPS://a",
            &["resolvers-redundant 4:12", "origin-not-canonical 4:15"],
        ),
        ("*,*", &["resolvers-redundant 4:12"]),
        (
            "*, -https://a,-https://a:443",
            &["resolvers-redundant 4:12", "origin-not-canonical 4:26"],
        ),
        ("-https://a", &["resolvers-implied-star 4:12"]),
        ("-https://a, https://a", &["resolvers-conflict 4:12"]),
        ("*,", &["!resolvers-entry-invalid 4:14"]),
        (
            "*,  ,*",
            &["resolvers-redundant 4:12", "!resolvers-entry-invalid 4:16"],
        ),
        (
            "é, http://a",
            &[
                "!resolvers-entry-invalid 4:12",
                "!resolvers-entry-invalid 4:15",
            ],
        ),
        (
            "*, - https://a",
            &["deny-salvaged 4:1", "!resolvers-entry-invalid 4:15"],
        ),
        (
            "*\n\tnone",
            &["deny-salvaged 5:1", "!leading-whitespace 5:2"],
        ),
        (
            "*\nX: y\nResolver: none",
            &[
                "unknown-field 5:1",
                "deny-salvaged 6:1",
                "unknown-field 6:1",
            ],
        ),
    ] {
        assert_eq!(resolvers(value), expected, "{value:?}");
    }
    let many = |n: usize| vec!["-https://a"; n].join(",");
    assert_eq!(
        resolvers(&many(100)),
        ["resolvers-implied-star 4:12", "resolvers-redundant 4:12"]
    );
    assert_eq!(
        resolvers(&many(101)),
        [
            "resolvers-implied-star 4:12",
            "resolvers-redundant 4:12",
            "!too-many-resolvers 4:1112"
        ]
    );
}

// r[captxt.block] r[captxt.block.outside] r[captxt.block.required] r[captxt.block.once] r[captxt.block.count]
// r[captxt.block.none] r[captxt.endpoint.query] r[captxt.endpoint.duplicate] r[captxt.scope.out]
#[test]
fn blocks() {
    assert_eq!(found(HEAD), ["no-endpoints 1:1"]);
    assert!(found(HEAD.replace('*', "None")).is_empty());
    assert_eq!(between("Jobs:"), ["!field-outside-block 5:1"]);
    assert_eq!(behind("Protocol: \u{fe}"), ["!duplicate-field 8:1"]);
    assert_eq!(
        behind("endpoint:"),
        [
            "!empty-value 8:1",
            "!missing-jobs 8:1",
            "!missing-protocol 8:1"
        ]
    );
    let another = |url: &str| {
        behind(&format!(
            "\nEndpoint: {url}\nProtocol: mcp\nJobs: do a thing"
        ))
    };
    assert!(another("https://a.example.com/").is_empty());
    assert_eq!(another("https://EXAMPLE.com"), ["!duplicate-endpoint 9:11"]);
    assert_eq!(another("https://example.com/?"), ["endpoint-query 9:11"]);
    assert_eq!(
        another("https://example.org/?"),
        ["endpoint-out-of-scope 9:11", "endpoint-query 9:11"]
    );
    assert_eq!(another("x"), ["!endpoint-invalid 9:11"]);
    let many = |n: usize| {
        let block = |n: usize| BLOCK.replace("com/", &format!("com/{n}"));
        found(HEAD.to_owned() + &(0..n).map(block).collect::<String>() + &block(7))
    };
    assert_eq!(many(99), ["!duplicate-endpoint 302:11"]);
    assert_eq!(
        many(100),
        ["!too-many-endpoints 305:1", "!duplicate-endpoint 305:11"]
    );
    assert_eq!(many(102).len(), 2);
}

// r[captxt.jobs] r[captxt.jobs.duplicate] r[captxt.jobs.count] r[captxt.token] r[captxt.token.known] r[captxt.token.absent]
#[test]
fn jobs_and_words() {
    assert_eq!(
        behind("Jobs: ab;\u{3000}; DO  a thing"),
        ["!job-length 8:7", "!job-length 8:11", "duplicate-job 8:13",]
    );
    assert_eq!(behind("Jobs: abc;"), ["!job-length 8:11"]);
    let many = |n: usize| {
        format!(
            "Jobs: {}",
            (100..100 + n)
                .map(|n| n.to_string())
                .collect::<Vec<_>>()
                .join(";")
        )
    };
    assert!(behind(&many(19)).is_empty());
    assert_eq!(behind(&many(20)), ["!too-many-jobs 5:1"]);
    assert_eq!(
        behind(&format!("{}; 103", many(30))),
        ["!too-many-jobs 5:1", "duplicate-job 8:128"]
    );
    assert_eq!(behind("Sign-in: a b"), ["!invalid-token 8:10"]);
    assert_eq!(behind("Payment: later"), ["unknown-value 8:10"]);

    let scope = Scope::new(
        Host::from_written("example.com").unwrap(),
        &PublicSuffixes::compiled_in(),
    );
    let text = format!("{HEAD}{BLOCK}Sign-in: NONE\n");
    let reading = read(
        text.as_bytes(),
        &scope,
        Time::from_unix_seconds(1_796_040_000),
    );
    let (endpoint, in_scope) = reading.endpoints().next().expect("an endpoint");
    assert!(
        in_scope
            && endpoint
                .sign_in
                .as_ref()
                .is_some_and(|word| word.as_str() == "none")
    );
    assert_eq!((endpoint.payment.as_ref(), endpoint.jobs.len()), (None, 1));
}
