//! What the client does, by a transport that answers as a test tells it to, and by real sockets.

#![expect(clippy::unwrap_used, reason = "a test: to panic is to fail")]

mod budget;
mod cache;
mod chaos;
mod failures;
mod keys;
mod order;
mod stage;
#[path = "../support/stand.rs"]
mod stand;
mod tokens;
