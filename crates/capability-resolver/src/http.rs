//! The resolver over HTTP: section 3.6 of the text.
//!
//! Every request passes `guard`, which is where it is limited, counted, told of in the log and, whatever happens,
//! answered. Nothing of a request but its method, its endpoint and its size gets any further than its answer.

mod callers;
mod endpoints;
mod listen;
mod metrics;
mod openapi;
mod page;
mod reply;
mod tls;

use std::net::IpAddr;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::Instant;

use axum::Router;
use axum::extract::{Extension, Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, CONNECTION, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::any;
use capability_resolution::ResolveRequest;
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

use self::endpoints::{Answer, ENDPOINTS, Endpoint, fault, searched};
use self::metrics::Metrics;
use self::reply::{METHODS, Reply};
use crate::answer::{Body, Resolver, Unavailable};
use crate::log::Log;
use crate::pages::Pages;

pub use callers::{Caller, Callers};
pub use endpoints::HEALTH_PATH;
pub(crate) use endpoints::RETRY_AFTER_SECONDS;
pub use listen::{Limits, Listener, Peer};
pub(crate) use openapi::answer_schema;
pub use reply::Problem;
pub use tls::{Tls, TlsError};

/// The longest request target in bytes: `error.too-long`.
const TARGET_MAX_BYTES: usize = 4_096;

/// How long clients may keep the description, in seconds.
const DESCRIPTION_MAX_AGE_SECONDS: u64 = 3_600;

/// What every request is answered from.
pub struct App {
    resolver: Arc<Resolver>,
    pages: Pages,
    callers: Arc<Callers>,
    log: Log,
    metrics: Metrics,
    description: Body,
    connections: AtomicUsize,
    /// Room for one search on each core.
    searches: Semaphore,
    /// Whether the log has told that there are no answers.
    told_unavailable: AtomicBool,
}

/// The name of the endpoint that a response comes from, for metrics and the log.
#[derive(Debug, Clone, Copy)]
pub struct EndpointName(pub &'static str);

impl App {
    /// A resolver and what stands beside it.
    #[must_use]
    pub fn new(resolver: Arc<Resolver>, pages: Pages, callers: Callers, log: Log) -> Arc<Self> {
        let description = openapi::description(&resolver.settings().identity);
        Arc::new(Self {
            resolver,
            pages,
            callers: Arc::new(callers),
            log,
            metrics: Metrics::default(),
            description: Body::new(description, DESCRIPTION_MAX_AGE_SECONDS),
            connections: AtomicUsize::new(0),
            searches: Semaphore::new(available_parallelism().map_or(1, NonZero::get)),
            told_unavailable: AtomicBool::new(false),
        })
    }

    /// The resolver.
    #[must_use]
    pub fn resolver(&self) -> &Arc<Resolver> {
        &self.resolver
    }

    /// The pages.
    #[must_use]
    pub fn pages(&self) -> &Pages {
        &self.pages
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Answers a need by a search. That takes a core for up to some milliseconds, so it is done beside the threads that
    /// serve connections, and those who wait for nothing do not wait.
    ///
    /// # Errors
    ///
    /// [`JoinError`] if the search fell over.
    pub(crate) async fn search(
        &self,
        request: ResolveRequest,
    ) -> Result<Result<Body, Unavailable>, JoinError> {
        // It is never closed.
        let _room = self.searches.acquire().await;
        let resolver = Arc::clone(&self.resolver);
        spawn_blocking(move || resolver.resolve(&request)).await
    }

    /// Tells once that there are no answers, and why.
    pub(crate) fn unavailable(&self, why: &Unavailable) {
        if !self.told_unavailable.swap(true, Ordering::Relaxed) {
            self.log.warn(format_args!("no answers: {why}"));
        }
    }

    /// Tells once that there are answers again.
    pub fn available(&self) {
        if self.told_unavailable.swap(false, Ordering::Relaxed) {
            self.log.info(format_args!("answers again"));
        }
    }
}

/// The routes. `others` are those of other bindings; they pass the same guard.
pub fn router(app: &Arc<App>, others: Router) -> Router {
    let routes = ENDPOINTS.iter().fold(others, |router, endpoint| {
        let app = Arc::clone(app);
        let answer = move |request: Request| answer(Arc::clone(&app), endpoint, request);
        router.route(endpoint.path, any(answer))
    });
    routes
        .route(
            page::PATH,
            any(|request: Request| async move { page::reply(&request) }),
        )
        .fallback(|request: Request| async move {
            Reply::problem(Problem::NOT_FOUND).respond(request.headers())
        })
        .layer(from_fn_with_state(Arc::clone(app), guard))
}

/// The figures, for a listener of their own: [`router`] does not serve them.
pub fn metrics_router(app: &Arc<App>) -> Router {
    let app = Arc::clone(app);
    Router::new().route(
        "/metrics",
        any(move |request: Request| {
            let connections = app.connections.load(Ordering::Relaxed);
            let text = app.metrics.text(&app.resolver, connections);
            let reply = match *request.method() {
                Method::GET | Method::HEAD => Reply::text(metrics::MEDIA_TYPE, text),
                _ => Reply::problem(Problem::METHOD_NOT_ALLOWED),
            };
            async move { reply.respond(request.headers()) }
        }),
    )
}

/// The answer of an endpoint: `http.method`, `http.head`.
async fn answer(app: Arc<App>, endpoint: &'static Endpoint, request: Request) -> Response {
    let reply = match *request.method() {
        Method::GET | Method::HEAD => {
            let query = request.uri().query().unwrap_or_default();
            // A fault of ours is ours alone to see, and others are answered as if nothing had been.
            let answered = catch_unwind(AssertUnwindSafe(|| (endpoint.answer)(&app, query)));
            match answered {
                Ok(Answer::Reply(reply)) => reply,
                Ok(Answer::Search(request)) => searched(&app, *request).await,
                Err(_) => fault(),
            }
        }
        Method::OPTIONS => Reply::options(),
        _ => Reply::problem(Problem::METHOD_NOT_ALLOWED),
    };
    let mut response = reply.respond(request.headers());
    response
        .extensions_mut()
        .insert(EndpointName(endpoint.name));
    response
}

/// What every request passes.
async fn guard(
    State(app): State<Arc<App>>,
    peer: Option<Extension<Peer>>,
    request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let peer = peer.map(|Extension(peer)| peer);
    let mut response = match refused(&app, peer.as_ref().map(|peer| peer.ip), &request, began) {
        Some(reply) => reply.respond(request.headers()),
        None => next.run(request).await,
    };
    let name = response.extensions().get::<EndpointName>();
    let name = name.map_or("other", |EndpointName(name)| name);
    add_headers(response.headers_mut(), method == Method::OPTIONS);
    if peer.is_some_and(|peer| peer.is_last(began)) {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    let took = began.elapsed();
    let status = response.status().as_u16();
    app.metrics.count(name, status, took);
    // A method can be any word that a caller writes; only those that are known are told of.
    let method = match method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        Method::POST => "POST",
        _ => "other",
    };
    app.log.debug(format_args!(
        "{method} {name}: {status} in {} µs",
        took.as_micros()
    ));
    response
}

/// What is refused before anybody looks at it.
fn refused(app: &App, peer: Option<IpAddr>, request: &Request, now: Instant) -> Option<Reply> {
    let target = request.uri().path_and_query();
    if target.is_some_and(|target| target.as_str().len() > TARGET_MAX_BYTES) {
        return Some(Reply::problem(Problem::REQUEST_TOO_LONG));
    }
    // Whoever watches over the machine is never turned away.
    if request.uri().path() == HEALTH_PATH {
        return None;
    }
    let caller = app.callers.caller(peer?, request.headers());
    let wait = app.callers.count(caller, now).err()?;
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Some(Reply::later(Problem::RATE_LIMITED, seconds))
}

/// Headers of every response: `http.cors`, `http.cors-expose`, `resolve.referrer`.
fn add_headers(headers: &mut HeaderMap, is_options: bool) {
    const ALWAYS: [(HeaderName, &str); 4] = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_EXPOSE_HEADERS, "ETag, Retry-After"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    const ASKED: [(HeaderName, &str); 3] = [
        (ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (ACCESS_CONTROL_ALLOW_HEADERS, "Accept, If-None-Match"),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    let asked = ASKED.into_iter().filter(|_| is_options);
    for (name, value) in ALWAYS.into_iter().chain(asked) {
        // What a binding says of itself stands.
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use capability_resolution::Time;

    use super::*;
    use crate::answer::{Reader, Settings};
    use crate::discovery::Identity;
    use crate::keys::Keys;
    use crate::store::StoreError;

    fn app(folder: &std::path::Path) -> Arc<App> {
        let now = Time::from_unix_seconds(1_800_000_000);
        std::fs::create_dir(folder.join("keys")).unwrap();
        Keys::open(&folder.join("keys"))
            .unwrap()
            .rotate(now, 60)
            .unwrap();
        let settings = Settings {
            identity: Identity {
                issuer: "https://resolver.test".parse().unwrap(),
                name: "R".to_owned(),
            },
            keys: folder.join("keys"),
            discovery_max_age: 60,
            allow_loopback: false,
            clock: || Time::from_unix_seconds(1_800_000_000),
        };
        let gone = || {
            Err(StoreError::Gone {
                path: "nowhere".into(),
            })
        };
        let resolver = Resolver::new(settings, Reader::new(Box::new(gone))).unwrap();
        let callers = Callers::new(Vec::new(), 0);
        let log = Log::new(crate::log::Level::Warn);
        App::new(Arc::new(resolver), Pages::empty(), callers, log)
    }

    // r[error.unavailable]
    #[tokio::test]
    async fn a_fault_of_ours_and_a_store_that_is_gone_are_no_answer_and_no_end() {
        let folder = tempfile::tempdir().unwrap();
        let app = app(folder.path());
        static FALLS: Endpoint = Endpoint {
            answer: |_, query| panic!("{query}"),
            ..ENDPOINTS[1]
        };
        for endpoint in [&FALLS, &ENDPOINTS[1]] {
            let request = Request::builder()
                .uri("/resolve?need=send+an+email")
                .body(axum::body::Body::empty())
                .unwrap();
            let response = answer(Arc::clone(&app), endpoint, request).await;
            assert_eq!(response.status(), 503);
            assert!(response.headers().contains_key("retry-after"));
            let body = to_bytes(response.into_body(), 1_000).await.unwrap();
            let text = String::from_utf8(body.to_vec()).unwrap();
            assert!(text.contains("\"unavailable\"") && !text.contains("email"));
        }
    }
}
