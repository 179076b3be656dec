//! What a vector file holds.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A file of vectors, one for each [`Kind`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VectorFile {
    /// Where the JSON Schema of the file is, relative to the file.
    pub schema: String,
    /// The version of the text that the vectors judge by: `draft`, or a frozen one.
    pub version: String,
    /// What the vectors are about.
    pub kind: Kind,
    /// How many entries `tests` has, so that a file that was cut short is noticed.
    pub number_of_tests: usize,
    /// The vectors.
    pub tests: Vec<Vector>,
    /// Vectors that were wrong: their ids are never used again.
    pub withdrawn: Vec<Withdrawn>,
}

/// A vector that was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Withdrawn {
    /// The id that it had.
    pub id: String,
    /// What was wrong with it.
    pub why: String,
}

/// One question and the one right answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Vector {
    /// A slug in kebab case that starts with the kind; unique over all files, and it never changes its meaning.
    pub id: String,
    /// What is special, and why the verdict is what it is; for a person.
    pub comment: String,
    /// Ids of the rules of the text that decide, the deciding one first. Never empty.
    pub rules: Vec<String>,
    /// How strongly the deciding rule binds.
    pub level: Level,
    /// The id of the valid vector that this one was made from by one change; `None` for one that stands alone.
    pub derived_from: Option<String>,
    /// The name of that change.
    pub mutation: Option<String>,
    /// What the implementation is asked to do.
    pub operation: Operation,
    /// What it is asked to do it with.
    pub input: Input,
    /// The right verdict.
    pub result: Verdict,
    /// The code (§12 or §5.5 of the text) of an invalid input; `None` for a valid one, and for a bare name, for which
    /// the text has no code.
    pub reason: Option<String>,
    /// What the input yields beside the verdict, where the operation yields something: for some always
    /// ([`Operation::always_yields`]), for the others only when the input is valid.
    pub output: Option<BTreeMap<String, Value>>,
}

/// The members of a vector's input: texts, or null where the operation has an optional one; for server files and clients
/// also lists and objects.
///
/// A text that is not UTF-8 travels as standard base64 in the member `NAME_base64` instead of `NAME`. In a file of
/// vectors a long text can be a list of texts and counts in `NAME_parts`; see [`Input::expanded`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Input(pub BTreeMap<String, Value>);

impl Input {
    /// The bytes of the member `name`, whichever way they travel; `None` if there is no such text.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        if let Some(Value::String(text)) = self.0.get(name) {
            return Some(text.clone().into_bytes());
        }
        if let Some(parts) = self.0.get(&format!("{name}_parts")) {
            return joined(parts).map(String::into_bytes);
        }
        match self.0.get(&format!("{name}_base64")) {
            Some(Value::String(text)) => STANDARD.decode(text).ok(),
            _ => None,
        }
    }

    /// The text of the member `name`; `None` if it is absent, null, not UTF-8 or in parts.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// The input as it is sent to a program: each `NAME_parts`, a list `[[text, count], ...]`, is the text `NAME` in
    /// which each text stands as often as its count says, one after the other. Parts of another form, or of more than
    /// 2,000,000 bytes, stay as they are.
    #[must_use]
    pub fn expanded(&self) -> Self {
        let members = self.0.iter().map(|(name, value)| {
            let whole = name
                .strip_suffix("_parts")
                .and_then(|whole| Some((whole.to_owned(), Value::String(joined(value)?))));
            whole.unwrap_or_else(|| (name.clone(), value.clone()))
        });
        Self(members.collect())
    }
}

/// The longest text that parts can stand for, in bytes.
const MAX_TEXT_BYTES: usize = 2_000_000;

/// The text that a list of texts and counts stands for.
pub(crate) fn joined(parts: &Value) -> Option<String> {
    let mut whole = String::new();
    for part in parts.as_array()? {
        let [text, count] = part.as_array()?.as_slice() else {
            return None;
        };
        let (text, count) = (text.as_str()?, usize::try_from(count.as_u64()?).ok()?);
        let length = text.len().checked_mul(count)?.checked_add(whole.len())?;
        if length > MAX_TEXT_BYTES {
            return None;
        }
        whole.push_str(&text.repeat(count));
    }
    Some(whole)
}

/// What a file's vectors are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Tokens (§6).
    Token,
    /// Keys of a discovery document (§4.2).
    KeySet,
    /// Discovery documents (§4.1).
    Discovery,
    /// Answers of a resolve endpoint (§5.3, §5.4).
    Answer,
    /// Records (§7).
    Record,
    /// Single Ed25519 signatures (§6.3).
    Ed25519,
    /// Needs and constraints of a request (§5.1, §5.2).
    Request,
    /// Origins, server URLs and times (§3.3 to §3.5).
    Names,
    /// Server files, as the strict reader takes them (§11.1 to §11.5).
    CapabilitiesTxt,
    /// Server files, as the deny reader takes them (§11.6).
    CapabilitiesTxtDeny,
    /// What comes of fetching server files (§11.7).
    CapabilitiesTxtFetch,
    /// Whole scenarios of a client, over HTTP: whom it asks, what it sends, and what it makes of the answers (§10).
    Client,
    /// Scenarios in which a resolver fails (§10.2).
    ClientFailure,
    /// Scenarios of several calls: what a client keeps, and until when (§4, §10).
    ClientCache,
}

impl Kind {
    /// Every kind, in the order in which files are read and vectors run.
    pub const ALL: [Self; 14] = [
        Self::Token,
        Self::KeySet,
        Self::Discovery,
        Self::Answer,
        Self::Record,
        Self::Ed25519,
        Self::Request,
        Self::Names,
        Self::CapabilitiesTxt,
        Self::CapabilitiesTxtDeny,
        Self::CapabilitiesTxtFetch,
        Self::Client,
        Self::ClientFailure,
        Self::ClientCache,
    ];

    /// The kind as it is written: the stem of the file's name and the start of each of its ids.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::KeySet => "key-set",
            Self::Discovery => "discovery",
            Self::Answer => "answer",
            Self::Record => "record",
            Self::Ed25519 => "ed25519",
            Self::Request => "request",
            Self::Names => "names",
            Self::CapabilitiesTxt => "capabilities-txt",
            Self::CapabilitiesTxtDeny => "capabilities-txt-deny",
            Self::CapabilitiesTxtFetch => "capabilities-txt-fetch",
            Self::Client => "client",
            Self::ClientFailure => "client-failure",
            Self::ClientCache => "client-cache",
        }
    }

    /// Did it come after 0.2-rc.1, whose frozen vectors have no such kind?
    #[must_use]
    pub fn is_later_than_the_first(self) -> bool {
        matches!(
            self,
            Self::CapabilitiesTxt
                | Self::CapabilitiesTxtDeny
                | Self::CapabilitiesTxtFetch
                | Self::Client
                | Self::ClientFailure
                | Self::ClientCache
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an implementation is asked to do with an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Verify `token` by `discovery`, asked of `issuer`, at `now`.
    Token,
    /// Read the discovery document `document`, asked of `issuer`.
    Discovery,
    /// Read the answer `document` of the resolver of `discovery`, asked of `issuer`, at `now`.
    Answer,
    /// Read the record `document` likewise, asked for by `requestedUrl` or, if that is null, by id.
    Record,
    /// Verify one signature: `publicKey`, `message` and `signature` in hexadecimal.
    Ed25519,
    /// Read the `query` of a resolve request, without the question mark.
    Request,
    /// Read a `need`.
    Need,
    /// Is `value` an origin (§3.4)?
    Origin,
    /// Is `value` an issuer (§3.4)?
    Issuer,
    /// Is `value` a server URL (§3.5)?
    ServerUrl,
    /// Is `value` a time of a document (§3.3)?
    Time,
    /// Read the server file `file` that was asked of `host` with both readers, for `resolver` at `now`, where
    /// `publicSuffixes` is the Public Suffix List (§11.1 to §11.6).
    Captxt,
    /// What is in force at `now` after the `fetches` of a server file (§11.7)?
    CaptxtFetch,
    /// Make the `calls` of a client with the list `resolvers`, which a player plays by `play` (§10).
    Client,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 14] = [
        Self::Token,
        Self::Discovery,
        Self::Answer,
        Self::Record,
        Self::Ed25519,
        Self::Request,
        Self::Need,
        Self::Origin,
        Self::Issuer,
        Self::ServerUrl,
        Self::Time,
        Self::Captxt,
        Self::CaptxtFetch,
        Self::Client,
    ];

    /// The operation as it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Discovery => "discovery",
            Self::Answer => "answer",
            Self::Record => "record",
            Self::Ed25519 => "ed25519",
            Self::Request => "request",
            Self::Need => "need",
            Self::Origin => "origin",
            Self::Issuer => "issuer",
            Self::ServerUrl => "server-url",
            Self::Time => "time",
            Self::Captxt => "captxt",
            Self::CaptxtFetch => "captxt-fetch",
            Self::Client => "client",
        }
    }

    /// Does an input that is not valid have an output too? A server file's diagnostics, and whether it allows the
    /// resolver, are asked of every file, and what a client makes of resolvers also when one of them breaks a rule.
    #[must_use]
    pub fn always_yields(self) -> bool {
        matches!(self, Self::Captxt | Self::CaptxtFetch | Self::Client)
    }

    /// Has the text a code for everything that the operation refuses? For a bare name it has none, and none for a server
    /// file that is not there.
    #[must_use]
    pub fn has_codes(self) -> bool {
        !matches!(
            self,
            Self::Origin | Self::Issuer | Self::ServerUrl | Self::Time | Self::CaptxtFetch
        )
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How strongly a rule binds (BCP 14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// Conformance needs it.
    Must,
    /// Conformance does not need it.
    Should,
    /// It is allowed.
    May,
}

impl Level {
    /// The word of BCP 14.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::May => "MAY",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One of two answers; there is no third.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The input keeps every rule.
    Valid,
    /// The input breaks a rule.
    Invalid,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_is_written() {
        for kind in Kind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        for operation in Operation::ALL {
            assert_eq!(serde_json::to_value(operation).unwrap(), operation.name());
        }
    }

    #[test]
    fn bytes_travel_in_two_ways() {
        let input: Input =
            serde_json::from_str(r#"{"a": "x", "b_base64": "/w==", "c": null}"#).unwrap();
        assert_eq!(input.bytes("a").as_deref(), Some(&b"x"[..]));
        assert_eq!(input.bytes("b").as_deref(), Some(&b"\xff"[..]));
        assert_eq!(input.bytes("c"), None);
        assert_eq!(input.text("a"), Some("x"));
        assert_eq!(input.text("b"), None);
    }

    #[test]
    fn parts_stand_for_a_long_text() {
        let read = |text: &str| serde_json::from_str::<Input>(text).unwrap();
        let input = read(
            r#"{"a_parts": [["x", 2], ["\u00e9\n", 1], ["no", 0]], "now": "z", "b_parts": "c"}"#,
        );
        let whole = read(r#"{"a": "xx\u00e9\n", "now": "z", "b_parts": "c"}"#);
        assert_eq!(input.expanded(), whole);
        assert_eq!(input.bytes("a"), whole.bytes("a"));
        for parts in [
            r#"[["x"]]"#,
            r#"[["x", -1]]"#,
            r#"[["x", 2000001]]"#,
            r#"[["xx", 18446744073709551615]]"#,
            r#"[[1, 1]]"#,
            r#"["x"]"#,
        ] {
            let input = read(&format!(r#"{{"a_parts": {parts}}}"#));
            assert_eq!(input.expanded(), input);
            assert_eq!(input.bytes("a"), None);
        }
    }
}
