//! Discovery documents and their keys: §4.

use crate::json::{self, Object, Value};
use crate::mutant::Mutant as M;
use crate::names;
use crate::signature;
use crate::verifier::{Verifier, refuse};

#[derive(Debug)]
pub(crate) struct Discovery {
    pub(crate) issuer: String,
    pub(crate) name: String,
    keys: Vec<Key>,
}

/// A `kid`, and the key if it is usable, else the code of a token that names it.
type Key = (String, Result<Vec<u8>, String>);

/// A type of members.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Text,
    Object,
    Array,
}

/// A member that may be absent.
pub(crate) fn optional<'o>(
    v: Verifier,
    object: &'o Object,
    name: &str,
    kind: Kind,
) -> Result<Option<&'o Value>, String> {
    let is_kind = |value: &Value| match value {
        Value::String(_) => kind == Kind::Text,
        Value::Object(_) => kind == Kind::Object,
        Value::Array(_) => kind == Kind::Array,
        _ => false,
    };
    match object.get(name) {
        None => Ok(None),
        Some(Value::Null) if v.has(M::NullAbsent) => Ok(None),
        Some(value) if is_kind(value) => Ok(Some(value)),
        Some(_) => Err("member-type".to_owned()),
    }
}

pub(crate) fn member<'o>(
    v: Verifier,
    object: &'o Object,
    name: &str,
    kind: Kind,
) -> Result<&'o Value, String> {
    optional(v, object, name, kind)?.ok_or("member-missing".to_owned())
}

pub(crate) fn text(v: Verifier, object: &Object, name: &str) -> Result<String, String> {
    let value = member(v, object, name, Kind::Text)?;
    Ok(value.text().unwrap_or_default().to_owned())
}

/// `v` of any document.
pub(crate) fn version(v: Verifier, object: &Object) -> Result<(), String> {
    let version = text(v, object, "v")?;
    let known = match () {
        () if v.has(M::VersionTrimmed) => version.trim() == "0.2",
        () if v.has(M::VersionPrefix) => version.starts_with("0.2"),
        () => version == "0.2" || v.has(M::VersionUnchecked),
    };
    refuse(!known, "version-unsupported")
}

pub(crate) fn read(v: Verifier, bytes: &[u8], asked: &str) -> Result<Discovery, String> {
    let most = if v.has(M::Size65535) {
        65_535
    } else if v.has(M::Size65537) {
        65_537
    } else {
        65_536
    };
    refuse(bytes.len() > most, "document-too-large")?;
    let object = json::read(v, "document", bytes)?;
    if !v.has(M::VersionLate) {
        version(v, &object)?;
    }
    let iss = text(v, &object, "iss")?;
    let name = text(v, &object, "resolver")?;
    let Value::Object(endpoints) = member(v, &object, "endpoints", Kind::Object)? else {
        return Err("member-type".to_owned());
    };
    let mut urls = vec![
        (text(v, endpoints, "resolve")?, true),
        (text(v, endpoints, "record")?, true),
    ];
    let mcp = optional(v, endpoints, "mcp", Kind::Text)?.and_then(Value::text);
    urls.extend(mcp.map(|url| (url.to_owned(), v.has(M::McpQuery))));
    let Value::Array(keys) = member(v, &object, "keys", Kind::Array)? else {
        return Err("member-type".to_owned());
    };
    let policy = optional(v, &object, "policy", Kind::Text)?.and_then(Value::text);
    refuse(
        policy.is_none() && !v.has(M::PolicyOptional),
        "member-missing",
    )?;
    let changelog = optional(v, &object, "changelog", Kind::Text)?.and_then(Value::text);
    if v.has(M::VersionLate) {
        version(v, &object)?;
    }
    let known = [
        "v",
        "iss",
        "resolver",
        "endpoints",
        "keys",
        "policy",
        "changelog",
        "history",
    ];
    let other = object
        .0
        .iter()
        .any(|member| !known.contains(&member.name.as_str()));
    refuse(other && v.has(M::UnknownRefused), "document-not-json")?;

    let same = match () {
        () if v.has(M::DiscoveryIssRepaired) => iss.to_ascii_lowercase() == asked,
        () if v.has(M::DiscoveryIssSlash) => iss.trim_end_matches('/') == asked,
        () => iss == asked || v.has(M::DiscoveryIss),
    };
    let issuer = names::issuer(v, asked)
        .filter(|_| same)
        .ok_or("iss-mismatch")?;
    let most = if v.has(M::Name101) { 101 } else { 100 };
    refuse(
        !names::is_name(v, &name, most) && !v.has(M::NameUnchecked),
        "name-invalid",
    )?;
    for (url, without_query) in urls {
        let Some(url) = names::server_url(v, &url) else {
            refuse(!v.has(M::EndpointUnchecked), "endpoint-invalid")?;
            continue;
        };
        refuse(
            without_query && url.has_query && !v.has(M::EndpointQuery),
            "endpoint-invalid",
        )?;
        let same = match () {
            () if v.has(M::EndpointHost) => url.origin.host == issuer.host,
            () => url.origin == issuer || v.has(M::EndpointOrigin),
        };
        refuse(!same, "endpoint-origin")?;
    }
    let keys = read_keys(v, keys)?;
    for url in [policy, changelog].into_iter().flatten() {
        let sound = names::server_url(v, url).is_some() || v.has(M::PagesUnchecked);
        refuse(!sound, "endpoint-invalid")?;
    }
    Ok(Discovery {
        issuer: asked.to_owned(),
        name,
        keys,
    })
}

fn read_keys(v: Verifier, entries: &[Value]) -> Result<Vec<Key>, String> {
    let most = if v.has(M::Keys31) {
        31
    } else if v.has(M::Keys33) {
        33
    } else {
        32
    };
    refuse(entries.len() > most, "keys-too-many")?;
    let mut objects = Vec::new();
    for entry in entries {
        match entry {
            Value::Object(object) => objects.push(object),
            _ => refuse(!v.has(M::KeyTypeSkipped), "member-type")?,
        }
    }
    let private: &[&str] = match () {
        () if v.has(M::PrivateIgnored) => &[],
        () if v.has(M::PrivateOnlyD) => &["d"],
        () => &["d", "k", "p", "q", "dp", "dq", "qi", "oth"],
    };
    for object in &objects {
        let is_private = |name: &&str| match object.get(name) {
            Some(Value::Null) => !v.has(M::PrivateNull),
            value => value.is_some(),
        };
        refuse(private.iter().any(is_private), "key-private")?;
    }
    let mut keys: Vec<Key> = Vec::new();
    let mut kids = Vec::new();
    for object in objects {
        let Some(kid) = object.get("kid").and_then(Value::text) else {
            continue;
        };
        let key = key(v, object);
        refuse(key.is_err() && v.has(M::KeySpoils), "member-type")?;
        if !v.has(M::KidTwiceUsable) || key.is_ok() {
            refuse(kids.contains(&kid) && !v.has(M::KidTwice), "kid-ambiguous")?;
            kids.push(kid);
        }
        if (1..=128).contains(&kid.chars().count()) {
            keys.push((kid.to_owned(), key));
        }
    }
    Ok(keys)
}

fn key(v: Verifier, object: &Object) -> Result<Vec<u8>, String> {
    let is = |name: &str, wanted: &str| object.get(name).and_then(Value::text) == Some(wanted);
    let absent_or = |name: &str, wanted: &str| match object.get(name) {
        Some(Value::Null) => v.has(M::KeyNullAbsent),
        value => value.is_none() || is(name, wanted),
    };
    let typed = is("kty", "OKP") && is("crv", "Ed25519");
    refuse(!typed && !v.has(M::KeyTypeIgnored), "key-wrong-type")?;
    let verifies = match object.get("key_ops") {
        Some(Value::Array(ops)) => ops.iter().any(|op| op.text() == Some("verify")),
        other => other.is_none(),
    };
    refuse(
        !absent_or("use", "sig") && !v.has(M::KeyUseIgnored),
        "key-wrong-use",
    )?;
    refuse(!verifies && !v.has(M::KeyOpsIgnored), "key-wrong-use")?;
    refuse(
        !absent_or("alg", "EdDSA") && !v.has(M::KeyAlgIgnored),
        "key-wrong-alg",
    )?;
    let x = object
        .get("x")
        .and_then(Value::text)
        .ok_or("key-malformed")?;
    let bytes = signature::base64url(x.as_bytes(), v.has(M::KeyTrailingBits));
    let bytes = bytes
        .filter(|bytes| bytes.len() == 32)
        .ok_or("key-malformed")?;
    signature::key(v, &bytes)?;
    Ok(bytes)
}

impl Discovery {
    /// The key that a token names; the first where a broken verifier takes that.
    pub(crate) fn key(&self, v: Verifier, kid: Option<&str>) -> Result<&[u8], String> {
        let first = || self.keys.iter().find(|(_, key)| key.is_ok());
        let found = match kid {
            Some(kid) if !v.has(M::KidIgnored) => self.keys.iter().find(|(name, _)| {
                name == kid || (v.has(M::KidCase) && name.eq_ignore_ascii_case(kid))
            }),
            _ => first(),
        };
        match found {
            None => Err("kid-unknown".to_owned()),
            Some((_, Ok(key))) => Ok(key),
            Some((_, Err(_))) if v.has(M::KeyUnusable) => Err("kid-unknown".to_owned()),
            Some((_, Err(code))) => Err(code.clone()),
        }
    }
}
