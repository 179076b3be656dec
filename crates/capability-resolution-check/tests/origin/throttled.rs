//! Resolvers that limit how often they are asked, or cannot answer for now.

use std::io::Write as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::ran::check_schema;
use crate::served::{Faulty, check, ids};
use crate::strangers::{discovers, serve};

/// When each request came to a resolver of which the needs are answered so at first, and with 404 from then on.
fn asked(first: &'static str) -> (String, Arc<Mutex<Vec<Instant>>>) {
    let times = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&times);
    let origin = serve(move |stream, head| {
        let mut times = seen.lock().unwrap();
        times.push(Instant::now());
        if !discovers(stream, head) {
            // The first two are for the discovery document.
            let status = if times.len() == 2 {
                first
            } else {
                "404 Not Found\r\n"
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {status}Connection: close\r\nContent-Length: 0\r\n\r\n"
            );
        }
    });
    (origin, times)
}

fn seen<'r>(report: &'r Value, id: &str) -> &'r str {
    let mut checks = report["checks"].as_array().unwrap().iter();
    let check = checks.find(|check| check["id"] == id).unwrap();
    check["seen"].as_str().unwrap()
}

// r[error.rate]
#[test]
fn a_resolver_that_limits_its_callers_is_judged_at_its_pace() {
    let resolver = Faulty::serve_with("none", &["--per-second", "45"]);
    let ran = resolver.check(&["--format", "json"]);
    let report = ran.json();
    check_schema("check-origin", &report);
    assert_eq!((ran.code, &report["verdict"]), (Some(0), &"reached".into()));
    assert_eq!(ids(&report, "could-not-tell"), [""; 0]);
    // It did limit, and was right to do it so.
    let not_applicable = ids(&report, "not-applicable");
    assert_eq!(not_applicable, ["error.unavailable", "http.https"]);
    assert!(report["requests"].as_u64().unwrap() <= 120, "{report}");
}

#[test]
fn it_is_left_alone_for_as_long_as_it_asks() {
    for (first, wait) in [
        ("429 x\r\nRetry-After: 2\r\n", 2),
        ("503 x\r\nRetry-After: 2\r\n", 2),
        ("429 x\r\n", 1),
    ] {
        let (origin, times) = asked(first);
        let report = check(&origin, &["--format", "json"]).json();
        let times = times.lock().unwrap();
        let gap = times[2] - times[1];
        assert!(gap >= Duration::from_secs(wait), "{first}: {gap:?}");
        assert_eq!(report["requests"], times.len(), "{first}");
        assert!(times.len() <= 120, "{first}");
        // What was asked again is judged by the second answer.
        assert_eq!(seen(&report, "resolve.request"), "it was answered with 404");
    }
}

#[test]
fn who_wants_to_be_left_alone_for_long_is_asked_nothing_more() {
    let began = Instant::now();
    let (origin, times) = asked("429 x\r\nRetry-After: 3600\r\n");
    let ran = check(&origin, &["--format", "json"]);
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!(times.lock().unwrap().len(), 2, "{ran:?}");
    let report = ran.json();
    assert_eq!(report["requests"], 2);
    assert_eq!(seen(&report, "resolve.request"), "it was answered with 429");
    assert_eq!(
        seen(&report, "resolve.need.missing"),
        "it was not asked: the resolver asked to be left alone for too long"
    );
    let passed = ids(&report, "passed");
    assert!(
        !passed.iter().any(|id| id.starts_with("resolve.")),
        "{passed:?}"
    );
}
