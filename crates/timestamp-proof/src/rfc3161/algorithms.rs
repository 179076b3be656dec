//! Names of algorithms, and the identifiers of hash functions.

use der::asn1::{AnyRef, ObjectIdentifier};
use x509_cert::spki::AlgorithmIdentifierRef;

use super::error::Error;
use crate::digest::DigestAlgorithm;

/// Names of what is refused, so that a refusal can be read. What is not listed is told by its identifier.
const REFUSED_NAMES: [(&str, &str); 32] = [
    ("1.2.840.113549.2.2", "MD2"),
    ("1.2.840.113549.2.4", "MD4"),
    ("1.2.840.113549.2.5", "MD5"),
    ("1.3.14.3.2.26", "SHA-1"),
    ("2.16.840.1.101.3.4.2.4", "SHA-224"),
    ("2.16.840.1.101.3.4.2.6", "SHA-512/256"),
    ("2.16.840.1.101.3.4.2.8", "SHA3-256"),
    ("2.16.840.1.101.3.4.2.9", "SHA3-384"),
    ("2.16.840.1.101.3.4.2.10", "SHA3-512"),
    ("1.3.36.3.2.1", "RIPEMD-160"),
    ("1.2.840.113549.1.1.2", "md2WithRSAEncryption"),
    ("1.2.840.113549.1.1.4", "md5WithRSAEncryption"),
    ("1.2.840.113549.1.1.5", "sha1WithRSAEncryption"),
    ("1.3.14.3.2.29", "sha1WithRSASignature"),
    ("1.2.840.113549.1.1.14", "sha224WithRSAEncryption"),
    ("1.2.840.10045.4.1", "ecdsa-with-SHA1"),
    ("1.2.840.10045.4.3.1", "ecdsa-with-SHA224"),
    ("1.2.840.10040.4.1", "DSA"),
    ("1.2.840.10040.4.3", "dsa-with-SHA1"),
    ("2.16.840.1.101.3.4.3.2", "dsa-with-SHA256"),
    ("1.3.101.112", "Ed25519"),
    ("1.3.101.113", "Ed448"),
    ("1.2.840.10045.2.1", "id-ecPublicKey"),
    ("1.2.840.113549.1.1.1", "rsaEncryption"),
    ("1.2.840.113549.1.1.7", "RSAES-OAEP"),
    ("1.2.840.10045.3.1.1", "P-192"),
    ("1.3.132.0.33", "P-224"),
    ("1.3.132.0.10", "secp256k1"),
    ("1.3.36.3.3.2.8.1.1.7", "brainpoolP256r1"),
    ("1.3.36.3.3.2.8.1.1.11", "brainpoolP384r1"),
    ("1.3.36.3.3.2.8.1.1.13", "brainpoolP512r1"),
    ("1.2.643.7.1.1.1.1", "GOST R 34.10-2012"),
];

/// The name of an algorithm, or its identifier in dotted form.
pub(super) fn name(oid: ObjectIdentifier) -> String {
    let dotted = oid.to_string();
    if let Some(known) = DigestAlgorithm::ALL.into_iter().find(|a| a.oid() == dotted) {
        return known.to_string();
    }
    match REFUSED_NAMES.iter().find(|(refused, _)| *refused == dotted) {
        Some((_, name)) => (*name).to_owned(),
        None => dotted,
    }
}

/// The hash function of an AlgorithmIdentifier, whose parameters are absent or NULL (RFC 5754 section 2).
pub(super) fn digest(
    algorithm: AlgorithmIdentifierRef<'_>,
    role: &'static str,
) -> Result<DigestAlgorithm, Error> {
    let dotted = algorithm.oid.to_string();
    let found = DigestAlgorithm::ALL.into_iter().find(|a| a.oid() == dotted);
    match (found, algorithm.parameters.is_none_or(AnyRef::is_null)) {
        (Some(found), true) => Ok(found),
        (Some(found), false) => Err(Error::AlgorithmRefused {
            role,
            algorithm: format!("{found} with parameters"),
            accepted: ACCEPTED_DIGESTS,
        }),
        (None, _) => Err(Error::AlgorithmRefused {
            role,
            algorithm: name(algorithm.oid),
            accepted: ACCEPTED_DIGESTS,
        }),
    }
}

const ACCEPTED_DIGESTS: &str = "sha256, sha384 or sha512";
