//! Server URLs.

use super::{ask, shown};
use crate::generate::cases::Cases;

pub(super) fn add(cases: &mut Cases) {
    cases.base(
        "url-plain",
        "url.form",
        "A server URL as it is usually written.",
        ask("https://mail.example.com/mcp"),
    );
    let of_length = |length: usize| format!("https://mail.example.com/{}", "a".repeat(length - 25));
    let (long, longer) = (of_length(2048), of_length(2049));
    for (slug, value, comment) in [
        ("root", "https://mail.example.com/", "The shortest path."),
        (
            "deep",
            "https://mail.example.com/a/b/c/d/e",
            "Several segments.",
        ),
        (
            "empty-segments",
            "https://mail.example.com//a//",
            "Segments may be empty.",
        ),
        ("query", "https://mail.example.com/mcp?tenant=1", "A query."),
        (
            "query-empty",
            "https://mail.example.com/mcp?",
            "An empty query, which a URL parser keeps.",
        ),
        (
            "query-slash-and-question-mark",
            "https://mail.example.com/mcp?/a?b",
            "Both may stand in a query.",
        ),
        (
            "port",
            "https://mail.example.com:8443/mcp",
            "A port that is not the default.",
        ),
        (
            "port-1",
            "https://mail.example.com:1/mcp",
            "The smallest port.",
        ),
        (
            "port-65535",
            "https://mail.example.com:65535/mcp",
            "The largest port.",
        ),
        (
            "port-80",
            "https://mail.example.com:80/mcp",
            "The default port of another scheme.",
        ),
        (
            "ipv4",
            "https://192.0.2.1/mcp",
            "A server may have an address for a name.",
        ),
        (
            "ipv6",
            "https://[2001:db8::1]/mcp",
            "A server may have an address for a name.",
        ),
        (
            "ipv6-port",
            "https://[2001:db8::1]:8443/mcp",
            "With a port.",
        ),
        (
            "ipv6-mapped",
            "https://[::ffff:c000:201]/mcp",
            "An address of IPv4 in IPv6, in hexadecimal.",
        ),
        (
            "idna",
            "https://xn--bcher-kva.example/mcp",
            "An internationalized name in ASCII.",
        ),
        (
            "underscore",
            "https://_mcp.example.com/",
            "An underscore in a host.",
        ),
        (
            "every-path-character",
            "https://mail.example.com/AZaz09-._~!$&()*+,;=:@'",
            "Every character that may stand in a path as it is.",
        ),
        (
            "every-query-character",
            "https://mail.example.com/?AZaz09-._~!$&()*+,;=:@/?",
            "Every character that may stand in a query as it is.",
        ),
        (
            "escape",
            "https://mail.example.com/a%20b",
            "An escaped byte.",
        ),
        (
            "escape-lower-case",
            "https://mail.example.com/a%2fb",
            "Hexadecimal digits in lower case.",
        ),
        (
            "escape-upper-case",
            "https://mail.example.com/a%2Fb",
            "Hexadecimal digits in upper case: well-formed too, and another URL.",
        ),
        (
            "escape-not-utf8",
            "https://mail.example.com/%FF",
            "An escaped byte need not be text.",
        ),
        (
            "escape-nul",
            "https://mail.example.com/%00",
            "Nor printable.",
        ),
        (
            "escaped-letter",
            "https://mail.example.com/%61",
            "Nothing is decoded, so a needless escape stays.",
        ),
        (
            "at-sign-in-path",
            "https://mail.example.com/@user:secret",
            "Behind the first slash, an at sign means nothing.",
        ),
        (
            "upper-case-path",
            "https://mail.example.com/MCP",
            "A path has a case.",
        ),
        ("length-2048", long.as_str(), "2,048 bytes."),
    ] {
        cases.valid(
            &format!("url-{slug}"),
            "url.form",
            &shown(value),
            comment,
            ask(value),
        );
    }
    for (slug, value, comment) in [
        (
            "three-dots",
            "https://mail.example.com/...",
            "Three dots are a name.",
        ),
        (
            "dot-before-name",
            "https://mail.example.com/.a",
            "A name that begins with a dot.",
        ),
        (
            "dots-before-name",
            "https://mail.example.com/..a",
            "A name that begins with two dots.",
        ),
        (
            "dot-after-name",
            "https://mail.example.com/a.",
            "A name that ends in a dot.",
        ),
        (
            "escaped-dots-three",
            "https://mail.example.com/%2e%2e%2e",
            "Three escaped dots.",
        ),
        (
            "escaped-percent",
            "https://mail.example.com/%252e",
            "An escaped percent sign is no dot.",
        ),
        (
            "dots-in-query",
            "https://mail.example.com/a?/../b",
            "A query has no segments.",
        ),
    ] {
        cases.valid(
            &format!("url-{slug}"),
            "url.dot-segment",
            value,
            comment,
            ask(value),
        );
    }
    for (slug, value, comment) in [
        (
            "dot",
            "https://mail.example.com/.",
            "A URL parser drops it.",
        ),
        (
            "dot-dot",
            "https://mail.example.com/..",
            "A URL parser drops it.",
        ),
        (
            "dot-inside",
            "https://mail.example.com/a/./b",
            "A URL parser drops it.",
        ),
        (
            "dot-dot-inside",
            "https://mail.example.com/a/../b",
            "A URL parser drops it, and the segment before it.",
        ),
        (
            "dot-at-end",
            "https://mail.example.com/a/.",
            "A URL parser drops it.",
        ),
        (
            "dot-before-slash",
            "https://mail.example.com/./",
            "A URL parser drops it.",
        ),
        (
            "dot-dot-before-query",
            "https://mail.example.com/a/..?b",
            "The segment ends at the question mark.",
        ),
        (
            "dot-escaped",
            "https://mail.example.com/%2e",
            "URL parsers know it escaped as well.",
        ),
        (
            "dot-escaped-upper-case",
            "https://mail.example.com/a/%2E/b",
            "In both cases.",
        ),
        (
            "dot-dot-escaped",
            "https://mail.example.com/a/%2e%2e/b",
            "Both escaped.",
        ),
        (
            "dot-dot-first-escaped",
            "https://mail.example.com/a/%2e./b",
            "The first escaped.",
        ),
        (
            "dot-dot-second-escaped",
            "https://mail.example.com/a/.%2E/b",
            "The second escaped.",
        ),
        (
            "dot-dot-escaped-both-cases",
            "https://mail.example.com/a/%2E%2e",
            "Both escaped, in both cases.",
        ),
    ] {
        cases.refused(
            &format!("url-{slug}"),
            "url.dot-segment",
            value,
            comment,
            ask(value),
        );
    }
    for (slug, value, comment) in [
        ("http", "http://mail.example.com/mcp", "Only https."),
        ("wss", "wss://mail.example.com/mcp", "Only https."),
        (
            "upper-case-scheme",
            "HTTPS://mail.example.com/mcp",
            "The scheme is in lower case.",
        ),
        (
            "upper-case-host",
            "https://Mail.example.com/mcp",
            "The host is in lower case.",
        ),
        (
            "no-path",
            "https://mail.example.com",
            "There is always a path.",
        ),
        (
            "no-path-query",
            "https://mail.example.com?a",
            "There is always a path.",
        ),
        ("relative", "/mcp", "A whole URL."),
        ("scheme-relative", "//mail.example.com/mcp", "A whole URL."),
        (
            "no-slashes",
            "https:mail.example.com/mcp",
            "URL parsers repair it, and the text does not.",
        ),
        (
            "no-host",
            "https:///mcp",
            "URL parsers take the path for the host.",
        ),
        ("empty", "", "Nothing."),
        ("fragment", "https://mail.example.com/mcp#a", "No fragment."),
        (
            "fragment-empty",
            "https://mail.example.com/mcp#",
            "Also not an empty one.",
        ),
        (
            "user",
            "https://user@mail.example.com/mcp",
            "No user information.",
        ),
        (
            "user-password",
            "https://user:secret@mail.example.com/mcp",
            "No user information.",
        ),
        (
            "port-443",
            "https://mail.example.com:443/mcp",
            "The default port is not written.",
        ),
        (
            "port-0",
            "https://mail.example.com:0/mcp",
            "Ports begin at 1.",
        ),
        (
            "port-empty",
            "https://mail.example.com:/mcp",
            "A colon without a port.",
        ),
        (
            "port-leading-zero",
            "https://mail.example.com:080/mcp",
            "No leading zero.",
        ),
        (
            "port-65536",
            "https://mail.example.com:65536/mcp",
            "One above the largest port.",
        ),
        (
            "port-6-digits",
            "https://mail.example.com:100000/mcp",
            "Too many digits.",
        ),
        (
            "port-letters",
            "https://mail.example.com:a/mcp",
            "Digits only.",
        ),
        (
            "space",
            "https://mail.example.com/a b",
            "A space is escaped.",
        ),
        (
            "tab",
            "https://mail.example.com/m\tcp",
            "URL parsers drop a tab silently.",
        ),
        (
            "line-feed",
            "https://mail.example.com/m\ncp",
            "URL parsers drop a line feed silently.",
        ),
        (
            "trailing-space",
            "https://mail.example.com/mcp ",
            "Nothing is trimmed.",
        ),
        (
            "trailing-line-feed",
            "https://mail.example.com/mcp\n",
            "A pattern that ends in $ lets a final line feed pass.",
        ),
        (
            "leading-space",
            " https://mail.example.com/mcp",
            "Nothing is trimmed.",
        ),
        (
            "backslash",
            "https://mail.example.com\\mcp",
            "URL parsers take it for a slash.",
        ),
        (
            "backslash-in-path",
            "https://mail.example.com/a\\b",
            "URL parsers take it for a slash.",
        ),
        ("double-quote", "https://mail.example.com/a\"b", "Escaped."),
        ("less-than", "https://mail.example.com/a<b", "Escaped."),
        ("greater-than", "https://mail.example.com/a>b", "Escaped."),
        ("back-quote", "https://mail.example.com/a`b", "Escaped."),
        ("brace", "https://mail.example.com/a{b}", "Escaped."),
        ("bar", "https://mail.example.com/a|b", "Escaped."),
        ("caret", "https://mail.example.com/a^b", "Escaped."),
        ("bracket", "https://mail.example.com/a[b]", "Escaped."),
        (
            "non-ascii",
            "https://mail.example.com/caf\u{e9}",
            "Escaped.",
        ),
        ("delete", "https://mail.example.com/a\u{7f}", "Escaped."),
        (
            "quote-in-query",
            "https://mail.example.com/?a='b'",
            "A URL parser escapes a quote in a query, though not in a path.",
        ),
        (
            "brace-in-query",
            "https://mail.example.com/?a={b}",
            "Escaped.",
        ),
        (
            "non-ascii-in-query",
            "https://mail.example.com/?a=\u{e9}",
            "Escaped.",
        ),
        (
            "percent-alone",
            "https://mail.example.com/100%",
            "Two hexadecimal digits follow a percent sign.",
        ),
        (
            "percent-one-digit",
            "https://mail.example.com/%4",
            "Two hexadecimal digits follow a percent sign.",
        ),
        (
            "percent-letters",
            "https://mail.example.com/%zz",
            "Two hexadecimal digits follow a percent sign.",
        ),
        (
            "percent-in-query",
            "https://mail.example.com/?a=%",
            "Two hexadecimal digits follow a percent sign.",
        ),
        ("javascript", "javascript:alert(1)", "Only https."),
        ("length-2049", longer.as_str(), "2,049 bytes."),
    ] {
        cases.refused(
            &format!("url-{slug}"),
            "url.form",
            &shown(value),
            comment,
            ask(value),
        );
    }
    for (slug, rules, value, comment) in [
        (
            "final-dot",
            "url.form origin.host",
            "https://mail.example.com./mcp",
            "No dot at the end of a host.",
        ),
        (
            "empty-label",
            "url.form origin.host",
            "https://mail..example.com/mcp",
            "No empty label.",
        ),
        (
            "host-percent",
            "url.form origin.host",
            "https://mail%2eexample.com/mcp",
            "A host has no escapes.",
        ),
        (
            "host-non-ascii",
            "url.form origin.idna",
            "https://b\u{fc}cher.example/mcp",
            "A host is in ASCII.",
        ),
        (
            "numeric-last-label",
            "url.form origin.numeric-label",
            "https://mail.123/mcp",
            "URL parsers read this as an address, and fail.",
        ),
        (
            "numeric-host",
            "url.form origin.numeric-label",
            "https://2130706433/mcp",
            "URL parsers read this as 127.0.0.1.",
        ),
        (
            "hex-host",
            "url.form origin.numeric-label",
            "https://0x7f.1/mcp",
            "URL parsers read this as 127.0.0.1.",
        ),
        (
            "ipv4-256",
            "url.form origin.numeric-label",
            "https://192.0.2.256/mcp",
            "No part is above 255.",
        ),
        (
            "ipv4-leading-zero",
            "url.form origin.host",
            "https://192.0.2.01/mcp",
            "No leading zeros.",
        ),
        (
            "ipv6-not-canonical",
            "url.form origin.host",
            "https://[2001:db8:0:0:0:0:0:1]/mcp",
            "In the form of RFC 5952.",
        ),
        (
            "ipv6-upper-case",
            "url.form origin.host",
            "https://[2001:DB8::1]/mcp",
            "In the form of RFC 5952.",
        ),
        (
            "ipv6-with-ipv4",
            "url.form",
            "https://[::ffff:192.0.2.1]/mcp",
            "The grammar has no dot in brackets, and URL parsers write this otherwise.",
        ),
        (
            "ipv6-zone",
            "url.form",
            "https://[fe80::1%25eth0]/mcp",
            "No zone.",
        ),
        (
            "idna-bad",
            "url.form origin.idna",
            "https://xn--a.example/mcp",
            "It does not decode, and URL parsers refuse it.",
        ),
        (
            "idna-of-ascii",
            "url.form origin.idna",
            "https://xn--abc-.example/mcp",
            "It stands for abc, which is written so.",
        ),
    ] {
        cases.refused(
            &format!("url-{slug}"),
            rules,
            &shown(value),
            comment,
            ask(value),
        );
    }
    for (slug, value) in [("host-254", 62), ("host-label-64", 0)] {
        let label = "a".repeat(63);
        let host = if value == 0 {
            format!("{label}a.example")
        } else {
            format!("{label}.{label}.{label}.{}", "a".repeat(value))
        };
        let url = format!("https://{host}/mcp");
        cases.refused(
            &format!("url-{slug}"),
            "url.form origin.host",
            &shown(&url),
            "A label or a host that is too long.",
            ask(&url),
        );
    }
}
