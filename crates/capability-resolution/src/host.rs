//! Hosts in canonical form: `origin.host`, `origin.numeric-label`, `origin.idna`.

use std::net::{Ipv4Addr, Ipv6Addr};

/// What a canonical host is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
