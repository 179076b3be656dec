//! What the environment of the process may decide: the roots of the system, and nothing else.
//!
//! The variables are set for a child process that runs the same test, since setting them in a
//! running process would be unsafe.

use std::env;

use guarded_fetch::{Fetcher, Request};
use tokio::process::Command;

use crate::code;
use crate::support::Server;

const CHILD: &str = "GUARDED_FETCH_TEST_URL";

fn plain_fetcher() -> Fetcher {
    Fetcher::builder("guarded-fetch-test/1.0", "https://example.org/contact")
        .allow_loopback(true)
        .build()
        .unwrap()
}

/// Runs a test of this module again, with this URL.
fn child(test: &str, url: &str) -> Command {
    let mut child = Command::new(env::current_exe().unwrap());
    child
        .args(["--exact", &format!("environment::{test}")])
        .env(CHILD, url);
    child
}

#[tokio::test]
async fn no_proxy_is_read_from_it() {
    if let Ok(url) = env::var(CHILD) {
        let response = plain_fetcher().send(Request::get(url)).await.unwrap();
        assert_eq!(response.bytes().await.unwrap(), b"direct");
        return;
    }
    let server = Server::fixed("HTTP/1.1 200 OK\r\n\r\ndirect").await;
    let proxy = Server::fixed("HTTP/1.1 200 OK\r\n\r\nproxied").await;
    let mut child = child("no_proxy_is_read_from_it", &server.url("/"));
    for name in [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ] {
        child.env(name, proxy.url(""));
    }
    child
        .env_remove("no_proxy")
        .env_remove("NO_PROXY")
        .env_remove("REQUEST_METHOD");
    assert!(child.status().await.unwrap().success());
    assert_eq!(server.requests().len(), 1);
    assert!(proxy.requests().is_empty());
}

#[tokio::test]
async fn without_roots_http_works_and_https_says_what_is_missing() {
    if let Ok(url) = env::var(CHILD) {
        let secure = Request::get(url.replace("http:", "https:"));
        assert_eq!(code(plain_fetcher().send(secure).await), "no-roots");
        assert_eq!(
            plain_fetcher()
                .send(Request::get(url))
                .await
                .unwrap()
                .status(),
            200
        );
        return;
    }
    let server = Server::fixed("HTTP/1.1 200 OK\r\n\r\n").await;
    let mut child = child(
        "without_roots_http_works_and_https_says_what_is_missing",
        &server.url("/"),
    );
    child
        .env("SSL_CERT_FILE", "/nonexistent")
        .env("SSL_CERT_DIR", "/nonexistent");
    assert!(child.status().await.unwrap().success());
    assert_eq!(server.requests().len(), 1);
}
