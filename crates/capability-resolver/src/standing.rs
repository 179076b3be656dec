//! What a resolver may state of a server after all that it saw of it: section 8 of the text.
//!
//! A [`Standing`] comes from observations and from nothing else, and a [`Statement`] from a standing. What signs tokens
//! takes statements, so a status without an observation behind it cannot be signed: `status.observed`.

use capability_resolution::limits::OBSERVATION_MAX_AGE_SECONDS;
use capability_resolution::{Observation, ServerUrl, Status, Time};

use crate::clock::seconds_since;
use crate::observed::{FailureClass, Observed, Outcome, Reason, Start};

/// The shortest time between the two failures of `down`, in seconds: `status.down`.
pub const DOWN_MIN_SECONDS: u64 = 600;

/// What the observations of a server came to, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub(crate) first_seen: Time,
    pub(crate) last: Time,
    pub(crate) last_outcome: Outcome,
    /// The status that stands, and the end of the observation that it rests on.
    pub(crate) status: Status,
    pub(crate) status_at: Time,
    /// The failures of one class that the history ends with: the class, and the end of the first of them.
    pub(crate) run: Option<(FailureClass, Time)>,
    /// How many failures and unsettled observations the history ends with.
    pub(crate) misses: u32,
    /// The step that led to `ok` or `sign_in`, if the last observation came to that.
    pub(crate) led_by: Option<Start>,
    /// `mcp.handshake` of the last `ok` or `sign_in`, in milliseconds.
    pub(crate) handshake_ms: Option<u32>,
}

/// What may be signed of a server at one moment: the only way to it is
/// [`Denials::statement`](crate::server_file::Denials::statement).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    observation: Observation,
    first_seen: Time,
    handshake_ms: Option<u32>,
}

impl Standing {
    /// What stands after one more observation, or after the first one.
    #[must_use]
    pub fn after(before: Option<&Self>, observed: &Observed) -> Self {
        let at = observed.ended_at;
        let settled = matches!(observed.outcome, Outcome::Ok | Outcome::SignIn);
        let run = match observed.outcome {
            Outcome::Failure(class) => {
                let since = before
                    .and_then(|before| before.run)
                    .filter(|(of, _)| *of == class);
                // A clock that went back makes the distance no longer.
                Some((class, since.map_or(at, |(_, since)| since.min(at))))
            }
            _ => None,
        };
        let is_down = run.is_some_and(|(_, since)| seconds_since(at, since) >= DOWN_MIN_SECONDS);
        let (status, status_at) = match observed.outcome {
            Outcome::Ok => (Status::Ok, at),
            Outcome::SignIn => (Status::SignIn, at),
            Outcome::Failure(_) if is_down => (Status::Down, at),
            // `status.first-failure`
            Outcome::Failure(_) | Outcome::Unknown(Reason::RateLimited) => before
                .map_or((Status::Unknown, at), |before| {
                    (before.status, before.status_at)
                }),
            Outcome::Unknown(_) => (Status::Unknown, at),
        };
        Self {
            first_seen: before.map_or(at, |before| before.first_seen.min(at)),
            last: at,
            last_outcome: observed.outcome,
            status,
            status_at,
            run,
            misses: if settled {
                0
            } else {
                before.map_or(0, |before| before.misses).saturating_add(1)
            },
            led_by: observed.led_by,
            handshake_ms: if settled {
                observed.handshake_ms
            } else {
                before.and_then(|before| before.handshake_ms)
            },
        }
    }

    /// The status at a moment and when it was observed, or nothing that may be stated: `status.max-age.issue`.
    ///
    /// After a clock went back nothing is stated until it has caught up, since `status.checked-at` allows no time that
    /// is still to come.
    #[must_use]
    pub fn status(&self, now: Time) -> Option<(Status, Time)> {
        let young = |at| at <= now && seconds_since(now, at) <= OBSERVATION_MAX_AGE_SECONDS;
        if !young(self.last) {
            return None;
        }
        if self.status == Status::Unknown || !young(self.status_at) {
            return Some((Status::Unknown, self.last));
        }
        Some((self.status, self.status_at))
    }

    /// What may be signed of the server that this is the standing of.
    #[must_use]
    pub(crate) fn statement(&self, url: &ServerUrl, now: Time) -> Option<Statement> {
        let (status, checked_at) = self.status(now)?;
        Some(Statement {
            observation: Observation {
                url: url.clone(),
                status,
                checked_at,
            },
            first_seen: self.first_seen.min(checked_at),
            handshake_ms: self.handshake_ms,
        })
    }

    /// The step that the next observation begins with. After one that came to neither `ok` nor `sign_in` it is step 1, as
    /// `mcp.era-cache.recheck` asks for.
    #[must_use]
    pub fn begin_with(&self) -> Start {
        self.led_by.unwrap_or(Start::Discover)
    }

    /// When the last observation ended, and what it came to.
    #[must_use]
    pub fn last(&self) -> (Time, Outcome) {
        (self.last, self.last_outcome)
    }

    /// How many failures and unsettled observations the history ends with.
    #[must_use]
    pub fn misses(&self) -> u32 {
        self.misses
    }
}

impl Statement {
    /// For [`capability_resolution::Signer`].
    #[must_use]
    pub fn observation(&self) -> &Observation {
        &self.observation
    }

    /// When the server was first observed.
    #[must_use]
    pub fn first_seen(&self) -> Time {
        self.first_seen
    }

    /// `mcp.handshake` of the last `ok` or `sign_in`, in milliseconds.
    #[must_use]
    pub fn handshake_ms(&self) -> Option<u32> {
        self.handshake_ms
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An observation that ended at a second.
    pub(crate) fn seen(at: i64, outcome: Outcome) -> Observed {
        Observed {
            started_at: Time::from_unix_seconds(at - 1),
            ended_at: Time::from_unix_seconds(at),
            outcome,
            began_with: Start::Discover,
            led_by: matches!(outcome, Outcome::Ok | Outcome::SignIn).then_some(Start::Initialize),
            handshake_ms: matches!(outcome, Outcome::Ok | Outcome::SignIn).then_some(12),
            requests: 2,
            retry_after: None,
            tools: None,
        }
    }

    pub(crate) fn outcomes() -> impl Strategy<Value = Outcome> {
        prop_oneof![
            Just(Outcome::Ok),
            Just(Outcome::SignIn),
            prop::sample::select(FailureClass::ALL).prop_map(Outcome::Failure),
            prop::sample::select(Reason::ALL).prop_map(Outcome::Unknown),
        ]
    }

    const DOWN: Outcome = Outcome::Failure(FailureClass::Connection);
    const LATE: Outcome = Outcome::Failure(FailureClass::Timeout);
    const BUSY: Outcome = Outcome::Unknown(Reason::RateLimited);
    const BLOCKED: Outcome = Outcome::Unknown(Reason::Blocked);

    fn after(history: &[(i64, Outcome)]) -> Standing {
        let mut standing = None;
        for (at, outcome) in history {
            standing = Some(Standing::after(standing.as_ref(), &seen(*at, *outcome)));
        }
        standing.unwrap()
    }

    fn status(history: &[(i64, Outcome)], now: i64) -> Option<(Status, i64)> {
        after(history)
            .status(Time::from_unix_seconds(now))
            .map(|(status, at)| (status, at.unix_seconds()))
    }

    // r[status.down] r[status.first-failure] r[status.checked-at] r[mcp.failure]
    #[test]
    fn down_needs_two_failures_of_one_class() {
        for (history, expected) in [
            (&[(0, DOWN)][..], (Status::Unknown, 0)),
            (&[(0, Outcome::Ok), (100, DOWN)], (Status::Ok, 0)),
            (
                &[(0, Outcome::Ok), (100, DOWN), (699, DOWN)],
                (Status::Ok, 0),
            ),
            (
                &[(0, Outcome::Ok), (100, DOWN), (700, DOWN)],
                (Status::Down, 700),
            ),
            (
                &[(100, DOWN), (400, DOWN), (700, DOWN)],
                (Status::Down, 700),
            ),
            (&[(100, DOWN), (700, LATE)], (Status::Unknown, 700)),
            (
                &[(100, DOWN), (300, BUSY), (700, DOWN)],
                (Status::Unknown, 700),
            ),
            (
                &[(100, DOWN), (300, Outcome::Ok), (700, DOWN)],
                (Status::Ok, 300),
            ),
            (
                &[(100, DOWN), (700, DOWN), (800, LATE)],
                (Status::Down, 700),
            ),
            (
                &[(100, DOWN), (700, DOWN), (800, LATE), (1400, LATE)],
                (Status::Down, 1400),
            ),
            (&[(0, Outcome::SignIn), (100, BUSY)], (Status::SignIn, 0)),
            (&[(0, Outcome::Ok), (100, BLOCKED)], (Status::Unknown, 100)),
            (
                &[(0, Outcome::Ok), (100, BLOCKED), (200, DOWN)],
                (Status::Unknown, 200),
            ),
            // A clock that went back between two looks a moment apart.
            (
                &[(5_000, DOWN), (1_000, DOWN), (1_100, DOWN)],
                (Status::Unknown, 1_100),
            ),
            (
                &[(5_000, DOWN), (1_000, DOWN), (1_600, DOWN)],
                (Status::Down, 1_600),
            ),
        ] {
            let now = history.last().unwrap().0;
            assert_eq!(status(history, now), Some(expected), "{history:?}");
        }
    }

    // r[status.max-age.issue]
    #[test]
    fn what_is_too_old_is_unknown_or_left_out() {
        let history = [(0, Outcome::Ok), (86_000, DOWN)];
        assert_eq!(status(&history, 86_400), Some((Status::Ok, 0)));
        assert_eq!(status(&history, 86_401), Some((Status::Unknown, 86_000)));
        assert_eq!(
            status(&history, 86_000 + 86_400),
            Some((Status::Unknown, 86_000))
        );
        assert_eq!(status(&history, 86_000 + 86_401), None);
        assert_eq!(
            status(&[(100, Outcome::Ok)], 99),
            None,
            "a clock that went back"
        );
    }

    // r[mcp.era-cache] r[mcp.era-cache.recheck]
    #[test]
    fn begins_where_it_last_got_through() {
        for settled in [Outcome::Ok, Outcome::SignIn] {
            assert_eq!(after(&[(0, settled)]).begin_with(), Start::Initialize);
            for missed in [DOWN, BUSY, BLOCKED] {
                assert_eq!(
                    after(&[(0, settled), (1, missed)]).begin_with(),
                    Start::Discover
                );
            }
        }
        assert_eq!(after(&[(0, DOWN)]).begin_with(), Start::Discover);
    }

    proptest! {
        // r[status.observed] r[status.down] r[status.max-age]
        #[test]
        fn nothing_is_stated_that_was_not_seen(
            history in prop::collection::vec((0_i64..200_000, outcomes()), 1..12), now in 0_i64..300_000,
        ) {
            if let Some((status, at)) = status(&history, now) {
                let seen: Vec<_> = history.iter().filter(|(ended, _)| *ended == at).map(|(_, outcome)| *outcome).collect();
                prop_assert!(at <= now && now - at <= 86_400);
                let was_seen = match status {
                    Status::Ok => seen.contains(&Outcome::Ok),
                    Status::SignIn => seen.contains(&Outcome::SignIn),
                    Status::Down => seen.iter().any(|outcome| matches!(outcome, Outcome::Failure(_))) && history.len() >= 2,
                    Status::Unknown => at == history.last().unwrap().0,
                };
                prop_assert!(was_seen, "{status}");
                // And it is what can be signed.
                let url = "https://a.example/mcp".parse().unwrap();
                let statement = after(&history).statement(&url, Time::from_unix_seconds(now)).unwrap();
                let signer = capability_resolution::Signer::new("https://r.example".parse().unwrap(), "k", &[7; 32]).unwrap();
                let (iat, exp) = (Time::from_unix_seconds(now), Time::from_unix_seconds(now + 60));
                prop_assert!(signer.token(statement.observation(), iat, exp).is_ok());
                prop_assert!(statement.first_seen() <= statement.observation().checked_at);
            }
        }

        // r[status.down]
        #[test]
        fn down_is_never_stated_of_one_moment(gaps in prop::collection::vec((0_i64..599, outcomes()), 1..20)) {
            // However many looks: within 599 seconds nothing is down.
            let first = gaps[0].0;
            let history: Vec<_> = gaps.iter().map(|(gap, outcome)| (first + gap, *outcome)).collect();
            prop_assert!(after(&history).status != Status::Down);
        }
    }
}
