//! Records: section 7 of the text, as a client reads them.

use crate::answer::copies;
use crate::code::{Code, Refusal};
use crate::discovery::Discovery;
use crate::document::{self, Reader};
use crate::limits::RECORD_MAX_BYTES;
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
        document::issuer(iss, discovery.issuer(), "resolve.answer.iss")?;
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
