//! How often an address asks, and how many connections it holds: without keeping who it was.
//!
//! Addresses are kept as digests that only this process can make, in memory, and for about a minute. Nothing of what they
//! asked for is beside them.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use ipnet::IpNet;

use crate::lock;

/// A caller, as long as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Caller(u64);

/// Who asks how often.
#[derive(Debug)]
pub struct Callers {
    digests: RandomState,
    proxies: Vec<IpNet>,
    /// The time that each request of a caller takes up; none where there is no limit.
    interval: Option<Duration>,
    /// When a caller has used up what it asked for so far.
    used_up: Mutex<HashMap<Caller, Instant>>,
    open: Arc<Mutex<HashMap<Caller, usize>>>,
}

/// A connection of a caller, counted until it is dropped.
#[derive(Debug)]
pub struct Connected {
    open: Arc<Mutex<HashMap<Caller, usize>>>,
    caller: Caller,
}

/// A caller may ask at once for what it may ask for in this time.
const BURST: Duration = Duration::from_secs(60);
/// How many callers are remembered; beyond them, those that have used up nothing are forgotten, and then all.
const CALLERS_MAX: usize = 100_000;
/// How many connections one address holds at once.
const CONNECTIONS_OF_ONE: usize = 64;

impl Callers {
    /// No caller yet. `proxies` are those whose word on who asks is taken; `per_minute` 0 is no limit.
    #[must_use]
    pub fn new(proxies: Vec<IpNet>, per_minute: u32) -> Self {
        Self {
            digests: RandomState::new(),
            proxies,
            interval: (per_minute > 0).then(|| BURST / per_minute),
            used_up: Mutex::default(),
            open: Arc::default(),
        }
    }

    /// Whether an address is that of a proxy of ours.
    #[must_use]
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.proxies.iter().any(|net| net.contains(&address))
    }

    /// Who asks: the peer, or, where that is a proxy, the last address of `X-Forwarded-For` that is none.
    #[must_use]
    pub fn caller(&self, peer: IpAddr, headers: &HeaderMap) -> Caller {
        if !self.is_proxy(peer) {
            return self.digest(peer);
        }
        let forwarded: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .collect();
        let mut nearest_first = forwarded.iter().rev().map(|one| one.trim().parse());
        let stranger =
            nearest_first.find(|one| one.as_ref().map_or(true, |one| !self.is_proxy(*one)));
        match stranger {
            Some(Ok(address)) => self.digest(address),
            _ => self.digest(peer),
        }
    }

    /// Counts a request; if it is one too many, how long the caller has to wait. GCRA, the leaky bucket as a meter.
    ///
    /// # Errors
    ///
    /// The time to wait.
    pub fn count(&self, caller: Caller, now: Instant) -> Result<(), Duration> {
        let Some(interval) = self.interval else {
            return Ok(());
        };
        let mut used_up = lock::lock(&self.used_up);
        if used_up.len() >= CALLERS_MAX && !used_up.contains_key(&caller) {
            used_up.retain(|_, until| *until > now);
            if used_up.len() >= CALLERS_MAX {
                used_up.clear();
            }
        }
        let until = used_up.entry(caller).or_insert(now);
        let next = (*until).max(now) + interval;
        let ahead = next.duration_since(now);
        if ahead > BURST {
            return Err(ahead - BURST);
        }
        *until = next;
        Ok(())
    }

    /// Counts a connection of a peer; nothing if it holds too many. A proxy may hold any number.
    #[must_use]
    pub fn connect(&self, peer: IpAddr) -> Option<Connected> {
        let caller = self.digest(peer);
        let mut open = lock::lock(&self.open);
        let count = open.entry(caller).or_insert(0);
        if *count >= CONNECTIONS_OF_ONE && !self.is_proxy(peer) {
            return None;
        }
        *count += 1;
        Some(Connected {
            open: Arc::clone(&self.open),
            caller,
        })
    }

    /// An IPv6 network of 64 bits is one caller: whoever has one address of it mostly has them all.
    fn digest(&self, address: IpAddr) -> Caller {
        Caller(match address.to_canonical() {
            IpAddr::V4(address) => self.digests.hash_one(address),
            IpAddr::V6(address) => self.digests.hash_one(&address.segments()[..4]),
        })
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        let mut open = lock::lock(&self.open);
        if let Some(count) = open.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn callers(per_minute: u32) -> Callers {
        let proxies = ["127.0.0.0/8", "10.0.0.0/8"];
        Callers::new(
            proxies.iter().map(|net| net.parse().unwrap()).collect(),
            per_minute,
        )
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn forwarded(values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        headers
    }

    // r[error.rate]
    #[test]
    fn a_minute_at_once_and_then_at_that_pace() {
        let callers = callers(60);
        let now = Instant::now();
        let one = callers.caller(ip("192.0.2.1"), &HeaderMap::new());
        let other = callers.caller(ip("192.0.2.2"), &HeaderMap::new());
        assert!((0..60).all(|_| callers.count(one, now).is_ok()));
        let wait = callers.count(one, now).unwrap_err();
        assert_eq!(wait, Duration::from_secs(1));
        assert!(callers.count(other, now).is_ok());
        assert!(callers.count(one, now + wait).is_ok());
        assert!(callers.count(one, now + wait).is_err());
        assert!((0..60).all(|_| callers.count(one, now + Duration::from_secs(99)).is_ok()));
        let free = Callers::new(Vec::new(), 0);
        assert!((0..100_000).all(|_| free.count(one, now).is_ok()));
    }

    #[test]
    fn only_a_proxy_is_believed_who_asks() {
        let callers = callers(60);
        let plain = |peer: &str| callers.caller(ip(peer), &HeaderMap::new());
        let through = |peer: &str, values: &[&str]| callers.caller(ip(peer), &forwarded(values));
        assert_eq!(through("192.0.2.1", &["192.0.2.9"]), plain("192.0.2.1"));
        assert_eq!(through("127.0.0.1", &["192.0.2.9"]), plain("192.0.2.9"));
        // What the caller wrote itself stands before what the proxy added.
        assert_eq!(
            through("127.0.0.1", &["192.0.2.7, 192.0.2.9"]),
            plain("192.0.2.9")
        );
        assert_eq!(
            through("127.0.0.1", &["192.0.2.7", "192.0.2.9, 10.1.1.1"]),
            plain("192.0.2.9")
        );
        assert_eq!(
            through("127.0.0.1", &["192.0.2.7, no address"]),
            plain("127.0.0.1")
        );
        assert_eq!(through("127.0.0.1", &[]), plain("127.0.0.1"));
        assert_eq!(
            through("::ffff:127.0.0.1", &["192.0.2.9"]),
            plain("192.0.2.9")
        );
        assert_eq!(plain("2001:db8::1"), plain("2001:db8:0:0:ffff::2"));
        assert_ne!(plain("2001:db8::1"), plain("2001:db8:0:1::1"));
    }

    #[test]
    fn one_address_holds_so_many_connections_and_no_more() {
        let callers = callers(60);
        let mut held: Vec<_> = (0..64)
            .map(|_| callers.connect(ip("192.0.2.1")).unwrap())
            .collect();
        assert!(callers.connect(ip("192.0.2.1")).is_none());
        assert!(callers.connect(ip("192.0.2.2")).is_some());
        held.pop();
        assert!(callers.connect(ip("192.0.2.1")).is_some());
        let proxy: Vec<_> = (0..500)
            .map(|_| callers.connect(ip("127.0.0.1")).unwrap())
            .collect();
        drop((held, proxy));
        assert!(callers.open.lock().unwrap().is_empty());
    }

    #[test]
    fn a_flood_of_addresses_fills_no_memory() {
        let callers = callers(60);
        let now = Instant::now();
        for n in 0..250_000_u64 {
            assert!(callers.count(Caller(n), now).is_ok());
        }
        assert!(callers.used_up.lock().unwrap().len() <= CALLERS_MAX);
    }
}
