//! The rules, what covers each, and what is wrong with that.

use std::collections::BTreeSet;

use command_console::Diagnostic;
use serde::Serialize;

use crate::spec::coverage::{At, Citation, Coverage, Kind};
use crate::spec::rule_list::{Entry, NOT_OBSERVABLE, RuleList};
use crate::spec::text::{Level, Tested, Text};

/// At most one rule in this many may be out of every test's sight.
const ONE_IN: usize = 10;

/// A reason of fewer words is no reason.
const MIN_REASON_WORDS: usize = 6;

/// Every rule with what covers it: docs/schema/requirements.schema.json.
#[derive(Debug, Serialize)]
pub struct Requirements {
    /// The text's version, as its head says.
    pub version: Option<String>,
    /// The rules in the order of the text.
    pub rules: Vec<Requirement>,
    /// Ids that nothing covers and for which no reason is given.
    pub uncovered: Vec<String>,
    /// What is wrong in any case.
    pub findings: Vec<Diagnostic>,
    /// What is wrong beyond that when every rule has to be covered.
    pub strict_findings: Vec<Diagnostic>,
}

/// One rule.
#[derive(Debug, Serialize)]
pub struct Requirement {
    /// The id.
    pub id: String,
    /// Number of the section.
    pub section: String,
    /// Title of the section.
    pub section_title: String,
    /// The level; `None` if the rule has no single one, which `lint-spec` reports.
    pub level: Option<Level>,
    /// How the text says it is tested.
    pub tested: Vec<Tested>,
    /// What covers it.
    pub covered_by: Vec<Cover>,
    /// Why nothing can, if `not-observable.toml` says so.
    pub not_observable: Option<String>,
}

/// One place that covers a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Cover {
    /// What it is.
    pub kind: Kind,
    /// `path:line`, or `path#id` for a vector or a check of an origin.
    pub at: String,
}

impl Requirement {
    /// How many vectors, checks or tests cover the rule.
    #[must_use]
    pub fn count(&self, kind: Kind) -> usize {
        self.covered_by
            .iter()
            .filter(|cover| cover.kind == kind)
            .count()
    }

    /// The ways that the text promises and that are not there.
    #[must_use]
    pub fn missing(&self) -> Vec<Kind> {
        let promised = self.tested.iter().filter_map(|tested| match tested {
            Tested::Vector => Some(Kind::Vector),
            Tested::Check => Some(Kind::Check),
            Tested::Test => Some(Kind::Test),
            Tested::None => None,
        });
        promised.filter(|kind| self.count(*kind) == 0).collect()
    }
}

impl Requirements {
    /// Joins the rules of `text` with what covers them.
    #[must_use]
    pub fn new(text: &Text<'_>, coverage: Coverage, not_observable: &RuleList) -> Self {
        let Coverage {
            citations,
            findings,
        } = coverage;
        let rules: Vec<_> = text
            .rules
            .iter()
            .map(|rule| {
                let (section, section_title) = text.section(rule);
                Requirement {
                    id: rule.id.clone(),
                    section: section.to_owned(),
                    section_title: section_title.to_owned(),
                    level: rule.level(),
                    tested: rule.tested.clone(),
                    covered_by: covers(&citations, &rule.id),
                    not_observable: not_observable.reason(&rule.id).map(str::to_owned),
                }
            })
            .collect();
        let is_open =
            |rule: &&Requirement| rule.covered_by.is_empty() && rule.not_observable.is_none();
        let mut requirements = Self {
            version: text.versions.first().map(|version| version.text.clone()),
            uncovered: rules
                .iter()
                .filter(is_open)
                .map(|rule| rule.id.clone())
                .collect(),
            rules,
            findings,
            strict_findings: Vec::new(),
        };
        requirements.findings.extend(not_observable.fault.clone());
        requirements.unknown_ids(&citations);
        requirements.judge_reasons(not_observable);
        requirements.judge_coverage();
        requirements
    }

    fn unknown_ids(&mut self, citations: &[Citation]) {
        let known: BTreeSet<_> = self.rules.iter().map(|rule| rule.id.as_str()).collect();
        for citation in citations
            .iter()
            .filter(|citation| !known.contains(citation.id.as_str()))
        {
            let mut finding = Diagnostic::error(
                "unknown-rule",
                format!("no rule has the id {}", citation.id),
            );
            finding = match &citation.at {
                At::Comment(place) => finding.at(place.clone()),
                At::Listed(_) => finding.fact("listed", place(citation)),
            };
            self.findings.push(
                finding.help("name a rule of the draft; `cargo xtask requirements` lists them"),
            );
        }
    }

    fn judge_reasons(&mut self, list: &RuleList) {
        let mut seen = BTreeSet::new();
        for entry in &list.entries {
            let finding = |code: &str, message: String, help: &str| {
                Diagnostic::error(code, message)
                    .at(list.place(entry))
                    .help(help)
            };
            if !seen.insert(&entry.id) {
                let message = format!("{} is listed twice", entry.id);
                self.findings
                    .push(finding("not-observable", message, "keep one entry"));
            }
            let Some(rule) = self.rules.iter().find(|rule| rule.id == entry.id) else {
                let message = format!("no rule has the id {}", entry.id);
                self.findings
                    .push(finding("not-observable", message, "remove the entry"));
                continue;
            };
            if let Some(cover) = rule.covered_by.first() {
                let message = format!("{} is covered, by {}", entry.id, cover.at);
                self.findings.push(finding(
                    "not-observable",
                    message,
                    "remove the entry: the rule is observable",
                ));
            }
            if rule.tested != [Tested::None] {
                let message = format!("{} has a marker that names a way to test it", entry.id);
                self.findings.push(finding(
                    "not-observable",
                    message,
                    "write `none` in the marker or remove the entry",
                ));
            }
            if !is_reason(entry) {
                let message = format!("the reason for {} is no sentence", entry.id);
                let help =
                    "say in a sentence why neither a vector nor the checker nor a test can see it";
                self.strict_findings
                    .push(finding("thin-reason", message, help));
            }
        }
    }

    fn judge_coverage(&mut self) {
        if !self.uncovered.is_empty() {
            let message = format!(
                "nothing covers {} of {} rules",
                self.uncovered.len(),
                self.rules.len()
            );
            let help =
                format!("cover each, or give the reason why nothing can in {NOT_OBSERVABLE}");
            self.strict_findings
                .push(Diagnostic::error("uncovered", message).help(help));
        }
        // What nothing covers was told above.
        let covered = self.rules.iter().filter(|rule| !rule.covered_by.is_empty());
        for rule in covered {
            for kind in rule.missing() {
                let what = match kind {
                    Kind::Vector => "a vector",
                    Kind::Check => "a check",
                    Kind::Test => "a test",
                };
                let message = format!("{} promises {what}, and there is none", rule.id);
                let help = "write it, or change the marker of the rule";
                self.strict_findings
                    .push(Diagnostic::error("promised-and-missing", message).help(help));
            }
        }
        let unseen = self
            .rules
            .iter()
            .filter(|rule| rule.not_observable.is_some())
            .count();
        if unseen * ONE_IN > self.rules.len() {
            let message = format!(
                "{unseen} of {} rules are listed as not observable",
                self.rules.len()
            );
            let help =
                format!("at most one in {ONE_IN} may be: change the text or write the tests");
            self.strict_findings
                .push(Diagnostic::error("too-many-unobservable", message).help(help));
        }
    }
}

fn covers(citations: &[Citation], id: &str) -> Vec<Cover> {
    let mine = citations.iter().filter(|citation| citation.id == id);
    let mut covers: Vec<_> = mine
        .filter_map(|citation| {
            Some(Cover {
                kind: citation.kind?,
                at: place(citation),
            })
        })
        .collect();
    covers.sort();
    covers.dedup();
    covers
}

fn place(citation: &Citation) -> String {
    match &citation.at {
        At::Comment(place) => format!("{}:{}", citation.path, place.line),
        At::Listed(Some(id)) => format!("{}#{id}", citation.path),
        At::Listed(None) => citation.path.clone(),
    }
}

/// One sentence at least: some words and a full stop.
fn is_reason(entry: &Entry) -> bool {
    let reason = entry.reason.trim();
    reason.ends_with('.') && reason.split_whitespace().count() >= MIN_REASON_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use command_console::Place;

    const TEXT: &str = "# T\n\nVersion: 0.2\n\n## 1. One\n\nr[a.b | vector, test]\nThis MUST be.\n\n\
                        r[a.c | none]\nThat SHOULD be.\n\nr[a.d | check]\nOther MAY be.\n";

    fn citation(id: &str, kind: Option<Kind>) -> Citation {
        let place = Place {
            path: "t.rs".into(),
            line: 3,
            column: 6,
            length: id.len(),
            text: format!("// r[{id}]"),
        };
        let at = if kind == Some(Kind::Vector) {
            At::Listed(Some("one".into()))
        } else {
            At::Comment(place)
        };
        Citation {
            id: id.to_owned(),
            kind,
            path: "t.rs".into(),
            at,
        }
    }

    fn requirements(citations: Vec<Citation>, list: &str) -> Requirements {
        let list = RuleList::parse(list.to_owned(), "not-observable.toml");
        Requirements::new(
            &Text::parse(TEXT),
            Coverage {
                citations,
                findings: Vec::new(),
            },
            &list,
        )
    }

    fn codes(findings: &[Diagnostic]) -> Vec<&str> {
        findings.iter().map(Diagnostic::code).collect()
    }

    #[test]
    fn what_covers_a_rule_is_counted_and_what_is_promised_is_missed() {
        let found = requirements(
            vec![citation("a.b", Some(Kind::Vector)), citation("a.b", None)],
            "",
        );
        let rule = &found.rules[0];
        assert_eq!(
            (
                rule.section.as_str(),
                rule.section_title.as_str(),
                rule.level
            ),
            ("1", "One", Some(Level::Must))
        );
        assert_eq!((rule.count(Kind::Vector), rule.count(Kind::Test)), (1, 0));
        assert_eq!(rule.covered_by[0].at, "t.rs#one");
        assert_eq!(rule.missing(), [Kind::Test]);
        assert_eq!(found.uncovered, ["a.c", "a.d"]);
        assert_eq!(codes(&found.findings), [""; 0]);
        assert_eq!(
            codes(&found.strict_findings),
            ["uncovered", "promised-and-missing"]
        );
    }

    #[test]
    fn naming_a_rule_in_other_source_covers_nothing() {
        assert_eq!(
            requirements(vec![citation("a.b", None)], "").uncovered,
            ["a.b", "a.c", "a.d"]
        );
    }

    #[test]
    fn an_id_that_no_rule_has_is_found_wherever_it_is() {
        let found = requirements(
            vec![citation("x.y", None), citation("x.z", Some(Kind::Vector))],
            "",
        );
        assert_eq!(codes(&found.findings), ["unknown-rule", "unknown-rule"]);
    }

    #[test]
    fn reasons_are_judged() {
        let entry =
            |id: &str, reason: &str| format!("[[rule]]\nid = \"{id}\"\nreason = \"{reason}\"\n");
        let good = "Nobody outside can see what it decides.";
        let covered = vec![
            citation("a.b", Some(Kind::Test)),
            citation("a.b", Some(Kind::Vector)),
            citation("a.d", Some(Kind::Check)),
        ];

        let found = requirements(covered.clone(), &entry("a.c", good));
        assert_eq!(codes(&found.findings), [""; 0]);
        // One of three is more than one in ten.
        assert_eq!(codes(&found.strict_findings), ["too-many-unobservable"]);

        let found = requirements(covered.clone(), &entry("a.c", "Not observable."));
        assert_eq!(
            codes(&found.strict_findings),
            ["thin-reason", "too-many-unobservable"]
        );

        let list =
            entry("x.y", good) + &entry("a.b", good) + &entry("a.c", good) + &entry("a.c", good);
        let found = requirements(covered, &list);
        let messages: Vec<_> = found.findings.iter().map(Diagnostic::message).collect();
        assert_eq!(
            messages,
            [
                "no rule has the id x.y",
                "a.b is covered, by t.rs#one",
                "a.b has a marker that names a way to test it",
                "a.c is listed twice",
            ]
        );
    }

    #[test]
    fn one_rule_in_ten_may_be_out_of_sight() {
        let rules: String = (0..10)
            .map(|n| format!("r[a.r{n} | none]\nIt MUST be.\n\n"))
            .collect();
        let list =
            "[[rule]]\nid = \"a.r0\"\nreason = \"Nobody outside can see what it decides.\"\n";
        let list = RuleList::parse(list.into(), "x.toml");
        let found = Requirements::new(&Text::parse(&rules), Coverage::default(), &list);
        assert!(!codes(&found.strict_findings).contains(&"too-many-unobservable"));
    }
}
