//! The runner against programs that behave and that do not, and every message of the command line.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this program also plays the programs that are run"
)]

mod commands;
mod faults;
mod programs;
mod scenarios;
mod suite;
mod verdicts;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    if programs::play().is_some() {
        return ExitCode::SUCCESS;
    }
    let tests = [
        commands::TESTS,
        faults::TESTS,
        scenarios::TESTS,
        verdicts::TESTS,
    ]
    .concat();
    let trials = tests.into_iter().map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
