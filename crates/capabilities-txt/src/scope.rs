//! For which endpoints a file speaks, and which files speak for a host: section 11.5 of the text.

use capability_resolution::{Host, Time};
use publicsuffix::Psl as _;

/// The Public Suffix List, private section and default rule included: `captxt.scope.public-suffix`.
///
/// The list that is compiled in ages with the program: [`Self::compiled_in_at`] says how old it is. Who is to use one no
/// older than 30 days (`captxt.scope.psl-age`) for longer than that reads another, with [`Self::from_bytes`].
#[derive(Debug, Clone)]
pub struct PublicSuffixes(Source);

#[derive(Debug, Clone)]
enum Source {
    CompiledIn,
    Read(Box<publicsuffix::List>),
}

/// Why a text is no Public Suffix List.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a Public Suffix List: {0} (expected the text of publicsuffix.org/list/public_suffix_list.dat)"
)]
pub struct SuffixListError(String);

impl PublicSuffixes {
    /// The list that came with the crate `psl`.
    #[must_use]
    pub const fn compiled_in() -> Self {
        Self(Source::CompiledIn)
    }

    /// When the crate `psl` with that list was published; the list is no newer.
    #[must_use]
    pub fn compiled_in_at() -> Time {
        // 2026-11-05T05:58:23Z, version 2.1.247.
        Time::from_unix_seconds(1_793_858_303)
    }

    /// Reads the text of `public_suffix_list.dat`, in UTF-8.
    ///
    /// # Errors
    ///
    /// If a line is not understood, or no rule is found.
    pub fn from_bytes(text: &[u8]) -> Result<Self, SuffixListError> {
        let list =
            publicsuffix::List::from_bytes(text).map_err(|e| SuffixListError(e.to_string()))?;
        if list.is_empty() {
            return Err(SuffixListError("it holds no rule".to_owned()));
        }
        Ok(Self(Source::Read(Box::new(list))))
    }

    /// From the rules alone, as the list writes them: `co.uk`, `*.kobe.jp`, `!city.kobe.jp`. There may be none, and the
    /// default rule holds in any case.
    ///
    /// # Errors
    ///
    /// If a rule is not understood.
    pub fn from_rules<'r>(
        rules: impl IntoIterator<Item = &'r str>,
    ) -> Result<Self, SuffixListError> {
        let rules: String = rules.into_iter().flat_map(|rule| [rule, "\n"]).collect();
        if rules.is_empty() {
            return Ok(Self(Source::Read(Box::default())));
        }
        Self::from_bytes(format!("// ===BEGIN ICANN DOMAINS===\n{rules}").as_bytes())
    }

    /// Whether the host is a public suffix; an IP address is none.
    #[must_use]
    pub fn is_public_suffix(&self, host: &Host) -> bool {
        self.suffix_of(host) == Some(host.as_str())
    }

    /// Whether a file that was asked of one host and came from another one came from another site, so that its claims do
    /// not count: `captxt.fetch.redirect`.
    #[must_use]
    pub fn is_cross_site(&self, asked: &Host, from: &Host) -> bool {
        match self.registrable_domain(asked) {
            Some(domain) => self.registrable_domain(from) != Some(domain),
            None => asked != from,
        }
    }

    /// The public suffix and one label more; `None` for an IP address and a public suffix.
    #[must_use]
    pub fn registrable_domain<'h>(&self, host: &'h Host) -> Option<&'h str> {
        self.suffix_of(host)?;
        file_hosts(host, self)
            .last()
            .filter(|_| !self.is_public_suffix(host))
    }

    fn suffix_of<'h>(&self, host: &'h Host) -> Option<&'h str> {
        if host.is_address() {
            return None;
        }
        let name = host.as_str().as_bytes();
        let suffix = match &self.0 {
            Source::CompiledIn => psl::List.suffix(name),
            Source::Read(list) => list.suffix(name),
        };
        suffix.and_then(|suffix| std::str::from_utf8(suffix.as_bytes()).ok())
    }
}

impl Default for PublicSuffixes {
    fn default() -> Self {
        Self::compiled_in()
    }
}

/// The hosts that a file speaks for: the one that it was asked of, and those below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    host: Host,
    host_alone: bool,
}

impl Scope {
    /// The scope of the file that was asked of `host`, before any redirect.
    #[must_use]
    pub fn new(host: Host, suffixes: &PublicSuffixes) -> Self {
        let host_alone = host.is_address() || suffixes.is_public_suffix(&host);
        Self { host, host_alone }
    }

    /// The host that the file was asked of.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Whether the file speaks for endpoints on a host in canonical form: `captxt.scope`.
    #[must_use]
    pub fn covers(&self, host: &str) -> bool {
        match host.strip_suffix(self.host.as_str()) {
            Some("") => true,
            Some(below) => !self.host_alone && below.ends_with('.'),
            None => false,
        }
    }
}

/// The hosts whose files a resolver reads for a server on `host`, the nearest first: `captxt.scope.which-files`.
///
/// That of the host, and those of its parents up to and including the registrable domain; a claim is taken from the
/// nearest that declares the endpoint, a deny from any.
pub fn file_hosts<'h>(
    host: &'h Host,
    suffixes: &PublicSuffixes,
) -> impl Iterator<Item = &'h str> + use<'h> {
    let suffix = suffixes.suffix_of(host).map_or(usize::MAX, str::len);
    let parent = |name: &&'h str| name.split_once('.').map(|(_, parent)| parent);
    std::iter::successors(Some(host.as_str()), move |name| {
        parent(name).filter(|parent| parent.len() > suffix)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> Host {
        Host::from_written(text).expect("a host")
    }

    fn lists() -> [PublicSuffixes; 2] {
        let text = "// ===BEGIN ICANN DOMAINS===\ncom\nuk\nco.uk\n*.kobe.jp\n!city.kobe.jp\njp\n公司.cn\ncn\n\
                    // ===END ICANN DOMAINS===\n// ===BEGIN PRIVATE DOMAINS===\ngithub.io\nio\n// ===END PRIVATE DOMAINS===\n";
        [
            PublicSuffixes::compiled_in(),
            PublicSuffixes::from_bytes(text.as_bytes()).expect("a list"),
        ]
    }

    // r[captxt.scope] r[captxt.scope.address] r[captxt.scope.public-suffix]
    #[test]
    fn ends_at_labels_and_at_public_suffixes() {
        for suffixes in &lists() {
            for (asked, endpoint, covered) in [
                ("example.com", "example.com", true),
                ("example.com", "a.b.example.com", true),
                ("example.com", "badexample.com", false),
                ("a.example.com", "example.com", false),
                ("github.io", "github.io", true),
                ("github.io", "me.github.io", false),
                ("me.github.io", "x.me.github.io", true),
                ("localhost", "a.localhost", false),
                ("com", "example.com", false),
                ("x.kobe.jp", "a.x.kobe.jp", false),
                ("city.kobe.jp", "a.city.kobe.jp", true),
                ("公司.cn", "a.xn--55qx5d.cn", false),
                ("192.0.2.7", "192.0.2.7", true),
                ("192.0.2.7", "1.192.0.2.7", false),
                ("[2001:db8::1]", "[2001:db8::1]", true),
            ] {
                let scope = Scope::new(host(asked), suffixes);
                assert_eq!(
                    scope.covers(endpoint),
                    covered,
                    "{asked} {endpoint} {suffixes:?}"
                );
            }
        }
    }

    // r[captxt.scope.which-files]
    #[test]
    fn files_up_to_the_registrable_domain() {
        for suffixes in &lists() {
            for (of, files) in [
                (
                    "a.b.example.co.uk",
                    &["a.b.example.co.uk", "b.example.co.uk", "example.co.uk"][..],
                ),
                ("example.com", &["example.com"]),
                ("co.uk", &["co.uk"]),
                ("me.github.io", &["me.github.io"]),
                ("a.city.kobe.jp", &["a.city.kobe.jp", "city.kobe.jp"]),
                ("192.0.2.7", &["192.0.2.7"]),
                ("localhost", &["localhost"]),
            ] {
                assert_eq!(
                    file_hosts(&host(of), suffixes).collect::<Vec<_>>(),
                    files,
                    "{of}"
                );
            }
        }
    }

    /// The library does not say of when its list is. Its day of publication is in the index of crates.io, under `pubtime`.
    #[test]
    fn the_time_of_the_list_that_is_compiled_in_is_that_of_the_crate_in_use() {
        let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
        let lock = std::fs::read_to_string(lock).expect("the versions in use");
        let in_use = "name = \"psl\"\nversion = \"2.1.247\"\n";
        assert!(
            lock.contains(in_use),
            "mend PublicSuffixes::compiled_in_at too"
        );
        let published = PublicSuffixes::compiled_in_at().to_string();
        assert_eq!(published, "2026-11-05T05:58:23Z");
    }

    #[test]
    fn refuses_a_text_that_is_no_list() {
        assert!(PublicSuffixes::from_bytes(b"").is_err());
        assert!(PublicSuffixes::from_bytes(b"<html>").is_err());
    }
}
