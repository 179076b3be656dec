//! Verify proofs of time over a digest: RFC 3161 tokens and OpenTimestamps proofs.
//!
//! No network and no clock: bytes, trust anchors and block headers are arguments.

pub mod digest;
pub mod ots;
pub mod rfc3161;
