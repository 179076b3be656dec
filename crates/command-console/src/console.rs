//! The two streams a command writes to: data to standard output, talk to standard error.

use std::fmt::Display;
use std::io::{self, Write};

use anstream::AutoStream;
use serde::Serialize;

/// Where a command writes.
///
/// Text may carry ANSI styles; they are taken away where the stream is not a terminal or `NO_COLOR` is set.
/// A reader that closes the pipe early ends nothing; any other write error is kept and makes the exit code 2.
pub struct Console {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    error: Option<io::Error>,
}

impl Console {
    /// The streams of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self::new(
            AutoStream::auto(io::stdout()),
            AutoStream::auto(io::stderr()),
        )
    }

    /// Writes data to `out` and talk to `err`, as they come.
    pub fn new(out: impl Write + 'static, err: impl Write + 'static) -> Self {
        Self {
            out: Box::new(out),
            err: Box::new(err),
            error: None,
        }
    }

    /// Writes to memory; for tests, which read [`Captured`] afterwards.
    #[must_use]
    pub fn captured() -> (Self, Captured) {
        let captured = Captured::default();
        let console = Self::new(captured.out.clone(), captured.err.clone());
        (console, captured)
    }

    /// Writes one line (or several) of what was asked for to standard output.
    pub fn data(&mut self, text: impl Display) {
        let written = writeln!(self.out, "{text}");
        self.keep(written);
    }

    /// Writes what was asked for to standard output as it is.
    pub fn text(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes());
        self.keep(written);
    }

    /// Writes one line (or several) to standard error: progress, warnings, what to do next.
    pub fn talk(&mut self, text: impl Display) {
        let written = writeln!(self.err, "{text}");
        self.keep(written);
    }

    /// Writes `value` to standard output as indented JSON with a final newline.
    pub fn json(&mut self, value: &impl Serialize) {
        let written = serde_json::to_string_pretty(value).map_err(io::Error::other);
        let written = written.and_then(|text| writeln!(self.out, "{text}"));
        self.keep(written);
    }

    /// Flushes both streams and hands over the first write error, if there was one.
    pub fn flush(mut self) -> Option<io::Error> {
        let flushed = self.out.flush();
        self.keep(flushed);
        self.error
    }

    fn keep(&mut self, written: io::Result<()>) {
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.error.get_or_insert(error);
        }
    }
}

pub use captured::Captured;

mod captured {
    use std::cell::RefCell;
    use std::io::{self, Write};
    use std::rc::Rc;

    use anstream::adapter::strip_str;

    /// What a [`Console::captured`](super::Console::captured) was given to write.
    #[derive(Debug, Clone, Default)]
    pub struct Captured {
        pub(super) out: Sink,
        pub(super) err: Sink,
    }

    impl Captured {
        /// Everything written to standard output so far, without styles.
        #[must_use]
        pub fn out(&self) -> String {
            self.out.text()
        }

        /// Everything written to standard error so far, without styles.
        #[must_use]
        pub fn err(&self) -> String {
            self.err.text()
        }
    }

    #[derive(Debug, Clone, Default)]
    pub(super) struct Sink(Rc<RefCell<Vec<u8>>>);

    impl Sink {
        fn text(&self) -> String {
            strip_str(&String::from_utf8_lossy(&self.0.borrow())).to_string()
        }
    }

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full(io::ErrorKind);

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn data_and_talk_keep_apart_and_lose_their_styles() {
        let (mut console, captured) = Console::captured();
        console.data("\u{1b}[1mverdict\u{1b}[0m");
        console.talk("progress");
        console.json(&["a"]);
        assert!(console.flush().is_none());
        assert_eq!(captured.out(), "verdict\n[\n  \"a\"\n]\n");
        assert_eq!(captured.err(), "progress\n");
    }

    #[test]
    fn a_full_disk_is_told_and_a_closed_pipe_is_not() {
        let mut full = Console::new(Full(io::ErrorKind::StorageFull), io::sink());
        full.data("x");
        assert_eq!(
            full.flush().map(|error| error.kind()),
            Some(io::ErrorKind::StorageFull)
        );

        let mut closed = Console::new(Full(io::ErrorKind::BrokenPipe), io::sink());
        closed.data("x");
        assert!(closed.flush().is_none());
    }
}
