//! What a call costs beside the verification of its ten tokens, and beside a bare HTTP GET of the same bytes.
//!
//! The resolver is a thread of this program, by http on loopback: what is measured of a cold call is the client's own
//! work and that of the sockets, and no TLS. `cargo xtask bench` runs this.

#![expect(clippy::unwrap_used, reason = "a bench is its own caller")]

use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use capability_resolution::{
    Constraints, Discovery, Need, Observation, Origin, Signer, Status, Time, UnverifiedToken,
};
use capability_resolver_client::{Client, GuardedTransport};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use guarded_fetch::Fetcher;
use tokio::runtime::Runtime;

/// 2026-11-30T12:00:05Z.
const NOW: i64 = 1_796_040_005;
const TOKENS: usize = 10;

/// A resolver with ten candidates for everything.
struct Resolver {
    address: SocketAddr,
    issuer: Origin,
    document: String,
    tokens: Vec<String>,
}

impl Resolver {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let issuer = Origin::loopback(&format!("http://{address}")).unwrap();
        let signer = Signer::new(issuer.clone(), "k1", &[7; 32]).unwrap();
        let at = Time::from_unix_seconds;
        let tokens: Vec<String> = (0..TOKENS)
            .map(|number| {
                let seen = Observation {
                    url: format!("https://server-{number}.example.com/mcp")
                        .parse()
                        .unwrap(),
                    status: Status::Ok,
                    checked_at: at(NOW - 600),
                };
                signer.token(&seen, at(NOW - 60), at(NOW + 86_400)).unwrap()
            })
            .collect();
        let candidates: Vec<String> = tokens
            .iter()
            .enumerate()
            .map(|(number, jws)| {
                let (checked_at, expires) = (at(NOW - 600), at(NOW + 86_400));
                format!(
                    r#"{{"url":"https://server-{number}.example.com/mcp","status":"ok","checked_at":"{checked_at}","expires":"{expires}","evidence":{{"record":"{issuer}/record?id=s-{number}"}},"jws":"{jws}"}}"#
                )
            })
            .collect();
        let answer = format!(
            r#"{{"v":"0.2","iss":"{issuer}","resolver":"Bench","candidates":[{}]}}"#,
            candidates.join(",")
        );
        let document = format!(
            r#"{{"v":"0.2","iss":"{issuer}","resolver":"Bench","policy":"{issuer}/policy","endpoints":{{"resolve":"{issuer}/resolve","record":"{issuer}/record"}},"keys":[{{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"{}"}}]}}"#,
            signer.public_x()
        );
        let bodies = Arc::new([document.clone(), answer]);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let bodies = Arc::clone(&bodies);
                thread::spawn(move || drop(serve(stream, &bodies)));
            }
        });
        Self {
            address,
            issuer,
            document,
            tokens,
        }
    }

    fn client(&self, fetcher: &Fetcher) -> Client {
        Client::builder()
            .resolver(self.issuer.clone())
            .unwrap()
            .clock(|| Time::from_unix_seconds(NOW))
            .transport(GuardedTransport::over(fetcher.clone()))
            .build()
            .unwrap()
    }
}

fn serve(stream: TcpStream, bodies: &[String; 2]) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head)? == 0 {
                return Ok(());
            }
        }
        let body = &bodies[usize::from(head.starts_with("GET /resolve?"))];
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: private, max-age=3600\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        reader.get_mut().write_all(answer.as_bytes())?;
    }
}

/// One GET as no library does it: no limits, no checks, no time.
fn bare_get(reader: &mut BufReader<TcpStream>, target: &str) -> Vec<u8> {
    let request = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    reader.get_mut().write_all(request.as_bytes()).unwrap();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim_end().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    body
}

fn call(c: &mut Criterion) {
    let resolver = Resolver::start();
    let fetcher = GuardedTransport::builder()
        .allow_loopback(true)
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let need = Need::new("send a transactional email").unwrap();
    let resolve = |runtime: &Runtime, client: &Client| {
        let found = runtime.block_on(client.resolve(black_box(&need), Constraints::default()));
        assert_eq!(found.advice().len(), TOKENS);
    };

    let mut group = c.benchmark_group("call");
    let discovery = Discovery::read(resolver.document.as_bytes(), &resolver.issuer).unwrap();
    group.bench_function("ten verifications", |b| {
        b.iter(|| {
            for token in &resolver.tokens {
                let token = UnverifiedToken::parse(black_box(token.as_bytes())).unwrap();
                black_box(
                    token
                        .verify(&discovery, Time::from_unix_seconds(NOW))
                        .unwrap(),
                );
            }
        });
    });
    let warm = resolver.client(&fetcher);
    group.bench_function("warm", |b| b.iter(|| resolve(&runtime, &warm)));
    group.bench_function("cold", |b| {
        b.iter_batched(
            || resolver.client(&fetcher),
            |client| resolve(&runtime, &client),
            BatchSize::PerIteration,
        );
    });
    group.bench_function("bare GET of the same bytes", |b| {
        b.iter(|| {
            let stream = TcpStream::connect(resolver.address).unwrap();
            stream.set_nodelay(true).unwrap();
            let mut reader = BufReader::new(stream);
            black_box(bare_get(&mut reader, "/.well-known/capability-resolver"));
            black_box(bare_get(
                &mut reader,
                "/resolve?need=send%20a%20transactional%20email",
            ));
        });
    });
    group.finish();
}

criterion_group!(benches, call);
criterion_main!(benches);
