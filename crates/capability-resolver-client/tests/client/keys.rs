//! Keys that come and go.

use capability_resolution::Status;
use capability_resolver_client::VerifyError;

use crate::stage::*;

const MAIL: &str = "https://mail.example.com/mcp";
const POST: &str = "https://post.example.net/v1/mcp";

fn documents(stage: &Stage) -> usize {
    let asked = stage.paths();
    asked
        .iter()
        .filter(|path| path.ends_with(DISCOVERY))
        .count()
}

// r[keys.unknown-kid]
#[tokio::test]
async fn a_key_that_is_not_in_the_copy_is_sought_once() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    let new = a.rotated("k2");
    a.plays(&stage, &[a.ok(MAIL)]);
    let client = stage.client(&[&a]);
    resolve(&client).await;
    assert_eq!(documents(&stage), 1);

    // Two of three tokens are of the new key.
    let answer = a.answer(&[
        new.ok(MAIL),
        a.ok(POST),
        new.ok("https://third.example/mcp"),
    ]);
    stage.set(&a.issuer, "/resolve", with(answer, &[]));
    stage.set(&a.issuer, DISCOVERY, json(a.document_with(&[&a, &new])));
    stage.pass(3_601);
    resolve(&client).await;
    stage.asked();
    stage.set(&a.issuer, DISCOVERY, json(a.document()));
    let client = stage.client(&[&a]);
    let found = resolve(&client).await;
    assert_eq!(urls(&found), [POST]);
    assert_eq!(dropped(&found), ["kid-unknown", "kid-unknown"]);
    assert_eq!(documents(&stage), 2);

    // Nor again within 300 seconds, whatever comes.
    stage.set(&a.issuer, DISCOVERY, json(a.document_with(&[&a, &new])));
    stage.pass(299);
    assert_eq!(
        dropped(&resolve(&client).await),
        ["kid-unknown", "kid-unknown"]
    );
    assert_eq!(documents(&stage), 0);
    stage.pass(1);
    assert_eq!(urls(&resolve(&client).await).len(), 3);
    assert_eq!(documents(&stage), 1);
}

// r[keys.unknown-kid]
#[tokio::test]
async fn keys_that_rotate_between_two_requests_are_found() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    let new = a.rotated("k2");
    // The answer is of a key that was made after the document was given out.
    for control in ["max-age=3600", "no-store"] {
        let document = |keys| with(a.document_with(keys), &[("cache-control", control)]);
        stage.play(
            &a.issuer,
            DISCOVERY,
            [document(&[&a]), document(&[&a, &new])],
        );
        stage.set(&a.issuer, "/resolve", json(a.answer(&[new.ok(MAIL)])));
        assert_eq!(urls(&resolve(&stage.client(&[&a])).await), [MAIL]);
        assert_eq!(stage.asked().len(), 3);
    }
}

// r[keys.unknown-kid]
#[tokio::test]
async fn without_a_newer_document_the_copy_is_used() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    let new = a.rotated("k2");
    for (answer, code) in [
        (status(500, &[]), "status-code"),
        (
            Answer::Broken(capability_resolver_client::Broken::Network("gone".into())),
            "network",
        ),
        (json("{"), "document-not-json"),
        (
            json(a.document().replace("0.2", "0.3")),
            "version-unsupported",
        ),
        (
            json(a.document().replace("\"kid\"", "\"d\":\"x\",\"kid\"")),
            "key-private",
        ),
        (status(429, &[("retry-after", "120")]), "status-code"),
    ] {
        a.plays(&stage, &[]);
        stage.set(&a.issuer, "/resolve", with(a.answer(&[a.ok(POST)]), &[]));
        let client = stage.client(&[&a]);
        resolve(&client).await;
        stage.set(
            &a.issuer,
            "/resolve",
            with(a.answer(&[new.ok(MAIL), a.ok(POST)]), &[]),
        );
        stage.set(&a.issuer, DISCOVERY, answer);
        let found = resolve(&client).await;
        assert_eq!(urls(&found), [POST], "{code}");
        assert_eq!(dropped(&found), ["kid-unknown"], "{code}");
        let failure = found.resolvers()[0].refresh().unwrap();
        assert_eq!(failure.code().as_str(), code);
        // The failed one counts.
        stage.asked();
        let found = resolve(&client).await;
        assert_eq!(documents(&stage), 0, "{code}");
        let asked_again =
            usize::from(code != "status-code" || found.resolvers()[0].failure().is_none());
        assert_eq!(found.advice().len(), asked_again, "{code}");
    }
}

// r[keys.unknown-kid]
#[tokio::test(start_paused = true)]
async fn a_newer_document_that_never_comes_costs_no_candidate() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    let new = a.rotated("k2");
    a.plays(&stage, &[new.ok(MAIL), a.ok(POST)]);
    stage.play(&a.issuer, DISCOVERY, [json(a.document()), Answer::Hang]);
    let client = stage.client(&[&a]);
    let began = tokio::time::Instant::now();
    let found = resolve(&client).await;
    assert_eq!(urls(&found), [POST]);
    assert_eq!(
        found.resolvers()[0].refresh().unwrap().code().as_str(),
        "timeout"
    );
    assert!(began.elapsed() <= std::time::Duration::from_millis(5_010));
}

// r[keys.unknown-kid]
#[tokio::test]
async fn calls_beside_each_other_seek_a_key_once() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    let new = a.rotated("k2");
    a.plays(&stage, &[]);
    let client = stage.client(&[&a]);
    resolve(&client).await;
    stage.asked();
    stage.set(&a.issuer, DISCOVERY, json(a.document_with(&[&a, &new])));
    let calls: Vec<_> = (0..20)
        .map(|at| {
            let need = capability_resolution::Need::new(&format!("send an email {at}")).unwrap();
            let client = client.clone();
            tokio::spawn(async move { client.resolve(&need, Default::default()).await })
        })
        .collect();
    stage.set(&a.issuer, "/resolve", json(a.answer(&[new.ok(MAIL)])));
    for call in calls {
        assert_eq!(urls(&call.await.unwrap()), [MAIL]);
    }
    assert_eq!(documents(&stage), 1);
}

// r[keys.withdrawn] r[client.cache]
#[tokio::test]
async fn a_cached_token_of_a_withdrawn_key_is_refused() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    let new = a.rotated("k2");
    stage.set(
        &a.issuer,
        DISCOVERY,
        with(
            a.document_with(&[&a, &new]),
            &[("cache-control", "max-age=60")],
        ),
    );
    stage.set(
        &a.issuer,
        "/resolve",
        json(a.answer(&[a.ok(MAIL), new.ok(POST)])),
    );
    let client = stage.client(&[&a]);
    assert_eq!(urls(&resolve(&client).await), [MAIL, POST]);
    stage.set(&a.issuer, DISCOVERY, json(a.document_with(&[&new])));
    stage.asked();
    stage.pass(61);
    let found = resolve(&client).await;
    assert_eq!(urls(&found), [POST]);
    assert_eq!(dropped(&found), ["kid-unknown"]);
    assert_eq!(words(found.resolvers()), ["cached"]);
    assert_eq!(
        stage.paths(),
        [
            format!("a.example {DISCOVERY}"),
            format!("a.example {DISCOVERY}")
        ]
    );
}

// r[keys.unknown-kid] r[token.iss]
#[tokio::test]
async fn a_token_from_elsewhere_is_judged_by_its_issuer() {
    let stage = Stage::new();
    let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
    let new = a.rotated("k2");
    a.plays(&stage, &[]);
    let client = stage.client(&[&a]);
    let stated = client
        .verify(&a.token(MAIL, Status::SignIn, 60, 60))
        .await
        .unwrap();
    assert_eq!(
        (stated.status(), stated.resolver()),
        (Status::SignIn, "a.example Resolver")
    );
    stage.set(&a.issuer, DISCOVERY, json(a.document_with(&[&a, &new])));
    assert!(client.verify(&new.ok(MAIL)).await.is_ok());
    assert!(
        matches!(client.verify(&b.ok(MAIL)).await, Err(VerifyError::NotListed(of)) if of == "https://b.example")
    );
    for nobody in ["", "a.b.c", "eyJ9", &"x".repeat(9_000)] {
        assert_eq!(client.verify(nobody).await, Err(VerifyError::Nobody));
    }
    let Err(VerifyError::Refused(refusal)) = client.verify(&format!("{} ", a.ok(MAIL))).await
    else {
        panic!("a token with spaces")
    };
    assert_eq!(refusal.code().as_str(), "token-bad-character");
    assert!(
        stage
            .asked()
            .iter()
            .all(|line| line.starts_with("a.example "))
    );
}
