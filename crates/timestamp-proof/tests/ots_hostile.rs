//! OpenTimestamps proofs from nowhere: what a hostile one may cost, and what it may not do.
#![expect(clippy::unwrap_used, reason = "helpers of tests, outside `#[test]`")]

use std::collections::BTreeMap;
use std::io;

use proptest::prelude::*;
use timestamp_proof::ots::{
    Attestation, BlockHeader, FileDigest, FileHash, MAX_PROOF_BYTES, Proof, Unknown, Verdict,
};

const MAGIC: &[u8] = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94";
const PENDING: &[u8] = &[0x83, 0xdf, 0xe3, 0x0d, 0x2e, 0xf9, 0x0c, 0x8e];
const BITCOIN: &[u8] = &[0x05, 0x88, 0x96, 0x0d, 0x73, 0xd7, 0x19, 0x01];
const LITECOIN: &[u8] = &[0x06, 0x86, 0x9a, 0x0d, 0x73, 0xd7, 0x1b, 0x45];
const ETHEREUM: &[u8] = &[0x30, 0xfe, 0x80, 0x87, 0xb5, 0xc7, 0xea, 0xd7];
const FILE: &[u8] = b"a file\n";

/// A detached proof over [`FILE`] by SHA-256, with `path` below the digest.
fn proof(path: &[u8]) -> Vec<u8> {
    with_hash(FileHash::Sha256, 0x08, path)
}

fn with_hash(hash: FileHash, tag: u8, path: &[u8]) -> Vec<u8> {
    [MAGIC, &[0x01, tag], hash.digest(FILE).bytes(), path].concat()
}

fn attestation(tag: &[u8], payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    [&[0x00], tag, &[length], payload].concat()
}

fn pending(uri: &str) -> Vec<u8> {
    let length = u8::try_from(uri.len()).unwrap();
    attestation(PENDING, &[&[length], uri.as_bytes()].concat())
}

/// A header with this root at the easiest target there is; every second nonce will do.
fn header(merkle_root: &[u8]) -> BlockHeader {
    let mut bytes = [0_u8; 80];
    bytes[36..68].copy_from_slice(merkle_root);
    bytes[68..72].copy_from_slice(&1_800_000_000_u32.to_le_bytes());
    bytes[72..76].copy_from_slice(&0x207f_ffff_u32.to_le_bytes());
    (0..=u8::MAX)
        .find_map(|nonce| {
            bytes[76] = nonce;
            BlockHeader::parse(&bytes).ok()
        })
        .unwrap()
}

fn code(bytes: &[u8]) -> &'static str {
    Proof::parse(bytes).unwrap_err().code()
}

fn file() -> FileDigest {
    FileHash::Sha256.digest(FILE)
}

#[test]
fn operations_do_what_their_names_say() {
    // Known answers for "abc": FIPS 180, the RIPEMD-160 paper, and the Keccak submission.
    for (hash, tag, digest) in [
        (
            FileHash::Sha1,
            0x02,
            "a9993e364706816aba3e25717850c26c9cd0d89d",
        ),
        (
            FileHash::Ripemd160,
            0x03,
            "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc",
        ),
        (
            FileHash::Sha256,
            0x08,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ),
        (
            FileHash::Keccak256,
            0x67,
            "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
        ),
    ] {
        assert_eq!(hex(hash.digest(b"abc").bytes()), digest);
        assert_eq!(
            hash.digest_reader(&b"abc"[..]).unwrap(),
            hash.digest(b"abc")
        );
        let path = [&[tag], &pending("https://c")[..]].concat();
        let expected = hash.digest(file().bytes());
        assert_eq!(commitment(&path), expected.bytes(), "{hash}");
    }
    let digest = file().bytes().to_vec();
    let after = |operation: &[u8]| commitment(&[operation, &pending("https://c")].concat());
    assert_eq!(after(&[0xf0, 0x01, 0xaa]), [&digest[..], &[0xaa]].concat());
    assert_eq!(after(&[0xf1, 0x01, 0xaa]), [&[0xaa], &digest[..]].concat());
    assert_eq!(
        after(&[0xf2]),
        digest.iter().rev().copied().collect::<Vec<_>>()
    );
    assert_eq!(after(&[0xf3]), hex(&digest).into_bytes());
}

fn commitment(path: &[u8]) -> Vec<u8> {
    let proof = Proof::parse(&proof(path)).unwrap();
    match proof.attestations().next() {
        Some(Attestation::Pending {
            commitment: Some(commitment),
            ..
        }) => commitment.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_lowest_confirmed_block_is_the_one_reported() {
    let blocks = |heights: &[u8]| {
        let forks: Vec<u8> = heights
            .iter()
            .flat_map(|height| [&[0xff], &attestation(BITCOIN, &[*height])[..]].concat())
            .collect();
        proof(&[forks, pending("https://c")].concat())
    };
    let parsed = Proof::parse(&blocks(&[9, 5, 7])).unwrap();
    let root = header(file().bytes());

    let of = |headers| parsed.verify(Some(&file()), &headers).verdict;
    assert!(matches!(
        of(BTreeMap::from([(9, root), (7, root)])),
        Verdict::Valid { height: 7, .. }
    ));
    assert_eq!(
        of(BTreeMap::new()),
        Verdict::Unknown(Unknown::HeaderNotGiven { height: 5 })
    );
    assert_eq!(
        of(BTreeMap::from([(8, root)])),
        Verdict::Unknown(Unknown::HeaderNotGiven { height: 5 })
    );

    // One header that says otherwise spoils it, wherever it stands.
    let other = header(&[7; 32]);
    match of(BTreeMap::from([(5, root), (9, other)])) {
        Verdict::Invalid(error) => assert_eq!(error.code(), "merkle-root-mismatch"),
        verdict => panic!("{verdict:?}"),
    }
    let nothing = parsed.verify(None, &BTreeMap::from([(9, root)])).verdict;
    assert_eq!(
        nothing,
        Verdict::Unknown(Unknown::TargetNotGiven { height: 9 })
    );
}

#[test]
fn a_weak_file_hash_is_named_and_never_valid() {
    for (hash, tag) in [(FileHash::Sha1, 0x02), (FileHash::Ripemd160, 0x03)] {
        let bytes = with_hash(
            hash,
            tag,
            &[&[0x08], &attestation(BITCOIN, &[5])[..]].concat(),
        );
        let parsed = Proof::parse(&bytes).unwrap();
        let digest = hash.digest(FILE);
        let headers =
            BTreeMap::from([(5, header(FileHash::Sha256.digest(digest.bytes()).bytes()))]);
        let verdict = parsed.verify(Some(&digest), &headers).verdict;
        assert_eq!(
            verdict,
            Verdict::Unknown(Unknown::WeakFileHash { hash, height: 5 })
        );
        match parsed.verify(Some(&file()), &headers).verdict {
            Verdict::Invalid(error) => {
                assert_eq!(error.code(), "digest-algorithm");
                assert!(error.to_string().contains(&hash.to_string()), "{error}");
            }
            verdict => panic!("{verdict:?}"),
        }
    }
}

#[test]
fn other_chains_are_reported_and_never_counted() {
    let path = [
        &[0xff],
        &attestation(LITECOIN, &[5])[..],
        &[0xff],
        &attestation(ETHEREUM, &[6]),
        &[0xff],
        &attestation(ETHEREUM, &[6, 6]),
        &attestation(&[1; 8], b"anything"),
    ]
    .concat();
    let parsed = Proof::parse(&proof(&path)).unwrap();
    let expected = [
        Attestation::Litecoin { height: 5 },
        Attestation::Ethereum { height: 6 },
        Attestation::Unknown { tag: [1; 8] },
        Attestation::Unknown {
            tag: ETHEREUM.try_into().unwrap(),
        },
    ];
    assert!(parsed.attestations().eq(&expected), "{parsed:?}");
    let headers = BTreeMap::from([(5, header(file().bytes())), (6, header(file().bytes()))]);
    let verdict = parsed.verify(Some(&file()), &headers).verdict;
    assert_eq!(verdict, Verdict::Unknown(Unknown::NoBitcoinAttestation));
}

#[test]
fn a_root_of_another_length_is_unchecked_without_a_header_and_false_with_one() {
    let parsed =
        Proof::parse(&proof(&[&[0x02], &attestation(BITCOIN, &[5])[..]].concat())).unwrap();
    let unchecked = parsed.verify(Some(&file()), &BTreeMap::new()).verdict;
    assert_eq!(
        unchecked,
        Verdict::Unknown(Unknown::HeaderNotGiven { height: 5 })
    );
    match parsed
        .verify(Some(&file()), &BTreeMap::from([(5, header(&[0; 32]))]))
        .verdict
    {
        Verdict::Invalid(error) => assert_eq!(error.code(), "merkle-root-length"),
        verdict => panic!("{verdict:?}"),
    }
}

#[test]
fn depth_is_bounded_on_a_path_and_free_across_forks() {
    let deep = |count: usize| proof(&[vec![0xf2; count], pending("https://c")].concat());
    assert!(Proof::parse(&deep(255)).is_ok());
    assert_eq!(code(&deep(256)), "too-deep");
    assert_eq!(code(&deep(200_000)), "too-deep");
    assert_eq!(code(&proof(&[0xff; 200_000])), "unknown-operation");
    assert_eq!(code(&proof(&[0xff, 0xf2].repeat(100_000))), "too-deep");
}

/// As many branches as fit, each with work or memory of its own on the longest message.
#[test]
fn many_branches_cost_little_or_are_refused() {
    let long = [&[0xf0, 0xe0, 0x1f][..], &vec![0; 4064]].concat();
    let branch = |operation: &[u8]| [&[0xff], operation, &attestation(&[2; 8], &[])].concat();
    let many = |operation: &[u8], bytes: usize| {
        let branches = branch(operation).repeat(bytes / branch(operation).len());
        proof(&[&long[..], &branches, &pending("https://c")].concat())
    };
    let nearly_all = MAX_PROOF_BYTES - 5_000;
    assert!(Proof::parse(&many(&[], nearly_all)).is_ok());
    for operation in [0xf2, 0x02, 0x08] {
        assert!(Proof::parse(&many(&[operation], 12_000)).is_ok());
        assert_eq!(code(&many(&[operation], nearly_all)), "too-much-work");
    }
}

#[test]
fn an_endless_file_is_refused_after_a_bounded_read() {
    let endless = io::Read::chain(MAGIC, io::repeat(0xff));
    let error = Proof::read(endless).unwrap().unwrap_err();
    assert_eq!(error.code(), "proof-too-large");
    assert_eq!(code(&vec![0; MAX_PROOF_BYTES + 1]), "proof-too-large");
    assert_eq!(code(&vec![0; MAX_PROOF_BYTES]), "bad-magic");
}

#[test]
fn the_same_attestation_twice_counts_once() {
    let twice = [&[0xff], &pending("https://c")[..], &pending("https://c")].concat();
    assert_eq!(
        Proof::parse(&proof(&twice)).unwrap().attestations().len(),
        1
    );
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = Proof::parse(&bytes);
        let _ = Proof::parse(&proof(&bytes));
        let _ = BlockHeader::parse(&bytes);
    }

    /// Bytes that are mostly operations and forks get further than noise does.
    #[test]
    fn no_path_makes_it_panic(steps in proptest::collection::vec(prop_oneof![
        Just(vec![0xff]), Just(vec![0x08]), Just(vec![0xf2]), Just(vec![0xf3]), Just(vec![0x67]),
        proptest::collection::vec(any::<u8>(), 1..9).prop_map(|argument| {
            [&[0xf0, u8::try_from(argument.len()).unwrap()], &argument[..]].concat()
        }),
        any::<[u8; 3]>().prop_map(|height| attestation(BITCOIN, &height)),
        Just(pending("https://calendar.example")),
    ], 0..60)) {
        let bytes = proof(&steps.concat());
        if let Ok(parsed) = Proof::parse(&bytes) {
            let verification = parsed.verify(Some(&file()), &BTreeMap::new());
            let judged = matches!(verification.verdict, Verdict::Valid { .. } | Verdict::Invalid(_));
            prop_assert!(!judged, "without a header nothing is settled");
        }
    }

    /// A proof cannot end early or late: no strict prefix of a good one is good, and no byte may follow it.
    #[test]
    fn a_proof_has_one_length(cut in 0_usize..100, extra in any::<u8>()) {
        let whole = proof(&[&[0xf0, 2, 1, 1, 0x08], &attestation(BITCOIN, &[0x81, 0x01])[..]].concat());
        prop_assert!(Proof::parse(&whole).is_ok());
        let cut = cut % whole.len();
        prop_assert!(Proof::parse(&whole[..cut]).is_err());
        prop_assert_eq!(code(&[&whole[..], &[extra]].concat()), "trailing-bytes");
    }
}
