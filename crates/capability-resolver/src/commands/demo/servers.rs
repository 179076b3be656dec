//! Servers of the Model Context Protocol in this process, for the resolver to find and observe.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::http::header::WWW_AUTHENTICATE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::any;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;
use tokio::net::{TcpListener, TcpSocket};

/// A server, as a catalogue describes it.
struct Described {
    name: &'static str,
    about: &'static str,
    kind: Kind,
}

enum Kind {
    /// Lists these tools to everybody: name, description, and whether it only reads.
    Open(&'static [(&'static str, &'static str, bool)]),
    /// Asks who you are.
    SignIn,
    /// Nobody listens.
    Gone,
}

const SERVERS: [Described; 4] = [
    Described {
        name: "Post Office",
        about: "Sends email",
        kind: Kind::Open(&[
            ("send_email", "Send a transactional email", false),
            (
                "get_delivery",
                "Look up whether an email was delivered",
                true,
            ),
        ]),
    },
    Described {
        name: "Newsletters",
        about: "Send an email to all of your subscribers",
        kind: Kind::SignIn,
    },
    Described {
        name: "Old Mail",
        about: "Send an email",
        kind: Kind::Gone,
    },
    Described {
        name: "Weather Station",
        about: "Knows the weather",
        kind: Kind::Open(&[("get_forecast", "Get the weather forecast of a place", true)]),
    },
];

/// The servers, for as long as this is kept.
pub(super) struct Servers {
    /// One JSON object a line, as `import` takes it.
    pub(super) catalogue: String,
    /// The URL and the name of each.
    pub(super) named: Vec<(String, &'static str)>,
    /// Ports at which nobody listens, held so that nobody else does.
    _gone: Vec<TcpSocket>,
}

/// Starts all of them, from within a runtime.
pub(super) async fn start() -> io::Result<Servers> {
    let mut servers = Servers {
        catalogue: String::new(),
        named: Vec::new(),
        _gone: Vec::new(),
    };
    for described in SERVERS {
        let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let address = match described.kind {
            Kind::Gone => {
                let socket = TcpSocket::new_v4()?;
                socket.bind(here)?;
                let address = socket.local_addr()?;
                servers._gone.push(socket);
                address
            }
            Kind::Open(tools) => serve(TcpListener::bind(here).await?, open(tools))?,
            Kind::SignIn => serve(TcpListener::bind(here).await?, any(sign_in))?,
        };
        let url = format!("http://{address}/mcp");
        let line = json!({"url": url, "name": described.name, "description": described.about});
        servers.catalogue.push_str(&format!("{line}\n"));
        servers.named.push((url, described.name));
    }
    Ok(servers)
}

fn serve(listener: TcpListener, route: axum::routing::MethodRouter) -> io::Result<SocketAddr> {
    let address = listener.local_addr()?;
    let router = Router::new().route("/mcp", route);
    // It ends with the runtime.
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

async fn sign_in() -> axum::response::Response {
    let challenge = HeaderValue::from_static("Bearer realm=\"Newsletters\"");
    (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, challenge)]).into_response()
}

fn open(tools: &'static [(&'static str, &'static str, bool)]) -> axum::routing::MethodRouter {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .enforce_origin_validation();
    let tools = Arc::new(Tools(tools.iter().map(tool).collect()));
    let service = StreamableHttpService::new(
        move || Ok(Arc::clone(&tools)),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    any(move |request: axum::extract::Request| async move {
        service.handle(request).await.map(axum::body::Body::new)
    })
}

fn tool((name, about, read_only): &(&'static str, &'static str, bool)) -> Tool {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), "object".into());
    let annotations = ToolAnnotations::new().read_only(*read_only);
    Tool::new(*name, *about, schema).with_annotations(annotations)
}

struct Tools(Vec<Tool>);

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !self.0.iter().any(|tool| tool.name == request.name) {
            return Err(ErrorData::invalid_params("no such tool", None));
        }
        let text = "a server of the demonstration: nothing was done";
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}
