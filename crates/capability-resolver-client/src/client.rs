//! The client: who is asked, in which way, and what is put together of it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use capability_resolution::{Constraints, Discovery, Need, Origin, Refusal, ServerUrl};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::answers::{Answers, Question};
use crate::ask::{Conversation, Means};
use crate::budget::{Budget, Deadline};
use crate::clock::{Clock, SystemClock};
use crate::disk::Disk;
use crate::failure::{Failure, FailureCode, Stage};
use crate::known::Resolver;
use crate::merge::merge;
use crate::query::RecordKey;
use crate::resolvers::Resolvers;
use crate::result::{Answered, Outcome, Recorded, Report, Resolution, StatedRecord, Statement};
use crate::transport::{GuardedTransport, Transport};

/// Asks resolvers and verifies what they say. Cheap to clone; clones share what they know and keep. There is no other
/// state.
///
/// Every call can be cancelled by dropping its future.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    resolvers: Vec<Resolver>,
    asking: Asking,
    budget: Budget,
    clock: Box<dyn Clock>,
    transport: Box<dyn Transport>,
    answers: Answers,
}

/// Who is asked when there are several: `client.order`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Asking {
    /// One after the other, until one gives a candidate whose token verifies. It costs the least privacy.
    #[default]
    InOrder,
    /// All at the same time. Each of them learns the need.
    AtOnce,
}

/// Settings of a [`Client`]; from [`Client::builder`].
pub struct Builder {
    resolvers: Resolvers,
    asking: Asking,
    budget: Budget,
    clock: Box<dyn Clock>,
    transport: Option<Box<dyn Transport>>,
    folder: Option<PathBuf>,
}

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The transport cannot be set up.
    #[error("requests cannot be set up")]
    Transport(#[source] Box<guarded_fetch::Error>),
    /// The folder for what is kept cannot be used.
    #[error("{} cannot be used to keep answers", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What a resolver says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered {
    /// Who was asked.
    pub issuer: Origin,
    /// Its discovery document, or why there is none.
    pub document: Result<Arc<Discovery>, Failure>,
    /// How long it took.
    pub took: Duration,
}

/// Why a token states nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The token breaks a rule.
    #[error("the token is refused: {0}")]
    Refused(Refusal),
    /// Nobody is asked about a token but the resolvers of the list.
    #[error("the token says it is of {0}, which is not in the list of resolvers")]
    NotListed(String),
    /// The token says of no resolver that it is its own.
    #[error("the token does not say whose it is")]
    Nobody,
    /// The resolver's keys cannot be had.
    #[error("{0}")]
    Resolver(Failure),
}

impl Client {
    /// Starts with an empty list, the defaults of the text, and nothing on disk.
    #[must_use]
    pub fn builder() -> Builder {
        Builder {
            resolvers: Resolvers::new(),
            asking: Asking::default(),
            budget: Budget::default(),
            clock: Box::new(SystemClock),
            transport: None,
            folder: None,
        }
    }

    /// Asks which servers can do a job.
    ///
    /// It returns within the budget whatever the resolvers do, and never fails: what went wrong stands in the result.
    pub async fn resolve(&self, need: &Need, constraints: Constraints) -> Resolution {
        let asked = Asked::Need(need.clone(), constraints);
        let (found, reports) = match self.0.asking {
            Asking::InOrder => self.in_order(asked).await,
            Asking::AtOnce => self.at_once(asked).await,
        };
        let statements = found.into_iter().flat_map(|found| found.statements);
        Resolution {
            advice: merge(statements),
            reports,
        }
    }

    /// Asks for the record of a server, one resolver after the other until one has it: each that is asked learns in
    /// which server the client is interested.
    pub async fn record(&self, url: &ServerUrl) -> Recorded {
        let asked = Asked::Record(RecordKey::Url(url.clone()));
        Recorded::of(self.in_order(asked).await)
    }

    /// Asks one resolver of the list for a record; nobody, if it is not in the list.
    pub async fn record_of(&self, issuer: &Origin, key: RecordKey) -> Recorded {
        let call = self.0.budget.begin();
        let mut resolvers = self.0.resolvers.iter();
        let (mut found, mut reports) = (Vec::new(), Vec::new());
        if let Some(at) = resolvers.position(|resolver| resolver.issuer == *issuer) {
            let (here, report) = self.0.ask(at, &Asked::Record(key), call).await;
            found.push(here);
            reports.push(report);
        }
        Recorded::of((found, reports))
    }

    /// Verifies a token that came from elsewhere, by the keys of its issuer, who must be in the list.
    ///
    /// # Errors
    ///
    /// [`VerifyError`].
    pub async fn verify(&self, jws: &str) -> Result<Statement, VerifyError> {
        let issuer = claimed_issuer(jws).ok_or(VerifyError::Nobody)?;
        let mut resolvers = self.0.resolvers.iter();
        let Some(resolver) = resolvers.find(|resolver| resolver.issuer.as_str() == issuer) else {
            return Err(VerifyError::NotListed(issuer));
        };
        let call = self.0.budget.begin();
        let deadline = self.0.budget.of_resolver(call);
        Conversation::new(self.0.means(), resolver, deadline)
            .verify(jws)
            .await
            .map_err(VerifyError::Resolver)?
            .map_err(VerifyError::Refused)
    }

    /// Fetches the discovery document of every resolver. Nobody learns a need by it.
    pub async fn discover(&self) -> Vec<Discovered> {
        let call = self.0.budget.begin();
        self.beside_each_other(move |inner, at| async move {
            let began = Instant::now();
            let resolver = &inner.resolvers[at];
            let deadline = inner.budget.of_resolver(call);
            let document = Conversation::new(inner.means(), resolver, deadline)
                .discovery()
                .await;
            Discovered {
                issuer: resolver.issuer.clone(),
                document,
                took: began.elapsed(),
            }
        })
        .await
    }

    /// One after the other, until something is found.
    async fn in_order(&self, asked: Asked) -> (Vec<Found>, Vec<Report>) {
        let call = self.0.budget.begin();
        let (mut found, mut reports) = (Vec::new(), Vec::new());
        for (at, resolver) in self.0.resolvers.iter().enumerate() {
            if found.iter().any(Found::is_some) {
                reports.push(Report {
                    issuer: resolver.issuer.clone(),
                    outcome: Outcome::NotAsked,
                    refresh: None,
                    took: Duration::ZERO,
                });
                continue;
            }
            let (here, report) = self.0.ask(at, &asked, call).await;
            found.push(here);
            reports.push(report);
        }
        (found, reports)
    }

    async fn at_once(&self, asked: Asked) -> (Vec<Found>, Vec<Report>) {
        let call = self.0.budget.begin();
        let asked = Arc::new(asked);
        let answers = self.beside_each_other(move |inner, at| {
            let asked = Arc::clone(&asked);
            async move { inner.ask(at, &asked, call).await }
        });
        answers.await.into_iter().unzip()
    }

    /// Does something with every resolver at the same time; in the order of the list. Dropping the future ends all.
    async fn beside_each_other<T, F, R>(&self, work: F) -> Vec<T>
    where
        T: Send + 'static,
        F: Fn(Arc<Inner>, usize) -> R,
        R: Future<Output = T> + Send + 'static,
    {
        let mut running = JoinSet::new();
        for at in 0..self.0.resolvers.len() {
            let work = work(Arc::clone(&self.0), at);
            running.spawn(async move { (at, work.await) });
        }
        let mut done = running.join_all().await;
        done.sort_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, came)| came).collect()
    }
}

/// What all resolvers are asked.
enum Asked {
    Need(Need, Constraints),
    Record(RecordKey),
}

impl Asked {
    async fn of(
        &self,
        conversation: &mut Conversation<'_>,
        issuer: &Origin,
    ) -> Result<(Found, Answered), Failure> {
        match self {
            Self::Need(need, constraints) => {
                let question = Question {
                    issuer: issuer.clone(),
                    need: need.clone(),
                    constraints: *constraints,
                };
                let (statements, answered) = conversation.resolve(question).await?;
                let found = Found {
                    statements,
                    record: None,
                };
                Ok((found, answered))
            }
            Self::Record(key) => {
                let (record, answered) = conversation.record(key).await?;
                let found = Found {
                    statements: Vec::new(),
                    record: Some(record),
                };
                Ok((found, answered))
            }
        }
    }
}

/// What one of them said.
#[derive(Default)]
struct Found {
    statements: Vec<Statement>,
    record: Option<StatedRecord>,
}

impl Recorded {
    fn of((found, reports): (Vec<Found>, Vec<Report>)) -> Self {
        Self {
            record: found.into_iter().find_map(|found| found.record),
            reports,
        }
    }
}

impl Found {
    fn is_some(&self) -> bool {
        !self.statements.is_empty() || self.record.is_some()
    }
}

impl Inner {
    fn means(&self) -> Means<'_> {
        Means {
            clock: &*self.clock,
            transport: &*self.transport,
            answers: &self.answers,
        }
    }

    /// Asks one resolver, within its time.
    async fn ask(&self, at: usize, asked: &Asked, call: Deadline) -> (Found, Report) {
        let began = Instant::now();
        let resolver = &self.resolvers[at];
        let deadline = self.budget.of_resolver(call);
        let mut conversation = Conversation::new(self.means(), resolver, deadline);
        let said = if call.is_over() {
            let detail = "not asked: the time of the call was over before its turn";
            Err(Failure::new(Stage::Discovery, FailureCode::Timeout, detail))
        } else {
            asked.of(&mut conversation, &resolver.issuer).await
        };
        let (found, outcome) = match said {
            Ok((found, answered)) => (found, Outcome::Answered(answered)),
            Err(failure) => (Found::default(), Outcome::Skipped(failure)),
        };
        let report = Report {
            issuer: resolver.issuer.clone(),
            outcome,
            refresh: conversation.take_refresh(),
            took: began.elapsed(),
        };
        (found, report)
    }
}

impl Builder {
    /// Who is asked, in this order.
    #[must_use]
    pub fn resolvers(mut self, resolvers: Resolvers) -> Self {
        self.resolvers = resolvers;
        self
    }

    /// Adds one resolver behind the others.
    ///
    /// # Errors
    ///
    /// [`crate::ListError`].
    pub fn resolver(mut self, issuer: Origin) -> Result<Self, crate::ListError> {
        self.resolvers.add(issuer)?;
        Ok(self)
    }

    /// In which way several are asked.
    #[must_use]
    pub fn asking(mut self, asking: Asking) -> Self {
        self.asking = asking;
        self
    }

    /// How long is waited: `client.budget-caller`.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// The clock, if not that of the system.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// The way to the resolvers, if not [`GuardedTransport::new`].
    #[must_use]
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.transport = Some(Box::new(transport));
        self
    }

    /// Keeps answers and documents also in this folder, for the next process: readable by the user only, and sealed, so
    /// that no need can be read there (`client.cache-private`). The folder is made if there is none.
    #[must_use]
    pub fn keep_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Makes the client. Nothing is sent.
    ///
    /// # Errors
    ///
    /// [`BuildError`].
    pub fn build(self) -> Result<Client, BuildError> {
        let transport = match self.transport {
            Some(transport) => transport,
            None => Box::new(
                GuardedTransport::new().map_err(|error| BuildError::Transport(Box::new(error)))?,
            ),
        };
        let open = |folder: PathBuf| match Disk::open(&folder) {
            Ok(disk) => Ok(Arc::new(disk)),
            Err(source) => Err(BuildError::Folder { folder, source }),
        };
        let disk = self.folder.map(open).transpose()?;
        let resolvers = self.resolvers.iter();
        Ok(Client(Arc::new(Inner {
            resolvers: resolvers
                .map(|issuer| Resolver::new(issuer.clone(), disk.clone()))
                .collect(),
            asking: self.asking,
            budget: self.budget,
            clock: self.clock,
            transport,
            answers: Answers::new(disk),
        })))
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let resolvers = self.0.resolvers.iter();
        f.debug_struct("Client")
            .field(
                "resolvers",
                &resolvers.map(|r| r.issuer.as_str()).collect::<Vec<_>>(),
            )
            .field("asking", &self.0.asking)
            .field("budget", &self.0.budget)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder")
            .field("resolvers", &self.resolvers)
            .field("asking", &self.asking)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

/// Whose a token says that it is. Nothing follows from it but whom to ask for keys, out of a list.
fn claimed_issuer(jws: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Payload {
        iss: String,
    }
    if jws.len() > capability_resolution::limits::TOKEN_MAX_BYTES {
        return None;
    }
    let payload = URL_SAFE_NO_PAD.decode(jws.split('.').nth(1)?).ok()?;
    serde_json::from_slice::<Payload>(&payload)
        .ok()
        .map(|payload| payload.iss)
}
