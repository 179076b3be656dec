//! Answering: from a request to the bytes of its answer. No HTTP is in here, so that every way to ask gets the same.
//!
//! What costs time to make, the index of the words, is a [`Snapshot`] that is some seconds old at most. What is stated of
//! a server is not: before each answer the store says whether anything has changed, and if so the candidates are looked
//! up in it once more. So nobody is answered with a server that a deny has been kept of, whoever kept it (`deny.at-once`).

mod body;
mod given;
mod reader;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use capability_resolution::limits::CANDIDATES_MAX;
use capability_resolution::{Constraints, RecordRequest, ResolveRequest, Status, Time};

use crate::discovery::{Identity, document};
use crate::keys::KeyError;
use crate::observed::Outcome;
use crate::search::Hit;
use crate::server_file::HeldFiles;
use crate::sign::{Issued, Named, Ring, Tokens};
use crate::snapshot::{Listed, Snapshot};
use crate::standing::Statement;
use crate::store::{Server, ServerId, StoreError};

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

/// Servers as the store has them at one of its versions.
#[derive(Default)]
struct CurrentServers {
    version: Option<Version>,
    servers: HashMap<ServerId, Option<Arc<CurrentServer>>>,
}

struct CurrentServer {
    server: Server,
    files: HeldFiles,
}

/// All that one answer is given from.
struct Moment {
    now: Time,
    version: Version,
    view: View,
    published: Arc<Published>,
}

/// A server that is stated of, and what else constraints ask for.
struct Stated {
    statement: Statement,
    no_payment: bool,
    last: (Time, Outcome),
}

/// Clients may keep an answer for so many seconds: `resolve.caching` and `record.caching` allow up to 3,600. A deny and a
/// new status reach a client no later than this.
const ANSWER_MAX_AGE_SECONDS: u64 = 300;

/// A snapshot is made anew after so many seconds, even if nothing changed: what time alone ends, such as a restriction
/// that nobody confirmed for 30 days, ends then.
const SNAPSHOT_MAX_AGE_SECONDS: u64 = 3_600;

/// How many servers are remembered for one version of the store.
const CURRENT_MAX: usize = 16_384;

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
        let mut held = self
            .published
            .write()
            .unwrap_or_else(PoisonError::into_inner);
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
        let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
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

    /// The best ten servers that may be stated and meet the constraints; those that answered before those that did not.
    fn choose(
        &self,
        moment: &Moment,
        request: &ResolveRequest,
    ) -> Result<Vec<(Hit, Statement)>, StoreError> {
        let (mut chosen, mut others, mut failed) = (Vec::new(), Vec::new(), None);
        let mut keep = |hit: &Hit| match self.consider(moment, hit, request.constraints) {
            Ok(Some(statement)) => {
                let rank = rank(statement.observation().status);
                if rank == 0 {
                    chosen.push((hit.clone(), statement));
                } else if others.len() < CANDIDATES_MAX {
                    others.push((hit.clone(), statement));
                }
                rank == 0
            }
            Ok(None) => false,
            Err(error) => {
                failed = Some(error);
                false
            }
        };
        moment
            .view
            .snapshot
            .index()
            .find(request.need.as_str(), CANDIDATES_MAX, &mut keep);
        if let Some(error) = failed {
            return Err(error);
        }
        others.sort_by_key(|(_, statement)| rank(statement.observation().status));
        chosen.extend(others);
        chosen.truncate(CANDIDATES_MAX);
        Ok(chosen)
    }

    /// The same servers once more, if each still fits at its place.
    fn choose_again(
        &self,
        moment: &Moment,
        hits: &[Hit],
        constraints: Constraints,
    ) -> Result<Option<Vec<(Hit, Statement)>>, StoreError> {
        let mut chosen = Vec::with_capacity(hits.len());
        for hit in hits {
            match self.consider(moment, hit, constraints)? {
                Some(statement) => chosen.push((hit.clone(), statement)),
                None => return Ok(None),
            }
        }
        let in_order =
            chosen.is_sorted_by_key(|(_, statement)| rank(statement.observation().status));
        Ok(in_order.then_some(chosen))
    }

    /// What is stated of a server, if it meets the constraints: `constraint.honoured`.
    fn consider(
        &self,
        moment: &Moment,
        hit: &Hit,
        constraints: Constraints,
    ) -> Result<Option<Statement>, StoreError> {
        let meets = |stated: &Stated, listed: &Listed| meets(constraints, stated, listed, hit);
        let stated = self.state(moment, hit.document, &meets)?;
        Ok(stated.map(|stated| stated.statement))
    }

    /// What may be stated of a server of the snapshot, if it `meets` what is asked for.
    fn state(
        &self,
        moment: &Moment,
        document: u32,
        meets: &dyn Fn(&Stated, &Listed) -> bool,
    ) -> Result<Option<Stated>, StoreError> {
        let View {
            snapshot, version, ..
        } = &moment.view;
        let allowed = |listed: &&Listed| {
            self.settings.allow_loopback || !listed.server.url.origin().is_loopback()
        };
        let Some(listed) = snapshot.listed(document).filter(allowed) else {
            return Ok(None);
        };
        // The snapshot first: it costs nothing, and keeps a request whose constraints nobody meets off the store.
        let stated = Stated::of(&listed.server, snapshot.files(), moment.now);
        let stated = stated.filter(|stated| meets(stated, listed));
        if stated.is_none() || moment.version == *version {
            return Ok(stated);
        }
        let Some(current) = self.current(moment, &listed.server)? else {
            return Ok(None);
        };
        let stated = Stated::of(&current.server, &current.files, moment.now);
        Ok(stated.filter(|stated| meets(stated, listed)))
    }

    /// A server as the store has it now.
    fn current(
        &self,
        moment: &Moment,
        server: &Server,
    ) -> Result<Option<Arc<CurrentServer>>, StoreError> {
        {
            let known = self.current.lock().unwrap_or_else(PoisonError::into_inner);
            if known.version == Some(moment.version)
                && let Some(current) = known.servers.get(&server.id)
            {
                return Ok(current.clone());
            }
        }
        let issuer = &self.settings.identity.issuer;
        let (version, current) = self.reader.with(|version, store| {
            // An id means a server of one store only.
            let found = store.server(server.id)?.filter(|found| {
                version.is_of_same_store(moment.version) && found.url == server.url
            });
            let Some(found) = found else {
                return Ok((version, None));
            };
            let files = HeldFiles::of(&found.url, store, issuer, moment.now)?;
            let current = CurrentServer {
                server: found,
                files,
            };
            Ok((version, Some(Arc::new(current))))
        })?;
        let mut known = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if known.version != Some(version) || known.servers.len() >= CURRENT_MAX {
            *known = CurrentServers {
                version: Some(version),
                servers: HashMap::new(),
            };
        }
        known.servers.insert(server.id, current.clone());
        Ok(current)
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
        self.view
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn published(&self) -> Arc<Published> {
        Arc::clone(
            &self
                .published
                .read()
                .unwrap_or_else(PoisonError::into_inner),
        )
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

impl Stated {
    fn of(server: &Server, files: &HeldFiles, now: Time) -> Option<Self> {
        Some(Self {
            statement: files.denials().statement(server, now)?,
            no_payment: files.no_payment().holds(&server.url, now),
            last: server.standing()?.last(),
        })
    }
}

/// The four constraints: `constraint.names`. What is not known is not met.
fn meets(constraints: Constraints, stated: &Stated, listed: &Listed, hit: &Hit) -> bool {
    let status = stated.statement.observation().status;
    // `constraint.read-only`: the tools of the snapshot are those of the last observation, and it listed some.
    let is_last_list = || {
        let listed_at = listed.server.standing().map(|standing| standing.last());
        listed_at == Some(stated.last) && stated.last.1 == Outcome::Ok
    };
    let handshake_fits = |limit: u32| {
        stated
            .statement
            .handshake_ms()
            .is_some_and(|took| took <= limit)
    };
    (!constraints.no_sign_in || status == Status::Ok)
        && (!constraints.read_only || (is_last_list() && listed.marks_read_only(&hit.tools)))
        && constraints
            .max_handshake
            .is_none_or(|limit| handshake_fits(limit.milliseconds()))
        && (!constraints.no_payment || stated.no_payment)
}

/// Servers that answered come first, then those of which nothing is settled, then those that are down.
fn rank(status: Status) -> u8 {
    match status {
        Status::Ok | Status::SignIn => 0,
        Status::Unknown => 1,
        Status::Down => 2,
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
