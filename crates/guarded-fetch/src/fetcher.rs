//! The way out itself: target, turn, address, connection, exchange, and the next hop.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, ACCEPT_ENCODING, HOST, LOCATION, USER_AGENT};
use http::{HeaderValue, Uri};
use hyper::body::Body;
use rustls::pki_types::ServerName;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use url::{Host, Position};

use crate::classify::{connect_failed, exchange_failed, tls_failed};
use crate::connection::{Connection, Whole};
use crate::deadline::Deadline;
use crate::limits::check_duration;
use crate::redirect::Step;
use crate::resolve::checked_addresses;
use crate::response::{BodyLimits, Opened, Reading};
use crate::session::Shared;
use crate::target::{Target, TargetRules};
use crate::traffic::{Gate, Later, Turn};
use crate::transport::{Stream, connect};
use crate::trust::Trust;
use crate::{
    Builder, Error, Hop, Limits, Request, Resolve, Response, Scheme, Session, Stage, Times, Traffic,
};

/// The one way out. Cheap to clone; clones keep to the same [`Traffic`] together. There is no
/// other state: a program that makes two fetchers has two ways out that know nothing of each
/// other.
#[derive(Clone)]
pub struct Fetcher(Arc<Inner>);

struct Inner {
    user_agent: HeaderValue,
    limits: Limits,
    rules: TargetRules,
    trust: Trust,
    resolver: Arc<dyn Resolve>,
    gate: Gate,
    later: Later,
}

impl Fetcher {
    /// Starts with the default limits and nothing allowed.
    ///
    /// The `User-Agent` becomes `product (+contact)`: `product` like `name/1.0`, `contact` an
    /// https or mailto URL where the operator can be reached.
    #[must_use]
    pub fn builder(product: &str, contact: &str) -> Builder {
        Builder::new(product, Some(contact))
    }

    /// The same for a program that people run for themselves: the `User-Agent` is the product alone, and tells none of
    /// them from the others.
    #[must_use]
    pub fn of_a_person(product: &str) -> Builder {
        Builder::new(product, None)
    }

    pub(crate) fn new(
        user_agent: HeaderValue,
        limits: Limits,
        traffic: Traffic,
        rules: TargetRules,
        trust: Trust,
        resolver: Arc<dyn Resolve>,
    ) -> Self {
        Self(Arc::new(Inner {
            user_agent,
            limits,
            rules,
            trust,
            resolver,
            gate: Gate::new(traffic),
            later: Later::new(traffic),
        }))
    }

    /// Sends the request, follows what its [`crate::Redirects`] allow, and reads the head of the
    /// answer. A status of any class is an answer, not an error. Each hop has a turn and a
    /// connection of its own, which end with the response.
    ///
    /// # Errors
    /// Every kind of [`Error`] but those of a session.
    pub async fn send(&self, request: Request) -> Result<Response, Error> {
        self.run(request, None).await
    }

    /// Waits for a turn and begins a session with the origin of this URL, which ends after
    /// `total`, more than zero and at most one day.
    ///
    /// # Errors
    /// [`Error::Setup`] for the time, those that the URL deserves, [`Error::Busy`] and
    /// [`Error::RetryLater`].
    pub async fn session(&self, url: &str, total: Duration) -> Result<Session, Error> {
        check_duration("total of a session", total)?;
        let target = Target::parse(url, &self.0.rules, Scheme::Https)?;
        let turn = self.0.turn(&target).await?;
        let deadline = Deadline::after(total, Stage::Session);
        Ok(Session::new(
            self.clone(),
            target.url.origin(),
            turn,
            deadline,
        ))
    }

    pub(crate) async fn run(
        &self,
        request: Request,
        session: Option<&Shared>,
    ) -> Result<Response, Error> {
        let inner = &*self.0;
        let mut limits = request.limits.unwrap_or(inner.limits);
        limits.response_bytes = request.response_bytes.unwrap_or(limits.response_bytes);
        limits.check()?;
        let mut target = Target::parse(&request.url, &inner.rules, request.scheme)?;
        request.check(&limits, &target.shown)?;
        let mut hops = Vec::new();
        let mut whole = None;
        loop {
            let turn = match (session, whole) {
                (Some(session), _) => {
                    session.check_origin(&target.url, &target.shown)?;
                    Arc::clone(&session.turn)
                }
                // The time begins with the first turn; the wait for that of a later hop counts.
                (None, None) => Arc::new(inner.turn(&target).await?),
                (None, Some(whole)) => {
                    Arc::new(Deadline::run(whole, &target.shown, inner.turn(&target)).await??)
                }
            };
            let deadline = *whole.get_or_insert_with(|| {
                let total = Deadline::after(limits.total, Stage::Total);
                session.map_or(total, |session| total.or_sooner(session.deadline))
            });
            let opened = inner
                .exchange(&request, &target, &limits, deadline, session)
                .await?;
            let status = opened.head.status;
            let location = opened.head.headers.get(LOCATION);
            let step = request.redirects.step(
                &request.method,
                status,
                &target.url,
                location.and_then(|location| location.to_str().ok()),
                hops.len(),
            );
            let to = match step {
                Step::Answer => {
                    let reading = Reading {
                        _turn: turn,
                        kept: session.map(|session| session.kept.clone()),
                    };
                    let limits = BodyLimits {
                        whole: deadline,
                        idle: limits.idle,
                        bytes: limits.response_bytes,
                        gzip: request.gzip,
                    };
                    return Ok(Response::new(opened, target, hops, reading, limits));
                }
                Step::Refused(to) => {
                    return Err(Error::RedirectRefused {
                        url: target.shown,
                        status,
                        target: (&to).into(),
                    });
                }
                Step::TooMany(limit) => {
                    return Err(Error::TooManyRedirects {
                        url: target.shown,
                        status,
                        limit,
                    });
                }
                Step::Go(to) => to,
            };
            if let Some(session) = session
                && opened.body.is_end_stream()
            {
                session.kept.put(opened.connection);
            }
            hops.push(Hop {
                status,
                from: target.url,
            });
            target = Target::check(to, &inner.rules, request.scheme)?;
        }
    }
}

impl Inner {
    /// A turn for the target's host, unless its origin asked to be left alone, be it meanwhile.
    async fn turn(&self, target: &Target) -> Result<Turn, Error> {
        let origin = target.origin();
        self.later.check(&origin, &target.shown)?;
        let turn = self.gate.enter(target.host(), &target.shown).await?;
        self.later.check(&origin, &target.shown)?;
        Ok(turn)
    }

    /// Sends one request over a kept or a new connection, and reads the head of the answer.
    async fn exchange(
        &self,
        request: &Request,
        target: &Target,
        limits: &Limits,
        whole: Deadline,
        session: Option<&Shared>,
    ) -> Result<Opened, Error> {
        let message = self.message(request, target)?;
        let started = Instant::now();
        let kept = match session {
            Some(session) => session.kept.take().await,
            None => None,
        };
        let reused = kept.is_some();
        let mut connection = match kept {
            Some(connection) => connection,
            None => {
                let place = session
                    .map(|session| session.place(&target.shown))
                    .transpose()?;
                whole
                    .or_sooner(Deadline::after(limits.connect, Stage::Connect))
                    .run(&target.shown, self.connect(target, place))
                    .await??
            }
        };
        if let Some(session) = session {
            session.count();
        }
        let connected = Instant::now();
        let answer = whole
            .or_sooner(Deadline::after(limits.head, Stage::Head))
            .run(&target.shown, connection.exchange(message))
            .await?
            .map_err(|error| match exchange_failed(&error, &target.shown, None) {
                Error::Truncated { url, detail, .. } | Error::Reset { url, detail, .. }
                    if reused && !connection.has_read() =>
                {
                    Error::KeptConnectionLost { url, detail }
                }
                error => error,
            })?;
        let (head, body) = answer.into_parts();
        let retry_after = self.later.asked(head.status, &head.headers);
        if let Some(wait) = retry_after {
            self.later.remember(target.origin(), wait);
        }
        Ok(Opened {
            head,
            body,
            connection,
            times: Times {
                started: started.into_std(),
                connected: connected.into_std(),
                head: Instant::now().into_std(),
                reused,
            },
            retry_after,
        })
    }

    async fn connect(
        &self,
        target: &Target,
        place: Option<OwnedSemaphorePermit>,
    ) -> Result<Connection, Error> {
        let secure = target.url.scheme() == "https";
        let url = &target.shown;
        if secure && self.trust.rootless {
            return Err(Error::NoRoots { url: url.clone() });
        }
        let addresses = checked_addresses(&*self.resolver, &self.rules, target).await?;
        let (stream, peer) = connect(&addresses)
            .await
            .map_err(|error| connect_failed(&error, url))?;
        // Requests are written whole: to wait for more only costs time. If it fails, it costs it.
        let _ = stream.set_nodelay(true);
        let stream = if secure {
            let name = server_name(target)?;
            let handshake = self.trust.connector.connect(name, stream).await;
            Stream::Tls(Box::new(
                handshake.map_err(|error| tls_failed(&error, url))?,
            ))
        } else {
            Stream::Plain(stream)
        };
        Connection::start(stream, peer, place)
            .await
            .map_err(|error| exchange_failed(&error, url, None))
    }

    fn message(&self, request: &Request, target: &Target) -> Result<http::Request<Whole>, Error> {
        let url = &target.url;
        let invalid = |reason: String| Error::InvalidUrl {
            url: target.shown.clone(),
            reason,
        };
        let path = &url[Position::BeforePath..Position::AfterQuery];
        let host = &url[Position::BeforeHost..Position::AfterPort];
        let coding = if request.gzip { "gzip" } else { "identity" };
        let mut message = http::Request::new(Whole::new(request.body.clone()));
        *message.method_mut() = request.method.clone();
        *message.uri_mut() = Uri::try_from(path).map_err(|error| invalid(error.to_string()))?;
        let headers = message.headers_mut();
        let host = HeaderValue::from_str(host).map_err(|error| invalid(error.to_string()))?;
        headers.insert(HOST, host);
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(coding));
        headers.extend(request.headers.clone());
        Ok(message)
    }
}

fn server_name(target: &Target) -> Result<ServerName<'static>, Error> {
    match target.url.host() {
        Some(Host::Ipv4(address)) => Ok(ServerName::IpAddress(address.into())),
        Some(Host::Ipv6(address)) => Ok(ServerName::IpAddress(address.into())),
        Some(Host::Domain(name)) => {
            ServerName::try_from(name.to_owned()).map_err(|error| error.to_string())
        }
        None => Err("no host".to_owned()),
    }
    .map_err(|reason| Error::InvalidUrl {
        url: target.shown.clone(),
        reason,
    })
}

impl fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetcher")
            .field("user_agent", &self.0.user_agent)
            .field("limits", &self.0.limits)
            .field("rules", &self.0.rules)
            .finish_non_exhaustive()
    }
}
