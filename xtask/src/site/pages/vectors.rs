//! The lists of vectors.

use maud::{Markup, html};

use crate::archive::Archive;
use crate::site::edition::Edition;
use crate::site::layout::{self, Page, Part, counted, number};
use crate::site::shown::Shown;
use crate::site::vectors::{File, Vector};

/// The kinds of vectors of an edition, and all of them to take along.
pub(in crate::site) fn all(edition: &Edition<'_>, archive: &Archive) -> Markup {
    let main = html! {
        h1 { "Vectors" }
        p {
            (counted(edition.count(), "vector")) " of the " (edition.title())
            ": each is one question to an implementation, and the one right answer. \
             They are data, in JSON, and dedicated to the public domain."
        }
        div.scroll tabindex="0" role="group" aria-label="Table" {
            table {
                thead { tr { th { "Kind" } th.count { "Valid" } th.count { "Invalid" } th.count { "All" } } }
                tbody {
                    @for file in &edition.vectors {
                        @let valid = file.tests.iter().filter(|vector| vector.result == "valid").count();
                        tr {
                            td { a href={ (file.kind) "/index.html" } { (file.kind) } }
                            td.count { (number(valid)) }
                            td.count { (number(file.tests.len() - valid)) }
                            td.count { (number(file.tests.len())) }
                        }
                    }
                }
            }
        }
        h2 { "Take them along" }
        p {
            a href={ "../" (archive.file_name) } { (archive.file_name) }
            ", " (number(archive.bytes.len())) " bytes: the files, their schemas, how to use them, and a consumer in Python."
        }
        p { "SHA-256 " code.digest { (archive.sha256) } }
    };
    page(edition, "../../", "Vectors".to_owned(), main)
}

/// The vectors of one kind.
pub(in crate::site) fn of_kind(edition: &Edition<'_>, file: &File) -> Markup {
    let main = html! {
        p.path { a href="../index.html" { "Vectors" } }
        h1.id { (file.kind) }
        p { (counted(file.tests.len(), "vector")) }
        ul.vectors { @for vector in &file.tests { li { (row("", vector)) } } }
    };
    page(
        edition,
        "../../../",
        format!("Vectors: {}", file.kind),
        main,
    )
}

fn page(edition: &Edition<'_>, root: &'static str, title: String, main: Markup) -> Markup {
    layout::page(Page {
        root,
        title: format!("{title}, {}", edition.title()),
        edition: Some((edition, Part::Vectors)),
        contents: None,
        main,
    })
}

/// A vector in a list; `folder` leads to its page.
pub(in crate::site) fn row(folder: &str, vector: &Vector) -> Markup {
    html! {
        a.id href={ (folder) (vector.id) ".html" } { (vector.id) }
        " " (verdict(vector))
        span.comment { (Shown(&vector.comment)) }
    }
}

/// The right verdict, with the code.
pub(in crate::site) fn verdict(vector: &Vector) -> Markup {
    html! {
        @match (vector.result.as_str(), &vector.reason) {
            ("valid", _) => span.verdict.valid { "valid" },
            (result, Some(reason)) => span.verdict.invalid { (Shown(result)) ": " (Shown(reason)) },
            (result, None) => span.verdict.invalid { (Shown(result)) },
        }
    }
}
