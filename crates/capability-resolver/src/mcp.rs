//! The resolver as a tool of the Model Context Protocol: section 15.1.5 of the text.
//!
//! Versions, eras and transport are `rmcp`'s; nothing of a request outlives its answer. The tool gives the bytes that the
//! resolve endpoint gives, and every request passes the same guard: see [`crate::http`].

mod arguments;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body as HttpBody;
use axum::extract::Request;
use axum::http::header::ACCESS_CONTROL_ALLOW_ORIGIN;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, DiscoverResult, ErrorCode, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use crate::discovery::MCP_PATH;
use crate::http::{App, EndpointName, Problem, RETRY_AFTER_SECONDS, answer_schema};

/// The tool's name: `mcp.tool.name`.
const TOOL: &str = "resolve";

/// The largest body of a request. A need takes 800 bytes at most; the rest is what clients say of themselves.
const BODY_MAX_BYTES: usize = 64 * 1_024;

/// How long a request may take, its body included.
const EXCHANGE_MAX: Duration = Duration::from_secs(10);

/// How long clients may keep what the server says of itself and its tool.
const DESCRIPTION_MAX_AGE: Duration = Duration::from_secs(3_600);

const INSTRUCTIONS: &str = "Ask resolve for a job in plain words when you lack a tool for it. It gives at most ten \
    servers, best first, each with a signed statement (jws) of what was observed of it and until when that holds. Verify \
    the statement before you connect. Nothing is connected, and a need is not kept.";

/// The tool.
struct Tools {
    app: Arc<App>,
    tool: Tool,
}

/// The route of the binding, to be served beside those of [`crate::http::router`].
pub fn router(app: &Arc<App>) -> Router {
    let tools = Arc::new(Tools {
        app: Arc::clone(app),
        tool: tool(),
    });
    let issuer = app.resolver().settings().identity.issuer.as_str();
    let service = StreamableHttpService::new(
        move || Ok(Arc::clone(&tools)),
        Arc::new(NeverSessionManager::default()),
        config(app),
    );
    let same_origin = HeaderValue::try_from(issuer).ok();
    Router::new().route(
        MCP_PATH,
        any(move |request: Request<HttpBody>| async move {
            let answered = tokio::time::timeout(EXCHANGE_MAX, service.handle(request)).await;
            let mut response = match answered {
                Ok(response) => response.map(HttpBody::new),
                Err(_) => StatusCode::REQUEST_TIMEOUT.into_response(),
            };
            finish(&mut response, same_origin);
            response
        }),
    )
}

/// Pages of other origins are refused, and are not told that they may read it.
fn finish(response: &mut Response, same_origin: Option<HeaderValue>) {
    response.extensions_mut().insert(EndpointName("mcp"));
    if let Some(origin) = same_origin {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
}

/// Without sessions and streams: every answer is one JSON document, and nothing is kept between two requests.
fn config(app: &App) -> StreamableHttpServerConfig {
    const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
    let settings = app.resolver().settings();
    let issuer = &settings.identity.issuer;
    let here = LOOPBACK.iter().filter(|_| settings.allow_loopback);
    let hosts = here.clone().map(|host| (*host).to_owned());
    let origins =
        here.flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_MAX_BYTES)
        .with_allowed_hosts(hosts.chain([issuer.host().to_owned()]))
        .with_allowed_origins(origins.chain([with_port(issuer.as_str())]))
        .enforce_origin_validation()
}

/// An origin with its port, also where that is the default: only then no other port is meant.
fn with_port(origin: &str) -> String {
    match url::Url::parse(origin) {
        Ok(url) if url.port().is_none() => format!("{origin}:443"),
        _ => origin.to_owned(),
    }
}

/// `mcp.tool.name`, `mcp.tool.title`
fn tool() -> Tool {
    let about = "Find servers of the Model Context Protocol that can do a job, described in plain words. Gives at most ten \
        candidates, best first, each with its URL, what was observed of it and when, and a signed token (jws) to verify. \
        Advice only: nothing is connected.";
    let annotations = ToolAnnotations::with_title("Find servers for a job")
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(true);
    let mut tool = Tool::new(TOOL, about, object(arguments::schema()));
    tool.title = Some("Find servers for a job".to_owned());
    tool.output_schema = Some(Arc::new(object(answer_schema())));
    tool.annotations = Some(annotations);
    tool
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let name = self.app.resolver().settings().identity.name.as_str();
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut this = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        this.title = Some(name.to_owned());
        ServerConfig::new(capabilities)
            .with_server_info(this)
            .with_instructions(INSTRUCTIONS)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(max_age_ms())
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![self.tool.clone()])
            .with_ttl_ms(max_age_ms())
            .with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        (name == TOOL).then(|| self.tool.clone())
    }

    async fn on_custom_request(
        &self,
        _: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // Without what the method was called: nothing of a request is in an answer.
        let code = ErrorCode::METHOD_NOT_FOUND;
        Err(ErrorData::new(code, "there is no such method", None))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != TOOL {
            // Which one was called is not said: it is part of the request.
            return Err(ErrorData::invalid_params("the only tool is resolve", None));
        }
        let arguments = request.arguments.unwrap_or_default();
        let answered = self.resolve(&arguments).await;
        Ok(answered.unwrap_or_else(error).into())
    }
}

impl Tools {
    /// `mcp.tool.result`, `mcp.tool.same-tokens`
    async fn resolve(&self, arguments: &JsonObject) -> Result<CallToolResult, Problem> {
        let resolver = self.app.resolver();
        // As for every endpoint, a fault of ours is ours alone to see.
        let at_once = catch_unwind(AssertUnwindSafe(|| {
            let request = arguments::read(arguments)?;
            let body = resolver.resolve_again(&request);
            Ok::<_, Problem>((request, body))
        }));
        let (request, body) = at_once.unwrap_or(Err(Problem::UNAVAILABLE))?;
        let body = match body.transpose() {
            Some(body) => body,
            None => {
                let searched = self.app.search(request).await;
                searched.map_err(|_| Problem::UNAVAILABLE)?
            }
        };
        let body = body.map_err(|why| {
            self.app.unavailable(&why);
            Problem::UNAVAILABLE
        })?;
        let text = String::from_utf8_lossy(&body.json);
        let value = serde_json::from_str(&text).map_err(|_| Problem::UNAVAILABLE)?;
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(value);
        Ok(result)
    }
}

/// `mcp.tool.error`
fn error(problem: Problem) -> CallToolResult {
    let code = problem.code.unwrap_or_default();
    let rule = problem.rule.unwrap_or_default();
    let later = match problem {
        Problem::UNAVAILABLE => format!("; ask again in {RETRY_AFTER_SECONDS} seconds"),
        _ => String::new(),
    };
    let text = format!("{code}: {}{later} (rule {rule})", problem.detail);
    CallToolResult::error(vec![ContentBlock::text(text)])
}

fn max_age_ms() -> u64 {
    u64::try_from(DESCRIPTION_MAX_AGE.as_millis()).unwrap_or_default()
}
