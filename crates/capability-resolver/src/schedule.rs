//! When to look at which server: functions of what was seen, of the time, and of a number that was drawn.

use std::collections::{HashMap, VecDeque};

use capability_resolution::limits::OBSERVATION_MAX_AGE_SECONDS;
use capability_resolution::{Status, Time};

use crate::config::Schedule;
use crate::observed::{Observed, Outcome};
use crate::standing::Standing;
use crate::store::ServerId;

/// The longest wait for a server that fails or settles nothing, in seconds: short enough that its status is never left
/// out for being too old.
pub const WAIT_MAX_SECONDS: u64 = 22 * 3_600;

/// A server is not looked at again before so many seconds: `observation.rate`.
pub const WAIT_MIN_SECONDS: u64 = 600;

/// When to look at a server again after an observation and what stands after it. `draw` is any number; it spreads what
/// began at the same moment.
#[must_use]
pub fn next_look(schedule: Schedule, standing: &Standing, observed: &Observed, draw: u32) -> Time {
    let interval = schedule.interval_minutes * 60;
    let second_look = schedule.second_look_minutes * 60;
    // Twice as long with each miss; by then more doublings make no difference.
    let doubled = |first: u64, times: u32| first.saturating_mul(1 << times.min(16));
    let misses = standing.misses.max(1) - 1;
    let wait = match observed.outcome {
        Outcome::Ok | Outcome::SignIn => sooner(interval, draw),
        // A failure that is not `down` yet: the second look, no sooner than `status.down` allows.
        Outcome::Failure(_) if standing.status != Status::Down => later(
            doubled(second_look, misses).min(interval.max(second_look)),
            draw,
        )
        .min(WAIT_MAX_SECONDS),
        Outcome::Failure(_) | Outcome::Unknown(_) => {
            sooner(doubled(interval, misses).min(WAIT_MAX_SECONDS), draw)
        }
    };
    // `observation.retry-after`: a longer one counts as a day.
    let asked = observed
        .retry_after
        .map_or(0, u64::from)
        .min(OBSERVATION_MAX_AGE_SECONDS);
    observed
        .ended_at
        .plus(wait.max(WAIT_MIN_SECONDS).max(asked))
}

/// Up to a tenth sooner.
fn sooner(wait: u64, draw: u32) -> u64 {
    wait - share(wait / 10, draw)
}

/// Up to a quarter later.
fn later(wait: u64, draw: u32) -> u64 {
    wait + share(wait / 4, draw)
}

/// The part of `most` that a drawn number stands for.
fn share(most: u64, draw: u32) -> u64 {
    most.saturating_mul(u64::from(draw)) >> 32
}

/// The servers that are due, by host: hosts take turns, and none is asked more at once than it may.
#[derive(Debug, Default)]
pub struct Plan {
    hosts: VecDeque<(String, VecDeque<ServerId>)>,
    busy: HashMap<String, u64>,
    left: usize,
}

impl Plan {
    /// A plan of servers with their hosts, the longest due first.
    pub fn new(due: impl IntoIterator<Item = (ServerId, String)>) -> Self {
        let mut plan = Self::default();
        plan.renew(due);
        plan
    }

    /// The same plan with other servers waiting; none of them is under way.
    pub fn renew(&mut self, due: impl IntoIterator<Item = (ServerId, String)>) {
        let mut hosts: Vec<(String, VecDeque<ServerId>)> = Vec::new();
        let mut places = HashMap::new();
        self.left = 0;
        for (server, host) in due {
            let place = *places.entry(host.clone()).or_insert_with(|| {
                hosts.push((host, VecDeque::new()));
                hosts.len() - 1
            });
            if let Some((_, servers)) = hosts.get_mut(place) {
                servers.push_back(server);
                self.left += 1;
            }
        }
        self.hosts = hosts.into();
    }

    /// A server that was not begun after all: it is the next one of its host, and under way no more.
    pub fn put_back(&mut self, server: ServerId, host: String) {
        self.done(&host);
        self.left += 1;
        match self.hosts.iter_mut().find(|(other, _)| *other == host) {
            Some((_, servers)) => servers.push_front(server),
            None => self.hosts.push_back((host, VecDeque::from([server]))),
        }
    }

    /// The next server, on a host with fewer than `per_host` under way of which `is_ready` holds. It counts as under way
    /// until [`Self::done`].
    pub fn next(
        &mut self,
        per_host: u64,
        mut is_ready: impl FnMut(&str) -> bool,
    ) -> Option<(ServerId, String)> {
        let ready = self.hosts.iter().position(|(host, _)| {
            self.busy.get(host).copied().unwrap_or(0) < per_host && is_ready(host)
        })?;
        let (host, mut servers) = self.hosts.remove(ready)?;
        let server = servers.pop_front()?;
        self.left -= 1;
        *self.busy.entry(host.clone()).or_insert(0) += 1;
        if !servers.is_empty() {
            self.hosts.push_back((host.clone(), servers));
        }
        Some((server, host))
    }

    /// A server of this host is under way no more.
    pub fn done(&mut self, host: &str) {
        if let Some(busy) = self.busy.get_mut(host) {
            *busy = busy.saturating_sub(1);
            if *busy == 0 {
                self.busy.remove(host);
            }
        }
    }

    /// How many servers wait.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::observed::{FailureClass, Reason};
    use crate::standing::tests::{outcomes, seen};

    const SCHEDULE: Schedule = Schedule {
        interval_minutes: 480,
        second_look_minutes: 15,
    };

    fn wait(history: &[(i64, Outcome)], draw: u32) -> i64 {
        let mut standing = None;
        for (at, outcome) in history {
            standing = Some(Standing::after(standing.as_ref(), &seen(*at, *outcome)));
        }
        let (at, outcome) = history.last().unwrap();
        next_look(SCHEDULE, &standing.unwrap(), &seen(*at, *outcome), draw).unix_seconds() - at
    }

    const GONE: Outcome = Outcome::Failure(FailureClass::Gone);
    const LATE: Outcome = Outcome::Failure(FailureClass::Timeout);

    #[test]
    fn waits_as_the_settings_say() {
        for (history, shortest, longest) in [
            (&[(0, Outcome::Ok)][..], 25_920, 28_800),
            (&[(0, Outcome::Ok), (9, GONE)], 900, 1_125),
            (&[(0, GONE), (9, LATE)], 1_800, 2_250),
            (&[(0, GONE), (900, GONE)], 51_840, 57_600),
            (&[(0, GONE), (900, GONE), (9_000, GONE)], 71_280, 79_200),
            (&[(0, Outcome::Unknown(Reason::Blocked))], 25_920, 28_800),
        ] {
            let (soonest, latest) = (wait(history, u32::MAX), wait(history, 0));
            let (low, high) = (soonest.min(latest), soonest.max(latest));
            assert!(
                (low - shortest).abs() <= 1 && (high - longest).abs() <= 1,
                "{history:?}: {low} to {high}"
            );
        }
    }

    proptest! {
        // r[observation.rate] r[observation.retry-after] r[status.max-age.issue] r[status.down]
        #[test]
        fn never_too_soon_and_never_too_late(
            history in prop::collection::vec((0_i64..10_000_000, outcomes()), 1..10),
            draw: u32, asked in prop::option::of(any::<u32>()),
            interval_minutes in 10_u64..=1_320, second_look_minutes in 10_u64..=240,
        ) {
            let schedule = Schedule { interval_minutes, second_look_minutes };
            let standing = history.iter().fold(None, |before, (at, outcome)| Some(Standing::after(before.as_ref(), &seen(*at, *outcome))));
            let (at, outcome) = *history.last().unwrap();
            let observed = Observed { retry_after: asked, ..seen(at, outcome) };
            let wait = next_look(schedule, &standing.unwrap(), &observed, draw).unix_seconds() - at;
            let asked = i64::from(asked.unwrap_or(0)).min(86_400);
            prop_assert!(wait >= 600 && wait >= asked, "{wait}");
            prop_assert!(wait <= 79_200_i64.max(asked), "what stands would be left out before the next look: {wait}");
        }

        #[test]
        fn every_server_has_its_turn_once_and_no_host_too_many(
            due in prop::collection::vec(0_u8..6, 0..60), per_host in 1_u64..4, steps in prop::collection::vec(any::<bool>(), 200),
        ) {
            let of = |(n, host): (usize, &u8)| (ServerId(i64::try_from(n).unwrap()), format!("h{host}"));
            let mut plan = Plan::new(due.iter().enumerate().map(of));
            let (mut under_way, mut seen) = (Vec::<(ServerId, String)>::new(), Vec::new());
            for start in steps.into_iter().chain(std::iter::repeat_n(true, 200)) {
                let next = if start { plan.next(per_host, |host| host != "h5") } else { None };
                match next {
                    Some((server, host)) => {
                        under_way.push((server, host.clone()));
                        let on_host = under_way.iter().filter(|(_, other)| *other == host).count();
                        prop_assert!(u64::try_from(on_host).unwrap() <= per_host);
                        seen.push(server);
                    }
                    None => if !under_way.is_empty() {
                        let (_, host) = under_way.remove(0);
                        plan.done(&host);
                    },
                }
            }
            let ready = due.iter().filter(|host| **host != 5).count();
            prop_assert_eq!(plan.left(), due.len() - ready);
            seen.sort();
            seen.dedup();
            prop_assert_eq!(seen.len(), ready);
        }

        #[test]
        fn no_host_waits_behind_the_servers_of_another(many in 1_i64..500) {
            let due = (0..many).map(|n| (ServerId(n), "many".to_owned())).chain([(ServerId(many), "one".to_owned())]);
            let mut plan = Plan::new(due);
            let first: Vec<_> = std::iter::from_fn(|| plan.next(2, |_| true)).map(|(_, host)| host).take(2).collect();
            prop_assert_eq!(first, ["many", "one"]);
        }
    }
}
