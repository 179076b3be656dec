//! What a player does: the member `play` of a client's vector.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::model::{Input, joined};

/// How each origin answers, request after request; `None` where nobody listens.
pub(super) type Script = BTreeMap<String, Option<Vec<Response>>>;

/// The answer to one request.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Response {
    /// Null: no head is written, and the body stands for all that is.
    pub(super) status: Option<u16>,
    /// Lines of the head, without their ends.
    pub(super) headers: Vec<String>,
    #[serde(alias = "body_parts", deserialize_with = "text")]
    pub(super) body: String,
    pub(super) framing: Framing,
    pub(super) end: End,
    /// Milliseconds before anything is written.
    pub(super) delay: u64,
    /// Nothing is written before another origin has answered so many requests.
    pub(super) after: Option<After>,
    /// What a client gets in place of all that if it names its copy.
    pub(super) confirm: Option<Confirm>,
}

/// A 304 for the client that sends the right `If-None-Match`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Confirm {
    pub(super) etag: String,
    /// Lines of the head, without their ends.
    pub(super) headers: Vec<String>,
}

/// By what the head says where the body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Framing {
    /// `Content-Length`.
    Length,
    /// `Transfer-Encoding: chunked`.
    Chunked,
    /// Nothing beside what `headers` holds.
    None,
}

/// What comes after the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum End {
    /// The end that was announced.
    Complete,
    /// The connection is closed, though more was announced.
    Cut,
    /// Nothing, though more was announced, and the connection stays open.
    Hang,
    /// The body again and again, as fast as it is read.
    Endless,
    /// The body again and again, slowly.
    Trickle,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct After {
    pub(super) origin: String,
    pub(super) requests: usize,
}

impl Response {
    /// The answer to a client that has this copy.
    pub(super) fn to(&self, copy: Option<&str>) -> Cow<'_, Self> {
        match &self.confirm {
            Some(confirm) if copy == Some(&confirm.etag) => Cow::Owned(Self {
                status: Some(304),
                headers: confirm.headers.clone(),
                body: String::new(),
                framing: Framing::None,
                ..self.clone()
            }),
            _ => Cow::Borrowed(self),
        }
    }

    /// The head as it is written, and nothing where there is none.
    pub(super) fn head(&self) -> Vec<u8> {
        let Some(status) = self.status else {
            return Vec::new();
        };
        let mut head = format!("HTTP/1.1 {status} \r\n");
        for line in &self.headers {
            head.push_str(line);
            head.push_str("\r\n");
        }
        match self.framing {
            Framing::Length => {
                let missing = usize::from(self.end != End::Complete);
                head.push_str(&format!(
                    "Content-Length: {}\r\n",
                    self.body.len() + missing
                ));
            }
            Framing::Chunked => head.push_str("Transfer-Encoding: chunked\r\n"),
            Framing::None => {}
        }
        head.push_str("Connection: close\r\n\r\n");
        head.into_bytes()
    }

    /// The body, or one piece of it, as it is written.
    pub(super) fn body(&self) -> Vec<u8> {
        match self.framing {
            // A chunk of length 0 would end the body.
            Framing::Chunked if self.body.is_empty() => Vec::new(),
            Framing::Chunked => format!("{:x}\r\n{}\r\n", self.body.len(), self.body).into_bytes(),
            Framing::Length | Framing::None => self.body.clone().into_bytes(),
        }
    }
}

/// The script in a vector's input.
pub(super) fn read(input: &Input) -> Result<Script, serde_json::Error> {
    Script::deserialize(input.0.get("play").unwrap_or(&Value::Null))
}

/// A text, or parts with counts.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let value = Value::deserialize(deserializer)?;
    match value {
        Value::String(text) => Ok(text),
        parts => joined(&parts).ok_or_else(|| {
            serde::de::Error::custom("body is neither a text nor parts with counts")
        }),
    }
}
