//! Where a user's files are, and how one of them is replaced.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use command_console::Explain;
use etcetera::{BaseStrategy as _, HomeDirError};
use tempfile::Builder;

/// The name of this program's folders.
const FOLDER: &str = "capability-resolver-client";

/// The user's folders are not known.
#[derive(Debug, thiserror::Error)]
#[error("the folder of your settings is not known")]
pub(super) struct NoHome(#[source] pub(super) HomeDirError);

impl Explain for NoHome {
    fn code(&self) -> &'static str {
        "no-home"
    }

    fn help(&self) -> Option<String> {
        Some("set HOME, or say with --config where your settings are".to_owned())
    }
}

/// Where the settings are unless the user says otherwise.
pub(super) fn settings() -> Result<PathBuf, NoHome> {
    let strategy = etcetera::choose_base_strategy().map_err(NoHome)?;
    Ok(strategy.config_dir().join(FOLDER).join("config.toml"))
}

/// Where answers are kept.
pub(super) fn answers() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join(FOLDER))
}

/// Writes a file in place of another: it is there whole or not at all. The file that a link leads to is replaced, and not
/// the link.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        found => found?,
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    // For its user only, as tempfile makes it: the list says whom a person asks.
    let mut file = Builder::new().prefix(".new-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
