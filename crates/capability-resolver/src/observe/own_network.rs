//! Whether anybody answers: where nobody does, nothing was observed (`observation.own-network`).
//!
//! What came to no answer is held back until somebody answered after it began; then it is kept. Where nobody does in
//! time it is given up as if it had never been, and only a few are asked until somebody answers again.

use std::time::Duration;

use tokio::time::Instant;

/// How long after its end an answer from elsewhere lets an unanswered observation be kept.
const ANSWER_WITHIN: Duration = Duration::from_secs(60);

/// `observation.own-network.pause`: after so long so many are asked, to see whether somebody answers.
const PAUSE: Duration = Duration::from_secs(60);
const TRIAL: usize = 3;

/// How long after a check the next one may begin.
const CHECK_EVERY: Duration = Duration::from_secs(10);

/// So much is held back before nobody else is asked, however few may be asked at once.
const HELD_MIN: usize = 16;

/// When something was asked, and whether it was answered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) began: Instant,
    pub(super) ended: Instant,
    /// The latest moment known after which response headers came.
    pub(super) answered: Option<Instant>,
}

impl Times {
    /// Whether the answer that came to this lets an observation without one be kept.
    fn vouches_for(&self, unanswered: &Self) -> bool {
        let after = self.answered.is_some_and(|at| at > unanswered.began);
        after && self.ended <= unanswered.ended + ANSWER_WITHIN
    }
}

/// What is held back, and what is known of the own network.
#[derive(Debug)]
pub(super) struct OwnNetwork<T> {
    held: Vec<(Times, T)>,
    last_answer: Option<Times>,
    is_checked: bool,
    next_check: Option<Instant>,
    /// Nobody answered; and until when nobody is asked.
    pause: Option<Instant>,
}

/// Whether to ask somebody who answered before, for the sake of what is held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Now, and so many.
    Now(usize),
    /// Not yet.
    Later,
    /// That was done.
    Done,
}

impl<T> OwnNetwork<T> {
    pub(super) fn new() -> Self {
        Self {
            held: Vec::new(),
            last_answer: None,
            is_checked: false,
            next_check: None,
            pause: None,
        }
    }

    /// Takes what came of asking, and hands over what may be kept now.
    pub(super) fn take(&mut self, times: Times, what: T) -> Vec<T> {
        if times.answered.is_none() {
            return match self.last_answer {
                Some(answer) if answer.vouches_for(&times) => vec![what],
                _ => {
                    self.held.push((times, what));
                    Vec::new()
                }
            };
        }
        if self
            .last_answer
            .is_none_or(|last| last.answered < times.answered)
        {
            self.last_answer = Some(times);
        }
        (self.is_checked, self.pause) = (false, None);
        let vouched = self
            .held
            .extract_if(.., |(held, _)| times.vouches_for(held));
        let mut kept: Vec<T> = vouched.map(|(_, held)| held).collect();
        kept.push(what);
        kept
    }

    /// How many more may be asked, where `under_way` are and `most` may be.
    pub(super) fn room(&self, most: usize, under_way: usize, now: Instant) -> usize {
        let held = self.held.len();
        match self.pause {
            Some(until) if now < until => 0,
            Some(_) => TRIAL.saturating_sub(under_way + held),
            None if held >= most.max(HELD_MIN) => 0,
            None => most.saturating_sub(under_way),
        }
    }

    /// Whether to ask somebody who answered before. What is to be done now counts as done.
    pub(super) fn check(&mut self, now: Instant) -> Check {
        if self.is_checked {
            return Check::Done;
        }
        if self.next_check.is_some_and(|at| now < at) {
            return Check::Later;
        }
        (self.is_checked, self.next_check) = (true, Some(now + CHECK_EVERY));
        Check::Now(TRIAL)
    }

    /// Whether an answer would come too late for something that is held back.
    pub(super) fn is_too_late(&self, now: Instant) -> bool {
        let mut held = self.held.iter();
        held.any(|(times, _)| now > times.ended + ANSWER_WITHIN)
    }

    /// Nobody answered: hands over what is not kept.
    pub(super) fn give_up(&mut self, now: Instant) -> Vec<T> {
        (self.is_checked, self.pause) = (false, Some(now + PAUSE));
        self.held.drain(..).map(|(_, held)| held).collect()
    }

    /// How much is held back.
    pub(super) fn held(&self) -> usize {
        self.held.len()
    }

    /// Whether nobody answered, and nobody has since.
    pub(super) fn is_cut_off(&self) -> bool {
        self.pause.is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn times(start: Instant, began: u64, ended: u64, answered: Option<u64>) -> Times {
        let at = |seconds| start + Duration::from_secs(seconds);
        Times {
            began: at(began),
            ended: at(ended),
            answered: answered.map(at),
        }
    }

    // r[observation.own-network]
    #[test]
    fn an_answer_counts_from_the_beginning_to_a_minute_after_the_end() {
        let start = Instant::now();
        for (answered, ended, kept) in [
            (100, 110, false),
            (101, 110, true),
            (130, 170, true),
            (160, 170, true),
            (160, 171, false),
        ] {
            let mut network = OwnNetwork::new();
            let answer = times(start, 50, ended, Some(answered));
            let unanswered = times(start, 100, 110, None);
            assert!(network.take(unanswered, "unanswered").is_empty());
            let after = network.take(answer, "answer");
            assert_eq!(after.contains(&"unanswered"), kept, "{answered} {ended}");
            let mut network = OwnNetwork::new();
            assert_eq!(network.take(answer, "answer"), ["answer"]);
            assert_eq!(
                network.take(unanswered, "unanswered").len(),
                usize::from(kept),
                "{answered} {ended}, before it"
            );
        }
    }

    // r[observation.own-network.pause]
    #[test]
    fn when_nobody_answers_a_few_are_asked_each_minute() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut network = OwnNetwork::new();
        for n in 0..63 {
            assert_eq!(network.room(64, 0, at(n)), 64);
            network.take(times(start, n, n, None), n);
        }
        network.take(times(start, 63, 63, None), 63);
        assert_eq!(network.room(64, 0, at(63)), 0, "too much is held back");
        assert_eq!(network.check(at(63)), Check::Now(3));
        assert_eq!(network.check(at(64)), Check::Done);
        assert_eq!(network.give_up(at(65)).len(), 64);
        for pause in 0..3 {
            let (before, after) = (at(124 + 60 * pause), at(125 + 60 * pause));
            assert_eq!(
                (network.room(64, 0, before), network.room(64, 0, after)),
                (0, 3)
            );
            // The check comes first, and is no reason to ask more.
            assert_eq!(network.check(after), Check::Now(3));
            assert_eq!(network.room(64, 2, after), 1);
            network.take(times(start, 125, 125 + 60 * pause, None), pause);
            assert_eq!(network.room(64, 1, after), 1);
            assert_eq!(network.check(after), Check::Done);
            assert_eq!(network.give_up(after).len(), 1);
        }
        assert!(network.is_cut_off());
        network.take(times(start, 260, 261, Some(260)), 0);
        assert!(!network.is_cut_off());
        assert_eq!(network.room(64, 0, at(261)), 64);
    }

    #[test]
    fn one_who_answered_before_is_not_asked_all_the_time() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut network = OwnNetwork::new();
        network.take(times(start, 0, 1, None), 0);
        assert_eq!(network.check(at(1)), Check::Now(3));
        network.take(times(start, 1, 2, Some(2)), 1);
        network.take(times(start, 3, 4, None), 2);
        assert_eq!(network.check(at(4)), Check::Later);
        assert_eq!(network.check(at(11)), Check::Now(3));
        assert!(!network.is_too_late(at(64)) && network.is_too_late(at(65)));
    }

    proptest! {
        // r[observation.own-network]
        #[test]
        fn what_is_kept_was_vouched_for_and_nothing_is_lost(
            asked in prop::collection::vec((0_u64..90, 0_u64..30, prop::option::of(0_u64..30), any::<bool>()), 1..60),
        ) {
            let start = Instant::now();
            let mut network = OwnNetwork::new();
            let (mut now, mut kept, mut given_up, mut all) = (30, Vec::new(), Vec::new(), Vec::new());
            for (n, (wait, took, answered, give_up)) in asked.into_iter().enumerate() {
                now += wait;
                let began = now - took;
                let answered = answered.map(|after| (began + after).min(now));
                all.push((began, now, answered));
                kept.extend(network.take(times(start, began, now, answered), n));
                if give_up {
                    given_up.extend(network.give_up(start + Duration::from_secs(now)));
                }
            }
            for n in &kept {
                let (began, ended, answered) = all[*n];
                let vouched = all.iter().any(|(_, by, other)| other.is_some_and(|at| at > began) && *by <= ended + 60);
                prop_assert!(answered.is_some() || vouched, "{:?} of {:?}", all[*n], all);
            }
            kept.extend(given_up);
            kept.extend(network.give_up(start));
            kept.sort_unstable();
            prop_assert_eq!(kept, (0..all.len()).collect::<Vec<_>>());
        }
    }
}
