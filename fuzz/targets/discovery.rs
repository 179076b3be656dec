//! A discovery document: what is accepted says what its bytes say, and keeps to every limit.
#![no_main]

use capability_resolution::{Discovery, limits};
use fuzz::{ORIGIN, check_name, json, judged, spaced};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let verdict = judged(|| Discovery::read(data, &ORIGIN));
    let roomy = spaced(data);
    if roomy.len() <= limits::DISCOVERY_MAX_BYTES {
        let roomy = Discovery::read(&roomy, &ORIGIN);
        assert_eq!(
            verdict.as_ref().map_err(|e| e.code()),
            roomy.as_ref().map_err(|e| e.code())
        );
    }
    let Ok(discovery) = verdict else {
        return;
    };
    assert!(data.len() <= limits::DISCOVERY_MAX_BYTES);
    assert_eq!(discovery.issuer(), &*ORIGIN);
    check_name(discovery.resolver(), limits::RESOLVER_NAME_MAX_CHARACTERS);

    let read = json(data);
    assert_eq!(read["v"], "0.2");
    assert_eq!(read["iss"], discovery.issuer().as_str());
    assert_eq!(read["resolver"], discovery.resolver());
    assert_eq!(read["policy"], discovery.policy().as_str());
    assert_eq!(
        read.get("changelog").and_then(|url| url.as_str()),
        discovery.changelog().map(|url| url.as_str())
    );
    for (name, url) in [
        ("resolve", Some(discovery.resolve())),
        ("record", Some(discovery.record())),
        ("mcp", discovery.mcp()),
    ] {
        assert_eq!(
            read["endpoints"].get(name).and_then(|url| url.as_str()),
            url.map(|url| url.as_str())
        );
        assert!(url.is_none_or(|url| url.origin() == discovery.issuer()));
    }
    assert!(!discovery.resolve().has_query() && !discovery.record().has_query());
    assert!(discovery.keys().iter().count() <= limits::KEYS_MAX);

    // Nobody else's document.
    let other = "https://other.example".parse().expect("an issuer");
    assert_eq!(
        Discovery::read(data, &other).unwrap_err().code().as_str(),
        "iss-mismatch"
    );
    // Nothing was left unread at its end.
    let whole = data.trim_ascii_end();
    assert!(Discovery::read(&whole[..whole.len() - 1], &ORIGIN).is_err());
});
