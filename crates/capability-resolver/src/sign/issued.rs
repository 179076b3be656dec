//! A token that is given out, with the JSON around it.

use std::sync::{Arc, Mutex};

use capability_resolution::limits::SERVER_NAME_MAX_CHARACTERS;
use capability_resolution::text::{is_control, is_unsafe, is_white_space};
use capability_resolution::{
    IssueError, Observation, Origin, RecordClaims, ServerUrl, Signer, Time, VERSION,
};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::Ring;
use crate::discovery::RECORD_PATH;
use crate::lock;
use crate::record_id::RecordId;
use crate::standing::Statement;

/// A token, and the candidate that holds it.
#[derive(Debug)]
pub struct Issued {
    pub(super) observation: Observation,
    pub(super) kid: String,
    pub(super) iat: Time,
    pub(super) exp: Time,
    first_seen: Time,
    candidate: Box<[u8]>,
    digest: [u8; 16],
    /// Made when somebody asks for it; most are never asked for.
    record: Mutex<Option<Record>>,
}

/// A record as JSON, and the key that its token names.
#[derive(Debug)]
struct Record {
    kid: String,
    json: Arc<[u8]>,
}

/// What stands beside a token.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// The resolver.
    pub issuer: &'a Origin,
    /// Its name.
    pub resolver: &'a str,
    /// The server's name for people.
    pub server: &'a str,
}

/// `candidate.members`; `evidence` by `candidate.evidence`.
#[derive(Serialize)]
struct Candidate<'a> {
    url: &'a str,
    status: &'a str,
    checked_at: String,
    expires: String,
    evidence: Evidence<'a>,
    jws: &'a str,
}

#[derive(Serialize)]
struct Evidence<'a> {
    record: &'a str,
}

/// `record.members`
#[derive(Serialize)]
struct Members<'a> {
    v: &'a str,
    iss: &'a str,
    resolver: &'a str,
    url: &'a str,
    status: &'a str,
    checked_at: String,
    expires: String,
    name: &'a str,
    first_seen: String,
    jws: &'a str,
}

impl Issued {
    pub(super) fn sign(
        signer: &Signer,
        statement: &Statement,
        named: &Named<'_>,
        iat: Time,
        exp: Time,
    ) -> Result<Self, IssueError> {
        let observation = statement.observation().clone();
        let jws = signer.token(&observation, iat, exp)?;
        let record = format!(
            "{}{RECORD_PATH}?id={}",
            named.issuer,
            RecordId::of(&observation.url)
        );
        let candidate = json(&Candidate {
            url: observation.url.as_str(),
            status: observation.status.as_str(),
            checked_at: observation.checked_at.to_string(),
            expires: exp.to_string(),
            evidence: Evidence { record: &record },
            jws: &jws,
        });
        let mut digest = [0; 16];
        digest
            .iter_mut()
            .zip(Sha256::digest(&candidate))
            .for_each(|(to, from)| *to = from);
        Ok(Self {
            kid: signer.kid().to_owned(),
            iat,
            exp,
            first_seen: statement.first_seen(),
            candidate,
            digest,
            record: Mutex::new(None),
            observation,
        })
    }

    /// The candidate as JSON.
    #[must_use]
    pub fn candidate(&self) -> &[u8] {
        &self.candidate
    }

    /// A digest of the candidate.
    #[must_use]
    pub fn digest(&self) -> &[u8; 16] {
        &self.digest
    }

    /// When the token expires.
    #[must_use]
    pub fn expires(&self) -> Time {
        self.exp
    }

    /// The record as JSON, which states the same and lives as long: `record.same-claims`. Nothing if it cannot be signed.
    pub fn record(&self, named: &Named<'_>, ring: &Ring) -> Option<Arc<[u8]>> {
        let mut record = lock::lock(&self.record);
        // It can be younger than the token, and its key another; each is given out as long as its own key is published.
        if let Some(record) = record.as_ref().filter(|one| ring.kids.contains(&one.kid)) {
            return Some(Arc::clone(&record.json));
        }
        let json: Arc<[u8]> = self.sign_record(named, ring)?.into();
        let made = Record {
            kid: ring.signing_kid().to_owned(),
            json: Arc::clone(&json),
        };
        *record = Some(made);
        Some(json)
    }

    fn sign_record(&self, named: &Named<'_>, ring: &Ring) -> Option<Box<[u8]>> {
        let claims = RecordClaims {
            name: server_name(named.server, &self.observation.url),
            first_seen: self.first_seen,
            history: None,
        };
        let signed = ring
            .signer
            .record_token(&self.observation, &claims, self.iat, self.exp);
        let jws = signed.ok()?;
        Some(json(&Members {
            v: VERSION,
            iss: named.issuer.as_str(),
            resolver: named.resolver,
            url: self.observation.url.as_str(),
            status: self.observation.status.as_str(),
            checked_at: self.observation.checked_at.to_string(),
            expires: self.exp.to_string(),
            name: &claims.name,
            first_seen: claims.first_seen.to_string(),
            jws: &jws,
        }))
    }
}

/// A name in the form of `record.name`, or without one the host.
fn server_name(name: &str, url: &ServerUrl) -> String {
    let visible = |text: &str| -> String {
        // White space first: some of it is a control character as well.
        let shown = text.chars().filter_map(|c| match c {
            c if is_white_space(c) => Some(' '),
            c if is_control(c) || is_unsafe(c) => None,
            c => Some(c),
        });
        let shown: String = shown.collect();
        let words: Vec<&str> = shown.split(' ').filter(|word| !word.is_empty()).collect();
        let name = words
            .join(" ")
            .chars()
            .take(SERVER_NAME_MAX_CHARACTERS)
            .collect::<String>();
        name.trim_end().to_owned()
    };
    let name = visible(name);
    if name.is_empty() {
        visible(url.origin().host())
    } else {
        name
    }
}

/// Strings only: nothing of it can fail.
fn json(value: &impl Serialize) -> Box<[u8]> {
    serde_json::to_vec(value)
        .unwrap_or_default()
        .into_boxed_slice()
}
