//! TimeStampResp (RFC 3161 2.4.2), or the token that it would hold.

use der::{
    Decode, Reader, SliceReader, Tag,
    asn1::{BitStringRef, IntRef, Utf8StringRef},
};

use super::{
    asn1::{elements, exactly, optional, optional_bytes},
    clean,
    error::Error,
    integer,
};

/// The token, and what the authority said of its own answer.
pub(super) struct Answer<'a> {
    /// The bytes of the ContentInfo.
    pub(super) token: &'a [u8],
    /// The PKIStatus, where the token came in a response.
    pub(super) status: Option<Granted>,
}

/// The two PKIStatus values that come with a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Granted {
    /// 0: as asked for.
    Granted,
    /// 1: with modifications. Whatever was modified shows in the TSTInfo, and that is compared with the request.
    GrantedWithMods,
}

impl<'a> Answer<'a> {
    /// Tells a response from a bare token by its first field: a PKIStatusInfo is a SEQUENCE, a content type is not.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.first().is_some_and(|b| *b != 0x30) {
            return Err(not_asn1(bytes));
        }
        let first = exactly(bytes, "TimeStampResp or ContentInfo", |r| {
            r.sequence(|r| {
                let first = Tag::peek(r)?;
                r.drain(r.remaining_len())?;
                Ok::<_, der::Error>(first)
            })
        })?;
        if first != Tag::Sequence {
            return Ok(Self {
                token: bytes,
                status: None,
            });
        }
        let (status, text, fail_info, token) = exactly(bytes, "TimeStampResp", |r| {
            r.sequence(|r| {
                let (status, text, fail_info) = r.sequence(status_info)?;
                Ok::<_, der::Error>((status, text, fail_info, optional_bytes(r, Tag::Sequence)?))
            })
        })?;
        let status = match status.as_bytes() {
            [0] => Granted::Granted,
            [1] => Granted::GrantedWithMods,
            other => {
                let name = match other {
                    [2] => "2 (rejection)".to_owned(),
                    [3] => "3 (waiting)".to_owned(),
                    [4] => "4 (revocationWarning)".to_owned(),
                    [5] => "5 (revocationNotification)".to_owned(),
                    _ => integer::text(status),
                };
                return Err(Error::NotGranted {
                    status: name,
                    text: [text, fail_info].concat(),
                });
            }
        };
        Ok(Self {
            token: token.ok_or(Error::TokenMissing)?,
            status: Some(status),
        })
    }
}

/// PKIStatusInfo (RFC 3161 2.4.2): the status, statusString as text, failInfo as text.
fn status_info<'a>(r: &mut SliceReader<'a>) -> der::Result<(IntRef<'a>, String, String)> {
    let status = IntRef::decode(r)?;
    let mut text = String::new();
    if let Some(strings) = optional(r, Tag::Sequence)? {
        for string in elements(strings.value())? {
            text.push_str(Utf8StringRef::from_der(string)?.as_str());
        }
    }
    let fail_info = match optional(r, Tag::BitString)? {
        None => String::new(),
        Some(bits) => {
            let bits: BitStringRef<'_> = bits.decode_as()?;
            let named = FAIL_INFO
                .iter()
                .filter(|(bit, _)| bits.bits().nth(*bit) == Some(true));
            named.map(|(_, name)| format!(" [{name}]")).collect()
        }
    };
    Ok((status, clean(&text), fail_info))
}

/// PKIFailureInfo (RFC 3161 2.4.2).
const FAIL_INFO: [(usize, &str); 8] = [
    (0, "badAlg"),
    (2, "badRequest"),
    (5, "badDataFormat"),
    (14, "timeNotAvailable"),
    (15, "unacceptedPolicy"),
    (16, "unacceptedExtension"),
    (17, "addInfoNotAvailable"),
    (25, "systemFailure"),
];

/// Files that were saved by a tool that expected text are common enough to be told what they are.
fn not_asn1(bytes: &[u8]) -> Error {
    let trimmed = bytes.trim_ascii_start();
    let base64 = |b: &u8| b.is_ascii_alphanumeric() || b"+/=\r\n".contains(b);
    let detail = if trimmed.first() == Some(&b'<') {
        "this is HTML or XML, perhaps an error page of the authority's server"
    } else if trimmed.starts_with(b"-----BEGIN") {
        "this is PEM: decode it first"
    } else if trimmed.iter().all(base64) {
        "this is text, perhaps Base64: decode it first"
    } else {
        "it does not begin with a SEQUENCE"
    };
    Error::Malformed {
        structure: "TimeStampResp or ContentInfo",
        detail: detail.to_owned(),
    }
}
