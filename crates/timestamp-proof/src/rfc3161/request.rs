//! TimeStampReq (RFC 3161 2.4.1): written for an authority, read to compare an answer with it.

use der::{
    Encode, Sequence,
    asn1::{Null, ObjectIdentifier, OctetStringRef},
};

use super::error::AuthorityError;
use crate::digest::Digest;

#[derive(Sequence)]
struct AlgorithmIdentifier {
    algorithm: ObjectIdentifier,
    parameters: Option<Null>,
}

#[derive(Sequence)]
struct MessageImprint<'a> {
    hash_algorithm: AlgorithmIdentifier,
    hashed_message: &'a OctetStringRef,
}

#[derive(Sequence)]
struct TimeStampReq<'a> {
    version: u8,
    message_imprint: MessageImprint<'a>,
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
        message_imprint: MessageImprint {
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
