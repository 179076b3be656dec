//! One time-stamping authority, as a unit.

mod error;

use std::time::Duration;

use der::{DateTime, asn1::ObjectIdentifier, pem};

pub use self::error::AuthorityError;
use super::{certificate::Certificate, timestamp::GenTime};
use crate::digest::Digest;

/// The largest PEM or DER input of certificates that is read, in bytes.
pub const MAX_CERTIFICATE_BYTES: usize = 1024 * 1024;

/// The most certificates that one authority may consist of.
pub const MAX_CERTIFICATES: usize = 64;

/// One time-stamping authority: its roots, its intermediates, its policies and its window of trust.
///
/// These are a unit on purpose. A token is verified against one authority, never against a pool of several, so that
/// a root that is trusted for one name and one span of time cannot vouch for another.
///
/// # Examples
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use timestamp_proof::rfc3161::Authority;
///
/// let authority = Authority::from_roots(&std::fs::read("root.pem")?)?
///     .with_intermediates(&std::fs::read("chain.pem")?)?
///     .with_policy("1.2.3.4.1")?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Authority {
    pub(super) roots: Vec<Certificate>,
    pub(super) intermediates: Vec<Certificate>,
    pub(super) policies: Vec<ObjectIdentifier>,
    pub(super) window: Window,
}

/// The span of genTime in which an authority is trusted, in seconds since 1970, both ends inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) from: Option<i64>,
    pub(super) until: Option<i64>,
}

impl Window {
    /// The window in words, if this time is outside it.
    pub(super) fn excludes(self, gen_time: &GenTime) -> Option<String> {
        let Self { from, until } = self;
        if gen_time.is_within(from.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX)) {
            return None;
        }
        let text = |end: Option<i64>| end.map_or("no limit".to_owned(), second);
        Some(format!("from {} to {}", text(from), text(until)))
    }
}

/// A second since 1970 as RFC 3339 writes it, or as a number where it is outside what can be written.
fn second(seconds: i64) -> String {
    u64::try_from(seconds)
        .ok()
        .and_then(|s| DateTime::from_unix_duration(Duration::from_secs(s)).ok())
        .map_or_else(|| format!("second {seconds}"), |t| t.to_string())
}

impl Authority {
    /// An authority with these roots, which are its trust anchors: one or more PEM blocks `CERTIFICATE` (text around
    /// them is skipped), or one DER certificate.
    ///
    /// # Errors
    /// [`AuthorityError`] when there is no certificate, one is damaged, or there are too many.
    pub fn from_roots(pem_or_der: &[u8]) -> Result<Self, AuthorityError> {
        let empty = Self {
            roots: Vec::new(),
            intermediates: Vec::new(),
            policies: Vec::new(),
            window: Window::default(),
        };
        empty.with_roots(pem_or_der)
    }

    /// Adds roots, read as [`from_roots`](Self::from_roots) does.
    ///
    /// # Errors
    /// As [`from_roots`](Self::from_roots).
    pub fn with_roots(mut self, pem_or_der: &[u8]) -> Result<Self, AuthorityError> {
        self.roots.extend(read_certificates(pem_or_der)?);
        self.bounded()
    }

    /// Adds certificates that may stand between signer and root, or be the signer's. They are never trusted for
    /// themselves.
    ///
    /// # Errors
    /// As [`from_roots`](Self::from_roots).
    pub fn with_intermediates(mut self, pem_or_der: &[u8]) -> Result<Self, AuthorityError> {
        self.intermediates.extend(read_certificates(pem_or_der)?);
        self.bounded()
    }

    /// Allows a policy, by its object identifier in dotted form. Without any, every policy is allowed.
    ///
    /// # Errors
    /// [`AuthorityError::Policy`] when the text is no object identifier.
    pub fn with_policy(mut self, oid: &str) -> Result<Self, AuthorityError> {
        let policy = ObjectIdentifier::new(oid).map_err(|_| AuthorityError::Policy {
            found: oid.to_owned(),
        })?;
        self.policies.push(policy);
        Ok(self)
    }

    /// Trusts the authority only for a genTime in this window: seconds since 1970, both ends inclusive, `None` for an
    /// open end.
    ///
    /// # Errors
    /// [`AuthorityError::Window`] when it ends before it begins.
    pub fn with_window(
        mut self,
        from: Option<i64>,
        until: Option<i64>,
    ) -> Result<Self, AuthorityError> {
        if let (Some(from), Some(until)) = (from, until)
            && until < from
        {
            return Err(AuthorityError::Window { from, until });
        }
        self.window = Window { from, until };
        Ok(self)
    }

    /// SHA-256 of each root as received, to compare with pinned fingerprints.
    #[must_use]
    pub fn root_fingerprints(&self) -> Vec<Digest> {
        self.roots.iter().map(Certificate::sha256).collect()
    }

    /// The subject of each root (RFC 4514).
    #[must_use]
    pub fn root_subjects(&self) -> Vec<String> {
        self.roots.iter().map(|c| c.subject().to_string()).collect()
    }

    fn bounded(self) -> Result<Self, AuthorityError> {
        if self.roots.len() + self.intermediates.len() > MAX_CERTIFICATES {
            return Err(AuthorityError::TooLarge {
                counted: "number",
                limit: MAX_CERTIFICATES,
            });
        }
        Ok(self)
    }
}

const PEM_BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const PEM_END: &str = "-----END CERTIFICATE-----";

fn read_certificates(pem_or_der: &[u8]) -> Result<Vec<Certificate>, AuthorityError> {
    if pem_or_der.len() > MAX_CERTIFICATE_BYTES {
        return Err(AuthorityError::TooLarge {
            counted: "bytes",
            limit: MAX_CERTIFICATE_BYTES,
        });
    }
    // A DER certificate begins with the tag of a SEQUENCE, which is `0` in ASCII and begins no PEM file in practice.
    if pem_or_der.first() == Some(&0x30) {
        return Ok(vec![decode(pem_or_der)?]);
    }
    let text = String::from_utf8_lossy(pem_or_der);
    let mut rest: &str = &text;
    let mut certificates = Vec::new();
    while let Some(start) = rest.find(PEM_BEGIN) {
        let block = rest.get(start..).unwrap_or_default();
        let Some(end) = block.find(PEM_END) else {
            return Err(AuthorityError::Pem {
                detail: format!("{PEM_BEGIN} without {PEM_END}"),
            });
        };
        let (block, after) = block.split_at(end + PEM_END.len());
        let (_, der) = pem::decode_vec(block.as_bytes()).map_err(|e| AuthorityError::Pem {
            detail: e.to_string(),
        })?;
        certificates.push(decode(&der)?);
        if certificates.len() > MAX_CERTIFICATES {
            return Err(AuthorityError::TooLarge {
                counted: "number",
                limit: MAX_CERTIFICATES,
            });
        }
        rest = after;
    }
    if certificates.is_empty() {
        return Err(AuthorityError::NoCertificate);
    }
    Ok(certificates)
}

fn decode(der: &[u8]) -> Result<Certificate, AuthorityError> {
    Certificate::from_der(der).map_err(|e| AuthorityError::Certificate {
        detail: e.to_string(),
    })
}
