//! Why something does not make an authority.

use std::{error, fmt};

/// Why trust anchors, intermediates, policies or a window do not make an [`Authority`](super::Authority).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuthorityError {
    /// Neither a PEM text with a CERTIFICATE block nor a DER certificate.
    NoCertificate,
    /// More bytes, or more certificates, than the limit.
    TooLarge {
        /// What was counted.
        counted: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A PEM block that cannot be decoded.
    Pem {
        /// What the decoder objects to.
        detail: String,
    },
    /// A certificate that cannot be decoded.
    Certificate {
        /// What the decoder objects to.
        detail: String,
    },
    /// A policy that is no object identifier in dotted form.
    Policy {
        /// The text found.
        found: String,
    },
    /// A window that ends before it begins.
    Window {
        /// The first second.
        from: i64,
        /// The last second.
        until: i64,
    },
}

impl AuthorityError {
    /// A stable kebab-case code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoCertificate => "authority-no-certificate",
            Self::TooLarge { .. } => "authority-too-large",
            Self::Pem { .. } => "authority-pem",
            Self::Certificate { .. } => "authority-certificate",
            Self::Policy { .. } => "authority-policy",
            Self::Window { .. } => "authority-window-order",
        }
    }
}

impl fmt::Display for AuthorityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCertificate => {
                f.write_str("no certificate: expected PEM with a CERTIFICATE block (RFC 7468), or one DER certificate")
            }
            Self::TooLarge { counted, limit } => write!(f, "too many {counted} of certificates: at most {limit}"),
            Self::Pem { detail } => write!(f, "damaged PEM (RFC 7468): {detail}"),
            Self::Certificate { detail } => write!(f, "damaged certificate (RFC 5280 4.1): {detail}"),
            Self::Policy { found } => {
                write!(f, "not a policy: expected an object identifier such as 1.2.3.4, found {found:?}")
            }
            Self::Window { from, until } => {
                write!(f, "the window of trust ends (second {until}) before it begins (second {from})")
            }
        }
    }
}

impl error::Error for AuthorityError {}
