//! One message to a person: what is wrong, where, why, and what to do.

use std::error::Error;
use std::fmt;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// An error that can explain itself; each error enum of this crate implements it.
pub trait Explain: Error {
    /// Stable kebab-case code of the error, printed as `error[code]`.
    fn code(&self) -> &'static str;

    /// What to do about it, where there is something to do.
    fn help(&self) -> Option<String> {
        None
    }
}

/// How serious a [`Diagnostic`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Something is wrong, or could not be done.
    Error,
    /// Something is worth a look and changes no verdict.
    Warning,
}

/// A place in a text file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Path relative to the repository, with `/`.
    pub path: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// Length of the marked stretch in characters; at least 1.
    pub length: usize,
    /// The line's text, shown above the mark.
    #[serde(skip)]
    pub text: String,
}

/// A message that prints the way rustc's do; [`Display`](fmt::Display) writes it with ANSI styles, which a
/// [`Console`](crate::console::Console) takes away where nobody would see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    level: Level,
    code: String,
    message: String,
    #[serde(flatten)]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    help: Vec<String>,
}

impl Diagnostic {
    /// An error with its stable code and one sentence without a full stop.
    #[must_use]
    pub fn error(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            level: Level::Error,
            code: code.into(),
            message: message.into(),
            place: None,
            facts: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// The same as a warning.
    #[must_use]
    pub fn warning(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            level: Level::Warning,
            ..Self::error(code, message)
        }
    }

    /// The message of `error`, its sources as notes, and its help.
    #[must_use]
    pub fn from_error<E: Explain + ?Sized>(error: &E) -> Self {
        let mut diagnostic = Self::error(error.code(), error.to_string());
        let mut source = error.source();
        while let Some(cause) = source {
            diagnostic.notes.push(cause.to_string());
            source = cause.source();
        }
        diagnostic.help.extend(error.help());
        diagnostic
    }

    /// Shows where in a text file.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds an aligned line `name  value`, such as `expected  sha256 ...`.
    #[must_use]
    pub fn fact(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.facts.push((name.into(), value.into()));
        self
    }

    /// Adds a line `note: ...`.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a line `help: ...`: what to do now.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The sentence after the code.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// How serious it is.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Where it is, if it is about a place in a text file.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }
}

const BOLD: Style = Style::new().bold();
const FRAME: Style = AnsiColor::Blue.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

impl Level {
    fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Error => AnsiColor::Red.on_default().bold(),
            Self::Warning => AnsiColor::Yellow.on_default().bold(),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = self.level.style();
        write!(
            f,
            "{style}{}[{}]{style:#}{BOLD}: {}{BOLD:#}",
            self.level.word(),
            self.code,
            self.message
        )?;
        if let Some(place) = &self.place {
            let number = place.line.to_string();
            let gutter = number.len();
            let mark = "^".repeat(place.length.max(1));
            let indent = place.column.saturating_sub(1);
            write!(
                f,
                "\n{:gutter$}{FRAME}-->{FRAME:#} {}:{}:{}\n{:gutter$} {FRAME}|{FRAME:#}",
                "", place.path, place.line, place.column, ""
            )?;
            write!(f, "\n{FRAME}{number} |{FRAME:#} {}", place.text)?;
            write!(
                f,
                "\n{:gutter$} {FRAME}|{FRAME:#} {:indent$}{style}{mark}{style:#}",
                "", ""
            )?;
        }
        let width = self
            .facts
            .iter()
            .map(|(name, _)| name.chars().count())
            .max()
            .unwrap_or(0);
        for (name, value) in &self.facts {
            write!(f, "\n  {name:width$}  {value}")?;
        }
        for note in &self.notes {
            write!(f, "\n  {BOLD}note{BOLD:#}: {}", continued(note))?;
        }
        for help in &self.help {
            write!(f, "\n  {HELP}help{HELP:#}: {}", continued(help))?;
        }
        Ok(())
    }
}

/// Later lines of a note stand under its first word.
fn continued(text: &str) -> String {
    text.replace('\n', "\n        ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_like_rustc() {
        let diagnostic = Diagnostic::error("spec-keyword", "\"MUST\" stands outside a rule")
            .at(Place {
                path: "spec/draft/x.md".into(),
                line: 12,
                column: 5,
                length: 4,
                text: "The MUST word".into(),
            })
            .fact("found", "MUST")
            .fact("level", "none")
            .note("two\nlines")
            .help("give the paragraph an id");
        let plain = anstream::adapter::strip_str(&diagnostic.to_string()).to_string();
        insta::assert_snapshot!(plain, @r#"
        error[spec-keyword]: "MUST" stands outside a rule
          --> spec/draft/x.md:12:5
           |
        12 | The MUST word
           |     ^^^^
          found  MUST
          level  none
          note: two
                lines
          help: give the paragraph an id
        "#);
    }
}
