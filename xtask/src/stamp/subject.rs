//! What is stamped: the list of a frozen version's digests.

use std::path::{Path, PathBuf};

use timestamp_proof::digest::{Digest, DigestAlgorithm};
use timestamp_proof::rfc3161;

use super::StampError;
use crate::proofs::manifest;
use crate::repo::{self, Repo};
use crate::spec::version::Version;

/// `proof/<version>/SHA256SUMS` and its digest.
#[derive(Debug, Clone)]
pub struct Subject {
    version: Version,
    path: PathBuf,
    digest: Digest,
}

impl Subject {
    /// Reads and hashes the list of a frozen version.
    ///
    /// # Errors
    /// [`StampError::NotFrozen`] if there is none; otherwise what kept it from being read.
    pub fn load(repo: &Repo, version: &Version) -> Result<Self, StampError> {
        let path = repo.path(&manifest::path(version));
        if !path.exists() {
            return Err(StampError::NotFrozen {
                version: version.to_string(),
            });
        }
        let digest = Digest::of_bytes(DigestAlgorithm::Sha256, &repo::read(&path)?);
        Ok(Self {
            version: version.clone(),
            path,
            digest,
        })
    }

    /// The version that the list is of.
    #[must_use]
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// The list.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// SHA-256 of the list.
    #[must_use]
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// Where the answer of a timestamp authority is kept.
    #[must_use]
    pub fn token_path(&self, authority: &str) -> PathBuf {
        self.path
            .with_file_name(format!("{}.{authority}.tsr", manifest::NAME))
    }

    /// Where the OpenTimestamps proof is kept.
    #[must_use]
    pub fn ots_path(&self) -> PathBuf {
        self.path.with_file_name(format!("{}.ots", manifest::NAME))
    }

    /// The request to send: the one that `freeze` wrote for the authority, or else a new one with a random nonce.
    ///
    /// # Errors
    /// If the file cannot be read, or the system gives no random bytes.
    pub fn request(&self, authority: &str) -> Result<Vec<u8>, StampError> {
        let path = self.token_path(authority).with_extension("tsq");
        if path.exists() {
            return Ok(repo::read(&path)?);
        }
        let nonce = u64::from_be_bytes(super::random()?);
        rfc3161::request(&self.digest, Some(nonce), None).map_err(StampError::Certificates)
    }
}
