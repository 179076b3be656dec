//! What a player answers to one request.

use serde_json::{Value, json};

use super::super::build::Object;

/// What a player answers to one request.
#[derive(Clone)]
pub(super) struct Reply {
    status: Option<u16>,
    headers: Vec<String>,
    body: Vec<(String, usize)>,
    framing: &'static str,
    end: &'static str,
    delay: u64,
    after: Option<(&'static str, usize)>,
    confirm: Option<Value>,
}

impl Reply {
    /// A document with status 200 and these header fields.
    pub(super) fn of(document: &Object, headers: &[&str]) -> Self {
        let text = String::from_utf8(document.text()).unwrap_or_default();
        Self::status(200, headers).body([(text.as_str(), 1)])
    }

    /// A status without a body.
    pub(super) fn status(status: u16, headers: &[&str]) -> Self {
        Self {
            status: Some(status),
            headers: headers.iter().map(|line| (*line).to_owned()).collect(),
            body: Vec::new(),
            framing: "length",
            end: "complete",
            delay: 0,
            after: None,
            confirm: None,
        }
    }

    /// Bytes without a head.
    pub(super) fn raw(bytes: &str, end: &'static str) -> Self {
        let reply = Self {
            status: None,
            framing: "none",
            ..Self::status(200, &[])
        };
        reply.body([(bytes, 1)]).end(end)
    }

    /// A body of parts, each with its count.
    pub(super) fn body<const N: usize>(mut self, parts: [(&str, usize); N]) -> Self {
        self.body = parts.map(|(text, count)| (text.to_owned(), count)).to_vec();
        self
    }

    /// Another status.
    pub(super) fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// A header field more.
    pub(super) fn and(mut self, line: impl Into<String>) -> Self {
        self.headers.push(line.into());
        self
    }

    /// Without the header fields of this name.
    pub(super) fn without(mut self, name: &str) -> Self {
        self.headers
            .retain(|line| line.split(':').next() != Some(name));
        self
    }

    /// Another header field in place of the one of the same name.
    pub(super) fn set(self, line: &str) -> Self {
        let name = line.split(':').next().unwrap_or_default();
        self.without(name).and(line)
    }

    pub(super) fn framing(mut self, framing: &'static str) -> Self {
        self.framing = framing;
        self
    }

    pub(super) fn end(mut self, end: &'static str) -> Self {
        self.end = end;
        self
    }

    pub(super) fn delay(mut self, milliseconds: u64) -> Self {
        self.delay = milliseconds;
        self
    }

    /// Not before this origin has answered so many requests.
    pub(super) fn after(mut self, origin: &'static str, requests: usize) -> Self {
        self.after = Some((origin, requests));
        self
    }

    /// A 304 with these header fields instead, for a client that names this copy.
    pub(super) fn confirm(mut self, etag: &str, headers: &[&str]) -> Self {
        self.confirm = Some(json!({"etag": etag, "headers": headers}));
        self
    }

    pub(super) fn value(&self) -> Value {
        let mut value = json!({
            "status": self.status, "headers": self.headers, "framing": self.framing, "end": self.end,
            "delay": self.delay, "after": null, "confirm": self.confirm,
        });
        if let Some((origin, requests)) = self.after {
            value["after"] = json!({"origin": origin, "requests": requests});
        }
        match self.body.as_slice() {
            [] => value["body"] = json!(""),
            [(text, 1)] => value["body"] = json!(text),
            parts => value["body_parts"] = json!(parts),
        }
        value
    }
}
