//! What a client uses again, and until when (§4.1, §10.3).

use super::super::cases::Cases;
use super::party::{ONE, Offer, TWO};
use super::reply::Reply;
use super::scenario::{ANSWER, DISCOVERY, NEED, Scenario};
use super::{MAIL, POST, confirmed, fields};

pub(super) const JSON: &str = "Content-Type: application/json";

/// Needs of calls in which an answer is not reused.
pub(super) const OTHER_NEEDS: [&str; 3] = ["book a table", "watch birds", "post a letter"];

pub(super) fn add(cases: &mut Cases) {
    discovery(cases);
    confirmed::add(cases);
    answers(cases);
    expiry(cases);
    fields::add(cases);
}

/// A discovery document with these header fields beside its type.
pub(super) fn document(headers: &[&str]) -> Reply {
    Reply::of(&ONE.discovery(), &[&[JSON], headers].concat())
}

/// Calls at these times, each for another need, in which the document is fetched where the flag says so.
fn calls(first: &Reply, times: &[(i64, bool)]) -> Scenario {
    let mut scenario = Scenario::in_order([ONE])
        .need(0, NEED)
        .discovers(ONE, first)
        .resolve(ONE, &[])
        .says(ONE.answered());
    for ((seconds, again), need) in times.iter().zip(OTHER_NEEDS) {
        scenario = scenario.need(*seconds, need);
        if *again {
            scenario = scenario.discovers(ONE, first);
        }
        scenario = scenario.resolve(ONE, &[]).says(ONE.answered());
    }
    scenario
}

/// A discovery document with these header fields, a second before it is too old and when it is.
pub(super) fn document_kept(
    cases: &mut Cases,
    slug: &str,
    headers: &[&str],
    seconds: i64,
    change: &str,
) {
    let reply = document(headers);
    cases.other_scene(
        &format!("discovery-kept-{slug}"),
        "client.reuse discovery.cache-time",
        &format!("{change}: a call a second before the time is over"),
        "A second is left.",
        &calls(&reply, &[(seconds - 1, false)]),
    );
    cases.other_scene(
        &format!("discovery-too-old-{slug}"),
        "discovery.cache-time",
        &format!("{change}: a call when the time is over"),
        "The time is over, and the document is fetched again.",
        &calls(&reply, &[(seconds, true)]),
    );
}

/// A discovery document that may be used in the running call only.
pub(super) fn document_of_one_call(cases: &mut Cases, slug: &str, headers: &[&str], change: &str) {
    cases.other_scene(
        &format!("discovery-{slug}"),
        "discovery.cache-time",
        &format!("{change}: a call a second later"),
        "The document is for the running call only.",
        &calls(&document(headers), &[(1, true)]),
    );
}

fn discovery(cases: &mut Cases) {
    cases.scene(
        "discovery-kept",
        "client.reuse discovery.cache-time",
        "A second call, 3,599 seconds later: the discovery document is kept for its max-age of 3,600.",
        &calls(&document(&[DISCOVERY[1]]), &[(3599, false)]),
    );
    let too_old: [(&str, &[&str], i64, &str); 12] = [
        ("max-age", &["Cache-Control: max-age=60"], 60, "max-age=60"),
        ("no-header", &[], 3600, "no Cache-Control"),
        (
            "no-max-age",
            &["Cache-Control: public"],
            3600,
            "Cache-Control without max-age",
        ),
        (
            "no-digits",
            &["Cache-Control: max-age=soon"],
            3600,
            "max-age=soon",
        ),
        (
            "longest",
            &["Cache-Control: max-age=604800"],
            86_400,
            "max-age of a week",
        ),
        (
            "age",
            &["Cache-Control: max-age=100", "Age: 40"],
            60,
            "max-age=100 and Age: 40",
        ),
        (
            "first-max-age",
            &["Cache-Control: max-age=60, max-age=600"],
            60,
            "two max-age",
        ),
        (
            "upper-case",
            &["Cache-Control: Public,Max-Age=60"],
            60,
            "Max-Age=60",
        ),
        (
            "two-lines",
            &["Cache-Control: public", "Cache-Control: max-age=60"],
            60,
            "max-age in the second of two header fields",
        ),
        (
            "shared-max-age",
            &["Cache-Control: s-maxage=10, max-age=60"],
            60,
            "s-maxage=10, which is for shared caches, and max-age=60",
        ),
        (
            "more-digits-than-a-number",
            &["Cache-Control: max-age=99999999999999999999999999"],
            86_400,
            "max-age of 26 digits",
        ),
        (
            "age-of-no-form",
            &["Cache-Control: max-age=60", "Age: young"],
            60,
            "max-age=60 and an Age of no form",
        ),
    ];
    for (slug, headers, seconds, change) in too_old {
        document_kept(cases, slug, headers, seconds, change);
    }
    for (slug, headers, change) in [
        (
            "no-store",
            &["Cache-Control: no-store, max-age=3600"][..],
            "no-store beside a max-age",
        ),
        (
            "no-cache",
            &["Cache-Control: max-age=3600, no-cache"],
            "no-cache beside a max-age",
        ),
        ("max-age-zero", &["Cache-Control: max-age=0"], "max-age=0"),
        (
            "older-than-its-max-age",
            &["Cache-Control: max-age=60", "Age: 60"],
            "an Age as large as the max-age",
        ),
    ] {
        document_of_one_call(cases, slug, headers, change);
    }
    cases.other_scene(
        "discovery-received-later-than-now",
        "client.cache-clock",
        "the second call is a minute before the first, since the clock went back",
        "Nobody knows how old the copy is: the document is fetched again.",
        &calls(&document(&[DISCOVERY[1]]), &[(-60, true)]),
    );
    cases.other_scene(
        "discovery-received-now",
        "client.reuse client.cache-clock discovery.cache-time",
        "the second call is in the second of the first",
        "What came now did not come later than now.",
        &calls(&document(&[DISCOVERY[1]]), &[(0, false)]),
    );
    let short = document(&["Cache-Control: max-age=60"]);
    cases.other_scene(
        "discovery-too-old-and-gone",
        "discovery.cache-time client.fails-open",
        "the copy is too old, and the document cannot be fetched",
        "A copy that is too old is not used.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &short)
            .resolve(ONE, &[])
            .says(ONE.answered())
            .need(60, OTHER_NEEDS[0])
            .discovers(ONE, &Reply::status(500, &[]))
            .says(ONE.skipped("status-code")),
    );
    let moved = ONE.discovery().set(
        "endpoints",
        ONE.endpoints()
            .set("resolve", "\"https://one.example/v2/ask\"")
            .text(),
    );
    cases.other_scene(
        "discovery-too-old-and-changed",
        "discovery.cache-time",
        "the copy is too old, and the new document has another endpoint",
        "The new document replaces the copy.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &short)
            .resolve(ONE, &[])
            .says(ONE.answered())
            .need(60, OTHER_NEEDS[0])
            .discovers(ONE, &Reply::of(&moved, &DISCOVERY))
            .sends(ONE.issuer, "/v2/ask", &Reply::of(&ONE.answer(&[]), &ANSWER))
            .says(ONE.answered()),
    );
    cases.other_scene(
        "discovery-failure-is-not-kept",
        "client.reuse client.fails-open",
        "the document is refused in the first call",
        "A failure is not kept: the next call asks again.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(
                ONE,
                &Reply::of(&ONE.discovery().without("policy"), &DISCOVERY),
            )
            .says(ONE.skipped("member-missing"))
            .need(1, NEED)
            .discovery(ONE)
            .resolve(ONE, &[])
            .says(ONE.answered()),
    );
}

/// An answer with these header fields beside its type.
fn answer(offers: &[&Offer], headers: &[&str]) -> Reply {
    Reply::of(&ONE.answer(offers), &[&[JSON], headers].concat())
}

/// A first call that is answered so; the discovery document is kept for a day.
fn first(reply: &Reply, offers: &[&Offer]) -> Scenario {
    Scenario::in_order([ONE])
        .need(0, NEED)
        .discovers(ONE, &document(&["Cache-Control: max-age=86400"]))
        .resolves(ONE, reply)
        .gives(offers)
        .says(ONE.answered())
}

/// The same need once more, with or without a request.
fn same(scenario: Scenario, seconds: i64, offers: &[&Offer], reply: Option<&Reply>) -> Scenario {
    let scenario = scenario.need(seconds, NEED);
    let scenario = match reply {
        Some(reply) => scenario.resolves(ONE, reply),
        None => scenario,
    };
    scenario.gives(offers).says(ONE.answered())
}

/// An answer with these header fields, a second before it is too old and when it is.
pub(super) fn answer_kept(
    cases: &mut Cases,
    slug: &str,
    headers: &[&str],
    seconds: i64,
    change: &str,
) {
    let mail = ONE.offer(MAIL);
    let reply = answer(&[&mail], headers);
    // The base asks this of the first.
    if slug != "max-age" {
        cases.other_scene(
            &format!("answer-reused-{slug}"),
            "client.reuse client.cache",
            &format!("{change}: the same need a second before the time is over"),
            "A second is left.",
            &same(first(&reply, &[&mail]), seconds - 1, &[&mail], None),
        );
    }
    cases.other_scene(
        &format!("answer-too-old-{slug}"),
        "client.cache",
        &format!("{change}: the same need when the time is over"),
        "The time is over, and the resolver is asked again.",
        &same(first(&reply, &[&mail]), seconds, &[&mail], Some(&reply)),
    );
}

/// An answer that may not be reused.
pub(super) fn answer_not_kept(cases: &mut Cases, slug: &str, headers: &[&str], change: &str) {
    let mail = ONE.offer(MAIL);
    let reply = answer(&[&mail], headers);
    cases.other_scene(
        &format!("answer-{slug}"),
        "client.cache",
        &format!("{change}: the same need a second later"),
        "The answer is not reused.",
        &same(first(&reply, &[&mail]), 1, &[&mail], Some(&reply)),
    );
}

fn answers(cases: &mut Cases) {
    let mail = ONE.offer(MAIL);
    let plain = answer(&[&mail], &["Cache-Control: private, max-age=600"]);
    cases.scene(
        "answer-reused",
        "client.reuse client.cache",
        "The same need 599 seconds later: the answer is reused for its max-age of 600.",
        &same(first(&plain, &[&mail]), 599, &[&mail], None),
    );
    for (slug, headers, seconds, change) in [
        (
            "max-age",
            &["Cache-Control: private, max-age=600"][..],
            600,
            "max-age=600",
        ),
        (
            "longest",
            &["Cache-Control: private, max-age=86400"],
            3600,
            "max-age of a day",
        ),
        (
            "age",
            &["Cache-Control: private, max-age=600", "Age: 500"],
            100,
            "max-age=600 and Age: 500",
        ),
        (
            "first-max-age",
            &["Cache-Control: max-age=60, max-age=600"],
            60,
            "two max-age",
        ),
    ] {
        answer_kept(cases, slug, headers, seconds, change);
    }
    for (slug, headers, change) in [
        ("no-header", &[][..], "no Cache-Control"),
        (
            "no-max-age",
            &["Cache-Control: private"],
            "Cache-Control without max-age",
        ),
        (
            "no-store",
            &["Cache-Control: no-store, max-age=600"],
            "no-store beside a max-age",
        ),
        (
            "no-cache",
            &["Cache-Control: max-age=600, no-cache"],
            "no-cache beside a max-age",
        ),
        ("max-age-zero", &["Cache-Control: max-age=0"], "max-age=0"),
        (
            "no-digits",
            &["Cache-Control: max-age=soon"],
            "max-age=soon",
        ),
    ] {
        answer_not_kept(cases, slug, headers, change);
    }
    cases.other_scene(
        "answer-received-later-than-now",
        "client.cache-clock",
        "the same need a minute before the first call, since the clock went back",
        "Nobody knows how old the answer is: the resolver is asked again, after its document was fetched again.",
        &first(&plain, &[&mail])
            .need(-60, NEED)
            .discovery(ONE)
            .resolves(ONE, &plain)
            .gives(&[&mail])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "answer-received-now",
        "client.reuse client.cache-clock client.cache",
        "the same need in the second of the first call",
        "What came now did not come later than now.",
        &same(first(&plain, &[&mail]), 0, &[&mail], None),
    );
    cases.other_scene(
        "answer-reused-for-the-same-need",
        "client.reuse resolve.need.read",
        "the same need with white space and in another form",
        "It is the same need once it was read.",
        &{
            let need = "r\u{e9}server une table";
            Scenario::in_order([ONE])
                .need(0, need)
                .discovery(ONE)
                .resolves(ONE, &plain)
                .gives(&[&mail])
                .says(ONE.answered())
                .need(10, " re\u{301}server une table ")
                .gives(&[&mail])
                .says(ONE.answered())
        },
    );
    let with =
        |scenario: Scenario, seconds, constraints: &[(&str, &str)], reply: Option<&Reply>| {
            let scenario = scenario.need_with(seconds, NEED, NEED, constraints);
            let scenario = match reply {
                Some(reply) => scenario.resolves(ONE, reply),
                None => scenario,
            };
            scenario.gives(&[&mail]).says(ONE.answered())
        };
    let free = [("payment", "none")];
    cases.other_scene(
        "answer-of-other-constraints",
        "client.cache client.reuse",
        "the same need with a constraint, without, and with it again",
        "Other constraints are another question.",
        &with(
            with(
                with(first(&plain, &[&mail]), 10, &free, Some(&plain)),
                20,
                &[],
                None,
            ),
            30,
            &free,
            None,
        ),
    );
    cases.other_scene(
        "answer-of-another-need",
        "client.cache",
        "another need, that differs in case",
        "Needs are compared as they were read, and case was not changed.",
        &first(&plain, &[&mail])
            .need(10, "Send a transactional email")
            .resolves(ONE, &plain)
            .gives(&[&mail])
            .says(ONE.answered()),
    );
    let two_mail = TWO.offer(MAIL);
    let empty = answer(&[], &["Cache-Control: private, max-age=600"]);
    cases.other_scene(
        "answer-empty-reused",
        "client.reuse client.order",
        "two resolvers, of which the first has nobody",
        "An empty answer is reused as any other, and so is that of the second.",
        &Scenario::in_order([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &empty)
            .discovery(TWO)
            .resolve(TWO, &[&two_mail])
            .gives(&[&two_mail])
            .says(ONE.answered())
            .says(TWO.answered())
            .need(10, NEED)
            .gives(&[&two_mail])
            .says(ONE.answered())
            .says(TWO.answered()),
    );
    cases.other_scene(
        "answer-failure-is-not-kept",
        "client.cache client.fails-open",
        "status 500 with a max-age",
        "A failure is no answer, and is not reused.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(
                ONE,
                &Reply::status(500, &["Cache-Control: private, max-age=600"]),
            )
            .says(ONE.skipped("status-code"))
            .need(1, NEED)
            .resolves(ONE, &plain)
            .gives(&[&mail])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "answer-too-old-and-gone",
        "client.cache client.fails-open",
        "the time is over, and the resolver fails",
        "An answer that is too old is not used.",
        &first(&plain, &[&mail])
            .need(600, NEED)
            .resolves(ONE, &Reply::status(500, &[]))
            .says(ONE.skipped("status-code")),
    );
    cases.other_scene(
        "answer-without-a-document",
        "keys.withdrawn client.cache",
        "the copy of the discovery document is too old, and cannot be fetched",
        "An answer could be reused, but there is no document by which its tokens can be judged.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &document(&["Cache-Control: max-age=60"]))
            .resolves(ONE, &plain)
            .gives(&[&mail])
            .says(ONE.answered())
            .need(60, NEED)
            .discovers(ONE, &Reply::status(500, &[]))
            .says(ONE.skipped("status-code")),
    );
    let moved = Reply::of(
        &ONE.answer(&[&mail]).set("resolver", "\"Other\""),
        &[JSON, "Cache-Control: private, max-age=600"],
    );
    cases.other_scene(
        "answer-reused-with-its-differences",
        "client.reuse resolve.answer.name-read",
        "the answer has another name",
        "What is told of an answer is told of it again.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &moved)
            .gives(&[&mail])
            .says(ONE.answered().copy_differs(&["/resolver"]))
            .need(10, NEED)
            .gives(&[&mail])
            .says(ONE.answered().copy_differs(&["/resolver"])),
    );
}

/// Tokens that expire while an answer could be reused.
fn expiry(cases: &mut Cases) {
    let headers = ["Cache-Control: private, max-age=600"];
    let short = ONE.offer(MAIL).until(100);
    let (long, fresh) = (ONE.offer(POST), ONE.offer(MAIL));
    let both = answer(&[&long, &short], &headers);
    cases.from("answer-reused");
    cases.other_scene(
        "answer-reused-until-the-first-exp",
        "client.reuse client.cache",
        "the second token expires in 100 seconds: the same need after 99",
        "A second is left.",
        &same(first(&both, &[&long, &short]), 99, &[&long, &short], None),
    );
    cases.other_scene(
        "answer-too-old-at-the-first-exp",
        "client.cache",
        "the second token expires in 100 seconds: the same need after 100",
        "No token is used from a cache at its exp: there is no leeway for what can be asked again.",
        &same(
            first(&both, &[&long, &short]),
            100,
            &[&fresh],
            Some(&answer(&[&fresh], &headers)),
        ),
    );
    // Dropped at first, since its key is in no document yet, and kept when the answer is reused.
    let late_key = short.clone().kid("key-2").until(500);
    let ahead = answer(&[&long, &late_key], &["Cache-Control: max-age=3600"]);
    let both_keys = Reply::of(&ONE.discovery_with(["key-1", "key-2"]), &DISCOVERY);
    cases.other_scene(
        "answer-reused-until-the-first-exp-of-those-kept-then",
        "client.reuse client.cache keys.unknown-kid",
        "the second token expires in 500 seconds, and its key is published only before the second of three calls",
        "When the answer came the first was the only one that was kept, and its exp decides, whatever is kept later.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &ahead)
            .discovery(ONE)
            .gives(&[&long])
            .says(ONE.answered().dropped(1, "kid-unknown"))
            .need(400, NEED)
            .discovers(ONE, &both_keys)
            .gives(&[&long, &late_key])
            .says(ONE.answered())
            .need(550, NEED)
            .gives(&[&long, &late_key])
            .says(ONE.answered()),
    );
    let past = ONE.offer(MAIL).until(-10);
    let late = answer(&[&past], &headers);
    cases.other_scene(
        "answer-of-a-token-in-its-leeway",
        "client.cache token.exp.expired",
        "the token expired ten seconds ago: the same need a second later",
        "Within the leeway the token verifies, but the answer is not reused.",
        &same(
            first(&late, &[&past]),
            1,
            &[&fresh],
            Some(&answer(&[&fresh], &headers)),
        ),
    );
    let dead = ONE.offer(MAIL).expired();
    let mixed = answer(&[&dead, &long], &headers);
    let told = || ONE.answered().dropped(0, "expired");
    cases.other_scene(
        "answer-reused-beside-what-was-dropped",
        "client.reuse client.cache",
        "the first token expired yesterday",
        "Only tokens that verified when the answer came count, and the other is dropped again.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &mixed)
            .gives(&[&long])
            .says(told())
            .need(10, NEED)
            .gives(&[&long])
            .says(told()),
    );
    let early = ONE.offer(MAIL).from(400);
    let issued = answer(&[&early], &headers);
    cases.other_scene(
        "answer-reused-is-judged-anew",
        "client.reuse client.cache token.iat.future",
        "the token is issued in 400 seconds: the same need after 200",
        "At first the token is from the future. When the answer is reused it is within the leeway.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &issued)
            .says(ONE.answered().dropped(0, "issued-in-future"))
            .need(200, NEED)
            .gives(&[&early])
            .says(ONE.answered()),
    );
}
