//! Hosts in canonical form: `origin.host`, `origin.numeric-label`, `origin.idna`.

use std::borrow::Cow;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use crate::origin::{OriginError, read_authority};

/// A host in canonical form: a domain, an IPv4 address, or an IPv6 address in brackets; `origin.host`.
///
/// ```
/// use capability_resolution::Host;
///
/// assert_eq!(Host::from_written("Bücher.example.")?.as_str(), "xn--bcher-kva.example");
/// assert!(Host::from_written("bücher.example:8443").is_err());
/// # Ok::<(), capability_resolution::OriginError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Host {
    text: String,
    kind: HostKind,
}

impl Host {
    /// Brings a host that a person wrote into canonical form, by the steps of `captxt.resolvers.canonical`.
    ///
    /// # Errors
    ///
    /// If these steps do not lead to a canonical host, or a port follows.
    pub fn from_written(text: &str) -> Result<Self, OriginError> {
        let text = canonicalize(text).map_err(OriginError::of_host)?;
        let kind = canonical_kind(&text).map_err(OriginError::of_host)?;
        Ok(Self {
            text: text.into_owned(),
            kind,
        })
    }

    /// The host as text, an IPv6 address in brackets.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the host is an IP address and not a domain.
    #[must_use]
    pub fn is_address(&self) -> bool {
        self.kind != HostKind::Domain
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The canonical host and the port of `host` or `host:port` as a person wrote it, 443 where no port is written.
///
/// `None` if the steps of `captxt.resolvers.canonical` do not lead to a canonical form. What is canonical already is
/// returned without allocation.
#[must_use]
pub fn canonical_authority(written: &str) -> Option<(Cow<'_, str>, u16)> {
    read_authority(written).ok()
}

/// What a canonical host is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum HostKind {
    Domain,
    Ipv4,
    Ipv6,
}

/// The kind of a host that is in canonical form, or what keeps it from being so.
pub(crate) fn canonical_kind(host: &str) -> Result<HostKind, &'static str> {
    if let Some(inner) = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')) {
        let address = inner
            .parse::<Ipv6Addr>()
            .map_err(|_| "the brackets hold no IPv6 address")?;
        return if ipv6_text(address) == inner {
            Ok(HostKind::Ipv6)
        } else {
            Err("the IPv6 address is not in the form of RFC 5952")
        };
    }
    if host.is_empty() {
        return Err("the host is empty");
    }
    if host.len() > 253 {
        return Err("the host has more than 253 characters");
    }
    if !host
        .bytes()
        .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.'))
    {
        return Err("the host holds a character other than a to z, 0 to 9, - and _");
    }
    if host
        .split('.')
        .any(|label| label.is_empty() || label.len() > 63)
    {
        return Err("a label of the host is empty or has more than 63 characters");
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    if is_numeric_label(last) {
        // The standard library reads four decimal parts without leading zeros, and nothing else.
        return if host.parse::<Ipv4Addr>().is_ok() {
            Ok(HostKind::Ipv4)
        } else {
            Err("the last label of the host is a number")
        };
    }
    let punycode = host.split('.').any(|label| label.starts_with("xn--"));
    if punycode && idna::domain_to_ascii(host).ok().as_deref() != Some(host) {
        return Err("a label that starts with xn-- is not what UTS #46 makes of it");
    }
    Ok(HostKind::Domain)
}

/// The steps of `captxt.resolvers.canonical` for a host, or what keeps them from a canonical form.
pub(crate) fn canonicalize(written: &str) -> Result<Cow<'_, str>, &'static str> {
    let Err(why) = canonical_kind(written) else {
        return Ok(Cow::Borrowed(written));
    };
    if let Some(inner) = written.strip_prefix('[').and_then(|h| h.strip_suffix(']')) {
        let address = inner.parse().map_err(|_| why)?;
        return Ok(Cow::Owned(format!("[{}]", ipv6_text(address))));
    }
    let bare = written.strip_suffix('.').unwrap_or(written);
    if canonical_kind(bare) == Ok(HostKind::Ipv4) {
        return Ok(Cow::Borrowed(bare));
    }
    let mut host =
        idna::domain_to_ascii(written).map_err(|_| "UTS #46 makes no domain of the host")?;
    if host.ends_with('.') {
        host.pop();
    }
    match canonical_kind(&host)? {
        HostKind::Domain => Ok(Cow::Owned(host)),
        _ => Err("UTS #46 turns the host into an address"),
    }
}

/// `origin.numeric-label`: what URL parsers read as part of an address.
fn is_numeric_label(label: &str) -> bool {
    match label.strip_prefix("0x") {
        Some(hex) => hex.bytes().all(|b| b.is_ascii_hexdigit()),
        None => label.bytes().all(|b| b.is_ascii_digit()),
    }
}

/// RFC 5952 without its mixed notation, which the grammar of server URLs has no dots for.
fn ipv6_text(address: Ipv6Addr) -> String {
    match address.to_ipv4_mapped() {
        Some(_) => {
            let [.., high, low] = address.segments();
            format!("::ffff:{high:x}:{low:x}")
        }
        None => address.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[captxt.resolvers.canonical] r[origin.idna]
    #[test]
    fn brings_what_was_written_into_canonical_form() {
        for (written, canonical) in [
            ("a.example", "a.example"),
            ("A.Example.", "a.example"),
            ("a.example\u{3002}", "a.example"),
            ("BÜCHER.example", "xn--bcher-kva.example"),
            ("XN--Bcher-KVA.example", "xn--bcher-kva.example"),
            ("192.0.2.7.", "192.0.2.7"),
            ("[2001:DB8:0::1]", "[2001:db8::1]"),
            ("[::ffff:192.0.2.7]", "[::ffff:c000:207]"),
        ] {
            assert_eq!(canonicalize(written).as_deref(), Ok(canonical), "{written}");
        }
        for bad in [
            "",
            ".",
            "a..",
            "a..b",
            "a b",
            "a%2eb",
            "１.2.3.4",
            "1.2.3",
            "192.0.2.07",
            "[::1].",
            "[::1",
            "a/b",
            "xn--a",
        ] {
            assert!(canonicalize(bad).is_err(), "{bad}");
        }
    }

    // r[text.unicode-version]
    #[test]
    fn domains_are_those_of_unicode_15_1() {
        // The first ideograph that came with 15.1, and a mapping of UTS #46 that 15.1 changed: from "ss" to "\u{df}".
        assert_eq!(
            canonicalize("\u{2ebf0}.example").as_deref(),
            Ok("xn--8g0n.example")
        );
        assert_eq!(
            canonicalize("\u{1e9e}.example"),
            canonicalize("\u{df}.example")
        );
    }

    // r[origin.host] r[origin.numeric-label] r[origin.idna]
    #[test]
    fn canonical_hosts_and_their_neighbours() {
        for (host, kind) in [
            ("a", HostKind::Domain),
            ("xn--bcher-kva.example", HostKind::Domain),
            ("a_b-.example", HostKind::Domain),
            ("192.0.2.7", HostKind::Ipv4),
            ("[2001:db8::1]", HostKind::Ipv6),
            ("[::ffff:c000:207]", HostKind::Ipv6),
            ("0xg", HostKind::Domain),
            ("1.a", HostKind::Domain),
        ] {
            assert_eq!(canonical_kind(host), Ok(kind), "{host}");
        }
        for host in [
            "",
            "A.example",
            "a..b",
            ".a",
            "a.",
            "bücher.example",
            "1.2.3",
            "1.2.3.04",
            "a.0x",
            "a.0x1f",
            "a.7",
            "[2001:db8:0::1]",
            "[2001:DB8::1]",
            "[::ffff:192.0.2.7]",
            "[::1",
            "xn--a.example",
            "xn--example",
            "a%2e.example",
            "a:b",
        ] {
            assert!(canonical_kind(host).is_err(), "{host}");
        }
        assert!(
            canonical_kind(&"a".repeat(63)).is_ok() && canonical_kind(&"a".repeat(64)).is_err()
        );
        let long = format!(
            "{}.{}.{}.{}",
            "a".repeat(63),
            "b".repeat(63),
            "c".repeat(63),
            "d".repeat(61)
        );
        assert!(
            long.len() == 253
                && canonical_kind(&long).is_ok()
                && canonical_kind(&format!("{long}e")).is_err()
        );
    }
}
