//! The bytes of answers, with what caches ask of them.

use std::iter;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use capability_resolution::{Time, VERSION};
use sha2::{Digest as _, Sha256};

use crate::clock::seconds_since;
use crate::discovery::Identity;
use crate::sign::Issued;

/// A JSON document.
#[derive(Debug, Clone)]
pub struct Body {
    /// The document.
    pub json: Bytes,
    /// A tag that another document does not have: `http.etag`, without its quotes.
    pub tag: Arc<str>,
    /// How many seconds it may be kept.
    pub max_age: u64,
}

impl Body {
    pub(crate) fn new(json: impl Into<Bytes>, max_age: u64) -> Self {
        let json = json.into();
        Self {
            tag: tag([&json[..]]),
            json,
            max_age,
        }
    }
}

/// An answer with these candidates: `resolve.answer.members`.
pub(super) fn answer(
    identity: &Identity,
    candidates: &[Arc<Issued>],
    max_age: u64,
    now: Time,
) -> Body {
    let lengths = candidates.iter().map(|issued| issued.candidate().len() + 1);
    let head = head(identity);
    let mut json = Vec::with_capacity(head.len() + lengths.sum::<usize>() + 2);
    json.extend_from_slice(head.as_bytes());
    for (place, issued) in candidates.iter().enumerate() {
        if place > 0 {
            json.push(b',');
        }
        json.extend_from_slice(issued.candidate());
    }
    json.extend_from_slice(b"]}");
    // Each candidate has its digest already. The head has one length for one name, and each digest the same.
    let digests = candidates.iter().map(|issued| &issued.digest()[..]);
    let tag = tag(iter::once(head.as_bytes()).chain(digests));
    let expiries = candidates.iter().map(|issued| issued.expires());
    let left = expiries.map(|expires| seconds_since(expires, now)).min();
    Body {
        json: json.into(),
        tag,
        max_age: left.map_or(max_age, |left| left.min(max_age)),
    }
}

/// A record.
pub(super) fn record(json: &[u8], expires: Time, max_age: u64, now: Time) -> Body {
    let left = seconds_since(expires, now);
    Body::new(json.to_vec(), left.min(max_age))
}

/// An answer up to its candidates.
fn head(identity: &Identity) -> String {
    // A name can hold what JSON escapes; an origin cannot.
    let name = serde_json::Value::from(identity.name.as_str());
    let issuer = &identity.issuer;
    format!(r#"{{"v":"{VERSION}","iss":"{issuer}","resolver":{name},"candidates":["#)
}

fn tag<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Arc<str> {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    let digest = digest.finalize();
    URL_SAFE_NO_PAD
        .encode(digest.get(..15).unwrap_or_default())
        .into()
}
