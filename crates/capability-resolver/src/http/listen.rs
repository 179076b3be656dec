//! Connections: how many, for how long, and how they end. Every wait has an end, whoever is on the other side.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::TlsAcceptor;

use super::App;
use super::tls::Tls;

/// Who is on the other side of a connection.
#[derive(Debug, Clone)]
pub struct Peer {
    /// Its address.
    pub ip: IpAddr,
    /// From when on its connection ends with its next answer.
    until: Instant,
    /// Whether all connections are taken, so that each ends with its next answer.
    crowded: Arc<AtomicBool>,
}

impl Peer {
    /// Whether its connection ends with its next answer.
    #[must_use]
    pub fn is_last(&self, now: Instant) -> bool {
        self.until <= now || self.crowded.load(Ordering::Relaxed)
    }
}

/// What a connection may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many at once.
    pub connections: usize,
    /// For the head of a request, and for a connection without one: from its first moment, or from the last answer.
    pub head: Duration,
    /// For a peer that takes no byte of an answer.
    pub write: Duration,
    /// For the handshake of TLS.
    pub handshake: Duration,
    /// For a connection in all; then it ends after the answer that is under way.
    pub connection: Duration,
    /// For the answers that are under way when the program stops.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1_024,
            head: Duration::from_secs(10),
            write: Duration::from_secs(10),
            handshake: Duration::from_secs(10),
            connection: Duration::from_secs(300),
            stop: Duration::from_secs(10),
        }
    }
}

/// How many bytes of a connection are held at most, the head of a request among them.
const BUFFER_BYTES: usize = 32 * 1_024;
const HEADERS_MAX: usize = 64;
/// How many connections wait for their turn in the system.
const BACKLOG: u32 = 4_096;

/// A socket that listens.
pub struct Listener {
    listener: TcpListener,
    tls: Option<Arc<Tls>>,
    everybody: bool,
}

impl Listener {
    /// Listens at an address.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn bind(address: SocketAddr, tls: Option<Arc<Tls>>) -> io::Result<Self> {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // A restart does not wait for connections of the one before.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        Ok(Self {
            listener: socket.listen(BACKLOG)?,
            tls,
            everybody: false,
        })
    }

    /// Without TLS, only proxies are answered; this one answers everybody who reaches it.
    #[must_use]
    pub fn for_everybody(self) -> Self {
        Self {
            everybody: true,
            ..self
        }
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Whether it speaks TLS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.tls.is_some()
    }

    /// Serves until `stop` is ready, and then until the answers under way are given or their time is over.
    pub async fn serve(
        self,
        app: Arc<App>,
        router: Router,
        limits: Limits,
        stop: impl Future<Output = ()>,
    ) {
        let room = Arc::new(Semaphore::new(limits.connections));
        let graceful = GracefulShutdown::new();
        let crowded = Arc::new(AtomicBool::new(false));
        let mut stop = std::pin::pin!(stop);
        loop {
            // Those beyond the limit wait in the system; each answer then ends its connection, so that it is their turn.
            crowded.store(room.available_permits() == 0, Ordering::Relaxed);
            let next = async {
                let permit = Arc::clone(&room).acquire_owned().await;
                (permit, self.listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                next = next => next,
                () = &mut stop => break,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    app.log
                        .warn(format_args!("cannot take a connection: {error}"));
                    sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let ip = peer.ip();
            // Without TLS, whoever is no proxy of ours would ask in the clear.
            let is_ours = self.everybody || self.tls.is_some() || app.callers.is_proxy(ip);
            let Some(connected) = is_ours.then(|| app.callers.connect(ip)).flatten() else {
                continue;
            };
            let peer = Peer {
                ip,
                until: Instant::now() + limits.connection,
                crowded: Arc::clone(&crowded),
            };
            let (app, router, tls) = (Arc::clone(&app), router.clone(), self.tls.clone());
            let watcher = graceful.watcher();
            tokio::spawn(async move {
                app.connections.fetch_add(1, Ordering::Relaxed);
                let served = async {
                    let _ = stream.set_nodelay(true);
                    match tls {
                        None => serve_connection(stream, peer, router, limits, watcher).await,
                        Some(tls) => {
                            if let Some(stream) = handshake(stream, &tls, limits).await {
                                serve_connection(stream, peer, router, limits, watcher).await;
                            }
                        }
                    }
                };
                served.await;
                app.connections.fetch_sub(1, Ordering::Relaxed);
                drop((permit, connected));
            });
        }
        drop(self.listener);
        let _ = timeout(limits.stop, graceful.shutdown()).await;
    }
}

async fn handshake(
    stream: TcpStream,
    tls: &Tls,
    limits: Limits,
) -> Option<tokio_rustls::server::TlsStream<TcpStream>> {
    let acceptor = TlsAcceptor::from(tls.config());
    timeout(limits.handshake, acceptor.accept(stream))
        .await
        .ok()?
        .ok()
}

/// What goes wrong with a connection is the other side's, and nobody is told: an error can hold what was read.
async fn serve_connection(
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
    peer: Peer,
    router: Router,
    limits: Limits,
    watcher: hyper_util::server::graceful::Watcher,
) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write));
    let stream = TokioIo::new(Box::pin(stream));
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer.clone());
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_headers(HEADERS_MAX)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(stream, service);
    // It has ended with an answer long before, unless its peer takes every byte by itself.
    let _ = timeout(limits.connection * 2, watcher.watch(connection)).await;
}
