//! Servers of the Rust SDK, `rmcp`, in this process.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Response, header};
use rmcp::model::{
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
    Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::net::TcpListener;

use crate::{observe_url, options};

/// A server with two tools, a page each.
#[derive(Clone)]
struct Mailer {
    versions: &'static [ProtocolVersion],
}

impl ServerHandler for Mailer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.versions)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let (name, is_read_only, next) = match cursor {
            None => ("send", false, Some("second".to_owned())),
            Some(_) => ("look_up", true, None),
        };
        let tool = Tool::new(name, "Does it.", serde_json::Map::new())
            .with_annotations(ToolAnnotations::new().read_only(is_read_only));
        let mut result = ListToolsResult::with_all_items(vec![tool]);
        result.next_cursor = next;
        Ok(result)
    }
}

/// Which server is started.
struct Peer {
    name: &'static str,
    versions: &'static [ProtocolVersion],
    sessions: bool,
    json: bool,
    open: bool,
    hosts: &'static [&'static str],
    outcome: &'static str,
    revision: Option<&'static str>,
    /// At first, pages after the first not counted.
    requests: u8,
}

const LEGACY: &[ProtocolVersion] = &[
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
];
const MODERN: &[ProtocolVersion] = &[ProtocolVersion::V_2026_07_28];

const DUAL: Peer = Peer {
    name: "both eras",
    versions: ProtocolVersion::KNOWN_VERSIONS,
    sessions: true,
    json: false,
    open: true,
    hosts: &["127.0.0.1"],
    outcome: "ok",
    revision: Some("2026-07-28"),
    requests: 2,
};

const PEERS: [Peer; 7] = [
    DUAL,
    Peer {
        name: "both eras, as JSON and without sessions",
        sessions: false,
        json: true,
        ..DUAL
    },
    Peer {
        name: "the modern era",
        versions: MODERN,
        ..DUAL
    },
    Peer {
        name: "the legacy era",
        versions: LEGACY,
        revision: Some("2025-11-25"),
        requests: 5,
        ..DUAL
    },
    Peer {
        name: "the legacy era, without sessions",
        versions: LEGACY,
        sessions: false,
        revision: Some("2025-11-25"),
        requests: 4,
        ..DUAL
    },
    Peer {
        name: "closed",
        open: false,
        outcome: "sign_in",
        revision: None,
        requests: 1,
        ..DUAL
    },
    // As it refuses a public name that nobody told it of: that is no state of the server.
    Peer {
        name: "another host",
        hosts: &["a.example"],
        outcome: "unknown (blocked)",
        revision: None,
        requests: 1,
        ..DUAL
    },
];

async fn start(peer: &'static Peer) -> String {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(peer.sessions)
        .with_json_response(peer.json)
        .with_allowed_hosts(peer.hosts.iter().map(ToString::to_string));
    let service = StreamableHttpService::new(
        || {
            Ok(Mailer {
                versions: peer.versions,
            })
        },
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let router = if peer.open {
        Router::new().nest_service("/mcp", service)
    } else {
        Router::new().fallback(|| async {
            Response::builder()
                .status(401)
                .header(
                    header::WWW_AUTHENTICATE,
                    r#"Bearer resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource""#,
                )
                .body(Body::empty())
                .unwrap_or_default()
        })
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

// r[mcp.ok] r[mcp.sign-in] r[mcp.step.discover] r[mcp.step.modern-tools] r[mcp.step.initialize] r[mcp.step.legacy-tools]
// r[mcp.step.legacy-session] r[mcp.step.delete] r[mcp.tools.pages] r[mcp.tools.read-only] r[mcp.era-cache]
#[tokio::test(flavor = "multi_thread")]
async fn servers_of_the_rust_sdk() {
    for peer in &PEERS {
        let url = start(peer).await;
        let mut options = options();
        options.all_pages = true;
        for round in 0..3 {
            let observation = observe_url(&url, &options).await;
            let findings = &observation.findings;
            let name = peer.name;
            assert_eq!(
                findings.outcome.to_string(),
                peer.outcome,
                "{name}: {observation:?}"
            );
            let revision = findings.revision.map(mcp_observation::Revision::as_str);
            assert_eq!(revision, peer.revision, "{name}");
            let tools: Vec<_> = findings
                .tools
                .iter()
                .map(|tool| (tool.name.as_str(), tool.is_read_only()))
                .collect();
            let expected = [("send", false), ("look_up", true)];
            let expected = match peer.outcome {
                "ok" => &expected[..],
                _ => &[],
            };
            assert_eq!(tools, expected, "{name}");
            assert_eq!(findings.challenges.is_some(), !peer.open, "{name}");
            if round == 0 {
                assert_eq!(findings.requests, peer.requests, "{name}: {observation:?}");
            } else {
                assert!(
                    findings.requests <= peer.requests,
                    "{name}: {observation:?}"
                );
            }
            options.start = findings.next_start();
        }
    }
}
