//! The fixtures, and one case run through the public interface.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use libtest_mimic::Failed;
use serde::Deserialize;
use timestamp_proof::{
    digest::{Digest, DigestAlgorithm},
    rfc3161::{self, Authority, Timestamp},
};

#[derive(Clone)]
pub(crate) struct Fixtures {
    folder: PathBuf,
    pub(crate) cases: Vec<Case>,
}

#[derive(Clone, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    token: String,
    data: Option<String>,
    digest: Option<String>,
    digest_alg: Option<String>,
    request: Option<String>,
    ca_files: Vec<String>,
    #[serde(default)]
    untrusted_files: Vec<String>,
    pub(crate) gen_time: Option<String>,
    pub(crate) expected: String,
    pub(crate) level: String,
    /// What public tools answered.
    pub(crate) measured: BTreeMap<String, Option<String>>,
}

/// The time-stamp, or code and text of the refusal.
pub(crate) type Verdict = Result<Timestamp, (&'static str, String)>;

impl Fixtures {
    pub(crate) fn open(folder: &Path) -> Result<Self, String> {
        let folder = folder.join("rfc3161");
        let file = folder.join("cases.json");
        let bytes = fs::read(&file)
            .map_err(|e| format!("FIXTURES_DIR is set, but {}: {e}", file.display()))?;
        let cases =
            serde_json::from_slice(&bytes).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(Self { folder, cases })
    }

    /// The verdict on a case. An error means that the case itself is broken.
    pub(crate) fn verify(&self, case: &Case) -> Result<Verdict, Failed> {
        let token = self.read(&case.token)?;
        let (first, others) = case
            .ca_files
            .split_first()
            .ok_or("a case names its trust anchors")?;
        let mut authority = Authority::from_roots(&self.read(first)?)?;
        for file in others {
            authority = authority.with_roots(&self.read(file)?)?;
        }
        for file in &case.untrusted_files {
            authority = authority.with_intermediates(&self.read(file)?)?;
        }
        let request = case
            .request
            .as_ref()
            .map(|file| self.read(file))
            .transpose()?;
        let digest = match self.digest(case, &token)? {
            Ok(digest) => digest,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let verdict = rfc3161::verify(&token, &digest, &authority, request.as_deref());
        Ok(verdict.map_err(|e| (e.code(), e.to_string())))
    }

    /// The digest as given, or of the data with the hash function that the token itself names.
    fn digest(
        &self,
        case: &Case,
        token: &[u8],
    ) -> Result<Result<Digest, (&'static str, String)>, Failed> {
        if let Some(data) = &case.data {
            let data = self.read(data)?;
            let algorithm = rfc3161::message_imprint_algorithm(token);
            return Ok(algorithm
                .map(|a| Digest::of_bytes(a, &data))
                .map_err(|e| (e.code(), e.to_string())));
        }
        let algorithm = case
            .digest_alg
            .as_ref()
            .ok_or("a case has data or a digest")?;
        let digest = case.digest.as_ref().ok_or("a case has data or a digest")?;
        let parsed = algorithm
            .parse::<DigestAlgorithm>()
            .and_then(|_| format!("{algorithm}:{digest}").parse());
        Ok(parsed.map_err(|e| (e.code(), e.to_string())))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Failed> {
        fs::read(self.folder.join(path)).map_err(|e| format!("{path}: {e}").into())
    }
}
