//! One vector.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use maud::{Markup, html};
use serde_json::Value;

use super::vectors::verdict;
use crate::site::edition::Edition;
use crate::site::layout::{self, Page, Part, counted, number};
use crate::site::shown::{Shown, block};
use crate::site::vectors::{File, Vector};

/// The longest value that is shown whole, in bytes; the JSON below shows all of it.
const MOST_SHOWN: usize = 16 * 1024;

/// The page of the vector at this place of its file.
pub(in crate::site) fn page(edition: &Edition<'_>, file: &File, at: usize) -> Markup {
    let Some(vector) = file.tests.get(at) else {
        return Markup::default();
    };
    let neighbour = |at: Option<usize>| at.and_then(|at| file.tests.get(at));
    let main = html! {
        p.path { a href="../index.html" { "Vectors" } " / " a href="index.html" { (file.kind) } }
        h1.id { (vector.id) }
        p.lead { (Shown(&vector.comment)) }
        dl.facts {
            dt { "Right answer" } dd { (verdict(vector)) }
            dt { "Rules" }
            dd { (rules(edition, vector)) }
            dt { "Level" } dd { (Shown(&vector.level)) }
            dt { "Operation" } dd { code { (Shown(&vector.operation)) } }
            @if let Some(from) = &vector.derived_from {
                dt { "Made from" }
                dd {
                    @match edition.vector(from) {
                        Some((file, _)) => a.id href={ "../" (file.kind) "/" (from) ".html" } { (from) },
                        None => (Shown(from)),
                    }
                    @if let Some(mutation) = &vector.mutation { " by " (Shown(mutation)) }
                }
            }
        }
        h2 { "Input" }
        @for (name, value) in &vector.input { (member(name, value)) }
        @if let Some(output) = &vector.output {
            h2 { "Output" }
            (block(&pretty(output)))
        }
        h2 { "JSON" }
        details {
            summary { "The vector as the file has it, " (number(vector.raw.len())) " bytes" }
            (block(&vector.raw))
        }
        nav.pages aria-label="Vectors beside this one" {
            @if let Some(before) = neighbour(at.checked_sub(1)) {
                a rel="prev" href={ (before.id) ".html" } { "\u{2190} " (before.id) }
            }
            @if let Some(after) = neighbour(Some(at + 1)) {
                a rel="next" href={ (after.id) ".html" } { (after.id) " \u{2192}" }
            }
        }
    };
    layout::page(Page {
        root: "../../../",
        title: format!("{}, {}", vector.id, edition.title()),
        edition: Some((edition, Part::Vectors)),
        contents: None,
        main,
    })
}

/// The rules, the deciding one first; one that the text no longer has is no link.
fn rules(edition: &Edition<'_>, vector: &Vector) -> Markup {
    html! {
        ul.rules {
            @for id in &vector.rules {
                li {
                    @if edition.rule(id).is_some() {
                        a.ref href={ "../../rules/" (id) ".html" } { (id) }
                    } @else {
                        (id)
                    }
                }
            }
        }
    }
}

fn member(name: &str, value: &Value) -> Markup {
    html! {
        h3 { code { (Shown(name)) } }
        @match value {
            Value::String(text) => {
                (cut(text))
                @if name == "token" { (taken_apart(text)) }
                @if name.ends_with("_base64") { (decoded(text)) }
            }
            other => (cut(&pretty(other))),
        }
    }
}

/// A value, up to a length.
fn cut(text: &str) -> Markup {
    let end = text.floor_char_boundary(MOST_SHOWN);
    html! {
        @if text.is_empty() {
            p.note { "empty" }
        } @else {
            (block(text.get(..end).unwrap_or_default()))
            @if end < text.len() { p.note { (number(text.len() - end)) " bytes more: the JSON has them" } }
        }
    }
}

/// Header and payload of a token, where they are texts.
fn taken_apart(token: &str) -> Markup {
    let part = |part: Option<&str>| String::from_utf8(URL_SAFE_NO_PAD.decode(part?).ok()?).ok();
    let mut segments = token.split('.');
    let (header, payload) = (part(segments.next()), part(segments.next()));
    html! {
        @if header.is_some() || payload.is_some() {
            details {
                summary { "Taken apart" }
                @for (name, part) in [("header", header), ("payload", payload)] {
                    @if let Some(part) = part { h4 { (name) } (cut(&part)) }
                }
            }
        }
    }
}

/// What base64 stands for, where that can be read in part.
fn decoded(text: &str) -> Markup {
    html! {
        @if let Ok(bytes) = STANDARD.decode(text) {
            details {
                summary { (counted(bytes.len(), "byte")) ", not all of them UTF-8" }
                (cut(&String::from_utf8_lossy(&bytes)))
            }
        }
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
