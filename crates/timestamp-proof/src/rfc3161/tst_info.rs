//! TSTInfo (RFC 3161 2.4.2): the claims that are signed.

use der::{
    Decode, Reader, SliceReader, Tag,
    asn1::{AnyRef, IntRef, ObjectIdentifier, OctetStringRef},
};
use x509_cert::{ext::Extension, spki::AlgorithmIdentifierRef};

use super::{
    asn1::{constructed, elements, exactly, optional, primitive},
    error::Error,
    integer,
    timestamp::{Accuracy, GenTime},
};

/// The policy's identifier. A real authority (EuroCert) has one of 60 bytes, more than the default type holds.
pub(super) type Policy = ObjectIdentifier<127>;

/// A TSTInfo whose own fields are in order. Nothing is compared with anything yet.
pub(super) struct TstInfo<'a> {
    pub(super) policy: Policy,
    pub(super) imprint: MessageImprint<'a>,
    pub(super) serial_number: IntRef<'a>,
    pub(super) gen_time: GenTime,
    pub(super) accuracy: Option<Accuracy>,
    pub(super) nonce: Option<IntRef<'a>>,
    /// The GeneralName of the authority as received.
    pub(super) tsa: Option<&'a [u8]>,
}

/// MessageImprint (RFC 3161 2.4.1): what was stamped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct MessageImprint<'a> {
    pub(super) hash_algorithm: AlgorithmIdentifierRef<'a>,
    pub(super) hashed_message: &'a [u8],
}

impl<'a> MessageImprint<'a> {
    pub(super) fn decode(r: &mut SliceReader<'a>) -> der::Result<Self> {
        r.sequence(|r| {
            Ok(Self {
                hash_algorithm: AlgorithmIdentifierRef::decode(r)?,
                hashed_message: <&OctetStringRef>::decode(r)?.as_bytes(),
            })
        })
    }
}

impl<'a> TstInfo<'a> {
    /// Reads the content of the SignedData.
    pub(super) fn read(content: &'a [u8]) -> Result<Self, Error> {
        let fields = exactly(content, "TSTInfo", |r| r.sequence(Fields::decode))?;
        if fields.version.as_bytes() != [1] {
            return Err(Error::Version {
                found: integer::text(fields.version),
            });
        }
        for extension in fields.extensions {
            let extension = exactly(extension, "Extension", Extension::decode)?;
            // RFC 3161 defines no extension of TSTInfo, so that there is none to understand.
            if extension.critical {
                return Err(Error::CriticalExtension {
                    place: "TSTInfo",
                    found: extension.extn_id.to_string(),
                });
            }
        }
        Ok(Self {
            policy: fields.policy,
            imprint: fields.imprint,
            serial_number: fields.serial_number,
            gen_time: GenTime::read(fields.gen_time)?,
            accuracy: fields
                .accuracy
                .map(|a| read_accuracy(a.value()))
                .transpose()?,
            nonce: fields.nonce,
            tsa: fields.tsa.map(AnyRef::value),
        })
    }
}

/// The fields before they are judged.
struct Fields<'a> {
    version: IntRef<'a>,
    policy: Policy,
    imprint: MessageImprint<'a>,
    serial_number: IntRef<'a>,
    gen_time: AnyRef<'a>,
    accuracy: Option<AnyRef<'a>>,
    nonce: Option<IntRef<'a>>,
    tsa: Option<AnyRef<'a>>,
    extensions: Vec<&'a [u8]>,
}

impl<'a> Fields<'a> {
    fn decode(r: &mut SliceReader<'a>) -> der::Result<Self> {
        let version = IntRef::decode(r)?;
        let policy = Policy::decode(r)?;
        let imprint = MessageImprint::decode(r)?;
        let serial_number = IntRef::decode(r)?;
        let gen_time = AnyRef::decode(r)?;
        let accuracy = optional(r, Tag::Sequence)?;
        // ordering: some authorities write its default out, which is not DER; it is signed as it stands and says
        // nothing about this token.
        optional(r, Tag::Boolean)?
            .map(|b| b.decode_as::<bool>())
            .transpose()?;
        let nonce = optional(r, Tag::Integer)?
            .map(|n| n.decode_as())
            .transpose()?;
        let tsa = optional(r, constructed(0))?;
        let extensions =
            optional(r, constructed(1))?.map_or(Ok(Vec::new()), |e| elements(e.value()))?;
        Ok(Self {
            version,
            policy,
            imprint,
            serial_number,
            gen_time,
            accuracy,
            nonce,
            tsa,
            extensions,
        })
    }
}

fn read_accuracy(contents: &[u8]) -> Result<Accuracy, Error> {
    let (seconds, millis, micros) = exactly(contents, "Accuracy", |r| {
        let seconds = optional(r, Tag::Integer)?
            .map(|a| a.decode_as::<IntRef<'_>>())
            .transpose()?;
        Ok((
            seconds,
            optional(r, primitive(0))?,
            optional(r, primitive(1))?,
        ))
    })?;
    let seconds = match seconds {
        None => 0,
        Some(value) => number(value.as_bytes()).ok_or_else(|| Error::Accuracy {
            field: "seconds from 0 to 2^63",
            found: integer::text(value),
        })?,
    };
    let part = |field: Option<AnyRef<'_>>, expected: &'static str| match field {
        None => Ok(0),
        Some(value) => match number(value.value()).and_then(|n| u16::try_from(n).ok()) {
            Some(n @ 1..=999) => Ok(n),
            _ => Err(Error::Accuracy {
                field: expected,
                found: format!(
                    "the bytes {}",
                    base16ct::lower::encode_string(value.value())
                ),
            }),
        },
    };
    Ok(Accuracy {
        seconds,
        millis: part(millis, "millis from 1 to 999")?,
        micros: part(micros, "micros from 1 to 999")?,
    })
}

/// A DER integer's contents as a number that is not negative and fits.
fn number(contents: &[u8]) -> Option<u64> {
    let value = match contents {
        [] => return None,
        [0, second, ..] if second & 0x80 == 0 => return None,
        [first, ..] if first & 0x80 != 0 => return None,
        contents if contents.len() > 8 => return None,
        contents => contents,
    };
    Some(value.iter().fold(0, |n, byte| (n << 8) | u64::from(*byte)))
}
