//! Server files line by line, and what both readers say of them.
//!
//! Nothing here reads a file: lines, columns and codes are written down beside each one.

use serde_json::{Value, json};

use super::super::build::{ISSUER, NOW};
use super::super::cases::{Cases, input};
use crate::model::Input;

/// The host that files are asked of.
pub(super) const HOST: &str = "example.com";

/// The lines of the plain file; the text counts them from 1.
const PLAIN: [&str; 10] = [
    "Conformance: Capability Resolution 0.2",
    "Contact: mailto:tools@example.com",
    "Expires: 2027-04-30T00:00:00Z",
    "Resolvers: *",
    "",
    "Endpoint: https://mail.example.com/mcp",
    "Protocol: mcp",
    "Jobs: send a transactional email",
    "Sign-in: none",
    "Payment: none",
];

/// The URL of the plain file's endpoint.
pub(super) const URL: &str = "https://mail.example.com/mcp";

/// The job of the plain file.
pub(super) const JOB: &str = "send a transactional email";

/// Bytes that stand a number of times one after the other.
type Run = (Vec<u8>, usize);

/// A server file, and how it is asked for.
#[derive(Clone)]
pub(super) struct File {
    /// Each line with its line end.
    lines: Vec<Vec<Run>>,
    host: &'static str,
    resolver: &'static str,
    now: &'static str,
    public_suffixes: Vec<&'static str>,
}

impl File {
    /// The plain file: valid, nothing to report.
    pub(super) fn plain() -> Self {
        let lines = PLAIN.iter().map(|line| ended(line));
        Self {
            lines: lines.collect(),
            host: HOST,
            resolver: ISSUER,
            now: NOW,
            public_suffixes: Vec::new(),
        }
    }

    /// The plain file with another value of Resolvers.
    pub(super) fn resolvers(value: &str) -> Self {
        Self::plain().line(4, &format!("Resolvers: {value}"))
    }

    /// The plain file with another value of Endpoint.
    pub(super) fn endpoint(value: &str) -> Self {
        Self::plain().line(6, &format!("Endpoint: {value}"))
    }

    /// The plain file with another value of Jobs.
    pub(super) fn jobs(value: &str) -> Self {
        Self::plain().line(8, &format!("Jobs: {value}"))
    }

    /// A file of these bytes.
    pub(super) fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self {
            lines: vec![vec![(bytes.as_ref().to_vec(), 1)]],
            ..Self::plain()
        }
    }

    /// Another line in the place of the line with this number.
    pub(super) fn line(self, number: usize, text: &str) -> Self {
        self.raw(number, [text.as_bytes(), b"\n"].concat())
    }

    /// These bytes in the place of the line with this number and its line end.
    pub(super) fn raw(mut self, number: usize, bytes: impl AsRef<[u8]>) -> Self {
        self.lines[number - 1] = vec![(bytes.as_ref().to_vec(), 1)];
        self
    }

    /// Another line, of texts that are repeated.
    pub(super) fn long<const N: usize>(mut self, number: usize, runs: [(&str, usize); N]) -> Self {
        let runs = runs.map(|(text, count)| (text.as_bytes().to_vec(), count));
        self.lines[number - 1] = [&runs[..], &ended("")].concat();
        self
    }

    /// One more line, which gets this number.
    pub(super) fn insert(mut self, number: usize, text: &str) -> Self {
        self.lines.insert(number - 1, ended(text));
        self
    }

    /// One more line, or several, at the end.
    pub(super) fn and(mut self, text: &str) -> Self {
        self.lines.push(ended(text));
        self
    }

    /// These bytes behind the last line.
    pub(super) fn and_raw(mut self, bytes: impl AsRef<[u8]>, count: usize) -> Self {
        self.lines.push(vec![(bytes.as_ref().to_vec(), count)]);
        self
    }

    /// These bytes before the first line.
    pub(super) fn after(mut self, bytes: impl AsRef<[u8]>, count: usize) -> Self {
        self.lines.insert(0, vec![(bytes.as_ref().to_vec(), count)]);
        self
    }

    /// Without the line with this number.
    pub(super) fn without(mut self, number: usize) -> Self {
        self.lines.remove(number - 1);
        self
    }

    /// One text in the place of another, wherever that stands in a line or its end.
    pub(super) fn replaced(mut self, from: &str, to: &str) -> Self {
        for (bytes, _) in self.lines.iter_mut().flatten() {
            *bytes = String::from_utf8_lossy(bytes).replace(from, to).into();
        }
        self
    }

    /// Asked by another resolver.
    pub(super) fn by(mut self, resolver: &'static str) -> Self {
        self.resolver = resolver;
        self
    }

    /// Asked of another host.
    pub(super) fn on(mut self, host: &'static str) -> Self {
        self.host = host;
        self
    }

    /// Asked at another time.
    pub(super) fn at(mut self, now: &'static str) -> Self {
        self.now = now;
        self
    }

    /// Asked when these are the rules of the Public Suffix List.
    pub(super) fn with_suffixes<const N: usize>(mut self, rules: [&'static str; N]) -> Self {
        self.public_suffixes = rules.to_vec();
        self
    }

    /// With comments at the end that make it so many bytes long; each line but the last has 64.
    pub(super) fn filled(self, length: usize) -> Self {
        let runs = self.lines.iter().flatten();
        let rest = length
            - runs
                .map(|(bytes, count)| bytes.len() * count)
                .sum::<usize>();
        let comment = |length: usize| format!("# {}\n", "-".repeat(length - 3));
        self.and_raw(comment(64), rest / 64 - 1)
            .and_raw(comment(rest % 64 + 64), 1)
    }

    /// What the operation `captxt` is asked with.
    fn input(&self) -> Input {
        let runs = self.lines.iter().flatten();
        let runs: Vec<&Run> = runs.filter(|(bytes, _)| !bytes.is_empty()).collect();
        let others = [
            ("host", self.host.as_bytes()),
            ("resolver", self.resolver.as_bytes()),
            ("now", self.now.as_bytes()),
        ];
        let mut asked = if runs.iter().all(|(_, count)| *count == 1) {
            let bytes: Vec<u8> = runs.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
            let [host, resolver, now] = others;
            input([("file", bytes.as_slice()), host, resolver, now])
        } else {
            let mut asked = input(others);
            asked.0.insert("file_parts".to_owned(), parts(&runs));
            asked
        };
        let rules = json!(self.public_suffixes);
        asked.0.insert("publicSuffixes".to_owned(), rules);
        asked
    }
}

fn ended(line: &str) -> Vec<Run> {
    vec![(format!("{line}\n").into(), 1)]
}

/// Texts with their counts; those that stand once are joined.
fn parts(runs: &[&Run]) -> Value {
    let mut parts: Vec<(String, usize)> = Vec::new();
    for (bytes, count) in runs {
        let text = String::from_utf8_lossy(bytes);
        match parts.last_mut() {
            Some((last, 1)) if *count == 1 => last.push_str(&text),
            _ => parts.push((text.into_owned(), *count)),
        }
    }
    json!(parts)
}

/// What a file claims of one server.
#[derive(Clone)]
pub(super) struct Endpoint(pub(super) Value);

/// The endpoint of the plain file.
pub(super) fn endpoint() -> Endpoint {
    Endpoint(json!({
        "url": URL, "inScope": true, "jobs": [JOB], "protocol": "mcp", "signIn": "none", "payment": "none",
    }))
}

impl Endpoint {
    fn with(mut self, name: &str, value: Value) -> Self {
        self.0[name] = value;
        self
    }

    pub(super) fn url(self, url: &str) -> Self {
        self.with("url", json!(url))
    }

    /// The file does not speak for it.
    pub(super) fn out_of_scope(self) -> Self {
        self.with("inScope", json!(false))
    }

    pub(super) fn jobs<const N: usize>(self, jobs: [&str; N]) -> Self {
        self.with("jobs", json!(jobs.as_slice()))
    }

    pub(super) fn with_jobs(self, jobs: &[&str]) -> Self {
        self.with("jobs", json!(jobs))
    }

    pub(super) fn protocol(self, protocol: &str) -> Self {
        self.with("protocol", json!(protocol))
    }

    pub(super) fn sign_in(self, sign_in: Option<&str>) -> Self {
        self.with("signIn", json!(sign_in))
    }

    pub(super) fn payment(self, payment: Option<&str>) -> Self {
        self.with("payment", json!(payment))
    }
}

/// What both readers say of a file.
#[derive(Clone)]
pub(super) struct Said {
    errors: Vec<Value>,
    warnings: Vec<Value>,
    allowed: bool,
    endpoints: Vec<Endpoint>,
}

/// Nothing to report, the resolver is allowed, and the endpoint is that of the plain file.
pub(super) fn said() -> Said {
    Said {
        errors: Vec::new(),
        warnings: Vec::new(),
        allowed: true,
        endpoints: vec![endpoint()],
    }
}

impl Said {
    pub(super) fn error(mut self, code: &str, line: usize, column: usize) -> Self {
        let found = json!({"code": code, "line": line, "column": column});
        self.errors.push(found);
        self
    }

    pub(super) fn warning(mut self, code: &str, line: usize, column: usize) -> Self {
        let found = json!({"code": code, "line": line, "column": column});
        self.warnings.push(found);
        self
    }

    /// The resolver may not list the host's servers.
    pub(super) fn denied(mut self) -> Self {
        self.allowed = false;
        self
    }

    /// These endpoints and no others.
    pub(super) fn endpoints(mut self, endpoints: impl IntoIterator<Item = Endpoint>) -> Self {
        self.endpoints = endpoints.into_iter().collect();
        self
    }

    /// This endpoint and no other.
    pub(super) fn endpoint(self, endpoint: Endpoint) -> Self {
        self.endpoints([endpoint])
    }

    /// The code of the first error.
    fn reason(&self) -> Option<String> {
        let code = self.errors.first()?.get("code")?.as_str()?;
        Some(code.to_owned())
    }

    /// The endpoints as they are reported: none of a file with an error.
    fn claimed(&self) -> Vec<Value> {
        let sound = self.errors.is_empty();
        let endpoints = self.endpoints.iter().filter(|_| sound);
        endpoints.map(|endpoint| endpoint.0.clone()).collect()
    }
}

/// Adds vectors about server files.
pub(super) struct Files<'c>(pub(super) &'c mut Cases);

impl Files<'_> {
    /// From here on the files are made from this one, which was added before.
    pub(super) fn from(&mut self, slug: &str) {
        self.0.from(slug);
    }

    /// A valid file that stands alone; the ones after it are made from it.
    pub(super) fn base(&mut self, slug: &str, rules: &str, comment: &str, file: File, said: Said) {
        self.0
            .base(slug, rules, comment, file.input())
            .yields(output(&said));
    }

    /// A file that is one change away from the base.
    pub(super) fn case(
        &mut self,
        slug: &str,
        rules: &str,
        change: &str,
        comment: &str,
        file: File,
        said: Said,
    ) {
        let (input, reason) = (file.input(), said.reason());
        self.0
            .judged(slug, reason.as_deref(), rules, change, comment, input)
            .yields(output(&said));
    }
}

fn output(said: &Said) -> [(&'static str, Value); 4] {
    [
        ("errors", json!(said.errors)),
        ("warnings", json!(said.warnings)),
        ("resolverAllowed", json!(said.allowed)),
        ("endpoints", json!(said.claimed())),
    ]
}
