//! The command line: one line per command here, everything else in the command's own module.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use command_console::{Console, Failure, Outcome, finish};

use crate::commands;

/// The editors' commands. Exit code 0: it holds or is done; 1: it does not hold; 2: it could not be told.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    propagate_version = false,
    after_help = "Examples:
  cargo xtask verify-proofs   what is proven of each version of the text
  cargo xtask test            every test, and what is skipped for want of a tool
  cargo xtask lint-spec       the draft's form, after a change"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// To add a command: its module in `commands`, a variant here, and a line in [`dispatch`].
#[derive(Debug, Subcommand)]
enum Command {
    Authority(commands::authority::Args),
    Bench(commands::bench::Args),
    Ci(commands::ci::Args),
    Diff(commands::diff::Args),
    Freeze(commands::freeze::Args),
    LintSpec(commands::lint_spec::Args),
    PackageVectors(commands::package_vectors::Args),
    Requirements(commands::requirements::Args),
    Site(commands::site::Args),
    Stamp(commands::stamp::Args),
    Test(commands::test::Args),
    Vectors(commands::vectors::Args),
    VerifyOts(commands::verify_ots::Args),
    VerifyProofs(commands::verify_proofs::Args),
    VerifyTimestamp(commands::verify_timestamp::Args),
}

fn dispatch(command: &Command, console: &mut Console) -> Result<Outcome, Failure> {
    match command {
        Command::Authority(args) => commands::authority::run(args, console),
        Command::Bench(args) => commands::bench::run(args, console),
        Command::Ci(args) => commands::ci::run(args, console),
        Command::Diff(args) => commands::diff::run(args, console),
        Command::Freeze(args) => commands::freeze::run(args, console),
        Command::LintSpec(args) => commands::lint_spec::run(args, console),
        Command::PackageVectors(args) => commands::package_vectors::run(args, console),
        Command::Requirements(args) => commands::requirements::run(args, console),
        Command::Site(args) => commands::site::run(args, console),
        Command::Stamp(args) => commands::stamp::run(args, console),
        Command::Test(args) => commands::test::run(args, console),
        Command::Vectors(args) => commands::vectors::run(args, console),
        Command::VerifyOts(args) => commands::verify_ots::run(args, console),
        Command::VerifyProofs(args) => commands::verify_proofs::run(args, console),
        Command::VerifyTimestamp(args) => commands::verify_timestamp::run(args, console),
    }
}

/// Reads the process's command line, runs the command, and says how it ended.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut console = Console::of_process();
    let result = dispatch(&cli.command, &mut console);
    finish(console, result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_in_json_has_a_schema() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        command_console::check_schemas::<Cli>(root).unwrap();
    }

    #[test]
    fn every_command_shows_examples_that_parse() {
        command_console::check_examples::<Cli>().unwrap();
    }
}
