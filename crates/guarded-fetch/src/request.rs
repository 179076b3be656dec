//! What to ask for, and what the caller allows on the way.

use std::fmt;
use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use url::Url;

use crate::{Error, ShownUrl};

/// Which schemes a request may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// https only.
    #[default]
    Https,
    /// http too: the caller verifies the document itself (a timestamp answer is signed, and bound
    /// to its request by nonce and digest), so that the transport proves nothing that it needs.
    SelfProving,
}

/// One request. Its `Debug` form holds no query, no header value and no body.
#[derive(Clone)]
pub struct Request {
    pub(crate) method: Method,
    pub(crate) url: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    pub(crate) scheme: Scheme,
    pub(crate) redirects: Redirects,
    pub(crate) response_bytes: Option<u64>,
}

impl Request {
    /// A GET. The URL is checked when the request is sent.
    #[must_use]
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            method: Method::GET,
            url: url.into(),
            headers: HeaderMap::new(),
            body: Vec::new(),
            scheme: Scheme::default(),
            redirects: Redirects::none(),
            response_bytes: None,
        }
    }

    /// A POST of `body`, at most [`crate::Limits::request_bytes`], as `content_type`.
    #[must_use]
    pub fn post(url: impl Into<String>, content_type: HeaderValue, body: Vec<u8>) -> Self {
        let mut request = Self::get(url).header(header::CONTENT_TYPE, content_type);
        request.method = Method::POST;
        request.body = body;
        request
    }

    /// Sets a header, in place of an earlier value.
    ///
    /// Sending fails for credentials (`Authorization`, `Cookie`), and for what the fetcher or the
    /// connection decides (`Host`, `User-Agent`, `Accept-Encoding`, `Content-Length`, ...).
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Which schemes this request may use, at every hop.
    #[must_use]
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.scheme = scheme;
        self
    }

    /// Which redirects to follow; none unless set.
    ///
    /// Only a GET follows: a body goes to the host that the caller named, and to no other.
    #[must_use]
    pub fn redirects(mut self, redirects: Redirects) -> Self {
        self.redirects = redirects;
        self
    }

    /// The largest body to take, in bytes, in place of [`crate::Limits::response_bytes`].
    #[must_use]
    pub fn response_bytes(mut self, limit: u64) -> Self {
        self.response_bytes = Some(limit);
        self
    }

    /// Refuses the headers that are not the caller's to set.
    pub(crate) fn check_headers(&self, shown: &ShownUrl) -> Result<(), Error> {
        let reason = |name: &HeaderName| {
            if [
                header::AUTHORIZATION,
                header::PROXY_AUTHORIZATION,
                header::COOKIE,
            ]
            .contains(name)
            {
                Some("no credential is ever sent")
            } else if OWN.contains(name) {
                Some("the fetcher sets it, or leaves it out, itself")
            } else {
                None
            }
        };
        match self
            .headers
            .keys()
            .find_map(|name| Some((name, reason(name)?)))
        {
            None => Ok(()),
            Some((name, reason)) => Err(Error::HeaderRefused {
                url: shown.clone(),
                name: name.to_string(),
                reason,
            }),
        }
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &ShownUrl::from_text(&self.url))
            .field("scheme", &self.scheme)
            .field("redirects", &self.redirects)
            .finish_non_exhaustive()
    }
}

/// Headers that frame the message, name the host, or would undo a promise of this crate.
const OWN: [HeaderName; 13] = [
    header::HOST,
    header::USER_AGENT,
    header::REFERER,
    header::ACCEPT_ENCODING,
    header::RANGE,
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::TE,
    header::TRAILER,
    header::UPGRADE,
    header::EXPECT,
    header::CONTENT_ENCODING,
];

type Rule = dyn Fn(&Url, &Url) -> bool + Send + Sync;

/// Which redirects a request follows.
#[derive(Clone)]
pub struct Redirects {
    pub(crate) limit: u8,
    rule: Option<Arc<Rule>>,
}

impl Redirects {
    /// None: the redirecting answer is the answer.
    #[must_use]
    pub fn none() -> Self {
        Self {
            limit: 0,
            rule: None,
        }
    }

    /// At most `limit` hops, each only where `rule(from, to)` holds.
    ///
    /// Beside the rule, `to` passes every check of a first URL, and https never becomes http.
    #[must_use]
    pub fn follow(limit: u8, rule: impl Fn(&Url, &Url) -> bool + Send + Sync + 'static) -> Self {
        Self {
            limit,
            rule: Some(Arc::new(rule)),
        }
    }

    pub(crate) fn any(&self) -> bool {
        self.rule.is_some()
    }

    pub(crate) fn allows(&self, from: &Url, to: &Url) -> bool {
        let downgrade = from.scheme() == "https" && to.scheme() != "https";
        !downgrade && self.rule.as_ref().is_some_and(|rule| rule(from, to))
    }
}

impl fmt::Debug for Redirects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            None => f.write_str("Redirects::none()"),
            Some(_) => write!(f, "Redirects::follow({}, ..)", self.limit),
        }
    }
}
