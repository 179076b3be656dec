//! Replies, before they become responses: what every endpoint says, and how an error is told.

use std::sync::Arc;

use axum::body::Body as HttpBody;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use capability_resolution::Refusal;
use serde::Serialize;

use crate::answer::Body;

/// The methods of every endpoint: `http.method`.
pub(super) const METHODS: &str = "GET, HEAD, OPTIONS";

/// An error of section 5.5 of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// The code; nothing for what the text has no code for.
    pub code: Option<&'static str>,
    /// The rule.
    pub rule: Option<&'static str>,
    /// What is wrong, in words that say nothing of the request.
    pub detail: &'static str,
}

/// `error.body`
#[derive(Serialize)]
struct ProblemDocument {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    detail: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

macro_rules! problems {
    ($($name:ident $status:literal $code:literal $rule:literal $detail:literal;)+) => {
        impl Problem {
            $(
                #[doc = concat!("`", $rule, "`")]
                pub const $name: Self = Self {
                    status: $status,
                    code: Some($code),
                    rule: Some($rule),
                    detail: $detail,
                };
            )+

            /// The table of `error.body`.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];
        }
    };
}

problems! {
    QUERY_ENCODING 400 "query-encoding" "resolve.query.encoding" "The query is not percent-encoded UTF-8";
    PARAMETER_UNKNOWN 400 "parameter-unknown" "resolve.parameter.unknown" "A parameter is none of need, sign_in, read_only, max_handshake_ms and payment";
    PARAMETER_REPEATED 400 "parameter-repeated" "resolve.parameter.repeated" "A parameter stands more than once";
    NEED_MISSING 400 "need-missing" "resolve.need.missing" "The query has no parameter need";
    NEED_CHARACTER 400 "need-character" "resolve.need.control" "The need holds a control character";
    NEED_LENGTH 400 "need-length" "resolve.need.length" "A need has 3 to 200 characters";
    CONSTRAINT_VALUE 400 "constraint-value" "constraint.names" "A constraint has a value that it cannot have";
    RECORD_QUERY 400 "record-query" "record.request" "A record is asked for by exactly one id or url";
    RECORD_NOT_FOUND 404 "record-not-found" "record.not-found" "There is no record of this server to state";
    METHOD_NOT_ALLOWED 405 "method-not-allowed" "http.method" "The methods are GET, HEAD and OPTIONS";
    REQUEST_TOO_LONG 414 "request-too-long" "error.too-long" "The request target is longer than 4,096 bytes";
    RATE_LIMITED 429 "rate-limited" "error.rate" "Too many requests from this address";
    UNAVAILABLE 503 "unavailable" "error.unavailable" "No true answer can be given for now";
}

impl Problem {
    /// For a path that is none of the protocol's, for which the text has no code.
    pub const NOT_FOUND: Self = Self {
        status: 404,
        code: None,
        rule: None,
        detail: "Nothing is served at this path",
    };

    /// The problem with a query. A refusal's own words are not repeated: nothing of a request is in an answer
    /// (`error.no-need`).
    #[must_use]
    pub fn of(refusal: &Refusal) -> Self {
        let code = refusal.code().as_str();
        let known = Self::ALL.iter().find(|problem| problem.code == Some(code));
        *known.unwrap_or(&Self::UNAVAILABLE)
    }

    fn document(self) -> Bytes {
        let document = ProblemDocument {
            kind: "about:blank",
            title: status_words(self.status),
            status: self.status,
            detail: self.detail,
            code: self.code,
            rule: self.rule,
        };
        // Constants only: nothing of it can fail.
        serde_json::to_vec(&document).unwrap_or_default().into()
    }
}

/// What HTTP calls a status, which is the title of `about:blank`: RFC 9457 section 4.2.1.
fn status_words(status: u16) -> &'static str {
    let status = StatusCode::from_u16(status).ok();
    status
        .and_then(|status| status.canonical_reason())
        .unwrap_or("Error")
}

/// What is replied.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    status: StatusCode,
    media_type: &'static str,
    body: Bytes,
    tag: Option<Arc<str>>,
    cache: Cache,
    retry_after: Option<u64>,
    allow: bool,
}

/// Who may keep a reply, and how many seconds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cache {
    /// Nobody.
    No,
    /// The client alone: `resolve.caching`, `record.caching`.
    Private(u64),
    /// Everybody: `discovery.caching`.
    Public(u64),
}

impl Reply {
    /// A document with a tag.
    pub(super) fn json(body: Body, cache: fn(u64) -> Cache) -> Self {
        Self {
            tag: Some(body.tag),
            cache: cache(body.max_age),
            ..Self::of(StatusCode::OK, "application/json", body.json)
        }
    }

    /// A page that everybody may keep for some seconds.
    pub(super) fn page(media_type: &'static str, body: Bytes, tag: Arc<str>, max_age: u64) -> Self {
        Self {
            tag: Some(tag),
            cache: Cache::Public(max_age),
            ..Self::of(StatusCode::OK, media_type, body)
        }
    }

    /// Text for machines that watch this one.
    pub(super) fn text(media_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self::of(StatusCode::OK, media_type, body.into())
    }

    /// What may be asked, for browsers that ask before they ask.
    pub(super) fn options() -> Self {
        Self {
            allow: true,
            ..Self::of(StatusCode::NO_CONTENT, "", Bytes::new())
        }
    }

    pub(super) fn problem(problem: Problem) -> Self {
        let status = StatusCode::from_u16(problem.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self {
            allow: problem == Problem::METHOD_NOT_ALLOWED,
            ..Self::of(status, "application/problem+json", problem.document())
        }
    }

    /// A problem that is over after some seconds: `error.rate`, `error.unavailable`.
    pub(super) fn later(problem: Problem, seconds: u64) -> Self {
        Self {
            retry_after: Some(seconds.max(1)),
            ..Self::problem(problem)
        }
    }

    fn of(status: StatusCode, media_type: &'static str, body: Bytes) -> Self {
        Self {
            status,
            media_type,
            body,
            tag: None,
            cache: Cache::No,
            retry_after: None,
            allow: false,
        }
    }

    /// The response to a request with these headers.
    pub(super) fn respond(self, request: &HeaderMap) -> Response {
        let tag = self.tag.map(|tag| format!("\"{tag}\""));
        let is_held = tag.as_deref().is_some_and(|tag| holds(request, tag));
        let mut response = if is_held {
            let mut response = Response::new(HttpBody::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        } else {
            let mut response = Response::new(HttpBody::from(self.body));
            *response.status_mut() = self.status;
            if !self.media_type.is_empty() {
                let headers = response.headers_mut();
                headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.media_type));
            }
            response
        };
        let cache = match self.cache {
            Cache::No => "no-store".to_owned(),
            Cache::Private(seconds) => format!("private, max-age={seconds}"),
            Cache::Public(seconds) => format!("public, max-age={seconds}"),
        };
        let headers = response.headers_mut();
        let mut set = |name, value: String| {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        };
        set(CACHE_CONTROL, cache);
        if let Some(tag) = tag {
            set(ETAG, tag);
        }
        if let Some(seconds) = self.retry_after {
            set(RETRY_AFTER, seconds.to_string());
        }
        if self.allow {
            set(ALLOW, METHODS.to_owned());
        }
        response
    }
}

/// Whether `If-None-Match` names a tag: RFC 9110, section 13.1.2, which compares weakly.
fn holds(request: &HeaderMap, tag: &str) -> bool {
    request
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|one| one.trim())
        .any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[http.etag]
    #[test]
    fn a_copy_that_is_held_is_confirmed() {
        let holds = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(IF_NONE_MATCH, HeaderValue::from_str(value).unwrap());
            }
            holds(&headers, "\"a-1\"")
        };
        assert!(holds(&["\"a-1\""]) && holds(&["W/\"a-1\""]) && holds(&["*"]));
        assert!(holds(&["\"x\", \"a-1\""]) && holds(&["\"x\"", "\"a-1\""]));
        assert!(!holds(&[]) && !holds(&["a-1"]) && !holds(&["\"a-2\""]) && !holds(&[""]));
    }

    // r[error.body]
    #[test]
    fn the_table_is_that_of_the_text() {
        let text = include_str!("../../../../spec/draft/capability-resolution.md");
        let rule = text.split("r[error.body | ").nth(1).unwrap();
        let rule = rule.split("\nr[").next().unwrap();
        let rows: Vec<String> = rule
            .lines()
            .filter(|line| line.starts_with("| 4") || line.starts_with("| 5"))
            .map(str::to_owned)
            .collect();
        let ours: Vec<String> = Problem::ALL
            .iter()
            .map(|one| {
                format!(
                    "| {} | `{}` | [{}] |",
                    one.status,
                    one.code.unwrap(),
                    one.rule.unwrap()
                )
            })
            .collect();
        assert_eq!(ours, rows);
    }
}
