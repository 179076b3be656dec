//! What a command writes: data to standard output, talk to standard error.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use serde::Serialize;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const DOUBT: Style = AnsiColor::Yellow.on_default();

/// The two streams. Styles are taken away where nobody would see them, and a reader that closes the pipe early ends
/// nothing.
pub(super) struct Console {
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
    written: io::Result<()>,
}

impl Console {
    pub(super) fn of_process() -> Self {
        Self {
            out: AutoStream::auto(io::stdout()),
            err: AutoStream::auto(io::stderr()),
            written: Ok(()),
        }
    }

    /// Writes what was asked for.
    pub(super) fn data(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes());
        self.keep(written);
    }

    /// Writes a value as indented JSON.
    pub(super) fn json(&mut self, value: &impl Serialize) {
        match serde_json::to_string_pretty(value) {
            Ok(text) => self.data(&(text + "\n")),
            Err(error) => self.keep(Err(error.into())),
        }
    }

    /// Writes a message.
    pub(super) fn talk(&mut self, text: &str) {
        let written = writeln!(self.err, "{text}");
        self.keep(written);
    }

    /// Flushes, and says what could not be written.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.keep(flushed);
        self.written
    }

    fn keep(&mut self, written: io::Result<()>) {
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
            && self.written.is_ok()
        {
            self.written = Err(error);
        }
    }
}

/// A text from outside as it may be shown: what is invisible, moves the cursor or turns the direction of writing is
/// written as `U+XXXX`.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "U+{:04X}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The rules text.control and text.unsafe, and the line and paragraph separators.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_would_see_is_shown() {
        assert_eq!(
            visible("a\u{1b}[2J\u{202e}ü\u{85}"),
            "aU+001B[2JU+202EüU+0085"
        );
    }
}
