//! The keys of a discovery document: each usable or with its code, and a token verifies by nothing but its own key.
//!
//! The input is what stands between the brackets of `keys`.
#![no_main]

use capability_resolution::{Discovery, Time, UnverifiedToken, limits};
use fuzz::{KEY, KID, NOW, ORIGIN, TOKENS, base64url, json, judged, with_keys};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let document = with_keys(data);
    let Ok(discovery) = judged(|| Discovery::read(&document, &ORIGIN)) else {
        return;
    };
    let read = json(&document);
    let entries = read["keys"].as_array().expect("what was accepted has keys");
    assert!(entries.len() <= limits::KEYS_MAX);

    let keys: Vec<_> = discovery.keys().iter().collect();
    for (at, (kid, fault)) in keys.iter().enumerate() {
        assert!((1..=limits::KID_MAX_CHARACTERS).contains(&kid.chars().count()));
        assert!(keys[..at].iter().all(|(other, _)| other != kid));
        let entry = entries
            .iter()
            .find(|entry| entry["kid"] == *kid)
            .expect("a key of the document");
        if fault.is_none() {
            assert!(entry["kty"] == "OKP" && entry["crv"] == "Ed25519");
            assert_eq!(entry["x"].as_str().map(str::len), Some(43));
        }
    }

    let verdict = judged(|| {
        UnverifiedToken::parse(TOKENS[0].as_bytes())?
            .verify(&discovery, Time::from_unix_seconds(NOW))
    });
    let own = keys.iter().find(|(kid, _)| *kid == KID);
    match (own, verdict) {
        (None, verdict) => assert_eq!(verdict.unwrap_err().code().as_str(), "kid-unknown"),
        (Some((_, Some(fault))), verdict) => assert_eq!(verdict.unwrap_err().code(), *fault),
        (Some((_, None)), verdict) => {
            let x = &entries
                .iter()
                .find(|entry| entry["kid"] == KID)
                .expect("the entry")["x"];
            assert_eq!(
                verdict.is_ok(),
                *x == base64url(KEY.verifying_key().as_bytes()).as_str()
            );
        }
    }
});
