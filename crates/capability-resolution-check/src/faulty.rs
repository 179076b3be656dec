//! A resolver of this machine with exactly one fault, for people who write checkers and for our own tests.
//!
//! It judges nothing and shares nothing with what judges: it reads queries, signs tokens and writes documents by itself,
//! from the text.

mod fault;
mod faults;
mod http;
mod query;
mod rate;
mod resolver;
mod serve;
#[cfg(test)]
mod tests;
mod token;

pub(crate) use fault::Fault;
pub(crate) use faults::faults;
pub(crate) use serve::Server;
