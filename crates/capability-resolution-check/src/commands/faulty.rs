//! `capability-resolution-check faulty`: a resolver of this machine with one fault.

use command_console::{Console, Failure, Format, Outcome};
use serde::Serialize;

use crate::error::CheckError;
use crate::faulty::{Fault, Server, faults};

/// Serve a resolver of this machine that has exactly one fault, for people who write checkers.
///
/// Its key is public, and its servers do not exist. It prints its origin and serves until it is stopped.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolution-check faulty --list
  capability-resolution-check faulty token-expired
  capability-resolution-check faulty none --port 8420
  capability-resolution-check faulty none --per-second 5")]
pub(crate) struct Args {
    /// The fault, or none.
    #[arg(value_name = "FAULT", required_unless_present = "list")]
    fault: Option<String>,
    /// List the faults, each with the rule that it breaks.
    #[arg(long, conflicts_with = "fault")]
    list: bool,
    /// How the list is written; for json see docs/schema/check-faulty.schema.json.
    #[arg(long, value_enum, default_value_t, requires = "list")]
    format: Format,
    /// The port; any that is free if it is 0.
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        conflicts_with = "list"
    )]
    port: u16,
    /// Answer at most so many requests a second, and the others with 429 and Retry-After; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "list")]
    per_second: u32,
}

/// docs/schema/check-faulty.schema.json.
#[derive(Serialize)]
struct JsonFault {
    fault: String,
    rule: &'static str,
    does: String,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let Some(name) = &args.fault else {
        list(args.format, console);
        return Ok(Outcome::True);
    };
    let fault = match name.as_str() {
        "none" => None,
        name => Some(find(name)?),
    };
    let server =
        Server::bind(fault, args.port, args.per_second).map_err(|source| CheckError::Listen {
            address: format!("127.0.0.1:{}", args.port),
            source,
        })?;
    console.data(server.origin());
    let served = server.run();
    served.map_err(CheckError::Output)?;
    Ok(Outcome::True)
}

fn find(name: &str) -> Result<Fault, CheckError> {
    let found = faults().into_iter().find(|fault| fault.name == name);
    found.ok_or_else(|| CheckError::Fault {
        value: name.to_owned(),
    })
}

fn list(format: Format, console: &mut Console) {
    let faults = faults();
    match format {
        Format::Json => {
            let json = |fault: Fault| JsonFault {
                fault: fault.name,
                rule: fault.rule,
                does: fault.does,
            };
            console.json(&faults.into_iter().map(json).collect::<Vec<_>>());
        }
        Format::Human => {
            for fault in faults {
                console.data(format_args!(
                    "{:28} {:26} {}",
                    fault.name, fault.rule, fault.does
                ));
            }
        }
    }
}
