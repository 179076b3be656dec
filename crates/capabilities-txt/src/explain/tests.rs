//! Explanations of findings.

use capability_resolution::{Host, Time};

use crate::code::Code;
use crate::scope::{PublicSuffixes, Scope};

use super::Explanation;

fn explained(text: &str, code: Code) -> Explanation {
    let scope = Scope::new(
        Host::from_written("example.com").unwrap(),
        &PublicSuffixes::compiled_in(),
    );
    let reading = crate::read(
        text.as_bytes(),
        &scope,
        Time::from_unix_seconds(1_796_040_000),
    );
    let diagnostic = reading.diagnostics().iter().find(|d| d.code() == code);
    reading
        .explain(diagnostic.unwrap_or_else(|| panic!("no {code} in {:?}", reading.diagnostics())))
}

#[test]
fn a_line_is_mended_where_one_thing_can_be_meant() {
    for (line, code, mended) in [
        (
            "\u{feff}Conformance: 0.2",
            Code::ConformanceUnsupported,
            Some("Conformance: Capability Resolution 0.2"),
        ),
        (
            "Contact: me@example.com",
            Code::ContactInvalid,
            Some("Contact: mailto:me@example.com"),
        ),
        ("Contact: example.com", Code::ContactInvalid, None),
        (
            "Expires: 2027-04-30",
            Code::ExpiresInvalid,
            Some("Expires: 2027-04-30T00:00:00Z"),
        ),
        (
            "Expires: 2027-04-30 12:00:00Z",
            Code::ExpiresInvalid,
            Some("Expires: 2027-04-30T12:00:00Z"),
        ),
        ("Expires: tomorrow", Code::ExpiresInvalid, None),
        (
            "Resolvers: *, –https://a.example ",
            Code::ResolversEntryInvalid,
            Some("Resolvers: *, -https://a.example "),
        ),
        (
            "Resolvers: a.example",
            Code::ResolversEntryInvalid,
            Some("Resolvers: https://a.example"),
        ),
        (
            "Resolvers: http://a.example/x",
            Code::ResolversEntryInvalid,
            Some("Resolvers: https://a.example"),
        ),
        ("Resolvers: everybody", Code::ResolversEntryInvalid, None),
        (
            "Resolvers: -HTTPS://A.example/",
            Code::OriginNotCanonical,
            Some("Resolvers: -https://a.example"),
        ),
        (
            "Resolvers: -https://a.example",
            Code::ResolversImpliedStar,
            Some("Resolvers: *, -https://a.example"),
        ),
        ("Resolver: *", Code::UnknownField, Some("Resolvers: *")),
        ("X-Resolvers-Of: *", Code::UnknownField, None),
        ("expires = 2027", Code::MalformedLine, Some("Expires: 2027")),
        (
            "  Contact :tel:1 ",
            Code::LeadingWhitespace,
            Some("Contact: tel:1"),
        ),
        (
            "Contact: tel:\u{200b}1",
            Code::UnsafeCharacter,
            Some("Contact: tel:1"),
        ),
        (
            "Endpoint: http://example.com/x",
            Code::EndpointNotHttps,
            Some("Endpoint: https://example.com/x"),
        ),
        (
            "Endpoint: https://me:pw@example.com/",
            Code::EndpointUserinfo,
            Some("Endpoint: https://example.com/"),
        ),
        (
            "Endpoint: https://example.com/#x",
            Code::EndpointFragment,
            Some("Endpoint: https://example.com/"),
        ),
    ] {
        let explained = explained(&format!("{line}\n"), code);
        assert_eq!(explained.corrected.as_deref(), mended, "{line}");
    }
}

#[test]
fn the_effect_of_an_entry_is_what_the_deny_reader_made_of_it() {
    let effect = |entry: &str| {
        explained(
            &format!("Resolvers: {entry}\n"),
            Code::ResolversEntryInvalid,
        )
        .effect
    };
    assert!(
        effect("–https://a.example")
            .starts_with("it was read as a deny of https://a.example; no claim")
    );
    assert!(effect("-*.a.example").starts_with(
        "it was read as a deny of https://a.example and of every name that ends in .a.example;"
    ));
    assert!(effect("-").starts_with("it was read as a deny of every resolver;"));
    assert!(effect("a.example").starts_with("it allows nobody;"));
    assert!(
        effect("(none)").starts_with("it was read as `none`: no resolver may list the servers;")
    );
    assert_eq!(
        effect("*,"),
        "no claim of this file is used until this is mended"
    );
}
