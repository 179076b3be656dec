//! The claims that only the token of a record has.

use super::{record_claims, signed};
use crate::generate::build::{CHECKED_AT, quoted};
use crate::generate::cases::Cases;

pub(super) fn add(cases: &mut Cases) {
    names(cases);
    first_seen(cases);
    history(cases);
    history_types(cases);
}

fn names(cases: &mut Cases) {
    let named = |name: &str| signed(&record_claims().set("name", quoted(name)));
    for (slug, name, comment) in [
        ("1-character", "N".to_owned(), "As short as a name may be."),
        (
            "200-characters",
            "n".repeat(200),
            "As long as a name may be.",
        ),
        (
            "200-wide-characters",
            "\u{1f4ec}".repeat(200),
            "200 characters are 400 units of UTF-16 and 800 bytes.",
        ),
        (
            "joiner",
            "\u{1f469}\u{200d}\u{1f4bb}".to_owned(),
            "U+200D is not unsafe.",
        ),
    ] {
        cases.valid(
            &format!("name-{slug}"),
            "record.name text.character",
            &format!("a name of {} characters", name.chars().count()),
            comment,
            named(&name),
        );
    }
    for (slug, name, rules, comment) in [
        (
            "empty",
            String::new(),
            "record.name",
            "A name has at least one character.",
        ),
        (
            "201-characters",
            "n".repeat(201),
            "record.name text.character",
            "One character more than a name may have.",
        ),
        (
            "201-wide-characters",
            "\u{1f4ec}".repeat(201),
            "record.name text.character",
            "One character more, each of four bytes.",
        ),
        (
            "202-code-points",
            "e\u{301}".repeat(101),
            "record.name text.character",
            "101 letters, but 202 scalar values: nothing is normalized.",
        ),
        (
            "control",
            "a\u{1b}[31mb".to_owned(),
            "record.name text.control",
            "An escape sequence of terminals begins with a control character.",
        ),
        (
            "delete",
            "a\u{7f}b".to_owned(),
            "record.name text.control",
            "U+007F is a control character.",
        ),
        (
            "next-line",
            "a\u{85}b".to_owned(),
            "record.name text.control",
            "U+0085 is a control character.",
        ),
        (
            "bidi-override",
            "a\u{202e}b".to_owned(),
            "record.name text.unsafe",
            "It turns the direction of what comes after.",
        ),
        (
            "zero-width-space",
            "a\u{200b}b".to_owned(),
            "record.name text.unsafe",
            "It is invisible.",
        ),
        (
            "tag-character",
            "a\u{e0041}b".to_owned(),
            "record.name text.unsafe",
            "Invisible letters, in which text for models has been hidden.",
        ),
    ] {
        cases.invalid(
            &format!("name-{slug}"),
            "name-invalid",
            rules,
            &format!(
                "a name of {} characters: {}",
                name.chars().count(),
                name.chars().take(8).collect::<String>().escape_unicode()
            ),
            comment,
            named(&name),
        );
    }
}

fn first_seen(cases: &mut Cases) {
    let seen = |time: &str| signed(&record_claims().set("first_seen", quoted(time)));
    cases.valid(
        "first-seen-is-checked-at",
        "record.first-seen",
        "first_seen equal to checked_at",
        "The first observation is the last.",
        seen(CHECKED_AT),
    );
    cases.invalid("first-seen-after-checked-at", "first-seen-invalid", "record.first-seen", "first_seen one second after checked_at", "Nothing is seen first after it was checked: there is no leeway between two claims of one clock.", seen("2026-11-30T11:58:31Z"));
    cases.valid(
        "first-seen-year-1",
        "record.first-seen time.document",
        "first_seen at the start of the calendar",
        "Long ago, and a time of the text.",
        seen("0001-01-01T00:00:00Z"),
    );
    for (slug, value, comment) in [
        ("empty", "", "An empty string is no time."),
        ("date", "2026-08-02", "A date is no time."),
        (
            "offset",
            "2026-08-02T06:30:00+00:00",
            "The one way to write UTC is Z.",
        ),
        (
            "impossible-date",
            "2026-02-29T06:30:00Z",
            "2026 is no leap year.",
        ),
    ] {
        cases.invalid(
            &format!("first-seen-{slug}"),
            "first-seen-invalid",
            "record.first-seen time.document",
            &format!("first_seen: {value}"),
            comment,
            seen(value),
        );
    }
}

fn history(cases: &mut Cases) {
    let with = |value: &str| signed(&record_claims().and("history", quoted(value)));
    cases.valid(
        "history",
        "record.history-form record.history",
        "a claim history on the issuer",
        "The claim is optional, and a client that does not use it accepts it.",
        with("https://resolver.example/history/s-1"),
    );
    cases.valid(
        "history-query",
        "record.history-form url.form",
        "a claim history with a query",
        "A server URL may have a query.",
        with("https://resolver.example/history?id=s-1"),
    );
    for (slug, value, comment) in [
        (
            "other-origin",
            "https://other.example/history",
            "The history of a resolver is on its own origin.",
        ),
        (
            "other-port",
            "https://resolver.example:8443/history",
            "Another port is another origin.",
        ),
        ("http", "http://resolver.example/history", "Another scheme."),
        ("relative", "/history", "Not a whole URL."),
        ("empty", "", "No URL."),
        (
            "fragment",
            "https://resolver.example/history#a",
            "No fragment.",
        ),
    ] {
        cases.invalid(
            &format!("history-{slug}"),
            "history-invalid",
            "record.history-form",
            &format!("history: {value}"),
            comment,
            with(value),
        );
    }
}

/// A `history` of another type has the code of its form.
fn history_types(cases: &mut Cases) {
    for (slug, value) in [
        ("null", "null"),
        ("number", "1"),
        ("array", "[]"),
        ("object", "{\"url\":\"https://resolver.example/history\"}"),
    ] {
        cases.invalid(
            &format!("history-{slug}"),
            "history-invalid",
            "record.history-form",
            &format!("history: {value}"),
            "No string, so no URL: this claim has one code for everything.",
            signed(&record_claims().and("history", value)),
        );
    }
}
