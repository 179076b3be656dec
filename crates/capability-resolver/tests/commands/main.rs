//! Every command, as it is run: one program for all of them, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail as it does")]

mod common;
mod corpus;
mod demo;
mod help;
mod import;
mod init_and_keys;
mod kill;
mod network;
mod observe;
mod registry;
mod search;
mod status_and_forget;
