//! Just what is asked for out of a JSON text, without a tree: a hostile text costs no more memory than its bytes.
//!
//! Section 3.2 of the text does not hold for what servers say; of a member that stands twice the last counts.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotJson;

/// Some members of one object, as written.
pub(crate) type Members<'a, const N: usize> = [Option<&'a RawValue>; N];

/// The members of these names; `None` where the value is no object.
pub(crate) fn members<'a, const N: usize>(
    text: &'a str,
    names: [&str; N],
) -> Result<Option<Members<'a, N>>, NotJson> {
    if !starts_with(text, '{') {
        return match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => Ok(None),
            Err(_) => Err(NotJson),
        };
    }
    let mut parser = serde_json::Deserializer::from_str(text);
    let found = parser.deserialize_map(Pick(names)).map_err(|_| NotJson)?;
    parser.end().map_err(|_| NotJson)?;
    Ok(Some(found))
}

/// Calls `give` for every element; false where the value is no array.
pub(crate) fn elements<'a>(value: &'a RawValue, give: impl FnMut(&'a RawValue)) -> bool {
    if !starts_with(value.get(), '[') {
        return false;
    }
    let mut parser = serde_json::Deserializer::from_str(value.get());
    parser.deserialize_seq(Each(give)).is_ok()
}

/// The value as `T`, where it is one.
pub(crate) fn value<'a, T: Deserialize<'a>>(value: Option<&'a RawValue>) -> Option<T> {
    serde_json::from_str(value?.get()).ok()
}

/// Whether the value is an object.
pub(crate) fn is_object(value: &RawValue) -> bool {
    starts_with(value.get(), '{')
}

fn starts_with(text: &str, bracket: char) -> bool {
    text.trim_start_matches([' ', '\t', '\r', '\n'])
        .starts_with(bracket)
}

struct Pick<'n, const N: usize>([&'n str; N]);

impl<'de, const N: usize> Visitor<'de> for Pick<'_, N> {
    type Value = Members<'de, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = [None; N];
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            match self.0.iter().position(|wanted| *wanted == name) {
                Some(at) => found[at] = Some(map.next_value()?),
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(found)
    }
}

struct Each<F>(F);

impl<'de, F: FnMut(&'de RawValue)> Visitor<'de> for Each<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = seq.next_element()? {
            (self.0)(element);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a(text: &str) -> Result<Option<Option<&str>>, NotJson> {
        Ok(members(text, ["a"])?.map(|[a]| a.map(RawValue::get)))
    }

    #[test]
    fn members_are_found_and_the_rest_is_checked() {
        assert_eq!(a("{\"b\":[{}],\"a\": 1.0 }"), Ok(Some(Some("1.0"))));
        assert_eq!(a("{\"\\u0061\":1,\"a\":2}"), Ok(Some(Some("2"))));
        assert_eq!(a(" {} "), Ok(Some(None)));
        for other in ["[{\"a\":1}]", "1", "\"a\"", "null", " true"] {
            assert_eq!(a(other), Ok(None), "{other}");
        }
        for bad in [
            "",
            "{",
            "{\"a\":1,}",
            "{} {}",
            "{\"b\":01}",
            "<html>",
            "[",
            "\u{feff}{}",
        ] {
            assert_eq!(a(bad), Err(NotJson), "{bad}");
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!(
            "{{\"b\":{}{},\"a\":1}}",
            "[".repeat(1 << 20),
            "]".repeat(1 << 20)
        );
        assert_eq!(a(&deep), Ok(Some(Some("1"))));
    }
}
