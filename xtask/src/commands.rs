//! The commands, one module each.

pub mod authority;
pub mod bench;
pub mod ci;
pub mod diff;
pub mod freeze;
mod judged;
pub mod lint_spec;
pub mod package_vectors;
pub mod requirements;
pub mod site;
pub mod stamp;
pub mod test;
pub mod vectors;
pub mod verify_ots;
pub mod verify_proofs;
pub mod verify_timestamp;
