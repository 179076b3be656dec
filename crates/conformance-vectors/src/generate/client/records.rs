//! Records (§7).

use super::super::build::{header, quoted};
use super::super::cases::Cases;
use super::party::{ONE, Offer, TWO};
use super::reply::Reply;
use super::scenario::{ANSWER, DISCOVERY, NEED, Scenario};
use super::{FAX, MAIL};

pub(super) fn add(cases: &mut Cases) {
    let (mail, fax) = (ONE.offer(MAIL), ONE.offer(FAX));
    let of = |offer: &Offer| Reply::of(&offer.record(), &ANSWER);
    let by_url = || {
        Scenario::in_order([ONE, TWO])
            .record(0, ONE, "url", MAIL)
            .discovery(ONE)
    };
    cases.scene(
        "record-by-url",
        "client.no-other record.requested record.copy-differs record.claims",
        "The record of a server, asked of one of two resolvers: only that one learns of it.",
        &by_url()
            .records(ONE, &of(&mail))
            .gives_record(&mail)
            .says(ONE.answered()),
    );
    cases.other_scene(
        "record-by-id",
        "record.requested",
        "asked by id",
        "Whoever asks by id takes the server that the token names.",
        &Scenario::in_order([ONE, TWO])
            .record(0, ONE, "id", "s-4f1d2c~.")
            .discovery(ONE)
            .records(ONE, &of(&mail))
            .gives_record(&mail)
            .says(ONE.answered()),
    );
    cases.other_scene(
        "record-by-url-with-a-query",
        "record.requested",
        "a server URL with a query",
        "What means something in a query is encoded.",
        &Scenario::in_order([ONE, TWO])
            .record(0, ONE, "url", FAX)
            .discovery(ONE)
            .records(ONE, &of(&fax))
            .gives_record(&fax)
            .says(ONE.answered()),
    );
    cases.other_scene(
        "record-of-the-second",
        "client.no-other",
        "asked of the second resolver",
        "The first learns nothing.",
        &Scenario::in_order([ONE, TWO])
            .record(0, TWO, "url", MAIL)
            .discovery(TWO)
            .records(TWO, &of(&TWO.offer(MAIL)))
            .gives_record(&TWO.offer(MAIL))
            .says(TWO.answered()),
    );
    cases.other_scene(
        "record-after-an-answer",
        "client.reuse",
        "a call with a need before",
        "The copy of the discovery document is for all that a resolver is asked.",
        &Scenario::in_order([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[&mail])
            .gives(&[&mail])
            .says(ONE.answered())
            .record(10, ONE, "url", MAIL)
            .records(ONE, &of(&mail))
            .gives_record(&mail)
            .says(ONE.answered()),
    );
    cases.other_scene(
        "record-asked-twice",
        "client.cache client.reuse",
        "asked once more, ten seconds later",
        "A record is not reused, whatever its max-age: whoever asks wants what is stated now.",
        &by_url()
            .records(ONE, &of(&mail))
            .gives_record(&mail)
            .says(ONE.answered())
            .record(10, ONE, "url", MAIL)
            .records(ONE, &of(&mail))
            .gives_record(&mail)
            .says(ONE.answered()),
    );
    cases.other_scene(
        "record-of-none-of-the-list",
        "client.no-other",
        "asked of a resolver that is not in the list",
        "It learns nothing, though it could be reached, and the result has no record.",
        &Scenario::in_order([ONE])
            .trap(TWO.issuer)
            .record(0, TWO, "url", MAIL),
    );
    cases.other_scene(
        "record-copies-lie",
        "record.copy-differs",
        "copies that differ from the token",
        "What is shown is what was signed, and each difference is told.",
        &by_url()
            .records(
                ONE,
                &Reply::of(
                    &mail
                        .record()
                        .set("status", "\"down\"")
                        .set("name", "\"Better Mail\"")
                        .set("resolver", "\"Best Resolver\""),
                    &ANSWER,
                ),
            )
            .gives_record(&mail)
            .says(
                ONE.answered()
                    .copy_differs(&["/status", "/name", "/resolver"]),
            ),
    );
    cases.other_scene(
        "record-new-kid",
        "keys.unknown-kid",
        "a token of a new key",
        "The discovery document is fetched once more.",
        &{
            let new = mail.clone().kid("key-2");
            by_url()
                .records(ONE, &of(&new))
                .discovers(
                    ONE,
                    &Reply::of(&ONE.discovery_with(["key-1", "key-2"]), &DISCOVERY),
                )
                .gives_record(&new)
                .says(ONE.answered())
        },
    );
    failures(cases, &mail, &fax, &by_url);
}

fn failures(cases: &mut Cases, mail: &Offer, fax: &Offer, by_url: &dyn Fn() -> Scenario) {
    let bare = mail.record().set(
        "jws",
        quoted(&mail.token_of(&header("key-1"), &mail.claims())),
    );
    let text = String::from_utf8(mail.record().text()).unwrap_or_default();
    let of = |offer: &Offer| Reply::of(&offer.record(), &ANSWER);
    for (slug, code, rules, change, comment, reply) in [
        (
            "of-another-server",
            "url-mismatch",
            "record.requested",
            "the record of another server",
            "A sound record, but not of the server that was asked for.",
            of(fax),
        ),
        (
            "not-found",
            "status-code",
            "client.failure-codes",
            "status 404",
            "The resolver has no record to state. That is said, and is no error.",
            Reply::status(404, &["Content-Type: application/problem+json"]).body([(
                "{\"type\":\"about:blank\",\"title\":\"No record\",\"status\":404,\"code\":\"record-not-found\",\
                 \"rule\":\"record.not-found\"}",
                1,
            )]),
        ),
        (
            "expired",
            "expired",
            "client.verify",
            "a token that has expired",
            "The code is that of the token.",
            of(&mail.clone().expired()),
        ),
        (
            "token-of-a-candidate",
            "claim-missing",
            "record.claims",
            "a token without name and first_seen",
            "The token of a candidate is not enough.",
            Reply::of(&bare, &ANSWER),
        ),
        (
            "redirect",
            "redirect",
            "http.redirect-not-followed client.no-other",
            "status 303 to another host",
            "A redirect is not followed.",
            Reply::status(303, &["Location: https://elsewhere.example/record"]),
        ),
        (
            "media-type",
            "media-type",
            "http.media-type-read",
            "Content-Type: text/plain",
            "A sound record of another type.",
            of(mail).set("Content-Type: text/plain"),
        ),
        (
            "too-large",
            "document-too-large",
            "record.size",
            "a record of 65,537 bytes",
            "A byte too many, though it is white space.",
            of(mail).body([(text.as_str(), 1), (" ", 65_537 - text.len())]),
        ),
        (
            "other-version",
            "version-unsupported",
            "version.unknown",
            "v: 0.3",
            "A record of another version.",
            Reply::of(&mail.record().set("v", "\"0.3\""), &ANSWER),
        ),
    ] {
        cases.other_scene(
            &format!("record-{slug}"),
            rules,
            change,
            comment,
            &by_url().records(ONE, &reply).says(ONE.skipped(code)),
        );
    }
    cases.other_scene(
        "record-new-kid-unknown-again",
        "keys.unknown-kid token.kid.known",
        "a token of a new key, and the second fetch fails",
        "The record is refused, and the failure of the fetch is said beside.",
        &{
            let new = mail.clone().kid("key-2");
            by_url()
                .records(ONE, &of(&new))
                .discovers(ONE, &Reply::status(500, &[]))
                .says(ONE.skipped("kid-unknown").refresh("status-code"))
        },
    );
}
