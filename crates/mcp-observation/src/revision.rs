//! The revisions of the protocol that this prober speaks.

use serde_json::value::RawValue;

use crate::json;

/// The one revision of the modern era.
pub(crate) const MODERN: &str = "2026-07-28";

/// What step 3 offers.
pub(crate) const OFFERED: &str = "2025-11-25";

/// The revisions of the legacy era, oldest first: step 3.
pub(crate) const LEGACY: [&str; 5] = [
    "2024-10-07",
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    OFFERED,
];

/// A revision that this prober speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Revision(&'static str);

impl Revision {
    pub(crate) const MODERN: Self = Self(MODERN);

    /// A revision of step 3, if it is one.
    pub(crate) fn legacy(text: &str) -> Option<Self> {
        LEGACY.into_iter().find(|known| *known == text).map(Self)
    }

    /// The date that names it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Its era.
    #[must_use]
    pub fn era(self) -> Era {
        if self.0 == MODERN {
            Era::Modern
        } else {
            Era::Legacy
        }
    }

    /// Whether a session of this revision is ended by DELETE: `mcp.step.delete`.
    pub(crate) fn ends_sessions(self) -> bool {
        matches!(self.0, "2025-06-18" | OFFERED)
    }
}

/// Section 2.3: before revision 2026-07-28, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// With an initialization.
    Legacy,
    /// Without.
    Modern,
}

/// What a list of revisions holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Revisions {
    /// 2026-07-28.
    pub(crate) modern: bool,
    /// One of step 3.
    pub(crate) legacy: bool,
    /// It is an array of strings.
    pub(crate) well_formed: bool,
}

impl Revisions {
    pub(crate) fn read(list: &RawValue) -> Self {
        let mut found = Self {
            well_formed: true,
            ..Self::default()
        };
        let is_array = json::elements(list, |element| match json::value::<String>(Some(element)) {
            None => found.well_formed = false,
            Some(text) => {
                found.modern |= text == MODERN;
                found.legacy |= Revision::legacy(&text).is_some();
            }
        });
        found.well_formed &= is_array;
        found
    }
}
