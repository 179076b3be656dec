//! What real servers of five revisions said, given again byte by byte.

use std::collections::HashMap;
use std::path::Path;

use mcp_observation::{Start, Step};
use serde_json::Value;

use crate::server::{Reply, Request, Server, accepted};
use crate::{observe, options, transcripts};

const MODERN: &[Step] = &[Step::Discover, Step::ModernTools];
const LEGACY: &[Step] = &[
    Step::Discover,
    Step::Initialize,
    Step::Initialized,
    Step::LegacyTools,
];
const LEGACY_DELETE: &[Step] = &[
    Step::Discover,
    Step::Initialize,
    Step::Initialized,
    Step::LegacyTools,
    Step::Delete,
];
const REDIRECTED: &[Step] = &[
    Step::Discover,
    Step::Discover,
    Step::Initialize,
    Step::Initialized,
    Step::LegacyTools,
];
const STREAM: &[Step] = &[
    Step::Discover,
    Step::Initialize,
    Step::Stream,
    Step::StreamInitialize,
    Step::StreamInitialized,
    Step::StreamTools,
];
const ONE: &[Step] = &[Step::Discover];

/// What follows for each peer, by which requests, and how many tools it has.
const PEERS: [(&str, &str, &[Step], usize); 23] = [
    ("everything-2025.5.12-sdk1.11.0", "ok", LEGACY, 8),
    ("everything-2025.8.18-sdk1.17.0", "ok", LEGACY_DELETE, 11),
    ("everything-2026.8.31", "ok", LEGACY_DELETE, 13),
    ("everything-sse-2026.8.31", "ok", STREAM, 13),
    ("fastmcp-4.2.3", "ok", MODERN, 1),
    ("fastmcp-4.2.3-auth", "sign_in", ONE, 0),
    ("fastmcp-4.2.3-stateless", "ok", MODERN, 1),
    ("fastmcp-4.2.3-token", "sign_in", ONE, 0),
    ("hostreject-py-mcp-2.3.0", "unknown (blocked)", ONE, 0),
    ("hostreject-rmcp-3.11.0", "unknown (blocked)", ONE, 0),
    ("hostreject-ts-express-2.4.0", "unknown (blocked)", ONE, 0),
    ("py-mcp-1.9.4", "ok", REDIRECTED, 1),
    ("py-mcp-1.9.4-stateless", "ok", LEGACY, 1),
    ("py-mcp-2.3.0-auth", "sign_in", ONE, 0),
    ("py-mcp-2.3.0-sse", "ok", STREAM, 2),
    ("py-mcp-2.3.0-stateful", "ok", MODERN, 2),
    ("py-mcp-2.3.0-stateless-json", "ok", MODERN, 2),
    ("rmcp-3.11.0", "ok", MODERN, 1),
    ("rmcp-3.11.0-json", "ok", MODERN, 1),
    ("ts-server-2.4.0-auth", "sign_in", ONE, 0),
    ("ts-server-2.4.0-dual", "ok", MODERN, 2),
    ("ts-server-2.4.0-sse", "ok", MODERN, 2),
    ("ts-server-2.4.0-strict", "ok", MODERN, 2),
];

/// The recorded exchanges of one peer, by number.
struct Peer(HashMap<String, (Vec<u8>, String)>);

impl Peer {
    fn read(folder: &Path) -> Self {
        let mut exchanges = HashMap::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if let Some(stem) = name.strip_suffix(".resp.http") {
                let request =
                    std::fs::read_to_string(folder.join(format!("{stem}.req.http"))).unwrap();
                let body = request
                    .split_once("\r\n\r\n")
                    .map(|(_, body)| body.to_owned());
                let body: Value =
                    serde_json::from_str(&body.unwrap_or_default()).unwrap_or_default();
                let response = std::fs::read(folder.join(&name)).unwrap();
                exchanges.insert(stem[..2].to_owned(), (response, body["id"].to_string()));
            }
        }
        Self(exchanges)
    }

    /// The bytes, with the id of this request in place of the recorded one, and our port. No length changes.
    fn exchange(&self, number: &str, port: u16, request: &Request) -> Option<Vec<u8>> {
        let (response, recorded_id) = self.0.get(number)?;
        let id = request.id().to_string();
        let padded = format!("{id:width$}", width = recorded_id.len());
        let text = std::str::from_utf8(response).unwrap();
        let mut text = ["\"id\":", "\"id\": "]
            .iter()
            .fold(text.to_owned(), |text, name| {
                [",", "}"].iter().fold(text, |text, end| {
                    text.replace(
                        &format!("{name}{recorded_id}{end}"),
                        &format!("{name}{padded}{end}"),
                    )
                })
            });
        while let Some(at) = text.find("127.0.0.1:391") {
            text.replace_range(at..at + 15, &format!("127.0.0.1:{port:05}"));
        }
        Some(text.into_bytes())
    }

    fn answer(&self, port: u16, request: &Request) -> Reply {
        let on_stream = request.path != "/mcp" && self.0.contains_key("30");
        let number = match (request.what(), request.header("mcp-method")) {
            ("GET", _) if self.0.contains_key("30") => return Reply::Listen(self.events(port).0),
            ("GET", _) => "20",
            ("DELETE", _) => "15",
            (_, _) if request.path == "/mcp" && self.0.contains_key("09") => "09",
            ("server/discover", _) => "01",
            ("tools/list", Some(_)) => "02",
            ("initialize", _) if on_stream => "31",
            ("notifications/initialized", _) if on_stream => "32",
            ("tools/list", _) if on_stream => "33",
            ("initialize", _) => "10",
            ("notifications/initialized", _) => "11",
            _ => "12",
        };
        let bytes = self
            .exchange(number, port, request)
            .unwrap_or_else(accepted);
        match number {
            "31" | "33" => {
                let (_, events) = self.events(port);
                let nth = usize::from(number == "33");
                let mut event: Value = serde_json::from_str(&events[nth]).unwrap();
                event["id"] = request.id().into();
                Reply::Push(
                    chunk(&format!("event: message\r\ndata: {event}\r\n\r\n")),
                    bytes,
                )
            }
            _ => Reply::Bytes(bytes),
        }
    }

    /// The stream up to its first event, and the responses on it.
    fn events(&self, port: u16) -> (Vec<u8>, Vec<String>) {
        let (bytes, _) = &self.0["30"];
        let text = String::from_utf8(bytes.clone()).unwrap();
        let (head, chunks) = text.split_once("\r\n\r\n").unwrap();
        let data: Vec<_> = chunks
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .collect();
        let endpoint = data[0].replace("127.0.0.1:391", &format!("127.0.0.1:{port}"));
        let first = format!("event: endpoint\ndata: {endpoint}\n\n");
        let responses = data.iter().filter(|data| data.contains("\"result\""));
        (
            [format!("{head}\r\n\r\n").into_bytes(), chunk(&first)].concat(),
            responses.map(ToString::to_string).collect(),
        )
    }
}

fn chunk(text: &str) -> Vec<u8> {
    format!("{:x}\r\n{text}\r\n", text.len()).into_bytes()
}

// r[mcp.step.sse] r[mcp.step.delete] r[mcp.redirect] r[mcp.answer.events] r[mcp.ok] r[mcp.sign-in] r[status.meaning]
#[tokio::test(flavor = "multi_thread")]
async fn every_recorded_peer() {
    let Some(transcripts) = transcripts() else {
        return;
    };
    let folder = transcripts.join("recorded");
    let mut names: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, PEERS.map(|(name, ..)| name));
    for (name, outcome, steps, tools) in PEERS {
        let peer = Peer::read(&folder.join(name));
        let server = Server::start(move |port, request| peer.answer(port, request)).await;
        let observation = observe(&server, &options()).await;
        let findings = &observation.findings;
        let seen: Vec<_> = observation
            .exchanges
            .iter()
            .map(|exchange| exchange.step)
            .collect();
        assert_eq!(
            findings.outcome.to_string(),
            outcome,
            "{name}: {observation:?}"
        );
        assert_eq!(seen, steps, "{name}");
        assert_eq!(server.seen().len(), steps.len(), "{name}");
        assert_eq!(findings.tools.len(), tools, "{name}");
        let usable = findings
            .challenges
            .as_ref()
            .map(mcp_observation::Challenges::is_usable);
        let expected = (outcome == "sign_in").then_some(name != "fastmcp-4.2.3-token");
        assert_eq!(usable, expected, "{name}");
    }
}

// r[mcp.answer.result] r[mcp.step.modern-tools] r[mcp.step.initialize] r[mcp.era-cache]
#[tokio::test(flavor = "multi_thread")]
async fn an_era_that_is_not_the_servers_is_found_out() {
    let Some(transcripts) = transcripts() else {
        return;
    };
    for (name, start, outcome) in [
        // It answers a list of the modern era as one of the legacy era, without the handshake.
        (
            "py-mcp-1.9.4-stateless",
            Start::ModernTools,
            "unknown (protocol)",
        ),
        (
            "everything-2026.8.31",
            Start::ModernTools,
            "unknown (error)",
        ),
        ("ts-server-2.4.0-strict", Start::Initialize, "ok"),
        ("ts-server-2.4.0-dual", Start::Initialize, "ok"),
        ("rmcp-3.11.0", Start::Initialize, "ok"),
        ("everything-2026.8.31", Start::Stream, "failure (not-mcp)"),
        ("everything-sse-2026.8.31", Start::Stream, "ok"),
    ] {
        let peer = Peer::read(&transcripts.join("recorded").join(name));
        let server = Server::start(move |port, request| peer.answer(port, request)).await;
        let mut options = options();
        options.start = start;
        let observation = observe(&server, &options).await;
        let found = observation.findings.outcome.to_string();
        assert_eq!(found, outcome, "{name}: {observation:?}");
    }
}
