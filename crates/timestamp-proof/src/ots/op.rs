//! Hashes of files, and the operations of a path.

use std::fmt;
use std::io::{self, Read};
use std::rc::Rc;

use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::{Digest, Sha256};
use sha3::Keccak256;

use super::reader::Reader;
use super::{Error, MAX_MESSAGE_BYTES};
use crate::digest::hash_reader;

/// A hash that a detached proof can name the stamped file by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FileHash {
    /// SHA-1, 20 bytes. Collisions have been made and stamped, see [`FileHash::is_weak`].
    Sha1,
    /// RIPEMD-160, 20 bytes.
    Ripemd160,
    /// SHA-256, 32 bytes. What every current client uses.
    Sha256,
    /// Keccak-256 as Ethereum uses it (the padding from before FIPS 202), 32 bytes.
    Keccak256,
}

impl FileHash {
    /// The name in lower case, as the reference client prints it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Ripemd160 => "ripemd160",
            Self::Sha256 => "sha256",
            Self::Keccak256 => "keccak256",
        }
    }

    /// The length of a digest in bytes.
    #[must_use]
    pub fn digest_len(self) -> usize {
        match self {
            Self::Sha1 | Self::Ripemd160 => 20,
            Self::Sha256 | Self::Keccak256 => 32,
        }
    }

    /// Whether two files with one digest exist or are within reach (160 bits or fewer), so that a stamped digest does
    /// not single out one file.
    #[must_use]
    pub fn is_weak(self) -> bool {
        self.digest_len() < 32
    }

    /// The digest of bytes in memory.
    #[must_use]
    pub fn digest(self, bytes: &[u8]) -> FileDigest {
        let bytes = match self {
            Self::Sha1 => Sha1::digest(bytes).to_vec(),
            Self::Ripemd160 => Ripemd160::digest(bytes).to_vec(),
            Self::Sha256 => Sha256::digest(bytes).to_vec(),
            Self::Keccak256 => Keccak256::digest(bytes).to_vec(),
        };
        FileDigest { hash: self, bytes }
    }

    /// The digest of a file of any size, in constant memory.
    ///
    /// # Errors
    ///
    /// What the reader returns.
    pub fn digest_reader(self, reader: impl Read) -> io::Result<FileDigest> {
        let bytes = match self {
            Self::Sha1 => hash_reader::<Sha1>(reader),
            Self::Ripemd160 => hash_reader::<Ripemd160>(reader),
            Self::Sha256 => hash_reader::<Sha256>(reader),
            Self::Keccak256 => hash_reader::<Keccak256>(reader),
        }?;
        Ok(FileDigest { hash: self, bytes })
    }

    pub(super) fn from_tag(tag: u8) -> Option<Self> {
        match tag {
            0x02 => Some(Self::Sha1),
            0x03 => Some(Self::Ripemd160),
            0x08 => Some(Self::Sha256),
            0x67 => Some(Self::Keccak256),
            _ => None,
        }
    }
}

impl fmt::Display for FileHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sha1 => "SHA-1",
            Self::Ripemd160 => "RIPEMD-160",
            Self::Sha256 => "SHA-256",
            Self::Keccak256 => "Keccak-256",
        })
    }
}

/// The digest of a file, with the hash that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDigest {
    hash: FileHash,
    bytes: Vec<u8>,
}

impl FileDigest {
    /// A digest that was made elsewhere; `None` if `bytes` has not the length that `hash` makes.
    #[must_use]
    pub fn new(hash: FileHash, bytes: Vec<u8>) -> Option<Self> {
        (bytes.len() == hash.digest_len()).then_some(Self { hash, bytes })
    }

    /// The hash that made it.
    #[must_use]
    pub fn hash(&self) -> FileHash {
        self.hash
    }

    /// The digest itself.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads the rest of the operation that begins with `tag` and applies it to `message`.
pub(super) fn apply(tag: u8, message: &[u8], reader: &mut Reader<'_>) -> Result<Rc<[u8]>, Error> {
    let offset = reader.offset() - 1;
    if let Some(hash) = FileHash::from_tag(tag) {
        return Ok(hash.digest(message).bytes.into());
    }
    let result = match tag {
        0xf0 => [message, argument(reader)?].concat(),
        0xf1 => [argument(reader)?, message].concat(),
        0xf2 => message.iter().rev().copied().collect(),
        0xf3 => base16ct::lower::encode_string(message).into_bytes(),
        _ => return Err(Error::UnknownOperation { offset, tag }),
    };
    if result.len() > MAX_MESSAGE_BYTES {
        return Err(Error::MessageLength {
            offset,
            found: result.len(),
            limit: MAX_MESSAGE_BYTES,
        });
    }
    Ok(result.into())
}

fn argument<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Error> {
    let offset = reader.offset();
    let found = reader.number("the length of an argument")?;
    match usize::try_from(found) {
        Ok(length @ 1..=MAX_MESSAGE_BYTES) => reader.bytes(length, "an argument"),
        _ => Err(Error::ArgumentLength {
            offset,
            found,
            limit: MAX_MESSAGE_BYTES,
        }),
    }
}
