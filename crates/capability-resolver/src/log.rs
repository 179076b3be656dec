//! The log of `serve`: lines to standard error, and nothing but what this program says itself.
//!
//! No subscriber takes what libraries would write, at any level: some of them write whole requests. A need is in no line,
//! since no line holds anything of a request but its method, its endpoint and how it went.

use std::fmt;
use std::io::Write as _;
use std::panic::PanicHookInfo;

use clap::ValueEnum;

use crate::clock;

/// How much is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, ValueEnum)]
pub enum Level {
    /// What needs somebody.
    Warn,
    /// What changes: start, stop, new snapshots and keys.
    #[default]
    Info,
    /// Every request as well: its method and endpoint, its status and time; never what was asked, nor by whom.
    Debug,
}

/// The log.
#[derive(Debug, Clone, Copy)]
pub struct Log(Level);

impl Log {
    /// A log that writes so much.
    #[must_use]
    pub fn new(level: Level) -> Self {
        Self(level)
    }

    /// What needs somebody.
    pub fn warn(&self, what: fmt::Arguments<'_>) {
        self.write(Level::Warn, what);
    }

    /// What changes.
    pub fn info(&self, what: fmt::Arguments<'_>) {
        self.write(Level::Info, what);
    }

    /// Every request.
    pub fn debug(&self, what: fmt::Arguments<'_>) {
        self.write(Level::Debug, what);
    }

    fn write(&self, level: Level, what: fmt::Arguments<'_>) {
        if level <= self.0 {
            let word = match level {
                Level::Warn => "warn",
                Level::Info => "info",
                Level::Debug => "debug",
            };
            // Nobody is left to be told that nobody can be told.
            let _ = writeln!(std::io::stderr().lock(), "{} {word:5} {what}", clock::now());
        }
    }
}

/// Has a fault of this program told by its place alone: what a panic says can hold the text that it fell over.
pub fn hide_panics(log: Log) {
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        match info.location() {
            Some(at) => log.warn(format_args!(
                "a fault of this program at {at}; please report it"
            )),
            None => log.warn(format_args!("a fault of this program; please report it")),
        }
    }));
}
