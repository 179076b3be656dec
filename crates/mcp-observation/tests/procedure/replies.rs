//! A server of replies, and what the procedure asks of it.

use std::time::Duration;

use guarded_fetch::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use mcp_observation::{
    Answer, End, Findings, Message, Options, Procedure, Reader, Start, Step, Target,
};

pub(crate) const URL: &str = "https://mail.example.com/mcp";

/// An answer before it is known to which request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    Raw(Answer),
    Http {
        status: u16,
        headers: Vec<(&'static str, String)>,
        /// `ID` stands for the id of the request.
        body: String,
        end: End,
    },
}

pub(crate) fn http(status: u16, body: &str) -> Reply {
    Reply::Http {
        status,
        headers: vec![],
        body: body.to_owned(),
        end: End::Complete,
    }
}

pub(crate) fn result(result: &str) -> Reply {
    http(
        200,
        &format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{result}}}"#),
    )
}

pub(crate) fn error(status: u16, code: i64) -> Reply {
    http(
        status,
        &format!(r#"{{"id":null,"error":{{"code":{code}}}}}"#),
    )
}

pub(crate) fn unsupported(supported: &str) -> Reply {
    let body = r#"{"id":ID,"error":{"code":-32022,"data":{"supported":SUPPORTED}}}"#;
    http(400, &body.replace("SUPPORTED", supported))
}

pub(crate) fn events(events: &str) -> Reply {
    http(200, events).with("content-type", "text/event-stream")
}

impl Reply {
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Self::Http { headers, .. } = &mut self {
            headers.push((name, value.to_owned()));
        }
        self
    }

    pub(crate) fn challenge(self) -> Self {
        self.with("www-authenticate", "Bearer")
    }

    pub(crate) fn ends(mut self, how: End) -> Self {
        if let Self::Http { end, .. } = &mut self {
            *end = how;
        }
        self
    }

    pub(crate) fn to(&self, message: &Message) -> Answer {
        let (status, headers, body, end) = match self {
            Self::Raw(answer) => return answer.clone(),
            Self::Http {
                status,
                headers,
                body,
                end,
            } => (status, headers, body, end),
        };
        let status = StatusCode::from_u16(*status).unwrap();
        let is_stream = headers
            .iter()
            .any(|(_, value)| value == "text/event-stream");
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_str(value).unwrap(),
                )
            })
            .collect();
        let id = message.id.unwrap_or_default();
        let mut reader = Reader::new(status, &headers, is_stream, None, id);
        reader.push(body.replace("ID", &id.to_string()).as_bytes());
        reader.finish(*end)
    }
}

pub(crate) struct Run {
    pub(crate) steps: Vec<Step>,
    pub(crate) messages: Vec<Message>,
    pub(crate) findings: Findings,
}

/// Gives the replies one after the other, and the last for ever.
pub(crate) fn run(options: &Options, replies: &[Reply]) -> Run {
    let target: Target = URL.parse().unwrap();
    let mut procedure = Procedure::new(&target, options);
    let mut messages: Vec<Message> = Vec::new();
    while let Some(message) = procedure.next().cloned() {
        let reply = replies.get(messages.len()).or(replies.last()).unwrap();
        procedure.answer(&reply.to(&message), Duration::from_micros(1_500));
        messages.push(message);
        assert!(messages.len() < 100, "it does not end");
    }
    Run {
        steps: messages.iter().map(|message| message.step).collect(),
        messages,
        findings: procedure.finish(),
    }
}

pub(crate) fn from(start: Start) -> Options {
    let mut options = Options::new("example-prober", "1.0");
    options.start = start;
    options
}

/// What a row says: the next step, or how the observation ended.
pub(crate) fn next(start: Start, before: &[Reply], reply: &Reply) -> String {
    let (options, target) = (from(start), URL.parse().unwrap());
    let mut procedure = Procedure::new(&target, &options);
    for reply in before.iter().chain([reply]) {
        let message = procedure.next().expect("a request").clone();
        procedure.answer(&reply.to(&message), Duration::ZERO);
    }
    match procedure.next() {
        Some(message) if message.step != Step::Delete => format!("{:?}", message.step),
        _ => procedure.finish().outcome.to_string(),
    }
}

pub(crate) fn check(start: Start, before: &[Reply], rows: &[(Reply, &str)]) {
    for (reply, expected) in rows {
        assert_eq!(&next(start, before, reply), expected, "{reply:?}");
    }
}

pub(crate) fn discovered() -> Reply {
    result(r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#)
}

pub(crate) fn initialized(version: &str) -> Reply {
    result(&format!(
        r#"{{"protocolVersion":"{version}","serverInfo":{{"name":"s"}}}}"#
    ))
    .with("mcp-session-id", "secret")
}

pub(crate) fn legacy_tools() -> Reply {
    result(r#"{"tools":[{"name":"a"}]}"#)
}

pub(crate) fn modern_tools() -> Reply {
    result(r#"{"resultType":"complete","tools":[{"name":"a"}]}"#)
}
