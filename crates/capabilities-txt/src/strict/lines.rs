//! Lines, and the signed envelope around them: `captxt.line-end`, `captxt.signed`.

use super::line::Line;
use crate::code::Code;
use crate::diagnostic::Diagnostic;

/// A line as the file has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawLine<'a> {
    /// Counted from 1.
    pub(super) number: u32,
    pub(super) text: &'a str,
    /// Where it starts in the text that was split.
    pub(super) start: usize,
    /// Whether a line end follows, of any kind.
    pub(super) has_end: bool,
    /// Whether that is a CR without LF.
    pub(super) has_bare_cr: bool,
}

/// The lines of a text; what follows the last line end is a line if it is not empty.
pub(super) fn split(text: &str) -> impl Iterator<Item = RawLine<'_>> {
    let mut start = 0;
    (1..).map_while(move |number| {
        let rest = &text[start..];
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let (end, has_bare_cr) = match rest.as_bytes().get(line.len()..) {
            Some([b'\r', b'\n', ..]) => (2, false),
            Some([b'\r', ..]) => (1, true),
            Some([_, ..]) => (1, false),
            _ => (0, false),
        };
        let raw = RawLine {
            number,
            text: line,
            start,
            has_end: end > 0,
            has_bare_cr,
        };
        start += line.len() + end;
        (!rest.is_empty()).then_some(raw)
    })
}

/// Where in an OpenPGP message the lines stand.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    state: State,
    in_message: bool,
    reported: bool,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Text,
    /// Behind the start of a message, up to the first blank line.
    Armor,
    Signature,
}

impl Envelope {
    /// The line as it is read; `None` for one that is skipped.
    pub(super) fn unwrap<'a>(
        &mut self,
        line: Line<'a>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Line<'a>> {
        let mark = line.text.trim_end_matches([' ', '\t']);
        match self.state {
            State::Signature if mark == "-----END PGP SIGNATURE-----" => self.state = State::Text,
            State::Armor if mark.is_empty() => self.state = State::Text,
            State::Signature | State::Armor => {}
            State::Text if line.text.starts_with("-----BEGIN PGP ") => {
                if !self.reported {
                    found.push(line.diagnostic_to_end(Code::SignedEnvelope, 0));
                }
                self.reported = true;
                match mark {
                    "-----BEGIN PGP SIGNED MESSAGE-----" => {
                        (self.state, self.in_message) = (State::Armor, true);
                    }
                    "-----BEGIN PGP SIGNATURE-----" => self.state = State::Signature,
                    _ => {}
                }
            }
            State::Text if self.in_message => return Some(line.without_dash()),
            State::Text => return Some(line),
        }
        None
    }
}
