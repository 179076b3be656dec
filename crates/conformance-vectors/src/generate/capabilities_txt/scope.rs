//! Whether a file speaks for an endpoint (§11.5).

use super::build::{File, Files, endpoint, said};
use super::endpoint::beside;

pub(super) fn add(files: &mut Files<'_>) {
    scope(files);
    addresses(files);
    public_suffixes(files);
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
    for (slug, value, host, comment) in [
        (
            "dotted",
            "https://[::FFFF:192.0.2.1]/",
            "[::ffff:c000:201]",
            "The dotted form is brought into hexadecimal.",
        ),
        (
            "gap-of-one",
            "https://[1:2:3:4:5:6:7::]/",
            "[1:2:3:4:5:6:7:0]",
            "One zero piece is written out.",
        ),
        (
            "first-of-two-gaps",
            "https://[1:0:0:2:3:0:0:4]/",
            "[1::2:3:0:0:4]",
            "Of two runs of zeros the first is left out.",
        ),
    ] {
        let url = format!("https://{host}/");
        files.case(
            &format!("scope-ipv6-{slug}"),
            "captxt.scope.address captxt.endpoint.canonical",
            value,
            comment,
            File::endpoint(value).on(host),
            said().endpoint(endpoint().url(&url)),
        );
    }
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
