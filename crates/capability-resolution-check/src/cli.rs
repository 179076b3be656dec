//! The command line: one line per command here, everything else in the command's own module.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use command_console::{Console, finish};

use crate::commands::{adapter, faulty, file, new, origin, token, watch};

/// Check what resolvers and owners of servers publish against the rules of Capability Resolution.
///
/// With the URL of a resolver: says whether it reaches the level resolver-1, or which rules it breaks. Only GET requests
/// are sent, about a hundred, at most two at a time.
///
/// Exit code 0: it keeps the rules; 1: it breaks one; 2: it could not be told.
#[derive(Debug, Parser)]
#[command(
    name = "capability-resolution-check",
    version,
    propagate_version = false,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    after_help = "Examples:
  capability-resolution-check https://resolver.example
  capability-resolution-check https://resolver.example --format junit \\
      --sample-need \"send an email\" > report.xml
  capability-resolution-check http://127.0.0.1:8420 --allow-loopback --only token
  capability-resolution-check --server mail.example.com --probe \\
      --contact mailto:tools@example.com"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    origin: origin::Args,
}

/// To add a command: its module in `commands`, a variant here, and a line in [`main`].
#[derive(Debug, Subcommand)]
enum Command {
    Token(token::Args),
    File(file::Args),
    New(new::Args),
    Watch(watch::Args),
    Faulty(faulty::Args),
    Adapter(adapter::Args),
}

/// Reads the process's command line, runs the command, and says how it ended.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut console = Console::of_process();
    let result = match cli.command {
        Some(Command::Token(args)) => token::run(&args, &mut console),
        Some(Command::File(args)) => file::run(&args, &mut console),
        Some(Command::New(args)) => new::run(&args, &mut console),
        Some(Command::Watch(args)) => watch::run(&args, &mut console),
        Some(Command::Faulty(args)) => faulty::run(&args, &mut console),
        Some(Command::Adapter(_)) => adapter::run(),
        None => origin::run(&cli.origin, &mut console),
    };
    finish(console, result)
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
