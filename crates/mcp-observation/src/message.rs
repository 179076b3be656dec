//! What is sent: section 15.1.2 of the text.

use std::fmt;

use guarded_fetch::{HeaderName, HeaderValue, Method, Url, header};
use serde_json::{Value, json};

use crate::answer::MCP_SESSION_ID;
use crate::revision::{MODERN, OFFERED, Revision};

/// Where in the procedure of section 15.1.3 a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Step 1: `server/discover`.
    Discover,
    /// Step 2: `tools/list` of the modern era.
    ModernTools,
    /// Step 3: `initialize`.
    Initialize,
    /// After it: `notifications/initialized`.
    Initialized,
    /// After that: `tools/list` of the legacy era.
    LegacyTools,
    /// Step 4: GET.
    Stream,
    /// Step 4: `initialize`.
    StreamInitialize,
    /// Step 4: `notifications/initialized`.
    StreamInitialized,
    /// Step 4: `tools/list`.
    StreamTools,
    /// DELETE of the session.
    Delete,
}

impl Step {
    /// The method of JSON-RPC, if the request is a message.
    #[must_use]
    pub fn message(self) -> Option<&'static str> {
        match self {
            Self::Discover => Some("server/discover"),
            Self::ModernTools | Self::LegacyTools | Self::StreamTools => Some("tools/list"),
            Self::Initialize | Self::StreamInitialize => Some("initialize"),
            Self::Initialized | Self::StreamInitialized => Some("notifications/initialized"),
            Self::Stream | Self::Delete => None,
        }
    }

    /// The method of HTTP.
    #[must_use]
    pub fn method(self) -> Method {
        match self {
            Self::Stream => Method::GET,
            Self::Delete => Method::DELETE,
            _ => Method::POST,
        }
    }

    /// Where the answer to look at is.
    #[must_use]
    pub fn reading(self) -> Reading {
        match self {
            Self::Discover | Self::ModernTools | Self::Initialize | Self::LegacyTools => {
                Reading::Body
            }
            Self::Initialized | Self::StreamInitialized | Self::Delete => Reading::Nothing,
            Self::Stream => Reading::Endpoint,
            Self::StreamInitialize | Self::StreamTools => Reading::Stream,
        }
    }
}

/// Where the answer to a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// In the body.
    Body,
    /// The head is enough.
    Nothing,
    /// The event `endpoint` of the body, which stays open.
    Endpoint,
    /// On the stream that [`Reading::Endpoint`] left open, if the status is one of success; else in the body.
    Stream,
}

/// A request that is to be sent. Its `Debug` form shows neither the session nor the query of the URL.
#[derive(Clone)]
pub struct Message {
    /// Where it stands.
    pub step: Step,
    /// Where to.
    pub url: Url,
    /// The `id` of the message, if it has one.
    pub id: Option<u64>,
    /// Header fields, beside those that every request of the fetcher has.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The message, as JSON text.
    pub body: String,
    /// Whether it is the same request once more: where a redirect pointed, or after [`crate::Answer::Lost`].
    pub is_again: bool,
}

/// Who asks: the `clientInfo` of every message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// The name of the program.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a message depends on.
pub(crate) struct Context<'a> {
    pub(crate) client: &'a Client,
    pub(crate) session: Option<&'a HeaderValue>,
    pub(crate) revision: Option<Revision>,
    pub(crate) cursor: Option<&'a str>,
}

impl Message {
    /// `mcp.request`, `mcp.modern.headers`, `mcp.step.legacy-session` and the steps themselves.
    pub(crate) fn new(step: Step, url: Url, id: u64, context: &Context<'_>) -> Self {
        let method = step.message();
        let mut headers = Vec::new();
        let accept = match (step, method) {
            (Step::Stream, _) => Some("text/event-stream"),
            (_, Some(_)) => {
                headers.push((header::CONTENT_TYPE, HeaderValue::from_static(JSON)));
                Some("application/json, text/event-stream")
            }
            (_, None) => None,
        };
        if let Some(accept) = accept {
            headers.push((header::ACCEPT, HeaderValue::from_static(accept)));
        }
        let revision = match step {
            Step::Discover | Step::ModernTools => Some(MODERN),
            Step::Initialized | Step::LegacyTools | Step::Delete => {
                context.revision.map(Revision::as_str)
            }
            _ => None,
        };
        if let Some(revision) = revision {
            headers.push((PROTOCOL_VERSION, HeaderValue::from_static(revision)));
        }
        if let (Step::Discover | Step::ModernTools, Some(method)) = (step, method) {
            headers.push((MCP_METHOD, HeaderValue::from_static(method)));
        }
        if let (Step::Initialized | Step::LegacyTools | Step::Delete, Some(session)) =
            (step, context.session)
        {
            headers.push((MCP_SESSION_ID, session.clone()));
        }
        let is_notification = step.reading() == Reading::Nothing;
        let id = (method.is_some() && !is_notification).then_some(id);
        let body = method.map(|method| {
            let mut message = json!({"jsonrpc": "2.0", "method": method});
            if let Some(id) = id {
                message["id"] = id.into();
                message["params"] = params(step, context);
            }
            message.to_string()
        });
        Self {
            step,
            url,
            id,
            headers,
            body: body.unwrap_or_default(),
            is_again: false,
        }
    }
}

fn params(step: Step, context: &Context<'_>) -> Value {
    let client = json!({"name": context.client.name, "version": context.client.version});
    let mut params = match step {
        Step::Discover | Step::ModernTools => json!({
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": client,
            }
        }),
        Step::Initialize | Step::StreamInitialize => {
            json!({"protocolVersion": OFFERED, "capabilities": {}, "clientInfo": client})
        }
        _ => json!({}),
    };
    if let Some(cursor) = context.cursor {
        params["cursor"] = cursor.into();
    }
    params
}

const JSON: &str = "application/json";
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const MCP_METHOD: HeaderName = HeaderName::from_static("mcp-method");

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("step", &self.step)
            .field("id", &self.id)
            .field("is_again", &self.is_again)
            .finish_non_exhaustive()
    }
}
