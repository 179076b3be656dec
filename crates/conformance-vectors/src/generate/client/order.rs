//! Whom a client asks, in which order, and whom it never asks (§10.1).

use super::super::build::{array, quoted};
use super::super::cases::Cases;
use super::party::{ELSEWHERE, ONE, THREE, TWO};
use super::reply::Reply;
use super::scenario::{ANSWER, DISCOVERY, NEED, Scenario};
use super::{MAIL, POST};

pub(super) fn add(cases: &mut Cases) {
    let (mail, post, two_mail) = (ONE.offer(MAIL), ONE.offer(POST), TWO.offer(MAIL));
    cases.scene(
        "plain",
        "client.fails-open client.verify client.no-other client.once client.failure-codes client.failure-order",
        "One resolver with one candidate: two requests, and its word.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[&mail])
            .gives(&[&mail])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "no-resolvers",
        "client.fails-open",
        "an empty list",
        "A client starts with an empty list: there is nobody to ask, and that is no error.",
        &Scenario::in_order([]).need(0, NEED),
    );
    cases.other_scene(
        "resolver-with-port",
        "client.once",
        "an issuer with a port",
        "The port of the issuer is in the Host header.",
        &{
            let (issuer, discovery) = ("https://one.example:8443", ONE.discovery());
            let moved = |path: &str| quoted(&format!("{issuer}{path}"));
            let endpoints = ONE
                .endpoints()
                .set("resolve", moved("/resolve"))
                .set("record", moved("/record"));
            let discovery = discovery
                .set("iss", quoted(issuer))
                .set("endpoints", endpoints.text());
            Scenario::of(vec![issuer], "in-order")
                .need(0, NEED)
                .fetches(
                    issuer,
                    "/.well-known/capability-resolver",
                    &Reply::of(&discovery, &DISCOVERY),
                )
                .sends(
                    issuer,
                    "/resolve",
                    &Reply::of(&ONE.answer(&[]).set("iss", quoted(issuer)), &ANSWER),
                )
                .says(ONE.answered().of(issuer))
        },
    );
    cases.other_scene(
        "endpoint-elsewhere-on-the-origin",
        "discovery.endpoints",
        "endpoints.resolve: https://one.example/v2/ask",
        "The path of the endpoint is the one that the discovery document gives.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(
                ONE,
                &Reply::of(
                    &ONE.discovery().set(
                        "endpoints",
                        ONE.endpoints()
                            .set("resolve", "\"https://one.example/v2/ask\"")
                            .text(),
                    ),
                    &DISCOVERY,
                ),
            )
            .sends(
                ONE.issuer,
                "/v2/ask",
                &Reply::of(&ONE.answer(&[&mail]), &ANSWER),
            )
            .gives(&[&mail])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "endpoint-with-an-escaped-slash",
        "discovery.endpoints url.comparison",
        "endpoints.resolve: https://one.example/a%2Fb",
        "The path is sent as it is written: decoded, it would be another URL.",
        &{
            let escaped = ONE
                .endpoints()
                .set("resolve", "\"https://one.example/a%2Fb\"");
            let discovery = ONE.discovery().set("endpoints", escaped.text());
            let answer = Reply::of(&ONE.answer(&[&mail]), &ANSWER);
            Scenario::in_order([ONE])
                .need(0, NEED)
                .discovers(ONE, &Reply::of(&discovery, &DISCOVERY))
                .sends(ONE.issuer, "/a%2Fb", &answer)
                .gives(&[&mail])
                .says(ONE.answered())
        },
    );

    cases.scene(
        "order-first-has-a-candidate",
        "client.order client.no-other",
        "The first resolver has a candidate, so the second does not learn the need.",
        &Scenario::in_order([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[&mail, &post])
            .gives(&[&mail, &post])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "order-at-once",
        "client.order client.merge",
        "whoever runs the client chose that all are asked at once",
        "Both are asked, though the first has a candidate.",
        &Scenario::at_once([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[&mail, &post])
            .discovery(TWO)
            .resolve(TWO, &[&two_mail])
            .gives_merged("ok", &[&mail, &two_mail])
            .gives(&[&post])
            .says(ONE.answered())
            .says(TWO.answered()),
    );
    cases.other_scene(
        "order-first-has-nobody",
        "client.order resolve.answer.empty",
        "the first answers with no candidate",
        "An empty answer is an answer, and the next is asked.",
        &Scenario::in_order([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[])
            .discovery(TWO)
            .resolve(TWO, &[&two_mail])
            .gives(&[&two_mail])
            .says(ONE.answered())
            .says(TWO.answered()),
    );
    let expired = mail.clone().expired();
    cases.other_scene(
        "order-first-has-none-that-verifies",
        "client.order client.verify candidate.dropped",
        "the token of the first's only candidate has expired",
        "A candidate whose token does not verify counts as none, so the next is asked.",
        &Scenario::in_order([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[&expired])
            .discovery(TWO)
            .resolve(TWO, &[&two_mail])
            .gives(&[&two_mail])
            .says(ONE.answered().dropped(0, "expired"))
            .says(TWO.answered()),
    );
    cases.other_scene(
        "order-until-one-has-a-candidate",
        "client.order client.fails-open",
        "three resolvers, of which the first fails",
        "The second has a candidate, so the third is not asked.",
        &Scenario::in_order([ONE, TWO, THREE])
            .need(0, NEED)
            .discovers(ONE, &Reply::status(500, &[]))
            .discovery(TWO)
            .resolve(TWO, &[&two_mail])
            .gives(&[&two_mail])
            .says(ONE.skipped("status-code"))
            .says(TWO.answered()),
    );
    cases.other_scene(
        "order-nobody-has-a-candidate",
        "client.fails-open client.order",
        "both answer with no candidate",
        "The result is empty, and that is no error.",
        &Scenario::in_order([ONE, TWO])
            .need(0, NEED)
            .discovery(ONE)
            .resolve(ONE, &[])
            .discovery(TWO)
            .resolve(TWO, &[])
            .says(ONE.answered())
            .says(TWO.answered()),
    );
    others(cases);
}

/// Hosts that a resolver names, and of which nothing may be asked.
fn others(cases: &mut Cases) {
    let mail = ONE.offer(MAIL);
    let elsewhere = |path: &str| quoted(&format!("{ELSEWHERE}{path}"));
    cases.from("plain");
    let naming = ONE
        .discovery()
        .set("policy", elsewhere("/policy"))
        .and("changelog", elsewhere("/changelog"))
        .set(
            "endpoints",
            ONE.endpoints()
                .and("mcp", "\"https://one.example/mcp\"")
                .text(),
        );
    let pointing = mail.candidate().set(
        "evidence",
        format!("{{\"record\":\"{ELSEWHERE}/record?id=s-1\"}}"),
    );
    cases.other_scene(
        "other-hosts-are-named",
        "client.no-other",
        "policy, changelog and evidence on another host",
        "Nothing is sent to a host only because a resolver names it: not to that host, and not to the server.",
        &Scenario::in_order([ONE])
            .trap("https://mail.example.com")
            .need(0, NEED)
            .discovers(ONE, &Reply::of(&naming, &DISCOVERY))
            .resolves(
                ONE,
                &Reply::of(&ONE.answer_of([pointing.text()]), &ANSWER),
            )
            .gives(&[&mail])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "other-host-as-endpoint",
        "client.no-other discovery.refused discovery.endpoints.origin",
        "endpoints.resolve on another host",
        "The document is refused, and the need goes nowhere.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(
                ONE,
                &Reply::of(
                    &ONE.discovery().set(
                        "endpoints",
                        ONE.endpoints().set("resolve", elsewhere("/resolve")).text(),
                    ),
                    &DISCOVERY,
                ),
            )
            .says(ONE.skipped("endpoint-origin")),
    );
    let cookie = "Set-Cookie: caller=1; Path=/";
    cases.other_scene(
        "cookies",
        "http.no-credentials",
        "both answers set a cookie",
        "A client sends no cookies, so nobody can follow a caller from need to need.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovers(ONE, &Reply::of(&ONE.discovery(), &DISCOVERY).and(cookie))
            .resolves(ONE, &Reply::of(&ONE.answer(&[]), &ANSWER).and(cookie))
            .says(ONE.answered())
            .need(10, "book a table")
            .resolves(ONE, &Reply::of(&ONE.answer(&[&mail]), &ANSWER))
            .gives(&[&mail])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "once-after-unavailable",
        "client.once",
        "status 503 without Retry-After",
        "A request that failed is not sent again in the same call; the next call may.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &Reply::status(503, &[]))
            .says(ONE.skipped("status-code"))
            .need(10, NEED)
            .resolve(ONE, &[&mail])
            .gives(&[&mail])
            .says(ONE.answered()),
    );
    cases.other_scene(
        "once-after-a-closed-connection",
        "client.once",
        "the connection is closed before an answer",
        "Many libraries send a GET again when a connection is closed; a client does not.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(ONE, &Reply::raw("", "cut"))
            .says(ONE.skipped("network")),
    );
    let lists = array([mail.candidate().text()]);
    let with_other_members = ONE
        .answer(&[&mail])
        .set("candidates", lists)
        .and("next", elsewhere("/resolve?page=2"));
    cases.other_scene(
        "other-members",
        "client.no-other json.unknown-member",
        "a member next with a URL",
        "A member that the text does not define is ignored.",
        &Scenario::in_order([ONE])
            .need(0, NEED)
            .discovery(ONE)
            .resolves(
                ONE,
                &Reply::of(&with_other_members, &ANSWER)
                    .and(format!("Link: <{ELSEWHERE}/resolve?page=2>; rel=\"next\"")),
            )
            .gives(&[&mail])
            .says(ONE.answered()),
    );
}
