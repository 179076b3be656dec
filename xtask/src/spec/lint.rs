//! What the text must keep to, one module per subject.

mod lines;

use crate::diagnostic::{Diagnostic, Place};

/// A text under check: its path for messages, and its bytes as UTF-8.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Repository-relative path.
    pub path: &'a str,
    /// The whole text.
    pub text: &'a str,
}

impl Source<'_> {
    /// The place of `length` characters from character `column` (from 1) of `line` (from 1).
    fn place(&self, line: usize, column: usize, length: usize) -> Place {
        let text = self
            .text
            .split('\n')
            .nth(line.saturating_sub(1))
            .unwrap_or_default();
        Place {
            path: self.path.to_owned(),
            line,
            column,
            length,
            text: text.trim_end_matches('\r').to_owned(),
        }
    }
}

/// Every finding, in the order of the text.
#[must_use]
pub fn lint(source: Source<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    lines::check(source, &mut findings);
    findings.sort_by_key(|finding| finding.place().map(|place| (place.line, place.column)));
    findings
}
