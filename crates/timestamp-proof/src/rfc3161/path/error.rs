//! Why there is no certificate path.

use std::{error, fmt};

/// Why no certificate path was found. Of several attempts, the one that came nearest to a root is told.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// No certificate at hand has the name of the issuer.
    IssuerMissing {
        /// The certificate whose issuer is missing.
        subject: String,
        /// The issuer's name.
        issuer: String,
    },
    /// A certificate has the issuer's name but not its key.
    Signature {
        /// The certificate whose signature does not verify.
        subject: String,
        /// The issuer that was tried.
        issuer: String,
    },
    /// A certificate was not valid at genTime.
    Validity {
        /// The certificate.
        subject: String,
        /// Its notBefore and notAfter, both inclusive.
        expected: String,
        /// genTime.
        found: String,
    },
    /// A certificate that issues another is not that of a certification authority, or may not sign certificates.
    NotCa {
        /// The issuing certificate.
        subject: String,
        /// What is missing.
        missing: &'static str,
    },
    /// More intermediate certificates follow than basicConstraints allows.
    PathLength {
        /// The issuing certificate.
        subject: String,
        /// The number allowed.
        expected: u64,
        /// The number found.
        found: u64,
    },
    /// An extension marked critical that this crate does not evaluate.
    CriticalExtension {
        /// The certificate.
        subject: String,
        /// The extension's object identifier.
        found: String,
    },
    /// A certificate of the path demands a policy (requireExplicitPolicy), and none holds along the whole path.
    Policy {
        /// The certificate at which this shows.
        subject: String,
        /// What is wrong.
        detail: &'static str,
    },
    /// An extension that occurs twice in one certificate.
    RepeatedExtension {
        /// The certificate.
        subject: String,
        /// The extension's object identifier.
        found: String,
    },
    /// A certificate in the path is signed with a refused algorithm or key.
    AlgorithmRefused {
        /// The certificate.
        subject: String,
        /// The algorithm's name.
        algorithm: String,
    },
    /// The search for a path was given up.
    SearchLimit {
        /// What was counted.
        counted: &'static str,
        /// The limit.
        limit: usize,
    },
}

impl PathError {
    /// A stable kebab-case code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.facts().0
    }

    /// The section of the standard that asks for what is missing; or that it is a limit of this crate.
    #[must_use]
    pub fn reference(&self) -> &'static str {
        self.facts().1
    }

    fn facts(&self) -> (&'static str, &'static str) {
        match self {
            Self::IssuerMissing { .. } => ("path-issuer-missing", "RFC 5280 6.1"),
            Self::Signature { .. } => ("path-signature", "RFC 5280 6.1.3"),
            Self::Validity { .. } => ("path-validity", "RFC 5280 4.1.2.5"),
            Self::NotCa { .. } => ("path-not-ca", "RFC 5280 6.1.4"),
            Self::PathLength { .. } => ("path-length", "RFC 5280 4.2.1.9"),
            Self::CriticalExtension { .. } => ("path-critical-extension", "RFC 5280 4.2"),
            Self::Policy { .. } => ("path-policy", "RFC 5280 6.1.3"),
            Self::RepeatedExtension { .. } => ("path-repeated-extension", "RFC 5280 4.2"),
            Self::AlgorithmRefused { .. } => ("path-algorithm-refused", "RFC 5280 6.1.3"),
            Self::SearchLimit { .. } => ("path-search-limit", "a limit of this crate"),
        }
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no certificate path from the signer to a root of the authority: ")?;
        match self {
            Self::IssuerMissing { subject, issuer } => {
                write!(
                    f,
                    "{subject} is issued by {issuer}, which is neither a root nor at hand"
                )
            }
            Self::Signature { subject, issuer } => {
                write!(
                    f,
                    "the signature of {subject} does not verify with the key of {issuer}"
                )
            }
            Self::Validity {
                subject,
                expected,
                found,
            } => {
                write!(
                    f,
                    "{subject} is valid {expected}, and the time-stamp is of {found}"
                )
            }
            Self::NotCa { subject, missing } => {
                write!(
                    f,
                    "{subject} issues a certificate: expected {missing}, found none"
                )
            }
            Self::PathLength {
                subject,
                expected,
                found,
            } => {
                write!(
                    f,
                    "{subject} allows {expected} intermediate certificate(s) below it, found {found}"
                )
            }
            Self::CriticalExtension { subject, found } => {
                write!(
                    f,
                    "{subject} has a critical extension that is not understood: found {found}"
                )
            }
            Self::Policy { subject, detail } => {
                write!(
                    f,
                    "a certificate policy is demanded, and at {subject} {detail}"
                )
            }
            Self::RepeatedExtension { subject, found } => {
                write!(f, "{subject} has an extension twice: expected {found} once")
            }
            Self::AlgorithmRefused { subject, algorithm } => {
                write!(f, "{algorithm} is refused in the certificate of {subject}")
            }
            Self::SearchLimit { counted, limit } => {
                write!(f, "search given up after {limit} {counted}")
            }
        }
    }
}

impl error::Error for PathError {}
