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
