//! Origins and issuers.

use super::{ask, shown};
use crate::generate::cases::Cases;
use crate::model::Operation;

pub(super) fn add(cases: &mut Cases) {
    cases.base(
        "origin-plain",
        "origin.serialization",
        "An origin as it is usually written.",
        ask("https://resolver.example"),
    );
    let long_label = format!("https://{}.example", "a".repeat(63));
    let longer_label = format!("https://{}.example", "a".repeat(64));
    let label = "a".repeat(63);
    let long_host = format!("https://{label}.{label}.{label}.{}", "a".repeat(61));
    let longer_host = format!("https://{label}.{label}.{label}.{}", "a".repeat(62));
    for (slug, rules, value, comment) in [
        (
            "port",
            "origin.serialization",
            "https://resolver.example:8443",
            "A port that is not the default.",
        ),
        (
            "port-1",
            "origin.serialization",
            "https://resolver.example:1",
            "The smallest port.",
        ),
        (
            "port-80",
            "origin.serialization",
            "https://resolver.example:80",
            "The default port of another scheme is written.",
        ),
        (
            "port-65535",
            "origin.serialization",
            "https://resolver.example:65535",
            "The largest port.",
        ),
        (
            "one-label",
            "origin.host",
            "https://localhost",
            "A domain of one label.",
        ),
        (
            "label-63",
            "origin.host",
            &long_label,
            "A label of 63 characters.",
        ),
        (
            "host-253",
            "origin.host",
            &long_host,
            "A domain of 253 characters.",
        ),
        (
            "underscore",
            "origin.host",
            "https://_service.resolver.example",
            "Names of services have underscores.",
        ),
        (
            "hyphens",
            "origin.host origin.idna",
            "https://-a-.resolver.example",
            "Hyphens may stand at the ends of a label: beStrict is false.",
        ),
        (
            "hyphens-third-and-fourth",
            "origin.host origin.idna",
            "https://ab--cd.resolver.example",
            "Hyphens in third and fourth place mean nothing unless the label starts with xn.",
        ),
        (
            "digits",
            "origin.host origin.numeric-label",
            "https://1.2.3.example",
            "Digits in any label but the last.",
        ),
        (
            "last-label-with-letter",
            "origin.numeric-label",
            "https://resolver.1a",
            "The last label is not all digits.",
        ),
        (
            "last-label-0xg",
            "origin.numeric-label",
            "https://resolver.0xg",
            "No hexadecimal number.",
        ),
        (
            "last-label-x0",
            "origin.numeric-label",
            "https://resolver.x0",
            "No hexadecimal number.",
        ),
        (
            "ipv4",
            "origin.host",
            "https://192.0.2.1",
            "An IPv4 address.",
        ),
        (
            "ipv4-zeros",
            "origin.host",
            "https://0.0.0.0",
            "Its smallest; whether anybody connects to it is another matter.",
        ),
        (
            "ipv4-highest",
            "origin.host",
            "https://255.255.255.255",
            "Its largest.",
        ),
        (
            "ipv4-port",
            "origin.host",
            "https://192.0.2.1:8443",
            "An address with a port.",
        ),
        (
            "ipv6",
            "origin.host",
            "https://[2001:db8::1]",
            "An IPv6 address in the form of RFC 5952.",
        ),
        (
            "ipv6-loopback",
            "origin.host",
            "https://[::1]",
            "Zeros at the start.",
        ),
        ("ipv6-zeros", "origin.host", "https://[::]", "All zero."),
        (
            "ipv6-end",
            "origin.host",
            "https://[2001:db8::]",
            "Zeros at the end.",
        ),
        (
            "ipv6-full",
            "origin.host",
            "https://[2001:db8:1:2:3:4:5:6]",
            "No zeros to shorten.",
        ),
        (
            "ipv6-one-zero",
            "origin.host",
            "https://[2001:db8:0:1:1:1:1:1]",
            "A single group of zeros is not shortened: RFC 5952 §4.2.2.",
        ),
        (
            "ipv6-longest-run",
            "origin.host",
            "https://[2001:0:0:1::1]",
            "The longest run of zeros is shortened: RFC 5952 §4.2.3.",
        ),
        (
            "ipv6-first-run",
            "origin.host",
            "https://[2001:db8::1:0:0:1]",
            "Of two runs of equal length, the first.",
        ),
        (
            "ipv6-port",
            "origin.host",
            "https://[2001:db8::1]:8443",
            "With a port.",
        ),
        (
            "ipv6-mapped",
            "origin.host",
            "https://[::ffff:c000:201]",
            "An address of IPv4 in IPv6, all eight groups in hexadecimal.",
        ),
        (
            "idna",
            "origin.idna",
            "https://xn--bcher-kva.example",
            "b\u{fc}cher in ASCII.",
        ),
        (
            "idna-sharp-s",
            "origin.idna",
            "https://xn--strae-oqa.example",
            "stra\u{df}e: non-transitional processing keeps the sharp s.",
        ),
        (
            "idna-symbol",
            "origin.idna",
            "https://xn--53h.example",
            "A symbol, which IDNA 2008 forbids and UTS #46 does not.",
        ),
        (
            "idna-hebrew",
            "origin.idna",
            "https://xn--4dbrk0ce.example",
            "A label that is written from right to left.",
        ),
    ] {
        cases.valid(
            &format!("origin-{slug}"),
            rules,
            &shown(value),
            comment,
            ask(value),
        );
    }
    for (slug, rules, value, comment) in [
        (
            "http",
            "origin.serialization",
            "http://resolver.example",
            "Only https.",
        ),
        (
            "wss",
            "origin.serialization",
            "wss://resolver.example",
            "Only https.",
        ),
        (
            "upper-case-scheme",
            "origin.serialization",
            "HTTPS://resolver.example",
            "The scheme is in lower case.",
        ),
        (
            "no-scheme",
            "origin.serialization",
            "resolver.example",
            "A host is not an origin.",
        ),
        (
            "scheme-relative",
            "origin.serialization",
            "//resolver.example",
            "No scheme.",
        ),
        (
            "no-slashes",
            "origin.serialization",
            "https:resolver.example",
            "URL parsers repair it, and the text does not.",
        ),
        (
            "three-slashes",
            "origin.serialization",
            "https:///resolver.example",
            "URL parsers repair it, and the text does not.",
        ),
        (
            "backslashes",
            "origin.serialization",
            "https:\\\\resolver.example",
            "URL parsers repair it, and the text does not.",
        ),
        ("no-host", "origin.serialization", "https://", "No host."),
        (
            "no-host-port",
            "origin.serialization",
            "https://:8443",
            "No host.",
        ),
        ("empty", "origin.serialization", "", "Nothing."),
        (
            "null",
            "origin.serialization",
            "null",
            "How browsers write an origin that is none.",
        ),
        (
            "final-slash",
            "origin.serialization",
            "https://resolver.example/",
            "No path.",
        ),
        (
            "path",
            "origin.serialization",
            "https://resolver.example/a",
            "No path.",
        ),
        (
            "query",
            "origin.serialization",
            "https://resolver.example?a",
            "No query.",
        ),
        (
            "fragment",
            "origin.serialization",
            "https://resolver.example#a",
            "No fragment.",
        ),
        (
            "user",
            "origin.serialization",
            "https://user@resolver.example",
            "No user information.",
        ),
        (
            "user-empty",
            "origin.serialization",
            "https://@resolver.example",
            "Also not an empty one.",
        ),
        (
            "port-443",
            "origin.serialization",
            "https://resolver.example:443",
            "The default port is not written.",
        ),
        (
            "port-empty",
            "origin.serialization",
            "https://resolver.example:",
            "A colon without a port.",
        ),
        (
            "port-leading-zero",
            "origin.serialization",
            "https://resolver.example:08443",
            "No leading zero.",
        ),
        (
            "port-0",
            "origin.serialization",
            "https://resolver.example:0",
            "Ports begin at 1.",
        ),
        (
            "port-65536",
            "origin.serialization",
            "https://resolver.example:65536",
            "One above the largest port.",
        ),
        (
            "port-wraps",
            "origin.serialization",
            "https://resolver.example:73979",
            "Wraps to 8443 in 16 bits.",
        ),
        (
            "port-plus",
            "origin.serialization",
            "https://resolver.example:+8443",
            "Digits only.",
        ),
        (
            "port-letters",
            "origin.serialization",
            "https://resolver.example:https",
            "Digits only.",
        ),
        (
            "port-other-digits",
            "origin.serialization",
            "https://resolver.example:\u{668}\u{664}\u{664}\u{663}",
            "Digits of ASCII only.",
        ),
        (
            "leading-space",
            "origin.serialization",
            " https://resolver.example",
            "Nothing is trimmed.",
        ),
        (
            "trailing-space",
            "origin.serialization",
            "https://resolver.example ",
            "Nothing is trimmed.",
        ),
        (
            "trailing-line-feed",
            "origin.serialization",
            "https://resolver.example\n",
            "A pattern that ends in $ lets a final line feed pass.",
        ),
        (
            "tab-inside",
            "origin.serialization",
            "https://resolver\t.example",
            "URL parsers drop a tab silently.",
        ),
        (
            "nul",
            "origin.serialization",
            "https://resolver.example\0",
            "The end for a reader of C strings.",
        ),
        (
            "wildcard",
            "origin.host",
            "https://*.example",
            "A wildcard is no host.",
        ),
        (
            "loopback",
            "origin.serialization",
            "http://127.0.0.1:8080",
            "Without the development switch, nothing but https.",
        ),
        (
            "upper-case-host",
            "origin.idna",
            "https://Resolver.example",
            "The host is in lower case.",
        ),
        (
            "final-dot",
            "origin.host",
            "https://resolver.example.",
            "No dot at the end.",
        ),
        (
            "leading-dot",
            "origin.host",
            "https://.resolver.example",
            "No empty label.",
        ),
        (
            "empty-label",
            "origin.host",
            "https://resolver..example",
            "No empty label.",
        ),
        ("dot-only", "origin.host", "https://.", "No empty label."),
        (
            "label-64",
            "origin.host",
            &longer_label,
            "A label of 64 characters.",
        ),
        (
            "host-254",
            "origin.host",
            &longer_host,
            "A domain of 254 characters.",
        ),
        (
            "percent-encoded",
            "origin.host",
            "https://resolver%2eexample",
            "URL parsers decode it, and the text does not.",
        ),
        (
            "space-in-host",
            "origin.host",
            "https://resolver example",
            "No space.",
        ),
        (
            "plus-in-host",
            "origin.host",
            "https://resolver+a.example",
            "No other character.",
        ),
        (
            "non-ascii",
            "origin.idna",
            "https://b\u{fc}cher.example",
            "Not in ASCII, so not in canonical form.",
        ),
        (
            "full-width",
            "origin.idna",
            "https://\u{ff52}esolver.example",
            "A letter of full width is mapped to another.",
        ),
        (
            "ideographic-stop",
            "origin.idna",
            "https://resolver\u{3002}example",
            "A full stop of other scripts is mapped to a dot.",
        ),
        (
            "soft-hyphen",
            "origin.idna",
            "https://resol\u{ad}ver.example",
            "An invisible character that is mapped to nothing.",
        ),
        (
            "numeric-last-label",
            "origin.numeric-label",
            "https://resolver.123",
            "URL parsers read this as an address, and fail.",
        ),
        (
            "numeric-one-label",
            "origin.numeric-label",
            "https://2130706433",
            "URL parsers read this as 127.0.0.1.",
        ),
        (
            "numeric-leading-zero",
            "origin.numeric-label",
            "https://resolver.08",
            "Digits, though no octal number.",
        ),
        (
            "hex-last-label",
            "origin.numeric-label",
            "https://resolver.0x1f",
            "URL parsers read this as a number.",
        ),
        (
            "hex-empty",
            "origin.numeric-label",
            "https://resolver.0x",
            "URL parsers read this as zero.",
        ),
        (
            "hex-one-label",
            "origin.numeric-label",
            "https://0x7f000001",
            "URL parsers read this as 127.0.0.1.",
        ),
        (
            "ipv4-256",
            "origin.numeric-label",
            "https://192.0.2.256",
            "No part is above 255.",
        ),
        (
            "ipv4-leading-zero",
            "origin.host",
            "https://192.0.2.01",
            "No leading zeros: some readers take them for octal.",
        ),
        (
            "ipv4-three-parts",
            "origin.numeric-label",
            "https://192.0.2",
            "Four parts.",
        ),
        (
            "ipv4-five-parts",
            "origin.numeric-label",
            "https://192.0.2.1.1",
            "Four parts.",
        ),
        (
            "ipv4-hex",
            "origin.numeric-label",
            "https://0xc0.0.2.1",
            "Decimal parts.",
        ),
        (
            "ipv4-final-dot",
            "origin.host",
            "https://192.0.2.1.",
            "No dot at the end.",
        ),
        (
            "ipv6-leading-zero",
            "origin.host",
            "https://[2001:0db8::1]",
            "No leading zeros: RFC 5952 \u{a7}4.1.",
        ),
        (
            "ipv6-upper-case",
            "origin.host",
            "https://[2001:DB8::1]",
            "Lower case: RFC 5952 \u{a7}4.3.",
        ),
        (
            "ipv6-not-shortened",
            "origin.host",
            "https://[2001:db8:0:0:0:0:0:1]",
            "Zeros are shortened: RFC 5952 \u{a7}4.2.1.",
        ),
        (
            "ipv6-one-zero-shortened",
            "origin.host",
            "https://[2001:db8::1:1:1:1:1]",
            "A single group of zeros is not shortened: RFC 5952 \u{a7}4.2.2.",
        ),
        (
            "ipv6-shorter-run",
            "origin.host",
            "https://[2001::1:0:0:0:1]",
            "The longest run of zeros is shortened: RFC 5952 \u{a7}4.2.3.",
        ),
        (
            "ipv6-second-run",
            "origin.host",
            "https://[2001:db8:0:0:1::1]",
            "Of two runs of equal length, the first is shortened.",
        ),
        (
            "ipv6-nine-groups",
            "origin.host",
            "https://[1:2:3:4:5:6:7:8:9]",
            "Eight groups.",
        ),
        (
            "ipv6-seven-groups",
            "origin.host",
            "https://[1:2:3:4:5:6:7]",
            "Eight groups.",
        ),
        (
            "ipv6-two-gaps",
            "origin.host",
            "https://[2001::db8::1]",
            "One run is shortened.",
        ),
        (
            "ipv6-five-digits",
            "origin.host",
            "https://[2001:db8::10000]",
            "Four digits in a group.",
        ),
        (
            "ipv6-mapped-dotted",
            "origin.host",
            "https://[::ffff:192.0.2.1]",
            "The dotted form of RFC 5952 \u{a7}5 is not used, as URL parsers do not write it.",
        ),
        (
            "ipv6-zone",
            "origin.host",
            "https://[fe80::1%25eth0]",
            "A zone means something on one machine only.",
        ),
        (
            "ipv6-no-brackets",
            "origin.host",
            "https://2001:db8::1",
            "In brackets.",
        ),
        (
            "ipv6-open-bracket",
            "origin.host",
            "https://[2001:db8::1",
            "In brackets.",
        ),
        ("ipv6-empty", "origin.host", "https://[]", "No address."),
        (
            "ipv4-in-brackets",
            "origin.host",
            "https://[192.0.2.1]",
            "No IPv6 address.",
        ),
        (
            "idna-upper-case",
            "origin.idna",
            "https://XN--bcher-kva.example",
            "Lower case.",
        ),
        (
            "idna-upper-case-inside",
            "origin.idna",
            "https://xn--bcher-KVA.example",
            "Lower case.",
        ),
        (
            "idna-empty",
            "origin.idna",
            "https://xn--.example",
            "It stands for nothing.",
        ),
        (
            "idna-ascii-only",
            "origin.idna",
            "https://xn--abc-.example",
            "It stands for abc, which is written so.",
        ),
        (
            "idna-bad-punycode",
            "origin.idna",
            "https://xn--a.example",
            "It does not decode.",
        ),
        (
            "idna-of-upper-case",
            "origin.idna",
            "https://xn--bcher-2pa.example",
            "It stands for a label with an upper-case letter, which the algorithm writes otherwise.",
        ),
        (
            "idna-of-decomposed",
            "origin.idna",
            "https://xn--cafe-yvc.example",
            "It stands for a label that is not in NFC.",
        ),
        (
            "idna-of-full-width",
            "origin.idna",
            "https://xn--ab-jz3n.example",
            "It stands for a label with a letter of full width, which is mapped to another.",
        ),
        (
            "idna-of-leading-mark",
            "origin.idna",
            "https://xn--a-wbb.example",
            "It stands for a label that begins with a combining mark.",
        ),
        (
            "idna-of-mixed-direction",
            "origin.idna",
            "https://xn--a-0hc.example",
            "It stands for a label of letters in both directions: the rule for right-to-left labels forbids it.",
        ),
        (
            "idna-of-joiner",
            "origin.idna",
            "https://xn--ab-j1t.example",
            "It stands for a label with U+200C between Latin letters, where it has no context.",
        ),
    ] {
        cases.refused(
            &format!("origin-{slug}"),
            rules,
            &shown(value),
            comment,
            ask(value),
        );
    }
    issuers(cases);
}

fn issuers(cases: &mut Cases) {
    cases.operation(Operation::Issuer);
    cases.base(
        "issuer-plain",
        "origin.issuer",
        "An origin whose host is a domain.",
        ask("https://resolver.example"),
    );
    for (slug, value, comment) in [
        (
            "port",
            "https://resolver.example:8443",
            "An issuer may have a port.",
        ),
        (
            "idna",
            "https://xn--bcher-kva.example",
            "A domain all the same.",
        ),
        (
            "like-ipv4",
            "https://192.0.2.1.example",
            "A domain that begins as an address does.",
        ),
    ] {
        cases.valid(
            &format!("issuer-{slug}"),
            "origin.issuer",
            value,
            comment,
            ask(value),
        );
    }
    for (slug, value, comment) in [
        (
            "ipv4",
            "https://192.0.2.1",
            "A name has to outlive an address.",
        ),
        (
            "ipv4-port",
            "https://192.0.2.1:8443",
            "A name has to outlive an address.",
        ),
        (
            "ipv6",
            "https://[2001:db8::1]",
            "A name has to outlive an address.",
        ),
        (
            "final-slash",
            "https://resolver.example/",
            "No origin, so no issuer: nothing is repaired.",
        ),
        (
            "http",
            "http://resolver.example",
            "No origin, so no issuer.",
        ),
        (
            "upper-case",
            "https://Resolver.example",
            "No origin, so no issuer.",
        ),
        (
            "port-443",
            "https://resolver.example:443",
            "No origin, so no issuer.",
        ),
        (
            "user",
            "https://user@resolver.example",
            "No origin, so no issuer.",
        ),
    ] {
        cases.refused(
            &format!("issuer-{slug}"),
            "origin.issuer origin.refused",
            value,
            comment,
            ask(value),
        );
    }
}
