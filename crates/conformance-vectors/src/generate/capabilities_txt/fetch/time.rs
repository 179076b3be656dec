//! How long what is known holds, and when the next fetch is due.

use super::{FILE, Fetched, HOUR_AGO, after, denying, failure, held, served, status};

pub(super) fn add(fetched: &mut Fetched) {
    unreachable(fetched);
    cache(fetched);
}

fn unreachable(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.unreachable captxt.fetch.outcome";
    // Thirty days before now, and a second less.
    let (month_ago, less) = ("2026-10-31T12:00:00Z", "2026-10-31T12:00:01Z");
    let since = |at: &str| {
        after([
            served(at, &denying()),
            failure("2026-11-15T12:00:00Z", "timeout"),
            status(HOUR_AGO, 503),
        ])
    };
    fetched.case(
        "unreachable-less",
        RULES,
        "a file with a deny one second less than 30 days ago, and failures since then",
        "Claims and restriction are still the last known.",
        since(less),
        held().denied(),
    );
    fetched.case(
        "unreachable-30-days",
        RULES,
        "a file with a deny 30 days ago, and failures since then",
        "30 days without another outcome: as after 404.",
        since(month_ago),
        held().no_file(),
    );
    fetched.case(
        "unreachable-but-403",
        RULES,
        "a file with a deny 30 days ago, status 403 later, and a failure",
        "403 is another outcome, by which the restriction stays, and the 30 days begin with it.",
        after([
            served(month_ago, &denying()),
            status("2026-11-01T12:00:00Z", 403),
            failure(HOUR_AGO, "timeout"),
        ]),
        held().no_file().denied(),
    );
    fetched.case(
        "unreachable-but-304",
        RULES,
        "a file with a deny 30 days ago, status 304 later, and a failure",
        "304 confirms the file to a resolver that asked with a condition, and the 30 days begin with it.",
        after([
            served(month_ago, &denying()),
            status("2026-11-20T12:00:00Z", 304),
            failure(HOUR_AGO, "timeout"),
        ]),
        held().denied(),
    );
    fetched.case(
        "unreachable-and-403",
        RULES,
        "a file with a deny 31 days ago, failures for 30 days, and 403",
        "The restriction had ended by then, and 403 does not bring it back.",
        after([
            served("2026-10-30T11:00:00Z", &denying()),
            failure("2026-11-15T12:00:00Z", "tls"),
            failure("2026-11-29T10:59:59Z", "tls"),
            status(HOUR_AGO, 403),
        ]),
        held().no_file(),
    );
    fetched.case(
        "unreachable-and-back",
        RULES,
        "failures for more than 30 days, and then a file with a deny",
        "The newest file counts.",
        after([
            served("2026-10-01T12:00:00Z", FILE),
            failure("2026-11-15T12:00:00Z", "tls"),
            served(HOUR_AGO, &denying()),
        ]),
        held().denied(),
    );
}

fn cache(fetched: &mut Fetched) {
    const RULES: &str = "captxt.fetch.cache";
    fetched.case(
        "cache-less",
        RULES,
        "fetched one second less than 24 hours ago",
        "No fetch is due yet.",
        after([served("2026-11-29T12:00:01Z", FILE)]),
        held(),
    );
    fetched.case(
        "cache-24-hours",
        RULES,
        "fetched 24 hours ago",
        "A fetch is due; until then claims and restriction stay.",
        after([served("2026-11-29T12:00:00Z", &denying())]),
        held().denied().due(),
    );
    fetched.case(
        "cache-failure",
        RULES,
        "fetched two days ago, and a failure an hour ago",
        "That was a fetch, though it brought nothing.",
        after([
            served("2026-11-28T12:00:00Z", FILE),
            failure(HOUR_AGO, "timeout"),
        ]),
        held(),
    );
    fetched.case(
        "cache-404",
        RULES,
        "status 404 a day ago",
        "Where there was no file one is looked for again.",
        after([status("2026-11-29T11:59:59Z", 404)]),
        held().no_file().due(),
    );
}
