//! The keys of a resolver, which of them signs, and which of them are published: sections 4.2 and 4.4 of the text.
//!
//! Each key is one file, so that every change is one file that appears, is replaced, or goes; nothing that a crash could
//! leave half done. What a key is good for at a moment follows from the times in these files:
//!
//! - a new key is published at once and signs once every client that cached an older discovery document has dropped it
//!   (`keys.early`);
//! - the key before it then signs no more, and stays published until the last token that it can have signed is
//!   out of time (`keys.retired`);
//! - a compromised key is gone at once (`keys.compromised`).

mod error;

use std::fs;
use std::path::{Path, PathBuf};

use capability_resolution::Time;
use capability_resolution::limits::{KEYS_MAX, LEEWAY_SECONDS, TOKEN_MAX_LIFE_SECONDS};

use crate::file::{self, Access};
use crate::key::Key;

pub use error::KeyError;

/// A running resolver reads its keys again at least this often, in seconds; so long may it publish and sign by an older
/// state of them.
pub const KEYS_REREAD_SECONDS: u64 = 60;

/// The keys in one folder.
#[derive(Debug)]
pub struct Keys {
    folder: PathBuf,
    /// In the order in which they sign.
    keys: Vec<Key>,
}

/// What a key is good for at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Published, and not signing before this moment: `keys.early`.
    Waiting(Time),
    /// The one that signs.
    Signing,
    /// Signs no more, and stays published until this moment: `keys.retired`.
    Retired(Time),
    /// No token of it can be valid; it is published no more.
    Over,
}

impl Keys {
    /// Reads the keys of a folder, and removes what somebody who was killed had not finished in it: it holds a key in
    /// clear that nobody knows of.
    ///
    /// # Errors
    ///
    /// [`KeyError`] for a folder or a file that cannot be read, and a file that is no key.
    pub fn open(folder: &Path) -> Result<Self, KeyError> {
        let unreadable = |source| KeyError::Unreadable {
            path: folder.to_owned(),
            source,
        };
        file::sweep(folder);
        let mut keys = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_some_and(|extension| extension == "jwk") {
                keys.push(Key::read(&path)?);
            }
        }
        Ok(Self::of(folder.to_owned(), keys))
    }

    /// All keys, in the order in which they sign.
    #[must_use]
    pub fn all(&self) -> &[Key] {
        &self.keys
    }

    /// The key that signs: the last one that may, and before any may, as after a clock went back, the first.
    ///
    /// # Errors
    ///
    /// [`KeyError::None`].
    pub fn signing(&self, now: Time) -> Result<&Key, KeyError> {
        let able = || self.keys.iter().filter(|key| key.can_sign());
        let may = able().rfind(|key| key.signs_from() <= now);
        may.or_else(|| able().next()).ok_or_else(|| KeyError::None {
            folder: self.folder.clone(),
        })
    }

    /// The keys of the discovery document: `discovery.keys.published`, `keys.retired`.
    pub fn published(&self, now: Time) -> impl Iterator<Item = &Key> {
        self.keys
            .iter()
            .filter(move |key| self.phase(key, now) != Phase::Over)
    }

    /// What a key is good for.
    #[must_use]
    pub fn phase(&self, key: &Key, now: Time) -> Phase {
        if self
            .signing(now)
            .is_ok_and(|signing| signing.kid() == key.kid())
        {
            return Phase::Signing;
        }
        if key.can_sign() && key.signs_from() > now {
            return Phase::Waiting(key.signs_from());
        }
        let later = self
            .keys
            .iter()
            .filter(|other| other.can_sign() && other.signs_from() > key.signs_from());
        let taken_over = later.map(Key::signs_from).chain(key.retired_at()).min();
        // Without one it has never signed: it came later, and was not retired.
        let end = published_until(taken_over.unwrap_or(key.created_at()));
        if now <= end {
            Phase::Retired(end)
        } else {
            Phase::Over
        }
    }

    /// Makes the next key. It signs once nobody holds a discovery document without it, which for clients is
    /// `discovery_max_age` seconds after it is published; at once if there is no other key.
    ///
    /// # Errors
    ///
    /// [`KeyError::Waiting`], [`KeyError::TooMany`], and those of making and writing a key.
    pub fn rotate(&mut self, now: Time, discovery_max_age: u64) -> Result<&Key, KeyError> {
        if let Some(waiting) = self
            .keys
            .iter()
            .find(|key| matches!(self.phase(key, now), Phase::Waiting(_)))
        {
            let (kid, signs_from) = (waiting.kid().to_owned(), waiting.signs_from());
            return Err(KeyError::Waiting { kid, signs_from });
        }
        if self.published(now).count() >= KEYS_MAX {
            return Err(KeyError::TooMany);
        }
        let wait = match self.signing(now) {
            Ok(_) => discovery_max_age.saturating_add(KEYS_REREAD_SECONDS),
            Err(_) => 0,
        };
        self.make(now, now.plus(wait))
    }

    /// Destroys the private half of a key that signs no more; says until when its public half stays published, or, if
    /// its tokens are all over, removes it whole and says nothing.
    ///
    /// # Errors
    ///
    /// [`KeyError::NotFound`], [`KeyError::Signing`] for the key that signs and one that waits, and those of writing.
    pub fn retire(&mut self, kid: &str, now: Time) -> Result<Option<Time>, KeyError> {
        let key = self.find(kid)?;
        let end = match self.phase(key, now) {
            Phase::Signing => {
                let next = self
                    .keys
                    .iter()
                    .filter(|key| key.signs_from() > now)
                    .map(Key::signs_from)
                    .min();
                return Err(KeyError::Signing {
                    kid: kid.to_owned(),
                    next,
                });
            }
            Phase::Over => {
                self.remove(kid)?;
                return Ok(None);
            }
            // It has signed nothing, and somebody wanted it gone before it does.
            Phase::Waiting(_) => {
                self.remove(kid)?;
                return Ok(None);
            }
            Phase::Retired(end) => end,
        };
        if key.can_sign() {
            let retired = key.retired(now);
            let path = self.path(&retired);
            file::replace(&path, &retired.to_file(), Access::Owner)
                .map_err(|source| KeyError::Unwritable { path, source })?;
            self.keys
                .iter_mut()
                .filter(|key| key.kid() == kid)
                .for_each(|key| *key = retired.clone());
        }
        Ok(Some(end))
    }

    /// Removes a key that somebody else may know, at once: `keys.compromised`. All its tokens are refused from then on.
    /// If no other key can sign, a new one does, at once.
    ///
    /// # Errors
    ///
    /// [`KeyError::NotFound`], and those of making and writing a key.
    pub fn withdraw(&mut self, kid: &str, now: Time) -> Result<&Key, KeyError> {
        self.find(kid)?;
        let another = self
            .keys
            .iter()
            .any(|key| key.can_sign() && key.kid() != kid);
        // The new key first: a resolver without a key that signs is worse than one with a key too many.
        if !another {
            self.make(now, now)?;
        }
        self.remove(kid)?;
        self.signing(now)
    }

    fn of(folder: PathBuf, mut keys: Vec<Key>) -> Self {
        keys.sort_by_cached_key(|key| (key.signs_from(), key.created_at(), key.kid().to_owned()));
        Self { folder, keys }
    }

    fn make(&mut self, now: Time, signs_from: Time) -> Result<&Key, KeyError> {
        let key = Key::generate(now, signs_from)?;
        key.create_in(&self.folder)?;
        let kid = key.kid().to_owned();
        let mut keys = std::mem::take(&mut self.keys);
        keys.push(key);
        *self = Self::of(std::mem::take(&mut self.folder), keys);
        self.find(&kid)
    }

    fn find(&self, kid: &str) -> Result<&Key, KeyError> {
        let found = self.keys.iter().find(|key| key.kid() == kid);
        found.ok_or_else(|| KeyError::NotFound {
            kid: kid.to_owned(),
        })
    }

    fn remove(&mut self, kid: &str) -> Result<(), KeyError> {
        let path = self.path(self.find(kid)?);
        file::remove(&path).map_err(|source| KeyError::Unwritable { path, source })?;
        self.keys.retain(|key| key.kid() != kid);
        Ok(())
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(key.file_name())
    }
}

/// Until when a key stays published that gave way at a moment: a running resolver may have signed with it a little
/// longer, its last token lives as long as a token may, and a client's clock may be late.
fn published_until(taken_over: Time) -> Time {
    taken_over.plus(KEYS_REREAD_SECONDS + TOKEN_MAX_LIFE_SECONDS + LEEWAY_SECONDS)
}

impl Phase {
    /// Its word in `keys list`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting(_) => "waiting",
            Self::Signing => "signing",
            Self::Retired(_) => "retired",
            Self::Over => "over",
        }
    }

    /// When it ends, where that is known.
    #[must_use]
    pub fn until(self) -> Option<Time> {
        match self {
            Self::Waiting(until) | Self::Retired(until) => Some(until),
            Self::Signing | Self::Over => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use capability_resolution::{Discovery, Observation, Origin, Status, UnverifiedToken};
    use proptest::prelude::*;

    use super::*;

    const MAX_AGE: u64 = 3_600;

    fn at(seconds: i64) -> Time {
        Time::from_unix_seconds(1_800_000_000 + seconds)
    }

    fn empty() -> (tempfile::TempDir, Keys) {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::open(folder.path()).unwrap();
        (folder, keys)
    }

    fn kid(key: &Key) -> String {
        key.kid().to_owned()
    }

    // r[keys.early] r[keys.retired]
    #[test]
    fn a_rotation_from_its_first_second_to_its_last() {
        let (folder, mut keys) = empty();
        let first = kid(keys.rotate(at(0), MAX_AGE).unwrap());
        assert_eq!(keys.signing(at(0)).unwrap().kid(), first);
        let second = kid(keys.rotate(at(100), MAX_AGE).unwrap());
        assert!(matches!(
            keys.rotate(at(101), MAX_AGE),
            Err(KeyError::Waiting { .. })
        ));

        let takes_over = 100 + 3_600 + 60;
        for (now, signs) in [
            (100, &first),
            (takes_over - 1, &first),
            (takes_over, &second),
            (takes_over + 1_000_000, &second),
        ] {
            let keys = Keys::open(folder.path()).unwrap();
            assert_eq!(keys.signing(at(now)).unwrap().kid(), signs, "{now}");
            assert!(keys.published(at(now)).any(|key| key.kid() == second));
        }
        let last = takes_over + 60 + 172_800 + 300;
        let published = |keys: &Keys, now| keys.published(at(now)).any(|key| key.kid() == first);
        assert!(published(&keys, last) && !published(&keys, last + 1));

        assert!(matches!(
            keys.retire(&second, at(takes_over)),
            Err(KeyError::Signing { next: None, .. })
        ));
        assert_eq!(
            keys.retire(&first, at(takes_over + 5)).unwrap(),
            Some(at(last))
        );
        let mut keys = Keys::open(folder.path()).unwrap();
        assert!(published(&keys, last) && !published(&keys, last + 1));
        assert!(!keys.find(&first).unwrap().can_sign());
        assert_eq!(keys.retire(&first, at(last + 1)).unwrap(), None);
        assert_eq!(Keys::open(folder.path()).unwrap().all().len(), 1);
    }

    // r[keys.compromised]
    #[test]
    fn a_compromised_key_is_gone_at_once_and_another_signs() {
        let (folder, mut keys) = empty();
        let first = kid(keys.rotate(at(0), MAX_AGE).unwrap());
        let second = kid(keys.withdraw(&first, at(10)).unwrap());
        assert_ne!(first, second);
        let keys = Keys::open(folder.path()).unwrap();
        assert_eq!(
            keys.published(at(10)).map(kid).collect::<Vec<_>>(),
            [second.as_str()]
        );
        assert_eq!(keys.signing(at(10)).unwrap().kid(), second);

        // One that waits steps in before its time.
        let (_folder, mut keys) = empty();
        let first = kid(keys.rotate(at(0), MAX_AGE).unwrap());
        let waiting = kid(keys.rotate(at(5), MAX_AGE).unwrap());
        assert_eq!(kid(keys.withdraw(&first, at(6)).unwrap()), waiting);
        assert!(matches!(
            keys.withdraw(&first, at(7)),
            Err(KeyError::NotFound { .. })
        ));
    }

    #[test]
    fn a_key_that_waits_can_be_taken_back() {
        let (_folder, mut keys) = empty();
        let first = kid(keys.rotate(at(0), MAX_AGE).unwrap());
        let waiting = kid(keys.rotate(at(5), MAX_AGE).unwrap());
        assert_eq!(keys.retire(&waiting, at(6)).unwrap(), None);
        assert_eq!(
            keys.phase(keys.find(&first).unwrap(), at(1_000_000)),
            Phase::Signing
        );
    }

    // r[discovery.keys.count]
    #[test]
    fn never_more_than_a_document_holds() {
        let (_folder, mut keys) = empty();
        for n in 0..32 {
            keys.rotate(at(n * 3_660), MAX_AGE).unwrap();
        }
        assert!(matches!(
            keys.rotate(at(32 * 3_660), MAX_AGE),
            Err(KeyError::TooMany)
        ));
    }

    #[test]
    fn a_folder_without_keys_says_so() {
        let (folder, keys) = empty();
        assert!(matches!(keys.signing(at(0)), Err(KeyError::None { .. })));
        fs::write(folder.path().join("notes.txt"), "x").unwrap();
        assert!(Keys::open(folder.path()).unwrap().all().is_empty());
        fs::write(folder.path().join("x.jwk"), "x").unwrap();
        assert!(matches!(
            Keys::open(folder.path()),
            Err(KeyError::Form { .. })
        ));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        // r[keys.retired] r[discovery.keys.published] r[keys.early]
        #[test]
        fn every_token_verifies_as_long_as_it_lives(steps in prop::collection::vec((0_u8..4, 1_i64..200_000), 1..12)) {
            let (_folder, mut keys) = empty();
            let issuer: Origin = "https://resolver.example".parse().unwrap();
            let mut now = at(0);
            keys.rotate(now, MAX_AGE).unwrap();
            let mut tokens: Vec<(String, Time)> = Vec::new();
            let mut published: Vec<(Time, Vec<String>)> = Vec::new();
            for (what, wait) in steps {
                now = Time::from_unix_seconds(now.unix_seconds() + wait);
                match what {
                    0 => drop(keys.rotate(now, MAX_AGE)),
                    1 => {
                        for old in keys.all().iter().map(kid).collect::<Vec<_>>() {
                            // The one that signs, and one that waits, are left alone.
                            if matches!(keys.phase(keys.find(&old).unwrap(), now), Phase::Retired(_) | Phase::Over) {
                                keys.retire(&old, now).unwrap();
                            }
                        }
                    }
                    _ => {
                        let key = keys.signing(now).unwrap();
                        let seen = Observation { url: "https://a.example/mcp".parse().unwrap(), status: Status::Ok, checked_at: now };
                        let exp = now.plus(172_800);
                        tokens.push((key.signer(&issuer).unwrap().unwrap().token(&seen, now, exp).unwrap(), exp));
                        // A document that a client cached for as long as it may holds the key.
                        for (when, kids) in &published {
                            if now.unix_seconds() - when.unix_seconds() < i64::try_from(MAX_AGE).unwrap() {
                                prop_assert!(kids.contains(&kid(key)));
                            }
                        }
                    }
                }
                published.push((now, keys.published(now).map(kid).collect()));
                let jwks = serde_json::to_value(keys.published(now).map(Key::public_jwk).collect::<Vec<_>>()).unwrap();
                let document = serde_json::json!({
                    "v": "0.2", "iss": issuer.as_str(), "resolver": "R", "policy": "https://resolver.example/policy",
                    "endpoints": {"resolve": "https://resolver.example/a", "record": "https://resolver.example/b"}, "keys": jwks,
                });
                let discovery = Discovery::read(document.to_string().as_bytes(), &issuer).unwrap();
                for (token, exp) in tokens.iter().filter(|(_, exp)| *exp >= now) {
                    let verified = UnverifiedToken::parse(token.as_bytes()).unwrap().verify(&discovery, now);
                    prop_assert!(verified.is_ok(), "{:?} {exp}", verified.err());
                }
            }
        }
    }
}
