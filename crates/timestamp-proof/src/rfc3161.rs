//! RFC 3161 time-stamp tokens: verified against one authority, requested with a TimeStampReq.

mod algorithms;
mod asn1;
mod authority;
mod certificate;
mod cms;
mod error;
mod integer;
mod path;
mod request;
mod response;
mod signature;
mod signer;
mod timestamp;
mod tst_info;
mod verify;

use std::io;

use x509_cert::name::Name;

pub use self::{
    authority::{Authority, AuthorityError, MAX_CERTIFICATE_BYTES, MAX_CERTIFICATES},
    error::Error,
    path::PathError,
    request::request,
    timestamp::{Accuracy, Check, GenTime, Timestamp},
    verify::{message_imprint_algorithm, verify},
};

/// The largest token or response that is looked at, in bytes. The largest real one met so far has 6,898.
pub const MAX_TOKEN_BYTES: usize = 64 * 1024;

/// Reads a token from a reader, and gives up after [`MAX_TOKEN_BYTES`]: the rest of a hostile file is never read.
///
/// # Errors
/// Whatever the reader fails with. Too many bytes are no error here: one more than the limit is returned, and
/// [`verify`] says [`Error::TooLarge`].
pub fn read_token(reader: impl io::Read) -> io::Result<Vec<u8>> {
    crate::read_bounded(reader, MAX_TOKEN_BYTES)
}

/// A name as RFC 4514 writes it, fit for a terminal.
fn printable(name: &Name) -> String {
    clean(&name.to_string())
}

/// Text from outside: without control characters, and of a bearable length.
fn clean(text: &str) -> String {
    const MAX_CHARS: usize = 500;
    let mut out: String = text
        .chars()
        .take(MAX_CHARS)
        .map(|c| {
            if c.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        out.push('…');
    }
    out
}
