//! Tokens: section 6 of the text.
//!
//! An [`UnverifiedToken`] says nothing of a server. Only a [`VerifiedToken`] gives out claims, and only
//! [`UnverifiedToken::verify`] makes one. What that costs stands in the [crate's documentation](crate#cost).

mod claims;
mod header;
mod issue;

pub use claims::{Claims, RecordClaims};
pub use issue::{IssueError, Observation, Signer};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::code::{Code, Refusal};
use crate::discovery::Discovery;
use crate::limits::TOKEN_MAX_BYTES;
use crate::time::Time;

/// A token whose form and header are sound, and whose signature nobody has looked at.
#[derive(Debug, Clone)]
pub struct UnverifiedToken<'a> {
    signed: &'a [u8],
    kid: String,
    payload: Vec<u8>,
    signature: Vec<u8>,
}

/// A token that its issuer signed, that is in force, and whose claims are sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedToken {
    claims: Claims,
}

impl<'a> UnverifiedToken<'a> {
    /// Takes a token apart: sections 6.1 and 6.2 up to the form of its `kid`. Nothing is trimmed.
    ///
    /// # Errors
    ///
    /// The first rule of these sections that the token breaks.
    pub fn parse(token: &'a [u8]) -> Result<Self, Refusal> {
        if token.len() > TOKEN_MAX_BYTES {
            return Err(Refusal::new(
                Code::TokenTooLong,
                format!(
                    "{} bytes, at most {TOKEN_MAX_BYTES} are allowed",
                    token.len()
                ),
            ));
        }
        if let Some(at) = first_foreign_byte(token) {
            let detail = format!(
                "byte {at} is 0x{:02x}; a token holds only base64url and dots",
                token[at]
            );
            return Err(Refusal::new(Code::TokenBadCharacter, detail));
        }
        // All of it is ASCII now; a text is searched for dots by words of the machine, and bytes one by one.
        let text = std::str::from_utf8(token).unwrap_or_default();
        let mut segments = text.split('.');
        let (Some(header), Some(payload), Some(signature), None) = (
            segments.next(),
            segments.next(),
            segments.next(),
            segments.next(),
        ) else {
            let dots = text.matches('.').count();
            return Err(Refusal::new(
                Code::TokenSegmentCount,
                format!("{dots} dots, a token has 2"),
            ));
        };
        for (name, segment) in [
            ("header", header),
            ("payload", payload),
            ("signature", signature),
        ] {
            if segment.is_empty() {
                return Err(Refusal::new(
                    Code::TokenSegmentEmpty,
                    format!("the {name} is empty"),
                ));
            }
        }
        let signed = &token[..header.len() + 1 + payload.len()];
        let header = decode("header", header)?;
        let payload = decode("payload", payload)?;
        let signature = decode("signature", signature)?;
        Ok(Self {
            signed,
            kid: header::read(&header)?,
            payload,
            signature,
        })
    }

    /// The `kid` of the key that is said to have signed it: what a client looks up, and no claim.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// Verifies the token against the discovery document of its issuer at a given moment: sections 6.2 to 6.5.
    ///
    /// # Errors
    ///
    /// The first rule that the token breaks, in the order of `token.order` and `token.claims.order`.
    pub fn verify(&self, discovery: &Discovery, now: Time) -> Result<VerifiedToken, Refusal> {
        discovery
            .keys()
            .usable(&self.kid)?
            .verify(self.signed, &self.signature)
            .map_err(Refusal::from)?;
        Ok(VerifiedToken {
            claims: claims::read(&self.payload, discovery.issuer(), now)?,
        })
    }

    /// Verifies the token of a record: as [`Self::verify`], then the claims of section 7.2.
    ///
    /// # Errors
    ///
    /// As [`Self::verify`], then the first rule of `record.order` that the token breaks.
    pub fn verify_record(
        &self,
        discovery: &Discovery,
        now: Time,
    ) -> Result<(VerifiedToken, RecordClaims), Refusal> {
        let token = self.verify(discovery, now)?;
        let record = claims::read_record(&self.payload, discovery.issuer(), token.claims())?;
        Ok((token, record))
    }
}

impl VerifiedToken {
    /// What the issuer stated.
    #[must_use]
    pub fn claims(&self) -> &Claims {
        &self.claims
    }
}

/// Where the first byte is that no token holds. Blocks are looked at as a whole, which compilers turn into comparisons of
/// many bytes at once; the place is looked for only in a block that holds such a byte.
fn first_foreign_byte(token: &[u8]) -> Option<usize> {
    const BLOCK: usize = 64;
    let is_foreign = |byte: &u8| {
        !(byte.is_ascii_alphanumeric() | (*byte == b'-') | (*byte == b'_') | (*byte == b'.'))
    };
    let has_foreign = |block: &&[u8]| {
        block
            .iter()
            .fold(false, |found, byte| found | is_foreign(byte))
    };
    let block = token.chunks(BLOCK).position(|block| has_foreign(&block))?;
    token[block * BLOCK..]
        .iter()
        .position(is_foreign)
        .map(|at| block * BLOCK + at)
}

fn decode(name: &str, segment: &str) -> Result<Vec<u8>, Refusal> {
    URL_SAFE_NO_PAD
        .decode(segment)
        .map_err(|why| Refusal::new(Code::Base64Noncanonical, format!("the {name}: {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[token.characters]
    #[test]
    fn a_foreign_byte_is_found_wherever_it_stands() {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
        for byte in 0..=u8::MAX {
            for at in [0, 63, 64, 129] {
                let mut token = [b'A'; 130];
                token[at] = byte;
                let found = first_foreign_byte(&token);
                assert_eq!(found.is_none(), alphabet.contains(&byte), "0x{byte:02x}");
                assert!(found.is_none_or(|found| found == at), "0x{byte:02x}");
            }
        }
        assert_eq!(first_foreign_byte(b""), None);
    }
}
