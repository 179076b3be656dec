//! The verification, step by step.

use x509_cert::der::referenced::OwnedToRef;

use super::{
    MAX_TOKEN_BYTES, algorithms,
    authority::{Authority, Window},
    certificate::Certificate,
    cms::SignedData,
    error::Error,
    integer, path, printable,
    request::Request,
    response::{Answer, Granted},
    signature::{self, Fault, Scheme},
    signer,
    timestamp::{Check, Timestamp},
    tst_info::TstInfo,
};
use crate::digest::{Digest, DigestAlgorithm};

/// The hash function of a token's messageImprint, for a caller that has the data and not yet its digest. Nothing else
/// is verified.
///
/// # Errors
/// [`Error`] when the token cannot be read, or names a hash function that is refused.
pub fn message_imprint_algorithm(token_or_response: &[u8]) -> Result<DigestAlgorithm, Error> {
    let answer = read_answer(token_or_response)?;
    let signed_data = SignedData::read(answer.token)?;
    let tst_info = TstInfo::read(signed_data.content)?;
    algorithms::digest(tst_info.imprint.hash_algorithm, IMPRINT)
}

/// Verifies a TimeStampResp or a bare time-stamp token over a digest, against one authority.
///
/// Every certificate is judged at genTime. With the bytes of a TimeStampReq, the token must also answer that request.
///
/// # Errors
/// [`Error`] names the first check that failed.
pub fn verify(
    token_or_response: &[u8],
    digest: &Digest,
    authority: &Authority,
    request: Option<&[u8]>,
) -> Result<Timestamp, Error> {
    let mut checks = Checks::default();
    let request = request.map(Request::read).transpose()?;
    let answer = read_answer(token_or_response)?;
    match answer.status {
        Some(Granted::Granted) => {
            checks.passed("the authority granted the request", RFC3161_FORMAT)
        }
        Some(Granted::GrantedWithMods) => {
            checks.passed(
                "the authority granted the request with modifications",
                RFC3161_FORMAT,
            );
        }
        None => {}
    }
    let signed_data = SignedData::read(answer.token)?;
    let tst_info = TstInfo::read(signed_data.content)?;
    checks.passed("one signer, over a TSTInfo of version 1", RFC3161_FORMAT);

    check_claims(&tst_info, digest, authority, request.as_ref(), &mut checks)?;
    let digest_algorithm = check_attributes(&signed_data, &mut checks)?;

    // A certificate in the token that cannot be decoded is left out: nothing signs that list, so that a damaged one
    // there says nothing about the token. If it was needed, its absence is told.
    let embedded: Vec<_> = signed_data
        .certificates
        .iter()
        .filter_map(|der| Certificate::from_der(der).ok())
        .collect();
    let pool: Vec<_> = authority.intermediates.iter().chain(&embedded).collect();
    let candidates = pool.iter().copied().chain(&authority.roots);
    let certificate = signer::find(&signed_data.signer, candidates)?;
    checks.passed(
        "the signed attributes name the signer's certificate",
        "RFC 5035 3",
    );
    let scheme = check_signature(&signed_data, digest_algorithm, certificate)?;
    checks.passed(
        format!("the signature verifies, {}", scheme.name()),
        "RFC 5652 5.6",
    );
    signer::check_purpose(certificate)?;
    checks.passed("the signer's key is for time-stamping only", "RFC 3161 2.3");
    if let Some(tsa) = tst_info.tsa {
        signer::check_tsa_name(certificate, tsa)?;
        checks.passed(
            "the authority named in the token is the signer",
            RFC3161_FORMAT,
        );
    }

    let path = path::find(certificate, &authority.roots, &pool, &tst_info.gen_time)
        .map_err(Error::Path)?;
    let names: Vec<_> = path.iter().map(|c| printable(c.subject())).collect();
    checks.passed(
        format!(
            "the certificates, all valid at that time: {}",
            names.join(" < ")
        ),
        "RFC 5280 6.1",
    );

    Ok(Timestamp {
        policy: tst_info.policy.to_string(),
        serial: integer::text(tst_info.serial_number),
        nonce: tst_info.nonce.map(integer::text),
        gen_time: tst_info.gen_time,
        accuracy: tst_info.accuracy,
        signer: printable(certificate.subject()),
        signer_sha256: certificate.sha256().to_hex(),
        message_imprint_algorithm: digest.algorithm(),
        checks: checks.0,
    })
}

const RFC3161_FORMAT: &str = "RFC 3161 2.4.2";
const IMPRINT: &str = "the hash of the messageImprint";

#[derive(Default)]
struct Checks(Vec<Check>);

impl Checks {
    fn passed(&mut self, what: impl Into<String>, reference: &'static str) {
        self.0.push(Check {
            what: what.into(),
            reference,
        });
    }
}

fn read_answer(bytes: &[u8]) -> Result<Answer<'_>, Error> {
    if bytes.len() > MAX_TOKEN_BYTES {
        return Err(Error::TooLarge {
            limit: MAX_TOKEN_BYTES,
            found: bytes.len(),
        });
    }
    Answer::read(bytes)
}

/// What the token claims, against what the caller gave.
fn check_claims(
    tst_info: &TstInfo<'_>,
    digest: &Digest,
    authority: &Authority,
    request: Option<&Request<'_>>,
    checks: &mut Checks,
) -> Result<(), Error> {
    check_imprint(tst_info, digest)?;
    checks.passed(
        format!("the messageImprint is the digest, {}", digest.algorithm()),
        RFC3161_FORMAT,
    );
    if let Some(request) = request {
        let answered = request.is_answered_by(tst_info)?;
        checks.passed(
            format!("as in the request: {}", answered.join(", ")),
            RFC3161_FORMAT,
        );
    }
    if !authority.policies.is_empty() {
        if !authority
            .policies
            .iter()
            .any(|p| p.as_bytes() == tst_info.policy.as_bytes())
        {
            let allowed: Vec<_> = authority.policies.iter().map(ToString::to_string).collect();
            return Err(Error::Policy {
                expected: allowed.join(" or "),
                found: tst_info.policy.to_string(),
            });
        }
        checks.passed(
            format!("the policy {} is allowed", tst_info.policy),
            RFC3161_FORMAT,
        );
    }
    if let Some(window) = authority.window.excludes(&tst_info.gen_time) {
        return Err(Error::Window {
            expected: window,
            found: tst_info.gen_time.to_string(),
        });
    }
    if authority.window != Window::default() {
        checks.passed("the authority is trusted for that time", "the trust given");
    }
    Ok(())
}

/// The signed attributes, against the content. Gives the signer's hash function.
fn check_attributes(
    signed_data: &SignedData<'_>,
    checks: &mut Checks,
) -> Result<DigestAlgorithm, Error> {
    let signer = &signed_data.signer;
    signer.check_content_type()?;
    let found = signer.message_digest()?;
    let algorithm = algorithms::digest(signer.digest_algorithm, "the signer's digest algorithm")?;
    signed_data.announces_the_digest()?;
    let expected = Digest::of_bytes(algorithm, signed_data.content);
    if found != expected.as_bytes() {
        return Err(Error::MessageDigest {
            expected: expected.to_hex(),
            found: base16ct::lower::encode_string(found),
        });
    }
    checks.passed(
        format!("the signed attributes name a TSTInfo and its digest, {algorithm}"),
        "RFC 5652 11.1, 11.2",
    );
    Ok(algorithm)
}

/// The same hash function and the same bytes: a SHA-256 digest is also 32 bytes of something else.
fn check_imprint(tst_info: &TstInfo<'_>, digest: &Digest) -> Result<(), Error> {
    let algorithm = algorithms::digest(tst_info.imprint.hash_algorithm, IMPRINT)?;
    if algorithm != digest.algorithm() {
        return Err(Error::MessageImprintAlgorithm {
            expected: digest.algorithm().to_string(),
            found: algorithm.to_string(),
        });
    }
    if tst_info.imprint.hashed_message != digest.as_bytes() {
        return Err(Error::MessageImprint {
            expected: digest.to_hex(),
            found: base16ct::lower::encode_string(tst_info.imprint.hashed_message),
        });
    }
    Ok(())
}

fn check_signature(
    signed_data: &SignedData<'_>,
    digest_algorithm: DigestAlgorithm,
    certificate: &Certificate,
) -> Result<Scheme, Error> {
    let refused = |algorithm| Error::AlgorithmRefused {
        role: "the signature of the token",
        algorithm,
        accepted: signature::ACCEPTED,
    };
    let signer = &signed_data.signer;
    let scheme =
        Scheme::read(signer.signature_algorithm, Some(digest_algorithm)).map_err(|fault| {
            match fault {
                Fault::Refused(algorithm) => refused(algorithm),
                Fault::Invalid => refused("an unreadable algorithm".to_owned()),
            }
        })?;
    if scheme.digest() != digest_algorithm {
        return Err(Error::DigestConflict {
            digest_algorithm: digest_algorithm.to_string(),
            signature_algorithm: scheme.digest().to_string(),
        });
    }
    let key = certificate
        .fields()
        .tbs_certificate()
        .subject_public_key_info();
    match scheme.verify(key.owned_to_ref(), &signer.signed_bytes(), signer.signature) {
        Ok(()) => Ok(scheme),
        Err(Fault::Refused(algorithm)) => Err(refused(algorithm)),
        Err(Fault::Invalid) => Err(Error::Signature {
            algorithm: scheme.name(),
            signer: printable(certificate.subject()),
        }),
    }
}
