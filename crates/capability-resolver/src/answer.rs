//! Answering: from a request to the bytes of its answer. No HTTP is in here, so that every way to ask gets the same.
//!
//! What costs time to make, the index of the words, is a [`Snapshot`] that is some seconds old at most. What is stated of
//! a server is not: before each answer the store says whether anything has changed, and if so the candidates are looked
//! up in it once more. So nobody is answered with a server that a deny has been kept of, whoever kept it (`deny.at-once`).

mod body;
mod choose;
mod given;
mod reader;

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, RwLock};

use capability_resolution::{RecordRequest, ResolveRequest, Time};

use crate::discovery::{Identity, document};
use crate::keys::KeyError;
use crate::lock;
use crate::search::Hit;
use crate::sign::{Issued, Named, Ring, Tokens};
use crate::snapshot::{Listed, Snapshot};
use crate::standing::Statement;
use crate::store::{ServerId, StoreError};

use self::choose::CurrentServers;
use self::given::{Given, Of};

pub use body::Body;
pub use reader::{Open, Reader, Version};

/// How a resolver answers.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Who it is.
    pub identity: Identity,
    /// The folder of its keys.
    pub keys: PathBuf,
    /// The `max-age` of the discovery document in seconds: `discovery.caching`.
    pub discovery_max_age: u64,
    /// The switch of `origin.loopback`: whether servers of this machine are among the candidates.
    pub allow_loopback: bool,
    /// Where the time comes from.
    pub clock: fn() -> Time,
}

/// Why there is no answer for now: `error.unavailable`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unavailable {
    /// The store has not been read yet, or not since it came back.
    #[error("the store is being read")]
    NotRead,
    /// The store cannot be read, so nobody knows who denied.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A resolver that answers.
pub struct Resolver {
    settings: Settings,
    reader: Reader,
    view: RwLock<Option<View>>,
    current: Mutex<CurrentServers>,
    published: RwLock<Arc<Published>>,
    tokens: Tokens,
    given: Given,
    digests: RandomState,
}

/// A snapshot, and the state of the store that it shows.
#[derive(Clone)]
struct View {
    snapshot: Arc<Snapshot>,
    version: Version,
    made_at: Time,
    /// The next one has a greater number.
    number: u64,
}

/// Keys and the document that publishes them, replaced together: a token that was given out verifies with the document.
struct Published {
    ring: Ring,
    discovery: Body,
    /// The next ones have a greater number.
    number: u64,
}

/// All that one answer is given from.
struct Moment {
    now: Time,
    version: Version,
    view: View,
    published: Arc<Published>,
}

/// Clients may keep an answer for so many seconds: `resolve.caching` and `record.caching` allow up to 3,600. A deny and a
/// new status reach a client no later than this.
const ANSWER_MAX_AGE_SECONDS: u64 = 300;

/// A snapshot is made anew after so many seconds, even if nothing changed: what time alone ends, such as a restriction
/// that nobody confirmed for 30 days, ends then.
const SNAPSHOT_MAX_AGE_SECONDS: u64 = 3_600;

impl Resolver {
    /// A resolver that has read its keys, and not yet its store: see [`Self::refresh`].
    ///
    /// # Errors
    ///
    /// [`KeyError`].
    pub fn new(settings: Settings, reader: Reader) -> Result<Self, KeyError> {
        let published = publish(&settings)?;
        Ok(Self {
            settings,
            reader,
            view: RwLock::default(),
            current: Mutex::default(),
            published: RwLock::new(Arc::new(published)),
            tokens: Tokens::default(),
            given: Given::default(),
            digests: RandomState::new(),
        })
    }

    /// The discovery document.
    #[must_use]
    pub fn discovery(&self) -> Body {
        self.published().discovery.clone()
    }

    /// The answer to a need: at most ten candidates.
    ///
    /// # Errors
    ///
    /// [`Unavailable`].
    pub fn resolve(&self, request: &ResolveRequest) -> Result<Body, Unavailable> {
        let moment = self.moment()?;
        let digest = self.digest(request);
        if let Some(body) = self.again(&moment, request, digest)? {
            return Ok(body);
        }
        let chosen = self.choose(&moment, request)?;
        let hits: Arc<[Hit]> = chosen.iter().map(|(hit, _)| hit.clone()).collect();
        moment.view.snapshot.choose(digest, &hits);
        Ok(self.give(&moment, digest, &chosen))
    }

    /// The same as [`Self::resolve`] if it takes no search, since the need was asked before; else nothing. Takes some
    /// microseconds.
    ///
    /// # Errors
    ///
    /// [`Unavailable`].
    pub fn resolve_again(&self, request: &ResolveRequest) -> Result<Option<Body>, Unavailable> {
        let moment = self.moment()?;
        Ok(self.again(&moment, request, self.digest(request))?)
    }

    /// The record of a server, or nothing if there is none to state: `record.not-found`.
    ///
    /// # Errors
    ///
    /// [`Unavailable`].
    pub fn record(&self, request: &RecordRequest) -> Result<Option<Body>, Unavailable> {
        let moment = self.moment()?;
        let snapshot = &moment.view.snapshot;
        let document = match request {
            RecordRequest::Id(id) => snapshot.by_record_id(id),
            RecordRequest::Url(url) => snapshot.by_url(url),
        };
        let Some(document) = document else {
            return Ok(None);
        };
        let Some(stated) = self.state(&moment, document, &|_, _| true)? else {
            return Ok(None);
        };
        let record = self
            .issue(&moment, document, &stated.statement)
            .and_then(|issued| {
                let named = self.named(snapshot.listed(document)?);
                let json = issued.record(&named, &moment.published.ring)?;
                Some(body::record(
                    &json,
                    issued.expires(),
                    ANSWER_MAX_AGE_SECONDS,
                    moment.now,
                ))
            });
        Ok(record)
    }

    /// Reads the keys again: once a key is withdrawn or has taken over, this is what makes it so. Cheap, and due every
    /// [`KEYS_REREAD_SECONDS`](crate::keys::KEYS_REREAD_SECONDS) at least.
    ///
    /// # Errors
    ///
    /// [`KeyError`]; then the keys are those of before.
    pub fn reread_keys(&self) -> Result<(), KeyError> {
        let mut published = publish(&self.settings)?;
        let mut held = lock::write(&self.published);
        published.number = held.number + 1;
        *held = Arc::new(published);
        Ok(())
    }

    /// Makes the snapshot anew if the store has changed or none is there; whether it was. Takes seconds for a large store,
    /// while answers go on.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then the snapshot is that of before.
    pub fn refresh(&self) -> Result<bool, StoreError> {
        let now = (self.settings.clock)();
        let version = self.reader.version()?;
        let is_current = self.view().is_some_and(|view| {
            let age = now.unix_seconds().abs_diff(view.made_at.unix_seconds());
            view.version == version && age < SNAPSHOT_MAX_AGE_SECONDS
        });
        if is_current {
            return Ok(false);
        }
        let store = self.reader.another()?;
        let snapshot = Snapshot::build(&*store, &self.settings.identity.issuer, now)?;
        if !self.reader.version()?.is_of_same_store(version) {
            return Ok(false);
        }
        let servers: HashSet<ServerId> = snapshot.servers().collect();
        let mut view = lock::write(&self.view);
        *view = Some(View {
            snapshot: Arc::new(snapshot),
            version,
            made_at: now,
            number: view.as_ref().map_or(0, |view| view.number + 1),
        });
        drop(view);
        self.tokens.retain(|server| servers.contains(&server));
        Ok(true)
    }

    /// Whether answers can be given.
    ///
    /// # Errors
    ///
    /// [`Unavailable`].
    pub fn check(&self) -> Result<(), Unavailable> {
        self.moment().map(drop)
    }

    /// How many servers the snapshot has, and when it was made.
    #[must_use]
    pub fn snapshot(&self) -> Option<(usize, Time)> {
        let view = self.view()?;
        Some((view.snapshot.len(), view.made_at))
    }

    /// How many tokens were signed since the start.
    #[must_use]
    pub fn tokens_signed(&self) -> u64 {
        self.tokens.signed()
    }

    /// How it answers.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The need itself is not kept: only this process can make the digest.
    fn digest(&self, request: &ResolveRequest) -> u64 {
        self.digests.hash_one(request)
    }

    /// The answer to a need that was asked before, if what was found then still is what there is to find.
    fn again(
        &self,
        moment: &Moment,
        request: &ResolveRequest,
        digest: u64,
    ) -> Result<Option<Body>, StoreError> {
        if let Some(body) = self.given.get(moment.of(), digest) {
            return Ok(Some(body));
        }
        let Some(hits) = moment.view.snapshot.chosen(digest) else {
            return Ok(None);
        };
        let chosen = self.choose_again(moment, &hits, request.constraints)?;
        Ok(chosen.map(|chosen| self.give(moment, digest, &chosen)))
    }

    fn give(&self, moment: &Moment, digest: u64, chosen: &[(Hit, Statement)]) -> Body {
        let issued: Vec<Arc<Issued>> = chosen
            .iter()
            .filter_map(|(hit, statement)| self.issue(moment, hit.document, statement))
            .collect();
        let body = body::answer(
            &self.settings.identity,
            &issued,
            ANSWER_MAX_AGE_SECONDS,
            moment.now,
        );
        self.given.put(moment.of(), digest, &body);
        body
    }

    fn issue(&self, moment: &Moment, document: u32, statement: &Statement) -> Option<Arc<Issued>> {
        let listed = moment.view.snapshot.listed(document)?;
        let named = self.named(listed);
        let ring = &moment.published.ring;
        // What cannot be signed, such as a time after the year 9999, is not listed.
        self.tokens
            .of(listed.server.id, statement, &named, ring, moment.now)
            .ok()
    }

    fn named<'a>(&'a self, listed: &'a Listed) -> Named<'a> {
        Named {
            issuer: &self.settings.identity.issuer,
            resolver: &self.settings.identity.name,
            server: &listed.name,
        }
    }

    fn moment(&self) -> Result<Moment, Unavailable> {
        let version = self.reader.version()?;
        let view = self
            .view()
            .filter(|view| view.version.is_of_same_store(version))
            .ok_or(Unavailable::NotRead)?;
        Ok(Moment {
            now: (self.settings.clock)(),
            version,
            view,
            published: self.published(),
        })
    }

    fn view(&self) -> Option<View> {
        lock::read(&self.view).clone()
    }

    fn published(&self) -> Arc<Published> {
        Arc::clone(&lock::read(&self.published))
    }
}

impl Moment {
    fn of(&self) -> Of {
        Of {
            now: self.now,
            store: self.version,
            view: self.view.number,
            keys: self.published.number,
        }
    }
}

fn publish(settings: &Settings) -> Result<Published, KeyError> {
    let now = (settings.clock)();
    let ring = Ring::read(&settings.keys, &settings.identity.issuer, now)?;
    let document = document(&settings.identity, ring.published());
    let discovery = Body::new(document, settings.discovery_max_age);
    Ok(Published {
        ring,
        discovery,
        number: 0,
    })
}

#[cfg(test)]
mod tests;
