//! The header of a token: section 6.2.

use crate::code::{Code, Refusal};
use crate::json::{self, Fault, Value};
use crate::keys::is_kid;

/// Checks a decoded header and gives out its `kid`.
pub(super) fn read(bytes: &[u8]) -> Result<String, Refusal> {
    let header = json::read_flat_object(bytes)
        .map_err(|fault| Refusal::new(json_code(&fault), fault.to_string()))?;
    let text = |name: &str| header.get(name).and_then(Value::as_str);
    if !header.has("alg") {
        return Err(Refusal::new(
            Code::AlgMissing,
            "the header has no member alg",
        ));
    }
    if text("alg") != Some("EdDSA") {
        return Err(Refusal::new(
            Code::AlgNotAllowed,
            "alg is not the string EdDSA",
        ));
    }
    if header.has("crit") {
        return Err(Refusal::new(
            Code::CritUnsupported,
            "the header has a member crit",
        ));
    }
    if header.has("b64") {
        return Err(Refusal::new(
            Code::B64Unsupported,
            "the header has a member b64",
        ));
    }
    if let Some(member) = ["jwk", "jku", "x5u", "x5c"]
        .into_iter()
        .find(|member| header.has(member))
    {
        return Err(Refusal::new(
            Code::HeaderKeyMaterial,
            format!("the header has a member {member}"),
        ));
    }
    if header.has("cty") {
        return Err(Refusal::new(
            Code::CtyUnsupported,
            "the header has a member cty",
        ));
    }
    if header.has("typ") && text("typ") != Some("JWT") {
        return Err(Refusal::new(
            Code::TypNotAllowed,
            "typ is not the string JWT",
        ));
    }
    if !header.has("kid") {
        return Err(Refusal::new(
            Code::KidMissing,
            "the header has no member kid",
        ));
    }
    let kid = text("kid").filter(|kid| is_kid(kid));
    kid.map(str::to_owned).ok_or_else(|| {
        Refusal::new(
            Code::KidInvalid,
            "kid is not a string of 1 to 128 characters",
        )
    })
}

fn json_code(fault: &Fault) -> Code {
    match fault {
        Fault::NotUtf8(_) => Code::HeaderNotUtf8,
        Fault::TooDeep(_) => Code::HeaderTooDeep,
        Fault::NotJson(..) => Code::HeaderNotJson,
        Fault::NotObject => Code::HeaderNotObject,
        Fault::DuplicateMember(_) => Code::HeaderDuplicateMember,
    }
}
