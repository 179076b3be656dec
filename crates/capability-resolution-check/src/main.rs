//! `capability-resolution-check`: says of an origin whether it is a conforming resolver, of a token and of a server file
//! which rules it keeps, writes server files, and answers the vectors for our implementation.

mod checks;
mod cli;
mod commands;
mod distance;
mod error;
mod faulty;
mod input;
mod network;
mod origin;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
