//! The command line: one line per command here, everything else in the command's own module.

use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use command_console::{Console, finish};

use crate::commands::{adapter, file, new, token};

/// Check what resolvers and owners of servers publish against the rules of Capability Resolution.
///
/// Exit code 0: it keeps the rules; 1: it breaks one; 2: it could not be told.
#[derive(Debug, Parser)]
#[command(
    name = "capability-resolution-check",
    version,
    propagate_version = false
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// To add a command: its module in `commands`, a variant here, and a line in [`main`].
#[derive(Debug, Subcommand)]
enum Command {
    Token(token::Args),
    File(file::Args),
    New(new::Args),
    Adapter(adapter::Args),
}

/// How a command writes its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// Sentences for people.
    #[default]
    Human,
    /// One JSON value.
    Json,
}

/// Reads the process's command line, runs the command, and says how it ended.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut console = Console::of_process();
    let result = match cli.command {
        Command::Token(args) => token::run(&args, &mut console),
        Command::File(args) => file::run(&args, &mut console),
        Command::New(args) => new::run(&args, &mut console),
        Command::Adapter(_) => adapter::run(),
    };
    finish(console, result)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples_that_parse() {
        for example in command_console::examples(&Cli::command()).unwrap() {
            Cli::try_parse_from(&example).unwrap_or_else(|error| panic!("{example:?}: {error}"));
        }
    }
}
