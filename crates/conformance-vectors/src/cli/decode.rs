//! Inputs as a person reads them: tokens taken apart, bytes that are no text in hexadecimal.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use conformance_vectors::{Input, Operation, Vector};
use serde::Serialize;
use serde_json::Value;

/// Takes what strict decoders refuse, so that a damaged token can be looked at.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A part of an input under the name by which it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) value: String,
}

/// The members of a vector's input, and after each the tokens in it, taken apart.
pub(super) fn parts(vector: &Vector) -> Vec<Part> {
    let mut parts = Vec::new();
    for member in members(&vector.input) {
        if vector.operation == Operation::Client && member == "play" {
            played(&mut parts, vector.input.0.get("play"));
            continue;
        }
        let Some(bytes) = vector.input.bytes(&member) else {
            let value = vector.input.0.get(&member);
            let value = value.map_or("null".to_owned(), Value::to_string);
            parts.push(Part {
                name: member,
                value,
            });
            continue;
        };
        parts.push(Part {
            name: member.clone(),
            value: text(&bytes),
        });
        if vector.operation == Operation::Token && member == "token" {
            take_apart(&mut parts, "token", &bytes);
        } else if member == "document" {
            for (place, token) in tokens(&bytes) {
                take_apart(&mut parts, &place, token.as_bytes());
            }
        }
    }
    parts
}

/// What the servers of a scenario answer, each answer beside its place in its origin's list.
fn played(parts: &mut Vec<Part>, play: Option<&Value>) {
    for (origin, answers) in play.and_then(Value::as_object).into_iter().flatten() {
        let answers = answers.as_array();
        if answers.is_none_or(Vec::is_empty) {
            let value = answers.map_or("nobody listens", |_| "nothing is to be asked");
            parts.push(Part {
                name: format!("play {origin}"),
                value: value.to_owned(),
            });
        }
        for (place, answer) in answers.into_iter().flatten().enumerate() {
            let name = format!("play {origin} {place}");
            let mut rest = answer.clone();
            // A body of parts stays with the rest.
            let body = rest.as_object_mut().and_then(|rest| rest.remove("body"));
            let body = body.as_ref().and_then(Value::as_str).unwrap_or_default();
            parts.push(Part {
                name: name.clone(),
                value: rest.to_string(),
            });
            parts.push(Part {
                name: format!("{name} body"),
                value: body.to_owned(),
            });
            for (at, token) in tokens(body.as_bytes()) {
                take_apart(parts, &format!("{name} {at}"), token.as_bytes());
            }
        }
    }
}

/// Names without the suffix that says how a member travels.
fn members(input: &Input) -> Vec<String> {
    let names = input.0.keys();
    names
        .map(|name| {
            let whole = name.strip_suffix("_base64");
            let whole = whole.or_else(|| name.strip_suffix("_parts"));
            whole.unwrap_or(name).to_owned()
        })
        .collect()
}

/// The tokens in an answer or a record.
fn tokens(document: &[u8]) -> Vec<(String, String)> {
    let Ok(document) = serde_json::from_slice::<Value>(document) else {
        return Vec::new();
    };
    let of = |value: &Value| Some(value.get("jws")?.as_str()?.to_owned());
    let candidates = document.get("candidates").and_then(Value::as_array);
    let in_candidates = candidates.into_iter().flatten().enumerate();
    of(&document)
        .map(|token| ("jws".to_owned(), token))
        .into_iter()
        .chain(in_candidates.filter_map(|(at, c)| Some((format!("candidates/{at}/jws"), of(c)?))))
        .collect()
}

/// Header, payload and signature, as far as there are such.
fn take_apart(parts: &mut Vec<Part>, place: &str, token: &[u8]) {
    for (name, segment) in ["header", "payload", "signature"]
        .iter()
        .zip(token.split(|b| *b == b'.'))
    {
        let value = match LENIENT.decode(segment) {
            Ok(bytes) if *name == "signature" => hexadecimal(&bytes),
            Ok(bytes) => text(&bytes),
            Err(error) => format!("not base64url: {error}"),
        };
        parts.push(Part {
            name: format!("{place} {name}"),
            value,
        });
    }
}

fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => format!(
            "not UTF-8 at byte {}: {}",
            error.valid_up_to(),
            bytes.escape_ascii()
        ),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
