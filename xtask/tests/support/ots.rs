//! OpenTimestamps proofs, and the block headers that confirm them.

use timestamp_proof::ots::{BlockHeader, FileHash};

/// An attestation of Bitcoin block 7, and a promise of a calendar.
pub(crate) const BLOCK_7: &[u8] = b"\x00\x05\x88\x96\x0d\x73\xd7\x19\x01\x01\x07";
pub(crate) const PROMISE: &[u8] =
    b"\x00\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e\x1b\x1ahttps://calendar.example/1";

/// An OpenTimestamps proof by SHA-256 in which the digest of the file itself is what is attested.
pub(crate) fn ots(file: &[u8], path: &[&[u8]]) -> Vec<u8> {
    let magic = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94\x01\x08";
    [
        &magic[..],
        FileHash::Sha256.digest(file).bytes(),
        &path.concat(),
    ]
    .concat()
}

/// A block header with that digest as its merkle root, at the easiest target there is, as `HEIGHT:HEX`.
pub(crate) fn header(height: u64, file: &[u8]) -> String {
    let root = FileHash::Sha256.digest(file);
    let rest = |nonce| [0, 0x46, 0x49, 0x6b, 0xff, 0xff, 0x7f, 0x20, nonce, 0, 0, 0];
    (0..=u8::MAX)
        .map(|nonce| [&[0; 36], root.bytes(), &rest(nonce)].concat())
        .find(|header| BlockHeader::parse(header).is_ok())
        .map(|header| format!("{height}:{}", base16ct::lower::encode_string(&header)))
        .unwrap()
}
