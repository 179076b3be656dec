//! The checks of an origin.

use maud::{Markup, html};

use crate::site::edition::Edition;
use crate::site::layout::{self, Page, Part, counted};
use crate::site::shown::Shown;
use crate::site::text::section_anchor;

/// The anchor of a check: `http.etag#answer` has a character that would end one.
pub(in crate::site) fn anchor(id: &str) -> String {
    id.replace('#', ":")
}

pub(in crate::site) fn page(edition: &Edition<'_>) -> Markup {
    let main = html! {
        h1 { "Checks" }
        p {
            (counted(edition.checks.len(), "check")) " of a resolver, from outside: "
            code { "capability-resolution-check https://resolver.example" }
            " makes them, and says whether the resolver reaches the level resolver-1."
        }
        ul.checks {
            @for check in &edition.checks {
                li id=(anchor(&check.id)) {
                    a.id href={ "#" (anchor(&check.id)) } { (Shown(&check.id)) }
                    span.level { (Shown(&check.level)) }
                    span.comment { (Shown(&check.expected)) }
                    span.rules {
                        @if edition.text.has_section(&check.section) {
                            a href={ "index.html#" (section_anchor(&check.section)) } { "\u{a7}" (check.section) }
                        }
                        @for id in &check.rules {
                            " "
                            @if edition.rule(id).is_some() {
                                a.ref href={ "rules/" (id) ".html" } { (id) }
                            } @else {
                                (Shown(id))
                            }
                        }
                    }
                }
            }
        }
    };
    layout::page(Page {
        root: "../",
        title: format!("Checks, {}", edition.title()),
        edition: Some((edition, Part::Checks)),
        contents: None,
        main,
    })
}
