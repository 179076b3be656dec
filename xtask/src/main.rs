//! The editors' commands of this repository; all of them live in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::cli::main()
}
