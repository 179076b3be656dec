//! What holds for every input, not only for the vectors.

use capability_resolution::{
    Answer, Claims, Discovery, Observation, Origin, Record, RecordClaims, ResolveRequest, Signer,
    Status, Time, UnverifiedToken,
};
use proptest::prelude::*;

const ISSUER: &str = "https://resolver.example";

fn issuer() -> Origin {
    ISSUER.parse().expect("an issuer")
}

fn signer(seed: [u8; 32]) -> Signer {
    Signer::new(issuer(), "k1", &seed).expect("a signer")
}

fn document(signer: &Signer) -> String {
    format!(
        r#"{{"v":"0.2","iss":"{ISSUER}","resolver":"Example","policy":"{ISSUER}/policy",
            "endpoints":{{"resolve":"{ISSUER}/resolve","record":"{ISSUER}/record"}},
            "keys":[{{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"{}"}}]}}"#,
        signer.public_x()
    )
}

fn discovery(signer: &Signer) -> Discovery {
    Discovery::read(document(signer).as_bytes(), &issuer()).expect("a sound document")
}

fn status() -> impl Strategy<Value = Status> {
    prop::sample::select(Status::ALL.to_vec())
}

prop_compose! {
    /// An observation that can be stated, with the `iat` and `exp` of a token for it.
    fn statement()(
        host in "[a-z]([a-z0-9-]{0,20}[a-z])?(\\.[a-z]([a-z0-9-]{0,20}[a-z])?){1,3}",
        path in "/([A-Za-z0-9_~-]{1,8}/){0,3}[A-Za-z0-9_~-]{0,12}",
        status in status(),
        checked_at in 86_400_i64..250_000_000_000,
        age in 0_i64..=86_400,
        life in 1_i64..=172_800,
    ) -> Option<(Observation, Time, Time)> {
        let at = Time::from_unix_seconds;
        let url = format!("https://{host}{path}").parse().ok()?;
        Some((Observation { url, status, checked_at: at(checked_at) }, at(checked_at + age), at(checked_at + age + life)))
    }
}

proptest! {
    // r[token.claims] r[token.signature.equation]
    #[test]
    fn what_was_signed_is_what_is_read((seed, statement) in (any::<[u8; 32]>(), statement())) {
        let Some((observation, iat, exp)) = statement else { return Ok(()) };
        let signer = signer(seed);
        let token = signer.token(&observation, iat, exp).expect("a token");
        let verified = UnverifiedToken::parse(token.as_bytes()).expect("a sound form").verify(&discovery(&signer), iat);
        let Observation { url, status, checked_at } = observation;
        let claims = Claims { issuer: issuer(), url, status, checked_at, issued_at: iat, expires: exp };
        prop_assert_eq!(verified.as_ref().map(|token| token.claims()), Ok(&claims));
    }

    // r[record.claims]
    #[test]
    fn a_record_is_read_as_it_was_signed(name in "\\PC{1,200}", statement in statement(), before in 0_i64..86_400) {
        let Some((observation, iat, exp)) = statement else { return Ok(()) };
        let signer = signer([7; 32]);
        let first_seen = Time::from_unix_seconds(observation.checked_at.unix_seconds() - before);
        let record = RecordClaims { name, first_seen, history: Some(format!("{ISSUER}/history").parse().expect("a URL")) };
        if let Ok(token) = signer.record_token(&observation, &record, iat, exp) {
            let read = UnverifiedToken::parse(token.as_bytes()).and_then(|token| token.verify_record(&discovery(&signer), iat));
            prop_assert_eq!(read.map(|(_, claims)| claims), Ok(record));
        }
    }

    // r[token.signature.equation] r[token.base64]
    #[test]
    fn a_token_with_one_byte_changed_never_verifies(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let signer = signer([9; 32]);
        let iat = Time::from_unix_seconds(1_796_040_000);
        let exp = Time::from_unix_seconds(1_796_040_000 + 3_600);
        let observation = Observation { url: "https://mail.example.com/mcp".parse().expect("a URL"), status: Status::Ok, checked_at: iat };
        let mut token = signer.token(&observation, iat, exp).expect("a token").into_bytes();
        let at = at.index(token.len());
        prop_assume!(token[at] != byte);
        token[at] = byte;
        let verdict = UnverifiedToken::parse(&token).and_then(|token| token.verify(&discovery(&signer), iat));
        prop_assert!(verdict.is_err());
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), query in "\\PC{0,80}") {
        let discovery = discovery(&signer([1; 32]));
        let now = Time::from_unix_seconds(1_796_040_000);
        let _ = UnverifiedToken::parse(&bytes).map(|token| token.verify(&discovery, now).is_ok());
        let _ = Discovery::read(&bytes, &issuer());
        let _ = Answer::read(&bytes, &discovery, now);
        let _ = Record::read(&bytes, &discovery, None, now);
        let _ = ResolveRequest::from_query(&query);
    }

    // r[json.unknown-member]
    #[test]
    fn a_verdict_does_not_depend_on_the_order_of_members(order in Just((0..6_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let signer = signer([3; 32]);
        let text = document(&signer);
        let members: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).expect("JSON");
        let members: Vec<_> = members.iter().collect();
        prop_assert_eq!(members.len(), order.len());
        let shuffled: Vec<String> = order.iter().map(|at| format!("{}:{}", serde_json::Value::from(members[*at].0.as_str()), members[*at].1)).collect();
        let shuffled = format!("{{{}}}", shuffled.join(","));
        prop_assert_eq!(Discovery::read(shuffled.as_bytes(), &issuer()), Discovery::read(text.as_bytes(), &issuer()));
    }

    // r[text.character]
    #[test]
    fn a_need_is_read_the_same_a_second_time(text in "\\PC{0,210}") {
        if let Ok(need) = capability_resolution::Need::new(&text) {
            prop_assert_eq!(capability_resolution::Need::new(need.as_str()), Ok(need));
        }
    }
}
