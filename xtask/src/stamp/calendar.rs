//! Asking OpenTimestamps calendars: `POST /digest`, and later `GET /timestamp/<commitment>`.

use std::path::PathBuf;

use base16ct::lower::encode_string as hex;
use guarded_fetch::{HeaderName, HeaderValue, Request};
use timestamp_proof::ots::{Attestation, Error, Proof};

use super::network::Network;
use super::ots::{Path, Pending, Tree};
use super::{StampError, Subject, keep, random};
use crate::repo;

/// The pools that the OpenTimestamps client asks unless told otherwise.
pub const DEFAULT_CALENDARS: [&str; 4] = [
    "https://a.pool.opentimestamps.org",
    "https://b.pool.opentimestamps.org",
    "https://a.pool.eternitywall.com",
    "https://ots.btc.catallaxy.com",
];

/// Where the calendars behind these pools live; a promise by any other is not asked about, unless its address is given.
const KNOWN_DOMAINS: [&str; 3] = [
    ".calendar.opentimestamps.org",
    ".calendar.eternitywall.com",
    ".calendar.catallaxy.com",
];

const MEDIA_TYPES: [&str; 2] = [
    "application/octet-stream",
    "application/vnd.opentimestamps.v1",
];

/// The largest answer that the reference client takes, in bytes.
const MAX_ANSWER_BYTES: u64 = 10_000;

/// How many open promises are asked about in one go: each is a request.
const MAX_QUESTIONS: usize = 64;

/// What one calendar did.
#[derive(Debug)]
pub struct Asked {
    /// Its address.
    pub calendar: String,
    /// What it attests, or why its answer was not taken.
    pub answer: Result<Vec<Attestation>, StampError>,
}

/// Submits the digest to each calendar and keeps what they promise, if at least two (or all, if fewer were asked) did.
///
/// # Errors
/// [`StampError::Exists`], [`StampError::TooFewCalendars`]; nothing is kept then.
pub fn submit(
    network: &Network,
    subject: &Subject,
    calendars: &[String],
    mut tell: impl FnMut(&Asked),
) -> Result<PathBuf, StampError> {
    let path = subject.ots_path();
    if path.exists() {
        return Err(StampError::Exists { path });
    }
    let mut tree = Tree::new(subject.digest());
    let (blinding, digest) = Tree::blinded(subject.digest(), random()?);
    let mut answered = 0;
    let mut any_false = false;
    for calendar in calendars {
        let media_type = HeaderValue::from_static("application/octet-stream");
        let request = Request::post(
            address(calendar, "digest"),
            media_type,
            digest.as_bytes().to_vec(),
        );
        let asked = ask(network, request, calendar, &mut tree, &blinding);
        match &asked.answer {
            Ok(_) => answered += 1,
            Err(error) => any_false |= error.is_false(),
        }
        tell(&asked);
    }
    let needed = calendars.len().min(2);
    if answered < needed {
        return Err(StampError::TooFewCalendars {
            asked: calendars.len(),
            answered,
            needed,
            any_false,
        });
    }
    let bytes = checked(&tree, subject)?;
    keep::new_file(&path, &bytes)?;
    Ok(path)
}

/// What an upgrade came to.
#[derive(Debug)]
pub struct Upgraded {
    /// The proof.
    pub path: PathBuf,
    /// Whether it grew.
    pub grown: bool,
    /// Whether a calendar gave an answer that is false.
    pub any_false: bool,
    /// What the proof holds now.
    pub proof: Proof,
    /// Calendars that nobody asked: their addresses are neither known nor given.
    pub strangers: Vec<String>,
}

/// Asks the calendars what became of their promises, and keeps what they answer beside what is there.
///
/// # Errors
/// [`StampError::NoProof`], [`StampError::OtherDigest`], or what is wrong with the proof that is there.
pub fn upgrade(
    network: &Network,
    subject: &Subject,
    calendars: &[String],
    mut tell: impl FnMut(&Asked),
) -> Result<Upgraded, StampError> {
    let path = subject.ots_path();
    if !path.exists() {
        return Err(StampError::NoProof { path });
    }
    let before = repo::read(&path)?;
    let mut tree = Tree::parse(&before).map_err(|source| StampError::Ots {
        from: path.display().to_string(),
        source,
    })?;
    checked(&tree, subject)?;
    let (known, strangers): (Vec<Pending>, Vec<Pending>) = tree
        .pending()
        .into_iter()
        .partition(|pending| is_known(&pending.uri, calendars));
    let (mut grown, mut any_false) = (false, false);
    for pending in known.iter().take(MAX_QUESTIONS) {
        let url = address(
            &pending.uri,
            &format!("timestamp/{}", hex(&pending.commitment)),
        );
        let asked = ask(
            network,
            Request::get(url),
            &pending.uri,
            &mut tree,
            &pending.path,
        );
        match &asked.answer {
            Ok(_) => grown = true,
            Err(error) => any_false |= error.is_false(),
        }
        tell(&asked);
    }
    let bytes = checked(&tree, subject)?;
    if grown {
        keep::grown_file(&path, &bytes)?;
    }
    let proof = Proof::parse(&bytes).map_err(|source| StampError::Ots {
        from: path.display().to_string(),
        source,
    })?;
    let mut strangers: Vec<_> = strangers.into_iter().map(|pending| pending.uri).collect();
    strangers.dedup();
    Ok(Upgraded {
        path,
        grown,
        any_false,
        proof,
        strangers,
    })
}

fn ask(network: &Network, request: Request, calendar: &str, tree: &mut Tree, path: &Path) -> Asked {
    let accept = HeaderValue::from_static("application/vnd.opentimestamps.v1");
    // Over https only: whose promise it is, an answer does not prove.
    let request = request
        .header(HeaderName::from_static("accept"), accept)
        .response_bytes(MAX_ANSWER_BYTES);
    let graft = |bytes: Vec<u8>| {
        let mut grown = tree.clone();
        let attestations = grown
            .graft(path, &bytes)
            .map_err(|source| StampError::Ots {
                from: calendar.to_owned(),
                source,
            })?;
        let promises = |one: &Attestation| {
            matches!(
                one,
                Attestation::Pending { .. } | Attestation::Bitcoin { .. }
            )
        };
        if !attestations.iter().any(promises) {
            let kinds: Vec<_> = attestations.iter().map(Attestation::kind).collect();
            return Err(StampError::NoPromise {
                from: calendar.to_owned(),
                found: kinds.join(", "),
            });
        }
        *tree = grown;
        Ok(attestations)
    };
    let answer = network.fetch(request, &MEDIA_TYPES).and_then(graft);
    Asked {
        calendar: calendar.to_owned(),
        answer,
    }
}

/// The proof's bytes, if they can be read and are about the subject.
fn checked(tree: &Tree, subject: &Subject) -> Result<Vec<u8>, StampError> {
    let bytes = tree.to_bytes();
    let path = subject.ots_path();
    let unsound = |source: Error| StampError::Ots {
        from: path.display().to_string(),
        source,
    };
    let proof = Proof::parse(&bytes).map_err(unsound)?;
    let found = proof.file_digest().bytes();
    if found != subject.digest().as_bytes() {
        let (expected, found) = (subject.digest().to_hex(), hex(found));
        return Err(StampError::OtherDigest {
            path,
            expected,
            found,
        });
    }
    Ok(bytes)
}

fn address(calendar: &str, rest: &str) -> String {
    format!("{}/{rest}", calendar.trim_end_matches('/'))
}

fn is_known(uri: &str, given: &[String]) -> bool {
    let trimmed = uri.trim_end_matches('/');
    given.iter().any(|one| one.trim_end_matches('/') == trimmed)
        || trimmed.strip_prefix("https://").is_some_and(|host| {
            let is_host = !host.contains(['/', ':', '@', '\\']);
            is_host && KNOWN_DOMAINS.iter().any(|domain| host.ends_with(domain))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_or_given_calendars_are_asked() {
        let given = ["http://127.0.0.1:1234".to_owned()];
        for (uri, expected) in [
            ("https://alice.btc.calendar.opentimestamps.org", true),
            ("https://alice.btc.calendar.opentimestamps.org/", true),
            ("https://btc.calendar.catallaxy.com", true),
            ("http://alice.btc.calendar.opentimestamps.org", false),
            ("https://calendar.opentimestamps.org.evil.example", false),
            ("https://evil.example/.calendar.opentimestamps.org", false),
            (
                "https://evil.example:443.calendar.opentimestamps.org",
                false,
            ),
            ("http://127.0.0.1:1234/", true),
            ("http://127.0.0.1:12345", false),
        ] {
            assert_eq!(is_known(uri, &given), expected, "{uri}");
        }
    }
}
