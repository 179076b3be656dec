//! Resolvers that fail, and what is said of them.

use capability_resolution::Status;
use capability_resolver_client::{Broken, Difference, Stage as At};

use crate::stage::*;

const MAIL: &str = "https://mail.example.com/mcp";

// r[client.fails-open] r[client.failure-codes] r[client.failure-order] r[http.redirect-not-followed]
// r[http.media-type-read] r[discovery.refused] r[version.unknown] r[resolve.answer.count] r[discovery.keys.private]
#[tokio::test]
async fn every_failure_has_its_code_and_the_next_resolver_answers() {
    let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
    let network = || Broken::Network("gone".to_owned());
    let head = |status: u16, headers: &[(&'static str, &str)]| Answer::Head {
        status,
        headers: headers
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect(),
        body: a.answer(&[]),
    };
    let html = ("content-type", "text/html");
    let answers: Vec<(Answer, &str)> = vec![
        (Answer::Broken(network()), "network"),
        (Answer::BodyBroken(network()), "network"),
        (
            Answer::Broken(Broken::Timeout("slow".to_owned())),
            "timeout",
        ),
        (
            Answer::BodyBroken(Broken::Coding("gzip".to_owned())),
            "content-coding",
        ),
        (Answer::Coded("gzip"), "content-coding"),
        (head(301, &[html]), "redirect"),
        (head(304, &[]), "redirect"),
        (head(399, &[html]), "redirect"),
        (head(204, &[html]), "status-code"),
        (head(206, &[html]), "status-code"),
        (head(400, &[html]), "status-code"),
        (head(500, &[]), "status-code"),
        (head(200, &[html]), "media-type"),
        (head(200, &[]), "media-type"),
        (
            head(
                200,
                &[
                    ("content-type", "application/json"),
                    ("content-type", "application/json"),
                ],
            ),
            "media-type",
        ),
        (json("x".repeat(300_000)), "document-too-large"),
        (json(""), "document-not-json"),
        (json("[]"), "document-not-object"),
        (json("[".repeat(40)), "document-too-deep"),
        (json(r#"{"v":"0.3"}"#), "version-unsupported"),
        (json(r#"{"v":"0.2"}"#), "member-missing"),
        (json(r#"{"v":"0.2","iss":7}"#), "member-type"),
        (json(b.document()), "iss-mismatch"),
        (
            json(a.document().replace("\"kid\"", "\"d\":\"x\",\"kid\"")),
            "key-private",
        ),
        (
            json(
                a.document()
                    .replace("a.example/resolve", "c.example/resolve"),
            ),
            "endpoint-origin",
        ),
    ];
    for (answer, code) in answers {
        for stage_of in [At::Discovery, At::Resolve] {
            if matches!(code, "key-private" | "endpoint-origin") && stage_of == At::Resolve {
                continue;
            }
            let answer = if code == "iss-mismatch" && stage_of == At::Resolve {
                json(b.answer(&[]))
            } else {
                answer.clone()
            };
            let stage = Stage::new();
            a.plays(&stage, &[a.ok("https://never.example/mcp")]);
            b.plays(&stage, &[b.ok(MAIL)]);
            let path = if stage_of == At::Discovery {
                DISCOVERY
            } else {
                "/resolve"
            };
            stage.set(&a.issuer, path, answer);
            let found = resolve(&stage.client(&[&a, &b])).await;
            assert_eq!(urls(&found), [MAIL], "{code} {stage_of}");
            assert_eq!(
                words(found.resolvers()),
                [code, "answered"],
                "{code} {stage_of}"
            );
            let failure = found.resolvers()[0].failure().unwrap();
            assert_eq!(failure.stage(), stage_of, "{code}");
            assert!(
                !failure.detail().is_empty() && failure.rule().contains('.'),
                "{failure:?}"
            );
        }
    }
    let stage = Stage::new();
    let many: Vec<String> = (0..11)
        .map(|at| a.ok(&format!("https://{at}.example/mcp")))
        .collect();
    a.plays(&stage, &many);
    assert_eq!(
        words(resolve(&stage.client(&[&a])).await.resolvers()),
        ["too-many-candidates"]
    );
}

// r[client.fails-open]
#[tokio::test]
async fn with_every_resolver_down_the_result_is_empty_and_no_error() {
    let stage = Stage::new();
    let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
    let found = resolve(&stage.client(&[&a, &b])).await;
    assert!(found.advice().is_empty());
    assert_eq!(words(found.resolvers()), ["network", "network"]);
    let recorded = stage.client(&[&a, &b]).record(&MAIL.parse().unwrap()).await;
    assert_eq!(recorded.record(), None);
    assert_eq!(words(recorded.resolvers()), ["network", "network"]);
}

// r[client.verify] r[candidate.dropped]
#[tokio::test]
async fn what_does_not_verify_is_dropped_and_its_neighbours_stay() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    let forged = Resolver::new("aa.example");
    let good = a.ok(MAIL);
    let mut broken = a.ok("https://broken.example/mcp");
    broken.replace_range(
        broken.len() - 20..broken.len() - 19,
        if broken.as_bytes()[broken.len() - 20] == b'A' {
            "B"
        } else {
            "A"
        },
    );
    let expired = a.token("https://old.example/mcp", Status::Ok, 50_000, -301);
    let boundary = a.token("https://edge.example/mcp", Status::Ok, 50_000, -300);
    a.plays(
        &stage,
        &[
            broken,
            expired,
            boundary,
            forged.ok("https://forged.example/mcp"),
            good,
        ],
    );
    let found = resolve(&stage.client(&[&a])).await;
    assert_eq!(urls(&found), ["https://edge.example/mcp", MAIL]);
    assert_eq!(
        dropped(&found),
        ["signature-invalid", "expired", "signature-invalid"]
    );
    let places: Vec<_> = answered(&found)
        .dropped
        .iter()
        .map(|dropped| dropped.at)
        .collect();
    assert_eq!(places, [0, 1, 3]);
}

// r[client.clock] r[client.clock-kept]
#[tokio::test]
async fn a_clock_that_is_wrong_is_told_of_and_not_corrected() {
    let a = Resolver::new("a.example");
    let early = |url: &str| a.token_at(NOW + 172_800, url, Status::Ok, 60, 3_600);
    let late = |url: &str| a.token_at(NOW - 172_800, url, Status::Ok, 60, 3_600);
    let (now, in_two_days, just_later) = (
        "Mon, 30 Nov 2026 12:00:05 GMT",
        "Wed, 02 Dec 2026 12:00:05 GMT",
        "Mon, 30 Nov 2026 12:05:05 GMT",
    );
    let unsigned = r#"{"url":"https://x.example/"}"#.to_owned();
    for (candidates, date, doubt) in [
        (
            vec![candidate(&early("https://a.example/mcp"))],
            Some(in_two_days),
            true,
        ),
        (
            vec![candidate(&late("https://a.example/mcp"))],
            Some(in_two_days),
            true,
        ),
        (
            vec![
                candidate(&early("https://a.example/mcp")),
                candidate(&late("https://b.example/mcp")),
                unsigned.clone(),
            ],
            Some(in_two_days),
            true,
        ),
        (
            vec![candidate(&early("https://a.example/mcp"))],
            Some(now),
            false,
        ),
        (
            vec![candidate(&early("https://a.example/mcp"))],
            Some(just_later),
            false,
        ),
        (
            vec![candidate(&early("https://a.example/mcp"))],
            None,
            false,
        ),
        (
            vec![candidate(&early("https://a.example/mcp"))],
            Some("today"),
            false,
        ),
        (
            vec![
                candidate(&early("https://a.example/mcp")),
                candidate(&a.ok(MAIL)),
            ],
            Some(in_two_days),
            false,
        ),
        (
            vec![
                candidate(&early("https://a.example/mcp")),
                candidate("eyJhbGciOiJub25lIn0.eyJleHAiOjF9.AA"),
            ],
            Some(in_two_days),
            false,
        ),
        (vec![unsigned], Some(in_two_days), false),
        (vec![], Some(in_two_days), false),
    ] {
        let stage = Stage::new();
        a.plays(&stage, &[]);
        let dates: Vec<_> = date.iter().map(|date| ("date", *date)).collect();
        stage.set(
            &a.issuer,
            "/resolve",
            with(a.answer_of(&candidates), &dates),
        );
        let client = stage.client(&[&a]);
        for _ in 0..2 {
            let found = resolve(&client).await;
            let differences = &answered(&found).differences;
            let doubts = differences
                .iter()
                .any(|difference| matches!(difference, Difference::ClockDoubt { .. }));
            assert_eq!(doubts, doubt, "{candidates:?} {date:?}");
            assert!(!doubts || found.advice().is_empty());
        }
    }
}

// r[client.retry-after]
#[tokio::test]
async fn a_resolver_that_wants_to_be_left_alone_is() {
    let a = Resolver::new("a.example");
    for (code, header, wait) in [
        (429, "120", 120),
        (503, "99999", 3_600),
        (429, "Mon, 30 Nov 2026 12:01:05 GMT", 60),
    ] {
        for path in [DISCOVERY, "/resolve", "/record"] {
            let stage = Stage::new();
            a.plays(&stage, &[a.ok(MAIL)]);
            stage.set(&a.issuer, path, status(code, &[("retry-after", header)]));
            let client = stage.client(&[&a]);
            let url = MAIL.parse().unwrap();
            if path == "/record" {
                assert_eq!(
                    words(client.record(&url).await.resolvers()),
                    ["status-code"]
                );
            } else {
                assert_eq!(words(resolve(&client).await.resolvers()), ["status-code"]);
            }
            a.plays(&stage, &[a.ok(MAIL)]);
            stage.asked();
            stage.pass(wait - 1);
            let found = resolve(&client).await;
            assert_eq!(words(found.resolvers()), ["status-code"], "{path} {header}");
            assert!(
                found.resolvers()[0]
                    .failure()
                    .unwrap()
                    .detail()
                    .contains("left alone until")
            );
            assert_eq!(
                words(client.record(&url).await.resolvers()),
                ["status-code"]
            );
            assert_eq!(stage.asked(), [""; 0]);
            stage.pass(1);
            assert_eq!(urls(&resolve(&client).await), [MAIL], "{path} {header}");
        }
    }
    // Nothing that can be read, or another status: no wait.
    for answer in [
        status(429, &[]),
        status(429, &[("retry-after", "soon")]),
        status(500, &[("retry-after", "120")]),
    ] {
        let stage = Stage::new();
        a.plays(&stage, &[a.ok(MAIL)]);
        stage.set(&a.issuer, "/resolve", answer);
        let client = stage.client(&[&a]);
        resolve(&client).await;
        a.plays(&stage, &[a.ok(MAIL)]);
        assert_eq!(urls(&resolve(&client).await), [MAIL]);
    }
}
