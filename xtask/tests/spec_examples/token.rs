//! The key and the tokens.

use base64::alphabet::URL_SAFE;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, URL_SAFE_NO_PAD};
use base64::{DecodeError, Engine};
use ed25519_dalek::{Signature, SigningKey, VerifyingKey};
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{ensure, json};

/// r[time.leeway]
const LEEWAY: i64 = 300;

/// A JWK whose private half is the digest of `seed` and whose `kid` is its thumbprint.
pub(crate) fn check_key(block: &str, seed: &str) -> Result<(), String> {
    let key = json::parse(block)?;
    let secret: [u8; 32] = Sha256::digest(seed).into();
    let x = URL_SAFE_NO_PAD.encode(SigningKey::from_bytes(&secret).verifying_key());
    // RFC 7638, section 3.2 and RFC 8037, section 2: these members in this order, without spaces.
    let thumbprint = Sha256::digest(format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#));
    let kid = URL_SAFE_NO_PAD.encode(thumbprint);
    let expected =
        json!({"kty": "OKP", "crv": "Ed25519", "x": x, "kid": kid, "use": "sig", "alg": "EdDSA"});
    ensure(key == expected, format!("expected {expected}, found {key}"))
}

/// Checks form and signature of a token; returns its claims.
pub(crate) fn verify(token: &str, key: &str) -> Result<Value, String> {
    let key = json::parse(key)?;
    let [header, payload, signature] = segments(token)?;
    let signature =
        Signature::from_slice(&decode(signature)?).map_err(|error| error.to_string())?;
    let x = key["x"].as_str().ok_or("the key has no x")?;
    let x: [u8; 32] = decode(x)?
        .try_into()
        .map_err(|_| "the key has no 32 bytes")?;
    let signed = token
        .rsplit_once('.')
        .map(|(signed, _)| signed)
        .ok_or("no token")?;
    let verifying = VerifyingKey::from_bytes(&x).map_err(|error| error.to_string())?;
    verifying
        .verify_strict(signed.as_bytes(), &signature)
        .map_err(|error| error.to_string())?;

    let header = json::parse(&utf8(header)?)?;
    ensure(
        header == json!({"alg": "EdDSA", "kid": key["kid"]}),
        format!("unexpected header {header}"),
    )?;
    json::parse(&utf8(payload)?)
}

/// A block that shows a segment of a token.
pub(crate) fn check_part(block: &str, token: &str, segment: usize) -> Result<(), String> {
    let shown = block.strip_suffix('\n').ok_or("the block is empty")?;
    json::parse(shown)?;
    let segments = segments(token.trim_end())?;
    let said = utf8(segments.get(segment).ok_or("no such segment")?)?;
    ensure(shown == said, format!("the token says {said}"))
}

/// Lines of a time and the verdict that the rules of time give then.
pub(crate) fn check_clocks(block: &str, token: &str) -> Result<(), String> {
    let claims = json::parse(&utf8(segments(token.trim_end())?[1])?)?;
    let number = |name: &str| claims[name].as_i64().ok_or_else(|| format!("no {name}"));
    let (iat, exp) = (number("iat")?, number("exp")?);
    let mut verdicts = 0;
    for line in block.lines() {
        let (time, shown) = line.split_once(' ').ok_or("no verdict")?;
        let now = time
            .parse::<Timestamp>()
            .map_err(|error| error.to_string())?
            .as_second();
        // r[token.iat.future], r[token.exp.expired]
        let verdict = match () {
            () if iat > now + LEEWAY => "invalid issued-in-future",
            () if now > exp + LEEWAY => "invalid expired",
            () => "valid",
        };
        ensure(
            shown == verdict,
            format!("{time}: expected \"{verdict}\", found \"{shown}\""),
        )?;
        verdicts += 1;
    }
    ensure(verdicts >= 3, "too few times to show both bounds")
}

/// A token that differs from `token` in bits which a strict decoder refuses.
pub(crate) fn check_trailing_bits(block: &str, token: &str) -> Result<(), String> {
    let (shown, verdict) = block.split_once('\n').ok_or("no verdict")?;
    // r[token.base64]
    ensure(
        verdict == "invalid base64-noncanonical\n",
        format!("unexpected verdict {verdict}"),
    )?;
    let token = token.trim_end();
    let but_last = |text: &str| {
        text.char_indices()
            .next_back()
            .map(|(at, _)| text[..at].to_owned())
    };
    ensure(
        shown != token && but_last(shown) == but_last(token),
        "more than the last character differs",
    )?;
    let [_, _, signature] = segments(shown)?;
    ensure(decode(signature).is_err(), "a strict decoder reads it")?;
    let lenient = lenient(signature).map_err(|error| error.to_string())?;
    ensure(
        lenient.len() == 64,
        "a lenient decoder does not read 64 bytes",
    )
}

fn segments(token: &str) -> Result<[&str; 3], String> {
    let segments: Vec<_> = token.split('.').collect();
    segments
        .try_into()
        .map_err(|found: Vec<_>| format!("expected 3 segments, found {}", found.len()))
}

fn decode(segment: &str) -> Result<Vec<u8>, String> {
    URL_SAFE_NO_PAD
        .decode(segment)
        .map_err(|error| error.to_string())
}

fn lenient(segment: &str) -> Result<Vec<u8>, DecodeError> {
    let config = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_encode_padding(false);
    let config = config.with_decode_padding_mode(base64::engine::DecodePaddingMode::RequireNone);
    GeneralPurpose::new(&URL_SAFE, config).decode(segment)
}

fn utf8(segment: &str) -> Result<String, String> {
    String::from_utf8(decode(segment)?).map_err(|error| error.to_string())
}
