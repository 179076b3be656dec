//! Bitcoin block headers, with their own proof of work.

use base16ct::lower::encode_string as hex;
use sha2::{Digest, Sha256};

use super::Error;
use super::reader::Reader;

/// A Bitcoin block header whose hash meets the target that the header itself names.
///
/// That is all that one header can show. It does not show that the block is in the main chain, or at which height: a
/// header at a very easy target takes no time to make. Whoever hands the header over vouches for that, and
/// [`BlockHeader::work_bits`] tells how much work went into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHeader {
    merkle_root: [u8; 32],
    time: u32,
    work_bits: u32,
}

impl BlockHeader {
    /// The length of a header in bytes.
    pub const LEN: usize = 80;

    /// Reads a header and checks its proof of work against its own `nBits`.
    ///
    /// # Errors
    ///
    /// [`Error::HeaderLength`], [`Error::HeaderTarget`] or [`Error::HeaderWork`].
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let wrong_length = || Error::HeaderLength { found: bytes.len() };
        let header: &[u8; Self::LEN] = bytes.try_into().map_err(|_| wrong_length())?;
        let mut reader = Reader::new(header);
        let mut field = || -> Result<_, Error> {
            reader.bytes(4 + 32, "version and previous block")?;
            let merkle_root = reader.array::<32>("merkle root")?;
            let time = u32::from_le_bytes(reader.array("time")?);
            let bits = u32::from_le_bytes(reader.array("nBits")?);
            Ok((merkle_root, time, bits))
        };
        let (merkle_root, time, bits) = field()?;

        let target = target(bits).ok_or(Error::HeaderTarget { bits })?;
        let mut hash: [u8; 32] = Sha256::digest(Sha256::digest(header)).into();
        // As a number the hash is little-endian; the target here is big-endian, so that arrays compare as numbers.
        hash.reverse();
        if hash > target {
            return Err(Error::HeaderWork {
                hash: hex(&hash),
                target: hex(&target),
            });
        }
        let zero_bytes = target.iter().take_while(|byte| **byte == 0);
        let work_bits = zero_bytes.map(|_| 8).sum::<u32>()
            + target
                .iter()
                .find(|byte| **byte != 0)
                .map_or(0, |byte| byte.leading_zeros());
        Ok(Self {
            merkle_root,
            time,
            work_bits,
        })
    }

    /// The merkle root, in the order of the header.
    #[must_use]
    pub fn merkle_root(&self) -> &[u8; 32] {
        &self.merkle_root
    }

    /// When the miner says that the block was made, in seconds since 1970-01-01 UTC. Other nodes take times up to two
    /// hours ahead of their own and not before the median of the eleven blocks before it, so read it as "by about".
    #[must_use]
    pub fn time(&self) -> u32 {
        self.time
    }

    /// How many leading zero bits the target has: making such a header takes about two to this power hashes. The easiest
    /// target of the main chain has 32; blocks of 2015 have 66 and more.
    #[must_use]
    pub fn work_bits(&self) -> u32 {
        self.work_bits
    }
}

/// A merkle root as block explorers print it: bytes reversed, in hexadecimal.
#[must_use]
pub fn display_order(merkle_root: &[u8; 32]) -> String {
    let mut reversed = *merkle_root;
    reversed.reverse();
    hex(&reversed)
}

/// The 256-bit big-endian target of a compact `nBits`: one byte of exponent, a sign bit, 23 bits of mantissa. `None` if it
/// is zero, negative or does not fit.
fn target(bits: u32) -> Option<[u8; 32]> {
    let [exponent, mantissa @ ..] = bits.to_be_bytes();
    if mantissa[0] & 0x80 != 0 {
        return None;
    }
    let mut target = [0_u8; 32];
    for (byte, place) in mantissa.into_iter().zip([1_usize, 2, 3]) {
        // The first mantissa byte is the most significant of a number of `exponent` bytes; bytes below the point drop off.
        let Some(power) = usize::from(exponent).checked_sub(place) else {
            continue;
        };
        match 31_usize
            .checked_sub(power)
            .and_then(|index| target.get_mut(index))
        {
            Some(slot) => *slot = byte,
            None if byte == 0 => {}
            None => return None,
        }
    }
    target.iter().any(|byte| *byte != 0).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target_hex(bits: u32) -> Option<String> {
        target(bits).map(|target| hex(&target).trim_start_matches('0').to_owned())
    }

    /// The published examples of the compact form, from the tests of Bitcoin Core's `arith_uint256`.
    #[test]
    fn compact_targets_expand_as_in_bitcoin_core() {
        for zero_or_negative in [
            0,
            0x0012_3456,
            0x0100_3456,
            0x0200_0056,
            0x0300_0000,
            0x0400_0000,
            0x00923456,
        ] {
            assert_eq!(
                target_hex(zero_or_negative),
                None,
                "{zero_or_negative:#010x}"
            );
        }
        assert_eq!(target_hex(0x0112_3456).as_deref(), Some("12"));
        assert_eq!(target_hex(0x0212_3456).as_deref(), Some("1234"));
        assert_eq!(target_hex(0x0312_3456).as_deref(), Some("123456"));
        assert_eq!(target_hex(0x0412_3456).as_deref(), Some("12345600"));
        assert_eq!(target_hex(0x0492_3456), None, "negative");
        assert_eq!(target_hex(0x0500_9234).as_deref(), Some("92340000"));
        assert_eq!(target_hex(0xff12_3456), None, "above 256 bits");
        assert_eq!(
            target_hex(0x2100_ffff),
            Some(format!("ffff{}", "0".repeat(60)))
        );
        assert_eq!(target_hex(0x2101_0000), None, "above 256 bits");
    }

    #[test]
    fn a_header_has_eighty_bytes() {
        assert_eq!(
            BlockHeader::parse(&[0; 79]),
            Err(Error::HeaderLength { found: 79 })
        );
        assert_eq!(
            BlockHeader::parse(&[0; 81]),
            Err(Error::HeaderLength { found: 81 })
        );
        assert_eq!(
            BlockHeader::parse(&[0; 80]),
            Err(Error::HeaderTarget { bits: 0 })
        );
    }

    /// The first block, which everyone can look up.
    #[test]
    fn the_genesis_block_has_its_work() {
        let mut header = [0_u8; 80];
        header[0] = 1;
        header[36..68].copy_from_slice(&[
            0x3b, 0xa3, 0xed, 0xfd, 0x7a, 0x7b, 0x12, 0xb2, 0x7a, 0xc7, 0x2c, 0x3e, 0x67, 0x76,
            0x8f, 0x61, 0x7f, 0xc8, 0x1b, 0xc3, 0x88, 0x8a, 0x51, 0x32, 0x3a, 0x9f, 0xb8, 0xaa,
            0x4b, 0x1e, 0x5e, 0x4a,
        ]);
        header[68..72].copy_from_slice(&1_231_006_505_u32.to_le_bytes());
        header[72..76].copy_from_slice(&0x1d00_ffff_u32.to_le_bytes());
        header[76..].copy_from_slice(&2_083_236_893_u32.to_le_bytes());
        let parsed = BlockHeader::parse(&header).unwrap();
        assert_eq!((parsed.time(), parsed.work_bits()), (1_231_006_505, 32));
        assert_eq!(
            display_order(parsed.merkle_root()),
            "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b"
        );

        header[76] ^= 1;
        assert_eq!(
            BlockHeader::parse(&header).unwrap_err().code(),
            "header-work"
        );
    }
}
