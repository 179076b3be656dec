//! Serves a resolver on a port of this machine, a thread for each connection.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::fault::{Act, Fault};
use super::http::Request;
use super::rate::Rate;
use super::resolver::Resolver;

/// The longest head of a request, in bytes.
const HEAD_MAX_BYTES: usize = 32_768;

/// How long a connection may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// A resolver on a port.
pub(crate) struct Server {
    listener: TcpListener,
    resolver: Arc<Resolver>,
    tls: Option<Arc<ServerConfig>>,
}

impl Server {
    /// Takes a port of this machine, any for 0, and answers at most so many requests a second, any number for 0.
    pub(crate) fn bind(fault: Option<Fault>, port: u16, per_second: u32) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let (scheme, tls) = match &fault {
            Some(Fault {
                act: Act::Certificate,
                ..
            }) => ("https", Some(Arc::new(certificate()?))),
            _ => ("http", None),
        };
        let origin = match scheme {
            "https" => format!("https://localhost:{port}"),
            _ => format!("http://127.0.0.1:{port}"),
        };
        Ok(Self {
            listener,
            resolver: Arc::new(Resolver::new(origin, fault, Rate::new(per_second))),
            tls,
        })
    }

    pub(crate) fn origin(&self) -> &str {
        self.resolver.origin()
    }

    /// Serves for ever.
    pub(crate) fn run(&self) -> io::Result<()> {
        for stream in self.listener.incoming() {
            let stream = stream?;
            let (resolver, tls) = (Arc::clone(&self.resolver), self.tls.clone());
            // What becomes of one connection is its own.
            thread::spawn(move || drop(connection(&resolver, tls, stream)));
        }
        Ok(())
    }
}

fn connection(
    resolver: &Resolver,
    tls: Option<Arc<ServerConfig>>,
    stream: TcpStream,
) -> io::Result<()> {
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_nodelay(true)?;
    match tls {
        None => exchange(resolver, stream),
        Some(config) => {
            let connection = ServerConnection::new(config).map_err(io::Error::other)?;
            exchange(resolver, StreamOwned::new(connection, stream))
        }
    }
}

/// Answers requests without a body, one after the other.
fn exchange(resolver: &Resolver, mut stream: impl Read + Write) -> io::Result<()> {
    let mut received = Vec::new();
    loop {
        while let Some(end) = received.windows(4).position(|four| four == b"\r\n\r\n") {
            let rest = received.split_off(end + 4);
            let Some(request) = Request::read(&received) else {
                return Ok(());
            };
            received = rest;
            stream.write_all(&resolver.answer(&request).write())?;
            stream.flush()?;
        }
        let mut buffer = [0; 4_096];
        let read = stream.read(&mut buffer)?;
        if read == 0 || received.len() > HEAD_MAX_BYTES {
            return Ok(());
        }
        received.extend_from_slice(&buffer[..read]);
    }
}

/// For another host, and of no authority.
fn certificate() -> io::Result<ServerConfig> {
    let made = rcgen::generate_simple_self_signed(["another.example".to_owned()]);
    let made = made.map_err(io::Error::other)?;
    let key =
        PrivateKeyDer::try_from(made.signing_key.serialize_der()).map_err(io::Error::other)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .map_err(io::Error::other)
}
