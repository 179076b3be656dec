//! Courtesy toward servers: how many are asked at once, how often one is, and who said "later".

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderValue, StatusCode};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::{Error, ShownUrl};

/// How many origins that said "later" are remembered.
const MAX_REMEMBERED: usize = 16_384;

/// What a fetcher and its clones keep to together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// How many requests and sessions may be under way at once. At least 1. Default 64.
    pub in_all: usize,
    /// How many of these may go to one host, whatever the port. At least 1. Default 4.
    pub per_host: usize,
    /// How long a request or session may wait for its turn; more than zero, at most one day. The
    /// other limits begin after it. Default 60 s.
    pub wait: Duration,
    /// The longest `Retry-After` that is obeyed; a longer one counts as this long. At most one
    /// day. Default 3,600 s.
    pub retry_after: Duration,
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            in_all: 64,
            per_host: 4,
            wait: Duration::from_secs(60),
            retry_after: Duration::from_secs(3_600),
        }
    }
}

/// Lets requests in, a few at a time.
#[derive(Debug)]
pub(crate) struct Gate {
    all: Arc<Semaphore>,
    hosts: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
    traffic: Traffic,
}

/// A turn; it ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _all: OwnedSemaphorePermit,
    _host: HostTurn,
}

impl Gate {
    pub(crate) fn new(traffic: Traffic) -> Self {
        Self {
            all: Arc::new(Semaphore::new(traffic.in_all)),
            hosts: Arc::default(),
            traffic,
        }
    }

    /// Waits for a turn: first for the host, so that those who wait for a busy host keep nobody
    /// else from going.
    pub(crate) async fn enter(&self, host: &str, url: &ShownUrl) -> Result<Turn, Error> {
        let turn = async {
            let host = self.host_turn(host).await;
            let all = Arc::clone(&self.all).acquire_owned().await;
            all.ok().map(|all| Turn {
                _all: all,
                _host: host,
            })
        };
        let turn = timeout(self.traffic.wait, turn).await.ok().flatten();
        turn.ok_or_else(|| Error::Busy {
            url: url.clone(),
            waited: self.traffic.wait,
        })
    }

    async fn host_turn(&self, host: &str) -> HostTurn {
        let semaphore = {
            let mut hosts = lock(&self.hosts);
            let per_host = self.traffic.per_host;
            let new = || Arc::new(Semaphore::new(per_host));
            Arc::clone(hosts.entry(host.to_owned()).or_insert_with(new))
        };
        // From here on the entry is removed by whoever is last, also if the wait is given up.
        let mut turn = HostTurn {
            hosts: Arc::clone(&self.hosts),
            host: host.to_owned(),
            semaphore: Arc::clone(&semaphore),
            permit: None,
        };
        turn.permit = semaphore.acquire_owned().await.ok();
        turn
    }

    #[cfg(test)]
    fn known_hosts(&self) -> usize {
        lock(&self.hosts).len()
    }
}

#[derive(Debug)]
struct HostTurn {
    hosts: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
    host: String,
    semaphore: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for HostTurn {
    fn drop(&mut self) {
        let mut hosts = lock(&self.hosts);
        self.permit = None;
        // This one and the map's: nobody else holds or waits for a turn.
        if Arc::strong_count(&self.semaphore) == 2 {
            hosts.remove(&self.host);
        }
    }
}

/// Which origins said "later" (status 429 or 503 with `Retry-After`), and until when.
#[derive(Debug)]
pub(crate) struct Later {
    until: Mutex<HashMap<String, Instant>>,
    longest: Duration,
}

impl Later {
    pub(crate) fn new(traffic: Traffic) -> Self {
        Self {
            until: Mutex::default(),
            longest: traffic.retry_after,
        }
    }

    /// How long the answer asks to wait, bounded.
    pub(crate) fn asked(&self, status: StatusCode, headers: &HeaderMap) -> Option<Duration> {
        if !matches!(status.as_u16(), 429 | 503) {
            return None;
        }
        let mut values = headers.get_all(RETRY_AFTER).iter();
        let wait = retry_after(values.next()?, SystemTime::now())?;
        // Two that differ say nothing; the longer one is the safer reading.
        let wait = values
            .filter_map(|value| retry_after(value, SystemTime::now()))
            .fold(wait, Duration::max);
        Some(wait.min(self.longest))
    }

    pub(crate) fn remember(&self, origin: String, wait: Duration) {
        if wait.is_zero() {
            return;
        }
        let now = Instant::now();
        let mut until = lock(&self.until);
        if until.len() >= MAX_REMEMBERED && !until.contains_key(&origin) {
            until.retain(|_, &mut at| at > now);
            if until.len() >= MAX_REMEMBERED {
                let soonest = until.iter().min_by_key(|&(_, at)| *at);
                if let Some(soonest) = soonest.map(|(origin, _)| origin.clone()) {
                    until.remove(&soonest);
                }
            }
        }
        until.insert(origin, now + wait);
    }

    /// Refuses while the time is not over.
    pub(crate) fn check(&self, origin: &str, url: &ShownUrl) -> Result<(), Error> {
        let mut until = lock(&self.until);
        let Some(&at) = until.get(origin) else {
            return Ok(());
        };
        let left = at.saturating_duration_since(Instant::now());
        if left.is_zero() {
            until.remove(origin);
            return Ok(());
        }
        Err(Error::RetryLater {
            url: url.clone(),
            left,
        })
    }
}

/// RFC 9110 section 10.2.3: a number of seconds, or a date. `None` for anything else; a date that
/// has passed is no wait, and a number too large to hold is the largest.
fn retry_after(value: &HeaderValue, now: SystemTime) -> Option<Duration> {
    let text = value.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// What is under these locks is whole at every moment, so a panic elsewhere spoils nothing.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seconds(text: &str) -> Option<u64> {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        retry_after(&HeaderValue::from_bytes(text.as_bytes()).ok()?, now).map(|wait| wait.as_secs())
    }

    #[test]
    fn both_forms_of_retry_after() {
        for (text, expected) in [
            ("0", Some(0)),
            ("120", Some(120)),
            (" 120 ", Some(120)),
            ("00000000000000000000000000120", Some(120)),
            ("18446744073709551615", Some(u64::MAX)),
            ("99999999999999999999999999999", Some(u64::MAX)),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("1e3", None),
            ("120, 240", None),
            ("", None),
            ("soon", None),
            ("Sun, 06 Nov 1994 08:49:47 GMT", Some(10)),
            ("Sunday, 06-Nov-94 08:49:47 GMT", Some(10)),
            ("Sun Nov  6 08:49:47 1994", Some(10)),
            ("Sun, 06 Nov 1994 08:49:27 GMT", Some(0)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Some(252_618_189_022)),
            ("Sun, 06 Nov 1994 25:49:47 GMT", None),
            ("\u{661}\u{662}", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_origin_is_left_alone_until_then_and_no_longer() {
        let later = Later::new(Traffic::default());
        let url = ShownUrl::from_text("https://a.example/");
        let check = || {
            later
                .check("https://a.example", &url)
                .map_err(|error| error.code())
        };
        later.remember("https://a.example".to_owned(), Duration::from_secs(10));
        assert_eq!(check(), Err("retry-later"));
        assert_eq!(later.check("https://b.example", &url), Ok(()));
        tokio::time::advance(Duration::from_millis(9_900)).await;
        assert_eq!(check(), Err("retry-later"));
        tokio::time::advance(Duration::from_millis(100)).await;
        assert_eq!(check(), Ok(()));
        assert!(lock(&later.until).is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_remembered_is_bounded() {
        let later = Later::new(Traffic::default());
        for i in 0..MAX_REMEMBERED + 10 {
            let seconds = u64::try_from(10 + i).unwrap();
            later.remember(format!("https://{i}.example"), Duration::from_secs(seconds));
        }
        let until = lock(&later.until);
        assert_eq!(until.len(), MAX_REMEMBERED);
        // The ones that would have ended soonest made room.
        assert!(!until.contains_key("https://0.example"));
        assert!(until.contains_key(&format!("https://{}.example", MAX_REMEMBERED + 9)));
    }

    #[tokio::test]
    async fn nothing_is_kept_of_hosts_that_nobody_asks() {
        let traffic = Traffic {
            per_host: 1,
            wait: Duration::from_millis(20),
            ..Traffic::default()
        };
        let gate = Gate::new(traffic);
        let url = ShownUrl::from_text("https://a.example/");
        let first = gate.enter("a.example", &url).await.unwrap();
        let other = gate.enter("b.example", &url).await.unwrap();
        let code = gate.enter("a.example", &url).await.unwrap_err().code();
        assert_eq!(code, "busy");
        assert_eq!(gate.known_hosts(), 2);
        drop(other);
        drop(first);
        assert_eq!(gate.known_hosts(), 0);
        gate.enter("a.example", &url).await.unwrap();
    }

    proptest! {
        #[test]
        fn no_retry_after_panics_or_exceeds_the_bound(text in ".{0,40}") {
            let later = Later::new(Traffic::default());
            let mut headers = HeaderMap::new();
            if let Ok(value) = HeaderValue::from_bytes(text.as_bytes()) {
                headers.append(RETRY_AFTER, value);
            }
            let wait = later.asked(StatusCode::TOO_MANY_REQUESTS, &headers);
            prop_assert!(wait.unwrap_or_default() <= Duration::from_secs(3_600));
        }
    }
}
