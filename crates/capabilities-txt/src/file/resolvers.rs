//! The value of Resolvers: `captxt.resolvers.form`.

use std::fmt;

use capability_resolution::Origin;

use super::ValueError;
use crate::code::Code;
use crate::limits::RESOLVERS_MAX;

/// Which resolvers may list the host's servers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Resolvers(Vec<Entry>);

/// One entry of Resolvers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Entry {
    /// `*`: every resolver that is not denied.
    Everyone,
    /// This resolver may.
    Allow(Origin),
    /// This resolver may not.
    Deny(Origin),
}

impl Resolvers {
    /// `none`: no resolver may.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// These entries, 1 to 100.
    ///
    /// # Errors
    ///
    /// `empty-value` for none, `too-many-resolvers` for more than 100.
    pub fn new(entries: Vec<Entry>) -> Result<Self, ValueError> {
        if entries.is_empty() {
            return Err(ValueError::new(
                Code::EmptyValue,
                "a list of resolvers has an entry; `none` is a value of its own",
            ));
        }
        if entries.len() > RESOLVERS_MAX {
            return Err(ValueError::new(
                Code::TooManyResolvers,
                "a file names at most 100 resolvers",
            ));
        }
        Ok(Self(entries))
    }

    /// The entries in the order of the file; empty for `none`.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// Whether nobody may: the value is `none`.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a resolver may, by this value alone. What counts is [`crate::allows`], which is never more permissive.
    #[must_use]
    pub fn allow(&self, resolver: &Origin) -> bool {
        let denied = |entry: &Entry| matches!(entry, Entry::Deny(origin) if origin == resolver);
        let allowed = |entry: &Entry| match entry {
            Entry::Everyone => true,
            Entry::Allow(origin) => origin == resolver,
            Entry::Deny(_) => false,
        };
        !self.is_none()
            && !self.0.iter().any(denied)
            && (self.0.iter().any(allowed) || self.denies_only())
    }

    /// Whether every entry is a deny, so that everyone else is allowed: `captxt.resolvers.implied-star`.
    #[must_use]
    pub fn denies_only(&self) -> bool {
        !self.is_none() && self.0.iter().all(|entry| matches!(entry, Entry::Deny(_)))
    }

    /// For the strict reader, which has reported what [`Self::new`] checks.
    pub(crate) fn from_reader(entries: Vec<Entry>) -> Self {
        Self(entries)
    }
}

impl fmt::Display for Resolvers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("none");
        }
        for (at, entry) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{entry}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everyone => f.write_str("*"),
            Self::Allow(origin) => write!(f, "{origin}"),
            Self::Deny(origin) => write!(f, "-{origin}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[captxt.resolvers.form] r[captxt.resolvers.count] r[captxt.resolvers.implied-star]
    #[test]
    fn a_deny_wins_and_denies_alone_allow_the_rest() {
        let origin = |name: &str| format!("https://{name}.example").parse::<Origin>().unwrap();
        let (a, b) = (origin("a"), origin("b"));
        let allow = |entries: Vec<Entry>| {
            let resolvers = Resolvers::new(entries).unwrap();
            (resolvers.allow(&a), resolvers.allow(&b))
        };
        assert_eq!(allow(vec![Entry::Everyone]), (true, true));
        assert_eq!(allow(vec![Entry::Allow(a.clone())]), (true, false));
        assert_eq!(allow(vec![Entry::Deny(a.clone())]), (false, true));
        assert_eq!(
            allow(vec![Entry::Everyone, Entry::Deny(a.clone())]),
            (false, true)
        );
        assert_eq!(
            allow(vec![Entry::Allow(a.clone()), Entry::Deny(a.clone())]),
            (false, false)
        );
        assert!(!Resolvers::none().allow(&a) && Resolvers::none().to_string() == "none");
        assert_eq!(Resolvers::new(vec![]).unwrap_err().code(), Code::EmptyValue);
        let many = vec![Entry::Everyone; 101];
        assert!(Resolvers::new(many[..100].to_vec()).is_ok());
        assert_eq!(
            Resolvers::new(many).unwrap_err().code(),
            Code::TooManyResolvers
        );
    }
}
