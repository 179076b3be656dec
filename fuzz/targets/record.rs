//! A record: nothing is accepted but what its issuer signed of a record, and of the server that was asked for.
//!
//! `$0` to `$4` in the input stand for tokens.
#![no_main]

use capability_resolution::{Record, ServerUrl, Time, UnverifiedToken, limits};
use fuzz::{DISCOVERY, ISSUER, NOW, check_claims, check_record, json, judged, spaced, with_tokens};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (data, now) = (with_tokens(data), Time::from_unix_seconds(NOW));
    let verdict = judged(|| Record::read(&data, &DISCOVERY, None, now));
    let roomy = spaced(&data);
    if roomy.len() <= limits::RECORD_MAX_BYTES {
        let roomy = Record::read(&roomy, &DISCOVERY, None, now);
        assert_eq!(
            verdict.as_ref().map_err(|e| e.code()),
            roomy.as_ref().map_err(|e| e.code())
        );
    }
    let other: ServerUrl = "https://nobody.example/".parse().expect("a server URL");
    let Ok(record) = verdict else {
        assert!(Record::read(&data, &DISCOVERY, Some(&other), now).is_err());
        return;
    };
    let (claims, read) = (record.token.claims(), json(&data));
    assert!(data.len() <= limits::RECORD_MAX_BYTES);
    assert!(read["v"] == "0.2" && read["iss"] == ISSUER);
    check_claims(claims, now);
    check_record(&record.claims, claims);

    let jws = read["jws"].as_str().expect("what was accepted has a token");
    let token = UnverifiedToken::parse(jws.as_bytes())
        .and_then(|token| token.verify_record(&DISCOVERY, now));
    assert_eq!(token, Ok((record.token.clone(), record.claims.clone())));

    assert_eq!(
        judged(|| Record::read(&data, &DISCOVERY, Some(&claims.url), now)).as_ref(),
        Ok(&record)
    );
    let refused = judged(|| Record::read(&data, &DISCOVERY, Some(&other), now)).unwrap_err();
    assert_eq!(refused.code().as_str(), "url-mismatch");

    for (member, claim) in [
        ("url", claims.url.as_str().to_owned()),
        ("status", claims.status.to_string()),
        ("checked_at", claims.checked_at.to_string()),
        ("expires", claims.expires.to_string()),
        ("name", record.claims.name.clone()),
        ("first_seen", record.claims.first_seen.to_string()),
        ("resolver", DISCOVERY.resolver().to_owned()),
    ] {
        let differs = read.get(member).is_some_and(|copy| *copy != claim);
        assert_eq!(
            record.copy_differs.contains(&format!("/{member}")),
            differs,
            "{member}"
        );
    }
});
