//! A time-stamp token or response: no panic, a reason for each refusal, and nothing but the signer's claims verifies.
//!
//! Seeds: real tokens and responses. So that they get past the comparison with a digest, and past the trust in a root,
//! the digest is the one that the token names, and the certificates in it are taken for roots too.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use timestamp_proof::{
    digest::{Digest, DigestAlgorithm},
    rfc3161::{self, Authority, Timestamp},
};

const ROOT: &[u8] = include_bytes!("../../crates/timestamp-proof/tests/data/root.pem");
const REQUEST: &[u8] = include_bytes!("../../crates/timestamp-proof/tests/data/request.tsq");
const RESPONSE: &[u8] = include_bytes!("../../crates/timestamp-proof/tests/data/response.tsr");
const STAMPED: &[u8] = include_bytes!("../../crates/timestamp-proof/tests/data/stamped.txt");

static AUTHORITY: LazyLock<Authority> =
    LazyLock::new(|| Authority::from_roots(ROOT).expect("the root is one"));
static STAMPED_DIGEST: LazyLock<Digest> =
    LazyLock::new(|| Digest::of_bytes(DigestAlgorithm::Sha256, STAMPED));
static CLAIMS: LazyLock<Timestamp> = LazyLock::new(|| {
    rfc3161::verify(RESPONSE, &STAMPED_DIGEST, &AUTHORITY, None).expect("the response is valid")
});

fuzz_target!(|data: &[u8]| {
    if let Some(mut stamp) = verify(data, &STAMPED_DIGEST, &AUTHORITY, Some(REQUEST)) {
        stamp.checks.clone_from(&CLAIMS.checks);
        assert_eq!(stamp, *CLAIMS);
    }
    let Some(digest) = named_digest(data) else {
        return;
    };
    assert!(digest == *STAMPED_DIGEST || verify(data, &digest, &AUTHORITY, None).is_none());
    if let Some(authority) = trust_what_is_in(data) {
        verify(data, &digest, &authority, None);
    }
    let _ = rfc3161::verify(RESPONSE, &STAMPED_DIGEST, &AUTHORITY, Some(data));
});

fn verify(
    token: &[u8],
    digest: &Digest,
    authority: &Authority,
    request: Option<&[u8]>,
) -> Option<Timestamp> {
    let verdict = rfc3161::verify(token, digest, authority, request);
    if let Err(error) = &verdict {
        assert!(!error.code().is_empty() && error.to_string().ends_with(')'));
    }
    verdict.ok()
}

/// The bytes after the identifier of the imprint's hash function, with or without NULL between them.
fn named_digest(data: &[u8]) -> Option<Digest> {
    let algorithm = rfc3161::message_imprint_algorithm(data).ok()?;
    let (last, length) = match algorithm {
        DigestAlgorithm::Sha256 => (1, 32),
        DigestAlgorithm::Sha384 => (2, 48),
        DigestAlgorithm::Sha512 => (3, 64),
    };
    let oid = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last];
    data.windows(oid.len())
        .enumerate()
        .filter(|(_, w)| *w == oid)
        .find_map(|(at, _)| {
            let rest = data.get(at + oid.len()..)?;
            let rest = rest.strip_prefix(&[5, 0]).unwrap_or(rest);
            let bytes = rest
                .strip_prefix(&[4, length])?
                .get(..usize::from(length))?;
            Digest::new(algorithm, bytes).ok()
        })
}

/// The first certificates that stand in the data, as roots.
fn trust_what_is_in(data: &[u8]) -> Option<Authority> {
    let found = data
        .windows(4)
        .enumerate()
        .filter(|(_, w)| w.starts_with(&[0x30, 0x82]));
    let certificates = found.filter_map(|(at, w)| {
        let length = usize::from(u16::from_be_bytes([w[2], w[3]]));
        let bytes = data.get(at..at + 4 + length)?;
        Authority::from_roots(bytes).is_ok().then_some(bytes)
    });
    let mut authority: Option<Authority> = None;
    for bytes in certificates.take(4) {
        authority = match authority {
            None => Authority::from_roots(bytes).ok(),
            Some(authority) => authority.with_roots(bytes).ok(),
        };
    }
    authority
}
