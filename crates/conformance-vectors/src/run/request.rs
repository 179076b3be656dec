//! A request as a player saw it.

use serde_json::{Map, Value, json};

/// The header fields that are written down, since they tell something of the client.
const NOTED: [&str; 4] = ["authorization", "cookie", "proxy-authorization", "referer"];

/// A request as a player saw it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    /// By its `Host`.
    pub(super) origin: String,
    method: String,
    path: String,
    query: Map<String, Value>,
    headers: Map<String, Value>,
    /// The copy that the client has, by its `If-None-Match`. A client is free to send none, so it is not judged.
    pub(super) copy: Option<String>,
}

impl Request {
    /// The longest head that is read, in bytes.
    pub(super) const MAX_BYTES: usize = 65_536;

    /// Takes a head apart; what is missing is empty.
    pub(super) fn read(head: &[u8]) -> Self {
        let head = String::from_utf8_lossy(head);
        let mut lines = head.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let method = words.next().unwrap_or_default().to_owned();
        let target = words.next().unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request = Self {
            origin: String::new(),
            method,
            path: path.to_owned(),
            query: Map::new(),
            headers: Map::new(),
            copy: None,
        };
        for piece in query.split('&').filter(|piece| !piece.is_empty()) {
            let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
            add(&mut request.query, decoded(name), decoded(value));
        }
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let (name, value) = (name.to_ascii_lowercase(), value.trim().to_owned());
            if name == "host" {
                request.origin = format!("https://{value}");
            } else if name == "if-none-match" {
                request.copy = Some(value);
            } else if NOTED.contains(&name.as_str()) {
                add(&mut request.headers, name, value);
            }
        }
        request
    }

    /// As a vector's output has it.
    pub(super) fn into_value(self) -> Value {
        json!({
            "origin": self.origin, "method": self.method, "path": self.path,
            "query": self.query, "headers": self.headers,
        })
    }
}

/// Adds a member; values of one name become a list.
fn add(members: &mut Map<String, Value>, name: String, value: String) {
    let value = Value::String(value);
    match members.get_mut(&name) {
        None => {
            members.insert(name, value);
        }
        Some(Value::Array(values)) => values.push(value),
        Some(first) => *first = Value::Array(vec![first.take(), value]),
    }
}

/// A piece of `application/x-www-form-urlencoded`.
fn decoded(piece: &str) -> String {
    let mut bytes = Vec::with_capacity(piece.len());
    let mut rest = piece.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hexadecimal = after
            .get(..2)
            .filter(|_| byte == b'%')
            .and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(match (byte, hexadecimal) {
            (_, Some(encoded)) => encoded,
            (b'+', None) => b' ',
            (byte, None) => byte,
        });
        rest = match hexadecimal {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_taken_apart() {
        let head = "GET /resolve?need=send+a%20mail%2B&b&b=%C3%A9%zz HTTP/1.1\r\nhost: one.example:8443\r\n\
                    Cookie: a=1\r\nAccept: */*\r\nIf-None-Match:  \"d-1\" \r\n\r\n";
        let request = Request::read(head.as_bytes());
        assert_eq!(request.copy.as_deref(), Some("\"d-1\""));
        assert_eq!(
            request.into_value(),
            json!({
                "origin": "https://one.example:8443", "method": "GET", "path": "/resolve",
                "query": {"need": "send a mail+", "b": ["", "é%zz"]},
                "headers": {"cookie": "a=1"},
            })
        );
    }

    #[test]
    fn any_bytes_are_a_request() {
        for head in [&b""[..], b"\r\n\r\n", b"\xff\xfe ?%\r\n:\r\n\r\n", b"GET"] {
            assert_eq!(Request::read(head).origin, "");
        }
    }
}
