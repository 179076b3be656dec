//! The text of an edition.

use maud::{Markup, html};

use crate::proofs::human;
use crate::site::edition::Edition;
use crate::site::layout::{self, Page, Part, counted};
use crate::site::shown::Shown;
use crate::site::text::{contents, whole};
use crate::spec;
use crate::spec::coverage::Kind;
use crate::spec::requirements::Requirement;
use crate::spec::text::Rule;

pub(in crate::site) fn page(edition: &Edition<'_>) -> Markup {
    let head = |rule: &Rule| edition.rule(&rule.id).map(marker).unwrap_or_default();
    let main = html! {
        (standing(edition, ""))
        (whole(&edition.text, &head))
    };
    layout::page(Page {
        root: "../",
        title: format!("Text, {}", edition.title()),
        edition: Some((edition, Part::Text)),
        contents: Some(html! { h2 { "Contents" } (contents(&edition.text)) }),
        main,
    })
}

/// What a reader has to know of an edition before it is read; `base` leads to its folder.
pub(in crate::site) fn standing(edition: &Edition<'_>, base: &str) -> Markup {
    html! {
        aside.standing.draft[edition.is_draft()] {
            p {
                @if let Some(proof) = edition.proof {
                    (Shown(&human::standing(proof))) " "
                    a href={ (base) "proof.html" } { "Proof" } "."
                } @else {
                    "This is the draft of " (edition.version()) ". It changes until it is frozen; cite a frozen version."
                }
                " The bytes: " a href={ (base) (spec::FILE) } { (spec::FILE) } "."
            }
        }
    }
}

/// The line above a rule: its id, its level, and what covers it.
fn marker(rule: &Requirement) -> Markup {
    html! {
        p.marker {
            a.id href={ "#" (rule.id) } { (rule.id) }
            span.level { (level(rule)) }
            a.cover href={ "rules/" (rule.id) ".html" } { (covered(rule)) }
        }
    }
}

pub(in crate::site) fn level(rule: &Requirement) -> String {
    rule.level
        .map_or_else(|| "no level".to_owned(), |level| level.to_string())
}

/// `12 vectors, 1 check`, or that nothing can see it.
pub(in crate::site) fn covered(rule: &Requirement) -> String {
    if rule.not_observable.is_some() {
        return "not observable".to_owned();
    }
    let kinds = [
        (Kind::Vector, "vector"),
        (Kind::Check, "check"),
        (Kind::Test, "test"),
    ];
    let parts: Vec<_> = kinds
        .into_iter()
        .map(|(kind, word)| (rule.count(kind), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| counted(count, word))
        .collect();
    match parts.as_slice() {
        [] => {
            let ways: Vec<_> = rule.tested.iter().map(ToString::to_string).collect();
            format!("by {}", ways.join(", "))
        }
        parts => parts.join(", "),
    }
}
