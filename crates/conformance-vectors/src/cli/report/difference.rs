//! Where two outputs differ, for outputs that are too long to be compared by eye.

use std::collections::{BTreeMap, BTreeSet};

use command_console::visible;
use serde_json::Value;

/// The longest output that is shown whole, in characters.
const WHOLE: usize = 300;

/// An output on one line, cut where it is long.
pub(super) fn shown(output: &BTreeMap<String, Value>) -> String {
    cut(&serde_json::to_string(output).unwrap_or_default())
}

/// The first place at which an output differs from the one that is wanted, if one of them is cut when it is shown.
pub(super) fn difference(
    wanted: Option<&BTreeMap<String, Value>>,
    found: Option<&BTreeMap<String, Value>>,
) -> Option<String> {
    let (wanted, found) = (wanted?, found?);
    let is_long =
        |output| serde_json::to_string(output).is_ok_and(|text| text.chars().count() > WHOLE);
    if !is_long(wanted) && !is_long(found) {
        return None;
    }
    let whole =
        |output: &BTreeMap<String, Value>| Value::Object(output.clone().into_iter().collect());
    let (at, wanted, found) = first("", &whole(wanted), &whole(found))?;
    let at = visible(&at);
    Some(format!("{at}: expected {wanted}, got {found}"))
}

/// Pointer and both values of the first difference.
fn first(at: &str, wanted: &Value, found: &Value) -> Option<(String, String, String)> {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            let names: BTreeSet<_> = wanted.keys().chain(found.keys()).collect();
            let mut names = names.into_iter();
            names.find_map(|name| {
                let inner = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                member(&inner, wanted.get(name), found.get(name))
            })
        }
        // Pointers are compared as a set.
        (Value::Array(wanted), Value::Array(found)) if at.ends_with("/copyDiffers") => {
            let set = |items: &[Value]| items.iter().map(Value::to_string).collect::<BTreeSet<_>>();
            (set(wanted) != set(found)).then(|| pair(at, wanted.clone(), found.clone()))
        }
        (Value::Array(wanted), Value::Array(found)) => {
            let mut places = 0..wanted.len().max(found.len());
            places.find_map(|place| {
                member(
                    &format!("{at}/{place}"),
                    wanted.get(place),
                    found.get(place),
                )
            })
        }
        _ => (wanted != found).then(|| pair(at, wanted.clone(), found.clone())),
    }
}

fn member(
    at: &str,
    wanted: Option<&Value>,
    found: Option<&Value>,
) -> Option<(String, String, String)> {
    let text = |value: Option<&Value>| value.map_or("nothing".to_owned(), |v| cut(&v.to_string()));
    match (wanted, found) {
        (Some(wanted), Some(found)) => first(at, wanted, found),
        _ => Some((at.to_owned(), text(wanted), text(found))),
    }
}

fn pair(at: &str, wanted: impl Into<Value>, found: impl Into<Value>) -> (String, String, String) {
    let text = |value: Value| cut(&value.to_string());
    (at.to_owned(), text(wanted.into()), text(found.into()))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(WHOLE) {
        Some((end, _)) => format!("{}…", visible(&text[..end])),
        None => visible(text),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(wanted: Value, found: Value) -> Option<String> {
        let long = |mut value: Value| -> BTreeMap<String, Value> {
            value["zzz"] = json!("x".repeat(WHOLE));
            serde_json::from_value(value).unwrap()
        };
        difference(Some(&long(wanted)), Some(&long(found)))
    }

    #[test]
    fn the_first_difference_is_named() {
        let call = |skipped: Value| json!({"calls": [{"asked": [{"skipped": skipped}]}]});
        for (wanted, found, expected) in [
            (
                call(json!("timeout")),
                call(json!(null)),
                "/calls/0/asked/0/skipped: expected \"timeout\", got null",
            ),
            (
                json!({"a": [1, 2]}),
                json!({"a": [1]}),
                "/a/1: expected 2, got nothing",
            ),
            (
                json!({"a": []}),
                json!({"a": [], "b/c": 1}),
                "/b~1c: expected nothing, got 1",
            ),
            (
                json!({"copyDiffers": ["/a", "/b"]}),
                json!({"copyDiffers": ["/b", "/c"]}),
                "/copyDiffers: expected [\"/a\",\"/b\"], got [\"/b\",\"/c\"]",
            ),
        ] {
            assert_eq!(of(wanted, found).as_deref(), Some(expected));
        }
        let pointers = |list: Value| json!({"copyDiffers": list, "b": 1});
        let same = of(pointers(json!(["/a", "/b"])), pointers(json!(["/b", "/a"])));
        assert_eq!(same, None);
    }

    #[test]
    fn what_is_short_is_shown_whole() {
        let short = |value: Value| serde_json::from_value(value).unwrap();
        let (one, two) = (short(json!({"a": 1})), short(json!({"a": 2})));
        assert_eq!(difference(Some(&one), Some(&two)), None);
        assert_eq!(shown(&one), r#"{"a":1}"#);
        assert_eq!(difference(None, Some(&two)), None);
        let long = short(json!({"a": "ü".repeat(1000)}));
        assert_eq!(shown(&long).chars().count(), WHOLE + 1);
        let within = short(json!({"a": "ü".repeat(WHOLE - 8)}));
        assert_eq!(difference(Some(&one), Some(&within)), None);
    }
}
