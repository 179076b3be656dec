//! `capability-resolver`: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    capability_resolver::cli::main()
}
