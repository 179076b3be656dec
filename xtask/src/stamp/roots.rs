//! Fetching an authority's certificates: a root is kept only if `authority.toml` pins it.

use std::path::PathBuf;

use der::pem::{self, LineEnding};
use guarded_fetch::{Request, Scheme};
use timestamp_proof::digest::{Digest, DigestAlgorithm};
use timestamp_proof::rfc3161::{AuthorityError, MAX_CERTIFICATE_BYTES, MAX_CERTIFICATES};

use super::network::Network;
use super::{StampError, keep};
use crate::proofs::authority::Authority;

/// A file of certificates that is now there.
#[derive(Debug)]
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of each certificate in it, in hexadecimal.
    pub fingerprints: Vec<String>,
    /// Where they came from.
    pub sources: Vec<String>,
}

/// Fetches roots and chain; keeps both, or nothing.
///
/// The pinned fingerprint is the proof, so the transport need not be https. A chain is never trusted for itself, and
/// needs no pin.
///
/// # Errors
/// [`StampError::RootNotThere`] if an address gives no certificate with the pinned fingerprint.
pub fn add(network: &Network, authority: &Authority) -> Result<Vec<Kept>, StampError> {
    let description = authority.description();
    let mut roots = Certificates::default();
    for root in &description.roots {
        let Some(source) = &root.source else {
            return Err(StampError::NoSource {
                name: description.name.clone(),
                subject: root.subject.clone(),
            });
        };
        let fetched = fetch(network, source)?;
        let prints: Vec<_> = fetched.iter().map(|der| fingerprint(der)).collect();
        // Whatever else lies at the address is not taken.
        let pinned = fetched
            .into_iter()
            .zip(&prints)
            .find(|(_, found)| **found == root.sha256);
        let Some((der, _)) = pinned else {
            return Err(StampError::RootNotThere {
                url: source.clone(),
                expected: root.sha256.clone(),
                found: prints,
            });
        };
        roots.add(&der, source)?;
    }
    let anchors = authority.with_roots(roots.pem.as_bytes())?;
    let chain = match &description.chain {
        None => None,
        Some(chain) => {
            let mut certificates = Certificates::default();
            for der in fetch(network, &chain.source)? {
                certificates.add(&der, &chain.source)?;
            }
            anchors
                .with_intermediates(certificates.pem.as_bytes())
                .map_err(StampError::Certificates)?;
            Some(certificates)
        }
    };
    keep::fits(&authority.root_path(), roots.pem.as_bytes())?;
    // The chain comes first: without a root the authority is not used at all.
    let chain = chain
        .map(|chain| chain.keep(authority.chain_path()))
        .transpose()?;
    let roots = roots.keep(authority.root_path())?;
    Ok([roots].into_iter().chain(chain).collect())
}

#[derive(Default)]
struct Certificates {
    pem: String,
    prints: Vec<String>,
    sources: Vec<String>,
}

impl Certificates {
    fn keep(self, path: PathBuf) -> Result<Kept, StampError> {
        keep::new_file(&path, self.pem.as_bytes())?;
        Ok(Kept {
            path,
            fingerprints: self.prints,
            sources: self.sources,
        })
    }

    fn add(&mut self, der: &[u8], source: &str) -> Result<(), StampError> {
        let block = pem::encode_string("CERTIFICATE", LineEnding::LF, der).map_err(bad_pem)?;
        self.pem.push_str(&block);
        self.prints.push(fingerprint(der));
        if !self.sources.iter().any(|known| known == source) {
            self.sources.push(source.to_owned());
        }
        Ok(())
    }
}

fn fetch(network: &Network, url: &str) -> Result<Vec<Vec<u8>>, StampError> {
    let limit = u64::try_from(MAX_CERTIFICATE_BYTES).unwrap_or(u64::MAX);
    let request = Request::get(url)
        .scheme(Scheme::SelfProving)
        .response_bytes(limit);
    // Servers name this media type in a dozen ways.
    split(&network.fetch(request, &[])?)
}

fn fingerprint(der: &[u8]) -> String {
    Digest::of_bytes(DigestAlgorithm::Sha256, der).to_hex()
}

/// The DER certificates in a PEM text, or the one that the bytes are. Text around PEM blocks is left out.
fn split(bytes: &[u8]) -> Result<Vec<Vec<u8>>, StampError> {
    if bytes.first() == Some(&0x30) {
        return Ok(vec![bytes.to_vec()]);
    }
    let text = String::from_utf8_lossy(bytes);
    let blocks = text
        .split_inclusive(END)
        .filter_map(|part| part.get(part.find(BEGIN)?..));
    let certificates: Result<Vec<_>, _> = blocks
        .take(MAX_CERTIFICATES + 1)
        .map(|block| {
            pem::decode_vec(block.as_bytes())
                .map(|(_, der)| der)
                .map_err(bad_pem)
        })
        .collect();
    match certificates?.as_slice() {
        [] => Err(StampError::Certificates(AuthorityError::NoCertificate)),
        found if found.len() > MAX_CERTIFICATES => {
            Err(StampError::Certificates(AuthorityError::TooLarge {
                counted: "number",
                limit: MAX_CERTIFICATES,
            }))
        }
        found => Ok(found.to_vec()),
    }
}

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";

fn bad_pem(error: pem::Error) -> StampError {
    StampError::Certificates(AuthorityError::Pem {
        detail: error.to_string(),
    })
}
