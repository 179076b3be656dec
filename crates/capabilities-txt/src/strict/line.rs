//! One line: the faults of its characters, and the field on it.

use std::borrow::Cow;
use std::ops::Range;

use capability_resolution::text::{is_control, is_unsafe};

use super::lines::RawLine;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Position, number};
use crate::limits::LINE_MAX_BYTES;

const WSP: [char; 2] = [' ', '\t'];

/// A line as it is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    number: u32,
    pub(super) text: &'a str,
    /// Where the text starts in the file, in bytes.
    start: usize,
    /// How many characters of the line stand before the text.
    shift: usize,
}

/// What a line is, by its first characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Blank,
    Comment,
    Other,
}

impl<'a> Line<'a> {
    /// The line of a text that starts `offset` bytes into the file.
    pub(super) fn new(raw: RawLine<'a>, offset: usize) -> Self {
        Self {
            number: raw.number,
            text: raw.text,
            start: offset + raw.start,
            shift: 0,
        }
    }

    /// The line without the `- ` that OpenPGP puts before a line.
    pub(super) fn without_dash(self) -> Self {
        match self.text.strip_prefix("- ") {
            Some(text) => Self {
                text,
                start: self.start + 2,
                shift: 2,
                ..self
            },
            None => self,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self.text.trim_start_matches(WSP).chars().next() {
            None => Kind::Blank,
            Some('#') => Kind::Comment,
            Some(_) => Kind::Other,
        }
    }

    /// How many spaces and tabs it starts with; all of a blank line are none.
    pub(super) fn indent(&self) -> usize {
        let rest = self.text.trim_start_matches(WSP);
        if rest.is_empty() {
            0
        } else {
            self.text.len() - rest.len()
        }
    }

    /// The place of a byte of the text.
    pub(super) fn position(&self, at: usize) -> Position {
        let column = self.shift + self.text[..at].chars().count() + 1;
        Position {
            line: self.number,
            column: number(column),
        }
    }

    /// A finding about these bytes of the text, or about its line end.
    pub(super) fn diagnostic(&self, code: Code, about: Range<usize>) -> Diagnostic {
        let at = self.position(about.start);
        Diagnostic::new(code, at, self.start + about.start..self.start + about.end)
    }

    /// A finding about the text from a place on.
    pub(super) fn diagnostic_to_end(&self, code: Code, from: usize) -> Diagnostic {
        self.diagnostic(code, from..self.text.trim_end_matches(WSP).len().max(from))
    }

    /// `captxt.line-codes`: the first of the faults that keep a line from being read.
    pub(super) fn fault(&self) -> Option<Diagnostic> {
        if self.text.len() > LINE_MAX_BYTES {
            return Some(self.diagnostic_to_end(Code::LineTooLong, self.indent()));
        }
        if self.text.bytes().all(|b| matches!(b, b' '..=b'~')) {
            return None;
        }
        let find = |code, wrong: &dyn Fn(usize, char) -> bool| {
            let (at, c) = self.text.char_indices().find(|(at, c)| wrong(*at, *c))?;
            Some(self.diagnostic(code, at..at + c.len_utf8()))
        };
        let is_comment = self.kind() == Kind::Comment;
        let (start, before_colon, end) = self.spaces();
        let is_tab =
            |at: usize| is_comment || at < start || before_colon.contains(&at) || at >= end;
        find(Code::ControlCharacter, &|at, c| {
            is_control(c) && !(c == '\t' && is_tab(at))
        })
        .or_else(|| find(Code::UnsafeCharacter, &|_, c| is_unsafe(c)))
    }

    /// Where the spaces and tabs stand that `captxt.control` allows: up to a place, around the first colon, from a place.
    fn spaces(&self) -> (usize, Range<usize>, usize) {
        let start = self.text.len() - self.text.trim_start_matches(WSP).len();
        let end = self.text.trim_end_matches(WSP).len();
        let around = match self.text.split_once(':') {
            None => 0..0,
            Some((before, after)) => {
                let after = self.text.len() - after.trim_start_matches(WSP).len();
                before.trim_end_matches(WSP).len()..after
            }
        };
        (start, around, end)
    }
}

/// A line with a name that the grammar allows before its colon.
#[derive(Debug)]
pub(super) struct FieldLine<'a> {
    line: Line<'a>,
    /// The name, without what is left out of it.
    pub(super) name: Cow<'a, str>,
    /// Where the name starts, and where what belongs to it ends.
    name_span: Range<usize>,
    colon: usize,
}

/// The value of a field, and where it starts in its line.
#[derive(Debug)]
pub(super) struct Value<'a> {
    line: Line<'a>,
    pub(super) text: &'a str,
    start: usize,
}

impl<'a> FieldLine<'a> {
    /// `captxt.field`; of a damaged line the name is read by `captxt.unreadable-value`.
    pub(super) fn parse(line: Line<'a>, damaged: bool) -> Option<Self> {
        let (before, after) = line.text.split_once(':')?;
        let name = before.trim_matches(WSP);
        let start = before.len() - before.trim_start_matches(WSP).len();
        let (name, start) = if damaged {
            let is_kept = |c: char| !is_control(c) && !is_unsafe(c);
            let kept: String = before.chars().filter(|c| is_kept(*c)).collect();
            let start = before.find(|c| is_kept(c) && c != ' ').unwrap_or(0);
            (Cow::Owned(kept.trim_matches(' ').to_owned()), start)
        } else {
            (Cow::Borrowed(name), start)
        };
        let allowed = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !after.starts_with("//");
        let end = before.trim_end_matches(WSP).len().max(start);
        allowed.then_some(Self {
            line,
            name,
            name_span: start..end,
            colon: before.len(),
        })
    }

    /// A finding at the name.
    pub(super) fn at_name(&self, code: Code) -> Diagnostic {
        self.line.diagnostic(code, self.name_span.clone())
    }

    /// `captxt.space-before-colon`.
    pub(super) fn space_before_colon(&self) -> Option<Diagnostic> {
        let space = self.name_span.end..self.colon;
        (!space.is_empty()).then(|| self.line.diagnostic(Code::SpaceBeforeColon, space))
    }

    /// `captxt.space-after-colon`, for a value that is not empty.
    pub(super) fn spacing_after_colon(&self) -> Option<Diagnostic> {
        let after = self.colon + 1;
        let next = self.line.text[after..].chars().next()?;
        let about = after..after + next.len_utf8();
        (next != ' ').then(|| self.line.diagnostic(Code::SpacingAfterColon, about))
    }

    /// The value; `None` for an empty one.
    pub(super) fn value(&self) -> Option<Value<'a>> {
        let after = self.line.text[self.colon + 1..].trim_end_matches(WSP);
        let text = after.trim_start_matches(WSP);
        let start = self.colon + 1 + after.len() - text.len();
        (!text.is_empty()).then_some(Value {
            line: self.line,
            text,
            start,
        })
    }
}

impl Value<'_> {
    /// The bytes of the value in the file.
    pub(super) fn span(&self) -> Range<usize> {
        let start = self.line.start + self.start;
        start..start + self.text.len()
    }

    /// Where the value starts.
    pub(super) fn position(&self) -> Position {
        self.line.position(self.start)
    }

    /// A finding about the whole value.
    pub(super) fn diagnostic(&self, code: Code) -> Diagnostic {
        Diagnostic::new(code, self.position(), self.span())
    }
}

/// The pieces of a value between separators, without what is trimmed off them. Columns are counted on the way, so that
/// all places together cost one walk over the value.
pub(super) fn pieces<'a>(
    value: &Value<'a>,
    separator: char,
    is_trimmed: fn(char) -> bool,
) -> impl Iterator<Item = Piece<'a>> {
    let Position { line, mut column } = value.position();
    let mut place = value.span().start;
    value.text.split(separator).map(move |whole| {
        let text = whole.trim_start_matches(is_trimmed);
        let trimmed = &whole[..whole.len() - text.len()];
        let piece = Piece {
            text: text.trim_end_matches(is_trimmed),
            at: Position {
                line,
                column: column + number(trimmed.chars().count()),
            },
            start: place + trimmed.len(),
        };
        place += whole.len() + 1;
        column += number(whole.chars().count() + 1);
        piece
    })
}

/// One entry or job of a value. An empty one stands behind what was trimmed off it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    at: Position,
    start: usize,
}

impl Piece<'_> {
    /// Its bytes in the file.
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// A finding about it.
    pub(super) fn diagnostic(&self, code: Code) -> Diagnostic {
        Diagnostic::new(code, self.at, self.span())
    }
}
