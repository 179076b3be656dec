//! TimeStampReq (RFC 3161 2.4.1): written for an authority, read to compare an answer with it.

use der::{
    Decode, Encode, Reader, Sequence, Tag,
    asn1::{IntRef, Null, ObjectIdentifier, OctetStringRef},
};

use super::{
    MAX_TOKEN_BYTES, algorithms,
    asn1::{constructed, exactly, optional},
    authority::AuthorityError,
    error::Error,
    integer,
    tst_info::{MessageImprint, Policy, TstInfo},
};
use crate::digest::Digest;

#[derive(Sequence)]
struct AlgorithmIdentifier {
    algorithm: ObjectIdentifier,
    parameters: Option<Null>,
}

#[derive(Sequence)]
struct ImprintToSend<'a> {
    hash_algorithm: AlgorithmIdentifier,
    hashed_message: &'a OctetStringRef,
}

#[derive(Sequence)]
struct TimeStampReq<'a> {
    version: u8,
    message_imprint: ImprintToSend<'a>,
    req_policy: Option<ObjectIdentifier>,
    nonce: Option<u64>,
    #[asn1(default = "bool::default")]
    cert_req: bool,
}

/// The DER encoding of a TimeStampReq (RFC 3161 2.4.1) that asks for the authority's certificates.
///
/// # Errors
/// [`AuthorityError::Policy`] when the policy is no object identifier in dotted form: nothing else can fail.
pub fn request(
    digest: &Digest,
    nonce: Option<u64>,
    policy: Option<&str>,
) -> Result<Vec<u8>, AuthorityError> {
    encode(digest, nonce, policy).map_err(|_| AuthorityError::Policy {
        found: policy.unwrap_or_default().to_owned(),
    })
}

fn encode(digest: &Digest, nonce: Option<u64>, policy: Option<&str>) -> der::Result<Vec<u8>> {
    TimeStampReq {
        version: 1,
        message_imprint: ImprintToSend {
            hash_algorithm: AlgorithmIdentifier {
                algorithm: ObjectIdentifier::new(digest.algorithm().oid())?,
                parameters: Some(Null),
            },
            hashed_message: OctetStringRef::new(digest.as_bytes())?,
        },
        req_policy: policy.map(ObjectIdentifier::new).transpose()?,
        nonce,
        cert_req: true,
    }
    .to_der()
}

/// A TimeStampReq that an answer is compared with.
pub(super) struct Request<'a> {
    imprint: MessageImprint<'a>,
    policy: Option<Policy>,
    nonce: Option<IntRef<'a>>,
}

impl<'a> Request<'a> {
    /// Reads a request that was kept.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.len() > MAX_TOKEN_BYTES {
            return Err(Error::Request {
                detail: format!("it has more than {MAX_TOKEN_BYTES} bytes"),
            });
        }
        let read = exactly(bytes, "TimeStampReq", |r| {
            r.sequence(|r| {
                IntRef::decode(r)?;
                let imprint = MessageImprint::decode(r)?;
                let policy = optional(r, Tag::ObjectIdentifier)?
                    .map(|p| p.decode_as())
                    .transpose()?;
                let nonce = optional(r, Tag::Integer)?
                    .map(|n| n.decode_as())
                    .transpose()?;
                // certReq and extensions ask for what the answer shows by itself.
                optional(r, Tag::Boolean)?;
                optional(r, constructed(0))?;
                Ok::<_, der::Error>(Self {
                    imprint,
                    policy,
                    nonce,
                })
            })
        });
        read.map_err(|error| match error {
            Error::Malformed { detail, .. } => Error::Request { detail },
            other => Error::Request {
                detail: other.to_string(),
            },
        })
    }

    /// The same imprint, the nonce if there is one, the policy if there is one (RFC 3161 2.2). Gives what was compared.
    pub(super) fn is_answered_by(&self, answer: &TstInfo<'_>) -> Result<Vec<&'static str>, Error> {
        let (asked, got) = (self.imprint, answer.imprint);
        if asked.hash_algorithm.oid != got.hash_algorithm.oid {
            return Err(Error::MessageImprintAlgorithm {
                expected: algorithms::name(asked.hash_algorithm.oid),
                found: algorithms::name(got.hash_algorithm.oid),
            });
        }
        if asked.hashed_message != got.hashed_message {
            return Err(Error::MessageImprint {
                expected: base16ct::lower::encode_string(asked.hashed_message),
                found: base16ct::lower::encode_string(got.hashed_message),
            });
        }
        // Compared as the integers that they are: negative ones occur, and the sign is part of the number.
        if let Some(nonce) = self.nonce
            && answer.nonce != Some(nonce)
        {
            return Err(Error::Nonce {
                expected: integer::text(nonce),
                found: answer.nonce.map_or("none".to_owned(), integer::text),
            });
        }
        if let Some(policy) = self.policy
            && policy != answer.policy
        {
            return Err(Error::Policy {
                expected: policy.to_string(),
                found: answer.policy.to_string(),
            });
        }
        let compared = [
            Some("messageImprint"),
            self.nonce.map(|_| "nonce"),
            self.policy.map(|_| "policy"),
        ];
        Ok(compared.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::request;
    use crate::{
        digest::{Digest, DigestAlgorithm},
        rfc3161::AuthorityError,
    };

    #[test]
    fn the_bytes_are_those_of_the_asn1_in_the_rfc() {
        let digest = Digest::of_bytes(DigestAlgorithm::Sha256, b"abc");
        // SEQUENCE { 1, { { sha256, NULL }, OCTET STRING }, 1.2.3.4, 128, TRUE }
        let expected = format!(
            "30420201013031300d060960864801650304020105000420{}06032a0304020200800101ff",
            digest.to_hex()
        );
        let found = request(&digest, Some(128), Some("1.2.3.4")).unwrap();
        assert_eq!(base16ct::lower::encode_string(&found), expected);
    }

    #[test]
    fn a_policy_must_be_an_object_identifier() {
        let digest = Digest::of_bytes(DigestAlgorithm::Sha512, b"");
        let found = request(&digest, None, Some("any"));
        assert_eq!(
            found,
            Err(AuthorityError::Policy {
                found: "any".to_owned()
            })
        );
    }
}
