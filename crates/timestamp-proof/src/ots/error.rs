//! Why a proof proves nothing.

use super::FileHash;

/// Why an OpenTimestamps proof proves nothing.
///
/// Offsets count bytes from the start of the proof. The format has no RFC: where a limit is named, it is the one of
/// the reference implementation, python-opentimestamps 0.4.5.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is larger than [`MAX_PROOF_BYTES`](super::MAX_PROOF_BYTES).
    #[error("the proof is larger than {limit} bytes, which is many times the size of any real one")]
    ProofTooLarge {
        /// The most that is read, in bytes.
        limit: usize,
    },
    /// The first 31 bytes are not those of a detached proof.
    #[error(
        "this is not a detached OpenTimestamps proof: it does not begin with the 31 header bytes (expected \
         `\\x00OpenTimestamps\\x00\\x00Proof\\x00` and 8 fixed bytes, found {found}); the bare answer of a calendar, a \
         web page and a file whose line endings were rewritten all look like this"
    )]
    BadMagic {
        /// What the file begins with, in hexadecimal, 31 bytes at most.
        found: String,
    },
    /// The major version is not 1.
    #[error("version {found} of the proof format is not known: expected 1")]
    UnsupportedVersion {
        /// The version that the file names.
        found: u64,
    },
    /// The file hash operation is none of SHA-1, RIPEMD-160, SHA-256 and Keccak-256.
    #[error("the file hash operation {tag:#04x} is not known: expected 0x02, 0x03, 0x08 or 0x67")]
    UnknownFileHash {
        /// The operation's tag.
        tag: u8,
    },
    /// The proof ends where more has to follow.
    #[error("the proof is cut off: it ends at byte {offset}, inside {inside}")]
    Truncated {
        /// The length of what is there, or of the payload that is too short.
        offset: usize,
        /// What was being read.
        inside: &'static str,
    },
    /// Something follows the end of the proof.
    #[error("the proof ends at byte {offset}, and {count} more bytes follow: nothing may")]
    TrailingBytes {
        /// Where the proof ends.
        offset: usize,
        /// How many bytes follow.
        count: usize,
    },
    /// A variable-length number of more than 64 bits, or one whose last byte never comes.
    #[error("the number at byte {offset} does not fit in 64 bits")]
    NumberTooLarge {
        /// Where the number begins.
        offset: usize,
    },
    /// The tag is that of no operation.
    #[error("the operation {tag:#04x} at byte {offset} is not known")]
    UnknownOperation {
        /// Where the tag stands.
        offset: usize,
        /// The tag.
        tag: u8,
    },
    /// The argument of append or prepend is empty or too long.
    #[error("the argument at byte {offset} has {found} bytes: expected 1 to {limit}")]
    ArgumentLength {
        /// Where the argument's length stands.
        offset: usize,
        /// The length that is claimed.
        found: u64,
        /// The longest allowed.
        limit: usize,
    },
    /// An operation makes a message that is too long.
    #[error(
        "the operation at byte {offset} makes a message of {found} bytes: expected at most {limit}"
    )]
    MessageLength {
        /// Where the operation stands.
        offset: usize,
        /// The length of its result.
        found: usize,
        /// The longest allowed.
        limit: usize,
    },
    /// More operations follow one another than any reader has to take.
    #[error("the operation at byte {offset} is nested deeper than {limit}")]
    TooDeep {
        /// Where the operation stands.
        offset: usize,
        /// The deepest allowed.
        limit: usize,
    },
    /// The operations together read more than any real proof makes them read.
    #[error("the operations up to byte {offset} read more than {limit} bytes of messages")]
    TooMuchWork {
        /// Where the operation stands that is one too many.
        offset: usize,
        /// The most that is read, in bytes.
        limit: usize,
    },
    /// The payload of an attestation is too long.
    #[error(
        "the attestation at byte {offset} has a payload of {found} bytes: expected at most {limit}"
    )]
    PayloadLength {
        /// Where the attestation's payload length stands.
        offset: usize,
        /// The length that is claimed.
        found: u64,
        /// The longest allowed.
        limit: usize,
    },
    /// Something follows the end of what an attestation says, inside its payload.
    #[error(
        "the payload of the {kind} attestation that ends at byte {offset} has {count} bytes too many"
    )]
    PayloadTrailing {
        /// The kind of attestation.
        kind: &'static str,
        /// Where the payload ends.
        offset: usize,
        /// How many bytes are left over.
        count: usize,
    },
    /// A calendar's address is too long.
    #[error(
        "the calendar address before byte {offset} has {found} bytes: expected at most {limit}"
    )]
    UriLength {
        /// Where the payload ends.
        offset: usize,
        /// The length that is claimed.
        found: u64,
        /// The longest allowed.
        limit: usize,
    },
    /// A calendar's address has a byte outside letters, digits and `-._/:`.
    #[error(
        "the calendar address before byte {offset} contains the byte {found:#04x}: expected letters, digits and `-._/:`"
    )]
    UriCharacter {
        /// Where the payload ends.
        offset: usize,
        /// The first byte that is not allowed.
        found: u8,
    },
    /// The proof is about another file or digest.
    #[error(
        "the proof is about another file: it names the {hash} digest {proof}, and the file has {file}"
    )]
    DigestMismatch {
        /// The file hash operation of the proof.
        hash: FileHash,
        /// The digest in the proof, in hexadecimal.
        proof: String,
        /// The digest of the file, in hexadecimal.
        file: String,
    },
    /// The proof is about a digest of another algorithm than the one that was asked for.
    #[error(
        "the proof is about a {proof} digest and says nothing about the {asked} digest that was asked for"
    )]
    DigestAlgorithm {
        /// The file hash operation of the proof.
        proof: FileHash,
        /// The algorithm of the digest that was asked for.
        asked: FileHash,
    },
    /// What a Bitcoin attestation calls a merkle root is not 32 bytes long, so no block can have it.
    #[error(
        "what the proof calls the merkle root of block {height} does not have the 32 bytes of one"
    )]
    MerkleRootLength {
        /// The height of the block.
        height: u64,
    },
    /// The header of the block has another merkle root.
    #[error(
        "block {height} does not contain what was stamped: its header has the merkle root {header}, and the proof leads \
         to {proof}"
    )]
    MerkleRootMismatch {
        /// The height of the block.
        height: u64,
        /// The root in the header, as block explorers print it.
        header: String,
        /// The root that the proof leads to, as block explorers print it.
        proof: String,
    },
    /// A block header is not 80 bytes long.
    #[error("a Bitcoin block header has 80 bytes, and this one has {found}")]
    HeaderLength {
        /// The length found, in bytes.
        found: usize,
    },
    /// The compact target in a header is zero, negative or above 256 bits.
    #[error(
        "the header's compact target nBits {bits:#010x} is zero, negative or above 256 bits: no block can have it"
    )]
    HeaderTarget {
        /// The field `nBits`.
        bits: u32,
    },
    /// The hash of a header is above the header's own target.
    #[error("the header has no proof of work: its hash {hash} is above its own target {target}")]
    HeaderWork {
        /// The double SHA-256 of the header, as block explorers print it.
        hash: String,
        /// The target that `nBits` encodes, in hexadecimal.
        target: String,
    },
}

impl Error {
    /// The stable name of this kind of error, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ProofTooLarge { .. } => "proof-too-large",
            Self::BadMagic { .. } => "bad-magic",
            Self::UnsupportedVersion { .. } => "unsupported-version",
            Self::UnknownFileHash { .. } => "unknown-file-hash",
            Self::Truncated { .. } => "truncated",
            Self::TrailingBytes { .. } => "trailing-bytes",
            Self::NumberTooLarge { .. } => "number-too-large",
            Self::UnknownOperation { .. } => "unknown-operation",
            Self::ArgumentLength { .. } => "argument-length",
            Self::MessageLength { .. } => "message-length",
            Self::TooDeep { .. } => "too-deep",
            Self::TooMuchWork { .. } => "too-much-work",
            Self::PayloadLength { .. } => "payload-length",
            Self::PayloadTrailing { .. } => "payload-trailing",
            Self::UriLength { .. } => "uri-length",
            Self::UriCharacter { .. } => "uri-character",
            Self::DigestMismatch { .. } => "digest-mismatch",
            Self::DigestAlgorithm { .. } => "digest-algorithm",
            Self::MerkleRootLength { .. } => "merkle-root-length",
            Self::MerkleRootMismatch { .. } => "merkle-root-mismatch",
            Self::HeaderLength { .. } => "header-length",
            Self::HeaderTarget { .. } => "header-target",
            Self::HeaderWork { .. } => "header-work",
        }
    }
}
