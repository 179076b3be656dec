//! The deny reader: section 11.6 of the text. It reads any bytes, cannot fail, and errs on the side of the owner.

mod entry;
mod scan;

use std::borrow::Cow;

use capability_resolution::Origin;

pub(crate) use entry::Denied;
pub(crate) use scan::{Found, scan};

use crate::limits::SCAN_MAX_BYTES;

/// Whether a resolver may list the servers that a file speaks for: `captxt.deny.verdict`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It may.
    Allowed,
    /// It may not.
    Denied,
}

impl Verdict {
    /// Whether the resolver may.
    #[must_use]
    pub fn is_allowed(self) -> bool {
        self == Self::Allowed
    }
}

/// Answers from any bytes, valid or not, expired or not, whether the resolver is allowed.
///
/// Reads the first 524,288 bytes, in time linear in them; a valid file costs no allocation.
#[must_use]
pub fn allows(bytes: &[u8], resolver: &Origin) -> Verdict {
    let allowed = decodings(bytes).all(|text| allowed_by(&text, Some(resolver)));
    if allowed {
        Verdict::Allowed
    } else {
        Verdict::Denied
    }
}

/// Whether the bytes hold a deny, of whatever resolver, or the word `none`.
pub(crate) fn restricts(bytes: &[u8]) -> bool {
    decodings(bytes).any(|text| {
        let mut found = false;
        scan(&text, |what| {
            found |= matches!(what, Found::Deny { .. } | Found::None { .. })
        });
        found
    })
}

/// `captxt.deny.decode`: the bytes as UTF-8, and as UTF-16 as well if they start with its mark.
pub(crate) fn decodings(bytes: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    let bytes = &bytes[..bytes.len().min(SCAN_MAX_BYTES)];
    let unit: Option<fn([u8; 2]) -> u16> = match bytes {
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        _ => None,
    };
    let utf16 = unit.map(|unit| {
        let units = bytes.as_chunks().0.iter().copied().map(unit);
        char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    });
    std::iter::once(String::from_utf8_lossy(bytes)).chain(utf16.map(Cow::Owned))
}

/// `captxt.deny.verdict` for one reading of the bytes, and for one resolver or for any that is not named.
pub(crate) fn allowed_by(text: &str, resolver: Option<&Origin>) -> bool {
    let mut denied = false;
    // Of the line that is read: whether an entry allows the resolver, and whether there are entries, all of them denies.
    let (mut allows, mut denies, mut others) = (false, false, false);
    scan(text, |what| match what {
        Found::Deny { what, .. } => {
            denies = true;
            denied |= match resolver {
                Some(resolver) => entry::denies(what, resolver),
                None => Denied::read(what).is_none(),
            };
        }
        Found::None { .. } => denied = true,
        Found::Other(piece) => {
            others = true;
            allows = allows || resolver.map_or(piece == "*", |r| entry::allows(piece, r));
        }
        Found::End => {
            denied |= !allows && (others || !denies);
            (allows, denies, others) = (false, false, false);
        }
    });
    !denied
}

#[cfg(test)]
mod tests;
