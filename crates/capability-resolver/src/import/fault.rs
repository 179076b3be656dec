//! What of a source was refused, and where it stands.

use command_console::{Diagnostic, Place};

/// Something in a source that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Kebab-case code.
    pub code: &'static str,
    /// One sentence: what is wrong, and the rule where there is one.
    pub message: String,
    /// Where.
    pub at: Where,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Where {
    /// A line of a file.
    Line(Place),
    /// A member of a document: its source, the page if it has several, and a JSON pointer (RFC 6901).
    Pointer {
        /// The source.
        name: String,
        /// The page, counted from 1.
        page: Option<u32>,
        /// The pointer.
        pointer: String,
    },
}

impl Fault {
    /// For a person.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::warning(self.code, &*self.message);
        match &self.at {
            Where::Line(place) => diagnostic.at(place.clone()),
            Where::Pointer {
                name,
                page,
                pointer,
            } => {
                let page = page.map_or_else(String::new, |page| format!(" page {page}"));
                diagnostic.fact("at", format!("{name}{page} {pointer}"))
            }
        }
    }
}
