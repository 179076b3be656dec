//! A token: as it stands, and with a header and a payload that the fuzzer makes and the target signs.
//!
//! The input is a token; or a header, a payload and four bytes, with NUL between them. The four bytes say how far the
//! clock is off, and which byte of the signed token is changed into which.
#![no_main]

use capability_resolution::{Time, limits::TOKEN_MAX_BYTES};
use fuzz::{DISCOVERY, NOW, json, sign, signed, spaced, verify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    as_it_stands(data);
    let mut parts = data.splitn(3, |byte| *byte == 0);
    if let (Some(header), Some(payload), Some([clock, at, more, byte, ..])) =
        (parts.next(), parts.next(), parts.next())
    {
        // A quarter of a day at most: both ends of a token's life are within reach.
        let now = NOW + i64::from(i8::from_ne_bytes([*clock])) * 170;
        let change = (usize::from(u16::from_ne_bytes([*at, *more])), *byte);
        signed_by_us(header, payload, Time::from_unix_seconds(now), change);
    }
});

/// Nobody can make a signature without its key: what verifies is what the key signs.
fn as_it_stands(token: &[u8]) {
    if verify(token, Time::from_unix_seconds(NOW)).is_ok() {
        let token = std::str::from_utf8(token).expect("what verifies is text");
        let (segments, _) = token.rsplit_once('.').expect("what verifies has segments");
        assert_eq!(sign(segments), token);
    }
}

fn signed_by_us(header: &[u8], payload: &[u8], now: Time, (at, byte): (usize, u8)) {
    let token = signed(header, payload);
    let verdict = verify(token.as_bytes(), now);

    let roomy = signed(&spaced(header), &spaced(payload));
    let empty = header.is_empty() || payload.is_empty();
    if !empty && roomy.len() <= TOKEN_MAX_BYTES {
        let code = |verdict: &Result<_, capability_resolution::Refusal>| {
            verdict.as_ref().err().map(|refusal| refusal.code())
        };
        let roomy = verify(roomy.as_bytes(), now);
        assert_eq!(
            code(&roomy),
            code(&verdict),
            "white space changed the verdict"
        );
        if let (Ok(roomy), Ok(verdict)) = (&roomy, &verdict) {
            assert_eq!(roomy, verdict);
        }
    }

    let Ok(verified) = verdict else {
        return;
    };
    let (claims, read) = (verified.claims(), json(payload));
    assert_eq!(read["iss"], claims.issuer.as_str());
    assert_eq!(read["iat"], claims.issued_at.unix_seconds());
    assert_eq!(read["exp"], claims.expires.unix_seconds());
    assert_eq!(read["url"], claims.url.as_str());
    assert_eq!(read["status"], claims.status.as_str());
    assert_eq!(read["checked_at"], claims.checked_at.to_string());
    assert!(read.get("aud").is_none() && json(header)["alg"] == "EdDSA");
    assert!(
        DISCOVERY
            .keys()
            .iter()
            .any(|(kid, _)| json(header)["kid"] == kid)
    );

    let mut changed = token.into_bytes();
    let at = at % changed.len();
    if changed[at] != byte {
        changed[at] = byte;
        assert!(
            verify(&changed, now).is_err(),
            "byte {at} changed into {byte}"
        );
    }
}
