//! The command line: one line per command here, everything else in the command's own module.

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
use command_console::{Console, finish};

/// The test vectors of Capability Resolution: run them against any program, list them, look at one.
///
/// Exit code 0: it holds or is done; 1: a vector failed; 2: it could not be told, or something was not run.
#[derive(Debug, Parser)]
#[command(
    name = "conformance-vectors",
    version,
    propagate_version = false,
    after_help = "Examples:
  conformance-vectors run -- ./my-program
  conformance-vectors list
  conformance-vectors show token-alg-none"
)]
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

/// Reads the process's command line, runs the command, and says how it ended.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut console = Console::of_process();
    let result = match cli.command {
        Command::Run(args) => run::run(&args, &mut console),
        Command::List(args) => list::run(&args, &mut console),
        Command::Show(args) => show::run(&args, &mut console),
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
