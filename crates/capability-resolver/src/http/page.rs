//! The page for people: one document, whose script asks the endpoints as any client does. No part of the protocol.

use std::sync::LazyLock;

use axum::extract::Request;
use axum::http::header::{CONTENT_SECURITY_POLICY, X_FRAME_OPTIONS};
use axum::http::{HeaderValue, Method};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::reply::{Problem, Reply};
use super::{DESCRIPTION_MAX_AGE_SECONDS, EndpointName};
use crate::answer::Body;

/// Where it is served.
pub(super) const PATH: &str = "/";

const HTML: &str = include_str!("page.html");

struct Page {
    body: Body,
    policy: HeaderValue,
}

static PAGE: LazyLock<Page> = LazyLock::new(|| Page {
    body: Body::new(HTML, DESCRIPTION_MAX_AGE_SECONDS),
    policy: HeaderValue::try_from(policy())
        .unwrap_or(HeaderValue::from_static("default-src 'none'")),
});

/// The reply to a request for it. A query means nothing, and is not looked at.
pub(super) fn reply(request: &Request) -> Response {
    let reply = match *request.method() {
        Method::GET | Method::HEAD => {
            let Body { json, tag, max_age } = PAGE.body.clone();
            Reply::page("text/html; charset=utf-8", json, tag, max_age)
        }
        Method::OPTIONS => Reply::options(),
        _ => Reply::problem(Problem::METHOD_NOT_ALLOWED),
    };
    let mut response = reply.respond(request.headers());
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, PAGE.policy.clone());
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response.extensions_mut().insert(EndpointName("page"));
    response
}

/// Nothing runs and nothing is loaded but what stands in the document, and it talks to nobody but this origin.
fn policy() -> String {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; connect-src 'self'; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'",
        hash("<script>", "</script>"),
        hash("<style>", "</style>"),
    )
}

/// The hash of what stands between two tags of the document.
fn hash(open: &str, close: &str) -> String {
    let inside = HTML
        .split_once(open)
        .and_then(|(_, rest)| rest.split_once(close));
    let inside = inside.map_or("", |(inside, _)| inside);
    format!("sha256-{}", STANDARD.encode(Sha256::digest(inside)))
}
