//! Conformance, Contact and Resolvers as fields, and where they stand (§11.3).

use super::build::{File, Files, said};

pub(super) fn add(files: &mut Files<'_>) {
    required(files);
    once(files);
    place(files);
    conformance(files);
    contact(files);
}

fn required(files: &mut Files<'_>) {
    files.from("plain");
    for (line, name) in [
        (1, "Conformance"),
        (2, "Contact"),
        (3, "Expires"),
        (4, "Resolvers"),
    ] {
        let lower = name.to_lowercase();
        files.case(
            &format!("missing-{lower}"),
            "captxt.header.required captxt.position",
            &format!("without {name}"),
            "Each of four fields is needed. A file without Resolvers allows every resolver.",
            File::plain().without(line),
            said().error(&format!("missing-{lower}"), 1, 1),
        );
    }
    files.case(
        "header-in-any-order",
        "captxt.header.required",
        "the four fields in another order",
        "They have no order.",
        File::plain()
            .line(1, "Resolvers: *")
            .line(2, "Expires: 2027-04-30T00:00:00Z")
            .line(3, "Contact: mailto:tools@example.com")
            .line(4, "Conformance: Capability Resolution 0.2"),
        said(),
    );
}

fn once(files: &mut Files<'_>) {
    files.from("plain");
    for (line, field) in [
        (1, "Conformance: Capability Resolution 0.2"),
        (3, "Expires: 2027-04-30T00:00:00Z"),
        (4, "Resolvers: *"),
    ] {
        let name = field.split(':').next().unwrap_or_default();
        files.case(
            &format!("duplicate-{}", name.to_lowercase()),
            "captxt.header.once captxt.position",
            &format!("{name} twice"),
            "An error, also if both say the same.",
            File::plain().insert(line, field),
            said().error("duplicate-field", line + 1, 1),
        );
    }
    files.case(
        "duplicate-each",
        "captxt.once captxt.header.once",
        "Expires three times",
        "Each after the first is reported.",
        File::plain()
            .insert(4, "Expires: 2027-04-30T00:00:00Z")
            .insert(5, "Expires: 2027-04-30T00:00:00Z"),
        said()
            .error("duplicate-field", 4, 1)
            .error("duplicate-field", 5, 1),
    );
    files.case(
        "duplicate-nothing-else",
        "captxt.header.once captxt.space-before-colon captxt.empty-value",
        "a second Expires with a space before its colon, and a third without value",
        "Nothing else is said of what follows the names.",
        File::plain()
            .insert(4, "Expires : tomorrow")
            .insert(5, "Expires:"),
        said()
            .error("duplicate-field", 4, 1)
            .error("duplicate-field", 5, 1),
    );
    files.case(
        "duplicate-first-counts",
        "captxt.header.once captxt.expires.past",
        "an Expires that has passed before the one that has not",
        "The first is evaluated, and the second does not repair it.",
        File::plain().insert(3, "Expires: 2026-11-30T11:59:59Z"),
        said()
            .error("expired", 3, 10)
            .error("duplicate-field", 4, 1),
    );
    files.case(
        "contact-repeated",
        "captxt.header.once captxt.contact",
        "three times Contact",
        "Contact may be repeated.",
        File::plain()
            .insert(3, "Contact: https://example.com/contact")
            .insert(4, "Contact: mailto:tools@example.com"),
        said(),
    );
}

fn place(files: &mut Files<'_>) {
    files.from("plain");
    for (line, name, field) in [
        (1, "conformance", "Conformance: Capability Resolution 0.2"),
        (2, "contact", "Contact: mailto:tools@example.com"),
        (3, "expires", "Expires: 2027-04-30T00:00:00Z"),
        (4, "resolvers", "Resolvers: *"),
    ] {
        files.case(
            &format!("in-block-{name}"),
            "captxt.header.place captxt.header.required captxt.position",
            &format!("{name} behind the first Endpoint"),
            "It stands in a block, where it does not belong, and counts as present.",
            File::plain().without(line).and(field),
            said().error("header-field-in-block", 10, 1),
        );
    }
    files.case(
        "in-block-nothing-else",
        "captxt.header.place captxt.header.once captxt.once",
        "Expires twice behind the first Endpoint, with other values",
        "Neither a duplicate nor a date that is none is reported beside the place, nor the missing space.",
        File::plain().and("Expires:tomorrow").and("Expires:"),
        said()
            .error("header-field-in-block", 11, 1)
            .error("header-field-in-block", 12, 1),
    );
    files.case(
        "in-block-space-before-colon",
        "captxt.header.place captxt.space-before-colon captxt.order",
        "Contact with a space before its colon behind the first Endpoint",
        "How the name is written is neither the place nor the value.",
        File::plain().and("Contact : x"),
        said()
            .error("header-field-in-block", 11, 1)
            .error("space-before-colon", 11, 8),
    );
    files.case(
        "in-block-second-expires",
        "captxt.header.place captxt.header.once captxt.space-before-colon captxt.order",
        "a second Expires, with a space before its colon, behind the first Endpoint",
        "There the field is not called a duplicate, and how its name is written is judged.",
        File::plain().and("Expires : x"),
        said()
            .error("header-field-in-block", 11, 1)
            .error("space-before-colon", 11, 8),
    );
}

fn conformance(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, comment) in [
        ("later", "Capability Resolution 0.3", "A later version."),
        (
            "longer",
            "Capability Resolution 0.2.0",
            "Not the same text.",
        ),
        ("case", "capability resolution 0.2", "Case matters."),
        (
            "v",
            "Capability Resolution v0.2",
            "No letter before the number.",
        ),
        ("two-spaces", "Capability  Resolution 0.2", "Two spaces."),
        (
            "no-break-space",
            "Capability Resolution\u{a0}0.2",
            "U+00A0 is no space.",
        ),
        ("number", "0.2", "The number alone."),
        (
            "several",
            "Capability Resolution 0.2, Other 1.0",
            "Another one beside it.",
        ),
    ] {
        files.case(
            &format!("conformance-{slug}"),
            "captxt.conformance captxt.position",
            &value.escape_default().to_string(),
            &format!("{comment} The value is one exact text."),
            File::plain().line(1, &format!("Conformance: {value}")),
            said().error("conformance-unsupported", 1, 14),
        );
    }
}

fn contact(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, comment) in [
        (
            "https",
            "https://example.com/contact?topic=tools#form",
            "A page; a fragment is reserved characters too.",
        ),
        ("tel", "tel:+1-201-555-0123", "A telephone number."),
        (
            "scheme-case",
            "MailTo:tools@example.com",
            "Schemes have no case.",
        ),
        (
            "percent",
            "mailto:tools%2bmcp@example.com",
            "A character that is percent-encoded.",
        ),
        ("one-character", "tel:1", "One character is enough."),
        (
            "all-characters",
            "https:AZaz09-._~:/?#[]@!$&'()*+,;=",
            "All unreserved and reserved characters.",
        ),
    ] {
        files.case(
            &format!("contact-{slug}"),
            "captxt.contact",
            value,
            comment,
            File::plain().line(2, &format!("Contact: {value}")),
            said(),
        );
    }
    for (slug, value, comment) in [
        ("address", "tools@example.com", "An address without scheme."),
        ("http", "http://example.com/contact", "Another scheme."),
        (
            "script",
            "javascript:alert(1)",
            "Another scheme, and a dangerous one.",
        ),
        ("nothing", "mailto:", "Nothing behind the colon."),
        ("space", "mailto:tools @example.com", "A space."),
        (
            "angle-brackets",
            "<mailto:tools@example.com>",
            "Angle brackets are no characters of a URI.",
        ),
        (
            "not-ascii",
            "mailto:jos\u{e9}@example.com",
            "A letter outside of ASCII.",
        ),
        (
            "percent-alone",
            "mailto:100%@example.com",
            "A percent sign without two digits.",
        ),
        (
            "caret",
            "https://example.com/^",
            "A character that is neither reserved nor unreserved.",
        ),
        (
            "quote",
            "https://example.com/\"",
            "A character that is neither reserved nor unreserved.",
        ),
        ("words", "ask at the desk", "Words."),
        (
            "longer-scheme",
            "mailtos:tools@example.com",
            "A scheme that only starts like one of the three.",
        ),
    ] {
        files.case(
            &format!("contact-{slug}"),
            "captxt.contact captxt.position",
            &value.escape_default().to_string(),
            comment,
            File::plain().line(2, &format!("Contact: {value}")),
            said().error("contact-invalid", 2, 10),
        );
    }
    files.case(
        "contact-each",
        "captxt.once captxt.contact",
        "two further contacts, both not allowed",
        "Each Contact is judged.",
        File::plain()
            .insert(3, "Contact: x")
            .insert(4, "Contact: y"),
        said()
            .error("contact-invalid", 3, 10)
            .error("contact-invalid", 4, 10),
    );
}
