//! The editors' commands of this repository: verify the proofs, lint the text, freeze and stamp a version.
//!
//! A command is a module under [`commands`] with a clap `Args` structure and
//! `pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure>`:
//!
//! - an [`Outcome`](command_console::Outcome) is an answer, and the exit code says which: 0 true, 1 false, 2 could not tell;
//! - a [`Failure`](command_console::Failure) is what kept the command from an answer. It is printed as
//!   `error[code]: ...` with help, and the exit code is 2;
//! - what was asked for goes to standard output, everything else to standard error ([`command_console`]).
//!
//! Nothing here reaches the network unless the feature `network` is on.

pub mod archive;
pub mod bench;
pub mod cli;
pub mod commands;
pub mod freeze;
pub mod process;
pub mod proofs;
pub mod repo;
pub mod site;
pub mod spec;
pub mod stamp;
