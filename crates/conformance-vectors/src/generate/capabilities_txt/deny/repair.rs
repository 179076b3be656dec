//! What follows the dash: how it is repaired, what is left, and whom it denies.

use super::super::build::{File, Files, said};
use super::entries::salvaged;

pub(super) fn add(files: &mut Files<'_>) {
    repaired(files);
    other_host(files);
    wildcards(files);
    unreadable(files);
    matching(files);
}

fn repaired(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, entry, comment) in [
        ("host", "-resolver.example", "A host without scheme."),
        ("http", "-http://resolver.example", "The scheme http."),
        (
            "http-case",
            "-HTTP://Resolver.Example",
            "Scheme and host in other case.",
        ),
        (
            "http-80",
            "-http://resolver.example:80",
            "The default port of http goes with its scheme.",
        ),
        (
            "http-0080",
            "-http://resolver.example:0080",
            "The same port with leading zeros.",
        ),
        (
            "http-443",
            "-http://resolver.example:443",
            "The default port of https.",
        ),
        (
            "host-443",
            "-resolver.example:443",
            "A host with the default port.",
        ),
        ("path", "-https://resolver.example/about", "A path."),
        ("host-path", "-resolver.example/", "A slash behind a host."),
        ("query", "-https://resolver.example?x=1", "A query."),
        ("backslash", "-https://resolver.example\\x", "A backslash."),
        (
            "user",
            "-https://user:secret@resolver.example",
            "User information.",
        ),
        (
            "user-at",
            "-https://a@b@resolver.example",
            "The host stands behind the last at sign.",
        ),
        (
            "host-user",
            "-me@resolver.example",
            "What looks like an address of mail.",
        ),
        (
            "final-dot-and-path",
            "-https://resolver.example./x",
            "A dot at the end of the host.",
        ),
        (
            "idna",
            "-\u{ff52}esolver.example",
            "A letter of full width.",
        ),
        (
            "all",
            "-HTTP://me@RESOLVER.example.:080/x?y",
            "Nearly everything at once.",
        ),
    ] {
        files.case(
            &format!("repair-{slug}"),
            "captxt.deny.repair captxt.deny.match captxt.deny.salvaged captxt.resolvers.form",
            &entry.escape_default().to_string(),
            &format!("{comment} An error for the strict reader, and a deny of the resolver."),
            File::resolvers(&format!("*, {entry}")),
            salvaged(15).denied(),
        );
    }
    files.case(
        "repair-fragment",
        "captxt.deny.value captxt.deny.repair captxt.deny.salvaged",
        "a deny with a fragment",
        "The value ends at the number sign, and the deny is whole.",
        File::resolvers("*, -https://resolver.example#x"),
        salvaged(15).denied(),
    );
}

fn other_host(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, entry, comment) in [
        (
            "https-80",
            "-https://me@resolver.example:80",
            "Port 80 goes only with http.",
        ),
        (
            "host-80",
            "-resolver.example:80",
            "Without scheme port 80 stays.",
        ),
        (
            "http-8080",
            "-http://resolver.example:8080",
            "Another port.",
        ),
        ("subdomain", "-api.resolver.example", "A host below."),
        (
            "path-looks-like-host",
            "-other.example/resolver.example",
            "The host stands before the first slash.",
        ),
        (
            "user-looks-like-host",
            "-https://resolver.example@other.example",
            "The host stands behind the at sign.",
        ),
        (
            "backslash-before-at",
            "-https://other.example\\@resolver.example",
            "What stands behind a backslash is dropped before user information is.",
        ),
    ] {
        files.case(
            &format!("repair-not-{slug}"),
            "captxt.deny.repair captxt.deny.match captxt.deny.salvaged",
            entry,
            &format!("{comment} Another origin is denied."),
            File::resolvers(&format!("*, {entry}")),
            salvaged(15),
        );
    }
}

fn wildcards(files: &mut Files<'_>) {
    const RULES: &str = "captxt.deny.repair captxt.deny.match captxt.deny.salvaged";
    files.from("allowing");
    files.case(
        "wildcard-itself",
        RULES,
        "-*.resolver.example",
        "It stands for the domain too.",
        File::resolvers("*, -*.resolver.example"),
        salvaged(15).denied(),
    );
    files.case(
        "wildcard-below",
        RULES,
        "-https://*.resolver.example, asked by https://a.b.resolver.example",
        "And for all below it.",
        File::resolvers("*, -https://*.resolver.example").by("https://a.b.resolver.example"),
        salvaged(15).denied(),
    );
    files.case(
        "wildcard-top",
        RULES,
        "-https://*.example",
        "A host of one label is a host, behind a scheme.",
        File::resolvers("*, -https://*.example"),
        salvaged(15).denied(),
    );
    files.case(
        "wildcard-dot",
        RULES,
        "-*.solver.example",
        "Below means behind a dot.",
        File::resolvers("*, -*.solver.example"),
        salvaged(15),
    );
    files.case(
        "wildcard-port",
        RULES,
        "-*.resolver.example:8443",
        "The port has to be the same all the same.",
        File::resolvers("*, -*.resolver.example:8443"),
        salvaged(15),
    );
    files.case(
        "wildcard-above",
        RULES,
        "-*.api.resolver.example",
        "What is above the domain is not denied.",
        File::resolvers("*, -*.api.resolver.example"),
        salvaged(15),
    );
}

fn unreadable(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, entry, comment) in [
        ("word", "-acme", "One word without scheme and dot."),
        ("word-dot", "-acme.", "The dot at the end is dropped."),
        (
            "wildcard-word",
            "-*.example",
            "Without scheme a dot is needed behind the star and its dot.",
        ),
        ("star", "-*", "A star is no host."),
        ("star-dot", "-*.", "Nothing behind the star."),
        ("all", "-all", "A word."),
        ("scheme-alone", "-https://", "Nothing behind the scheme."),
        (
            "other-scheme",
            "-ftp://resolver.example",
            "Another scheme leaves no host.",
        ),
        (
            "scheme-twice",
            "-https://https://other.example",
            "A scheme as host, and no port behind its colon.",
        ),
        ("no-host", "-/other.example", "Nothing before the slash."),
        (
            "port-letters",
            "-https://other.example:https",
            "No port behind the colon.",
        ),
        (
            "port-empty",
            "-https://other.example:",
            "No port behind the colon.",
        ),
        (
            "port-0",
            "-https://other.example:0",
            "No port in canonical form.",
        ),
        (
            "port-65536",
            "-https://other.example:65536",
            "No port in canonical form.",
        ),
        (
            "port-6-digits",
            "-https://other.example:000443",
            "A port has at most five digits.",
        ),
        (
            "empty-label",
            "-https://other..example",
            "No host in canonical form.",
        ),
        (
            "percent",
            "-https://other%2eexample",
            "No host in canonical form.",
        ),
        ("ipv4-256", "-192.0.2.256", "No host in canonical form."),
        (
            "label-64",
            "-https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example",
            "No host in canonical form.",
        ),
    ] {
        files.case(
            &format!("unreadable-{slug}"),
            "captxt.deny.unreadable captxt.deny.salvaged captxt.deny.repair",
            entry,
            &format!("{comment} Somebody was to be denied, so everybody is."),
            File::resolvers(&format!("*, {entry}")),
            salvaged(15).denied(),
        );
    }
    for (slug, entry, comment) in [
        (
            "word-with-scheme",
            "-http://acme",
            "With a scheme one label is a host.",
        ),
        ("ipv4", "-192.0.2.1", "An address in four parts has dots."),
        ("port-65535", "-other.example:65535", "The largest port."),
        ("port-1", "-other.example:1", "The smallest port."),
        (
            "underscore",
            "-_other.example",
            "A label with an underscore.",
        ),
    ] {
        files.case(
            &format!("readable-{slug}"),
            "captxt.deny.unreadable captxt.deny.salvaged captxt.deny.repair",
            entry,
            &format!("{comment} Another host is denied, and nobody else."),
            File::resolvers(&format!("*, {entry}")),
            salvaged(15),
        );
    }
}

fn matching(files: &mut Files<'_>) {
    files.from("allowing");
    for (slug, origin, comment) in [
        (
            "parent",
            "https://example",
            "The parent of the resolver's host.",
        ),
        (
            "subdomain",
            "https://api.resolver.example",
            "A host below the resolver's.",
        ),
        (
            "ending",
            "https://solver.example",
            "The end of the resolver's host, without a dot before it.",
        ),
        (
            "port",
            "https://resolver.example:8443",
            "Another port: another origin.",
        ),
    ] {
        files.case(
            &format!("match-not-{slug}"),
            "captxt.deny.match",
            &format!("a deny of {origin}"),
            comment,
            File::resolvers(&format!("*, -{origin}")),
            said(),
        );
    }
    files.case(
        "match-port",
        "captxt.deny.match",
        "a deny with port 8443, asked by the resolver on that port",
        "Port and host are the same.",
        File::resolvers("*, -https://resolver.example:8443").by("https://resolver.example:8443"),
        said().denied(),
    );
    files.case(
        "match-idna",
        "captxt.deny.match captxt.deny.repair origin.idna",
        "a deny with U+00FC, asked by the resolver of that name",
        "Hosts are compared in canonical form.",
        File::resolvers("*, -b\u{fc}cher.example").by("https://xn--bcher-kva.example"),
        salvaged(15).denied(),
    );
}
