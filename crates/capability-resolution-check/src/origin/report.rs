//! What came of a run.

use serde::Serialize;

use super::check::{Check, Not};
use super::evidence::Evidence;
use super::recording::Recording;
use super::rules::Level;

/// Whether a check holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    Passed,
    Failed,
    CouldNotTell,
    NotApplicable,
}

impl Outcome {
    const ALL: [Self; 4] = [
        Self::Passed,
        Self::Failed,
        Self::CouldNotTell,
        Self::NotApplicable,
    ];

    /// As reports write it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::CouldNotTell => "could-not-tell",
            Self::NotApplicable => "not-applicable",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }
}

/// A check and what came of it.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) check: Check,
    pub(crate) outcome: Outcome,
    /// What was seen; for a check that does not apply, why. Empty for one that passed.
    pub(crate) seen: String,
}

/// Whether the level `resolver-1` is reached: section 13.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    Reached,
    NotReached,
    CouldNotTell,
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) judged: Vec<Judged>,
    /// Whether every check was made, and not a choice of them.
    pub(crate) is_whole: bool,
}

impl Report {
    /// Judges a recording by all checks whose id starts with one of `only`, or by all if that is empty.
    pub(crate) fn new(recording: &Recording, only: &[String]) -> Self {
        let evidence = Evidence::new(recording);
        let checks = super::checks::all();
        let all = checks.len();
        let chosen = |check: &Check| {
            only.is_empty()
                || only
                    .iter()
                    .any(|only| check.id().starts_with(only.as_str()))
        };
        let judge = |check: Check| {
            let (outcome, seen) = match check.judge(&evidence) {
                Ok(()) => (Outcome::Passed, String::new()),
                Err(Not::Failed(seen)) => (Outcome::Failed, seen),
                Err(Not::CouldNotTell(seen)) => (Outcome::CouldNotTell, seen),
                Err(Not::Applicable(seen)) => (Outcome::NotApplicable, seen),
            };
            Judged {
                check,
                outcome,
                seen,
            }
        };
        let judged: Vec<_> = checks.into_iter().filter(chosen).map(judge).collect();
        Self {
            is_whole: judged.len() == all,
            judged,
        }
    }

    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        self.of(outcome).count()
    }

    pub(crate) fn of(&self, outcome: Outcome) -> impl Iterator<Item = &Judged> {
        self.judged
            .iter()
            .filter(move |judged| judged.outcome == outcome)
    }

    // r[conformance.resolver-1] r[conformance.should] r[conformance.could-not-tell]
    /// Only rules of level MUST decide. With a choice of checks it says what came of the choice, and is no level.
    pub(crate) fn standing(&self) -> Standing {
        let must = |outcome| {
            let mut of = self.of(outcome);
            of.any(|judged| judged.check.rule.level == Level::Must)
        };
        if must(Outcome::Failed) {
            Standing::NotReached
        } else if must(Outcome::CouldNotTell) || self.count(Outcome::Passed) == 0 {
            Standing::CouldNotTell
        } else {
            Standing::Reached
        }
    }
}
