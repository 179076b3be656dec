//! The repository that the commands work on, found from the current directory upwards.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use command_console::Explain;
use tempfile::NamedTempFile;
use thiserror::Error;

/// The largest file that is read whole, in bytes: 16 MiB, far above any text, vector file or proof.
pub const MAX_FILE: u64 = 16 * 1024 * 1024;

/// Why the repository, or a file in it, could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RepoError {
    /// No directory from the start upwards holds both `spec` and `proof`.
    #[error("{} is not inside the repository: no directory above it holds both `spec` and `proof`", start.display())]
    NotInside {
        /// Where the search began.
        start: PathBuf,
    },
    /// The operating system refused to read, list or write.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried: `read`, `list`, `write`.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is larger than [`MAX_FILE`].
    #[error("{} is too large: expected at most {limit} bytes, found more", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// A text file is not UTF-8.
    #[error("{} is not UTF-8: byte {valid_up_to} starts no character", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// Offset of the first bad byte.
        valid_up_to: usize,
    },
}

impl RepoError {
    /// Makes an [`RepoError::Io`] of what the system said about `path`; for `map_err`.
    pub fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

impl Explain for RepoError {
    fn code(&self) -> &'static str {
        match self {
            Self::NotInside { .. } => "not-in-repository",
            Self::Io { .. } => "io",
            Self::TooLarge { .. } => "file-too-large",
            Self::NotUtf8 { .. } => "file-not-utf8",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NotInside { .. } => {
                Some("change into a clone of the repository and run the command again".into())
            }
            _ => None,
        }
    }
}

/// The repository's root directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repo {
    root: PathBuf,
}

impl Repo {
    /// The repository around the current directory.
    ///
    /// # Errors
    /// [`RepoError::NotInside`], or [`RepoError::Io`] if there is no current directory.
    pub fn find() -> Result<Self, RepoError> {
        let start = std::env::current_dir().map_err(RepoError::io("find", "."))?;
        Self::find_from(&start)
    }

    /// The repository around `start`: the nearest directory, itself included, that holds both `spec` and `proof`.
    ///
    /// # Errors
    /// [`RepoError::NotInside`] if there is none.
    pub fn find_from(start: &Path) -> Result<Self, RepoError> {
        start
            .ancestors()
            .find(|directory| directory.join("spec").is_dir() && directory.join("proof").is_dir())
            .map(|root| Self {
                root: root.to_path_buf(),
            })
            .ok_or_else(|| RepoError::NotInside {
                start: start.to_path_buf(),
            })
    }

    /// The root directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The absolute path of a repository-relative path written with `/`.
    #[must_use]
    pub fn path(&self, relative: &str) -> PathBuf {
        relative
            .split('/')
            .fold(self.root.clone(), |path, part| path.join(part))
    }

    /// `path` relative to the root, with `/`; as it is if it lies outside.
    #[must_use]
    pub fn relative(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }
}

/// Reads a whole file of at most [`MAX_FILE`] bytes.
///
/// # Errors
/// [`RepoError::Io`] or [`RepoError::TooLarge`].
pub fn read(path: &Path) -> Result<Vec<u8>, RepoError> {
    let file = File::open(path).map_err(RepoError::io("read", path))?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(RepoError::io("read", path))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MAX_FILE {
        return Err(RepoError::TooLarge {
            path: path.to_path_buf(),
            limit: MAX_FILE,
        });
    }
    Ok(bytes)
}

/// Reads a whole UTF-8 file of at most [`MAX_FILE`] bytes.
///
/// # Errors
/// As [`read`], and [`RepoError::NotUtf8`].
pub fn read_text(path: &Path) -> Result<String, RepoError> {
    String::from_utf8(read(path)?).map_err(|error| RepoError::NotUtf8 {
        path: path.to_path_buf(),
        valid_up_to: error.utf8_error().valid_up_to(),
    })
}

/// A temporary file beside `path` that holds `bytes`, on the disk; gone when dropped.
///
/// Others may read it, which they may not of other temporary files.
///
/// # Errors
/// [`RepoError::Io`].
pub fn staged(path: &Path, bytes: &[u8]) -> Result<NamedTempFile, RepoError> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".new-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o644));
    }
    let mut file = builder
        .tempfile_in(directory)
        .map_err(RepoError::io("write", directory))?;
    file.write_all(bytes)
        .map_err(RepoError::io("write", path))?;
    file.as_file()
        .sync_all()
        .map_err(RepoError::io("write", path))?;
    Ok(file)
}

/// Writes a whole file, in place of one that is there: the old bytes or the new ones, and never a part.
///
/// # Errors
/// [`RepoError::Io`].
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), RepoError> {
    let replaced = staged(path, bytes)?.persist(path);
    replaced.map_err(|error| RepoError::io("write", path)(error.error))?;
    Ok(())
}

/// The entries of a directory, sorted by name; empty if the directory does not exist.
///
/// # Errors
/// [`RepoError::Io`] if it exists and cannot be listed.
pub fn list(directory: &Path) -> Result<Vec<PathBuf>, RepoError> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(RepoError::io("list", directory)(error)),
    };
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(RepoError::io("list", directory))?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_nearest_root_upwards() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["spec/draft", "proof", "crates/a/src"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        let repo = Repo::find_from(&dir.path().join("crates/a/src")).unwrap();
        assert_eq!(repo.root(), dir.path());
        assert_eq!(
            repo.relative(&repo.path("spec/draft/x.md")),
            "spec/draft/x.md"
        );
    }

    #[test]
    fn says_when_there_is_no_repository() {
        let dir = tempfile::tempdir().unwrap();
        let error = Repo::find_from(dir.path()).unwrap_err();
        assert_eq!(error.code(), "not-in-repository");
        assert!(
            error.to_string().contains("no directory above it"),
            "{error}"
        );
    }

    #[test]
    fn reading_is_bounded_and_typed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        assert_eq!(read(&path).unwrap_err().code(), "io");
        fs::write(&path, b"a\xff").unwrap();
        assert_eq!(
            read_text(&path).unwrap_err().to_string(),
            format!(
                "{} is not UTF-8: byte 1 starts no character",
                path.display()
            )
        );
        File::create(&path).unwrap().set_len(MAX_FILE + 1).unwrap();
        assert_eq!(read(&path).unwrap_err().code(), "file-too-large");
        File::create(&path).unwrap().set_len(MAX_FILE).unwrap();
        assert_eq!(
            read(&path).unwrap().len(),
            usize::try_from(MAX_FILE).unwrap()
        );
        assert_eq!(
            list(&dir.path().join("none")).unwrap(),
            Vec::<PathBuf>::new()
        );
        assert_eq!(list(&path).unwrap_err().code(), "io");
    }
}
