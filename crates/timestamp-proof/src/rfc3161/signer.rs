//! The signer's certificate: which one it is, that the token is bound to it, and that it is one for time-stamping.

use der::{
    Decode, Reader, SliceReader, Tag,
    asn1::{IntRef, ObjectIdentifier, OctetStringRef},
};
use sha1::{Digest as _, Sha1};
use x509_cert::{
    ext::pkix::{
        BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages, SubjectAltName,
        SubjectKeyIdentifier,
        name::{GeneralName, GeneralNames},
    },
    spki::AlgorithmIdentifierRef,
};

use super::{
    algorithms,
    asn1::{elements, exactly, malformed, optional},
    certificate::Certificate,
    cms::{SignerId, SignerInfo},
    error::Error,
    printable,
};
use crate::digest::{Digest, DigestAlgorithm};

const TIME_STAMPING: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.8");

/// Finds the signer's certificate: named by the SignerInfo, and bound by the signed ESS attributes.
///
/// Anyone can add certificates to a token, also ones with the signer's issuer and serial number. The ESS attributes
/// are signed and hold a hash, so they decide between several that fit the name.
pub(super) fn find<'c>(
    signer: &SignerInfo<'_>,
    mut candidates: impl Iterator<Item = &'c Certificate>,
) -> Result<&'c Certificate, Error> {
    let ess = EssIds::read(signer)?;
    let mut first_mismatch = None;
    let found = candidates.find(|certificate| {
        is_named(&signer.id, certificate)
            && match ess.check(certificate) {
                Ok(()) => true,
                Err(mismatch) => {
                    first_mismatch.get_or_insert(mismatch);
                    false
                }
            }
    });
    found.ok_or_else(|| {
        first_mismatch.unwrap_or_else(|| Error::SignerCertificateMissing {
            signer: signer.id.to_string(),
        })
    })
}

fn is_named(id: &SignerId<'_>, certificate: &Certificate) -> bool {
    let tbs = certificate.fields().tbs_certificate();
    match id {
        SignerId::IssuerAndSerialNumber {
            issuer,
            serial_number,
        } => tbs.serial_number().as_bytes() == serial_number.as_bytes() && tbs.issuer() == issuer,
        SignerId::SubjectKeyIdentifier(id) => {
            matches!(tbs.get_extension::<SubjectKeyIdentifier>(), Ok(Some((_, ski))) if ski.0.as_bytes() == *id)
        }
    }
}

/// The first certificate identifiers of the ESS attributes, at least one of the two.
struct EssIds<'a> {
    v1: Option<EssId<'a>>,
    v2: Option<EssId<'a>>,
}

struct EssId<'a> {
    attribute: &'static str,
    /// `None` is SHA-1, which version 1 is bound to (RFC 2634 5.4.1).
    hash_algorithm: Option<DigestAlgorithm>,
    hash: &'a [u8],
    issuer_serial: Option<(GeneralNames, IntRef<'a>)>,
}

impl<'a> EssIds<'a> {
    fn read(signer: &SignerInfo<'a>) -> Result<Self, Error> {
        let v1 = signer.signing_certificate()?;
        let v2 = signer.signing_certificate_v2()?;
        if v1.is_none() && v2.is_none() {
            return Err(Error::AttributeMissing {
                attribute: "signingCertificate or signingCertificateV2",
            });
        }
        let v1 = v1
            .map(|value| EssId::read(value, "signingCertificate"))
            .transpose()?;
        let v2 = v2
            .map(|value| EssId::read(value, "signingCertificateV2"))
            .transpose()?;
        Ok(Self { v1, v2 })
    }

    fn check(&self, certificate: &Certificate) -> Result<(), Error> {
        self.v1
            .iter()
            .chain(&self.v2)
            .try_for_each(|id| id.check(certificate))
    }
}

impl<'a> EssId<'a> {
    /// Reads the first identifier: "The first certificate identified in the sequence of certificate identifiers MUST
    /// be the certificate used to verify the signature" (RFC 5035 section 3). Those after it restrict nothing here.
    fn read(value: &'a [u8], attribute: &'static str) -> Result<Self, Error> {
        let list = exactly(value, attribute, |r| {
            r.sequence(|r| {
                let list = optional(r, Tag::Sequence)?;
                // policies
                optional(r, Tag::Sequence)?;
                Ok::<_, der::Error>(list)
            })
        })?;
        let ids = elements(list.map_or(&[][..], |l| l.value())).map_err(malformed(attribute))?;
        let first = ids.first().ok_or(Error::AttributeCount {
            attribute,
            counted: "certificate identifiers",
            found: 0,
        })?;
        let is_v2 = attribute == "signingCertificateV2";
        let (hash_algorithm, hash, issuer_serial) = exactly(first, attribute, |r| {
            r.sequence(|r| {
                let hash_algorithm = if is_v2 {
                    optional(r, Tag::Sequence)?
                } else {
                    None
                };
                let hash = <&OctetStringRef>::decode(r)?.as_bytes();
                let issuer_serial = if r.is_finished() {
                    None
                } else {
                    Some(issuer_serial(r)?)
                };
                Ok::<_, der::Error>((hash_algorithm, hash, issuer_serial))
            })
        })?;
        let hash_algorithm = match (is_v2, hash_algorithm) {
            (false, _) => None,
            (true, None) => Some(DigestAlgorithm::Sha256),
            (true, Some(any)) => {
                let algorithm = any
                    .decode_as::<AlgorithmIdentifierRef<'_>>()
                    .map_err(malformed(attribute))?;
                Some(algorithms::digest(
                    algorithm,
                    "the hash of signingCertificateV2",
                )?)
            }
        };
        Ok(Self {
            attribute,
            hash_algorithm,
            hash,
            issuer_serial,
        })
    }

    fn check(&self, certificate: &Certificate) -> Result<(), Error> {
        let expected = match self.hash_algorithm {
            Some(algorithm) => Digest::of_bytes(algorithm, certificate.der())
                .as_bytes()
                .to_vec(),
            None => Sha1::digest(certificate.der()).to_vec(),
        };
        if self.hash != expected {
            return Err(Error::SigningCertificate {
                attribute: self.attribute,
                compared: "the hash",
                expected: base16ct::lower::encode_string(&expected),
                found: base16ct::lower::encode_string(self.hash),
            });
        }
        let Some((issuer, serial)) = &self.issuer_serial else {
            return Ok(());
        };
        let tbs = certificate.fields().tbs_certificate();
        let issuer_fits =
            matches!(issuer.as_slice(), [GeneralName::DirectoryName(name)] if name == tbs.issuer());
        if issuer_fits && serial.as_bytes() == tbs.serial_number().as_bytes() {
            return Ok(());
        }
        let hex = base16ct::lower::encode_string;
        let found = match issuer.as_slice() {
            [GeneralName::DirectoryName(name)] => printable(name),
            names => format!("{} names that are not one directory name", names.len()),
        };
        Err(Error::SigningCertificate {
            attribute: self.attribute,
            compared: "issuer and serial number",
            expected: format!(
                "{}, {}",
                printable(tbs.issuer()),
                hex(tbs.serial_number().as_bytes())
            ),
            found: format!("{found}, {}", hex(serial.as_bytes())),
        })
    }
}

fn issuer_serial<'a>(r: &mut SliceReader<'a>) -> der::Result<(GeneralNames, IntRef<'a>)> {
    r.sequence(|r| Ok((GeneralNames::decode(r)?, IntRef::decode(r)?)))
}

/// The signer must be an end entity whose key is for time-stamping and nothing else (RFC 3161 2.3).
pub(super) fn check_purpose(certificate: &Certificate) -> Result<(), Error> {
    let tbs = certificate.fields().tbs_certificate();
    match tbs
        .get_extension::<ExtendedKeyUsage>()
        .map_err(malformed("extendedKeyUsage"))?
    {
        Some((true, usage)) if usage.0 == [TIME_STAMPING] => {}
        None => {
            return Err(Error::ExtendedKeyUsage {
                found: "none".to_owned(),
            });
        }
        Some((critical, usage)) => {
            let usages: Vec<_> = usage.0.iter().map(purpose_name).collect();
            let critical = if critical { "critical" } else { "not critical" };
            return Err(Error::ExtendedKeyUsage {
                found: format!("{} ({critical})", usages.join(" and ")),
            });
        }
    }
    if let Some((_, usage)) = tbs
        .get_extension::<KeyUsage>()
        .map_err(malformed("keyUsage"))?
    {
        let signing = KeyUsages::DigitalSignature | KeyUsages::NonRepudiation;
        if usage.0.is_empty() || !signing.contains(usage.0) {
            let usages: Vec<_> = usage.0.into_iter().map(|u| format!("{u:?}")).collect();
            return Err(Error::KeyUsage {
                found: usages.join(" and "),
            });
        }
    }
    match tbs
        .get_extension::<BasicConstraints>()
        .map_err(malformed("basicConstraints"))?
    {
        Some((_, constraints)) if constraints.ca => Err(Error::SignerIsCa {
            subject: printable(certificate.subject()),
        }),
        _ => Ok(()),
    }
}

fn purpose_name(oid: &ObjectIdentifier) -> String {
    let name = match oid.to_string().as_str() {
        "1.3.6.1.5.5.7.3.8" => "timeStamping",
        "1.3.6.1.5.5.7.3.1" => "serverAuth",
        "1.3.6.1.5.5.7.3.2" => "clientAuth",
        "1.3.6.1.5.5.7.3.3" => "codeSigning",
        "1.3.6.1.5.5.7.3.4" => "emailProtection",
        "2.5.29.37.0" => "anyExtendedKeyUsage",
        other => return other.to_owned(),
    };
    name.to_owned()
}

/// TSTInfo.tsa "MUST correspond to one of the subject names included in the certificate" (RFC 3161 2.4.2).
pub(super) fn check_tsa_name(certificate: &Certificate, tsa: &[u8]) -> Result<(), Error> {
    let found = exactly(tsa, "TSTInfo.tsa", GeneralName::decode)?;
    if matches!(&found, GeneralName::DirectoryName(name) if name == certificate.subject()) {
        return Ok(());
    }
    let tbs = certificate.fields().tbs_certificate();
    if let Ok(Some((_, SubjectAltName(names)))) = tbs.get_extension::<SubjectAltName>()
        && names.contains(&found)
    {
        return Ok(());
    }
    Err(Error::TsaName {
        expected: printable(certificate.subject()),
        found: describe(&found),
    })
}

fn describe(name: &GeneralName) -> String {
    match name {
        GeneralName::DirectoryName(name) => printable(name),
        GeneralName::DnsName(name) => super::clean(name.as_str()),
        GeneralName::Rfc822Name(name) => super::clean(name.as_str()),
        GeneralName::UniformResourceIdentifier(name) => super::clean(name.as_str()),
        _ => "a name of another kind".to_owned(),
    }
}
