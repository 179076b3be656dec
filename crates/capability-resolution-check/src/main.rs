//! `capability-resolution-check`: says of a token which rules it keeps, and answers the vectors for our implementation.

mod checks;
mod cli;
mod commands;
mod error;
mod input;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
