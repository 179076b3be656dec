//! How an observation ends.

use std::fmt;

/// How an observation ended. What a resolver states follows from this and from what it saw before: `status.down`,
/// `status.first-failure`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `ok`: the server listed its tools without authorization.
    Ok,
    /// `sign_in`: the server asked for authorization.
    SignIn,
    /// `unknown`: the question is not settled.
    Unknown(Reason),
    /// A failure. Two of the same class, long enough apart, make `down`.
    Failure(FailureClass),
}

impl Outcome {
    /// Whether it is `ok` or `sign_in`.
    #[must_use]
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Ok | Self::SignIn)
    }

    /// Its two words, for whoever keeps it: what it came to, and the class or reason.
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

impl fmt::Display for Outcome {
    /// As the tables of section 15.1.3 write it: ``unknown (budget)``.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words() {
            (word, None) => f.write_str(word),
            (word, Some(why)) => write!(f, "{word} ({why})"),
        }
    }
}

/// An enum whose variants have one word each in the text.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// All of them, in the order of the text.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its word.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
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
    /// Why an observation settled nothing: the words of section 15.1.
    Reason {
        /// No revision in common.
        Version = "version",
        /// The server says that it has no tools.
        NoTools = "no-tools",
        /// Status 402; a prober never pays.
        PaymentRequired = "payment-required",
        /// Status 403 without a challenge, or 421: the prober is not let in.
        Blocked = "blocked",
        /// Status 429: one place's limit is not the server's state.
        RateLimited = "rate-limited",
        /// A redirect that `mcp.redirect` does not follow.
        Redirect = "redirect",
        /// The server asks for input before it lists its tools.
        InputRequired = "input-required",
        /// An answer that is none of the protocol.
        Protocol = "protocol",
        /// A JSON-RPC error.
        Error = "error",
        /// A seventh request would have been needed.
        Budget = "budget",
    }
}

words! {
    /// In which way a server failed: `mcp.failure`.
    FailureClass {
        /// No connection: name, address, TCP or TLS.
        Connection = "connection",
        /// No complete answer in time.
        Timeout = "timeout",
        /// Status 500 to 599.
        ServerError = "server-error",
        /// Status 404 or 410.
        Gone = "gone",
        /// What answered speaks HTTP, but not this protocol.
        NotMcp = "not-mcp",
    }
}
