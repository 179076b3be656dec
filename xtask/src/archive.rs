//! The vectors of an edition as one file to take along: the same bytes wherever it is packed.
//!
//! A tar archive, compressed by gzip: every system unpacks it, and so does the standard library of most languages. Paths
//! in it are those of the repository below one folder, so that `sha256sum -c proof/<version>/SHA256SUMS` holds there too.

use std::io::{self, Write as _};

use command_console::Explain;
use flate2::{Compression, GzBuilder};
use thiserror::Error;
use timestamp_proof::digest::{Digest, DigestAlgorithm};

use crate::repo::{self, Repo, RepoError};

/// What lies beside the vectors of every edition: how to use them, a consumer of them, their licence.
const BESIDE: [&str; 4] = [
    "test-vectors/LICENSE",
    "test-vectors/README.md",
    "test-vectors/consumer.py",
    "test-vectors/player.py",
];

/// When every file in an archive was changed: 2026-01-01T00:00:00Z, in seconds since 1970.
const CHANGED: u64 = 1_767_225_600;

/// The vectors of an edition, packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// `capability-resolution-vectors-<edition>.tar.gz`.
    pub file_name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Their SHA-256 digest, in hexadecimal.
    pub sha256: String,
    /// The files in it, by their paths in the repository, sorted.
    pub files: Vec<String>,
}

/// Why vectors cannot be packed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// A file could not be read.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// There are no vectors of this name.
    #[error("there are no vectors of {0}")]
    Unknown(String),
    /// A file does not go into an archive.
    #[error("{path} cannot be packed")]
    Pack {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
}

impl Explain for ArchiveError {
    fn code(&self) -> &'static str {
        match self {
            Self::Repo(error) => error.code(),
            Self::Unknown(_) => "unknown-version",
            Self::Pack { .. } => "pack",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Repo(error) => error.help(),
            Self::Unknown(_) => {
                Some("the folders of test-vectors are the versions that have some".into())
            }
            Self::Pack { .. } => None,
        }
    }
}

/// Packs the vectors of a version, or of `draft`.
///
/// # Errors
/// [`ArchiveError::Unknown`] if there are none; the others if a file cannot be read or packed.
pub fn of(repo: &Repo, edition: &str) -> Result<Archive, ArchiveError> {
    let folder = format!("test-vectors/{edition}");
    let mut files = Vec::new();
    for folder in [folder.clone(), format!("{folder}/schema")] {
        let found = repo::list(&repo.path(&folder))?;
        let plain = found.iter().filter(|path| path.is_file());
        files.extend(plain.map(|path| repo.relative(path)));
    }
    if files.is_empty() {
        return Err(ArchiveError::Unknown(edition.to_owned()));
    }
    files.extend(BESIDE.map(str::to_owned));
    let manifest = format!("proof/{edition}/SHA256SUMS");
    if repo.path(&manifest).exists() {
        files.push(manifest);
    }
    files.sort();

    let name = format!("capability-resolution-vectors-{edition}");
    let bytes = pack(repo, &name, &files)?;
    Ok(Archive {
        file_name: format!("{name}.tar.gz"),
        sha256: Digest::of_bytes(DigestAlgorithm::Sha256, &bytes).to_hex(),
        bytes,
        files,
    })
}

fn pack(repo: &Repo, folder: &str, files: &[String]) -> Result<Vec<u8>, ArchiveError> {
    // No name, no time, no system in the head: nothing of the machine that packs.
    let gzip = GzBuilder::new()
        .mtime(0)
        .operating_system(255)
        .write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(gzip);
    let finished = |archive: tar::Builder<flate2::write::GzEncoder<Vec<u8>>>| {
        let mut gzip = archive.into_inner()?;
        gzip.flush()?;
        gzip.finish()
    };
    for path in files {
        let bytes = repo::read(&repo.path(path))?;
        let mut header = tar::Header::new_ustar();
        header.set_size(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        header.set_mode(0o644);
        header.set_mtime(CHANGED);
        header.set_uid(0);
        header.set_gid(0);
        archive
            .append_data(&mut header, format!("{folder}/{path}"), bytes.as_slice())
            .map_err(|source| ArchiveError::Pack {
                path: path.clone(),
                source,
            })?;
    }
    finished(archive).map_err(|source| ArchiveError::Pack {
        path: folder.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::Read as _;
    use std::path::Path;

    use super::*;

    fn repo() -> Repo {
        Repo::find_from(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    fn unpacked(archive: &Archive) -> BTreeMap<String, Vec<u8>> {
        let folder = format!("{}/", archive.file_name.trim_end_matches(".tar.gz"));
        let mut files = BTreeMap::new();
        let gzip = flate2::read::GzDecoder::new(archive.bytes.as_slice());
        for entry in tar::Archive::new(gzip).entries().unwrap() {
            let mut entry = entry.unwrap();
            let path = entry.path().unwrap().to_str().unwrap().to_owned();
            let header = entry.header();
            let facts = (
                header.mode().unwrap(),
                header.mtime().unwrap(),
                header.uid().unwrap(),
                header.gid().unwrap(),
            );
            assert_eq!(facts, (0o644, CHANGED, 0, 0), "{path}");
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            files.insert(path.strip_prefix(&folder).unwrap().to_owned(), bytes);
        }
        files
    }

    #[test]
    fn it_holds_the_files_of_the_repository_and_nothing_of_the_machine() {
        let archive = of(&repo(), "draft").unwrap();
        assert_eq!(archive, of(&repo(), "draft").unwrap());
        let files = unpacked(&archive);
        assert!(files.keys().eq(&archive.files), "sorted, each once");
        for (path, bytes) in &files {
            assert!(*bytes == repo::read(&repo().path(path)).unwrap(), "{path}");
        }
        for path in BESIDE.into_iter().chain([
            "test-vectors/draft/FORMAT.md",
            "test-vectors/draft/token.json",
            "test-vectors/draft/schema/token.schema.json",
        ]) {
            assert!(files.contains_key(path), "{path}");
        }
        assert_eq!(
            Digest::of_bytes(DigestAlgorithm::Sha256, &archive.bytes).to_hex(),
            archive.sha256
        );
    }

    #[test]
    fn of_a_frozen_version_it_holds_what_was_frozen() {
        let files = unpacked(&of(&repo(), "0.2-rc.1").unwrap());
        let manifest = String::from_utf8(files["proof/0.2-rc.1/SHA256SUMS"].clone()).unwrap();
        let frozen: BTreeMap<_, _> = manifest
            .lines()
            .filter_map(|line| line.split_once("  "))
            .filter(|(_, path)| path.starts_with("test-vectors/"))
            .map(|(digest, path)| (path, digest.to_owned()))
            .collect();
        let packed: BTreeMap<_, _> = files
            .iter()
            .filter(|(path, _)| path.starts_with("test-vectors/0.2-rc.1/"))
            .map(|(path, bytes)| {
                (
                    path.as_str(),
                    Digest::of_bytes(DigestAlgorithm::Sha256, bytes).to_hex(),
                )
            })
            .collect();
        assert!(frozen.len() > 10, "{frozen:?}");
        assert_eq!(packed, frozen);
    }

    #[test]
    fn what_is_not_there_is_told() {
        let error = of(&repo(), "9.9").unwrap_err();
        assert_eq!(
            (error.code(), error.to_string()),
            ("unknown-version", "there are no vectors of 9.9".to_owned())
        );
    }
}
