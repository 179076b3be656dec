//! What one entry of a Resolvers line says.

use std::borrow::Cow;
use std::fmt;
use std::net::Ipv6Addr;

use capability_resolution::text::{is_control, is_unsafe, is_white_space};
use capability_resolution::{Origin, canonical_authority};

/// Most characters of an IPv6 address, with a dotted part.
const ADDRESS_MAX: usize = 45;

/// `captxt.deny.strip`.
pub(super) fn is_noise(c: char) -> bool {
    is_white_space(c) || is_control(c) || is_unsafe(c) || c == char::REPLACEMENT_CHARACTER
}

/// `captxt.deny.dash`.
pub(super) fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
    )
}

/// `captxt.deny.entries`: a piece without what is dropped from its edges.
pub(super) fn without_edges(piece: &str) -> &str {
    let mut rest = piece;
    while let Some(c) = rest.chars().next_back() {
        if !(is_edge(c) || c == '.') || c == ']' && ends_with_address(rest) {
            break;
        }
        rest = &rest[..rest.len() - c.len_utf8()];
    }
    without_start(rest)
}

/// The same at the start alone, as after a dash.
pub(super) fn without_start(piece: &str) -> &str {
    piece.trim_start_matches(is_edge)
}

/// Whom a deny is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Denied<'t> {
    host: Cow<'t, str>,
    port: u16,
    and_below: bool,
}

impl<'t> Denied<'t> {
    /// Reads what follows the dash, by `captxt.deny.repair`; `None` for everyone, by `captxt.deny.unreadable`.
    pub(crate) fn read(what: &'t str) -> Option<Self> {
        let after = |scheme: &str| {
            let (start, rest) = what.split_at_checked(scheme.len())?;
            start.eq_ignore_ascii_case(scheme).then_some(rest)
        };
        let (https, http) = (after("https://"), after("http://"));
        let rest = https.or(http);
        let authority = rest.unwrap_or(what).split(['/', '?', '#', '\\']).next()?;
        let authority = authority.rsplit('@').next()?;
        let domain = authority.strip_prefix("*.");
        let (host, port) = canonical_authority(domain.unwrap_or(authority))?;
        let port = if http.is_some() && port == 80 {
            443
        } else {
            port
        };
        let readable = rest.is_some() || host.contains('.');
        readable.then_some(Self {
            host,
            port,
            and_below: domain.is_some(),
        })
    }

    /// `captxt.deny.match`.
    pub(super) fn is(&self, resolver: &Origin) -> bool {
        self.port == resolver.port()
            && match resolver.host().strip_suffix(&*self.host) {
                Some(below) => below.is_empty() || self.and_below && below.ends_with('.'),
                None => false,
            }
    }

    /// The origin, if it is a single one.
    pub(crate) fn origin(&self) -> Option<Origin> {
        self.named()
            .filter(|(_, and_below)| !and_below)
            .map(|(origin, _)| origin)
    }

    /// The origin, and whether those below it are meant as well.
    pub(crate) fn named(&self) -> Option<(Origin, bool)> {
        let written = format!("https://{}:{}", self.host, self.port);
        let origin = Origin::from_written(&written).ok()?;
        Some((origin, self.and_below))
    }
}

impl fmt::Display for Denied<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = &self.host;
        write!(f, "https://{host}")?;
        if self.port != 443 {
            write!(f, ":{}", self.port)?;
        }
        if self.and_below {
            write!(f, " and of every name that ends in .{host}")
        } else {
            Ok(())
        }
    }
}

/// The one resolver that a piece allows, from which nothing was dropped: `captxt.deny.verdict`.
pub(super) fn allowed(piece: &str) -> Option<Origin> {
    let sound = !piece.contains(is_noise);
    sound.then(|| Origin::from_written(piece).ok()).flatten()
}

/// `captxt.deny.edges`, and noise.
fn is_edge(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '`' | '\u{ab}' | '\u{bb}' | '\u{2018}'
            ..='\u{201f}' | '\u{2039}' | '\u{203a}' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>'
    ) || is_noise(c)
}

/// Whether a text that ends in a bracket ends in an IPv6 address in brackets; looks no further back than one is long.
fn ends_with_address(text: &str) -> bool {
    let last = text.len() - 1;
    let from = last.saturating_sub(ADDRESS_MAX + 1);
    let near = &text.as_bytes()[from..last];
    let start = near.iter().rposition(|b| *b == b'[');
    let inner = start.and_then(|at| text.get(from + at + 1..last));
    inner.is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok())
}
