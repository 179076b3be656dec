//! `capability-resolver-client`: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    capability_resolver_client::command::main()
}
