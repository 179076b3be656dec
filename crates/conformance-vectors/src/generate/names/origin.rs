//! Origins and issuers.

mod bidi;
mod refused;

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
    let label = "a".repeat(63);
    let long_host = format!("https://{label}.{label}.{label}.{}", "a".repeat(61));
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
            "one-letter",
            "origin.host",
            "https://a",
            "As short as a host may be.",
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
            "ipv6-two-zeros",
            "origin.host",
            "https://[1::2:3:4:5:6]",
            "Two zero pieces are the fewest that are left out.",
        ),
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
        (
            "idna-many-marks",
            "origin.idna",
            "https://xn--q-xbbaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example",
            "The letter q and 35 times U+0301: it is in NFC, though not in the stream-safe form of UAX #15.",
        ),
        (
            "idna-syriac-mark",
            "origin.idna",
            "https://xn--flb1j.example",
            "It starts with U+070A, a punctuation mark of a class that may begin a right-to-left label.",
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
    refused::add(cases);
    bidi::add(cases);
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
