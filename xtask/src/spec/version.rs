//! Versions of the specification: `0.2-rc.1`, `0.2`, `1.0`, `1.0.1`.

use std::cmp::Ordering;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

use crate::repo::{self, Repo, RepoError};

/// The longest version that is read, in bytes.
const MAX_LENGTH: usize = 64;

/// A version of the specification: semantic versioning in which a patch number of zero is not written.
///
/// It is also the name of the version's folders, so it holds letters, digits, dots and hyphens only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version {
    written: String,
    number: semver::Version,
}

/// Why a string is not a [`Version`].
#[derive(Debug, Error)]
#[error(
    "\"{found}\" is not a version: expected MAJOR.MINOR or MAJOR.MINOR.PATCH with an optional -PRERELEASE, {why}"
)]
pub struct VersionError {
    found: String,
    why: String,
}

impl Version {
    /// True if the version has no pre-release part: `0.2`, not `0.2-rc.1`.
    #[must_use]
    pub fn is_final(&self) -> bool {
        self.number.pre.is_empty()
    }
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(written: &str) -> Result<Self, VersionError> {
        let refuse = |why: String| VersionError {
            found: written.chars().take(MAX_LENGTH).collect(),
            why,
        };
        if written.len() > MAX_LENGTH {
            return Err(refuse(format!("of at most {MAX_LENGTH} characters")));
        }
        if written.contains('+') {
            return Err(refuse("without build metadata".into()));
        }
        let (core, pre) = match written.split_once('-') {
            Some((core, pre)) => (core, format!("-{pre}")),
            None => (written, String::new()),
        };
        let full = match core.split('.').count() {
            2 => format!("{core}.0{pre}"),
            3 if core.ends_with(".0") => {
                return Err(refuse("a patch number of zero is not written".into()));
            }
            3 => written.to_owned(),
            n => return Err(refuse(format!("found {n} of the numbers"))),
        };
        let number = semver::Version::parse(&full).map_err(|error| refuse(error.to_string()))?;
        Ok(Self {
            written: written.to_owned(),
            number,
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.written)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The frozen versions, oldest first: the folders under `proof` whose names are versions. That folder is what `freeze`
/// puts in place last, so a version that was not cut to the end is none.
///
/// # Errors
/// If `proof` cannot be listed.
pub fn frozen(repo: &Repo) -> Result<Vec<Version>, RepoError> {
    let folders: Vec<PathBuf> = repo::list(&repo.path("proof"))?;
    let names = folders
        .iter()
        .filter(|path| path.is_dir())
        .filter_map(|path| path.file_name()?.to_str());
    let mut versions: Vec<Version> = names.filter_map(|name| name.parse().ok()).collect();
    versions.sort();
    Ok(versions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_that_of_semantic_versioning() {
        let written = [
            "0.1",
            "0.2-rc.1",
            "0.2-rc.2",
            "0.2-rc.10",
            "0.2",
            "0.2.1",
            "0.10",
            "1.0",
        ];
        let mut versions: Vec<Version> = written
            .iter()
            .rev()
            .map(|text| text.parse().unwrap())
            .collect();
        versions.sort();
        assert_eq!(
            versions.iter().map(ToString::to_string).collect::<Vec<_>>(),
            written
        );
        assert_eq!(
            versions
                .iter()
                .map(Version::is_final)
                .filter(|f| *f)
                .count(),
            5
        );
    }

    #[test]
    fn what_is_no_version_is_refused_with_the_reason() {
        let long = "1".repeat(65);
        for text in [
            "",
            "1",
            "draft",
            "v0.2",
            "0.2.0",
            "0.2.0-rc.1",
            "00.2",
            "0.2+build",
            "0.2-",
            "0.2-rc..1",
            "0.2-rc.01",
            "../0.2",
            "0.2-a/b",
            "1.2.3.4",
            "0. 2",
            &long,
        ] {
            let error = text.parse::<Version>().expect_err(text).to_string();
            assert!(error.contains("is not a version: expected"), "{error}");
        }
    }
}
