//! The command line: one line per command here, everything else in the command's own module.

use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::commands::{adapter, token};
use crate::console::Console;
use crate::error::CheckError;

/// Check what resolvers publish against the rules of Capability Resolution.
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

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// What was checked keeps the rules.
    Valid,
    /// It breaks one.
    Invalid,
    /// It could not be told.
    Unknown,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Valid => 0,
            Outcome::Invalid => 1,
            Outcome::Unknown => 2,
        })
    }
}

/// Reads the process's command line, runs the command, and says how it ended.
pub(crate) fn main() -> ExitCode {
    let mut console = Console::of_process();
    let outcome = match Cli::parse().command {
        Command::Token(args) => token::run(&args, &mut console),
        Command::Adapter(_) => adapter::run(),
    };
    let outcome = outcome.unwrap_or_else(|error| {
        console.talk(&error.to_string());
        Outcome::Unknown
    });
    match console.finish() {
        Ok(()) => outcome.into(),
        Err(error) => {
            Console::of_process().talk(&CheckError::Output(error).to_string());
            Outcome::Unknown.into()
        }
    }
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
    fn every_command_shows_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(help.starts_with("Examples:\n"), "{}", command.get_name());
        }
    }
}
