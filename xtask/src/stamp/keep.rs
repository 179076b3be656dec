//! Keeping a proof: whole or not at all, and never in place of another.

use std::path::Path;

use super::StampError;
use crate::repo::{self, RepoError};

/// Writes a new file. One that is there with the same bytes is as good.
///
/// # Errors
/// [`StampError::Exists`] if other bytes are there; otherwise what the system said.
pub(super) fn new_file(path: &Path, bytes: &[u8]) -> Result<(), StampError> {
    fits(path, bytes)?;
    if path.exists() {
        return Ok(());
    }
    // The last step is one system call that refuses to replace, so two runs at once cannot undo one another.
    match repo::staged(path, bytes)?.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => fits(path, bytes),
        Err(error) => Err(RepoError::io("write", path)(error.error).into()),
    }
}

/// Whether these bytes could be kept there: nothing is there, or the same bytes.
///
/// # Errors
/// [`StampError::Exists`], or what the system said.
pub(super) fn fits(path: &Path, bytes: &[u8]) -> Result<(), StampError> {
    if path.exists() && repo::read(path)? != bytes {
        return Err(StampError::Exists {
            path: path.to_path_buf(),
        });
    }
    Ok(())
}

/// Replaces a file whose proofs are all in the new bytes too; the caller has seen to that.
///
/// # Errors
/// What the system said.
#[cfg(any(feature = "network", test))]
pub(super) fn grown_file(path: &Path, bytes: &[u8]) -> Result<(), StampError> {
    Ok(repo::replace(path, bytes)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use command_console::Explain;

    #[test]
    fn a_proof_is_never_replaced_by_another() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("SHA256SUMS.x.tsr");
        new_file(&path, b"first").unwrap();
        new_file(&path, b"first").unwrap();
        let error = new_file(&path, b"second").unwrap_err();
        assert_eq!(error.code(), "proof-exists");
        assert_eq!(fs::read(&path).unwrap(), b"first");
        grown_file(&path, b"first and more").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first and more");
        let names: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(names.len(), 1, "no temporary file is left: {names:?}");
    }

    #[test]
    fn a_folder_that_is_not_there_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let error = new_file(&dir.path().join("none/file"), b"x").unwrap_err();
        assert_eq!(error.code(), "io");
    }

    #[cfg(unix)]
    #[test]
    fn a_kept_file_can_be_read_by_others() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        new_file(&path, b"x").unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o444, 0o444, "{mode:o}");
    }
}
