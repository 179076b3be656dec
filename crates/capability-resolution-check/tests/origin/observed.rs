//! `--server --probe` and servers that others wrote, behind TLS as their servers files have to name them.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::ran::{check_schema, ran};
use crate::served::alone;
use crate::server_file::host;

/// A server that runs as long as the value lives.
struct Peer {
    process: Child,
    stop: Option<ChildStdin>,
    /// Where it listens, without TLS.
    address: String,
}

impl Peer {
    fn start(servers: &Path, name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = root.join("../../interop/mcp-servers/servers.py");
        let mut process = Command::new("python3")
            .args([&program, Path::new("run"), servers, Path::new(name)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let out = process.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut url).unwrap();
        let address = url.strip_prefix("http://");
        let address = address.unwrap_or_else(|| panic!("{name} does not start"));
        Self {
            address: address.split('/').next().unwrap().to_owned(),
            stop: process.stdin.take(),
            process,
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.stop = None;
        let _ = self.process.wait();
    }
}

/// TLS before an address, by a certificate for localhost of the authority that is written to a file; gives the port.
fn behind_tls(address: String, authority: &Path) -> u16 {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().unwrap();
    let root = params.self_signed(&authority_key).unwrap();
    let encoded = STANDARD.encode(root.der());
    let pem = format!("-----BEGIN CERTIFICATE-----\n{encoded}\n-----END CERTIFICATE-----\n");
    fs::write(authority, pem).unwrap();
    let key = KeyPair::generate().unwrap();
    let own = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let issuer = Issuer::from_params(&params, &authority_key);
    let own = own.signed_by(&key, &issuer).unwrap();

    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![own.der().clone()],
            key.serialize_der().try_into().unwrap(),
        );
    let config = Arc::new(config.unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let stream = StreamOwned::new(connection, stream.unwrap());
            let address = address.clone();
            thread::spawn(move || pass_on(stream, &address));
        }
    });
    port
}

/// One request, passed on with the name that the server knows itself by, and its answer until it ends.
fn pass_on(mut outer: impl Read + Write, address: &str) -> io::Result<()> {
    let mut received = Vec::new();
    let end = loop {
        if let Some(at) = received.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        let mut buffer = [0; 4_096];
        match outer.read(&mut buffer)? {
            0 => return Ok(()),
            read => received.extend_from_slice(&buffer[..read]),
        }
    };
    let mut body = received.split_off(end);
    let head = String::from_utf8_lossy(&received).into_owned();
    let field = |name: &str| {
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(known, _)| known.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value)
    };
    let length = field("content-length").map_or(0, |value| value.parse().unwrap());
    let mut rest = vec![0; length - body.len()];
    outer.read_exact(&mut rest)?;
    body.extend(rest);
    let kept = head.trim_end().lines().filter(|line| {
        let line = line.to_ascii_lowercase();
        !line.starts_with("host:") && !line.starts_with("connection:")
    });
    let head = kept.collect::<Vec<_>>().join("\r\n");
    let mut inner = TcpStream::connect(address)?;
    write!(
        inner,
        "{head}\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    inner.write_all(&body)?;
    io::copy(&mut inner, &mut outer)?;
    outer.flush()
}

#[test]
#[allow(clippy::print_stderr, reason = "what is skipped is told")]
fn a_real_server_beside_what_its_file_says() {
    let Some(servers) = std::env::var_os("MCP_SERVERS_DIR") else {
        eprintln!("skipped: MCP_SERVERS_DIR is not set");
        return;
    };
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let authority = folder.path().join("authority.pem");
    for (name, outcome, tools) in [("ts-dual", "ok", 1..100), ("py-auth", "sign_in", 0..1)] {
        let peer = Peer::start(Path::new(&servers), name);
        let port = behind_tls(peer.address.clone(), &authority);
        let url = format!("https://localhost:{port}/mcp");
        let file = format!(
            "Conformance: Capability Resolution 0.2\nContact: mailto:tools@example.com\n\
             Expires: 2099-04-30T00:00:00Z\nResolvers: *\n\n\
             Endpoint: {url}\nProtocol: mcp\nJobs: try it\nSign-in: none\n"
        );
        let host = host("200 OK", "text/plain", file);
        let mut command = Command::new(env!("CARGO_BIN_EXE_capability-resolution-check"));
        command
            .args(["--server", &host, "--allow-loopback", "--probe"])
            .args(["--contact", "mailto:tools@example.com", "--format", "json"])
            .env("SSL_CERT_FILE", &authority);
        let answer = ran(&mut command, b"", "/no/folder").json();
        check_schema("check-server", &answer);
        let observed = &answer["observed"][0];
        assert_eq!(observed["url"], url.as_str(), "{name}: {answer}");
        assert_eq!(observed["outcome"], outcome, "{name}: {answer}");
        let found = observed["tools"].as_u64().unwrap();
        assert!(tools.contains(&found), "{name}: {answer}");
        assert!(observed["handshake_ms"].is_u64(), "{name}: {answer}");
        assert_eq!(observed["declared_sign_in"], "none");
    }
}

/// It answers, and is no resolver.
#[test]
#[allow(clippy::print_stderr, reason = "what is skipped is told")]
fn a_real_server_is_no_resolver() {
    let Some(servers) = std::env::var_os("MCP_SERVERS_DIR") else {
        eprintln!("skipped: MCP_SERVERS_DIR is not set");
        return;
    };
    let _alone = alone();
    for name in ["everything", "py-stateful"] {
        let peer = Peer::start(Path::new(&servers), name);
        crate::strangers::refused(&format!("http://{}", peer.address), "is no resolver: ");
    }
}
