//! The value of Endpoint: its form, and how it is reported (§11.4).

use super::build::{File, Files, URL, endpoint, said};

pub(super) fn add(files: &mut Files<'_>) {
    characters(files);
    scheme(files);
    parts(files);
    host(files);
    canonical(files);
    query(files);
    duplicate(files);
}

/// The plain file with a second block of this Endpoint, on line 11.
pub(super) fn beside(value: &str) -> File {
    File::plain()
        .and(&format!("Endpoint: {value}"))
        .and("Protocol: mcp")
        .and("Jobs: send a transactional email")
        .and("Sign-in: none")
        .and("Payment: none")
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
            (
                "ipv6-gap-of-none",
                "https://[1:2:3:4::5:6:7:8]/",
                "A gap that stands for nothing.",
            ),
            (
                "ipv6-dotted-first",
                "https://[192.0.2.1::]/",
                "The dotted form stands at the end of an address.",
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
            "dot-segment-last",
            "https://mail.example.com/a/.",
            "https://mail.example.com/a/",
            "A dot segment at the end leaves its slash.",
        ),
        (
            "dot-segments-last",
            "https://mail.example.com/a/b/..",
            "https://mail.example.com/a/",
            "Two dots at the end leave a slash too.",
        ),
        (
            "port-65535",
            "https://mail.example.com:65535/",
            "https://mail.example.com:65535/",
            "The largest port.",
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
