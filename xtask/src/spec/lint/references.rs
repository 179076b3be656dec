//! References: to rules `[token.exp]`, to sections `§6.3`, to documents `[RFC 7515]`.

use std::collections::BTreeSet;

use super::Findings;
use crate::spec::rule_id::is_rule_id;
use crate::spec::text::{Span, Target};

pub(super) fn check(findings: &mut Findings<'_>) {
    let cited = references(findings);
    documents(findings, &cited);
    sections(findings);
}

/// Checks what stands in brackets; returns the documents that are cited.
fn references(findings: &mut Findings<'_>) -> BTreeSet<String> {
    let text = findings.text;
    let mut cited = BTreeSet::new();
    for link in &text.links {
        let Target::Reference(label) = &link.target else {
            continue;
        };
        let is_label = text
            .documents
            .iter()
            .any(|document| document.label.span.contains(&link.span.start));
        let is_marker = text
            .source
            .get(..link.span.start)
            .unwrap_or_default()
            .ends_with('r');
        if is_label || is_marker {
            continue;
        }
        if is_rule_id(label) {
            if text.rule(label).is_none() {
                let help = "cite an id as its marker writes it";
                findings.add(
                    "unknown-rule",
                    link.span.clone(),
                    format!("no rule has the id {label}"),
                    help,
                );
            }
        } else if label.starts_with(|first: char| first.is_ascii_uppercase()) {
            if text
                .documents
                .iter()
                .all(|document| document.label.text != *label)
            {
                let message = format!("[{label}] is not in the section References");
                let help = format!("list it there: - **[{label}]** title, where to find it");
                findings.add("unlisted-document", link.span.clone(), message, help);
            }
            cited.insert(label.clone());
        } else {
            let help = "brackets cite a rule, a document or a link; write others as `code`, or escape them: \\[";
            findings.add(
                "unresolved-reference",
                link.span.clone(),
                format!("{} leads nowhere", link.source),
                help,
            );
        }
    }
    cited
}

fn documents(findings: &mut Findings<'_>, cited: &BTreeSet<String>) {
    let text = findings.text;
    let mut listed = BTreeSet::new();
    for document in &text.documents {
        let label = &document.label;
        if !listed.insert(&label.text) {
            let message = format!("[{}] is listed twice", label.text);
            findings.add(
                "document-twice",
                label.span.clone(),
                message,
                "keep one entry",
            );
        } else if !cited.contains(&label.text) {
            let message = format!("[{}] is listed and nowhere cited", label.text);
            findings.add(
                "uncited-document",
                label.span.clone(),
                message,
                "cite it where it is needed, or remove it",
            );
        }
    }
}

fn sections(findings: &mut Findings<'_>) {
    let text = findings.text;
    let mut bad: Vec<(Span, String)> = Vec::new();
    for prose in &text.prose {
        for (at, sign) in prose.text.match_indices('\u{a7}') {
            let after = &prose.text[at + sign.len()..];
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
            let number = after
                .split(|c| !is_part(c))
                .next()
                .unwrap_or_default()
                .trim_end_matches('.');
            if number.is_empty() {
                bad.push((
                    prose.source(at..at + sign.len()),
                    "no section number follows the sign \u{a7}".into(),
                ));
            } else if !text.has_section(number) {
                let span = prose.source(at..at + sign.len() + number.len());
                bad.push((span, format!("there is no section {number}")));
            }
        }
    }
    for (span, message) in bad {
        let help = "\u{a7}6.3 is a section of this text; for another document write [RFC 7515], section 4.1";
        findings.add("unknown-section", span, message, help);
    }
}
