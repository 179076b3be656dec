//! A small resolver that keeps the text, but for its one fault.

mod record;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::fault::{Act, Fault, Kind, Quirk};
use super::http::{Request, Response, phrase};
use super::query::{self, Code, Constraints};
use super::rate::Rate;
use super::token::{KID, Parts, public_x};

/// How often tokens are made anew, and how long they live, in seconds.
const REISSUED: i64 = 43_200;
const LIFE: i64 = 129_600;

/// How long before a token was made its server was observed, in seconds.
const OBSERVED_BEFORE: i64 = 600;

const NAME: &str = "A resolver for tests";
const METHODS: &str = "GET, HEAD, OPTIONS";
const SERVERS: usize = 12;
const MATCHES: usize = 6;

/// Words of jobs that the first six servers are for.
const JOBS: &str = "search find look read query documentation documents docs web page map weather forecast email send \
                    translate text image file files database issue calendar convert currency server";

/// The errors of the text: code, status and rule.
const ERRORS: [(Code, u16, &str); 13] = [
    ("query-encoding", 400, "resolve.query.encoding"),
    ("parameter-unknown", 400, "resolve.parameter.unknown"),
    ("parameter-repeated", 400, "resolve.parameter.repeated"),
    ("need-missing", 400, "resolve.need.missing"),
    ("need-character", 400, "resolve.need.control"),
    ("need-length", 400, "resolve.need.length"),
    ("constraint-value", 400, "constraint.names"),
    ("record-query", 400, "record.request"),
    ("record-not-found", 404, "record.not-found"),
    ("method-not-allowed", 405, "http.method"),
    ("request-too-long", 414, "error.too-long"),
    ("rate-limited", 429, "error.rate"),
    ("unavailable", 503, "error.unavailable"),
];

const POLICY: &str = "# Policy

In force from 2026-11-30.

- `obligation.payment`: We accept nothing of value for a place in an answer.
- `obligation.favour`: We favour no server that we run or are paid for.
- `obligation.disclosure`: We have no relationship with any owner of a listed server.
- `obligation.no-proxy`: We host, proxy and impersonate no server that we list.
- `obligation.no-caller`: We store no need together with anything that says who asked.
- `obligation.no-sale`: We sell and share no records of needs.
- `obligation.changes`: We enter each material change in the changelog before it takes effect.
";

const CHANGELOG: &str = "# Changelog

## 2026-11-30

Ties are broken by the server's number.

## 2026-11-01

The resolver starts.
";

/// The resolver.
pub(super) struct Resolver {
    origin: String,
    fault: Option<Fault>,
    started: i64,
    answers: AtomicUsize,
    asked: Mutex<HashSet<String>>,
    needs: AtomicUsize,
    documents: AtomicUsize,
    rate: Option<Rate>,
}

/// What is stated of a server.
struct Server {
    number: usize,
}

impl Server {
    fn url(&self) -> String {
        format!("https://server-{}.example/mcp", self.number)
    }

    fn status(&self) -> &'static str {
        match self.number {
            2 => "sign_in",
            4 => "down",
            5 => "unknown",
            _ => "ok",
        }
    }

    fn meets(&self, constraints: &Constraints) -> bool {
        let handshake = u32::try_from(self.number * 100).unwrap_or(u32::MAX);
        (!constraints.no_sign_in || self.status() == "ok")
            && (!constraints.read_only || self.number.is_multiple_of(2))
            && constraints
                .handshake_ms
                .is_none_or(|limit| handshake <= limit)
            && (!constraints.no_payment || !self.number.is_multiple_of(2))
    }
}

impl Resolver {
    /// With a rate, it answers at most so many requests a second.
    pub(super) fn new(origin: String, fault: Option<Fault>, rate: Option<Rate>) -> Self {
        Self {
            origin,
            fault,
            started: now(),
            answers: AtomicUsize::new(0),
            asked: Mutex::default(),
            needs: AtomicUsize::new(0),
            documents: AtomicUsize::new(0),
            rate,
        }
    }

    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    pub(super) fn answer(&self, request: &Request) -> Response {
        let is_head = request.method == "HEAD";
        let wait = self.rate.as_ref().and_then(Rate::wait);
        let mut response = match request.method.as_str() {
            _ if let Some(seconds) = wait => self
                .error("rate-limited", request)
                .with("Retry-After", seconds.to_string()),
            "GET" | "HEAD" => self.route(request),
            "OPTIONS" => Self::options(),
            _ => self
                .error("method-not-allowed", request)
                .with("Allow", METHODS),
        };
        response.is_head = is_head;
        response
    }

    fn route(&self, request: &Request) -> Response {
        let elsewhere = self.is(Quirk::DiscoveryElsewhere);
        match request.path.as_str() {
            "/.well-known/capability-resolver" if elsewhere => {
                Response::new(308, "text/plain", "").with("Location", "/discovery.json")
            }
            "/.well-known/capability-resolver" | "/discovery.json" => self.discovery(request),
            "/resolve" => self.resolve(request),
            "/record" => self.record(request),
            "/policy" => self.page(Kind::Policy, POLICY),
            "/changelog" => self.page(Kind::Changelog, CHANGELOG),
            _ => Response::new(404, "text/plain", "there is nothing here\n"),
        }
    }

    /// What a page in a browser has to be told before it sends `If-None-Match`: `http.options`.
    fn options() -> Response {
        Response {
            status: 204,
            headers: Vec::new(),
            body: Vec::new(),
            is_head: false,
        }
        .with("Access-Control-Allow-Origin", "*")
        .with("Access-Control-Allow-Methods", METHODS)
        .with("Access-Control-Allow-Headers", "If-None-Match")
    }

    fn quirk(&self) -> Option<Quirk> {
        match self.fault.as_ref()?.act {
            Act::Quirk(quirk) => Some(quirk),
            _ => None,
        }
    }

    fn is(&self, quirk: Quirk) -> bool {
        self.quirk() == Some(quirk)
    }

    fn act(&self) -> Option<Act> {
        self.fault.as_ref().map(|fault| fault.act)
    }

    fn discovery(&self, request: &Request) -> Response {
        let origin = &self.origin;
        let mut document = json!({
            "v": "0.2",
            "iss": origin,
            "resolver": NAME,
            "endpoints": {
                "resolve": format!("{origin}/resolve"),
                "record": format!("{origin}/record"),
            },
            "keys": [{"kty": "OKP", "crv": "Ed25519", "use": "sig", "kid": KID, "x": public_x()}],
            "policy": format!("{origin}/policy"),
            "changelog": format!("{origin}/changelog"),
        });
        if self.is(Quirk::UnusableKey) {
            let mut key = document["keys"][0].clone();
            key["kid"] = json!("encryption");
            key["use"] = json!("enc");
            document["keys"] = json!([document["keys"][0], key]);
        }
        self.document(
            Kind::Discovery,
            document,
            "max-age=3600".to_owned(),
            request,
        )
    }

    fn resolve(&self, request: &Request) -> Response {
        let later = match self.quirk() {
            Some(Quirk::RateWithoutTime) => Some("rate-limited"),
            Some(Quirk::UnavailableWithoutTime) => Some("unavailable"),
            _ => None,
        };
        if let Some(code) = later
            && self.needs.fetch_add(1, Ordering::Relaxed) == 0
        {
            return self.error(code, request);
        }
        let limit = if self.is(Quirk::TargetOf3000) {
            3_000
        } else {
            5_000
        };
        if request.target_bytes > limit {
            let code = if self.is(Quirk::LongTargetIs400) {
                "need-length"
            } else {
                "request-too-long"
            };
            return self.error(code, request);
        }
        let (need, constraints) = match query::read(&request.query, self.quirk()) {
            Ok(read) => read,
            Err(code) => return self.error(code, request),
        };
        if self.is(Quirk::AnsweredOnce) {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            if !asked.insert(request.query.clone()) {
                return self.finish(Kind::Answer, Response::new(500, "text/plain", ""));
            }
        }
        let servers = self.found(&need, &constraints);
        if servers.is_empty() && self.is(Quirk::NothingFoundIs404) {
            return self.error("record-not-found", request);
        }
        if self.is(Quirk::SignedEachTime) {
            self.answers.fetch_add(1, Ordering::Relaxed);
        }
        let mut candidates = Vec::new();
        for server in &servers {
            candidates.push(self.candidate(server, &need, request));
        }
        if self.is(Quirk::CandidateTwice)
            && let Some(first) = candidates.first().cloned()
        {
            candidates.push(first);
        }
        if self.is(Quirk::Rotated) && !candidates.is_empty() {
            let by = self.answers.fetch_add(1, Ordering::Relaxed) % candidates.len();
            candidates.rotate_left(by);
        }
        let document = json!({
            "v": "0.2",
            "iss": self.origin,
            "resolver": NAME,
            "candidates": candidates,
        });
        let caching = "private, max-age=3600".to_owned();
        self.document(Kind::Answer, document, caching, request)
    }

    fn found(&self, need: &str, constraints: &Constraints) -> Vec<Server> {
        let is_for = |word: &str| {
            JOBS.split_whitespace()
                .any(|job| job.eq_ignore_ascii_case(word))
        };
        let matches = match () {
            () if !need.split_whitespace().any(is_for) => 0,
            () if self.is(Quirk::AllCandidates) => SERVERS,
            () => MATCHES,
        };
        let servers = (1..=matches).map(|number| Server { number });
        servers.filter(|server| server.meets(constraints)).collect()
    }

    /// When the tokens that are given now were made.
    fn issued(&self) -> i64 {
        let now = now();
        if self.is(Quirk::SignedEachTime) {
            let answers = self.answers.load(Ordering::Relaxed);
            return self.started - OBSERVED_BEFORE / 2 + i64::try_from(answers).unwrap_or(0);
        }
        now - (now - self.started) % REISSUED
    }

    fn claims(&self, server: &Server) -> Value {
        let issued = self.issued();
        let life = if self.is(Quirk::ShortLived) {
            900
        } else {
            LIFE
        };
        // The observation stays the same when a token is made for each request.
        let observed =
            self.started - OBSERVED_BEFORE + (issued - self.started) / REISSUED * REISSUED;
        json!({
            "iss": self.origin,
            "iat": issued,
            "exp": issued + life,
            "url": server.url(),
            "status": server.status(),
            "checked_at": time(observed),
        })
    }

    fn parts(claims: &Value) -> Parts {
        Parts {
            header: json!({"alg": "EdDSA", "kid": KID, "typ": "JWT"})
                .to_string()
                .into_bytes(),
            payload: claims.to_string().into_bytes(),
        }
    }

    fn candidate(&self, server: &Server, need: &str, request: &Request) -> Value {
        let claims = self.claims(server);
        let mut parts = Self::parts(&claims);
        let is_third = server.number == 3;
        let mut add = |name: &str, value: &str| {
            parts.edit_payload(|payload| payload[name] = json!(value));
        };
        match self.quirk().filter(|_| is_third) {
            Some(Quirk::TokenHoldsNeed) => add("for", need),
            Some(Quirk::TokenHoldsConstraint) if request.query.contains("sign_in") => {
                add("asked", "sign_in=none");
            }
            Some(Quirk::TokenHoldsCaller) => add("to", &request.user_agent),
            _ => {}
        }
        if self.is(Quirk::UnusableKey) && is_third {
            parts.edit_header(|header| header["kid"] = json!("encryption"));
        }
        if let (true, Some(Act::Token(edit))) = (is_third, self.act()) {
            edit(&mut parts);
        }
        let mut signed = parts.sign();
        if let (true, Some(Act::Signed(edit))) = (is_third, self.act()) {
            edit(&mut signed);
        }
        let mut candidate = copies(&parts, &claims);
        candidate["evidence"] =
            json!({"record": format!("{}/record?id=r{}", self.origin, server.number)});
        candidate["jws"] = json!(signed.text());
        candidate
    }

    fn error(&self, code: Code, request: &Request) -> Response {
        let row = ERRORS.iter().find(|(known, ..)| *known == code);
        let (_, status, rule) = row.copied().unwrap_or((code, 500, "error.body"));
        let mut body = json!({
            "type": "about:blank",
            "title": phrase(status),
            "status": status,
            "code": code,
            "rule": rule,
        });
        let of_resolve = request.path == "/resolve";
        if self.is(Quirk::ErrorHoldsNeed) && of_resolve {
            body["instance"] = json!(request.query);
        }
        if let Some(Act::Members(Kind::Error, edit)) = self.act() {
            edit(&mut body);
        }
        let is_short = request.query.len() < 16 && code == "need-length";
        if self.is(Quirk::ErrorHoldsShortNeed) && is_short {
            body["detail"] = json!(format!("{} is too short", request.query));
        }
        let mut response = Response::new(status, "application/problem+json", body.to_string())
            .with("Cache-Control", "no-store");
        if self.is(Quirk::ErrorHeaderHoldsNeed) && of_resolve {
            response.set("X-Request", &request.query);
        }
        self.finish(Kind::Error, response)
    }

    fn document(
        &self,
        kind: Kind,
        mut document: Value,
        caching: String,
        request: &Request,
    ) -> Response {
        if let Some(Act::Members(wanted, edit)) = self.act()
            && wanted == kind
        {
            edit(&mut document);
        }
        let mut bytes = document.to_string().into_bytes();
        if let Some(Act::Bytes(wanted, edit)) = self.act()
            && wanted == kind
        {
            bytes = edit(bytes);
        }
        if self.is(Quirk::OneTag(kind)) {
            let spaces = self.documents.fetch_add(1, Ordering::Relaxed) % 7;
            bytes.extend(vec![b' '; spaces]);
        }
        let mut response =
            Response::new(200, "application/json", bytes).with("Cache-Control", caching);
        let etag = match self.is(Quirk::OneTag(kind)) {
            true => "\"1\"".to_owned(),
            false => response.etag(),
        };
        response.set("ETag", &etag);
        if kind == Kind::Answer {
            response.set("Referrer-Policy", "no-referrer");
        }
        let is_matching = match request.if_none_match.as_deref() {
            None => false,
            Some(_) if self.is(Quirk::AlwaysNotModified(kind)) => true,
            Some(named) => named == etag && !self.is(Quirk::NotModifiedIgnored(kind)),
        };
        if is_matching {
            response.status = 304;
            if self.is(Quirk::NotModifiedBare(kind)) {
                response.remove("Cache-Control");
            }
            if self.is(Quirk::NotModifiedOfAnotherTag(kind)) {
                response.set("ETag", "\"another\"");
            }
        }
        self.finish(kind, response)
    }

    fn page(&self, kind: Kind, text: &str) -> Response {
        let mut bytes = text.as_bytes().to_vec();
        if let Some(Act::Bytes(wanted, edit)) = self.act()
            && wanted == kind
        {
            bytes = edit(bytes);
        }
        self.finish(
            kind,
            Response::new(200, "text/markdown; charset=utf-8", bytes),
        )
    }

    fn finish(&self, kind: Kind, response: Response) -> Response {
        let mut response = response
            .with("Access-Control-Allow-Origin", "*")
            .with("Access-Control-Expose-Headers", "ETag, Retry-After");
        if let Some(Act::Head(wanted, edit)) = self.act()
            && wanted == kind
        {
            edit(&mut response);
        }
        response
    }
}

/// The copies beside a token: of what was signed, if it can be read, else of what should have been.
fn copies(parts: &Parts, claims: &Value) -> Value {
    let signed = serde_json::from_slice::<Value>(&parts.payload).unwrap_or_default();
    let of = |name: &str| signed.get(name).unwrap_or(&claims[name]).clone();
    let expires = of("exp")
        .as_i64()
        .or(claims["exp"].as_i64())
        .unwrap_or_default();
    json!({
        "url": of("url"),
        "status": of("status"),
        "checked_at": of("checked_at"),
        "expires": time(expires),
    })
}

/// Seconds since 1970, by the clock of this machine.
fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// A time as documents write it.
pub(super) fn time(seconds: i64) -> String {
    let time = Timestamp::from_second(seconds).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
