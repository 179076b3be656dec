//! Needs and constraints: §5.1, §5.2.

use unicode_normalization::UnicodeNormalization as _;

use crate::mutant::Mutant as M;
use crate::names;
use crate::verifier::{Verifier, refuse};

/// The need as a resolver reads it.
pub(crate) fn need(v: Verifier, text: &str) -> Result<String, String> {
    let trimmed = text.trim_matches(|c: char| match () {
        () if v.has(M::TrimAscii) => c.is_ascii() && names::is_white_space(c),
        () => names::is_white_space(c) || (c == '\u{feff}' && v.has(M::TrimBom)),
    });
    let bad = |c| {
        (names::is_control(c)
            && !v.has(M::ControlAccepted)
            && !(v.has(M::ControlC1) && c >= '\u{80}'))
            || (names::is_unsafe(c) && v.has(M::UnsafeRefused))
    };
    let control = trimmed.chars().any(bad);
    refuse(control && !v.has(M::LengthFirst), "need-character")?;
    let normal: String = match () {
        () if v.has(M::NoNormalization) => trimmed.to_owned(),
        () if v.has(M::CompatibilityForm) => trimmed.nfkc().collect(),
        () => trimmed.nfc().collect(),
    };
    let counted = if v.has(M::CountBefore) {
        trimmed
    } else {
        &normal
    };
    let length = match () {
        () if v.has(M::CountBytes) => counted.len(),
        () if v.has(M::CountUtf16) => counted.encode_utf16().count(),
        () => counted.chars().count(),
    };
    let least = if v.has(M::Need2) { 2 } else { 3 };
    let most = if v.has(M::Need199) {
        199
    } else if v.has(M::Need201) {
        201
    } else {
        200
    };
    refuse(!(least..=most).contains(&length), "need-length")?;
    refuse(control, "need-character")?;
    Ok(normal)
}

/// The need of a query.
pub(crate) fn query(v: Verifier, query: &[u8]) -> Result<String, String> {
    const NAMES: [&str; 5] = [
        "need",
        "sign_in",
        "read_only",
        "max_handshake_ms",
        "payment",
    ];
    let mut pairs = Vec::new();
    for piece in query
        .split(|byte| *byte == b'&')
        .filter(|piece| !piece.is_empty())
    {
        let mut halves = piece.splitn(2, |byte| *byte == b'=');
        let mut half = || decode(v, halves.next().unwrap_or_default());
        pairs.push((half()?, half()?));
    }
    let known = |(name, _): &&(String, String)| NAMES.contains(&name.as_str());
    refuse(
        pairs.iter().any(|pair| !known(&pair)) && !v.has(M::ParameterIgnored),
        "parameter-unknown",
    )?;
    let values = |name: &str| {
        let name = name.to_owned();
        pairs
            .iter()
            .filter(move |pair| pair.0 == name)
            .map(|pair| pair.1.as_str())
    };
    let repeated = NAMES.iter().any(|name| values(name).count() > 1);
    refuse(repeated && !v.has(M::ParameterFirst), "parameter-repeated")?;
    let text = match values("need").next() {
        None if v.has(M::NeedEmpty) => "",
        text => text.ok_or("need-missing")?,
    };
    let need = need(v, text)?;
    for (name, only) in [
        ("sign_in", "none"),
        ("read_only", "true"),
        ("payment", "none"),
    ] {
        for value in values(name) {
            let same = if v.has(M::ConstraintCase) {
                value.eq_ignore_ascii_case(only)
            } else {
                value == only
            };
            refuse(!same && !v.has(M::ConstraintIgnored), "constraint-value")?;
        }
    }
    for value in values("max_handshake_ms") {
        let most = if v.has(M::Handshake60001) {
            60_001
        } else if v.has(M::Handshake59999) {
            59_999
        } else {
            60_000
        };
        let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        let plain = !value.starts_with('0') || v.has(M::HandshakeZero);
        let number = value
            .parse::<u32>()
            .is_ok_and(|number| (1..=most).contains(&number));
        let sound = (digits && plain && number) || v.has(M::ConstraintIgnored);
        refuse(!sound, "constraint-value")?;
    }
    Ok(need)
}

fn decode(v: Verifier, component: &[u8]) -> Result<String, String> {
    let (mut bytes, mut rest) = (Vec::new(), component);
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let digits = after
            .get(..2)
            .filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        match (
            byte,
            digits.and_then(|digits| std::str::from_utf8(digits).ok()),
        ) {
            (b'+', _) if !v.has(M::PlusKept) => bytes.push(b' '),
            (b'%', Some(digits)) => {
                bytes.extend(u8::from_str_radix(digits, 16));
                rest = &after[2..];
            }
            (b'%', None) if !v.has(M::PercentKept) => return Err("query-encoding".to_owned()),
            (byte, _) => bytes.push(*byte),
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if v.has(M::QueryLossy) => {
            Ok(String::from_utf8_lossy(error.as_bytes()).into_owned())
        }
        Err(_) => Err("query-encoding".to_owned()),
    }
}
