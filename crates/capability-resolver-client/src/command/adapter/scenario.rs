//! One scenario: a fresh client, and calls at given times. The form is that of `test-vectors/draft/FORMAT.md`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use capability_resolution::{Origin, ResolveRequest, Time};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::form_urlencoded;

use super::transport::Stand;
use crate::{
    Asking, Budget, Client, Difference, Failure, Outcome, RecordKey, Report, Resolvers,
    StatedRecord,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Input {
    resolvers: Vec<String>,
    ask: Ask,
    budgets: Budgets,
    connect: BTreeMap<String, String>,
    calls: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ask {
    InOrder,
    AtOnce,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Budgets {
    resolver_ms: u64,
    call_ms: u64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Call {
    Need {
        now: String,
        need: String,
        #[serde(default)]
        constraints: Map<String, Value>,
    },
    Record {
        now: String,
        record: Of,
    },
}

#[derive(Deserialize)]
struct Of {
    issuer: String,
    id: Option<String>,
    url: Option<String>,
}

/// A client and what it is to do.
pub(super) struct Scenario {
    client: Client,
    now: Arc<AtomicI64>,
    calls: Vec<(i64, Step)>,
}

enum Step {
    Need(Result<ResolveRequest, &'static str>),
    Record(Origin, RecordKey),
}

impl Scenario {
    /// Reads the input of a question.
    pub(super) fn read(input: Value) -> Result<Self, String> {
        let input: Input = serde_json::from_value(input).map_err(|why| why.to_string())?;
        let mut resolvers = Resolvers::new();
        for issuer in &input.resolvers {
            resolvers
                .add(origin(issuer)?)
                .map_err(|why| why.to_string())?;
        }
        let now = Arc::new(AtomicI64::new(0));
        let clock = Arc::clone(&now);
        let client = Client::builder()
            .resolvers(resolvers)
            .asking(match input.ask {
                Ask::InOrder => Asking::InOrder,
                Ask::AtOnce => Asking::AtOnce,
            })
            .budget(Budget {
                per_resolver: Duration::from_millis(input.budgets.resolver_ms),
                in_all: Duration::from_millis(input.budgets.call_ms),
            })
            .clock(move || Time::from_unix_seconds(clock.load(Ordering::Relaxed)))
            .transport(Stand::new(&input.connect)?)
            .build()
            .map_err(|why| why.to_string())?;
        let calls = input.calls.into_iter().map(step);
        Ok(Self {
            client,
            now,
            calls: calls.collect::<Result<_, _>>()?,
        })
    }

    /// Makes the calls; says the first code of all, and the output.
    pub(super) async fn play(self) -> (Option<&'static str>, Value) {
        let mut calls = Vec::new();
        let mut first = None;
        for (now, step) in self.calls {
            self.now.store(now, Ordering::Relaxed);
            let (reason, call) = match step {
                Step::Need(Err(code)) => (
                    Some(code),
                    json!({"refused": code, "candidates": [], "asked": []}),
                ),
                Step::Need(Ok(request)) => {
                    let found = self
                        .client
                        .resolve(&request.need, request.constraints)
                        .await;
                    let call = json!({
                        "refused": null,
                        "candidates": found.advice().iter().map(advice).collect::<Vec<_>>(),
                        "asked": asked(found.resolvers()),
                    });
                    (reason(found.resolvers()), call)
                }
                Step::Record(issuer, key) => {
                    let recorded = self.client.record_of(&issuer, key).await;
                    let call = json!({
                        "refused": null,
                        "record": recorded.record().map(record),
                        "asked": asked(recorded.resolvers()),
                    });
                    (reason(recorded.resolvers()), call)
                }
            };
            first = first.or(reason);
            calls.push(call);
        }
        (first, json!({"calls": calls}))
    }
}

fn origin(text: &str) -> Result<Origin, String> {
    text.parse().map_err(|why| format!("{text}: {why}"))
}

fn step(call: Value) -> Result<(i64, Step), String> {
    let (now, step) = match serde_json::from_value(call).map_err(|why| format!("a call: {why}"))? {
        Call::Need {
            now,
            need,
            constraints,
        } => {
            // What a resolver would say to it, before anybody is asked.
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("need", &need);
            for (name, value) in &constraints {
                let value = value.as_str().ok_or("a constraint is no text")?;
                query.append_pair(name, value);
            }
            let request = ResolveRequest::from_query(&query.finish());
            (
                now,
                Step::Need(request.map_err(|refusal| refusal.code().as_str())),
            )
        }
        Call::Record { now, record } => {
            let key = match (record.id, record.url) {
                (Some(id), None) => RecordKey::Id(id),
                (None, Some(url)) => {
                    RecordKey::Url(url.parse().map_err(|why| format!("{url}: {why}"))?)
                }
                _ => return Err("a record has either an id or a url".to_owned()),
            };
            (now, Step::Record(origin(&record.issuer)?, key))
        }
    };
    let now = Time::from_document(&now).ok_or("now is no time")?;
    Ok((now.unix_seconds(), step))
}

fn advice(advice: &crate::Advice) -> Value {
    let statements = advice.statements().iter().map(|statement| {
        json!({
            "issuer": statement.issuer().as_str(),
            "status": statement.status().as_str(),
            "checkedAt": statement.checked_at().to_string(),
            "expires": statement.expires().to_string(),
        })
    });
    json!({
        "url": advice.url().as_str(),
        "status": advice.statement().status().as_str(),
        "statements": statements.collect::<Vec<_>>(),
    })
}

fn record(record: &StatedRecord) -> Value {
    let claims = record.token().claims();
    json!({
        "url": claims.url.as_str(),
        "status": claims.status.as_str(),
        "checkedAt": claims.checked_at.to_string(),
        "expires": claims.expires.to_string(),
        "name": record.claims().name,
        "firstSeen": record.claims().first_seen.to_string(),
    })
}

fn asked(reports: &[Report]) -> Vec<Value> {
    reports.iter().filter_map(report).collect()
}

fn report(report: &Report) -> Option<Value> {
    let code = |failure: &Failure| failure.code().as_str();
    let (name, skipped, answered) = match report.outcome() {
        Outcome::NotAsked => return None,
        Outcome::Skipped(failure) => (None, Some(code(failure)), None),
        Outcome::Answered(answered) => (Some(&answered.resolver), None, Some(answered)),
    };
    let dropped = answered.iter().flat_map(|answered| &answered.dropped);
    let dropped =
        dropped.map(|dropped| json!({"at": dropped.at, "reason": dropped.refusal.code().as_str()}));
    let (mut pointers, mut places, mut clock_doubt) = (Vec::new(), Vec::new(), false);
    for difference in answered.iter().flat_map(|answered| &answered.differences) {
        match difference {
            Difference::CopyDiffers(pointer) => pointers.push(pointer),
            Difference::DuplicateUrl(at) => places.push(at),
            Difference::ClockDoubt { .. } => clock_doubt = true,
        }
    }
    Some(json!({
        "issuer": report.issuer().as_str(),
        "name": name,
        "skipped": skipped,
        "refresh": report.refresh().map(code),
        "dropped": dropped.collect::<Vec<_>>(),
        "copyDiffers": pointers,
        "duplicateUrl": places,
        "clockDoubt": clock_doubt,
    }))
}

/// The first code that was given.
fn reason(reports: &[Report]) -> Option<&'static str> {
    reports.iter().find_map(|report| {
        let skipped = report.failure().map(|failure| failure.code().as_str());
        let refresh = || report.refresh().map(|failure| failure.code().as_str());
        let dropped = || match report.outcome() {
            Outcome::Answered(answered) => {
                let first = answered.dropped.first();
                first.map(|dropped| dropped.refusal.code().as_str())
            }
            _ => None,
        };
        skipped.or_else(refresh).or_else(dropped)
    })
}
