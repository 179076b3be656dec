//! Why a store fails.

use std::io;
use std::path::PathBuf;

use command_console::Explain;

use super::VERSION;

/// Why a store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file could not be opened or made.
    #[error("cannot open the store {}", path.display())]
    Open {
        /// Which.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The file is not there any more, or another one is.
    #[error("the store {} is gone, or another stands in its place", path.display())]
    Gone {
        /// Which.
        path: PathBuf,
    },
    /// The file is another program's.
    #[error("{} is not a store of this program", path.display())]
    Foreign {
        /// Which.
        path: PathBuf,
    },
    /// A newer version of this program made it.
    #[error("the store {} has schema version {found}, and this program knows {VERSION}", path.display())]
    Newer {
        /// Which.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The disk is full.
    #[error("the disk is full, and nothing of the last step was kept")]
    Full(#[source] rusqlite::Error),
    /// Another program held the store for too long.
    #[error("another program works on the store")]
    Busy(#[source] rusqlite::Error),
    /// The store holds what this program never writes.
    #[error("the store holds something that is none of its own: {what}")]
    Corrupt {
        /// What.
        what: String,
    },
    /// There is no such server.
    #[error("the store has no server {0}")]
    NoServer(i64),
    /// Anything else.
    #[error("the store failed")]
    Sqlite(#[source] rusqlite::Error),
    /// The store's folder could not be written.
    #[error("cannot make the folder of the store")]
    Folder(#[source] io::Error),
}

impl Explain for StoreError {
    fn code(&self) -> &'static str {
        match self {
            Self::Open { .. } => "store-unopened",
            Self::Gone { .. } => "store-gone",
            Self::Foreign { .. } => "store-foreign",
            Self::Newer { .. } => "store-newer",
            Self::Full(_) => "store-full",
            Self::Busy(_) => "store-busy",
            Self::Corrupt { .. } => "store-corrupt",
            Self::NoServer(_) => "store-no-server",
            Self::Sqlite(_) => "store-failed",
            Self::Folder(_) => "store-folder",
        }
    }

    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Foreign { .. } => "name another file in resolver.toml; this one was not changed",
            Self::Newer { .. } => {
                "use the program that made it, or a newer one; the store was not changed"
            }
            Self::Full(_) => "make room and run the command again: it goes on from what it has",
            Self::Busy(_) => "wait until it is done, and run the command again",
            Self::Corrupt { .. } => {
                "restore a copy; if there is none, keep the file and report this"
            }
            _ => return None,
        };
        Some(help.to_owned())
    }
}
