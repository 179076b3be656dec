//! What is served, and how: sections 3.6, 4, 5, 7 and 9.2 of the text.

use std::collections::HashSet;

use capability_resolution::Status;
use capability_resolver::observed::{FailureClass, Outcome};
use serde_json::Value;

use crate::common::{Folder, Seen, ago, mail, request, tool};

const DISCOVERY: &str = "/.well-known/capability-resolver";
const NEED: &str = "need=send%20a%20transactional%20email";

// r[discovery.path] r[discovery.changelog-member] r[discovery.caching] r[http.media-type] r[http.no-redirect]
// r[version.value] r[discovery.keys.published] r[discovery.endpoints.origin]
#[test]
fn the_discovery_document_names_what_is_there() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let response = server.get(DISCOVERY);
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(
        response.header("cache-control"),
        Some("public, max-age=3600")
    );
    let discovery = server.discovery();
    assert_eq!(discovery.resolver(), "Test Resolver");
    assert!(discovery.changelog().is_some());
    for endpoint in [discovery.policy(), discovery.changelog().unwrap()] {
        assert_eq!(server.get(endpoint.path_and_query()).status, 200);
    }
    let target = format!("{}?{NEED}", discovery.resolve().path_and_query());
    let answer = server.get(&target);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["v"], "0.2");
}

// r[resolve.request] r[candidate.members] r[candidate.copies] r[candidate.evidence] r[resolve.answer.name]
// r[resolve.answer.status] r[resolve.caching] r[resolve.referrer] r[token.header.sent] r[token.no-need]
// r[status.checked-at] r[resolve.answer.unique]
#[test]
fn an_answer_is_what_the_text_says() {
    let folder = Folder::with(&[
        mail("https://mail.example.com/mcp"),
        Seen {
            outcome: Outcome::SignIn,
            ..mail("https://post.example.net/v1/mcp")
        },
    ]);
    let server = folder.serve_plain();
    let response = server.get(&format!("/resolve?{NEED}"));
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(
        response.header("cache-control"),
        Some("private, max-age=300")
    );
    let json = response.json();
    assert_eq!(json["resolver"], "Test Resolver");
    let candidates = json["candidates"].as_array().unwrap();
    let members: Vec<&str> = candidates[0]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(members.len(), 6, "{members:?}");

    let answer = server.resolve(NEED);
    let found: HashSet<(String, Status)> = answer
        .candidates
        .iter()
        .map(|one| {
            (
                one.token.claims().url.to_string(),
                one.token.claims().status,
            )
        })
        .collect();
    let expected = [
        ("https://mail.example.com/mcp".to_owned(), Status::Ok),
        ("https://post.example.net/v1/mcp".to_owned(), Status::SignIn),
    ];
    assert_eq!(found, HashSet::from(expected));
    for (candidate, json) in answer.candidates.iter().zip(candidates) {
        let claims = candidate.token.claims();
        assert!(
            claims.checked_at <= claims.issued_at
                && claims.expires.unix_seconds() - claims.issued_at.unix_seconds() == 172_800
        );
        let header = decode(candidate.jws.split('.').next().unwrap());
        assert_eq!(header.as_object().unwrap().len(), 2, "{header}");
        let payload = decode(candidate.jws.split('.').nth(1).unwrap());
        let claims: HashSet<&str> = payload
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(
            claims,
            HashSet::from(["iss", "url", "status", "checked_at", "iat", "exp"])
        );
        let record = json["evidence"]["record"].as_str().unwrap();
        assert!(
            record.starts_with("https://resolver.test/record?id="),
            "{record}"
        );
    }
}

fn decode(segment: &str) -> Value {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(segment)
        .unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

// r[record.request] r[record.id] r[record.not-found] r[record.same-claims] r[record.copies] r[record.caching]
// r[status.never-observed]
#[test]
fn a_record_states_what_its_candidate_states() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let answer = server.resolve(NEED);
    let json = server.get(&format!("/resolve?{NEED}")).json();
    let target = json["candidates"][0]["evidence"]["record"]
        .as_str()
        .unwrap();
    let target = target.strip_prefix("https://resolver.test").unwrap();
    let by_id = server.get(target);
    assert_eq!(by_id.status, 200);
    assert_eq!(by_id.header("content-type"), Some("application/json"));
    assert_eq!(by_id.header("cache-control"), Some("private, max-age=300"));
    let by_url = server.get("/record?url=https%3A%2F%2Fmail.example.com%2Fmcp");
    assert_eq!(by_id.body, by_url.body);
    let record = server.record("https://mail.example.com/mcp").unwrap();
    assert!(record.copy_differs.is_empty());
    assert_eq!(record.claims.name, "Email service");
    assert_eq!(record.token.claims(), answer.candidates[0].token.claims());
    for nobody in [
        "/record?id=abc",
        "/record?id=AAAAAAAAAAAAAAAAAAAA",
        "/record?url=https://a.example/",
    ] {
        let response = server.get(nobody);
        assert_eq!(response.status, 404, "{nobody}");
        assert_eq!(response.json()["code"], "record-not-found");
    }
}

// r[http.cors] r[http.cors-expose] r[http.head] r[http.method] r[http.options] r[http.etag]
// r[http.etag.no-match] r[http.etag.headers] r[error.body] r[error.caching]
#[test]
fn every_endpoint_speaks_http_alike() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let resolve = format!("/resolve?{NEED}");
    let targets = [
        DISCOVERY,
        &resolve,
        "/record?url=https://mail.example.com/mcp",
        "/policy",
        "/changelog",
        "/openapi.json",
        "/resolve",
        "/record?id=abc",
    ];
    for target in targets {
        let got = server.get(target);
        assert_eq!(
            got.header("access-control-allow-origin"),
            Some("*"),
            "{target}"
        );
        assert_eq!(
            got.header("access-control-expose-headers"),
            Some("ETag, Retry-After")
        );
        let head = request(server.address, "HEAD", target, &[]);
        assert_eq!((head.status, head.body.len()), (got.status, 0), "{target}");
        for name in ["etag", "cache-control", "content-type", "content-length"] {
            assert_eq!(head.header(name), got.header(name), "{name} of {target}");
        }
        for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"] {
            let refused = request(server.address, method, target, &[]);
            assert_eq!(refused.status, 405, "{method} {target}");
            assert_eq!(refused.header("allow"), Some("GET, HEAD, OPTIONS"));
            assert_eq!(
                refused.header("content-type"),
                Some("application/problem+json")
            );
            assert_eq!(refused.json()["rule"], "http.method");
            assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
        }
        let asked = request(
            server.address,
            "OPTIONS",
            target,
            &[("Origin", "https://a.example")],
        );
        assert_eq!(asked.status, 204);
        assert_eq!(
            asked.header("access-control-allow-methods"),
            Some("GET, HEAD, OPTIONS")
        );
        assert_eq!(
            asked.header("access-control-allow-headers"),
            Some("Accept, If-None-Match")
        );
        if got.status == 200 {
            let tag = got.header("etag").unwrap();
            assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
            let held = request(server.address, "GET", target, &[("If-None-Match", tag)]);
            assert_eq!((held.status, held.body.len()), (304, 0), "{target}");
            assert_eq!(held.header("etag"), Some(tag));
            assert_eq!(held.header("cache-control"), got.header("cache-control"));
            let other = request(
                server.address,
                "GET",
                target,
                &[("If-None-Match", "\"other\"")],
            );
            assert_eq!(other.body, got.body);
        }
    }
}

// r[token.same-for-all] r[resolve.answer.stable]
#[test]
fn everybody_gets_the_same_until_something_new_is_seen() {
    let folder = Folder::with(&[
        mail("https://mail.example.com/mcp"),
        mail("https://a.example/mcp"),
    ]);
    let server = folder.serve_plain();
    let address = server.address;
    let answers = crate::common::at_once(16, move |n| {
        let target = match n % 2 {
            0 => format!("/resolve?{NEED}"),
            _ => "/resolve?need=transactional+email".to_owned(),
        };
        let caller = format!("192.0.2.{n}");
        let response = request(address, "GET", &target, &[("X-Forwarded-For", &caller)]);
        let json = response.json();
        let tokens = json["candidates"].as_array().unwrap().iter();
        tokens
            .map(|one| one["jws"].as_str().unwrap().to_owned())
            .collect::<HashSet<_>>()
    });
    assert_eq!(answers.len(), 16);
    assert!(
        answers
            .iter()
            .all(|tokens| tokens.len() == 2 && *tokens == answers[0])
    );
    let before = server.get(&format!("/resolve?{NEED}"));
    let mut store = folder.store();
    folder.observe(
        &mut store,
        &Seen {
            ago: 0,
            ..mail("https://mail.example.com/mcp")
        },
    );
    let after = server.get(&format!("/resolve?{NEED}"));
    assert_ne!(before.header("etag"), after.header("etag"));
    let checked: Vec<_> = server.resolve(NEED).candidates;
    let newest = checked
        .iter()
        .map(|one| one.token.claims().checked_at)
        .max()
        .unwrap();
    assert!(newest >= ago(10));
}

// r[constraint.supported] r[constraint.honoured] r[constraint.read-only] r[constraint.handshake] r[constraint.payment]
#[test]
fn constraints_leave_out_what_is_not_known_to_meet_them() {
    let reads = || {
        vec![
            tool("read_email", "Read an email", true),
            tool("send_email", "Send an email", false),
        ]
    };
    let folder = Folder::with(&[
        mail("https://ok.example/mcp"),
        Seen {
            outcome: Outcome::SignIn,
            handshake_ms: 10,
            ..mail("https://sign-in.example/mcp")
        },
        Seen {
            tools: reads(),
            handshake_ms: 500,
            ..mail("https://reads.example/mcp")
        },
        // It listed such a tool, and not at the last observation.
        Seen {
            tools: reads(),
            ago: 7_200,
            ..mail("https://read-once.example/mcp")
        },
        Seen {
            tools: reads(),
            handshake_ms: 121,
            ..mail("https://free.example/mcp")
        },
        Seen {
            handshake_ms: 121,
            ..mail("https://below.free.example/mcp")
        },
    ]);
    let mut store = folder.store();
    folder.observe(
        &mut store,
        &Seen {
            outcome: Outcome::SignIn,
            ..mail("https://read-once.example/mcp")
        },
    );
    let until = |expires: capability_resolution::Time, endpoints: &str| {
        format!(
            "Conformance: Capability Resolution 0.2\nContact: mailto:a@free.example\nExpires: {expires}\nResolvers: *\n{endpoints}"
        )
    };
    let file = |endpoints: &str| until(ago(-86_400), endpoints);
    let block = |url: &str, payment: &str| {
        format!("\nEndpoint: {url}\nProtocol: mcp\nJobs: send an email\n{payment}\n")
    };
    let free = [
        block("https://free.example/mcp", "Payment: none"),
        block("https://below.free.example/mcp", "Payment: none"),
    ];
    folder.server_file("free.example", &file(&free.concat()), 60);
    // The nearest file decides, and says nothing.
    folder.server_file(
        "below.free.example",
        &file(&block("https://below.free.example/mcp", "Sign-in: none")),
        60,
    );
    folder.server_file(
        "ok.example",
        &file(&block("https://ok.example/mcp", "Payment: required")),
        60,
    );
    folder.server_file("reads.example", "Payment: none\n", 60);

    let server = folder.serve_plain();
    let ask = |constraint: &str| {
        let mut urls = server.urls(&format!("need=email&{constraint}"));
        urls.sort();
        urls.iter()
            .map(|url| url[8..].trim_end_matches(".example/mcp").to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(ask(""), "below.free free ok read-once reads sign-in");
    assert_eq!(ask("sign_in=none"), "below.free free ok reads");
    assert_eq!(ask("read_only=true"), "free reads");
    assert_eq!(ask("max_handshake_ms=10"), "sign-in");
    assert_eq!(ask("max_handshake_ms=120"), "ok read-once sign-in");
    assert_eq!(ask("payment=none"), "free");
    assert_eq!(
        ask("payment=none&read_only=true&sign_in=none&max_handshake_ms=121"),
        "free"
    );
    assert_eq!(ask("max_handshake_ms=9"), "");
    // A file that has run out claims nothing any more.
    folder.server_file("free.example", &until(ago(1), &free.concat()), 0);
    assert_eq!(ask("payment=none"), "");
}

// r[resolve.answer.count] r[status.meaning] r[status.max-age.issue] r[status.never-observed] r[status.observed]
// r[origin.loopback-off]
#[test]
fn ten_at_most_and_those_that_answer_first() {
    let url = |n: usize| -> &'static str { format!("https://s{n:02}.example/mcp").leak() };
    let mut seen: Vec<Seen> = (0..12).map(|n| mail(url(n))).collect();
    // Old, down, unsettled, and of this machine.
    seen[0].ago = 86_500;
    seen[1].outcome = Outcome::Failure(FailureClass::Connection);
    seen[1].ago = 1_000;
    seen[2].outcome = Outcome::Failure(FailureClass::Connection);
    seen.push(mail("http://127.0.0.1:9/mcp"));
    let folder = Folder::with(&seen);
    let mut store = folder.store();
    let again = Seen {
        ago: 100,
        outcome: seen[1].outcome,
        ..mail(url(1))
    };
    folder.observe(&mut store, &again);
    let server = folder.serve_plain();
    let statuses: Vec<Status> = server
        .resolve(NEED)
        .candidates
        .iter()
        .map(|one| one.token.claims().status)
        .collect();
    assert_eq!(statuses.len(), 10);
    assert!(
        statuses[..9].iter().all(|status| *status == Status::Ok),
        "{statuses:?}"
    );
    assert_eq!(statuses[9], Status::Unknown);
    assert!(server.record(url(0)).is_none());
    assert_eq!(
        server.record(url(1)).unwrap().token.claims().status,
        Status::Down
    );
    assert_eq!(server.get("/record?url=http://127.0.0.1:9/mcp").status, 400);
    drop(server);
    let server = folder.serve(&["--allow-loopback"]);
    assert_eq!(server.get("/record?url=http://127.0.0.1:9/mcp").status, 200);
}

// r[resolve.answer.status]
#[test]
fn nobody_for_a_job_is_an_answer_too() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    assert!(server.urls("need=xyzzyq+plughq").is_empty());
    let empty = Folder::new();
    assert!(empty.serve_plain().urls(NEED).is_empty());
}

// r[policy.page] r[policy.statements] r[policy.dated] r[policy.changelog] r[obligation.disclosure]
#[test]
fn the_pages_are_served_as_they_are_and_follow_the_files() {
    let folder = Folder::new();
    let server = folder.serve_plain();
    let policy = server.get("/policy");
    assert_eq!(
        policy.header("content-type"),
        Some("text/markdown; charset=utf-8")
    );
    assert_eq!(
        policy.body,
        std::fs::read(folder.path("policy.md")).unwrap()
    );
    assert_eq!(
        server.get("/changelog").body,
        std::fs::read(folder.path("changelog.md")).unwrap()
    );
    folder.edit(
        "changelog.md",
        "The resolver starts.",
        "The resolver starts anew.",
    );
    let anew = |server: &crate::common::Server| {
        String::from_utf8_lossy(&server.get("/changelog").body).contains("anew")
    };
    crate::common::soon("the page follows its file", || anew(&server));
    // One that does not say what the text asks for is not served in place of one that does.
    folder.edit("policy.md", "obligation.no-sale", "obligation");
    server.signal("HUP");
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    assert_eq!(server.get("/policy").body, policy.body);
    let (_, err) = server.stop();
    assert!(
        err.contains("does not name obligation.no-sale (rule policy.statements)"),
        "{err}"
    );
}

// r[resolve.answer.size] r[record.size] r[token.length]
#[test]
fn the_longest_urls_make_answers_that_a_client_takes() {
    let url = |n: usize| -> &'static str {
        let start = format!("https://s{n}.example/");
        format!("{start}{}", "a".repeat(2_048 - start.len())).leak()
    };
    let seen: Vec<Seen> = (0..10).map(|n| mail(url(n))).collect();
    let folder = Folder::with(&seen);
    let server = folder.serve_plain();
    assert_eq!(server.resolve(NEED).candidates.len(), 10);
    assert!(server.record(url(3)).is_some());
}
