//! The queries that a client sends: sections 5.1, 5.2 and 7.1.

use capability_resolution::{Constraints, Need, ServerUrl};
use url::form_urlencoded::byte_serialize;

/// The query of a resolve request, without its question mark.
pub(crate) fn resolve(need: &Need, constraints: Constraints) -> String {
    let mut query = format!("need={}", encoded(need.as_str()));
    if constraints.no_sign_in {
        query.push_str("&sign_in=none");
    }
    if constraints.read_only {
        query.push_str("&read_only=true");
    }
    if let Some(limit) = constraints.max_handshake {
        query.push_str(&format!("&max_handshake_ms={}", limit.milliseconds()));
    }
    if constraints.no_payment {
        query.push_str("&payment=none");
    }
    query
}

/// By what a record is asked for: `record.request`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordKey {
    /// The server's URL. The resolver learns in which server the client is interested.
    Url(ServerUrl),
    /// The id that the resolver gave the record. Nobody reads a meaning into it.
    Id(String),
}

/// The query of a record request.
pub(crate) fn record(key: &RecordKey) -> String {
    match key {
        RecordKey::Url(url) => format!("url={}", encoded(url.as_str())),
        RecordKey::Id(id) => format!("id={}", encoded(id)),
    }
}

/// A space is `%20`, as in the examples of the text, and so needs no knowledge of forms.
fn encoded(text: &str) -> String {
    byte_serialize(text.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;
    use capability_resolution::{HandshakeLimit, ResolveRequest};

    // r[resolve.query.encoding] r[constraint.names]
    #[test]
    fn a_resolver_reads_what_was_asked() {
        for text in [
            "send an email",
            "a+b=c&d#e?f%20",
            "名前を調べる",
            "💌💌💌",
            "%%% \u{200d}",
        ] {
            for bits in 0..16 {
                let constraints = Constraints {
                    no_sign_in: bits & 1 != 0,
                    read_only: bits & 2 != 0,
                    max_handshake: HandshakeLimit::from_milliseconds(60_000)
                        .filter(|_| bits & 4 != 0),
                    no_payment: bits & 8 != 0,
                };
                let need = Need::new(text).unwrap();
                let query = resolve(&need, constraints);
                assert!(query.bytes().all(|byte| byte.is_ascii_graphic()), "{query}");
                let read = ResolveRequest::from_query(&query).unwrap();
                assert_eq!(read, ResolveRequest { need, constraints }, "{query}");
            }
        }
    }
}
