//! The bytes of a proof, one after the other.

use super::Error;

/// A cursor over bytes in memory that never reads past its end and knows where in the proof it stands.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes,
            offset: 0,
        }
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    pub(super) fn remaining(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn bytes(&mut self, count: usize, inside: &'static str) -> Result<&'a [u8], Error> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(Error::Truncated {
                offset: self.offset + self.rest.len(),
                inside,
            });
        };
        self.rest = rest;
        self.offset += count;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self, inside: &'static str) -> Result<[u8; N], Error> {
        let Some((taken, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(Error::Truncated {
                offset: self.offset + self.rest.len(),
                inside,
            });
        };
        self.rest = rest;
        self.offset += N;
        Ok(*taken)
    }

    pub(super) fn byte(&mut self, inside: &'static str) -> Result<u8, Error> {
        let [byte] = self.array(inside)?;
        Ok(byte)
    }

    /// A little-endian base-128 number. It need not be minimal, as the reference takes it; it is bounded to 64 bits and
    /// ten bytes, which the reference does not do.
    pub(super) fn number(&mut self, inside: &'static str) -> Result<u64, Error> {
        let offset = self.offset;
        let mut value = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte(inside)?;
            let bits = u64::from(byte & 0x7f);
            if bits.leading_zeros() < shift {
                return Err(Error::NumberTooLarge { offset });
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Error::NumberTooLarge { offset })
    }

    /// The part of the proof that holds a payload, as a reader of its own with the same offsets.
    pub(super) fn part(&mut self, count: usize, inside: &'static str) -> Result<Self, Error> {
        let offset = self.offset;
        let rest = self.bytes(count, inside)?;
        Ok(Self { rest, offset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bytes: &[u8]) -> Result<u64, Error> {
        Reader::new(bytes).number("a test")
    }

    #[test]
    fn numbers_reach_64_bits_and_no_further() {
        let mut largest = [0xff_u8; 10];
        largest[9] = 0x01;
        assert_eq!(number(&largest), Ok(u64::MAX));
        largest[9] = 0x02;
        assert_eq!(number(&largest), Err(Error::NumberTooLarge { offset: 0 }));
        assert_eq!(
            number(&[0x80; 11]),
            Err(Error::NumberTooLarge { offset: 0 })
        );
    }

    #[test]
    fn numbers_need_not_be_minimal() {
        assert_eq!(number(&[0x81, 0x80, 0x00]), Ok(1));
        assert_eq!(number(&[0x00]), Ok(0));
    }

    #[test]
    fn a_number_that_stops_early_is_truncated() {
        assert_eq!(
            number(&[0x81]),
            Err(Error::Truncated {
                offset: 1,
                inside: "a test"
            })
        );
    }
}
