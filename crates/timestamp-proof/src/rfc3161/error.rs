//! Why a token is refused.

use std::{error, fmt};

use super::path::PathError;

/// Why a time-stamp token does not verify.
///
/// `Display` says what is wrong, what was expected and what was found, and names the section of the standard.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// More bytes than [`MAX_TOKEN_BYTES`](super::MAX_TOKEN_BYTES).
    TooLarge {
        /// The limit in bytes.
        limit: usize,
        /// The size in bytes, as far as it was looked at.
        found: usize,
    },
    /// Bytes that are not the DER encoding of the structure.
    Malformed {
        /// The ASN.1 type being read.
        structure: &'static str,
        /// What the decoder objects to.
        detail: String,
    },
    /// Bytes after the end of a structure.
    TrailingBytes {
        /// The ASN.1 type that ended.
        structure: &'static str,
        /// The number of bytes after it.
        found: usize,
    },
    /// More elements than the limit.
    TooMany {
        /// What was counted.
        what: &'static str,
        /// The limit.
        limit: usize,
        /// The number found.
        found: usize,
    },
    /// The request to compare with cannot be read: nothing is known about the token.
    Request {
        /// What the decoder objects to.
        detail: String,
    },
    /// The authority did not grant the request.
    NotGranted {
        /// The PKIStatus, as a number and, where it has one, its name.
        status: String,
        /// The authority's own words (statusString, failInfo).
        text: String,
    },
    /// The response says granted and holds no token.
    TokenMissing,
    /// A content type (of ContentInfo, of the content, or of the signed attribute) is not the one required.
    ContentType {
        /// Where it stands.
        place: &'static str,
        /// The name that was expected.
        expected: &'static str,
        /// The object identifier that was found.
        found: String,
    },
    /// The SignedData carries no content.
    ContentMissing,
    /// The number of SignerInfos is not one.
    SignerCount {
        /// The number found.
        found: usize,
    },
    /// A signed attribute that must be there is not.
    AttributeMissing {
        /// The attribute's name.
        attribute: &'static str,
    },
    /// A signed attribute occurs more than once, or has not exactly one value.
    AttributeCount {
        /// The attribute's name.
        attribute: &'static str,
        /// What was counted.
        counted: &'static str,
        /// The number found.
        found: usize,
    },
    /// The messageDigest attribute is not the digest of the content.
    MessageDigest {
        /// The digest of the content, in hexadecimal.
        expected: String,
        /// The attribute's value, in hexadecimal.
        found: String,
    },
    /// An algorithm or key that this crate refuses, by name.
    AlgorithmRefused {
        /// What it was used for.
        role: &'static str,
        /// The algorithm's name, or its object identifier where it has none here.
        algorithm: String,
        /// What is accepted in this role.
        accepted: &'static str,
    },
    /// The signer's digest algorithm is not among those that the SignedData announces.
    DigestNotAnnounced {
        /// The algorithm of the signer.
        found: String,
    },
    /// Two places that must name the same hash function do not.
    DigestConflict {
        /// The hash of the digestAlgorithm field.
        digest_algorithm: String,
        /// The hash of the signature algorithm.
        signature_algorithm: String,
    },
    /// No certificate, neither in the token nor among those supplied, is the signer's.
    SignerCertificateMissing {
        /// How the token names its signer.
        signer: String,
    },
    /// The first ESS certificate identifier is not of the signer's certificate.
    SigningCertificate {
        /// `signingCertificate` or `signingCertificateV2`.
        attribute: &'static str,
        /// What was compared: the hash, or issuer and serial number.
        compared: &'static str,
        /// What the signer's certificate has.
        expected: String,
        /// What the attribute has.
        found: String,
    },
    /// The signature over the signed attributes does not verify.
    Signature {
        /// The signature algorithm.
        algorithm: String,
        /// The subject of the certificate whose key was tried.
        signer: String,
    },
    /// The signer's extended key usage is not timeStamping, critical and alone.
    ExtendedKeyUsage {
        /// What it is.
        found: String,
    },
    /// The signer's key usage allows something besides signing, or not that.
    KeyUsage {
        /// What it is.
        found: String,
    },
    /// The signer's certificate is that of a certification authority.
    SignerIsCa {
        /// Its subject.
        subject: String,
    },
    /// No certificate path from the signer to a root of the one authority.
    Path(PathError),
    /// TSTInfo has another version than 1.
    Version {
        /// The version found.
        found: String,
    },
    /// genTime is no time in the form that the RFC prescribes.
    GenTime {
        /// The time as transmitted.
        found: String,
        /// Which part is wrong.
        detail: &'static str,
    },
    /// An accuracy field out of range.
    Accuracy {
        /// `seconds`, `millis` or `micros`.
        field: &'static str,
        /// The value found.
        found: String,
    },
    /// The imprint was made with another hash function than the digest.
    MessageImprintAlgorithm {
        /// The algorithm of the digest, or of the request.
        expected: String,
        /// The algorithm of the imprint.
        found: String,
    },
    /// The imprint is not the digest: the token is about other data.
    MessageImprint {
        /// The digest in hexadecimal.
        expected: String,
        /// The imprint in hexadecimal.
        found: String,
    },
    /// An unknown extension marked critical.
    CriticalExtension {
        /// Where it stands.
        place: &'static str,
        /// Its object identifier.
        found: String,
    },
    /// TSTInfo.tsa is not a name of the signer.
    TsaName {
        /// The subject of the signer's certificate.
        expected: String,
        /// The name in the token.
        found: String,
    },
    /// The policy is not one of those that the authority is trusted for, or that the request asked for.
    Policy {
        /// The policies allowed.
        expected: String,
        /// The policy found.
        found: String,
    },
    /// The nonce is not the one of the request.
    Nonce {
        /// The nonce of the request.
        expected: String,
        /// The nonce of the token.
        found: String,
    },
    /// genTime lies outside the window in which the authority is trusted.
    Window {
        /// The window.
        expected: String,
        /// genTime.
        found: String,
    },
}

impl Error {
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

    /// Code and reference, side by side so that a new variant cannot have one without the other.
    fn facts(&self) -> (&'static str, &'static str) {
        match self {
            Self::TooLarge { .. } => ("token-too-large", "a limit of this crate"),
            Self::Malformed { .. } => ("malformed", "X.690 DER"),
            Self::TrailingBytes { .. } => ("trailing-bytes", "X.690 DER"),
            Self::TooMany { .. } => ("too-many", "a limit of this crate"),
            Self::Request { .. } => ("request-malformed", "RFC 3161 2.4.1"),
            Self::NotGranted { .. } => ("not-granted", "RFC 3161 2.4.2"),
            Self::TokenMissing => ("token-missing", "RFC 3161 2.4.2"),
            Self::ContentType { .. } => ("content-type", "RFC 3161 2.4.2"),
            Self::ContentMissing => ("content-missing", "RFC 3161 2.4.2"),
            Self::SignerCount { .. } => ("signer-count", "RFC 3161 2.4.2"),
            Self::AttributeMissing { .. } => ("attribute-missing", "RFC 5652 5.3"),
            Self::AttributeCount { .. } => ("attribute-count", "RFC 5652 11"),
            Self::MessageDigest { .. } => ("message-digest", "RFC 5652 11.2"),
            Self::AlgorithmRefused { .. } => ("algorithm-refused", "RFC 3161 4"),
            Self::DigestNotAnnounced { .. } => ("digest-not-announced", "RFC 5652 5.1"),
            Self::DigestConflict { .. } => ("digest-conflict", "RFC 5652 5.3"),
            Self::SignerCertificateMissing { .. } => ("signer-certificate-missing", "RFC 5652 5.3"),
            Self::SigningCertificate { .. } => ("signing-certificate", "RFC 5035 4"),
            Self::Signature { .. } => ("signature", "RFC 5652 5.6"),
            Self::ExtendedKeyUsage { .. } => ("extended-key-usage", "RFC 3161 2.3"),
            Self::KeyUsage { .. } => ("key-usage", "RFC 5280 4.2.1.12"),
            Self::SignerIsCa { .. } => ("signer-is-ca", "RFC 3161 2.3"),
            Self::Path(e) => (e.code(), e.reference()),
            Self::Version { .. } => ("tst-info-version", "RFC 3161 2.4.2"),
            Self::GenTime { .. } => ("gen-time", "RFC 3161 2.4.2"),
            Self::Accuracy { .. } => ("accuracy", "RFC 3161 2.4.2"),
            Self::MessageImprintAlgorithm { .. } => ("message-imprint-algorithm", "RFC 3161 2.4.2"),
            Self::MessageImprint { .. } => ("message-imprint", "RFC 3161 2.4.2"),
            Self::CriticalExtension { .. } => ("critical-extension", "RFC 3161 2.4.2"),
            Self::TsaName { .. } => ("tsa-name", "RFC 3161 2.4.2"),
            Self::Policy { .. } => ("policy", "RFC 3161 2.4.2"),
            Self::Nonce { .. } => ("nonce", "RFC 3161 2.4.2"),
            Self::Window { .. } => ("authority-window", "the trust given"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { limit, found } => {
                write!(f, "too large for a time-stamp token: at most {limit} bytes, found {found} or more")
            }
            Self::Malformed { structure, detail } => write!(f, "not a DER-encoded {structure}: {detail}"),
            Self::TrailingBytes { structure, found } => {
                write!(f, "{found} byte(s) follow the end of {structure}: expected none")
            }
            Self::TooMany { what, limit, found } => {
                write!(f, "too many {what}: at most {limit}, found {found}")
            }
            Self::Request { detail } => write!(f, "the request to compare with cannot be read: {detail}"),
            Self::NotGranted { status, text } if text.is_empty() => {
                write!(f, "the authority did not grant a time-stamp: expected PKIStatus 0 or 1, found {status}")
            }
            Self::NotGranted { status, text } => write!(
                f,
                "the authority did not grant a time-stamp: expected PKIStatus 0 or 1, found {status}, {text:?}"
            ),
            Self::TokenMissing => f.write_str("the response says granted and holds no token"),
            Self::ContentType { place, expected, found } => {
                write!(f, "{place} is not {expected}: found {found}")
            }
            Self::ContentMissing => {
                f.write_str("the token carries no TSTInfo: expected it inside the SignedData, found a detached one")
            }
            Self::SignerCount { found } => write!(f, "expected exactly one SignerInfo, found {found}"),
            Self::AttributeMissing { attribute } => write!(f, "the signed attribute {attribute} is missing"),
            Self::AttributeCount { attribute, counted, found } => {
                write!(f, "the signed attribute {attribute}: wrong number of {counted}, expected 1, found {found}")
            }
            Self::MessageDigest { expected, found } => write!(
                f,
                "the signed attribute messageDigest is not the digest of the content: expected {expected}, found {found}"
            ),
            Self::AlgorithmRefused { role, algorithm, accepted } => {
                write!(f, "{algorithm} is refused as {role}: expected {accepted}")
            }
            Self::DigestNotAnnounced { found } => {
                write!(f, "digestAlgorithms does not list the signer's digest algorithm: expected {found}, found others or none")
            }
            Self::DigestConflict { digest_algorithm, signature_algorithm } => write!(
                f,
                "digestAlgorithm is {digest_algorithm} and the signature algorithm uses {signature_algorithm}: expected the same"
            ),
            Self::SignerCertificateMissing { signer } => write!(
                f,
                "the certificate of the signer is neither in the token nor among the intermediates: expected {signer}"
            ),
            Self::SigningCertificate { attribute, compared, expected, found } => write!(
                f,
                "the first entry of {attribute} is not the signer's certificate: expected {compared} {expected}, found {found}"
            ),
            Self::Signature { algorithm, signer } => {
                write!(f, "the signature does not verify: {algorithm} with the key of {signer}")
            }
            Self::ExtendedKeyUsage { found } => write!(
                f,
                "the signer is not a time-stamping certificate: expected the extended key usage timeStamping, critical and alone, found {found}"
            ),
            Self::KeyUsage { found } => write!(
                f,
                "the signer's key usage does not fit: expected digitalSignature and/or nonRepudiation only, found {found}"
            ),
            Self::SignerIsCa { subject } => {
                write!(f, "the signer is a certification authority: expected an end entity, found {subject}")
            }
            Self::Path(e) => e.fmt(f),
            Self::Version { found } => write!(f, "the TSTInfo version is not 1: found {found}"),
            Self::GenTime { found, detail } => {
                write!(f, "genTime is not of the form YYYYMMDDhhmmss[.f...]Z: {detail}, found {found:?}")
            }
            Self::Accuracy { field, found } => {
                write!(f, "accuracy out of range: expected {field}, found {found}")
            }
            Self::MessageImprintAlgorithm { expected, found } => {
                write!(f, "the time-stamp is over another kind of digest: expected {expected}, found {found}")
            }
            Self::MessageImprint { expected, found } => {
                write!(f, "the time-stamp is over other data: expected the digest {expected}, found {found}")
            }
            Self::CriticalExtension { place, found } => {
                write!(f, "{place} has a critical extension that is not understood: found {found}")
            }
            Self::TsaName { expected, found } => {
                write!(f, "the token names another authority than its signer: expected {expected}, found {found}")
            }
            Self::Policy { expected, found } => {
                write!(f, "the policy is not an allowed one: expected {expected}, found {found}")
            }
            Self::Nonce { expected, found } => {
                write!(f, "the token does not answer the request: expected the nonce {expected}, found {found}")
            }
            Self::Window { expected, found } => {
                write!(f, "the authority is not trusted for that time: expected {expected}, found {found}")
            }
        }?;
        write!(f, " ({})", self.reference())
    }
}

impl error::Error for Error {}
