//! Tokens: §6.

use crate::discovery::Discovery;
use crate::json::{self, Object, Value};
use crate::mutant::Mutant as M;
use crate::names;
use crate::signature;
use crate::verifier::{Verifier, refuse};

/// What a token that verified says.
#[derive(Debug, Clone)]
pub(crate) struct Claims {
    pub(crate) url: String,
    pub(crate) status: String,
    pub(crate) checked_at: String,
    pub(crate) exp: i64,
    pub(crate) payload: Object,
}

pub(crate) fn verify(
    v: Verifier,
    token: &[u8],
    discovery: &Discovery,
    now: i64,
) -> Result<Claims, String> {
    let token = if v.has(M::TokenTrimmed) {
        token.trim_ascii()
    } else {
        token
    };
    let most = if v.has(M::Token8191) {
        8_191
    } else if v.has(M::Token8193) {
        8_193
    } else {
        8_192
    };
    refuse(token.len() > most, "token-too-long")?;
    let is_sound = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    refuse(!token.iter().all(is_sound), "token-bad-character")?;
    let mut segments: Vec<&[u8]> = token.split(|byte| *byte == b'.').collect();
    if v.has(M::FourthSegment) {
        segments.truncate(3);
    }
    let [header, payload, last] = segments[..] else {
        return Err("token-segment-count".to_owned());
    };
    let empty = segments.iter().any(|segment| segment.is_empty());
    refuse(empty && !v.has(M::SegmentEmpty), "token-segment-empty")?;
    let signed = &token[..header.len() + 1 + payload.len()];
    let decode = |segment| {
        signature::base64url(segment, v.has(M::TrailingBits)).ok_or("base64-noncanonical")
    };
    let (header, payload, last) = (decode(header)?, decode(payload)?, decode(last)?);
    if v.has(M::SignatureFirst) {
        refuse(last.len() != 64, "signature-length")?;
    }
    let kid = read_header(v, &json::read(v, "header", &header)?)?;
    let key = discovery.key(v, kid.as_deref())?;
    signature::verify(v, key, signed, &last)?;
    claims(
        v,
        json::read(v, "payload", &payload)?,
        &discovery.issuer,
        now,
    )
}

fn read_header(v: Verifier, header: &Object) -> Result<Option<String>, String> {
    let alg = header.get("alg");
    refuse(alg.is_none() && !v.has(M::AlgOptional), "alg-missing")?;
    let pinned = match alg.map(Value::text) {
        None => true,
        Some(Some("EdDSA")) => true,
        Some(Some("Ed25519")) if v.has(M::AlgEd25519) => true,
        Some(Some(alg)) if v.has(M::AlgCase) => alg.eq_ignore_ascii_case("EdDSA"),
        _ => v.has(M::AlgAny),
    };
    refuse(!pinned, "alg-not-allowed")?;
    let crit = match header.get("crit") {
        Some(Value::Array(names)) if v.has(M::CritEmpty) => !names.is_empty(),
        crit => crit.is_some() && !v.has(M::CritIgnored),
    };
    refuse(crit, "crit-unsupported")?;
    let b64 = match header.get("b64") {
        Some(Value::Bool(true)) if v.has(M::B64True) => false,
        b64 => b64.is_some() && !v.has(M::B64Ignored),
    };
    refuse(b64, "b64-unsupported")?;
    let material = ["jwk", "jku", "x5u", "x5c"]
        .iter()
        .any(|name| header.has(name));
    refuse(
        material && !v.has(M::KeyMaterialIgnored),
        "header-key-material",
    )?;
    refuse(
        header.has("cty") && !v.has(M::CtyIgnored),
        "cty-unsupported",
    )?;
    let typ = match header.get("typ").map(Value::text) {
        None | Some(Some("JWT")) => true,
        Some(Some(typ)) if v.has(M::TypCase) => typ.eq_ignore_ascii_case("JWT"),
        _ => v.has(M::TypIgnored),
    };
    refuse(!typ, "typ-not-allowed")?;
    let Some(kid) = header.get("kid") else {
        refuse(!v.has(M::KidOptional), "kid-missing")?;
        return Ok(None);
    };
    let most = if v.has(M::Kid127) {
        127
    } else if v.has(M::Kid129) {
        129
    } else {
        128
    };
    let least = usize::from(!v.has(M::KidEmpty));
    let kid = kid
        .text()
        .filter(|kid| (least..=most).contains(&kid.chars().count()));
    let other = header
        .0
        .iter()
        .any(|member| !["alg", "kid", "typ"].contains(&member.name.as_str()));
    refuse(other && v.has(M::HeaderStrict), "header-not-json")?;
    Ok(Some(kid.ok_or("kid-invalid")?.to_owned()))
}

fn claims(v: Verifier, payload: Object, issuer: &str, now: i64) -> Result<Claims, String> {
    let iss = text(&payload, "iss")?;
    let same = match () {
        () if v.has(M::IssPrefix) => iss.starts_with(issuer),
        () if v.has(M::IssCase) => iss.eq_ignore_ascii_case(issuer),
        () => iss == issuer || v.has(M::IssUnchecked),
    };
    refuse(!same, "iss-mismatch")?;
    if v.has(M::UrlBeforeTimes) {
        url(v, &payload)?;
    }
    let iat = integer(v, &payload, "iat")?.ok_or("claim-missing")?;
    let exp = integer(v, &payload, "exp")?.ok_or("claim-missing")?;
    let nbf = integer(v, &payload, "nbf")?;
    times(v, iat, exp, nbf, now)?;
    refuse(
        payload.has("aud") && !v.has(M::AudIgnored),
        "aud-unexpected",
    )?;
    let url = url(v, &payload)?;
    let status = text(&payload, "status")?;
    let known = ["ok", "sign_in", "down", "unknown"].contains(&status.as_str());
    refuse(!known && !v.has(M::StatusUnchecked), "status-invalid")?;
    if v.has(M::ClaimOptional) && !payload.has("checked_at") {
        return Ok(Claims {
            url,
            status,
            checked_at: String::new(),
            exp,
            payload,
        });
    }
    let checked_at = text(&payload, "checked_at")?;
    let at = match names::time(v, &checked_at) {
        None if v.has(M::CheckedAtUnchecked) => iat,
        at => at.ok_or("checked-at-invalid")?,
    };
    refuse(
        at > now + leeway(v, M::CheckedAt299, M::CheckedAt301),
        "checked-at-future",
    )?;
    let age = if v.has(M::Age86399) {
        86_399
    } else if v.has(M::Age86401) {
        86_401
    } else {
        86_400
    };
    refuse(iat - at > age, "observation-too-old")?;
    let known = [
        "iss",
        "url",
        "status",
        "checked_at",
        "iat",
        "exp",
        "nbf",
        "name",
        "first_seen",
        "history",
    ];
    let other = payload
        .0
        .iter()
        .any(|member| !known.contains(&member.name.as_str()));
    refuse(other && v.has(M::ClaimsStrict), "payload-not-json")?;
    Ok(Claims {
        url,
        status,
        checked_at,
        exp,
        payload,
    })
}

fn times(v: Verifier, iat: i64, exp: i64, nbf: Option<i64>, now: i64) -> Result<(), String> {
    let longer = if v.has(M::LifeAfterIat) {
        exp < iat
    } else {
        exp <= iat
    };
    refuse(longer, "lifetime-invalid")?;
    let most = if v.has(M::Life172799) {
        172_799
    } else if v.has(M::Life172801) {
        172_801
    } else {
        172_800
    };
    refuse(
        exp - iat > most && !v.has(M::LifeUnchecked),
        "lifetime-too-long",
    )?;
    let future = iat > now + leeway(v, M::Iat299, M::Iat301);
    refuse(future && !v.has(M::IatUnchecked), "issued-in-future")?;
    let expired = now > exp + leeway(v, M::Exp299, M::Exp301);
    refuse(expired && !v.has(M::ExpUnchecked), "expired")?;
    let early = nbf.is_some_and(|nbf| nbf > now + 300);
    refuse(early && !v.has(M::NbfIgnored), "not-yet-valid")
}

fn leeway(v: Verifier, less: M, more: M) -> i64 {
    if v.has(M::LeewayNone) {
        return 0;
    }
    300 - i64::from(v.has(less)) + i64::from(v.has(more))
}

fn url(v: Verifier, payload: &Object) -> Result<String, String> {
    let url = text(payload, "url")?;
    let sound = names::server_url(v, &url).is_some() || v.has(M::UrlUnchecked);
    refuse(!sound, "url-invalid")?;
    Ok(url)
}

pub(crate) fn text(payload: &Object, name: &str) -> Result<String, String> {
    let value = payload.get(name).ok_or("claim-missing")?;
    Ok(value.text().ok_or("claim-type")?.to_owned())
}

fn integer(v: Verifier, payload: &Object, name: &str) -> Result<Option<i64>, String> {
    let Some(value) = payload.get(name) else {
        return Ok(None);
    };
    let Value::Number(literal) = value else {
        return Err("claim-type".to_owned());
    };
    let fraction = v
        .has(M::IntegerFraction)
        .then(|| literal.strip_suffix(".0"))
        .flatten();
    let literal = fraction.unwrap_or(literal);
    let plain = literal
        .trim_start_matches('-')
        .bytes()
        .all(|b| b.is_ascii_digit());
    refuse(
        !plain || (literal == "-0" && !v.has(M::IntegerMinusZero)),
        "claim-type",
    )?;
    let number = literal.parse().map_err(|_| "claim-range")?;
    let most = if v.has(M::IntegerRange) {
        i64::MAX
    } else {
        (1 << 53) - 1
    };
    refuse(!(0..=most).contains(&number), "claim-range")?;
    Ok(Some(number))
}
