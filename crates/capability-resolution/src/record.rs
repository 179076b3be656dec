//! Records: section 7 of the text, as a client reads them, and the request for one, as a resolver does.

use crate::answer::copies;
use crate::code::{Code, Refusal};
use crate::discovery::Discovery;
use crate::document::{self, Reader};
use crate::limits::{RECORD_ID_MAX_CHARACTERS, RECORD_MAX_BYTES};
use crate::query::decode_query;
use crate::server_url::ServerUrl;
use crate::time::Time;
use crate::token::{RecordClaims, UnverifiedToken, VerifiedToken};

/// What a resolver states of one server, verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The claims of every token.
    pub token: VerifiedToken,
    /// The claims of a record.
    pub claims: RecordClaims,
    /// Members that are present and not equal to the claims, as JSON pointers in the order of the document:
    /// `record.copy-differs`.
    pub copy_differs: Vec<String>,
}

impl Record {
    /// Reads a record in the order of `record.order`. `requested` is the server that the client asked for, if it asked
    /// by URL.
    ///
    /// # Errors
    ///
    /// The first rule that the record breaks.
    pub fn read(
        bytes: &[u8],
        discovery: &Discovery,
        requested: Option<&ServerUrl>,
        now: Time,
    ) -> Result<Self, Refusal> {
        document::check_size(bytes, RECORD_MAX_BYTES, "record.size")?;
        let object = document::read(bytes, "record.members")?;
        let reader = Reader::new(&object, "record.members");
        reader.version()?;
        let iss = reader.string("iss")?;
        let name = reader.string("resolver")?;
        let jws = reader.string("jws")?;
        document::issuer(iss, discovery.issuer(), "record.members")?;
        let (token, claims) =
            UnverifiedToken::parse(jws.as_bytes())?.verify_record(discovery, now)?;
        if let Some(requested) = requested.filter(|requested| **requested != token.claims().url) {
            let detail = format!(
                "asked was {requested}, the record is of {}",
                token.claims().url
            );
            return Err(Refusal::new(Code::UrlMismatch, detail));
        }
        let mut signed = copies(token.claims()).to_vec();
        signed.push(("name", claims.name.clone()));
        signed.push(("first_seen", claims.first_seen.to_string()));
        signed.push(("resolver", discovery.resolver().to_owned()));
        let differs = |(member, claim): &(&str, String)| match *member {
            "resolver" => name != claim,
            member => object
                .get(member)
                .is_some_and(|value| value.as_str() != Some(claim)),
        };
        signed.retain(differs);
        signed.sort_by_key(|(member, _)| object.place(member));
        let pointers = signed.iter().map(|(member, _)| format!("/{member}"));
        let copy_differs = pointers.collect();
        Ok(Self {
            token,
            claims,
            copy_differs,
        })
    }
}

/// A request for a record: `record.request`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordRequest {
    /// By the opaque id that an answer pointed to: `record.id`.
    Id(String),
    /// By the server's URL.
    Url(ServerUrl),
}

impl RecordRequest {
    /// Reads the query of a record request, without its question mark. With `allow_loopback`, the switch of
    /// `origin.loopback`, the URL may be one of this machine.
    ///
    /// ```
    /// use capability_resolution::RecordRequest;
    ///
    /// let request = RecordRequest::from_query("id=s-4f1d2c", false)?;
    /// assert_eq!(request, RecordRequest::Id("s-4f1d2c".to_owned()));
    /// # Ok::<(), capability_resolution::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `record-query` for any other query than one `id` in the form of `record.id` or one `url` that is a server URL.
    pub fn from_query(query: &str, allow_loopback: bool) -> Result<Self, Refusal> {
        let refused = |detail: &str| Refusal::new(Code::RecordQuery, detail);
        let one = "a record is asked for by exactly one of id and url";
        let pairs = decode_query(query).map_err(|error| refused(error.detail()))?;
        let [(name, value)] = pairs.as_slice() else {
            return Err(refused(one));
        };
        match name.as_str() {
            "id" if is_record_id(value) => Ok(Self::Id(value.clone())),
            "id" => Err(refused(
                "an id is 1 to 64 of A to Z, a to z, 0 to 9, -, _, . and ~",
            )),
            "url" => {
                let loopback = || ServerUrl::loopback(value).ok().filter(|_| allow_loopback);
                let url = value.parse().ok().or_else(loopback);
                url.map(Self::Url)
                    .ok_or_else(|| refused("url is not a server URL"))
            }
            _ => Err(refused(one)),
        }
    }
}

fn is_record_id(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
    (1..=RECORD_ID_MAX_CHARACTERS).contains(&text.len()) && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[record.request] r[record.id]
    #[test]
    fn a_record_is_asked_for_by_one_id_or_one_url() {
        let long = |n| format!("id={}", "a".repeat(n));
        for (query, sound) in [
            ("id=s-4f1d2c", true),
            ("id=A9-_.~", true),
            ("&&id=%61&", true),
            (&*long(64), true),
            ("url=https%3A%2F%2Fmail.example.com%2Fmcp", true),
            ("url=https://mail.example.com/mcp", true),
            ("", false),
            ("id=", false),
            ("id", false),
            (&*long(65), false),
            ("id=a+b", false),
            ("id=a/b", false),
            ("id=%C3%A9", false),
            ("id=%zz", false),
            ("id=%ff", false),
            ("id=a&id=a", false),
            ("id=a&url=https://mail.example.com/mcp", false),
            ("id=a&x=", false),
            ("ID=a", false),
            ("url=https://mail.example.com", false),
            ("url=http://127.0.0.1:9/mcp", false),
        ] {
            let read = RecordRequest::from_query(query, false);
            assert_eq!(read.is_ok(), sound, "{query}");
            assert!(read.is_ok() || read.unwrap_err().code() == Code::RecordQuery);
        }
    }

    // r[record.members]
    #[test]
    fn another_issuer_breaks_the_rule_of_records() {
        let issuer = "https://resolver.example".parse().unwrap();
        let document = br#"{"v":"0.2","iss":"https://resolver.example","resolver":"Example","keys":[],
            "policy":"https://resolver.example/policy","endpoints":{"resolve":"https://resolver.example/resolve",
            "record":"https://resolver.example/record"}}"#;
        let discovery = Discovery::read(document, &issuer).unwrap();
        let record =
            br#"{"v":"0.2","iss":"https://other.example","resolver":"Other","jws":"a.b.c"}"#;
        let now = Time::from_unix_seconds(0);
        let refusal = Record::read(record, &discovery, None, now).unwrap_err();
        assert_eq!(
            (refusal.code(), refusal.rule()),
            (Code::IssMismatch, "record.members")
        );
    }

    // r[origin.loopback]
    #[test]
    fn a_server_of_this_machine_only_behind_the_switch() {
        let query = "url=http://127.0.0.1:9/mcp";
        assert!(RecordRequest::from_query(query, true).is_ok());
        assert!(RecordRequest::from_query(query, false).is_err());
    }
}
