//! The value of Endpoint: its form, how it is reported, and whether the file speaks for it (§11.4, §11.5).

use super::build::{File, Files, URL, endpoint, said};

pub(super) fn add(files: &mut Files<'_>) {
    characters(files);
    scheme(files);
    parts(files);
    host(files);
    canonical(files);
    query(files);
    duplicate(files);
    scope(files);
    addresses(files);
    public_suffixes(files);
}

/// Values that are refused with one code.
fn refused(files: &mut Files<'_>, code: &str, cases: &[(&str, &str, &str)]) {
    files.from("plain");
    for (slug, value, comment) in cases {
        files.case(
            &format!("endpoint-{slug}"),
            "captxt.endpoint.form captxt.position",
            &shown(value),
            comment,
            File::endpoint(value),
            said().error(code, 6, 11),
        );
    }
}

fn shown(value: &str) -> String {
    if value.len() > 90 {
        format!("{} characters", value.chars().count())
    } else {
        value.escape_default().to_string()
    }
}

fn characters(files: &mut Files<'_>) {
    let long = |length: usize| format!("https://mail.example.com/{}", "p".repeat(length - 25));
    refused(
        files,
        "endpoint-invalid",
        &[
            (
                "space",
                "https://mail.example.com/a b",
                "A space in the path.",
            ),
            (
                "two",
                "https://mail.example.com/ https://post.example.com/",
                "Two URLs.",
            ),
            (
                "comment",
                "https://mail.example.com/mcp # tools",
                "A comment, of which there are none.",
            ),
            (
                "no-break-space",
                "https://mail.example.com/a\u{a0}b",
                "White space outside of ASCII.",
            ),
            (
                "ideographic-space",
                "https://mail.example.com/a\u{3000}b",
                "White space outside of ASCII.",
            ),
            (
                "backslash",
                "https://mail.example.com\\mcp",
                "URL parsers take it for a slash.",
            ),
            (
                "less-than",
                "https://mail.example.com/<",
                "A character that URLs do not have.",
            ),
            (
                "greater-than",
                "https://mail.example.com/>",
                "A character that URLs do not have.",
            ),
            (
                "quote",
                "https://mail.example.com/\"",
                "A character that URLs do not have.",
            ),
            (
                "caret",
                "https://mail.example.com/^",
                "A character that URLs do not have.",
            ),
            (
                "brace",
                "https://mail.example.com/{id}",
                "A template of URLs is no URL.",
            ),
            (
                "bar",
                "https://mail.example.com/|",
                "A character that URLs do not have.",
            ),
            (
                "grave",
                "https://mail.example.com/`",
                "A character that URLs do not have.",
            ),
            ("2049", &long(2049), "One character too many."),
            (
                "characters-before-scheme",
                "http://mail.example.com/a b",
                "Characters are looked at before the scheme.",
            ),
        ],
    );
    files.case(
        "endpoint-2048",
        "captxt.endpoint.form captxt.endpoint.canonical",
        "2,048 characters",
        "As long as a value may be.",
        File::endpoint(&long(2048)),
        said().endpoint(endpoint().url(&long(2048))),
    );
    let wide = format!("https://mail.example.com/{}", "\u{e9}".repeat(100));
    files.case(
        "endpoint-characters-counted",
        "captxt.endpoint.form captxt.endpoint.canonical",
        "100 letters outside of ASCII in the path",
        "Characters are counted as they are written; the URL that is reported has six for each.",
        File::endpoint(&wide),
        said().endpoint(endpoint().url(&format!(
            "https://mail.example.com/{}",
            "%C3%A9".repeat(100)
        ))),
    );
}

fn scheme(files: &mut Files<'_>) {
    refused(
        files,
        "endpoint-not-https",
        &[
            ("http", "http://mail.example.com/mcp", "Another scheme."),
            (
                "http-case",
                "HTTP://mail.example.com/mcp",
                "Another scheme, in upper case.",
            ),
            ("websocket", "wss://mail.example.com/mcp", "Another scheme."),
            (
                "own-scheme",
                "mcp+v1.0://mail.example.com/",
                "Schemes have digits, plus signs, dots and hyphens.",
            ),
            (
                "scheme-before-user",
                "http://user@mail.example.com/mcp#x",
                "The scheme is looked at before user information and fragment.",
            ),
            (
                "scheme-without-host",
                "http://",
                "The scheme is looked at before the host.",
            ),
        ],
    );
    refused(
        files,
        "endpoint-invalid",
        &[
            ("no-scheme", "mail.example.com/mcp", "No scheme."),
            (
                "no-scheme-slashes",
                "//mail.example.com/mcp",
                "No scheme before two slashes.",
            ),
            ("path-alone", "/mcp", "A path alone."),
            (
                "one-slash",
                "https:/mail.example.com/mcp",
                "URL parsers add the second slash.",
            ),
            (
                "no-slash",
                "https:mail.example.com/mcp",
                "URL parsers add two slashes.",
            ),
            (
                "three-slashes",
                "https:///mail.example.com/mcp",
                "URL parsers drop the third slash.",
            ),
            ("no-host", "https://", "No host."),
            ("no-host-query", "https://?x", "No host before a query."),
            (
                "no-host-fragment",
                "https://#x",
                "No host before a fragment.",
            ),
            (
                "mail",
                "mailto:tools@example.com",
                "A scheme that no two slashes follow.",
            ),
            (
                "digit-scheme",
                "1http://mail.example.com/",
                "A scheme starts with a letter.",
            ),
        ],
    );
    files.case(
        "endpoint-scheme-case",
        "captxt.endpoint.form captxt.endpoint.canonical",
        "HTTPS in upper case",
        "A scheme has no case, and is reported in lower case.",
        File::endpoint("HTTPS://mail.example.com/mcp"),
        said(),
    );
}

fn parts(files: &mut Files<'_>) {
    refused(
        files,
        "endpoint-userinfo",
        &[
            ("user", "https://user@mail.example.com/mcp", "A user."),
            (
                "user-password",
                "https://user:secret@mail.example.com/mcp",
                "A user and a password.",
            ),
            (
                "user-empty",
                "https://@mail.example.com/mcp",
                "An at sign is enough, also without user.",
            ),
            (
                "user-host",
                "https://mail.example.com@evil.example/",
                "The host is what stands behind the at sign.",
            ),
            (
                "user-before-fragment",
                "https://user@mail.example.com/#x",
                "It is looked at before the fragment.",
            ),
        ],
    );
    refused(
        files,
        "endpoint-fragment",
        &[
            (
                "fragment",
                "https://mail.example.com/mcp#tools",
                "A fragment.",
            ),
            (
                "fragment-empty",
                "https://mail.example.com/mcp#",
                "A number sign is enough.",
            ),
            (
                "fragment-at",
                "https://mail.example.com#a@b",
                "An at sign in a fragment is no user.",
            ),
            (
                "fragment-before-host",
                "https://mail..example.com/#x",
                "It is looked at before the host.",
            ),
        ],
    );
    files.from("plain");
    files.case(
        "endpoint-at-in-path",
        "captxt.endpoint.form captxt.endpoint.canonical",
        "an at sign in the path",
        "Behind the first slash it is no user information.",
        File::endpoint("https://mail.example.com/@team/mcp"),
        said().endpoint(endpoint().url("https://mail.example.com/@team/mcp")),
    );
}

fn host(files: &mut Files<'_>) {
    let label = |length: usize| "a".repeat(length);
    // Four labels and three dots before .example.com, which has 12 characters.
    let long = |last: usize| {
        let label = label(63);
        format!(
            "https://{label}.{label}.{label}.{}.example.com/",
            "b".repeat(last)
        )
    };
    refused(
        files,
        "endpoint-invalid",
        &[
            (
                "port-65536",
                "https://mail.example.com:65536/",
                "Ports end at 65535.",
            ),
            (
                "port-letters",
                "https://mail.example.com:https/",
                "A port has digits.",
            ),
            (
                "final-dot",
                "https://mail.example.com./mcp",
                "A dot at the end of the host.",
            ),
            (
                "percent",
                "https://mail%2eexample.com/mcp",
                "A percent sign in the host, which URL parsers decode.",
            ),
            (
                "empty-label",
                "https://mail..example.com/mcp",
                "An empty label.",
            ),
            (
                "leading-dot",
                "https://.example.com/mcp",
                "An empty label at the start.",
            ),
            (
                "label-64",
                &format!("https://{}.example.com/", label(64)),
                "A label of 64 characters.",
            ),
            ("name-254", &long(50), "A name of 254 characters."),
            (
                "wildcard",
                "https://*.example.com/mcp",
                "A star, which URL parsers let pass.",
            ),
            (
                "comma",
                "https://mail,post.example.com/",
                "A character that URL parsers let pass.",
            ),
            (
                "ipv4-zeros",
                "https://192.0.02.1/",
                "A leading zero means octal to URL parsers.",
            ),
            ("ipv4-hexadecimal", "https://0xC0.0.2.1/", "Hexadecimal."),
            ("ipv4-number", "https://3221225985/", "One number."),
            ("ipv4-three", "https://192.0.513/", "Three parts."),
            ("ipv4-256", "https://192.0.2.256/", "A part over 255."),
            (
                "ipv4-full-width",
                "https://\u{ff11}92.0.2.1/",
                "A digit of full width, which IDNA maps.",
            ),
            (
                "numeric-label",
                "https://mail.example.1/",
                "URL parsers read a last label of digits as an address.",
            ),
            (
                "ipv6-open",
                "https://[2001:db8::1/",
                "A bracket that is not closed.",
            ),
            ("ipv6-bad", "https://[2001:db8::1::2]/", "Two gaps."),
            (
                "idna-empty",
                "https://xn--.example.com/",
                "A label that decodes to nothing.",
            ),
            (
                "idna-joiner",
                "https://a\u{200d}b.example.com/",
                "U+200D joins nothing here.",
            ),
        ],
    );
    for (slug, value, comment) in [
        (
            "label-63",
            format!("https://{}.example.com/", label(63)),
            "A label of 63 characters.",
        ),
        ("name-253", long(49), "A name of 253 characters."),
        (
            "underscore",
            "https://_mail.example.com/".to_owned(),
            "An underscore.",
        ),
        (
            "hyphens",
            "https://-mail-.example.com/".to_owned(),
            "Hyphens at the ends of a label.",
        ),
    ] {
        files.case(
            &format!("endpoint-{slug}"),
            "captxt.endpoint.form",
            &shown(&value),
            comment,
            File::endpoint(&value),
            said().endpoint(endpoint().url(&value)),
        );
    }
}

fn canonical(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, url, comment) in [
        (
            "host-case",
            "https://Mail.Example.COM/mcp",
            URL,
            "A host has no case.",
        ),
        (
            "port-443",
            "https://mail.example.com:443/mcp",
            URL,
            "The default port.",
        ),
        (
            "port-00443",
            "https://mail.example.com:00443/mcp",
            URL,
            "Leading zeros of a port.",
        ),
        (
            "port-empty",
            "https://mail.example.com:/mcp",
            URL,
            "A colon without port.",
        ),
        (
            "dot-segments",
            "https://mail.example.com/a/./../mcp",
            URL,
            "Dot segments.",
        ),
        (
            "dot-segments-encoded",
            "https://mail.example.com/a/%2E%2e/mcp",
            URL,
            "Dot segments that are percent-encoded.",
        ),
        (
            "dot-segments-above",
            "https://mail.example.com/../../mcp",
            URL,
            "There is nothing above the first segment.",
        ),
        (
            "no-path",
            "https://mail.example.com",
            "https://mail.example.com/",
            "No path.",
        ),
        (
            "path-case",
            "https://mail.example.com/MCP/%7e%2F",
            "https://mail.example.com/MCP/%7e%2F",
            "Case of a path and what is percent-encoded stay as they are.",
        ),
        (
            "path-not-ascii",
            "https://mail.example.com/\u{fc}\u{1f4e8}",
            "https://mail.example.com/%C3%BC%F0%9F%93%A8",
            "Characters outside of ASCII are percent-encoded.",
        ),
        (
            "path-percent-alone",
            "https://mail.example.com/100%",
            "https://mail.example.com/100%",
            "A percent sign alone: no failure of the parser.",
        ),
        (
            "path-characters",
            "https://mail.example.com/a;b=c,d'(e)*[f]!$&+:@~//g/",
            "https://mail.example.com/a;b=c,d'(e)*[f]!$&+:@~//g/",
            "Characters that a path may have; empty segments stay.",
        ),
        (
            "idna",
            "https://b\u{fc}cher.example.com/",
            "https://xn--bcher-kva.example.com/",
            "A host outside of ASCII.",
        ),
        (
            "port-other",
            "https://mail.example.com:08443/mcp",
            "https://mail.example.com:8443/mcp",
            "Another port, with a leading zero.",
        ),
    ] {
        files.case(
            &format!("endpoint-canonical-{slug}"),
            "captxt.endpoint.canonical",
            &value.escape_default().to_string(),
            comment,
            File::endpoint(value),
            said().endpoint(endpoint().url(url)),
        );
    }
}

fn query(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, url, comment) in [
        (
            "query",
            "https://mail.example.com/mcp?tenant=a",
            "https://mail.example.com/mcp?tenant=a",
            "A query, which may hold a secret by mistake.",
        ),
        (
            "query-empty",
            "https://mail.example.com/mcp?",
            "https://mail.example.com/mcp?",
            "A question mark is enough.",
        ),
        (
            "query-no-path",
            "https://mail.example.com?a@b/../c",
            "https://mail.example.com/?a@b/../c",
            "At signs, slashes and dots in a query mean nothing.",
        ),
        (
            "query-characters",
            "https://mail.example.com/'?\u{fc}='",
            "https://mail.example.com/'?%C3%BC=%27",
            "The apostrophe is percent-encoded in a query, and not in a path.",
        ),
    ] {
        files.case(
            &format!("endpoint-{slug}"),
            "captxt.endpoint.query captxt.endpoint.canonical captxt.position",
            &value.escape_default().to_string(),
            &format!("{comment} A warning."),
            File::endpoint(value),
            said()
                .warning("endpoint-query", 6, 11)
                .endpoint(endpoint().url(url)),
        );
    }
    files.case(
        "endpoint-no-query",
        "captxt.endpoint.query",
        "a question mark that is percent-encoded",
        "It belongs to the path.",
        File::endpoint("https://mail.example.com/mcp%3Fa"),
        said().endpoint(endpoint().url("https://mail.example.com/mcp%3Fa")),
    );
}

/// The plain file with a second block of this Endpoint, on line 11.
fn beside(value: &str) -> File {
    File::plain()
        .and(&format!("Endpoint: {value}"))
        .and("Protocol: mcp")
        .and("Jobs: send a transactional email")
        .and("Sign-in: none")
        .and("Payment: none")
}

fn duplicate(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, comment) in [
        ("same", URL, "The same value."),
        (
            "other-form",
            "https://MAIL.example.com:443/x/../mcp",
            "The same URL, as it is serialized.",
        ),
    ] {
        files.case(
            &format!("endpoint-duplicate-{slug}"),
            "captxt.endpoint.duplicate captxt.position",
            &format!("a second block for {value}"),
            &format!("{comment} Said of the second."),
            beside(value),
            said().error("duplicate-endpoint", 11, 11),
        );
    }
    for (slug, value, comment) in [
        (
            "slash",
            "https://mail.example.com/mcp/",
            "A slash at the end makes another URL.",
        ),
        ("case", "https://mail.example.com/MCP", "A path has case."),
        (
            "encoded",
            "https://mail.example.com/mc%70",
            "What is percent-encoded is not decoded.",
        ),
        (
            "port",
            "https://mail.example.com:8443/mcp",
            "Another port makes another URL.",
        ),
    ] {
        files.case(
            &format!("endpoint-different-{slug}"),
            "captxt.endpoint.duplicate captxt.endpoint.canonical",
            &format!("a second block for {value}"),
            comment,
            beside(value),
            said().endpoints([endpoint(), endpoint().url(value)]),
        );
    }
    files.case(
        "endpoint-refused-twice",
        "captxt.endpoint.duplicate captxt.once",
        "two more blocks with one Endpoint that is refused",
        "What has no URL is no duplicate.",
        beside("http://mail.example.com/mcp")
            .and("Endpoint: http://mail.example.com/mcp")
            .and("Protocol: mcp")
            .and("Jobs: send a transactional email"),
        said()
            .error("endpoint-not-https", 11, 11)
            .error("endpoint-not-https", 16, 11),
    );
}

/// Endpoints for which a file of `host` speaks, and others for which it does not.
fn scoped(
    files: &mut Files<'_>,
    rules: &str,
    ask: impl Fn(File) -> File,
    cases: &[(&str, &str, bool, &str)],
) {
    files.from("plain");
    for (slug, value, speaks, comment) in cases {
        let found = endpoint().url(value);
        let said = if *speaks {
            said().endpoint(found)
        } else {
            said()
                .warning("endpoint-out-of-scope", 6, 11)
                .endpoint(found.out_of_scope())
        };
        files.case(
            &format!("scope-{slug}"),
            rules,
            value,
            comment,
            ask(File::endpoint(value)),
            said,
        );
    }
}

fn scope(files: &mut Files<'_>) {
    scoped(
        files,
        "captxt.scope captxt.scope.out captxt.position",
        |file| file,
        &[
            (
                "same",
                "https://example.com/mcp",
                true,
                "The host of the file itself.",
            ),
            (
                "deep",
                "https://a.b.c.d.example.com/",
                true,
                "Any number of labels below it.",
            ),
            (
                "port",
                "https://example.com:8443/",
                true,
                "Ports do not matter.",
            ),
            (
                "no-dot",
                "https://notexample.com/",
                false,
                "The end of the name without a dot before it.",
            ),
            (
                "hyphen",
                "https://evil-example.com/",
                false,
                "A hyphen is no dot.",
            ),
            (
                "prefix",
                "https://example.com.evil.example/",
                false,
                "The name at the wrong end.",
            ),
            ("sibling", "https://example.net/", false, "Another domain."),
            (
                "parent",
                "https://com.example/",
                false,
                "Nothing in common but letters.",
            ),
        ],
    );
    scoped(
        files,
        "captxt.scope captxt.scope.out captxt.position",
        |file| file.on("mail.example.com"),
        &[
            (
                "parent-host",
                "https://example.com/mcp",
                false,
                "A file does not speak for the parent of its host.",
            ),
            (
                "sibling-host",
                "https://post.example.com/mcp",
                false,
                "Nor for a sibling.",
            ),
        ],
    );
    files.case(
        "scope-canonical",
        "captxt.scope captxt.endpoint.canonical",
        "a host outside of ASCII, asked of the host of that name",
        "Hosts are compared in canonical form.",
        File::endpoint("https://API.B\u{fc}cher.example/").on("xn--bcher-kva.example"),
        said().endpoint(endpoint().url("https://api.xn--bcher-kva.example/")),
    );
    files.case(
        "scope-homograph",
        "captxt.scope captxt.scope.out",
        "U+0430 for the a of the host",
        "It looks like a host below, and is another one.",
        File::endpoint("https://mail.ex\u{430}mple.com/"),
        said().warning("endpoint-out-of-scope", 6, 11).endpoint(
            endpoint()
                .url("https://mail.xn--exmple-4nf.com/")
                .out_of_scope(),
        ),
    );
    files.case(
        "scope-and-query",
        "captxt.scope.out captxt.endpoint.query captxt.order",
        "another domain, with a query",
        "Two warnings at one place, in byte order.",
        File::endpoint("https://example.net/?a"),
        said()
            .warning("endpoint-out-of-scope", 6, 11)
            .warning("endpoint-query", 6, 11)
            .endpoint(endpoint().url("https://example.net/?a").out_of_scope()),
    );
    files.case(
        "scope-one-of-two",
        "captxt.scope.out captxt.scope",
        "a second block for another domain",
        "Both are reported, in the order of the file.",
        beside("https://example.net/mcp"),
        said().warning("endpoint-out-of-scope", 11, 11).endpoints([
            endpoint(),
            endpoint().url("https://example.net/mcp").out_of_scope(),
        ]),
    );
    files.case(
        "scope-deny-still-holds",
        "captxt.scope.out captxt.two-readers",
        "another domain, and a deny of the resolver",
        "The deny is for the host of the file, whatever endpoints it names.",
        File::resolvers("*, -https://resolver.example")
            .line(6, "Endpoint: https://example.net/mcp"),
        said()
            .warning("endpoint-out-of-scope", 6, 11)
            .endpoint(endpoint().url("https://example.net/mcp").out_of_scope())
            .denied(),
    );
}

fn addresses(files: &mut Files<'_>) {
    scoped(
        files,
        "captxt.scope.address captxt.scope",
        |file| file.on("192.0.2.1"),
        &[
            (
                "ipv4-same",
                "https://192.0.2.1:8443/",
                true,
                "The same address.",
            ),
            (
                "ipv4-other",
                "https://192.0.2.10/",
                false,
                "Another address.",
            ),
        ],
    );
    scoped(
        files,
        "captxt.scope.address captxt.scope",
        |file| file.on("[2001:db8::1]"),
        &[
            (
                "ipv6-same",
                "https://[2001:db8::1]/",
                true,
                "The same address.",
            ),
            (
                "ipv6-other",
                "https://[2001:db8::2]/",
                false,
                "Another address.",
            ),
        ],
    );
    scoped(
        files,
        "captxt.scope.address captxt.scope.out",
        |file| file,
        &[(
            "address-of-domain",
            "https://192.0.2.1/",
            false,
            "A domain's file speaks for no address.",
        )],
    );
    files.case(
        "scope-ipv6-other-form",
        "captxt.scope.address captxt.endpoint.canonical",
        "the same IPv6 address in another form",
        "Addresses are compared in canonical form.",
        File::endpoint("https://[2001:DB8:0::0:1]/").on("[2001:db8::1]"),
        said().endpoint(endpoint().url("https://[2001:db8::1]/")),
    );
}

fn public_suffixes(files: &mut Files<'_>) {
    const RULES: &str = "captxt.scope.public-suffix captxt.scope";
    scoped(
        files,
        RULES,
        |file| file.on("pages.example").with_suffixes(["pages.example"]),
        &[
            (
                "suffix-itself",
                "https://pages.example/",
                true,
                "A public suffix speaks for itself.",
            ),
            (
                "suffix-below",
                "https://user.pages.example/",
                false,
                "And for nobody below it: those are other people's.",
            ),
        ],
    );
    scoped(
        files,
        RULES,
        |file| {
            file.on("user.pages.example")
                .with_suffixes(["pages.example"])
        },
        &[(
            "suffix-user",
            "https://mcp.user.pages.example/",
            true,
            "One label below a public suffix.",
        )],
    );
    scoped(
        files,
        RULES,
        |file| file.on("pages.example"),
        &[(
            "suffix-not-listed",
            "https://user.pages.example/",
            true,
            "The same hosts, without the rule in the list.",
        )],
    );
    scoped(
        files,
        RULES,
        |file| file.on("intranet"),
        &[
            (
                "suffix-default",
                "https://mail.intranet/",
                false,
                "The default rule: every single label is one.",
            ),
            (
                "suffix-default-itself",
                "https://intranet/",
                true,
                "It speaks for itself.",
            ),
        ],
    );
    scoped(
        files,
        RULES,
        |file| {
            file.on("a.w.example")
                .with_suffixes(["*.w.example", "!www.w.example"])
        },
        &[(
            "suffix-wildcard",
            "https://mail.a.w.example/",
            false,
            "A rule with a star stands for any label.",
        )],
    );
    scoped(
        files,
        RULES,
        |file| {
            file.on("www.w.example")
                .with_suffixes(["*.w.example", "!www.w.example"])
        },
        &[(
            "suffix-exception",
            "https://mail.www.w.example/",
            true,
            "An exception of that rule.",
        )],
    );
    scoped(
        files,
        RULES,
        |file| {
            file.on("w.example")
                .with_suffixes(["*.w.example", "!www.w.example"])
        },
        &[(
            "suffix-above-wildcard",
            "https://mail.w.example/",
            true,
            "The star stands for one label, and not for none.",
        )],
    );
    scoped(
        files,
        RULES,
        |file| {
            file.on("mail.b.w.example")
                .with_suffixes(["example", "*.w.example"])
        },
        &[(
            "suffix-longest",
            "https://x.mail.b.w.example/",
            true,
            "The longest rule counts, and this host has one label more.",
        )],
    );
}
