//! No need is in any byte that is written: sections 5.5 and 9.1 of the text.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::common::{Folder, Server, mail, request};

/// Words that nobody else writes, in one piece and in the forms in which they travel.
const CANARY: &str = "zqxcanary7041";

fn all_files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all_files(&path, found);
        } else {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
}

fn holds_canary(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    // Also by a piece of it: an index keeps pieces, and a message may cut one off.
    text.contains("zqxcan") || text.contains("nary7041") || text.contains("%7a%71%78")
}

/// Requests with the canary in every place that a request has.
fn requests() -> Vec<Vec<u8>> {
    let get = |target: &str| {
        format!("GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").into_bytes()
    };
    let mut requests = Vec::new();
    for path in [
        "/.well-known/capability-resolver",
        "/resolve",
        "/record",
        "/policy",
        "/changelog",
        "/health",
        "/metrics",
        "/openapi.json",
        "/mcp",
        "/",
        "/nothing",
    ] {
        for query in [
            format!("need={CANARY}"),
            format!("need=send+email+{CANARY}&payment=none"),
            "need=%7A%71%78canary7041".to_owned(),
            format!("need={CANARY}&need={CANARY}"),
            format!("need={CANARY}&payment={CANARY}"),
            format!("{CANARY}={CANARY}"),
            format!("need={CANARY}%zz"),
            format!("need={CANARY}%ff"),
            format!("need={CANARY}%00"),
            format!("id={CANARY}"),
            format!("url=https://{CANARY}.example/mcp"),
            format!("need={}", CANARY.repeat(20)),
            format!("need={}", CANARY.repeat(400)),
            format!("need={CANARY}é💌"),
        ] {
            requests.push(get(&format!("{path}?{query}")));
        }
        for method in ["POST", "HEAD", "OPTIONS", "DELETE", CANARY] {
            requests.push(format!("{method} {path}?need={CANARY} HTTP/1.1\r\nHost: {CANARY}\r\nConnection: close\r\n\r\n").into_bytes());
        }
    }
    requests.push(get(&format!("/{CANARY}/{CANARY}?{CANARY}")));
    requests.push(get(&format!("/resolve/{CANARY}")));
    for header in [
        "User-Agent",
        "Referer",
        "Cookie",
        "Authorization",
        "X-Forwarded-For",
        "If-None-Match",
        CANARY,
    ] {
        requests.push(format!("GET /resolve?need={CANARY} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{header}: {CANARY}\r\n\r\n").into_bytes());
    }
    // What is no HTTP at all.
    requests.push(format!("{CANARY}\r\n\r\n").into_bytes());
    requests.push(format!("GET /resolve?need={CANARY}").into_bytes());
    requests.push(format!("GET /resolve?need={CANARY} HTTP/7\r\n\r\n").into_bytes());
    requests.push(format!("GET /resolve?need={CANARY} HTTP/1.1\r\n{CANARY}\r\n\r\n").into_bytes());
    requests.push(format!("POST /resolve HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 13\r\n\r\n{CANARY}").into_bytes());
    requests
}

/// Calls of the tool with the canary wherever a need could get to.
fn calls() -> Vec<Vec<u8>> {
    let post = |headers: &str, body: &str| {
        let length = body.len();
        format!(
            "POST /mcp HTTP/1.1\r\nHost: resolver.test\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        )
        .into_bytes()
    };
    let call = |params: serde_json::Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
    };
    let arguments = [
        json!({"need": CANARY}),
        json!({"need": format!("send email {CANARY}"), "payment": "none"}),
        json!({"need": CANARY.repeat(20)}),
        json!({"need": format!("{CANARY}\u{0}")}),
        json!({"need": [CANARY]}),
        json!({"need": CANARY, "payment": CANARY}),
        json!({"need": CANARY, "read_only": CANARY, "max_handshake_ms": CANARY}),
        json!({"need": CANARY, CANARY: CANARY}),
        json!(CANARY),
        json!([CANARY]),
    ];
    let mut bodies: Vec<String> = arguments
        .iter()
        .map(|arguments| call(json!({"name": "resolve", "arguments": arguments})))
        .collect();
    bodies.extend([
        call(json!({"name": CANARY, "arguments": {"need": CANARY}})),
        call(json!({"name": "resolve", "need": CANARY, "_meta": {CANARY: CANARY}})),
        call(json!(CANARY)),
        json!({"jsonrpc": "2.0", "id": 1, "method": CANARY, "params": {"need": CANARY}}).to_string(),
        json!({"jsonrpc": "2.0", "method": CANARY, "params": {"need": CANARY}}).to_string(),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"need": CANARY}}).to_string(),
        json!({"jsonrpc": CANARY, "id": 1, "method": "tools/call"}).to_string(),
        json!({"need": CANARY}).to_string(),
        json!([{"need": CANARY}]).to_string(),
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
            "capabilities": {CANARY: {}}, "clientInfo": {"name": CANARY, "version": CANARY}}})
        .to_string(),
        format!("{{\"need\": \"{CANARY}"),
        format!("{CANARY}={CANARY}"),
        format!("\"{}\"", CANARY.repeat(6_000)),
    ]);
    let modern = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "resolve", "arguments": {"need": CANARY}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": CANARY, "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}}});
    let modern_headers =
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: resolve\r\n";
    let valid = call(json!({"name": "resolve", "arguments": {"need": CANARY}}));
    let mut calls: Vec<Vec<u8>> = bodies.iter().map(|body| post("", body)).collect();
    calls.push(post(modern_headers, &modern.to_string()));
    for name in [
        "Mcp-Name",
        "Mcp-Method",
        "Mcp-Param-Need",
        "Mcp-Session-Id",
        "Origin",
        "Last-Event-ID",
    ] {
        calls.push(post(&format!("{name}: {CANARY}\r\n"), &valid));
        calls.push(post(
            &format!("MCP-Protocol-Version: 2026-07-28\r\n{name}: {CANARY}\r\n"),
            &modern.to_string(),
        ));
    }
    calls
}

fn ask_everything(server: &Server) {
    for request in requests().into_iter().chain(calls()) {
        let mut stream = std::net::TcpStream::connect(server.address).unwrap();
        use std::io::{Read as _, Write as _};
        stream
            .set_read_timeout(Some(std::time::Duration::from_secs(10)))
            .unwrap();
        let _ = stream.write_all(&request);
        let sent = String::from_utf8_lossy(&request).into_owned();
        // Who hangs up is not answered, so only what is no whole request ends in that.
        if !sent.contains("Connection: close") {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut came = Vec::new();
        let _ = stream.read_to_end(&mut came);
        // A client that names another method or tool in a header than in the body is told which. It is no need.
        let names = ["Mcp-Method", "Mcp-Name"].map(|name| format!("{name}: {CANARY}"));
        let is_told = names.iter().any(|header| sent.contains(header));
        assert!(
            is_told || !holds_canary(&came),
            "{sent:?}: {:?}",
            String::from_utf8_lossy(&came)
        );
    }
}

// r[obligation.no-log] r[obligation.no-caller] r[error.no-need] r[token.no-need]
#[test]
fn no_need_is_in_any_byte_that_is_written() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    folder.edit(
        "resolver.toml",
        "# metrics = \"127.0.0.1:9420\"",
        "metrics = \"127.0.0.1:19420\"",
    );
    // Everything that libraries could be told to say by the environment.
    let server = folder.serve(&["--log", "debug", "--observe", "--allow-loopback"]);
    ask_everything(&server);
    let metrics = request(
        "127.0.0.1:19420".parse().unwrap(),
        "GET",
        &format!("/metrics?need={CANARY}"),
        &[],
    );
    assert_eq!(metrics.status, 200);
    let figures = String::from_utf8_lossy(&metrics.body).into_owned();
    assert!(
        figures.contains("resolver_requests_total{endpoint=\"resolve\",status=\"200\"}"),
        "{figures}"
    );
    assert!(!holds_canary(&metrics.body), "{figures}");
    // The store is away: errors of every kind.
    let store = folder.path("store.sqlite");
    fs::rename(&store, folder.path("away")).unwrap();
    ask_everything(&server);
    fs::rename(folder.path("away"), &store).unwrap();
    let (out, err) = server.stop();
    for line in [
        "GET resolve: 200 in",
        "POST mcp: 200 in",
        "GET page: 200 in",
    ] {
        assert!(err.contains(&format!("debug {line}")), "{line}: {err}");
    }
    assert!(
        !holds_canary(out.as_bytes()) && !holds_canary(err.as_bytes()),
        "{out}{err}"
    );
    assert!(
        !err.contains("127.0.0.1:") && !err.contains("192.0.2."),
        "{err}"
    );
    let mut files = Vec::new();
    all_files(folder.root(), &mut files);
    assert!(files.len() > 4);
    for (path, bytes) in files {
        assert!(!holds_canary(&bytes), "{path}");
    }
    // The search for it finds what is there.
    assert!(holds_canary(format!("need={CANARY}").as_bytes()));
}

/// For the test below, which runs it in a process of its own.
#[test]
#[ignore = "run by the test below"]
fn a_fault_over_a_need() {
    capability_resolver::log::hide_panics(capability_resolver::log::Log::new(
        capability_resolver::log::Level::Debug,
    ));
    let need = format!("é{CANARY}");
    let fallen = std::panic::catch_unwind(|| need[..1].len());
    assert!(fallen.is_err());
}

// r[obligation.no-log]
#[test]
fn a_fault_of_the_program_is_told_without_what_it_fell_over() {
    let ran = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "privacy::a_fault_over_a_need",
            "--ignored",
            "--nocapture",
        ])
        .env("RUST_BACKTRACE", "full")
        .output()
        .unwrap();
    let said = [ran.stdout, ran.stderr].concat();
    let text = String::from_utf8_lossy(&said);
    assert!(
        ran.status.success() && text.contains("a fault of this program at"),
        "{text}"
    );
    assert!(
        text.contains("privacy.rs:") && !holds_canary(&said),
        "{text}"
    );
}
