//! The claims of a token and their times: sections 6.4, 6.5 and 7.2.

use crate::code::{Code, Refusal};
use crate::json::{self, Fault, Object, Value};
use crate::limits::{
    LEEWAY_SECONDS, OBSERVATION_MAX_AGE_SECONDS, SERVER_NAME_MAX_CHARACTERS, TOKEN_MAX_LIFE_SECONDS,
};
use crate::origin::Origin;
use crate::server_url::ServerUrl;
use crate::status::Status;
use crate::text::is_name;
use crate::time::{NumericFault, Time};

/// What an issuer states of one server: `token.claims`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// The resolver that makes the statement.
    pub issuer: Origin,
    /// The server that it is about.
    pub url: ServerUrl,
    /// What was observed.
    pub status: Status,
    /// When it was observed.
    pub checked_at: Time,
    /// When the token was issued.
    pub issued_at: Time,
    /// When it expires; a client accepts it for 300 seconds more.
    pub expires: Time,
}

/// What a record states beside the claims of every token: `record.claims`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordClaims {
    /// The server's name for people, 1 to 200 characters.
    pub name: String,
    /// When the resolver first saw the server.
    pub first_seen: Time,
    /// Where the resolver's signed history has the server, if it keeps one.
    pub history: Option<ServerUrl>,
}

/// Checks a payload whose signature was verified, in the order of `token.claims.order`.
pub(super) fn read(payload: &[u8], issuer: &Origin, now: Time) -> Result<Claims, Refusal> {
    let claims = json::read_flat_object(payload)
        .map_err(|fault| Refusal::new(json_code(&fault), fault.to_string()))?;
    if string(&claims, "iss")? != issuer.as_str() {
        return Err(Refusal::new(
            Code::IssMismatch,
            format!("iss is not the issuer {issuer}"),
        ));
    }
    // The value alone does not tell 1000 from 1e3; the literal does.
    let [iat, exp, nbf] = json::literals(payload, ["iat", "exp", "nbf"]);
    let issued_at = numeric(&claims, "iat", iat)?.ok_or_else(|| missing("iat"))?;
    let expires = numeric(&claims, "exp", exp)?.ok_or_else(|| missing("exp"))?;
    let not_before = numeric(&claims, "nbf", nbf)?;
    check_times(issued_at, expires, not_before, now)?;
    if claims.has("aud") {
        return Err(Refusal::new(
            Code::AudUnexpected,
            "the token has a claim aud",
        ));
    }
    let url = ServerUrl::of_issuer(string(&claims, "url")?, issuer)
        .map_err(|why| Refusal::new(Code::UrlInvalid, format!("url: {why}")))?;
    let status = Status::from_word(string(&claims, "status")?).ok_or_else(|| {
        Refusal::new(
            Code::StatusInvalid,
            "status is none of ok, sign_in, down and unknown",
        )
    })?;
    let checked_at = Time::from_document(string(&claims, "checked_at")?).ok_or_else(|| {
        Refusal::new(
            Code::CheckedAtInvalid,
            "checked_at is not of the form YYYY-MM-DDTHH:MM:SSZ",
        )
    })?;
    if checked_at > now.plus(LEEWAY_SECONDS) {
        return Err(Refusal::new(
            Code::CheckedAtFuture,
            format!("checked_at is {checked_at}, now is {now}"),
        ));
    }
    if exceeds(issued_at.since(checked_at), OBSERVATION_MAX_AGE_SECONDS) {
        let detail =
            format!("checked_at is {checked_at}, more than 24 hours before iat, {issued_at}");
        return Err(Refusal::new(Code::ObservationTooOld, detail));
    }
    Ok(Claims {
        issuer: issuer.clone(),
        url,
        status,
        checked_at,
        issued_at,
        expires,
    })
}

/// Checks the claims that only a record has, in the order of `record.order`.
pub(super) fn read_record(
    payload: &[u8],
    issuer: &Origin,
    claims: &Claims,
) -> Result<RecordClaims, Refusal> {
    let object = json::read_flat_object(payload)
        .map_err(|fault| Refusal::new(json_code(&fault), fault.to_string()))?;
    let by = "record.claims";
    let text = |name: &'static str| match object.get(name) {
        None => {
            let detail = format!("the claim {name} is missing");
            Err(Refusal::by(Code::ClaimMissing, by, detail).of_claim(name))
        }
        Some(value) => value.as_str().ok_or_else(|| {
            let detail = format!("{name} is not a string");
            Refusal::by(Code::ClaimType, by, detail).of_claim(name)
        }),
    };
    let name = text("name")?;
    if !is_name(name, SERVER_NAME_MAX_CHARACTERS) {
        let detail = "name is not 1 to 200 characters, or holds a control or invisible character";
        return Err(Refusal::by(Code::NameInvalid, "record.name", detail));
    }
    let first_seen = Time::from_document(text("first_seen")?)
        .filter(|first_seen| *first_seen <= claims.checked_at)
        .ok_or_else(|| {
            Refusal::new(
                Code::FirstSeenInvalid,
                "first_seen is no time of documents, or later than checked_at",
            )
        })?;
    let history = object.get("history").map(|value| {
        let url = value
            .as_str()
            .and_then(|text| ServerUrl::of_issuer(text, issuer).ok())
            .filter(|url| url.origin() == issuer);
        url.ok_or_else(|| Refusal::new(Code::HistoryInvalid, "history is not a URL on the issuer"))
    });
    Ok(RecordClaims {
        name: name.to_owned(),
        first_seen,
        history: history.transpose()?,
    })
}

/// Section 6.5, in its order. Each boundary is accepted.
fn check_times(iat: Time, exp: Time, nbf: Option<Time>, now: Time) -> Result<(), Refusal> {
    if exp <= iat {
        return Err(Refusal::new(
            Code::LifetimeInvalid,
            format!("exp {exp} is not after iat {iat}"),
        ));
    }
    if exceeds(exp.since(iat), TOKEN_MAX_LIFE_SECONDS) {
        return Err(Refusal::new(
            Code::LifetimeTooLong,
            format!("exp {exp} is more than 48 hours after iat {iat}"),
        ));
    }
    if iat > now.plus(LEEWAY_SECONDS) {
        return Err(Refusal::new(
            Code::IssuedInFuture,
            format!("iat is {iat}, now is {now}"),
        ));
    }
    if now > exp.plus(LEEWAY_SECONDS) {
        return Err(Refusal::new(
            Code::Expired,
            format!("exp is {exp}, now is {now}"),
        ));
    }
    match nbf {
        Some(nbf) if nbf > now.plus(LEEWAY_SECONDS) => Err(Refusal::new(
            Code::NotYetValid,
            format!("nbf is {nbf}, now is {now}"),
        )),
        _ => Ok(()),
    }
}

fn exceeds(difference: i64, limit: u64) -> bool {
    u64::try_from(difference).is_ok_and(|seconds| seconds > limit)
}

fn missing(name: &'static str) -> Refusal {
    Refusal::new(Code::ClaimMissing, format!("the claim {name} is missing")).of_claim(name)
}

fn string<'o>(claims: &'o Object<'_>, name: &'static str) -> Result<&'o str, Refusal> {
    let value = claims.get(name).ok_or_else(|| missing(name))?;
    value.as_str().ok_or_else(|| {
        Refusal::new(Code::ClaimType, format!("{name} is not a string")).of_claim(name)
    })
}

fn numeric(
    claims: &Object<'_>,
    name: &'static str,
    literal: Option<&str>,
) -> Result<Option<Time>, Refusal> {
    let Some(value) = claims.get(name) else {
        return Ok(None);
    };
    let rule = "token.claims.integer";
    let form = || {
        let detail = format!("{name} is not an integer written without fraction and exponent");
        Refusal::by(Code::ClaimType, rule, detail).of_claim(name)
    };
    if *value != Value::Number {
        return Err(form());
    }
    Time::from_literal(literal.ok_or_else(form)?)
        .map(Some)
        .map_err(|fault| match fault {
            NumericFault::Form => form(),
            NumericFault::Range => {
                let detail = format!("{name} is not from 0 to 9007199254740991");
                Refusal::new(Code::ClaimRange, detail).of_claim(name)
            }
        })
}

fn json_code(fault: &Fault) -> Code {
    match fault {
        Fault::NotUtf8(_) => Code::PayloadNotUtf8,
        Fault::TooDeep(_) => Code::PayloadTooDeep,
        Fault::NotJson(..) => Code::PayloadNotJson,
        Fault::NotObject => Code::PayloadNotObject,
        Fault::DuplicateMember(_) => Code::PayloadDuplicateMember,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[token.claims] r[token.claims.integer]
    #[test]
    fn a_refusal_names_its_claim() {
        let issuer = "https://resolver.example".parse().unwrap();
        let refused = |payload: &str| {
            let refusal =
                read(payload.as_bytes(), &issuer, Time::from_unix_seconds(0)).unwrap_err();
            (refusal.code().as_str(), refusal.claim())
        };
        let iss = r#"{"iss":"https://resolver.example""#;
        for (rest, code, claim) in [
            ("}", "claim-missing", "iat"),
            (r#","iat":1.0}"#, "claim-type", "iat"),
            (r#","iat":1,"exp":-1}"#, "claim-range", "exp"),
            (r#","iat":1,"exp":2,"nbf":null}"#, "claim-type", "nbf"),
            (r#","iat":1,"exp":2,"url":7}"#, "claim-type", "url"),
        ] {
            assert_eq!(
                refused(&format!("{iss}{rest}")),
                (code, Some(claim)),
                "{rest}"
            );
        }
        assert_eq!(refused("{}"), ("claim-missing", Some("iss")));
        assert_eq!(refused("[]"), ("payload-not-object", None));
    }

    // r[origin.loopback] r[origin.loopback-off]
    #[test]
    fn an_issuer_of_this_machine_states_servers_of_this_machine() {
        let url = |issuer: &Origin| {
            let payload = format!(
                r#"{{"iss":"{issuer}","iat":9,"exp":99,"url":"http://127.0.0.1:8421/mcp","status":"ok",
                    "checked_at":"1970-01-01T00:00:09Z"}}"#
            );
            read(payload.as_bytes(), issuer, Time::from_unix_seconds(9)).map(|claims| claims.url)
        };
        let development = Origin::loopback("http://127.0.0.1:8420").unwrap();
        assert_eq!(
            url(&development).unwrap().as_str(),
            "http://127.0.0.1:8421/mcp"
        );
        let public = url(&"https://resolver.example".parse().unwrap());
        assert_eq!(public.unwrap_err().code(), Code::UrlInvalid);
    }
}
