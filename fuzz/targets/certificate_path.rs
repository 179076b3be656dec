//! Certificates around a valid token: no panic, an end to every search, and no trust that was not given.
//!
//! The input is a list of certificates, each after its length in two bytes, big-endian; the first is a root, the others
//! are intermediates. The signer of the token is issued by `CN=Test Root,O=Test`.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use timestamp_proof::{
    digest::{Digest, DigestAlgorithm},
    rfc3161::{self, Authority},
};

const RESPONSE: &[u8] = include_bytes!("../../crates/timestamp-proof/tests/data/response.tsr");
const STAMPED: &[u8] = include_bytes!("../../crates/timestamp-proof/tests/data/stamped.txt");
const OTHER_ROOTS: &[u8] = include_bytes!("../../crates/timestamp-proof/tests/data/schemes.pem");

static DIGEST: LazyLock<Digest> =
    LazyLock::new(|| Digest::of_bytes(DigestAlgorithm::Sha256, STAMPED));
static OTHERS: LazyLock<Authority> =
    LazyLock::new(|| Authority::from_roots(OTHER_ROOTS).expect("roots"));

fuzz_target!(|data: &[u8]| {
    let certificates = split(data);
    let Some((root, intermediates)) = certificates.split_first() else {
        return;
    };
    let with_all = |authority: Authority| {
        intermediates.iter().fold(authority, |authority, bytes| {
            authority
                .clone()
                .with_intermediates(bytes)
                .unwrap_or(authority)
        })
    };
    let Ok(authority) = Authority::from_roots(root) else {
        return;
    };
    match rfc3161::verify(RESPONSE, &DIGEST, &with_all(authority), None) {
        Err(error) => assert!(error.to_string().ends_with(')')),
        // Whatever stands between, roots that did not issue the signer give no trust.
        Ok(_) => {
            assert!(rfc3161::verify(RESPONSE, &DIGEST, &with_all(OTHERS.clone()), None).is_err())
        }
    }
});

fn split(mut data: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while let Some((length, rest)) = data.split_first_chunk() {
        let (part, rest) = rest.split_at(rest.len().min(usize::from(u16::from_be_bytes(*length))));
        parts.push(part);
        data = rest;
    }
    parts
}
