//! An answer: every candidate is kept, dropped or a duplicate, and nothing is kept but what its issuer signed.
//!
//! `$0` to `$4` in the input stand for tokens.
#![no_main]

use capability_resolution::{Answer, Time, limits};
use fuzz::{DISCOVERY, ISSUER, NOW, json, judged, spaced, verify, with_tokens};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (data, now) = (with_tokens(data), Time::from_unix_seconds(NOW));
    let verdict = judged(|| Answer::read(&data, &DISCOVERY, now));
    let roomy = spaced(&data);
    if roomy.len() <= limits::ANSWER_MAX_BYTES {
        let roomy = Answer::read(&roomy, &DISCOVERY, now);
        assert_eq!(
            verdict.as_ref().map_err(|e| e.code()),
            roomy.as_ref().map_err(|e| e.code())
        );
    }
    let Ok(answer) = verdict else {
        return;
    };
    let read = json(&data);
    let entries = read["candidates"]
        .as_array()
        .expect("what was accepted has candidates");
    assert!(data.len() <= limits::ANSWER_MAX_BYTES && entries.len() <= limits::CANDIDATES_MAX);
    assert!(read["v"] == "0.2" && read["iss"] == ISSUER);

    let places = || (0..entries.len()).map(|at| at.to_string());
    let mut kept = answer.candidates.iter();
    for (at, entry) in entries.iter().enumerate() {
        let dropped = answer.dropped.iter().find(|(place, _)| *place == at);
        match (dropped, entry["jws"].as_str()) {
            (Some((_, refusal)), None) => assert_eq!(refusal.code().as_str(), "jws-missing"),
            (Some((_, refusal)), Some(jws)) => {
                assert_eq!(verify(jws.as_bytes(), now).as_ref(), Err(refusal))
            }
            (None, jws) => {
                let jws = jws.expect("what is not dropped has a token");
                let token = verify(jws.as_bytes(), now).expect("what is not dropped verifies");
                let same = |c: &capability_resolution::Candidate| {
                    c.token.claims().url == token.claims().url
                };
                if answer.duplicate_url.contains(&at) {
                    assert!(answer.candidates.iter().any(same));
                } else {
                    let kept = kept.next().expect("a place for each candidate");
                    assert_eq!((kept.jws.as_str(), &kept.token), (jws, &token));
                    let differs = entry["url"] != token.claims().url.as_str();
                    assert_eq!(
                        answer
                            .copy_differs
                            .contains(&format!("/candidates/{at}/url")),
                        differs
                    );
                }
            }
        }
    }
    assert!(kept.next().is_none());
    for (at, candidate) in answer.candidates.iter().enumerate() {
        let url = &candidate.token.claims().url;
        assert!(
            answer.candidates[..at]
                .iter()
                .all(|other| other.token.claims().url != *url)
        );
    }
    for pointer in &answer.copy_differs {
        let place = pointer
            .strip_prefix("/candidates/")
            .and_then(|rest| rest.split_once('/'));
        match place {
            Some((place, name)) => {
                assert!(places().any(|at| at == place));
                assert!(["url", "status", "checked_at", "expires"].contains(&name));
            }
            None => assert!(pointer == "/resolver" && read["resolver"] != DISCOVERY.resolver()),
        }
    }
});
