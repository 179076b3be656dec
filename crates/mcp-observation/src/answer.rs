//! Reading answers: section 15.1.4 of the text, from bytes to what the tables look at.

use std::fmt;
use std::time::Duration;

use guarded_fetch::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde_json::value::RawValue;

use crate::json;
use crate::revision::Revisions;
use crate::sse::{Decoder, Event};

/// What came of one request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// No connection: name, address, TCP or TLS.
    NoConnection,
    /// No head in time.
    Late,
    /// A connection, but no head that can be read.
    Unreadable,
    /// A connection that had been used before, which the server ended before it answered: `mcp.request.again`.
    Lost,
    /// A head, and what could be read of the body.
    Received(Received),
}

/// An answer with a head. Its `Debug` form shows no header value and no body: both may hold secrets.
#[derive(Clone)]
pub struct Received {
    status: u16,
    challenges: Vec<String>,
    location: Option<String>,
    pub(crate) session_id: Option<HeaderValue>,
    pub(crate) retry_after: Option<Duration>,
    content: Content,
    /// Whether the characters `-32601` occur in the body; looked for under status 401 only.
    mentions_method_not_found: bool,
}

/// What the body says.
#[derive(Clone)]
pub(crate) enum Content {
    /// The member `result`, an object, as JSON text: `mcp.answer.result`.
    Result(String),
    /// A JSON-RPC error.
    Error(RpcError),
    /// The data of the event `endpoint`: `mcp.step.sse`.
    Endpoint(String),
    /// JSON, but no response to the request.
    OtherJson,
    /// Nothing, or not JSON.
    NotJson,
    /// Shorter than announced, over the limit, or a stream that ends without the response.
    Broken,
    /// Not complete in time.
    Late,
    /// It does not matter, and was not read.
    Unread,
}

/// What the tables look at of a JSON-RPC error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    /// What its `data.supported` holds.
    pub(crate) supported: Revisions,
}

/// How the bytes of a body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// As announced.
    Complete,
    /// Before that, or over the limit, or in a coding that was not asked for.
    Broken,
    /// The time was over.
    Late,
}

/// Reads the body of one answer as it comes: `mcp.answer.body`.
///
/// It keeps the bytes of a JSON text, and of a stream the event that is not complete yet: whoever bounds the body
/// bounds the reader.
pub struct Reader {
    head: Received,
    id: u64,
    body: Vec<u8>,
    events: Option<Decoder>,
    found: Option<Content>,
}

impl Reader {
    /// For the answer to the request with this `id`. `is_event_stream` says whether the media type is
    /// `text/event-stream`, `retry_after` how long the server asks to be left alone.
    #[must_use]
    pub fn new(
        status: StatusCode,
        headers: &HeaderMap,
        is_event_stream: bool,
        retry_after: Option<Duration>,
        id: u64,
    ) -> Self {
        Self {
            head: Received::new(status, headers, retry_after),
            id,
            body: Vec::new(),
            events: is_event_stream.then(Decoder::default),
            found: None,
        }
    }

    /// Takes the next bytes. True as soon as the response is there and nothing more needs to be read.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let (id, success) = (self.id, self.head.is_success());
        let Some(events) = &mut self.events else {
            self.body.extend_from_slice(bytes);
            return false;
        };
        if self.head.status == 401 {
            self.body.extend_from_slice(bytes);
        }
        let found = &mut self.found;
        events.push(bytes, |event| {
            if found.is_none() {
                *found = response_in(&event, id, success);
            }
        });
        // Step 1 looks at the whole body of a 401.
        self.found.is_some() && self.head.status != 401
    }

    /// What came, now that no more will.
    #[must_use]
    pub fn finish(self, end: End) -> Answer {
        let content = match (self.found, end) {
            (Some(found), _) => found,
            (None, End::Late) => Content::Late,
            (None, End::Broken) => Content::Broken,
            (None, End::Complete) if self.events.is_some() => Content::Broken,
            (None, End::Complete) => json_body(&self.body, self.id, self.head.is_success()),
        };
        let head = self.head;
        let mentions = b"-32601";
        Answer::Received(Received {
            mentions_method_not_found: head.status == 401
                && self.body.windows(mentions.len()).any(|w| w == mentions),
            content,
            ..head
        })
    }
}

impl Received {
    /// The head alone, with a body that was not read.
    #[must_use]
    pub fn new(status: StatusCode, headers: &HeaderMap, retry_after: Option<Duration>) -> Self {
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let challenges = headers.get_all(header::WWW_AUTHENTICATE);
        Self {
            status: status.as_u16(),
            challenges: challenges.iter().map(text).collect(),
            location: headers.get(header::LOCATION).map(text),
            session_id: headers.get(MCP_SESSION_ID).cloned(),
            retry_after,
            content: Content::Unread,
            mentions_method_not_found: false,
        }
    }

    pub(crate) fn with(self, content: Content) -> Self {
        Self { content, ..self }
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The values of `WWW-Authenticate`.
    pub(crate) fn challenges(&self) -> &[String] {
        &self.challenges
    }

    /// Where a status 307 or 308 points.
    pub(crate) fn location(&self) -> Option<&str> {
        self.location
            .as_deref()
            .filter(|_| matches!(self.status, 307 | 308))
    }
}

/// What the tables ask of an answer.
impl Answer {
    /// The status, if there was a head.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.received().map(|received| received.status)
    }

    pub(crate) fn received(&self) -> Option<&Received> {
        match self {
            Self::Received(received) => Some(received),
            _ => None,
        }
    }

    pub(crate) fn content(&self) -> Option<&Content> {
        self.received().map(|received| &received.content)
    }

    pub(crate) fn result(&self) -> Option<&str> {
        match self.content() {
            Some(Content::Result(result)) => Some(result),
            _ => None,
        }
    }

    pub(crate) fn error(&self) -> Option<RpcError> {
        match self.content() {
            Some(Content::Error(error)) => Some(*error),
            _ => None,
        }
    }

    pub(crate) fn has_challenge(&self) -> bool {
        self.received()
            .is_some_and(|received| !received.challenges.is_empty())
    }

    /// Status 401, or 403 with `WWW-Authenticate`.
    pub(crate) fn asks_to_sign_in(&self) -> bool {
        self.status() == Some(401) || (self.status() == Some(403) && self.has_challenge())
    }

    pub(crate) fn mentions_method_not_found(&self) -> bool {
        self.received()
            .is_some_and(|received| received.mentions_method_not_found)
    }
}

/// The header of sessions, in lower case as the library wants it.
pub(crate) const MCP_SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// The response to `id` in an event, if it is one: `mcp.answer.events`.
pub(crate) fn response_in(event: &Event, id: u64, success: bool) -> Option<Content> {
    if !event.is_message() {
        return None;
    }
    let members = json::members(&event.data, ["id", "result", "error", "method"]);
    let [found, result, error, None] = members.ok()?? else {
        return None;
    };
    (json::value(found) == Some(id) && (result.is_some() || error.is_some()))
        .then(|| response(result.filter(|_| success), error))
}

/// `mcp.answer.body`, `mcp.answer.result`, `mcp.answer.error-id`, `mcp.answer.array`.
fn json_body(body: &[u8], id: u64, success: bool) -> Content {
    let Ok(text) = std::str::from_utf8(body) else {
        return Content::NotJson;
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match json::members(text, ["id", "result", "error"]) {
        Err(json::NotJson) => Content::NotJson,
        Ok(None) => Content::OtherJson,
        Ok(Some([found, result, error])) => {
            let counts = success && json::value(found) == Some(id);
            response(result.filter(|_| counts), error)
        }
    }
}

fn response(result: Option<&RawValue>, error: Option<&RawValue>) -> Content {
    if let Some(result) = result.filter(|result| json::is_object(result)) {
        return Content::Result(result.get().to_owned());
    }
    let members = error.and_then(|error| json::members(error.get(), ["code", "data"]).ok()?);
    let Some([code, data]) = members else {
        return Content::OtherJson;
    };
    let Some(code) = code.and_then(integer) else {
        return Content::OtherJson;
    };
    let supported = data.and_then(|data| json::members(data.get(), ["supported"]).ok()?);
    let supported = supported.and_then(|[supported]| supported);
    Content::Error(RpcError {
        code,
        supported: supported.map(Revisions::read).unwrap_or_default(),
    })
}

/// The integer that a value is, by its literal; 0 for one of whatever size that no code of the tables can be.
fn integer(value: &RawValue) -> Option<i64> {
    let literal = value.get();
    let digits = literal.strip_prefix('-').unwrap_or(literal);
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| literal.parse().unwrap_or(0))
}

impl fmt::Debug for Received {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Received")
            .field("status", &self.status)
            .field("content", &self.content)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Result(text) => write!(f, "Result({} bytes)", text.len()),
            Self::Error(error) => write!(f, "Error({})", error.code),
            Self::Endpoint(_) => f.write_str("Endpoint"),
            Self::OtherJson => f.write_str("OtherJson"),
            Self::NotJson => f.write_str("NotJson"),
            Self::Broken => f.write_str("Broken"),
            Self::Late => f.write_str("Late"),
            Self::Unread => f.write_str("Unread"),
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("head", &self.head)
            .finish_non_exhaustive()
    }
}
