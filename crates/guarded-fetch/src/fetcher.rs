//! The client: set up once, used by many tasks.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT_ENCODING, LOCATION};
use http::{HeaderValue, Method};
use ipnet::IpNet;
use rustls::pki_types::CertificateDer;
use rustls_platform_verifier::Verifier;
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::address::LOOPBACK;
use crate::error::shorten;
use crate::resolve::{CheckedResolver, Failure};
use crate::target::{Target, TargetRules};
use crate::{Error, Request, Resolve, Response, ShownUrl, Stage, SystemResolver};

/// The limits of one request. Every duration is more than zero and at most one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For the name, TCP and TLS together. Default 10 s.
    pub connect: Duration,
    /// The longest silence within a body. The head of the answer has `connect` and `idle`
    /// together, however slowly it trickles. Default 20 s.
    pub idle: Duration,
    /// For everything, redirects included, until the last byte. Default 60 s.
    pub total: Duration,
    /// The largest body to send, in bytes. Default 1 MiB.
    pub request_bytes: usize,
    /// The largest body to take, in bytes, unless the request says otherwise. Default 1 MiB.
    pub response_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(20),
            total: Duration::from_secs(60),
            request_bytes: 1 << 20,
            response_bytes: 1 << 20,
        }
    }
}

/// Settings of a [`Fetcher`]; from [`Fetcher::builder`].
pub struct Builder {
    product: String,
    contact: String,
    limits: Limits,
    rules: TargetRules,
    roots: Vec<Vec<u8>>,
    resolver: Arc<dyn Resolve>,
}

impl Builder {
    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Allows a range of addresses that are not public.
    ///
    /// An address that carries an IPv4 address (NAT64, 6to4, ...) needs both allowed: to use a
    /// NAT64 gateway, allow `64:ff9b::/96`; what lies behind it is judged all the same.
    #[must_use]
    pub fn allow(mut self, network: IpNet) -> Self {
        self.rules.addresses.allow(network);
        self
    }

    /// The development switch: allows `127.0.0.0/8` and `::1`, also by plain http. The name
    /// `localhost` then means these, and no name server is asked for it.
    #[must_use]
    pub fn allow_loopback(mut self, allow: bool) -> Self {
        if allow && !self.rules.loopback {
            self.rules.loopback = true;
            LOOPBACK
                .into_iter()
                .for_each(|network| self.rules.addresses.allow(network));
        }
        self
    }

    /// Trusts a root certificate (DER) beside those of the system.
    #[must_use]
    pub fn root_certificate(mut self, der: Vec<u8>) -> Self {
        self.roots.push(der);
        self
    }

    /// Takes addresses from here and not from the system; they are checked all the same.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolve) -> Self {
        self.resolver = Arc::new(resolver);
        self
    }

    /// Makes the fetcher; reads the root certificates of the system.
    ///
    /// # Errors
    /// [`Error::Setup`] for a product, a contact, a limit or a root certificate that cannot be
    /// used. A system without root certificates is an error of the first https request only.
    pub fn build(self) -> Result<Fetcher, Error> {
        let user_agent = self.user_agent()?;
        self.check_limits()?;
        let Trust { config, rootless } = trust(self.roots)?;
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(config)
            .http1_only()
            .dns_resolver(CheckedResolver {
                inner: self.resolver,
                rules: self.rules.clone(),
            })
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            // Another crate of the build may switch reqwest's decompression on.
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .pool_max_idle_per_host(0)
            .connect_timeout(self.limits.connect)
            .user_agent(user_agent)
            .build()
            .map_err(|error| setup(root_cause(&error)))?;
        Ok(Fetcher {
            client,
            limits: self.limits,
            rules: self.rules,
            rootless,
        })
    }

    fn user_agent(&self) -> Result<HeaderValue, Error> {
        let plain = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|b| b.is_ascii_graphic() && !b"()<>\"\\".contains(&b))
        };
        if !plain(&self.product) {
            return Err(setup(
                "the product of the User-Agent is not like name/1.0".to_owned(),
            ));
        }
        let reachable =
            Url::parse(&self.contact).is_ok_and(|url| matches!(url.scheme(), "https" | "mailto"));
        if !plain(&self.contact) || !reachable {
            return Err(setup(
                "the contact is not an https or mailto URL".to_owned(),
            ));
        }
        HeaderValue::from_str(&format!("{} (+{})", self.product, self.contact))
            .map_err(|error| setup(error.to_string()))
    }

    fn check_limits(&self) -> Result<(), Error> {
        let Limits {
            connect,
            idle,
            total,
            ..
        } = self.limits;
        for (name, value) in [("connect", connect), ("idle", idle), ("total", total)] {
            if value.is_zero() || value > Duration::from_secs(86_400) {
                return Err(setup(format!(
                    "the limit {name} is {value:?}; expected more than zero and at most one day"
                )));
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("limits", &self.limits)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

/// The one way out. Cheap to clone; clones share the client.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: reqwest::Client,
    limits: Limits,
    rules: TargetRules,
    rootless: bool,
}

impl Fetcher {
    /// Starts with the default limits and nothing allowed.
    ///
    /// The `User-Agent` becomes `product (+contact)`: `product` like `name/1.0`, `contact` an
    /// https or mailto URL where the operator can be reached.
    #[must_use]
    pub fn builder(product: &str, contact: &str) -> Builder {
        Builder {
            product: product.to_owned(),
            contact: contact.to_owned(),
            limits: Limits::default(),
            rules: TargetRules::default(),
            roots: Vec::new(),
            resolver: Arc::new(SystemResolver),
        }
    }

    /// Sends the request, follows what its [`crate::Redirects`] allow, and reads the head of the
    /// answer. A status of any class is an answer, not an error.
    ///
    /// # Errors
    /// Every kind of [`Error`] but those of the set-up.
    pub async fn send(&self, request: Request) -> Result<Response, Error> {
        let deadline = Instant::now() + self.limits.total;
        let mut target = Target::parse(&request.url, &self.rules, request.scheme)?;
        request.check_headers(&target.shown)?;
        if request.body.len() > self.limits.request_bytes {
            return Err(Error::RequestTooLarge {
                url: target.shown,
                limit: self.limits.request_bytes,
                found: request.body.len(),
            });
        }
        let mut hops = 0;
        loop {
            let response = self.exchange(&request, &target, deadline).await?;
            let Some(next) = redirect_target(&request, &response) else {
                return Ok(response);
            };
            if hops == request.redirects.limit {
                return Err(Error::TooManyRedirects {
                    url: target.shown,
                    limit: hops,
                });
            }
            hops += 1;
            if !request.redirects.allows(&target.url, &next) {
                return Err(Error::RedirectRefused {
                    url: target.shown,
                    target: (&next).into(),
                });
            }
            target = Target::check(next, &self.rules, request.scheme)?;
        }
    }

    async fn exchange(
        &self,
        request: &Request,
        target: &Target,
        deadline: Instant,
    ) -> Result<Response, Error> {
        let shown = target.shown.clone();
        if self.rootless && target.url.scheme() == "https" {
            return Err(Error::NoRoots { url: shown });
        }
        let sending = self
            .client
            .request(request.method.clone(), target.url.clone())
            .headers(request.headers.clone())
            .header(ACCEPT_ENCODING, "identity")
            .body(request.body.clone())
            .send();
        let Limits {
            connect,
            idle,
            total,
            ..
        } = self.limits;
        let head = Instant::now() + connect + idle;
        let (until, stage, limit) = if head < deadline {
            (head, Stage::Head, connect + idle)
        } else {
            (deadline, Stage::Total, total)
        };
        let inner = timeout_at(until, sending)
            .await
            .map_err(|_| Error::TimedOut {
                url: shown.clone(),
                stage,
                limit,
            })?
            .map_err(|error| classify(error, &shown, None, connect))?;
        Ok(Response {
            inner,
            shown,
            limit: request.response_bytes.unwrap_or(self.limits.response_bytes),
            received: 0,
            idle,
            total,
            deadline,
        })
    }
}

/// Where the answer points, if the request follows at all. Without a usable `Location`, a
/// redirecting status is an answer like any other.
fn redirect_target(request: &Request, response: &Response) -> Option<Url> {
    let follows = request.redirects.any()
        && request.method == Method::GET
        && matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    if !follows {
        return None;
    }
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    response.url().join(location).ok()
}

struct Trust {
    config: rustls::ClientConfig,
    /// Neither the system nor the caller has a root.
    rootless: bool,
}

fn trust(roots: Vec<Vec<u8>>) -> Result<Trust, Error> {
    let unusable = |error: rustls::Error| setup(format!("a root certificate: {error}"));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let rootless = roots.is_empty() && Verifier::new(Arc::clone(&provider)).is_err();
    let builder = rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| setup(error.to_string()))?;
    let mut config = if rootless {
        builder
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth()
    } else {
        let roots = roots.into_iter().map(CertificateDer::from);
        let verifier = Verifier::new_with_extra_roots(roots, provider).map_err(unusable)?;
        // "Dangerous" is rustls' word for any verifier but its own; this one is its own (webpki)
        // over the roots of the system.
        builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth()
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Trust { config, rootless })
}

fn setup(reason: String) -> Error {
    Error::Setup { reason }
}

/// Gives an error of reqwest its kind. `received` is `None` before the body; `connect` is the
/// limit that reqwest itself keeps.
pub(crate) fn classify(
    error: reqwest::Error,
    shown: &ShownUrl,
    received: Option<u64>,
    connect: Duration,
) -> Error {
    let url = shown.clone();
    // The URL, with its query, is in reqwest's message.
    let error = error.without_url();
    let detail = root_cause(&error);
    if let Some(failure) = find::<Failure>(&error) {
        return match failure.clone() {
            Failure::Refused { address, found } => Error::AddressRefused {
                url,
                address,
                found,
            },
            Failure::NotFound(detail) => Error::NameNotResolved {
                url,
                detail: shorten(&detail, 200),
            },
        };
    }
    if error.is_connect() {
        return if error.is_timeout() {
            Error::TimedOut {
                url,
                stage: Stage::Connect,
                limit: connect,
            }
        } else if find::<rustls::Error>(&error).is_some() {
            Error::TlsFailed { url, detail }
        } else {
            Error::ConnectFailed { url, detail }
        };
    }
    let hyper = find::<hyper::Error>(&error);
    let kind = find::<io::Error>(&error).map(io::Error::kind);
    if received.is_some()
        || hyper.is_some_and(|error| error.is_incomplete_message() || error.is_canceled())
        || kind.is_some_and(ends_early)
    {
        Error::Truncated {
            url,
            received: received.unwrap_or(0),
            detail,
        }
    } else {
        Error::InvalidHttp { url, detail }
    }
}

fn ends_early(kind: io::ErrorKind) -> bool {
    use io::ErrorKind as K;
    matches!(
        kind,
        K::UnexpectedEof | K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe
    )
}

/// The innermost message: the outer ones only repeat that sending failed.
fn root_cause(error: &(dyn StdError + 'static)) -> String {
    let innermost = causes(error)
        .last()
        .map_or_else(String::new, ToString::to_string);
    shorten(&innermost, 200)
}

fn find<'a, T: StdError + 'static>(error: &'a (dyn StdError + 'static)) -> Option<&'a T> {
    causes(error).find_map(|cause| cause.downcast_ref::<T>())
}

/// The error and its causes, with those that an [`io::Error`] wraps but does not name as source.
fn causes<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| {
        match error.downcast_ref::<io::Error>() {
            Some(wrapper) => wrapper
                .get_ref()
                .map(|inner| -> &(dyn StdError + 'static) { inner }),
            None => error.source(),
        }
    })
    .take(16)
}
