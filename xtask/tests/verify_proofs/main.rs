//! Every message of `verify-proofs`, from real trees that are really damaged.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod messages;
mod openssl;
#[path = "../support/ots.rs"]
mod ots;
mod process;
mod schema;
mod tree;
