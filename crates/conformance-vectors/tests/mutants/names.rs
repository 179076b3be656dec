//! Characters, times, origins and server URLs: §3.1, §3.3 to §3.5.

use std::net::Ipv6Addr;

use crate::mutant::Mutant as M;
use crate::verifier::Verifier;

pub(crate) fn is_control(c: char) -> bool {
    matches!(u32::from(c), 0..=0x1f | 0x7f..=0x9f)
}

pub(crate) fn is_unsafe(c: char) -> bool {
    matches!(u32::from(c),
        0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180e | 0x200b | 0x200e | 0x200f
        | 0x2028..=0x202e | 0x2060..=0x2064 | 0x2066..=0x206f | 0x3164 | 0xfeff | 0xffa0
        | 0xfff9..=0xfffb | 0xe0000..=0xe007f)
}

pub(crate) fn is_white_space(c: char) -> bool {
    matches!(u32::from(c),
        9..=0xd | 0x20 | 0x85 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000)
}

/// A name for people.
pub(crate) fn is_name(v: Verifier, text: &str, most: usize) -> bool {
    let length = if v.has(M::NameBytes) {
        text.len()
    } else {
        text.chars().count()
    };
    let bad = |c| {
        (is_control(c) && !(v.has(M::NameC1) && c >= '\u{80}'))
            || (is_unsafe(c) && !v.has(M::NameUnsafe))
            || (c == '\u{200d}' && v.has(M::NameJoiner))
    };
    (1..=most).contains(&length) && !text.chars().any(bad)
}

/// Seconds since 1970 of a time in a document.
pub(crate) fn time(v: Verifier, text: &str) -> Option<i64> {
    let mut text = text.to_owned();
    if v.has(M::TimeLowerCase) {
        text.make_ascii_uppercase();
    }
    if v.has(M::TimeOffset) {
        text = text.replace("+00:00", "Z");
    }
    let form: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    if form != "0000-00-00T00:00:00Z" {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if v.has(M::DateUnchecked) => 31,
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let sound = (year >= 1 || v.has(M::Year0000))
        && (1..=12).contains(&month)
        && (1..=days).contains(&day)
        && hour <= 23
        && minute <= 59
        && second <= if v.has(M::Second60) { 60 } else { 59 };
    sound.then(|| days_since_1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second)
}

/// By counting 400 years of 146,097 days that begin in March.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let in_400 = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    year.div_euclid(400) * 146_097 + in_400 * 365 + in_400 / 4 - in_400 / 100 + of_year - 719_468
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Origin {
    pub(crate) host: String,
    pub(crate) port: Option<String>,
    is_address: bool,
}

pub(crate) fn origin(v: Verifier, text: &str) -> Option<Origin> {
    let mut text = text;
    if v.has(M::OriginHttp) {
        text = text
            .strip_prefix("http://")
            .or(text.strip_prefix("https://"))?;
    } else {
        text = text.strip_prefix("https://")?;
    }
    if v.has(M::OriginSlash) {
        text = text.strip_suffix('/').unwrap_or(text);
    }
    authority(v, text)
}

pub(crate) fn issuer(v: Verifier, text: &str) -> Option<Origin> {
    origin(v, text).filter(|origin| !origin.is_address || v.has(M::IssuerAddress))
}

fn authority(v: Verifier, text: &str) -> Option<Origin> {
    let text = match text.split_once('@') {
        Some((_, rest)) if v.has(M::OriginUserInfo) => rest,
        _ => text,
    };
    let end = text.find(']').map_or(0, |at| at + 1);
    let colon = text[end..].find(':').map(|at| end + at);
    let (host, port) = match colon {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    if let Some(port) = port {
        let most = if v.has(M::OriginPort65536) {
            99_999
        } else {
            65_535
        };
        let number = port.parse::<u32>().ok()?;
        let sound = port.bytes().all(|b| b.is_ascii_digit())
            && (1..=most).contains(&number)
            && (!port.starts_with('0') || v.has(M::OriginPortZero))
            && (number != 443 || v.has(M::OriginPort443));
        sound.then_some(())?;
    }
    let is_address = host_is_address(v, host)?;
    Some(Origin {
        host: host.to_owned(),
        port: port.map(str::to_owned),
        is_address,
    })
}

/// `None` for what is no host in canonical form.
fn host_is_address(v: Verifier, host: &str) -> Option<bool> {
    if let Some(inner) = host.strip_prefix('[') {
        let inner = inner.strip_suffix(']')?;
        let address: Ipv6Addr = inner.parse().ok()?;
        let form = if address.to_ipv4_mapped().is_some() && !v.has(M::Ipv6Dotted) {
            let groups = address.segments();
            format!("::ffff:{:x}:{:x}", groups[6], groups[7])
        } else {
            address.to_string()
        };
        return (form == inner || v.has(M::Ipv6Long)).then_some(true);
    }
    let mut host = host.to_owned();
    if v.has(M::HostUpperCase) {
        host.make_ascii_lowercase();
    }
    if v.has(M::HostFinalDot) {
        host = host.strip_suffix('.').map(str::to_owned).unwrap_or(host);
    }
    let most = if v.has(M::Host252) {
        252
    } else if v.has(M::Host254) {
        254
    } else {
        253
    };
    let label = if v.has(M::Label62) {
        62
    } else if v.has(M::Label64) {
        64
    } else {
        63
    };
    let least = usize::from(!v.has(M::HostEmptyLabel));
    let is_sound = |c: char| {
        c.is_ascii_lowercase()
            || c.is_ascii_digit()
            || c == '-'
            || (c == '_' && !v.has(M::HostUnderscore))
    };
    let sound = (1..=most).contains(&host.len())
        && host
            .split('.')
            .all(|l| (least..=label).contains(&l.len()) && l.chars().all(is_sound));
    sound.then_some(())?;
    let last = host.rsplit('.').next()?;
    if last.bytes().all(|b| b.is_ascii_digit()) {
        let parts: Vec<&str> = host.split('.').collect();
        let is_part = |part: &&str| part.parse::<u8>().is_ok_and(|n| n.to_string() == *part);
        let is_address = parts.len() == 4 && parts.iter().all(is_part);
        return (is_address || v.has(M::NumericLabel)).then_some(is_address);
    }
    let hexadecimal = last
        .strip_prefix("0x")
        .is_some_and(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
    if hexadecimal && !v.has(M::HexadecimalLabel) {
        return None;
    }
    let punycode = host.split('.').any(|label| label.starts_with("xn--"));
    if punycode && !v.has(M::IdnaUnchecked) {
        let options = idna::uts46::Uts46::new();
        let ascii = options.to_ascii(
            host.as_bytes(),
            idna::AsciiDenyList::URL,
            idna::uts46::Hyphens::Allow,
            idna::uts46::DnsLength::Ignore,
        );
        (ascii.ok()?.as_ref() == host).then_some(())?;
    }
    Some(false)
}

#[derive(Debug, Clone)]
pub(crate) struct ServerUrl {
    pub(crate) origin: Origin,
    pub(crate) has_query: bool,
}

pub(crate) fn server_url(v: Verifier, text: &str) -> Option<ServerUrl> {
    let most = if v.has(M::Url2047) {
        2_047
    } else if v.has(M::Url2049) {
        2_049
    } else {
        2_048
    };
    (text.len() <= most).then_some(())?;
    let rest = text.strip_prefix("https://")?;
    let (authority_part, after) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None if v.has(M::UrlNoPath) => (rest, "/"),
        None => return None,
    };
    let origin = authority(v, authority_part)?;
    let after = match after.split_once('#') {
        Some((before, _)) if v.has(M::UrlFragment) => before,
        _ => after,
    };
    let (path, query) = after
        .split_once('?')
        .map_or((after, None), |(p, q)| (p, Some(q)));
    let also = if v.has(M::UrlQuote) { "/?'" } else { "/?" };
    let sound = is_written(v, path, "/'") && query.is_none_or(|query| is_written(v, query, also));
    sound.then_some(())?;
    let is_dots = |segment: &str| {
        let encoded = segment.to_ascii_lowercase().replace("%2e", ".");
        let dots = if v.has(M::DotSegmentEncoded) {
            segment
        } else {
            &encoded
        };
        matches!(dots, "." | "..") && !v.has(M::DotSegment)
    };
    (!path.split('/').any(is_dots)).then_some(ServerUrl {
        origin,
        has_query: query.is_some(),
    })
}

/// Whether every character is allowed by the grammar.
fn is_written(v: Verifier, part: &str, also: &str) -> bool {
    let mut rest = part;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let sound = match c {
            '%' if v.has(M::UrlPercent) => true,
            '%' => {
                let digits = rest
                    .get(..2)
                    .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
                rest = digits.map_or(rest, |_| &rest[2..]);
                digits.is_some()
            }
            c => {
                c.is_ascii_alphanumeric()
                    || "-._~!$&()*+,;=:@".contains(c)
                    || also.contains(c)
                    || (!c.is_ascii() && v.has(M::UrlNonAscii))
            }
        };
        if !sound {
            return false;
        }
    }
    true
}
