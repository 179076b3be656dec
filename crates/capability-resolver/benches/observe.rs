//! How many servers a minute are observed, and in how much memory.
//!
//! A second process of this program serves every host under one certificate over TLS on loopback: a server of the modern
//! era with ten tools, and no capabilities.txt. What is measured is the whole way of an observation: schedule, file of
//! the host, name, TLS, probe, store. Both processes share the machine. Each size is a process of its own, so that its
//! memory is its own.
//!
//! `cargo bench -p capability-resolver --bench observe -- --sizes 1000,10000`; where `CRITERION_HOME` is set, the figures
//! are written there in the form of criterion's files, for `cargo xtask bench`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench is its own caller"
)]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader as Lines};
use std::net::SocketAddr;
use std::path::Path;
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
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// How many servers each run has, unless the command line says otherwise.
const SIZES: [u32; 3] = [1_000, 10_000, 45_000];
const IN_FLIGHT: usize = 64;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let after = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        Some(&arguments[at + 1..])
    };
    if after("serve").is_some() {
        runtime().block_on(serve());
        return;
    }
    if let Some([size, address, certificate, ..]) = after("run") {
        let certificate = STANDARD.decode(certificate).unwrap();
        let nanoseconds = run(
            size.parse().unwrap(),
            address.parse().unwrap(),
            &certificate,
        );
        println!("{nanoseconds}\n{}", peak_mebibytes());
        return;
    }
    let sizes = match after("--sizes") {
        Some(sizes) => sizes[0]
            .split(',')
            .map(|size| size.parse().unwrap())
            .collect(),
        None => SIZES.to_vec(),
    };
    let mut server = itself(&["serve"]).spawn().unwrap();
    let mut lines = Lines::new(server.stdout.take().unwrap()).lines();
    let mut line = || lines.next().unwrap().unwrap();
    let (address, certificate) = (line(), line());
    for size in sizes {
        let done = itself(&["run", &size.to_string(), &address, &certificate])
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        assert!(done.status.success(), "{size} servers");
        let text = String::from_utf8(done.stdout).unwrap();
        let figures: Vec<f64> = text.lines().map(|line| line.parse().unwrap()).collect();
        let [nanoseconds, mebibytes] = figures[..] else {
            panic!("{text}");
        };
        let (rate, seconds) = (60e9 / nanoseconds, nanoseconds * f64::from(size) / 1e9);
        println!(
            "{size:>6} servers: {seconds:.1} s, {rate:.0} servers a minute, {mebibytes:.0} MiB at most"
        );
        if let Some(home) = std::env::var_os("CRITERION_HOME") {
            write(Path::new(&home), size, nanoseconds, mebibytes);
        }
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

/// This program once more.
fn itself(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments).stdout(Stdio::piped());
    command
}

/// As criterion writes what it measured, and the memory beside it.
fn write(home: &Path, size: u32, nanoseconds: f64, mebibytes: f64) {
    let folder = home.join(format!("observe/{size} servers/new"));
    std::fs::create_dir_all(&folder).unwrap();
    let benchmark = json!({"full_id": format!("observe/{size} servers"), "throughput": null, "mebibytes": mebibytes});
    let sample = json!({"iters": [1.0], "times": [nanoseconds]});
    for (name, value) in [("benchmark.json", benchmark), ("sample.json", sample)] {
        std::fs::write(folder.join(name), value.to_string()).unwrap();
    }
}

/// Observes so many servers; says how many nanoseconds each took.
fn run(size: u32, address: SocketAddr, certificate: &[u8]) -> f64 {
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
        BTreeMap::from([("ok".to_owned(), u64::from(size))])
    );
    seconds / f64::from(size) * 1e9
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
            json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
        }
        _ => {
            let tool = |n: u8| json!({"name": format!("tool_{n}"), "description": "Does what a tool of a bench does, and says so in a sentence.", "inputSchema": {"type": "object"}});
            json!({"resultType": "complete", "tools": (0..10).map(tool).collect::<Vec<_>>()})
        }
    };
    let body = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}).to_string();
    Some(format!(
        "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ))
}
