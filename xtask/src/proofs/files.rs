//! Files below the root of the repository, read without following a link out of it.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use crate::repo::{self, Repo, RepoError};

/// Why a file is not what it should be.
#[derive(Debug)]
pub enum FileFault {
    /// It is not there.
    Missing,
    /// This part of its path is a symbolic link: what it names could change without a trace.
    Symlink(String),
    /// It is a folder or a device.
    NotAFile,
    /// The system refuses to hand it over.
    Unreadable(RepoError),
}

/// Reads a regular file; no part of its path, given with `/`, may be a symbolic link.
///
/// # Errors
/// [`FileFault`].
pub fn read(repo: &Repo, relative: &str) -> Result<Vec<u8>, FileFault> {
    let metadata = inspect(repo, relative)?;
    if !metadata.is_file() {
        return Err(FileFault::NotAFile);
    }
    repo::read(&repo.path(relative)).map_err(FileFault::Unreadable)
}

/// Opens a regular file, as [`read`] does.
///
/// # Errors
/// [`FileFault`].
pub fn open(repo: &Repo, relative: &str) -> Result<File, FileFault> {
    if !inspect(repo, relative)?.is_file() {
        return Err(FileFault::NotAFile);
    }
    let path = repo.path(relative);
    File::open(&path).map_err(|error| FileFault::Unreadable(RepoError::io("read", path)(error)))
}

/// The metadata of a file or folder of which no part is a symbolic link.
fn inspect(repo: &Repo, relative: &str) -> Result<Metadata, FileFault> {
    let mut end = 0;
    loop {
        let rest = relative.get(end..).unwrap_or_default();
        end = rest.find('/').map_or(relative.len(), |slash| end + slash);
        let part = relative.get(..end).unwrap_or_default();
        let path = repo.path(part);
        let metadata = fs::symlink_metadata(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileFault::Missing,
            _ => FileFault::Unreadable(RepoError::io("read", path)(error)),
        })?;
        if metadata.is_symlink() {
            return Err(FileFault::Symlink(part.to_owned()));
        }
        if end == relative.len() {
            return Ok(metadata);
        }
        end += 1;
    }
}

/// What lies in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its path relative to the repository, with `/`. Characters that are not Unicode are replaced.
    pub path: String,
    /// What it is.
    pub kind: Kind,
}

/// What an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, which is never followed.
    Symlink,
    /// A device, a pipe or a socket.
    Other,
}

/// The entries of a folder, sorted; none if there is no such folder, or if it is a link (which whoever reads a file in it
/// will be told).
///
/// # Errors
/// If it cannot be listed.
pub fn list(repo: &Repo, relative: &str) -> Result<Vec<Found>, RepoError> {
    match inspect(repo, relative) {
        Ok(metadata) if metadata.is_dir() => {}
        Err(FileFault::Unreadable(error)) => return Err(error),
        _ => return Ok(Vec::new()),
    }
    let paths = repo::list(&repo.path(relative))?;
    paths
        .iter()
        .map(|path| {
            Ok(Found {
                path: repo.relative(path),
                kind: kind(path)?,
            })
        })
        .collect()
}

/// Everything but folders below a folder, sorted.
///
/// # Errors
/// If one of the folders cannot be listed.
pub fn walk(repo: &Repo, relative: &str) -> Result<Vec<Found>, RepoError> {
    let mut found = Vec::new();
    let mut folders = vec![relative.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in list(repo, &folder)? {
            match entry.kind {
                Kind::Folder => folders.push(entry.path),
                _ => found.push(entry),
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn kind(path: &Path) -> Result<Kind, RepoError> {
    let kind = fs::symlink_metadata(path)
        .map_err(RepoError::io("read", path))?
        .file_type();
    Ok(if kind.is_symlink() {
        Kind::Symlink
    } else if kind.is_dir() {
        Kind::Folder
    } else if kind.is_file() {
        Kind::File
    } else {
        Kind::Other
    })
}
