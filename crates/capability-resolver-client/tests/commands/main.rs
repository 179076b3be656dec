//! Every command, as it is run: one program for all of them, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail as it does")]

mod ask;
mod common;
mod help;
mod lists;
mod mcp;
#[path = "../support/stand.rs"]
mod stand;
mod vectors;
