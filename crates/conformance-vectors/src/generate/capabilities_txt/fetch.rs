//! What a resolver holds of a host after some fetches of its file (§11.7).

mod outcome;
mod redirect;
mod time;

use serde_json::{Value, json};

use super::build::{HOST, endpoint};
use crate::generate::build::{ISSUER, NOW};
use crate::generate::cases::Cases;
use crate::model::{Input, Kind, Operation, VectorFile};

/// The plain file.
const FILE: &str = "Conformance: Capability Resolution 0.2\n\
                    Contact: mailto:tools@example.com\n\
                    Expires: 2027-04-30T00:00:00Z\n\
                    Resolvers: *\n\
                    \n\
                    Endpoint: https://mail.example.com/mcp\n\
                    Protocol: mcp\n\
                    Jobs: send a transactional email\n\
                    Sign-in: none\n\
                    Payment: none\n";

/// An hour before now.
const HOUR_AGO: &str = "2026-11-30T11:00:00Z";

/// Before [`HOUR_AGO`].
const EARLIER: &str = "2026-11-30T10:00:00Z";

/// The plain file with a deny of the resolver.
fn denying() -> String {
    FILE.replace("Resolvers: *", "Resolvers: *, -https://resolver.example")
}

/// An answer of status 200 with this file.
fn served(at: &str, file: &str) -> Value {
    let mut fetch = status(at, 200);
    fetch["contentType"] = json!("text/plain; charset=utf-8");
    fetch["file"] = json!(file);
    fetch
}

/// An answer without a file.
fn status(at: &str, status: u16) -> Value {
    json!({"at": at, "redirects": [], "failure": null, "status": status, "contentType": null, "file": null})
}

/// No complete answer.
fn failure(at: &str, failure: &str) -> Value {
    let mut fetch = unfollowed(at, &[]);
    fetch["failure"] = json!(failure);
    fetch
}

/// Redirects of which the last was not followed.
fn unfollowed(at: &str, redirects: &[&str]) -> Value {
    json!({"at": at, "redirects": redirects, "failure": null, "status": null, "contentType": null, "file": null})
}

fn with(mut fetch: Value, member: &str, value: Value) -> Value {
    fetch[member] = value;
    fetch
}

/// What is asked.
#[derive(Clone)]
struct Ask {
    host: &'static str,
    now: &'static str,
    public_suffixes: Vec<&'static str>,
    fetches: Vec<Value>,
}

fn after(fetches: impl IntoIterator<Item = Value>) -> Ask {
    Ask {
        host: HOST,
        now: NOW,
        public_suffixes: Vec::new(),
        fetches: fetches.into_iter().collect(),
    }
}

impl Ask {
    fn of(self, host: &'static str, public_suffixes: &[&'static str]) -> Self {
        let public_suffixes = public_suffixes.to_vec();
        Self {
            host,
            public_suffixes,
            ..self
        }
    }

    fn input(&self) -> Input {
        let members = [
            ("host", json!(self.host)),
            ("resolver", json!(ISSUER)),
            ("now", json!(self.now)),
            ("publicSuffixes", json!(self.public_suffixes)),
            ("fetches", json!(self.fetches)),
        ];
        Input(members.map(|(name, value)| (name.to_owned(), value)).into())
    }
}

/// What the resolver holds.
#[derive(Clone)]
struct Held {
    endpoints: Vec<Value>,
    why_none: Option<&'static str>,
    allowed: bool,
    due: bool,
}

/// The claim of the plain file, no restriction, and no fetch is due.
fn held() -> Held {
    Held {
        endpoints: vec![endpoint().0],
        why_none: None,
        allowed: true,
        due: false,
    }
}

impl Held {
    /// The claims of the file do not count, for this code.
    fn refused(self, code: &'static str) -> Self {
        Self {
            why_none: Some(code),
            ..self.no_file()
        }
    }

    fn no_file(self) -> Self {
        Self {
            endpoints: Vec::new(),
            ..self
        }
    }

    fn denied(self) -> Self {
        Self {
            allowed: false,
            ..self
        }
    }

    fn due(self) -> Self {
        Self { due: true, ..self }
    }

    fn endpoint(self, endpoint: Value) -> Self {
        let endpoints = vec![endpoint];
        Self { endpoints, ..self }
    }

    fn output(&self) -> [(&'static str, Value); 3] {
        [
            ("endpoints", json!(self.endpoints)),
            ("resolverAllowed", json!(self.allowed)),
            ("fetchDue", json!(self.due)),
        ]
    }
}

/// Adds vectors about fetches.
struct Fetched(Cases);

impl Fetched {
    fn case(&mut self, slug: &str, rules: &str, change: &str, comment: &str, ask: Ask, held: Held) {
        let input = ask.input();
        let vector = if held.endpoints.is_empty() {
            self.0
                .without_claims(slug, held.why_none, rules, change, comment, input)
        } else {
            self.0.valid(slug, rules, change, comment, input)
        };
        vector.yields(held.output());
    }
}

/// The file of vectors about fetches.
pub(in crate::generate) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::CapabilitiesTxtFetch, Operation::CaptxtFetch);
    cases
        .base(
            "plain",
            "captxt.fetch.outcome captxt.fetch.cache",
            "A file that was fetched an hour ago: its claim counts, and it restricts nobody.",
            after([served(HOUR_AGO, FILE)]).input(),
        )
        .yields(held().output());
    let mut fetched = Fetched(cases);
    outcome::add(&mut fetched);
    redirect::add(&mut fetched);
    time::add(&mut fetched);
    fetched.0.into_file()
}
