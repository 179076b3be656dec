//! Every command, as it is run: one program for all of them, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail as it does")]
#![expect(clippy::print_stdout, reason = "a test says what it skips")]

mod ask;
mod common;
mod help;
mod lists;
mod mcp;
mod readme;
mod sdk;
mod serve;
#[path = "../support/stand.rs"]
mod stand;
mod vectors;
