//! A proof against the digest of a file and the headers of blocks.

use std::collections::BTreeMap;

use base16ct::lower::encode_string as hex;

use super::header::display_order;
use super::{Attestation, BlockHeader, Error, FileDigest, FileHash, Proof};

/// What a proof amounts to, given a file's digest and some block headers. Made by [`Proof::verify`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// The verdict over the whole proof.
    pub verdict: Verdict,
    /// Each attestation of the proof and what was checked of it: Bitcoin first, lowest block first.
    pub attestations: Vec<Checked>,
}

/// An attestation and what was checked of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// What the proof says.
    pub attestation: Attestation,
    /// What a header says to that.
    pub state: State,
}

/// What a block header says to an attestation. Whoever gave the header vouches for its height: see [`BlockHeader`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// Not an attestation of a Bitcoin block, or no header was given for that height.
    Unchecked,
    /// The header has the attested merkle root.
    Confirmed(BlockHeader),
    /// The header has another merkle root.
    Contradicted(Error),
}

impl Checked {
    /// The header, if it confirms the attestation.
    #[must_use]
    pub fn confirmed_by(&self) -> Option<&BlockHeader> {
        match &self.state {
            State::Confirmed(header) => Some(header),
            _ => None,
        }
    }
}

/// The verdict over a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The digest went into the block at `height`, the lowest that was confirmed.
    Valid {
        /// The height of the block.
        height: u64,
        /// The header that was given for it.
        header: BlockHeader,
    },
    /// The proof is about something else, or contradicts a header that was given.
    Invalid(Error),
    /// Only calendars have promised something so far.
    Pending,
    /// Nothing is wrong, and nothing is shown.
    Unknown(Unknown),
}

/// Why nothing is shown though nothing is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unknown {
    /// The proof leads to a block whose header was not given.
    #[error("the proof leads to Bitcoin block {height}, whose header was not given: unchecked")]
    HeaderNotGiven {
        /// The lowest height that the proof names.
        height: u64,
    },
    /// The proof leads to a known block, and no file or digest was given to compare it with.
    #[error(
        "the digest in the proof is in Bitcoin block {height}, and no file or digest was given to compare it with"
    )]
    TargetNotGiven {
        /// The lowest height that was confirmed.
        height: u64,
    },
    /// The proof leads to a known block, from a digest that more than one file can have.
    #[error(
        "a {hash} digest of the file is in Bitcoin block {height}, and two files can be made with one {hash} digest: that \
         does not show which of them existed"
    )]
    WeakFileHash {
        /// The file hash operation of the proof.
        hash: FileHash,
        /// The lowest height that was confirmed.
        height: u64,
    },
    /// The proof has neither a Bitcoin attestation nor a pending one.
    #[error(
        "the proof has no Bitcoin attestation: those of other chains and of unknown kinds are not checked"
    )]
    NoBitcoinAttestation,
}

impl Unknown {
    /// The stable name of this reason, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::HeaderNotGiven { .. } => "header-not-given",
            Self::TargetNotGiven { .. } => "target-not-given",
            Self::WeakFileHash { .. } => "weak-file-hash",
            Self::NoBitcoinAttestation => "no-bitcoin-attestation",
        }
    }
}

impl Proof {
    /// Compares the proof with the digest of a file and with Bitcoin headers by height.
    ///
    /// One attestation that contradicts a given header makes the proof invalid, whatever the others say. A header that
    /// no attestation names changes nothing.
    #[must_use]
    pub fn verify(
        &self,
        target: Option<&FileDigest>,
        headers: &BTreeMap<u64, BlockHeader>,
    ) -> Verification {
        let attestations: Vec<_> = self
            .attestations()
            .map(|attestation| Checked {
                attestation: attestation.clone(),
                state: check(attestation, headers),
            })
            .collect();
        let contradiction = || {
            attestations
                .iter()
                .find_map(|checked| match &checked.state {
                    State::Contradicted(error) => Some(error.clone()),
                    _ => None,
                })
        };
        let other = target.and_then(|target| self.compare(target).err());
        let verdict = match other.or_else(contradiction) {
            Some(error) => Verdict::Invalid(error),
            None => self.weigh(target, &attestations),
        };
        Verification {
            verdict,
            attestations,
        }
    }

    fn compare(&self, target: &FileDigest) -> Result<(), Error> {
        let proof = self.file_digest();
        if proof.hash() != target.hash() {
            return Err(Error::DigestAlgorithm {
                proof: proof.hash(),
                asked: target.hash(),
            });
        }
        if proof.bytes() != target.bytes() {
            let (proof, file) = (hex(proof.bytes()), hex(target.bytes()));
            return Err(Error::DigestMismatch {
                hash: target.hash(),
                proof,
                file,
            });
        }
        Ok(())
    }

    fn weigh(&self, target: Option<&FileDigest>, attestations: &[Checked]) -> Verdict {
        let hash = self.file_digest().hash();
        let bitcoin = || {
            attestations
                .iter()
                .filter_map(|checked| match checked.attestation {
                    Attestation::Bitcoin { height, .. } => {
                        Some((height, checked.confirmed_by().copied()))
                    }
                    _ => None,
                })
        };
        let confirmed =
            bitcoin().find_map(|(height, header)| header.map(|header| (height, header)));
        if let Some((height, header)) = confirmed {
            return match target {
                None => Verdict::Unknown(Unknown::TargetNotGiven { height }),
                Some(_) if hash.is_weak() => {
                    Verdict::Unknown(Unknown::WeakFileHash { hash, height })
                }
                Some(_) => Verdict::Valid { height, header },
            };
        }
        if let Some((height, _)) = bitcoin().next() {
            return Verdict::Unknown(Unknown::HeaderNotGiven { height });
        }
        if attestations
            .iter()
            .any(|checked| matches!(checked.attestation, Attestation::Pending { .. }))
        {
            return Verdict::Pending;
        }
        Verdict::Unknown(Unknown::NoBitcoinAttestation)
    }
}

fn check(attestation: &Attestation, headers: &BTreeMap<u64, BlockHeader>) -> State {
    let Attestation::Bitcoin {
        height,
        merkle_root,
    } = attestation
    else {
        return State::Unchecked;
    };
    let Some(header) = headers.get(height) else {
        return State::Unchecked;
    };
    let Some(merkle_root) = merkle_root else {
        return State::Contradicted(Error::MerkleRootLength { height: *height });
    };
    if merkle_root != header.merkle_root() {
        let (header, proof) = (
            display_order(header.merkle_root()),
            display_order(merkle_root),
        );
        return State::Contradicted(Error::MerkleRootMismatch {
            height: *height,
            header,
            proof,
        });
    }
    State::Confirmed(*header)
}
