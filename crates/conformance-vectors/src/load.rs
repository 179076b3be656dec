//! Reading vector files: the copy inside this crate, or a folder.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use thiserror::Error;

use crate::model::{Kind, Vector, VectorFile};

/// The largest vector file, in bytes.
pub const MAX_FILE_BYTES: usize = 1_000_000;

/// The copy inside this crate, kept equal to `test-vectors/draft` by `cargo xtask vectors`: a published crate has nothing
/// but its own folder.
const EMBEDDED: [(Kind, &str); 14] = [
    (Kind::Token, include_str!("../vectors/token.json")),
    (Kind::KeySet, include_str!("../vectors/key-set.json")),
    (Kind::Discovery, include_str!("../vectors/discovery.json")),
    (Kind::Answer, include_str!("../vectors/answer.json")),
    (Kind::Record, include_str!("../vectors/record.json")),
    (Kind::Ed25519, include_str!("../vectors/ed25519.json")),
    (Kind::Request, include_str!("../vectors/request.json")),
    (Kind::Names, include_str!("../vectors/names.json")),
    (
        Kind::CapabilitiesTxt,
        include_str!("../vectors/capabilities-txt.json"),
    ),
    (
        Kind::CapabilitiesTxtDeny,
        include_str!("../vectors/capabilities-txt-deny.json"),
    ),
    (
        Kind::CapabilitiesTxtFetch,
        include_str!("../vectors/capabilities-txt-fetch.json"),
    ),
    (Kind::Client, include_str!("../vectors/client.json")),
    (
        Kind::ClientFailure,
        include_str!("../vectors/client-failure.json"),
    ),
    (
        Kind::ClientCache,
        include_str!("../vectors/client-cache.json"),
    ),
];

/// All vector files of one version of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    files: Vec<VectorFile>,
}

/// Why vectors could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The operating system refused.
    #[error("cannot read {path}: a folder of vectors holds one file KIND.json for each kind")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file is larger than [`MAX_FILE_BYTES`].
    #[error("{path} is too large: expected at most {MAX_FILE_BYTES} bytes, found more")]
    TooLarge {
        /// The file.
        path: String,
    },
    /// The file is not JSON, or not of the form of vectors.
    #[error("{path} is not a file of vectors that this version can read")]
    Form {
        /// The file.
        path: String,
        /// What and where.
        source: serde_json::Error,
    },
    /// The file is about something else than its name says.
    #[error("{path} holds vectors of the kind {found}: expected {expected}, as its name says")]
    Kind {
        /// The file.
        path: String,
        /// By its name.
        expected: Kind,
        /// By its content.
        found: Kind,
    },
    /// Vectors are missing, or there are more than the file knows of.
    #[error(
        "{path} says that it holds {declared} tests, but holds {found}: it was cut short or edited by hand"
    )]
    Count {
        /// The file.
        path: String,
        /// By `numberOfTests`.
        declared: usize,
        /// In `tests`.
        found: usize,
    },
    /// Two vectors have one id.
    #[error("{path} holds the id {id} for a second time")]
    DuplicateId {
        /// The file with the second one.
        path: String,
        /// The id.
        id: String,
    },
}

impl LoadError {
    /// The name of the error, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "vectors-io",
            Self::TooLarge { .. } => "vectors-too-large",
            Self::Form { .. } => "vectors-form",
            Self::Kind { .. } => "vectors-kind",
            Self::Count { .. } => "vectors-count",
            Self::DuplicateId { .. } => "vectors-duplicate-id",
        }
    }
}

impl Suite {
    /// The vectors that this crate was built with.
    ///
    /// # Errors
    /// [`LoadError`] if the copy was edited by hand.
    pub fn embedded() -> Result<Self, LoadError> {
        let files = EMBEDDED
            .into_iter()
            .map(|(kind, text)| parse(kind, &format!("{kind}.json (embedded)"), text.as_bytes()))
            .collect::<Result<_, _>>()?;
        Self::new(files)
    }

    /// The vectors of a folder that holds a file for each kind, or none of the kinds that came after 0.2-rc.1
    /// ([`Kind::is_later_than_the_first`]).
    ///
    /// # Errors
    /// [`LoadError`] if a file is missing, too large or not as the schema says, or if two vectors have one id.
    pub fn read(folder: &Path) -> Result<Self, LoadError> {
        let path = |kind: Kind| folder.join(format!("{kind}.json"));
        let mut later = Kind::ALL
            .into_iter()
            .filter(|kind| kind.is_later_than_the_first());
        let has_later = later.any(|kind| path(kind).exists());
        let files = Kind::ALL
            .into_iter()
            .filter(|kind| has_later || !kind.is_later_than_the_first())
            .map(|kind| {
                let path = path(kind);
                let name = path.display().to_string();
                let bytes = read_bounded(&path).map_err(|source| LoadError::Io {
                    path: name.clone(),
                    source,
                })?;
                parse(kind, &name, &bytes)
            })
            .collect::<Result<_, _>>()?;
        Self::new(files)
    }

    fn new(files: Vec<VectorFile>) -> Result<Self, LoadError> {
        let mut ids = BTreeSet::new();
        for file in &files {
            for vector in &file.tests {
                if !ids.insert(&vector.id) {
                    return Err(LoadError::DuplicateId {
                        path: format!("{}.json", file.kind),
                        id: vector.id.clone(),
                    });
                }
            }
        }
        Ok(Self { files })
    }

    /// The files, in the order of [`Kind::ALL`].
    #[must_use]
    pub fn files(&self) -> &[VectorFile] {
        &self.files
    }

    /// All vectors, in the order of files and places.
    pub fn vectors(&self) -> impl Iterator<Item = &Vector> {
        self.files.iter().flat_map(|file| &file.tests)
    }

    /// The vector with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Vector> {
        self.vectors().find(|vector| vector.id == id)
    }
}

fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let limit = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse(kind: Kind, path: &str, bytes: &[u8]) -> Result<VectorFile, LoadError> {
    let path = || path.to_owned();
    if bytes.len() > MAX_FILE_BYTES {
        return Err(LoadError::TooLarge { path: path() });
    }
    let file: VectorFile = serde_json::from_slice(bytes).map_err(|source| LoadError::Form {
        path: path(),
        source,
    })?;
    if file.kind != kind {
        return Err(LoadError::Kind {
            path: path(),
            expected: kind,
            found: file.kind,
        });
    }
    if file.number_of_tests != file.tests.len() {
        return Err(LoadError::Count {
            path: path(),
            declared: file.number_of_tests,
            found: file.tests.len(),
        });
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (kind, text) in EMBEDDED {
            fs::write(folder.path().join(format!("{kind}.json")), text).unwrap();
        }
        folder
    }

    /// Changes the token file and says how reading it fails.
    fn refused(change: impl FnOnce(&str) -> String) -> &'static str {
        let folder = folder();
        let path = folder.path().join("token.json");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, change(&text)).unwrap();
        Suite::read(folder.path()).unwrap_err().code()
    }

    #[test]
    fn the_embedded_copy_and_a_folder_read_alike() {
        let suite = Suite::embedded().unwrap();
        assert_eq!(suite, Suite::read(folder().path()).unwrap());
        let first = suite.vectors().next().unwrap();
        assert_eq!(suite.get(&first.id), Some(first));
        assert_eq!(suite.get("no-such-vector"), None);
        assert_eq!(suite.files().len(), Kind::ALL.len());
    }

    #[test]
    fn a_folder_has_all_kinds_or_is_from_before_some() {
        let frozen = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-vectors/0.2-rc.1");
        let suite = Suite::read(&frozen).unwrap();
        assert_eq!(suite.files().len(), 8);
        let folder = folder();
        fs::remove_file(folder.path().join("capabilities-txt.json")).unwrap();
        assert_eq!(Suite::read(folder.path()).unwrap_err().code(), "vectors-io");
    }

    #[test]
    fn a_damaged_file_is_refused_by_name() {
        assert_eq!(
            refused(|text| text[..text.len() / 2].to_owned()),
            "vectors-form"
        );
        assert_eq!(
            refused(|text| " ".repeat(MAX_FILE_BYTES) + text),
            "vectors-too-large"
        );
        assert_eq!(
            refused(|text| text.replacen("\"token\"", "\"answer\"", 1)),
            "vectors-kind"
        );
        assert_eq!(
            refused(|text| text.replacen("numberOfTests\": ", "numberOfTests\": 1", 1)),
            "vectors-count"
        );
        assert_eq!(
            refused(|text| text.replacen("\"comment\"", "\"remark\"", 1)),
            "vectors-form"
        );
    }

    #[test]
    fn a_missing_file_and_a_second_use_of_an_id_are_refused() {
        let folder = folder();
        let names = folder.path().join("names.json");
        let mut file: VectorFile =
            serde_json::from_str(&fs::read_to_string(&names).unwrap()).unwrap();
        file.tests
            .push(Suite::embedded().unwrap().vectors().next().unwrap().clone());
        file.number_of_tests += 1;
        fs::write(&names, serde_json::to_string(&file).unwrap()).unwrap();
        assert_eq!(
            Suite::read(folder.path()).unwrap_err().code(),
            "vectors-duplicate-id"
        );
        fs::remove_file(&names).unwrap();
        assert_eq!(Suite::read(folder.path()).unwrap_err().code(), "vectors-io");
    }
}
