//! What goes on beside answering: the snapshot is made anew, files are read again, and servers are observed.

use std::fs::File;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use command_console::Explain;
use guarded_fetch::Fetcher;
use tokio::sync::watch;

use crate::commands::observe;
use crate::config::Config;
use crate::http::{App, Tls};
use crate::network::{self, Switch};
use crate::observe::{NetworkProber, News, ObserveError, Observer};
use crate::store::SqliteStore;

/// What is kept up, until it is stopped.
pub(super) struct Upkeep {
    pub(super) app: Arc<App>,
    pub(super) config: Config,
    pub(super) tls: Option<Arc<Tls>>,
    pub(super) switch: Switch,
    pub(super) stop: watch::Receiver<bool>,
}

/// How often it is looked whether the store has changed, and whether files have.
const LOOK: Duration = Duration::from_secs(1);
/// A snapshot is not made sooner than this after the one before, and takes a twentieth of one core at most.
const SNAPSHOT_PAUSE: Duration = Duration::from_secs(5);
const SNAPSHOT_SHARE: u32 = 20;
/// After a fault the observer begins anew so much later.
const OBSERVER_PAUSE: Duration = Duration::from_secs(10);

/// Ready once it is to stop.
pub(in crate::commands) async fn stopped(mut stop: watch::Receiver<bool>) {
    // A sender that is gone has stopped too.
    let _ = stop.wait_for(|stop| *stop).await;
}

impl Upkeep {
    /// Starts all of it, from within the runtime; the threads end when it is stopped.
    pub(super) fn start(self, observer: Option<(File, Fetcher)>) -> Vec<JoinHandle<()>> {
        let this = Arc::new(self);
        tokio::spawn(reread(Arc::clone(&this)));
        let snapshots = Arc::clone(&this);
        let mut threads = vec![thread::spawn(move || snapshots.make_snapshots())];
        if let Some((lock, fetcher)) = observer {
            threads.push(thread::spawn(move || this.observe(&lock, &fetcher)));
        }
        threads
    }

    fn make_snapshots(&self) {
        let (log, resolver) = (self.app.log(), self.app.resolver());
        let mut is_there = true;
        let mut wait = LOOK;
        while self.goes_on(wait) {
            let began = Instant::now();
            let refreshed = resolver.refresh();
            wait = LOOK;
            match refreshed {
                Ok(true) => {
                    let took = began.elapsed();
                    let servers = resolver.snapshot().map_or(0, |(servers, _)| servers);
                    let ms = took.as_millis();
                    log.debug(format_args!("new snapshot of {servers} servers in {ms} ms"));
                    wait = SNAPSHOT_PAUSE.max(took * SNAPSHOT_SHARE);
                }
                Ok(false) => {}
                Err(error) => {
                    if is_there {
                        log.warn(format_args!("{}: {error}", error.code()));
                    }
                }
            }
            is_there = resolver.check().is_ok();
            if is_there {
                self.app.available();
            } else {
                wait = LOOK;
            }
        }
    }

    /// Waits; whether it goes on after that.
    fn goes_on(&self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        while Instant::now() < until {
            if *self.stop.borrow() {
                return false;
            }
            thread::sleep(Duration::from_millis(50).min(wait));
        }
        !*self.stop.borrow()
    }

    /// Observes until it is stopped, and begins anew after a fault: answers do not end with it.
    fn observe(&self, _lock: &File, fetcher: &Fetcher) {
        let log = self.app.log();
        let mut wait = Duration::ZERO;
        while self.goes_on(wait) {
            match self.observe_once(fetcher) {
                Ok(()) => return,
                Err(error) => log.warn(format_args!("{}: {error}", error.code())),
            }
            wait = OBSERVER_PAUSE;
        }
    }

    fn observe_once(&self, fetcher: &Fetcher) -> Result<(), ObserveError> {
        let mut store = SqliteStore::open_existing(&self.config.store)?;
        let prober = NetworkProber::new(fetcher.clone()).allow_loopback(self.switch.allow_loopback);
        let observer = Observer::new(
            &mut store,
            prober,
            observe::settings(&self.config, self.switch),
        );
        let log = self.app.log();
        let mut tell = |news: News<'_>| match news {
            News::Progress(tally) => log.debug(format_args!("{}", observe::line(tally))),
            News::NobodyAnswers(asked) => {
                log.warn(format_args!("{}", observe::nobody_answers(asked).message()));
            }
            News::AnswersAgain => log.info(format_args!("somebody answers again")),
            News::Source(name, report) => {
                log.info(format_args!("{}", observe::source(name, report)))
            }
            News::UnreadSource(error) => log.warn(format_args!("{}: {error}", error.code())),
        };
        let run = observer.run(false, stopped(self.stop.clone()), &mut tell);
        match network::wait(run) {
            Ok(result) => result.map(drop),
            Err(error) => Err(ObserveError::Machine(error.to_string())),
        }
    }
}

/// Reads keys, pages and the certificate again, when it is time or somebody asks for it.
async fn reread(this: Arc<Upkeep>) {
    let mut asked = hangups();
    let mut told = Told::default();
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = next(&mut asked) => {}
            () = stopped(this.stop.clone()) => return,
        }
        let of_this_turn = Arc::clone(&this);
        // Files may lie on a disk that takes its time.
        let read = tokio::task::spawn_blocking(move || {
            let mut told = told;
            of_this_turn.reread(&mut told);
            told
        });
        match read.await {
            Ok(now_told) => told = now_told,
            Err(_) => return,
        }
    }
}

/// What the log has told of files that cannot be used, so that it does so once.
#[derive(Debug, Default)]
struct Told {
    keys: Option<String>,
    pages: Option<String>,
    tls: Option<String>,
}

impl Upkeep {
    fn reread(&self, told: &mut Told) {
        let log = self.app.log();
        let tell = |told: &mut Option<String>, what: &str, fault: Option<String>| {
            if *told != fault {
                match &fault {
                    Some(fault) => log.warn(format_args!("{what} are those of before: {fault}")),
                    None => log.info(format_args!("{what} can be read again")),
                }
                *told = fault;
            }
        };
        let keys = self.app.resolver().reread_keys().err();
        tell(
            &mut told.keys,
            "the keys",
            keys.map(|error| error.to_string()),
        );
        let pages = self.app.pages().reread(self.switch.allow_loopback).err();
        tell(
            &mut told.pages,
            "policy and changelog",
            pages.map(|error| error.to_string()),
        );
        if let Some(tls) = &self.tls {
            let reread = tls.reread();
            if reread.as_ref().is_ok_and(|changed| *changed) {
                log.info(format_args!("new connections get the new certificate"));
            }
            let fault = reread.err().map(|error| error.to_string());
            tell(&mut told.tls, "certificate and key", fault);
        }
    }
}

#[cfg(unix)]
type Hangups = Option<tokio::signal::unix::Signal>;

#[cfg(unix)]
fn hangups() -> Hangups {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::hangup()).ok()
}

#[cfg(unix)]
async fn next(hangups: &mut Hangups) {
    let Some(hangups) = hangups else {
        return std::future::pending().await;
    };
    if hangups.recv().await.is_none() {
        std::future::pending::<()>().await;
    }
}

#[cfg(not(unix))]
type Hangups = ();

#[cfg(not(unix))]
fn hangups() -> Hangups {}

#[cfg(not(unix))]
async fn next(_: &mut Hangups) {
    std::future::pending().await
}
