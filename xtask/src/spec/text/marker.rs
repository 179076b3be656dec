//! The line that makes a paragraph a rule: `r[token.exp.max-life | vector, test]`.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

use crate::spec::rule_id::is_rule_id;

/// How a rule is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tested {
    /// By a vector that any implementation can run.
    Vector,
    /// By the conformance checker, from outside.
    Check,
    /// By a test of this repository's own code.
    Test,
    /// By nothing: `not-observable.toml` says why.
    None,
}

/// What is wrong with a rule's marker or paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MarkerFault {
    /// The marker does not end its line.
    #[error("the marker does not stand alone on its line")]
    NotAlone,
    /// The marker has no end.
    #[error("the marker has no closing bracket on its line")]
    NotClosed,
    /// What should be an id is none.
    #[error("\"{0}\" is not a rule id")]
    BadId(String),
    /// The marker does not say how the rule is tested.
    #[error("the marker does not say how the rule is tested")]
    NotSaid,
    /// A word after ` | ` is unknown.
    #[error("\"{0}\" is no way to test a rule")]
    UnknownWay(String),
    /// A word after ` | ` stands there twice, or `none` stands beside another.
    #[error("\"{0}\" does not go with the other words")]
    Contradiction(Tested),
    /// The marker is all there is.
    #[error("the rule has no text")]
    NoText,
    /// The paragraph ends with a colon and no list, table or code block follows.
    #[error("the rule ends with a colon, and no list, table or code block follows")]
    NothingAfterColon,
}

/// A marker whose id could be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Marker<'a> {
    pub(super) id: &'a str,
    pub(super) tested: Vec<Tested>,
    pub(super) faults: Vec<MarkerFault>,
}

const OPEN: &str = "r[";

/// Reads the first line of a paragraph; `None` if it does not begin with `r[`.
pub(super) fn read(line: &str) -> Option<Result<Marker<'_>, MarkerFault>> {
    let inside = line.strip_prefix(OPEN)?;
    let Some((inside, after)) = inside.split_once(']') else {
        return Some(Err(MarkerFault::NotClosed));
    };
    let (id, ways) = inside.split_once(" | ").unwrap_or((inside, ""));
    if !is_rule_id(id) {
        return Some(Err(MarkerFault::BadId(id.to_owned())));
    }
    let mut marker = Marker {
        id,
        tested: Vec::new(),
        faults: Vec::new(),
    };
    if !after.trim().is_empty() {
        marker.faults.push(MarkerFault::NotAlone);
    }
    if ways.is_empty() {
        marker.faults.push(MarkerFault::NotSaid);
        return Some(Ok(marker));
    }
    for way in ways.split(", ") {
        match Tested::read(way) {
            None => marker.faults.push(MarkerFault::UnknownWay(way.to_owned())),
            Some(way) => {
                let none = way == Tested::None || marker.tested.contains(&Tested::None);
                if marker.tested.contains(&way) || (none && !marker.tested.is_empty()) {
                    marker.faults.push(MarkerFault::Contradiction(way));
                } else {
                    marker.tested.push(way);
                }
            }
        }
    }
    Some(Ok(marker))
}

/// Byte offset of the id in a marker's line.
pub(super) const ID_AT: usize = OPEN.len();

impl Tested {
    fn read(word: &str) -> Option<Self> {
        match word {
            "vector" => Some(Self::Vector),
            "check" => Some(Self::Check),
            "test" => Some(Self::Test),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

impl fmt::Display for Tested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Vector => "vector",
            Self::Check => "check",
            Self::Test => "test",
            Self::None => "none",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(line: &str) -> Vec<MarkerFault> {
        match read(line).unwrap() {
            Ok(marker) => marker.faults,
            Err(fault) => vec![fault],
        }
    }

    #[test]
    fn a_whole_marker_is_read() {
        let marker = read("r[token.exp.max-life | vector, check]")
            .unwrap()
            .unwrap();
        assert_eq!(marker.id, "token.exp.max-life");
        assert_eq!(marker.tested, [Tested::Vector, Tested::Check]);
        assert_eq!(marker.faults, []);
        assert_eq!(read("reads [a.b]"), None);
    }

    #[test]
    fn each_fault_has_its_name() {
        assert_eq!(faults("r[a.b | test"), [MarkerFault::NotClosed]);
        assert_eq!(
            faults("r[Token.exp | test]"),
            [MarkerFault::BadId("Token.exp".into())]
        );
        assert_eq!(faults("r[a.b | test] The rule."), [MarkerFault::NotAlone]);
        assert_eq!(faults("r[a.b]"), [MarkerFault::NotSaid]);
        assert_eq!(faults("r[a.b | ]"), [MarkerFault::NotSaid]);
        assert_eq!(
            faults("r[a.b | tests]"),
            [MarkerFault::UnknownWay("tests".into())]
        );
        assert_eq!(
            faults("r[a.b | test,check]"),
            [MarkerFault::UnknownWay("test,check".into())]
        );
        assert_eq!(
            faults("r[a.b | test, test]"),
            [MarkerFault::Contradiction(Tested::Test)]
        );
        assert_eq!(
            faults("r[a.b | none, test]"),
            [MarkerFault::Contradiction(Tested::Test)]
        );
        assert_eq!(
            faults("r[a.b | test, none]"),
            [MarkerFault::Contradiction(Tested::None)]
        );
    }
}
