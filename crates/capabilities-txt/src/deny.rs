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
    let mut judges = [Judge::new(Some(resolver))];
    for text in decodings(bytes) {
        judge(&text, &mut judges);
    }
    judges[0].verdict()
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

/// The verdict for one resolver, or for every one that is not named.
#[derive(Debug)]
pub(crate) struct Judge<'r> {
    resolver: Option<&'r Origin>,
    denied: bool,
    /// Whether an entry of the line that is read allows it.
    allows: bool,
}

impl<'r> Judge<'r> {
    pub(crate) fn new(resolver: Option<&'r Origin>) -> Self {
        Self {
            resolver,
            denied: false,
            allows: false,
        }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        if self.denied {
            Verdict::Denied
        } else {
            Verdict::Allowed
        }
    }
}

/// `captxt.deny.verdict` for one reading of the bytes. One that denied a resolver before is not taken back.
pub(crate) fn judge(text: &str, judges: &mut [Judge<'_>]) {
    // Of the line that is read: whether there are entries, all of them denies.
    let (mut denies, mut others) = (false, false);
    scan(text, |what| match what {
        Found::Deny { what, .. } => {
            denies = true;
            let denied = Denied::read(what);
            for judge in &mut *judges {
                judge.denied |= denied
                    .as_ref()
                    .is_none_or(|denied| judge.resolver.is_some_and(|r| denied.is(r)));
            }
        }
        Found::None { .. } => judges.iter_mut().for_each(|judge| judge.denied = true),
        Found::Other(piece) => {
            others = true;
            if judges.iter().any(|judge| !judge.allows) {
                let allowed = entry::allowed(piece);
                for judge in &mut *judges {
                    judge.allows |=
                        piece == "*" || allowed.is_some() && judge.resolver == allowed.as_ref();
                }
            }
        }
        Found::End => {
            for judge in &mut *judges {
                judge.denied |= !judge.allows && (others || !denies);
                judge.allows = false;
            }
            (denies, others) = (false, false);
        }
    });
}

#[cfg(test)]
mod tests;
