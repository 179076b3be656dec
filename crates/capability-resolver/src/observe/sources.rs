//! The sources at URLs, which are read again each day while servers are observed.

use std::collections::HashMap;

use capability_resolution::Time;
use url::Url;

use crate::import::UrlSource;
use crate::store::{Store, StoreError};

/// A source is read again after so many seconds.
const REREAD_SECONDS: u64 = 86_400;

/// One that could not be read, after so many.
const RETRY_SECONDS: u64 = 3_600;

/// A source and when it is read.
#[derive(Debug)]
struct Each {
    url: Url,
    next_at: Time,
    /// It is being read; who reads it has hold of it.
    is_read: bool,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Sources(Vec<Each>);

impl Sources {
    /// Each is due a day after it was last read, by whatever read it.
    pub(super) fn new(urls: &[Url], store: &dyn Store) -> Result<Self, StoreError> {
        let read: HashMap<String, Time> = store
            .sources()?
            .into_iter()
            .map(|row| (row.source.name, row.read_at))
            .collect();
        let each = urls.iter().map(|url| {
            let read_at = read.get(&UrlSource::name_of(url));
            Each {
                url: url.clone(),
                next_at: read_at.map_or(Time::from_unix_seconds(0), |at| at.plus(REREAD_SECONDS)),
                is_read: false,
            }
        });
        Ok(Self(each.collect()))
    }

    /// Those that are due now, with their numbers.
    pub(super) fn due(&mut self, now: Time) -> Vec<(usize, UrlSource)> {
        // After a clock that went back nobody waits longer than until tomorrow.
        let latest = now.plus(REREAD_SECONDS);
        let mut due = Vec::new();
        for (number, each) in self.0.iter_mut().enumerate() {
            if !each.is_read && (each.next_at <= now || each.next_at > latest) {
                each.is_read = true;
                due.push((number, UrlSource::new(&each.url, None)));
            }
        }
        due
    }

    /// One was read to its end, or could not be.
    pub(super) fn done(&mut self, number: usize, whole: bool, now: Time) {
        if let Some(each) = self.0.get_mut(number) {
            each.is_read = false;
            let wait = if whole { REREAD_SECONDS } else { RETRY_SECONDS };
            each.next_at = now.plus(wait);
        }
    }
}
