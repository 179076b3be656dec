//! How many servers a minute are observed, and in how much memory: `cargo bench -p capability-resolver --bench observe`.
//!
//! A second process of this program serves every host under one certificate over TLS on loopback: a server of the modern
//! era with ten tools, and no capabilities.txt. What is measured is the whole way of an observation: schedule, file of
//! the host, name, TLS, probe, store. Both processes share the machine.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench is its own caller"
)]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader as Lines};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use capability_resolver::clock;
use capability_resolver::config::Schedule;
use capability_resolver::observe::{NetworkProber, Observer, Settings};
use capability_resolver::store::{
    Claim, Entry, EntryState, Source, SourceKind, SqliteStore, Store as _,
};
use guarded_fetch::{Fetcher, Traffic};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// How many servers each run has, unless the command line says otherwise.
const SIZES: [usize; 3] = [1_000, 10_000, 45_000];
const IN_FLIGHT: usize = 64;

fn main() {
    if std::env::args().any(|argument| argument == "serve") {
        runtime().block_on(serve());
        return;
    }
    let sizes: Vec<usize> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let sizes = if sizes.is_empty() {
        SIZES.to_vec()
    } else {
        sizes
    };
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg("serve")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = Lines::new(child.stdout.take().unwrap()).lines();
    let address: SocketAddr = lines.next().unwrap().unwrap().parse().unwrap();
    let certificate = STANDARD.decode(lines.next().unwrap().unwrap()).unwrap();
    for size in sizes {
        run(size, address, &certificate);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn run(size: usize, address: SocketAddr, certificate: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&folder.path().join("store.sqlite")).unwrap();
    let entries: Vec<Entry> = (0..size)
        .map(|n| {
            let url = format!("https://s{n}.bench.test/mcp");
            let urls = vec![url.parse().unwrap()];
            Entry::Server(Claim {
                key: url,
                urls,
                name: None,
                description: None,
                state: EntryState::Active,
                tools: Vec::new(),
            })
        })
        .collect();
    let source = Source {
        name: "bench".to_owned(),
        kind: SourceKind::Catalogue,
    };
    for batch in entries.chunks(1_000) {
        store.take(&source, batch, clock::now()).unwrap();
    }
    drop(entries);
    let fetcher = Fetcher::builder("bench/1.0", "https://resolver.test/contact")
        .traffic(Traffic {
            in_all: IN_FLIGHT,
            ..Traffic::default()
        })
        .allow_loopback(true)
        .root_certificate(certificate.to_vec())
        .resolver(move |_: &str, _: u16| Ok(vec![address]))
        .build()
        .unwrap();
    let settings = Settings {
        issuer: "https://resolver.test".parse().unwrap(),
        schedule: Schedule {
            interval_minutes: 480,
            second_look_minutes: 15,
        },
        in_flight: IN_FLIGHT,
        per_host: 2,
        sources: Vec::new(),
        allow_loopback: false,
        clock: clock::now,
    };
    let began = Instant::now();
    let observer = Observer::new(&mut store, NetworkProber::new(fetcher), settings);
    let tally = runtime()
        .block_on(observer.run(true, std::future::pending(), &mut |_| {}))
        .unwrap();
    let seconds = began.elapsed().as_secs_f64();
    assert_eq!(
        tally.observed,
        BTreeMap::from([("ok".to_owned(), u64::try_from(size).unwrap())])
    );
    let servers: u32 = u32::try_from(size).unwrap();
    println!(
        "{size:>6} servers: {seconds:.1} s, {:.0} servers a minute, {} MiB at most until now",
        f64::from(servers) / seconds * 60.0,
        peak_mebibytes()
    );
}

/// The most memory that this process has held (`VmHWM`).
fn peak_mebibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0) / 1_024
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

async fn serve() {
    let pair = rcgen::generate_simple_self_signed(vec!["*.bench.test".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(pair.signing_key.serialize_der()).unwrap();
    let config =
        ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![pair.cert.der().clone()], key)
            .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!(
        "{}\n{}",
        listener.local_addr().unwrap(),
        STANDARD.encode(pair.cert.der())
    );
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(converse(stream, acceptor.clone()));
    }
}

async fn converse(stream: TcpStream, acceptor: TlsAcceptor) -> Option<()> {
    let mut stream = BufReader::new(acceptor.accept(stream).await.ok()?);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let is_post = line.starts_with("POST");
        let mut length = 0;
        loop {
            line.clear();
            stream.read_line(&mut line).await.ok()?;
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().ok()?
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        let answer = if is_post {
            answer(&body)?
        } else {
            "HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n".to_owned()
        };
        stream.get_mut().write_all(answer.as_bytes()).await.ok()?;
        stream.get_mut().flush().await.ok()?;
    }
}

fn answer(body: &[u8]) -> Option<String> {
    let asked: serde_json::Value = serde_json::from_slice(body).ok()?;
    let result = match asked["method"].as_str()? {
        "server/discover" => {
            serde_json::json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
        }
        _ => {
            let tool = |n: u8| serde_json::json!({"name": format!("tool_{n}"), "description": "Does what a tool of a bench does, and says so in a sentence.", "inputSchema": {"type": "object"}});
            serde_json::json!({"resultType": "complete", "tools": (0..10).map(tool).collect::<Vec<_>>()})
        }
    };
    let body =
        serde_json::json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}).to_string();
    Some(format!(
        "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ))
}
