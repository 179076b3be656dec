//! The time of a resolver and of a call, made from the scenario `none` of resolvers that fail (§10.2).

use super::super::cases::Cases;
use super::party::{ONE, Offer, THREE, TWO};
use super::reply::Reply;
use super::scenario::{ANSWER, Asked, DISCOVERY, NEED, Scenario};
use super::{MAIL, POST};

pub(super) fn add(cases: &mut Cases) {
    let (mail, post, silent) = (ONE.offer(MAIL), TWO.offer(POST), Reply::raw("", "hang"));
    let two_mail = TWO.offer(MAIL);
    cases.scene(
        "none-at-once",
        "client.budget client.fails-open client.merge",
        "Two resolvers that are asked at once, and both answer.",
        &Scenario::at_once([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[&mail])
            .discovery(TWO)
            .resolve(TWO, &[&two_mail])
            .gives_merged("ok", &[&mail, &two_mail])
            .says(ONE.answered())
            .says(TWO.answered()),
    );
    cases.other_scene(
        "at-once-one-hangs",
        "client.budget client.fails-open",
        "the first never answers, the second has another candidate",
        "The call returns when the time of the first is over, with what the second said.",
        &Scenario::at_once([ONE, TWO])
            .budgets(2000, 8000)
            .need(0, NEED)
            .discovers(ONE, &silent)
            .discovery(TWO)
            .resolve(TWO, &[&post])
            .gives(&[&post])
            .says(ONE.skipped("timeout"))
            .says(TWO.answered()),
    );
    cases.other_scene(
        "at-once-call-is-over",
        "client.budget client.fails-open",
        "the first never answers, and the time of the call is the shorter one",
        "The call returns when its own time is over, with what came until then.",
        &Scenario::at_once([ONE, TWO])
            .budgets(60_000, 2000)
            .need(0, NEED)
            .discovers(ONE, &silent)
            .discovery(TWO)
            .resolve(TWO, &[&post])
            .gives(&[&post])
            .says(ONE.skipped("timeout"))
            .says(TWO.answered()),
    );
    cases.from("none");
    cases.other_scene(
        "call-is-over-before-the-last",
        "client.budget",
        "three resolvers that never answer",
        "The time of the call ends while the second is asked: the third is not asked any more.",
        &Scenario::in_order([ONE, TWO, THREE])
            .budgets(1500, 2500)
            .need(0, NEED)
            .discovers(ONE, &silent)
            .discovers(TWO, &silent)
            .says(ONE.skipped("timeout"))
            .says(TWO.skipped("timeout"))
            .says(THREE.skipped("timeout")),
    );
    cases.other_scene(
        "call-is-over-at-the-first",
        "client.budget",
        "the first never answers, and the time of the call is the shorter one",
        "The call returns when its own time is over, and the second is not asked any more.",
        &Scenario::in_order([ONE, TWO])
            .budgets(60_000, 2000)
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &silent)
            .says(ONE.skipped("timeout"))
            .says(TWO.skipped("timeout")),
    );
    cases.other_scene(
        "time-of-two-requests",
        "client.budget",
        "each of the two documents of the first takes 1.4 of 2 seconds",
        "The time is that of both requests together.",
        &Scenario::in_order([ONE, TWO])
            .budgets(2000, 8000)
            .need(0, NEED)
            .discovers(ONE, &Reply::of(&ONE.discovery(), &DISCOVERY).delay(1400))
            .resolves(ONE, &Reply::of(&ONE.answer(&[&mail]), &ANSWER).delay(1400))
            .discovery(TWO)
            .resolve(TWO, &[])
            .says(ONE.skipped("timeout"))
            .says(TWO.answered()),
    );
    cases.other_scene(
        "endless-and-time-for-the-next",
        "discovery.size client.budget client.fails-open",
        "the first document has no end, and a resolver may take all of the time of the call",
        "A client that reads on after the limit has no time left for the second.",
        &Scenario::in_order([ONE, TWO])
            .budgets(4000, 4000)
            .need(0, NEED)
            .discovers(
                ONE,
                &Reply::status(200, &DISCOVERY)
                    .body([(" ", 4096)])
                    .framing("chunked")
                    .end("endless"),
            )
            .discovery(TWO)
            .resolve(TWO, &[&post])
            .gives(&[&post])
            .says(ONE.skipped("document-too-large"))
            .says(TWO.answered()),
    );
    cases.other_scene(
        "call-is-over-for-a-record",
        "client.budget",
        "a record that never comes, and the time of the call is the shorter one",
        "A call for a record has its bound too.",
        &Scenario::in_order([ONE])
            .budgets(60_000, 2000)
            .record(0, ONE, "id", "s-1")
            .discovery(ONE)
            .records(ONE, &silent)
            .says(ONE.skipped("timeout")),
    );
    // An answer that the next call may reuse, and one that it may not.
    let kept = Reply::of(&TWO.answer(&[&post]), &ANSWER);
    let fleeting = Reply::of(&ONE.answer(&[]), &ANSWER).set("Cache-Control: max-age=0");
    let second_call = |second: &Reply, told: Asked, offers: &[&Offer]| {
        Scenario::in_order([ONE, TWO])
            .budgets(60_000, 3000)
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &fleeting)
            .discovery(TWO)
            .resolves(TWO, second)
            .gives(offers)
            .says(ONE.answered())
            .says(told)
            .need(10, NEED)
            .resolves(ONE, &silent)
            .says(ONE.skipped("timeout"))
            .says(TWO.skipped("timeout"))
    };
    cases.other_scene(
        "call-is-over-before-an-answer-that-is-held",
        "client.budget client.reuse",
        "the second has answered before; in the second call the first never answers",
        "A resolver whose turn has not come is skipped with timeout, whatever is held of it.",
        &second_call(&kept, TWO.answered(), &[&post]),
    );
    cases.other_scene(
        "call-is-over-before-one-that-asks-for-time",
        "client.budget client.retry-after client.reuse",
        "the second has asked for time before; in the second call the first never answers",
        "A resolver whose turn has not come is skipped with timeout, whatever it said before.",
        &second_call(
            &Reply::status(503, &["Retry-After: 600"]),
            TWO.skipped("status-code"),
            &[],
        ),
    );
    cases.other_scene(
        "slow-and-in-time",
        "client.budget",
        "each of the two documents of the first takes 0.2 seconds",
        "A slow resolver is not a failing one.",
        &Scenario::in_order([ONE, TWO])
            .need(0, NEED)
            .discovers(ONE, &Reply::of(&ONE.discovery(), &DISCOVERY).delay(200))
            .resolves(ONE, &Reply::of(&ONE.answer(&[&mail]), &ANSWER).delay(200))
            .gives(&[&mail])
            .says(ONE.answered()),
    );
}
