//! Putting an OpenTimestamps proof together from the answers of calendars.
//!
//! A proof is a tree of operations with attestations at its ends. Here it is only taken apart and joined; what it says,
//! and whether it is sound, is for [`Proof::parse`] alone to tell, which sees every answer first, in its place.

use std::collections::{BTreeMap, BTreeSet};

use timestamp_proof::digest::Digest;
use timestamp_proof::ots::{Attestation, Error, Proof};

const HEADER: &[u8] = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94\x01";
const SHA256: u8 = 0x08;
const APPEND: u8 = 0xf0;
const PREPEND: u8 = 0xf1;
const FORK: u8 = 0xff;
const ATTESTATION: u8 = 0x00;

/// A detached proof that can still grow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Everything before the first operation: format, version, hash, digest.
    start: Vec<u8>,
    root: Node,
}

/// A way through the tree, one encoded operation after the other.
pub type Path = Vec<Vec<u8>>;

/// A promise of a calendar that nothing has come of yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// The operations that lead to it.
    pub path: Path,
    /// The calendar's own address, a string from outside.
    pub uri: String,
    /// What the calendar knows the stamp by.
    pub commitment: Vec<u8>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Node {
    /// Encoded without the leading zero byte.
    attestations: BTreeSet<Vec<u8>>,
    operations: BTreeMap<Vec<u8>, Self>,
}

impl Tree {
    /// An empty proof over a SHA-256 digest.
    #[must_use]
    pub fn new(sha256: &Digest) -> Self {
        Self {
            start: [HEADER, &[SHA256], sha256.as_bytes()].concat(),
            root: Node::default(),
        }
    }

    /// Takes a SHA-256 proof apart.
    ///
    /// # Errors
    /// As [`Proof::parse`].
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let proof = Proof::parse(bytes)?;
        let length = HEADER.len() + 1 + proof.file_digest().bytes().len();
        let (start, rest) = bytes.split_at_checked(length).unwrap_or((bytes, &[]));
        let root = Node::read(rest).ok_or(OUT_OF_STEP)?;
        Ok(Self {
            start: start.to_vec(),
            root,
        })
    }

    /// The operations that hide the digest from the calendars, as every client does: 16 random bytes are appended, and
    /// the whole is hashed. The second value is what the calendars are asked to stamp.
    #[must_use]
    pub fn blinded(sha256: &Digest, nonce: [u8; 16]) -> (Path, Digest) {
        let append = [&[APPEND, 16], nonce.as_slice()].concat();
        let blinded = [sha256.as_bytes(), &nonce].concat();
        (
            vec![append, vec![SHA256]],
            Digest::of_bytes(sha256.algorithm(), &blinded),
        )
    }

    /// Adds a calendar's answer at the end of a path, if it is sound there, and tells what it attests.
    ///
    /// # Errors
    /// As [`Proof::parse`]; the tree is as it was.
    pub fn graft(&mut self, path: &[Vec<u8>], answer: &[u8]) -> Result<Vec<Attestation>, Error> {
        let alone = [self.start.as_slice(), &path.concat(), answer].concat();
        let attestations = Proof::parse(&alone)?.attestations().cloned().collect();
        let branch = Node::read(answer).ok_or(OUT_OF_STEP)?;
        let mut grown = self.clone();
        let place = path.iter().fold(&mut grown.root, |node, operation| {
            node.operations.entry(operation.clone()).or_default()
        });
        place.merge(branch);
        Proof::parse(&grown.to_bytes())?;
        *self = grown;
        Ok(attestations)
    }

    /// The promises that nothing has come of yet: those with no operation beside them.
    #[must_use]
    pub fn pending(&self) -> Vec<Pending> {
        let mut found = Vec::new();
        self.root.visit(&mut Vec::new(), &mut |path, node| {
            if node.operations.is_empty() {
                found.extend(
                    node.attestations
                        .iter()
                        .filter_map(|one| self.pending_at(path, one)),
                );
            }
        });
        found
    }

    fn pending_at(&self, path: &[Vec<u8>], attestation: &[u8]) -> Option<Pending> {
        let alone = [
            self.start.as_slice(),
            &path.concat(),
            &[ATTESTATION],
            attestation,
        ]
        .concat();
        match Proof::parse(&alone).ok()?.attestations().next()? {
            Attestation::Pending {
                uri,
                commitment: Some(commitment),
            } => Some(Pending {
                path: path.to_vec(),
                uri: uri.clone(),
                commitment: commitment.clone(),
            }),
            _ => None,
        }
    }

    /// The proof as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.start.clone();
        self.root.write(&mut bytes);
        bytes
    }
}

/// What [`Proof::parse`] took and this reader did not: they disagree about the format, which is a fault of this crate.
const OUT_OF_STEP: Error = Error::Truncated {
    offset: 0,
    inside: "a proof that was read once",
};

impl Node {
    /// Reads a node that must take all of the bytes. They have passed [`Proof::parse`], which bounds the depth.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let node = Self::read_from(&mut rest)?;
        rest.is_empty().then_some(node)
    }

    fn read_from(rest: &mut &[u8]) -> Option<Self> {
        let mut node = Self::default();
        loop {
            let mut tag = byte(rest)?;
            let last = tag != FORK;
            if !last {
                tag = byte(rest)?;
            }
            if tag == ATTESTATION {
                let whole = *rest;
                take(rest, 8)?;
                let length = number(rest)?;
                take(rest, length)?;
                node.attestations
                    .insert(whole.get(..whole.len() - rest.len())?.to_vec());
            } else {
                let mut operation = vec![tag];
                if matches!(tag, APPEND | PREPEND) {
                    let whole = *rest;
                    let length = number(rest)?;
                    take(rest, length)?;
                    operation.extend_from_slice(whole.get(..whole.len() - rest.len())?);
                }
                let below = Self::read_from(rest)?;
                node.operations.entry(operation).or_default().merge(below);
            }
            if last {
                return Some(node);
            }
        }
    }

    fn merge(&mut self, other: Self) {
        self.attestations.extend(other.attestations);
        for (operation, node) in other.operations {
            self.operations.entry(operation).or_default().merge(node);
        }
    }

    fn visit(&self, path: &mut Path, see: &mut impl FnMut(&[Vec<u8>], &Self)) {
        see(path, self);
        for (operation, node) in &self.operations {
            path.push(operation.clone());
            node.visit(path, see);
            path.pop();
        }
    }

    /// All items but the last stand behind a fork byte.
    fn write(&self, bytes: &mut Vec<u8>) {
        let mut left = self.attestations.len() + self.operations.len();
        let mut fork = |bytes: &mut Vec<u8>| {
            left -= 1;
            if left > 0 {
                bytes.push(FORK);
            }
        };
        for attestation in &self.attestations {
            fork(bytes);
            bytes.push(ATTESTATION);
            bytes.extend_from_slice(attestation);
        }
        for (operation, node) in &self.operations {
            fork(bytes);
            bytes.extend_from_slice(operation);
            node.write(bytes);
        }
    }
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(count)?;
    *rest = after;
    Some(taken)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    take(rest, 1)?.first().copied()
}

/// A little-endian base-128 number.
fn number(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    for shift in (0..usize::BITS).step_by(7) {
        let byte = byte(rest)?;
        value |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path as FilePath;

    use timestamp_proof::digest::DigestAlgorithm;

    use super::*;

    fn digest() -> Digest {
        Digest::of_bytes(DigestAlgorithm::Sha256, b"a list")
    }

    /// An attestation of a calendar, as an answer: `uri` has at most 120 characters.
    fn promise(uri: &str) -> Vec<u8> {
        let length = u8::try_from(uri.len()).unwrap();
        let tag = [0x00, 0x83, 0xdf, 0xe3, 0x0d, 0x2e, 0xf9, 0x0c, 0x8e];
        [tag.as_slice(), &[length + 1, length], uri.as_bytes()].concat()
    }

    fn block(height: u8) -> Vec<u8> {
        vec![
            0x00, 0x05, 0x88, 0x96, 0x0d, 0x73, 0xd7, 0x19, 0x01, 1, height,
        ]
    }

    #[test]
    fn answers_are_joined_and_the_proof_is_about_the_digest() {
        let mut tree = Tree::new(&digest());
        let (path, blinded) = Tree::blinded(&digest(), [7; 16]);
        assert_eq!(
            blinded,
            Digest::of_bytes(
                DigestAlgorithm::Sha256,
                &[digest().as_bytes(), &[7; 16]].concat()
            )
        );
        // Two answers; the second has two items of its own.
        let first = [&[APPEND, 1, b'x', SHA256][..], &promise("https://a.test")].concat();
        let second = [
            &[FORK, SHA256][..],
            &promise("https://b.test"),
            &[PREPEND, 1, b'y'],
            &promise("https://c.test"),
        ]
        .concat();
        assert_eq!(tree.graft(&path, &first).unwrap().len(), 1);
        assert_eq!(tree.graft(&path, &second).unwrap().len(), 2);

        let bytes = tree.to_bytes();
        let proof = Proof::parse(&bytes).unwrap();
        assert_eq!(proof.file_digest().bytes(), digest().as_bytes());
        assert_eq!(proof.attestations().len(), 3);
        assert_eq!(Tree::parse(&bytes).unwrap(), tree);

        let mut uris: Vec<_> = tree
            .pending()
            .into_iter()
            .map(|pending| pending.uri)
            .collect();
        uris.sort();
        assert_eq!(uris, ["https://a.test", "https://b.test", "https://c.test"]);
    }

    #[test]
    fn an_upgrade_keeps_the_promise_and_is_not_asked_for_again() {
        let mut tree = Tree::new(&digest());
        tree.graft(&[], &promise("https://a.test")).unwrap();
        let pending = tree.pending().remove(0);
        assert_eq!(pending.commitment, digest().as_bytes());
        tree.graft(&pending.path, &[&[SHA256][..], &block(9)].concat())
            .unwrap();
        assert!(tree.pending().is_empty());
        let proof = Proof::parse(&tree.to_bytes()).unwrap();
        let kinds: Vec<_> = proof.attestations().map(Attestation::kind).collect();
        assert_eq!(kinds, ["bitcoin", "pending"]);
    }

    #[test]
    fn an_answer_that_is_not_sound_changes_nothing() {
        let mut tree = Tree::new(&digest());
        tree.graft(&[], &promise("https://a.test")).unwrap();
        let before = tree.clone();
        let good = [&[SHA256][..], &promise("https://b.test")].concat();
        for answer in [
            b"".as_slice(),
            b"<html>",
            &good[..good.len() - 1],
            &[&good[..], b"\n"].concat(),
            &[SHA256; 300],
            &promise("https://a.test?query"),
        ] {
            assert!(tree.graft(&[], answer).is_err(), "{answer:02x?}");
        }
        assert_eq!(tree, before);
    }

    #[test]
    fn what_others_wrote_is_taken_apart_and_joined_without_loss() {
        let Ok(fixtures) = std::env::var("FIXTURES_DIR") else {
            eprintln!("skipped: FIXTURES_DIR is not set");
            return;
        };
        let folder = FilePath::new(&fixtures).join("ots");
        let mut files = Vec::new();
        collect(&folder, &mut files);
        let mut joined = 0;
        for file in files {
            let bytes = fs::read(&file).unwrap();
            let Ok(proof) = Proof::parse(&bytes) else {
                continue;
            };
            let tree = Tree::parse(&bytes).unwrap();
            let again = tree.to_bytes();
            assert_eq!(Proof::parse(&again).unwrap(), proof, "{}", file.display());
            assert_eq!(Tree::parse(&again).unwrap(), tree);
            joined += 1;
        }
        assert!(joined >= 20, "only {joined} proofs of {}", folder.display());
    }

    fn collect(folder: &FilePath, files: &mut Vec<std::path::PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "ots") {
                files.push(path);
            }
        }
    }
}
