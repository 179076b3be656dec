//! OpenTimestamps: detached proofs (`.ots`), read and checked without a calendar, a node or a clock.
//!
//! A proof is a path of hash operations from the digest of a file to a message that somebody attests. If that somebody is
//! the Bitcoin chain, the message is the merkle root of a block, and the block's 80-byte header settles the question.
//! The caller supplies headers:
//!
//! ```
//! use std::collections::BTreeMap;
//! use timestamp_proof::ots::{BlockHeader, Error, FileHash, Proof, Verdict};
//!
//! fn stamped_at(file: &[u8], ots: &[u8], height: u64, header: &[u8]) -> Result<Option<u32>, Error> {
//!     let proof = Proof::parse(ots)?;
//!     let digest = proof.file_digest().hash().digest(file);
//!     let headers = BTreeMap::from([(height, BlockHeader::parse(header)?)]);
//!     match proof.verify(Some(&digest), &headers).verdict {
//!         Verdict::Valid { header, .. } => Ok(Some(header.time())),
//!         Verdict::Invalid(error) => Err(error),
//!         _ => Ok(None),
//!     }
//! }
//! # assert_eq!(stamped_at(b"", b"<html>", 0, &[]).unwrap_err().code(), "bad-magic");
//! ```
//!
//! # What a valid proof does not show
//!
//! A header is checked for proof of work against its *own* target and for its merkle root. Nobody can tell from 80 bytes
//! whether the block is in the main chain, or at that height: **the caller vouches for the header.** Take it from a node
//! of your own, or compare two block explorers. [`BlockHeader::work_bits`] tells how much work it would take to forge.
//!
//! # Where the public tools answer otherwise
//!
//! | case | python-opentimestamps 0.4.5, opentimestamps-client 0.7.2 | here | why |
//! |---|---|---|---|
//! | header without proof of work | takes it: the node behind it has checked | `header-work` | there is no node here |
//! | two Bitcoin attestations, one contradicts its header | valid, if the other fits | invalid | a proof that is false in part was tampered with or made wrongly |
//! | height or length above 64 bits | takes it | `number-too-large` | bounded; no such block or length can be |
//! | Keccak-256 as file hash | reads it, and the client crashes when it prints it | read and checked | it is one of the four |
//! | SHA-1 or RIPEMD-160 as file hash, header fits | valid | unknown, `weak-file-hash` | one stamped SHA-1 proof fits two published files |
//! | Ethereum attestation | unknown kind | named, with its height; not counted | the tag is public |
//!
//! The crate `opentimestamps` 0.2.0 aborts on an 83-byte file (unbounded length), hangs on one of 104 bytes, refuses
//! Keccak-256 and checks no header.

mod attestation;
mod error;
mod header;
mod op;
mod reader;
mod verify;

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::rc::Rc;

pub use attestation::Attestation;
pub use error::Error;
pub use header::{BlockHeader, display_order};
pub use op::{FileDigest, FileHash};
use reader::Reader;
pub use verify::{Checked, State, Unknown, Verdict, Verification};

/// The largest proof that is read, in bytes. Real ones have at most a few thousand; this takes 4,000 forks.
pub const MAX_PROOF_BYTES: usize = 256 * 1024;
/// The longest message and the longest argument of an operation, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 4096;
/// The longest payload of an attestation, in bytes.
pub const MAX_PAYLOAD_BYTES: usize = 8192;
/// The longest calendar address, in bytes.
pub const MAX_URI_BYTES: usize = 1000;
/// How many operations may follow one another on a path.
pub const MAX_DEPTH: usize = 255;
/// How many bytes all operations together may read: 60 times what 2,000 forks need. Without this, branches of twelve bytes
/// could each ask for a hash over 4,096.
pub const MAX_WORK_BYTES: usize = 4 * 1024 * 1024;

const MAGIC: [u8; 31] = *b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94";
const VERSION: u64 = 1;
const FORK: u8 = 0xff;
const ATTESTATION: u8 = 0x00;

/// A detached proof: the digest of a file, and what is attested of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    file_digest: FileDigest,
    attestations: BTreeSet<Attestation>,
}

impl Proof {
    /// Reads a proof and applies its operations, in time linear in its length.
    ///
    /// # Errors
    ///
    /// Any fault of form, at its offset; see [`Error`]. Bytes behind the end are one.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() > MAX_PROOF_BYTES {
            return Err(Error::ProofTooLarge {
                limit: MAX_PROOF_BYTES,
            });
        }
        let Some(rest) = bytes.strip_prefix(&MAGIC) else {
            let found = base16ct::lower::encode_string(bytes.get(..MAGIC.len()).unwrap_or(bytes));
            return Err(Error::BadMagic { found });
        };
        let mut reader = Reader::new(bytes);
        reader.bytes(bytes.len() - rest.len(), "the header")?;
        let found = reader.number("the version")?;
        if found != VERSION {
            return Err(Error::UnsupportedVersion { found });
        }
        let tag = reader.byte("the file hash operation")?;
        let hash = FileHash::from_tag(tag).ok_or(Error::UnknownFileHash { tag })?;
        let digest = reader.bytes(hash.digest_len(), "the digest of the file")?;

        let attestations = walk(digest, &mut reader)?;
        if reader.remaining() > 0 {
            return Err(Error::TrailingBytes {
                offset: reader.offset(),
                count: reader.remaining(),
            });
        }
        let file_digest =
            FileDigest::new(hash, digest.to_vec()).ok_or(Error::UnknownFileHash { tag })?;
        Ok(Self {
            file_digest,
            attestations,
        })
    }

    /// Reads a proof from a file or a stream, never more of it than [`MAX_PROOF_BYTES`] and one byte.
    ///
    /// # Errors
    ///
    /// What the reader returns; within, what [`Proof::parse`] returns.
    pub fn read(reader: impl Read) -> io::Result<Result<Self, Error>> {
        let bytes = crate::read_bounded(reader, MAX_PROOF_BYTES)?;
        Ok(Self::parse(&bytes))
    }

    /// The digest that was stamped, as the proof names it.
    #[must_use]
    pub fn file_digest(&self) -> &FileDigest {
        &self.file_digest
    }

    /// What is attested, each thing once: Bitcoin first, lowest block first.
    pub fn attestations(&self) -> impl ExactSizeIterator<Item = &Attestation> {
        self.attestations.iter()
    }
}

/// Reads the tree of operations below the file's digest.
///
/// A node is a list of items, all but the last behind a fork byte; an item is an attestation or an operation with the node
/// below it. So every fork byte promises one more item of its node, every attestation ends one branch, and a stack of
/// promises takes the place of recursion. Nodes are shared, not copied, and only as many are on the stack as forks are
/// open, at most one at each depth.
fn walk(digest: &[u8], reader: &mut Reader<'_>) -> Result<BTreeSet<Attestation>, Error> {
    let mut attestations = BTreeSet::new();
    let mut node: (Rc<[u8]>, usize) = (digest.into(), 0);
    let mut open = Vec::new();
    let mut work = 0;
    loop {
        let mut tag = reader.byte("an operation or attestation")?;
        if tag == FORK {
            open.push(node.clone());
            tag = reader.byte("a branch")?;
        }
        if tag == ATTESTATION {
            attestations.insert(Attestation::read(&node.0, reader)?);
            let Some(next) = open.pop() else {
                return Ok(attestations);
            };
            node = next;
            continue;
        }
        let depth = node.1 + 1;
        if depth > MAX_DEPTH {
            return Err(Error::TooDeep {
                offset: reader.offset() - 1,
                limit: MAX_DEPTH,
            });
        }
        work += node.0.len();
        if work > MAX_WORK_BYTES {
            return Err(Error::TooMuchWork {
                offset: reader.offset() - 1,
                limit: MAX_WORK_BYTES,
            });
        }
        node = (op::apply(tag, &node.0, reader)?, depth);
    }
}
