//! RFC 3161 time-stamp tokens.

mod authority;
mod certificate;
mod error;
mod request;
mod timestamp;

use std::io;

pub use self::{
    authority::{Authority, MAX_CERTIFICATE_BYTES, MAX_CERTIFICATES},
    error::{AuthorityError, Error, PathError},
    request::request,
    timestamp::{Accuracy, Check, GenTime, Timestamp},
};
use crate::digest::{Digest, DigestAlgorithm};

/// The largest token or response that is looked at, in bytes. The largest real one met so far has 6,898.
pub const MAX_TOKEN_BYTES: usize = 64 * 1024;

/// Reads a token from a reader, and gives up after [`MAX_TOKEN_BYTES`]: the rest of a hostile file is never read.
///
/// # Errors
/// Whatever the reader fails with. Too many bytes are no error here: one more than the limit is returned, and
/// [`verify`] says [`Error::TooLarge`].
pub fn read_token(reader: impl io::Read) -> io::Result<Vec<u8>> {
    let limit = u64::try_from(MAX_TOKEN_BYTES)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(reader, limit), &mut bytes)?;
    Ok(bytes)
}

/// The hash function of a token's messageImprint, for a caller that has the data and not yet its digest. Nothing else
/// is verified.
///
/// # Errors
/// [`Error`] when the token cannot be read, or names a hash function that is refused.
pub fn imprint_algorithm(token_or_response: &[u8]) -> Result<DigestAlgorithm, Error> {
    let _ = token_or_response;
    Err(Error::TokenMissing)
}

/// Verifies a TimeStampResp or a bare time-stamp token over a digest, against one authority.
///
/// Every certificate is judged at genTime. With the bytes of a TimeStampReq, the token must also answer that request.
///
/// # Errors
/// [`Error`] names the first check that failed.
pub fn verify(
    token_or_response: &[u8],
    digest: &Digest,
    authority: &Authority,
    request: Option<&[u8]>,
) -> Result<Timestamp, Error> {
    let _ = (token_or_response, digest, authority, request);
    Err(Error::TokenMissing)
}
