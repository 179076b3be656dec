//! The deny reader, rule by rule. The resolver that asks is `https://a.example`.

use super::*;

fn allowed(text: impl AsRef<[u8]>) -> bool {
    allows(text.as_ref(), &"https://a.example".parse().unwrap()).is_allowed()
}

fn check(expected: bool, texts: &[&str]) {
    for text in texts {
        assert_eq!(allowed(text), expected, "{text:?}");
    }
}

// r[captxt.deny.verdict]
#[test]
fn every_line_has_to_allow_and_none_may_deny() {
    check(
        true,
        &[
            "",
            "Endpoint: x",
            "Resolvers: *",
            "Resolvers: https://a.example",
            "Resolvers: HTTPS://A.example.:443/",
            "Resolvers: -https://b.example",
            "Resolvers: *\nResolvers: https://a.example",
            "Resolvers: x https://a.example",
        ],
    );
    check(
        false,
        &[
            "Resolvers:",
            "Resolvers: none",
            "Resolvers: *, NONE",
            "Resolvers: https://b.example",
            "Resolvers: http://a.example",
            "Resolvers: a.example",
            "Resolvers: (*)",
            "Resolvers: \"https://a.example\"",
            "Resolvers: https://a.exam\u{ad}ple",
            "Resolvers: *\nResolvers: https://b.example",
            "Resolvers: -https://b.example, https://c.example",
            "Resolvers: *\nResolvers: -https://a.example",
            "Resolvers: x",
        ],
    );
}

// r[captxt.deny.decode]
#[test]
fn bad_utf8_and_utf16_are_read() {
    assert!(!allowed(b"\xff\xff Resolvers: \xffnone\xff\n"));
    let utf16 = |text: &str, mark: [u8; 2], unit: fn(u16) -> [u8; 2]| {
        let units = text.encode_utf16().flat_map(unit);
        mark.into_iter().chain(units).collect::<Vec<u8>>()
    };
    for text in [
        "Resolvers: none",
        "x\u{85}Resolvers \u{ff1a} \u{2013}a.example",
    ] {
        assert!(
            !allowed(utf16(text, [0xfe, 0xff], u16::to_be_bytes)),
            "{text}"
        );
        assert!(
            !allowed(utf16(text, [0xff, 0xfe], u16::to_le_bytes)),
            "{text}"
        );
        assert!(
            allowed(utf16(text, [0xff, 0xfe], u16::to_be_bytes)),
            "{text}"
        );
    }
    assert!(!allowed(b"\xfe\xff\xd8\x00\nResolvers: none\n\0"));
}

// r[captxt.deny.lines] r[captxt.deny.strip]
#[test]
fn lines_end_in_many_ways_and_start_behind_noise() {
    for end in [
        "\r\n", "\n", "\r", "\u{b}", "\u{c}", "\0", "\u{85}", "\u{2028}", "\u{2029}",
    ] {
        assert!(!allowed(format!("x{end}Resolvers: none{end}x")), "{end:?}");
        assert!(
            allowed(format!("# x{end} \u{200b}\u{3000}# Resolvers: none")),
            "{end:?}"
        );
    }
    check(
        false,
        &[
            "\u{feff}Resolvers: none",
            "\t\u{1}\u{200b}\u{3000}\u{fffd}Resolvers: none",
        ],
    );
    check(
        true,
        &[
            "x Resolvers: none",
            "\u{200c}Resolvers: none",
            "-Resolvers: none",
        ],
    );
}

// r[captxt.deny.field] r[captxt.deny.value]
#[test]
fn the_name_and_what_may_stand_for_the_colon() {
    check(
        false,
        &[
            "RESOLVER: none",
            "resolvers=none",
            "Resolvers\u{200b} \u{ff1a}none",
            "Resolvers:none#x",
            "Resolvers none",
            "Resolvers\u{a0}none",
            "Resolvers\u{200b} \u{200b}none\u{200b} \u{200b}",
            "Resolvers none # x",
            "Resolvers none \u{200b}#x y",
            "Resolvers b.example,-a.example",
            "Resolvers http://b.example",
            "Resolvers -b.example,x",
            "Resolvers: # none",
        ],
    );
    check(
        true,
        &[
            "Resolvers",
            "Resolvers none of them",
            "Resolvers are welcome",
            "Resolvers x",
            "Resolversnone",
            "Resolvers\u{200b}none",
            "Resolvers # none",
            "Resolverss: none",
            "Resolve: none",
            "Resolvers. none: x",
        ],
    );
}

// r[captxt.deny.continuation]
#[test]
fn lines_that_go_on() {
    check(
        false,
        &[
            "Resolvers: *,\n none",
            "Resolvers: *\n\tnone # x",
            "Resolvers: *\n# x\n  # y\n -a.example",
            "Resolvers: *\n-a.example",
            "Resolvers: *\n\u{2013} a.example",
            "Resolvers: * -\r\n\ta.example",
            "Resolvers: *\n Jobs, none",
        ],
    );
    check(
        true,
        &[
            "Resolvers: *\n\n none",
            "Resolvers: *\n\u{200b}\n none",
            "Resolvers: *\nnone",
            "Resolvers: *\n--a.example",
            "Resolvers: *\nx\n none",
            "Resolvers: *\n jobs : none",
            "Resolvers: *\n\tSign-in:\n none",
            "Resolvers: *\n # none",
        ],
    );
}

// r[captxt.deny.entries] r[captxt.deny.edges] r[captxt.deny.dash]
#[test]
fn entries_lose_their_edges() {
    check(
        false,
        &[
            "Resolvers: *;(none.)",
            "Resolvers: *, \u{201c}none\u{201d}.",
            "Resolvers: * \"-https://a.example\".",
            "Resolvers: *, -\"https://a.example\"",
            "Resolvers: *, <-<a.example>>",
            "Resolvers: *, \u{2010}\u{2015}\u{2212}\u{fe58}\u{fe63}\u{ff0d}a.example",
            "Resolvers: *, - , \u{201e} a.example",
            "Resolvers: *, -",
            "Resolvers: *, - none",
        ],
    );
    check(
        true,
        &[
            "Resolvers: *, -[https://b.example]",
            "Resolvers: * ,;\u{3000},",
        ],
    );

    let v6 = |text: &str| {
        allows(text.as_bytes(), &"https://[2001:db8::1]".parse().unwrap()).is_allowed()
    };
    for deny in [
        "-https://[2001:DB8::1]",
        "([-https://[2001:db8::1]])",
        "-[https://[2001:db8::0:1]",
    ] {
        assert!(!v6(&format!("Resolvers: *, {deny}")), "{deny}");
    }
    assert!(v6("Resolvers: *, -https://[2001:db8::2]"));
}

// r[captxt.deny.repair] r[captxt.deny.unreadable] r[captxt.deny.match]
#[test]
fn denies_are_repaired_or_deny_everyone() {
    for deny in [
        "https://a.example",
        "http://A.Example.",
        "HTTP://a.example:80/x",
        "http://a.example:080",
        "a.example:443",
        "user:x@a.example/path?q#f",
        "https://a.example\\x",
        "*.example.",
        "https://*.example",
        "*.a.example",
        // Unreadable: everyone.
        "https://",
        "ftp://b.example",
        "mailto:",
        "localhost",
        "*",
        "*.com",
        "b.example:",
        "b.example:0",
        "b.example:000443",
        "b..example",
        "b_ä!.example",
        "1.2.3",
        "[::1]",
    ] {
        assert!(!allowed(format!("Resolvers: *, -{deny}")), "{deny}");
    }
    for deny in [
        "b.example",
        "https://aa.example",
        "https://a.example.com",
        "x.a.example",
        "https://a.example:8443",
        "http://a.example:8080",
        "a.example:80",
        "https://a.example:80",
        "*.b.example",
        "https://*.ple",
        "https://localhost",
        "192.0.2.7",
    ] {
        assert!(allowed(format!("Resolvers: *, -{deny}")), "{deny}");
    }
}
