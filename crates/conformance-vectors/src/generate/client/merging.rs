//! Several resolvers about the same servers (§10.3).

use super::super::cases::Cases;
use super::party::{ONE, Offer, Party, THREE, TWO, at};
use super::reply::Reply;
use super::scenario::{ANSWER, NEED, Scenario};
use super::{BIRD, FAX, MAIL, POST};

/// All are asked at once, and answer so.
fn all(answers: &[(Party, &[&Offer])]) -> Scenario {
    let parties = answers.iter().map(|(party, _)| party.issuer).collect();
    let mut scenario = Scenario::of(parties, "at-once").need(0, NEED);
    for (party, offers) in answers {
        scenario = scenario.discovery(*party).resolve(*party, offers);
    }
    for (party, _) in answers {
        scenario = scenario.says(party.answered());
    }
    scenario
}

pub(super) fn add(cases: &mut Cases) {
    let (mail, post) = (ONE.offer(MAIL), ONE.offer(POST));
    let (two_mail, two_fax, two_bird) = (TWO.offer(MAIL), TWO.offer(FAX), TWO.offer(BIRD));
    cases.scene(
        "merge-different-servers",
        "client.merge client.contradiction",
        "Two resolvers, asked at once, about four servers: those of the first stand first.",
        &all(&[(ONE, &[&mail, &post]), (TWO, &[&two_fax, &two_bird])])
            .gives(&[&mail, &post, &two_fax, &two_bird]),
    );
    cases.other_scene(
        "merge-one-server-of-both",
        "client.merge client.contradiction",
        "the second names a server of the first, between two others",
        "A server that both name stands at its first place, with both statements.",
        &all(&[
            (ONE, &[&mail, &post]),
            (TWO, &[&two_fax, &two_mail, &two_bird]),
        ])
        .gives_merged("ok", &[&mail, &two_mail])
        .gives(&[&post, &two_fax, &two_bird]),
    );
    let three = [THREE.offer(FAX), THREE.offer(POST), THREE.offer(MAIL)];
    cases.other_scene(
        "merge-three-resolvers",
        "client.merge",
        "three resolvers, in three orders",
        "The place in the list comes before the place in the answer.",
        &all(&[
            (ONE, &[&post]),
            (TWO, &[&two_fax, &two_mail]),
            (THREE, &[&three[0], &three[1], &three[2]]),
        ])
        .gives_merged("ok", &[&post, &three[1]])
        .gives_merged("ok", &[&two_fax, &three[0]])
        .gives_merged("ok", &[&two_mail, &three[2]]),
    );
    let other_mail = TWO.offer("https://mail.example.com/mcp/");
    let with_query = TWO.offer("https://mail.example.com/mcp?");
    cases.other_scene(
        "merge-is-byte-for-byte",
        "client.merge url.comparison",
        "the second names URLs that differ in their end",
        "A slash or an empty query more is another server.",
        &all(&[(ONE, &[&mail]), (TWO, &[&other_mail, &with_query])]).gives(&[
            &mail,
            &other_mail,
            &with_query,
        ]),
    );
    cases.other_scene(
        "merge-by-the-list-and-not-by-time",
        "client.merge",
        "the first answers only after the second",
        "The order is that of the list, whoever is faster.",
        &{
            let answer = Reply::of(&ONE.answer(&[&mail, &post]), &ANSWER);
            Scenario::at_once([ONE, TWO])
                .need(0, NEED)
                .discovery(ONE)
                .resolves(ONE, &answer.after(TWO.issuer, 2))
                .discovery(TWO)
                .resolve(TWO, &[&two_fax, &two_mail])
                .gives_merged("ok", &[&mail, &two_mail])
                .gives(&[&post, &two_fax])
                .says(ONE.answered())
                .says(TWO.answered())
        },
    );
    cases.other_scene(
        "merge-all-at-once",
        "client.order client.merge",
        "the first answers nothing before the second has answered all",
        "All at once means that nobody waits for another.",
        &Scenario::at_once([ONE, TWO])
            .need(0, NEED)
            .discovers(
                ONE,
                &Reply::of(&ONE.discovery(), &super::scenario::DISCOVERY).after(TWO.issuer, 2),
            )
            .resolve(ONE, &[&mail])
            .discovery(TWO)
            .resolve(TWO, &[&two_fax])
            .gives(&[&mail, &two_fax])
            .says(ONE.answered())
            .says(TWO.answered()),
    );
    let expired = mail.clone().expired();
    cases.other_scene(
        "merge-without-what-was-dropped",
        "client.merge client.verify",
        "the token of the first about a server of both has expired",
        "What does not verify is no statement, and gives no place.",
        &Scenario::at_once([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[&expired, &post])
            .discovery(TWO)
            .resolve(TWO, &[&two_mail])
            .gives(&[&post, &two_mail])
            .says(ONE.answered().dropped(0, "expired"))
            .says(TWO.answered()),
    );
    let late = |offer: &Offer| offer.clone().until(172_740);
    let duplicate = [mail.clone(), late(&mail).status("down")];
    cases.other_scene(
        "merge-duplicate-of-one",
        "candidate.duplicate client.contradiction",
        "the first names the server of both twice, with another status",
        "Of one resolver only the first counts; that is no statement of its own.",
        &Scenario::at_once([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[&duplicate[0], &duplicate[1]])
            .discovery(TWO)
            .resolve(TWO, &[&two_mail])
            .gives_merged("ok", &[&mail, &two_mail])
            .says(ONE.answered().duplicates(&[1]))
            .says(TWO.answered()),
    );
    contradictions(cases, &mail, &two_mail);
}

fn contradictions(cases: &mut Cases, mail: &Offer, two_mail: &Offer) {
    let seen =
        |offer: &Offer, status, seconds| offer.clone().status(status).checked_at(at(seconds));
    for (slug, first, second, status, change, comment) in [
        (
            "later-of-the-second",
            seen(mail, "ok", -3600),
            seen(two_mail, "down", -1800),
            "down",
            "ok an hour ago, by the second down half an hour ago",
            "The later observation decides, and both are kept.",
        ),
        (
            "later-of-the-first",
            seen(mail, "down", -1800),
            seen(two_mail, "ok", -3600),
            "down",
            "down half an hour ago, by the second ok an hour ago",
            "The later observation decides, and both are kept.",
        ),
        (
            "at-the-same-second",
            seen(mail, "sign_in", -1800),
            seen(two_mail, "ok", -1800),
            "sign_in",
            "two statuses at the same second",
            "Of equal times the earlier resolver of the list decides.",
        ),
        (
            "one-second-later",
            seen(mail, "ok", -1800),
            seen(two_mail, "unknown", -1799),
            "unknown",
            "unknown one second after ok",
            "A second is enough, and unknown is a status as any other.",
        ),
    ] {
        cases.other_scene(
            &format!("contradiction-{slug}"),
            "client.contradiction",
            change,
            comment,
            &all(&[(ONE, &[&first]), (TWO, &[&second])]).gives_merged(status, &[&first, &second]),
        );
    }
    let offers = [
        seen(mail, "ok", -3600),
        seen(two_mail, "down", -600),
        seen(&THREE.offer(MAIL), "sign_in", -1800),
    ];
    cases.other_scene(
        "contradiction-of-three",
        "client.contradiction",
        "three resolvers, three statuses, the second saw it last",
        "The statements stand in the order of the list.",
        &all(&[
            (ONE, &[&offers[0]]),
            (TWO, &[&offers[1]]),
            (THREE, &[&offers[2]]),
        ])
        .gives_merged("down", &[&offers[0], &offers[1], &offers[2]]),
    );
    let issued = [
        seen(mail, "ok", -3600).from(-30),
        seen(two_mail, "down", -1800).from(-1700),
    ];
    cases.other_scene(
        "contradiction-by-observation-and-not-by-issue",
        "client.contradiction",
        "the older observation has the younger token",
        "When a token was issued does not count.",
        &all(&[(ONE, &[&issued[0]]), (TWO, &[&issued[1]])])
            .gives_merged("down", &[&issued[0], &issued[1]]),
    );
}
