//! What a record is asked for by: `record.id`.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use capability_resolution::ServerUrl;
use sha2::{Digest as _, Sha256};

/// The id of the record of a server: a digest of its URL, so that another store of the same resolver has the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RecordId([u8; BYTES]);

/// 120 bits: nobody finds two URLs with the same.
const BYTES: usize = 15;

impl RecordId {
    /// The id for a server.
    #[must_use]
    pub(crate) fn of(url: &ServerUrl) -> Self {
        let mut id = [0; BYTES];
        id.iter_mut()
            .zip(Sha256::digest(url.as_str()))
            .for_each(|(to, from)| *to = from);
        Self(id)
    }

    /// The id that a text is, if it is one.
    #[must_use]
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}
