//! Files that are there whole or not at all, also after a crash.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile, TempDir};
use zeroize::Zeroizing;

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Its owner alone: mode 0600.
    Owner,
    /// Everybody, as far as the umask lets them: mode 0644.
    Everybody,
}

/// Writes a new file.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`] if there is a file of that name, which stays as it is.
pub(crate) fn create(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    let (folder, file) = written(path, bytes, access)?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Writes a file in place of another of that name.
pub(crate) fn replace(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    let (folder, file) = written(path, bytes, access)?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Removes a file for good.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    sync_folder(folder_of(path))
}

/// Makes the names in a folder last.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// A new folder beside others, to be filled and then renamed, and what keeps [`sweep`] away from it.
pub(crate) fn new_folder(parent: &Path) -> io::Result<(TempDir, Option<File>)> {
    loop {
        let folder = Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let hold = File::open(folder.path())
            .ok()
            .filter(|hold| hold.lock().is_ok());
        if folder.path().exists() {
            return Ok((folder, hold));
        }
    }
}

/// Removes files and folders that a program which was killed had begun to make in a folder. One that another program is
/// still making is left alone, and so is what cannot be removed.
pub(crate) fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else {
            continue;
        };
        if !is_ours || kind.is_symlink() {
            continue;
        }
        // Who makes it holds it, and the system lets go of it when the process ends, however it ends.
        let Ok(file) = File::open(&path) else {
            continue;
        };
        if file.try_lock().is_ok() {
            let _ = match kind.is_dir() {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
        }
    }
}

/// What is being made is called so, and something that nobody can guess.
const PREFIX: &str = ".capability-resolver-";

/// Reads a file of at most `limit` bytes into memory that is wiped afterwards.
///
/// # Errors
///
/// [`io::ErrorKind::FileTooLarge`] if it is longer.
pub(crate) fn read(path: &Path, limit: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    // Room for all of it from the start: a vector that grows leaves copies behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(limit.saturating_add(1)));
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        let why = format!("it has more than {limit} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The bytes under a name that nobody knows, made anew (`O_EXCL`) and on the disk.
fn written<'p>(
    path: &'p Path,
    bytes: &[u8],
    access: Access,
) -> io::Result<(&'p Path, NamedTempFile)> {
    let folder = folder_of(path);
    let mut builder = Builder::new();
    builder.prefix(PREFIX);
    permit(&mut builder, access);
    let mut file = loop {
        let file = builder.tempfile_in(folder)?;
        // Keeps `sweep` away; where the system has no such locks, nothing is swept.
        let _ = file.as_file().lock();
        // Before that somebody may have taken it for one that was left behind.
        if file.path().exists() {
            break file;
        }
    };
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok((folder, file))
}

#[cfg(unix)]
fn permit(builder: &mut Builder<'_, '_>, access: Access) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = match access {
        Access::Owner => 0o600,
        Access::Everybody => 0o644,
    };
    builder.permissions(fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn permit(_: &mut Builder<'_, '_>, _: Access) {}

/// The mode of a file, where others than its owner may do anything with it.
#[cfg(unix)]
pub(crate) fn open_to_others(path: &Path) -> io::Result<Option<u32>> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path)?.permissions().mode() & 0o777;
    Ok((mode & 0o077 != 0).then_some(mode))
}

/// Other systems have no such modes.
#[cfg(not(unix))]
pub(crate) fn open_to_others(_: &Path) -> io::Result<Option<u32>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_new_or_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        create(&path, b"one", Access::Owner).unwrap();
        let again = create(&path, b"two", Access::Owner).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        replace(&path, b"three", Access::Everybody).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let long = read(&path, 4).unwrap_err();
        assert_eq!(long.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read(&path, 5).unwrap().as_slice(), b"three");
    }

    #[test]
    fn what_somebody_was_killed_over_goes_and_what_is_being_made_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let (_, left) = written(&path, b"left behind", Access::Owner).unwrap();
        drop(left.keep().unwrap());
        let (left, hold) = new_folder(folder.path()).unwrap();
        fs::write(left.path().join("f"), b"x").unwrap();
        drop((left.keep(), hold));
        let (_, making) = written(&path, b"whole", Access::Owner).unwrap();
        let (beside, _hold) = new_folder(folder.path()).unwrap();
        for other in [".new-x", "capability-resolver-x"] {
            fs::write(folder.path().join(other), b"of somebody else").unwrap();
        }
        assert_eq!(names(), 6);
        sweep(folder.path());
        assert_eq!(names(), 4);
        assert!(beside.path().is_dir());
        making.persist_noclobber(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
    }
}
