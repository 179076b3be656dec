//! The page that one comes to first.

use maud::{Markup, html};

use crate::proofs::human;
use crate::proofs::report::Report;
use crate::site::edition::Edition;
use crate::site::layout::{self, Page, counted};
use crate::site::shown::Shown;

pub(in crate::site) fn page(editions: &[Edition<'_>], report: &Report) -> Markup {
    let main = html! {
        h1 { "Capability Resolution" }
        p.lead {
            "A software agent that lacks a tool asks: who can do this job, and is it answering today? \
             This protocol is the question, and the form of a signed answer."
        }
        @for edition in editions.iter().rev() { (of_edition(edition)) }
        h2 { "Not proven" }
        ul { @for sentence in human::not_proven(report) { li { (Shown(&sentence)) } } }
    };
    layout::page(Page {
        root: "",
        title: "Capability Resolution".to_owned(),
        edition: None,
        contents: None,
        main,
    })
}

fn of_edition(edition: &Edition<'_>) -> Markup {
    let folder = &edition.name;
    let rules = edition.requirements.rules.len();
    html! {
        section.edition {
            h2 { a href={ (folder) "/index.html" } { (Shown(&heading(edition))) } }
            (super::text::standing(edition, &format!("{folder}/")))
            ul {
                li { a href={ (folder) "/index.html" } { "The text" } ", " (counted(rules, "rule")) }
                li { a href={ (folder) "/vectors/index.html" } { "The vectors" } ", " (counted(edition.count(), "vector")) " in " (counted(edition.vectors.len(), "kind")) }
                @if !edition.checks.is_empty() {
                    li { a href={ (folder) "/checks.html" } { "The checks" } " of a resolver, " (edition.checks.len()) }
                }
                @if edition.changed {
                    li { a href={ (folder) "/changes.html" } { "What changed" } ", rule by rule" }
                }
            }
        }
    }
}

fn heading(edition: &Edition<'_>) -> String {
    if edition.is_draft() {
        format!("Draft of {}", edition.version())
    } else {
        format!("Version {}", edition.name)
    }
}
