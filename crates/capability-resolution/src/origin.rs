//! Origins and issuers: section 3.4 of the text.

use std::borrow::Cow;
use std::fmt;

use crate::host::{HostKind, canonical_kind, canonicalize};

/// The origin of a URL in canonical form: `https://`, a host, and a port if it is not 443.
///
/// ```
/// use capability_resolution::Origin;
///
/// let origin: Origin = "https://resolver.example:8443".parse()?;
/// assert_eq!(origin.host(), "resolver.example");
/// assert!("https://resolver.example/".parse::<Origin>().is_err());
/// # Ok::<(), capability_resolution::OriginError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    text: String,
    host_start: usize,
    host_end: usize,
    kind: HostForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum HostForm {
    Domain,
    Address,
    /// This machine, by http: only [`Origin::loopback`] makes one.
    Loopback,
}

/// Why a text is not an origin in canonical form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an origin in canonical form: {why} (rule {rule})")]
pub struct OriginError {
    why: &'static str,
    rule: &'static str,
}

impl OriginError {
    /// The id of the broken rule.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    pub(crate) fn of_host(why: &'static str) -> Self {
        Self {
            why,
            rule: "origin.host",
        }
    }
}

pub(crate) const SCHEME: &str = "https://";

/// The scheme of what [`Origin::loopback`] takes.
pub(crate) const LOOPBACK_SCHEME: &str = "http://";

impl Origin {
    /// The origin as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host, an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.text[self.host_start..self.host_end]
    }

    /// The port, 443 where none is written.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.text[self.host_end..]
            .strip_prefix(':')
            .and_then(|port| port.parse().ok())
            .unwrap_or(443)
    }

    /// Whether the origin can name a resolver: its host is a domain, `origin.issuer`, or it came through
    /// [`Self::loopback`].
    #[must_use]
    pub fn is_issuer(&self) -> bool {
        self.kind != HostForm::Address
    }

    /// For development: `http://127.0.0.1:PORT` or `http://localhost:PORT`, `origin.loopback`. Whoever calls this has a
    /// switch that is off unless it was turned on for the run (`origin.loopback-off`); nothing else makes such an origin.
    ///
    /// ```
    /// use capability_resolution::Origin;
    ///
    /// assert!(Origin::loopback("http://127.0.0.1:8420")?.is_loopback());
    /// assert!("http://127.0.0.1:8420".parse::<Origin>().is_err());
    /// # Ok::<(), capability_resolution::OriginError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For anything else, also port 80, which the URL Standard leaves out.
    pub fn loopback(text: &str) -> Result<Self, OriginError> {
        let refused = OriginError {
            why: "expected http://127.0.0.1:PORT or http://localhost:PORT",
            rule: "origin.loopback",
        };
        let authority = text.strip_prefix(LOOPBACK_SCHEME).ok_or(refused.clone())?;
        let secure = [SCHEME, authority].concat().parse::<Self>()?;
        let (host, port) = split_port(authority);
        if !matches!(host, "127.0.0.1" | "localhost") || port.is_none() || secure.port() == 80 {
            return Err(refused);
        }
        Ok(Self {
            text: text.to_owned(),
            host_start: LOOPBACK_SCHEME.len(),
            host_end: LOOPBACK_SCHEME.len() + host.len(),
            kind: HostForm::Loopback,
        })
    }

    /// Whether it came through [`Self::loopback`].
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.kind == HostForm::Loopback
    }

    /// Brings an origin that a person wrote into canonical form: `captxt.resolvers.canonical`.
    ///
    /// Only for server files and for what an operator or user names; what a machine wrote is parsed.
    ///
    /// ```
    /// use capability_resolution::Origin;
    ///
    /// let origin = Origin::from_written("HTTPS://Resolver.Example.:0443/")?;
    /// assert_eq!(origin.as_str(), "https://resolver.example");
    /// # Ok::<(), capability_resolution::OriginError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the steps of that rule do not lead to an origin in canonical form.
    pub fn from_written(text: &str) -> Result<Self, OriginError> {
        if let Ok(origin) = text.parse() {
            return Ok(origin);
        }
        let authority = text
            .split_at_checked(SCHEME.len())
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case(SCHEME))
            .map(|(_, rest)| rest.strip_suffix('/').unwrap_or(rest))
            .ok_or(OriginError {
                why: "it does not start with https://",
                rule: "captxt.resolvers.form",
            })?;
        match read_authority(authority)? {
            (host, 443) => Self::from_authority(&host),
            (host, port) => Self::from_authority(&format!("{host}:{port}")),
        }
    }

    /// From the host and the port, without the scheme.
    pub(crate) fn from_authority(authority: &str) -> Result<Self, OriginError> {
        let (host, port) = split_port(authority);
        let kind = canonical_kind(host).map_err(OriginError::of_host)?;
        if let Some(port) = port {
            let sound = !port.is_empty()
                && port.bytes().all(|b| b.is_ascii_digit())
                && !port.starts_with('0')
                && port.parse::<u16>().is_ok_and(|p| p != 443);
            if !sound {
                return Err(OriginError {
                    why: "the port is not 1 to 65535 without leading zero, or is 443",
                    rule: "origin.serialization",
                });
            }
        }
        let kind = if kind == HostKind::Domain {
            HostForm::Domain
        } else {
            HostForm::Address
        };
        Ok(Self {
            text: [SCHEME, authority].concat(),
            host_start: SCHEME.len(),
            host_end: SCHEME.len() + host.len(),
            kind,
        })
    }
}

impl std::str::FromStr for Origin {
    type Err = OriginError;

    /// Takes the canonical form only and repairs nothing: `origin.refused`.
    fn from_str(text: &str) -> Result<Self, OriginError> {
        let rule = "origin.serialization";
        let authority = text.strip_prefix(SCHEME).ok_or(OriginError {
            why: "it does not start with https://",
            rule,
        })?;
        if authority.contains(['/', '?', '#', '@', '\\']) {
            return Err(OriginError {
                why: "something follows the host and port, or stands before them",
                rule,
            });
        }
        Self::from_authority(authority)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The host and, after its colon, the port. A colon inside of brackets belongs to the host.
fn split_port(authority: &str) -> (&str, Option<&str>) {
    let after_host = authority.rfind(']').map_or(0, |at| at + 1);
    match authority[after_host..].find(':') {
        Some(at) => (
            &authority[..after_host + at],
            Some(&authority[after_host + at + 1..]),
        ),
        None => (authority, None),
    }
}

/// The canonical host and the port of what a person wrote: `captxt.resolvers.canonical`.
pub(crate) fn read_authority(written: &str) -> Result<(Cow<'_, str>, u16), OriginError> {
    let (host, port) = split_port(written);
    let port = match port {
        None => 443,
        Some(digits) => Some(digits)
            .filter(|d| (1..=5).contains(&d.len()) && d.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|digits| digits.parse().ok())
            .filter(|port| *port != 0)
            .ok_or(OriginError {
                why: "the port is not 1 to 65535 in at most five digits",
                rule: "captxt.resolvers.canonical",
            })?,
    };
    let host = canonicalize(host).map_err(OriginError::of_host)?;
    Ok((host, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[origin.loopback] r[origin.loopback-off]
    #[test]
    fn loopback_has_a_door_of_its_own() {
        for good in ["http://127.0.0.1:8420", "http://localhost:1"] {
            let origin = Origin::loopback(good).unwrap();
            assert!(origin.is_loopback() && origin.is_issuer());
            assert_eq!(format!("http://{}:{}", origin.host(), origin.port()), good);
            assert!(good.parse::<Origin>().is_err() && Origin::from_written(good).is_err());
        }
        for bad in [
            "http://127.0.0.1",
            "http://127.0.0.1:80",
            "http://127.0.0.1:443",
            "http://127.0.0.2:8420",
            "http://[::1]:8420",
            "http://localhost.:8420",
            "http://localhost:8420/",
            "http://u@localhost:8420",
            "http://example.com:8420",
            "https://localhost:8420",
            "HTTP://localhost:8420",
        ] {
            assert!(Origin::loopback(bad).is_err(), "{bad}");
        }
        assert!(
            !"https://127.0.0.1:8420"
                .parse::<Origin>()
                .unwrap()
                .is_loopback()
        );
    }

    // r[captxt.resolvers.canonical]
    #[test]
    fn brings_what_was_written_into_canonical_form() {
        for (written, canonical) in [
            ("https://a.example", "https://a.example"),
            ("hTTps://A.example/", "https://a.example"),
            ("https://a.example.:00443", "https://a.example"),
            ("https://a.example:080/", "https://a.example:80"),
            ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"),
        ] {
            assert_eq!(
                Origin::from_written(written)
                    .map(|o| o.to_string())
                    .as_deref(),
                Ok(canonical)
            );
        }
        for bad in [
            "a.example",
            "http://a.example",
            "https://a.example//",
            "https://a.example/x",
            "https://a.example:",
            "https://a.example:0",
            "https://a.example:000443",
            "https://a.example:65536",
            "https://u@a.example",
            "https://",
            "https:/",
            "\u{fffd}https://a.example",
        ] {
            assert!(Origin::from_written(bad).is_err(), "{bad}");
        }
    }

    // r[origin.serialization] r[origin.refused] r[origin.issuer] r[origin.comparison]
    #[test]
    fn takes_the_canonical_form_only() {
        for good in [
            "https://resolver.example",
            "https://resolver.example:8443",
            "https://a:1",
            "https://a:65535",
            "https://[2001:db8::1]:8443",
            "https://192.0.2.7",
        ] {
            assert_eq!(
                good.parse::<Origin>().map(|o| o.to_string()).as_deref(),
                Ok(good)
            );
        }
        for bad in [
            "",
            "resolver.example",
            "http://resolver.example",
            "HTTPS://resolver.example",
            "https://Resolver.example",
            "https://resolver.example/",
            "https://resolver.example:443",
            "https://resolver.example:0",
            "https://resolver.example:065",
            "https://resolver.example:65536",
            "https://resolver.example:",
            "https://user@resolver.example",
            "https://resolver.example?x",
            "https://resolver.example#x",
            "https://resolver.example.",
            "https://",
            "https://:8443",
            "https://[::1",
            "https://[::1]x",
            " https://resolver.example",
            "https://resolver.example\n",
            "https://a:+1",
        ] {
            assert!(bad.parse::<Origin>().is_err(), "{bad}");
        }
        assert!(!"https://192.0.2.7".parse::<Origin>().unwrap().is_issuer());
        let origin: Origin = "https://[2001:db8::1]:8443".parse().unwrap();
        assert_eq!((origin.host(), origin.port()), ("[2001:db8::1]", 8443));
    }
}
