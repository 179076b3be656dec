//! What a command writes: data to standard output, talk to standard error.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use capability_resolution::text::{is_control, is_unsafe};
use serde::Serialize;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// The longest text from outside that is shown whole, in characters.
const SHOWN_CHARACTERS: usize = 1_000;

/// The two streams. Styles are taken away where nobody would see them, and a reader that closes the pipe early ends
/// nothing.
pub(crate) struct Console {
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
    written: io::Result<()>,
}

impl Console {
    pub(crate) fn of_process() -> Self {
        Self {
            out: AutoStream::auto(io::stdout()),
            err: AutoStream::auto(io::stderr()),
            written: Ok(()),
        }
    }

    /// Writes what was asked for.
    pub(crate) fn data(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes());
        self.keep(written);
    }

    /// Writes a value as indented JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        match serde_json::to_string_pretty(value) {
            Ok(text) => self.data(&(text + "\n")),
            Err(error) => self.keep(Err(error.into())),
        }
    }

    /// Writes a message.
    pub(crate) fn talk(&mut self, text: &str) {
        let written = writeln!(self.err, "{text}");
        self.keep(written);
    }

    /// Flushes, and says what could not be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
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

/// A text from outside as it may be shown: what nobody would see, or what turns the direction of writing, as `U+XXXX`,
/// and no more of it than a person reads.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(4 * SHOWN_CHARACTERS));
    for (at, c) in text.chars().enumerate() {
        if at == SHOWN_CHARACTERS {
            // Writing to a string cannot fail.
            let _ = write!(shown, "… ({} characters)", text.chars().count());
            break;
        }
        if is_control(c) || is_unsafe(c) {
            let _ = write!(shown, "U+{:04X}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_would_see_is_shown() {
        assert_eq!(
            visible("a\u{1b}[2J\u{202e}ü\u{85}\n"),
            "aU+001B[2JU+202EüU+0085U+000A"
        );
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(visible(&"ü".repeat(1_000)).chars().count(), 1_000);
        assert!(visible(&"ü".repeat(1_001)).ends_with("ü… (1001 characters)"));
    }
}
