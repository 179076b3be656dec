//! The endpoints: one table, from which the routes, the description and the labels of the metrics are made.

use capability_resolution::{RecordRequest, ResolveRequest};

use super::App;
use super::openapi;
use super::reply::{Cache, Problem, Reply};
use crate::answer::{Body, Unavailable};
use crate::discovery::{CHANGELOG_PATH, DISCOVERY_PATH, POLICY_PATH, RECORD_PATH, RESOLVE_PATH};
use crate::pages::Page;

/// An endpoint that is asked by GET.
#[derive(Clone, Copy)]
pub(super) struct Endpoint {
    pub(super) path: &'static str,
    /// Its name in metrics and logs, and its `operationId`.
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) parameters: &'static [Parameter],
    pub(super) success: Success,
    pub(super) problems: &'static [Problem],
    pub(super) answer: fn(&App, query: &str) -> Answer,
}

/// What comes of a request.
pub(super) enum Answer {
    /// A reply, at once.
    Reply(Reply),
    /// A search, and then a reply.
    Search(Box<ResolveRequest>),
}

/// A parameter of the query.
#[derive(Clone, Copy)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) required: bool,
    /// Its values, as a JSON Schema.
    pub(super) schema: &'static str,
    pub(super) example: &'static str,
}

/// What is replied with status 200.
#[derive(Clone, Copy)]
pub(super) struct Success {
    pub(super) about: &'static str,
    pub(super) media_types: &'static [&'static str],
    /// The name of its schema in the description.
    pub(super) schema: &'static str,
    /// Whether it has an `ETag`, so that a copy can be confirmed by 304.
    pub(super) tagged: bool,
}

const ANSWER_PROBLEMS: &[Problem] = &[
    Problem::QUERY_ENCODING,
    Problem::PARAMETER_UNKNOWN,
    Problem::PARAMETER_REPEATED,
    Problem::NEED_MISSING,
    Problem::NEED_CHARACTER,
    Problem::NEED_LENGTH,
    Problem::CONSTRAINT_VALUE,
    Problem::UNAVAILABLE,
];

const JSON: &[&str] = &["application/json"];
const PAGES: &[&str] = &["text/html", "text/markdown", "text/plain"];

/// Every endpoint.
pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        path: DISCOVERY_PATH,
        name: "discovery",
        summary: "Who the resolver is, where it is asked, and the keys that it signs with",
        parameters: &[],
        success: Success {
            about: "The discovery document",
            media_types: JSON,
            schema: "Discovery",
            tagged: true,
        },
        problems: &[],
        answer: |app, _| Reply::json(app.resolver.discovery(), Cache::Public).into(),
    },
    Endpoint {
        path: RESOLVE_PATH,
        name: "resolve",
        summary: "Which servers can do a job: at most ten candidates, each with a signed status",
        parameters: &[
            Parameter {
                name: "need",
                about: "The job in plain words, 3 to 200 characters without white space at its ends and in the form NFC",
                required: true,
                schema: r#"{"type":"string","minLength":1}"#,
                example: "send a transactional email",
            },
            Parameter {
                name: "sign_in",
                about: "Only servers that answered without sign-in",
                required: false,
                schema: r#"{"type":"string","enum":["none"]}"#,
                example: "none",
            },
            Parameter {
                name: "read_only",
                about: "Only servers with a tool for the need that they mark as read-only",
                required: false,
                schema: r#"{"type":"string","enum":["true"]}"#,
                example: "true",
            },
            Parameter {
                name: "max_handshake_ms",
                about: "Only servers whose handshake took no longer, in milliseconds",
                required: false,
                schema: r#"{"type":"integer","minimum":1,"maximum":60000}"#,
                example: "500",
            },
            Parameter {
                name: "payment",
                about: "Only servers that declare that they ask for no payment",
                required: false,
                schema: r#"{"type":"string","enum":["none"]}"#,
                example: "none",
            },
        ],
        success: Success {
            about: "An answer",
            media_types: JSON,
            schema: "Answer",
            tagged: true,
        },
        problems: ANSWER_PROBLEMS,
        answer: resolve,
    },
    Endpoint {
        path: RECORD_PATH,
        name: "record",
        summary: "What the resolver states of one server, asked for by exactly one of id and url",
        parameters: &[
            Parameter {
                name: "id",
                about: "The id that a candidate's evidence.record holds",
                required: false,
                schema: r#"{"type":"string","pattern":"^[A-Za-z0-9._~-]{1,64}$"}"#,
                example: "s-4f1d2c",
            },
            Parameter {
                name: "url",
                about: "The server's URL",
                required: false,
                schema: r#"{"type":"string","maxLength":2048}"#,
                example: "https://mail.example.com/mcp",
            },
        ],
        success: Success {
            about: "A record",
            media_types: JSON,
            schema: "Record",
            tagged: true,
        },
        problems: &[
            Problem::RECORD_QUERY,
            Problem::RECORD_NOT_FOUND,
            Problem::UNAVAILABLE,
        ],
        answer: |app, query| record(app, query).into(),
    },
    Endpoint {
        path: POLICY_PATH,
        name: "policy",
        summary: "What the operator promises",
        parameters: &[],
        success: Success {
            about: "The policy",
            media_types: PAGES,
            schema: "Page",
            tagged: true,
        },
        problems: &[],
        answer: |app, _| page(app.pages.policy()).into(),
    },
    Endpoint {
        path: CHANGELOG_PATH,
        name: "changelog",
        summary: "What the operator changed",
        parameters: &[],
        success: Success {
            about: "The changelog, newest first",
            media_types: PAGES,
            schema: "Page",
            tagged: true,
        },
        problems: &[],
        answer: |app, _| page(app.pages.changelog()).into(),
    },
    Endpoint {
        path: HEALTH_PATH,
        name: "health",
        summary: "Whether answers can be given, for whoever sends requests here",
        parameters: &[],
        success: Success {
            about: "Answers can be given",
            media_types: &["text/plain"],
            schema: "Page",
            tagged: false,
        },
        problems: &[Problem::UNAVAILABLE],
        answer: |app, _| health(app).into(),
    },
    Endpoint {
        path: openapi::PATH,
        name: "openapi",
        summary: "This description",
        parameters: &[],
        success: Success {
            about: "A description by OpenAPI 3.1",
            media_types: JSON,
            schema: "Description",
            tagged: true,
        },
        problems: &[],
        answer: |app, _| Reply::json(app.description.clone(), Cache::Public).into(),
    },
];

/// Whether answers can be given; no part of the protocol.
pub const HEALTH_PATH: &str = "/health";

/// A caller is told to come back after so many seconds where nobody knows when there will be an answer.
pub(crate) const RETRY_AFTER_SECONDS: u64 = 5;

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        Self::Reply(reply)
    }
}

fn resolve(app: &App, query: &str) -> Answer {
    let request = match ResolveRequest::from_query(query) {
        Ok(request) => request,
        Err(refusal) => return Reply::problem(Problem::of(&refusal)).into(),
    };
    match app.resolver.resolve_again(&request) {
        Ok(Some(body)) => Reply::json(body, Cache::Private).into(),
        Ok(None) => Answer::Search(Box::new(request)),
        Err(unavailable) => later(app, &unavailable).into(),
    }
}

/// The reply to a request that takes a search.
pub(super) async fn searched(app: &App, request: ResolveRequest) -> Reply {
    match app.search(request).await {
        Ok(Ok(body)) => Reply::json(body, Cache::Private),
        Ok(Err(unavailable)) => later(app, &unavailable),
        Err(_) => fault(),
    }
}

/// What is replied where something of ours fell over.
pub(super) fn fault() -> Reply {
    Reply::later(Problem::UNAVAILABLE, 1)
}

fn record(app: &App, query: &str) -> Reply {
    let allow_loopback = app.resolver.settings().allow_loopback;
    match RecordRequest::from_query(query, allow_loopback) {
        Ok(request) => match app.resolver.record(&request) {
            Ok(Some(body)) => Reply::json(body, Cache::Private),
            Ok(None) => Reply::problem(Problem::RECORD_NOT_FOUND),
            Err(unavailable) => later(app, &unavailable),
        },
        Err(refusal) => Reply::problem(Problem::of(&refusal)),
    }
}

fn page(page: Page) -> Reply {
    let Body { json, tag, max_age } = page.body;
    Reply::page(page.media_type, json, tag, max_age)
}

fn health(app: &App) -> Reply {
    match app.resolver.check() {
        Ok(()) => Reply::text("text/plain; charset=utf-8", "ok\n"),
        Err(unavailable) => later(app, &unavailable),
    }
}

fn later(app: &App, unavailable: &Unavailable) -> Reply {
    app.unavailable(unavailable);
    Reply::later(Problem::UNAVAILABLE, RETRY_AFTER_SECONDS)
}
