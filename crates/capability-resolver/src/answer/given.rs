//! Answers that were given a moment ago, to be given again.
//!
//! Times are whole seconds. So within one second, while the store, the snapshot and the keys stay the same, a need has one
//! answer, and it is made once.

use std::collections::HashMap;
use std::sync::Mutex;

use capability_resolution::Time;

use super::{Body, Version};

use crate::lock;

/// All that an answer follows from, but for what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Of {
    pub(super) now: Time,
    pub(super) store: Version,
    /// The number of the snapshot.
    pub(super) view: u64,
    /// The number of the keys.
    pub(super) keys: u64,
}

/// Answers that all follow from the same.
#[derive(Default)]
pub(super) struct Given(Mutex<Answers>);

#[derive(Default)]
struct Answers {
    of: Option<Of>,
    /// By a digest of what was asked, which only this process can make.
    bodies: HashMap<u64, Body>,
}

/// How many answers are remembered. An answer of ten candidates has less than 10 KB.
const GIVEN_MAX: usize = 1_024;

impl Given {
    /// The answer that was given.
    pub(super) fn get(&self, of: Of, digest: u64) -> Option<Body> {
        let answers = lock::lock(&self.0);
        answers
            .bodies
            .get(&digest)
            .filter(|_| answers.of == Some(of))
            .cloned()
    }

    /// Remembers an answer, and forgets those that followed from something else.
    pub(super) fn put(&self, of: Of, digest: u64, body: &Body) {
        let mut answers = lock::lock(&self.0);
        if answers.of != Some(of) {
            answers.bodies.clear();
            answers.of = Some(of);
        }
        if answers.bodies.len() < GIVEN_MAX {
            answers.bodies.insert(digest, body.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(now: i64) -> Of {
        Of {
            now: Time::from_unix_seconds(now),
            store: Version::default(),
            view: 1,
            keys: 1,
        }
    }

    // r[deny.at-once]
    #[test]
    fn an_answer_is_given_again_only_while_it_follows_from_the_same() {
        let given = Given::default();
        let (first, second) = (Body::new("1", 0), Body::new("2", 0));
        given.put(of(1), 7, &first);
        assert_eq!(given.get(of(1), 7).unwrap().json, first.json);
        assert!(given.get(of(1), 8).is_none());
        let others = [
            of(2),
            Of { view: 2, ..of(1) },
            Of { keys: 2, ..of(1) },
            Of {
                store: Version::default().changed(),
                ..of(1)
            },
        ];
        for other in others {
            assert!(given.get(other, 7).is_none(), "{other:?}");
            given.put(of(1), 7, &first);
            given.put(other, 8, &second);
            // The one before is gone, also for whoever began before.
            assert!(given.get(other, 7).is_none() && given.get(of(1), 7).is_none());
            assert_eq!(given.get(other, 8).unwrap().json, second.json);
        }
    }

    #[test]
    fn so_many_and_no_more() {
        let given = Given::default();
        for digest in 0..3_000 {
            given.put(of(1), digest, &Body::new("1", 0));
        }
        assert_eq!(given.0.lock().unwrap().bodies.len(), GIVEN_MAX);
    }
}
