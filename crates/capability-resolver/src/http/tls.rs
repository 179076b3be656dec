//! TLS by this program itself: a certificate and its key from two PEM files, read again when they change.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::SystemTime;

use command_console::Explain;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::file;
use crate::lock;

/// A certificate and its key, as new connections get them.
#[derive(Debug)]
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    current: RwLock<Current>,
}

#[derive(Debug)]
struct Current {
    config: Arc<ServerConfig>,
    changed: [Option<SystemTime>; 2],
}

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file holds something else.
    #[error("{} holds no {what} in PEM", path.display())]
    Form {
        /// Which.
        path: PathBuf,
        /// What was looked for.
        what: &'static str,
    },
    /// Others than its owner may read the key.
    #[error("others may read the private key {}: its mode is {mode:03o}, expected 600 or 640", path.display())]
    Mode {
        /// Which.
        path: PathBuf,
        /// The mode found.
        mode: u32,
    },
    /// The certificate and the key do not fit, or are of a kind that cannot be used.
    #[error("the certificate {} and its key cannot be used together: {why}", path.display())]
    Pair {
        /// The certificate.
        path: PathBuf,
        /// What the library says.
        why: rustls::Error,
    },
}

impl Explain for TlsError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "tls-unreadable",
            Self::Form { .. } => "tls-form",
            Self::Mode { .. } => "tls-mode",
            Self::Pair { .. } => "tls-pair",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Mode { path, .. } => Some(format!("chmod 600 {}", path.display())),
            _ => None,
        }
    }
}

/// The largest file, in bytes: a chain of certificates has some ten thousand.
const FILE_MAX_BYTES: usize = 1 << 20;

impl Tls {
    /// Reads both files.
    ///
    /// # Errors
    ///
    /// [`TlsError`].
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let current = Current {
            changed: [changed(certificate), changed(key)],
            config: config(certificate, key)?,
        };
        Ok(Self {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            current: RwLock::new(current),
        })
    }

    /// Reads them again if one of them changed; whether it did.
    ///
    /// # Errors
    ///
    /// [`TlsError`]; then new connections get what they got before.
    pub fn reread(&self) -> Result<bool, TlsError> {
        let changed = [changed(&self.certificate), changed(&self.key)];
        let before = lock::read(&self.current);
        if before.changed == changed {
            return Ok(false);
        }
        drop(before);
        let config = config(&self.certificate, &self.key)?;
        *lock::write(&self.current) = Current { config, changed };
        Ok(true)
    }

    /// For the next connection.
    #[must_use]
    pub fn config(&self) -> Arc<ServerConfig> {
        let current = lock::read(&self.current);
        Arc::clone(&current.config)
    }
}

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}

/// `http.tls-version`: TLS 1.3, and 1.2 for those who have no better.
fn config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let read = |path: &Path| {
        file::read(path, FILE_MAX_BYTES).map_err(|source| TlsError::Unreadable {
            path: path.to_owned(),
            source,
        })
    };
    let form = |path: &Path, what| TlsError::Form {
        path: path.to_owned(),
        what,
    };
    let pem = read(certificate)?;
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&pem)
        .collect::<Result<_, _>>()
        .map_err(|_| form(certificate, "certificate"))?;
    if chain.is_empty() {
        return Err(form(certificate, "certificate"));
    }
    let unreadable = |source| TlsError::Unreadable {
        path: key.to_owned(),
        source,
    };
    // A group of its own, as tools that renew certificates give it, may read it; strangers may not.
    let mode = file::open_to_others(key).map_err(unreadable)?;
    if let Some(mode) = mode.filter(|mode| mode & 0o037 != 0) {
        return Err(TlsError::Mode {
            path: key.to_owned(),
            mode,
        });
    }
    let private =
        PrivateKeyDer::from_pem_slice(&read(key)?).map_err(|_| form(key, "private key"))?;
    let pair = |why| TlsError::Pair {
        path: certificate.to_owned(),
        why,
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(pair)?
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .map_err(pair)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
