//! §6.5 and the time of the observation: each boundary from both sides.

use crate::generate::build::{
    EXP, IAT, NOW_SECONDS, Object, Token, ask, ask_at, claims, header, quoted,
};
use crate::generate::cases::Cases;
use crate::model::Input;

fn token(claims: &Object) -> String {
    Token::of(&header("key-1"), claims).compact()
}

fn with(claims: &Object) -> Input {
    ask(token(claims))
}

/// The plain claims with a life.
fn life(iat: i64, exp: i64) -> Object {
    claims()
        .set("iat", iat.to_string())
        .set("exp", exp.to_string())
}

pub(super) fn add(cases: &mut Cases) {
    lifetime(cases);
    issued(cases);
    expired(cases);
    not_before(cases);
    form_of_checked_at(cases);
    checked_at_future(cases);
    max_age(cases);
}

fn lifetime(cases: &mut Cases) {
    cases.valid(
        "life-1-second",
        "token.exp.after-iat",
        "exp one second after iat",
        "The shortest life; the leeway keeps it usable.",
        with(&life(IAT, IAT + 1)),
    );
    cases.invalid(
        "life-0-seconds",
        "lifetime-invalid",
        "token.exp.after-iat",
        "exp equal to iat",
        "A life of nothing.",
        with(&life(IAT, IAT)),
    );
    cases.invalid(
        "life-negative",
        "lifetime-invalid",
        "token.exp.after-iat",
        "exp one second before iat",
        "It ends before it begins, though now is within leeway of both.",
        with(&life(IAT, IAT - 1)),
    );
    cases.valid(
        "life-172800",
        "token.exp.max-life",
        "a life of 172,800 seconds",
        "48 hours exactly.",
        with(&life(IAT, IAT + 172_800)),
    );
    cases.invalid(
        "life-172801",
        "lifetime-too-long",
        "token.exp.max-life",
        "a life of 172,801 seconds",
        "A second more than 48 hours.",
        with(&life(IAT, IAT + 172_801)),
    );
    cases.invalid(
        "life-172800-and-leeway",
        "lifetime-too-long",
        "token.exp.max-life",
        "a life of 173,100 seconds",
        "The leeway is for clocks, and no part of a life.",
        with(&life(IAT, IAT + 173_100)),
    );
    cases.invalid(
        "life-10-years",
        "lifetime-too-long",
        "token.exp.max-life",
        "a life of ten years",
        "A token that nobody would have to renew.",
        with(&life(IAT, IAT + 315_360_000)),
    );
    cases.invalid(
        "exp-milliseconds",
        "lifetime-too-long",
        "token.exp.max-life",
        "exp in milliseconds",
        "The wrong unit makes a life of 57,000 years.",
        with(&life(IAT, EXP * 1000)),
    );
}

fn issued(cases: &mut Cases) {
    cases.valid(
        "iat-is-now",
        "token.iat.future",
        "iat equal to now",
        "Issued this second.",
        with(&life(NOW_SECONDS, EXP)),
    );
    cases.valid(
        "iat-future-300",
        "token.iat.future time.leeway",
        "iat 300 seconds after now",
        "Within leeway, exactly.",
        with(&life(NOW_SECONDS + 300, EXP)),
    );
    cases.invalid(
        "iat-future-301",
        "issued-in-future",
        "token.iat.future time.leeway",
        "iat 301 seconds after now",
        "One second beyond leeway.",
        with(&life(NOW_SECONDS + 301, EXP)),
    );
    cases.invalid(
        "iat-future-by-clock",
        "issued-in-future",
        "token.iat.future",
        "the clock is 301 seconds before iat",
        "The plain token, seen by a clock that is slow.",
        ask_at(Token::plain().compact(), "2026-11-30T11:53:59Z"),
    );
    cases.valid("iat-future-by-clock-300", "token.iat.future", "the clock is 300 seconds before iat", "The plain token, seen by a clock that is slow but within leeway; its checked_at is older than its iat.", ask_at(Token::plain().compact(), "2026-11-30T11:54:00Z"));
}

fn expired(cases: &mut Cases) {
    let plain = Token::plain().compact();
    for (slug, now, comment) in [
        (
            "at-exp",
            "2026-12-01T12:00:00Z",
            "The second in which it ends.",
        ),
        (
            "after-exp-1",
            "2026-12-01T12:00:01Z",
            "A second after its end, and within leeway.",
        ),
        (
            "after-exp-300",
            "2026-12-01T12:05:00Z",
            "300 seconds after its end: within leeway, exactly.",
        ),
    ] {
        cases.valid(
            slug,
            "token.exp.expired time.leeway",
            &format!("the clock is {now}"),
            comment,
            ask_at(&plain, now),
        );
    }
    for (slug, now, comment) in [
        (
            "after-exp-301",
            "2026-12-01T12:05:01Z",
            "301 seconds after its end: one second beyond leeway.",
        ),
        ("long-expired", "2036-11-30T12:00:00Z", "Ten years later."),
        (
            "expired-9998",
            "9998-12-31T23:59:59Z",
            "Near the end of the calendar.",
        ),
    ] {
        cases.invalid(
            slug,
            "expired",
            "token.exp.expired time.leeway",
            &format!("the clock is {now}"),
            comment,
            ask_at(&plain, now),
        );
    }
    for (slug, now, comment) in [
        (
            "after-exp-300-and-a-half",
            "2026-12-01T12:05:00.5Z",
            "The clock is rounded down to whole seconds, so this is still within leeway.",
        ),
        (
            "after-exp-300-and-nearly-1",
            "2026-12-01T12:05:00.999999999Z",
            "Rounded down and not to the nearest.",
        ),
    ] {
        cases.valid(
            slug,
            "time.now token.exp.expired",
            &format!("the clock is {now}"),
            comment,
            ask_at(&plain, now),
        );
    }
    let last = life(253_402_300_000, 253_402_386_400);
    cases.valid(
        "life-past-9999",
        "time.now token.exp.expired",
        "a life around the end of the year 9999, and the clock in its last second",
        "exp has no last year. A clock with a fraction is rounded down, also after the last second that a document can state.",
        ask_at(
            token(&last.set("checked_at", quoted("9999-12-31T23:45:00Z"))),
            "9999-12-31T23:59:59.5Z",
        ),
    );
    cases.invalid(
        "iat-future-301-less-a-bit",
        "issued-in-future",
        "time.now token.iat.future",
        "iat 300.1 seconds after now",
        "The clock is rounded down, so iat is 301 seconds after it.",
        ask_at(&plain, "2026-11-30T11:53:59.9Z"),
    );
    cases.valid(
        "exp-past-300",
        "token.exp.expired time.leeway",
        "exp 300 seconds before now",
        "The same boundary, made by the claims.",
        with(
            &life(NOW_SECONDS - 1000, NOW_SECONDS - 300)
                .set("checked_at", "\"2026-11-30T11:43:20Z\""),
        ),
    );
    cases.invalid(
        "exp-past-301",
        "expired",
        "token.exp.expired time.leeway",
        "exp 301 seconds before now",
        "One second beyond leeway, made by the claims.",
        with(
            &life(NOW_SECONDS - 1000, NOW_SECONDS - 301)
                .set("checked_at", "\"2026-11-30T11:43:20Z\""),
        ),
    );
}

fn not_before(cases: &mut Cases) {
    let nbf = |seconds: i64| with(&claims().and("nbf", seconds.to_string()));
    cases.valid(
        "nbf-past",
        "token.nbf",
        "nbf before now",
        "A claim that resolvers do not need, and that means something if it is there.",
        nbf(IAT),
    );
    cases.valid(
        "nbf-future-300",
        "token.nbf time.leeway",
        "nbf 300 seconds after now",
        "Within leeway, exactly.",
        nbf(NOW_SECONDS + 300),
    );
    cases.invalid(
        "nbf-future-301",
        "not-yet-valid",
        "token.nbf time.leeway",
        "nbf 301 seconds after now",
        "One second beyond leeway.",
        nbf(NOW_SECONDS + 301),
    );
}

fn form_of_checked_at(cases: &mut Cases) {
    for (slug, value, comment) in [
        (
            "offset",
            "2026-11-30T11:58:30+00:00",
            "The one way to write UTC is Z.",
        ),
        ("fraction", "2026-11-30T11:58:30.0Z", "Seconds are whole."),
        (
            "lower-case-t",
            "2026-11-30t11:58:30Z",
            "RFC 3339 allows it, and the text does not.",
        ),
        (
            "space",
            "2026-11-30 11:58:30Z",
            "A space is not the letter T.",
        ),
        (
            "no-zone",
            "2026-11-30T11:58:30",
            "A time without a zone is no time.",
        ),
        (
            "leap-second",
            "2016-12-31T23:59:60Z",
            "A real leap second, and still no time of the text.",
        ),
        (
            "impossible-date",
            "2026-11-31T11:58:30Z",
            "November has 30 days.",
        ),
        ("empty", "", "An empty string is no time."),
        (
            "trailing-line-feed",
            "2026-11-30T11:58:30Z\n",
            "A pattern that ends in $ lets a final line feed pass.",
        ),
        (
            "other-digits",
            "202\u{666}-11-30T11:58:30Z",
            "An Arabic digit, which many patterns for digits match.",
        ),
    ] {
        cases.invalid(
            &format!("checked-at-{slug}"),
            "checked-at-invalid",
            "token.checked-at time.document",
            &format!("checked_at: {}", value.escape_debug()),
            comment,
            with(&claims().set("checked_at", quoted(value))),
        );
    }
}

fn checked_at_future(cases: &mut Cases) {
    let at = |time: &str| with(&claims().set("checked_at", quoted(time)));
    cases.valid(
        "checked-at-now",
        "token.checked-at.future",
        "checked_at equal to now",
        "Later than iat: a resolver must not do this, and a client does not look.",
        at("2026-11-30T12:00:00Z"),
    );
    cases.valid(
        "checked-at-future-300",
        "token.checked-at.future time.leeway",
        "checked_at 300 seconds after now",
        "Within leeway, exactly.",
        at("2026-11-30T12:05:00Z"),
    );
    cases.invalid(
        "checked-at-future-301",
        "checked-at-future",
        "token.checked-at.future time.leeway",
        "checked_at 301 seconds after now",
        "One second beyond leeway.",
        at("2026-11-30T12:05:01Z"),
    );
    cases.invalid(
        "checked-at-9999",
        "checked-at-future",
        "token.checked-at.future",
        "checked_at at the end of the calendar",
        "A time in form, and far away.",
        at("9999-12-31T23:59:59Z"),
    );
}

fn max_age(cases: &mut Cases) {
    let at = |time: &str| with(&claims().set("checked_at", quoted(time)));
    cases.valid(
        "checked-at-age-86400",
        "status.max-age",
        "checked_at 86,400 seconds before iat",
        "24 hours before the token was issued, exactly.",
        at("2026-11-29T11:59:00Z"),
    );
    cases.invalid("checked-at-age-86401", "observation-too-old", "status.max-age", "checked_at 86,401 seconds before iat", "A second older than an observation may be when a token is issued: there is no leeway between two claims of one clock.", at("2026-11-29T11:58:59Z"));
    cases.invalid(
        "checked-at-year-1",
        "observation-too-old",
        "status.max-age time.document",
        "checked_at at the start of the calendar",
        "A time in form, long before 1970.",
        at("0001-01-01T00:00:00Z"),
    );
    cases.valid(
        "observation-of-72-hours",
        "status.max-age",
        "an observation of 86,400 seconds, at the end of a life of 172,800",
        "The age is measured from iat and not from now, so this old one still counts; it is the oldest there can be, with leeway.",
        ask_at(
            token(&life(IAT, IAT + 172_800).set("checked_at", "\"2026-11-29T11:59:00Z\"")),
            "2026-12-02T12:04:00Z",
        ),
    );
}
