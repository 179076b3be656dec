//! What holds for every input, not only for the vectors.

use capabilities_txt::{
    Endpoint, Entry, Expires, Jobs, PublicSuffixes, Resolvers, Scope, ServerFile, Severity,
    Verdict, allows, limits, read,
};
use capability_resolution::{Host, Origin, Time};
use proptest::collection::vec;
use proptest::prelude::*;

const NOW: i64 = 1_796_040_000;

fn scope() -> Scope {
    let host = Host::from_written("example.com").expect("a host");
    Scope::new(host, &PublicSuffixes::compiled_in())
}

fn now() -> Time {
    Time::from_unix_seconds(NOW)
}

fn resolver() -> Origin {
    "https://resolver.example".parse().expect("an origin")
}

/// Pieces of which files are made that come near to every rule.
const PIECES: &[&str] = &[
    "Conformance: Capability Resolution 0.2\n",
    "Contact: mailto:tools@example.com\n",
    "Expires: 2027-04-30T00:00:00Z\n",
    "Resolvers: *\n",
    "Resolvers:",
    "Resolvers",
    "resolver =",
    "Endpoint: https://mail.example.com/mcp\n",
    "Endpoint: https://a.example.com/",
    "Endpoint:",
    "Protocol: mcp\n",
    "Jobs: send an email; look up a delivery status\n",
    "Jobs: ",
    "Sign-in: none\n",
    "Payment: required\n",
    "X-Other: y\n",
    "-https://resolver.example",
    "https://resolver.example",
    "https://Resolver.Example:443/",
    "-http://resolver.example:80/x",
    "\u{2013}resolver.example",
    "*.example",
    "none",
    "*",
    "-",
    "\u{2014}",
    ",",
    ";",
    ":",
    "#",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\0",
    "\u{b}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\u{200b}",
    "\u{ad}",
    "\u{fffd}",
    "\"",
    "(",
    "[::1]",
    "]",
    "@",
    "//",
    "ü",
    "- ",
    "-----BEGIN PGP SIGNED MESSAGE-----\n",
    "-----BEGIN PGP SIGNATURE-----\n",
    "-----END PGP SIGNATURE-----\n",
];

/// A file of pieces, now and then with a byte that is no UTF-8.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        20 => prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A file that is often valid.
fn nearly_valid() -> impl Strategy<Value = Vec<u8>> {
    let resolvers =
        vec(prop::sample::select(&PIECES[16..30]), 0..4).prop_map(|entries| entries.join(", "));
    let after = vec(prop::sample::select(PIECES), 0..3).prop_map(|pieces| pieces.concat());
    (resolvers, after).prop_map(|(resolvers, after)| {
        let head = "Conformance: Capability Resolution 0.2\nContact: tel:1\nExpires: 2027-04-30T00:00:00Z\n";
        format!("{head}Resolvers: {resolvers}\n\n{after}\n").into_bytes()
    })
}

fn text_of<T>(pattern: &'static str) -> impl Strategy<Value = T>
where
    T: std::str::FromStr<Err: std::fmt::Debug> + std::fmt::Debug,
{
    pattern.prop_filter_map("not a value", |text| text.parse().ok())
}

fn resolvers() -> impl Strategy<Value = Resolvers> {
    let origin = || text_of::<Origin>("https://[a-z]{1,9}\\.(example|[a-z]{2})(:[1-9][0-9]{1,3})?");
    let entry = prop_oneof![
        Just(Entry::Everyone),
        origin().prop_map(Entry::Allow),
        origin().prop_map(Entry::Deny),
        Just(Entry::Deny(resolver())),
        Just(Entry::Allow(resolver())),
    ];
    prop_oneof![
        1 => Just(Resolvers::none()),
        9 => vec(entry, 1..20).prop_filter_map("too many", |entries| Resolvers::new(entries).ok()),
    ]
}

prop_compose! {
    fn endpoint()(
        url in text_of("https://([a-z]{1,9}\\.)?example\\.(com|org)(:8443)?/[a-zü%'\\[\\]/.]{0,20}(\\?[a-z'ü]{0,5})?"),
        protocol in text_of("[A-Za-z0-9][A-Za-z0-9-]{0,31}"),
        jobs in vec(text_of("[a-zü日💌#][A-Zü日💌 \u{a0}#:/,'-]{1,30}[a-z日.]"), 1..=20),
        sign_in in prop::option::of(text_of("(none|required|[a-z]{1,5})")),
        payment in prop::option::of(text_of("(none|required|[a-z]{1,5})")),
    ) -> Option<Endpoint> {
        Some(Endpoint { url, protocol, jobs: Jobs::new(jobs).ok()?, sign_in, payment })
    }
}

prop_compose! {
    fn file()(
        contacts in vec(text_of("(mailto:[a-z]{1,9}@example\\.com|HTTPS:[a-z%0-9]{1,9}|tel:\\+[0-9]{1,9})"), 1..4),
        expires in NOW + 1..NOW + 10_000_000_000,
        resolvers in resolvers(),
        endpoints in vec(endpoint(), 0..8),
    ) -> Option<ServerFile> {
        let expires = Expires::from_time(Time::from_unix_seconds(expires))?;
        ServerFile::new(contacts, expires, resolvers, endpoints.into_iter().flatten().collect()).ok()
    }
}

proptest! {
    // r[captxt.deny.verdict] r[captxt.deny.lines] r[captxt.deny.match]
    #[test]
    fn a_deny_line_holds_whatever_stands_around_it(
        (before, after) in (bytes(), bytes()),
        deny in prop::sample::select(&[
            "Resolvers: none\n",
            "Resolvers: *, -https://resolver.example\n",
            "\u{feff} resolver\u{ff1a} * \u{2013}\"resolver.example.\" # why\n",
            "RESOLVERS= -\n",
            "resolvers none #\n",
        ][..]),
    ) {
        let mut file = before;
        if file.last().is_some_and(|byte| *byte != b'\n') {
            file.push(b'\n');
        }
        file.extend_from_slice(deny.as_bytes());
        file.extend_from_slice(&after);
        prop_assert_eq!(allows(&file, &resolver()), Verdict::Denied);
    }

    // r[captxt.two-readers] r[captxt.resolvers.form] r[captxt.resolvers.implied-star]
    #[test]
    fn the_deny_reader_is_never_more_permissive(file in prop_oneof![bytes(), nearly_valid()]) {
        let scope = scope();
        let reading = read(&file, &scope, now());
        if let Some(value) = reading.file() && !value.resolvers().allow(&resolver()) {
            prop_assert_eq!(allows(&file, &resolver()), Verdict::Denied);
        }
    }

    // r[captxt.valid] r[captxt.claims-empty] r[captxt.order] r[captxt.position]
    #[test]
    fn any_bytes_are_read(file in bytes()) {
        let scope = scope();
        let reading = read(&file, &scope, now());
        let found = reading.diagnostics();
        let is_error = |d: &&capabilities_txt::Diagnostic| d.severity() == Severity::Error;
        prop_assert_eq!(reading.is_valid(), !found.iter().any(|d| is_error(&d)));
        prop_assert_eq!(reading.code(), found.iter().find(is_error).map(|d| d.code()));
        prop_assert!(reading.is_valid() || reading.endpoints().next().is_none());
        let place = |d: &capabilities_txt::Diagnostic| (d.line(), d.column(), d.code().as_str());
        prop_assert!(found.is_sorted_by_key(place));
        for diagnostic in found {
            let span = diagnostic.span();
            prop_assert!(span.start <= span.end && span.end <= file.len());
            prop_assert!(diagnostic.code().rules().contains(&diagnostic.rule()));
            let explained = reading.explain(diagnostic);
            prop_assert!(!explained.message.is_empty() && !explained.effect.is_empty());
            prop_assert!(explained.corrected.is_none_or(|line| !line.contains('\n')));
            // The place is where the span starts, by the text's own count.
            if let Ok(before) = std::str::from_utf8(&file[..span.start]) {
                let before = before.strip_prefix('\u{feff}').unwrap_or(before);
                let lines = before.replace("\r\n", "\n").replace('\r', "\n");
                let line = lines.matches('\n').count() + 1;
                let column = lines.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
                prop_assert_eq!((line, column), (usize::try_from(diagnostic.line())?, usize::try_from(diagnostic.column())?));
            }
        }
    }

    #[test]
    fn what_was_written_is_what_is_read(file in file()) {
        let Some(file) = file else { return Ok(()) };
        let Ok(text) = file.to_text() else { return Ok(()) };
        let scope = scope();
        let reading = read(text.as_bytes(), &scope, now());
        prop_assert_eq!(reading.file(), Some(&file), "{:?}\n{}", reading.diagnostics(), text);
        prop_assert_eq!(allows(text.as_bytes(), &resolver()).is_allowed(), file.resolvers().allow(&resolver()));
    }

    #[test]
    fn what_was_read_is_written_the_same(file in nearly_valid()) {
        let scope = scope();
        let reading = read(&file, &scope, now());
        let Some(value) = reading.file() else { return Ok(()) };
        let text = value.to_text().expect("a small file");
        let again = read(text.as_bytes(), &scope, now());
        prop_assert_eq!(again.file(), Some(value));
    }
}

// r[captxt.deny.scan-limit]
#[test]
fn a_deny_holds_up_to_the_scan_limit() {
    let file = |before: usize| format!("{}\nResolvers: none\n", " ".repeat(before));
    let last = limits::SCAN_MAX_BYTES - "\nResolvers: none".len();
    assert_eq!(allows(file(last).as_bytes(), &resolver()), Verdict::Denied);
    // A cut word is an entry that allows nobody.
    assert_eq!(
        allows(file(last + 1).as_bytes(), &resolver()),
        Verdict::Denied
    );
    assert_eq!(
        allows(file(last + "Resolvers: none".len()).as_bytes(), &resolver()),
        Verdict::Allowed
    );
}
