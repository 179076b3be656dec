//! What can go wrong on the way out, and how a URL is shown when it did.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use http::StatusCode;
use url::Url;

use crate::AddressUse;
use crate::connection::{MAX_HEAD_BYTES, MAX_HEAD_FIELDS};

/// Why nothing came back, or why what came back was not taken.
///
/// The displayed form says what is wrong, what was expected and found, and what to do where there
/// is something to do. It never holds a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The fetcher itself cannot be made from what its caller gave.
    #[error("the fetcher cannot be set up: {reason}")]
    Setup {
        /// What is wrong with which setting.
        reason: String,
    },
    /// The text is not a URL with a host (WHATWG URL), or longer than 8,192 bytes.
    #[error("{url}: not a URL that can be fetched: {reason}")]
    InvalidUrl {
        /// The text, cut before its query.
        url: ShownUrl,
        /// What the parser says.
        reason: String,
    },
    /// A scheme that this request does not allow.
    #[error("{url}: the scheme {found} is refused: expected {expected}")]
    SchemeRefused {
        /// The URL.
        url: ShownUrl,
        /// Its scheme.
        found: String,
        /// What this request allows.
        expected: &'static str,
    },
    /// The URL holds a user name or a password.
    #[error("{url}: the URL holds a user name or password, and none is ever sent: remove it")]
    CredentialsRefused {
        /// The URL, without them.
        url: ShownUrl,
    },
    /// A request header that the caller cannot set.
    #[error("{url}: the request header {name} is refused: {reason}")]
    HeaderRefused {
        /// The URL.
        url: ShownUrl,
        /// The header's name.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// A method that makes a tunnel and not an exchange.
    #[error("{url}: the method CONNECT is refused")]
    MethodRefused {
        /// The URL.
        url: ShownUrl,
    },
    /// A request of a session to another origin than the session's.
    #[error("{url}: the request leaves the origin of its session, {expected}")]
    OtherOrigin {
        /// The URL.
        url: ShownUrl,
        /// The origin of the session.
        expected: String,
    },
    /// No turn came within [`crate::Traffic::wait`]; or a session has two answers open already.
    #[error(
        "{url}: not sent: too many requests were under way, to this host or in all, for {} ms",
        waited.as_millis()
    )]
    Busy {
        /// The URL.
        url: ShownUrl,
        /// How long a turn was waited for.
        waited: Duration,
    },
    /// The origin said "later" (429 or 503 with `Retry-After`, RFC 9110 section 10.2.3).
    #[error("{url}: not sent: the server asked to be left alone for {} s more", left.as_secs_f64().ceil())]
    RetryLater {
        /// The URL.
        url: ShownUrl,
        /// How long it is to be left alone from now.
        left: Duration,
    },
    /// The body to send is larger than [`crate::Limits::request_bytes`].
    #[error("{url}: a request body of {found} bytes is refused: the limit is {limit} bytes")]
    RequestTooLarge {
        /// The URL.
        url: ShownUrl,
        /// Bytes.
        limit: usize,
        /// Bytes.
        found: usize,
    },
    /// The host is, or resolves to, an address that is not public and not allowed.
    #[error(
        "{url}: the address {address} is refused: it is {found}, and expected is a public one; \
         where it is meant, the operator allows a range that holds it"
    )]
    AddressRefused {
        /// The URL.
        url: ShownUrl,
        /// The first refused address; one is enough to refuse the name.
        address: IpAddr,
        /// What the address is set aside for.
        found: AddressUse,
    },
    /// The name has no address, or none was to be had for now.
    #[error("{url}: {}: {detail}", name_trouble(*temporary))]
    NameNotResolved {
        /// The URL.
        url: ShownUrl,
        /// Whether there was no answer, rather than the answer that there is no address. Where it
        /// is so for every name, the own network is at fault and no server.
        temporary: bool,
        /// What the resolver says.
        detail: String,
    },
    /// No connection to any of the host's addresses.
    #[error("{url}: no connection: {detail}")]
    ConnectFailed {
        /// The URL.
        url: ShownUrl,
        /// How the last address failed.
        failure: ConnectFailure,
        /// What the system says.
        detail: String,
    },
    /// TLS failed, in the handshake or after it.
    #[error("{url}: TLS failed: {detail}")]
    TlsFailed {
        /// The URL.
        url: ShownUrl,
        /// Whether the server's certificate is the reason: expired, for another name, or of an
        /// unknown authority.
        certificate: bool,
        /// What the TLS library says.
        detail: String,
    },
    /// The system has no root certificates, so no https server can be told from another.
    #[error(
        "{url}: no root certificates on this system: install them (often the package \
         ca-certificates)"
    )]
    NoRoots {
        /// The URL.
        url: ShownUrl,
    },
    /// A limit on time was reached.
    #[error("{url}: {stage} took longer than {} ms", limit.as_millis())]
    TimedOut {
        /// The URL.
        url: ShownUrl,
        /// Which limit.
        stage: Stage,
        /// The limit.
        limit: Duration,
    },
    /// The head of the answer, or the interim answers (1xx) before it, are too large.
    #[error(
        "{url}: the head of the answer is refused: the limit is {MAX_HEAD_BYTES} bytes, \
         {MAX_HEAD_FIELDS} fields"
    )]
    HeadTooLarge {
        /// The URL.
        url: ShownUrl,
    },
    /// The body, as it is or as it was coded, is larger than allowed; it was not read further.
    #[error("{url}: the body is refused: the limit is {limit} bytes, {}", declared_or_sent(*declared))]
    BodyTooLarge {
        /// The URL.
        url: ShownUrl,
        /// Bytes.
        limit: u64,
        /// `Content-Length`, where that alone was too large.
        declared: Option<u64>,
    },
    /// The body has a coding (compression) that was not asked for.
    #[error("{url}: the {header} {found} is refused: expected {expected}")]
    CodingRefused {
        /// The URL.
        url: ShownUrl,
        /// `Content-Encoding` or `Transfer-Encoding`.
        header: &'static str,
        /// What is taken.
        expected: String,
        /// The header's value.
        found: String,
    },
    /// The body is not what its coding says.
    #[error("{url}: the body is no valid gzip (RFC 1952): {detail}")]
    CodingInvalid {
        /// The URL.
        url: ShownUrl,
        /// What the decoder says.
        detail: String,
    },
    /// The connection was reset before the answer ended.
    #[error("{url}: the connection was reset after {received} bytes of the body: {detail}")]
    Reset {
        /// The URL.
        url: ShownUrl,
        /// Bytes of the body that came, before a coding is undone.
        received: u64,
        /// What the system says.
        detail: String,
    },
    /// The connection ended before the answer did: the body is shorter than announced, or there
    /// is no whole head.
    #[error("{url}: the answer ends too early, after {received} bytes of its body: {detail}")]
    Truncated {
        /// The URL.
        url: ShownUrl,
        /// Bytes of the body that came, before a coding is undone.
        received: u64,
        /// What the HTTP library says.
        detail: String,
    },
    /// A kept connection of a session ended before any answer came, as a server may end one at
    /// any time. Whether the request was acted on is not known; one that may be repeated can be
    /// sent again, and has a new connection then.
    #[error("{url}: the server ended a connection that was kept, before it answered: {detail}")]
    KeptConnectionLost {
        /// The URL.
        url: ShownUrl,
        /// What the system or the HTTP library says.
        detail: String,
    },
    /// What came is not HTTP/1.1.
    #[error("{url}: the answer is not HTTP that can be read: {detail}")]
    InvalidHttp {
        /// The URL.
        url: ShownUrl,
        /// What the HTTP library says.
        detail: String,
    },
    /// The request's [`crate::Redirects`] do not allow this hop.
    #[error(
        "{url}: the redirect {} to {target} is refused: this request does not follow it",
        status.as_u16()
    )]
    RedirectRefused {
        /// Where the redirect came from.
        url: ShownUrl,
        /// The status of that answer.
        status: StatusCode,
        /// Where it points.
        target: ShownUrl,
    },
    /// More hops than the request allows.
    #[error("{url}: redirected once more after {limit} redirects, which is the limit")]
    TooManyRedirects {
        /// The URL of the last answer.
        url: ShownUrl,
        /// The status of that answer.
        status: StatusCode,
        /// The limit.
        limit: u8,
    },
}

impl Error {
    /// The stable name of the kind of error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Setup { .. } => "setup-invalid",
            Self::InvalidUrl { .. } => "url-invalid",
            Self::SchemeRefused { .. } => "scheme-refused",
            Self::CredentialsRefused { .. } => "credentials-refused",
            Self::HeaderRefused { .. } => "header-refused",
            Self::MethodRefused { .. } => "method-refused",
            Self::RequestTooLarge { .. } => "request-too-large",
            Self::OtherOrigin { .. } => "other-origin",
            Self::Busy { .. } => "busy",
            Self::RetryLater { .. } => "retry-later",
            Self::AddressRefused { .. } => "address-refused",
            Self::NameNotResolved { temporary, .. } => {
                if *temporary {
                    "name-lookup-failed"
                } else {
                    "name-not-resolved"
                }
            }
            Self::ConnectFailed { failure, .. } => match failure {
                ConnectFailure::Refused => "connect-refused",
                ConnectFailure::Reset => "connect-reset",
                ConnectFailure::Unreachable => "connect-unreachable",
                ConnectFailure::TimedOut => "connect-timeout",
                ConnectFailure::Other => "connect-failed",
            },
            Self::TlsFailed { certificate, .. } => {
                if *certificate {
                    "tls-certificate"
                } else {
                    "tls-failed"
                }
            }
            Self::NoRoots { .. } => "no-roots",
            Self::TimedOut { stage, .. } => match stage {
                Stage::Connect => "timeout-connect",
                Stage::Head => "timeout-head",
                Stage::Idle => "timeout-idle",
                Stage::Total => "timeout-total",
                Stage::Session => "timeout-session",
            },
            Self::HeadTooLarge { .. } => "head-too-large",
            Self::BodyTooLarge { .. } => "body-too-large",
            Self::CodingRefused { .. } => "coding-refused",
            Self::CodingInvalid { .. } => "coding-invalid",
            Self::Reset { .. } => "reset",
            Self::Truncated { .. } => "truncated",
            Self::KeptConnectionLost { .. } => "kept-connection-lost",
            Self::InvalidHttp { .. } => "http-invalid",
            Self::RedirectRefused { .. } => "redirect-refused",
            Self::TooManyRedirects { .. } => "redirect-limit",
        }
    }

    /// Which group it belongs to, for callers that act on groups.
    #[must_use]
    pub fn class(&self) -> Class {
        match self {
            Self::Setup { .. }
            | Self::InvalidUrl { .. }
            | Self::SchemeRefused { .. }
            | Self::CredentialsRefused { .. }
            | Self::HeaderRefused { .. }
            | Self::MethodRefused { .. }
            | Self::OtherOrigin { .. }
            | Self::RequestTooLarge { .. } => Class::Request,
            Self::Busy { .. } | Self::RetryLater { .. } => Class::Later,
            Self::AddressRefused { .. }
            | Self::NameNotResolved { .. }
            | Self::ConnectFailed { .. }
            | Self::TlsFailed { .. }
            | Self::NoRoots { .. } => Class::Connection,
            Self::TimedOut { .. } => Class::Timeout,
            Self::HeadTooLarge { .. }
            | Self::InvalidHttp { .. }
            | Self::CodingInvalid { .. }
            | Self::KeptConnectionLost { .. }
            | Self::Reset { .. }
            | Self::Truncated { .. } => Class::Transfer,
            Self::BodyTooLarge { .. } => Class::Size,
            Self::CodingRefused { .. } => Class::Coding,
            Self::RedirectRefused { .. } | Self::TooManyRedirects { .. } => Class::Redirect,
        }
    }
}

/// What an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The request, or a redirect's target, is none that is sent: nothing went out.
    Request,
    /// Not now: too much is under way, or the server asked to be left alone. Nothing went out.
    Later,
    /// No connection: name, address, TCP or TLS.
    Connection,
    /// A limit on time was reached, the time to connect included ([`Stage`] says which).
    Timeout,
    /// The answer broke off or cannot be read.
    Transfer,
    /// The body is too large.
    Size,
    /// A content or transfer coding that was not asked for.
    Coding,
    /// A redirect that is not followed.
    Redirect,
}

/// How connecting to an address failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectFailure {
    /// Nobody listens there.
    Refused,
    /// The connection was reset, or ended, while it or TLS over it was being made.
    Reset,
    /// No way to the network or the host.
    Unreachable,
    /// The system gave up waiting.
    TimedOut,
    /// Something else.
    Other,
}

/// Which limit on time was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Name, TCP and TLS: [`crate::Limits::connect`].
    Connect,
    /// From the start of sending to the head of the answer: [`crate::Limits::head`].
    Head,
    /// Silence within the body: [`crate::Limits::idle`].
    Idle,
    /// Everything, redirects included: [`crate::Limits::total`].
    Total,
    /// The time of the session ([`crate::Fetcher::session`]).
    Session,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "the connection",
            Self::Head => "the head of the answer",
            Self::Idle => "the next part of the body",
            Self::Total => "the exchange as a whole",
            Self::Session => "the session as a whole",
        })
    }
}

/// A URL as it may be shown: without userinfo, query and fragment, at most 300 characters, and
/// with control characters escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownUrl(String);

impl ShownUrl {
    /// From text that need not be a URL.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let end = text.find(['?', '#']).unwrap_or(text.len());
        let text = &text[..end];
        let (start, rest, host_end) = match text.find("://") {
            Some(at) => {
                let (start, rest) = text.split_at(at + 3);
                (start, rest, rest.find(['/', '\\']).unwrap_or(rest.len()))
            }
            None => ("", text, text.len()),
        };
        let rest = rest[..host_end]
            .rfind('@')
            .map_or(rest, |at| &rest[at + 1..]);
        Self(shorten(&format!("{start}{rest}"), 300))
    }

    /// The shown text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&Url> for ShownUrl {
    fn from(url: &Url) -> Self {
        Self::from_text(url.as_str())
    }
}

impl fmt::Display for ShownUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// At most `limit` characters of a text from outside, safe to print.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    let mut shown: String = text
        .chars()
        .take(limit)
        .flat_map(|c| {
            if c.is_control() {
                c.escape_default().collect()
            } else {
                vec![c]
            }
        })
        .collect();
    if text.chars().nth(limit).is_some() {
        shown.push('…');
    }
    shown
}

pub(crate) fn setup(reason: String) -> Error {
    Error::Setup { reason }
}

fn name_trouble(temporary: bool) -> &'static str {
    if temporary {
        "the name of the host could not be looked up"
    } else {
        "the name of the host has no address"
    }
}

fn declared_or_sent(declared: Option<u64>) -> String {
    declared.map_or_else(
        || "and the server sent more".to_owned(),
        |length| format!("and Content-Length says {length}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_query_no_userinfo_no_control_character_is_shown() {
        for (text, shown) in [
            ("https://a.example/p?need=secret", "https://a.example/p"),
            ("https://a.example/p#secret", "https://a.example/p"),
            ("https://user:secret@a.example/p@q", "https://a.example/p@q"),
            ("https://secret@b@a.example", "https://a.example"),
            ("not a url?secret", "not a url"),
            ("user:secret@a.example/x", "a.example/x"),
            ("https:/user:secret@a.example/x", "a.example/x"),
            (
                "https://a.example/\u{1b}[31m",
                "https://a.example/\\u{1b}[31m",
            ),
        ] {
            assert_eq!(ShownUrl::from_text(text).as_str(), shown);
        }
        assert_eq!(
            ShownUrl::from_text(&"é".repeat(1000))
                .as_str()
                .chars()
                .count(),
            301
        );
    }
}
