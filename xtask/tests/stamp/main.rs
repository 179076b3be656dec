//! `stamp` and `authority add` as a person runs them, against servers on this machine. The command `openssl` is needed.

#![expect(clippy::unwrap_used, reason = "a test: to panic is to fail")]

#[cfg(feature = "network")]
mod authority;
#[cfg(feature = "network")]
mod calendar;
mod local;
#[cfg(feature = "network")]
mod roots;
#[cfg(feature = "network")]
mod server;
mod support;
