//! The reference resolver of Capability Resolution: it finds servers, observes them itself, and remembers what it saw.
//!
//! A resolver lives in one folder: `resolver.toml`, its keys, its policy and changelog, and its store. The commands of
//! [`cli`] work on that folder, and on nothing else.
//!
//! The clock is read in one place, [`clock::now`]; everything below takes the time as an argument.

pub mod answer;
pub mod cli;
pub mod clock;
mod commands;
pub mod config;
pub mod discovery;
mod file;
pub mod http;
pub mod import;
pub mod key;
pub mod keys;
mod lock;
pub mod log;
pub mod mcp;
mod network;
pub mod observe;
pub mod observed;
pub mod pages;
mod record_id;
pub mod schedule;
pub mod search;
pub mod server_file;
pub mod sign;
pub mod snapshot;
pub mod standing;
pub mod store;
