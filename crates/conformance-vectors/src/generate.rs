//! How the vectors are made: fixed seeds, a fixed clock, and bytes that are put together by hand.
//!
//! Nothing here calls an implementation of the protocol, or a fault of that implementation would become the expected
//! answer. JSON is written as text, tokens are encoded and signed here, and crafted signatures are made from the group's
//! arithmetic. The same code gives the same bytes on every machine.

mod answer;
mod build;
mod capabilities_txt;
mod cases;
mod client;
mod curve;
mod discovery;
mod ed25519;
mod json;
mod key_set;
mod names;
mod record;
mod request;
mod token;

use std::fmt::Write as _;

use crate::model::{Kind, VectorFile};

/// Makes all vector files, in the order of [`Kind::ALL`].
#[must_use]
pub fn generate() -> Vec<VectorFile> {
    Kind::ALL
        .into_iter()
        .map(|kind| match kind {
            Kind::Token => token::file(),
            Kind::KeySet => key_set::file(),
            Kind::Discovery => discovery::file(),
            Kind::Answer => answer::file(),
            Kind::Record => record::file(),
            Kind::Ed25519 => ed25519::file(),
            Kind::Request => request::file(),
            Kind::Names => names::file(),
            Kind::CapabilitiesTxt => capabilities_txt::file(),
            Kind::CapabilitiesTxtDeny => capabilities_txt::deny::file(),
            Kind::CapabilitiesTxtFetch => capabilities_txt::fetch::file(),
            Kind::Client => client::file(),
            Kind::ClientFailure => client::failure_file(),
            Kind::ClientCache => client::cache_file(),
        })
        .collect()
}

/// The text of a vector file: JSON in lines, with a line feed at the end.
///
/// Everything outside of ASCII is escaped, so that no editor hides, normalizes or turns around what a vector holds.
///
/// # Errors
/// None that can happen: every value of the model is one of JSON.
pub fn render(file: &VectorFile) -> Result<String, serde_json::Error> {
    let text = serde_json::to_string_pretty(file)?;
    let mut ascii = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        if (' '..='~').contains(&character) || character == '\n' {
            ascii.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(ascii, "\\u{unit:04x}");
            }
        }
    }
    ascii.push('\n');
    Ok(ascii)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::load::{MAX_FILE_BYTES, Suite};

    #[test]
    fn the_same_bytes_every_time_and_those_of_the_crate() {
        let (one, other) = (generate(), generate());
        assert_eq!(one, other);
        assert_eq!(
            one,
            Suite::embedded().unwrap().files(),
            "run `cargo xtask vectors`"
        );
        for file in &one {
            let text = render(file).unwrap();
            assert!(
                text.is_ascii() && text.len() <= MAX_FILE_BYTES,
                "{}",
                file.kind
            );
            let read: VectorFile = serde_json::from_str(&text).unwrap();
            assert_eq!(&read, file, "{}", file.kind);
        }
    }

    // r[captxt.order]
    #[test]
    fn diagnostics_are_in_order() {
        for vector in generate().iter().flat_map(|file| &file.tests) {
            for list in ["errors", "warnings"] {
                let found = vector.output.as_ref().and_then(|output| output.get(list));
                let found = found.and_then(|found| found.as_array());
                let places: Vec<_> = found
                    .into_iter()
                    .flatten()
                    .map(|found| {
                        let number = |name: &str| found[name].as_u64();
                        (number("line"), number("column"), found["code"].as_str())
                    })
                    .collect();
                assert!(places.is_sorted(), "{}: {places:?}", vector.id);
            }
        }
    }

    #[test]
    fn nothing_is_there_twice() {
        for file in generate() {
            let mut seen = BTreeMap::new();
            for vector in file.tests {
                let question = format!("{} {:?}", vector.operation, vector.input);
                if let Some(other) = seen.insert(question, vector.id.clone()) {
                    panic!("{} asks what {other} asks", vector.id);
                }
            }
        }
    }
}
