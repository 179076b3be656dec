//! Verify proofs of time over a digest: RFC 3161 tokens and OpenTimestamps proofs.
//!
//! No network and no clock: bytes, trust anchors and block headers are arguments. Every refusal has a stable code, the
//! section of the standard that asks for what is missing, and what was expected and found.
//!
//! # Signatures
//!
//! Signatures are verified by the RustCrypto crates `p256`, `p384`, `p521` and `rsa`. What a clean debug build of the
//! RFC 3161 dependencies costs, in CPU seconds on two cores, with what each backend cannot do:
//!
//! | backend | CPU seconds | lacks |
//! |---|---|---|
//! | none: only `der`, `x509-cert`, `sha2` | 17 | |
//! | RustCrypto | 34 | nothing of what is accepted here |
//! | `ring` 0.17.14 | 28 | ECDSA with SHA-512, and so FreeTSA since 2026; P-521 |
//! | `graviola` 0.4.4 | 23 | P-521; processors without the instructions it is written in |
//! | `aws-lc-rs` 1.19.0 | 66 | nothing that occurs; needs a C compiler |
//!
//! RUSTSEC-2023-0071 on the crate `rsa` is about the timing of private-key operations. There are none here.
#![doc = include_str!("../docs/differences.md")]

pub mod digest;
pub mod ots;
pub mod rfc3161;

use std::io::{self, Read};

/// Reads `limit` bytes at most and one more, by which whoever judges the bytes sees that there are too many.
fn read_bounded(reader: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let limit = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    reader.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
