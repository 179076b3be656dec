//! What changed since the edition before.

use maud::{Markup, html};

use crate::site::edition::Edition;
use crate::site::layout::{self, Page, Part, counted, number};
use crate::site::shown::Shown;
use crate::site::text::body;
use crate::spec::diff::{Change, Diff, RuleState, Stretch};
use crate::spec::text::{Level, Tested};

pub(in crate::site) fn page(edition: &Edition<'_>, previous: &Edition<'_>, diff: &Diff) -> Markup {
    let Diff {
        added,
        removed,
        changed,
        moved,
        unchanged,
        explanation_differs,
    } = diff;
    let of_previous = format!("../{}/rules/", previous.name);
    let main = html! {
        h1 { "Changes since " (previous.name) }
        p {
            "Rule by rule: " (number(added.len())) " added, " (number(removed.len())) " removed, "
            (number(changed.len())) " changed, " (number(moved.len())) " moved, " (number(*unchanged)) " the same."
            @if *explanation_differs { " The text outside of rules differs too." }
        }
        @if !added.is_empty() {
            h2 { (counted(added.len(), "rule")) " added" }
            @for rule in added { section.change { (head(rule, "rules/")) (words_of(edition, &rule.id, "index.html")) } }
        }
        @if !removed.is_empty() {
            h2 { (counted(removed.len(), "rule")) " removed" }
            @for rule in removed { section.change { (head(rule, &of_previous)) (words_of(previous, &rule.id, &format!("../{}/index.html", previous.name))) } }
        }
        @if !changed.is_empty() {
            h2 { (counted(changed.len(), "rule")) " changed" }
            @for change in changed { section.change { (head(&change.to, "rules/")) (facts(change)) (words(change)) } }
        }
        @if !moved.is_empty() {
            h2 { (counted(moved.len(), "rule")) " moved" }
            ul {
                @for rule in moved {
                    li { a.ref href={ "rules/" (rule.id) ".html" } { (rule.id) } ": " (Shown(&rule.from.to_string())) " \u{2192} " (Shown(&rule.to.to_string())) }
                }
            }
        }
    };
    layout::page(Page {
        root: "../",
        title: format!("Changes since {}, {}", previous.name, edition.title()),
        edition: Some((edition, Part::Changes)),
        contents: None,
        main,
    })
}

fn head(rule: &RuleState, folder: &str) -> Markup {
    html! {
        p.marker {
            a.id href={ (folder) (rule.id) ".html" } { (rule.id) }
            span.level { (level(rule.level)) }
            span.cover { (Shown(&rule.section.to_string())) }
        }
    }
}

/// The words of a rule of one edition; `base` leads to its text.
fn words_of(edition: &Edition<'_>, id: &str, base: &str) -> Markup {
    let rule = edition.text.rule(id);
    rule.map(|rule| body(&edition.text, rule, base))
        .unwrap_or_default()
}

/// Level and way of testing, where they changed.
fn facts(change: &Change) -> Markup {
    let Change { from, to, .. } = change;
    html! {
        @if from.level != to.level {
            p.note { "Level: " del { (level(from.level)) } " " ins { (level(to.level)) } }
        }
        @if from.tested != to.tested {
            p.note { "Tested by: " del { (ways(&from.tested)) } " " ins { (ways(&to.tested)) } }
        }
    }
}

fn words(change: &Change) -> Markup {
    html! {
        p {
            @for stretch in &change.words {
                @match stretch {
                    Stretch::Kept(words) => (Shown(words)),
                    Stretch::Removed(words) => del { (Shown(words)) },
                    Stretch::Added(words) => ins { (Shown(words)) },
                }
                " "
            }
        }
    }
}

fn level(level: Option<Level>) -> String {
    level.map_or_else(|| "no level".to_owned(), |level| level.to_string())
}

fn ways(tested: &[Tested]) -> String {
    let ways: Vec<_> = tested.iter().map(ToString::to_string).collect();
    ways.join(", ")
}
