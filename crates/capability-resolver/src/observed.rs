//! What one observation of a server came to: section 8.2 and 15.1 of the text.

use capability_resolution::Time;
use serde::{Deserialize, Serialize};

/// One observation. It is kept as it is, and never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// When its first request was sent.
    pub started_at: Time,
    /// When it ended: the `checked_at` of a status that rests on it (`status.checked-at`).
    pub ended_at: Time,
    /// What it came to.
    pub outcome: Outcome,
    /// The step of the procedure that it began with.
    pub began_with: Start,
    /// The step that led to `ok` or `sign_in`, and with which the next one may begin: `mcp.era-cache`.
    pub led_by: Option<Start>,
    /// `mcp.handshake`, in milliseconds; for [`Outcome::Ok`] and [`Outcome::SignIn`].
    pub handshake_ms: Option<u32>,
    /// How many HTTP requests were sent: `mcp.request.count`.
    pub requests: u32,
    /// `Retry-After` of a 429 or 503, in seconds.
    pub retry_after: Option<u32>,
    /// The tools that it listed; for [`Outcome::Ok`].
    pub tools: Option<Vec<Tool>>,
}

/// What an observation came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `mcp.ok`.
    Ok,
    /// `mcp.sign-in`.
    SignIn,
    /// A failure of this class: `mcp.failure`.
    Failure(FailureClass),
    /// The question was not settled, for this reason.
    Unknown(Reason),
}

/// A tool as a server lists it or a source claims it, without control characters and unsafe ones: `mcp.tools.unsafe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it says of itself; empty if it says nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// `mcp.tools.read-only`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
}

/// An enum whose variants have one word each in the text and in the store.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its word.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The one that has this word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }
    };
}
pub(crate) use words;

words! {
    /// The class of a failure: the words in parentheses of section 15.1.
    FailureClass {
        /// No name, no address, no connection, no TLS.
        Connection = "connection",
        /// No complete answer in time.
        Timeout = "timeout",
        /// Status 500 to 599.
        ServerError = "server-error",
        /// Status 404 or 410.
        Gone = "gone",
        /// It answers, and does not speak the protocol.
        NotMcp = "not-mcp",
    }
}

words! {
    /// Why an observation settled nothing: the words in parentheses of section 15.1.
    Reason {
        /// It offers no tools.
        NoTools = "no-tools",
        /// No revision in common.
        Version = "version",
        /// Status 402.
        PaymentRequired = "payment-required",
        /// Status 403 without a challenge, or 421.
        Blocked = "blocked",
        /// Status 429.
        RateLimited = "rate-limited",
        /// A redirect that is not followed.
        Redirect = "redirect",
        /// A seventh request would have been needed.
        Budget = "budget",
        /// The list of tools asks for input.
        InputRequired = "input-required",
        /// An answer that breaks the protocol.
        Protocol = "protocol",
        /// An error of JSON-RPC.
        Error = "error",
    }
}

words! {
    /// The step at which an observation begins: section 15.1.3.
    Start {
        /// Step 1, as for every server that is not known.
        Discover = "discover",
        /// Step 2: the modern era.
        ModernTools = "modern-tools",
        /// Step 3: the legacy era.
        Initialize = "initialize",
        /// Step 4: HTTP+SSE.
        Stream = "stream",
    }
}

impl Outcome {
    /// Its two words: what it came to, and the class or reason.
    #[must_use]
    pub fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Ok => ("ok", None),
            Self::SignIn => ("sign_in", None),
            Self::Failure(class) => ("failure", Some(class.as_str())),
            Self::Unknown(reason) => ("unknown", Some(reason.as_str())),
        }
    }

    /// The outcome of two words.
    #[must_use]
    pub fn from_words(word: &str, why: Option<&str>) -> Option<Self> {
        match (word, why) {
            ("ok", None) => Some(Self::Ok),
            ("sign_in", None) => Some(Self::SignIn),
            ("failure", Some(class)) => FailureClass::from_word(class).map(Self::Failure),
            ("unknown", Some(reason)) => Reason::from_word(reason).map(Self::Unknown),
            _ => None,
        }
    }
}
