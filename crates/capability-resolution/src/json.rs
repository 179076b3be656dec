//! JSON as section 3.2 of the text reads it: strict at every depth, also inside members that nobody uses.
//!
//! Typed deserialization skips unknown members without looking at their strings, numbers and names. Here every text is
//! read whole into a tree before any member is used.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::limits::JSON_MAX_DEPTH;

/// What a text broke, in the order in which it is checked: `json.order`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// `json.utf8`, with the byte offset of the first bad byte.
    NotUtf8(usize),
    /// `json.depth`, with the byte offset of the bracket that went too deep.
    TooDeep(usize),
    /// The rule, `json.syntax`, `json.surrogate` or `json.number-range`, with the parser's words.
    NotJson(&'static str, String),
    /// The outermost value is not an object.
    NotObject,
    /// `json.duplicate`, with the name that stands twice.
    DuplicateMember(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8(at) => write!(f, "not UTF-8 at byte {at}"),
            Self::TooDeep(at) => write!(f, "nested more than {JSON_MAX_DEPTH} deep at byte {at}"),
            Self::NotJson(_, why) => write!(f, "not JSON: {why}"),
            Self::NotObject => write!(f, "the outermost value is not an object"),
            Self::DuplicateMember(name) => {
                write!(f, "the member {name:?} stands twice in one object")
            }
        }
    }
}

/// A value that was read whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    /// Its value is never needed here; the literal of a claim is read by [`literals`].
    Number,
    String(Cow<'a, str>),
    Array(Vec<Self>),
    Object(Object<'a>),
    /// An array or an object that nobody reads: checked, and not kept.
    Unread,
}

/// An object: its members in their order, names unique once [`read_object`] has accepted it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Object<'a> {
    members: Vec<(Cow<'a, str>, Value<'a>)>,
}

impl<'a> Object<'a> {
    pub(crate) fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.members.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Where a member stands; one that is missing stands after all others.
    pub(crate) fn place(&self, name: &str) -> usize {
        let place = self.members.iter().position(|(n, _)| n == name);
        place.unwrap_or(self.members.len())
    }
}

impl<'a> Value<'a> {
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(s) => Some(s),
            _ => None,
        }
    }

    pub(crate) fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Self::Object(o) => Some(o),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(a) => Some(a),
            _ => None,
        }
    }
}

/// Reads one JSON object by all rules of section 3.2. Linear in the text.
pub(crate) fn read_object(bytes: &[u8]) -> Result<Object<'_>, Fault> {
    read(bytes, JSON_MAX_DEPTH)
}

/// The same for an object of whose arrays and objects nothing is read: they are checked and cost no memory. Small ones
/// would take ten times as much of it as their text.
pub(crate) fn read_flat_object(bytes: &[u8]) -> Result<Object<'_>, Fault> {
    read(bytes, 1)
}

/// Reads an object, and keeps arrays and objects down to a depth.
fn read(bytes: &[u8], levels: usize) -> Result<Object<'_>, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|e| Fault::NotUtf8(e.valid_up_to()))?;
    check_depth(bytes)?;
    let mut state = State::default();
    let mut parser = serde_json::Deserializer::from_str(text);
    let value = Keep {
        state: &mut state,
        levels,
    }
    .deserialize(&mut parser)
    .and_then(|value| parser.end().map(|()| value))
    .map_err(|e| not_json(&e))?;
    let Value::Object(object) = value else {
        return Err(Fault::NotObject);
    };
    match state.duplicate {
        Some(name) => Err(Fault::DuplicateMember(name)),
        None => Ok(object),
    }
}

/// The parser tells the rules of section 3.2 apart by its words alone.
fn not_json(error: &serde_json::Error) -> Fault {
    let why = error.to_string();
    let rule = if why.starts_with("number out of range") {
        "json.number-range"
    } else if why.starts_with("lone leading surrogate")
        || why.starts_with("unexpected end of hex escape")
    {
        "json.surrogate"
    } else {
        "json.syntax"
    };
    Fault::NotJson(rule, why)
}

/// The literals of members of the outermost object, as they are written: `1e3` and `1000` are the same number and two
/// literals. The text must have passed [`read_object`].
pub(crate) fn literals<'a, const N: usize>(
    bytes: &'a [u8],
    names: [&str; N],
) -> [Option<&'a str>; N] {
    struct Find<'n, const N: usize>([&'n str; N]);
    impl<'de, const N: usize> Visitor<'de> for Find<'_, N> {
        type Value = [Option<&'de str>; N];
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut found = [None; N];
            while let Some(name) = map.next_key_seed(Name)? {
                let raw = map.next_value::<&'de RawValue>()?;
                if let Some(at) = self.0.iter().position(|wanted| name == *wanted) {
                    found[at] = Some(raw.get());
                }
            }
            Ok(found)
        }
    }
    let mut parser = serde_json::Deserializer::from_slice(bytes);
    parser.deserialize_map(Find(names)).unwrap_or([None; N])
}

/// `json.depth-measure`: by brackets outside of strings, whether or not the text is JSON.
fn check_depth(bytes: &[u8]) -> Result<(), Fault> {
    // Few brackets cannot nest deeply, and to count them all is a tenth of the work: in blocks whose count is a byte, many
    // bytes are compared at once.
    let opening = bytes.chunks(255).map(|block| {
        let opening = block
            .iter()
            .map(|byte| u8::from(matches!(byte, b'[' | b'{')));
        usize::from(opening.sum::<u8>())
    });
    if opening.sum::<usize>() <= JSON_MAX_DEPTH {
        return Ok(());
    }
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                depth += 1;
                if depth > JSON_MAX_DEPTH {
                    return Err(Fault::TooDeep(at));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// What is found on the way, and counts only if the rest is sound.
#[derive(Default)]
struct State<'de> {
    /// The name of the first member that stands twice.
    duplicate: Option<String>,
    /// The names of the objects around the place of the parser that are not kept, the outermost first.
    names: Vec<Cow<'de, str>>,
}

/// Builds the tree, with arrays and objects down to a number of levels.
struct Keep<'s, 'de> {
    state: &'s mut State<'de>,
    levels: usize,
}

impl<'de> DeserializeSeed<'de> for Keep<'_, 'de> {
    type Value = Value<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keep<'_, 'de> {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, b: bool) -> Result<Self::Value, E> {
        Ok(Value::Bool(b))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Value::Number)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Value::Number)
    }

    fn visit_f64<E: serde::de::Error>(self, x: f64) -> Result<Self::Value, E> {
        finite(x).map(|()| Value::Number)
    }

    fn visit_str<E>(self, s: &str) -> Result<Self::Value, E> {
        Ok(Value::String(Cow::Owned(s.to_owned())))
    }

    fn visit_borrowed_str<E>(self, s: &'de str) -> Result<Self::Value, E> {
        Ok(Value::String(Cow::Borrowed(s)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let Some(levels) = self.levels.checked_sub(1) else {
            return Check(self.state).visit_seq(seq).map(|()| Value::Unread);
        };
        let mut items = Vec::new();
        let state = self.state;
        while let Some(item) = seq.next_element_seed(Keep { state, levels })? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Some(levels) = self.levels.checked_sub(1) else {
            return Check(self.state).visit_map(map).map(|()| Value::Unread);
        };
        let mut members: Vec<(Cow<'de, str>, Value<'de>)> = Vec::new();
        let state = self.state;
        while let Some(name) = map.next_key_seed(Name)? {
            let value = map.next_value_seed(Keep { state, levels })?;
            members.push((name, value));
        }
        if state.duplicate.is_none() {
            state.duplicate = first_duplicate(members.iter().map(|(name, _)| name.as_ref()));
        }
        Ok(Value::Object(Object { members }))
    }
}

/// Checks a value as [`Keep`] does, and keeps nothing of it.
struct Check<'s, 'de>(&'s mut State<'de>);

impl<'de> DeserializeSeed<'de> for Check<'_, 'de> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Check<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: serde::de::Error>(self, x: f64) -> Result<(), E> {
        finite(x)
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Check(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let outer = self.0.names.len();
        while let Some(name) = map.next_key_seed(Name)? {
            self.0.names.push(name);
            map.next_value_seed(Check(self.0))?;
        }
        if self.0.duplicate.is_none() {
            self.0.duplicate = first_duplicate(self.0.names[outer..].iter().map(Cow::as_ref));
        }
        self.0.names.truncate(outer);
        Ok(())
    }
}

/// `json.number-range`: the parser itself refuses most of what is too large.
fn finite<E: serde::de::Error>(x: f64) -> Result<(), E> {
    if x.is_finite() {
        Ok(())
    } else {
        Err(E::custom("number out of range"))
    }
}

/// A member name, borrowed where it holds no escape.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }
    fn visit_str<E>(self, s: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(s.to_owned()))
    }
    fn visit_borrowed_str<E>(self, s: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(s))
    }
}

/// Few members are compared pair by pair, many through a set: linear, and without allocation for the usual object.
fn first_duplicate<'n>(names: impl ExactSizeIterator<Item = &'n str> + Clone) -> Option<String> {
    const FEW: usize = 16;
    let duplicate = if names.len() <= FEW {
        let mut numbered = names.clone().enumerate();
        numbered
            .find(|(at, name)| names.clone().take(*at).any(|earlier| earlier == *name))
            .map(|(_, name)| name)
    } else {
        let mut seen = HashSet::with_capacity(names.len());
        let mut names = names;
        names.find(|name| !seen.insert(*name))
    };
    duplicate.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &[u8]) -> Fault {
        read_object(text).expect_err("refused")
    }

    // r[json.utf8] r[json.syntax] r[json.surrogate] r[json.number-range] r[json.duplicate]
    #[test]
    fn refuses_what_typed_readers_skip() {
        assert!(matches!(fault(b"{\"x\":\"\xff\"}"), Fault::NotUtf8(6)));
        for (bad, rule) in [
            ("{\"x\":\"\\ud800\"}", "json.surrogate"),
            ("{\"x\":\"\\ud800x\"}", "json.surrogate"),
            ("{\"x\":\"\\ud800\\ud800\"}", "json.surrogate"),
            ("{\"\\udc00\":1}", "json.surrogate"),
            ("{\"x\":1e400}", "json.number-range"),
            ("{\"x\":[-1e400]}", "json.number-range"),
            ("{\"x\":\"\\u12\"}", "json.syntax"),
            ("\u{feff}{}", "json.syntax"),
            ("{\"x\":1,}", "json.syntax"),
            ("{} {}", "json.syntax"),
            ("{\"x\":NaN}", "json.syntax"),
            ("{'x':1}", "json.syntax"),
            ("{\"x\":01}", "json.syntax"),
            ("", "json.syntax"),
        ] {
            let fault = fault(bad.as_bytes());
            assert!(
                matches!(fault, Fault::NotJson(named, _) if named == rule),
                "{bad}: {fault:?}"
            );
        }
        assert!(
            matches!(fault(b"{\"a\":{\"x\":1,\"\\u0078\":2}}"), Fault::DuplicateMember(n) if n == "x")
        );
        assert_eq!(fault(b"[]"), Fault::NotObject);
    }

    // r[json.duplicate] r[json.syntax] r[json.surrogate] r[json.number-range] r[json.unknown-member]
    #[test]
    fn what_is_not_kept_is_checked_all_the_same() {
        let many: Vec<String> = (0..20).map(|n| format!("\"m{n}\":{n}")).collect();
        let many = many.join(",");
        for (inner, sound) in [
            (
                "[[],{},[{\"x\":1},{\"x\":2}],\"\\u00e9\",null,true,-1,1.5]".to_owned(),
                true,
            ),
            ("{\"a\":{\"a\":{\"a\":1}},\"b\":{\"a\":1}}".to_owned(), true),
            (format!("{{{many}}}"), true),
            (format!("{{{many},\"m3\":{{}}}}"), false),
            ("[{\"x\":{\"y\":1,\"z\":2,\"y\":3}}]".to_owned(), false),
            ("{\"x\":{\"y\":1},\"\\u0078\":2}".to_owned(), false),
            ("[[1e400]]".to_owned(), false),
            ("[[\"\\ud800\"]]".to_owned(), false),
            ("[[1,]]".to_owned(), false),
        ] {
            let text = format!("{{\"a\":{inner},\"b\":\"c\"}}");
            let flat = read_flat_object(text.as_bytes());
            let whole = read_object(text.as_bytes());
            assert_eq!(flat.as_ref().err(), whole.as_ref().err(), "{text}");
            assert_eq!(flat.is_ok(), sound, "{text}");
            if let Ok(flat) = flat {
                assert_eq!(flat.get("a"), Some(&Value::Unread));
                assert_eq!(flat.get("b").and_then(Value::as_str), Some("c"));
            }
        }
    }

    #[test]
    fn accepts_the_edges() {
        for good in [
            "{\"x\":1.7976931348623157e308}",
            "{\"x\":1.7976931348623158e308}",
            " {\"a\":-0}\n",
            "{\"x\":1234567890123456789012345678901234567890}",
            "{\"\":\"\\ud83d\\ude00\"}",
        ] {
            assert!(
                read_object(good.as_bytes()).is_ok(),
                "{good}: {:?}",
                read_object(good.as_bytes())
            );
        }
    }

    // r[json.depth] r[json.depth-measure]
    #[test]
    fn measures_depth_before_syntax() {
        let nested = |n: usize| format!("{{\"x\":{}{}}}", "[".repeat(n - 1), "]".repeat(n - 1));
        assert!(read_object(nested(32).as_bytes()).is_ok());
        assert!(matches!(fault(nested(33).as_bytes()), Fault::TooDeep(_)));
        assert!(matches!(
            fault("[".repeat(33).as_bytes()),
            Fault::TooDeep(32)
        ));
        assert!(read_object(format!("{{\"x\":\"{}\"}}", "[".repeat(99)).as_bytes()).is_ok());
    }

    // r[json.order]
    #[test]
    fn reports_syntax_before_duplicates() {
        assert!(matches!(fault(b"{\"a\":1,\"a\":2"), Fault::NotJson(..)));
        assert_eq!(fault(b"[{\"a\":1,\"a\":2}]"), Fault::NotObject);
    }

    #[test]
    fn keeps_the_literal() {
        let text = br#"{"a":1.0,"exp":1e3,"b":{"exp":2}}"#;
        assert_eq!(literals(text, ["exp", "iat"]), [Some("1e3"), None]);
    }
}
