//! Links: files exist, headings exist, web addresses are https and well formed.

use super::Findings;
use crate::repo;
use crate::spec::text::{Span, Target, Text};

pub(super) fn check(findings: &mut Findings<'_>) {
    let text = findings.text;
    for link in &text.links {
        let Target::Destination(destination) = &link.target else {
            continue;
        };
        let span = link.span.clone();
        if let Some(anchor) = destination.strip_prefix('#') {
            own_anchor(findings, text, anchor, span);
        } else if let Some((scheme, rest)) = scheme(destination) {
            web(findings, scheme, rest, destination, span);
        } else {
            file(findings, destination, span);
        }
    }
}

fn own_anchor(findings: &mut Findings<'_>, text: &Text<'_>, anchor: &str, span: Span) {
    if !anchors(text).iter().any(|known| known == anchor) {
        let help = "an anchor is the heading in lower case, with hyphens for spaces and without punctuation";
        findings.add(
            "link-anchor",
            span,
            format!("no heading has the anchor #{anchor}"),
            help,
        );
    }
}

fn web(findings: &mut Findings<'_>, scheme: &str, rest: &str, destination: &str, span: Span) {
    if scheme == "mailto" {
        return;
    }
    let why = if scheme == "https" {
        https_fault(rest)
    } else {
        Some("its scheme is not https")
    };
    if let Some(why) = why {
        findings.add(
            "link-url",
            span,
            format!("{destination} cannot be followed: {why}"),
            "write https://host/path",
        );
    }
}

fn file(findings: &mut Findings<'_>, destination: &str, span: Span) {
    let (path, anchor) = destination.split_once('#').unwrap_or((destination, ""));
    let target = path
        .split('/')
        .fold(findings.context.directory.to_path_buf(), |target, part| {
            target.join(part)
        });
    if path.is_empty() || path.starts_with('/') || !target.exists() {
        let help = "relative links start from the text's own directory";
        findings.add(
            "link-file",
            span,
            format!("{destination} does not exist"),
            help,
        );
        return;
    }
    if !anchor.is_empty() && path.ends_with(".md") {
        let known = repo::read_text(&target)
            .is_ok_and(|other| anchors(&Text::parse(&other)).contains(&anchor.to_owned()));
        if !known {
            let message = format!("no heading of {path} has the anchor #{anchor}");
            findings.add(
                "link-anchor",
                span,
                message,
                "open the file and copy the heading's anchor",
            );
        }
    }
}

fn scheme(destination: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = destination.split_once(':')?;
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    (scheme.len() > 1 && scheme.bytes().all(is_scheme)).then_some((scheme, rest))
}

/// Why the part after `https:` is not that of an address that every reader can follow.
fn https_fault(rest: &str) -> Option<&'static str> {
    let Some(rest) = rest.strip_prefix("//") else {
        return Some("no // follows https:");
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (host, port) = authority.split_once(':').unwrap_or((authority, "443"));
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if !host.contains('.') || !host.split('.').all(is_label) {
        return Some("its host is not a domain name");
    }
    if port.parse::<u16>().is_err() {
        return Some("its port is not a number up to 65535");
    }
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        let fine = match byte {
            b'%' => {
                let mut hex = || bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit());
                hex() && hex()
            }
            _ => byte.is_ascii_alphanumeric() || b"-._~/?#:@!$&'()*+,;=".contains(&byte),
        };
        if !fine {
            return Some("its path holds a character that RFC 3986 does not allow there");
        }
    }
    None
}

/// The anchors that GitHub makes of the headings.
fn anchors(text: &Text<'_>) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for heading in &text.headings {
        let shown = heading.shown.to_lowercase();
        let kept = shown.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then_some(c),
        });
        let anchor: String = kept.collect();
        let mut unique = anchor.clone();
        let mut count = 0;
        while anchors.contains(&unique) {
            count += 1;
            unique = format!("{anchor}-{count}");
        }
        anchors.push(unique);
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_judged_one_part_at_a_time() {
        for good in [
            "//a.example",
            "//a.example:8443/p?q=1#f",
            "//www.rfc-editor.org/rfc/rfc7515.html",
            "//a.b/%20",
        ] {
            assert_eq!(https_fault(good), None, "{good}");
        }
        for bad in [
            "a.example",
            "//",
            "//localhost",
            "//a..b",
            "//-a.b",
            "//a.b:99999",
            "//a.b/ x",
            "//a.b/%2",
            "//u@a.b",
        ] {
            assert!(https_fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn anchors_are_those_of_github() {
        let text = Text::parse("# A `b_c`: D\n## 1. The x-y (z)\n## 1. The x-y (z)\n");
        assert_eq!(anchors(&text), ["a-b_c-d", "1-the-x-y-z", "1-the-x-y-z-1"]);
    }
}
