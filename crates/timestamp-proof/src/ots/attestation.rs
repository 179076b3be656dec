//! Attestations: who says when, at the end of a path.

use super::reader::Reader;
use super::{Error, MAX_PAYLOAD_BYTES, MAX_URI_BYTES};

const BITCOIN: [u8; 8] = [0x05, 0x88, 0x96, 0x0d, 0x73, 0xd7, 0x19, 0x01];
const LITECOIN: [u8; 8] = [0x06, 0x86, 0x9a, 0x0d, 0x73, 0xd7, 0x1b, 0x45];
const ETHEREUM: [u8; 8] = [0x30, 0xfe, 0x80, 0x87, 0xb5, 0xc7, 0xea, 0xd7];
const PENDING: [u8; 8] = [0x83, 0xdf, 0xe3, 0x0d, 0x2e, 0xf9, 0x0c, 0x8e];

/// The longest commitment that is kept, in bytes: calendars make shorter ones, and a hostile proof could otherwise ask
/// for 4,096 bytes of memory with every 14 of its own.
const MAX_COMMITMENT_BYTES: usize = 64;

/// Who says when, at one end of a proof's path.
///
/// Only [`Attestation::Bitcoin`] can be checked here, and only it ever counts. The order is that of the variants, and
/// within a chain by height.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Attestation {
    /// The path ends in the merkle root of a Bitcoin block.
    Bitcoin {
        /// The height of the block in the main chain.
        height: u64,
        /// The merkle root that the path leads to, in the order of the block header. `None` if the path leads to a
        /// message of another length than 32 bytes, which is no block's root.
        merkle_root: Option<[u8; 32]>,
    },
    /// The path ends in a Litecoin block. Reported, never counted.
    Litecoin {
        /// The height of the block.
        height: u64,
    },
    /// The path ends in an Ethereum block. Reported, never counted.
    Ethereum {
        /// The number of the block.
        height: u64,
    },
    /// A calendar has promised to put the path into a block.
    Pending {
        /// The calendar's address. A string from outside: printed, never fetched by this crate.
        uri: String,
        /// What the calendar knows the stamp by. `None` if it is longer than 64 bytes, which no calendar makes.
        commitment: Option<Vec<u8>>,
    },
    /// An attestation of a kind that this crate does not know. Reported, never counted.
    Unknown {
        /// The eight bytes that name the kind.
        tag: [u8; 8],
    },
}

impl Attestation {
    /// The kind in lower case: `bitcoin`, `litecoin`, `ethereum`, `pending` or `unknown`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Bitcoin { .. } => "bitcoin",
            Self::Litecoin { .. } => "litecoin",
            Self::Ethereum { .. } => "ethereum",
            Self::Pending { .. } => "pending",
            Self::Unknown { .. } => "unknown",
        }
    }

    /// Reads the attestation behind its tag byte 0x00; `message` is what it attests.
    pub(super) fn read(message: &[u8], reader: &mut Reader<'_>) -> Result<Self, Error> {
        let tag = reader.array::<8>("the tag of an attestation")?;
        let offset = reader.offset();
        let found = reader.number("the length of an attestation")?;
        let length = match usize::try_from(found) {
            Ok(length) if length <= MAX_PAYLOAD_BYTES => length,
            _ => {
                return Err(Error::PayloadLength {
                    offset,
                    found,
                    limit: MAX_PAYLOAD_BYTES,
                });
            }
        };
        let mut payload = reader.part(length, "an attestation")?;
        let attestation = match tag {
            BITCOIN => Self::Bitcoin {
                height: payload.number("the height of a Bitcoin block")?,
                merkle_root: message.try_into().ok(),
            },
            LITECOIN => Self::Litecoin {
                height: payload.number("the height of a Litecoin block")?,
            },
            PENDING => Self::Pending {
                uri: uri(&mut payload)?,
                commitment: (message.len() <= MAX_COMMITMENT_BYTES).then(|| message.to_vec()),
            },
            // The reference does not know this tag and takes any payload with it, so one that is no number stays unknown.
            ETHEREUM => match payload.number("the number of an Ethereum block") {
                Ok(height) if payload.remaining() == 0 => Self::Ethereum { height },
                _ => return Ok(Self::Unknown { tag }),
            },
            _ => return Ok(Self::Unknown { tag }),
        };
        match payload.remaining() {
            0 => Ok(attestation),
            count => Err(Error::PayloadTrailing {
                kind: attestation.kind(),
                offset: reader.offset(),
                count,
            }),
        }
    }
}

/// The calendar's address, in the characters that cannot lead a careless reader astray: no query, no `@`, no `%`.
fn uri(payload: &mut Reader<'_>) -> Result<String, Error> {
    let offset = payload.offset() + payload.remaining();
    let found = payload.number("the length of a calendar address")?;
    let length = match usize::try_from(found) {
        Ok(length) if length <= MAX_URI_BYTES => length,
        _ => {
            return Err(Error::UriLength {
                offset,
                found,
                limit: MAX_URI_BYTES,
            });
        }
    };
    let bytes = payload.bytes(length, "a calendar address")?;
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._/:".contains(byte);
    match bytes.iter().copied().find(|byte| !allowed(byte)) {
        Some(found) => Err(Error::UriCharacter { offset, found }),
        None => Ok(bytes.iter().copied().map(char::from).collect()),
    }
}
