//! One rule, and everything that covers it.

use maud::{Markup, html};

use super::text::level;
use crate::site::edition::{Edition, listed};
use crate::site::layout::{self, Page, Part, counted};
use crate::site::shown::Shown;
use crate::site::text::{body, class, section_anchor};
use crate::spec::coverage::{CHECKS, Kind};
use crate::spec::requirements::Requirement;
use crate::spec::text::Tested;

/// The page of the rule at this place of the text.
pub(in crate::site) fn page(edition: &Edition<'_>, at: usize) -> Markup {
    let rules = &edition.requirements.rules;
    let Some(rule) = rules.get(at) else {
        return Markup::default();
    };
    let text = edition.text.rule(&rule.id);
    let neighbour = |at: Option<usize>| at.and_then(|at| rules.get(at));
    let main = html! {
        p.path {
            a href={ "../index.html#" (section_anchor(&rule.section)) } { "\u{a7}" (rule.section) " " (Shown(&rule.section_title)) }
        }
        h1.id { (rule.id) }
        section.rule.(class(rule.level)) {
            @if let Some(text) = text { (body(&edition.text, text, "../index.html")) }
        }
        p { a href={ "../index.html#" (rule.id) } { "Read it in the text" } }
        dl.facts {
            dt { "Level" } dd { (level(rule)) }
            dt { "Tested" } dd { (ways(rule)) }
            @if let Some(reason) = &rule.not_observable {
                dt { "Not observable" } dd { (Shown(reason)) }
            }
        }
        (covers(edition, rule))
        nav.pages aria-label="Rules beside this one" {
            @if let Some(before) = neighbour(at.checked_sub(1)) {
                a rel="prev" href={ (before.id) ".html" } { "\u{2190} " (before.id) }
            }
            @if let Some(after) = neighbour(Some(at + 1)) {
                a rel="next" href={ (after.id) ".html" } { (after.id) " \u{2192}" }
            }
        }
    };
    layout::page(Page {
        root: "../../",
        title: format!("{}, {}", rule.id, edition.title()),
        edition: Some((edition, Part::Text)),
        contents: None,
        main,
    })
}

fn ways(rule: &Requirement) -> String {
    let way = |tested: &Tested| match tested {
        Tested::Vector => "by vectors, which any implementation can run",
        Tested::Check => "by the conformance checker, over HTTP",
        Tested::Test => "by tests of the reference code",
        Tested::None => "by nothing: nobody outside can observe it",
    };
    let ways: Vec<_> = rule.tested.iter().map(way).collect();
    ways.join("; ")
}

fn covers(edition: &Edition<'_>, rule: &Requirement) -> Markup {
    let of = |kind: Kind| -> Vec<&str> {
        let covers = rule.covered_by.iter().filter(|cover| cover.kind == kind);
        covers.map(|cover| cover.at.as_str()).collect()
    };
    let (vectors, checks, tests) = (of(Kind::Vector), of(Kind::Check), of(Kind::Test));
    html! {
        @if !vectors.is_empty() {
            h2 { (counted(vectors.len(), "vector")) }
            ul.vectors {
                @for (_, id) in vectors.iter().filter_map(|at| listed(at)) {
                    @if let Some((file, vector)) = edition.vector(id) {
                        li { (super::vectors::row(&format!("../vectors/{}/", file.kind), vector)) }
                    }
                }
            }
        }
        @if !checks.is_empty() {
            h2 { (counted(checks.len(), "check")) }
            ul {
                @for at in &checks {
                    @match listed(at) {
                        Some((CHECKS, id)) => { li { a href={ "../checks.html#" (super::checks::anchor(id)) } { (Shown(id)) } } }
                        _ => { li { code { (Shown(at)) } } }
                    }
                }
            }
        }
        @if !tests.is_empty() {
            h2 { (counted(tests.len(), "test")) }
            ul { @for at in &tests { li { code { (Shown(at)) } } } }
        }
        @if !edition.is_draft() {
            p.note { "Of a frozen version only the vectors are shown: checks and tests belong to the code as it is now, and follow the draft." }
        } @else if rule.covered_by.is_empty() && rule.not_observable.is_none() {
            p.note { "Nothing covers this rule yet." }
        }
    }
}
