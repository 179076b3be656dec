//! Keys as JWKs: section 4.2 of the text.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::code::{Code, Refusal};
use crate::ed25519::PublicKey;
use crate::json::{Object, Value};
use crate::limits::{KEYS_MAX, KID_MAX_CHARACTERS};

/// The keys of a discovery document, each usable or with the code that says why it is not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeySet {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    kid: String,
    key: Result<PublicKey, Code>,
}

/// Members of a JWK that hold private or secret material: `discovery.keys.private`.
const PRIVATE_MEMBERS: [&str; 8] = ["d", "k", "p", "q", "dp", "dq", "qi", "oth"];

impl KeySet {
    /// The `kid` of each entry, and for one that is not usable the code that a token naming it gets.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<Code>)> {
        self.entries
            .iter()
            .map(|entry| (entry.kid.as_str(), entry.key.as_ref().err().copied()))
    }

    /// The usable key of a `kid`: `token.kid.known`, `token.kid.usable`.
    pub(crate) fn usable(&self, kid: &str) -> Result<&PublicKey, Refusal> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.kid == kid)
            .ok_or_else(|| {
                Refusal::new(
                    Code::KidUnknown,
                    format!("the discovery document has no key with the kid {kid:?}"),
                )
            })?;
        entry.key.as_ref().map_err(|code| {
            Refusal::new(*code, format!("the key with the kid {kid:?} is not usable"))
        })
    }

    /// Reads the array `keys`: count, then objects, then private members, then unique `kid`.
    pub(crate) fn read(entries: &[Value<'_>]) -> Result<Self, Refusal> {
        if entries.len() > KEYS_MAX {
            return Err(Refusal::new(
                Code::KeysTooMany,
                format!(
                    "/keys has {} entries, at most 32 are allowed",
                    entries.len()
                ),
            ));
        }
        let mut objects = Vec::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            let object = entry.as_object().ok_or_else(|| {
                Refusal::by(
                    Code::MemberType,
                    "discovery.key-type",
                    format!("/keys/{at} is not an object"),
                )
            })?;
            objects.push(object);
        }
        for (at, object) in objects.iter().enumerate() {
            if let Some(member) = PRIVATE_MEMBERS.iter().find(|member| object.has(member)) {
                let detail = format!(
                    "/keys/{at} has the member {member}: a private key was published, replace it now"
                );
                return Err(Refusal::new(Code::KeyPrivate, detail));
            }
        }
        let mut set = Self::default();
        let mut kids = Vec::with_capacity(objects.len());
        for (at, object) in objects.into_iter().enumerate() {
            let Some(kid) = object.get("kid").and_then(Value::as_str) else {
                continue;
            };
            if kids.contains(&kid) {
                return Err(Refusal::new(
                    Code::KidAmbiguous,
                    format!("/keys/{at}/kid stands twice"),
                ));
            }
            kids.push(kid);
            if is_kid(kid) {
                set.entries.push(Entry {
                    kid: kid.to_owned(),
                    key: read_key(object),
                });
            }
        }
        Ok(set)
    }
}

/// Whether a text can be a `kid`: `token.kid.form`.
pub(crate) fn is_kid(kid: &str) -> bool {
    (1..=KID_MAX_CHARACTERS).contains(&kid.chars().count())
}

/// `discovery.keys.usable`, in its order.
fn read_key(jwk: &Object<'_>) -> Result<PublicKey, Code> {
    let is = |name: &str, value: &str| jwk.get(name).and_then(Value::as_str) == Some(value);
    let absent_or = |name: &str, value: &str| !jwk.has(name) || is(name, value);
    if !is("kty", "OKP") || !is("crv", "Ed25519") {
        return Err(Code::KeyWrongType);
    }
    let may_verify = jwk.get("key_ops").is_none_or(|ops| {
        ops.as_array()
            .is_some_and(|ops| ops.iter().any(|op| op.as_str() == Some("verify")))
    });
    if !absent_or("use", "sig") || !may_verify {
        return Err(Code::KeyWrongUse);
    }
    if !absent_or("alg", "EdDSA") {
        return Err(Code::KeyWrongAlg);
    }
    let x = jwk
        .get("x")
        .and_then(Value::as_str)
        .ok_or(Code::KeyMalformed)?;
    let bytes = URL_SAFE_NO_PAD.decode(x).map_err(|_| Code::KeyMalformed)?;
    let bytes: [u8; 32] = bytes.try_into().map_err(|_| Code::KeyMalformed)?;
    PublicKey::from_bytes(&bytes).map_err(|_| Code::KeyWeak)
}
