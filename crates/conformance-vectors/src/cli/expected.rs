//! The list of vectors that are known to fail: one id a line, comments after `#`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use conformance_vectors::Suite;

use super::error::CliError;

/// The largest list, in bytes.
const MAX_BYTES: u64 = 1_000_000;

/// Ids of vectors that are known to fail.
#[derive(Debug, Default)]
pub(super) struct ExpectedFailures(BTreeSet<String>);

impl ExpectedFailures {
    /// Reads a list, each of whose ids has to exist.
    pub(super) fn read(path: &Path, suite: &Suite) -> Result<Self, CliError> {
        let name = path.display().to_string();
        let text = read_bounded(path).map_err(|source| CliError::ExpectedFile {
            path: name.clone(),
            source,
        })?;
        let mut ids = BTreeSet::new();
        for (at, line) in text.lines().enumerate() {
            let id = line.split('#').next().unwrap_or_default().trim();
            if id.is_empty() {
                continue;
            }
            if suite.get(id).is_none() {
                let withdrawn = suite.files().iter().flat_map(|file| &file.withdrawn);
                return Err(CliError::ExpectedUnknown {
                    path: name,
                    line: at + 1,
                    id: id.to_owned(),
                    withdrawn: withdrawn
                        .into_iter()
                        .find(|w| w.id == id)
                        .map(|w| w.why.clone()),
                });
            }
            ids.insert(id.to_owned());
        }
        Ok(Self(ids))
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.0.contains(id)
    }
}

fn read_bounded(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)?;
    if u64::try_from(read).is_ok_and(|read| read > MAX_BYTES) {
        return Err(io::Error::other("it is larger than 1 MB"));
    }
    Ok(text)
}
