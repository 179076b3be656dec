//! What to ask for, and what the caller allows on the way.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};

use crate::{Error, Limits, Redirects, ShownUrl};

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
    pub(crate) body: Bytes,
    pub(crate) scheme: Scheme,
    pub(crate) redirects: Redirects,
    pub(crate) gzip: bool,
    pub(crate) limits: Option<Limits>,
    pub(crate) response_bytes: Option<u64>,
}

impl Request {
    /// A request without a body. The URL is checked when it is sent; CONNECT is refused.
    #[must_use]
    pub fn new(method: Method, url: impl Into<String>) -> Self {
        Self {
            method,
            url: url.into(),
            headers: HeaderMap::new(),
            body: Bytes::new(),
            scheme: Scheme::default(),
            redirects: Redirects::default(),
            gzip: false,
            limits: None,
            response_bytes: None,
        }
    }

    /// A GET.
    #[must_use]
    pub fn get(url: impl Into<String>) -> Self {
        Self::new(Method::GET, url)
    }

    /// A POST of `body`, at most [`Limits::request_bytes`], as `content_type`.
    #[must_use]
    pub fn post(url: impl Into<String>, content_type: HeaderValue, body: impl Into<Bytes>) -> Self {
        let mut request = Self::new(Method::POST, url).header(header::CONTENT_TYPE, content_type);
        request.body = body.into();
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
    #[must_use]
    pub fn redirects(mut self, redirects: Redirects) -> Self {
        self.redirects = redirects;
        self
    }

    /// Asks for gzip and undoes it; any other coding stays refused. The largest body counts for
    /// the bytes after it, and nearly the same for those before. Unless set, identity is asked
    /// for, and any coding is [`Error::CodingRefused`].
    #[must_use]
    pub fn gzip(mut self) -> Self {
        self.gzip = true;
        self
    }

    /// Limits for this request, in place of those of the fetcher.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// The largest body to take, in bytes, in place of [`Limits::response_bytes`].
    #[must_use]
    pub fn response_bytes(mut self, limit: u64) -> Self {
        self.response_bytes = Some(limit);
        self
    }

    /// Refuses what is not the caller's to send.
    pub(crate) fn check(&self, limits: &Limits, shown: &ShownUrl) -> Result<(), Error> {
        if self.method == Method::CONNECT {
            return Err(Error::MethodRefused { url: shown.clone() });
        }
        if self.body.len() > limits.request_bytes {
            return Err(Error::RequestTooLarge {
                url: shown.clone(),
                limit: limits.request_bytes,
                found: self.body.len(),
            });
        }
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
