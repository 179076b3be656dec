//! The value of Resolvers as the strict reader takes it (§11.3).

use super::build::{File, Files, said};

pub(super) fn add(files: &mut Files<'_>) {
    form(files);
    entries_with_errors(files);
    none(files);
    canonical(files);
    not_canonical(files);
    count(files);
    warnings(files);
}

fn form(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "resolvers-deny",
        "captxt.resolvers.form captxt.deny.verdict captxt.two-readers",
        "a deny of the resolver",
        "Valid: what is denied is for the deny reader to say.",
        File::resolvers("*, -https://resolver.example"),
        said().denied(),
    );
    files.case(
        "resolvers-deny-other",
        "captxt.resolvers.form captxt.deny.match",
        "a deny of another resolver",
        "Everyone else is allowed.",
        File::resolvers("*, -https://other.example"),
        said(),
    );
    files.case(
        "resolvers-listed",
        "captxt.resolvers.form captxt.deny.verdict",
        "a list with the resolver",
        "It is named, so it is allowed.",
        File::resolvers("https://other.example, https://resolver.example"),
        said(),
    );
    files.case(
        "resolvers-not-listed",
        "captxt.resolvers.form captxt.deny.verdict",
        "a list without the resolver",
        "Valid, and the resolver is not allowed: the list says no to everyone else.",
        File::resolvers("https://other.example, https://third.example"),
        said().denied(),
    );
    files.case(
        "resolvers-spaces",
        "captxt.resolvers.form",
        "no space and several spaces around commas",
        "Spaces around commas are optional.",
        File::resolvers("*,-https://a.example   ,   -https://b.example"),
        said(),
    );
    files.case(
        "resolvers-none",
        "captxt.resolvers.form captxt.deny.verdict",
        "none",
        "No resolver may list the servers; the claims are sound all the same.",
        File::resolvers("none"),
        said().denied(),
    );
    files.case(
        "resolvers-none-case",
        "captxt.resolvers.form captxt.deny.verdict",
        "NoNe",
        "The word has no case.",
        File::resolvers("NoNe"),
        said().denied(),
    );
}

fn entries_with_errors(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, column, comment) in [
        (
            "empty-last",
            "*,",
            14,
            "A comma at the end: an empty entry behind the value.",
        ),
        (
            "empty-first",
            ", *",
            12,
            "A comma at the start: an empty entry, said of the comma.",
        ),
        (
            "empty-between",
            "*,  , -https://other.example",
            16,
            "An empty entry between two commas, said of the character behind its spaces.",
        ),
        ("words", "*, everyone", 15, "No origin."),
        (
            "allow-host",
            "*, other.example",
            15,
            "A host without scheme.",
        ),
        (
            "allow-http",
            "*, http://other.example",
            15,
            "Another scheme.",
        ),
        ("allow-path", "*, https://other.example/x", 15, "A path."),
        ("allow-query", "*, https://other.example?x", 15, "A query."),
        (
            "allow-user",
            "*, https://me@other.example",
            15,
            "User information.",
        ),
        (
            "allow-wildcard",
            "*, https://*.other.example",
            15,
            "Only a whole entry may be a star.",
        ),
        (
            "allow-quoted",
            "*, \"https://other.example\"",
            15,
            "Quotes belong to nothing.",
        ),
        (
            "spaces-between",
            "* https://other.example",
            12,
            "A space does not separate entries.",
        ),
        (
            "semicolons",
            "*; https://other.example",
            12,
            "A semicolon does not separate entries.",
        ),
        (
            "comment",
            "* # https://other.example",
            12,
            "There are no comments behind values.",
        ),
        ("two-stars", "**", 12, "Two stars are none of the forms."),
        (
            "angle-brackets",
            "*, <https://other.example>",
            15,
            "Angle brackets belong to nothing.",
        ),
        (
            "port-empty",
            "*, https://other.example:",
            15,
            "A colon without port.",
        ),
        ("no-host", "*, https://", 15, "No host."),
    ] {
        // Where no entry of its own is a star the deny reader finds nobody who is allowed.
        let said = said().error("resolvers-entry-invalid", 4, column);
        files.case(
            &format!("resolvers-{slug}"),
            "captxt.resolvers.form captxt.position",
            value,
            comment,
            File::resolvers(value),
            if slug == "two-stars" {
                said.denied()
            } else {
                said
            },
        );
    }
    files.case(
        "resolvers-errors-each",
        "captxt.once captxt.resolvers.form captxt.order",
        "three entries with errors beside one without",
        "Each of them is reported.",
        File::resolvers("x, *, y, z"),
        said()
            .error("resolvers-entry-invalid", 4, 12)
            .error("resolvers-entry-invalid", 4, 18)
            .error("resolvers-entry-invalid", 4, 21),
    );
    for (slug, value, denied, comment) in [
        (
            "deny-space",
            "*, - https://resolver.example",
            true,
            "A space behind the dash.",
        ),
        (
            "deny-twice",
            "*, --https://resolver.example",
            true,
            "Two dashes.",
        ),
        (
            "deny-host",
            "*, -resolver.example",
            true,
            "A host without scheme.",
        ),
        (
            "deny-http",
            "*, -http://resolver.example",
            true,
            "Another scheme.",
        ),
        (
            "deny-path",
            "*, -https://resolver.example/x",
            true,
            "A path.",
        ),
        ("deny-star", "*, -*", true, "A dash before a star."),
        (
            "deny-none",
            "*, -none",
            true,
            "A dash before the word none.",
        ),
        (
            "deny-other-path",
            "*, -https://other.example/x",
            false,
            "A path, behind another resolver's origin.",
        ),
    ] {
        let said = said()
            .error("resolvers-entry-invalid", 4, 15)
            .warning("deny-salvaged", 4, 1);
        files.case(
            &format!("resolvers-{slug}"),
            "captxt.resolvers.form captxt.deny.salvaged captxt.position",
            value,
            &format!("{comment} An error for the strict reader, and a deny all the same."),
            File::resolvers(value),
            if denied { said.denied() } else { said },
        );
    }
}

fn none(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, comment) in [
        ("none-and-star", "none, *", "Both cannot hold."),
        (
            "none-twice",
            "none, None",
            "Also beside another none, in any case.",
        ),
        (
            "none-and-deny",
            "-https://other.example, none",
            "Also beside a deny.",
        ),
    ] {
        files.case(
            &format!("resolvers-{slug}"),
            "captxt.resolvers.none captxt.deny.verdict captxt.position captxt.deny.salvaged",
            value,
            &format!("{comment} Said of the start of the value; the value was evaluated, so nothing was salvaged."),
            File::resolvers(value),
            said().error("resolvers-none-mixed", 4, 12).denied(),
        );
    }
    files.case(
        "resolvers-none-in-a-host",
        "captxt.resolvers.none captxt.resolvers.form",
        "an origin whose host is none",
        "Only the bare word counts.",
        File::resolvers("*, -https://none"),
        said(),
    );
    files.case(
        "resolvers-none-and-error",
        "captxt.resolvers.none captxt.resolvers.form captxt.order",
        "none beside an empty entry",
        "An empty entry is an entry: two errors.",
        File::resolvers("none,"),
        said()
            .error("resolvers-none-mixed", 4, 12)
            .error("resolvers-entry-invalid", 4, 17)
            .denied(),
    );
}

fn canonical(files: &mut Files<'_>) {
    files.from("resolvers-listed");
    for (slug, origin, comment) in [
        (
            "upper-case",
            "HTTPS://Resolver.EXAMPLE",
            "Scheme and host in other case.",
        ),
        ("final-slash", "https://resolver.example/", "A final slash."),
        (
            "final-dot",
            "https://resolver.example.",
            "A dot at the end of the host.",
        ),
        (
            "port-443",
            "https://resolver.example:443",
            "The default port.",
        ),
        (
            "port-0443",
            "https://resolver.example:0443",
            "The default port with a leading zero.",
        ),
        (
            "port-00443",
            "https://resolver.example:00443",
            "Five digits are the most.",
        ),
        ("all", "https://RESOLVER.example.:443/", "All at once."),
        (
            "full-width",
            "https://\u{ff32}esolver.example",
            "A letter of full width, which IDNA maps.",
        ),
        (
            "full-width-dot",
            "https://resolver\u{3002}example",
            "U+3002, which IDNA maps to a dot.",
        ),
    ] {
        files.case(
            &format!("resolvers-canonical-{slug}"),
            "captxt.resolvers.canonical captxt.position",
            &origin.escape_default().to_string(),
            &format!(
                "{comment} Brought into canonical form with a warning, and it is the resolver."
            ),
            File::resolvers(origin),
            said().warning("origin-not-canonical", 4, 12),
        );
    }
    files.case(
        "resolvers-canonical-port",
        "captxt.resolvers.canonical captxt.deny.match",
        "port 8443 with a leading zero, asked by the resolver on that port",
        "Leading zeros are dropped.",
        File::resolvers("https://resolver.example:08443").by("https://resolver.example:8443"),
        said().warning("origin-not-canonical", 4, 12),
    );
    files.case(
        "resolvers-canonical-unchanged",
        "captxt.resolvers.canonical",
        "port 8443, and a deny of an IPv6 address, both in canonical form",
        "What is in canonical form already has no warning.",
        File::resolvers("https://resolver.example:8443, -https://[2001:db8::1]")
            .by("https://resolver.example:8443"),
        said(),
    );
    files.case(
        "resolvers-canonical-ipv6",
        "captxt.resolvers.canonical",
        "denies of IPv6 addresses in other forms",
        "Leading zeros, upper case and the dotted form: each is brought into the form of RFC 5952.",
        File::resolvers("https://resolver.example, -https://[2001:DB8:0:0:0:0:0:1], -https://[::ffff:192.0.2.1]"),
        said()
            .warning("origin-not-canonical", 4, 38)
            .warning("origin-not-canonical", 4, 71),
    );
    files.case(
        "resolvers-canonical-ports",
        "captxt.resolvers.canonical",
        "denies of the smallest and the largest port",
        "Both are ports, and in canonical form.",
        File::resolvers(
            "https://resolver.example, -https://other.example:1, -https://other.example:65535",
        ),
        said(),
    );
    files.case(
        "resolvers-canonical-ipv4",
        "captxt.resolvers.canonical",
        "a deny of an IPv4 address with a dot at its end",
        "A dot at the end of any host.",
        File::resolvers("https://resolver.example, -https://192.0.2.1."),
        said().warning("origin-not-canonical", 4, 38),
    );
    files.case(
        "resolvers-canonical-idna",
        "captxt.resolvers.canonical origin.idna",
        "an origin with U+00FC, asked by the resolver of that name",
        "IDNA gives the name that the resolver has.",
        File::resolvers("https://b\u{fc}cher.example").by("https://xn--bcher-kva.example"),
        said().warning("origin-not-canonical", 4, 12),
    );
    files.case(
        "resolvers-canonical-idna-case",
        "captxt.resolvers.canonical origin.idna",
        "an origin with XN-- in upper case",
        "The form for ASCII is brought into lower case too.",
        File::resolvers("https://XN--BCHER-KVA.example").by("https://xn--bcher-kva.example"),
        said().warning("origin-not-canonical", 4, 12),
    );
    files.case(
        "resolvers-canonical-sharp-s",
        "captxt.resolvers.canonical origin.idna",
        "an origin with U+00DF, asked by the resolver of that name",
        "The processing is not transitional, so a sharp s stays one.",
        File::resolvers("https://stra\u{df}e.example").by("https://xn--strae-oqa.example"),
        said().warning("origin-not-canonical", 4, 12),
    );
    files.case(
        "resolvers-canonical-sharp-s-other",
        "captxt.resolvers.canonical origin.idna",
        "an origin with U+00DF, asked by the resolver with ss",
        "Another name: IDNA 2003 made one of the two.",
        File::resolvers("https://stra\u{df}e.example").by("https://strasse.example"),
        said().warning("origin-not-canonical", 4, 12).denied(),
    );
    files.case(
        "resolvers-canonical-homograph",
        "captxt.resolvers.canonical origin.comparison",
        "an origin with U+0435 for the first e",
        "It looks like the resolver's, and is another one.",
        File::resolvers("https://r\u{435}solver.example"),
        said().warning("origin-not-canonical", 4, 12).denied(),
    );
}

fn not_canonical(files: &mut Files<'_>) {
    files.from("resolvers-listed");
    for (slug, origin, comment) in [
        (
            "two-slashes",
            "https://resolver.example//",
            "One final slash, and not two.",
        ),
        (
            "two-dots",
            "https://resolver.example..",
            "One dot, and not two.",
        ),
        (
            "dot-in-between",
            "https://resolver..example",
            "An empty label.",
        ),
        ("port-0", "https://resolver.example:0", "Ports begin at 1."),
        (
            "port-65536",
            "https://resolver.example:65536",
            "Ports end at 65535.",
        ),
        (
            "port-6-digits",
            "https://resolver.example:000443",
            "A port has at most five digits.",
        ),
        ("port-sign", "https://resolver.example:+443", "Digits only."),
        (
            "one-slash",
            "https:/resolver.example",
            "No step adds a slash.",
        ),
        (
            "backslash",
            "https:\\\\resolver.example",
            "No step turns a backslash around.",
        ),
        ("percent", "https://resolver%2eexample", "No step decodes."),
        (
            "idna-address",
            "https://\u{ff11}.\u{ff12}.\u{ff13}.\u{ff14}",
            "IDNA turns it into an address.",
        ),
        (
            "numeric-label",
            "https://resolver.1",
            "A last label of digits.",
        ),
        (
            "ipv4-zeros",
            "https://192.0.02.1",
            "No step drops zeros of an IPv4 address.",
        ),
        (
            "ipv4-number",
            "https://3221225985",
            "No step reads a number as an address.",
        ),
        (
            "ipv6-dotted-first",
            "https://[192.0.2.1::]",
            "The dotted form stands at the end of an address.",
        ),
        (
            "ipv6-dotted-between",
            "https://[::192.0.2.1:1]",
            "The dotted form stands at the end of an address.",
        ),
        (
            "ipv6-zone",
            "https://[fe80::1%25eth0]",
            "A zone is no part of an address.",
        ),
        (
            "joiner",
            "https://re\u{200d}solver.example",
            "CheckJoiners: U+200D joins nothing here.",
        ),
        (
            "label-64",
            "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example",
            "A label of 64 characters.",
        ),
    ] {
        files.case(
            &format!("resolvers-not-canonical-{slug}"),
            "captxt.resolvers.canonical captxt.resolvers.form",
            &origin.escape_default().to_string(),
            &format!("{comment} No step repairs it, so nobody is allowed by it."),
            File::resolvers(origin),
            said().error("resolvers-entry-invalid", 4, 12).denied(),
        );
    }
}

/// So many denies, of `https://r001.example` and so on, each with 23 characters and what separates it.
fn denies(count: usize) -> String {
    let denies: Vec<_> = (1..=count)
        .map(|n| format!("-https://r{n:03}.example"))
        .collect();
    denies.join(", ")
}

fn count(files: &mut Files<'_>) {
    files.from("plain");
    files.case(
        "resolvers-100",
        "captxt.resolvers.count",
        "a star and 99 denies",
        "As many entries as may be.",
        File::resolvers(&format!("*, {}", denies(99))),
        said(),
    );
    files.case(
        "resolvers-101",
        "captxt.resolvers.count captxt.position captxt.deny.salvaged captxt.once",
        "a star and 102 denies, the first of the resolver",
        "Said of the 101st entry, once; the denies were evaluated, so nothing was salvaged.",
        File::resolvers(&format!("*, {}", denies(102))).by("https://r001.example"),
        said().error("too-many-resolvers", 4, 2292).denied(),
    );
    files.case(
        "resolvers-101-of-any-kind",
        "captxt.resolvers.count captxt.resolvers.form",
        "99 denies, an origin with an error, and a star",
        "Entries with errors count, and a deny behind the limit does not get lost.",
        File::resolvers(&format!("{}, x, *", denies(99))).by("https://r099.example"),
        said()
            .error("resolvers-entry-invalid", 4, 2289)
            .error("too-many-resolvers", 4, 2292)
            .denied(),
    );
}

fn warnings(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, comment) in [
        (
            "star-and-origin",
            "https://resolver.example, *",
            "The star allows that origin already.",
        ),
        (
            "twice",
            "https://resolver.example, *, https://resolver.example",
            "Said once for the line.",
        ),
        ("star-twice", "*, *", "Two stars."),
        (
            "denied-twice",
            "*, -https://a.example, -https://a.example",
            "Two denies of one origin.",
        ),
    ] {
        files.case(
            &format!("resolvers-redundant-{slug}"),
            "captxt.resolvers.redundant captxt.position captxt.once",
            value,
            &format!("{comment} A warning at the start of the value."),
            File::resolvers(value),
            said().warning("resolvers-redundant", 4, 12),
        );
    }
    files.case(
        "resolvers-redundant-canonical",
        "captxt.resolvers.redundant captxt.resolvers.canonical captxt.order",
        "one origin in two forms",
        "Entries are compared in canonical form.",
        File::resolvers("https://resolver.example, https://resolver.example:443"),
        said()
            .warning("resolvers-redundant", 4, 12)
            .warning("origin-not-canonical", 4, 38),
    );
    files.case(
        "resolvers-redundant-ports",
        "captxt.resolvers.redundant",
        "one host with two ports",
        "Two origins.",
        File::resolvers("https://resolver.example, https://resolver.example:8443"),
        said(),
    );
    files.case(
        "resolvers-only-denies",
        "captxt.resolvers.implied-star captxt.deny.verdict captxt.position",
        "two denies of other resolvers and nothing else",
        "Everyone else is allowed, which is said with a warning.",
        File::resolvers("-https://a.example, -https://b.example"),
        said().warning("resolvers-implied-star", 4, 12),
    );
    files.case(
        "resolvers-only-denies-this",
        "captxt.resolvers.implied-star captxt.deny.verdict",
        "a deny of the resolver and nothing else",
        "It is denied, and everyone else is not.",
        File::resolvers("-https://resolver.example"),
        said().warning("resolvers-implied-star", 4, 12).denied(),
    );
    files.case(
        "resolvers-only-denies-with-error",
        "captxt.resolvers.implied-star captxt.deny.verdict captxt.deny.salvaged",
        "a deny of another resolver, and one with an error",
        "An entry is not a deny without error, so there is no such warning.",
        File::resolvers("-https://a.example, -b.example"),
        said()
            .error("resolvers-entry-invalid", 4, 32)
            .warning("deny-salvaged", 4, 1),
    );
    files.case(
        "resolvers-conflict",
        "captxt.resolvers.conflict captxt.deny.verdict captxt.position",
        "the resolver allowed and denied",
        "The deny counts.",
        File::resolvers("https://resolver.example, -https://resolver.example"),
        said().warning("resolvers-conflict", 4, 12).denied(),
    );
    files.case(
        "resolvers-conflict-canonical",
        "captxt.resolvers.conflict captxt.resolvers.redundant captxt.order",
        "a star, and an origin allowed and denied in two forms",
        "Origins are compared in canonical form. Codes at one place are in byte order.",
        File::resolvers("*, https://other.example, -https://OTHER.example"),
        said()
            .warning("resolvers-conflict", 4, 12)
            .warning("resolvers-redundant", 4, 12)
            .warning("origin-not-canonical", 4, 38),
    );
    files.case(
        "resolvers-no-conflict",
        "captxt.resolvers.conflict",
        "an origin allowed, and denied on another port",
        "Two origins.",
        File::resolvers("https://resolver.example, -https://resolver.example:8443"),
        said(),
    );
}
