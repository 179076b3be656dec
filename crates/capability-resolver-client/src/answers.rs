//! Answers that may be used again: `client.cache`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use capability_resolution::{Constraints, Need, Origin, Time};
use serde::{Deserialize, Serialize};

use crate::disk::{Disk, Kind};
use crate::lock;
use crate::query;

/// How many bytes of answers are held in memory.
const MAX_BYTES: usize = 8 << 20;

/// What was asked of whom.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) issuer: Origin,
    pub(crate) need: Need,
    pub(crate) constraints: Constraints,
}

/// An answer as it came. Its tokens are verified anew each time: `keys.withdrawn`.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) body: Vec<u8>,
    /// When it came.
    pub(crate) since: Time,
    /// Until when it may be used again.
    pub(crate) until: Time,
    /// The resolver's clock, where it did not agree with ours.
    pub(crate) other_clock: Option<Time>,
}

/// The form on the disk.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    body: String,
    since: i64,
    until: i64,
    other_clock: Option<i64>,
}

impl Kept {
    /// Not before it came either: then the clock was set back, and nobody knows how old it is.
    fn holds(&self, now: Time) -> bool {
        (self.since..self.until).contains(&now)
    }

    fn saved(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&Saved {
            body: String::from_utf8_lossy(&self.body).into_owned(),
            since: self.since.unix_seconds(),
            until: self.until.unix_seconds(),
            other_clock: self.other_clock.map(Time::unix_seconds),
        })
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let saved: Saved = serde_json::from_slice(bytes).ok()?;
        Some(Self {
            body: saved.body.into_bytes(),
            since: Time::from_unix_seconds(saved.since),
            until: Time::from_unix_seconds(saved.until),
            other_clock: saved.other_clock.map(Time::from_unix_seconds),
        })
    }
}

/// The answers of a client.
#[derive(Debug)]
pub(crate) struct Answers {
    memory: Mutex<Memory>,
    disk: Option<Arc<Disk>>,
}

#[derive(Debug, Default)]
struct Memory {
    kept: HashMap<Question, Arc<Kept>>,
    bytes: usize,
}

impl Answers {
    pub(crate) fn new(disk: Option<Arc<Disk>>) -> Self {
        Self {
            memory: Mutex::default(),
            disk,
        }
    }

    /// The answer to this question, if there is one that may still be used.
    pub(crate) async fn find(&self, question: &Question, now: Time) -> Option<Arc<Kept>> {
        let known = lock(&self.memory).kept.get(question).cloned();
        if let Some(kept) = known.filter(|kept| kept.holds(now)) {
            return Some(kept);
        }
        let disk = Arc::clone(self.disk.as_ref()?);
        let asked = question.clone();
        let read = tokio::task::spawn_blocking(move || {
            let bytes = disk.get(Kind::Answer, &about(&asked))?;
            Kept::read(&bytes)
        });
        let kept = read.await.ok().flatten().filter(|kept| kept.holds(now))?;
        let kept = Arc::new(kept);
        lock(&self.memory).put(question.clone(), Arc::clone(&kept), now);
        Some(kept)
    }

    /// Keeps an answer for later, if there is a later for it.
    pub(crate) async fn keep(&self, question: Question, kept: Kept) {
        let now = kept.since;
        if !kept.holds(now) {
            return;
        }
        let kept = Arc::new(kept);
        lock(&self.memory).put(question.clone(), Arc::clone(&kept), now);
        if let Some(disk) = self.disk.clone() {
            let write = tokio::task::spawn_blocking(move || {
                disk.put(Kind::Answer, &about(&question), kept.saved()?)
            });
            // A cache that cannot be written to is a cache that is empty next time.
            let _ = write.await;
        }
    }
}

impl Memory {
    fn put(&mut self, question: Question, kept: Arc<Kept>, now: Time) {
        self.bytes += kept.body.len();
        if let Some(before) = self.kept.insert(question, kept) {
            self.bytes -= before.body.len();
        }
        if self.bytes > MAX_BYTES {
            self.kept.retain(|_, kept| kept.holds(now));
            self.count();
        }
        while self.bytes > MAX_BYTES {
            let soonest = self.kept.iter().min_by_key(|(_, kept)| kept.until);
            let Some(question) = soonest.map(|(question, _)| question.clone()) else {
                break;
            };
            self.kept.remove(&question);
            self.count();
        }
    }

    fn count(&mut self) {
        self.bytes = self.kept.values().map(|kept| kept.body.len()).sum();
    }
}

fn about(question: &Question) -> String {
    let query = query::resolve(&question.need, question.constraints);
    format!("{} {query}", question.issuer)
}
