//! A stage for resolvers: what each answers, what it was asked, and what time it is.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use capability_resolution::{
    Constraints, Need, Observation, Origin, RecordClaims, Signer, Status, Time,
};
use capability_resolver_client::{
    Answered, Body, Broken, Builder, Client, Get, Getting, Outcome, Reading, Reply, Report,
    Resolution, Transport, Visit,
};
use guarded_fetch::{HeaderMap, HeaderName, HeaderValue};

/// 2026-11-30T12:00:05Z.
pub(crate) const NOW: i64 = 1_796_040_005;

/// What a resolver answers to one request.
#[derive(Clone)]
pub(crate) enum Answer {
    Head {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    Coded(&'static str),
    Broken(Broken),
    BodyBroken(Broken),
    Hang,
    BodyHang,
}

/// Status 200 and JSON, kept for an hour.
pub(crate) fn json(body: impl Into<String>) -> Answer {
    with(body, &[("cache-control", "max-age=3600")])
}

pub(crate) fn with(body: impl Into<String>, headers: &[(&'static str, &str)]) -> Answer {
    let own = headers
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()));
    Answer::Head {
        status: 200,
        headers: std::iter::once(("content-type", "application/json".to_owned()))
            .chain(own)
            .collect(),
        body: body.into(),
    }
}

pub(crate) fn status(status: u16, headers: &[(&'static str, &str)]) -> Answer {
    let Answer::Head { headers, .. } = with("", headers) else {
        unreachable!()
    };
    Answer::Head {
        status,
        headers,
        body: String::new(),
    }
}

/// Resolvers by name, and a clock.
#[derive(Clone, Default)]
pub(crate) struct Stage(Arc<Inner>);

#[derive(Default)]
struct Inner {
    answers: Mutex<HashMap<(String, String), VecDeque<Answer>>>,
    asked: Mutex<Vec<String>>,
    now: AtomicI64,
}

impl Stage {
    /// It is [`NOW`], and nobody is there.
    pub(crate) fn new() -> Self {
        let stage = Self::default();
        stage.go_to(NOW);
        stage
    }

    pub(crate) fn go_to(&self, now: i64) {
        self.0.now.store(now, Ordering::Relaxed);
    }

    pub(crate) fn pass(&self, seconds: i64) {
        self.0.now.fetch_add(seconds, Ordering::Relaxed);
    }

    /// What `origin` answers at `path` from now on.
    pub(crate) fn set(&self, origin: &Origin, path: &str, answer: Answer) {
        self.play(origin, path, [answer]);
    }

    /// What `origin` answers at `path`, one after the other; the last one from then on.
    pub(crate) fn play<const N: usize>(&self, origin: &Origin, path: &str, answers: [Answer; N]) {
        let key = (origin.to_string(), path.to_owned());
        self.0.answers.lock().unwrap().insert(key, answers.into());
    }

    fn next(&self, origin: &Origin, path: &str) -> Option<Answer> {
        let mut answers = self.0.answers.lock().unwrap();
        let of_path = answers.get_mut(&(origin.to_string(), path.to_owned()))?;
        match of_path.len() {
            1 => of_path.front().cloned(),
            _ => of_path.pop_front(),
        }
    }

    /// The requests since the last time, `host path?query`.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.0.asked.lock().unwrap())
    }

    /// The same, without queries.
    pub(crate) fn paths(&self) -> Vec<String> {
        let paths = self.asked().into_iter();
        paths
            .map(|asked| asked.split('?').next().unwrap().to_owned())
            .collect()
    }

    pub(crate) fn builder(&self, resolvers: &[&Resolver]) -> Builder {
        let inner = Arc::clone(&self.0);
        let clock = move || Time::from_unix_seconds(inner.now.load(Ordering::Relaxed));
        let builder = Client::builder().clock(clock).transport(self.clone());
        resolvers.iter().fold(builder, |builder, resolver| {
            builder.resolver(resolver.issuer.clone()).unwrap()
        })
    }

    pub(crate) fn client(&self, resolvers: &[&Resolver]) -> Client {
        self.builder(resolvers).build().unwrap()
    }
}

impl Transport for Stage {
    fn visit(&self, origin: &Origin, _: Duration) -> Box<dyn Visit> {
        Box::new(OnStage(self.clone(), origin.clone()))
    }
}

struct OnStage(Stage, Origin);

impl Visit for OnStage {
    fn get(&mut self, get: Get) -> Getting<'_> {
        Box::pin(async move {
            let rest = get
                .url
                .strip_prefix(self.1.as_str())
                .expect("the visited origin");
            let path = rest.split('?').next().unwrap_or_default().to_owned();
            let inner = &self.0.0;
            let line = format!("{} {rest}", self.1.host());
            inner.asked.lock().unwrap().push(line);
            let answer = self.0.next(&self.1, &path);
            let reply = |status, lines: Vec<(&'static str, String)>, coding, body| {
                let mut headers = HeaderMap::new();
                for (name, value) in lines {
                    let name = HeaderName::from_static(name);
                    headers.append(name, HeaderValue::from_str(&value).unwrap());
                }
                Reply {
                    status,
                    headers,
                    coding,
                    body: Box::new(body),
                }
            };
            let sound = vec![("content-type", "application/json".to_owned())];
            match answer {
                None => Err(Broken::Network("nobody is there".to_owned())),
                Some(Answer::Head {
                    status,
                    headers,
                    body,
                }) => {
                    let whole = Whole(Some(body.into_bytes()), get.max_bytes);
                    Ok(reply(status, headers, None, whole))
                }
                Some(Answer::Coded(coding)) => {
                    let whole = Whole(Some(Vec::new()), get.max_bytes);
                    Ok(reply(200, Vec::new(), Some(coding.to_owned()), whole))
                }
                Some(Answer::Broken(broken)) => Err(broken),
                Some(Answer::BodyBroken(broken)) => Ok(Reply {
                    body: Box::new(Cut(broken)),
                    ..reply(200, sound, None, Whole(None, 0))
                }),
                Some(Answer::BodyHang) => Ok(reply(200, sound, None, Whole(None, 0))),
                Some(Answer::Hang) => std::future::pending().await,
            }
        })
    }
}

/// A body, or one that never comes.
struct Whole(Option<Vec<u8>>, usize);

impl Body for Whole {
    fn read(self: Box<Self>) -> Reading {
        Box::pin(async move {
            match self.0 {
                Some(bytes) if bytes.len() > self.1 => {
                    Err(Broken::TooLarge("more than is read".to_owned()))
                }
                Some(bytes) => Ok(bytes),
                None => std::future::pending().await,
            }
        })
    }
}

struct Cut(Broken);

impl Body for Cut {
    fn read(self: Box<Self>) -> Reading {
        Box::pin(async move { Err(self.0) })
    }
}

/// A resolver that can sign.
pub(crate) struct Resolver {
    pub(crate) issuer: Origin,
    pub(crate) signer: Signer,
}

impl Resolver {
    pub(crate) fn new(host: &str) -> Self {
        let issuer: Origin = format!("https://{host}").parse().unwrap();
        let signer = Self::key(&issuer, "k1");
        Self { issuer, signer }
    }

    /// The same with another key.
    pub(crate) fn rotated(&self, kid: &str) -> Self {
        Self {
            issuer: self.issuer.clone(),
            signer: Self::key(&self.issuer, kid),
        }
    }

    fn key(issuer: &Origin, kid: &str) -> Signer {
        let mut seed = [7; 32];
        seed[..kid.len()].copy_from_slice(kid.as_bytes());
        seed[31] = u8::try_from(issuer.as_str().len()).unwrap();
        Signer::new(issuer.clone(), kid, &seed).unwrap()
    }

    pub(crate) fn document(&self) -> String {
        self.document_with(&[self])
    }

    /// With the keys of all of these.
    pub(crate) fn document_with(&self, keys: &[&Self]) -> String {
        let issuer = &self.issuer;
        let keys: Vec<String> = keys
            .iter()
            .map(|key| {
                format!(
                    r#"{{"kty":"OKP","crv":"Ed25519","kid":"{}","x":"{}"}}"#,
                    key.signer.kid(),
                    key.signer.public_x()
                )
            })
            .collect();
        format!(
            r#"{{"v":"0.2","iss":"{issuer}","resolver":"{} Resolver","policy":"{issuer}/policy",
               "endpoints":{{"resolve":"{issuer}/resolve","record":"{issuer}/record"}},"keys":[{}]}}"#,
            issuer.host(),
            keys.join(",")
        )
    }

    /// A token that was observed so long before [`NOW`] and lives so long after it, in seconds.
    pub(crate) fn token(&self, url: &str, status: Status, age: i64, life: i64) -> String {
        self.token_at(NOW, url, status, age, life)
    }

    pub(crate) fn token_at(
        &self,
        now: i64,
        url: &str,
        status: Status,
        age: i64,
        life: i64,
    ) -> String {
        let seen = Observation {
            url: url.parse().unwrap(),
            status,
            checked_at: Time::from_unix_seconds(now - age),
        };
        let iat = Time::from_unix_seconds(now - age);
        let exp = Time::from_unix_seconds(now + life);
        self.signer.token(&seen, iat, exp).unwrap()
    }

    /// A token like that of most tests.
    pub(crate) fn ok(&self, url: &str) -> String {
        self.token(url, Status::Ok, 600, 86_400)
    }

    pub(crate) fn answer(&self, tokens: &[String]) -> String {
        let candidates: Vec<String> = tokens.iter().map(|jws| candidate(jws)).collect();
        self.answer_of(&candidates)
    }

    pub(crate) fn answer_of(&self, candidates: &[String]) -> String {
        format!(
            r#"{{"v":"0.2","iss":"{}","resolver":"{} Resolver","candidates":[{}]}}"#,
            self.issuer,
            self.issuer.host(),
            candidates.join(",")
        )
    }

    pub(crate) fn record(&self, url: &str, name: &str) -> String {
        let time = Time::from_unix_seconds;
        let seen = Observation {
            url: url.parse().unwrap(),
            status: Status::Ok,
            checked_at: time(NOW - 600),
        };
        let claims = RecordClaims {
            name: name.to_owned(),
            first_seen: time(NOW - 86_400),
            history: None,
        };
        let jws = self
            .signer
            .record_token(&seen, &claims, time(NOW - 60), time(NOW + 3_600))
            .unwrap();
        format!(
            r#"{{"v":"0.2","iss":"{}","resolver":"{} Resolver","jws":"{jws}"}}"#,
            self.issuer,
            self.issuer.host()
        )
    }

    /// Goes on stage with a document and an answer of these tokens.
    pub(crate) fn plays(&self, stage: &Stage, tokens: &[String]) {
        stage.set(&self.issuer, DISCOVERY, json(self.document()));
        stage.set(&self.issuer, "/resolve", json(self.answer(tokens)));
    }
}

pub(crate) const DISCOVERY: &str = "/.well-known/capability-resolver";

/// An entry of an answer, with the copies that its token asks for.
pub(crate) fn candidate(jws: &str) -> String {
    use base64::Engine as _;
    let payload = jws.split('.').nth(1).unwrap();
    let payload = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(payload)
        .unwrap();
    let claims: serde_json::Value = serde_json::from_slice(&payload).unwrap();
    let expires = Time::from_unix_seconds(claims["exp"].as_i64().unwrap());
    serde_json::json!({
        "url": claims["url"], "status": claims["status"], "checked_at": claims["checked_at"],
        "expires": expires.to_string(), "jws": jws,
    })
    .to_string()
}

pub(crate) fn need() -> Need {
    Need::new("send an email").unwrap()
}

pub(crate) async fn resolve(client: &Client) -> Resolution {
    client.resolve(&need(), Constraints::default()).await
}

/// The servers, in order.
pub(crate) fn urls(resolution: &Resolution) -> Vec<&str> {
    let advice = resolution.advice().iter();
    advice.map(|advice| advice.url().as_str()).collect()
}

/// One word for each resolver: the code of its failure, `not-asked`, `cached`, or `answered`.
pub(crate) fn words(reports: &[Report]) -> Vec<String> {
    let word = |report: &Report| match report.outcome() {
        Outcome::NotAsked => "not-asked".to_owned(),
        Outcome::Skipped(failure) => failure.code().to_string(),
        Outcome::Answered(Answered { cached: true, .. }) => "cached".to_owned(),
        Outcome::Answered(_) => "answered".to_owned(),
    };
    reports.iter().map(word).collect()
}

/// What the only resolver that answered said.
pub(crate) fn answered(resolution: &Resolution) -> &Answered {
    let answered = |report| match Report::outcome(report) {
        Outcome::Answered(answered) => Some(answered),
        _ => None,
    };
    resolution.resolvers().iter().find_map(answered).unwrap()
}

/// The codes of dropped candidates.
pub(crate) fn dropped(resolution: &Resolution) -> Vec<&'static str> {
    let dropped = answered(resolution).dropped.iter();
    dropped
        .map(|dropped| dropped.refusal.code().as_str())
        .collect()
}
