//! `conformance-vectors`: runs the vectors against a program in any language, and shows them.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
