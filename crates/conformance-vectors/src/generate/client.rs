//! Clients (§10): whole scenarios, from which resolvers there are to which requests were made.
//!
//! A scenario is told as it happens: a call, each request that a client makes for it with what is answered, and what the
//! client has in the end.

mod budgets;
mod caches;
mod candidates;
mod confirmed;
mod failures;
mod fields;
mod keys;
mod merging;
mod needs;
mod newer;
mod order;
mod party;
mod records;
mod reply;
mod retry;
mod scenario;

use super::cases::Cases;
use crate::model::{Kind, Operation, VectorFile};

/// Servers of the scenarios.
const MAIL: &str = "https://mail.example.com/mcp";
const POST: &str = "https://post.example.net/v1/mcp";
const FAX: &str = "https://fax.example.org/mcp?line=1";
const BIRD: &str = "https://bird.example.com/mcp";

pub(super) fn file() -> VectorFile {
    let mut cases = Cases::new(Kind::Client, Operation::Client);
    order::add(&mut cases);
    needs::add(&mut cases);
    candidates::add(&mut cases);
    merging::add(&mut cases);
    records::add(&mut cases);
    cases.into_file()
}

pub(super) fn failure_file() -> VectorFile {
    let mut cases = Cases::new(Kind::ClientFailure, Operation::Client);
    failures::add(&mut cases);
    budgets::add(&mut cases);
    cases.into_file()
}

pub(super) fn cache_file() -> VectorFile {
    let mut cases = Cases::new(Kind::ClientCache, Operation::Client);
    caches::add(&mut cases);
    keys::add(&mut cases);
    newer::add(&mut cases);
    retry::add(&mut cases);
    cases.into_file()
}
