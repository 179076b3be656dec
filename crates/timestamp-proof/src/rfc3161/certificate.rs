//! A certificate together with its bytes as received.

use der::{Decode, Reader, SliceReader};
use x509_cert::{certificate::Raw, name::Name};

use crate::digest::{Digest, DigestAlgorithm};

/// The decoded fields. The profile `Raw` leaves judgements (length of the serial number, ...) to this crate.
pub(super) type Fields = x509_cert::certificate::CertificateInner<Raw>;

/// A certificate: decoded fields, and the received bytes that hashes and signatures are over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Certificate {
    der: Vec<u8>,
    tbs_start: usize,
    tbs_end: usize,
    fields: Fields,
}

impl Certificate {
    /// Decodes exactly one certificate.
    pub(super) fn from_der(bytes: &[u8]) -> der::Result<Self> {
        let fields = Fields::from_der(bytes)?;
        // Slice the signed part out of the received bytes: encoding the fields again might not give the same ones.
        let mut reader = SliceReader::new(bytes)?;
        let (tbs_start, tbs_end) = reader.sequence(|inner| -> der::Result<_> {
            let start = inner.position();
            inner.tlv_bytes()?;
            let end = inner.position();
            inner.drain(inner.remaining_len())?;
            Ok((usize::try_from(start)?, usize::try_from(end)?))
        })?;
        Ok(Self {
            der: bytes.to_vec(),
            tbs_start,
            tbs_end,
            fields,
        })
    }

    /// The bytes as received.
    pub(super) fn der(&self) -> &[u8] {
        &self.der
    }

    /// The bytes that the issuer's signature is over.
    pub(super) fn tbs(&self) -> &[u8] {
        self.der
            .get(self.tbs_start..self.tbs_end)
            .unwrap_or_default()
    }

    /// The decoded fields.
    pub(super) fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The subject.
    pub(super) fn subject(&self) -> &Name {
        self.fields.tbs_certificate().subject()
    }

    /// The issuer.
    pub(super) fn issuer(&self) -> &Name {
        self.fields.tbs_certificate().issuer()
    }

    /// SHA-256 of the bytes as received.
    pub(super) fn sha256(&self) -> Digest {
        Digest::of_bytes(DigestAlgorithm::Sha256, &self.der)
    }
}
