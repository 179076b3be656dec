//! Keys that a client's copy of a discovery document does not hold, and keys that are gone (§4.4).

use super::super::build::{Object, array, header, quoted};
use super::super::cases::Cases;
use super::party::{ONE, Offer, TWO};
use super::reply::Reply;
use super::scenario::{ANSWER, DISCOVERY, NEED, Scenario};
use super::{BIRD, MAIL, POST};

fn document(kids: &[&str]) -> Reply {
    let document = match kids {
        ["key-1"] => ONE.discovery_with(["key-1"]),
        ["key-2"] => ONE.discovery_with(["key-2"]),
        _ => ONE.discovery_with(["key-1", "key-2"]),
    };
    Reply::of(&document, &DISCOVERY)
}

pub(super) fn add(cases: &mut Cases) {
    let (mail, post, bird) = (ONE.offer(MAIL), ONE.offer(POST), ONE.offer(BIRD));
    let [new_mail, new_post, new_bird] =
        [&mail, &post, &bird].map(|offer| offer.clone().kid("key-2"));
    let start = || {
        Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &document(&["key-1"]))
    };
    cases.scene(
        "kid-new",
        "keys.unknown-kid keys.withdrawn client.once",
        "The resolver changed its key between the two requests: the discovery document is fetched once more.",
        &start()
            .resolve(ONE, &[&new_mail])
            .discovers(ONE, &document(&["key-1", "key-2"]))
            .gives(&[&new_mail])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "kid-known",
        "keys.unknown-kid",
        "a token of the old key",
        "Every kid is known, so nothing is fetched again.",
        &start()
            .resolve(ONE, &[&mail])
            .gives(&[&mail])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "kid-new-of-three",
        "keys.unknown-kid",
        "three tokens of the new key and one of the old",
        "One fetch, whatever the number of tokens.",
        &start()
            .resolve(ONE, &[&new_mail, &new_post, &new_bird])
            .discovers(ONE, &document(&["key-1", "key-2"]))
            .gives(&[&new_mail, &new_post, &new_bird])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "kid-unknown-again",
        "keys.unknown-kid token.kid.known",
        "the new document does not hold the key either",
        "The token is refused, and its neighbour stays.",
        &start()
            .resolve(ONE, &[&new_mail, &post])
            .discovers(ONE, &document(&["key-1"]))
            .gives(&[&post])
            .says(ONE.answered().dropped(0, "kid-unknown")),
    );
    cases.other_scene(
        "kid-new-and-the-old-withdrawn",
        "keys.withdrawn keys.unknown-kid",
        "tokens of both keys, and the new document holds the new one only",
        "All tokens are judged by the newest document, also those that verified before it came.",
        &start()
            .resolve(ONE, &[&mail, &new_post])
            .discovers(ONE, &document(&["key-2"]))
            .gives(&[&new_post])
            .says(ONE.answered().dropped(0, "kid-unknown")),
    );
    failures(cases, &start, &new_mail, &post);
    no_fetch(cases, &start, &mail, &post);
    cool_down(cases, &start, [&new_mail, &new_post, &new_bird]);
    withdrawn(cases, &mail, &new_post);
}

/// The second fetch fails.
fn failures(cases: &mut Cases, start: &dyn Fn() -> Scenario, new: &Offer, old: &Offer) {
    let published = document(&["key-2"]).body([(
        String::from_utf8(ONE.discovery().text())
            .unwrap_or_default()
            .replacen("\"crv\"", "\"d\":\"AA\",\"crv\"", 1)
            .as_str(),
        1,
    )]);
    for (slug, code, change, reply) in [
        (
            "error",
            "status-code",
            "the second fetch has status 500",
            Reply::status(500, &[]),
        ),
        (
            "closed",
            "network",
            "the connection of the second fetch is closed",
            Reply::raw("", "cut"),
        ),
        (
            "redirect",
            "redirect",
            "the second fetch is redirected",
            Reply::status(302, &["Location: https://elsewhere.example/"]),
        ),
        (
            "private-key",
            "key-private",
            "the second document has a private key",
            published,
        ),
        (
            "other-version",
            "version-unsupported",
            "the second document has another version",
            Reply::of(&ONE.discovery().set("v", "\"0.3\""), &DISCOVERY),
        ),
        (
            "hangs",
            "timeout",
            "the second fetch is never answered",
            Reply::raw("", "hang"),
        ),
    ] {
        let scenario = start()
            .resolve(ONE, &[new, old])
            .discovers(ONE, &reply)
            .gives(&[old])
            .says(ONE.answered().refresh(code).dropped(0, "kid-unknown"));
        cases.other_scene(
            &format!("kid-new-fetch-{slug}"),
            "keys.unknown-kid",
            change,
            "The client goes on with its copy, and says why: what that verifies stays.",
            &if code == "timeout" {
                scenario.budgets(2000, 8000)
            } else {
                scenario
            },
        );
    }
}

/// Tokens for which nothing is fetched.
fn no_fetch(cases: &mut Cases, start: &dyn Fn() -> Scenario, mail: &Offer, post: &Offer) {
    let with = |token: String| {
        let bad = mail.candidate().set("jws", quoted(&token)).text();
        Reply::of(&ONE.answer_of([bad, post.candidate().text()]), &ANSWER)
    };
    for (slug, code, change, comment, header) in [
        (
            "alg-first",
            "alg-not-allowed",
            "alg: none and a kid that the copy does not hold",
            "The token is refused before its kid is looked at.",
            header("key-2").set("alg", "\"none\""),
        ),
        (
            "missing",
            "kid-missing",
            "a token without kid",
            "There is no kid to look for.",
            Object::default().and("alg", "\"EdDSA\""),
        ),
        (
            "invalid",
            "kid-invalid",
            "a kid of 129 characters",
            "No document can hold such a kid.",
            header(&"k".repeat(129)),
        ),
    ] {
        cases.other_scene(
            &format!("kid-{slug}"),
            "keys.unknown-kid token.order",
            change,
            comment,
            &start()
                .resolves(ONE, &with(mail.token_of(&header, &mail.claims())))
                .gives(&[post])
                .says(ONE.answered().dropped(0, code)),
        );
    }
    let entry = Object::default()
        .and("kty", "\"RSA\"")
        .and("kid", "\"key-2\"")
        .and("n", "\"AQAB\"")
        .and("e", "\"AQAB\"");
    let keys = String::from_utf8(ONE.discovery().text()).unwrap_or_default();
    let first = keys
        .split_once("\"keys\":[")
        .and_then(|(_, rest)| rest.split_once(']'))
        .map(|(first, _)| first.to_owned())
        .unwrap_or_default();
    let holding = ONE
        .discovery()
        .set("keys", array([first.into_bytes(), entry.text()]));
    cases.other_scene(
        "kid-held-and-not-usable",
        "keys.unknown-kid token.kid.usable",
        "a token whose kid names a key of RSA",
        "The copy holds the kid, so nothing is fetched again.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &Reply::of(&holding, &DISCOVERY))
            .resolves(ONE, &with(mail.token_of(&header("key-2"), &mail.claims())))
            .gives(&[post])
            .says(ONE.answered().dropped(0, "key-wrong-type")),
    );
}

/// At most once in 300 seconds.
fn cool_down(cases: &mut Cases, start: &dyn Fn() -> Scenario, new: [&Offer; 3]) {
    let [mail, post, bird] = new;
    let unknown = || ONE.answered().dropped(0, "kid-unknown");
    for (slug, reply, told, change) in [
        (
            "kid-unknown-cool-down",
            document(&["key-1"]),
            unknown(),
            "the same kid is unknown in three calls",
        ),
        (
            "kid-unknown-cool-down-of-a-failure",
            Reply::status(500, &[]),
            unknown().refresh("status-code"),
            "the second fetch fails, and the kid is unknown in two more calls",
        ),
    ] {
        cases.other_scene(
            slug,
            "keys.unknown-kid client.reuse",
            change,
            "299 seconds after a fetch for an unknown kid there is none, 301 seconds after it there is.",
            &start()
                .resolve(ONE, &[mail])
                .discovers(ONE, &reply)
                .says(told)
                .need(299, "book a table")
                .resolve(ONE, &[post])
                .says(unknown())
                .need(301, "watch birds")
                .resolve(ONE, &[bird])
                .discovers(ONE, &document(&["key-1", "key-2"]))
                .gives(&[bird])
                .says(ONE.answered()),
        );
    }
    cases.other_scene(
        "kid-unknown-and-a-clock-that-went-back",
        "client.cache-clock keys.unknown-kid",
        "the kid is unknown again in a second call that is a minute before the first",
        "Nobody knows how long ago the document was fetched for a kid: it is fetched again.",
        &start()
            .resolve(ONE, &[mail])
            .discovers(ONE, &document(&["key-1"]))
            .says(unknown())
            .need(-60, "book a table")
            .discovers(ONE, &document(&["key-1"]))
            .resolve(ONE, &[post])
            .discovers(ONE, &document(&["key-1", "key-2"]))
            .gives(&[post])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "kid-unknown-cool-down-for-a-record",
        "keys.unknown-kid client.reuse",
        "the kid is unknown in an answer, and ten seconds later in a record",
        "The 300 seconds are those of the resolver, whatever it is asked.",
        &start()
            .resolve(ONE, &[mail])
            .discovers(ONE, &document(&["key-1"]))
            .says(unknown())
            .record(10, ONE, "url", MAIL)
            .records(ONE, &Reply::of(&mail.record(), &ANSWER))
            .says(ONE.skipped("kid-unknown")),
    );
    let short = Reply::of(
        &ONE.discovery(),
        &[
            "Content-Type: application/json",
            "Cache-Control: max-age=60",
        ],
    );
    cases.other_scene(
        "kid-unknown-cool-down-of-a-copy-that-is-renewed",
        "keys.unknown-kid",
        "the kid is unknown, and again when the copy was renewed a minute later",
        "A copy that is fetched because the old one is too old starts no new 300 seconds, and ends none.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &short)
            .resolve(ONE, &[mail])
            .discovers(ONE, &short)
            .says(unknown())
            .need(60, "book a table")
            .discovers(ONE, &short)
            .resolve(ONE, &[post])
            .says(unknown())
            .need(301, "watch birds")
            .discovers(ONE, &short)
            .resolve(ONE, &[bird])
            .discovers(ONE, &document(&["key-1", "key-2"]))
            .gives(&[bird])
            .says(ONE.answered()),
    );
    let two = TWO.offer(POST).kid("key-2");
    cases.other_scene(
        "kid-new-of-both",
        "keys.unknown-kid",
        "two resolvers, asked at once, that both changed their key",
        "Each resolver has 300 seconds of its own.",
        &Scenario::at_once([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[mail])
            .discovers(ONE, &document(&["key-1", "key-2"]))
            .discovery(TWO)
            .resolve(TWO, &[&two])
            .discovers(
                TWO,
                &Reply::of(&TWO.discovery_with(["key-1", "key-2"]), &DISCOVERY),
            )
            .gives(&[mail, &two])
            .says(ONE.answered())
            .says(TWO.answered()),
    );
}

/// Answers that are reused after a key went.
fn withdrawn(cases: &mut Cases, mail: &Offer, new_post: &Offer) {
    let answer = |offer: &Offer| {
        Reply::of(
            &ONE.answer(&[offer]),
            &[
                "Content-Type: application/json",
                "Cache-Control: private, max-age=3600",
            ],
        )
    };
    let first = Scenario::in_order([ONE])
        .need(0, NEED)
        .discovers(ONE, &document(&["key-1"]))
        .resolves(ONE, &answer(mail))
        .gives(&[mail])
        .says(ONE.answered())
        .need(10, "post a letter")
        .resolve(ONE, &[new_post]);
    cases.other_scene(
        "kid-withdrawn-of-a-reused-answer",
        "keys.withdrawn client.reuse",
        "an answer is reused after its key was withdrawn",
        "The newest document decides. The answer is not asked for again: it is still reused, and its token is refused.",
        &first
            .clone()
            .discovers(ONE, &document(&["key-2"]))
            .gives(&[new_post])
            .says(ONE.answered())
            .need(20, NEED)
            .says(ONE.answered().dropped(0, "kid-unknown")),
    );
    let short = Reply::of(
        &ONE.discovery(),
        &[
            "Content-Type: application/json",
            "Cache-Control: max-age=60",
        ],
    );
    cases.other_scene(
        "kid-gone-from-the-next-document",
        "keys.withdrawn keys.unknown-kid client.reuse",
        "the copy gets too old, and the next document does not hold the key of an answer that is reused",
        "The document is fetched because the copy is too old, and once more because the kid is unknown.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &short)
            .resolves(ONE, &answer(mail))
            .gives(&[mail])
            .says(ONE.answered())
            .need(60, NEED)
            .discovers(ONE, &document(&["key-2"]))
            .discovers(ONE, &document(&["key-2"]))
            .says(ONE.answered().dropped(0, "kid-unknown")),
    );
    cases.other_scene(
        "kid-kept-of-a-reused-answer",
        "keys.withdrawn client.reuse",
        "an answer is reused after a key was added",
        "The newest document still holds the key.",
        &first
            .discovers(ONE, &document(&["key-1", "key-2"]))
            .gives(&[new_post])
            .says(ONE.answered())
            .need(20, NEED)
            .gives(&[mail])
            .says(ONE.answered()),
    );
}
