//! Resolvers that fail, at each of their two documents, and what a client says of them (§10.2).

use super::super::build::{Object, quoted};
use super::super::cases::Cases;
use super::POST;
use super::party::{ELSEWHERE, ONE, Offer, TWO};
use super::reply::Reply;
use super::scenario::{ANSWER, DISCOVERY, NEED, Scenario};

/// The document that a failing resolver fails at.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Discovery,
    Answer,
}

const STAGES: [Stage; 2] = [Stage::Discovery, Stage::Answer];

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Answer => "answer",
        }
    }

    fn document(self) -> Object {
        match self {
            Self::Discovery => ONE.discovery(),
            Self::Answer => ONE.answer(&[]),
        }
    }

    /// The honest reply, of an answer without candidates.
    fn honest(self) -> Reply {
        match self {
            Self::Discovery => Reply::of(&self.document(), &DISCOVERY),
            Self::Answer => Reply::of(&self.document(), &ANSWER),
        }
    }

    fn limit(self) -> usize {
        match self {
            Self::Discovery => 65_536,
            Self::Answer => 262_144,
        }
    }
}

/// The first resolver replies so, and the second has a candidate.
fn scenario(stage: Stage, reply: &Reply, code: Option<&str>, post: &Offer) -> Scenario {
    let scenario = Scenario::in_order([ONE, TWO]).need(0, NEED);
    let scenario = match code {
        // As short as a busy machine allows.
        Some("timeout") => scenario.budgets(2000, 8000),
        _ => scenario,
    };
    let scenario = match (stage, code) {
        (Stage::Discovery, Some(_)) => scenario.discovers(ONE, reply),
        (Stage::Discovery, None) => scenario
            .discovers(ONE, reply)
            .resolves(ONE, &Stage::Answer.honest()),
        (Stage::Answer, _) => scenario.discovery(ONE).resolves(ONE, reply),
    };
    scenario
        .discovery(TWO)
        .resolve(TWO, &[post])
        .gives(&[post])
        .says(match code {
            Some(code) => ONE.skipped(code),
            None => ONE.answered(),
        })
        .says(TWO.answered())
}

pub(super) fn add(cases: &mut Cases) {
    let post = TWO.offer(POST);
    cases.scene(
        "none",
        "client.fails-open client.failure-codes client.failure-order client.budget http.redirect-not-followed \
         http.media-type-read version.unknown",
        "The first resolver has nobody, the second has. The scenarios of failing resolvers are made from this one.",
        &scenario(Stage::Answer, &Stage::Answer.honest(), None, &post),
    );
    for stage in STAGES {
        let mut fails =
            |slug: &str, code: &str, rules: &str, change: &str, comment: &str, reply: &Reply| {
                cases.other_scene(
                    &format!("{}-{slug}", stage.name()),
                    rules,
                    &format!("{}: {change}", stage.name()),
                    comment,
                    &scenario(stage, reply, Some(code), &post),
                );
            };
        transfers(&mut fails, stage);
        heads(&mut fails, stage);
        documents(&mut fails, stage);
        sound(cases, stage, &post);
    }
    cases.other_scene(
        "discovery-refused-connection",
        "client.failure-codes client.fails-open",
        "nobody listens at the first",
        "There is no connection, and so no request.",
        &Scenario::in_order([ONE, TWO])
            .unreachable(ONE)
            .need(0, NEED)
            .discovery(TWO)
            .resolve(TWO, &[&post])
            .gives(&[&post])
            .says(ONE.skipped("network"))
            .says(TWO.answered()),
    );
    cases.other_scene(
        "all-fail",
        "client.fails-open",
        "both fail",
        "With nobody left the result is empty, and says why. It is not an error.",
        &Scenario::in_order([ONE, TWO])
            .unreachable(ONE)
            .need(0, NEED)
            .discovers(TWO, &Reply::status(500, &[]))
            .says(ONE.skipped("network"))
            .says(TWO.skipped("status-code")),
    );
}

type Fails<'f> = &'f mut dyn FnMut(&str, &str, &str, &str, &str, &Reply);

/// Bytes that do not come, or do not end.
fn transfers(fails: Fails<'_>, stage: Stage) {
    let honest = stage.honest();
    fails(
        "closed",
        "network",
        "client.failure-codes client.fails-open",
        "the connection is closed without a byte",
        "The connection is closed where an answer should be.",
        &Reply::raw("", "cut"),
    );
    fails(
        "not-http",
        "network",
        "client.failure-codes",
        "the answer is not HTTP",
        "Another protocol answers.",
        &Reply::raw("SSH-2.0-OpenSSH_9.9\r\n", "cut"),
    );
    fails(
        "head-cut",
        "network",
        "client.failure-codes",
        "the head breaks off",
        "The connection is closed in the middle of the head.",
        &Reply::raw("HTTP/1.1 200 OK\r\nContent-Type: applic", "cut"),
    );
    fails(
        "body-cut",
        "network",
        "client.failure-codes",
        "the body is one byte shorter than announced",
        "All of the JSON is there, but not all that was announced: it may not be what the resolver said.",
        &honest.clone().end("cut"),
    );
    fails(
        "chunks-cut",
        "network",
        "client.failure-codes",
        "the last chunk is missing",
        "All of the JSON is there, but the connection is closed before the body ends.",
        &honest.clone().framing("chunked").end("cut"),
    );
    if stage == Stage::Answer {
        fails(
            "hangs",
            "timeout",
            "client.budget client.fails-open",
            "no byte comes",
            "The resolver takes the request and never answers.",
            &Reply::raw("", "hang"),
        );
        fails(
            "body-hangs",
            "timeout",
            "client.budget",
            "the last byte never comes",
            "The head and all of the JSON come, but not the last byte that was announced.",
            &honest.clone().end("hang"),
        );
        fails(
            "trickles",
            "timeout",
            "client.budget",
            "the body comes byte by byte, without end",
            "Each byte comes soon after the one before. The bound is for the whole, and not for a pause.",
            &Reply::status(200, &ANSWER)
                .body([(" ", 1)])
                .framing("chunked")
                .end("trickle"),
        );
    } else {
        fails(
            "head-hangs",
            "timeout",
            "client.budget client.fails-open",
            "the head breaks off, and nothing more comes",
            "The resolver starts to answer and goes silent.",
            &Reply::raw("HTTP/1.1 200 OK\r\nContent-Type: applic", "hang"),
        );
    }
}

/// What a head alone decides.
fn heads(fails: Fails<'_>, stage: Stage) {
    let honest = stage.honest();
    for status in [300, 301, 302, 303, 307, 308, 399] {
        let target = match stage {
            Stage::Discovery => "/.well-known/capability-resolver",
            Stage::Answer => "/resolve",
        };
        fails(
            &format!("status-{status}"),
            "redirect",
            "http.redirect-not-followed client.no-other",
            &format!("status {status} to another host"),
            "A redirect is not followed: the need would go to somebody else.",
            &Reply::status(status, &[]).and(format!("Location: {ELSEWHERE}{target}")),
        );
    }
    fails(
        "redirect-to-itself",
        "redirect",
        "http.redirect-not-followed",
        "status 307 to the same origin",
        "A redirect to the same host is not followed either.",
        &Reply::status(307, &["Location: /elsewhere"]),
    );
    fails(
        "status-304",
        "redirect",
        "http.redirect-not-followed",
        "status 304 to a request without If-None-Match",
        "There is no copy that it could confirm.",
        &Reply::status(304, &["ETag: \"d-1\""]),
    );
    for (status, what) in [
        (204, "no content"),
        (206, "a part"),
        (404, "not found"),
        (500, "an error"),
    ] {
        fails(
            &format!("status-{status}"),
            "status-code",
            "client.failure-codes",
            &format!("status {status}"),
            &format!("Only 200 is an answer, and this is {what}."),
            &match status {
                206 => honest.clone().with_status(206),
                204 => Reply::status(204, &[]).framing("none"),
                _ => Reply::status(status, &["Content-Type: text/plain"]).body([("no", 1)]),
            },
        );
    }
    fails(
        "problem",
        "status-code",
        "client.failure-codes",
        "status 400 with problem details",
        "An error of the resolver, as §5.5 has it.",
        &Reply::status(400, &["Content-Type: application/problem+json"]).body([(
            "{\"type\":\"about:blank\",\"title\":\"The need is too short\",\"status\":400,\
             \"code\":\"need-length\",\"rule\":\"resolve.need.length\"}",
            1,
        )]),
    );
    fails(
        "coding",
        "content-coding",
        "client.failure-codes",
        "Content-Encoding: x-rot13",
        "A coding that no client asks for, though the body is plain.",
        &honest.clone().and("Content-Encoding: x-rot13"),
    );
    for (slug, fields, change) in [
        (
            "empty",
            &["Content-Encoding: "][..],
            "an empty Content-Encoding",
        ),
        (
            "list",
            &["Content-Encoding: identity, identity"],
            "Content-Encoding: identity, identity",
        ),
        (
            "two",
            &["Content-Encoding: identity"; 2],
            "two fields Content-Encoding: identity",
        ),
    ] {
        fails(
            &format!("coding-{slug}"),
            "content-coding",
            "client.failure-order client.failure-codes",
            change,
            "Only one field, and identity alone in it, says that there is no coding.",
            &fields.iter().copied().fold(honest.clone(), Reply::and),
        );
    }
    for (slug, reply, change) in [
        (
            "media-type-missing",
            honest.clone().without("Content-Type"),
            "no Content-Type",
        ),
        (
            "media-type-html",
            honest.clone().set("Content-Type: text/html"),
            "Content-Type: text/html",
        ),
        (
            "media-type-problem",
            honest.clone().set("Content-Type: application/problem+json"),
            "Content-Type: application/problem+json",
        ),
        (
            "media-type-list",
            honest
                .clone()
                .set("Content-Type: application/json, text/html"),
            "Content-Type: application/json, text/html",
        ),
        (
            "media-type-twice",
            honest.clone().and("Content-Type: application/json"),
            "Content-Type: application/json, twice",
        ),
    ] {
        fails(
            slug,
            "media-type",
            "http.media-type-read",
            change,
            "The body is a sound document, and of no type, of another one, or of two.",
            &reply,
        );
    }
    head_order(fails, &honest);
}

/// Two faults each: the rule says which is reported.
fn head_order(fails: Fails<'_>, honest: &Reply) {
    let faults = [
        (
            "redirect-before-coding",
            "redirect",
            "status 302 with a coding",
            honest
                .clone()
                .with_status(302)
                .and("Content-Encoding: x-rot13"),
        ),
        (
            "status-before-coding",
            "status-code",
            "status 500 with a coding",
            honest
                .clone()
                .with_status(500)
                .and("Content-Encoding: x-rot13"),
        ),
        (
            "coding-before-media-type",
            "content-coding",
            "a coding and text/html",
            honest
                .clone()
                .set("Content-Type: text/html")
                .and("Content-Encoding: x-rot13"),
        ),
        (
            "media-type-before-document",
            "media-type",
            "text/html that is no JSON",
            Reply::status(200, &["Content-Type: text/html"]).body([("<p>Log in.</p>", 1)]),
        ),
        (
            "status-before-body",
            "status-code",
            "status 500 with a body that breaks off",
            honest.clone().with_status(500).end("cut"),
        ),
        (
            "media-type-before-body",
            "media-type",
            "text/html without an end",
            Reply::status(200, &["Content-Type: text/html"])
                .body([("<p>", 100)])
                .framing("chunked")
                .end("endless"),
        ),
    ];
    for (slug, code, change, reply) in faults {
        fails(
            slug,
            code,
            "client.failure-order",
            change,
            "Two faults: the order of the checks decides which code is reported, and a head needs no body.",
            &reply,
        );
    }
}

/// What only the document shows.
fn documents(fails: Fails<'_>, stage: Stage) {
    let (document, honest) = (stage.document(), stage.honest());
    let of = |document: &Object| match stage {
        Stage::Discovery => Reply::of(document, &DISCOVERY),
        Stage::Answer => Reply::of(document, &ANSWER),
    };
    let (refused, size) = match stage {
        Stage::Discovery => ("discovery.refused", "discovery.size"),
        Stage::Answer => ("client.fails-open", "resolve.answer.size"),
    };
    fails(
        "other-version",
        "version-unsupported",
        "version.unknown",
        "v: 0.3",
        "A resolver of another version is skipped.",
        &of(&document.clone().set("v", "\"0.3\"")),
    );
    fails(
        "of-another-issuer",
        "iss-mismatch",
        &match stage {
            Stage::Discovery => format!("{refused} discovery.iss"),
            Stage::Answer => "resolve.answer.iss".to_owned(),
        },
        "the document of another resolver",
        "The document says of itself that it is somebody else's.",
        &of(&document.clone().set("iss", quoted(TWO.issuer))),
    );
    fails(
        "not-json",
        "document-not-json",
        &format!("{refused} json.syntax"),
        "a text that is no JSON",
        "A page in place of the document, with the right media type.",
        &honest.clone().body([("<p>Log in.</p>", 1)]),
    );
    fails(
        "empty-body",
        "document-not-json",
        &format!("{refused} json.syntax"),
        "an empty body",
        "Status 200 and nothing.",
        &honest.clone().body([]),
    );
    fails(
        "endless",
        "document-too-large",
        &format!("{size} client.fails-open"),
        "white space without end",
        "A client stops reading at the limit, and does not wait for its time to be over.",
        &honest
            .clone()
            .body([(" ", 4096)])
            .framing("chunked")
            .end("endless"),
    );
    fails(
        "announced-too-large",
        "document-too-large",
        size,
        "a length of a gigabyte is announced, and comes",
        "A client does not make room for what is announced.",
        &honest
            .clone()
            .and("Content-Length: 1073741824")
            .body([(" ", 4096)])
            .framing("none")
            .end("endless"),
    );
    for (end, change) in [
        ("cut", "and the connection is closed long before"),
        ("hang", "and nothing more comes"),
    ] {
        fails(
            &format!("announced-too-large-{end}"),
            "document-too-large",
            &format!("client.failure-order {size}"),
            &format!("a length of a gigabyte is announced, {change}"),
            "The head says that the body is too long; whether it comes changes nothing.",
            &honest
                .clone()
                .and("Content-Length: 1073741824")
                .body([(" ", 4096)])
                .framing("none")
                .end(end),
        );
    }
    match stage {
        Stage::Discovery => {
            let keys = String::from_utf8(ONE.discovery().text()).unwrap_or_default();
            let published = keys.replacen("\"crv\"", "\"d\":\"AA\",\"crv\"", 1);
            fails(
                "private-key",
                "key-private",
                "discovery.refused discovery.keys.private",
                "a key with its private part",
                "Whoever reads this document can sign as this resolver.",
                &honest.clone().body([(published.as_str(), 1)]),
            );
        }
        Stage::Answer => {
            let many = (0..11).map(|place| {
                let url = format!("https://server-{place}.example/mcp");
                ONE.offer(&url).candidate().text()
            });
            fails(
                "eleven-candidates",
                "too-many-candidates",
                "resolve.answer.count",
                "eleven sound candidates",
                "The answer is refused, and not cut.",
                &of(&ONE.answer_of(many)),
            );
            fails(
                "candidates-missing",
                "member-missing",
                "resolve.answer.members",
                "without candidates",
                "An answer without the list is no empty answer.",
                &of(&document.without("candidates")),
            );
        }
    }
}

/// What looks odd, and is allowed.
fn sound(cases: &mut Cases, stage: Stage, post: &Offer) {
    let honest = stage.honest();
    let text = String::from_utf8(stage.document().text()).unwrap_or_default();
    let filled = stage.limit() - text.len();
    let (size, media) = match stage {
        Stage::Discovery => ("discovery.size", "http.media-type-read"),
        Stage::Answer => ("resolve.answer.size", "http.media-type-read"),
    };
    for (slug, rules, change, reply) in [
        (
            "chunked",
            "client.failure-codes",
            "the body comes in chunks",
            honest.clone().framing("chunked"),
        ),
        (
            "until-closed",
            "client.failure-codes",
            "the end of the connection is the end of the body",
            honest.clone().framing("none"),
        ),
        (
            "media-type-parameter",
            media,
            "Content-Type: application/json; charset=utf-8",
            honest
                .clone()
                .set("Content-Type: application/json; charset=utf-8"),
        ),
        (
            "media-type-upper-case",
            media,
            "Content-Type: Application/JSON",
            honest.clone().set("Content-Type: Application/JSON"),
        ),
        (
            "media-type-space",
            media,
            "Content-Type: application/json ; charset=utf-8",
            honest
                .clone()
                .set("Content-Type: application/json ; charset=utf-8"),
        ),
        (
            "media-type-quoted-comma",
            media,
            "Content-Type: application/json;x=\"a, text/html\"",
            honest
                .clone()
                .set("Content-Type: application/json;x=\"a, text/html\""),
        ),
        (
            "coding-identity",
            "client.failure-order client.failure-codes",
            "Content-Encoding: identity",
            honest.clone().and("Content-Encoding: identity"),
        ),
        (
            "coding-identity-upper-case",
            "client.failure-order client.failure-codes",
            "Content-Encoding: Identity",
            honest.clone().and("Content-Encoding: Identity"),
        ),
        (
            "early-hints",
            "client.failure-codes",
            "an answer with status 103 comes before it",
            Reply::raw(
                &format!(
                    "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n\
                     HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n{text}",
                    text.len()
                ),
                "complete",
            ),
        ),
        (
            "http-1-0",
            "client.failure-codes",
            "the answer is of HTTP/1.0",
            Reply::raw(
                &format!("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{text}"),
                "complete",
            ),
        ),
        (
            "lower-case-fields",
            media,
            "names of header fields in lower case",
            honest
                .clone()
                .without("Content-Type")
                .and("content-type:application/json"),
        ),
        (
            "largest",
            size,
            "as many bytes as it may have",
            honest.clone().body([(text.as_str(), 1), (" ", filled)]),
        ),
    ] {
        cases.other_scene(
            &format!("{}-{slug}", stage.name()),
            rules,
            &format!("{}: {change}", stage.name()),
            "HTTP and the text allow it.",
            &scenario(stage, &reply, None, post),
        );
    }
    cases.other_scene(
        &format!("{}-too-large", stage.name()),
        size,
        &format!("{}: one byte more than it may have", stage.name()),
        "A byte too many, though it is white space.",
        &scenario(
            stage,
            &honest.body([(text.as_str(), 1), (" ", filled + 1)]),
            Some("document-too-large"),
            post,
        ),
    );
}
