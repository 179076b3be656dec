//! A check, and what comes of it.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use super::evidence::Evidence;
use super::rules::{Rule, rule};

/// What a check is about; reports are grouped by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Group {
    Discovery,
    Answers,
    Requests,
    Constraints,
    Errors,
    Tokens,
    Record,
    Pages,
}

impl Group {
    /// In the order of reports.
    pub(crate) const ALL: [Self; 8] = [
        Self::Discovery,
        Self::Answers,
        Self::Requests,
        Self::Constraints,
        Self::Errors,
        Self::Tokens,
        Self::Record,
        Self::Pages,
    ];
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discovery => "discovery document",
            Self::Answers => "answers",
            Self::Requests => "requests",
            Self::Constraints => "constraints",
            Self::Errors => "errors",
            Self::Tokens => "tokens",
            Self::Record => "records",
            Self::Pages => "policy and changelog",
        })
    }
}

/// Why a check has not passed. Each holds what was seen, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Not {
    Failed(String),
    CouldNotTell(String),
    Applicable(String),
}

pub(crate) fn failed<T>(seen: impl Into<String>) -> Result<T, Not> {
    Err(Not::Failed(seen.into()))
}

pub(crate) fn could_not_tell<T>(seen: impl Into<String>) -> Result<T, Not> {
    Err(Not::CouldNotTell(seen.into()))
}

/// What decides a check: a pure function of what was recorded.
type Judge = Box<dyn Fn(&Evidence<'_>) -> Result<(), Not>>;

/// One thing that is checked.
pub(crate) struct Check {
    pub(crate) rule: Rule,
    /// Tells the checks of one rule apart; empty for a rule with one check.
    aspect: Cow<'static, str>,
    pub(crate) group: Group,
    /// What holds when it has passed.
    pub(crate) expected: Cow<'static, str>,
    /// What to do when it has not.
    pub(crate) mend: Cow<'static, str>,
    judge: Judge,
}

impl Check {
    /// A check of the rule with this id. A test sees to it that the text has the rule.
    pub(crate) fn new(
        group: Group,
        id: &str,
        aspect: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
        mend: impl Into<Cow<'static, str>>,
        judge: impl Fn(&Evidence<'_>) -> Result<(), Not> + 'static,
    ) -> Option<Self> {
        Some(Self {
            rule: rule(id)?,
            aspect: aspect.into(),
            group,
            expected: expected.into(),
            mend: mend.into(),
            judge: Box::new(judge),
        })
    }

    /// The rule's id, and behind a `#` the aspect, where the rule has several checks.
    pub(crate) fn id(&self) -> String {
        if self.aspect.is_empty() {
            self.rule.id.to_owned()
        } else {
            format!("{}#{}", self.rule.id, self.aspect)
        }
    }

    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Result<(), Not> {
        (self.judge)(evidence)
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Check").field(&self.id()).finish()
    }
}
