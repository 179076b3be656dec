//! The seam to the network: GET requests to one resolver, answered in two parts, head and body.

pub(crate) mod guarded;

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use capability_resolution::Origin;
use guarded_fetch::HeaderMap;

pub use guarded::GuardedTransport;

/// How a client reaches resolvers; [`GuardedTransport`] unless its maker gives another.
///
/// A transport follows no redirect, sends no cookie, no credential and nothing that tells one caller from another, and
/// undoes no content coding.
pub trait Transport: Send + Sync + 'static {
    /// Begins a conversation with one origin that need not last longer than `total`. Nothing is sent yet.
    fn visit(&self, origin: &Origin, total: Duration) -> Box<dyn Visit>;
}

/// A conversation with one origin. It ends when it is dropped.
pub trait Visit: Send {
    /// Sends a GET request and waits for the head of the answer.
    fn get(&mut self, get: Get) -> Getting<'_>;
}

/// The future of [`Visit::get`].
pub type Getting<'v> = Pin<Box<dyn Future<Output = Result<Reply, Broken>> + Send + 'v>>;

/// The future of [`Body::read`].
pub type Reading = Pin<Box<dyn Future<Output = Result<Vec<u8>, Broken>> + Send>>;

/// What is asked for. `Debug` hides the query, which may hold a need.
#[derive(Clone, PartialEq, Eq)]
pub struct Get {
    /// A URL on the origin of the visit.
    pub url: String,
    /// The longest body that is read, in bytes.
    pub max_bytes: usize,
}

/// The head of an answer, and its body to be read.
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The header fields.
    pub headers: HeaderMap,
    /// The content or transfer coding that was not asked for, where there is one.
    pub coding: Option<String>,
    /// The body, not read yet.
    pub body: Box<dyn Body>,
}

/// A body that was not read yet.
pub trait Body: Send {
    /// Reads all of it, if it has no more bytes than the request allowed.
    fn read(self: Box<Self>) -> Reading;
}

/// Why there is no whole answer. The texts hold no need.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Broken {
    /// No connection, TLS, or a broken transfer.
    #[error("{0}")]
    Network(String),
    /// The transport's own time was over.
    #[error("{0}")]
    Timeout(String),
    /// A coding that was not asked for.
    #[error("{0}")]
    Coding(String),
    /// The body has more bytes than the request allowed.
    #[error("{0}")]
    TooLarge(String),
}

impl fmt::Debug for Get {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.url.split('?').next().unwrap_or_default();
        f.debug_struct("Get")
            .field("url", &shown)
            .field("max_bytes", &self.max_bytes)
            .finish()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}
