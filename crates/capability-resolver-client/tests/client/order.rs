//! Who is asked, and what several say together.

use capability_resolution::{Constraints, HandshakeLimit, Need, Status};
use capability_resolver_client::{
    Allowlist, Asking, Client, Decision, DenyAll, Difference, Resolvers,
};

use crate::stage::*;

const MAIL: &str = "https://mail.example.com/mcp";
const POST: &str = "https://post.example.net/v1/mcp";

// r[client.list] r[client.no-default] r[client.fails-open]
#[tokio::test]
async fn nobody_is_asked_until_somebody_is_named() {
    assert!(Resolvers::new().is_empty() && Resolvers::default().is_empty());
    let stage = Stage::new();
    let found = resolve(&stage.client(&[])).await;
    assert!(found.advice().is_empty() && found.resolvers().is_empty());
    let default = Client::builder().build().unwrap();
    assert_eq!(resolve(&default).await.resolvers(), []);
    assert_eq!(stage.asked(), [""; 0]);
}

// r[client.order] r[client.no-other]
#[tokio::test]
async fn one_after_the_other_until_one_has_a_candidate() {
    let stage = Stage::new();
    let (a, b, c) = (
        Resolver::new("a.example"),
        Resolver::new("b.example"),
        Resolver::new("c.example"),
    );
    a.plays(&stage, &[]);
    b.plays(&stage, &[b.ok(MAIL)]);
    c.plays(&stage, &[c.ok(POST)]);
    let client = stage.client(&[&a, &b, &c]);
    let found = resolve(&client).await;
    assert_eq!(urls(&found), [MAIL]);
    assert_eq!(
        words(found.resolvers()),
        ["answered", "answered", "not-asked"]
    );
    let query = "need=send%20an%20email";
    assert_eq!(
        stage.asked(),
        [
            format!("a.example {DISCOVERY}"),
            format!("a.example /resolve?{query}"),
            format!("b.example {DISCOVERY}"),
            format!("b.example /resolve?{query}"),
        ]
    );
    // A candidate of which no token verifies is none.
    let forged = Resolver::new("bb.example");
    b.plays(&stage, &[]);
    stage.set(&b.issuer, "/resolve", json(b.answer(&[forged.ok(MAIL)])));
    let found = resolve(&stage.client(&[&b, &c])).await;
    assert_eq!(urls(&found), [POST]);
    assert_eq!(words(found.resolvers()), ["answered", "answered"]);
}

// r[client.order] r[client.merge] r[client.contradiction]
#[tokio::test]
async fn all_at_once_are_put_together_by_server() {
    let stage = Stage::new();
    let (a, b, c) = (
        Resolver::new("a.example"),
        Resolver::new("b.example"),
        Resolver::new("c.example"),
    );
    a.plays(&stage, &[a.token(MAIL, Status::Ok, 900, 3_600)]);
    b.plays(
        &stage,
        &[b.ok(POST), b.token(MAIL, Status::Down, 60, 3_600)],
    );
    c.plays(&stage, &[c.token(MAIL, Status::SignIn, 60, 3_600)]);
    let builder = stage.builder(&[&a, &b, &c]).asking(Asking::AtOnce);
    let found = resolve(&builder.build().unwrap()).await;
    assert_eq!(urls(&found), [MAIL, POST]);
    let mail = &found.advice()[0];
    let by: Vec<_> = mail
        .statements()
        .iter()
        .map(|s| (s.issuer().host(), s.status()))
        .collect();
    assert_eq!(
        by,
        [
            ("a.example", Status::Ok),
            ("b.example", Status::Down),
            ("c.example", Status::SignIn)
        ]
    );
    // The newest statement counts, and of two the one of the earlier resolver.
    assert_eq!(mail.statement().status(), Status::Down);
    assert_eq!(mail.statement().resolver(), "b.example Resolver");
    assert!(mail.is_contradicted() && !found.advice()[1].is_contradicted());
    assert_eq!(stage.asked().len(), 6);
}

// r[resolve.client-need] r[client.no-other]
#[tokio::test]
async fn constraints_go_with_the_need() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    a.plays(&stage, &[]);
    let constraints = Constraints {
        no_sign_in: true,
        read_only: true,
        max_handshake: HandshakeLimit::from_milliseconds(250),
        no_payment: true,
    };
    let need = Need::new("  cafe\u{301} & more ").unwrap();
    stage.client(&[&a]).resolve(&need, constraints).await;
    assert_eq!(
        stage.asked()[1],
        "a.example /resolve?need=caf%C3%A9%20%26%20more&sign_in=none&read_only=true&max_handshake_ms=250&payment=none"
    );
    // A need that fails is no Need, so that there is nothing to send.
    assert!(Need::new("ab").is_err() && Need::new(&"x".repeat(201)).is_err());
}

// r[candidate.claims-only] r[candidate.copy-differs] r[resolve.answer.name-read] r[candidate.duplicate] r[candidate.unsigned]
#[tokio::test]
async fn nothing_unsigned_is_used() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    let jws = a.ok(MAIL);
    let lie = candidate(&jws)
        .replace(MAIL, "https://evil.example/mcp")
        .replace("\"ok\"", "\"down\"");
    a.plays(&stage, &[]);
    let answer = a
        .answer_of(&[
            lie,
            candidate(&jws),
            r#"{"url":"https://evil.example/mcp"}"#.to_owned(),
        ])
        .replace("a.example Resolver", "Evil Resolver");
    stage.set(&a.issuer, "/resolve", json(answer));
    let found = resolve(&stage.client(&[&a])).await;
    assert_eq!(urls(&found), [MAIL]);
    let advice = found.advice()[0].statement();
    assert_eq!(
        (advice.status(), advice.resolver(), advice.jws()),
        (Status::Ok, "a.example Resolver", &*jws)
    );
    let pointer = |p: &str| Difference::CopyDiffers(p.to_owned());
    assert_eq!(
        answered(&found).differences,
        [
            pointer("/resolver"),
            pointer("/candidates/0/status"),
            pointer("/candidates/0/url"),
            Difference::DuplicateUrl(1)
        ]
    );
    assert_eq!(dropped(&found), ["jws-missing"]);
    assert!(!format!("{found:?}").contains("evil"));
}

// r[client.no-connect] r[client.policy]
#[tokio::test]
async fn a_policy_is_asked_before_anything_is_connected_to() {
    let stage = Stage::new();
    let a = Resolver::new("a.example");
    a.plays(&stage, &[a.ok(MAIL), a.ok(POST)]);
    let found = resolve(&stage.client(&[&a])).await;
    assert_eq!(found.first_approved(&DenyAll).await, None);
    assert_eq!(found.first_approved(&Allowlist::new()).await, None);
    let origin = Allowlist::new().origin("https://post.example.net".parse().unwrap());
    assert_eq!(
        found.first_approved(&origin).await.unwrap().url().as_str(),
        POST
    );
    let server = Allowlist::new().server(MAIL.parse().unwrap());
    assert_eq!(
        found.first_approved(&server).await.unwrap().url().as_str(),
        MAIL
    );
    let other = Allowlist::new().server("https://mail.example.com/other".parse().unwrap());
    assert_eq!(found.first_approved(&other).await, None);
    let asked = std::sync::Mutex::new(Vec::new());
    let person = |advice: &capability_resolver_client::Advice| {
        asked.lock().unwrap().push(advice.url().to_string());
        Decision::Deny
    };
    assert_eq!(found.first_approved(&person).await, None);
    assert_eq!(*asked.lock().unwrap(), [MAIL, POST]);
    assert!(
        stage
            .asked()
            .iter()
            .all(|line| line.starts_with("a.example "))
    );
}

// r[client.order]
#[tokio::test]
async fn a_record_is_asked_for_in_order() {
    let stage = Stage::new();
    let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
    a.plays(&stage, &[]);
    b.plays(&stage, &[]);
    stage.set(&a.issuer, "/record", status(404, &[]));
    let record = b.record(MAIL, "Example Mail");
    stage.set(&b.issuer, "/record", json(record));
    let builder = stage.builder(&[&a, &b]).asking(Asking::AtOnce);
    let client = builder.build().unwrap();
    let recorded = client.record(&MAIL.parse().unwrap()).await;
    let record = recorded.record().unwrap();
    assert_eq!(
        (record.resolver(), record.claims().name.as_str()),
        ("b.example Resolver", "Example Mail")
    );
    assert_eq!(words(recorded.resolvers()), ["status-code", "answered"]);
    assert_eq!(
        stage.asked()[1],
        "a.example /record?url=https%3A%2F%2Fmail.example.com%2Fmcp"
    );
    // A record of another server is none.
    let recorded = client.record(&POST.parse().unwrap()).await;
    assert_eq!(recorded.record(), None);
    assert_eq!(words(recorded.resolvers()), ["status-code", "url-mismatch"]);
}
