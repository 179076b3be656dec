//! The record of a server.

use std::sync::atomic::Ordering;

use serde_json::json;

use super::{NAME, OBSERVED_BEFORE, Resolver, SERVERS, Server, copies};
use crate::faulty::fault::{Act, Kind, Quirk};
use crate::faulty::http::{Request, Response};
use crate::faulty::query::{self, Code};

impl Resolver {
    pub(super) fn record(&self, request: &Request) -> Response {
        let number = match self.which(&request.query) {
            Ok(number) => number,
            Err("empty") => {
                return self.finish(Kind::Record, Response::new(200, "application/json", "{}"));
            }
            Err(code) => return self.error(code, request),
        };
        let server = Server { number };
        let mut claims = self.claims(&server);
        if self.is(Quirk::RecordSignedEachTime) {
            let records = i64::try_from(self.documents.fetch_add(1, Ordering::Relaxed));
            claims["iat"] = json!(self.started - OBSERVED_BEFORE / 2 + records.unwrap_or(0));
        }
        claims["name"] = json!(format!("Server {number}"));
        claims["first_seen"] = json!("2026-01-01T00:00:00Z");
        let mut parts = Self::parts(&claims);
        if let Some(Act::RecordToken(edit)) = self.act() {
            edit(&mut parts);
        }
        let mut document = copies(&parts, &claims);
        for name in ["name", "first_seen"] {
            document[name] = claims[name].clone();
        }
        document["v"] = json!("0.2");
        document["iss"] = json!(self.origin);
        document["resolver"] = json!(NAME);
        document["jws"] = json!(parts.sign().text());
        let caching = "private, max-age=3600".to_owned();
        self.document(Kind::Record, document, caching, request)
    }

    /// The number of the server that a record is asked of.
    fn which(&self, query: &str) -> Result<usize, Code> {
        let is = |quirk| self.is(quirk);
        let wrong = "record-query";
        let pairs = query::pairs(
            query,
            self.quirk()
                .filter(|quirk| *quirk == Quirk::RecordBadEscapeKept),
        );
        let mut pairs = pairs.ok_or(wrong)?;
        if is(Quirk::RecordUnknownTaken) {
            pairs.retain(|(name, _)| matches!(name.as_str(), "id" | "url"));
        }
        let is_twice = pairs.len() == 2 && pairs[0].0 == pairs[1].0;
        let are_both = !is_twice
            && pairs
                .iter()
                .all(|(name, _)| matches!(name.as_str(), "id" | "url"));
        if (is(Quirk::RecordRepeatedTaken) && is_twice) || (is(Quirk::RecordBothTaken) && are_both)
        {
            pairs.truncate(1);
        }
        let not_found = "record-not-found";
        let [(name, value)] = pairs.as_slice() else {
            return Err(if pairs.is_empty() && is(Quirk::RecordNoQuery404) {
                not_found
            } else {
                wrong
            });
        };
        let number = match name.as_str() {
            "id" => {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
                let longest = if is(Quirk::RecordLongestIdRefused) {
                    63
                } else {
                    64
                };
                let lax = (is(Quirk::RecordEmptyId404) && value.is_empty())
                    || (is(Quirk::RecordLongId404) && value.len() > 64)
                    || (is(Quirk::RecordIdCharacter404) && value.contains(' '))
                    || (is(Quirk::RecordIdLineEnd404) && value.ends_with('\n'))
                    || (is(Quirk::RecordBadEscapeKept) && value.contains('%'));
                let formed = (1..=longest).contains(&value.len()) && value.bytes().all(plain);
                if !lax && !formed {
                    return Err(wrong);
                }
                if is(Quirk::NoRecordById) {
                    return Err(not_found);
                }
                value
                    .strip_prefix('r')
                    .and_then(|number| number.parse().ok())
            }
            "url" => {
                let dots = value.contains("/../") || value.contains("/./");
                let encoded_dots = value.contains("/.%2e/");
                let has_path = value.split('/').nth(3).is_some();
                let is_long = value.len() > 2_048;
                let is_http = value.starts_with("http:");
                let host = value.split('/').nth(2).unwrap_or_default();
                let has_capitals = host.contains(|c: char| c.is_ascii_uppercase());
                let has_port = host.ends_with(":443");
                let lax = (is(Quirk::RecordUrlScheme404) && value.starts_with("ftp:"))
                    || (is(Quirk::RecordUrlDots404) && dots)
                    || (is(Quirk::RecordUrlCase404) && has_capitals)
                    || (is(Quirk::RecordUrlHttp404) && is_http)
                    || (is(Quirk::RecordUrlNoPath404) && !has_path)
                    || (is(Quirk::RecordUrlLong404) && is_long)
                    || (is(Quirk::RecordUrlEncodedDots404) && encoded_dots)
                    || (is(Quirk::RecordUrlPort404) && has_port);
                let plain = value.starts_with("https://")
                    && has_path
                    && !(dots || encoded_dots || has_capitals || has_port || is_long)
                    && !value.contains(['#', '@', ' ']);
                if !lax && !plain {
                    return Err(wrong);
                }
                if is(Quirk::NoRecordByUrl) {
                    return Err(not_found);
                }
                let found = (1..=SERVERS).find(|number| Server { number: *number }.url() == *value);
                if found.is_some() && is(Quirk::RecordOfAnother) {
                    return Ok(1);
                }
                if found.is_none() && is(Quirk::RecordUnknownUrl400) {
                    return Err(wrong);
                }
                found
            }
            _ => return Err(wrong),
        };
        let found = number.filter(|number| (1..=SERVERS).contains(number));
        found.ok_or(if name == "id" && is(Quirk::RecordUnknownIdEmpty) {
            "empty"
        } else {
            not_found
        })
    }
}
