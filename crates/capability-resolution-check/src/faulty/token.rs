//! How the resolver signs.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::Value;

/// The key of every faulty resolver. It is public, so that nobody can take what it signs for anything.
pub(super) const KEY: [u8; 32] = *b"a key that is public: trust none";

/// Its name.
pub(super) const KID: &str = "faulty-1";

/// What is signed, before it is.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) header: Vec<u8>,
    pub(crate) payload: Vec<u8>,
}

/// A token.
#[derive(Debug)]
pub(crate) struct Signed {
    pub(crate) header: String,
    pub(crate) payload: String,
    pub(crate) signature: Vec<u8>,
    /// The whole of it in place of the parts, if it is none of three segments.
    pub(crate) whole: Option<String>,
}

impl Parts {
    /// Changes the members of the header.
    pub(super) fn edit_header(&mut self, edit: impl Fn(&mut Value)) {
        Self::edit(&mut self.header, edit);
    }

    /// Changes the claims.
    pub(super) fn edit_payload(&mut self, edit: impl Fn(&mut Value)) {
        Self::edit(&mut self.payload, edit);
    }

    fn edit(bytes: &mut Vec<u8>, edit: impl Fn(&mut Value)) {
        if let Ok(mut value) = serde_json::from_slice(bytes) {
            edit(&mut value);
            *bytes = value.to_string().into_bytes();
        }
    }

    pub(super) fn sign(&self) -> Signed {
        let [header, payload] =
            [&self.header, &self.payload].map(|part| URL_SAFE_NO_PAD.encode(part));
        let message = format!("{header}.{payload}");
        let signature = SigningKey::from_bytes(&KEY).sign(message.as_bytes());
        Signed {
            header,
            payload,
            signature: signature.to_bytes().to_vec(),
            whole: None,
        }
    }
}

impl Signed {
    pub(super) fn text(&self) -> String {
        let signature = URL_SAFE_NO_PAD.encode(&self.signature);
        self.whole
            .clone()
            .unwrap_or_else(|| format!("{}.{}.{signature}", self.header, self.payload))
    }
}

/// `x` of the public key.
pub(super) fn public_x() -> String {
    URL_SAFE_NO_PAD.encode(SigningKey::from_bytes(&KEY).verifying_key().as_bytes())
}
