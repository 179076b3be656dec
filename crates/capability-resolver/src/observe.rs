//! Observes what is due: who is asked when, and what is kept of it. How a server is asked is behind [`Prober`].
//!
//! Only this task works on the store; what waits for the network runs beside it and hands over what it saw. Whatever was
//! not handed over when the program ends was not seen: a kill and Ctrl-C lose nothing and invent nothing.

mod network;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use capabilities_txt::PublicSuffixes;
use capabilities_txt::fetch::Outcome as FileOutcome;
use capability_resolution::{Origin, ServerUrl, Time};
use command_console::Explain;
use serde::Serialize;
use tokio::task::JoinSet;

use crate::clock::{after, seconds_since};
use crate::config::Schedule;
use crate::observed::{Observed, Start};
use crate::schedule::{Plan, WAIT_MIN_SECONDS, next_look};
use crate::server_file;
use crate::standing::Standing;
use crate::store::{Server, ServerId, Store, StoreError};

pub use network::NetworkProber;

/// A server file is fetched again after so many seconds, so that it is never older than the 24 hours of
/// `captxt.fetch.cache` and `deny.reread`.
pub const FILE_REREAD_SECONDS: u64 = 23 * 3_600;

/// How far the clock may be from where it should be, in seconds, before it counts as a jump.
const JUMP_SECONDS: u64 = 60;

/// How often what is due is looked up anew, and progress is told.
const TICK: Duration = Duration::from_secs(5);
const RENEW: Duration = Duration::from_secs(60);

/// How a server is asked. A clone asks the same way.
pub trait Prober: Clone + Send + Sync + 'static {
    /// Observes a server once: section 15.1.3.
    fn probe(
        &self,
        url: &ServerUrl,
        begin_with: Start,
        started_at: Time,
    ) -> impl Future<Output = Result<Observed, NotNow>> + Send;

    /// Fetches the server file of a host: section 11.7.
    fn fetch_file(
        &self,
        host: &str,
    ) -> impl Future<Output = Result<FileOutcome<Vec<u8>>, NotNow>> + Send;
}

/// Why nothing was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotNow {
    /// It is not the moment, for about so long.
    Later(Duration),
    /// This machine cannot ask anybody.
    Machine(String),
}

/// Why observing ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObserveError {
    /// This machine cannot ask anybody.
    #[error("nothing can be observed from here: {0}")]
    Machine(String),
    /// The store did not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Explain for ObserveError {
    fn code(&self) -> &'static str {
        match self {
            Self::Machine(_) => "machine",
            Self::Store(error) => error.code(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Machine(_) => None,
            Self::Store(error) => error.help(),
        }
    }
}

/// What was done so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Observations, by what they came to.
    pub observed: BTreeMap<String, u64>,
    /// Servers that were left alone, since a server file denies them.
    pub denied: u64,
    /// Servers that were left for later.
    pub later: u64,
    /// Server files that were fetched, whatever came of it.
    pub files: u64,
    /// Servers that wait for their turn.
    pub waiting: usize,
    /// Requests that are under way.
    pub under_way: usize,
}

/// What is fixed for a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The resolver that servers may deny.
    pub issuer: Origin,
    /// How often.
    pub schedule: Schedule,
    /// How many servers at once.
    pub in_flight: usize,
    /// How many of them on one host.
    pub per_host: u64,
    /// Where the time comes from.
    pub clock: fn() -> Time,
}

/// The state of a run.
pub struct Observer<'s, P> {
    store: &'s mut dyn Store,
    prober: P,
    settings: Settings,
    suffixes: PublicSuffixes,
    plan: Plan,
    work: JoinSet<Done>,
    under_way: HashMap<ServerId, Server>,
    /// Server files that are being fetched, or will be.
    files: VecDeque<String>,
    reading: HashSet<String>,
    /// Hosts whose servers wait for server files, and for which.
    waiting: HashMap<String, HashSet<String>>,
    /// Server files that could not be asked for, until when.
    not_now: HashMap<String, Time>,
    tally: Tally,
    clock: SteadyClock,
}

/// What a request came to.
enum Done {
    Server {
        server: ServerId,
        host: String,
        result: Result<Observed, NotNow>,
    },
    File {
        host: String,
        result: Result<FileOutcome<Vec<u8>>, NotNow>,
    },
}

impl<'s, P: Prober> Observer<'s, P> {
    /// A run over a store.
    pub fn new(store: &'s mut dyn Store, prober: P, settings: Settings) -> Self {
        let clock = SteadyClock::new((settings.clock)());
        Self {
            store,
            prober,
            settings,
            suffixes: PublicSuffixes::compiled_in(),
            plan: Plan::default(),
            work: JoinSet::new(),
            under_way: HashMap::new(),
            files: VecDeque::new(),
            reading: HashSet::new(),
            waiting: HashMap::new(),
            not_now: HashMap::new(),
            tally: Tally::default(),
            clock,
        }
    }

    /// Observes what is due. With `once` until nothing is left of what is due now; else until `stop` is ready, when
    /// what is under way is dropped. `tell` is told now and then how far it is.
    ///
    /// # Errors
    ///
    /// [`ObserveError`]; what was handed over until then is kept.
    pub async fn run(
        mut self,
        once: bool,
        stop: impl Future<Output = ()>,
        tell: &mut dyn FnMut(&Tally),
    ) -> Result<Tally, ObserveError> {
        let mut stop = std::pin::pin!(stop);
        let began = (self.settings.clock)();
        // For a clock that went back since the last run: nobody is waited for longer than a day.
        self.store.wait_no_longer_than(after(began, DAY))?;
        self.renew(began)?;
        let mut renewed = Instant::now();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        tick.reset();
        loop {
            self.start_what_fits()?;
            if self.work.is_empty() {
                // What a server file has named just now is due as well.
                self.renew(if once { began } else { (self.settings.clock)() })?;
                renewed = Instant::now();
                self.start_what_fits()?;
                if once && self.work.is_empty() {
                    return Ok(self.told());
                }
            }
            let is_idle = self.work.is_empty();
            tokio::select! {
                done = self.work.join_next(), if !is_idle => {
                    match done {
                        Some(Ok(done)) => self.keep(done)?,
                        Some(Err(error)) => return Err(ObserveError::Machine(error.to_string())),
                        None => {}
                    }
                }
                () = &mut stop => {
                    self.work.abort_all();
                    return Ok(self.told());
                }
                _ = tick.tick() => {
                    self.watch_clock()?;
                    tell(&self.told());
                }
            }
            if renewed.elapsed() >= RENEW {
                self.renew(if once { began } else { (self.settings.clock)() })?;
                renewed = Instant::now();
            }
        }
    }

    fn told(&self) -> Tally {
        Tally {
            waiting: self.plan.left(),
            under_way: self.work.len(),
            ..self.tally.clone()
        }
    }

    /// Looks up what is due.
    fn renew(&mut self, now: Time) -> Result<(), StoreError> {
        let due = self
            .store
            .due(now)?
            .into_iter()
            .filter(|due| !self.under_way.contains_key(&due.server));
        self.plan.renew(due.map(|due| (due.server, due.host)));
        let stale = self.store.files_due(before(now, FILE_REREAD_SECONDS))?;
        for host in stale {
            self.want_file(host, now);
        }
        Ok(())
    }

    /// Puts a file on the list of those to fetch, once.
    fn want_file(&mut self, host: String, now: Time) -> bool {
        if self.not_now.get(&host).is_some_and(|until| *until > now) {
            return false;
        }
        if self.reading.insert(host.clone()) {
            self.files.push_back(host);
        }
        true
    }

    fn start_what_fits(&mut self) -> Result<(), ObserveError> {
        while self.work.len() < self.settings.in_flight {
            if let Some(host) = self.files.pop_front() {
                let prober = self.prober.clone();
                self.work.spawn(async move {
                    let result = prober.fetch_file(&host).await;
                    Done::File { host, result }
                });
                continue;
            }
            let waiting = &self.waiting;
            let Some((server, host)) = self
                .plan
                .next(self.settings.per_host, |host| !waiting.contains_key(host))
            else {
                return Ok(());
            };
            self.start(server, host)?;
        }
        Ok(())
    }

    /// Begins to observe a server, once the files that speak for it are read: `deny.before-listing`.
    fn start(&mut self, id: ServerId, host: String) -> Result<(), ObserveError> {
        let now = (self.settings.clock)();
        let Some(server) = self.store.server(id)?.filter(|server| server.named) else {
            self.plan.done(&host);
            return Ok(());
        };
        let mut missing = HashSet::new();
        let mut denied_until = None;
        for file_host in server_file::hosts_of(&server.url, &self.suffixes) {
            match self.store.server_file(&file_host)? {
                Some(row) if is_fresh(row.fetched_at, now) => {
                    if server_file::denies(&row, &self.settings.issuer, now) {
                        let again = after(row.fetched_at, FILE_REREAD_SECONDS);
                        denied_until =
                            Some(denied_until.map_or(again, |until: Time| until.min(again)));
                    }
                }
                _ => {
                    missing.insert(file_host);
                }
            }
        }
        // `observation.stop`: one file that denies is enough.
        if let Some(until) = denied_until {
            self.tally.denied += 1;
            return self.leave(id, &host, until, now);
        }
        if !missing.is_empty() {
            if !missing
                .iter()
                .all(|file_host| self.want_file(file_host.clone(), now))
            {
                self.tally.later += 1;
                return self.leave(id, &host, after(now, WAIT_MIN_SECONDS), now);
            }
            self.waiting.insert(host.clone(), missing);
            self.plan.put_back(id, host);
            return Ok(());
        }
        let prober = self.prober.clone();
        let (url, begin_with) = (
            server.url.clone(),
            server
                .standing()
                .map_or(Start::Discover, Standing::begin_with),
        );
        self.under_way.insert(id, server);
        self.work.spawn(async move {
            let result = prober.probe(&url, begin_with, now).await;
            Done::Server {
                server: id,
                host,
                result,
            }
        });
        Ok(())
    }

    fn leave(
        &mut self,
        server: ServerId,
        host: &str,
        until: Time,
        now: Time,
    ) -> Result<(), ObserveError> {
        self.store
            .postpone(server, until.max(after(now, WAIT_MIN_SECONDS)))?;
        self.plan.done(host);
        Ok(())
    }

    fn keep(&mut self, done: Done) -> Result<(), ObserveError> {
        self.watch_clock()?;
        let now = (self.settings.clock)();
        match done {
            Done::Server {
                server: id,
                host,
                result,
            } => {
                let server = self.under_way.remove(&id);
                match result {
                    Ok(observed) => {
                        let before = server.as_ref().and_then(Server::standing);
                        let standing = Standing::after(before, &observed);
                        let next = next_look(self.settings.schedule, &standing, &observed, draw());
                        self.store.append(id, &observed, next)?;
                        let (word, why) = observed.outcome.words();
                        let outcome =
                            why.map_or_else(|| word.to_owned(), |why| format!("{word} ({why})"));
                        *self.tally.observed.entry(outcome).or_insert(0) += 1;
                        self.plan.done(&host);
                    }
                    Err(NotNow::Later(wait)) => {
                        self.tally.later += 1;
                        self.leave(id, &host, after(now, wait.as_secs()), now)?;
                    }
                    Err(NotNow::Machine(why)) => return Err(ObserveError::Machine(why)),
                }
            }
            Done::File { host, result } => {
                self.reading.remove(&host);
                match result {
                    Ok(outcome) => {
                        let row = self.store.server_file(&host)?;
                        let row = server_file::after(row.as_ref(), outcome, now);
                        self.store.put_server_file(&host, &row)?;
                        server_file::take_claims(self.store, &host, &row, &self.suffixes, now)?;
                        self.not_now.remove(&host);
                        self.tally.files += 1;
                    }
                    Err(NotNow::Later(wait)) => {
                        let wait = wait.as_secs().clamp(WAIT_MIN_SECONDS, DAY);
                        self.not_now.insert(host.clone(), after(now, wait));
                    }
                    Err(NotNow::Machine(why)) => return Err(ObserveError::Machine(why)),
                }
                self.waiting.retain(|_, files| {
                    files.remove(&host);
                    !files.is_empty()
                });
            }
        }
        Ok(())
    }

    /// A clock that jumped says nothing of how far two failures lie apart, and one that went back lets nobody wait.
    fn watch_clock(&mut self) -> Result<(), StoreError> {
        let now = (self.settings.clock)();
        match self.clock.check(now, Instant::now()) {
            Jump::None => Ok(()),
            Jump::Forward => self.store.forget_first_failures(),
            Jump::Back => {
                self.store.forget_first_failures()?;
                self.store.wait_no_longer_than(after(now, DAY))
            }
        }
    }
}

const DAY: u64 = 86_400;

fn is_fresh(fetched_at: Time, now: Time) -> bool {
    fetched_at <= now && seconds_since(now, fetched_at) < FILE_REREAD_SECONDS
}

fn before(time: Time, seconds: u64) -> Time {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    Time::from_unix_seconds(time.unix_seconds().saturating_sub(seconds))
}

/// Any number; without one, the servers are only less spread.
fn draw() -> u32 {
    getrandom::u32().unwrap_or(0)
}

/// A wall clock, held against one that only goes forward.
#[derive(Debug)]
struct SteadyClock {
    wall: Time,
    at: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Jump {
    None,
    Forward,
    Back,
}

impl SteadyClock {
    fn new(wall: Time) -> Self {
        Self {
            wall,
            at: Instant::now(),
        }
    }

    fn check(&mut self, wall: Time, at: Instant) -> Jump {
        let expected = after(self.wall, at.saturating_duration_since(self.at).as_secs());
        let jump = if seconds_since(wall, expected) > JUMP_SECONDS {
            Jump::Forward
        } else if seconds_since(expected, wall) > JUMP_SECONDS {
            Jump::Back
        } else {
            Jump::None
        };
        *self = Self { wall, at };
        jump
    }
}

#[cfg(test)]
mod tests;
