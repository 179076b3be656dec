//! What changed between two texts, rule by rule.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::spec::text::{Level, Rule, Tested, Text};

/// The difference of two texts. Moves from one section number to another are none: sections are compared by title.
#[derive(Debug, Serialize)]
pub struct Diff {
    /// Rules of the second text only.
    pub added: Vec<RuleState>,
    /// Rules of the first text only.
    pub removed: Vec<RuleState>,
    /// Rules whose words, level or way of testing changed.
    pub changed: Vec<Change>,
    /// Rules that stand in another section.
    pub moved: Vec<Move>,
    /// How many rules are the same in words, level and way of testing.
    pub unchanged: usize,
    /// True if the text outside of rules differs.
    pub explanation_differs: bool,
}

/// A rule in one text.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct RuleState {
    /// The id.
    pub id: String,
    /// The section that it stands in.
    #[serde(flatten)]
    pub section: Section,
    /// The level.
    pub level: Option<Level>,
    /// How it is tested.
    pub tested: Vec<Tested>,
    /// Its words, with single spaces.
    pub text: String,
}

/// A section of a text; `Display` writes `§3.6 HTTP`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// The number, `3.6`.
    #[serde(rename = "section")]
    pub number: String,
    /// The title.
    #[serde(rename = "section_title")]
    pub title: String,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\u{a7}{} {}", self.number, self.title)
    }
}

/// A rule that changed.
#[derive(Debug, Serialize)]
pub struct Change {
    /// The rule before.
    pub from: RuleState,
    /// The rule after.
    pub to: RuleState,
    /// Its words, stretch by stretch.
    pub words: Vec<Stretch>,
}

/// A rule that moved.
#[derive(Debug, Serialize)]
pub struct Move {
    /// The id.
    pub id: String,
    /// The section before.
    pub from: Section,
    /// The section after.
    pub to: Section,
}

/// Consecutive words that were kept, removed or added.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", content = "text", rename_all = "kebab-case")]
pub enum Stretch {
    /// In both.
    Kept(String),
    /// In the first only.
    Removed(String),
    /// In the second only.
    Added(String),
}

/// Compares two texts.
#[must_use]
pub fn diff(from: &Text<'_>, to: &Text<'_>) -> Diff {
    let before: BTreeMap<_, _> = from
        .rules
        .iter()
        .map(|rule| (rule.id.as_str(), rule))
        .collect();
    let mut diff = Diff {
        added: Vec::new(),
        removed: Vec::new(),
        changed: Vec::new(),
        moved: Vec::new(),
        unchanged: 0,
        explanation_differs: explanation(from) != explanation(to),
    };
    for rule in &to.rules {
        let Some(old) = before.get(rule.id.as_str()) else {
            diff.added.push(state(to, rule));
            continue;
        };
        let (old_state, new_state) = (state(from, old), state(to, rule));
        if from.section(old).1 != to.section(rule).1 {
            let (from, to) = (old_state.section.clone(), new_state.section.clone());
            diff.moved.push(Move {
                id: rule.id.clone(),
                from,
                to,
            });
        }
        let same = (&old_state.text, old_state.level, &old_state.tested);
        if same == (&new_state.text, new_state.level, &new_state.tested) {
            diff.unchanged += 1;
        } else {
            let words = words(&old_state.text, &new_state.text);
            diff.changed.push(Change {
                from: old_state,
                to: new_state,
                words,
            });
        }
    }
    let gone = from.rules.iter().filter(|rule| to.rule(&rule.id).is_none());
    diff.removed = gone.map(|rule| state(from, rule)).collect();
    diff
}

fn state(text: &Text<'_>, rule: &Rule) -> RuleState {
    let (number, title) = text.section(rule);
    RuleState {
        id: rule.id.clone(),
        section: Section {
            number: number.to_owned(),
            title: title.to_owned(),
        },
        level: rule.level(),
        tested: rule.tested.clone(),
        text: single_spaced(text.body(rule)),
    }
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without its rules and without the line that names the version.
fn explanation(text: &Text<'_>) -> String {
    let mut kept = String::new();
    let mut at = 0;
    let rules = text
        .rules
        .iter()
        .map(|rule| rule.id_span.start..rule.body.end);
    let mut left_out: Vec<_> = rules
        .chain(text.versions.iter().map(|line| line.span.clone()))
        .collect();
    left_out.sort_by_key(|span| span.start);
    for span in left_out {
        kept.push_str(text.source.get(at..span.start).unwrap_or_default());
        at = span.end;
    }
    kept.push_str(text.source.get(at..).unwrap_or_default());
    single_spaced(&kept)
}

fn words(from: &str, to: &str) -> Vec<Stretch> {
    let (old, new): (Vec<_>, Vec<_>) = (from.split(' ').collect(), to.split(' ').collect());
    let join = |words: &[&str], start: usize, length: usize| words[start..start + length].join(" ");
    let mut stretches = Vec::new();
    for op in capture_diff_slices(Algorithm::Patience, &old, &new) {
        match op {
            DiffOp::Equal { old_index, len, .. } => {
                stretches.push(Stretch::Kept(join(&old, old_index, len)))
            }
            DiffOp::Delete {
                old_index, old_len, ..
            } => {
                stretches.push(Stretch::Removed(join(&old, old_index, old_len)));
            }
            DiffOp::Insert {
                new_index, new_len, ..
            } => {
                stretches.push(Stretch::Added(join(&new, new_index, new_len)));
            }
            DiffOp::Replace {
                old_index,
                old_len,
                new_index,
                new_len,
            } => {
                stretches.push(Stretch::Removed(join(&old, old_index, old_len)));
                stretches.push(Stretch::Added(join(&new, new_index, new_len)));
            }
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_one_by_one() {
        let kept = |text: &str| Stretch::Kept(text.into());
        let (removed, added) = (
            |text: &str| Stretch::Removed(text.into()),
            |text: &str| Stretch::Added(text.into()),
        );
        assert_eq!(
            words("a b c", "a x y c"),
            [kept("a"), removed("b"), added("x y"), kept("c")]
        );
        assert_eq!(words("a b", "a b"), [kept("a b")]);
        assert_eq!(words("a", "a b"), [kept("a"), added("b")]);
        assert_eq!(words("a b", "b"), [removed("a"), kept("b")]);
    }

    #[test]
    fn line_breaks_numbers_and_the_version_are_no_change() {
        let old = "# T\n\nVersion: 0.1\n\n## 1. One\n\nr[a.b | test]\nThis MUST\nbe.\n\nWhy.\n";
        let new = "# T\n\nVersion: 0.2\n\n## 1. One\n\nr[a.b | test]\nThis MUST be.\n\nWhy.\n";
        let found = diff(&Text::parse(old), &Text::parse(new));
        assert_eq!(
            (
                found.unchanged,
                found.changed.len(),
                found.explanation_differs
            ),
            (1, 0, false)
        );
        let renumbered = "# T\n\nVersion: 0.2\n\n## 1. New\n\n## 2. One\n\nr[a.b | test]\nThis MUST be.\n\nWhy not.\n";
        let found = diff(&Text::parse(old), &Text::parse(renumbered));
        assert_eq!(
            (
                found.unchanged,
                found.moved.len(),
                found.explanation_differs
            ),
            (1, 0, true)
        );
    }
}
