//! The four words for what an observation showed: section 8 of the text.

use std::fmt;

/// What a resolver observed of a server: `status.meaning`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The server answered and did, without authorization, what the binding asks for.
    Ok,
    /// The server answered with a challenge to authorize.
    SignIn,
    /// The server failed in the same way at two observations.
    Down,
    /// The last observation did not settle the question, or is too old.
    Unknown,
}

impl Status {
    /// All four, in the order of the text.
    pub const ALL: [Self; 4] = [Self::Ok, Self::SignIn, Self::Down, Self::Unknown];

    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::SignIn => "sign_in",
            Self::Down => "down",
            Self::Unknown => "unknown",
        }
    }

    /// The status of a word on the wire, if it is one of the four.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
