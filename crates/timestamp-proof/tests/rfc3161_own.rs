//! A response made for these tests (`tests/data/make.sh`): what it says, what it may not be taken for, and what is
//! left of it when bytes change.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{cell::Cell, io};

use der::{Decode, Header, Reader, SliceReader};
use proptest::prelude::*;
use timestamp_proof::{
    digest::{Digest, DigestAlgorithm},
    rfc3161::{self, Authority, AuthorityError, Error, MAX_TOKEN_BYTES, PathError, Timestamp},
};

const ROOT: &[u8] = include_bytes!("data/root.pem");
const OTHER_ROOTS: &[u8] = include_bytes!("data/schemes.pem");
const REQUEST: &[u8] = include_bytes!("data/request.tsq");
const RESPONSE: &[u8] = include_bytes!("data/response.tsr");
const STAMPED: &[u8] = include_bytes!("data/stamped.txt");

fn digest() -> Digest {
    Digest::of_bytes(DigestAlgorithm::Sha256, STAMPED)
}

fn authority() -> Authority {
    Authority::from_roots(ROOT).unwrap()
}

fn verify(response: &[u8]) -> Result<Timestamp, Error> {
    rfc3161::verify(response, &digest(), &authority(), Some(REQUEST))
}

#[test]
fn a_time_stamp_says_what_openssl_says() {
    let stamp = verify(RESPONSE).unwrap();
    assert_eq!(stamp.gen_time.to_string(), "2026-11-30T10:39:54Z");
    assert_eq!(stamp.gen_time.unix_seconds(), 1_796_035_194);
    assert_eq!(stamp.gen_time.fraction(), "");
    assert_eq!(stamp.accuracy.unwrap().to_string(), "1.5 s");
    assert_eq!(stamp.policy, "1.3.6.1.4.1.32473.1");
    assert_eq!(stamp.serial, "0x2b");
    assert_eq!(stamp.signer, "CN=Test TSA,O=Test");
    assert_eq!(stamp.message_imprint_algorithm, DigestAlgorithm::Sha256);
    assert_eq!(
        rfc3161::message_imprint_algorithm(RESPONSE),
        Ok(DigestAlgorithm::Sha256)
    );
    let checks: Vec<_> = stamp.checks.iter().map(ToString::to_string).collect();
    assert_eq!(
        checks,
        [
            "the authority granted the request (RFC 3161 2.4.2)",
            "one signer, over a TSTInfo of version 1 (RFC 3161 2.4.2)",
            "the messageImprint is the digest, sha256 (RFC 3161 2.4.2)",
            "as in the request: messageImprint, nonce (RFC 3161 2.4.2)",
            "the signed attributes name a TSTInfo and its digest, sha256 (RFC 5652 11.1, 11.2)",
            "the signed attributes name the signer's certificate (RFC 5035 3)",
            "the signature verifies, ECDSA with sha256 (RFC 5652 5.6)",
            "the signer's key is for time-stamping only (RFC 3161 2.3)",
            "the authority named in the token is the signer (RFC 3161 2.4.2)",
            "the certificates, all valid at that time: CN=Test TSA,O=Test < CN=Test Root,O=Test (RFC 5280 6.1)",
        ]
    );
}

#[test]
fn an_authority_is_one_unit() {
    let check = |authority: Authority| rfc3161::verify(RESPONSE, &digest(), &authority, None);
    let stamped_at = verify(RESPONSE).unwrap().gen_time.unix_seconds();

    assert!(check(authority().with_policy("1.3.6.1.4.1.32473.1").unwrap()).is_ok());
    let other_policy = check(authority().with_policy("1.3.6.1.4.1.32473.2").unwrap());
    assert_eq!(other_policy.unwrap_err().code(), "policy");

    let window = |from, until| check(authority().with_window(from, until).unwrap());
    assert!(window(Some(stamped_at), Some(stamped_at)).is_ok());
    assert_eq!(
        window(Some(stamped_at + 1), None).unwrap_err().code(),
        "authority-window"
    );
    assert_eq!(
        window(None, Some(stamped_at - 1)).unwrap_err().to_string(),
        "the authority is not trusted for that time: expected from no limit to 2026-11-30T10:39:53Z, found \
         2026-11-30T10:39:54Z (the trust given)"
    );

    // Its own root among the intermediates gives no trust.
    let others = Authority::from_roots(OTHER_ROOTS)
        .unwrap()
        .with_intermediates(ROOT)
        .unwrap();
    assert!(matches!(
        check(others),
        Err(Error::Path(PathError::IssuerMissing { .. }))
    ));
}

#[test]
fn an_authority_is_refused_when_it_cannot_be_read() {
    let roots = |bytes: &[u8]| {
        Authority::from_roots(bytes)
            .map(|a| a.root_subjects())
            .unwrap_err()
    };
    assert_eq!(roots(b""), AuthorityError::NoCertificate);
    assert_eq!(
        roots(b"-----BEGIN PUBLIC KEY-----").code(),
        "authority-no-certificate"
    );
    assert_eq!(roots(&ROOT[..300]).code(), "authority-pem");
    assert_eq!(
        roots(b"\x30\x03\x02\x01\x00").code(),
        "authority-certificate"
    );
    assert_eq!(
        roots(&vec![b' '; rfc3161::MAX_CERTIFICATE_BYTES + 1]).code(),
        "authority-too-large"
    );
    assert_eq!(
        roots(&ROOT.repeat(rfc3161::MAX_CERTIFICATES + 1)).code(),
        "authority-too-large"
    );
    assert_eq!(
        authority().with_policy("policy").unwrap_err().code(),
        "authority-policy"
    );
    assert_eq!(
        authority()
            .with_window(Some(1), Some(0))
            .unwrap_err()
            .code(),
        "authority-window-order"
    );
    assert_eq!(authority().root_fingerprints().len(), 1);
}

#[test]
fn another_request_is_not_answered() {
    let nonce = rfc3161::request(&digest(), Some(7), None).unwrap();
    let policy = rfc3161::request(&digest(), None, Some("1.2.3")).unwrap();
    let imprint =
        rfc3161::request(&Digest::of_bytes(DigestAlgorithm::Sha256, b""), None, None).unwrap();
    let algorithm = rfc3161::request(
        &Digest::of_bytes(DigestAlgorithm::Sha512, STAMPED),
        None,
        None,
    )
    .unwrap();
    let cases = [
        (nonce, "nonce"),
        (policy, "policy"),
        (imprint, "message-imprint"),
        (algorithm, "message-imprint-algorithm"),
    ];
    for (request, code) in cases {
        let found = rfc3161::verify(RESPONSE, &digest(), &authority(), Some(&request));
        assert_eq!(found.unwrap_err().code(), code);
    }
    let bare = rfc3161::request(&digest(), None, None).unwrap();
    assert!(rfc3161::verify(RESPONSE, &digest(), &authority(), Some(&bare)).is_ok());
    let broken = rfc3161::verify(RESPONSE, &digest(), &authority(), Some(b"no request"));
    assert_eq!(broken.unwrap_err().code(), "request-malformed");
    let large = [b'0'; MAX_TOKEN_BYTES + 1];
    let large = rfc3161::verify(RESPONSE, &digest(), &authority(), Some(&large));
    let large = large.unwrap_err();
    assert_eq!(large.code(), "request-malformed");
    assert!(large.to_string().contains("the request"), "{large}");
}

#[test]
fn a_hostile_file_is_not_read_to_its_end() {
    struct Endless<'a>(&'a Cell<usize>);
    impl io::Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(0x30);
            self.0.set(self.0.get() + buffer.len());
            Ok(buffer.len())
        }
    }
    let taken = Cell::new(0);
    let token = rfc3161::read_token(Endless(&taken)).unwrap();
    assert!(taken.get() <= MAX_TOKEN_BYTES + 1, "{}", taken.get());
    assert_eq!(
        verify(&token),
        Err(Error::TooLarge {
            limit: MAX_TOKEN_BYTES,
            found: MAX_TOKEN_BYTES + 1
        })
    );
}

/// Where in the response the bytes are that the signature covers, and the signature itself.
fn signed_parts() -> Vec<std::ops::Range<usize>> {
    let locate = |part: &[u8]| {
        let start = RESPONSE
            .windows(part.len())
            .position(|w| w == part)
            .unwrap();
        start..start + part.len()
    };
    let response = inside(RESPONSE);
    let content_info = inside(response[1]);
    let signed_data = inside(inside(content_info[1])[0]);
    let tst_info = inside(inside(signed_data[2])[1])[0];
    let signer_info = inside(inside(signed_data[4])[0]);
    vec![
        locate(tst_info),
        locate(signer_info[3]),
        locate(signer_info[5]),
    ]
}

/// The elements in a constructed one, as they stand.
fn inside(element: &[u8]) -> Vec<&[u8]> {
    let mut reader = SliceReader::new(element).unwrap();
    let header = Header::decode(&mut reader).unwrap();
    let mut contents = SliceReader::new(reader.read_slice(header.length()).unwrap()).unwrap();
    std::iter::from_fn(|| (!contents.is_finished()).then(|| contents.tlv_bytes().unwrap()))
        .collect()
}

proptest! {
    #[test]
    fn a_changed_byte_in_the_signed_part_never_verifies(part in 0_usize..3, at: prop::sample::Index, change in 1_u8..) {
        let range = signed_parts()[part].clone();
        let mut response = RESPONSE.to_vec();
        response[range.start + at.index(range.len())] ^= change;
        prop_assert!(verify(&response).is_err());
    }

    #[test]
    fn a_changed_byte_anywhere_changes_no_claim(at: prop::sample::Index, change in 1_u8..) {
        let mut response = RESPONSE.to_vec();
        response[at.index(RESPONSE.len())] ^= change;
        if let Ok(mut stamp) = verify(&response) {
            let expected = verify(RESPONSE).unwrap();
            // PKIStatus may become grantedWithMods, and nothing signs it.
            stamp.checks.clone_from(&expected.checks);
            prop_assert_eq!(stamp, expected);
        }
    }

    #[test]
    fn any_bytes_give_a_reason(bytes: Vec<u8>) {
        let error = verify(&bytes).unwrap_err();
        prop_assert!(!error.code().is_empty() && error.to_string().ends_with(')'));
        let _ = rfc3161::verify(RESPONSE, &digest(), &authority(), Some(&bytes));
        prop_assert!(Authority::from_roots(&bytes).is_err());
    }

    #[test]
    fn a_cut_or_spliced_response_gives_a_reason(from: prop::sample::Index, to: prop::sample::Index, with: Vec<u8>) {
        let (a, b) = (from.index(RESPONSE.len()), to.index(RESPONSE.len()));
        let mut response = RESPONSE.to_vec();
        response.splice(a.min(b)..a.max(b), with);
        if let Err(error) = verify(&response) {
            prop_assert!(error.to_string().ends_with(')'));
        }
    }
}
