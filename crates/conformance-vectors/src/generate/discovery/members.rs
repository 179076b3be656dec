//! The members of a discovery document, but for the name.

use super::{ask, input};
use crate::generate::build::{ISSUER, Object, discovery, endpoints, jwk, quoted};
use crate::generate::cases::Cases;
use crate::generate::curve::Key;

pub(super) fn add(cases: &mut Cases) {
    whole(cases);
    presence_and_type(cases);
    version(cases);
    iss(cases);
    endpoint_forms(cases);
    endpoint_origins(cases);
}

/// The plain document with another value of one endpoint.
fn with_endpoint(name: &str, url: &str) -> Object {
    discovery().set("endpoints", endpoints().set(name, quoted(url)).text())
}

fn whole(cases: &mut Cases) {
    let full = discovery()
        .set("endpoints", endpoints().and("mcp", "\"https://resolver.example/mcp\"").text())
        .and("changelog", "\"https://resolver.example/changelog\"")
        .and("history", "{\"prefix\":\"https://resolver.example/history/\",\"vkey\":\"resolver.example/history+00000000+AA\"}");
    cases.valid(
        "full",
        "discovery.members",
        "all optional members",
        "Every member that the text defines.",
        ask(&full),
    );
    cases.valid(
        "reversed",
        "discovery.members",
        "members in reverse order",
        "Members of an object have no order.",
        ask(&full.clone().reversed()),
    );
    cases.valid(
        "unknown-members",
        "json.unknown-member",
        "unknown members in the document and its endpoints",
        "Members that the text does not define are ignored.",
        ask(&discovery()
            .set("endpoints", endpoints().and("future", "1").text())
            .and("V", "\"0.3\"")
            .and("future", "null")),
    );
    for (slug, value) in [
        ("string", "\"https://resolver.example/history\""),
        ("null", "null"),
        ("array", "[]"),
    ] {
        cases.valid(
            &format!("history-{slug}"),
            "discovery.members",
            &format!("history: {value}"),
            "A client does not check this member, not even its type.",
            ask(&discovery().and("history", value)),
        );
    }
    cases.valid(
        "no-keys",
        "discovery.keys.count",
        "no keys",
        "A resolver that signs nothing today.",
        ask(&discovery().set("keys", "[]")),
    );
    cases.valid(
        "escaped",
        "discovery.members",
        "escapes in names and values",
        "Escapes are another way to write the same strings.",
        ask(&discovery()
            .renamed("iss", "\\u0069ss")
            .set("v", "\"0\\u002e2\"")
            .set("policy", "\"https:\\/\\/resolver.example\\/policy\"")),
    );
}

fn presence_and_type(cases: &mut Cases) {
    for name in ["v", "iss", "resolver", "endpoints", "keys", "policy"] {
        cases.invalid(
            &format!("{name}-missing"),
            "member-missing",
            "discovery.members",
            &format!("without {name}"),
            &format!("The member {name} is not optional."),
            ask(&discovery().without(name)),
        );
        cases.invalid(
            &format!("{name}-null"),
            "member-type",
            "discovery.members",
            &format!("{name}: null"),
            "Null is a value of another type, and not a missing member.",
            ask(&discovery().set(name, "null")),
        );
        cases.invalid(
            &format!("{name}-number"),
            "member-type",
            "discovery.members",
            &format!("{name}: 1"),
            "A number is of another type.",
            ask(&discovery().set(name, "1")),
        );
    }
    for (slug, name, value, comment) in [
        (
            "v-decimal",
            "v",
            "0.2",
            "The version is a string, and no number.",
        ),
        (
            "iss-array",
            "iss",
            "[\"https://resolver.example\"]",
            "An array that holds the right issuer is not the right issuer.",
        ),
        (
            "resolver-object",
            "resolver",
            "{\"en\":\"Example Resolver\"}",
            "The name is one string.",
        ),
        (
            "endpoints-array",
            "endpoints",
            "[\"https://resolver.example/resolve\"]",
            "An array is no object.",
        ),
        (
            "keys-object",
            "keys",
            "{\"key-1\":{}}",
            "An object is no array.",
        ),
        (
            "keys-set",
            "keys",
            "{\"keys\":[]}",
            "A key set of RFC 7517 is an object around the array, and here stands the array.",
        ),
        ("policy-array", "policy", "[]", "An array is no string."),
    ] {
        cases.invalid(
            slug,
            "member-type",
            if name == "v" {
                "discovery.members version.value"
            } else {
                "discovery.members"
            },
            &format!("{name}: {value}"),
            comment,
            ask(&discovery().set(name, value)),
        );
    }
    for name in ["resolve", "record"] {
        cases.invalid(
            &format!("{name}-missing"),
            "member-missing",
            "discovery.members",
            &format!("without endpoints.{name}"),
            "Both endpoints are needed.",
            ask(&discovery().set("endpoints", endpoints().without(name).text())),
        );
        for (slug, value) in [
            ("null", "null"),
            ("number", "1"),
            ("object", "{\"url\":\"https://resolver.example/\"}"),
        ] {
            cases.invalid(
                &format!("{name}-{slug}"),
                "member-type",
                "discovery.members",
                &format!("endpoints.{name}: {value}"),
                "An endpoint is a string.",
                ask(&discovery().set("endpoints", endpoints().set(name, value).text())),
            );
        }
    }
    for value in ["null", "1", "false"] {
        cases.invalid(
            &format!("mcp-{value}"),
            "member-type",
            "discovery.members",
            &format!("endpoints.mcp: {value}"),
            "An optional member that is there has to be of its type.",
            ask(&discovery().set("endpoints", endpoints().and("mcp", value).text())),
        );
        cases.invalid(
            &format!("changelog-{value}"),
            "member-type",
            "discovery.members",
            &format!("changelog: {value}"),
            "An optional member that is there has to be of its type.",
            ask(&discovery().and("changelog", value)),
        );
    }
    cases.invalid(
        "iss-upper-case",
        "member-missing",
        "discovery.members",
        "ISS instead of iss",
        "Names of members have a case.",
        ask(&discovery().renamed("iss", "ISS")),
    );
}

fn version(cases: &mut Cases) {
    for (slug, value, comment) in [
        ("0-3", "0.3", "A later version may mean anything."),
        ("0-1", "0.1", "An earlier version."),
        (
            "0-2-0",
            "0.2.0",
            "Another string, whatever a reader of versions thinks.",
        ),
        ("0-20", "0.20", "Equal as a number, and another string."),
        ("empty", "", "Another string."),
        ("leading-v", "v0.2", "Another string."),
        ("trailing-space", "0.2 ", "Nothing is trimmed."),
        (
            "draft",
            "0.2-rc.1",
            "A candidate's documents say 0.2 as well.",
        ),
    ] {
        cases.invalid(
            &format!("v-{slug}"),
            "version-unsupported",
            "version.unknown version.value",
            &format!("v: {value:?}"),
            comment,
            ask(&discovery().set("v", quoted(value))),
        );
    }
}

fn iss(cases: &mut Cases) {
    for (slug, value, comment) in [
        (
            "other",
            "https://other.example",
            "The document of somebody else.",
        ),
        (
            "final-slash",
            "https://resolver.example/",
            "An origin has no path, and a reader repairs nothing.",
        ),
        ("http", "http://resolver.example", "Another scheme."),
        (
            "upper-case-host",
            "https://Resolver.example",
            "Compared byte for byte.",
        ),
        (
            "default-port",
            "https://resolver.example:443",
            "The default port is not written.",
        ),
        (
            "port",
            "https://resolver.example:8443",
            "Another port is another origin.",
        ),
        (
            "user",
            "https://user@resolver.example",
            "An origin has no user.",
        ),
        (
            "longer-host",
            "https://resolver.example.attacker.example",
            "The right origin is only its beginning.",
        ),
        (
            "final-dot",
            "https://resolver.example.",
            "A host has no final dot.",
        ),
        ("empty", "", "An empty string."),
        (
            "trailing-space",
            "https://resolver.example ",
            "Nothing is trimmed.",
        ),
        (
            "homoglyph",
            "https://r\u{435}solver.example",
            "One letter is Cyrillic.",
        ),
    ] {
        cases.invalid(
            &format!("iss-{slug}"),
            "iss-mismatch",
            "discovery.iss origin.comparison origin.refused",
            &format!("iss: {}", value.escape_debug()),
            comment,
            ask(&discovery().set("iss", quoted(value))),
        );
    }
    for (slug, issuer, comment) in [
        (
            "issuer-with-port",
            "https://resolver.example:8443",
            "The same document under another port: everything on it belongs to that origin.",
        ),
        (
            "issuer-with-hyphens",
            "https://xn--bcher-kva.example",
            "The same document under an internationalized name, in ASCII.",
        ),
    ] {
        let document = Object::default()
            .and("v", "\"0.2\"")
            .and("iss", quoted(issuer))
            .and("resolver", "\"Example Resolver\"")
            .and(
                "endpoints",
                Object::default()
                    .and("resolve", quoted(&format!("{issuer}/resolve")))
                    .and("record", quoted(&format!("{issuer}/record")))
                    .text(),
            )
            .and(
                "keys",
                crate::generate::build::array([jwk("key-1", &Key::first().public()).text()]),
            )
            .and("policy", quoted(&format!("{issuer}/policy")));
        cases.valid(
            slug,
            "discovery.iss discovery.endpoints.origin",
            "another issuer",
            comment,
            input([
                ("document", &document.text()),
                ("issuer", issuer.as_bytes()),
            ]),
        );
    }
    for (slug, issuer, comment) in [
        (
            "issuer-ipv4",
            "https://192.0.2.1",
            "Both agree on the issuer, but an address is none.",
        ),
        (
            "issuer-ipv6",
            "https://[2001:db8::1]",
            "Both agree on the issuer, but an address is none.",
        ),
        (
            "issuer-http",
            "http://resolver.example",
            "Both agree on the issuer, but it is no origin.",
        ),
        (
            "issuer-final-slash",
            "https://resolver.example/",
            "Both agree on the issuer, but it is not in canonical form.",
        ),
    ] {
        let document = discovery().set("iss", quoted(issuer)).text();
        cases.invalid(
            slug,
            "iss-mismatch",
            "discovery.iss origin.issuer origin.refused",
            &format!("asked of {issuer}, which iss is too"),
            comment,
            input([("document", &document), ("issuer", issuer.as_bytes())]),
        );
    }
    cases.invalid(
        "asked-of-another",
        "iss-mismatch",
        "discovery.iss",
        "asked of https://other.example",
        "The document is sound, and not of the issuer that was asked.",
        input([
            ("document", &discovery().text()),
            ("issuer", b"https://other.example"),
        ]),
    );
}

fn endpoint_forms(cases: &mut Cases) {
    for (slug, url, comment) in [
        (
            "http",
            "http://resolver.example/resolve",
            "Endpoints are https.",
        ),
        (
            "relative",
            "/resolve",
            "An endpoint is a whole URL, and not relative to anything.",
        ),
        (
            "scheme-relative",
            "//resolver.example/resolve",
            "An endpoint is a whole URL.",
        ),
        (
            "no-path",
            "https://resolver.example",
            "A server URL has a path, if only a slash.",
        ),
        (
            "fragment",
            "https://resolver.example/resolve#a",
            "No fragment.",
        ),
        (
            "user",
            "https://user@resolver.example/resolve",
            "No user information.",
        ),
        (
            "default-port",
            "https://resolver.example:443/resolve",
            "The default port is not written.",
        ),
        (
            "upper-case-host",
            "https://Resolver.example/resolve",
            "Hosts are in lower case.",
        ),
        ("space", "https://resolver.example/re solve", "No space."),
        (
            "dot-segment",
            "https://resolver.example/a/../resolve",
            "A URL parser changes this one.",
        ),
        ("empty", "", "No URL."),
        (
            "query",
            "https://resolver.example/resolve?key=1",
            "A client adds the query, so there is none yet.",
        ),
        (
            "query-empty",
            "https://resolver.example/resolve?",
            "An empty query is a query.",
        ),
        (
            "template",
            "https://resolver.example/resolve{?need}",
            "A URI template is not a URL.",
        ),
    ] {
        let rule = if slug.starts_with("query") {
            "discovery.endpoints.query"
        } else {
            "discovery.endpoints url.form"
        };
        cases.invalid(
            &format!("resolve-{slug}"),
            "endpoint-invalid",
            rule,
            &format!("endpoints.resolve: {url}"),
            comment,
            ask(&with_endpoint("resolve", url)),
        );
    }
    cases.invalid(
        "record-query",
        "endpoint-invalid",
        "discovery.endpoints.query",
        "a query in endpoints.record",
        "A client adds the query, so there is none yet.",
        ask(&with_endpoint(
            "record",
            "https://resolver.example/record?a=1",
        )),
    );
    cases.invalid(
        "record-relative",
        "endpoint-invalid",
        "discovery.endpoints url.form",
        "endpoints.record: record",
        "An endpoint is a whole URL.",
        ask(&with_endpoint("record", "record")),
    );
    cases.valid(
        "mcp-query",
        "discovery.endpoints.query",
        "a query in endpoints.mcp",
        "Only resolve and record have none.",
        ask(&with_endpoint("mcp", "https://resolver.example/mcp?a=1")),
    );
    cases.invalid(
        "mcp-http",
        "endpoint-invalid",
        "discovery.endpoints url.form",
        "endpoints.mcp: http",
        "An optional endpoint is checked if it is there.",
        ask(&with_endpoint("mcp", "http://resolver.example/mcp")),
    );
    cases.valid(
        "same-endpoints",
        "discovery.endpoints",
        "record equal to resolve",
        "Nothing forbids one path for both.",
        ask(&with_endpoint("record", "https://resolver.example/resolve")),
    );
    cases.valid(
        "endpoint-root",
        "discovery.endpoints url.form",
        "endpoints.resolve: the root",
        "The shortest path.",
        ask(&with_endpoint("resolve", "https://resolver.example/")),
    );
    for (name, sound) in [
        ("policy", "https://other.example/policy?lang=en"),
        ("changelog", "https://other.example/changes"),
    ] {
        cases.valid(
            &format!("{name}-elsewhere"),
            "discovery.endpoints discovery.endpoints.origin",
            &format!("{name}: {sound}"),
            "Pages for people may be anywhere.",
            ask(&discovery().set(name, quoted(sound))),
        );
        for (slug, url) in [
            ("http", "http://resolver.example/page"),
            ("javascript", "javascript:alert(1)"),
            ("relative", "/page"),
            ("empty", ""),
            ("fragment", "https://resolver.example/page#a"),
        ] {
            cases.invalid(
                &format!("{name}-{slug}"),
                "endpoint-invalid",
                "discovery.endpoints url.form",
                &format!("{name}: {url}"),
                "Pages for people have the form of a server URL.",
                ask(&discovery().set(name, quoted(url))),
            );
        }
    }
    let long = |length: usize| format!("{ISSUER}/{}", "a".repeat(length - ISSUER.len() - 1));
    cases.valid(
        "endpoint-2048",
        "url.form discovery.endpoints",
        "an endpoint of 2,048 bytes",
        "As long as a server URL may be.",
        ask(&with_endpoint("resolve", &long(2048))),
    );
    cases.invalid(
        "endpoint-2049",
        "endpoint-invalid",
        "url.form discovery.endpoints",
        "an endpoint of 2,049 bytes",
        "One byte longer.",
        ask(&with_endpoint("resolve", &long(2049))),
    );
}

fn endpoint_origins(cases: &mut Cases) {
    for (slug, name, url, comment) in [
        (
            "resolve-other-host",
            "resolve",
            "https://other.example/resolve",
            "A need would go to somebody else.",
        ),
        (
            "resolve-other-port",
            "resolve",
            "https://resolver.example:8443/resolve",
            "Another port is another origin.",
        ),
        (
            "resolve-subdomain",
            "resolve",
            "https://api.resolver.example/resolve",
            "A subdomain is another origin.",
        ),
        (
            "resolve-longer-host",
            "resolve",
            "https://resolver.example.attacker.example/resolve",
            "The issuer is only its beginning.",
        ),
        (
            "resolve-at-sign-in-path",
            "resolve",
            "https://attacker.example/@resolver.example/",
            "The issuer's host is in the path.",
        ),
        (
            "record-other-host",
            "record",
            "https://other.example/record",
            "Each endpoint counts.",
        ),
        (
            "mcp-other-host",
            "mcp",
            "https://other.example/mcp",
            "The optional one too.",
        ),
    ] {
        cases.invalid(
            slug,
            "endpoint-origin",
            "discovery.endpoints.origin",
            &format!("endpoints.{name}: {url}"),
            comment,
            ask(&with_endpoint(name, url)),
        );
    }
}
