//! A query with a need and constraints, and a need alone: read a second time, what was read is the same.
#![no_main]

use capability_resolution::{Constraints, Need, ResolveRequest, limits, text};
use fuzz::judged;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(data) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(need) = judged(|| Need::new(data)) {
        check(&need);
        assert_eq!(
            Need::new(&format!("\u{3000}{data}\n")).as_ref(),
            Ok(&need),
            "white space around it"
        );
        let read = ResolveRequest::from_query(&query(&need, Constraints::default()));
        assert_eq!(read.map(|read| read.need), Ok(need));
    }
    let Ok(request) = judged(|| ResolveRequest::from_query(data)) else {
        return;
    };
    check(&request.need);
    assert_eq!(
        ResolveRequest::from_query(&query(&request.need, request.constraints)).as_ref(),
        Ok(&request)
    );
    let backwards: Vec<_> = data.rsplit('&').collect();
    assert_eq!(
        ResolveRequest::from_query(&backwards.join("&&")),
        Ok(request),
        "the order of the parameters"
    );
    assert_eq!(
        ResolveRequest::from_query(&format!("{data}&x"))
            .unwrap_err()
            .code()
            .as_str(),
        "parameter-unknown"
    );
});

fn check(need: &Need) {
    let words = need.as_str();
    let characters = words.chars().count();
    assert!((limits::NEED_MIN_CHARACTERS..=limits::NEED_MAX_CHARACTERS).contains(&characters));
    assert!(!words.chars().any(text::is_control) && text::trim(words) == words);
    assert_eq!(Need::new(words).as_ref(), Ok(need));
}

fn query(need: &Need, constraints: Constraints) -> String {
    let need: String = need
        .as_str()
        .bytes()
        .map(|byte| format!("%{byte:02x}"))
        .collect();
    let mut query = format!("need={need}");
    if constraints.no_sign_in {
        query.push_str("&sign_in=none");
    }
    if constraints.read_only {
        query.push_str("&read_only=true");
    }
    if let Some(limit) = constraints.max_handshake {
        assert!((1..=limits::HANDSHAKE_MAX_MILLISECONDS).contains(&limit.milliseconds()));
        query.push_str(&format!("&max_handshake_ms={}", limit.milliseconds()));
    }
    if constraints.no_payment {
        query.push_str("&payment=none");
    }
    query
}
