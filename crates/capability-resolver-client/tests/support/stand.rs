//! Servers of this machine over real sockets, that do with a connection what a test tells them to.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// What a server does when it has read a request.
#[derive(Clone)]
pub(crate) enum Act {
    /// Sends this, and waits for the next request.
    Say(Vec<u8>),
    /// Sends this and closes.
    SayAndClose(Vec<u8>),
    /// Sends this and then nothing more.
    SayAndHang(Vec<u8>),
    /// Sends the first and then the second for ever.
    Endless(Vec<u8>, Vec<u8>),
    /// Sends this a byte at a time, slowly.
    Trickle(Vec<u8>),
}

/// What a server does with a connection before any request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Greeting {
    /// Reads requests.
    None,
    /// Holds it and does nothing.
    Hang,
    /// Closes it.
    Close,
}

/// A server that lives as long as the process.
pub(crate) struct Stand {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    heads: Arc<Mutex<Vec<String>>>,
}

/// An authority of the tests' own.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its root certificate, DER and PEM.
    pub(crate) root: Vec<u8>,
    pub(crate) pem: String,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let root = params.self_signed(&key).unwrap();
        Self {
            root: root.der().to_vec(),
            pem: pem("CERTIFICATE", root.der()),
            issuer: Issuer::new(params, key),
        }
    }

    /// A certificate for a host and its key, as PEM.
    pub(crate) fn certify_pem(&self, host: &str) -> (String, String) {
        let (certificate, key) = self.certify(host);
        (pem("CERTIFICATE", &certificate), pem("PRIVATE KEY", &key))
    }

    /// The same, DER.
    fn certify(&self, host: &str) -> (Vec<u8>, Vec<u8>) {
        let params = CertificateParams::new(vec![host.to_owned()]).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        (certificate.der().to_vec(), key.serialize_der())
    }

    /// TLS for a host.
    pub(crate) fn tls(&self, host: &str) -> Arc<ServerConfig> {
        let (certificate, key) = self.certify(host);
        let chain: Vec<CertificateDer<'static>> = vec![certificate.into()];
        let key = PrivateKeyDer::try_from(key).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
        Arc::new(config)
    }
}

fn pem(label: &str, der: &[u8]) -> String {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode(der);
    let lines: Vec<&str> = (0..text.len())
        .step_by(64)
        .map(|at| &text[at..text.len().min(at + 64)])
        .collect();
    format!(
        "-----BEGIN {label}-----\n{}\n-----END {label}-----\n",
        lines.join("\n")
    )
}

impl Stand {
    /// Answers each request by its target, `/path?query`; over TLS if there is a configuration for it.
    pub(crate) fn start(
        tls: Option<Arc<ServerConfig>>,
        greeting: Greeting,
        act: impl Fn(&str) -> Act + Send + Sync + 'static,
    ) -> Self {
        Self::on(
            TcpListener::bind("127.0.0.1:0").unwrap(),
            tls,
            greeting,
            act,
        )
    }

    /// On a port that is known before it answers.
    pub(crate) fn on(
        listener: TcpListener,
        tls: Option<Arc<ServerConfig>>,
        greeting: Greeting,
        act: impl Fn(&str) -> Act + Send + Sync + 'static,
    ) -> Self {
        let stand = Self {
            address: listener.local_addr().unwrap(),
            connections: Arc::default(),
            heads: Arc::default(),
        };
        let (connections, heads) = (Arc::clone(&stand.connections), Arc::clone(&stand.heads));
        let act = Arc::new(act);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::Relaxed);
                let (tls, heads, act) = (tls.clone(), Arc::clone(&heads), Arc::clone(&act));
                // A client that goes away is none of the server's business.
                thread::spawn(move || drop(greet(stream, tls, greeting, &heads, &*act)));
            }
        });
        stand
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// The heads of the requests since the last time.
    pub(crate) fn heads(&self) -> Vec<String> {
        std::mem::take(&mut self.heads.lock().unwrap())
    }
}

fn greet(
    stream: TcpStream,
    tls: Option<Arc<ServerConfig>>,
    greeting: Greeting,
    heads: &Mutex<Vec<String>>,
    act: &dyn Fn(&str) -> Act,
) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    match greeting {
        Greeting::Close => return Ok(()),
        Greeting::Hang => {
            thread::sleep(Duration::from_secs(30));
            return Ok(());
        }
        Greeting::None => {}
    }
    match tls {
        None => converse(stream, heads, act),
        Some(config) => {
            let connection = ServerConnection::new(config).map_err(io::Error::other)?;
            converse(StreamOwned::new(connection, stream), heads, act)
        }
    }
}

fn converse(
    stream: impl Read + Write,
    heads: &Mutex<Vec<String>>,
    act: &dyn Fn(&str) -> Act,
) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head)? == 0 {
                return Ok(());
            }
        }
        let field = |name: &str| {
            let lower = head.to_ascii_lowercase();
            let at = lower.find(&format!("\r\n{name}: "))? + name.len() + 4;
            head[at..].lines().next().map(str::to_owned)
        };
        // A server of the Model Context Protocol says what it does by the method, which stands in a header too.
        let method = field("mcp-method").map_or(String::new(), |method| format!("#{method}"));
        let target = head.split(' ').nth(1).unwrap_or_default().to_owned() + &method;
        let length = field("content-length").and_then(|length| length.parse().ok());
        reader.read_exact(&mut vec![0; length.unwrap_or(0)])?;
        heads.lock().unwrap().push(head);
        let stream = reader.get_mut();
        match act(&target) {
            Act::Say(bytes) => {
                stream.write_all(&bytes)?;
                stream.flush()?;
            }
            Act::SayAndClose(bytes) => {
                stream.write_all(&bytes)?;
                return stream.flush();
            }
            Act::SayAndHang(bytes) => {
                stream.write_all(&bytes)?;
                stream.flush()?;
                thread::sleep(Duration::from_secs(30));
                return Ok(());
            }
            Act::Endless(first, then) => {
                stream.write_all(&first)?;
                loop {
                    stream.write_all(&then)?;
                }
            }
            Act::Trickle(bytes) => {
                for byte in bytes {
                    stream.write_all(&[byte])?;
                    stream.flush()?;
                    thread::sleep(Duration::from_millis(50));
                }
                return Ok(());
            }
        }
    }
}

/// A whole answer of HTTP/1.1.
pub(crate) fn http(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// Status 200 and JSON.
pub(crate) fn json(body: impl AsRef<[u8]>) -> Vec<u8> {
    let headers = [
        ("Content-Type", "application/json"),
        ("Cache-Control", "max-age=3600"),
    ];
    http(200, &headers, body)
}
