//! The value of Endpoint: `captxt.endpoint.form`, `captxt.endpoint.canonical`.

use std::fmt;
use std::net::Ipv4Addr;
use std::ops::Range;

use capability_resolution::ServerUrl;
use capability_resolution::text::is_white_space;
use url::{Host, Url};

use super::ValueError;
use crate::code::Code;
use crate::limits::ENDPOINT_MAX_CHARACTERS;

/// The URL of an endpoint, as the URL Standard serializes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EndpointUrl(Form);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Form {
    Server(ServerUrl),
    Other { text: String, host: Range<usize> },
}

impl EndpointUrl {
    /// The URL as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Form::Server(url) => url.as_str(),
            Form::Other { text, .. } => text,
        }
    }

    /// Its host in canonical form.
    #[must_use]
    pub fn host(&self) -> &str {
        match &self.0 {
            Form::Server(url) => url.origin().host(),
            Form::Other { text, host } => &text[host.clone()],
        }
    }

    /// Whether it has a query, also an empty one.
    #[must_use]
    pub fn has_query(&self) -> bool {
        self.as_str().contains('?')
    }

    /// The server URL that it is; only such endpoints may be listed: `captxt.endpoint.listable`.
    #[must_use]
    pub fn server_url(&self) -> Option<&ServerUrl> {
        match &self.0 {
            Form::Server(url) => Some(url),
            Form::Other { .. } => None,
        }
    }
}

impl fmt::Display for EndpointUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for EndpointUrl {
    type Err = ValueError;

    /// Reads a URL as an owner writes it; the error is the first that applies.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        // A server URL is its own serialization, and breaks none of the rules below.
        if let Ok(url) = text.parse::<ServerUrl>() {
            return Ok(Self(Form::Server(url)));
        }
        let invalid = |why| ValueError::new(Code::EndpointInvalid, why);
        let forbidden = |c| is_white_space(c) || "\\<>\"^{|}`".contains(c);
        if text.contains(forbidden) {
            return Err(invalid(
                "a URL has no spaces, backslashes, quotes and brackets such as < and {",
            ));
        }
        if text.chars().nth(ENDPOINT_MAX_CHARACTERS).is_some() {
            return Err(invalid("a URL has at most 2,048 characters"));
        }
        let rest = after_scheme(text)?;
        let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
        if authority.is_empty() {
            return Err(invalid("a host follows https://"));
        }
        if authority.contains('@') {
            return Err(ValueError::new(
                Code::EndpointUserinfo,
                "a URL names no user and no password",
            ));
        }
        if rest.contains('#') {
            return Err(ValueError::new(
                Code::EndpointFragment,
                "a URL of a server has no part behind a #",
            ));
        }
        let url = Url::parse(text).map_err(|_| invalid("the URL Standard's parser refuses it"))?;
        check_host(host_of(authority), &url)?;
        Ok(Self(match url.as_str().parse() {
            Ok(url) => Form::Server(url),
            Err(_) => {
                let start = "https://".len();
                let host = start..start + url.host_str().map_or(0, str::len);
                Form::Other {
                    text: url.into(),
                    host,
                }
            }
        }))
    }
}

/// What follows `https://`: points 2 and 3 of the rule.
fn after_scheme(text: &str) -> Result<&str, ValueError> {
    let invalid = ValueError::new(
        Code::EndpointInvalid,
        "a URL starts with https:// and a host",
    );
    let (scheme, rest) = text.split_once("://").ok_or(invalid.clone())?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    if !is_scheme {
        return Err(invalid);
    }
    if !scheme.eq_ignore_ascii_case("https") {
        return Err(ValueError::new(
            Code::EndpointNotHttps,
            "servers are called over https only",
        ));
    }
    Ok(rest)
}

/// The host of an authority without user information, as it was written.
fn host_of(authority: &str) -> &str {
    let end = if authority.starts_with('[') {
        authority.find(']').map(|at| at + 1)
    } else {
        authority.find(':')
    };
    &authority[..end.unwrap_or(authority.len())]
}

/// Point 6 of the rule, beyond what the URL Standard's parser refuses.
fn check_host(written: &str, url: &Url) -> Result<(), ValueError> {
    let invalid = |why| Err(ValueError::new(Code::EndpointInvalid, why));
    if written.contains('%') || written.ends_with('.') {
        return invalid("a host has no percent sign, and no dot at its end");
    }
    match url.host() {
        Some(Host::Ipv4(_)) if written.parse::<Ipv4Addr>().is_err() => {
            invalid("an IPv4 address has four decimal parts without leading zeros")
        }
        Some(Host::Domain(domain)) => {
            let label = |label: &str| {
                (1..=63).contains(&label.len())
                    && label
                        .bytes()
                        .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'))
            };
            if domain.len() > 253 || !domain.split('.').all(label) {
                return invalid(
                    "a domain has labels of 1 to 63 letters, digits, - and _, and at most 253 characters",
                );
            }
            Ok(())
        }
        Some(_) => Ok(()),
        None => invalid("the URL has no host"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, Code> {
        text.parse::<EndpointUrl>()
            .map(|url| url.to_string())
            .map_err(|e| e.code())
    }

    // r[captxt.endpoint.form]
    #[test]
    fn the_first_fault_gives_the_code() {
        use Code::{EndpointFragment, EndpointInvalid, EndpointNotHttps, EndpointUserinfo};
        for (text, code) in [
            ("http://a b#", EndpointInvalid),
            ("http://u@a/#f", EndpointNotHttps),
            ("ftp+x.y-1://", EndpointNotHttps),
            ("mailto:a", EndpointInvalid),
            ("1a://b", EndpointInvalid),
            ("//a/", EndpointInvalid),
            ("https:/a", EndpointInvalid),
            ("https://", EndpointInvalid),
            ("https:///a", EndpointInvalid),
            ("https://?a@b", EndpointInvalid),
            ("https://@a/#", EndpointUserinfo),
            ("https://a/#", EndpointFragment),
            ("https://a%2eb/", EndpointInvalid),
            ("https://a./", EndpointInvalid),
            ("https://a\u{3002}/", EndpointInvalid),
            ("https://a..b/", EndpointInvalid),
            ("https://a!b/", EndpointInvalid),
            ("https://0x7f.1/", EndpointInvalid),
            ("https://127.0.0.01/", EndpointInvalid),
            ("https://１27.0.0.1/", EndpointInvalid),
            ("https://a:65536/", EndpointInvalid),
            ("https://[::1/", EndpointInvalid),
            ("https://[::1]x/", EndpointInvalid),
        ] {
            assert_eq!(read(text), Err(code), "{text}");
        }
        let long = |n: usize| format!("https://a/{}", "é".repeat(n - 10));
        assert!(read(&long(2048)).is_ok());
        assert_eq!(read(&long(2049)), Err(EndpointInvalid));
        assert_eq!(
            read(&format!("https://{}.example/", "a".repeat(64))),
            Err(EndpointInvalid)
        );
    }

    // r[captxt.endpoint.canonical]
    #[test]
    fn is_what_the_url_standard_serializes() {
        for (text, url) in [
            ("HTTPS://Mail.Example.com", "https://mail.example.com/"),
            ("https://a:443/x/../y", "https://a/y"),
            ("https://a:/", "https://a/"),
            (
                "https://bücher.example/ü?ü",
                "https://xn--bcher-kva.example/%C3%BC?%C3%BC",
            ),
            ("https://192.0.2.7/", "https://192.0.2.7/"),
            (
                "https://[2001:DB8::0:1]:8443/",
                "https://[2001:db8::1]:8443/",
            ),
            ("https://a?x", "https://a/?x"),
            ("https://a/%zz", "https://a/%zz"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(url), "{text}");
        }
    }

    // r[captxt.endpoint.listable]
    #[test]
    fn not_every_url_is_a_server_url() {
        let url = |text: &str| text.parse::<EndpointUrl>().unwrap();
        assert!(url("https://A/").server_url().is_some());
        assert_eq!(url("https://a.example/%zz").server_url(), None);
        assert_eq!(url("https://a.example:8443/%zz").host(), "a.example");
    }
}
