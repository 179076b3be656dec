//! What each outcome of a fetch leaves.

use serde_json::{Value, json};

use super::{
    EARLIER, FILE, Fetched, HOUR_AGO, after, denying, failure, held, served, status, with,
};

pub(super) fn add(fetched: &mut Fetched) {
    first(fetched);
    media_types(fetched);
    gone(fetched);
    last_known(fetched);
}

fn first(fetched: &mut Fetched) {
    fetched.case(
        "never",
        "captxt.fetch.outcome captxt.fetch.cache",
        "no fetch",
        "Where nothing is known yet there is no claim and no restriction; a fetch is due.",
        after([]),
        held().no_file().due(),
    );
    fetched.case(
        "deny",
        "captxt.fetch.outcome captxt.two-readers",
        "a deny of the resolver in the file",
        "The deny reader restricts, and the claims are sound.",
        after([served(HOUR_AGO, &denying())]),
        held().denied(),
    );
    fetched.case(
        "second-file",
        "captxt.fetch.outcome",
        "a file with a deny, and an hour later the plain file",
        "The newest file counts: its owner took the deny out.",
        after([served(EARLIER, &denying()), served(HOUR_AGO, FILE)]),
        held(),
    );
    fetched.case(
        "not-valid",
        "captxt.fetch.outcome captxt.claims-valid-only",
        "a file with a fault and a deny",
        "No claim of a file that is not valid; the deny holds.",
        after([served(
            HOUR_AGO,
            &denying().replace("Protocol: mcp", "Protocol: m c p"),
        )]),
        held().refused("invalid-token").denied(),
    );
    fetched.case(
        "not-valid-twice",
        "captxt.fetch.outcome captxt.claims-valid-only captxt.order",
        "a file with two faults",
        "The code is that of the first.",
        after([served(
            HOUR_AGO,
            &FILE
                .replace("Protocol: mcp", "Protocol: m c p")
                .replace("Jobs: send", "Jobs: x; send"),
        )]),
        held().refused("invalid-token"),
    );
    fetched.case(
        "not-valid-nor-text",
        "captxt.fetch.outcome captxt.claims-valid-only",
        "a file with a fault, of another media type",
        "How it was fetched comes before what is in it.",
        after([with(
            served(HOUR_AGO, &FILE.replace("Protocol: mcp", "Protocol: m c p")),
            "contentType",
            json!("text/html"),
        )]),
        held().refused("fetch-content-type"),
    );
    fetched.case(
        "expired-since",
        "captxt.claims-valid-only captxt.fetch.outcome captxt.expires.past",
        "a file with a deny that expired half an hour after it was fetched",
        "A claim counts only while its file is valid; the deny holds.",
        after([served(
            HOUR_AGO,
            &denying().replace("2027-04-30T00:00:00Z", "2026-11-30T11:30:00Z"),
        )]),
        held().refused("expired").denied(),
    );
}

fn media_types(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.outcome";
    let typed = |value: Value| after([with(served(HOUR_AGO, &denying()), "contentType", value)]);
    for (slug, value, comment) in [
        ("plain", "text/plain", "Without charset."),
        (
            "case",
            "Text/PLAIN;CHARSET=UTF-8",
            "Neither type nor charset has case.",
        ),
        (
            "quoted",
            "text/plain; charset=\"utf-8\"",
            "A value in quotes is the same value.",
        ),
        (
            "space",
            "text/plain ; charset=utf-8",
            "White space may stand before a semicolon.",
        ),
        (
            "other-parameter",
            "text/plain; format=flowed",
            "Another parameter alone.",
        ),
        (
            "parameters",
            "text/plain; format=flowed; charset=utf-8",
            "The charset behind another parameter.",
        ),
    ] {
        fetched.case(
            &format!("type-{slug}"),
            RULES,
            value,
            comment,
            typed(json!(value)),
            held().denied(),
        );
    }
    const FORM: &str = "captxt.fetch.media-type captxt.fetch.outcome";
    for (slug, value, comment) in [
        (
            "empty-parameter",
            "text/plain;; charset=utf-8 ;",
            "The form allows a semicolon that nothing follows.",
        ),
        (
            "escaped",
            "text/plain; charset=\"u\\tf-8\"",
            "A backslash in quotes stands for the character behind it.",
        ),
        (
            "charset-in-quotes",
            "text/plain; x=\"; charset=iso-8859-1\"",
            "What stands in quotes is no parameter.",
        ),
    ] {
        fetched.case(
            &format!("type-{slug}"),
            FORM,
            value,
            comment,
            typed(json!(value)),
            held().denied(),
        );
    }
    for (slug, value, comment) in [
        (
            "spaced",
            "text/plain; charset = utf-8",
            "No white space stands around the equals sign.",
        ),
        ("bare", "text/plain; charset", "A parameter has a value."),
        (
            "open-quote",
            "text/plain; charset=\"utf-8",
            "What opens a quote closes it.",
        ),
        (
            "twice",
            "text/plain; charset=utf-8; charset=utf-8",
            "Readers differ in which of two they take, so that neither counts.",
        ),
    ] {
        fetched.case(
            &format!("type-not-{slug}"),
            FORM,
            value,
            &format!("{comment} The claims do not count, and the deny does."),
            typed(json!(value)),
            held().refused("fetch-content-type").denied(),
        );
    }
    for (slug, value, comment) in [
        (
            "html",
            json!("text/html; charset=utf-8"),
            "A web page that answers for every path.",
        ),
        ("markdown", json!("text/markdown"), "Another kind of text."),
        (
            "octets",
            json!("application/octet-stream"),
            "What servers say of files they do not know.",
        ),
        (
            "longer",
            json!("text/plainer"),
            "A type that only starts like the right one.",
        ),
        (
            "latin-1",
            json!("text/plain; charset=iso-8859-1"),
            "Another charset.",
        ),
        (
            "utf-16",
            json!("text/plain; charset=utf-16"),
            "Another charset.",
        ),
        (
            "utf8",
            json!("text/plain; charset=utf8"),
            "The name of the charset has a hyphen.",
        ),
        ("none", Value::Null, "No media type."),
    ] {
        fetched.case(
            &format!("type-not-{slug}"),
            RULES,
            &value.to_string(),
            &format!("{comment} The claims do not count, and the deny does."),
            typed(value),
            held().refused("fetch-content-type").denied(),
        );
    }
}

fn gone(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.outcome";
    for code in [404, 410] {
        fetched.case(
            &format!("status-{code}"),
            RULES,
            &format!("a file with a deny, and an hour later status {code}"),
            "The owner took the file away, and the restriction with it.",
            after([served(EARLIER, &denying()), status(HOUR_AGO, code)]),
            held().no_file(),
        );
    }
    for code in [400, 401, 403, 451, 499] {
        fetched.case(
            &format!("status-{code}"),
            RULES,
            &format!("a file with a deny, and an hour later status {code}"),
            "No file, so no claims; but nobody said that the restriction has ended.",
            after([served(EARLIER, &denying()), status(HOUR_AGO, code)]),
            held().no_file().denied(),
        );
    }
    fetched.case(
        "status-403-first",
        RULES,
        "status 403 and nothing before",
        "There is no earlier restriction.",
        after([status(HOUR_AGO, 403)]),
        held().no_file(),
    );
    fetched.case(
        "status-403-behind-404",
        RULES,
        "a file with a deny, then 404, then 403",
        "The restriction ended with 404, and 403 does not bring it back.",
        after([
            served("2026-11-30T09:00:00Z", &denying()),
            status(EARLIER, 404),
            status(HOUR_AGO, 403),
        ]),
        held().no_file(),
    );
}

fn last_known(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.outcome";
    for code in [204, 206, 304, 429, 500, 503] {
        fetched.case(
            &format!("status-{code}"),
            RULES,
            &format!("a file with a deny, and an hour later status {code}"),
            "Claims and restriction are the last known.",
            after([served(EARLIER, &denying()), status(HOUR_AGO, code)]),
            held().denied(),
        );
    }
    for (name, comment) in [
        ("timeout", "No answer in time."),
        ("tls", "No connection that can be trusted."),
        ("transfer", "The connection broke."),
        ("truncated", "The body was shorter than announced."),
    ] {
        fetched.case(
            &format!("failure-{name}"),
            RULES,
            &format!("a file with a deny, and an hour later the failure {name}"),
            &format!("{comment} Claims and restriction are the last known."),
            after([served(EARLIER, &denying()), failure(HOUR_AGO, name)]),
            held().denied(),
        );
    }
    fetched.case(
        "status-304-behind-403",
        RULES,
        "a file with a deny, then 403, then 304",
        "What 403 took away does not come back: it is as it was before the 304.",
        after([
            served("2026-11-30T09:00:00Z", &denying()),
            status(EARLIER, 403),
            status(HOUR_AGO, 304),
        ]),
        held().no_file().denied(),
    );
    fetched.case(
        "failure-first",
        RULES,
        "a failure and nothing before",
        "Nothing is known yet.",
        after([failure(HOUR_AGO, "timeout")]),
        held().no_file(),
    );
    for (slug, fetch, held, comment) in [
        (
            "404",
            status(EARLIER, 404),
            held().no_file(),
            "No file and no restriction is what was last known.",
        ),
        (
            "403",
            status(EARLIER, 403),
            held().no_file().denied(),
            "No file and the restriction is what was last known.",
        ),
        (
            "html",
            with(
                served(EARLIER, &denying()),
                "contentType",
                json!("text/html"),
            ),
            held().refused("fetch-content-type").denied(),
            "A restriction without claims is what was last known.",
        ),
    ] {
        fetched.case(
            &format!("failure-behind-{slug}"),
            RULES,
            &format!("a file with a deny, then {slug}, then a failure"),
            comment,
            after([
                served("2026-11-30T09:00:00Z", &denying()),
                fetch,
                failure(HOUR_AGO, "timeout"),
            ]),
            held,
        );
    }
}
