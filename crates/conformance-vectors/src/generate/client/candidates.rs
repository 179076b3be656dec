//! What a client makes of an answer, beside what the vectors of answers show, and clocks (§5.4, §10.3).

use super::super::build::{header, quoted};
use super::super::cases::Cases;
use super::party::{ONE, Offer, TWO, at, http_date};
use super::reply::Reply;
use super::scenario::{ANSWER, Asked, NEED, Scenario};
use super::{BIRD, MAIL, POST};

/// One resolver that answers so.
fn scenario(reply: &Reply, kept: &[&Offer], asked: Asked) -> Scenario {
    Scenario::in_order([ONE])
        .need(0, NEED)
        .discovery(ONE)
        .resolves(ONE, reply)
        .gives(kept)
        .says(asked)
}

pub(super) fn add(cases: &mut Cases) {
    let (mail, post, bird) = (ONE.offer(MAIL), ONE.offer(POST), ONE.offer(BIRD));
    let of = |candidates: &[Vec<u8>]| Reply::of(&ONE.answer_of(candidates), &ANSWER);
    let texts = [&mail, &post, &bird].map(|offer| offer.candidate().text());
    let [mail_text, post_text, bird_text] = texts.clone();
    cases.scene(
        "candidates",
        "client.verify candidate.claims-only candidate.copy-differs candidate.duplicate candidate.unsigned \
         candidate.dropped resolve.answer.name-read",
        "Three sound candidates, in the order of the resolver.",
        &scenario(&of(&texts), &[&mail, &post, &bird], ONE.answered()),
    );
    let lying = mail
        .candidate()
        .set("url", quoted(BIRD))
        .set("status", "\"down\"")
        .set("checked_at", "\"2026-11-30T11:59:59Z\"")
        .set("expires", "\"2027-11-30T12:00:00Z\"");
    cases.other_scene(
        "candidates-copies-lie",
        "candidate.claims-only candidate.copy-differs",
        "all copies of the first differ from its token",
        "What is shown is what was signed, and each difference is told.",
        &scenario(
            &of(&[lying.text(), post_text.clone()]),
            &[&mail, &post],
            ONE.answered().copy_differs(&[
                "/candidates/0/url",
                "/candidates/0/status",
                "/candidates/0/checked_at",
                "/candidates/0/expires",
            ]),
        ),
    );
    cases.other_scene(
        "candidates-copies-missing",
        "candidate.claims-only candidate.copy-differs",
        "candidates of nothing but tokens",
        "The token is enough: all that counts is in it.",
        &scenario(
            &of(&[format!("{{\"jws\":{}}}", quoted(&mail.token())).into_bytes()]),
            &[&mail],
            ONE.answered().copy_differs(&[
                "/candidates/0/url",
                "/candidates/0/status",
                "/candidates/0/checked_at",
                "/candidates/0/expires",
            ]),
        ),
    );
    cases.other_scene(
        "candidates-duplicate",
        "candidate.duplicate",
        "the first once more, in the third place",
        "One server, one candidate.",
        &scenario(
            &of(&[mail_text.clone(), post_text.clone(), mail_text.clone()]),
            &[&mail, &post],
            ONE.answered().duplicates(&[2]),
        ),
    );
    cases.other_scene(
        "candidates-unsigned",
        "candidate.unsigned",
        "the second without jws",
        "What nobody signed is dropped; its neighbours stay, with their places.",
        &scenario(
            &of(&[
                mail_text.clone(),
                post.candidate().without("jws").text(),
                bird_text.clone(),
            ]),
            &[&mail, &bird],
            ONE.answered().dropped(1, "jws-missing"),
        ),
    );
    let forged = Offer {
        party: TWO,
        ..post.clone()
    };
    let foreign = post.token_of(&header("key-1"), &TWO.offer(POST).claims());
    let unsigned_alg = header("key-1").set("alg", "\"none\"");
    for (slug, code, change, comment, token) in [
        (
            "signed-by-another",
            "signature-invalid",
            "the second signed with the key of another resolver",
            "Another resolver has a key of the same kid. Its key is not this one's.",
            forged.token_of(&header("key-1"), &post.claims()),
        ),
        (
            "stated-by-another",
            "iss-mismatch",
            "the second states another issuer",
            "A resolver speaks for itself only.",
            foreign,
        ),
        (
            "alg-none",
            "alg-not-allowed",
            "alg: none in the second",
            "There is one algorithm.",
            post.token_of(&unsigned_alg, &post.claims()),
        ),
        (
            "expired",
            "expired",
            "the second has expired",
            "The resolver does not stand by it any more.",
            post.clone().expired().token(),
        ),
    ] {
        let bad = post.candidate().set("jws", quoted(&token));
        let mut asked = ONE.answered().dropped(1, code);
        if slug == "expired" {
            // The copies of a candidate that is dropped are not looked at.
            asked = asked.copy_differs(&[]);
        }
        cases.other_scene(
            &format!("candidates-{slug}"),
            "candidate.dropped client.verify",
            change,
            comment,
            &scenario(
                &of(&[mail_text.clone(), bad.text(), bird_text.clone()]),
                &[&mail, &bird],
                asked,
            ),
        );
    }
    cases.other_scene(
        "candidates-other-name",
        "resolve.answer.name-read",
        "resolver: Best Resolver",
        "The name that is shown is that of the discovery document.",
        &scenario(
            &Reply::of(
                &ONE.answer(&[&mail]).set("resolver", "\"Best Resolver\""),
                &ANSWER,
            ),
            &[&mail],
            ONE.answered().copy_differs(&["/resolver"]),
        ),
    );
    clocks(cases);
}

fn clocks(cases: &mut Cases) {
    let (mail, post) = (ONE.offer(MAIL), ONE.offer(POST));
    let dated = |offers: &[&Offer], date: i64| {
        Reply::of(&ONE.answer(offers), &ANSWER).and(format!("Date: {}", http_date(date)))
    };
    cases.scene(
        "clock-agrees",
        "client.clock client.clock-kept",
        "The Date of the answer is the client's time.",
        &scenario(&dated(&[&mail, &post], 0), &[&mail, &post], ONE.answered()),
    );
    // Tokens of a resolver whose clock is two days ahead.
    let later = |offer: &Offer| {
        offer
            .clone()
            .from(172_800 - 60)
            .until(172_800 + 86_400)
            .checked_at(at(172_800 - 90))
    };
    let (late_mail, late_post) = (later(&mail), later(&post));
    let refused = |codes: [&str; 2]| ONE.answered().dropped(0, codes[0]).dropped(1, codes[1]);
    let future = ["issued-in-future"; 2];
    let ahead = [&late_mail, &late_post];
    cases.other_scene(
        "clock-two-days-off",
        "client.clock client.clock-kept",
        "Date and tokens two days later",
        "Nothing verifies by the client's clock, and the Date says why that may be. The clock is not corrected.",
        &scenario(&dated(&ahead, 172_800), &[], refused(future).clock_doubt()),
    );
    for (slug, date, doubt, comment) in [
        (
            "300-ahead",
            300,
            false,
            "Exactly the leeway is no difference.",
        ),
        ("301-ahead", 301, true, "One second more than the leeway."),
        (
            "300-behind",
            -300,
            false,
            "Exactly the leeway is no difference.",
        ),
        ("301-behind", -301, true, "One second more than the leeway."),
    ] {
        let asked = refused(future);
        cases.other_scene(
            &format!("clock-{slug}"),
            "client.clock",
            &format!("tokens two days later, Date off by {date}"),
            comment,
            &scenario(
                &dated(&ahead, date),
                &[],
                if doubt { asked.clock_doubt() } else { asked },
            ),
        );
    }
    for (slug, form, date) in [
        ("rfc-850", "RFC 850", "Wednesday, 02-Dec-26 12:00:00 GMT"),
        ("asctime", "asctime", "Wed Dec  2 12:00:00 2026"),
    ] {
        cases.other_scene(
            &format!("clock-date-of-{slug}"),
            "client.clock",
            &format!("Date and tokens two days later, the Date in the form of {form}"),
            "RFC 9110 has three forms of a date, and two of them are old.",
            &scenario(
                &Reply::of(&ONE.answer(&ahead), &ANSWER).and(format!("Date: {date}")),
                &[],
                refused(future).clock_doubt(),
            ),
        );
    }
    cases.other_scene(
        "clock-two-dates",
        "client.clock",
        "tokens two days later, a Date of now and one of two days later",
        "Of several the first counts.",
        &scenario(
            &dated(&ahead, 0).and(format!("Date: {}", http_date(172_800))),
            &[],
            refused(future),
        ),
    );
    cases.other_scene(
        "clock-of-a-reused-answer",
        "client.clock client.reuse",
        "tokens two days later, a Date of now, and the same need 400 seconds later",
        "The Date agreed with the clock when the answer came; that it is old now says nothing of the clock.",
        &scenario(&dated(&ahead, 0), &[], refused(future))
            .need(400, NEED)
            .says(refused(future)),
    );
    let old_sight = mail.clone().checked_at(at(-90_000));
    cases.other_scene(
        "clock-observation-too-old",
        "client.clock status.max-age",
        "one token, of an observation that was too old when it was issued, Date off by 301",
        "This is wrong by any clock, and raises no doubt of it.",
        &scenario(
            &dated(&[&old_sight], 301),
            &[],
            ONE.answered().dropped(0, "observation-too-old"),
        ),
    );
    let undated = Reply::of(&ONE.answer(&ahead), &ANSWER);
    for (slug, change, reply) in [
        ("no-date", "tokens two days later, no Date", undated.clone()),
        (
            "date-of-no-form",
            "tokens two days later, a Date of no form",
            undated.and("Date: the day after tomorrow"),
        ),
    ] {
        cases.other_scene(
            &format!("clock-{slug}"),
            "client.clock",
            change,
            "Without a Date there is nothing to compare the clock with.",
            &scenario(&reply, &[], refused(future)),
        );
    }
    cases.other_scene(
        "clock-one-verifies",
        "client.clock client.clock-kept",
        "Date and one token two days later",
        "One token verifies, so the clock is not what is wrong.",
        &scenario(
            &dated(&[&late_mail, &post], 172_800),
            &[&post],
            ONE.answered().dropped(0, "issued-in-future"),
        ),
    );
    let other = mail.candidate().set(
        "jws",
        quoted(&mail.token_of(&header("key-1").and("crit", "[]"), &mail.claims())),
    );
    let mixed = |candidate: Vec<u8>| {
        let document = ONE.answer_of([candidate, late_post.candidate().text()]);
        Reply::of(&document, &ANSWER).and(format!("Date: {}", http_date(172_800)))
    };
    cases.other_scene(
        "clock-one-for-another-reason",
        "client.clock",
        "Date and one token two days later, the other with crit",
        "A token that is refused for another reason says nothing of the clock, and then neither do the others.",
        &scenario(
            &mixed(other.text()),
            &[],
            refused(["crit-unsupported", "issued-in-future"]),
        ),
    );
    cases.other_scene(
        "clock-beside-an-unsigned",
        "client.clock",
        "Date and one token two days later, the other without jws",
        "A candidate without a token does not count.",
        &scenario(
            &mixed(mail.candidate().without("jws").text()),
            &[],
            refused(["jws-missing", "issued-in-future"]).clock_doubt(),
        ),
    );
    cases.other_scene(
        "clock-only-unsigned",
        "client.clock",
        "Date two days later, no candidate with a token",
        "Without a token there is no doubt.",
        &scenario(
            &{
                let bare = mail.candidate().without("jws").text();
                Reply::of(&ONE.answer_of([bare]), &ANSWER)
                    .and(format!("Date: {}", http_date(172_800)))
            },
            &[],
            ONE.answered().dropped(0, "jws-missing"),
        ),
    );
    cases.other_scene(
        "clock-no-candidates",
        "client.clock",
        "Date two days later, no candidate",
        "An empty answer raises no doubt.",
        &scenario(&dated(&[], 172_800), &[], ONE.answered()),
    );
    let observed = mail.clone().checked_at(at(3600));
    let not_yet = post.clone().not_before(3600);
    cases.other_scene(
        "clock-each-code-of-time",
        "client.clock",
        "one token observed and one valid in an hour, Date in an hour",
        "All four codes of time count.",
        &scenario(
            &dated(&[&observed, &not_yet], 3600),
            &[],
            refused(["checked-at-future", "not-yet-valid"]).clock_doubt(),
        ),
    );
    let (old_mail, old_post) = (mail.clone().expired(), post.clone().expired());
    cases.other_scene(
        "clock-ahead-of-the-resolver",
        "client.clock client.clock-kept",
        "Date and tokens of two days ago",
        "The client may be the one who is ahead. What has expired by its clock stays refused.",
        &scenario(
            &dated(&[&old_mail, &old_post], -172_800),
            &[],
            refused(["expired"; 2]).clock_doubt(),
        ),
    );
    cases.other_scene(
        "clock-kept-for-the-next-call",
        "client.clock-kept",
        "Date two days later in the first call, and then two calls",
        "A token that verifies by the client's clock verifies, whatever a Date said before, and one that does not does not.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &dated(&ahead, 172_800))
            .says(refused(future).clock_doubt())
            .need(10, "book a table")
            .resolves(ONE, &dated(&[&late_mail, &post], 172_810))
            .gives(&[&post])
            .says(ONE.answered().dropped(0, "issued-in-future")),
    );
}
