//! gzip (RFC 1952) undone piece by piece, so that a bomb stops at the reader's limit.

use std::io::{self, BufRead, Read};

use bytes::{Buf, Bytes};
use flate2::bufread::MultiGzDecoder;

/// How much of the input the decoder sees at once. Deflate makes at most 1,032 bytes of one, so
/// that the output of a slice, and of the few bytes that the decoder holds back, fits into
/// [`OUTPUT_BYTES`], and nothing waits in the decoder for input that a slow stream sends later.
const SLICE_BYTES: usize = 64;
const OUTPUT_BYTES: usize = 128 * 1_024;

pub(crate) struct Gzip {
    decoder: MultiGzDecoder<Feed>,
    output: Box<[u8]>,
}

impl Gzip {
    pub(crate) fn new() -> Self {
        Self {
            decoder: MultiGzDecoder::new(Feed::default()),
            output: vec![0; OUTPUT_BYTES].into_boxed_slice(),
        }
    }

    /// Gives the next bytes of the coded body.
    pub(crate) fn feed(&mut self, coded: Bytes) {
        self.decoder.get_mut().coded = coded;
    }

    /// The coded body has ended.
    pub(crate) fn end(&mut self) {
        self.decoder.get_mut().ended = true;
    }

    /// The next bytes, at most [`OUTPUT_BYTES`]; none if the decoder needs more input, or after
    /// its end.
    pub(crate) fn next(&mut self) -> io::Result<Bytes> {
        let feed = self.decoder.get_ref();
        if feed.ended && !feed.begun {
            return Ok(Bytes::new());
        }
        match self.decoder.read(&mut self.output) {
            Ok(length) => Ok(Bytes::copy_from_slice(&self.output[..length])),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(Bytes::new()),
            Err(error) => Err(error),
        }
    }
}

/// A reader that has no more for now ([`io::ErrorKind::WouldBlock`]) until it has ended.
#[derive(Default)]
struct Feed {
    coded: Bytes,
    begun: bool,
    ended: bool,
}

impl Read for Feed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let found = self.fill_buf()?;
        let length = found.len().min(into.len());
        into[..length].copy_from_slice(&found[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Feed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.coded.is_empty() && !self.ended {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.begun |= !self.coded.is_empty();
        Ok(&self.coded[..self.coded.len().min(SLICE_BYTES)])
    }

    fn consume(&mut self, length: usize) {
        self.coded.advance(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    fn decode<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> io::Result<Vec<u8>> {
        let mut gzip = Gzip::new();
        let mut text = Vec::new();
        for piece in pieces {
            gzip.feed(Bytes::copy_from_slice(piece));
            drain(&mut gzip, &mut text)?;
            assert!(
                gzip.decoder.get_ref().coded.is_empty(),
                "all of it was used"
            );
        }
        gzip.end();
        drain(&mut gzip, &mut text)?;
        Ok(text)
    }

    fn drain(gzip: &mut Gzip, text: &mut Vec<u8>) -> io::Result<()> {
        loop {
            let chunk = gzip.next()?;
            // A full buffer could leave something behind in the decoder.
            assert!(chunk.len() < OUTPUT_BYTES);
            if chunk.is_empty() {
                return Ok(());
            }
            text.extend_from_slice(&chunk);
        }
    }

    fn gzip(bytes: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn the_densest_stream_fits_the_buffer() {
        let text = vec![0; 8 << 20];
        let coded = gzip(&text, 9);
        assert!(coded.len() < 9_000);
        for size in [1, 63, 64, 65, 10_000] {
            assert!(decode(coded.chunks(size)).unwrap() == text);
        }
    }

    #[test]
    fn what_was_flushed_is_given_out_at_once() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let mut gzip = Gzip::new();
        for text in [
            vec![b'x'; 200_000],
            b"data: 1\n\n".to_vec(),
            vec![7; 70_000],
        ] {
            encoder.write_all(&text).unwrap();
            encoder.flush().unwrap();
            gzip.feed(std::mem::take(encoder.get_mut()).into());
            let mut given = Vec::new();
            drain(&mut gzip, &mut given).unwrap();
            assert!(given == text);
        }
    }

    proptest! {
        /// However the coded bytes are cut, the text comes back, or a damage is noticed.
        #[test]
        fn any_pieces_and_any_damage(
            text in prop::collection::vec(any::<u8>(), 0..2_000),
            times in 1_usize..40,
            level in 0_u32..10,
            size in 1_usize..600,
            flip in prop::option::of(any::<prop::sample::Index>()),
            cut in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let text = text.repeat(times);
            let mut coded = gzip(&text, level);
            if let Some(flip) = flip {
                let at = flip.index(coded.len());
                coded[at] ^= 0x55;
            }
            if let Some(cut) = cut {
                coded.truncate(cut.index(coded.len()));
            }
            match decode(coded.chunks(size)) {
                Ok(found) => prop_assert!(found == text || coded.is_empty()),
                Err(_) => prop_assert!(flip.is_some() || cut.is_some()),
            }
        }
    }
}
