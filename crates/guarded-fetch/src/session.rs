//! Several requests to one origin as one turn.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::{Origin, Url};

use crate::connection::Kept;
use crate::deadline::Deadline;
use crate::traffic::Turn;
use crate::{Error, Fetcher, Request, Response, ShownUrl};

/// How many connections a session may have at once: a stream that is read, and one for requests
/// beside it.
const MAX_CONNECTIONS: usize = 2;

/// A conversation with one origin, from [`Fetcher::session`]: one turn of the fetcher's
/// [`crate::Traffic`], a time for all of it, and a connection that is used again where the server
/// lets it.
///
/// A kept connection goes to the address that was checked when it was made, and ends with the
/// session. What the server says about coming back later is remembered, and is up to the caller
/// within the session ([`Response::retry_after`]).
pub struct Session {
    fetcher: Fetcher,
    shared: Shared,
}

/// What the requests of a session have in common.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) turn: Arc<Turn>,
    pub(crate) deadline: Deadline,
    pub(crate) kept: Kept,
    origin: Origin,
    connections: Arc<Semaphore>,
    requests: Arc<AtomicU32>,
}

impl Session {
    pub(crate) fn new(fetcher: Fetcher, origin: Origin, turn: Turn, deadline: Deadline) -> Self {
        Self {
            fetcher,
            shared: Shared {
                turn: Arc::new(turn),
                deadline,
                kept: Kept::default(),
                origin,
                connections: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
                requests: Arc::default(),
            },
        }
    }

    /// As [`Fetcher::send`], within the time and the origin of the session.
    ///
    /// At most two answers can be read at the same time (a stream and another); the next request
    /// is [`Error::Busy`] until one of them is at its end or dropped.
    ///
    /// # Errors
    /// As [`Fetcher::send`] but for [`Error::RetryLater`], and [`Error::OtherOrigin`].
    pub async fn send(&self, request: Request) -> Result<Response, Error> {
        self.fetcher.run(request, Some(&self.shared)).await
    }

    /// How many requests were sent, or began to be, hops included, whatever became of them.
    #[must_use]
    pub fn requests(&self) -> u32 {
        self.shared.requests.load(Ordering::Relaxed)
    }
}

impl Shared {
    pub(crate) fn check_origin(&self, url: &Url, shown: &ShownUrl) -> Result<(), Error> {
        if url.origin() == self.origin {
            return Ok(());
        }
        Err(Error::OtherOrigin {
            url: shown.clone(),
            expected: self.origin.ascii_serialization(),
        })
    }

    pub(crate) fn place(&self, shown: &ShownUrl) -> Result<OwnedSemaphorePermit, Error> {
        Arc::clone(&self.connections)
            .try_acquire_owned()
            .map_err(|_| Error::Busy {
                url: shown.clone(),
                waited: std::time::Duration::ZERO,
            })
    }

    pub(crate) fn count(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("origin", &self.shared.origin.ascii_serialization())
            .field("requests", &self.requests())
            .finish_non_exhaustive()
    }
}
