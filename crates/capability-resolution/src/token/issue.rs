//! Signing: a resolver's side of section 6. A token comes from an observation, and from nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer as _, SigningKey};
use serde::Serialize;

use super::claims::RecordClaims;
use crate::keys::is_kid;
use crate::limits::{
    NUMERIC_TIME_MAX, OBSERVATION_MAX_AGE_SECONDS, SERVER_NAME_MAX_CHARACTERS, TOKEN_MAX_BYTES,
    TOKEN_MAX_LIFE_SECONDS,
};
use crate::origin::Origin;
use crate::server_url::ServerUrl;
use crate::status::Status;
use crate::text::is_name;
use crate::time::Time;

/// What a prober saw of one server, and when it had seen it: `status.observed`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The server.
    pub url: ServerUrl,
    /// What was seen.
    pub status: Status,
    /// When the observation ended.
    pub checked_at: Time,
}

/// An issuer and its private key. `Debug` shows no key material.
#[derive(Clone)]
pub struct Signer {
    issuer: Origin,
    kid: String,
    key: SigningKey,
}

/// Why a token was not issued.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IssueError {
    /// `origin.issuer`: the issuer is an address.
    #[error("an issuer is a domain and no address (rule origin.issuer)")]
    Issuer,
    /// `token.kid.form`.
    #[error("a kid has 1 to 128 characters (rule token.kid.form)")]
    Kid,
    /// `token.exp.after-iat`, `token.exp.max-life`.
    #[error("a token lives 1 to 172,800 seconds (rule token.exp.max-life)")]
    Life,
    /// `status.max-age`: the observation is too old, or from the future.
    #[error(
        "an observation supports a token from its own time to 86,400 seconds later (rules status.checked-at, status.max-age)"
    )]
    ObservationAge,
    /// `time.numeric`, `time.document`: a time that the wire has no form for.
    #[error("a time lies outside of 1970 to 9999 (rules time.numeric, time.document)")]
    Time,
    /// `record.name`, `record.first-seen`, `record.history-form`.
    #[error("the record's {0} is not sound (rule record.claims)")]
    Record(&'static str),
    /// `token.length`: the claims make a token of more than 8,192 bytes.
    #[error("the token would be longer than 8,192 bytes (rule token.length)")]
    Length,
}

#[derive(Serialize)]
struct Header<'a> {
    alg: &'static str,
    kid: &'a str,
}

#[derive(Serialize)]
struct Payload<'a> {
    iss: &'a str,
    url: &'a str,
    status: &'static str,
    checked_at: String,
    iat: i64,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_seen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<&'a str>,
}

impl Signer {
    /// A signer for an issuer with a 32-byte Ed25519 seed.
    ///
    /// # Errors
    ///
    /// [`IssueError::Issuer`] and [`IssueError::Kid`].
    pub fn new(
        issuer: Origin,
        kid: impl Into<String>,
        seed: &[u8; 32],
    ) -> Result<Self, IssueError> {
        let kid = kid.into();
        if !issuer.is_issuer() {
            return Err(IssueError::Issuer);
        }
        if !is_kid(&kid) {
            return Err(IssueError::Kid);
        }
        Ok(Self {
            issuer,
            kid,
            key: SigningKey::from_bytes(seed),
        })
    }

    /// The public half as a JWK member `x`: base64url of 32 bytes.
    #[must_use]
    pub fn public_x(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.key.verifying_key().as_bytes())
    }

    /// The `kid` that the tokens name.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// States an observation: a compact JWS.
    ///
    /// # Errors
    ///
    /// [`IssueError`] where a client would refuse the token, or the text forbids it.
    pub fn token(
        &self,
        observation: &Observation,
        iat: Time,
        exp: Time,
    ) -> Result<String, IssueError> {
        self.issue(observation, None, iat, exp)
    }

    /// States an observation with a record's claims: `record.claims`.
    ///
    /// # Errors
    ///
    /// As [`Self::token`], and [`IssueError::Record`].
    pub fn record_token(
        &self,
        observation: &Observation,
        record: &RecordClaims,
        iat: Time,
        exp: Time,
    ) -> Result<String, IssueError> {
        if !is_name(&record.name, SERVER_NAME_MAX_CHARACTERS) {
            return Err(IssueError::Record("name"));
        }
        if record.first_seen > observation.checked_at {
            return Err(IssueError::Record("first_seen"));
        }
        if record
            .history
            .as_ref()
            .is_some_and(|history| *history.origin() != self.issuer)
        {
            return Err(IssueError::Record("history"));
        }
        self.issue(observation, Some(record), iat, exp)
    }

    fn issue(
        &self,
        observation: &Observation,
        record: Option<&RecordClaims>,
        iat: Time,
        exp: Time,
    ) -> Result<String, IssueError> {
        let within = |difference: i64, limit: u64| {
            u64::try_from(difference).is_ok_and(|seconds| seconds <= limit)
        };
        if exp <= iat || !within(exp.since(iat), TOKEN_MAX_LIFE_SECONDS) {
            return Err(IssueError::Life);
        }
        if !within(
            iat.since(observation.checked_at),
            OBSERVATION_MAX_AGE_SECONDS,
        ) {
            return Err(IssueError::ObservationAge);
        }
        let payload = Payload {
            iss: self.issuer.as_str(),
            url: observation.url.as_str(),
            status: observation.status.as_str(),
            checked_at: document_time(observation.checked_at)?,
            iat: numeric_time(iat)?,
            exp: numeric_time(exp)?,
            name: record.map(|record| record.name.as_str()),
            first_seen: record
                .map(|record| document_time(record.first_seen))
                .transpose()?,
            history: record
                .and_then(|record| record.history.as_ref())
                .map(ServerUrl::as_str),
        };
        let header = Header {
            alg: "EdDSA",
            kid: &self.kid,
        };
        // Neither can fail: both are structs of strings and integers.
        let (Ok(header), Ok(payload)) = (serde_json::to_vec(&header), serde_json::to_vec(&payload))
        else {
            return Err(IssueError::Length);
        };
        let mut token = format!(
            "{}.{}",
            URL_SAFE_NO_PAD.encode(header),
            URL_SAFE_NO_PAD.encode(payload)
        );
        let signature = self.key.sign(token.as_bytes());
        token.push('.');
        URL_SAFE_NO_PAD.encode_string(signature.to_bytes(), &mut token);
        if token.len() > TOKEN_MAX_BYTES {
            Err(IssueError::Length)
        } else {
            Ok(token)
        }
    }
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signer")
            .field("issuer", &self.issuer)
            .field("kid", &self.kid)
            .finish_non_exhaustive()
    }
}

fn document_time(time: Time) -> Result<String, IssueError> {
    let text = time.to_string();
    if Time::from_document(&text) == Some(time) {
        Ok(text)
    } else {
        Err(IssueError::Time)
    }
}

fn numeric_time(time: Time) -> Result<i64, IssueError> {
    let seconds = time.unix_seconds();
    let sound = u64::try_from(seconds).is_ok_and(|seconds| seconds <= NUMERIC_TIME_MAX);
    if sound {
        Ok(seconds)
    } else {
        Err(IssueError::Time)
    }
}
