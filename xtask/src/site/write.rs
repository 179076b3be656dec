//! Puts a site where it can be read: all of it, or nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::SiteError;
use crate::repo::{self, RepoError};

/// The file by which a folder is known to be ours, and may be replaced.
const MARK: &str = ".capability-resolution-site";

/// Writes the files to a new folder beside `folder`, and puts that into its place.
///
/// # Errors
/// [`SiteError::Foreign`] if `folder` is there, is not empty, and was not written by this function; else what the system
/// refused.
pub fn replace(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), SiteError> {
    let is_ours = folder.join(MARK).is_file();
    if !is_ours && folder.exists() && (!folder.is_dir() || !repo::list(folder)?.is_empty()) {
        return Err(SiteError::Foreign {
            folder: folder.to_owned(),
        });
    }
    let above = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(above).map_err(RepoError::io("create", above))?;
    let staging = tempfile::Builder::new()
        .prefix(".site-")
        .tempdir_in(above)
        .map_err(RepoError::io("create", above))?;
    // What is made for others to read; a temporary folder is not.
    let new = staging.path().join("new");
    fs::create_dir(&new).map_err(RepoError::io("create", &new))?;
    for (name, bytes) in files
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .chain([(MARK, &[][..])])
    {
        let path = name
            .split('/')
            .fold(new.clone(), |path, part| path.join(part));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(RepoError::io("create", parent))?;
        }
        fs::write(&path, bytes).map_err(RepoError::io("write", &path))?;
    }
    if folder.exists() {
        let old = staging.path().join("old");
        fs::rename(folder, old).map_err(RepoError::io("replace", folder))?;
    }
    fs::rename(&new, folder).map_err(RepoError::io("write", folder))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> BTreeMap<String, Vec<u8>> {
        names
            .iter()
            .map(|name| ((*name).to_owned(), b"x".to_vec()))
            .collect()
    }

    #[test]
    fn a_site_replaces_a_site_and_nothing_else() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("deep/site");
        replace(&folder, &files(&["index.html", "a/b.html"])).unwrap();
        assert!(folder.join("a/b.html").is_file());
        replace(&folder, &files(&["index.html"])).unwrap();
        assert!(folder.join("index.html").is_file() && !folder.join("a").exists());
        assert_eq!(
            repo::list(&above.path().join("deep")).unwrap().len(),
            1,
            "nothing is left beside it"
        );

        let theirs = above.path().join("theirs");
        fs::create_dir(&theirs).unwrap();
        replace(&theirs, &files(&["index.html"])).unwrap();
        fs::remove_file(theirs.join(MARK)).unwrap();
        let error = replace(&theirs, &files(&["index.html"])).unwrap_err();
        assert!(matches!(error, SiteError::Foreign { .. }), "{error}");
        let error = replace(&theirs.join("index.html"), &files(&["index.html"])).unwrap_err();
        assert!(matches!(error, SiteError::Foreign { .. }), "{error}");
    }
}
