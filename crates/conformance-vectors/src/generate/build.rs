//! Builds tokens and documents byte by byte.
//!
//! JSON is written as text, so that a vector can hold what no serializer writes, and so that nothing here depends on a
//! reader that the vectors judge.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::cases::input;
use super::curve::Key;
use crate::model::Input;

/// The issuer of all vectors that do not say otherwise.
pub(super) const ISSUER: &str = "https://resolver.example";

/// The clock of all vectors that do not say otherwise.
pub(super) const NOW: &str = "2026-11-30T12:00:00Z";

/// [`NOW`] in seconds since 1970-01-01T00:00:00Z.
pub(super) const NOW_SECONDS: i64 = 1_796_040_000;

/// `iat` of the plain token: 11:59:00.
pub(super) const IAT: i64 = NOW_SECONDS - 60;

/// `exp` of the plain token: [`EXPIRES`].
pub(super) const EXP: i64 = NOW_SECONDS + 86_400;

/// [`EXP`] in the form of a document.
pub(super) const EXPIRES: &str = "2026-12-01T12:00:00Z";

/// `checked_at` of the plain token.
pub(super) const CHECKED_AT: &str = "2026-11-30T11:58:30Z";

/// The server of the plain token.
pub(super) const URL: &str = "https://mail.example.com/mcp";

/// A JSON object as text: member names and values as they are written, without the quotes of the names.
#[derive(Clone, Default)]
pub(super) struct Object(Vec<(Vec<u8>, Vec<u8>)>);

impl Object {
    /// Replaces the value of a member, or adds the member at the end.
    pub(super) fn set(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        match self.0.iter_mut().find(|(own, _)| own == name.as_bytes()) {
            Some((_, old)) => *old = value.into(),
            None => return self.and(name, value),
        }
        self
    }

    /// Adds a member at the end, also if there is one of that name.
    pub(super) fn and(mut self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// Adds a member at the beginning.
    pub(super) fn first(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.0.insert(0, (name.into(), value.into()));
        self
    }

    /// Leaves a member out.
    pub(super) fn without(mut self, name: &str) -> Self {
        self.0.retain(|(own, _)| own != name.as_bytes());
        self
    }

    /// Writes a member's name in another way.
    pub(super) fn renamed(mut self, name: &str, new: &str) -> Self {
        for (own, _) in &mut self.0 {
            if own == name.as_bytes() {
                *own = new.into();
            }
        }
        self
    }

    /// Turns the order of the members around.
    pub(super) fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// The text, without white space.
    pub(super) fn text(&self) -> Vec<u8> {
        let members: Vec<_> = self
            .0
            .iter()
            .map(|(name, value)| [b"\"", &name[..], b"\":", value].concat())
            .collect();
        [b"{", &members.join(&b","[..])[..], b"}"].concat()
    }
}

/// A JSON string of a text: only what has to be escaped is.
pub(super) fn quoted(text: &str) -> String {
    let mut written = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => written.extend(['\\', character]),
            '\0'..='\x1f' => written.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => written.push(character),
        }
    }
    written + "\""
}

/// A JSON array of texts as they are written.
pub(super) fn array<T: AsRef<[u8]>>(items: impl IntoIterator<Item = T>) -> Vec<u8> {
    let items: Vec<_> = items
        .into_iter()
        .map(|item| item.as_ref().to_vec())
        .collect();
    [b"[", &items.join(&b","[..])[..], b"]"].concat()
}

/// Base64url without padding.
pub(super) fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A token before it is written.
#[derive(Clone)]
pub(super) struct Token {
    pub(super) header: Vec<u8>,
    pub(super) payload: Vec<u8>,
    key: Key,
}

impl Token {
    /// The plain token: every check passes, nothing is at its limit.
    pub(super) fn plain() -> Self {
        Self::of(&header("key-1"), &claims())
    }

    /// A token of the first key.
    pub(super) fn of(header: &Object, claims: &Object) -> Self {
        Self {
            header: header.text(),
            payload: claims.text(),
            key: Key::first(),
        }
    }

    pub(super) fn header(mut self, header: impl Into<Vec<u8>>) -> Self {
        self.header = header.into();
        self
    }

    pub(super) fn payload(mut self, payload: impl Into<Vec<u8>>) -> Self {
        self.payload = payload.into();
        self
    }

    pub(super) fn key(mut self, key: Key) -> Self {
        self.key = key;
        self
    }

    /// Header and payload as they are signed.
    pub(super) fn signing_input(&self) -> String {
        format!("{}.{}", base64url(&self.header), base64url(&self.payload))
    }

    /// The signature that belongs to it.
    pub(super) fn signature(&self) -> [u8; 64] {
        self.key.sign(self.signing_input().as_bytes())
    }

    /// The token as it travels.
    pub(super) fn compact(&self) -> String {
        self.with_signature(&self.signature())
    }

    /// The token with another signature.
    pub(super) fn with_signature(&self, signature: &[u8]) -> String {
        format!("{}.{}", self.signing_input(), base64url(signature))
    }
}

/// The header of an honest token.
pub(super) fn header(kid: &str) -> Object {
    Object::default()
        .and("alg", "\"EdDSA\"")
        .and("kid", quoted(kid))
}

/// The claims of the plain token.
pub(super) fn claims() -> Object {
    claims_of(URL)
}

/// The claims of the plain token, for another server.
pub(super) fn claims_of(url: &str) -> Object {
    Object::default()
        .and("iss", quoted(ISSUER))
        .and("url", quoted(url))
        .and("status", "\"ok\"")
        .and("checked_at", quoted(CHECKED_AT))
        .and("iat", IAT.to_string())
        .and("exp", EXP.to_string())
}

/// The entry of a key in a discovery document.
pub(super) fn jwk(kid: &str, public: &[u8]) -> Object {
    Object::default()
        .and("kty", "\"OKP\"")
        .and("crv", "\"Ed25519\"")
        .and("x", quoted(&base64url(public)))
        .and("kid", quoted(kid))
}

/// The discovery document of the plain token, with one key.
pub(super) fn discovery() -> Object {
    discovery_with([jwk("key-1", &Key::first().public())])
}

/// The same document with other keys.
pub(super) fn discovery_with(keys: impl IntoIterator<Item = Object>) -> Object {
    Object::default()
        .and("v", "\"0.2\"")
        .and("iss", quoted(ISSUER))
        .and("resolver", "\"Example Resolver\"")
        .and("endpoints", endpoints().text())
        .and("keys", array(keys.into_iter().map(|key| key.text())))
        .and("policy", "\"https://resolver.example/policy\"")
}

/// The required endpoints of the discovery document.
pub(super) fn endpoints() -> Object {
    Object::default()
        .and("resolve", "\"https://resolver.example/resolve\"")
        .and("record", "\"https://resolver.example/record\"")
}

/// What the operation `token` is asked with.
pub(super) fn ask(token: impl AsRef<[u8]>) -> Input {
    ask_at(token, NOW)
}

/// The same at another time.
pub(super) fn ask_at(token: impl AsRef<[u8]>, now: &str) -> Input {
    ask_of(token, &discovery().text(), now)
}

/// The same of another discovery document.
pub(super) fn ask_of(token: impl AsRef<[u8]>, discovery: &[u8], now: &str) -> Input {
    input([
        ("token", token.as_ref()),
        ("discovery", discovery),
        ("issuer", ISSUER.as_bytes()),
        ("now", now.as_bytes()),
    ])
}
