//! A URL that passed every check that needs no name server.

use std::net::IpAddr;

use url::{Host, Url};

use crate::address::AddressPolicy;
use crate::request::Scheme;
use crate::{Error, ShownUrl};

/// The longest URL, in bytes, before and after parsing.
const MAX_URL_LEN: usize = 8_192;

/// A checked URL. Its host is an allowed address, or a name that the resolver has yet to check.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) url: Url,
    pub(crate) shown: ShownUrl,
    pub(crate) port: u16,
}

impl Target {
    pub(crate) fn parse(text: &str, rules: &TargetRules, scheme: Scheme) -> Result<Self, Error> {
        let invalid = |reason: String| Error::InvalidUrl {
            url: ShownUrl::from_text(text),
            reason,
        };
        if text.len() > MAX_URL_LEN {
            return Err(invalid(format!(
                "{} bytes, at most {MAX_URL_LEN} are taken",
                text.len()
            )));
        }
        let url = Url::parse(text).map_err(|error| invalid(error.to_string()))?;
        Self::check(url, rules, scheme)
    }

    /// The same checks for the first URL and for every hop after it.
    pub(crate) fn check(mut url: Url, rules: &TargetRules, scheme: Scheme) -> Result<Self, Error> {
        url.set_fragment(None);
        let shown = ShownUrl::from(&url);
        let invalid = |reason: &str| Error::InvalidUrl {
            url: shown.clone(),
            reason: reason.to_owned(),
        };
        if url.as_str().len() > MAX_URL_LEN {
            return Err(invalid("longer than 8,192 bytes"));
        }
        // The scheme comes first: of a `mailto:` or `file:` URL nothing else is worth saying.
        if !matches!(url.scheme(), "https" | "http") {
            return Err(rules.scheme_refused(&url, shown, scheme));
        }
        let Some(host) = url.host() else {
            return Err(invalid("no host"));
        };
        let Some(port) = url.port_or_known_default().filter(|&port| port != 0) else {
            return Err(invalid("port 0"));
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Error::CredentialsRefused { url: shown });
        }
        // The parser has turned every spelling (2130706433, 0x7f.1, full-width digits) into an
        // address by now, and this same value is what is connected to.
        let address = match host {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
        };
        if let Some(address) = address {
            rules
                .addresses
                .check(address)
                .map_err(|found| Error::AddressRefused {
                    url: shown.clone(),
                    address,
                    found,
                })?;
        }
        let allowed = url.scheme() == "https"
            || scheme == Scheme::SelfProving
            || rules.loopback && is_loopback(&host);
        if !allowed {
            return Err(rules.scheme_refused(&url, shown, scheme));
        }
        Ok(Self { url, shown, port })
    }

    /// As the URL writes it: IPv6 in brackets.
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Scheme, host and port.
    pub(crate) fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

/// What the operator set up, as far as URLs go.
#[derive(Clone, Debug, Default)]
pub(crate) struct TargetRules {
    pub(crate) addresses: AddressPolicy,
    /// The development switch.
    pub(crate) loopback: bool,
}

impl TargetRules {
    fn scheme_refused(&self, url: &Url, shown: ShownUrl, scheme: Scheme) -> Error {
        Error::SchemeRefused {
            url: shown,
            found: url.scheme().to_owned(),
            expected: match (scheme, self.loopback) {
                (Scheme::SelfProving, _) => "https or http",
                (Scheme::Https, true) => "https, or http to loopback",
                (Scheme::Https, false) => "https",
            },
        }
    }
}

/// A name that RFC 6761 section 6.3 gives to loopback, whatever a name server says.
pub(crate) fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => is_localhost(name),
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::LOOPBACK;
    use proptest::prelude::*;
    use std::net::Ipv4Addr;

    fn code(url: &str) -> &'static str {
        Target::parse(url, &TargetRules::default(), Scheme::SelfProving)
            .err()
            .map_or("ok", |error| error.code())
    }

    fn development() -> TargetRules {
        let mut rules = TargetRules {
            loopback: true,
            ..TargetRules::default()
        };
        LOOPBACK
            .into_iter()
            .for_each(|net| rules.addresses.allow(net));
        rules
    }

    // r[http.address]
    #[test]
    fn every_spelling_of_a_refused_address() {
        for host in [
            "127.0.0.1",
            "127.0.0.1.",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "017700000001",
            "0177.0.0.1",
            "0x7F.0x0.0x0.0x1",
            "%31%32%37.0.0.1",
            "１２７.0.0.1",
            "127。0。0。1",
            "0",
            "0.0.0.0",
            "10.1",
            "3232235777",
            "0xa9fea9fe",
            "169.254.169.254",
            "255.255.255.255",
            "224.0.0.1",
            "100.64.0.1",
            "192.0.2.1",
            "[::1]",
            "[::]",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[64:ff9b::8.8.8.8]",
            "[2002:7f00:1::]",
            "[fe80::1]",
            "[fc00::1]",
            "[fd12::1]",
            "[ff02::1]",
            "[2001:db8::1]",
            "[FE80::1]",
        ] {
            for scheme in ["http", "https"] {
                assert_eq!(
                    code(&format!("{scheme}://{host}/x")),
                    "address-refused",
                    "{host}"
                );
                assert_eq!(
                    code(&format!("{scheme}://{host}:8080")),
                    "address-refused",
                    "{host}"
                );
                assert_eq!(
                    code(&format!("{scheme}:\\\\{host}\\")),
                    "address-refused",
                    "{host}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_url_to_fetch() {
        for (url, expected) in [
            ("https://a.example/", "ok"),
            ("https://8.8.8.8/", "ok"),
            ("https://[2606:4700::1111]/", "ok"),
            ("http://a.example/", "ok"),
            ("ftp://a.example/", "scheme-refused"),
            ("file:///etc/passwd", "scheme-refused"),
            ("data:text/plain,x", "scheme-refused"),
            ("HTTPS:a.example", "ok"),
            ("a.example", "url-invalid"),
            ("https://", "url-invalid"),
            ("https://a.example:0/", "url-invalid"),
            ("https://a.example:99999/", "url-invalid"),
            ("https://256.256.256.256/", "url-invalid"),
            ("https://0x100000000/", "url-invalid"),
            ("https://[fe80::1%25eth0]/", "url-invalid"),
            ("https://a b.example/", "url-invalid"),
            ("https://u@a.example/", "credentials-refused"),
            ("https://:p@a.example/", "credentials-refused"),
            ("", "url-invalid"),
        ] {
            assert_eq!(code(url), expected, "{url}");
        }
        assert_eq!(
            code(&format!("https://a.example/{}", "x".repeat(8_192))),
            "url-invalid"
        );
        assert_eq!(
            code(&format!("https://a.example/{}", "é".repeat(2_000))),
            "url-invalid"
        );
    }

    // r[origin.loopback] r[origin.loopback-off]
    #[test]
    fn plain_http_needs_a_reason() {
        let code = |url: &str, rules: &TargetRules| {
            Target::parse(url, rules, Scheme::Https)
                .err()
                .map_or("ok", |error| error.code())
        };
        let plain = TargetRules::default();
        assert_eq!(code("http://a.example/", &plain), "scheme-refused");
        assert_eq!(code("http://localhost/", &plain), "scheme-refused");
        assert_eq!(code("http://127.0.0.1/", &plain), "address-refused");
        assert_eq!(code("https://127.0.0.1/", &plain), "address-refused");
        let development = development();
        assert_eq!(code("http://a.example/", &development), "scheme-refused");
        assert_eq!(
            code("http://localhost.a.example/", &development),
            "scheme-refused"
        );
        assert_eq!(code("http://8.8.8.8/", &development), "scheme-refused");
        assert_eq!(code("http://10.0.0.1/", &development), "address-refused");
        assert_eq!(code("http://127.8.9.1/", &development), "ok");
        assert_eq!(code("http://[::1]/", &development), "ok");
        assert_eq!(code("http://localhost/", &development), "ok");
        assert_eq!(code("http://a.localhost./", &development), "ok");
    }

    proptest! {
        /// Whatever the spelling, the host is judged as the address that it is.
        #[test]
        fn spelling_changes_nothing(bits: u32, form in 0_u8..8) {
            let [a, b, c, d] = bits.to_be_bytes();
            let tail2 = bits & 0xffff;
            let tail3 = bits & 0xff_ffff;
            let host = match form {
                0 => format!("{a}.{b}.{c}.{d}"),
                1 => format!("{bits}"),
                2 => format!("{bits:#x}"),
                3 => format!("0{bits:o}"),
                4 => format!("{a}.{tail3}"),
                5 => format!("{a:#x}.{b}.{tail2}"),
                6 => format!("0{a:o}.0x{b:X}.0{c:o}.{d}"),
                _ => format!("{a}.{b}.{tail2:#x}."),
            };
            let address = IpAddr::V4(Ipv4Addr::from_bits(bits));
            let public = AddressPolicy::default().check(address).is_ok();
            let expected = if public { "ok" } else { "address-refused" };
            prop_assert_eq!(code(&format!("https://{host}/")), expected, "{}", host);
        }

        #[test]
        fn no_text_panics(text in ".{0,200}") {
            let _ = code(&text);
            let _ = code(&format!("https://{text}"));
        }
    }
}
