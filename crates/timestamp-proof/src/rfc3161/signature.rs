//! Verification of one signature with one public key.
//!
//! Only public-key operations are used. The advisory RUSTSEC-2023-0071 on the crate `rsa` is about the timing of
//! private-key operations and does not concern them.

use der::{
    Decode, Sequence,
    asn1::{AnyRef, ObjectIdentifier, UintRef},
};
use p256::ecdsa::signature::hazmat::PrehashVerifier;
use rsa::BoxedUint;
use sha2::{Sha256, Sha384, Sha512};
use x509_cert::spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};

use super::algorithms;
use crate::digest::{Digest, DigestAlgorithm};

/// The smallest RSA modulus that is accepted, in bits.
const MIN_RSA_BITS: usize = 2048;

/// The largest RSA modulus that is accepted, in bits: above it, one verification takes a hostile amount of time.
const MAX_RSA_BITS: usize = 8192;

const RSA_ENCRYPTION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const RSA_SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.11");
const RSA_SHA384: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.12");
const RSA_SHA512: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.13");
const RSA_PSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.10");
const MGF1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.8");
const ECDSA_SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.3.2");
const ECDSA_SHA384: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.3.3");
const ECDSA_SHA512: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.3.4");
const EC_PUBLIC_KEY: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const P256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");
const P384: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.34");
const P521: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.35");

/// What this crate accepts, for the message of a refusal.
pub(super) const ACCEPTED: &str = "RSA PKCS#1 v1.5 or PSS from 2048 to 8192 bits, or ECDSA on P-256, P-384 or P-521, \
     with SHA-256, SHA-384 or SHA-512";

/// A signature scheme: everything but the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 8.2).
    RsaPkcs1(DigestAlgorithm),
    /// RSASSA-PSS (RFC 8017 8.1, RFC 4056); MGF1 uses the same hash function.
    RsaPss {
        /// The hash function.
        digest: DigestAlgorithm,
        /// The length of the salt in bytes.
        salt_len: usize,
    },
    /// ECDSA (RFC 5758 3.2, RFC 5753 for CMS); the curve is the key's.
    Ecdsa(DigestAlgorithm),
}

/// Why a signature counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// An algorithm or key that is refused, by name.
    Refused(String),
    /// The signature does not verify.
    Invalid,
}

impl Scheme {
    /// The scheme that an AlgorithmIdentifier names. CMS allows to say `rsaEncryption` and to leave the hash function
    /// to another field (RFC 3370 3.2); that one is given as `cms_digest`.
    pub(super) fn read(
        algorithm: AlgorithmIdentifierRef<'_>,
        cms_digest: Option<DigestAlgorithm>,
    ) -> Result<Self, Fault> {
        use DigestAlgorithm::{Sha256, Sha384, Sha512};
        let scheme = match (algorithm.oid, cms_digest) {
            (RSA_SHA256, _) => Self::RsaPkcs1(Sha256),
            (RSA_SHA384, _) => Self::RsaPkcs1(Sha384),
            (RSA_SHA512, _) => Self::RsaPkcs1(Sha512),
            (RSA_ENCRYPTION, Some(digest)) => Self::RsaPkcs1(digest),
            (RSA_PSS, _) => return pss(algorithm.parameters),
            (ECDSA_SHA256, _) => Self::Ecdsa(Sha256),
            (ECDSA_SHA384, _) => Self::Ecdsa(Sha384),
            (ECDSA_SHA512, _) => Self::Ecdsa(Sha512),
            (refused, _) => return Err(Fault::Refused(algorithms::name(refused))),
        };
        if algorithm.parameters.is_none_or(AnyRef::is_null) {
            Ok(scheme)
        } else {
            Err(Fault::Refused(format!("{} with parameters", scheme.name())))
        }
    }

    /// The hash function.
    pub(super) fn digest(self) -> DigestAlgorithm {
        match self {
            Self::RsaPkcs1(digest) | Self::Ecdsa(digest) | Self::RsaPss { digest, .. } => digest,
        }
    }

    /// The name, for messages.
    pub(super) fn name(self) -> String {
        match self {
            Self::RsaPkcs1(digest) => format!("RSA PKCS#1 v1.5 with {digest}"),
            Self::RsaPss { digest, salt_len } => {
                format!("RSA PSS with {digest} and a salt of {salt_len} bytes")
            }
            Self::Ecdsa(digest) => format!("ECDSA with {digest}"),
        }
    }

    /// Verifies a signature over a message.
    pub(super) fn verify(
        self,
        key: SubjectPublicKeyInfoRef<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Fault> {
        let hash = Digest::of_bytes(self.digest(), message);
        match self {
            Self::RsaPkcs1(_) => {
                let key = rsa_key(key, None)?;
                let hash = hash.as_bytes();
                verdict(match self.digest() {
                    DigestAlgorithm::Sha256 => {
                        key.pkcs1v15_verify_prehash::<Sha256>(hash, signature)
                    }
                    DigestAlgorithm::Sha384 => {
                        key.pkcs1v15_verify_prehash::<Sha384>(hash, signature)
                    }
                    DigestAlgorithm::Sha512 => {
                        key.pkcs1v15_verify_prehash::<Sha512>(hash, signature)
                    }
                })
            }
            Self::RsaPss { digest, salt_len } => {
                let key = rsa_key(key, Some(self))?;
                let hash = hash.as_bytes();
                verdict(match digest {
                    DigestAlgorithm::Sha256 => {
                        key.verify(rsa::Pss::<Sha256>::new_with_salt(salt_len), hash, signature)
                    }
                    DigestAlgorithm::Sha384 => {
                        key.verify(rsa::Pss::<Sha384>::new_with_salt(salt_len), hash, signature)
                    }
                    DigestAlgorithm::Sha512 => {
                        key.verify(rsa::Pss::<Sha512>::new_with_salt(salt_len), hash, signature)
                    }
                })
            }
            Self::Ecdsa(_) => ecdsa(key, hash.as_bytes(), signature),
        }
    }
}

fn verdict<E>(result: Result<(), E>) -> Result<(), Fault> {
    result.map_err(|_| Fault::Invalid)
}

fn refused(what: impl Into<String>) -> Fault {
    Fault::Refused(what.into())
}

/// RSASSA-PSS-params (RFC 4055 3.1). The defaults are SHA-1, so that every field must be there to be accepted.
#[derive(Sequence)]
struct PssParameters<'a> {
    #[asn1(context_specific = "0", optional = "true")]
    hash: Option<AlgorithmIdentifierRef<'a>>,
    #[asn1(context_specific = "1", optional = "true")]
    mask: Option<AlgorithmIdentifierRef<'a>>,
    #[asn1(context_specific = "2", optional = "true")]
    salt_len: Option<u16>,
    #[asn1(context_specific = "3", optional = "true")]
    trailer: Option<u8>,
}

fn pss(parameters: Option<AnyRef<'_>>) -> Result<Scheme, Fault> {
    let damaged = |_| refused("RSA PSS with damaged parameters");
    let Some(parameters) = parameters else {
        return Err(refused("RSA PSS without parameters"));
    };
    let parameters: PssParameters<'_> = parameters.decode_as().map_err(damaged)?;
    let digest = |algorithm: Option<AlgorithmIdentifierRef<'_>>| match algorithm {
        None => Err(refused("RSA PSS with SHA-1")),
        Some(a) => algorithms::digest(a, "the hash of RSA PSS")
            .map_err(|_| refused(format!("RSA PSS with {}", algorithms::name(a.oid)))),
    };
    let hash = digest(parameters.hash)?;
    let mask_hash = match parameters.mask {
        Some(AlgorithmIdentifierRef {
            oid: MGF1,
            parameters: Some(inner),
        }) => digest(Some(inner.decode_as().map_err(damaged)?))?,
        Some(other) => {
            return Err(refused(format!(
                "RSA PSS with the mask generator {}",
                other.oid
            )));
        }
        None => return Err(refused("RSA PSS with SHA-1 as its mask generator's hash")),
    };
    if mask_hash != hash {
        return Err(refused(format!(
            "RSA PSS with {hash} and a mask generator with {mask_hash}"
        )));
    }
    if parameters.trailer.is_some_and(|t| t != 1) {
        return Err(refused("RSA PSS with another trailer field than 1"));
    }
    let salt_len = usize::from(parameters.salt_len.unwrap_or(20));
    Ok(Scheme::RsaPss {
        digest: hash,
        salt_len,
    })
}

/// RSAPublicKey (RFC 8017 A.1.1).
#[derive(Sequence)]
struct RsaPublicKey<'a> {
    modulus: UintRef<'a>,
    public_exponent: UintRef<'a>,
}

/// The key, whose algorithm may bind it to one PSS scheme (RFC 4055 1.2).
fn rsa_key(
    info: SubjectPublicKeyInfoRef<'_>,
    pss_scheme: Option<Scheme>,
) -> Result<rsa::PublicKey, Fault> {
    match (info.algorithm.oid, info.algorithm.parameters, pss_scheme) {
        (RSA_ENCRYPTION, _, _) | (RSA_PSS, None, Some(_)) => {}
        (RSA_PSS, parameters, Some(Scheme::RsaPss { digest, salt_len })) => {
            let Scheme::RsaPss {
                digest: key_digest,
                salt_len: key_salt,
            } = pss(parameters)?
            else {
                return Err(Fault::Invalid);
            };
            if key_digest != digest || salt_len < key_salt {
                return Err(refused("an RSA PSS key bound to other parameters"));
            }
        }
        (other, ..) => return Err(refused(format!("a key for {}", algorithms::name(other)))),
    }
    let key = info.subject_public_key.as_bytes().ok_or(Fault::Invalid)?;
    let key = RsaPublicKey::from_der(key).map_err(|_| refused("a damaged RSA key"))?;
    let bits = bit_len(key.modulus.as_bytes());
    if !(MIN_RSA_BITS..=MAX_RSA_BITS).contains(&bits) {
        return Err(refused(format!("RSA-{bits}")));
    }
    let modulus = BoxedUint::from_be_slice_vartime(key.modulus.as_bytes());
    let exponent = BoxedUint::from_be_slice_vartime(key.public_exponent.as_bytes());
    rsa::PublicKey::new_with_size_limits(modulus, exponent, MIN_RSA_BITS..=MAX_RSA_BITS)
        .map_err(|e| refused(format!("an RSA key with {e}")))
}

/// The length of a big-endian number without leading zero bytes, in bits.
fn bit_len(bytes: &[u8]) -> usize {
    let leading = bytes.first().map_or(0, |b| b.leading_zeros());
    (bytes.len() * 8).saturating_sub(usize::try_from(leading).unwrap_or(0))
}

fn ecdsa(info: SubjectPublicKeyInfoRef<'_>, hash: &[u8], signature: &[u8]) -> Result<(), Fault> {
    if info.algorithm.oid != EC_PUBLIC_KEY {
        return Err(refused(format!(
            "a key for {}",
            algorithms::name(info.algorithm.oid)
        )));
    }
    let curve: ObjectIdentifier = info
        .algorithm
        .parameters
        .and_then(|p| p.decode_as().ok())
        .ok_or_else(|| refused("an elliptic curve without a name"))?;
    let point = info.subject_public_key.as_bytes().ok_or(Fault::Invalid)?;
    macro_rules! verify_on {
        ($curve:ident) => {{
            let key = $curve::ecdsa::VerifyingKey::from_sec1_bytes(point)
                .map_err(|_| refused("a damaged elliptic-curve key"))?;
            let signature =
                $curve::ecdsa::DerSignature::from_bytes(signature).map_err(|_| Fault::Invalid)?;
            verdict(key.verify_prehash(hash, &signature))
        }};
    }
    match curve {
        P256 => verify_on!(p256),
        P384 => verify_on!(p384),
        P521 => verify_on!(p521),
        other => Err(refused(format!("ECDSA on {}", algorithms::name(other)))),
    }
}

#[cfg(test)]
mod tests {
    use x509_cert::der::referenced::OwnedToRef;

    use super::{super::Authority, Fault, Scheme};

    /// Self-signed certificates, one for each scheme; the subject says which.
    const SCHEMES: &[u8] = include_bytes!("../../tests/data/schemes.pem");

    const ACCEPTED: [&str; 20] = [
        "P-256 sha256",
        "P-256 sha384",
        "P-256 sha512",
        "P-384 sha256",
        "P-384 sha384",
        "P-384 sha512",
        "P-521 sha256",
        "P-521 sha384",
        "P-521 sha512",
        "RSA-2048 sha256",
        "RSA-2048 sha384",
        "RSA-2048 sha512",
        "RSA-3072 sha256",
        "RSA-3072 sha384",
        "RSA-3072 sha512",
        "RSA-3072 PSS sha256",
        "RSA-3072 PSS sha384",
        "RSA-3072 PSS sha512",
        "RSA-3072 PSS sha256 salt 0",
        "PSS key sha384",
    ];

    const REFUSED: [(&str, &str); 16] = [
        ("P-256 sha1", "ecdsa-with-SHA1"),
        ("P-384 sha1", "ecdsa-with-SHA1"),
        ("P-521 sha1", "ecdsa-with-SHA1"),
        ("secp256k1 sha256", "ECDSA on secp256k1"),
        ("Ed25519", "Ed25519"),
        ("RSA-1024 md5", "md5WithRSAEncryption"),
        ("RSA-1024 sha1", "sha1WithRSAEncryption"),
        ("RSA-1024 sha256", "RSA-1024"),
        ("RSA-1024 sha384", "RSA-1024"),
        ("RSA-1024 sha512", "RSA-1024"),
        ("RSA-2048 md5", "md5WithRSAEncryption"),
        ("RSA-2048 sha1", "sha1WithRSAEncryption"),
        ("RSA-3072 md5", "md5WithRSAEncryption"),
        ("RSA-3072 sha1", "sha1WithRSAEncryption"),
        ("RSA-3072 PSS sha1", "RSA PSS with SHA-1"),
        (
            "RSA-3072 PSS sha256 mask sha1",
            "RSA PSS with SHA-1 as its mask generator's hash",
        ),
    ];

    #[test]
    fn every_scheme_verifies_or_is_refused_by_name() {
        let certificates = Authority::from_roots(SCHEMES).unwrap().roots;
        assert_eq!(certificates.len(), ACCEPTED.len() + REFUSED.len());
        for certificate in &certificates {
            let subject = certificate.subject().to_string();
            let scheme_name = subject.trim_start_matches("CN=");
            let fields = certificate.fields();
            let key = fields
                .tbs_certificate()
                .subject_public_key_info()
                .owned_to_ref();
            let verify = |message: &[u8], signature: &[u8]| {
                Scheme::read(fields.signature_algorithm().owned_to_ref(), None)?.verify(
                    key.clone(),
                    message,
                    signature,
                )
            };
            let signature = fields.signature().raw_bytes();
            let verdict = verify(certificate.tbs(), signature);
            if let Some((_, name)) = REFUSED.iter().find(|(refused, _)| *refused == scheme_name) {
                assert_eq!(
                    verdict,
                    Err(Fault::Refused((*name).to_owned())),
                    "{subject}"
                );
                continue;
            }
            assert!(ACCEPTED.contains(&scheme_name), "{subject}");
            assert_eq!(verdict, Ok(()), "{subject}");
            assert_eq!(
                verify(b"another message", signature),
                Err(Fault::Invalid),
                "{subject}"
            );
            for i in [0, signature.len() / 2, signature.len() - 1] {
                let mut changed = signature.to_vec();
                changed[i] ^= 1;
                assert_eq!(
                    verify(certificate.tbs(), &changed),
                    Err(Fault::Invalid),
                    "{subject}, byte {i}"
                );
            }
        }
    }

    #[test]
    fn the_hash_of_rsa_encryption_is_that_of_the_cms() {
        use crate::digest::DigestAlgorithm::Sha512;
        let algorithm = x509_cert::spki::AlgorithmIdentifierRef {
            oid: super::RSA_ENCRYPTION,
            parameters: None,
        };
        assert_eq!(
            Scheme::read(algorithm, Some(Sha512)),
            Ok(Scheme::RsaPkcs1(Sha512))
        );
        assert_eq!(
            Scheme::read(algorithm, None),
            Err(Fault::Refused("rsaEncryption".to_owned()))
        );
    }
}
