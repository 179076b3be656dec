//! Asking one resolver: its document, then the answer, and the document again for a key that it does not have.

use std::sync::Arc;
use std::time::Duration;

use capability_resolution::limits::{
    ANSWER_MAX_BYTES, DISCOVERY_MAX_BYTES, LEEWAY_SECONDS, RECORD_MAX_BYTES,
};
use capability_resolution::{Answer, Code, Discovery, Record, Refusal, Time, UnverifiedToken};
use guarded_fetch::HeaderMap;

use crate::answers::{Answers, Kept, Question};
use crate::budget::Deadline;
use crate::clock::Clock;
use crate::failure::{Failure, FailureCode, Stage};
use crate::headers;
use crate::known::Resolver;
use crate::query::{self, RecordKey};
use crate::result::{Answered, Difference, Dropped, StatedRecord, Statement};
use crate::transport::{Broken, Get, Transport, Visit};

/// Where a resolver's discovery document is: `discovery.path`.
const DISCOVERY_PATH: &str = "/.well-known/capability-resolver";

/// What a client has for talking to resolvers.
#[derive(Clone, Copy)]
pub(crate) struct Means<'c> {
    pub(crate) clock: &'c dyn Clock,
    pub(crate) transport: &'c dyn Transport,
    pub(crate) answers: &'c Answers,
}

/// A conversation with one resolver, within its time.
pub(crate) struct Conversation<'c> {
    means: Means<'c>,
    resolver: &'c Resolver,
    deadline: Deadline,
    visit: Option<Box<dyn Visit>>,
    /// Why a document that was sought for a key was not to be had.
    refresh: Option<Failure>,
}

/// A body of status 200 and the right media type, and when it came.
struct Received {
    headers: HeaderMap,
    body: Vec<u8>,
    at: Time,
}

impl<'c> Conversation<'c> {
    pub(crate) fn new(means: Means<'c>, resolver: &'c Resolver, deadline: Deadline) -> Self {
        Self {
            means,
            resolver,
            deadline,
            visit: None,
            refresh: None,
        }
    }

    /// What the resolver says to a need, lately or now.
    pub(crate) async fn resolve(
        &mut self,
        question: Question,
    ) -> Result<(Vec<Statement>, Answered), Failure> {
        let discovery = self.discovery().await?;
        let find = self.means.answers.find(&question, self.now());
        if let Some(kept) = self.deadline.run(find).await.flatten() {
            let (discovery, answer) = self.judge_answer(discovery, &kept.body).await?;
            return Ok(answered(&discovery, answer, &kept, true));
        }
        let query = query::resolve(&question.need, question.constraints);
        let url = format!("{}?{query}", discovery.resolve());
        let received = self.get(Stage::Resolve, url, ANSWER_MAX_BYTES).await?;
        let (discovery, answer) = self.judge_answer(discovery, &received.body).await?;
        let ends = answer.candidates.iter();
        let ends = ends.map(|candidate| candidate.token.claims().expires);
        let seconds = headers::answer_seconds(&received.headers);
        let kept = Kept {
            since: received.at,
            until: ends.fold(received.at.plus(seconds), Time::min),
            other_clock: headers::other_clock(&received.headers, received.at, LEEWAY_SECONDS),
            body: received.body,
        };
        let said = answered(&discovery, answer, &kept, false);
        // The answer is there: what cannot be kept in time is not kept.
        let keep = self.means.answers.keep(question, kept);
        let _ = self.deadline.run(keep).await;
        Ok(said)
    }

    /// One of the resolver's records.
    pub(crate) async fn record(
        &mut self,
        key: &RecordKey,
    ) -> Result<(StatedRecord, Answered), Failure> {
        let discovery = self.discovery().await?;
        let at = format!("{}?{}", discovery.record(), query::record(key));
        let received = self.get(Stage::Record, at, RECORD_MAX_BYTES).await?;
        let url = match key {
            RecordKey::Url(url) => Some(url),
            RecordKey::Id(_) => None,
        };
        let read = |discovery: &Discovery, now| Record::read(&received.body, discovery, url, now);
        let (discovery, record) = self.judge(discovery, read, lacks_key).await;
        let record = record.map_err(|refusal| Failure::refused(Stage::Record, &refusal))?;
        let differences = record.copy_differs.into_iter();
        let answered = Answered {
            resolver: discovery.resolver().to_owned(),
            cached: false,
            candidates: 1,
            dropped: Vec::new(),
            differences: differences.map(Difference::CopyDiffers).collect(),
        };
        let stated = StatedRecord {
            by: discovery,
            token: record.token,
            claims: record.claims,
        };
        Ok((stated, answered))
    }

    /// Judges a token that came from elsewhere.
    pub(crate) async fn verify(
        &mut self,
        jws: &str,
    ) -> Result<Result<Statement, Refusal>, Failure> {
        let discovery = self.discovery().await?;
        let read = |discovery: &Discovery, now| {
            UnverifiedToken::parse(jws.as_bytes())?.verify(discovery, now)
        };
        let (discovery, token) = self.judge(discovery, read, lacks_key).await;
        Ok(token.map(|token| Statement::new(&discovery, token, jws)))
    }

    /// The resolver's document: the copy, or a new one.
    pub(crate) async fn discovery(&mut self) -> Result<Arc<Discovery>, Failure> {
        let resolver = self.resolver;
        within(self.deadline, Stage::Discovery, resolver.load()).await?;
        if let Some(copy) = resolver.document(self.now()) {
            return Ok(copy);
        }
        let turn = within(self.deadline, Stage::Discovery, resolver.fetching.lock());
        let _turn = turn.await?;
        // A call beside this one may have fetched it meanwhile.
        match resolver.document(self.now()) {
            Some(copy) => Ok(copy),
            None => self.fetch_document().await,
        }
    }

    /// A newer document than this one, for a key that it does not have: `keys.unknown-kid`.
    async fn newer(&mut self, used: &Arc<Discovery>) -> Option<Arc<Discovery>> {
        let resolver = self.resolver;
        let turn = within(self.deadline, Stage::Discovery, resolver.fetching.lock());
        let _turn = match turn.await {
            Ok(turn) => turn,
            Err(failure) => {
                // Where a call beside this one is fetching it, no fetch is due here.
                if !resolver.has_sought_key(self.now()) {
                    self.refresh = Some(failure);
                }
                return None;
            }
        };
        let now = self.now();
        let other = resolver.document(now);
        if let Some(other) = other.filter(|other| !Arc::ptr_eq(other, used)) {
            return Some(other);
        }
        if resolver.has_sought_key(now) {
            return None;
        }
        // A fetch that is not begun does not count, and its failure is told.
        if resolver.wait_until(now).is_none() && !self.deadline.is_over() {
            resolver.seek_key(now);
        }
        match self.fetch_document().await {
            Ok(newer) => Some(newer),
            Err(failure) => {
                self.refresh = Some(failure);
                self.save().await;
                None
            }
        }
    }

    /// Fetches the document; whoever calls holds `fetching`.
    async fn fetch_document(&mut self) -> Result<Arc<Discovery>, Failure> {
        let asked_at = self.now();
        let url = format!("{}{DISCOVERY_PATH}", self.resolver.issuer);
        let received = self.get(Stage::Discovery, url, DISCOVERY_MAX_BYTES).await?;
        let discovery = Discovery::read(&received.body, &self.resolver.issuer)
            .map_err(|refusal| Failure::refused(Stage::Discovery, &refusal))?;
        let discovery = Arc::new(discovery);
        let seconds = headers::document_seconds(&received.headers);
        self.resolver
            .keep(&discovery, &received.body, asked_at, seconds);
        self.save().await;
        Ok(discovery)
    }

    /// Judges with this document, and with a newer one where a key is not in it.
    async fn judge<T: Send>(
        &mut self,
        mut discovery: Arc<Discovery>,
        read: impl Fn(&Discovery, Time) -> T,
        lacks_key: impl Fn(&T) -> bool,
    ) -> (Arc<Discovery>, T) {
        loop {
            let judged = read(&discovery, self.now());
            if !lacks_key(&judged) {
                return (discovery, judged);
            }
            match self.newer(&discovery).await {
                Some(newer) => discovery = newer,
                None => return (discovery, judged),
            }
        }
    }

    async fn judge_answer(
        &mut self,
        discovery: Arc<Discovery>,
        body: &[u8],
    ) -> Result<(Arc<Discovery>, Answer), Failure> {
        let read = |discovery: &Discovery, now| Answer::read(body, discovery, now);
        let lacks_key = |answer: &Result<Answer, Refusal>| {
            let of_key = |(_, refusal): &(usize, Refusal)| refusal.code() == Code::KidUnknown;
            answer
                .as_ref()
                .is_ok_and(|answer| answer.dropped.iter().any(of_key))
        };
        let (discovery, answer) = self.judge(discovery, read, lacks_key).await;
        let answer = answer.map_err(|refusal| Failure::refused(Stage::Resolve, &refusal))?;
        Ok((discovery, answer))
    }

    /// Sends one request, and checks the answer in the order of `client.failure-order` up to its body.
    async fn get(
        &mut self,
        stage: Stage,
        url: String,
        max_bytes: usize,
    ) -> Result<Received, Failure> {
        let resolver = self.resolver;
        let failed = |code, detail: String| Err(Failure::new(stage, code, detail));
        if let Some(until) = resolver.wait_until(self.now()) {
            let detail = format!("not asked: it wants to be left alone until {until}");
            return failed(FailureCode::StatusCode, detail);
        }
        let time = self.deadline.left().max(Duration::from_millis(1));
        let transport = self.means.transport;
        let visit = self
            .visit
            .get_or_insert_with(|| transport.visit(&resolver.issuer, time));
        let get = visit.get(Get { url, max_bytes });
        let reply = within(self.deadline, stage, get)
            .await?
            .map_err(|broken| of_transport(stage, broken))?;
        let at = self.now();
        if matches!(reply.status, 429 | 503)
            && let Some(until) = headers::wait_until(&reply.headers, at)
        {
            resolver.leave_alone(until);
            self.save().await;
        }
        match reply.status {
            200 => {}
            300..400 => {
                let detail = format!("HTTP status {}, which is not followed", reply.status);
                return failed(FailureCode::Rule(Code::Redirect), detail);
            }
            status => return Err(Failure::of_status(stage, status)),
        }
        if let Some(coding) = reply.coding {
            return failed(FailureCode::ContentCoding, coding);
        }
        if !headers::is_json(&reply.headers) {
            let detail = "the media type is not application/json, or not given once";
            return failed(FailureCode::Rule(Code::MediaType), detail.to_owned());
        }
        let body = within(self.deadline, stage, reply.body.read())
            .await?
            .map_err(|broken| of_transport(stage, broken))?;
        Ok(Received {
            headers: reply.headers,
            body,
            at,
        })
    }

    /// Why a document that was sought for a key was not to be had, if that happened.
    pub(crate) fn take_refresh(&mut self) -> Option<Failure> {
        self.refresh.take()
    }

    async fn save(&mut self) {
        let _ = self.deadline.run(self.resolver.save()).await;
    }

    fn now(&self) -> Time {
        self.means.clock.now()
    }
}

/// Waits until the resolver's time is over.
async fn within<F: Future>(
    deadline: Deadline,
    stage: Stage,
    future: F,
) -> Result<F::Output, Failure> {
    let over = || Failure::new(stage, FailureCode::Timeout, "the resolver's time was over");
    deadline.run(future).await.ok_or_else(over)
}

fn of_transport(stage: Stage, broken: Broken) -> Failure {
    let detail = broken.to_string();
    match broken {
        Broken::Network(_) => Failure::new(stage, FailureCode::Network, detail),
        Broken::Timeout(_) => Failure::new(stage, FailureCode::Timeout, detail),
        Broken::Coding(_) => Failure::new(stage, FailureCode::ContentCoding, detail),
        Broken::TooLarge(_) => Failure::too_large(stage, detail),
    }
}

fn lacks_key<T>(read: &Result<T, Refusal>) -> bool {
    read.as_ref()
        .is_err_and(|refusal| refusal.code() == Code::KidUnknown)
}

/// What an answer came to.
fn answered(
    discovery: &Arc<Discovery>,
    answer: Answer,
    kept: &Kept,
    cached: bool,
) -> (Vec<Statement>, Answered) {
    let clock_doubt = clock_doubt(&answer, kept);
    let pointers = answer.copy_differs.into_iter();
    let pointers = pointers.map(Difference::CopyDiffers);
    let places = answer.duplicate_url.into_iter();
    let places = places.map(Difference::DuplicateUrl);
    let dropped = answer.dropped.into_iter();
    let answered = Answered {
        resolver: discovery.resolver().to_owned(),
        cached,
        candidates: answer.candidates.len(),
        dropped: dropped
            .map(|(at, refusal)| Dropped { at, refusal })
            .collect(),
        differences: pointers.chain(places).chain(clock_doubt).collect(),
    };
    let statements = answer.candidates.into_iter();
    let statements = statements.map(|candidate| Statement::of_candidate(discovery, candidate));
    (statements.collect(), answered)
}

/// `client.clock`.
fn clock_doubt(answer: &Answer, kept: &Kept) -> Option<Difference> {
    let theirs = kept.other_clock?;
    let codes = answer.dropped.iter().map(|(_, refusal)| refusal.code());
    let mut of_tokens = codes.filter(|code| *code != Code::JwsMissing).peekable();
    let of_times = |code| {
        use Code::{CheckedAtFuture, Expired, IssuedInFuture, NotYetValid};
        matches!(
            code,
            Expired | IssuedInFuture | CheckedAtFuture | NotYetValid
        )
    };
    let doubtful =
        answer.candidates.is_empty() && of_tokens.peek().is_some() && of_tokens.all(of_times);
    doubtful.then_some(Difference::ClockDoubt {
        theirs,
        ours: kept.since,
    })
}
