//! Servers of this machine with names, certificates and TLS, and a fetcher that finds them.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use guarded_fetch::{Fetcher, Traffic};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) host: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: serde_json::Value,
}

impl Asked {
    /// The method of JSON-RPC.
    pub(crate) fn rpc(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }
}

/// An answer: status, header lines, body.
pub(crate) type Answered = (u16, Vec<(&'static str, String)>, Vec<u8>);

/// All hosts on one port; what they answer is decided by one function.
pub(crate) struct Network {
    address: SocketAddr,
    certificate: Vec<u8>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Network {
    pub(crate) fn start(names: &[String], answer: fn(&Asked) -> Answered) -> Self {
        let pair = rcgen::generate_simple_self_signed(names).unwrap();
        let certificate = pair.cert.der().to_vec();
        let key = PrivateKeyDer::try_from(pair.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![pair.cert.der().clone()], key)
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (config, log) = (Arc::clone(&config), Arc::clone(&log));
                thread::spawn(move || {
                    // A client that goes away is none of the server's business.
                    let _ =
                        secure(stream, config).and_then(|stream| converse(stream, answer, &log));
                });
            }
        });
        Self {
            address,
            certificate,
            asked,
        }
    }

    /// Every name leads to this network.
    pub(crate) fn fetcher(&self) -> Fetcher {
        let address = self.address;
        Fetcher::builder("test/1.0", "https://resolver.test/contact")
            .traffic(Traffic {
                in_all: 64,
                per_host: 8,
                ..Traffic::default()
            })
            .allow_loopback(true)
            .root_certificate(self.certificate.clone())
            .resolver(move |_: &str, _: u16| Ok(vec![address]))
            .build()
            .unwrap()
    }

    /// What was asked since the last time: `METHOD https://host/path rpc`.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

/// A server by http, for the development switch; says its origin.
pub(crate) fn plain(answer: fn(&Asked) -> Answered) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || drop(converse(stream, answer, &Mutex::default())));
        }
    });
    origin
}

fn secure(
    stream: TcpStream,
    config: Arc<ServerConfig>,
) -> io::Result<StreamOwned<ServerConnection, TcpStream>> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    Ok(StreamOwned::new(connection, stream))
}

fn converse(
    stream: impl io::Read + io::Write,
    answer: fn(&Asked) -> Answered,
    log: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let mut words = line.split(' ').map(str::to_owned);
        let (method, path) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        let (mut host, mut length) = (String::new(), 0);
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            let Some((name, value)) = header.trim_end().split_once(':') else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "host" => host = value.trim().to_owned(),
                "content-length" => length = value.trim().parse().unwrap_or(0),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let asked = Asked {
            host,
            method,
            path,
            body: serde_json::from_slice(&body).unwrap_or_default(),
        };
        log.lock().unwrap().push(format!(
            "{} https://{}{} {}",
            asked.method,
            asked.host,
            asked.path,
            asked.rpc()
        ));
        let (status, headers, body) = answer(&asked);
        let headers: String = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let stream = reader.get_mut();
        write!(
            stream,
            "HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{headers}\r\n",
            body.len()
        )?;
        stream.write_all(&body)?;
        stream.flush()?;
    }
}
