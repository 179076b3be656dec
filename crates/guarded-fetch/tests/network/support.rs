//! Servers over real TCP and TLS that answer as a test tells them to, byte by byte.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A connection, plain or TLS.
pub(crate) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// A server that lives as long as the value.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Server {
    /// Answers each connection with `answer(stream, request)`, after the request was read.
    pub(crate) async fn start<F, R>(host: &str, answer: F) -> Self
    where
        F: Fn(Box<dyn Io>, String) -> R + Clone + Send + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        Self::launch(host, None, answer).await
    }

    /// Always the same bytes.
    pub(crate) async fn fixed(answer: impl AsRef<[u8]>) -> Self {
        let answer: Arc<[u8]> = answer.as_ref().into();
        Self::start("127.0.0.1", move |mut stream, _| {
            let answer = Arc::clone(&answer);
            async move {
                let _ = stream.write_all(&answer).await;
            }
        })
        .await
    }

    /// The same over TLS.
    pub(crate) async fn fixed_tls(
        config: tokio_rustls::TlsAcceptor,
        answer: &'static [u8],
    ) -> Self {
        Self::launch("127.0.0.1", Some(config), move |mut stream, _| async move {
            let _ = stream.write_all(answer).await;
            let _ = stream.shutdown().await;
        })
        .await
    }

    pub(crate) async fn launch<F, R>(
        host: &str,
        tls: Option<tokio_rustls::TlsAcceptor>,
        answer: F,
    ) -> Self
    where
        F: Fn(Box<dyn Io>, String) -> R + Clone + Send + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind((host, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
                let (tls, seen, answer) = (tls.clone(), Arc::clone(&seen), answer.clone());
                tokio::spawn(async move {
                    let mut stream: Box<dyn Io> = match tls {
                        None => Box::new(stream),
                        Some(tls) => match tls.accept(stream).await {
                            Ok(stream) => Box::new(stream),
                            Err(_) => return,
                        },
                    };
                    let request = read_request(&mut stream).await;
                    seen.lock().unwrap().push(request.clone());
                    answer(stream, request).await;
                });
            }
        });
        Self {
            address,
            requests,
            connections,
            task,
        }
    }

    /// Over TLS if `config` is given; answers every request of a connection in turn, as long as
    /// `answer(request)` gives bytes; with none, the connection ends.
    pub(crate) async fn keep_alive(
        config: Option<tokio_rustls::TlsAcceptor>,
        answer: impl Fn(&str) -> Option<Vec<u8>> + Clone + Send + Sync + 'static,
    ) -> Self {
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = Arc::clone(&requests);
        let mut server = Self::launch("127.0.0.1", config, move |mut stream, first| {
            let (answer, seen) = (answer.clone(), Arc::clone(&seen));
            async move {
                let mut request = first;
                loop {
                    seen.lock().unwrap().push(request.clone());
                    let Some(bytes) = answer(&request) else {
                        return;
                    };
                    if stream.write_all(&bytes).await.is_err() || stream.flush().await.is_err() {
                        return;
                    }
                    request = read_request(&mut stream).await;
                    if request.is_empty() {
                        return;
                    }
                }
            }
        })
        .await;
        server.requests = requests;
        server
    }

    /// How many connections were accepted.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// `http://127.0.0.1:PORT/path`
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What arrived, head and body, in order.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(crate) async fn read_request(stream: &mut Box<dyn Io>) -> String {
    let mut received = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&received).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| {
                    line.to_ascii_lowercase()
                        .strip_prefix("content-length: ")
                        .map(str::to_owned)
                })
                .map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                return text;
            }
        }
        let mut buffer = [0; 4096];
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return text,
            Ok(read) => received.extend_from_slice(&buffer[..read]),
        }
    }
}
