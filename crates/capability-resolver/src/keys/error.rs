//! What can go wrong with keys.

use std::io;
use std::path::PathBuf;

use capability_resolution::Time;
use capability_resolution::limits::KEYS_MAX;
use command_console::Explain;

/// Why something could not be done with a key. No message holds key material.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// A file or the folder could not be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file could not be written or removed.
    #[error("cannot write {}", path.display())]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is not what this program writes.
    #[error("{} is not a key: {why}", path.display())]
    Form {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Others than its owner may read a private key.
    #[error("others may read the private key {}: its mode is {mode:03o}, expected 600", path.display())]
    Mode {
        /// Which.
        path: PathBuf,
        /// The mode found.
        mode: u32,
    },
    /// The system gave no random numbers.
    #[error("the system gives no random numbers: {0}")]
    Random(String),
    /// There is no such key.
    #[error("there is no key {kid}")]
    NotFound {
        /// What was asked for.
        kid: String,
    },
    /// The key that signs cannot be retired before another one signs.
    #[error("the key {kid} signs, and no other key may sign yet (rule keys.early)")]
    Signing {
        /// Which.
        kid: String,
        /// From when on the next key signs, if there is one.
        next: Option<Time>,
    },
    /// A key is waiting already.
    #[error("the key {kid} is waiting already, and signs from {signs_from} on")]
    Waiting {
        /// Which.
        kid: String,
        /// From when on it signs.
        signs_from: Time,
    },
    /// `discovery.keys.count`.
    #[error(
        "{KEYS_MAX} keys are published already, and a discovery document holds no more (rule discovery.keys.count)"
    )]
    TooMany,
    /// No key can sign.
    #[error("none of the keys in {} can sign", folder.display())]
    None {
        /// Where they were looked for.
        folder: PathBuf,
    },
}

impl Explain for KeyError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "key-unreadable",
            Self::Unwritable { .. } => "key-unwritable",
            Self::Form { .. } => "key-form",
            Self::Mode { .. } => "key-mode",
            Self::Random(_) => "no-random-numbers",
            Self::NotFound { .. } => "key-not-found",
            Self::Signing { .. } => "key-signing",
            Self::Waiting { .. } => "key-waiting",
            Self::TooMany => "keys-too-many",
            Self::None { .. } => "no-key",
        }
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Mode { path, .. } => format!(
                "chmod 600 {}; if somebody may have read it: capability-resolver keys rotate, then keys retire --compromised",
                path.display()
            ),
            Self::NotFound { .. } => "capability-resolver keys list shows them".to_owned(),
            Self::Signing { next: None, .. } => {
                "capability-resolver keys rotate makes the next one; --compromised retires this one at once".to_owned()
            }
            Self::Signing { next: Some(next), .. } => {
                format!("wait until {next}; --compromised retires this one at once")
            }
            Self::Waiting { .. } => "nothing has to be done: it takes over by itself".to_owned(),
            Self::TooMany => "capability-resolver keys retire removes one that is over".to_owned(),
            Self::None { .. } => "capability-resolver keys rotate makes one that signs at once".to_owned(),
            _ => return None,
        })
    }
}
