//! The query of a request, decoded: `resolve.query.encoding`.

use crate::code::{Code, Refusal};

/// `resolve.query.encoding`: strict about `%` and UTF-8, where form decoders usually are not.
pub(crate) fn decode_query(query: &str) -> Result<Vec<(String, String)>, Refusal> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decode_component(name)?, decode_component(value)?))
        })
        .collect()
}

fn decode_component(component: &str) -> Result<String, Refusal> {
    let mut decoded = Vec::with_capacity(component.len());
    let mut bytes = component.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digit = |b: Option<u8>| {
                    b.and_then(|b| char::from(b).to_digit(16))
                        .and_then(|d| u8::try_from(d).ok())
                };
                let (high, low) = (digit(bytes.next()), digit(bytes.next()));
                let (Some(high), Some(low)) = (high, low) else {
                    return Err(Refusal::new(
                        Code::QueryEncoding,
                        "a % is not followed by two hexadecimal digits",
                    ));
                };
                high * 16 + low
            }
            byte => byte,
        });
    }
    String::from_utf8(decoded)
        .map_err(|_| Refusal::new(Code::QueryEncoding, "the query does not decode to UTF-8"))
}
