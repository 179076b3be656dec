//! How a command ends: an answer, or the reason why there is none.

use std::process::ExitCode;

use crate::{Console, Diagnostic, Explain};

/// A command's answer; the exit code is the same for every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// What was asked holds, or what was to be done is done: exit code 0.
    True,
    /// Checked, and it does not hold: exit code 1.
    False,
    /// It could not be told: exit code 2. Command lines that cannot be read end the same way (clap).
    Unknown,
}

impl Outcome {
    /// The process's exit code: 0, 1 or 2.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::True => 0,
            Self::False => 1,
            Self::Unknown => 2,
        }
    }

    /// [`Outcome::True`] if `holds`, else [`Outcome::False`].
    #[must_use]
    pub fn from_bool(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome.code())
    }
}

/// Why a command has no answer, ready to be printed. Every error that implements [`Explain`] becomes one with `?`.
#[derive(Debug)]
pub struct Failure(Box<Diagnostic>);

impl Failure {
    /// The failure that `diagnostic` describes.
    #[must_use]
    pub fn new(diagnostic: Diagnostic) -> Self {
        Self(Box::new(diagnostic))
    }

    /// What is printed.
    #[must_use]
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.0
    }
}

impl<E: Explain> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(Diagnostic::from_error(&error))
    }
}

/// Ends a command: prints why it has no answer, if it has none, flushes, and says with which exit code the process ends.
/// An answer that could not be written is none.
#[must_use]
pub fn finish(mut console: Console, result: Result<Outcome, Failure>) -> ExitCode {
    let outcome = result.unwrap_or_else(|failure| {
        console.talk(failure.diagnostic());
        Outcome::Unknown
    });
    match console.flush() {
        None => outcome.into(),
        Some(error) => {
            let told = Diagnostic::error("io", "cannot write the answer").note(error.to_string());
            Console::of_process().talk(told);
            Outcome::Unknown.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_the_documented_ones() {
        assert_eq!(
            [Outcome::True, Outcome::False, Outcome::Unknown].map(Outcome::code),
            [0, 1, 2]
        );
        assert_eq!(Outcome::from_bool(true), Outcome::True);
        assert_eq!(Outcome::from_bool(false), Outcome::False);
    }
}
