//! One message to a person: what is wrong, where, why, and what to do.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use anstyle::Style;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::style::{BAD, BOLD, DOUBT, FRAME, HELP};
use crate::visible;

/// An error that can explain itself; the error enums of the commands implement it.
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
    /// The file, as a person knows it.
    pub path: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// Length of the marked stretch in characters; 0 marks one place behind a character.
    pub length: usize,
    /// The line's text, shown above the mark; of an empty one nothing is shown.
    #[serde(skip)]
    pub text: String,
}

/// A message that prints the way rustc's do; [`Display`](fmt::Display) writes it with ANSI styles, which a
/// [`Console`](crate::Console) takes away where nobody would see them. What nobody would see in a text is shown as
/// `U+XXXX`, and the mark stands under what it is about, in columns of a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    level: Level,
    code: String,
    message: String,
    #[serde(flatten)]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
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
            label: None,
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

    /// Says behind the mark what it marks, in a few words; nothing without a place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
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

impl Level {
    fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Error => BAD,
            Self::Warning => DOUBT,
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
            visible(&self.message)
        )?;
        if let Some(place) = &self.place {
            place.show(f, style, self.label.as_deref())?;
        }
        let width = self
            .facts
            .iter()
            .map(|(name, _)| name.chars().count())
            .max()
            .unwrap_or(0);
        for (name, value) in &self.facts {
            write!(f, "\n  {name:width$}  {}", visible(value))?;
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

impl Place {
    /// Where the bytes `span` stand in `text`; of several lines, the first is marked.
    #[must_use]
    pub fn in_text(path: impl Into<String>, text: &str, span: Range<usize>) -> Self {
        let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let start = text.floor_char_boundary(span.start);
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let marked = text.get(start..span.end).unwrap_or_default();
        Self {
            path: path.into(),
            line: text[..from].matches('\n').count() + 1,
            column: text[from..start].chars().count() + 1,
            length: first(marked).chars().count(),
            text: first(&text[from..]),
        }
    }

    /// The line in its frame, with a mark under the stretch and the label behind it.
    fn show(&self, f: &mut fmt::Formatter<'_>, style: Style, label: Option<&str>) -> fmt::Result {
        let number = self.line.to_string();
        let gutter = number.len();
        let path = visible(&self.path);
        write!(
            f,
            "\n{:gutter$}{FRAME}-->{FRAME:#} {path}:{}:{}",
            "", self.line, self.column
        )?;
        if self.text.is_empty() {
            return Ok(());
        }
        let Window {
            before,
            marked,
            after,
        } = self.window();
        let indent = before.width();
        let mark = "^".repeat(marked.width().max(1));
        write!(f, "\n{:gutter$} {FRAME}|{FRAME:#}", "")?;
        write!(f, "\n{FRAME}{number} |{FRAME:#} {before}{marked}{after}")?;
        write!(
            f,
            "\n{:gutter$} {FRAME}|{FRAME:#} {:indent$}{style}{mark}",
            "", ""
        )?;
        if let Some(label) = label {
            write!(f, " {}", visible(label))?;
        }
        write!(f, "{style:#}")
    }

    /// Of a long line, only what stands around the mark.
    fn window(&self) -> Window {
        let characters: Vec<char> = self.text.chars().collect();
        let start = self.column.saturating_sub(1).min(characters.len());
        let end = start.saturating_add(self.length).min(characters.len());
        let shown_end = end.min(start + MARKED);
        let from = if end > AROUND {
            start.saturating_sub(AROUND)
        } else {
            0
        };
        let to = characters.len().min(shown_end + AROUND);
        let of = |range: &[char]| visible(&range.iter().collect::<String>());
        Window {
            before: ellipsis(from > 0) + &of(&characters[from..start]),
            marked: of(&characters[start..shown_end]),
            after: of(&characters[shown_end..to]) + &ellipsis(to < characters.len()),
        }
    }
}

/// How much of a line is shown on either side of what is marked, in characters.
const AROUND: usize = 80;

/// How much of a marked stretch is shown, in characters.
const MARKED: usize = 160;

/// What is shown of a line, as it is shown.
struct Window {
    before: String,
    marked: String,
    after: String,
}

fn ellipsis(cut: bool) -> String {
    if cut { "…" } else { "" }.to_owned()
}

/// Later lines of a note stand under its first word.
fn continued(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(visible).collect();
    lines.join("\n        ")
}

/// The messages of these errors without styles, for a test that keeps them as they are.
#[must_use]
pub fn messages(errors: &[&dyn Explain]) -> String {
    let shown = errors
        .iter()
        .map(|error| Diagnostic::from_error(*error).to_string());
    anstream::adapter::strip_str(&shown.collect::<Vec<_>>().join("\n")).to_string()
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
            .label("a keyword")
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
           |     ^^^^ a keyword
          found  MUST
          level  none
          note: two
                lines
          help: give the paragraph an id
        "#);
    }

    #[test]
    fn bytes_have_a_place_in_characters() {
        let text = "a\r\nü b\nc";
        let place = |span| {
            let place = Place::in_text("f", text, span);
            (place.line, place.column, place.length, place.text)
        };
        assert_eq!(place(0..1), (1, 1, 1, "a".to_owned()));
        assert_eq!(place(6..7), (2, 3, 1, "ü b".to_owned()));
        assert_eq!(place(4..9), (2, 1, 3, "ü b".to_owned()));
        assert_eq!(place(6..9), (2, 3, 1, "ü b".to_owned()));
        assert_eq!(place(9..9), (3, 2, 0, "c".to_owned()));
        assert_eq!(place(99..100), (3, 2, 0, "c".to_owned()));
        assert_eq!(Place::in_text("f", "", 0..0).line, 1);
    }

    #[test]
    fn the_mark_stands_under_what_is_shown() {
        let at = |text: &str, column, length| {
            let place = Place {
                path: "f".into(),
                line: 7,
                column,
                length,
                text: text.into(),
            };
            let shown = Diagnostic::error("c", "m").at(place).to_string();
            let plain = anstream::adapter::strip_str(&shown).to_string();
            plain
                .lines()
                .skip(3)
                .map(|line| line[4..].to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(at("a\u{200b}b", 2, 1), ["aU+200Bb", " ^^^^^^"]);
        assert_eq!(at("a\u{200b}b", 3, 1), ["aU+200Bb", "       ^"]);
        assert_eq!(at("日本x", 3, 1), ["日本x", "    ^"]);
        assert_eq!(at("ab", 3, 0), ["ab", "  ^"]);
        assert!(at("", 9, 4).is_empty());
        let long = at(&"x".repeat(4_000), 2_000, 1);
        assert_eq!(long[0].chars().count(), 163);
        assert_eq!(long[1].chars().count(), 82);
    }
}
