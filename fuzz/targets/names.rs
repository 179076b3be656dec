//! Origins, server URLs and times: what is accepted is its own canonical form, also for the URL Standard.
#![no_main]

use capability_resolution::{Origin, ServerUrl, Time, limits};
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match text.parse::<Origin>() {
        Err(error) => assert!(
            error
                .to_string()
                .ends_with(&format!("(rule {})", error.rule()))
        ),
        Ok(origin) => {
            assert_eq!(origin.as_str(), text);
            let url = Url::parse(text).expect("an origin is a URL");
            assert_eq!(url.as_str(), format!("{text}/"));
            assert_eq!(url.host_str(), Some(origin.host()));
            assert_eq!(url.port_or_known_default(), Some(origin.port()));
            assert_eq!(origin.is_issuer(), url.domain().is_some());
        }
    }
    match text.parse::<ServerUrl>() {
        Err(error) => assert!(error.to_string().ends_with(')')),
        Ok(server) => {
            assert!(server.as_str() == text && text.len() <= limits::SERVER_URL_MAX_BYTES);
            let url = Url::parse(text).expect("a server URL is a URL");
            assert_eq!(url.as_str(), text);
            assert_eq!(url.origin().ascii_serialization(), server.origin().as_str());
            assert_eq!(
                server.origin().as_str().parse().as_ref(),
                Ok(server.origin())
            );
            assert_eq!(
                format!("{}{}", server.origin(), server.path_and_query()),
                text
            );
            assert_eq!(url.query().is_some(), server.has_query());
            assert!(
                url.fragment().is_none() && url.username().is_empty() && url.password().is_none()
            );
        }
    }
    if let Some(time) = Time::from_document(text) {
        assert_eq!(time.to_string(), text);
        assert_eq!(
            Time::from_document(&Time::from_unix_seconds(time.unix_seconds()).to_string()),
            Some(time)
        );
    }
});
