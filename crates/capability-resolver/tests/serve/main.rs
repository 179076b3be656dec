//! The resolver over HTTP, as its clients see it: the binary over real sockets, its answers read by our own reader.

#![allow(clippy::unwrap_used, reason = "a test is its own caller")]

mod checker;
mod common;
mod deny;
mod documents;
mod faults;
mod keys;
mod limits;
mod malformed;
mod mcp;
mod openapi;
mod page;
mod privacy;
mod python;
mod readme;
mod tls;
