//! Signing: which key signs, and the tokens that are given out.
//!
//! A token is made once for an observation and reused until half of its life is over, so that everybody gets the same
//! one (`token.same-for-all`) and answering is copying. What is signed is a [`Statement`], so a status without an
//! observation behind it cannot be signed, nor a server that is denied.

mod issued;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use capability_resolution::limits::{LEEWAY_SECONDS, TOKEN_MAX_LIFE_SECONDS};
use capability_resolution::{IssueError, Origin, Signer, Time};

use crate::clock::seconds_since;
use crate::key::{Key, PublicJwk};
use crate::keys::{KeyError, Keys};
use crate::lock;
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
        let exp = now.plus(TOKEN_MAX_LIFE_SECONDS);
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
        lock::lock(&self.issued)
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

#[cfg(test)]
mod tests {
    use capability_resolution::{Discovery, UnverifiedToken};

    use super::*;
    use crate::discovery::{Identity, document};
    use crate::observed::Outcome;
    use crate::server_file::HeldFiles;
    use crate::standing::tests::seen;
    use crate::store::{
        Claim, Entry, EntryState, Server, Source, SourceKind, SqliteStore, Store as _,
    };

    const START: i64 = 1_800_000_000;

    fn at(seconds: i64) -> Time {
        Time::from_unix_seconds(START + seconds)
    }

    struct Place {
        folder: tempfile::TempDir,
        store: SqliteStore,
        identity: Identity,
        tokens: Tokens,
    }

    impl Place {
        /// One server, seen at the start.
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let mut store = SqliteStore::open(&folder.path().join("s")).unwrap();
            let source = Source {
                name: "s".to_owned(),
                kind: SourceKind::Catalogue,
            };
            let claim = Claim {
                key: "a".to_owned(),
                urls: vec!["https://a.example/mcp".parse().unwrap()],
                name: None,
                description: None,
                state: EntryState::Active,
                tools: Vec::new(),
            };
            store.take(&source, &[Entry::Server(claim)], at(0)).unwrap();
            std::fs::create_dir(folder.path().join("keys")).unwrap();
            let mut place = Self {
                folder,
                store,
                tokens: Tokens::default(),
                identity: Identity {
                    issuer: "https://resolver.test".parse().unwrap(),
                    name: "R".to_owned(),
                },
            };
            place.keys().rotate(at(0), 60).unwrap();
            place.see(0);
            place
        }

        fn keys(&self) -> Keys {
            Keys::open(&self.folder.path().join("keys")).unwrap()
        }

        fn ring(&self, now: i64) -> Ring {
            let folder = self.folder.path().join("keys");
            Ring::read(&folder, &self.identity.issuer, at(now)).unwrap()
        }

        fn server(&self) -> Server {
            let mut found = None;
            self.store
                .each_server(&mut |server| found = Some(server))
                .unwrap();
            found.unwrap()
        }

        fn see(&mut self, when: i64) {
            let id = self.server().id;
            self.store
                .append(id, &seen(START + when, Outcome::Ok), at(when))
                .unwrap();
        }

        fn statement(&self, now: i64) -> Statement {
            let files = HeldFiles::read(&self.store, &self.identity.issuer, at(now)).unwrap();
            files.denials().statement(&self.server(), at(now)).unwrap()
        }

        fn named(&self) -> Named<'_> {
            Named {
                issuer: &self.identity.issuer,
                resolver: &self.identity.name,
                server: "\u{200b} A  \u{7}server\n",
            }
        }

        fn issue(&self, statement: &Statement, now: i64) -> Arc<Issued> {
            let id = self.server().id;
            self.tokens
                .of(id, statement, &self.named(), &self.ring(now), at(now))
                .unwrap()
        }

        /// Whether the document of that moment verifies the token, and the record's.
        fn verifies(&self, issued: &Issued, now: i64) -> bool {
            let ring = self.ring(now);
            let document = document(&self.identity, ring.published());
            let discovery = Discovery::read(&document, &self.identity.issuer).unwrap();
            let record = issued.record(&self.named(), &ring).unwrap();
            [issued.candidate(), &record].iter().all(|json| {
                let json: serde_json::Value = serde_json::from_slice(json).unwrap();
                let token = UnverifiedToken::parse(json["jws"].as_str().unwrap().as_bytes());
                token.unwrap().verify(&discovery, at(now)).is_ok()
            })
        }
    }

    // r[token.same-for-all] r[token.exp.max-life] r[record.same-claims]
    #[test]
    fn a_token_is_given_out_until_half_of_its_life_and_another_for_another_observation() {
        let mut place = Place::new();
        let statement = place.statement(100);
        let first = place.issue(&statement, 100);
        for now in [100, 101, 86_400] {
            assert_eq!(
                place.issue(&statement, now).digest(),
                first.digest(),
                "{now}"
            );
        }
        assert_eq!(first.expires(), at(100 + 172_800));
        place.see(86_300);
        let second = place.issue(&place.statement(86_400), 86_400);
        assert_ne!(second.digest(), first.digest());
        // One that began before the newest observation was kept does not take its token away.
        place.issue(&statement, 86_400);
        assert_eq!(
            place.issue(&place.statement(86_401), 86_401).digest(),
            second.digest()
        );
        assert!(place.verifies(&first, 86_400) && place.verifies(&second, 86_400));
    }

    #[test]
    fn half_a_life_is_the_end_of_giving_out() {
        let place = Place::new();
        let statement = place.statement(0);
        let ring = place.ring(0);
        let issued = place.issue(&statement, 0);
        for (now, offered) in [
            (-301, false),
            (-300, true),
            (0, true),
            (86_399, true),
            (86_400, false),
        ] {
            assert_eq!(issued.is_offered(&ring, at(now)), offered, "{now}");
        }
    }

    // r[keys.compromised] r[keys.retired]
    #[test]
    fn a_token_of_a_key_that_is_withdrawn_is_given_out_no_more() {
        let place = Place::new();
        let statement = place.statement(0);
        let first = place.issue(&statement, 0);
        let old = place.keys().all()[0].kid().to_owned();
        let mut keys = place.keys();
        let new = keys.rotate(at(10), 60).unwrap().kid().to_owned();
        // The new key signs; what the old one signed is still given out, and its record is the new one's.
        let now = 200;
        assert_eq!(place.ring(now).signing_kid(), new);
        assert_eq!(place.issue(&statement, now).digest(), first.digest());
        assert!(place.verifies(&first, now));
        // The new one is withdrawn: the record is signed anew.
        place.keys().withdraw(&new, at(now)).unwrap();
        assert!(place.verifies(&place.issue(&statement, now), now));
        // And the old one too: so is the token.
        place.keys().withdraw(&old, at(now)).unwrap();
        let other = place.issue(&statement, now);
        assert_ne!(other.digest(), first.digest());
        assert!(place.verifies(&other, now) && !place.verifies(&first, now));
    }

    // r[record.name] r[record.name.unnamed]
    #[test]
    fn a_name_is_shown_without_what_nobody_sees() {
        let place = Place::new();
        let name = |server: &str| {
            let named = Named {
                server,
                ..place.named()
            };
            let issued = Issued::sign(
                &place.ring(0).signer,
                &place.statement(0),
                &named,
                at(0),
                at(60),
            );
            let record = issued.unwrap().record(&named, &place.ring(0)).unwrap();
            let json: serde_json::Value = serde_json::from_slice(&record).unwrap();
            json["name"].as_str().unwrap().to_owned()
        };
        assert_eq!(name("\u{200b} A  \u{7}server\n"), "A server");
        assert_eq!(name("\u{202e}\u{feff}"), "a.example");
        assert_eq!(name(""), "a.example");
        assert_eq!(name(&"é".repeat(300)).chars().count(), 200);
    }
}
