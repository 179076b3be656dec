//! What a server, a name server or a URL can try, over real sockets.

#![expect(clippy::unwrap_used, reason = "a test: to panic is to fail")]

mod addresses;
mod answers;
mod environment;
mod faults;
mod memory;
mod sessions;
mod support;
mod tls;
mod turns;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use guarded_fetch::{Builder, Error, Fetcher, Limits, Request, Resolve, Resolving, Traffic};
use support::Server;

pub(crate) const OK: &str = "HTTP/1.1 200 OK\r\n";

pub(crate) fn builder() -> Builder {
    // A root of the tests' own: they do not depend on the system having any.
    static ROOT: LazyLock<Vec<u8>> = LazyLock::new(|| certificate("unused.test").0);
    Fetcher::builder("guarded-fetch-test/1.0", "https://example.org/contact")
        .root_certificate(ROOT.clone())
        .limits(patient(|_| {}))
        // The tests run beside each other, and nearly all of them against one host.
        .traffic(Traffic {
            in_all: 1_000,
            per_host: 1_000,
            ..Traffic::default()
        })
}

/// A short time for one thing, and for everything else enough on the busiest machine.
pub(crate) fn patient(change: impl FnOnce(&mut Limits)) -> Limits {
    const PATIENCE: Duration = Duration::from_secs(60);
    let mut limits = Limits {
        connect: PATIENCE,
        head: PATIENCE,
        idle: PATIENCE,
        total: 2 * PATIENCE,
        ..Limits::default()
    };
    change(&mut limits);
    limits
}

pub(crate) fn fetcher() -> Fetcher {
    static FETCHER: LazyLock<Fetcher> =
        LazyLock::new(|| builder().allow_loopback(true).build().unwrap());
    FETCHER.clone()
}

pub(crate) async fn body(request: Request) -> Result<Vec<u8>, Error> {
    fetcher().send(request).await?.bytes().await
}

pub(crate) async fn answer(bytes: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
    let server = Server::fixed(bytes).await;
    body(Request::get(server.url("/"))).await
}

pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    result.unwrap_err().code()
}

/// A resolver that answers as the test says: the argument is how often it was asked before.
pub(crate) struct Answers<F> {
    pub(crate) asked: Arc<AtomicUsize>,
    answer: F,
}

impl<F> Answers<F> {
    pub(crate) fn new(answer: F) -> Self {
        Self {
            asked: Arc::default(),
            answer,
        }
    }
}

impl<F, R> Resolve for Answers<F>
where
    F: Fn(usize) -> R + Send + Sync + 'static,
    R: Future<Output = std::io::Result<Vec<IpAddr>>> + Send + 'static,
{
    fn resolve(&self, _: &str, port: u16) -> Resolving {
        let answer = (self.answer)(self.asked.fetch_add(1, Ordering::SeqCst));
        Box::pin(async move {
            let addresses = answer.await?.into_iter();
            Ok(addresses
                .map(|address| SocketAddr::new(address, port))
                .collect())
        })
    }
}

pub(crate) fn loopback(last: u8) -> IpAddr {
    Ipv4Addr::new(127, 0, 0, last).into()
}

pub(crate) fn certificate(name: &str) -> (Vec<u8>, tokio_rustls::TlsAcceptor) {
    certified(rcgen::CertificateParams::new(vec![name.to_owned()]).unwrap())
}

pub(crate) fn expired_certificate(name: &str) -> (Vec<u8>, tokio_rustls::TlsAcceptor) {
    let mut leaf = rcgen::CertificateParams::new(vec![name.to_owned()]).unwrap();
    leaf.not_before = rcgen::date_time_ymd(2020, 1, 1);
    leaf.not_after = rcgen::date_time_ymd(2021, 1, 1);
    certified(leaf)
}

/// The root of a new authority, and a server with a certificate of it.
fn certified(leaf: rcgen::CertificateParams) -> (Vec<u8>, tokio_rustls::TlsAcceptor) {
    use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
    use tokio_rustls::rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer};

    let mut root = CertificateParams::default();
    root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root_key = KeyPair::generate().unwrap();
    let root_der = root.self_signed(&root_key).unwrap().der().to_vec();
    let key = KeyPair::generate().unwrap();
    let leaf = leaf.signed_by(&key, &Issuer::new(root, root_key)).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![leaf.der().clone()],
            PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
        )
        .unwrap();
    (root_der, Arc::new(config).into())
}
