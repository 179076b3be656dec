//! What single header fields say.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName};

/// The value of the only field of this name; `None` where it is missing, sent twice, or not text.
#[must_use]
pub fn only_value<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// The media type of the body, in lower case and without parameters; `None` where `Content-Type`
/// is missing, sent twice, or not text.
#[must_use]
pub fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = only_value(headers, &CONTENT_TYPE)?;
    let essence = value.split(';').next()?.trim().to_ascii_lowercase();
    (!essence.is_empty()).then_some(essence)
}
