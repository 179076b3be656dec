//! The folder in which a version is built, and the renames that make it one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Hook;
use crate::repo::{self, Repo, RepoError};
use crate::spec::version::Version;

/// Where versions are built: at the root, so that it lies on the same file system as what it becomes.
pub const STAGING: &str = ".freeze-staging";

/// A version that is being built, in a folder of its name below [`STAGING`].
pub(super) struct Staging {
    folder: PathBuf,
    version: String,
}

impl Staging {
    /// Takes away what an interrupted run left: the staging folder, and the parts of its version that were already in
    /// place, unless the last part is, which makes them a version.
    pub(super) fn clean(repo: &Repo) -> Result<(), RepoError> {
        let staging = repo.path(STAGING);
        for folder in repo::list(&staging)? {
            let Some(version) = folder
                .file_name()
                .and_then(|name| name.to_str()?.parse::<Version>().ok())
            else {
                continue;
            };
            if repo.path(&format!("proof/{version}")).exists() {
                continue;
            }
            for part in super::FOLDERS {
                remove(&repo.path(&format!("{part}/{version}")))?;
            }
        }
        remove(&staging)
    }

    pub(super) fn create(
        repo: &Repo,
        version: &Version,
        hook: Hook<'_>,
    ) -> Result<Self, RepoError> {
        let folder = repo.path(STAGING).join(version.to_string());
        hook()
            .and_then(|()| fs::create_dir_all(&folder))
            .map_err(RepoError::io("create", &folder))?;
        Ok(Self {
            folder,
            version: version.to_string(),
        })
    }

    /// Writes `part/inside`, through to the disk.
    pub(super) fn write(
        &mut self,
        part: &str,
        inside: &str,
        bytes: &[u8],
        hook: Hook<'_>,
    ) -> Result<(), RepoError> {
        let path = inside
            .split('/')
            .fold(self.folder.join(part), |path, name| path.join(name));
        let mut write = || -> io::Result<()> {
            hook()?;
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            let mut file = File::create_new(&path)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(RepoError::io("write", &path))
    }

    /// Moves `parts` into place in their order; the version exists from the last one on.
    pub(super) fn commit(
        self,
        repo: &Repo,
        parts: &[&str],
        hook: Hook<'_>,
    ) -> Result<(), RepoError> {
        for part in parts {
            let place = repo.path(part).join(&self.version);
            let create = || fs::create_dir_all(repo.path(part));
            hook()
                .and_then(|()| create())
                .and_then(|()| fs::rename(self.folder.join(part), &place))
                .map_err(RepoError::io("write", &place))?;
        }
        // The version is cut. A folder that cannot be removed now is removed by the next run.
        let _ = hook()
            .map_err(RepoError::io("remove", &self.folder))
            .and_then(|()| remove(&repo.path(STAGING)));
        Ok(())
    }
}

fn remove(folder: &Path) -> Result<(), RepoError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RepoError::io("remove", folder)(error))
        }
        _ => Ok(()),
    }
}
