//! The command line: one line per command here, everything else in the command's own module.

mod console;
mod decode;
mod error;
mod expected;
mod list;
mod report;
mod run;
mod sections;
mod select;
mod show;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use console::Console;
use error::CliError;

/// The test vectors of Capability Resolution: run them against any program, list them, look at one.
///
/// Exit code 0: it holds or is done; 1: a vector failed; 2: it could not be told, or something was not run.
#[derive(Debug, Parser)]
#[command(name = "conformance-vectors", version, propagate_version = false)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// To add a command: its module, a variant here, and a line in [`main`].
#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    List(list::Args),
    Show(show::Args),
}

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// What was asked holds, or is done.
    True,
    /// It does not hold.
    False,
    /// It could not be told.
    Unknown,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::True => 0,
            Outcome::False => 1,
            Outcome::Unknown => 2,
        })
    }
}

/// Reads the process's command line, runs the command, and says how it ended.
pub(crate) fn main() -> ExitCode {
    let mut console = Console::of_process();
    let outcome = match Cli::parse().command {
        Command::Run(args) => run::run(&args, &mut console),
        Command::List(args) => list::run(&args, &mut console),
        Command::Show(args) => show::run(&args, &mut console),
    };
    let outcome = outcome.unwrap_or_else(|error| {
        console.talk(&error.to_string());
        Outcome::Unknown
    });
    match console.finish() {
        Ok(()) => outcome.into(),
        Err(error) => {
            Console::of_process().talk(&CliError::Output(error).to_string());
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
    fn every_command_shows_examples_that_parse() {
        for command in Cli::command().get_subcommands() {
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let examples: Vec<_> = help
                .lines()
                .filter_map(|line| line.trim().strip_prefix("conformance-vectors"))
                .collect();
            let name = command.get_name();
            assert!(
                help.starts_with("Examples:\n") && !examples.is_empty(),
                "{name}"
            );
            for example in examples {
                let line = example.split("  ").next().unwrap_or_default();
                Cli::try_parse_from(
                    ["conformance-vectors"]
                        .into_iter()
                        .chain(line.split_whitespace()),
                )
                .unwrap_or_else(|error| panic!("`conformance-vectors{line}`: {error}"));
            }
        }
    }
}
