//! Servers that others wrote, started from pinned versions: `interop/mcp-servers`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::{observe_url, options, skip};

/// Each server, what follows, the revision, and how many requests that takes at first.
const PEERS: [(&str, &str, Option<&str>, usize); 18] = [
    ("everything", "ok", Some("2025-11-25"), 5),
    ("everything-sse", "ok", Some("2025-11-25"), 6),
    ("everything-2025-06-18", "ok", Some("2025-06-18"), 5),
    ("everything-2025-03-26", "ok", Some("2025-03-26"), 4),
    ("ts-dual", "ok", Some("2026-07-28"), 2),
    ("ts-sse", "ok", Some("2026-07-28"), 2),
    ("ts-strict", "ok", Some("2026-07-28"), 2),
    ("ts-auth", "sign_in", None, 1),
    ("py-stateful", "ok", Some("2026-07-28"), 2),
    ("py-stateless-json", "ok", Some("2026-07-28"), 2),
    ("py-sse", "ok", Some("2025-11-25"), 6),
    ("py-auth", "sign_in", None, 1),
    ("py-2025-03-26", "ok", Some("2025-03-26"), 5),
    ("py-2025-03-26-stateless", "ok", Some("2025-03-26"), 5),
    ("fastmcp", "ok", Some("2026-07-28"), 2),
    ("fastmcp-stateless", "ok", Some("2026-07-28"), 2),
    ("fastmcp-auth", "sign_in", None, 1),
    ("fastmcp-token", "sign_in", None, 1),
];

/// Where the servers are installed, or a line that says that they are not.
pub(crate) fn servers() -> Option<PathBuf> {
    let servers = std::env::var_os("MCP_SERVERS_DIR").map(PathBuf::from);
    if servers.is_none() {
        skip(
            "MCP_SERVERS_DIR is not set: `interop/mcp-servers/servers.py install DIR` installs the servers",
        );
    }
    servers
}

/// A server that runs as long as the value lives.
struct Peer {
    process: Child,
    stop: Option<ChildStdin>,
    url: String,
}

impl Peer {
    fn start(servers: &Path, name: &str) -> Self {
        let program = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../interop/mcp-servers/servers.py"
        );
        let mut process = Command::new("python3")
            .args([
                Path::new(program),
                Path::new("run"),
                servers,
                Path::new(name),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut url)
            .unwrap();
        assert!(
            url.starts_with("http://127.0.0.1:"),
            "{name} does not start"
        );
        Self {
            stop: process.stdin.take(),
            process,
            url: url.trim_end().to_owned(),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.stop = None;
        let _ = self.process.wait();
    }
}

// r[mcp.ok] r[mcp.sign-in] r[mcp.step.discover] r[mcp.step.modern-tools] r[mcp.step.initialize] r[mcp.step.legacy-tools]
// r[mcp.step.sse] r[mcp.step.delete] r[mcp.step.legacy-session] r[mcp.redirect] r[mcp.handshake] r[mcp.era-cache]
#[tokio::test(flavor = "multi_thread")]
async fn every_server_that_others_wrote() {
    let Some(servers) = servers() else {
        return;
    };
    for (name, outcome, revision, requests) in PEERS {
        let peer = Peer::start(&servers, name);
        let mut options = options();
        options.all_pages = true;
        let mut handshakes = Vec::new();
        // The second observation finds out what the first did to the server: one DELETE is the end of some.
        for round in 0..3 {
            let observation = observe_url(&peer.url, &options).await;
            let findings = &observation.findings;
            assert_eq!(
                findings.outcome.to_string(),
                outcome,
                "{name}: {observation:?}"
            );
            let found = findings.revision.map(mcp_observation::Revision::as_str);
            assert_eq!(found, revision, "{name}");
            assert_eq!(findings.tools.is_empty(), outcome != "ok", "{name}");
            let usable = findings
                .challenges
                .as_ref()
                .map(mcp_observation::Challenges::is_usable);
            assert_eq!(
                usable,
                (outcome == "sign_in").then_some(name != "fastmcp-token"),
                "{name}"
            );
            if round == 0 {
                assert_eq!(
                    observation.exchanges.len(),
                    requests,
                    "{name}: {observation:?}"
                );
            } else {
                assert!(
                    observation.exchanges.len() <= requests,
                    "{name}: {observation:?}"
                );
            }
            handshakes.push(findings.handshake_ms.unwrap());
            options.start = findings.next_start();
        }
        eprintln!(
            "{name}: {outcome} {revision:?}, {requests} requests, handshakes {handshakes:?} ms"
        );
    }
}
