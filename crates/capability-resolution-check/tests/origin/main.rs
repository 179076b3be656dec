//! `capability-resolution-check URL`, asked of resolvers with and without faults, and of what is no resolver.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail as it does")]

mod matrix;
mod observed;
#[path = "../support/ran.rs"]
mod ran;
mod report;
mod served;
mod server_file;
mod strangers;
mod throttled;
mod watch;
