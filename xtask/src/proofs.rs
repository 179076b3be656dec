//! The proofs of the frozen versions: what `proof/` holds, and whether it is true.

pub mod authority;

/// Repository-relative path of the folder that holds one folder for each time-stamping authority.
pub const AUTHORITIES: &str = "proof/authorities";
