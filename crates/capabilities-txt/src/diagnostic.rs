//! Diagnostics: what the strict reader found, and where.

use std::ops::Range;

use crate::code::{Code, Severity};

/// One finding of the strict reader: `captxt.position`.
///
/// It is a few words long and holds no text; [`crate::Reading::explain`] says it in sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnostic {
    code: Code,
    severity: Severity,
    rule: &'static str,
    start: u32,
    end: u32,
    line: u32,
    column: u32,
}

impl Diagnostic {
    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// Whether it makes the file invalid.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The id of the rule that gives the code here.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// The bytes of the file that it is about; empty where something is missing. It starts at line and column.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        place(self.start)..place(self.end)
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The column in characters, counted from 1; a U+FEFF at the very start of the file is not counted.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.column
    }

    pub(crate) fn new(code: Code, at: Position, span: Range<usize>) -> Self {
        Self {
            code,
            severity: code.severity(),
            rule: code.rules()[0],
            start: number(span.start),
            end: number(span.end),
            line: at.line,
            column: at.column,
        }
    }

    /// The same place under another code.
    pub(crate) fn under(self, code: Code) -> Self {
        Self {
            code,
            severity: code.severity(),
            rule: code.rules()[0],
            ..self
        }
    }

    /// By another rule of its code.
    pub(crate) fn by(self, rule: &'static str) -> Self {
        debug_assert!(
            self.code.rules().contains(&rule),
            "{} is no code of {rule}",
            self.code
        );
        Self { rule, ..self }
    }

    pub(crate) fn as_warning(self) -> Self {
        Self {
            severity: Severity::Warning,
            ..self
        }
    }

    /// `captxt.order`.
    pub(crate) fn sort(found: &mut [Self]) {
        found.sort_unstable_by(|a, b| {
            (a.line, a.column, a.code.as_str()).cmp(&(b.line, b.column, b.code.as_str()))
        });
    }
}

/// A line and a column, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, column: 1 };
}

/// Only files of at most 64 KiB are read closely, and of a larger one nothing but its length is reported.
pub(crate) fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
