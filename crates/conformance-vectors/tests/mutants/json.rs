//! JSON as §3.2 reads it.

use crate::mutant::Mutant as M;
use crate::verifier::Verifier;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// As it is written.
    Number(String),
    String(String),
    Array(Vec<Self>),
    Object(Object),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Object(pub(crate) Vec<Member>);

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// The name as it is written, between its quotation marks.
    written: String,
    pub(crate) value: Value,
}

impl Object {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        // The last, where a broken reader takes duplicates.
        self.0
            .iter()
            .rev()
            .find(|member| member.name == name)
            .map(|member| &member.value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

impl Value {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}

/// Reads an object; `what` is the start of the code of a refusal.
pub(crate) fn read(v: Verifier, what: &str, bytes: &[u8]) -> Result<Object, String> {
    let alike = match what {
        "header" => M::HeaderFaults,
        "payload" => M::PayloadFaults,
        _ => M::DocumentFaults,
    };
    let code = |fault: &str| match v.has(alike) {
        true => format!("{what}-not-json"),
        false => format!("{what}-{fault}"),
    };
    let lossy = String::from_utf8_lossy(bytes);
    if std::str::from_utf8(bytes).is_err() && !v.has(M::Utf8Lossy) {
        return Err(code("not-utf8"));
    }
    let deep = is_too_deep(v, lossy.as_bytes());
    if deep && !v.has(M::SyntaxFirst) {
        return Err(code("too-deep"));
    }
    let mut parser = Parser {
        v,
        text: lossy.as_bytes(),
        at: 0,
        duplicate: false,
        depth: 0,
    };
    let value = parser.document().ok_or_else(|| code("not-json"))?;
    if deep {
        return Err(code("too-deep"));
    }
    let duplicate = parser.duplicate && !v.has(M::DuplicateAccepted);
    if duplicate && v.has(M::DuplicateFirst) {
        return Err(code("duplicate-member"));
    }
    let Value::Object(object) = value else {
        return Err(code("not-object"));
    };
    if duplicate {
        return Err(code("duplicate-member"));
    }
    Ok(object)
}

fn is_too_deep(v: Verifier, text: &[u8]) -> bool {
    let limit = if v.has(M::Depth31) {
        31
    } else if v.has(M::Depth33) {
        33
    } else {
        32
    };
    let (mut depth, mut string, mut escape) = (0_i64, false, false);
    for byte in text {
        match byte {
            _ if escape => escape = false,
            b'\\' if string => escape = true,
            b'"' => string = !string,
            _ if string && !v.has(M::DepthInStrings) => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth > 0 || v.has(M::DepthBelowZero) => depth -= 1,
            _ => {}
        }
        if depth > limit {
            return true;
        }
    }
    false
}

struct Parser<'t> {
    v: Verifier,
    text: &'t [u8],
    at: usize,
    duplicate: bool,
    depth: usize,
}

/// `None` is a fault of syntax.
impl Parser<'_> {
    fn document(&mut self) -> Option<Value> {
        if self.v.has(M::BomSkipped) && self.text.starts_with("\u{feff}".as_bytes()) {
            self.at = 3;
        }
        let value = self.value()?;
        self.space();
        (self.at == self.text.len() || self.v.has(M::RestIgnored)).then_some(value)
    }

    fn space(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        self.at += 1;
        self.text.get(self.at - 1).copied()
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    fn value(&mut self) -> Option<Value> {
        self.depth += 1;
        self.space();
        let value = match self.peek()? {
            // Deeper texts were refused already, or are when their syntax was looked at.
            b'{' | b'[' if self.depth > 200 => None,
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => self.string().map(|(text, _)| Value::String(text)),
            b't' => self.word("true").then_some(Value::Bool(true)),
            b'f' => self.word("false").then_some(Value::Bool(false)),
            b'n' => self.word("null").then_some(Value::Null),
            _ if self.v.has(M::NanAccepted)
                && ["NaN", "Infinity", "-Infinity"]
                    .iter()
                    .any(|word| self.word(word)) =>
            {
                Some(Value::Number("0".to_owned()))
            }
            _ => self.number(),
        };
        self.depth -= 1;
        value
    }

    /// What closes a list of things, after each of them.
    fn is_end(&mut self, end: u8) -> Option<bool> {
        self.space();
        match self.next()? {
            b',' => {
                self.space();
                let closes = self.v.has(M::TrailingComma) && self.peek() == Some(end);
                self.at += usize::from(closes);
                Some(closes)
            }
            byte => (byte == end).then_some(true),
        }
    }

    fn is_empty(&mut self, end: u8) -> bool {
        self.at += 1;
        self.space();
        let empty = self.peek() == Some(end);
        self.at += usize::from(empty);
        empty
    }

    fn array(&mut self) -> Option<Value> {
        let mut items = Vec::new();
        if self.is_empty(b']') {
            return Some(Value::Array(items));
        }
        loop {
            items.push(self.value()?);
            if self.is_end(b']')? {
                return Some(Value::Array(items));
            }
        }
    }

    fn object(&mut self) -> Option<Value> {
        let mut members: Vec<Member> = Vec::new();
        if self.is_empty(b'}') {
            return Some(Value::Object(Object(members)));
        }
        loop {
            self.space();
            let (name, written) = self.string()?;
            self.space();
            if self.next()? != b':' {
                return None;
            }
            let value = self.value()?;
            let same = |member: &Member| match self.v.has(M::DuplicateEscaped) {
                true => member.written == written,
                false => member.name == name,
            };
            let looked_at = self.depth == 1 || !self.v.has(M::DuplicateNested);
            self.duplicate |= looked_at && members.iter().any(same);
            members.push(Member {
                name,
                written,
                value,
            });
            if self.is_end(b'}')? {
                return Some(Value::Object(Object(members)));
            }
        }
    }

    /// The text, and what is written.
    fn string(&mut self) -> Option<(String, String)> {
        if self.next()? != b'"' {
            return None;
        }
        let start = self.at;
        let mut bytes = Vec::new();
        loop {
            match self.next()? {
                b'"' => break,
                b'\\' => {
                    let c = self.escape()?;
                    bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
                }
                byte if byte < b' ' && !self.v.has(M::RawControl) => return None,
                byte => bytes.push(byte),
            }
        }
        let written = self.text[start..self.at - 1].to_vec();
        Some((
            String::from_utf8(bytes).ok()?,
            String::from_utf8(written).ok()?,
        ))
    }

    fn escape(&mut self) -> Option<char> {
        Some(match self.next()? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.unit()?;
                if let Some(c) = char::from_u32(first) {
                    return Some(c);
                }
                let before = self.at;
                let second = (self.word("\\u")).then(|| self.unit()).flatten();
                let pair = match second {
                    Some(low @ 0xdc00..=0xdfff) if first < 0xdc00 => {
                        char::from_u32(0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00))
                    }
                    _ => None,
                };
                if pair.is_none() {
                    self.at = before;
                }
                return pair.or(self.v.has(M::SurrogateReplaced).then_some('\u{fffd}'));
            }
            _ => return None,
        })
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = std::str::from_utf8(self.text.get(self.at..self.at + 4)?).ok()?;
        self.at += 4;
        digits
            .bytes()
            .all(|b| b.is_ascii_hexdigit())
            .then_some(())?;
        u32::from_str_radix(digits, 16).ok()
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let integer = self.digits()?;
        if integer > 1 && self.text[self.at - integer] == b'0' && !self.v.has(M::LeadingZero) {
            return None;
        }
        let mut plain = true;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
            plain = false;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
            plain = false;
        }
        let literal = std::str::from_utf8(&self.text[start..self.at]).ok()?;
        let finite = literal.parse::<f64>().ok()?.is_finite() || self.v.has(M::RangeUnchecked);
        let fits = !plain || literal.parse::<i64>().is_ok() || !self.v.has(M::RangeInteger);
        (finite && fits).then(|| Value::Number(literal.to_owned()))
    }

    /// How many there are, at least one.
    fn digits(&mut self) -> Option<usize> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(self.at - start)
    }
}
