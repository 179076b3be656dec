//! What the vectors ask, answered by the crates `capability-resolution` and `capabilities-txt`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use capability_resolution::{
    Answer, Code, Discovery, Need, Origin, Record, Refusal, ResolveRequest, ServerUrl, Time,
    UnverifiedToken, verify_ed25519,
};
use serde_json::{Map, Value, json};

use super::captxt;
use crate::input;

/// The answer to a sound question.
#[derive(Debug, PartialEq)]
pub(super) struct Answered {
    pub(super) valid: bool,
    /// The code, where the text has one for what is not valid.
    pub(super) reason: Option<&'static str>,
    /// What the operation yields.
    pub(super) output: Option<Value>,
}

pub(super) type Result<T> = std::result::Result<T, String>;

/// Answers a question; `None` for an operation that is not known, an error for an input that is not one of it.
pub(super) fn answer(operation: &str, input: &Map<String, Value>) -> Option<Result<Answered>> {
    let input = Input(input);
    Some(match operation {
        "token" => token(input),
        "discovery" => discovery(input),
        "answer" => resolve_answer(input),
        "record" => record(input),
        "ed25519" => ed25519(input),
        "request" => request(input),
        "need" => need(input),
        "origin" => name(input, |text| text.parse::<Origin>().is_ok()),
        "issuer" => name(input, |text| {
            text.parse().is_ok_and(|o: Origin| o.is_issuer())
        }),
        "server-url" => name(input, |text| text.parse::<ServerUrl>().is_ok()),
        "time" => name(input, |text| Time::from_document(text).is_some()),
        "captxt" => captxt::read(input),
        "captxt-fetch" => captxt::fetch(input),
        _ => return None,
    })
}

fn token(input: Input<'_>) -> Result<Answered> {
    let (token, now) = (input.bytes("token")?, input.time("now")?);
    let verdict = input
        .discovery("discovery")?
        .and_then(|discovery| UnverifiedToken::parse(&token)?.verify(&discovery, now));
    Ok(answered(verdict.map(|_| None)))
}

fn discovery(input: Input<'_>) -> Result<Answered> {
    Ok(answered(input.discovery("document")?.map(|_| None)))
}

fn resolve_answer(input: Input<'_>) -> Result<Answered> {
    let (document, now) = (input.bytes("document")?, input.time("now")?);
    let answer = input
        .discovery("discovery")?
        .and_then(|discovery| Answer::read(&document, &discovery, now));
    Ok(answered(answer.map(|answer| {
        let dropped = |at: usize| answer.dropped.iter().any(|(place, _)| *place == at);
        let number = answer.candidates.len() + answer.dropped.len() + answer.duplicate_url.len();
        let kept = (0..number).filter(|at| !dropped(*at) && !answer.duplicate_url.contains(at));
        let why =
            |(at, refusal): &(usize, Refusal)| json!({"at": at, "reason": refusal.code().as_str()});
        Some(json!({
            "candidates": kept.collect::<Vec<_>>(),
            "dropped": answer.dropped.iter().map(why).collect::<Vec<_>>(),
            "copyDiffers": answer.copy_differs,
            "duplicateUrl": answer.duplicate_url,
        }))
    })))
}

fn record(input: Input<'_>) -> Result<Answered> {
    let (document, now) = (input.bytes("document")?, input.time("now")?);
    let requested = input.optional_text("requestedUrl")?;
    let url = requested.map(str::parse::<ServerUrl>);
    let record = input.discovery("discovery")?.and_then(|discovery| {
        let requested = url.as_ref().and_then(|url| url.as_ref().ok());
        Record::read(&document, &discovery, requested, now)
    });
    Ok(match (record, url) {
        // What is no server URL is not the one that a sound record names.
        (Ok(_), Some(Err(_))) => invalid(Some(Code::UrlMismatch)),
        (record, _) => {
            answered(record.map(|record| Some(json!({"copyDiffers": record.copy_differs}))))
        }
    })
}

fn ed25519(input: Input<'_>) -> Result<Answered> {
    let hexadecimal = |name| {
        base16ct::lower::decode_vec(input.text(name)?).map_err(|error| format!("{name}: {error}"))
    };
    let key = hexadecimal("publicKey")?;
    let (message, signature) = (hexadecimal("message")?, hexadecimal("signature")?);
    Ok(answered(
        verify_ed25519(&key, &message, &signature).map(|()| None),
    ))
}

fn request(input: Input<'_>) -> Result<Answered> {
    let query = input.bytes("query")?;
    let Ok(query) = std::str::from_utf8(&query) else {
        return Ok(invalid(Some(Code::QueryEncoding)));
    };
    let request = ResolveRequest::from_query(query);
    Ok(answered(request.map(|request| {
        Some(json!({"need": request.need.as_str()}))
    })))
}

fn need(input: Input<'_>) -> Result<Answered> {
    let need = Need::new(input.text("need")?);
    Ok(answered(
        need.map(|need| Some(json!({"need": need.as_str()}))),
    ))
}

fn name(input: Input<'_>, is_sound: impl Fn(&str) -> bool) -> Result<Answered> {
    let value = input.bytes("value")?;
    let sound = std::str::from_utf8(&value).is_ok_and(is_sound);
    Ok(if sound { valid(None) } else { invalid(None) })
}

fn answered(judged: std::result::Result<Option<Value>, Refusal>) -> Answered {
    match judged {
        Ok(output) => valid(output),
        Err(refusal) => invalid(Some(refusal.code())),
    }
}

fn valid(output: Option<Value>) -> Answered {
    Answered {
        valid: true,
        reason: None,
        output,
    }
}

fn invalid(code: Option<Code>) -> Answered {
    Answered {
        valid: false,
        reason: code.map(Code::as_str),
        output: None,
    }
}

/// The members of an input.
#[derive(Clone, Copy)]
pub(super) struct Input<'i>(pub(super) &'i Map<String, Value>);

impl<'i> Input<'i> {
    /// A text, or the bytes in base64 under `NAME_base64`.
    pub(super) fn bytes(self, name: &str) -> Result<Vec<u8>> {
        match (self.0.get(name), self.0.get(&format!("{name}_base64"))) {
            (Some(Value::String(text)), None) => Ok(text.clone().into_bytes()),
            (None, Some(Value::String(text))) => STANDARD
                .decode(text)
                .map_err(|error| format!("{name}_base64: {error}")),
            _ => Err(format!(
                "the input has to have {name} or {name}_base64, one of them, as a string"
            )),
        }
    }

    pub(super) fn text(self, name: &str) -> Result<&'i str> {
        let text = self.0.get(name).and_then(Value::as_str);
        text.ok_or_else(|| format!("the input has no string {name}"))
    }

    pub(super) fn optional_text(self, name: &str) -> Result<Option<&'i str>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => self.text(name).map(Some),
        }
    }

    /// A clock, perhaps with a fraction of a second.
    pub(super) fn time(self, name: &str) -> Result<Time> {
        input::time(self.text(name)?).map_err(|_| format!("{name} is no time"))
    }

    /// The discovery document in the member `name`, asked of `issuer`.
    fn discovery(self, name: &str) -> Result<std::result::Result<Discovery, Refusal>> {
        let asked = self.text("issuer")?.parse::<Origin>();
        let asked = asked
            .or_else(|_| input::NOBODY.parse())
            .map_err(|error| error.to_string())?;
        Ok(Discovery::read(&self.bytes(name)?, &asked))
    }
}
