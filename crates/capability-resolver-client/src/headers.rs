//! What the header fields of an answer say: how long it may be kept, when the resolver sent it, and whether it wants to be
//! left alone.

use capability_resolution::Time;
use guarded_fetch::header::{AGE, CACHE_CONTROL, DATE, RETRY_AFTER};
use guarded_fetch::{HeaderMap, HeaderName, media_type};

use crate::clock::difference;

/// The longest that a discovery document is kept: `discovery.cache-time`.
const DOCUMENT_MAX_SECONDS: u64 = 86_400;
/// How long a discovery document is kept that does not say: `discovery.cache-time`.
const DOCUMENT_SECONDS: u64 = 3_600;
/// The longest that an answer is kept. A resolver may not ask for more, `resolve.caching`; one that does could make a
/// client deaf to the others for as long as it likes.
const ANSWER_MAX_SECONDS: u64 = 3_600;
/// The longest that a resolver is left alone: `client.retry-after`.
pub(crate) const WAIT_MAX_SECONDS: u64 = 3_600;

/// For how many seconds a discovery document may be kept; 0: for the running call only.
pub(crate) fn document_seconds(headers: &HeaderMap) -> u64 {
    let control = Control::read(headers);
    if control.not_kept {
        return 0;
    }
    control
        .max_age
        .map_or(DOCUMENT_SECONDS, |seconds| {
            seconds.saturating_sub(age(headers))
        })
        .min(DOCUMENT_MAX_SECONDS)
}

/// For how many seconds an answer may be used again: `client.cache`.
pub(crate) fn answer_seconds(headers: &HeaderMap) -> u64 {
    let control = Control::read(headers);
    if control.not_kept {
        return 0;
    }
    let seconds = control.max_age.unwrap_or(0).saturating_sub(age(headers));
    seconds.min(ANSWER_MAX_SECONDS)
}

/// Until when the resolver asks to be left alone: a number of seconds, or a date (RFC 9110 section 10.2.3).
pub(crate) fn wait_until(headers: &HeaderMap, now: Time) -> Option<Time> {
    let longest = now.plus(WAIT_MAX_SECONDS);
    let value = text(headers, &RETRY_AFTER)?;
    let until = match digits(value) {
        Some(seconds) => now.plus(seconds.min(WAIT_MAX_SECONDS)),
        None => date_of(value)?.min(longest),
    };
    (until > now).then_some(until)
}

/// What the resolver's clock says, where it differs from ours by more than `seconds`: `client.clock`.
pub(crate) fn other_clock(headers: &HeaderMap, now: Time, seconds: u64) -> Option<Time> {
    let date = date_of(text(headers, &DATE)?)?;
    (difference(date, now) > seconds).then_some(date)
}

/// Whether the media type is `application/json` and given once: `http.media-type-read`.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    media_type(headers).as_deref() == Some("application/json")
}

/// `Cache-Control` (RFC 9111 section 5.2), all fields together.
#[derive(Debug, Default, PartialEq, Eq)]
struct Control {
    /// Of the first `max-age`, if it is decimal digits.
    max_age: Option<u64>,
    /// `no-store` or `no-cache`.
    not_kept: bool,
}

impl Control {
    fn read(headers: &HeaderMap) -> Self {
        let fields = headers
            .get_all(CACHE_CONTROL)
            .iter()
            // A field that is no text says nothing, and what says nothing is not kept for long.
            .map(|value| value.to_str().unwrap_or_default());
        let mut control = Self::default();
        let mut max_age = None;
        for directive in fields.flat_map(directives) {
            let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
            // Nothing stands around the `=`: with a space there it is another directive.
            match name.to_ascii_lowercase().as_str() {
                "no-store" | "no-cache" => control.not_kept = true,
                "max-age" => {
                    max_age.get_or_insert(digits(value));
                }
                _ => {}
            }
        }
        control.max_age = max_age.flatten();
        control
    }
}

/// The list of directives; a comma inside of a quoted string ends none.
fn directives(field: &str) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    field
        .split(move |c| {
            let splits = c == ',' && !quoted;
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                _ => {}
            }
            splits
        })
        .map(str::trim)
}

fn age(headers: &HeaderMap) -> u64 {
    text(headers, &AGE).and_then(digits).unwrap_or(0)
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Decimal digits; more than can be held are the largest number.
fn digits(text: &str) -> Option<u64> {
    let sound = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    sound.then(|| text.parse().unwrap_or(u64::MAX))
}

fn date_of(text: &str) -> Option<Time> {
    httpdate::parse_http_date(text).ok().map(Time::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use guarded_fetch::HeaderValue;
    use guarded_fetch::header::CONTENT_TYPE;

    fn headers(lines: &[(&HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    // r[discovery.cache-time] r[client.cache]
    #[test]
    fn how_long_something_is_kept() {
        for (fields, document, answer) in [
            (&[][..], 3_600, 0),
            (&["max-age=60"], 60, 60),
            (&["public, MAX-AGE=60"], 60, 60),
            (&["max-age=60 ,public"], 60, 60),
            (&["max-age = 60"], 3_600, 0),
            (&["max-age= 60"], 3_600, 0),
            (&["max-age=60", "max-age=90"], 60, 60),
            (&["public", "max-age=90, max-age=60"], 90, 90),
            (&["max-age=100000"], 86_400, 3_600),
            (&["max-age=99999999999999999999999"], 86_400, 3_600),
            (&["max-age=0"], 0, 0),
            (&["max-age=\"60\""], 3_600, 0),
            (&["max-age=-60"], 3_600, 0),
            (&["max-age=6e1, max-age=60"], 3_600, 0),
            (&["max-age"], 3_600, 0),
            (&["s-maxage=60"], 3_600, 0),
            (&["x=\"a, max-age=60\", max-age=90"], 90, 90),
            (&["x=\"\\\", max-age=60\", max-age=90"], 90, 90),
            (&["max-age=60, no-store"], 0, 0),
            (&["no-cache, max-age=60"], 0, 0),
            (&["max-age=60", "No-Cache=\"set-cookie\""], 0, 0),
            (&["x=\"no-store\", max-age=60"], 60, 60),
        ] {
            let lines: Vec<_> = fields
                .iter()
                .map(|field| (&CACHE_CONTROL, *field))
                .collect();
            let headers = headers(&lines);
            assert_eq!(document_seconds(&headers), document, "{fields:?}");
            assert_eq!(answer_seconds(&headers), answer, "{fields:?}");
        }
        for (age, left) in [("40", 20), ("60", 0), ("61", 0), ("x", 60), ("-1", 60)] {
            let headers = headers(&[(&CACHE_CONTROL, "max-age=60"), (&AGE, age)]);
            assert_eq!(document_seconds(&headers), left, "{age}");
            assert_eq!(answer_seconds(&headers), left, "{age}");
        }
    }

    // r[client.retry-after]
    #[test]
    fn how_long_a_resolver_is_left_alone() {
        // Sun, 06 Nov 1994 08:49:37 GMT
        let now = Time::from_unix_seconds(784_111_777);
        for (value, seconds) in [
            ("120", Some(120)),
            ("0", None),
            ("3601", Some(3_600)),
            ("99999999999999999999999", Some(3_600)),
            ("-1", None),
            ("1.5", None),
            ("soon", None),
            ("", None),
            ("Sun, 06 Nov 1994 08:49:47 GMT", Some(10)),
            ("Sunday, 06-Nov-94 08:49:47 GMT", Some(10)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 07:49:37 GMT", None),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Some(3_600)),
        ] {
            let wait = wait_until(&headers(&[(&RETRY_AFTER, value)]), now);
            assert_eq!(wait, seconds.map(|seconds| now.plus(seconds)), "{value}");
        }
    }

    // r[http.media-type-read]
    #[test]
    fn one_media_type() {
        for (values, sound) in [
            (&["application/json"][..], true),
            (&["Application/JSON ; charset=utf-8"], true),
            (&[], false),
            (&["application/json", "application/json"], false),
            (&["application/problem+json"], false),
            (&["application/json, text/html"], false),
            (&["application/jsonp"], false),
            (&[""], false),
        ] {
            let lines: Vec<_> = values.iter().map(|value| (&CONTENT_TYPE, *value)).collect();
            assert_eq!(is_json(&headers(&lines)), sound, "{values:?}");
        }
    }

    // r[client.clock]
    #[test]
    fn clocks_that_differ_by_more() {
        let date = headers(&[(&DATE, "Sun, 06 Nov 1994 08:49:37 GMT")]);
        let at = |offset: i64| Time::from_unix_seconds(784_111_777 + offset);
        for (offset, differs) in [
            (0, false),
            (300, false),
            (-300, false),
            (301, true),
            (-301, true),
        ] {
            assert_eq!(
                other_clock(&date, at(offset), 300).is_some(),
                differs,
                "{offset}"
            );
        }
        assert_eq!(other_clock(&headers(&[(&DATE, "now")]), at(0), 300), None);
        assert_eq!(other_clock(&headers(&[]), at(0), 300), None);
    }
}
