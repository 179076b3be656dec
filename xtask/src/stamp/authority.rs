//! Asking a timestamp authority (RFC 3161 section 3.4).

use std::path::PathBuf;

use guarded_fetch::{HeaderName, HeaderValue, Request, Scheme};
use timestamp_proof::rfc3161::{self, MAX_TOKEN_BYTES, Timestamp};

use super::network::Network;
use super::{StampError, Subject, keep};
use crate::proofs::authority::Authority;

const QUERY: &str = "application/timestamp-query";
const REPLY: &str = "application/timestamp-reply";

/// Sends the request, verifies the answer against request, digest and the authority's own roots, and keeps it.
///
/// # Errors
/// Everything that can be wrong with authority, network or answer; nothing is kept then.
pub fn stamp(
    network: &Network,
    authority: &Authority,
    subject: &Subject,
) -> Result<(Timestamp, PathBuf), StampError> {
    let description = authority.description();
    let name = &description.name;
    let path = subject.token_path(name);
    if path.exists() {
        return Err(StampError::Exists { path });
    }
    let Some(url) = &description.url else {
        return Err(StampError::NoUrl { name: name.clone() });
    };
    let anchors = authority.anchors()?;
    let query = subject.request(name)?;
    let request = Request::post(url, HeaderValue::from_static(QUERY), query.clone())
        .header(
            HeaderName::from_static("accept"),
            HeaderValue::from_static(REPLY),
        )
        .scheme(Scheme::SelfProving)
        .response_bytes(u64::try_from(MAX_TOKEN_BYTES).unwrap_or(u64::MAX));
    let answer = network.fetch(request, &[REPLY])?;
    let timestamp =
        rfc3161::verify(&answer, subject.digest(), &anchors, Some(&query)).map_err(|source| {
            StampError::Token {
                from: name.clone(),
                source,
            }
        })?;
    keep::new_file(&path, &answer)?;
    Ok((timestamp, path))
}
