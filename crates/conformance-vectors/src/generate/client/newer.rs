//! Discovery documents that came for an unknown `kid`, and what the next call makes of them (§4.4).

use super::super::cases::Cases;
use super::caches::JSON;
use super::party::ONE;
use super::reply::Reply;
use super::scenario::{ANSWER, DISCOVERY, NEED, Scenario};
use super::{BIRD, MAIL, POST};

pub(super) fn add(cases: &mut Cases) {
    let (post, bird) = (ONE.offer(POST), ONE.offer(BIRD));
    let new_mail = ONE.offer(MAIL).kid("key-2");
    let (new_post, new_bird) = (post.clone().kid("key-2"), bird.clone().kid("key-2"));
    let start = || Scenario::in_order([ONE]).need(0, NEED).discovery(ONE);
    let unknown = || ONE.answered().dropped(0, "kid-unknown");
    let newer = Reply::of(&ONE.discovery_with(["key-1", "key-2"]), &DISCOVERY);
    cases.from("kid-new");
    cases.other_scene(
        "kid-unknown-after-300-seconds",
        "keys.unknown-kid client.reuse",
        "the kid is unknown, and again exactly 300 seconds later",
        "Less than 300 seconds ago there was no fetch for a kid, so there is one.",
        &start()
            .resolve(ONE, &[&new_mail])
            .discovery(ONE)
            .says(unknown())
            .need(300, "watch birds")
            .resolve(ONE, &[&new_bird])
            .discovers(ONE, &newer)
            .gives(&[&new_bird])
            .says(ONE.answered()),
    );
    let fleeting = Reply::of(
        &ONE.discovery_with(["key-2"]),
        &[JSON, "Cache-Control: no-store"],
    );
    cases.other_scene(
        "kid-new-in-a-document-of-one-call",
        "keys.withdrawn discovery.cache-time",
        "the new document has no-store; a second call ten seconds later",
        "The new document ended the copy, though that had time left: it is not used again.",
        &start()
            .resolve(ONE, &[&new_mail])
            .discovers(ONE, &fleeting)
            .gives(&[&new_mail])
            .says(ONE.answered())
            .need(10, "post a letter")
            .discovers(ONE, &fleeting)
            .resolve(ONE, &[&new_post])
            .gives(&[&new_post])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "kid-new-fetch-refused-and-a-second-call",
        "keys.unknown-kid client.reuse",
        "the new document has another version; a second call ten seconds later",
        "The client goes on with its copy, also in the next call, as long as that has time left.",
        &start()
            .resolve(ONE, &[&new_mail, &post])
            .discovers(
                ONE,
                &Reply::of(&ONE.discovery().set("v", "\"0.3\""), &DISCOVERY),
            )
            .gives(&[&post])
            .says(unknown().refresh("version-unsupported"))
            .need(10, "watch birds")
            .resolve(ONE, &[&bird])
            .gives(&[&bird])
            .says(ONE.answered()),
    );
    let name = "Resolver of Another Name";
    let renamed = ONE
        .discovery_with(["key-2"])
        .set("resolver", format!("\"{name}\""));
    let answer = ONE
        .answer(&[&new_mail])
        .set("resolver", format!("\"{name}\""));
    cases.other_scene(
        "kid-new-and-another-name",
        "resolve.answer.name-read keys.unknown-kid",
        "the answer and the new document have another name",
        "The name is that of the document by which the answer was judged in the end, and does not differ from it.",
        &start()
            .resolves(ONE, &Reply::of(&answer, &ANSWER))
            .discovers(ONE, &Reply::of(&renamed, &DISCOVERY))
            .gives(&[&new_mail])
            .says(ONE.answered().named(name)),
    );
}
