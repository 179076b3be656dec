//! Resolvers that ask for time (§10.2).

use super::super::cases::Cases;
use super::party::{ONE, TWO, http_date};
use super::reply::Reply;
use super::scenario::{ANSWER, NEED, Scenario};
use super::{MAIL, POST};

/// Needs of the calls after the first.
const NEEDS: [&str; 3] = ["book a table", "watch birds", "post a letter"];

fn busy(status: u16, retry_after: &str) -> Reply {
    Reply::status(status, &[]).and(format!("Retry-After: {retry_after}"))
}

/// A first call that is answered so, and calls at these times; the flag says whether the resolver is asked.
fn calls(reply: &Reply, times: &[(i64, bool)]) -> Scenario {
    let mut scenario = Scenario::in_order([ONE])
        .need(0, NEED)
        .discovers(ONE, &kept())
        .resolves(ONE, reply)
        .says(ONE.skipped("status-code"));
    for ((seconds, asked), need) in times.iter().zip(NEEDS) {
        scenario = scenario.need(*seconds, need);
        scenario = if *asked {
            scenario.resolve(ONE, &[]).says(ONE.answered())
        } else {
            scenario.says(ONE.skipped("status-code"))
        };
    }
    scenario
}

/// A discovery document that is kept for a day.
fn kept() -> Reply {
    Reply::of(
        &ONE.discovery(),
        &[
            "Content-Type: application/json",
            "Cache-Control: max-age=86400",
        ],
    )
}

pub(super) fn add(cases: &mut Cases) {
    let (mail, post) = (ONE.offer(MAIL), TWO.offer(POST));
    cases.scene(
        "retry-not-needed",
        "client.retry-after",
        "A resolver that answers with a Retry-After and status 200: it is asked again at once.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &kept())
            .resolves(
                ONE,
                &Reply::of(&ONE.answer(&[]), &ANSWER).and("Retry-After: 600"),
            )
            .says(ONE.answered())
            .need(1, NEEDS[0])
            .resolve(ONE, &[])
            .says(ONE.answered()),
    );
    for (slug, reply, seconds, change) in [
        (
            "seconds",
            busy(429, "120"),
            120,
            "status 429, Retry-After: 120",
        ),
        (
            "unavailable",
            busy(503, "120"),
            120,
            "status 503, Retry-After: 120",
        ),
        (
            "date",
            busy(429, &http_date(120)),
            120,
            "status 429, Retry-After with a date in 120 seconds",
        ),
        (
            "rfc-850-date",
            busy(429, "Monday, 30-Nov-26 12:02:00 GMT"),
            120,
            "status 429, Retry-After with a date in 120 seconds in the form of RFC 850",
        ),
        (
            "asctime-date",
            busy(503, "Mon Nov 30 12:02:00 2026"),
            120,
            "status 503, Retry-After with a date in 120 seconds in the form of asctime",
        ),
        (
            "two",
            busy(429, "120").and("Retry-After: 600"),
            120,
            "status 429, Retry-After: 120 and then Retry-After: 600",
        ),
        (
            "longest",
            busy(429, "86400"),
            3600,
            "status 429, Retry-After of a day",
        ),
        (
            "longest-date",
            busy(503, &http_date(86_400)),
            3600,
            "status 503, Retry-After with a date tomorrow",
        ),
        (
            "more-digits-than-a-number",
            busy(429, "99999999999999999999999999"),
            3600,
            "status 429, Retry-After of 26 digits",
        ),
    ] {
        cases.other_scene(
            &format!("retry-{slug}"),
            "client.retry-after",
            change,
            "A second before that time nothing is sent, also not for another need; at that time the resolver is asked.",
            &calls(&reply, &[(1, false), (seconds - 1, false), (seconds, true)]),
        );
    }
    for (slug, reply, change, comment) in [
        (
            "none",
            Reply::status(429, &[]),
            "status 429 without Retry-After",
            "No time is named.",
        ),
        (
            "other-status",
            busy(500, "600"),
            "status 500, Retry-After: 600",
            "Only 429 and 503 count.",
        ),
        (
            "zero",
            busy(429, "0"),
            "status 429, Retry-After: 0",
            "The time that is named has come.",
        ),
        (
            "past-date",
            busy(429, &http_date(-3600)),
            "status 429, Retry-After with a date an hour ago",
            "The time that is named has come.",
        ),
        (
            "no-form",
            busy(429, "soon"),
            "status 429, Retry-After: soon",
            "A value of no form is as none.",
        ),
        (
            "no-form-first",
            busy(429, "soon").and("Retry-After: 600"),
            "status 429, Retry-After: soon and then Retry-After: 600",
            "Of several the first counts, and it is of no form.",
        ),
        (
            "negative",
            busy(503, "-120"),
            "status 503, Retry-After: -120",
            "A value of no form is as none.",
        ),
        (
            "fraction",
            busy(503, "120.5"),
            "status 503, Retry-After: 120.5",
            "A value of no form is as none.",
        ),
    ] {
        cases.other_scene(
            &format!("retry-{slug}"),
            "client.retry-after",
            change,
            comment,
            &calls(&reply, &[(1, true)]),
        );
    }
    cases.other_scene(
        "retry-of-the-discovery-document",
        "client.retry-after",
        "status 503 and Retry-After for the discovery document",
        "It holds for every document of the resolver.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &busy(503, "120"))
            .says(ONE.skipped("status-code"))
            .need(119, NEED)
            .says(ONE.skipped("status-code"))
            .need(120, NEED)
            .discovery(ONE)
            .resolve(ONE, &[])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "retry-of-one-of-two",
        "client.retry-after client.order",
        "two resolvers, the first with status 429 and Retry-After",
        "The second is asked, and goes on being asked.",
        &Scenario::in_order([ONE, TWO])
            .need(0, NEED)
            .discovers(ONE, &kept())
            .resolves(ONE, &busy(429, "120"))
            .discovery(TWO)
            .resolve(TWO, &[&post])
            .gives(&[&post])
            .says(ONE.skipped("status-code"))
            .says(TWO.answered())
            .need(10, NEEDS[0])
            .resolve(TWO, &[&post])
            .gives(&[&post])
            .says(ONE.skipped("status-code"))
            .says(TWO.answered()),
    );
    cases.other_scene(
        "retry-of-a-record",
        "client.retry-after",
        "status 429 and Retry-After for a record",
        "It holds for every document of the resolver.",
        &Scenario::in_order([ONE])
            .record(0, ONE, "id", "s-1")
            .discovers(ONE, &kept())
            .records(ONE, &busy(429, "120"))
            .says(ONE.skipped("status-code"))
            .record(60, ONE, "id", "s-1")
            .says(ONE.skipped("status-code"))
            .need(120, NEED)
            .resolve(ONE, &[])
            .says(ONE.answered()),
    );
    let new_key = ONE.offer(POST).kid("key-2");
    cases.other_scene(
        "retry-of-a-fetch-for-a-kid",
        "client.retry-after keys.unknown-kid",
        "an unknown kid, and the fetch for it has status 503 and Retry-After",
        "The client goes on with its copy, and the next call sends nothing.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &kept())
            .resolve(ONE, &[&mail, &new_key])
            .discovers(ONE, &busy(503, "120"))
            .gives(&[&mail])
            .says(
                ONE.answered()
                    .refresh("status-code")
                    .dropped(1, "kid-unknown"),
            )
            .need(10, NEEDS[0])
            .says(ONE.skipped("status-code")),
    );
    let long = Reply::of(
        &ONE.answer(&[&mail, &new_key]),
        &[
            "Content-Type: application/json",
            "Cache-Control: private, max-age=3600",
        ],
    );
    let unknown = || ONE.answered().dropped(1, "kid-unknown");
    let newer = Reply::of(&ONE.discovery_with(["key-1", "key-2"]), &ANSWER);
    cases.other_scene(
        "retry-forbids-a-fetch-for-a-kid",
        "client.retry-after keys.unknown-kid client.reuse",
        "an answer with an unknown kid is reused while the resolver asks for time, and again after it",
        "The fetch that is forbidden has failed with status-code, and does not count for the 300 seconds.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &kept())
            .resolves(ONE, &long)
            .discovers(ONE, &kept())
            .gives(&[&mail])
            .says(unknown())
            .need(301, NEEDS[0])
            .resolves(ONE, &busy(503, "120"))
            .says(ONE.skipped("status-code"))
            .need(310, NEED)
            .gives(&[&mail])
            .says(unknown().refresh("status-code"))
            .need(430, NEED)
            .discovers(ONE, &newer)
            .gives(&[&mail, &new_key])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "retry-while-no-fetch-for-a-kid-is-due",
        "keys.unknown-kid client.retry-after client.reuse",
        "the fetch for a kid has status 503 and Retry-After, and the answer is reused 100 seconds later",
        "No fetch is due within 300 seconds, so that none has failed.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &kept())
            .resolves(ONE, &long)
            .discovers(ONE, &busy(503, "200"))
            .gives(&[&mail])
            .says(unknown().refresh("status-code"))
            .need(100, NEED)
            .gives(&[&mail])
            .says(unknown()),
    );
    cases.other_scene(
        "retry-and-a-clock-that-went-back",
        "client.cache-clock client.retry-after",
        "status 429, Retry-After of an hour, and a second call that is a second before the first",
        "No answer can have named a time that is more than an hour away.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &kept())
            .resolves(ONE, &busy(429, "3600"))
            .says(ONE.skipped("status-code"))
            .need(-1, NEEDS[0])
            .discovers(ONE, &kept())
            .resolve(ONE, &[])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "retry-and-a-clock-that-went-back-a-little",
        "client.retry-after client.cache-clock",
        "status 429, Retry-After: 120, and a second call that is a minute before the first",
        "The time that was named has not come.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &kept())
            .resolves(ONE, &busy(429, "120"))
            .says(ONE.skipped("status-code"))
            .need(-60, NEEDS[0])
            .says(ONE.skipped("status-code")),
    );
    cases.other_scene(
        "retry-and-an-answer-that-is-reused",
        "client.retry-after client.reuse",
        "an answer is reused while another need has to wait",
        "To reuse is not to ask.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &kept())
            .resolve(ONE, &[&mail])
            .gives(&[&mail])
            .says(ONE.answered())
            .need(10, NEEDS[0])
            .resolves(ONE, &busy(429, "120"))
            .says(ONE.skipped("status-code"))
            .need(20, NEED)
            .gives(&[&mail])
            .says(ONE.answered()),
    );
}
