//! The command `capability-resolver-client`: one line per command here, everything else in the command's own module.

mod adapter;
mod files;
mod human;
mod json;
mod mcp;
mod network;
mod record;
mod resolve;
mod resolvers;
mod settings;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use capability_resolution::Time;
use clap::{Parser, Subcommand};
use command_console::{Console, finish};

use crate::clock::{Clock as _, SystemClock};

/// Ask your resolvers which servers can do a job, and believe only what they signed.
///
/// Exit code 0: done, or somebody was found; 1: looked for, and there is nobody, or it does not hold; 2: it could not be
/// done or told.
#[derive(Debug, Parser)]
#[command(
    name = "capability-resolver-client",
    version,
    propagate_version = false,
    after_help = "Examples:
  capability-resolver-client resolvers add https://resolver.example
  capability-resolver-client resolve 'send a transactional email'
  capability-resolver-client mcp --print-config claude-code"
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Global {
    /// Your settings, if not in the place that your system has for them.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// For development: also ask resolvers on this machine, by http too. Holds for this run.
    #[arg(long, global = true)]
    allow_loopback: bool,
    /// The moment to take as now; for tests, which have no clock.
    #[arg(long, global = true, hide = true, value_name = "TIME", value_parser = time)]
    now: Option<Time>,
}

/// To add a command: its module, a variant here, and a line in [`main`].
#[derive(Debug, Subcommand)]
enum Command {
    Resolve(resolve::Args),
    Record(record::Args),
    Verify(verify::Args),
    Resolvers(resolvers::Args),
    Mcp(mcp::Args),
    Adapter(adapter::Args),
}

/// Reads the process's command line, runs the command, and says how it ended.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let global = &cli.global;
    let mut console = Console::of_process();
    let result = match &cli.command {
        Command::Resolve(args) => resolve::run(args, global, &mut console),
        Command::Record(args) => record::run(args, global, &mut console),
        Command::Verify(args) => verify::run(args, global, &mut console),
        Command::Resolvers(args) => resolvers::run(args, global, &mut console),
        Command::Mcp(args) => mcp::run(args, global, &mut console),
        Command::Adapter(_) => adapter::run(),
    };
    finish(console, result)
}

impl Global {
    /// Now.
    fn now(&self) -> Time {
        self.now.unwrap_or_else(|| SystemClock.now())
    }
}

fn time(text: &str) -> Result<Time, String> {
    Time::from_document(text).ok_or_else(|| "expected a time like 2026-11-30T12:00:05Z".to_owned())
}

#[cfg(test)]
mod tests {
    use std::io;

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

    #[test]
    fn messages_that_no_test_of_the_commands_brings_about() {
        let source = || io::Error::other("what the system says");
        let said = command_console::messages(&[
            &files::NoHome(etcetera::HomeDirError),
            &settings::SettingsError::Unreadable {
                path: "config.toml".into(),
                source: source(),
            },
            &settings::SettingsError::Unwritable {
                path: "config.toml".into(),
                source: source(),
            },
            &network::NetworkError::Runtime(source()),
            &mcp::McpError::Program(source()),
            &mcp::McpError::Beginning,
            &mcp::McpError::Broken,
            &verify::VerifyFailure::Input(source()),
            &verify::VerifyFailure::Whose(crate::VerifyError::Nobody),
            &adapter::AdapterError::Stream(source()),
            &adapter::AdapterError::TooLong,
        ]);
        insta::assert_snapshot!(said);
    }
}
