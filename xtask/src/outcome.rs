//! How a command ends: an answer, or the reason why there is none.

use std::process::ExitCode;

use crate::diagnostic::{Diagnostic, Explain};

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
