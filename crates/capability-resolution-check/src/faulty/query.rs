//! How the resolver reads queries: section 5.1 and 5.2 of the text, with the faults where they belong.

use unicode_normalization::UnicodeNormalization as _;

use super::fault::Quirk::{self, *};

/// The code of an error.
pub(super) type Code = &'static str;

/// The constraints of a request.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    pub(super) no_sign_in: bool,
    pub(super) read_only: bool,
    pub(super) handshake_ms: Option<u32>,
    pub(super) no_payment: bool,
}

/// The need and the constraints of a query, or the first error in the order of the text.
pub(super) fn read(query: &str, quirk: Option<Quirk>) -> Result<(String, Constraints), Code> {
    let quirk = quirk.filter(|quirk| *quirk != RecordBadEscapeKept);
    let is = |other: Quirk| quirk == Some(other);
    let pairs = match pairs(query, quirk) {
        Some(pairs) => pairs,
        None if is(UnknownBeforeEncoding) && query.starts_with("page=") => {
            return Err("parameter-unknown");
        }
        None => return Err("query-encoding"),
    };
    let lower = |name: &String| {
        if is(NamesInAnyCase) {
            name.to_lowercase()
        } else {
            name.clone()
        }
    };
    let mut pairs: Vec<(String, String)> = pairs
        .iter()
        .map(|(name, value)| (lower(name), value.clone()))
        .collect();
    let known = |name: &str| match name {
        "need" => true,
        "sign_in" => !is(NoSignIn),
        "read_only" => !is(NoReadOnly),
        "max_handshake_ms" => !is(NoHandshake),
        "payment" => !is(NoPayment),
        _ => false,
    };
    let may_repeat = |name: &str| {
        (is(RepeatedNeedTaken) && name == "need") || (is(RepeatedConstraintTaken) && name != "need")
    };
    if is(RepeatedEmptyTaken) && pairs.len() > 1 {
        pairs.retain(|(_, value)| !value.is_empty());
    }
    if is(RepeatedEscapedTaken) && query.contains("&%") {
        pairs.dedup_by(|second, first| second.0 == first.0);
    }
    let repeated = |pairs: &[(String, String)]| {
        let twice = |name: &str| pairs.iter().filter(|(other, _)| other == name).count() > 1;
        pairs
            .iter()
            .any(|(name, _)| twice(name) && !may_repeat(name))
    };
    if is(RepeatedBeforeUnknown) && repeated(&pairs) {
        return Err("parameter-repeated");
    }
    let ignored = |name: &str| match name {
        "" => is(NamelessIgnored) || is(UnknownIgnored),
        name => is(UnknownIgnored) && !known(name),
    };
    pairs.retain(|(name, _)| !ignored(name));
    if pairs.iter().any(|(name, _)| !known(name)) {
        return Err("parameter-unknown");
    }
    let value_of = |name: &str| {
        pairs
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    let need = value_of("need").filter(|need| !(is(EmptyIsMissing) && need.is_empty()));
    let need = need.or(is(MissingIsEmpty).then_some(""));
    if is(MissingBeforeRepeated) && need.is_none() {
        return Err("need-missing");
    }
    if repeated(&pairs) {
        return Err("parameter-repeated");
    }
    let constraints = constraints(value_of, quirk);
    if is(ValueBeforeMissing) && need.is_none() {
        constraints.as_ref().map_err(|code| *code)?;
    }
    let need = need.ok_or("need-missing")?;
    if is(ValueBeforeLength) && read_need(need, quirk) == Err("need-length") {
        constraints.as_ref().map_err(|code| *code)?;
    }
    let need = read_need(need, quirk)?;
    Ok((need, constraints?))
}

/// Names and values, decoded; nothing if an escape or the bytes are wrong.
pub(super) fn pairs(query: &str, quirk: Option<Quirk>) -> Option<Vec<(String, String)>> {
    let is = |other: Quirk| quirk == Some(other);
    let mut pairs = Vec::new();
    let ends = |c| c == '&' || (c == ';' && is(SplitAtSemicolons));
    for piece in query.split(ends) {
        if piece.is_empty() && (query.is_empty() || !is(EmptyPieceUnknown)) {
            continue;
        }
        let (name, value) = match piece.split_once('=') {
            Some(pair) => pair,
            None if is(NoValueSkipped) => continue,
            None => (piece, ""),
        };
        let value = match value.split_once('=') {
            Some((before, _)) if is(CutAtEquals) => before,
            _ => value,
        };
        let name = if is(NamesNotDecoded) {
            name.to_owned()
        } else {
            decoded(name, quirk)?
        };
        let value = decoded(value, quirk)?;
        pairs.push((
            name,
            match quirk {
                Some(PlusAfterEscapes) => value.replace('+', " "),
                Some(DecodedTwice) => decoded(&value, quirk)?,
                _ => value,
            },
        ));
    }
    Some(pairs)
}

fn decoded(text: &str, quirk: Option<Quirk>) -> Option<String> {
    let is = |other: Quirk| quirk == Some(other);
    let (bytes, mut out, mut at) = (text.as_bytes(), Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if byte == b'+' && !is(PlusKept) {
            out.push(b' ');
        } else if byte == b'%' {
            let is_digit = |byte: u8| match byte {
                b'+' => is(SignedEscapesTaken),
                b'a'..=b'f' => !is(SmallEscapesRefused),
                byte => byte.is_ascii_hexdigit(),
            };
            let digits = text.get(at..at + 2).filter(|d| d.bytes().all(is_digit));
            match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                Some(value) => {
                    out.push(value);
                    at += 2;
                }
                None if is(BadEscapeKept) || is(RecordBadEscapeKept) => out.push(byte),
                None if is(CutEscapeKept) && at + 2 > bytes.len() => out.push(byte),
                None => return None,
            }
        } else {
            out.push(byte);
        }
    }
    let is_surrogate = out.contains(&0xed) && is(SurrogatesTaken);
    if is(Utf8Replaced) || is_surrogate {
        return Some(String::from_utf8_lossy(&out).into_owned());
    }
    String::from_utf8(out).ok()
}

fn read_need(text: &str, quirk: Option<Quirk>) -> Result<String, Code> {
    let is = |other: Quirk| quirk == Some(other);
    // The white space of the text is that of Unicode.
    let is_space = |c: char| match c {
        '\u{85}' => !is(NextLineKept),
        '\u{feff}' => is(ByteOrderMarkTrimmed),
        '\u{1c}' => is(SeparatorsTrimmed),
        c => c.is_whitespace() && !is(NotTrimmed),
    };
    let trimmed = text.trim_matches(is_space);
    let refused = |c: char| match c {
        '\n' | '\r' => !is(LineEndsTaken),
        '\t' => !is(TabsTaken),
        '\u{7f}' => !is(DeleteTaken),
        '\u{80}'..='\u{9f}' => !is(C1Taken),
        c => c.is_control(),
    };
    let has_control = !is(ControlsTaken) && trimmed.contains(refused);
    let need: String = trimmed.nfc().collect();
    let count = match quirk {
        Some(CountedBeforeTrimming) => text.nfc().count(),
        Some(CountedBeforeNormalizing) => trimmed.chars().count(),
        Some(CountedInNfkc) => trimmed.nfkc().count(),
        Some(CountedInBytes) => need.len(),
        _ => need.chars().count(),
    };
    let shortest = match quirk {
        Some(ShortestIs4) => 4,
        Some(ShortestIs2) => 2,
        _ => 3,
    };
    let longest = match quirk {
        Some(LongestIs199) => 199,
        Some(LongestIs201) => 201,
        _ => 200,
    };
    let fits = (shortest..=longest).contains(&count);
    if is(LengthBeforeCharacter) && !fits {
        return Err("need-length");
    }
    if has_control || (is(InvisibleRefused) && trimmed.contains('\u{200b}')) {
        return Err("need-character");
    }
    if fits { Ok(need) } else { Err("need-length") }
}

fn constraints<'v>(
    value_of: impl Fn(&str) -> Option<&'v str>,
    quirk: Option<Quirk>,
) -> Result<Constraints, Code> {
    let is = |other: Quirk| quirk == Some(other);
    let wrong = Err("constraint-value");
    let mut constraints = Constraints::default();
    match value_of("sign_in") {
        None => {}
        Some("none") => constraints.no_sign_in = !is(SignInIgnored),
        Some("any") if is(AnySignIn) => {}
        Some("") if is(EmptySignIn) => {}
        Some("None") if is(SignInInAnyCase) => {}
        Some(_) => return wrong,
    }
    match value_of("read_only") {
        None => {}
        Some("true") => constraints.read_only = true,
        Some("false") if is(ReadOnlyFalse) => {}
        Some("") if is(EmptyReadOnly) => {}
        Some("TRUE") if is(ReadOnlyInAnyCase) => {}
        Some(_) => return wrong,
    }
    match value_of("payment") {
        None => {}
        Some("none") => constraints.no_payment = true,
        Some(_) if is(AnyPayment) => {}
        Some("") if is(EmptyPayment) => {}
        Some("none ") if is(PaddedPayment) => {}
        Some(_) => return wrong,
    }
    if let Some(value) = value_of("max_handshake_ms") {
        let value = match quirk {
            Some(HandshakeSign) => value.trim_start_matches('+'),
            Some(HandshakeLeadingZero) if value != "0" => value.trim_start_matches('0'),
            Some(HandshakeFraction) => value.trim_end_matches(".0"),
            Some(HandshakeLineEnd) => value.trim_end_matches('\n'),
            Some(HandshakeDigits) if value == "\u{665}" => "5",
            Some(HandshakeWraps) if value == "18446744073709552116" => "500",
            Some(EmptyHandshake) if value.is_empty() => "60000",
            _ => value,
        };
        let plain = value.bytes().all(|byte| byte.is_ascii_digit())
            && (!value.starts_with('0') || (is(HandshakeZero) && value == "0"));
        let number = value.parse::<u32>().ok().filter(|number| {
            plain
                && (*number >= 1 || is(HandshakeZero))
                && (*number <= 60_000 || is(HandshakeLarge))
        });
        let Some(number) = number else {
            return wrong;
        };
        constraints.handshake_ms = Some(number);
    }
    Ok(constraints)
}
