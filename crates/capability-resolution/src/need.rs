//! Needs, constraints, and the query that carries them: sections 5.1 and 5.2 of the text.

use unicode_normalization::UnicodeNormalization;

use crate::code::{Code, Refusal};
use crate::limits::{HANDSHAKE_MAX_MILLISECONDS, NEED_MAX_CHARACTERS, NEED_MIN_CHARACTERS};
use crate::query::decode_query;
use crate::text::{is_control, trim};

/// A job in plain words, trimmed, in NFC, 3 to 200 characters long.
///
/// It has no `Display` and its `Debug` hides the words: a need never reaches a log.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Need(String);

impl Need {
    /// Reads a need: `resolve.need.read`.
    ///
    /// # Errors
    ///
    /// `need-character` for a control character after trimming, `need-length` for fewer than 3 or more than 200
    /// characters.
    pub fn new(text: &str) -> Result<Self, Refusal> {
        let trimmed = trim(text);
        if trimmed.chars().any(is_control) {
            return Err(Refusal::new(
                Code::NeedCharacter,
                "the need holds a control character",
            ));
        }
        // No character of NFC comes from more than a few, so a text far over the limit is not normalized at all.
        let normal: String = trimmed.nfc().take(NEED_MAX_CHARACTERS + 1).collect();
        let characters = normal.chars().count();
        if !(NEED_MIN_CHARACTERS..=NEED_MAX_CHARACTERS).contains(&characters) {
            let found = if characters > NEED_MAX_CHARACTERS {
                "more than 200".to_owned()
            } else {
                characters.to_string()
            };
            return Err(Refusal::new(
                Code::NeedLength,
                format!("a need has 3 to 200 characters, this one {found}"),
            ));
        }
        Ok(Self(normal))
    }

    /// The words.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Need(..)")
    }
}

/// What a candidate has to meet: `constraint.names`. All are off by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Constraints {
    /// `sign_in=none`: the status is `ok`.
    pub no_sign_in: bool,
    /// `read_only=true`: a tool for the need is marked as read-only.
    pub read_only: bool,
    /// `max_handshake_ms=N`: the handshake took no longer, 1 to 60,000 milliseconds.
    pub max_handshake: Option<HandshakeLimit>,
    /// `payment=none`: the server declares no payment.
    pub no_payment: bool,
}

/// A bound for the handshake time, 1 to 60,000 milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HandshakeLimit(u32);

impl HandshakeLimit {
    /// A bound in milliseconds, if it lies in 1 to 60,000.
    #[must_use]
    pub fn from_milliseconds(milliseconds: u32) -> Option<Self> {
        (1..=HANDSHAKE_MAX_MILLISECONDS)
            .contains(&milliseconds)
            .then_some(Self(milliseconds))
    }

    /// The bound in milliseconds.
    #[must_use]
    pub fn milliseconds(self) -> u32 {
        self.0
    }
}

/// A request for candidates.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ResolveRequest {
    /// The job.
    pub need: Need,
    /// What a candidate has to meet.
    pub constraints: Constraints,
}

impl ResolveRequest {
    /// Reads the query of a resolve request, without its question mark, in the order of `resolve.order`.
    ///
    /// ```
    /// use capability_resolution::ResolveRequest;
    ///
    /// let request = ResolveRequest::from_query("need=send+an+email&payment=none")?;
    /// assert_eq!(request.need.as_str(), "send an email");
    /// assert!(request.constraints.no_payment);
    /// assert_eq!(ResolveRequest::from_query("need=send+an+email&page=2").unwrap_err().code().as_str(), "parameter-unknown");
    /// # Ok::<(), capability_resolution::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first that applies of `query-encoding`, `parameter-unknown`, `parameter-repeated`, `need-missing`,
    /// `need-character`, `need-length`, `constraint-value`.
    pub fn from_query(query: &str) -> Result<Self, Refusal> {
        let pairs = decode_query(query)?;
        if pairs
            .iter()
            .any(|(name, _)| !NAMES.contains(&name.as_str()))
        {
            return Err(Refusal::new(
                Code::ParameterUnknown,
                format!("the parameters are {}", NAMES.join(", ")),
            ));
        }
        let value_of = |wanted: &str| {
            pairs
                .iter()
                .find(|(name, _)| name == wanted)
                .map(|(_, value)| value.as_str())
        };
        if let Some(name) = NAMES
            .iter()
            .find(|name| pairs.iter().filter(|(n, _)| n == *name).count() > 1)
        {
            return Err(Refusal::new(
                Code::ParameterRepeated,
                format!("{name} stands more than once"),
            ));
        }
        let need = value_of("need")
            .ok_or_else(|| Refusal::new(Code::NeedMissing, "the query has no parameter need"))?;
        let need = Need::new(need)?;
        let constraints = Constraints {
            no_sign_in: is_exactly("sign_in", value_of("sign_in"), "none")?,
            read_only: is_exactly("read_only", value_of("read_only"), "true")?,
            max_handshake: value_of("max_handshake_ms").map(handshake).transpose()?,
            no_payment: is_exactly("payment", value_of("payment"), "none")?,
        };
        Ok(Self { need, constraints })
    }
}

const NAMES: [&str; 5] = [
    "need",
    "sign_in",
    "read_only",
    "max_handshake_ms",
    "payment",
];

fn is_exactly(name: &str, value: Option<&str>, only: &str) -> Result<bool, Refusal> {
    match value {
        None => Ok(false),
        Some(value) if value == only => Ok(true),
        Some(_) => Err(Refusal::new(
            Code::ConstraintValue,
            format!("the only value of {name} is {only}"),
        )),
    }
}

fn handshake(value: &str) -> Result<HandshakeLimit, Refusal> {
    let plain = value.bytes().all(|b| b.is_ascii_digit()) && !value.starts_with('0');
    value
        .parse()
        .ok()
        .filter(|_| plain)
        .and_then(HandshakeLimit::from_milliseconds)
        .ok_or_else(|| {
            Refusal::new(
                Code::ConstraintValue,
                "max_handshake_ms is 1 to 60000, without sign and leading zero",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(query: &str) -> &'static str {
        ResolveRequest::from_query(query).map_or_else(|refusal| refusal.code().as_str(), |_| "ok")
    }

    // r[resolve.need.read] r[resolve.need.length] r[resolve.need.control] r[text.character]
    #[test]
    fn counts_characters_after_trimming_and_nfc() {
        assert_eq!(Need::new("\u{3000}a\u{30a}bc ").unwrap().as_str(), "åbc");
        assert!(Need::new("a\u{30a}b").is_err());
        assert!(Need::new(&"💌".repeat(200)).is_ok() && Need::new(&"💌".repeat(201)).is_err());
        assert!(Need::new("\tabc\n").is_ok());
        assert_eq!(Need::new("a\tbc").unwrap_err().code(), Code::NeedCharacter);
        assert_eq!(Need::new("").unwrap_err().code(), Code::NeedLength);
        assert_eq!(
            format!("{:?}", Need::new("secret job").unwrap()),
            "Need(..)"
        );
    }

    // r[text.unicode-version]
    #[test]
    fn needs_are_normalized_by_unicode_15_1() {
        assert!(unicode_normalization::UNICODE_VERSION >= (15, 1, 0));
        // A mark above that came with 15.0 goes behind the dot below, which then composes.
        let need = Need::new("a\u{1e08f}\u{323} job").unwrap();
        assert_eq!(need.as_str(), "\u{1ea1}\u{1e08f} job");
    }

    // r[resolve.order] r[resolve.query.encoding] r[resolve.parameter.unknown] r[resolve.parameter.repeated]
    #[test]
    fn the_first_error_wins() {
        assert_eq!(code("need=%zz&x=1"), "query-encoding");
        assert_eq!(code("need=%ff"), "query-encoding");
        assert_eq!(code("x=1&x=2"), "parameter-unknown");
        assert_eq!(code("need=abc&need=abc&payment=x"), "parameter-repeated");
        assert_eq!(code("payment=x"), "need-missing");
        assert_eq!(code(""), "need-missing");
        assert_eq!(code("need=ab%01c&payment=x"), "need-character");
        assert_eq!(code("need=&payment=x"), "need-length");
        assert_eq!(code("need=abc&payment=x"), "constraint-value");
        assert_eq!(code("need=abc&&payment=none"), "ok");
    }

    // r[constraint.names]
    #[test]
    fn constraint_values() {
        for (query, expected) in [
            ("max_handshake_ms=1", "ok"),
            ("max_handshake_ms=60000", "ok"),
            ("max_handshake_ms=0", "constraint-value"),
            ("max_handshake_ms=60001", "constraint-value"),
            ("max_handshake_ms=01", "constraint-value"),
            ("max_handshake_ms=%2B1", "constraint-value"),
            ("max_handshake_ms=", "constraint-value"),
            ("sign_in=None", "constraint-value"),
            ("read_only=1", "constraint-value"),
            ("read_only=true&sign_in=none", "ok"),
        ] {
            assert_eq!(code(&format!("need=abc&{query}")), expected, "{query}");
        }
    }
}
