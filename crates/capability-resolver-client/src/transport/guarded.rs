//! The real transport, over `guarded-fetch`.

use std::time::Duration;

use capability_resolution::Origin;
use guarded_fetch::{
    Class, Error, Fetcher, HeaderValue, Limits, Request, Response, Session, Traffic, header,
};

use super::{Body, Broken, Get, Getting, Reading, Reply, Transport, Visit};

/// HTTP over TLS, with every bound and check of [`guarded_fetch`]. One visit is one connection where the resolver keeps
/// it open.
#[derive(Debug, Clone)]
pub struct GuardedTransport {
    fetcher: Fetcher,
}

impl GuardedTransport {
    /// Only public addresses, the roots of the system, and the same `User-Agent` for everybody.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`].
    pub fn new() -> Result<Self, Error> {
        Ok(Self::over(Self::builder().build()?))
    }

    /// What [`Self::new`] is made from, for whoever needs other roots, a range of addresses of their own network, or
    /// loopback in development.
    #[must_use]
    pub fn builder() -> guarded_fetch::Builder {
        let product = concat!("capability-resolver-client/", env!("CARGO_PKG_VERSION"));
        Fetcher::of_a_person(product).traffic(Traffic {
            // A resolver's wish to be left alone is kept by the client, by its own clock: `client.retry-after`.
            retry_after: Duration::ZERO,
            ..Traffic::default()
        })
    }

    /// Over a fetcher of the caller's, from [`Self::builder`].
    #[must_use]
    pub fn over(fetcher: Fetcher) -> Self {
        Self { fetcher }
    }
}

impl Transport for GuardedTransport {
    fn visit(&self, origin: &Origin, total: Duration) -> Box<dyn Visit> {
        Box::new(GuardedVisit {
            fetcher: self.fetcher.clone(),
            origin: origin.to_string(),
            total,
            session: None,
        })
    }
}

struct GuardedVisit {
    fetcher: Fetcher,
    origin: String,
    total: Duration,
    session: Option<Session>,
}

impl Visit for GuardedVisit {
    fn get(&mut self, get: Get) -> Getting<'_> {
        Box::pin(async move {
            let request = request(get, self.total);
            let session = match &mut self.session {
                Some(session) => session,
                none => {
                    let new = self.fetcher.session(&self.origin, self.total).await;
                    none.insert(new.map_err(broken)?)
                }
            };
            let response = match session.send(request.clone()).await {
                // A resolver may close a kept connection at any moment; a GET may be sent again.
                Err(Error::KeptConnectionLost { .. }) => session.send(request).await,
                sent => sent,
            };
            response.map(reply).map_err(broken)
        })
    }
}

/// The request as the text has it. The caller bounds the time of everything together.
pub(crate) fn request(get: Get, total: Duration) -> Request {
    let limits = Limits {
        connect: total,
        head: total,
        idle: total,
        total,
        ..Limits::default()
    };
    Request::get(get.url)
        .header(header::ACCEPT, HeaderValue::from_static("application/json"))
        .response_bytes(u64::try_from(get.max_bytes).unwrap_or(u64::MAX))
        .limits(limits)
}

pub(crate) fn reply(response: Response) -> Reply {
    Reply {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        coding: response.check_coding().err().map(|error| error.to_string()),
        body: Box::new(GuardedBody(response)),
    }
}

struct GuardedBody(Response);

impl Body for GuardedBody {
    fn read(self: Box<Self>) -> Reading {
        Box::pin(async move { self.0.bytes().await.map_err(broken) })
    }
}

pub(crate) fn broken(error: Error) -> Broken {
    let detail = error.to_string();
    match error.class() {
        // Nobody's turn came: the time went by without a request.
        Class::Timeout | Class::Later => Broken::Timeout(detail),
        Class::Coding => Broken::Coding(detail),
        Class::Size => Broken::TooLarge(detail),
        _ => Broken::Network(detail),
    }
}
