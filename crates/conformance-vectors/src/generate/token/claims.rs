//! §6.4: the claims, but for their times.

use crate::generate::build::{ISSUER, Object, Token, URL, ask, claims, header, quoted};
use crate::generate::cases::Cases;
use crate::model::Input;

/// The plain token with other claims, signed as it stands.
fn with(claims: &Object) -> Input {
    ask(Token::of(&header("key-1"), claims).compact())
}

pub(super) fn add(cases: &mut Cases) {
    presence_and_type(cases);
    integers(cases);
    iss(cases);
    aud(cases);
    url(cases);
    status(cases);
    unknown(cases);
    order(cases);
}

fn presence_and_type(cases: &mut Cases) {
    cases.invalid(
        "claims-none",
        "claim-missing",
        "token.claims",
        "an empty object",
        "No claim at all.",
        with(&Object::default()),
    );
    for name in ["iss", "iat", "exp", "url", "status", "checked_at"] {
        let slug = name.replace('_', "-");
        cases.invalid(
            &format!("{slug}-missing"),
            "claim-missing",
            "token.claims",
            &format!("without {name}"),
            &format!("The claim {name} has no default."),
            with(&claims().without(name)),
        );
        cases.invalid(
            &format!("{slug}-null"),
            "claim-type",
            "token.claims",
            &format!("{name}: null"),
            "Null is a value of another type, and not a missing claim.",
            with(&claims().set(name, "null")),
        );
        cases.invalid(
            &format!("{slug}-name-upper-case"),
            "claim-missing",
            "token.claims",
            &format!("the name {name} in upper case"),
            "Names of claims have a case, so this one is unknown and the other missing.",
            with(&claims().renamed(name, &name.to_uppercase())),
        );
    }
    for (name, value, comment) in [
        ("iss", "1", "A number is not a string."),
        (
            "iss",
            "[\"https://resolver.example\"]",
            "An array that holds the right issuer is not the right issuer.",
        ),
        (
            "iss",
            "{\"toString\":\"https://resolver.example\"}",
            "An object is not a string.",
        ),
        (
            "url",
            "[\"https://mail.example.com/mcp\"]",
            "An array is not a string.",
        ),
        (
            "url",
            "{\"href\":\"https://mail.example.com/mcp\"}",
            "An object is not a string.",
        ),
        ("status", "true", "A truth value is not a string."),
        ("status", "[\"ok\"]", "An array is not a string."),
        (
            "checked_at",
            "1796039910",
            "The time of an observation is text, and no number of seconds.",
        ),
        ("checked_at", "{}", "An object is not a string."),
    ] {
        let kind = match value.as_bytes() {
            [b'[', ..] => "array",
            [b'{', ..] => "object",
            [b't', ..] => "true",
            _ => "number",
        };
        let slug = format!("{}-{kind}", name.replace('_', "-"));
        cases.invalid(
            &slug,
            "claim-type",
            "token.claims",
            &format!("{name}: {value}"),
            comment,
            with(&claims().set(name, value)),
        );
    }
    cases.invalid(
        "payload-duplicate-exp",
        "payload-duplicate-member",
        "json.duplicate token.payload.json",
        "exp twice, the second a year later",
        "A reader that keeps the first and one that keeps the last see different ends.",
        with(&claims().and("exp", "1827576000")),
    );
    cases.invalid(
        "payload-duplicate-url-escaped",
        "payload-duplicate-member",
        "json.duplicate token.payload.json",
        "url twice, once with an escape in its name",
        "The names are equal once the escape is resolved.",
        with(&claims().and("u\\u0072l", "\"https://attacker.example/mcp\"")),
    );
    cases.valid(
        "claims-reversed",
        "token.claims",
        "claims in reverse order",
        "Members of an object have no order.",
        with(&claims().reversed()),
    );
    cases.valid(
        "claims-escaped",
        "token.claims",
        "escapes in names and values",
        "Escapes are another way to write the same strings.",
        with(
            &claims()
                .renamed("iss", "\\u0069ss")
                .set("url", "\"https:\\/\\/mail.example.com\\/mcp\"")
                .set("status", "\"\\u006fk\""),
        ),
    );
}

/// [token.claims.integer] and [time.numeric].
fn integers(cases: &mut Cases) {
    for name in ["iat", "exp", "nbf"] {
        for (slug, value, comment) in [
            (
                "string",
                "\"1796039940\"",
                "Digits in a string are no number.",
            ),
            (
                "time-text",
                "\"2026-11-30T11:59:00Z\"",
                "A time as text is no number.",
            ),
            (
                "true",
                "true",
                "A truth value is no number, though some languages count with it.",
            ),
            ("array", "[1796039940]", "An array is no number."),
            ("object", "{}", "An object is no number."),
            ("fraction", "1796039940.5", "Seconds are whole."),
            (
                "fraction-zero",
                "1796039940.0",
                "An integer is written without a fraction, even an empty one.",
            ),
            (
                "exponent",
                "1796039940e0",
                "An integer is written without an exponent.",
            ),
            (
                "exponent-only",
                "2e9",
                "An integer is written without an exponent, also where it is exact.",
            ),
            (
                "minus-zero",
                "-0",
                "Minus zero is no integer of the text: some readers make 0 of it and some a float.",
            ),
            ("minus-zero-fraction", "-0.0", "Nor is this."),
            (
                "large-exponent",
                "1e19",
                "An exponent, so the size does not matter.",
            ),
        ] {
            let made = claims().set(name, value);
            cases.invalid(
                &format!("{name}-{slug}"),
                "claim-type",
                "token.claims.integer time.numeric",
                &format!("{name}: {value}"),
                comment,
                with(&made),
            );
        }
        for (slug, value, comment) in [
            ("minus-one", "-1", "Before 1970 there is no token."),
            (
                "2-to-the-53",
                "9007199254740992",
                "One above the largest integer that every language holds exactly.",
            ),
            (
                "2-to-the-63",
                "9223372036854775808",
                "One above the largest signed integer of 64 bits.",
            ),
            (
                "2-to-the-64",
                "18446744073709551616",
                "Wraps to 0 in unsigned integers of 64 bits.",
            ),
            (
                "forty-digits",
                "1234567890123456789012345678901234567890",
                "An integer is out of range and not of another type, however long it is.",
            ),
            (
                "minus-2-to-the-63",
                "-9223372036854775808",
                "The smallest signed integer of 64 bits.",
            ),
        ] {
            let made = claims().set(name, value);
            cases.invalid(
                &format!("{name}-{slug}"),
                "claim-range",
                "token.claims.integer time.numeric",
                &format!("{name}: {value}"),
                comment,
                with(&made),
            );
        }
    }
    cases.invalid(
        "nbf-null",
        "claim-type",
        "token.claims.integer",
        "nbf: null",
        "A claim that is there has to be of its type.",
        with(&claims().and("nbf", "null")),
    );
    cases.valid(
        "nbf-0",
        "time.numeric",
        "nbf: 0",
        "The smallest time there is.",
        with(&claims().and("nbf", "0")),
    );
    cases.invalid(
        "exp-2-to-the-53-minus-1",
        "lifetime-too-long",
        "time.numeric token.exp.max-life",
        "exp: 9007199254740991",
        "The largest integer that is in range: refused for the life that it makes, and not for its range.",
        with(&claims().set("exp", "9007199254740991")),
    );
    cases.invalid(
        "iat-0",
        "lifetime-too-long",
        "time.numeric token.exp.max-life",
        "iat: 0",
        "In range: refused for the life that it makes.",
        with(&claims().set("iat", "0")),
    );
}

fn iss(cases: &mut Cases) {
    for (slug, value, comment) in [
        (
            "final-slash",
            "https://resolver.example/",
            "An origin has no path, and a reader repairs nothing.",
        ),
        (
            "path",
            "https://resolver.example/a",
            "An origin has no path.",
        ),
        (
            "http",
            "http://resolver.example",
            "Another scheme is another origin.",
        ),
        (
            "upper-case-host",
            "https://Resolver.example",
            "Origins are compared byte for byte.",
        ),
        (
            "upper-case-scheme",
            "HTTPS://resolver.example",
            "Origins are compared byte for byte.",
        ),
        (
            "default-port",
            "https://resolver.example:443",
            "The default port is not written.",
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
            "shorter",
            "https://resolver.exampl",
            "It is only the beginning of the right origin.",
        ),
        (
            "subdomain",
            "https://a.resolver.example",
            "A subdomain is another origin.",
        ),
        (
            "final-dot",
            "https://resolver.example.",
            "A host has no final dot.",
        ),
        ("empty", "", "An empty string is no issuer."),
        ("host-only", "resolver.example", "A host is not an origin."),
        (
            "leading-space",
            " https://resolver.example",
            "Nothing is trimmed.",
        ),
        (
            "trailing-nul",
            "https://resolver.example\0",
            "The end for a reader of C strings.",
        ),
        (
            "homoglyph",
            "https://r\u{435}solver.example",
            "One letter is Cyrillic.",
        ),
        (
            "port",
            "https://resolver.example:8443",
            "Another port is another origin.",
        ),
    ] {
        cases.invalid(
            &format!("iss-{slug}"),
            "iss-mismatch",
            "token.iss origin.comparison origin.refused",
            &format!("iss: {}", value.escape_debug()),
            comment,
            with(&claims().set("iss", quoted(value))),
        );
    }
}

fn aud(cases: &mut Cases) {
    for (slug, value, comment) in [
        (
            "issuer",
            quoted(ISSUER),
            "A token names no recipient, not even its issuer.",
        ),
        (
            "null",
            "null".to_owned(),
            "The claim is there, whatever its value.",
        ),
        (
            "empty",
            "[]".to_owned(),
            "An empty list of recipients is a claim all the same.",
        ),
    ] {
        cases.invalid(
            &format!("aud-{slug}"),
            "aud-unexpected",
            "token.aud",
            &format!("aud: {value}"),
            comment,
            with(&claims().and("aud", value)),
        );
    }
}

fn url(cases: &mut Cases) {
    let long = |length: usize| format!("https://mail.example.com/{}", "a".repeat(length - 25));
    cases.valid(
        "url-2048",
        "token.url url.form",
        "a url of 2,048 bytes",
        "As long as a server URL may be.",
        with(&claims().set("url", quoted(&long(2048)))),
    );
    cases.valid(
        "url-query",
        "token.url",
        "a url with a query",
        "A server URL may have a query.",
        with(&claims().set("url", quoted("https://mail.example.com/mcp?tenant=1"))),
    );
    cases.invalid(
        "url-2049",
        "url-invalid",
        "token.url url.form",
        "a url of 2,049 bytes",
        "One byte longer than a server URL may be.",
        with(&claims().set("url", quoted(&long(2049)))),
    );
    for (slug, value, comment) in [
        (
            "http",
            "http://mail.example.com/mcp",
            "A server URL is https.",
        ),
        (
            "javascript",
            "javascript:alert(1)",
            "A scheme that runs when it is opened.",
        ),
        ("empty", "", "An empty string is no URL."),
        (
            "no-path",
            "https://mail.example.com",
            "A server URL has a path, if only a slash.",
        ),
        (
            "fragment",
            "https://mail.example.com/mcp#a",
            "A server URL has no fragment.",
        ),
        (
            "user",
            "https://user:secret@mail.example.com/mcp",
            "A server URL has no user information.",
        ),
        (
            "backslash",
            "https://mail.example.com\\@attacker.example/mcp",
            "Parsers disagree on the host of this.",
        ),
        (
            "tab",
            "https://mail.example.com/m\tcp",
            "URL parsers drop a tab silently.",
        ),
        (
            "homoglyph",
            "https://m\u{430}il.example.com/mcp",
            "A host is in ASCII; one letter is Cyrillic.",
        ),
        (
            "trailing-space",
            "https://mail.example.com/mcp ",
            "Nothing is trimmed.",
        ),
        (
            "dot-segment",
            "https://mail.example.com/a/../mcp",
            "A URL parser changes this one.",
        ),
        (
            "default-port",
            "https://mail.example.com:443/mcp",
            "The default port is not written.",
        ),
        (
            "ip-as-number",
            "https://2130706433/mcp",
            "URL parsers read this host as 127.0.0.1.",
        ),
    ] {
        cases.invalid(
            &format!("url-{slug}"),
            "url-invalid",
            "token.url url.form",
            &format!("url: {}", value.escape_debug()),
            comment,
            with(&claims().set("url", quoted(value))),
        );
    }
}

fn status(cases: &mut Cases) {
    for value in ["sign_in", "down", "unknown"] {
        cases.valid(
            &format!("status-{}", value.replace('_', "-")),
            "token.status",
            &format!("status: {value}"),
            "One of the four words.",
            with(&claims().set("status", quoted(value))),
        );
    }
    for (slug, value, comment) in [
        ("upper-case", "OK", "The words are in lower case."),
        ("hyphen", "sign-in", "The word has an underscore."),
        ("other", "up", "A fifth word is none."),
        ("empty", "", "An empty string is none of the four words."),
        ("trailing-space", "ok ", "Nothing is trimmed."),
        (
            "trailing-line-feed",
            "ok\n",
            "A pattern that ends in $ lets a final line feed pass.",
        ),
        ("prefix", "o", "The start of a word is not the word."),
    ] {
        cases.invalid(
            &format!("status-{slug}"),
            "status-invalid",
            "token.status",
            &format!("status: {}", value.escape_debug()),
            comment,
            with(&claims().set("status", quoted(value))),
        );
    }
}

fn unknown(cases: &mut Cases) {
    for (slug, name, value, comment) in [
        (
            "jti",
            "jti",
            "1",
            "A claim that RFC 7519 has and the text has not is unknown, and its type does not matter.",
        ),
        (
            "name",
            "name",
            "1",
            "The claims of a record mean nothing in another token.",
        ),
        (
            "exp-upper-case",
            "EXP",
            "1",
            "A claim whose name differs in case is another: a reader that ignores case takes this for the end.",
        ),
        (
            "proto",
            "__proto__",
            "{\"aud\":1,\"nbf\":9007199254740991}",
            "A reader that builds JavaScript objects must not find claims in here.",
        ),
        (
            "nested-token",
            "token",
            "{\"iss\":\"https://other.example\"}",
            "Claims inside an unknown claim are none.",
        ),
    ] {
        cases.valid(
            &format!("claim-unknown-{slug}"),
            "token.claims.unknown",
            &format!("{name}: {value}"),
            comment,
            with(&claims().and(name, value)),
        );
    }
}

/// Two faults each: the rule says which is reported.
fn order(cases: &mut Cases) {
    let wrong_url = |claims: Object| claims.set("url", "1");
    for (slug, code, change, made) in [
        (
            "json-before-iss",
            "payload-duplicate-member",
            "iss twice, the first wrong",
            claims().first("iss", "\"https://other.example\""),
        ),
        (
            "iss-before-iat",
            "iss-mismatch",
            "another iss, without iat",
            claims()
                .set("iss", "\"https://other.example\"")
                .without("iat"),
        ),
        (
            "iat-before-exp",
            "claim-range",
            "iat out of range, without exp",
            claims().set("iat", "-1").without("exp"),
        ),
        (
            "exp-before-nbf",
            "claim-missing",
            "without exp, nbf a string",
            claims().without("exp").and("nbf", "\"0\""),
        ),
        (
            "nbf-type-before-times",
            "claim-type",
            "exp before iat, nbf a string",
            claims().set("exp", "1").and("nbf", "\"0\""),
        ),
        (
            "after-iat-before-max-life",
            "lifetime-invalid",
            "exp before an iat in the future",
            claims().set("exp", "1").set("iat", "9007199254740991"),
        ),
        (
            "max-life-before-iat-future",
            "lifetime-too-long",
            "iat in the future, with too long a life",
            claims().set("iat", "1900000000").set("exp", "1900172801"),
        ),
        (
            "max-life-before-expired",
            "lifetime-too-long",
            "expired, after too long a life",
            claims().set("iat", "1000000000").set("exp", "1000172801"),
        ),
        (
            "iat-future-before-nbf",
            "issued-in-future",
            "iat and nbf in the future",
            claims()
                .set("iat", "1900000000")
                .set("exp", "1900000001")
                .and("nbf", "1900000000"),
        ),
        (
            "expired-before-nbf",
            "expired",
            "expired, with nbf in the future",
            claims()
                .set("iat", "1000000000")
                .set("exp", "1000000001")
                .and("nbf", "1900000000"),
        ),
        (
            "times-before-aud",
            "expired",
            "expired, with aud",
            claims()
                .set("iat", "1000000000")
                .set("exp", "1000000001")
                .and("aud", "1"),
        ),
        (
            "nbf-before-aud",
            "not-yet-valid",
            "nbf in the future, with aud",
            claims().and("nbf", "1900000000").and("aud", "1"),
        ),
        (
            "aud-before-url",
            "aud-unexpected",
            "aud, and url a number",
            wrong_url(claims().and("aud", "1")),
        ),
        (
            "url-before-status",
            "claim-type",
            "url a number, without status",
            wrong_url(claims().without("status")),
        ),
        (
            "status-before-checked-at",
            "status-invalid",
            "another status, without checked_at",
            claims().set("status", "\"up\"").without("checked_at"),
        ),
        (
            "url-form-before-status",
            "url-invalid",
            "url without a path, status a number",
            claims()
                .set("url", "\"https://mail.example.com\"")
                .set("status", "1"),
        ),
    ] {
        cases.invalid(
            &format!("claims-order-{slug}"),
            code,
            "token.claims.order",
            change,
            "Two faults: the order of the checks decides which code is reported.",
            with(&made),
        );
    }
    cases.valid(
        "claims-of-other-url",
        "token.claims",
        "url of another server",
        "Any server URL will do.",
        with(&claims().set("url", quoted(&URL.replace("mail", "post")))),
    );
}
