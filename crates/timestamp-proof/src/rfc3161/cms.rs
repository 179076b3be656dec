//! The SignedData around a TSTInfo (RFC 5652 section 5, RFC 3161 2.4.2).
//!
//! Read by hand on `der`, for two reasons: sets must be taken in the order received, and signed parts as the bytes
//! received. Version numbers are read over: the signature does not cover them and nothing depends on them.

use der::{
    Decode, Reader, SliceReader, Tag,
    asn1::{AnyRef, IntRef, ObjectIdentifier, OctetStringRef},
};
use x509_cert::{name::Name, spki::AlgorithmIdentifierRef};

use super::{
    algorithms,
    asn1::{constructed, elements, exactly, optional, optional_bytes, primitive},
    error::Error,
    printable,
};

const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
const TST_INFO: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");

const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
const SIGNING_CERTIFICATE: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.12");
const SIGNING_CERTIFICATE_V2: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.47");

/// The most certificates, and the most signed attributes, that a token may carry.
const MAX_ELEMENTS: usize = 64;

/// A SignedData over a TSTInfo, with its one SignerInfo.
pub(super) struct SignedData<'a> {
    /// The TSTInfo as received.
    pub(super) content: &'a [u8],
    /// The X.509 certificates as received. Nothing signs this list: it only saves looking for them.
    pub(super) certificates: Vec<&'a [u8]>,
    /// The identifiers of the digest algorithms announced.
    digest_algorithms: Vec<ObjectIdentifier>,
    /// The SignerInfo.
    pub(super) signer: SignerInfo<'a>,
}

/// Who signed, how, and what besides the content.
pub(super) struct SignerInfo<'a> {
    pub(super) id: SignerId<'a>,
    pub(super) digest_algorithm: AlgorithmIdentifierRef<'a>,
    pub(super) signature_algorithm: AlgorithmIdentifierRef<'a>,
    pub(super) signature: &'a [u8],
    attributes: Vec<Attribute<'a>>,
    /// The signed attributes as received, under the tag `[0]`.
    signed_attributes: &'a [u8],
}

/// How the signer's certificate is named (RFC 5652 5.3).
pub(super) enum SignerId<'a> {
    IssuerAndSerialNumber {
        issuer: Name,
        serial_number: IntRef<'a>,
    },
    SubjectKeyIdentifier(&'a [u8]),
}

struct Attribute<'a> {
    kind: ObjectIdentifier,
    values: Vec<&'a [u8]>,
}

impl<'a> SignedData<'a> {
    /// Reads a ContentInfo.
    pub(super) fn read(token: &'a [u8]) -> Result<Self, Error> {
        let (content_type, content) = exactly(token, "ContentInfo", |r| {
            r.sequence(|r| Ok((ObjectIdentifier::decode(r)?, optional(r, constructed(0))?)))
        })?;
        expect_type(
            "the content type of the token",
            "SignedData",
            SIGNED_DATA,
            content_type,
        )?;
        let content = content.ok_or(Error::ContentMissing)?;
        let parts = exactly(content.value(), "SignedData", |r| r.sequence(Parts::decode))?;

        expect_type(
            "the content type inside the SignedData",
            "TSTInfo",
            TST_INFO,
            parts.content_type,
        )?;
        let content = parts.content.ok_or(Error::ContentMissing)?;
        let content =
            exactly(content.value(), "OCTET STRING", <&OctetStringRef>::decode)?.as_bytes();
        let [signer] = parts.signer_infos.as_slice() else {
            return Err(Error::SignerCount {
                found: parts.signer_infos.len(),
            });
        };
        let signer = SignerInfo::read(signer)?;
        bounded("certificates", &parts.certificates)?;
        Ok(Self {
            content,
            // CertificateChoices other than X.509 (attribute certificates) are tagged, and can be no signer's.
            certificates: parts
                .certificates
                .into_iter()
                .filter(|c| c.first() == Some(&0x30))
                .collect(),
            digest_algorithms: parts.digest_algorithms,
            signer,
        })
    }

    /// Is the signer's digest algorithm among those that the SignedData announces (RFC 5652 5.1)?
    pub(super) fn announces_the_digest(&self) -> Result<(), Error> {
        let oid = self.signer.digest_algorithm.oid;
        if self.digest_algorithms.contains(&oid) {
            return Ok(());
        }
        Err(Error::DigestNotAnnounced {
            found: algorithms::name(oid),
        })
    }
}

/// The fields of a SignedData, before any of them is judged.
struct Parts<'a> {
    digest_algorithms: Vec<ObjectIdentifier>,
    content_type: ObjectIdentifier,
    content: Option<AnyRef<'a>>,
    certificates: Vec<&'a [u8]>,
    signer_infos: Vec<&'a [u8]>,
}

impl<'a> Parts<'a> {
    fn decode(r: &mut SliceReader<'a>) -> der::Result<Self> {
        IntRef::decode(r)?;
        let digest_algorithms = elements(set(r)?)?
            .into_iter()
            .map(|e| AlgorithmIdentifierRef::from_der(e).map(|a| a.oid))
            .collect::<der::Result<_>>()?;
        let (content_type, content) = r.sequence(|r| {
            Ok::<_, der::Error>((ObjectIdentifier::decode(r)?, optional(r, constructed(0))?))
        })?;
        let certificates =
            optional(r, constructed(0))?.map_or(Ok(Vec::new()), |c| elements(c.value()))?;
        // Certificate revocation lists: revocation after genTime changes nothing, and this crate has no clock.
        optional(r, constructed(1))?;
        let signer_infos = elements(set(r)?)?;
        Ok(Self {
            digest_algorithms,
            content_type,
            content,
            certificates,
            signer_infos,
        })
    }
}

/// The contents of a SET OF.
fn set<'a>(r: &mut SliceReader<'a>) -> der::Result<&'a [u8]> {
    let any = AnyRef::decode(r)?;
    der::Tagged::tag(&any).assert_eq(Tag::Set)?;
    Ok(any.value())
}

impl<'a> SignerInfo<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let (id, digest_algorithm, signed_attributes, signature_algorithm, signature) =
            exactly(bytes, "SignerInfo", |r| {
                r.sequence(|r| {
                    IntRef::decode(r)?;
                    let id = SignerId::decode(r)?;
                    let digest_algorithm = AlgorithmIdentifierRef::decode(r)?;
                    let signed_attributes = optional_bytes(r, constructed(0))?;
                    let signature_algorithm = AlgorithmIdentifierRef::decode(r)?;
                    let signature = <&OctetStringRef>::decode(r)?.as_bytes();
                    // Unsigned attributes: whoever passed the token on may have added them.
                    optional(r, constructed(1))?;
                    Ok::<_, der::Error>((
                        id,
                        digest_algorithm,
                        signed_attributes,
                        signature_algorithm,
                        signature,
                    ))
                })
            })?;
        let signed_attributes = signed_attributes.ok_or(Error::AttributeMissing {
            attribute: "contentType",
        })?;
        let attributes: Vec<_> = exactly(signed_attributes, "SignedAttributes", |r| {
            elements(AnyRef::decode(r)?.value())?
                .into_iter()
                .map(Attribute::decode)
                .collect::<der::Result<_>>()
        })?;
        bounded("signed attributes", &attributes)?;
        Ok(Self {
            id,
            digest_algorithm,
            signature_algorithm,
            signature,
            attributes,
            signed_attributes,
        })
    }

    /// The bytes that the signature is over: the signed attributes as received, not sorted again, under the tag of a
    /// SET OF instead of `[0]` (RFC 5652 5.4).
    pub(super) fn signed_bytes(&self) -> Vec<u8> {
        let mut bytes = self.signed_attributes.to_vec();
        if let Some(tag) = bytes.first_mut() {
            *tag = 0x31;
        }
        bytes
    }

    /// The contentType attribute must be TSTInfo (RFC 5652 11.1).
    pub(super) fn check_content_type(&self) -> Result<(), Error> {
        let value = self.required(CONTENT_TYPE, "contentType")?;
        let found = exactly(value, "contentType", ObjectIdentifier::decode)?;
        expect_type(
            "the signed attribute contentType",
            "TSTInfo",
            TST_INFO,
            found,
        )
    }

    /// The value of the messageDigest attribute (RFC 5652 11.2).
    pub(super) fn message_digest(&self) -> Result<&'a [u8], Error> {
        let value = self.required(MESSAGE_DIGEST, "messageDigest")?;
        Ok(exactly(value, "messageDigest", <&OctetStringRef>::decode)?.as_bytes())
    }

    /// The value of the signingCertificate attribute (RFC 2634 5.4).
    pub(super) fn signing_certificate(&self) -> Result<Option<&'a [u8]>, Error> {
        self.single(SIGNING_CERTIFICATE, "signingCertificate")
    }

    /// The value of the signingCertificateV2 attribute (RFC 5035 section 3).
    pub(super) fn signing_certificate_v2(&self) -> Result<Option<&'a [u8]>, Error> {
        self.single(SIGNING_CERTIFICATE_V2, "signingCertificateV2")
    }

    fn required(&self, kind: ObjectIdentifier, attribute: &'static str) -> Result<&'a [u8], Error> {
        self.single(kind, attribute)?
            .ok_or(Error::AttributeMissing { attribute })
    }

    /// The value of an attribute that may occur once at most, with exactly one value.
    fn single(
        &self,
        kind: ObjectIdentifier,
        attribute: &'static str,
    ) -> Result<Option<&'a [u8]>, Error> {
        let found: Vec<_> = self.attributes.iter().filter(|a| a.kind == kind).collect();
        match found.as_slice() {
            [] => Ok(None),
            [one] => match one.values.as_slice() {
                [value] => Ok(Some(value)),
                values => Err(Error::AttributeCount {
                    attribute,
                    counted: "values",
                    found: values.len(),
                }),
            },
            several => Err(Error::AttributeCount {
                attribute,
                counted: "occurrences",
                found: several.len(),
            }),
        }
    }
}

impl<'a> SignerId<'a> {
    fn decode(r: &mut SliceReader<'a>) -> der::Result<Self> {
        if let Some(key_identifier) = optional(r, primitive(0))? {
            return Ok(Self::SubjectKeyIdentifier(key_identifier.value()));
        }
        r.sequence(|r| {
            Ok(Self::IssuerAndSerialNumber {
                issuer: Name::decode(r)?,
                serial_number: IntRef::decode(r)?,
            })
        })
    }
}

/// For messages.
impl std::fmt::Display for SignerId<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::IssuerAndSerialNumber {
                issuer,
                serial_number,
            } => {
                write!(
                    f,
                    "serial number {} of {}",
                    super::integer::text(*serial_number),
                    printable(issuer)
                )
            }
            Self::SubjectKeyIdentifier(id) => {
                write!(
                    f,
                    "subject key identifier {}",
                    base16ct::lower::encode_string(id)
                )
            }
        }
    }
}

impl<'a> Attribute<'a> {
    fn decode(bytes: &'a [u8]) -> der::Result<Self> {
        let mut r = SliceReader::new(bytes)?;
        r.sequence(|r| {
            Ok(Self {
                kind: ObjectIdentifier::decode(r)?,
                values: elements(set(r)?)?,
            })
        })
    }
}

fn bounded<T>(what: &'static str, list: &[T]) -> Result<(), Error> {
    if list.len() > MAX_ELEMENTS {
        return Err(Error::TooMany {
            what,
            limit: MAX_ELEMENTS,
            found: list.len(),
        });
    }
    Ok(())
}

fn expect_type(
    place: &'static str,
    expected: &'static str,
    expected_oid: ObjectIdentifier,
    found: ObjectIdentifier,
) -> Result<(), Error> {
    if found == expected_oid {
        return Ok(());
    }
    Err(Error::ContentType {
        place,
        expected,
        found: found.to_string(),
    })
}
