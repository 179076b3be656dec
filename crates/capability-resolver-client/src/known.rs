//! What is known of a resolver between calls: its discovery document, and when it may be asked again.

use std::sync::{Arc, Mutex};

use capability_resolution::{Discovery, Origin, Time};
use serde::{Deserialize, Serialize};

use crate::disk::{Disk, Kind};
use crate::headers::WAIT_MAX_SECONDS;
use crate::lock;

/// How long after a document was fetched for a key no document is fetched for a key: `keys.unknown-kid`.
const KEY_COOL_DOWN_SECONDS: u64 = 300;

/// One resolver of the list.
#[derive(Debug)]
pub(crate) struct Resolver {
    pub(crate) issuer: Origin,
    known: Mutex<Known>,
    /// Held while the document is fetched, so that calls beside each other fetch it once.
    pub(crate) fetching: tokio::sync::Mutex<()>,
    disk: Option<Arc<Disk>>,
}

#[derive(Debug, Default)]
struct Known {
    /// Whether the disk was looked at.
    loaded: bool,
    document: Option<Document>,
    /// When the document was last fetched for a key that it did not have.
    key_sought: Option<Time>,
    /// Until when the resolver asked to be left alone.
    wait_until: Option<Time>,
}

/// A document that is kept, and for how long.
#[derive(Debug, Clone)]
struct Document {
    discovery: Arc<Discovery>,
    body: Arc<str>,
    since: Time,
    until: Time,
}

/// The form on the disk.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    document: Option<SavedDocument>,
    key_sought: Option<i64>,
    wait_until: Option<i64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedDocument {
    body: String,
    since: i64,
    until: i64,
}

impl Resolver {
    pub(crate) fn new(issuer: Origin, disk: Option<Arc<Disk>>) -> Self {
        Self {
            issuer,
            known: Mutex::default(),
            fetching: tokio::sync::Mutex::default(),
            disk,
        }
    }

    /// The document, as long as it may be kept: `discovery.cache-time`. Not from a time that is yet to come: then the
    /// clock was set back, and nobody knows how old it is.
    pub(crate) fn document(&self, now: Time) -> Option<Arc<Discovery>> {
        let known = lock(&self.known);
        let document = known.document.as_ref();
        document
            .filter(|document| document.since <= now && now < document.until)
            .map(|document| Arc::clone(&document.discovery))
    }

    /// Keeps a document that was fetched at `since` for so many seconds; for none, it takes the place of the older one
    /// all the same, since that is no longer the newest.
    pub(crate) fn keep(&self, discovery: &Arc<Discovery>, body: &[u8], since: Time, seconds: u64) {
        let document = Document {
            discovery: Arc::clone(discovery),
            body: String::from_utf8_lossy(body).into(),
            since,
            until: since.plus(seconds),
        };
        lock(&self.known).document = (seconds > 0).then_some(document);
    }

    /// Whether a document was fetched for a key a moment ago, so that none is due.
    pub(crate) fn has_sought_key(&self, now: Time) -> bool {
        let sought = lock(&self.known).key_sought;
        sought.is_some_and(|sought| sought <= now && now < sought.plus(KEY_COOL_DOWN_SECONDS))
    }

    /// A document is being fetched for a key.
    pub(crate) fn seek_key(&self, now: Time) {
        lock(&self.known).key_sought = Some(now);
    }

    /// Until when the resolver asked to be left alone, if that is still to come: `client.retry-after`. A clock that was
    /// set back makes no longer wait of it.
    pub(crate) fn wait_until(&self, now: Time) -> Option<Time> {
        let until = lock(&self.known).wait_until;
        until.filter(|until| now < *until && *until <= now.plus(WAIT_MAX_SECONDS))
    }

    pub(crate) fn leave_alone(&self, until: Time) {
        lock(&self.known).wait_until = Some(until);
    }

    /// Takes over what a process before this one knew; once.
    pub(crate) async fn load(&self) {
        let Some(disk) = self.disk.clone().filter(|_| !lock(&self.known).loaded) else {
            return;
        };
        let issuer = self.issuer.clone();
        let read = tokio::task::spawn_blocking(move || {
            let bytes = disk.get(Kind::Resolver, issuer.as_str())?;
            Saved::read(&bytes, &issuer)
        });
        let saved = read.await.ok().flatten();
        let mut known = lock(&self.known);
        if !known.loaded {
            *known = saved.unwrap_or_default();
            known.loaded = true;
        }
    }

    /// Leaves what is known to the next process.
    pub(crate) async fn save(&self) {
        let Some(disk) = self.disk.clone() else {
            return;
        };
        let saved = Saved::of(&lock(&self.known));
        let issuer = self.issuer.clone();
        let write = tokio::task::spawn_blocking(move || {
            let bytes = serde_json::to_vec(&saved)?;
            disk.put(Kind::Resolver, issuer.as_str(), bytes)
        });
        // A cache that cannot be written to is a cache that is empty next time.
        let _ = write.await;
    }
}

impl Saved {
    fn of(known: &Known) -> Self {
        let document = known.document.as_ref().map(|document| SavedDocument {
            body: document.body.to_string(),
            since: document.since.unix_seconds(),
            until: document.until.unix_seconds(),
        });
        Self {
            document,
            key_sought: known.key_sought.map(Time::unix_seconds),
            wait_until: known.wait_until.map(Time::unix_seconds),
        }
    }

    fn read(bytes: &[u8], issuer: &Origin) -> Option<Known> {
        let saved: Self = serde_json::from_slice(bytes).ok()?;
        let document = saved.document.and_then(|document| {
            Some(Document {
                discovery: Arc::new(Discovery::read(document.body.as_bytes(), issuer).ok()?),
                body: document.body.into(),
                since: Time::from_unix_seconds(document.since),
                until: Time::from_unix_seconds(document.until),
            })
        });
        Some(Known {
            loaded: true,
            document,
            key_sought: saved.key_sought.map(Time::from_unix_seconds),
            wait_until: saved.wait_until.map(Time::from_unix_seconds),
        })
    }
}
