//! One request and one response, as far as a resolver needs them.

use std::hash::{DefaultHasher, Hasher as _};

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) target_bytes: usize,
    pub(super) if_none_match: Option<String>,
    pub(super) user_agent: String,
}

/// A response. Headers may stand twice.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    /// Whether the body stays behind: `http.head`.
    pub(crate) is_head: bool,
}

impl Request {
    /// The request in a head, if there is one.
    pub(super) fn read(head: &[u8]) -> Option<Self> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut headers);
        parsed
            .parse(head)
            .ok()
            .filter(httparse::Status::is_complete)?;
        let target = parsed.path?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let header = |name: &str| {
            let found = parsed
                .headers
                .iter()
                .find(|h| h.name.eq_ignore_ascii_case(name));
            found.map(|header| String::from_utf8_lossy(header.value).into_owned())
        };
        Some(Self {
            method: parsed.method?.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            target_bytes: target.len(),
            if_none_match: header("if-none-match"),
            user_agent: header("user-agent").unwrap_or_default(),
        })
    }
}

impl Response {
    pub(super) fn new(status: u16, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("Content-Type", media_type.to_owned())],
            body: body.into(),
            is_head: false,
        }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Adds the header, or gives it another value.
    pub(super) fn set(&mut self, name: &'static str, value: &str) {
        self.remove(name);
        self.headers.push((name, value.to_owned()));
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.headers.retain(|(known, _)| *known != name);
    }

    /// A strong validator of the body.
    pub(super) fn etag(&self) -> String {
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.body);
        format!("\"{:016x}\"", hasher.finish())
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let status = self.status;
        let mut out = format!("HTTP/1.1 {status} {}\r\n", phrase(status)).into_bytes();
        for (name, value) in &self.headers {
            out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        if !matches!(status, 204 | 304) {
            out.extend_from_slice(format!("Content-Length: {}\r\n", self.body.len()).as_bytes());
        }
        out.extend_from_slice(b"\r\n");
        if !matches!(status, 204 | 304) && !self.is_head {
            out.extend_from_slice(&self.body);
        }
        out
    }
}

/// The words of a status, as RFC 9110 and RFC 6585 have them.
pub(super) fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        203 => "Non-Authoritative Information",
        204 => "No Content",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        414 => "URI Too Long",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        // Nothing has to stand there.
        _ => "",
    }
}
