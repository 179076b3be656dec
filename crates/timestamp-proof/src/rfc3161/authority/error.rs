//! Why something does not make an authority.

/// Why trust anchors, intermediates, policies or a window do not make an [`Authority`](super::Authority).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthorityError {
    /// Neither a PEM text with a CERTIFICATE block nor a DER certificate.
    #[error(
        "no certificate: expected PEM with a CERTIFICATE block (RFC 7468), or one DER certificate"
    )]
    NoCertificate,
    /// More bytes, or more certificates, than the limit.
    #[error("too many {counted} of certificates: at most {limit}")]
    TooLarge {
        /// What was counted.
        counted: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A PEM block that cannot be decoded.
    #[error("damaged PEM (RFC 7468): {detail}")]
    Pem {
        /// What the decoder objects to.
        detail: String,
    },
    /// A certificate that cannot be decoded.
    #[error("damaged certificate (RFC 5280 4.1): {detail}")]
    Certificate {
        /// What the decoder objects to.
        detail: String,
    },
    /// A policy that is no object identifier in dotted form.
    #[error("not a policy: expected an object identifier such as 1.2.3.4, found {found:?}")]
    Policy {
        /// The text found.
        found: String,
    },
    /// A window that ends before it begins.
    #[error("the window of trust ends (second {until}) before it begins (second {from})")]
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
