//! What the targets for `capability-resolution` share: a resolver with a key that everybody knows, and what has to hold
//! of everything that a reader accepts or refuses.

use std::fmt::Debug;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use capability_resolution::{
    Claims, Discovery, Origin, RecordClaims, Refusal, Time, UnverifiedToken, VerifiedToken, limits,
    text,
};
use ed25519_dalek::{Signer as _, SigningKey};
use sha2::{Digest as _, Sha256};

/// The issuer of the vectors.
pub const ISSUER: &str = "https://resolver.example";

/// The `kid` of [`KEY`], as in the vectors.
pub const KID: &str = "key-1";

/// The clock of the vectors, 2026-11-30T12:00:00Z.
pub const NOW: i64 = 1_796_040_000;

/// The first key of the vectors. Its seed is public, so that what a fuzzer makes can be signed.
pub static KEY: LazyLock<SigningKey> = LazyLock::new(|| {
    SigningKey::from_bytes(&Sha256::digest("capability-resolution vectors: first key").into())
});

/// [`ISSUER`] as an origin.
pub static ORIGIN: LazyLock<Origin> = LazyLock::new(|| ISSUER.parse().expect("an issuer"));

/// The discovery document of the vectors, with [`KEY`] alone.
pub static DISCOVERY: LazyLock<Discovery> = LazyLock::new(|| {
    let x = base64url(KEY.verifying_key().as_bytes());
    let entry = format!(r#"{{"kty":"OKP","crv":"Ed25519","x":"{x}","kid":"{KID}"}}"#);
    Discovery::read(&with_keys(entry.as_bytes()), &ORIGIN).expect("a sound document")
});

/// A discovery document with these entries in its `keys`.
pub fn with_keys(entries: &[u8]) -> Vec<u8> {
    let head = format!(
        r#"{{"v":"0.2","iss":"{ISSUER}","resolver":"Example Resolver","policy":"{ISSUER}/policy",
            "endpoints":{{"resolve":"{ISSUER}/resolve","record":"{ISSUER}/record"}},"keys":["#
    );
    [head.as_bytes(), entries, b"]}"].concat()
}

/// The bytes as tokens write them.
pub fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A token of these bytes, signed with [`KEY`].
pub fn signed(header: &[u8], payload: &[u8]) -> String {
    sign(&format!("{}.{}", base64url(header), base64url(payload)))
}

/// The two segments with the signature of [`KEY`] behind them.
pub fn sign(segments: &str) -> String {
    format!(
        "{segments}.{}",
        base64url(&KEY.sign(segments.as_bytes()).to_bytes())
    )
}

/// Verifies a token against [`DISCOVERY`], twice, and checks what comes out.
pub fn verify(token: &[u8], now: Time) -> Result<VerifiedToken, Refusal> {
    let verify = || UnverifiedToken::parse(token)?.verify(&DISCOVERY, now);
    let verdict = judged(verify);
    if let Ok(token) = &verdict {
        check_claims(token.claims(), now);
    }
    verdict
}

/// The verdict of a reader, which has to give the same one twice, and a whole reason where it refuses.
pub fn judged<T: Debug + PartialEq>(read: impl Fn() -> Result<T, Refusal>) -> Result<T, Refusal> {
    let verdict = read();
    assert_eq!(verdict, read(), "another verdict the second time");
    if let Err(refusal) = &verdict {
        assert!(
            refusal.code().rules().contains(&refusal.rule()),
            "{refusal}"
        );
        assert!(
            refusal
                .to_string()
                .ends_with(&format!("(rule {})", refusal.rule())),
            "{refusal}"
        );
    }
    verdict
}

/// What the text promises of the claims of a token that verifies: sections 6.4 and 6.5.
pub fn check_claims(claims: &Claims, now: Time) {
    let seconds = |time: Time| time.unix_seconds();
    let (iat, exp, now) = (
        seconds(claims.issued_at),
        seconds(claims.expires),
        seconds(now),
    );
    assert_eq!(claims.issuer, *ORIGIN);
    assert!(0 <= iat && iat < exp && exp - iat <= 172_800, "{claims:?}");
    assert!(iat <= now + 300 && now <= exp + 300, "{claims:?}");
    assert!(seconds(claims.checked_at) <= now + 300, "{claims:?}");
    assert!(iat - seconds(claims.checked_at) <= 86_400, "{claims:?}");
    assert_eq!(claims.url.as_str().parse().as_ref(), Ok(&claims.url));
}

/// What the text promises of the claims of a record: section 7.2.
pub fn check_record(record: &RecordClaims, claims: &Claims) {
    check_name(&record.name, limits::SERVER_NAME_MAX_CHARACTERS);
    assert!(record.first_seen <= claims.checked_at);
    assert!(
        record
            .history
            .as_ref()
            .is_none_or(|url| *url.origin() == claims.issuer)
    );
}

/// A name for people that was accepted.
pub fn check_name(name: &str, max: usize) {
    assert!((1..=max).contains(&name.chars().count()));
    assert!(
        !name
            .chars()
            .any(|c| text::is_control(c) || text::is_unsafe(c))
    );
}

/// What an independent and laxer reader makes of JSON that was accepted.
pub fn json(bytes: &[u8]) -> serde_json::Value {
    serde_json::from_slice(bytes).expect("what was accepted is JSON")
}

/// The document with JSON white space around it, which changes no verdict while it keeps to the limit of its length.
pub fn spaced(document: &[u8]) -> Vec<u8> {
    [b"\r\n\t ", document, b"\n"].concat()
}

/// The input with `$0`, `$1`, ... replaced by [`TOKENS`]: a fuzzer moves two bytes more easily than a token.
pub fn with_tokens(data: &[u8]) -> Vec<u8> {
    let mut filled = Vec::with_capacity(data.len());
    let mut rest = data;
    while let Some((byte, after)) = rest.split_first() {
        let digit = after
            .first()
            .filter(|_| *byte == b'$')
            .map(|digit| usize::from(digit.wrapping_sub(b'0')));
        match digit.and_then(|at| TOKENS.get(at)) {
            Some(token) => {
                filled.extend_from_slice(token.as_bytes());
                rest = &after[1..];
            }
            None => {
                filled.push(*byte);
                rest = after;
            }
        }
    }
    filled
}

/// Tokens by [`KEY`]: four that verify at [`NOW`], two of them about one server and two of records, and one that is over.
pub static TOKENS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of = |url: &str, status: &str, exp: i64, more: &str| {
        let payload = format!(
            r#"{{"iss":"{ISSUER}","url":"{url}","status":"{status}","checked_at":"2026-11-30T11:58:30Z","iat":{},"exp":{exp}{more}}}"#,
            NOW - 86_400
        );
        signed(
            format!(r#"{{"alg":"EdDSA","kid":"{KID}"}}"#).as_bytes(),
            payload.as_bytes(),
        )
    };
    let seen = r#","name":"Example Mail","first_seen":"2026-08-02T06:30:00Z""#;
    let history = format!(r#"{seen},"history":"{ISSUER}/history""#);
    vec![
        of("https://server-0.example/mcp", "ok", NOW + 60, ""),
        of("https://server-1.example/mcp", "sign_in", NOW + 60, ""),
        of("https://server-1.example/mcp", "down", NOW + 120, seen),
        of("https://mail.example.com/mcp", "ok", NOW + 60, &history),
        of("https://server-2.example/mcp", "unknown", NOW - 301, ""),
    ]
});
