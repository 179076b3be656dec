//! Server URLs: section 3.5 of the text.

use std::fmt;

use crate::limits::SERVER_URL_MAX_BYTES;
use crate::origin::{LOOPBACK_SCHEME, Origin, OriginError, SCHEME};

/// The URL that identifies a server, in the one form that is its own serialization by the URL Standard.
///
/// ```
/// use capability_resolution::ServerUrl;
///
/// let url: ServerUrl = "https://mail.example.com/mcp".parse()?;
/// assert_eq!(url.origin().as_str(), "https://mail.example.com");
/// assert!("https://mail.example.com/a/../mcp".parse::<ServerUrl>().is_err());
/// # Ok::<(), capability_resolution::ServerUrlError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServerUrl {
    text: String,
    origin: Origin,
}

/// Why a text is not a server URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServerUrlError {
    /// `url.form`: the form is another; the text says what is wrong.
    #[error("not a server URL: {0} (rule url.form)")]
    Form(&'static str),
    /// `origin.host`, `origin.serialization`: the host or the port is not canonical.
    #[error("not a server URL: {0}")]
    Authority(#[from] OriginError),
    /// `url.dot-segment`: a path segment is `.` or `..`, perhaps percent-encoded.
    #[error("not a server URL: a path segment is . or .. (rule url.dot-segment)")]
    DotSegment,
}

impl ServerUrl {
    /// The URL as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its origin.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What follows the origin: the path, and the query with its question mark if there is one.
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        &self.text[self.origin.as_str().len()..]
    }

    /// For development: a URL of `http://127.0.0.1:PORT` or `http://localhost:PORT`, by [`Origin::loopback`] and its
    /// switch. Parsing never makes one.
    ///
    /// # Errors
    ///
    /// As parsing, and for another host.
    pub fn loopback(text: &str) -> Result<Self, ServerUrlError> {
        let rest = text
            .strip_prefix(LOOPBACK_SCHEME)
            .ok_or(ServerUrlError::Form("it does not start with http://"))?;
        let secure: Self = [SCHEME, rest].concat().parse()?;
        let origin = secure.origin.as_str().replacen(SCHEME, LOOPBACK_SCHEME, 1);
        Ok(Self {
            text: text.to_owned(),
            origin: Origin::loopback(&origin)?,
        })
    }

    /// A URL as a document of this issuer may hold it: a URL of this machine beside an issuer of this machine only, for
    /// which [`Origin::loopback`] is the one door.
    pub(crate) fn of_issuer(text: &str, issuer: &Origin) -> Result<Self, ServerUrlError> {
        match text.parse() {
            Err(_) if issuer.is_loopback() => Self::loopback(text),
            read => read,
        }
    }

    /// Whether the URL has a query.
    #[must_use]
    pub fn has_query(&self) -> bool {
        self.text.contains('?')
    }
}

impl std::str::FromStr for ServerUrl {
    type Err = ServerUrlError;

    fn from_str(text: &str) -> Result<Self, ServerUrlError> {
        if text.len() > SERVER_URL_MAX_BYTES {
            return Err(ServerUrlError::Form("it is longer than 2,048 bytes"));
        }
        let rest = text
            .strip_prefix(SCHEME)
            .ok_or(ServerUrlError::Form("it does not start with https://"))?;
        let path_start = rest
            .find('/')
            .ok_or(ServerUrlError::Form("it has no path"))?;
        let (authority, after) = rest.split_at(path_start);
        if authority.contains(['?', '#', '@', '\\']) {
            return Err(ServerUrlError::Form(
                "something other than a path follows the host and port, or stands before them",
            ));
        }
        let origin = Origin::from_authority(authority)?;
        let (path, query) = after
            .split_once('?')
            .map_or((after, None), |(path, query)| (path, Some(query)));
        check_characters(path, b"'/")?;
        if let Some(query) = query {
            check_characters(query, b"/?")?;
        }
        if path.split('/').any(is_dot_segment) {
            return Err(ServerUrlError::DotSegment);
        }
        Ok(Self {
            text: text.to_owned(),
            origin,
        })
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `qchar` of the grammar and what a part allows beside it.
fn check_characters(part: &str, also: &[u8]) -> Result<(), ServerUrlError> {
    let mut bytes = part.bytes();
    while let Some(byte) = bytes.next() {
        let sound = match byte {
            b'%' => (0..2).all(|_| bytes.next().is_some_and(|b| b.is_ascii_hexdigit())),
            b if b.is_ascii_alphanumeric() => true,
            b => b"-._~!$&()*+,;=:@".contains(&b) || also.contains(&b),
        };
        if !sound {
            return Err(ServerUrlError::Form(
                "a character has to be percent-encoded, or a % is not followed by two hexadecimal digits",
            ));
        }
    }
    Ok(())
}

fn is_dot_segment(segment: &str) -> bool {
    let mut rest = segment.as_bytes();
    let mut dots = 0;
    while let [b'.', after @ ..] | [b'%', b'2', b'e' | b'E', after @ ..] = rest {
        rest = after;
        dots += 1;
    }
    rest.is_empty() && (1..=2).contains(&dots)
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[origin.loopback] r[origin.loopback-off]
    #[test]
    fn loopback_has_a_door_of_its_own() {
        let url = ServerUrl::loopback("http://127.0.0.1:8420/mcp?x=1").unwrap();
        assert_eq!(
            (url.origin().as_str(), url.path_and_query()),
            ("http://127.0.0.1:8420", "/mcp?x=1")
        );
        assert!(url.as_str().parse::<ServerUrl>().is_err());
        for bad in [
            "http://127.0.0.1:8420",
            "http://127.0.0.1/mcp",
            "http://example.com:8420/mcp",
            "http://127.0.0.1:8420/a/../mcp",
            "http://127.0.0.1:8420/{x}",
            "https://127.0.0.1:8420/mcp",
        ] {
            assert!(ServerUrl::loopback(bad).is_err(), "{bad}");
        }
    }

    // r[url.form] r[url.dot-segment] r[url.comparison]
    #[test]
    fn takes_what_a_url_parser_leaves_alone() {
        for good in [
            "https://a/",
            "https://a//",
            "https://a/mcp?x=1/2?",
            "https://a/%2f%2F",
            "https://a/it's",
            "https://a:8443/m",
            "https://[2001:db8::1]/",
            "https://a/...",
            "https://a/.b",
            "https://a/?",
            "https://192.0.2.7/~a:@!$&()*+,;=",
        ] {
            assert_eq!(
                good.parse::<ServerUrl>().map(|u| u.to_string()).as_deref(),
                Ok(good)
            );
        }
        for bad in [
            "",
            "https://a",
            "http://a/",
            "https://A/",
            "https://a:443/",
            "https://u@a/",
            "https://a/#f",
            "https://a/?#f",
            "https://a?x",
            "https://a/.",
            "https://a/../b",
            "https://a/%2e",
            "https://a/b/%2E.",
            "https://a/.%2e/",
            "https://a/b c",
            "https://a/ü",
            "https://a/%",
            "https://a/%2",
            "https://a/%zz",
            "https://a/?it's",
            "https://a/{x}",
            "https://a\\b/",
            "https://a/\\",
            "https://mail.exam\tple.com/mcp",
            "https://a./",
            "https://a/^",
            "https:///x",
        ] {
            assert!(bad.parse::<ServerUrl>().is_err(), "{bad}");
        }
        let long = |n: usize| format!("https://a/{}", "b".repeat(n - 10));
        assert!(
            long(2048).parse::<ServerUrl>().is_ok() && long(2049).parse::<ServerUrl>().is_err()
        );
    }
}
