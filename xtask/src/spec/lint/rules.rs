//! Rules: the marker's form, one id each, one level each, key words nowhere else, and what became of old ids.

use std::collections::{BTreeMap, BTreeSet};

use super::Findings;
use crate::spec::rule_list::RETIRED;
use crate::spec::text::{Keyword, Level, MarkerFault, Rule, Target};

pub(super) fn check(findings: &mut Findings<'_>) {
    markers(findings);
    misplaced_markers(findings);
    duplicates(findings);
    levels(findings);
    stray_keywords(findings);
    retired(findings);
    gone(findings);
}

fn markers(findings: &mut Findings<'_>) {
    let text = findings.text;
    for rule in &text.rules {
        for fault in &rule.faults {
            findings.add(
                "rule-marker",
                rule.id_span.clone(),
                fault.to_string(),
                marker_help(fault),
            );
        }
    }
    for broken in &text.broken_rules {
        findings.add(
            "rule-marker",
            broken.marker.clone(),
            broken.fault.to_string(),
            marker_help(&broken.fault),
        );
    }
}

fn marker_help(fault: &MarkerFault) -> &'static str {
    match fault {
        MarkerFault::NotAlone => "begin the rule's text on the next line",
        MarkerFault::NotClosed => "write the whole marker on one line: r[token.exp | vector]",
        MarkerFault::BadId(_) => {
            "an id is at least two parts of a-z, 0-9 and -, joined by dots: r[token.exp | vector]"
        }
        MarkerFault::NotSaid | MarkerFault::UnknownWay(_) => {
            "after the id write ` | ` and one or more of vector, check, test, none, separated by `, `"
        }
        MarkerFault::Contradiction(_) => "name each way once; `none` stands alone",
        MarkerFault::NoText => "write the rule in the lines right below the marker",
        MarkerFault::NothingAfterColon => {
            "put the list, table or code block right below, or end with a full stop"
        }
    }
}

/// `r[id]` where it makes no rule: inside a list, a quotation, or a paragraph.
fn misplaced_markers(findings: &mut Findings<'_>) {
    let text = findings.text;
    for link in &text.links {
        let before = text.source.get(..link.span.start).unwrap_or_default();
        let is_marker = matches!(link.target, Target::Reference(_))
            && before
                .strip_suffix('r')
                .is_some_and(|before| !before.ends_with(char::is_alphanumeric));
        if is_marker {
            let help =
                "begin a paragraph of its own with it; to cite a rule write [its.id] without the r";
            findings.add(
                "rule-misplaced",
                link.span.clone(),
                "the marker makes no rule here",
                help,
            );
        }
    }
}

fn duplicates(findings: &mut Findings<'_>) {
    let text = findings.text;
    let mut first: BTreeMap<&str, &Rule> = BTreeMap::new();
    for rule in &text.rules {
        if let Some(earlier) = first.get(rule.id.as_str()) {
            let (line, _) = text.position(earlier.id_span.start);
            let message = format!(
                "the id {} is already that of the rule in line {line}",
                rule.id
            );
            findings.add(
                "rule-duplicate",
                rule.id_span.clone(),
                message,
                "give one of them another id",
            );
        } else {
            first.insert(&rule.id, rule);
        }
    }
}

fn levels(findings: &mut Findings<'_>) {
    let text = findings.text;
    for rule in &text.rules {
        let Some((first, _)) = rule.keywords.first() else {
            if !rule.faults.contains(&MarkerFault::NoText)
                && !rule.faults.contains(&MarkerFault::NotAlone)
            {
                let help = "say MUST, SHOULD or MAY once, or take the marker away";
                findings.add(
                    "rule-without-keyword",
                    rule.id_span.clone(),
                    "the rule has no BCP 14 key word",
                    help,
                );
            }
            continue;
        };
        if let Some((other, span)) = rule
            .keywords
            .iter()
            .find(|(keyword, _)| keyword.level() != first.level())
        {
            let message = format!(
                "the rule has two levels: {} and {}",
                described(*first),
                described(*other)
            );
            findings.add(
                "rule-two-levels",
                span.clone(),
                message,
                "make two rules of it",
            );
        }
    }
}

fn described(keyword: Keyword) -> String {
    let level: Level = keyword.level();
    if keyword.to_string() == level.to_string() {
        keyword.to_string()
    } else {
        format!("{keyword} (level {level})")
    }
}

fn stray_keywords(findings: &mut Findings<'_>) {
    let text = findings.text;
    let is_ruled = |at: usize| {
        text.rules.iter().any(|rule| rule.body.contains(&at))
            || text
                .broken_rules
                .iter()
                .any(|broken| broken.body.contains(&at))
    };
    // The sentence of RFC 8174 names the key words and uses none.
    let is_boilerplate =
        |words: &str| words.starts_with("The key words ") && words.contains("BCP 14");
    for prose in text
        .prose
        .iter()
        .filter(|prose| !is_boilerplate(&prose.text))
    {
        for (keyword, range) in Keyword::find(&prose.text) {
            let span = prose.source(range);
            if !is_ruled(span.start) {
                let help = "put `r[its.id | vector]` in the line above the paragraph, or say it without the key word";
                findings.add(
                    "keyword-outside-rule",
                    span,
                    format!("\"{keyword}\" stands outside a rule"),
                    help,
                );
            }
        }
    }
}

fn retired(findings: &mut Findings<'_>) {
    let text = findings.text;
    let list = findings.context.retired;
    let mut seen = BTreeSet::new();
    for entry in &list.entries {
        if let Some(rule) = text.rule(&entry.id) {
            let message = format!("the id {} was retired: {}", rule.id, entry.reason.trim());
            findings.add(
                "rule-retired",
                rule.id_span.clone(),
                message,
                "an id is never used again: choose another",
            );
        }
        if !seen.insert(&entry.id) {
            let message = format!("{} is listed twice", entry.id);
            findings.add_elsewhere("retired-list", list.place(entry), message, "keep one entry");
        }
        if entry.reason.trim().is_empty() {
            let message = format!("no reason why {} was retired", entry.id);
            findings.add_elsewhere(
                "retired-list",
                list.place(entry),
                message,
                "say what took its place, or why nothing did",
            );
        }
    }
}

/// Every id of the last frozen version is still there or retired, and what it retired stays retired.
fn gone(findings: &mut Findings<'_>) {
    let text = findings.text;
    let Some(previous) = findings.context.previous else {
        return;
    };
    let retired = findings.context.retired;
    let is_retired = |id: &str| retired.entries.iter().any(|entry| entry.id == id);
    for id in previous
        .ids
        .iter()
        .filter(|id| text.rule(id).is_none() && !is_retired(id))
    {
        let message = format!("the rule {id} of version {} is gone", previous.version);
        findings.add(
            "rule-gone",
            0..0,
            message,
            format!("bring it back, or give the reason in {RETIRED}"),
        );
    }
    for id in previous.retired.iter().filter(|id| !is_retired(id)) {
        let message = format!(
            "version {} lists {id} as retired, the draft does not",
            previous.version
        );
        findings.add(
            "rule-gone",
            0..0,
            message,
            format!("keep the entry in {RETIRED}: an id is never used again"),
        );
    }
}
