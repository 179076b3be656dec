//! The command line: one line per command here, everything else in the command's own module.

use std::path::PathBuf;
use std::process::ExitCode;

use capability_resolution::Time;
use clap::{Parser, Subcommand};
use command_console::{Console, Failure, finish};

use crate::clock;
use crate::commands::{demo, forget, import, init, keys, observe, search, serve, status};
use crate::config::{Config, FILE_NAME};
use crate::store::SqliteStore;

/// Run a resolver: find servers, observe them yourself, and answer for what you saw.
///
/// Exit code 0: done, or it holds; 1: looked at, and it does not hold; 2: it could not be done or told.
#[derive(Debug, Parser)]
#[command(
    name = "capability-resolver",
    version,
    propagate_version = false,
    after_help = "Examples:
  capability-resolver demo              see one at work
  capability-resolver init resolver     make the folder of your own
  capability-resolver serve --observe   in that folder: answer, and look at servers"
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Global {
    /// The resolver's settings; its other files are found from there.
    #[arg(long, global = true, value_name = "FILE", default_value = FILE_NAME)]
    config: PathBuf,
    /// The moment to take as now; for tests, which have no clock.
    #[arg(long, global = true, hide = true, value_name = "TIME", value_parser = time)]
    now: Option<Time>,
}

/// To add a command: its module in `commands`, a variant here, and a line in [`main`].
#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Args),
    Init(init::Args),
    Keys(keys::Args),
    Import(import::Args),
    Observe(observe::Args),
    Search(search::Args),
    Serve(serve::Args),
    Status(status::Args),
    Forget(forget::Args),
}

/// Reads the process's command line, runs the command, and says how it ended.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut console = Console::of_process();
    let result = match &cli.command {
        Command::Demo(args) => demo::run(args, &mut console),
        Command::Init(args) => init::run(args, &cli.global, &mut console),
        Command::Keys(args) => keys::run(args, &cli.global, &mut console),
        Command::Import(args) => import::run(args, &cli.global, &mut console),
        Command::Observe(args) => observe::run(args, &cli.global, &mut console),
        Command::Search(args) => search::run(args, &cli.global, &mut console),
        Command::Serve(args) => serve::run(args, &cli.global, &mut console),
        Command::Status(args) => status::run(args, &cli.global, &mut console),
        Command::Forget(args) => forget::run(args, &cli.global, &mut console),
    };
    finish(console, result)
}

impl Global {
    /// The settings.
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        Config::read(&self.config).map_err(|error| Failure::new(error.diagnostic()))
    }

    /// The settings, and the store that they name.
    pub(crate) fn store(&self) -> Result<(Config, SqliteStore), Failure> {
        let config = self.config()?;
        let store = SqliteStore::open(&config.store)?;
        Ok((config, store))
    }

    /// Now.
    pub(crate) fn now(&self) -> Time {
        self.now.unwrap_or_else(clock::now)
    }
}

fn time(text: &str) -> Result<Time, String> {
    Time::from_document(text).ok_or_else(|| "expected a time like 2026-11-30T12:00:05Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_in_json_has_a_schema() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        command_console::check_schemas::<Cli>(root).unwrap();
    }

    #[test]
    fn every_command_shows_examples_that_parse() {
        command_console::check_examples::<Cli>().unwrap();
    }
}
