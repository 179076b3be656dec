//! Which requests a run makes, and in which order.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use capability_resolution::limits::{ANSWER_MAX_BYTES, DISCOVERY_MAX_BYTES, RECORD_MAX_BYTES};
use capability_resolution::{Discovery, Need, Origin};
use guarded_fetch::header::ETAG;
use guarded_fetch::{Error, Fetcher};
use serde_json::Value;

use super::checks::PAGE_MAX_BYTES;
use super::probes::{Endpoint, Given, PROBES, encoded};
use super::recognize::{is_document, recognize};
use super::recording::{Ask, Exchange, Recording};
use super::wire::Wire;

/// The largest error that is read, in bytes.
const ERROR_MAX_BYTES: usize = ANSWER_MAX_BYTES;

/// What no answer has as its `ETag`.
const OTHER_TAG: &str = "\"of-no-answer\"";

/// Between the first and the last request for the sample need: more than a second, so that what is signed for each
/// request shows in `iat`.
const APART: Duration = Duration::from_millis(1_050);

/// What a run asks.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Whom.
    pub(crate) issuer: Origin,
    /// The sample need.
    pub(crate) need: Need,
    /// For each request.
    pub(crate) timeout: Duration,
}

impl Plan {
    /// Makes the requests, one after the other but for the table of requests, of which two are under way at a time.
    ///
    /// # Errors
    ///
    /// If nothing can be sent at all. What does not come back is part of the recording.
    pub(crate) async fn run(&self, fetcher: &Fetcher) -> Result<Recording, Error> {
        let began = Instant::now();
        let wire = Wire::open(fetcher, &self.issuer, self.timeout).await?;
        let mut run = Run {
            wire: &wire,
            recording: Recording {
                issuer: self.issuer.clone(),
                need: self.need.as_str().to_owned(),
                exchanges: Vec::new(),
                later: Vec::new(),
                ended: None,
                elsewhere: None,
                requests: 0,
                took: Duration::ZERO,
            },
        };
        run.everything().await;
        let mut recording = run.recording;
        recording.later = wire.take_later();
        recording.ended = wire.ended();
        recording.requests = wire.sent();
        recording.took = began.elapsed();
        Ok(recording)
    }
}

struct Run<'w, 'f> {
    wire: &'w Wire<'f>,
    recording: Recording,
}

impl Run<'_, '_> {
    async fn everything(&mut self) {
        let document = format!("{}/.well-known/capability-resolver", self.recording.issuer);
        self.get(Ask::Discovery, &document, DISCOVERY_MAX_BYTES)
            .await;
        let redirects = |reply: &super::recording::Reply| (300..400).contains(&reply.status);
        if self.recording.reply(Ask::Discovery).is_some_and(redirects) {
            let end = self.wire.follow(&document, DISCOVERY_MAX_BYTES).await;
            let end = end.filter(|(_, body)| is_document(body));
            self.recording.elsewhere = end.map(|(url, _)| url);
        }
        if recognize(&self.recording).is_err() {
            return;
        }
        let discovery = self.recording.reply(Ask::Discovery);
        let discovery = discovery
            .filter(|reply| reply.status == 200)
            .and_then(|reply| Discovery::read(&reply.body, &self.recording.issuer).ok());
        if let Some(discovery) = discovery {
            self.endpoints(&discovery).await;
        }
        self.conditional(
            Ask::Discovery,
            Ask::DiscoveryMatching,
            Ask::DiscoveryOther,
            DISCOVERY_MAX_BYTES,
        )
        .await;
        self.get(Ask::DiscoveryLast, &document, DISCOVERY_MAX_BYTES)
            .await;
    }

    async fn endpoints(&mut self, discovery: &Discovery) {
        let sample = format!(
            "{}?need={}",
            discovery.resolve(),
            encoded(&self.recording.need)
        );
        let first = Instant::now();
        self.get(Ask::Sample, &sample, ANSWER_MAX_BYTES).await;
        self.get(Ask::SampleAgain, &sample, ANSWER_MAX_BYTES).await;
        self.records(discovery).await;
        self.probes(discovery).await;
        self.get(Ask::Policy, discovery.policy().as_str(), PAGE_MAX_BYTES)
            .await;
        if let Some(changelog) = discovery.changelog() {
            self.get(Ask::Changelog, changelog.as_str(), PAGE_MAX_BYTES)
                .await;
        }
        if self.wire.ended().is_some() {
            return;
        }
        tokio::time::sleep(APART.saturating_sub(first.elapsed())).await;
        self.conditional(
            Ask::Sample,
            Ask::SampleMatching,
            Ask::SampleOther,
            ANSWER_MAX_BYTES,
        )
        .await;
        self.conditional(
            Ask::RecordById,
            Ask::RecordMatching,
            Ask::RecordOther,
            RECORD_MAX_BYTES,
        )
        .await;
        self.get(Ask::SampleLast, &sample, ANSWER_MAX_BYTES).await;
        self.record_last(discovery).await;
        if self.tokens(Ask::Sample) != self.tokens(Ask::SampleLast) {
            // One token may have been replaced in between. Two times in a row it is no coincidence.
            tokio::time::sleep(APART).await;
            self.get(Ask::SampleLater, &sample, ANSWER_MAX_BYTES).await;
        }
    }

    /// The record that the first candidate points to, and by URL that of the second, where there are two.
    async fn records(&mut self, discovery: &Discovery) {
        let candidates = self.candidates(Ask::Sample);
        let endpoint = discovery.record().as_str();
        let by_id = candidates.iter().find_map(|candidate| {
            let record = candidate.get("evidence")?.get("record")?.as_str()?;
            record.strip_prefix(endpoint)?.strip_prefix("?id=")?;
            Some(record.to_owned())
        });
        if let Some(url) = by_id {
            self.get(Ask::RecordById, &url, RECORD_MAX_BYTES).await;
        }
        let urls = candidates
            .iter()
            .filter_map(|candidate| candidate.get("url")?.as_str());
        if let Some(server) = urls.take(2).last() {
            let url = format!("{endpoint}?url={}", encoded(server));
            self.get(Ask::RecordByUrl, &url, RECORD_MAX_BYTES).await;
        }
    }

    /// The record that was asked by id once more, by its server's URL.
    async fn record_last(&mut self, discovery: &Discovery) {
        let record = |run: &Self, ask| {
            let reply = run.recording.reply(ask).filter(|reply| reply.status == 200);
            reply.and_then(|reply| serde_json::from_slice::<Value>(&reply.body).ok())
        };
        let Some(first) = record(self, Ask::RecordById) else {
            return;
        };
        let Some(server) = first.get("url").and_then(Value::as_str) else {
            return;
        };
        let url = format!("{}?url={}", discovery.record(), encoded(server));
        self.get(Ask::RecordLast, &url, RECORD_MAX_BYTES).await;
        if record(self, Ask::RecordLast).is_some_and(|last| last.get("jws") != first.get("jws")) {
            tokio::time::sleep(APART).await;
            self.get(Ask::RecordLater, &url, RECORD_MAX_BYTES).await;
        }
    }

    async fn probes(&mut self, discovery: &Discovery) {
        let left = RefCell::new(PROBES.iter());
        let found = RefCell::new(Vec::new());
        let (wire, need) = (self.wire, self.recording.need.as_str());
        let worker = async || {
            loop {
                let Some(probe) = left.borrow_mut().next() else {
                    return;
                };
                let endpoint = match probe.endpoint {
                    Endpoint::Resolve => discovery.resolve(),
                    Endpoint::Record => discovery.record(),
                };
                let given = Given {
                    need,
                    path: endpoint.path_and_query(),
                };
                let query = probe.query(&given);
                let url = if query.is_empty() {
                    endpoint.to_string()
                } else {
                    format!("{endpoint}?{query}")
                };
                let exchange = wire
                    .get(Ask::Probe(probe), &url, ERROR_MAX_BYTES, None)
                    .await;
                found.borrow_mut().extend(exchange);
            }
        };
        tokio::join!(worker(), worker());
        self.recording.exchanges.extend(found.into_inner());
    }

    async fn get(&mut self, ask: Ask, url: &str, limit: usize) {
        let exchange = self.wire.get(ask, url, limit, None).await;
        self.recording.exchanges.extend(exchange);
    }

    /// The request of `first` with the `ETag` that it was answered with, if there is one, and with another.
    async fn conditional(&mut self, first: Ask, matching: Ask, other: Ask, limit: usize) {
        let Some(Exchange {
            url,
            reply: Ok(reply),
            ..
        }) = self.recording.get(first)
        else {
            return;
        };
        if reply.status != 200 {
            return;
        }
        let mut found = Vec::new();
        if let Some(etag) = reply.only(ETAG) {
            found.extend(self.wire.get(matching, url, limit, Some(etag)).await);
        }
        found.extend(self.wire.get(other, url, limit, Some(OTHER_TAG)).await);
        self.recording.exchanges.extend(found);
    }

    fn candidates(&self, ask: Ask) -> Vec<Value> {
        let reply = self
            .recording
            .reply(ask)
            .filter(|reply| reply.status == 200);
        let body = reply.and_then(|reply| serde_json::from_slice::<Value>(&reply.body).ok());
        let candidates = body
            .as_ref()
            .and_then(|body| body.get("candidates")?.as_array());
        candidates.cloned().unwrap_or_default()
    }

    /// The tokens of an answer, in no order.
    fn tokens(&self, ask: Ask) -> Vec<String> {
        let candidates = self.candidates(ask);
        let tokens = candidates
            .iter()
            .filter_map(|candidate| candidate.get("jws")?.as_str());
        let mut tokens: Vec<String> = tokens.map(str::to_owned).collect();
        tokens.sort();
        tokens
    }
}
