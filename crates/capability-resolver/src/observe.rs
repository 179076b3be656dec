//! Observes what is due: who is asked when, and what is kept of it. How a server is asked is behind [`Prober`].
//!
//! Only this task works on the store; what waits for the network runs beside it and hands over what it saw. Whatever was
//! not handed over when the program ends was not seen: a kill and Ctrl-C lose nothing and invent nothing.

mod network;
mod own_network;
mod prober;
mod report;
mod sources;
mod steady_clock;

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use capabilities_txt::PublicSuffixes;
use capabilities_txt::fetch::Outcome as FileOutcome;
use capability_resolution::{Origin, Time};
use tokio::task::JoinSet;
use tokio::time::Instant;
use url::Url;

use crate::clock::seconds_since;
use crate::config::Schedule;
use crate::import::{ImportError, UrlSource};
use crate::observed::{Observed, Start};
use crate::schedule::{Plan, WAIT_MIN_SECONDS, next_look};
use crate::server_file;
use crate::standing::Standing;
use crate::store::{Server, ServerId, Store, StoreError};

pub use network::NetworkProber;
pub use prober::{Asked, Heard, NotNow, Prober};
pub use report::{News, OWN_NETWORK_HELP, ObserveError, Tally};

use own_network::{Check, OwnNetwork, Times};
use sources::Sources;
use steady_clock::{Jump, SteadyClock};

/// A server file is fetched again after so many seconds, so that it is never older than the 24 hours of
/// `captxt.fetch.cache` and `deny.reread`.
pub const FILE_REREAD_SECONDS: u64 = 23 * 3_600;

/// How often what is due is looked up anew, and progress is told.
const TICK: Duration = Duration::from_secs(5);
const RENEW: Duration = Duration::from_secs(60);

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
    /// Sources that are read again each day.
    pub sources: Vec<Url>,
    /// Whether sources may name servers of this machine: `origin.loopback`.
    pub allow_loopback: bool,
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
    work: JoinSet<(Instant, Instant, Done)>,
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
    own_network: OwnNetwork<Done>,
    sources: Sources,
    /// What is named from now on is due then; at the time of each naming, if there is none.
    named_at: Option<Time>,
}

/// What asking came to.
enum Done {
    Server {
        server: ServerId,
        host: String,
        result: Result<Asked<Observed>, NotNow>,
    },
    File {
        host: String,
        result: Result<Asked<FileOutcome<Vec<u8>>>, NotNow>,
    },
    Document {
        number: usize,
        source: Box<UrlSource>,
        asked: Asked<Result<Vec<u8>, ImportError>>,
    },
}

impl Done {
    /// Who was heard, if anybody was asked.
    fn heard(&self) -> Option<Heard> {
        match self {
            Self::Server { result, .. } => result.as_ref().ok().map(|asked| asked.heard),
            Self::File { result, .. } => result.as_ref().ok().map(|asked| asked.heard),
            // No observation, and not held back.
            Self::Document { asked, .. } => {
                Some(asked.heard).filter(|heard| *heard != Heard::Nobody)
            }
        }
    }
}

impl<'s, P: Prober> Observer<'s, P> {
    /// A run over a store.
    pub fn new(store: &'s mut dyn Store, prober: P, settings: Settings) -> Self {
        let clock = SteadyClock::new((settings.clock)(), Instant::now());
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
            own_network: OwnNetwork::new(),
            sources: Sources::default(),
            named_at: None,
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
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<Tally, ObserveError> {
        let mut stop = std::pin::pin!(stop);
        let began = (self.settings.clock)();
        // For a clock that went back since the last run: nobody is waited for longer than a day.
        self.store.wait_no_longer_than(began.plus(DAY))?;
        self.sources = Sources::new(&self.settings.sources, self.store)?;
        self.named_at = once.then_some(began);
        self.renew(began)?;
        let mut renewed = Instant::now();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        tick.reset();
        let mut is_told = false;
        loop {
            self.start_what_fits()?;
            if let Some(asked) = self.doubt()? {
                if once {
                    return Err(ObserveError::NobodyAnswers { asked });
                }
                if !std::mem::replace(&mut is_told, true) {
                    tell(News::NobodyAnswers(asked));
                }
            }
            if self.work.is_empty() {
                // What a server file has named just now is due as well.
                self.renew(if once { began } else { (self.settings.clock)() })?;
                renewed = Instant::now();
                self.start_what_fits()?;
                if once && self.work.is_empty() && self.own_network.held() == 0 {
                    return Ok(self.told());
                }
            }
            let is_idle = self.work.is_empty();
            tokio::select! {
                done = self.work.join_next(), if !is_idle => {
                    match done {
                        Some(Ok((began, ended, done))) => self.take(began, ended, done, tell)?,
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
                    tell(News::Progress(&self.told()));
                }
            }
            if is_told && !self.own_network.is_cut_off() {
                is_told = false;
                tell(News::AnswersAgain);
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
            under_way: self.work.len() + self.own_network.held(),
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
        if !self.own_network.is_cut_off() {
            for (number, source) in self.sources.due((self.settings.clock)()) {
                self.fetch_document(number, Box::new(source));
            }
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
        if self.own_network.is_cut_off() && self.room() > 0 {
            self.check()?;
        }
        while self.room() > 0 {
            if let Some(host) = self.files.pop_front() {
                self.fetch_file(host);
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

    fn room(&self) -> usize {
        self.own_network
            .room(self.settings.in_flight, self.work.len(), Instant::now())
    }

    fn fetch_file(&mut self, host: String) {
        let prober = self.prober.clone();
        self.spawn(async move {
            let result = prober.fetch_file(&host).await;
            Done::File { host, result }
        });
    }

    fn fetch_document(&mut self, number: usize, source: Box<UrlSource>) {
        let prober = self.prober.clone();
        self.spawn(async move {
            let asked = prober.fetch_document(source.next(), source.name()).await;
            Done::Document {
                number,
                source,
                asked,
            }
        });
    }

    fn spawn(&mut self, work: impl Future<Output = Done> + Send + 'static) {
        self.work.spawn(async move {
            let began = Instant::now();
            let done = work.await;
            (began, Instant::now(), done)
        });
    }

    /// Finds out whether somebody answers, where what was asked went unanswered and nothing else can tell. Hands over how
    /// much is not kept, if nobody does.
    fn doubt(&mut self) -> Result<Option<usize>, ObserveError> {
        let now = Instant::now();
        let is_late = self.own_network.is_too_late(now);
        if self.own_network.held() == 0 || !(self.work.is_empty() || is_late) {
            return Ok(None);
        }
        if !is_late && self.check()? {
            return Ok(None);
        }
        let given_up = self.own_network.give_up(now);
        let asked = given_up.len();
        let now = (self.settings.clock)();
        for done in given_up {
            match done {
                Done::Server { server, .. } => {
                    self.under_way.remove(&server);
                    self.tally.unanswered += 1;
                    self.postpone(server, now, now)?;
                }
                Done::File { host, .. } => self.not_fetched(host, Duration::ZERO, now),
                // Never held back.
                Done::Document { number, .. } => self.sources.done(number, false, now),
            }
        }
        Ok(Some(asked))
    }

    /// Asks some who answered before, unless that was done. Whether there is something to wait for.
    fn check(&mut self) -> Result<bool, StoreError> {
        match self.own_network.check(Instant::now()) {
            Check::Done => Ok(false),
            Check::Later => Ok(true),
            Check::Now(most) => {
                for host in self.store.hosts_that_answered(most)? {
                    if self.reading.insert(host.clone()) {
                        self.fetch_file(host);
                    }
                }
                Ok(!self.work.is_empty())
            }
        }
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
                        let again = row.fetched_at.plus(FILE_REREAD_SECONDS);
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
                return self.leave(id, &host, now.plus(WAIT_MIN_SECONDS), now);
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
        self.spawn(async move {
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
        self.plan.done(host);
        self.postpone(server, until, now)
    }

    fn postpone(&mut self, server: ServerId, until: Time, now: Time) -> Result<(), ObserveError> {
        let soonest = now.plus(WAIT_MIN_SECONDS);
        Ok(self.store.postpone(server, until.max(soonest))?)
    }

    fn take(
        &mut self,
        began: Instant,
        ended: Instant,
        done: Done,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<(), ObserveError> {
        self.watch_clock()?;
        if let Done::Server { host, .. } = &done {
            self.plan.done(host);
        }
        let times = |answered| Times {
            began,
            ended,
            answered,
        };
        let kept = match done.heard() {
            Some(Heard::Somebody(at)) => self.own_network.take(times(Some(at)), done),
            Some(Heard::Nobody) => self.own_network.take(times(None), done),
            Some(Heard::OwnMachine) | None => vec![done],
        };
        kept.into_iter().try_for_each(|done| self.keep(done, tell))
    }

    fn keep(&mut self, done: Done, tell: &mut dyn FnMut(News<'_>)) -> Result<(), ObserveError> {
        let now = (self.settings.clock)();
        match done {
            Done::Server {
                server: id, result, ..
            } => {
                let server = self.under_way.remove(&id);
                match result {
                    Ok(Asked {
                        result: observed, ..
                    }) => {
                        let before = server.as_ref().and_then(Server::standing);
                        let standing = Standing::after(before, &observed);
                        let next = next_look(self.settings.schedule, &standing, &observed, draw());
                        self.store.append(id, &observed, next)?;
                        let (word, why) = observed.outcome.words();
                        let outcome =
                            why.map_or_else(|| word.to_owned(), |why| format!("{word} ({why})"));
                        *self.tally.observed.entry(outcome).or_insert(0) += 1;
                    }
                    Err(NotNow::Later(wait)) => {
                        self.tally.later += 1;
                        self.postpone(id, now.plus(wait.as_secs()), now)?;
                    }
                    Err(NotNow::Machine(why)) => return Err(ObserveError::Machine(why)),
                }
            }
            Done::File { host, result } => match result {
                Ok(Asked {
                    result: outcome, ..
                }) => {
                    let row = self.store.server_file(&host)?;
                    let row = server_file::after(row.as_ref(), outcome, now);
                    self.store.put_server_file(&host, &row)?;
                    let named_at = self.named_at.unwrap_or(now);
                    server_file::take_claims(self.store, &host, &row, &self.suffixes, named_at)?;
                    self.not_now.remove(&host);
                    self.tally.files += 1;
                    self.fetched(&host);
                }
                Err(NotNow::Later(wait)) => self.not_fetched(host, wait, now),
                Err(NotNow::Machine(why)) => return Err(ObserveError::Machine(why)),
            },
            Done::Document {
                number,
                source,
                asked,
            } => self.read_source(number, source, asked.result, now, tell)?,
        }
        Ok(())
    }

    /// A document of a source, and after it the next one.
    fn read_source(
        &mut self,
        number: usize,
        mut source: Box<UrlSource>,
        document: Result<Vec<u8>, ImportError>,
        now: Time,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<(), StoreError> {
        let named_at = self.named_at.unwrap_or(now);
        let allow_loopback = self.settings.allow_loopback;
        // What is left out is told by `import`, and counted here.
        let taken = document.and_then(|document| {
            source.take(&document, self.store, named_at, allow_loopback, &mut |_| {})
        });
        match taken {
            Ok(true) => self.fetch_document(number, source),
            Ok(false) => {
                self.tally.sources += 1;
                self.sources.done(number, true, now);
                tell(News::Source(source.name(), source.report()));
            }
            Err(ImportError::Store(error)) => return Err(error),
            Err(error) => {
                self.tally.unread_sources += 1;
                self.sources.done(number, false, now);
                tell(News::UnreadSource(&error));
            }
        }
        Ok(())
    }

    /// A server file that could not be asked for now; its servers wait no longer for it in this run.
    fn not_fetched(&mut self, host: String, wait: Duration, now: Time) {
        self.fetched(&host);
        let wait = wait.as_secs().clamp(WAIT_MIN_SECONDS, DAY);
        self.not_now.insert(host, now.plus(wait));
    }

    fn fetched(&mut self, host: &str) {
        self.reading.remove(host);
        self.waiting.retain(|_, files| {
            files.remove(host);
            !files.is_empty()
        });
    }

    /// A clock that jumped says nothing of how far two failures lie apart, and one that went back lets nobody wait.
    fn watch_clock(&mut self) -> Result<(), StoreError> {
        let now = (self.settings.clock)();
        match self.clock.check(now, Instant::now()) {
            Jump::None => Ok(()),
            Jump::Forward => self.store.forget_first_failures(),
            Jump::Back => {
                self.store.forget_first_failures()?;
                self.store.wait_no_longer_than(now.plus(DAY))
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

#[cfg(test)]
mod tests;
