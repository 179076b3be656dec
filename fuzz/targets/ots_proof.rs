//! An OpenTimestamps proof, and a block header behind it: no panic, no overflow, no verdict without a header.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use timestamp_proof::ots::{Attestation, BlockHeader, FileHash, Proof, Verdict};

fuzz_target!(|data: &[u8]| {
    let (proof, tail) = data.split_at(data.len().saturating_sub(BlockHeader::LEN));
    check(data, &[]);
    check(proof, tail);
});

fn check(proof: &[u8], header: &[u8]) {
    let Ok(proof) = Proof::parse(proof) else {
        return;
    };
    // The fuzzer finds out any fixed digest, so another one is made from what the proof says.
    let target = FileHash::Sha256.digest(proof.file_digest().bytes());
    let nothing = BTreeMap::new();
    assert!(matches!(
        proof.verify(Some(&target), &nothing).verdict,
        Verdict::Invalid(_)
    ));
    assert!(!matches!(
        proof.verify(None, &nothing).verdict,
        Verdict::Valid { .. } | Verdict::Invalid(_)
    ));

    let Ok(header) = BlockHeader::parse(header) else {
        return;
    };
    let heights = proof
        .attestations()
        .filter_map(|attestation| match attestation {
            Attestation::Bitcoin { height, .. } => Some((*height, header)),
            _ => None,
        });
    let verification = proof.verify(Some(proof.file_digest()), &heights.collect());
    assert_eq!(verification.attestations.len(), proof.attestations().len());
    if let Verdict::Valid { .. } = verification.verdict {
        assert!(
            verification
                .attestations
                .iter()
                .any(|checked| checked.confirmed_by().is_some())
        );
    }
}
