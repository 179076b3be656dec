//! The digest that a proof of time is about: SHA-256, SHA-384 or SHA-512, and no other.

use std::{fmt, io, str::FromStr};

use sha2::{Digest as _, Sha256, Sha384, Sha512};

/// A hash function that a proof may rest on.
///
/// Weaker ones (MD5, SHA-1, ...) are refused by name, see [`DigestError::Refused`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DigestAlgorithm {
    /// SHA-256 (FIPS 180-4), 32 bytes.
    Sha256,
    /// SHA-384 (FIPS 180-4), 48 bytes.
    Sha384,
    /// SHA-512 (FIPS 180-4), 64 bytes.
    Sha512,
}

impl DigestAlgorithm {
    /// Every algorithm, in order of length.
    pub const ALL: [Self; 3] = [Self::Sha256, Self::Sha384, Self::Sha512];

    /// The lower-case name used in `sha256:HEX`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
        }
    }

    /// The object identifier in dotted form (RFC 5754 section 2).
    #[must_use]
    pub fn oid(self) -> &'static str {
        match self {
            Self::Sha256 => "2.16.840.1.101.3.4.2.1",
            Self::Sha384 => "2.16.840.1.101.3.4.2.2",
            Self::Sha512 => "2.16.840.1.101.3.4.2.3",
        }
    }

    /// The length of a digest in bytes.
    #[must_use]
    pub fn output_len(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }
}

impl fmt::Display for DigestAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DigestAlgorithm {
    type Err = DigestError;

    fn from_str(name: &str) -> Result<Self, DigestError> {
        if let Some(found) = Self::ALL.into_iter().find(|a| a.name() == name) {
            return Ok(found);
        }
        match REFUSED.iter().find(|(n, oid)| *n == name || *oid == name) {
            Some((refused, _)) => Err(DigestError::Refused {
                name: (*refused).to_owned(),
            }),
            None => Err(DigestError::Unknown {
                name: name.to_owned(),
            }),
        }
    }
}

/// Algorithms that occur in the field or in attacks and are refused by name, with their identifiers.
const REFUSED: [(&str, &str); 10] = [
    ("md2", "1.2.840.113549.2.2"),
    ("md4", "1.2.840.113549.2.4"),
    ("md5", "1.2.840.113549.2.5"),
    ("sha1", "1.3.14.3.2.26"),
    ("sha224", "2.16.840.1.101.3.4.2.4"),
    ("ripemd160", "1.3.36.3.2.1"),
    ("md5WithRSAEncryption", "1.2.840.113549.1.1.4"),
    ("sha1WithRSAEncryption", "1.2.840.113549.1.1.5"),
    ("ecdsa-with-SHA1", "1.2.840.10045.4.1"),
    ("sha256WithRSAEncryption", "1.2.840.113549.1.1.11"),
];

/// A digest: which algorithm, and its bytes. The length always fits the algorithm.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Digest {
    algorithm: DigestAlgorithm,
    bytes: Vec<u8>,
}

impl Digest {
    /// Takes bytes that are already a digest.
    ///
    /// # Errors
    /// [`DigestError::Length`] when the length is not that of the algorithm.
    pub fn new(algorithm: DigestAlgorithm, bytes: &[u8]) -> Result<Self, DigestError> {
        if bytes.len() != algorithm.output_len() {
            return Err(DigestError::Length {
                algorithm,
                found: bytes.len(),
            });
        }
        Ok(Self {
            algorithm,
            bytes: bytes.to_vec(),
        })
    }

    /// Hashes bytes in memory.
    #[must_use]
    pub fn of_bytes(algorithm: DigestAlgorithm, data: &[u8]) -> Self {
        let bytes = match algorithm {
            DigestAlgorithm::Sha256 => Sha256::digest(data).to_vec(),
            DigestAlgorithm::Sha384 => Sha384::digest(data).to_vec(),
            DigestAlgorithm::Sha512 => Sha512::digest(data).to_vec(),
        };
        Self { algorithm, bytes }
    }

    /// Hashes everything a reader gives, in constant memory.
    ///
    /// # Errors
    /// Whatever the reader fails with.
    pub fn of_reader(algorithm: DigestAlgorithm, reader: &mut impl io::Read) -> io::Result<Self> {
        let bytes = match algorithm {
            DigestAlgorithm::Sha256 => hash_reader::<Sha256>(reader),
            DigestAlgorithm::Sha384 => hash_reader::<Sha384>(reader),
            DigestAlgorithm::Sha512 => hash_reader::<Sha512>(reader),
        }?;
        Ok(Self { algorithm, bytes })
    }

    /// The algorithm.
    #[must_use]
    pub fn algorithm(&self) -> DigestAlgorithm {
        self.algorithm
    }

    /// The bytes, [`DigestAlgorithm::output_len`] of them.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes in lower-case hexadecimal.
    #[must_use]
    pub fn to_hex(&self) -> String {
        base16ct::lower::encode_string(&self.bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.algorithm, self.to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Parses `sha256:HEX`, hexadecimal in either case.
impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let Some((name, hex)) = text.split_once(':') else {
            return Err(DigestError::Form);
        };
        let algorithm: DigestAlgorithm = name.parse()?;
        if hex.len() != algorithm.output_len() * 2 {
            return Err(DigestError::Length {
                algorithm,
                found: hex.len() / 2,
            });
        }
        let bytes = base16ct::mixed::decode_vec(hex).map_err(|_| DigestError::Hex)?;
        Self::new(algorithm, &bytes)
    }
}

/// The hash of everything a reader gives, 64 KiB at a time.
pub(crate) fn hash_reader<D: sha2::Digest>(mut reader: impl io::Read) -> io::Result<Vec<u8>> {
    let mut hasher = D::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(hasher.finalize().to_vec()),
            Ok(count) => hasher.update(buffer.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Why a text or some bytes are not a digest this crate accepts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DigestError {
    /// No colon between algorithm and hexadecimal digits.
    #[error("not a digest: expected ALGORITHM:HEX, for example sha256:HEX")]
    Form,
    /// A known algorithm that is too weak, or no hash at all.
    #[error("digest algorithm {name} is refused: expected sha256, sha384 or sha512")]
    Refused {
        /// The name of the algorithm.
        name: String,
    },
    /// An algorithm this crate does not know.
    #[error("unknown digest algorithm {name:?}: expected sha256, sha384 or sha512")]
    Unknown {
        /// The name or object identifier as given.
        name: String,
    },
    /// The length is not that of the algorithm.
    #[error("a {algorithm} digest has {} bytes, found {found}", algorithm.output_len())]
    Length {
        /// The algorithm that fixes the length.
        algorithm: DigestAlgorithm,
        /// The number of bytes found.
        found: usize,
    },
    /// A character that is no hexadecimal digit.
    #[error("not a digest: expected hexadecimal digits after the colon")]
    Hex,
}

impl DigestError {
    /// A stable kebab-case code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Form => "digest-form",
            Self::Refused { .. } => "digest-algorithm-refused",
            Self::Unknown { .. } => "digest-algorithm-unknown",
            Self::Length { .. } => "digest-length",
            Self::Hex => "digest-hex",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, DigestAlgorithm, DigestError};

    #[test]
    fn text_round_trips_and_hex_may_be_upper_case() {
        for algorithm in DigestAlgorithm::ALL {
            let digest = Digest::of_bytes(algorithm, b"abc");
            let text = digest.to_string();
            assert_eq!(text.parse::<Digest>().unwrap(), digest);
            let (name, hex) = text.split_once(':').unwrap();
            assert_eq!(
                format!("{name}:{}", hex.to_uppercase())
                    .parse::<Digest>()
                    .unwrap(),
                digest
            );
        }
    }

    #[test]
    fn a_reader_and_bytes_give_the_same_digest_as_fips_180_4() {
        let expected = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(
            Digest::of_bytes(DigestAlgorithm::Sha256, b"abc").to_string(),
            expected
        );
        let data = vec![7; 200_001];
        let streamed = Digest::of_reader(DigestAlgorithm::Sha512, &mut data.as_slice()).unwrap();
        assert_eq!(streamed, Digest::of_bytes(DigestAlgorithm::Sha512, &data));
    }

    #[test]
    fn each_fault_has_its_code() {
        let code = |text: &str| text.parse::<Digest>().unwrap_err().code();
        assert_eq!(code("ba78"), "digest-form");
        assert_eq!(code("md5:00"), "digest-algorithm-refused");
        assert_eq!(code("1.2.840.113549.1.1.5:00"), "digest-algorithm-refused");
        assert_eq!(code("sha265:00"), "digest-algorithm-unknown");
        assert_eq!(code("sha256:00"), "digest-length");
        assert_eq!(code(&format!("sha256:{}", "zz".repeat(32))), "digest-hex");
        let short = DigestError::Length {
            algorithm: DigestAlgorithm::Sha256,
            found: 1,
        };
        assert_eq!(short.to_string(), "a sha256 digest has 32 bytes, found 1");
    }
}
