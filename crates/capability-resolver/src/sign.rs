//! Signing: which key signs, and the tokens that are given out.
//!
//! A token is made once for an observation and reused until half of its life is over, so that everybody gets the same
//! one (`token.same-for-all`) and answering is copying. What is signed is a [`Statement`], so a status without an
//! observation behind it cannot be signed, nor a server that is denied.

mod issued;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use capability_resolution::limits::{LEEWAY_SECONDS, TOKEN_MAX_LIFE_SECONDS};
use capability_resolution::{IssueError, Origin, Signer, Time};

use crate::clock::{after, seconds_since};
use crate::key::{Key, PublicJwk};
use crate::keys::{KeyError, Keys};
use crate::standing::Statement;
use crate::store::ServerId;

pub use issued::{Issued, Named};

/// The keys of one moment: the one that signs, and all that are published.
#[derive(Debug)]
pub struct Ring {
    signer: Signer,
    published: Vec<PublicJwk>,
    kids: HashSet<String>,
}

impl Ring {
    /// Reads the keys of a folder.
    ///
    /// # Errors
    ///
    /// [`KeyError`]; [`KeyError::None`] if no key can sign.
    pub fn read(folder: &Path, issuer: &Origin, now: Time) -> Result<Self, KeyError> {
        let keys = Keys::open(folder)?;
        let none = || KeyError::None {
            folder: folder.to_owned(),
        };
        let signer = keys.signing(now)?.signer(issuer).ok_or_else(none)?;
        Ok(Self {
            signer: signer.map_err(|_| none())?,
            published: keys.published(now).map(Key::public_jwk).collect(),
            kids: keys
                .published(now)
                .map(|key| key.kid().to_owned())
                .collect(),
        })
    }

    /// The public keys for the discovery document: `discovery.keys.published`.
    #[must_use]
    pub fn published(&self) -> &[PublicJwk] {
        &self.published
    }

    /// The key that signs.
    #[must_use]
    pub fn signing_kid(&self) -> &str {
        self.signer.kid()
    }
}

/// The tokens that are given out.
#[derive(Debug, Default)]
pub struct Tokens {
    issued: Mutex<HashMap<ServerId, Arc<Issued>>>,
    signed: AtomicU64,
}

impl Tokens {
    /// The token of a statement: the one that was given out before, or a new one.
    ///
    /// # Errors
    ///
    /// [`IssueError`] where nothing can be signed of this server.
    pub fn of(
        &self,
        server: ServerId,
        statement: &Statement,
        named: &Named<'_>,
        ring: &Ring,
        now: Time,
    ) -> Result<Arc<Issued>, IssueError> {
        let good = |issued: &Issued| {
            issued.observation == *statement.observation() && issued.is_offered(ring, now)
        };
        if let Some(issued) = self.lock().get(&server).filter(|issued| good(issued)) {
            return Ok(Arc::clone(issued));
        }
        // Nobody waits for a signature: whoever was first decides which token everybody gets.
        let exp = after(now, TOKEN_MAX_LIFE_SECONDS);
        let made = Arc::new(Issued::sign(&ring.signer, statement, named, now, exp)?);
        self.signed.fetch_add(1, Ordering::Relaxed);
        let mut tokens = self.lock();
        if let Some(issued) = tokens.get(&server) {
            if good(issued) {
                return Ok(Arc::clone(issued));
            }
            // An answer that began before the newest observation was known does not take its token away.
            if issued.observation.checked_at > made.observation.checked_at
                && issued.is_offered(ring, now)
            {
                return Ok(made);
            }
        }
        tokens.insert(server, Arc::clone(&made));
        Ok(made)
    }

    /// Drops the tokens of all servers but those that `keep` names.
    pub fn retain(&self, keep: impl Fn(ServerId) -> bool) {
        self.lock().retain(|server, _| keep(*server));
    }

    /// How many tokens were signed since the start, those of records not counted.
    #[must_use]
    pub fn signed(&self) -> u64 {
        self.signed.load(Ordering::Relaxed)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ServerId, Arc<Issued>>> {
        // A map is whole after each of its operations, whatever panicked in between.
        self.issued.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Issued {
    /// Whether the token is still given out: half of its life is left, and its key is published.
    fn is_offered(&self, ring: &Ring, now: Time) -> bool {
        // After a clock went back: a client's clock may be as early as the leeway.
        let early = seconds_since(self.iat, now);
        let half = seconds_since(self.exp, self.iat) / 2;
        early <= LEEWAY_SECONDS
            && seconds_since(now, self.iat) < half
            && ring.kids.contains(&self.kid)
    }
}
