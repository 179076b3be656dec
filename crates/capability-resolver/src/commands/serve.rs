//! `capability-resolver serve`: answers over HTTP.

pub(super) mod upkeep;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use command_console::{Console, Diagnostic, Explain, Failure, Outcome};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::observe::{lock, stopped};
use crate::answer::{Open, Reader, Resolver, Settings};
use crate::cli::Global;
use crate::clock;
use crate::config::{Config, EXAMPLE_ORIGIN, FILE_NAME};
use crate::discovery::Identity;
use crate::http::{App, Callers, Limits, Listener, Tls, metrics_router, router};
use crate::log::{Level, Log, hide_panics};
use crate::mcp;
use crate::network::{self, NetworkError, Switch};
use crate::pages::Pages;
use crate::store::{SqliteStore, Store};

/// Answer: which servers can do a job, each with a signed statement of what was observed.
///
/// Runs until it is stopped (Ctrl-C, SIGTERM). Keys, policy, changelog and certificate are read again when they change, at
/// once on SIGHUP. `observe` may run beside it, in another process or with --observe in this one; a deny holds in both from
/// the moment its file is read.
///
/// Exit code 0: stopped; 2: it could not be done.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver serve --observe
  capability-resolver serve --listen 127.0.0.1:8420 --log debug")]
pub(crate) struct Args {
    /// Also observe what is due, as `observe` does.
    #[arg(long)]
    observe: bool,
    /// Where to listen, in place of what the settings say; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// How much is told on standard error; never what was asked, nor by whom.
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t)]
    log: Level,
    #[command(flatten)]
    switch: Switch,
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub(super) enum ServeError {
    #[error("tls-certificate and tls-key belong together, and one of them is missing")]
    HalfTls,
    #[error(
        "{0} can be reached from elsewhere, and requests in the clear are answered to proxies only (rule http.https)"
    )]
    PlainHttp(SocketAddr),
    #[error("cannot listen at {address}")]
    Listen {
        address: SocketAddr,
        source: std::io::Error,
    },
    #[error("cannot set up the runtime")]
    Runtime(#[source] std::io::Error),
}

impl Explain for ServeError {
    fn code(&self) -> &'static str {
        match self {
            Self::HalfTls => "half-tls",
            Self::PlainHttp(_) => "plain-http",
            Self::Listen { .. } => "cannot-listen",
            Self::Runtime(_) => "no-runtime",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::PlainHttp(_) => Some(format!(
                "in {FILE_NAME}, under [serve], set tls-certificate and tls-key, or name your proxies; or listen on loopback"
            )),
            Self::Listen { .. } => Some(
                "choose another address with --listen; with port 0 it takes any that is free"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let (config, store) = global.store()?;
    // It is whole and of today's version; answers open it for themselves, and never make one.
    drop(store);
    if config.origin.as_str() == EXAMPLE_ORIGIN && !args.switch.allow_loopback {
        return Err(NetworkError::Example.into());
    }
    let address = args.listen.unwrap_or(config.listen);
    let serving = Serving {
        tls: tls(&config, address)?,
        config,
        switch: args.switch,
        log: Log::new(args.log),
        observe: args.observe,
    };
    super::warn_of_suffixes(global.now(), console);
    let runtime = runtime()?;
    let listener = serving.listen(&runtime, address)?;
    serving.run(&runtime, listener, stopped(), |listener, app| {
        tell(listener, app, console);
    })
}

/// What is served, and how.
pub(super) struct Serving {
    pub(super) config: Config,
    pub(super) tls: Option<Arc<Tls>>,
    pub(super) switch: Switch,
    pub(super) log: Log,
    pub(super) observe: bool,
}

/// What it runs on.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|source| ServeError::Runtime(source).into())
}

impl Serving {
    pub(super) fn listen(
        &self,
        runtime: &Runtime,
        address: SocketAddr,
    ) -> Result<Listener, Failure> {
        let _entered = runtime.enter();
        Ok(bind(address, self.tls.clone())?)
    }

    /// Serves until `stop` is ready, and tells before it begins.
    pub(super) fn run(
        self,
        runtime: &Runtime,
        listener: Listener,
        stop: impl Future<Output = ()>,
        tell: impl FnOnce(&Listener, &App),
    ) -> Result<Outcome, Failure> {
        let Self {
            config,
            tls,
            switch,
            log,
            observe,
        } = self;
        let allow_loopback = switch.allow_loopback;
        let pages = Pages::read(&config, allow_loopback)
            .map_err(|error| Failure::new(error.diagnostic()))?;
        let resolver = Arc::new(Resolver::new(
            Settings {
                identity: Identity {
                    issuer: config.origin.clone(),
                    name: config.name.clone(),
                },
                keys: config.keys.clone(),
                discovery_max_age: config.discovery_max_age,
                allow_loopback,
                clock: clock::now,
            },
            Reader::new(open(&config.store)),
        )?);
        resolver.refresh()?;
        let observer = observe
            .then(|| Ok::<_, Failure>((lock(&config)?, network::fetcher(&config, switch)?)))
            .transpose()?;
        let per_minute = u32::try_from(config.serve.requests_per_minute).unwrap_or(u32::MAX);
        let callers = Callers::new(config.serve.proxies.clone(), per_minute);
        let app = App::new(resolver, pages, callers, log);
        hide_panics(log);
        raise_file_limit();
        let (send_stop, is_stopped) = watch::channel(false);
        let upkeep = upkeep::Upkeep {
            app: Arc::clone(&app),
            config: config.clone(),
            tls,
            switch,
            stop: is_stopped.clone(),
        };
        let result = runtime.block_on(async {
            let metrics = config
                .serve
                .metrics
                .map(|address| bind(address, None).map(Listener::for_everybody))
                .transpose()?;
            tell(&listener, &app);
            let threads = upkeep.start(observer);
            if let Some(metrics) = metrics {
                let (app, router) = (Arc::clone(&app), metrics_router(&app));
                let stop = upkeep::stopped(is_stopped.clone());
                tokio::spawn(metrics.serve(app, router, Limits::default(), stop));
            }
            let limits = Limits {
                connections: usize::try_from(config.serve.connections).unwrap_or(usize::MAX),
                ..Limits::default()
            };
            let routes = router(&app, mcp::router(&app));
            listener.serve(Arc::clone(&app), routes, limits, stop).await;
            log.info(format_args!("stopping"));
            send_stop.send_replace(true);
            Ok::<_, ServeError>(threads)
        });
        for thread in result? {
            // One that fell over has said so.
            let _ = thread.join();
        }
        Ok(Outcome::True)
    }
}

fn tls(config: &Config, address: SocketAddr) -> Result<Option<Arc<Tls>>, Failure> {
    let (certificate, key) = (&config.serve.tls_certificate, &config.serve.tls_key);
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some(Arc::new(Tls::read(certificate, key)?))),
        (None, None) => {
            let only_here = |net: &ipnet::IpNet| net.network().is_loopback();
            if !address.ip().is_loopback() && config.serve.proxies.iter().all(only_here) {
                return Err(ServeError::PlainHttp(address).into());
            }
            Ok(None)
        }
        _ => Err(ServeError::HalfTls.into()),
    }
}

fn open(path: &Path) -> Open {
    let path = path.to_owned();
    Box::new(move || {
        let store: Box<dyn Store> = Box::new(SqliteStore::open_existing(&path)?);
        Ok(store)
    })
}

fn bind(address: SocketAddr, tls: Option<Arc<Tls>>) -> Result<Listener, ServeError> {
    Listener::bind(address, tls).map_err(|source| ServeError::Listen { address, source })
}

fn tell(listener: &Listener, app: &App, console: &mut Console) {
    let address = listener.address().map(|address| address.to_string());
    let scheme = if listener.is_secure() {
        "https"
    } else {
        "http"
    };
    let issuer = &app.resolver().settings().identity.issuer;
    console.data(format_args!(
        "{issuer} answers at {scheme}://{}",
        address.unwrap_or_default()
    ));
    let servers = app.resolver().snapshot().map_or(0, |(servers, _)| servers);
    if servers == 0 {
        console.talk(
            Diagnostic::warning(
                "no-servers",
                "nobody names a server yet, so every answer is empty",
            )
            .help("capability-resolver import takes lists of servers, and observe looks at them"),
        );
    }
}

/// As many files as the system lets this process have: each connection is one.
#[cfg(unix)]
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Without it there are fewer connections, and accepting waits.
    let _ = setrlimit(Resource::Nofile, limit);
}

#[cfg(not(unix))]
fn raise_file_limit() {}
