//! What a resolver holds of a host after fetching its file: section 11.7 of the text, without the fetching.
//!
//! ```
//! use capabilities_txt::PublicSuffixes;
//! use capabilities_txt::fetch::{Answer, Known, Outcome};
//! use capability_resolution::{Host, Time};
//!
//! let host = Host::from_written("example.com")?;
//! let (monday, tuesday) = (Time::from_unix_seconds(0), Time::from_unix_seconds(86_400));
//! let answer = Answer { status: 200, content_type: Some("text/plain; charset=utf-8"), host: &host, conditional: false };
//! let outcome = Outcome::of_answer(&answer, &host, &PublicSuffixes::compiled_in(), "Resolvers: none\n");
//!
//! let known = Known::default().after(outcome, monday).after(Outcome::Failed, tuesday);
//! assert_eq!(known.restriction(tuesday), Some(&"Resolvers: none\n"));
//! assert!(!known.is_due(tuesday));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use capability_resolution::{Host, Time};

use crate::code::Code;
use crate::limits::{CACHE_SECONDS, UNREACHABLE_SECONDS};
use crate::scope::PublicSuffixes;

/// Where the file of a host is fetched, without a port: `captxt.fetch.request`.
#[must_use]
pub fn location(host: &Host) -> String {
    format!("https://{host}/.well-known/capabilities.txt")
}

/// A complete answer to the last request of a fetch.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The value of the only `Content-Type` header; `None` if there is none, or more than one.
    pub content_type: Option<&'a str>,
    /// The host that answered, after all redirects.
    pub host: &'a Host,
    /// Whether the request asked for a file other than the one that is held, by `If-None-Match` or `If-Modified-Since`.
    pub conditional: bool,
}

/// What a fetch came to: `captxt.fetch.outcome`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<F> {
    /// A file.
    File {
        /// Whatever the caller keeps of it: its bytes, or a handle.
        file: F,
        /// Why its claims do not count, if so: `fetch-content-type` or `fetch-cross-site`.
        withheld: Option<Code>,
    },
    /// 304 to a conditional request: the file that is held is still the one.
    Confirmed,
    /// 404 or 410: there is no file.
    Absent,
    /// Another 4xx but 429, more than 5 redirects, or one to another scheme than `https`.
    Refused,
    /// Any other status, a timeout, a failure of TLS or of the transfer, a body shorter than announced.
    Failed,
}

impl<F> Outcome<F> {
    /// What an answer means for the file of the host that was first asked. `file` is its body, which only counts with
    /// status 200.
    #[must_use]
    pub fn of_answer(
        answer: &Answer<'_>,
        asked: &Host,
        suffixes: &PublicSuffixes,
        file: F,
    ) -> Self {
        match answer.status {
            200 if !is_plain_utf8(answer.content_type) => Self::File {
                file,
                withheld: Some(Code::FetchContentType),
            },
            200 if suffixes.is_cross_site(asked, answer.host) => Self::File {
                file,
                withheld: Some(Code::FetchCrossSite),
            },
            200 => Self::File {
                file,
                withheld: None,
            },
            304 if answer.conditional => Self::Confirmed,
            404 | 410 => Self::Absent,
            429 => Self::Failed,
            400..=499 => Self::Refused,
            _ => Self::Failed,
        }
    }
}

/// What is held of one host: the file whose claims count, the file whose restriction counts, and since when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known<F> {
    file: Option<(F, Option<Code>)>,
    restriction: Option<F>,
    fetched: Option<Time>,
    answered: Option<Time>,
}

impl<F> Default for Known<F> {
    /// Nothing: no claim and no restriction.
    fn default() -> Self {
        Self {
            file: None,
            restriction: None,
            fetched: None,
            answered: None,
        }
    }
}

impl<F: Clone> Known<F> {
    /// What is held after one more fetch, which ended at `now`.
    #[must_use]
    pub fn after(self, outcome: Outcome<F>, now: Time) -> Self {
        // What ended by `captxt.fetch.unreachable` does not come back.
        let held = if self.holds(now) {
            self
        } else {
            Self::default()
        };
        let (file, restriction, answered) = match outcome {
            Outcome::File { file, withheld } => {
                (Some((file.clone(), withheld)), Some(file), Some(now))
            }
            Outcome::Confirmed => (held.file, held.restriction, Some(now)),
            Outcome::Absent => (None, None, Some(now)),
            Outcome::Refused => (None, held.restriction, Some(now)),
            Outcome::Failed => (held.file, held.restriction, held.answered),
        };
        Self {
            file,
            restriction,
            fetched: Some(now),
            answered,
        }
    }

    /// The file for the strict reader, and why its claims do not count if they do not.
    #[must_use]
    pub fn file(&self, now: Time) -> Option<(&F, Option<Code>)> {
        let (file, withheld) = self.file.as_ref().filter(|_| self.holds(now))?;
        Some((file, *withheld))
    }

    /// The file for the deny reader; without one every resolver is allowed.
    #[must_use]
    pub fn restriction(&self, now: Time) -> Option<&F> {
        self.restriction.as_ref().filter(|_| self.holds(now))
    }

    /// Whether the file has to be fetched again: `captxt.fetch.cache`.
    #[must_use]
    pub fn is_due(&self, now: Time) -> bool {
        self.fetched
            .is_none_or(|fetched| fetched.plus(CACHE_SECONDS) <= now)
    }

    /// `captxt.fetch.unreachable`.
    fn holds(&self, now: Time) -> bool {
        self.answered
            .is_some_and(|answered| now < answered.plus(UNREACHABLE_SECONDS))
    }
}

/// Whether a `Content-Type` is `text/plain` in UTF-8: `captxt.fetch.outcome`, `captxt.fetch.media-type`.
fn is_plain_utf8(content_type: Option<&str>) -> bool {
    let text = content_type.unwrap_or_default().trim_matches(BLANK);
    let (essence, mut rest) = text.split_at(text.find([';', ' ', '\t']).unwrap_or(text.len()));
    if !essence.eq_ignore_ascii_case("text/plain") {
        return false;
    }
    let mut charset: Option<String> = None;
    loop {
        rest = rest.trim_start_matches(BLANK);
        if rest.is_empty() {
            return charset.is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8"));
        }
        let Some(after) = rest.strip_prefix(';') else {
            return false;
        };
        rest = after.trim_start_matches(BLANK);
        if rest.is_empty() || rest.starts_with(';') {
            continue;
        }
        let Some((name, value, after)) = parameter(rest) else {
            return false;
        };
        if name.eq_ignore_ascii_case("charset") && charset.replace(value).is_some() {
            return false;
        }
        rest = after;
    }
}

/// White space around the parts of a field's value.
const BLANK: [char; 2] = [' ', '\t'];

/// A parameter's name and value, and what follows it: section 5.6.6 of RFC 9110.
fn parameter(text: &str) -> Option<(&str, String, &str)> {
    let (name, after) = text.split_once('=')?;
    if name.is_empty() || !name.chars().all(is_token) {
        return None;
    }
    let Some(quoted) = after.strip_prefix('"') else {
        let end = after.find(|c| !is_token(c)).unwrap_or(after.len());
        let (value, after) = after.split_at(end);
        return (!value.is_empty()).then(|| (name, value.to_owned(), after));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, mut character)) = characters.next() {
        if character == '"' {
            return Some((name, value, &quoted[at + 1..]));
        }
        if character == '\\' {
            character = characters.next()?.1;
        }
        if character.is_ascii_control() && character != '\t' {
            return None;
        }
        value.push(character);
    }
    None
}

/// `tchar` of RFC 9110.
fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;

    fn day(n: i64) -> Time {
        Time::from_unix_seconds(n * DAY)
    }

    fn host(text: &str) -> Host {
        Host::from_written(text).expect("a host")
    }

    fn outcome(status: u16, content_type: Option<&str>, from: &str) -> Outcome<&'static str> {
        let (asked, from) = (host("example.com"), host(from));
        let answer = Answer {
            status,
            content_type,
            host: &from,
            conditional: false,
        };
        Outcome::of_answer(&answer, &asked, &PublicSuffixes::compiled_in(), "file")
    }

    // r[captxt.fetch.request]
    #[test]
    fn a_file_has_one_location() {
        let location = |text| location(&host(text));
        assert_eq!(
            location("example.com"),
            "https://example.com/.well-known/capabilities.txt"
        );
        assert_eq!(
            location("[2001:DB8::1]"),
            "https://[2001:db8::1]/.well-known/capabilities.txt"
        );
    }

    // r[captxt.fetch.outcome] r[captxt.fetch.redirect] r[captxt.fetch.code-order] r[captxt.fetch.media-type]
    #[test]
    fn an_answer_means_one_thing() {
        let file = |withheld| Outcome::File {
            file: "file",
            withheld,
        };
        for plain in [
            "text/plain",
            "Text/Plain ; Charset=UTF-8",
            "text/plain;charset=\"utf-8\";x=1",
            "text/plain;",
            " text/plain ;; charset=\"u\\tf-8\" ;\t",
            "text/plain; x=\"; charset=latin1\"",
        ] {
            assert_eq!(
                outcome(200, Some(plain), "example.com"),
                file(None),
                "{plain}"
            );
        }
        let other = [
            None,
            Some(""),
            Some("text/html"),
            Some("text/plain; charset=latin1"),
            Some("text/plain, text/plain"),
            Some("text/plain; charset"),
            Some("text/plain; charset = utf-8"),
            Some("text/plain; charset=\"utf-8"),
            Some("text/plain; charset=utf-8; charset=utf-8"),
            Some("text/plain; x=\"\u{1}\""),
            Some("text/plain; é=1"),
        ];
        for other in other {
            assert_eq!(
                outcome(200, other, "example.com"),
                file(Some(Code::FetchContentType)),
                "{other:?}"
            );
        }
        assert_eq!(
            outcome(200, Some("text/plain"), "a.example.com"),
            file(None)
        );
        for elsewhere in ["example.org", "com", "192.0.2.7"] {
            assert_eq!(
                outcome(200, Some("text/plain"), elsewhere),
                file(Some(Code::FetchCrossSite)),
                "{elsewhere}"
            );
        }
        assert_eq!(
            outcome(200, Some("text/html"), "example.org"),
            file(Some(Code::FetchContentType))
        );
        for (status, same) in [
            (404, Outcome::Absent),
            (410, Outcome::Absent),
            (400, Outcome::Refused),
            (403, Outcome::Refused),
            (499, Outcome::Refused),
            (429, Outcome::Failed),
            (500, Outcome::Failed),
            (204, Outcome::Failed),
            (304, Outcome::Failed),
            (600, Outcome::Failed),
        ] {
            assert_eq!(
                outcome(status, Some("text/plain"), "example.com"),
                same,
                "{status}"
            );
        }
    }

    // r[captxt.fetch.outcome] r[captxt.fetch.unreachable]
    #[test]
    fn a_restriction_outlives_what_is_no_answer() {
        let file = |file| Outcome::File {
            file,
            withheld: None,
        };
        let known = Known::default().after(file("a"), day(0));
        let refused = known.clone().after(Outcome::Refused, day(1));
        assert_eq!(
            (refused.file(day(1)), refused.restriction(day(1))),
            (None, Some(&"a"))
        );
        let failed = known.clone().after(Outcome::Failed, day(1));
        assert_eq!(
            (failed.file(day(1)), failed.restriction(day(1))),
            (Some((&"a", None)), Some(&"a"))
        );
        let absent = known.clone().after(Outcome::Absent, day(1));
        assert_eq!(
            (absent.file(day(1)), absent.restriction(day(1))),
            (None, None)
        );
        let other = failed.clone().after(file("b"), day(2));
        assert_eq!(other.restriction(day(2)), Some(&"b"));

        let last = Time::from_unix_seconds(30 * DAY - 1);
        assert_eq!(failed.restriction(last), Some(&"a"));
        assert_eq!(
            (failed.file(day(30)), failed.restriction(day(30))),
            (None, None)
        );
        assert_eq!(refused.restriction(day(30)), Some(&"a"));
        let confirmed = known.after(Outcome::Confirmed, day(20));
        assert_eq!(confirmed.restriction(day(49)), Some(&"a"));
        assert_eq!(confirmed.restriction(day(50)), None);
        let ended = failed.after(Outcome::Refused, day(30));
        assert_eq!(ended.restriction(day(30)), None);
        assert_eq!(
            Known::<&str>::default()
                .after(Outcome::Failed, day(0))
                .restriction(day(0)),
            None
        );
    }

    // r[captxt.fetch.cache]
    #[test]
    fn a_file_is_fetched_daily() {
        let known = Known::<&str>::default();
        assert!(known.is_due(day(0)));
        let known = known.after(Outcome::Failed, day(0));
        assert!(!known.is_due(Time::from_unix_seconds(DAY - 1)) && known.is_due(day(1)));
    }
}
