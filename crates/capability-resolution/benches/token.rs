//! What a verified token costs beside the bare signature check, and what refusing garbage costs.
//!
//! `verify_strict` runs on the same bytes in the same process: the ratio of the two medians is the figure, since the
//! machine's speed cancels out of it.

use std::hint::black_box;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use capability_resolution::{
    Discovery, Observation, Origin, Signer, Status, Time, UnverifiedToken,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ed25519_dalek::{Signature, SigningKey};

const SEED: [u8; 32] = [7; 32];

fn token(c: &mut Criterion) {
    let issuer: Origin = "https://resolver.example".parse().expect("an issuer");
    let signer = Signer::new(issuer.clone(), "k1", &SEED).expect("a signer");
    let now = Time::from_unix_seconds(1_796_040_000);
    let observation = Observation {
        url: "https://mail.example.com/mcp".parse().expect("a URL"),
        status: Status::Ok,
        checked_at: now,
    };
    let exp = Time::from_unix_seconds(now.unix_seconds() + 172_800);
    let token = signer.token(&observation, now, exp).expect("a token");
    let document = format!(
        r#"{{"v":"0.2","iss":"{issuer}","resolver":"Example","policy":"{issuer}/policy",
            "endpoints":{{"resolve":"{issuer}/resolve","record":"{issuer}/record"}},
            "keys":[{{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"{}"}}]}}"#,
        signer.public_x()
    );
    let discovery = Discovery::read(document.as_bytes(), &issuer).expect("a sound document");

    let mut group = c.benchmark_group("token");
    group.bench_function("verify", |b| {
        b.iter(|| {
            UnverifiedToken::parse(black_box(token.as_bytes()))
                .and_then(|token| token.verify(&discovery, now))
                .expect("valid")
        });
    });
    let (signed, signature) = token.rsplit_once('.').expect("three segments");
    let signature = URL_SAFE_NO_PAD.decode(signature).expect("base64url");
    let signature = Signature::from_slice(&signature).expect("64 bytes");
    let key = SigningKey::from_bytes(&SEED).verifying_key();
    group.bench_function("verify_strict alone", |b| {
        b.iter(|| {
            key.verify_strict(black_box(signed.as_bytes()), &signature)
                .expect("valid")
        });
    });
    group.finish();

    let mut group = c.benchmark_group("garbage");
    let shapes: [(&str, Vec<u8>); 4] = [
        (
            "random bytes",
            (0..1024_u32)
                .map(|n| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).unwrap_or(0))
                .collect(),
        ),
        ("one long segment", vec![b'A'; 1024]),
        (
            "header of brackets",
            format!("{}.e30.AA", URL_SAFE_NO_PAD.encode("[".repeat(760))).into_bytes(),
        ),
        ("header of members", {
            let members: Vec<String> = (0..70).map(|n| format!("\"m{n}\":{n}")).collect();
            format!(
                "{}.e30.AA",
                URL_SAFE_NO_PAD.encode(format!("{{{}}}", members.join(",")))
            )
            .into_bytes()
        }),
    ];
    for (name, bytes) in shapes {
        group.throughput(Throughput::Bytes(
            u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        ));
        group.bench_function(name, |b| {
            b.iter(|| UnverifiedToken::parse(black_box(&bytes)).expect_err("refused"))
        });
    }
    group.finish();
}

criterion_group!(benches, token);
criterion_main!(benches);
