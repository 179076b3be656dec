//! What the text must keep to, one module per subject.

mod examples;
mod lines;
mod links;
mod references;
mod rules;
mod structure;
mod terms;

use std::collections::BTreeSet;
use std::path::Path;

use command_console::{Diagnostic, Place};

use crate::spec::examples::Example;
use crate::spec::rule_list::RuleList;
use crate::spec::text::{Span, Text};
use crate::spec::version::Version;

/// What a text is checked against.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Repository-relative path of the text, for messages.
    pub path: &'a str,
    /// The directory that relative links start from.
    pub directory: &'a Path,
    /// The examples that a test checks.
    pub examples: &'a [Example],
    /// The ids that are never used again.
    pub retired: &'a RuleList,
    /// The last frozen version, if there is one.
    pub previous: Option<&'a Previous>,
}

/// What a frozen version says about ids.
#[derive(Debug)]
pub struct Previous {
    /// The version.
    pub version: Version,
    /// The ids of its rules.
    pub ids: BTreeSet<String>,
    /// The ids that it lists as retired.
    pub retired: BTreeSet<String>,
}

/// Every finding, in the order of the text; findings about other files come last.
#[must_use]
pub fn lint(text: &Text<'_>, context: Context<'_>) -> Vec<Diagnostic> {
    let mut findings = Findings {
        text,
        context,
        found: Vec::new(),
    };
    lines::check(&mut findings);
    structure::check(&mut findings);
    rules::check(&mut findings);
    references::check(&mut findings);
    links::check(&mut findings);
    terms::check(&mut findings);
    examples::check(&mut findings);
    let mut found = findings.found;
    found.sort_by_key(|finding| {
        finding.place().map(|place| {
            (
                place.path != context.path,
                place.path.clone(),
                place.line,
                place.column,
            )
        })
    });
    found
}

/// What the checks write to.
struct Findings<'a> {
    text: &'a Text<'a>,
    context: Context<'a>,
    found: Vec<Diagnostic>,
}

impl Findings<'_> {
    /// Records a finding at `span` of the text; names the rule it stands in.
    fn add(&mut self, code: &str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let mut finding = Diagnostic::error(code, message).at(self.place(&span));
        if let Some(rule) = self.text.rule_at(span.start) {
            finding = finding.fact("rule", &rule.id);
        }
        self.found.push(finding.help(help));
    }

    /// Records a finding in another file.
    fn add_elsewhere(
        &mut self,
        code: &str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.found
            .push(Diagnostic::error(code, message).at(place).help(help));
    }

    fn place(&self, span: &Span) -> Place {
        Place::in_text(self.context.path, self.text.source, span.clone())
    }
}

#[cfg(test)]
mod tests;
