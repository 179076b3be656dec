//! The certificate path from the signer to a root of the one authority (RFC 5280 section 6), judged at genTime.
//!
//! nameConstraints are not evaluated: where they are critical, as RFC 5280 has them, the path is refused. Revocation is
//! not looked at: that needs a network and a clock.

mod error;
mod policy;

use der::asn1::ObjectIdentifier;
use x509_cert::{
    certificate::Version,
    der::referenced::OwnedToRef,
    ext::pkix::{BasicConstraints, KeyUsage},
};

pub use self::error::PathError;
use super::{
    certificate::Certificate,
    printable,
    signature::{Fault, Scheme},
    timestamp::GenTime,
};

/// The most certificates between the signer and a root, both included. Real paths have two to four.
const MAX_LENGTH: usize = 8;

/// The most signatures that are verified in search of a path. Real searches take one to five.
const MAX_SIGNATURES: usize = 64;

/// Critical extensions whose meaning is honoured, here or in `signer`, or that restrict nothing here.
const UNDERSTOOD: [ObjectIdentifier; 9] = [
    ObjectIdentifier::new_unwrap("2.5.29.14"), // subjectKeyIdentifier
    ObjectIdentifier::new_unwrap("2.5.29.15"), // keyUsage
    ObjectIdentifier::new_unwrap("2.5.29.17"), // subjectAltName
    ObjectIdentifier::new_unwrap("2.5.29.19"), // basicConstraints
    ObjectIdentifier::new_unwrap("2.5.29.32"), // certificatePolicies
    ObjectIdentifier::new_unwrap("2.5.29.35"), // authorityKeyIdentifier
    ObjectIdentifier::new_unwrap("2.5.29.36"), // policyConstraints
    ObjectIdentifier::new_unwrap("2.5.29.37"), // extendedKeyUsage
    ObjectIdentifier::new_unwrap("2.5.29.54"), // inhibitAnyPolicy
];

/// Finds a path, the signer first and the root last.
pub(super) fn find<'c>(
    signer: &'c Certificate,
    roots: &'c [Certificate],
    pool: &[&'c Certificate],
    gen_time: &GenTime,
) -> Result<Vec<&'c Certificate>, PathError> {
    let mut search = Search {
        roots,
        pool,
        gen_time,
        signatures: 0,
        nearest: None,
    };
    let mut path = vec![signer];
    search.judge(signer)?;
    match search.extend(&mut path) {
        Ok(true) => Ok(path),
        Ok(false) => {
            let missing = || PathError::IssuerMissing {
                subject: printable(signer.subject()),
                issuer: printable(signer.issuer()),
            };
            Err(search.nearest.map_or_else(missing, |(_, error)| error))
        }
        Err(error) => Err(error),
    }
}

struct Search<'s, 'c> {
    roots: &'c [Certificate],
    pool: &'s [&'c Certificate],
    gen_time: &'s GenTime,
    signatures: usize,
    /// The failure of the attempt that got farthest, with the length of its path.
    nearest: Option<(usize, PathError)>,
}

impl<'c> Search<'_, 'c> {
    /// Depth first: true when `path` has reached a root; the only error is the limit of signatures.
    fn extend(&mut self, path: &mut Vec<&'c Certificate>) -> Result<bool, PathError> {
        let Some(last) = path.last().copied() else {
            return Ok(false);
        };
        if self.roots.iter().any(|root| root.der() == last.der()) {
            return Ok(true);
        }
        if path.len() >= MAX_LENGTH {
            self.note(
                path.len(),
                PathError::SearchLimit {
                    counted: "certificates in one path",
                    limit: MAX_LENGTH,
                },
            );
            return Ok(false);
        }
        let mut issuer_seen = false;
        let roots = self.roots.iter().map(|c| (c, true));
        let pool = self.pool.iter().copied().map(|c| (c, false));
        for (issuer, is_root) in roots.chain(pool) {
            if issuer.subject() != last.issuer() || path.iter().any(|c| c.der() == issuer.der()) {
                continue;
            }
            issuer_seen = true;
            if let Err(error) = self.may_issue(issuer, is_root, path) {
                if let PathError::SearchLimit { .. } = error {
                    return Err(error);
                }
                self.note(path.len(), error);
                continue;
            }
            path.push(issuer);
            if is_root {
                match policy::check(path) {
                    Ok(()) => return Ok(true),
                    Err(error) => self.note(path.len(), error),
                }
            } else if self.extend(path)? {
                return Ok(true);
            }
            path.pop();
        }
        if !issuer_seen {
            let subject = printable(last.subject());
            self.note(
                path.len(),
                PathError::IssuerMissing {
                    subject,
                    issuer: printable(last.issuer()),
                },
            );
        }
        Ok(false)
    }

    fn note(&mut self, length: usize, error: PathError) {
        if self
            .nearest
            .as_ref()
            .is_none_or(|(nearest, _)| *nearest < length)
        {
            self.nearest = Some((length, error));
        }
    }

    /// Every certificate of a path: valid at genTime, no critical extension that is not understood.
    fn judge(&self, certificate: &Certificate) -> Result<(), PathError> {
        let tbs = certificate.fields().tbs_certificate();
        let subject = || printable(certificate.subject());
        let (from, until) = (tbs.validity().not_before, tbs.validity().not_after);
        let seconds = |d: std::time::Duration| i64::try_from(d.as_secs()).unwrap_or(i64::MAX);
        if !self.gen_time.is_within(
            seconds(from.to_unix_duration()),
            seconds(until.to_unix_duration()),
        ) {
            return Err(PathError::Validity {
                subject: subject(),
                expected: format!("from {} to {}", from.to_date_time(), until.to_date_time()),
                found: self.gen_time.to_string(),
            });
        }
        let extensions = tbs.extensions().map_or(&[][..], Vec::as_slice);
        for (i, extension) in extensions.iter().enumerate() {
            let repeated = extensions
                .iter()
                .take(i)
                .any(|e| e.extn_id == extension.extn_id);
            if repeated || extension.critical && !UNDERSTOOD.contains(&extension.extn_id) {
                let found = extension.extn_id.to_string();
                let subject = subject();
                return Err(if repeated {
                    PathError::RepeatedExtension { subject, found }
                } else {
                    PathError::CriticalExtension { subject, found }
                });
            }
        }
        Ok(())
    }

    /// May this certificate stand after the last one of the path?
    fn may_issue(
        &mut self,
        issuer: &Certificate,
        is_root: bool,
        path: &[&Certificate],
    ) -> Result<(), PathError> {
        let Some(last) = path.last() else {
            return Ok(());
        };
        self.judge(issuer)?;
        check_ca(issuer, is_root, path)?;
        if self.signatures == MAX_SIGNATURES {
            return Err(PathError::SearchLimit {
                counted: "signatures",
                limit: MAX_SIGNATURES,
            });
        }
        self.signatures += 1;
        verify_issued(last, issuer)
    }
}

/// A certification authority, allowed to sign certificates, with room for the path below it (RFC 5280 6.1.4 k to n).
fn check_ca(issuer: &Certificate, is_root: bool, path: &[&Certificate]) -> Result<(), PathError> {
    let tbs = issuer.fields().tbs_certificate();
    let not_ca = |missing| PathError::NotCa {
        subject: printable(issuer.subject()),
        missing,
    };
    let constraints = tbs
        .get_extension::<BasicConstraints>()
        .map_err(|_| not_ca("readable basicConstraints"))?;
    match constraints {
        // A root of version 1 has no extensions: it is a root because the caller says so (RFC 5280 6.1.1 d).
        None if is_root && tbs.version() == Version::V1 => {}
        None => return Err(not_ca("basicConstraints")),
        Some((_, BasicConstraints { ca: false, .. })) => {
            return Err(not_ca("basicConstraints with cA TRUE"));
        }
        Some((
            _,
            BasicConstraints {
                path_len_constraint,
                ..
            },
        )) => {
            let below = path
                .iter()
                .skip(1)
                .filter(|c| c.subject() != c.issuer())
                .count();
            let found = u64::try_from(below).unwrap_or(u64::MAX);
            if let Some(expected) = path_len_constraint.map(u64::from)
                && found > expected
            {
                return Err(PathError::PathLength {
                    subject: printable(issuer.subject()),
                    expected,
                    found,
                });
            }
        }
    }
    match tbs
        .get_extension::<KeyUsage>()
        .map_err(|_| not_ca("readable keyUsage"))?
    {
        Some((_, usage)) if !usage.key_cert_sign() => Err(not_ca("keyUsage with keyCertSign")),
        _ => Ok(()),
    }
}

fn verify_issued(certificate: &Certificate, issuer: &Certificate) -> Result<(), PathError> {
    let refused = |algorithm| PathError::AlgorithmRefused {
        subject: printable(certificate.subject()),
        algorithm,
    };
    let fields = certificate.fields();
    let algorithm = fields.signature_algorithm();
    // Both must name the same algorithm (RFC 5280 4.1.1.2); only the inner one is signed.
    if algorithm != fields.tbs_certificate().signature() {
        return Err(refused(
            "another algorithm than the signed part names".to_owned(),
        ));
    }
    let invalid = || PathError::Signature {
        subject: printable(certificate.subject()),
        issuer: printable(issuer.subject()),
    };
    let fault = |fault| match fault {
        Fault::Refused(algorithm) => refused(algorithm),
        Fault::Invalid => invalid(),
    };
    let scheme = Scheme::read(algorithm.owned_to_ref(), None).map_err(fault)?;
    let signature = fields.signature().as_bytes().ok_or_else(invalid)?;
    let key = issuer.fields().tbs_certificate().subject_public_key_info();
    scheme
        .verify(key.owned_to_ref(), certificate.tbs(), signature)
        .map_err(fault)
}

#[cfg(test)]
mod tests {
    use der::{Decode, asn1::AnyRef};

    use super::{
        super::{Authority, timestamp::GenTime},
        MAX_LENGTH, MAX_SIGNATURES, PathError, find,
    };

    /// Certificates of one key that issue one another in circles.
    const CIRCLES: &[u8] = include_bytes!("../../tests/data/circles.pem");
    const ROOT: &[u8] = include_bytes!("../../tests/data/root.pem");

    #[test]
    fn a_search_in_circles_ends() {
        let circles = Authority::from_roots(CIRCLES).unwrap().roots;
        let roots = Authority::from_roots(ROOT).unwrap().roots;
        let pool: Vec<_> = circles.iter().collect();
        let gen_time = AnyRef::from_der(b"\x18\x0f20270101000000Z").unwrap();
        let gen_time = GenTime::read(gen_time).unwrap();
        let found = find(&circles[0], &roots, &pool, &gen_time);
        assert_eq!(
            found,
            Err(PathError::SearchLimit {
                counted: "signatures",
                limit: MAX_SIGNATURES
            })
        );

        // The same circles lead to a root where there is one.
        let (root, others) = circles.split_last().unwrap();
        let pool: Vec<_> = others.iter().collect();
        let path = find(&circles[0], std::slice::from_ref(root), &pool, &gen_time).unwrap();
        assert!((2..=MAX_LENGTH).contains(&path.len()), "{}", path.len());
        assert_eq!(path.last().map(|c| c.der()), Some(root.der()));
    }
}
