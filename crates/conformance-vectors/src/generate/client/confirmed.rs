//! Copies of a discovery document that are confirmed by a 304 (§4.1).
//!
//! Each is told for both kinds of client: one that names its copy gets the 304, and one that does not gets the document
//! again, kept as long.

use super::super::cases::Cases;
use super::POST;
use super::caches::{OTHER_NEEDS, document};
use super::party::ONE;
use super::reply::Reply;
use super::scenario::{NEED, Scenario};

pub(super) fn add(cases: &mut Cases) {
    const ETAG: &str = "\"d-1\"";
    let tagged = |headers: &[&str]| document(&[&["ETag: \"d-1\""], headers].concat());
    let first = tagged(&["Cache-Control: max-age=60"]);
    let start = || {
        Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &first)
            .resolve(ONE, &[])
            .says(ONE.answered())
    };
    let later = |scenario: Scenario, seconds: i64, need: usize, reply: Option<&Reply>| {
        let scenario = scenario.need(seconds, OTHER_NEEDS[need]);
        let scenario = match reply {
            Some(reply) => scenario.discovers(ONE, reply),
            None => scenario,
        };
        scenario.resolve(ONE, &[]).says(ONE.answered())
    };
    cases.scene(
        "etag-confirmed",
        "discovery.not-modified http.redirect-not-followed discovery.etag",
        "The copy is too old and has an ETag: a client may name it and gets a 304, or the document again if it does not.",
        &later(start(), 60, 0, Some(&first.clone().confirm(ETAG, &["ETag: \"d-1\""]))),
    );
    cases.other_scene(
        "etag-and-another-document",
        "discovery.etag",
        "the document is another one by now",
        "Status 200 brings the new document.",
        &later(start(), 60, 0, Some(&first)),
    );
    for (slug, headers, confirmed, seconds, change) in [
        (
            "copy",
            &["Cache-Control: max-age=60"][..],
            &[][..],
            60,
            "the 304 has no Cache-Control",
        ),
        (
            "answer",
            &["Cache-Control: max-age=600"],
            &["Cache-Control: max-age=600"],
            600,
            "Cache-Control: max-age=600 by then",
        ),
        (
            "age",
            &["Cache-Control: max-age=600", "Age: 100"],
            &["Cache-Control: max-age=600", "Age: 100"],
            500,
            "max-age=600 and Age: 100 by then",
        ),
    ] {
        let reply = tagged(headers).confirm(ETAG, confirmed);
        let once = later(start(), 60, 0, Some(&reply));
        let kept = later(once, 60 + seconds - 1, 1, None);
        cases.other_scene(
            &format!("etag-time-of-the-{slug}"),
            "discovery.not-modified client.reuse",
            change,
            "The time begins again with the 304, or with the document; a second before it is over nothing is fetched, and when it \
             is over it is asked for again.",
            &later(kept, 60 + seconds, 2, Some(&reply)),
        );
    }
    // What the copy has, how it is confirmed, and in how many seconds it is too old again.
    for (slug, copy, confirmed, again, seconds, change) in [
        (
            "age-of-the-copy-is-over",
            &["Cache-Control: max-age=160", "Age: 100"][..],
            &[][..],
            &["Cache-Control: max-age=160"][..],
            160,
            "max-age=160 and Age: 100 of the copy, none of both of the 304",
        ),
        (
            "age-beside-the-copy",
            &["Cache-Control: max-age=60"],
            &["Age: 40"],
            &["Cache-Control: max-age=60", "Age: 40"],
            20,
            "max-age=60 of the copy, Age: 40 of the 304 and no Cache-Control",
        ),
    ] {
        let start = Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &tagged(copy))
            .resolve(ONE, &[])
            .says(ONE.answered());
        let reply = tagged(again).confirm(ETAG, confirmed);
        let once = later(start, 60, 0, Some(&reply));
        let kept = later(once, 60 + seconds - 1, 1, None);
        cases.other_scene(
            &format!("etag-{slug}"),
            "discovery.not-modified client.reuse",
            change,
            "The Age is that of the 304: an old one is over, and one that it has counts.",
            &later(kept, 60 + seconds, 2, Some(&reply)),
        );
    }
    let longer = ["Cache-Control: max-age=600"];
    let named = tagged(&longer).confirm(ETAG, &longer);
    let unnamed = tagged(&longer).confirm(ETAG, &[]);
    cases.other_scene(
        "etag-time-of-the-304-before",
        "discovery.not-modified client.reuse",
        "a 304 with max-age=600, and then one without Cache-Control",
        "What a 304 says takes the place of what the copy said, also for the next one.",
        &later(
            later(later(start(), 60, 0, Some(&named)), 660, 1, Some(&unnamed)),
            660 + 599,
            2,
            None,
        ),
    );
    let unstored = ["Cache-Control: no-store"];
    cases.other_scene(
        "etag-and-no-store",
        "discovery.not-modified discovery.cache-time",
        "a 304 with no-store",
        "The copy is confirmed for the running call only.",
        &later(
            later(
                start(),
                60,
                0,
                Some(&tagged(&unstored).confirm(ETAG, &unstored)),
            ),
            61,
            1,
            Some(&first),
        ),
    );
    let new_key = ONE.offer(POST).kid("key-2");
    cases.other_scene(
        "etag-for-an-unknown-kid",
        "discovery.not-modified keys.unknown-kid",
        "a token of a new key, and the copy is confirmed",
        "The resolver says that it has no other key: the token is refused.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &first)
            .resolve(ONE, &[&new_key])
            .discovers(ONE, &first.clone().confirm(ETAG, &[]))
            .says(ONE.answered().dropped(0, "kid-unknown")),
    );
    let confirmed = first.clone().confirm(ETAG, &[]);
    cases.other_scene(
        "etag-for-an-unknown-kid-renews",
        "discovery.not-modified keys.unknown-kid client.reuse",
        "a token of a new key after 50 seconds, and the copy is confirmed",
        "The time of the copy begins again, whatever it was asked for.",
        &later(
            start()
                .need(50, OTHER_NEEDS[0])
                .resolve(ONE, &[&new_key])
                .discovers(ONE, &confirmed)
                .says(ONE.answered().dropped(0, "kid-unknown")),
            109,
            1,
            None,
        ),
    );
    cases.other_scene(
        "etag-and-a-redirect",
        "discovery.not-modified http.redirect-not-followed",
        "status 302 in place of the 304",
        "Only a 304 confirms a copy.",
        &start()
            .need(60, OTHER_NEEDS[0])
            .discovers(ONE, &Reply::status(302, &["Location: /"]))
            .says(ONE.skipped("redirect")),
    );
}
