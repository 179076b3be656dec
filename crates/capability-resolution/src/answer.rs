//! Answers to a need: sections 5.3 and 5.4 of the text, as a client reads them.

use crate::code::{Code, Refusal};
use crate::discovery::Discovery;
use crate::document::{self, Kind, Reader};
use crate::json::{Object, Value};
use crate::limits::{ANSWER_MAX_BYTES, CANDIDATES_MAX};
use crate::time::Time;
use crate::token::{Claims, UnverifiedToken, VerifiedToken};

/// An answer of which every candidate was judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The candidates whose tokens verified, in the resolver's order, each server once.
    pub candidates: Vec<Candidate>,
    /// The others, with their place in the answer and why: `candidate.dropped`, `candidate.unsigned`.
    pub dropped: Vec<(usize, Refusal)>,
    /// What did not agree with what was signed, as JSON pointers in the order of the document, members that are missing
    /// after the others of their candidate: `candidate.copy-differs`, `resolve.answer.name-read`.
    pub copy_differs: Vec<String>,
    /// The places of candidates that named a server once more: `candidate.duplicate`.
    pub duplicate_url: Vec<usize>,
}

/// A candidate: advice that a server may do the job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What the resolver signed, and all that a client uses.
    pub token: VerifiedToken,
    /// The token itself, as it can be kept and passed on.
    pub jws: String,
}

impl Answer {
    /// Reads an answer of the resolver with this discovery document at a given moment, in the order of
    /// `resolve.answer.order`.
    ///
    /// # Errors
    ///
    /// The first rule that the answer as a whole breaks. A candidate that breaks one is dropped, and is no error.
    pub fn read(bytes: &[u8], discovery: &Discovery, now: Time) -> Result<Self, Refusal> {
        document::check_size(bytes, ANSWER_MAX_BYTES, "resolve.answer.size")?;
        let object = document::read(bytes, "resolve.answer.members")?;
        let reader = Reader::new(&object, "resolve.answer.members");
        reader.version()?;
        let iss = reader.string("iss")?;
        let name = reader.string("resolver")?;
        let entries = reader
            .member("candidates", Kind::Array)?
            .as_array()
            .unwrap_or_default();
        document::issuer(iss, discovery.issuer(), "resolve.answer.iss")?;
        if entries.len() > CANDIDATES_MAX {
            return Err(Refusal::new(
                Code::TooManyCandidates,
                format!(
                    "/candidates has {} entries, at most 10 are allowed",
                    entries.len()
                ),
            ));
        }
        let mut answer = Self {
            candidates: Vec::new(),
            dropped: Vec::new(),
            copy_differs: Vec::new(),
            duplicate_url: Vec::new(),
        };
        for (at, entry) in entries.iter().enumerate() {
            answer.judge(at, entry, discovery, now);
        }
        if name != discovery.resolver() {
            let before = object.place("resolver") < object.place("candidates");
            let at = if before { 0 } else { answer.copy_differs.len() };
            answer.copy_differs.insert(at, "/resolver".to_owned());
        }
        Ok(answer)
    }

    fn judge(&mut self, at: usize, entry: &Value<'_>, discovery: &Discovery, now: Time) {
        let members = entry.as_object();
        let Some((members, jws)) =
            members.and_then(|members| Some((members, members.get("jws")?.as_str()?)))
        else {
            let detail = format!("/candidates/{at} is no object with a string jws");
            return self
                .dropped
                .push((at, Refusal::new(Code::JwsMissing, detail)));
        };
        match UnverifiedToken::parse(jws.as_bytes()).and_then(|token| token.verify(discovery, now))
        {
            Err(refusal) => self.dropped.push((at, refusal)),
            Ok(token)
                if self
                    .candidates
                    .iter()
                    .any(|c| c.token.claims().url == token.claims().url) =>
            {
                self.duplicate_url.push(at)
            }
            Ok(token) => {
                let differing = differing_copies(members, token.claims());
                let pointers = differing
                    .iter()
                    .map(|name| format!("/candidates/{at}/{name}"));
                self.copy_differs.extend(pointers);
                self.candidates.push(Candidate {
                    token,
                    jws: jws.to_owned(),
                });
            }
        }
    }
}

/// The copies beside a token that are missing or not equal to its claims.
fn differing_copies(members: &Object<'_>, claims: &Claims) -> Vec<&'static str> {
    let differs = |(name, claim): &(&'static str, String)| {
        (members.get(name).and_then(Value::as_str) != Some(claim)).then_some(*name)
    };
    let mut differing: Vec<_> = copies(claims).iter().filter_map(differs).collect();
    differing.sort_by_key(|name| members.place(name));
    differing
}

/// What the unsigned members of a candidate or a record repeat of the claims: `candidate.copies`, `record.copies`.
pub(crate) fn copies(claims: &Claims) -> [(&'static str, String); 4] {
    [
        ("url", claims.url.as_str().to_owned()),
        ("status", claims.status.as_str().to_owned()),
        ("checked_at", claims.checked_at.to_string()),
        ("expires", claims.expires.to_string()),
    ]
}
