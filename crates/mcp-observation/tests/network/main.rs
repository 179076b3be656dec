//! Observations over real sockets: of servers that others wrote, of what was recorded of them, of traps and of faults.

#![expect(clippy::unwrap_used, reason = "a test: to panic is to fail")]

mod conformance;
mod faults;
mod peers;
mod recorded;
mod rust_sdk;
mod server;
mod stream;
mod traps;

use std::path::PathBuf;

use capability_resolution::Time;
use guarded_fetch::Fetcher;
use mcp_observation::{Observation, Options, Target, probe};
use server::Server;

pub(crate) fn fetcher() -> Fetcher {
    let fetcher = Fetcher::builder("mcp-observation-test/1.0", "https://example.org/contact");
    fetcher.allow_loopback(true).build().unwrap()
}

pub(crate) fn options() -> Options {
    Options::new("mcp-observation-test", "1.0")
}

pub(crate) async fn observe_url(url: &str, options: &Options) -> Observation {
    let started = Time::from_document("2026-11-30T12:00:00Z").unwrap();
    let target = Target::loopback(url).unwrap();
    probe(&fetcher(), &target, options, started).await.unwrap()
}

/// Observes, and holds what was seen against what the server saw.
pub(crate) async fn observe(server: &Server, options: &Options) -> Observation {
    let observation = observe_url(&server.url("/mcp"), options).await;
    let seen = server.seen();
    // r[mcp.request.count] r[mcp.request.no-head] r[mcp.request] r[http.no-credentials] r[http.user-agent]
    let is_page = |request: &&server::Request| request.body["params"].get("cursor").is_some();
    let pages = seen.iter().filter(is_page).count();
    assert!(seen.len() - pages <= 6, "{} requests", seen.len());
    for request in &seen {
        assert_ne!(request.method, "HEAD");
        for name in [
            "origin",
            "authorization",
            "proxy-authorization",
            "cookie",
            "referer",
        ] {
            assert_eq!(request.header(name), None);
        }
        let agent = request.header("user-agent").unwrap();
        assert!(agent.contains("https://example.org/contact"), "{agent}");
        if request.method == "POST" {
            assert_eq!(request.header("content-type"), Some("application/json"));
            let accept = request.header("accept");
            assert_eq!(accept, Some("application/json, text/event-stream"));
            assert!(request.body.is_object());
        }
    }
    let methods: Vec<_> = seen.iter().map(|request| request.method.as_str()).collect();
    let steps = observation.exchanges.iter();
    let connected =
        steps.filter(|exchange| exchange.failure.is_none() || exchange.status.is_some());
    let expected: Vec<_> = connected
        .map(|exchange| exchange.step.method().to_string())
        .collect();
    assert!(methods.len() >= expected.len(), "{methods:?} {expected:?}");
    observation
}

/// Where the recorded exchanges are, or a line that says that they are not.
pub(crate) fn transcripts() -> Option<PathBuf> {
    match std::env::var_os("FIXTURES_DIR") {
        Some(fixtures) => Some(PathBuf::from(fixtures).join("mcp-transcripts")),
        None => {
            skip("FIXTURES_DIR is not set");
            None
        }
    }
}

#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
pub(crate) fn skip(why: &str) {
    eprintln!("skipped: {why}");
}
