//! `capability-resolver demo`: a resolver over servers of this process, on this machine and for as long as it runs.

mod ask;
mod servers;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use capability_resolution::{Origin, Status};
use command_console::style::{BOLD, DIM};
use command_console::{Console, Explain, Failure, Outcome};
use tokio::sync::watch;

use self::servers::Servers;
use super::serve::{Serving, runtime, upkeep};
use super::{init, observe};
use crate::clock;
use crate::config::{Config, EXAMPLE_ORIGIN, FILE_NAME};
use crate::discovery::{DISCOVERY_PATH, MCP_PATH, RESOLVE_PATH};
use crate::import::Import;
use crate::log::{Level, Log};
use crate::network::{self, Switch};
use crate::observe::{NetworkProber, Observer};
use crate::pages::UNFINISHED;
use crate::store::{SqliteStore, Store as _};

/// See a resolver at work: a few servers are started in this process, looked at as any others, and answered for.
///
/// Everything is real but the name: the resolver and its servers are of this machine, which only a development switch
/// allows (rule origin.loopback), and giving this command turns it on for this run. It keeps its folder among the temporary
/// ones, and removes it when it is stopped (Ctrl-C).
///
/// Exit code 0: stopped; 2: it could not be done.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver demo
  capability-resolver demo --once
  capability-resolver demo --listen 127.0.0.1:9000")]
pub(crate) struct Args {
    /// Where to listen, on 127.0.0.1; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8420", value_parser = loopback)]
    listen: SocketAddr,
    /// Ask once, show the answer, and end.
    #[arg(long)]
    once: bool,
    /// How much is told on standard error; never what was asked, nor by whom.
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "warn")]
    log: Level,
}

/// Why nothing is shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum DemoError {
    #[error("cannot make or fill a temporary folder")]
    Folder(#[source] std::io::Error),
    #[error("cannot remove {}, which holds a key", path.display())]
    Left {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("cannot start a server on this machine")]
    Server(#[source] std::io::Error),
    #[error("the resolver did not answer as it should: {0}")]
    Answer(String),
}

impl Explain for DemoError {
    fn code(&self) -> &'static str {
        match self {
            Self::Folder(_) => "no-folder",
            Self::Left { .. } => "folder-left",
            Self::Server(_) => "no-server",
            Self::Answer(_) => "no-answer",
        }
    }
}

/// What is asked for.
const NEED: &str = "send an email";

/// After a first failure, the second look that `down` needs: as soon as the text allows.
const SECOND_LOOK_MINUTES: u64 = 10;

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let runtime = runtime()?;
    let (send_stop, is_stopped) = watch::channel(false);
    // From here on the folder is removed however this ends, short of being killed.
    runtime.spawn(async move {
        observe::stopped().await;
        send_stop.send_replace(true);
    });
    let folder = tempfile::Builder::new()
        .prefix("capability-resolver-demo-")
        .tempdir()
        .map_err(DemoError::Folder)?;
    let mut serving = Serving {
        config: config(folder.path())?,
        tls: None,
        switch: Switch {
            allow_loopback: true,
        },
        log: Log::new(args.log),
        observe: true,
    };
    let listener = serving.listen(&runtime, args.listen)?;
    let address = listener.address().map_err(DemoError::Server)?;
    serving.config.origin = origin(address)?;
    disclose(&serving.config).map_err(DemoError::Folder)?;
    let servers = runtime
        .block_on(servers::start())
        .map_err(DemoError::Server)?;
    look(&serving, &servers, upkeep::stopped(is_stopped.clone()))?;
    show(&serving.config, &servers, args.once, console)?;
    let issuer = serving.config.origin.clone();
    let fetcher = network::fetcher(&serving.config, serving.switch)?;
    let mut asked = None;
    let stop = async {
        if args.once {
            asked = Some(ask::ask(&fetcher, &issuer, NEED).await);
        } else {
            upkeep::stopped(is_stopped).await;
        }
    };
    serving.run(&runtime, listener, stop, |_, _| ())?;
    match asked {
        Some(Ok(answer)) => ask::show(&answer, NEED, console),
        Some(Err(why)) => return Err(DemoError::Answer(why).into()),
        None => {}
    }
    // Whoever cannot remove a folder is told of it: it holds a key, though nobody trusts it.
    let path = folder.path().to_owned();
    folder
        .close()
        .map_err(|source| DemoError::Left { path, source })?;
    Ok(Outcome::True)
}

fn config(folder: &Path) -> Result<Config, Failure> {
    init::temporary(folder, "Demonstration", clock::now())?;
    let mut config =
        Config::read(&folder.join(FILE_NAME)).map_err(|error| Failure::new(error.diagnostic()))?;
    config.schedule.second_look_minutes = SECOND_LOOK_MINUTES;
    Ok(config)
}

/// Makes the policy true of the resolver that runs: its origin, and whose the servers are that it lists.
fn disclose(config: &Config) -> std::io::Result<()> {
    let template = std::fs::read_to_string(&config.policy)?;
    let policy = template
        .replace(EXAMPLE_ORIGIN, config.origin.as_str())
        .replace(
            &format!("**{UNFINISHED}**"),
            "we run all of them, in this process",
        )
        .replace(
            "We do not host, proxy or impersonate any server that we list.",
            "The servers of this demonstration run in the same process, under origins of their own; we proxy and impersonate none.",
        );
    std::fs::write(&config.policy, policy)
}

/// The resolver is who it is only while it runs.
fn origin(address: SocketAddr) -> Result<Origin, DemoError> {
    let text = format!("http://{address}");
    Origin::loopback(&text).map_err(|error| DemoError::Answer(error.to_string()))
}

/// Takes the catalogue, and observes what it names: as `import` and `observe` do.
fn look(
    serving: &Serving,
    servers: &Servers,
    stop: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let Serving { config, switch, .. } = serving;
    let mut store = SqliteStore::open(&config.store)?;
    Import::new(&mut store, "demonstration", clock::now(), &mut |_| ())
        .allow_loopback(true)
        .read(servers.catalogue.as_bytes(), None)?;
    let prober = NetworkProber::new(network::fetcher(config, *switch)?).allow_loopback(true);
    let observer = Observer::new(&mut store, prober, observe::settings(config, *switch));
    network::wait(observer.run(true, stop, &mut |_| ()))??;
    Ok(())
}

fn show(
    config: &Config,
    servers: &Servers,
    once: bool,
    console: &mut Console,
) -> Result<(), Failure> {
    let store = SqliteStore::open_existing(&config.store)?;
    let mut stated = HashMap::new();
    store.each_server(&mut |server| {
        let status = server
            .standing()
            .and_then(|standing| standing.status(clock::now()));
        stated.insert(server.url.to_string(), status.map(|(status, _)| status));
    })?;
    let issuer = &config.origin;
    let count = servers.named.len();
    console.data(format_args!(
        "{BOLD}a resolver at {issuer}{BOLD:#}, and {count} servers that it has just looked at"
    ));
    for (url, name) in &servers.named {
        let status = stated.get(url).copied().flatten();
        let word = status.map_or("", Status::as_str);
        let why = match status {
            Some(Status::SignIn) => "answers those who sign in",
            Some(Status::Unknown) => {
                "nobody answers; down only after a second look, in 10 to 13 minutes"
            }
            _ => "lists its tools to everybody",
        };
        console.data(format_args!(
            "  {word:8}  {url:26}  {name:15}  {DIM}{why}{DIM:#}"
        ));
    }
    if once {
        return Ok(());
    }
    let need = NEED.replace(' ', "+");
    console.data(format_args!("\n{BOLD}ask it{BOLD:#}"));
    console.data(format_args!("  curl '{issuer}{RESOLVE_PATH}?need={need}'"));
    console.data(format_args!(
        "  {DIM}three candidates, the one that is ok first; each jws is signed with a key of {issuer}{DISCOVERY_PATH}{DIM:#}"
    ));
    console.data(format_args!(
        "  {issuer}/  {DIM}the same in a browser{DIM:#}"
    ));
    console.data(format_args!(
        "  {issuer}{MCP_PATH}  {DIM}the same as a tool of the Model Context Protocol{DIM:#}"
    ));
    console.data(format_args!("\n{BOLD}see that it conforms{BOLD:#}"));
    console.data(format_args!(
        "  capability-resolution-check {issuer} --allow-loopback --sample-need '{NEED}'"
    ));
    console.data(format_args!("\nCtrl-C ends it, and nothing of it is left"));
    Ok(())
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text.parse().map_err(|error| format!("{error}"))?;
    // The only address that `origin.loopback` has.
    if address.ip() == std::net::Ipv4Addr::LOCALHOST {
        Ok(address)
    } else {
        Err("a demonstration is for this machine: 127.0.0.1 (rule origin.loopback)".to_owned())
    }
}
