//! The commands, one module each.

pub mod freeze;
pub mod lint_spec;
pub mod requirements;
pub mod verify_ots;
pub mod verify_timestamp;
