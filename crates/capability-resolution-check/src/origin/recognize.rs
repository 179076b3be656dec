//! Whether what answers is a resolver at all.

use guarded_fetch::header::{CONTENT_TYPE, LOCATION};

use super::recording::{Ask, Recording, Reply};

/// Says in one sentence why there is nothing to judge, if nothing that was seen is a resolver's.
pub(crate) fn recognize(recording: &Recording) -> Result<(), String> {
    let issuer = &recording.issuer;
    let Some(exchange) = recording.get(Ask::Discovery) else {
        return Err(format!("{issuer} was not asked"));
    };
    let reply = match &exchange.reply {
        Ok(reply) => reply,
        // A resolver or not, the certificate is wrong.
        Err(none) if none.certificate => return Ok(()),
        Err(none) => return Err(none.why.clone()),
    };
    if is_document(&reply.body) || recording.elsewhere.is_some() {
        return Ok(());
    }
    Err(format!(
        "{issuer} is no resolver: {} is answered with {}",
        exchange.url,
        seen(reply)
    ))
}

/// Whether bytes are meant to be a discovery document, well formed or not.
pub(crate) fn is_document(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let names = [
        "\"iss\"",
        "\"resolver\"",
        "\"endpoints\"",
        "\"keys\"",
        "\"policy\"",
    ];
    names.iter().filter(|name| text.contains(**name)).count() >= 3
}

fn seen(reply: &Reply) -> String {
    let media_type = reply.only(CONTENT_TYPE).unwrap_or_default();
    match reply.status {
        300..400 => {
            let to = reply.shown(LOCATION);
            format!(
                "a redirect ({}, {to}) that leads to no discovery document",
                reply.status
            )
        }
        200 if media_type.starts_with("text/html") => "a web page".to_owned(),
        200 if serde_json::from_slice::<serde_json::Value>(&reply.body).is_ok() => {
            "JSON that is no discovery document".to_owned()
        }
        200 => "something that is no discovery document".to_owned(),
        status => format!("status {status} and no discovery document"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_known_by_its_members_also_where_it_is_damaged() {
        assert!(is_document(
            br#"{"v":"0.2","iss":"x","resolver":"y","keys":["#
        ));
        assert!(!is_document(br#"{"issuer":"x","jwks_uri":"y","keys":[]}"#));
        assert!(!is_document(b"<!doctype html>"));
    }
}
