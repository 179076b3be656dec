//! Resolvers that do whatever they can over real sockets and TLS, beside an honest one.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use capability_resolution::{Constraints, Status, Time};
use capability_resolver_client::{
    Asking, Budget, Client, Difference, GuardedTransport, Resolution,
};

use crate::stage::{DISCOVERY, NOW, Resolver, answered, dropped, need, urls, words};
use crate::stand::{Act, Authority, Greeting, Stand, http, json};

const MAIL: &str = "https://mail.example.com/mcp";
const POST: &str = "https://post.example.net/v1/mcp";

const BUDGET: Budget = Budget {
    per_resolver: Duration::from_secs(2),
    in_all: Duration::from_secs(10),
};

/// A client whose resolvers are at these addresses.
fn client(
    authority: &Authority,
    resolvers: &[(&Resolver, SocketAddr)],
    asking: Asking,
    now: i64,
) -> Client {
    let addresses: Vec<_> = resolvers
        .iter()
        .map(|(resolver, address)| (resolver.issuer.host().to_owned(), *address))
        .collect();
    let find = move |name: &str, _: u16| {
        let found = addresses.iter().find(|(host, _)| host == name);
        let found = found.map(|(_, address)| vec![*address]);
        found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "nobody"))
    };
    let fetcher = GuardedTransport::builder()
        .allow_loopback(true)
        .root_certificate(authority.root.clone())
        .resolver(find)
        .build()
        .unwrap();
    let builder = Client::builder()
        .asking(asking)
        .budget(BUDGET)
        .clock(move || Time::from_unix_seconds(now))
        .transport(GuardedTransport::over(fetcher));
    let builder = resolvers.iter().fold(builder, |builder, (resolver, _)| {
        builder.resolver(resolver.issuer.clone()).unwrap()
    });
    builder.build().unwrap()
}

/// A resolver that says these two bodies.
fn honest(authority: &Authority, resolver: &Resolver, tokens: &[String]) -> Stand {
    let (document, answer) = (resolver.document(), resolver.answer(tokens));
    Stand::start(
        Some(authority.tls(resolver.issuer.host())),
        Greeting::None,
        move |target| {
            Act::Say(json(if target.starts_with("/resolve?") {
                &answer
            } else {
                &document
            }))
        },
    )
}

async fn ask(client: &Client) -> (Resolution, Duration) {
    let began = Instant::now();
    let found = client.resolve(&need(), Constraints::default()).await;
    (found, began.elapsed())
}

fn head(lines: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{lines}").into_bytes()
}

/// Ten megabytes of nothing, in some ten kilobytes.
fn bomb() -> Vec<u8> {
    use std::io::Write as _;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..160 {
        gzip.write_all(&[b' '; 65_536]).unwrap();
    }
    gzip.finish().unwrap()
}

// r[client.fails-open] r[client.failure-codes] r[client.budget] r[http.no-credentials]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whatever_one_does_the_other_is_heard_in_time() {
    let authority = Arc::new(Authority::new());
    let b = Resolver::new("b.example");
    let good = honest(&authority, &b, &[b.ok(MAIL)]);
    let zeroes = vec![b'0'; 65_536];
    let json_head = |lines: &str| head(&format!("{lines}\r\n"));
    let spaces = format!("10000\r\n{}\r\n", " ".repeat(65_536)).into_bytes();
    let many = format!(
        r#"{{"v":"0.2","iss":"https://a.example","resolver":"A","candidates":[{}]}}"#,
        vec!["{}"; 10_000].join(",")
    );
    let sound = Resolver::new("a.example").document();
    let acts: Vec<(&str, Act, &str)> = vec![
        ("no head", Act::SayAndHang(Vec::new()), "timeout"),
        ("half a head", Act::SayAndHang(head("X-")), "timeout"),
        (
            "no body",
            Act::SayAndHang(json_head("Content-Length: 99\r\n")),
            "timeout",
        ),
        (
            "half a body",
            Act::SayAndHang(json_head("Content-Length: 99\r\n\r\n{\"v\"")),
            "timeout",
        ),
        ("a slow body", Act::Trickle(json(&sound)), "timeout"),
        (
            "an endless head",
            Act::Endless(head(""), b"X-Y: z\r\n".repeat(512)),
            "network",
        ),
        (
            "an endless field",
            Act::Endless(head("X-Y: "), zeroes.clone()),
            "network",
        ),
        (
            "endless interim answers",
            Act::Endless(Vec::new(), b"HTTP/1.1 103 Early\r\n\r\n".repeat(512)),
            "network",
        ),
        (
            "an endless body",
            Act::Endless(json_head(""), zeroes.clone()),
            "document-too-large",
        ),
        (
            "endless chunks",
            Act::Endless(json_head("Transfer-Encoding: chunked\r\n"), spaces),
            "document-too-large",
        ),
        (
            "a large body",
            Act::Say(json_head("Content-Length: 99999999999\r\n")),
            "document-too-large",
        ),
        (
            "an endless body of an error",
            Act::Endless(b"HTTP/1.1 500 X\r\n\r\n".to_vec(), zeroes),
            "status-code",
        ),
        (
            "a cut body",
            Act::SayAndClose(json_head("Content-Length: 99\r\n\r\n{")),
            "network",
        ),
        ("no answer", Act::SayAndClose(Vec::new()), "network"),
        (
            "no HTTP",
            Act::SayAndClose(b"SSH-2.0-OpenSSH_9.9\r\n".to_vec()),
            "network",
        ),
        (
            "another type",
            Act::Say(http(200, &[("Content-Type", "text/html")], "<html>")),
            "media-type",
        ),
        (
            "a redirect",
            Act::Say(http(302, &[("Location", "https://b.example/resolve")], "")),
            "redirect",
        ),
        (
            "a redirect to this machine",
            Act::Say(http(307, &[("Location", "http://127.0.0.1:1/")], "")),
            "redirect",
        ),
        (
            "429",
            Act::Say(http(429, &[("Retry-After", "60")], "")),
            "status-code",
        ),
        ("500", Act::Say(http(500, &[], "")), "status-code"),
        (
            "another version",
            Act::Say(json(r#"{"v":"9.9"}"#)),
            "version-unsupported",
        ),
        (
            "a gzip bomb",
            Act::Say(http(
                200,
                &[
                    ("Content-Type", "application/json"),
                    ("Content-Encoding", "gzip"),
                ],
                bomb(),
            )),
            "content-coding",
        ),
        (
            "a gzip bomb that says nothing",
            Act::Say(json(bomb())),
            "document-not-utf8",
        ),
        (
            "deep",
            Act::Say(json("[".repeat(60_000))),
            "document-too-deep",
        ),
        (
            "ten thousand candidates",
            Act::Say(json(&many)),
            "too-many-candidates",
        ),
        ("nothing", Act::Say(json("")), "document-not-json"),
    ];
    let mut running = tokio::task::JoinSet::new();
    // Some of them send as fast as they can: all at once they leave the machine no time for anybody.
    let turns = Arc::new(tokio::sync::Semaphore::new(6));
    for (name, act, code) in acts {
        for path in [DISCOVERY, "/resolve"] {
            if name == "ten thousand candidates" && path == DISCOVERY {
                continue;
            }
            let (act, authority, good) = (act.clone(), Arc::clone(&authority), good.address);
            let turns = Arc::clone(&turns);
            running.spawn(async move {
                let _turn = turns.acquire_owned().await.unwrap();
                let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
                let document = a.document();
                let bad = Stand::start(
                    Some(authority.tls("a.example")),
                    Greeting::None,
                    move |target| {
                        if target.split('?').next() == Some(path) {
                            act.clone()
                        } else {
                            Act::Say(json(&document))
                        }
                    },
                );
                let client = client(
                    &authority,
                    &[(&a, bad.address), (&b, good)],
                    Asking::InOrder,
                    NOW,
                );
                let (found, took) = ask(&client).await;
                assert_eq!(urls(&found), [MAIL], "{name} {path}: {found:?}");
                assert_eq!(
                    words(found.resolvers()),
                    [code, "answered"],
                    "{name} {path}: {found:?}"
                );
                assert!(took < BUDGET.in_all, "{name} {path}: {took:?}");
                for head in bad.heads() {
                    let head = head.to_ascii_lowercase();
                    assert!(
                        head.contains("\r\nhost: a.example\r\n")
                            && head.contains("\r\naccept: application/json\r\n")
                    );
                    for never in ["cookie:", "authorization:", "referer:", "if-none-match:"] {
                        assert!(!head.contains(never), "{head}");
                    }
                }
            });
        }
    }
    while let Some(done) = running.join_next().await {
        done.unwrap();
    }
}

// r[http.https] r[client.fails-open]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_resolver_that_cannot_prove_its_name_is_not_heard() {
    let (authority, other) = (Authority::new(), Authority::new());
    let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
    let good = honest(&authority, &b, &[b.ok(MAIL)]);
    let act = |target: &str| Act::Say(json(target));
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    for (name, stand, code) in [
        (
            "another name",
            Stand::start(Some(authority.tls("c.example")), Greeting::None, act).address,
            "network",
        ),
        (
            "an unknown authority",
            Stand::start(Some(other.tls("a.example")), Greeting::None, act).address,
            "network",
        ),
        (
            "no TLS",
            Stand::start(None, Greeting::None, act).address,
            "network",
        ),
        (
            "a closed connection",
            Stand::start(None, Greeting::Close, act).address,
            "network",
        ),
        (
            "no handshake",
            Stand::start(None, Greeting::Hang, act).address,
            "timeout",
        ),
        ("nobody", closed, "network"),
    ] {
        let client = client(
            &authority,
            &[(&a, stand), (&b, good.address)],
            Asking::InOrder,
            NOW,
        );
        let (found, took) = ask(&client).await;
        assert_eq!(urls(&found), [MAIL], "{name}");
        assert_eq!(
            words(found.resolvers()),
            [code, "answered"],
            "{name}: {found:?}"
        );
        assert!(took < BUDGET.in_all, "{name}: {took:?}");
    }
}

// r[keys.unknown-kid] r[client.clock]
#[tokio::test(flavor = "multi_thread")]
async fn keys_that_rotate_and_clocks_that_are_days_off() {
    let authority = Authority::new();
    let a = Resolver::new("a.example");
    let new = a.rotated("k2");
    let documents = [a.document(), a.document_with(&[&a, &new])];
    let answer = a.answer(&[new.ok(MAIL)]);
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let rotating = Stand::start(
        Some(authority.tls("a.example")),
        Greeting::None,
        move |target| {
            if target.starts_with("/resolve?") {
                return Act::Say(json(&answer));
            }
            let at = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Act::Say(json(&documents[at.min(1)]))
        },
    );
    let at = [(&a, rotating.address)];
    let (found, _) = ask(&client(&authority, &at, Asking::InOrder, NOW)).await;
    assert_eq!(urls(&found), [MAIL]);
    // Three requests over one connection.
    assert_eq!((rotating.heads().len(), rotating.connections()), (3, 1));

    let date =
        httpdate::fmt_http_date(std::time::UNIX_EPOCH + Duration::from_secs(NOW.unsigned_abs()));
    let (document, answer) = (
        a.document(),
        a.answer(&[a.token(MAIL, Status::Ok, 60, 600)]),
    );
    let dated = Stand::start(
        Some(authority.tls("a.example")),
        Greeting::None,
        move |target| {
            let body = if target.starts_with("/resolve?") {
                &answer
            } else {
                &document
            };
            Act::Say(http(
                200,
                &[("Content-Type", "application/json"), ("Date", &date)],
                body,
            ))
        },
    );
    for (off, code) in [(172_800, "expired"), (-172_800, "issued-in-future")] {
        let at = [(&a, dated.address)];
        let (found, _) = ask(&client(&authority, &at, Asking::InOrder, NOW + off)).await;
        assert_eq!((urls(&found).len(), dropped(&found)), (0, vec![code]));
        let doubt = &answered(&found).differences[0];
        let expected = Difference::ClockDoubt {
            theirs: Time::from_unix_seconds(NOW),
            ours: Time::from_unix_seconds(NOW + off),
        };
        assert_eq!(*doubt, expected);
    }
}

// r[client.no-other] r[client.order] r[client.no-connect]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_else_leaves_the_machine() {
    let authority = Authority::new();
    let resolvers = ["a.example", "b.example", "c.example"].map(Resolver::new);
    let server = Stand::start(None, Greeting::None, |_| Act::Say(json("{}")));
    // The candidates are servers of this machine, where a connection would be seen.
    let url = format!("https://localhost:{}/mcp", server.address.port());
    let stands = [
        honest(&authority, &resolvers[0], &[]),
        honest(&authority, &resolvers[1], &[resolvers[1].ok(&url)]),
        honest(&authority, &resolvers[2], &[resolvers[2].ok(POST)]),
    ];
    let at: Vec<_> = resolvers
        .iter()
        .zip(stands.iter().map(|stand| stand.address))
        .collect();
    let in_order = client(&authority, &at, Asking::InOrder, NOW);
    let (found, _) = ask(&in_order).await;
    assert_eq!(urls(&found), [url.as_str()]);
    assert_eq!(stands.each_ref().map(Stand::connections), [1, 1, 0]);
    // A second time nothing is asked at all.
    let (found, _) = ask(&in_order).await;
    assert_eq!(words(found.resolvers()), ["cached", "cached", "not-asked"]);
    assert_eq!(stands.each_ref().map(Stand::connections), [1, 1, 0]);
    let (found, _) = ask(&client(&authority, &at, Asking::AtOnce, NOW)).await;
    assert_eq!(urls(&found), [url.as_str(), POST]);
    assert_eq!(stands.each_ref().map(Stand::connections), [2, 2, 1]);
    assert_eq!(server.connections(), 0);
    // The need is in the requests to resolve, and in nothing else.
    for head in stands.iter().flat_map(Stand::heads) {
        assert_eq!(
            head.contains("send%20an%20email"),
            head.starts_with("GET /resolve?need="),
            "{head}"
        );
    }
}

// r[client.fails-open]
#[tokio::test(flavor = "multi_thread")]
async fn with_every_resolver_down_nothing_is_found_and_nothing_is_wrong() {
    let authority = Authority::new();
    let resolvers = ["a.example", "b.example", "c.example"].map(Resolver::new);
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let hung = Stand::start(None, Greeting::Hang, |_| Act::Say(Vec::new())).address;
    let at: Vec<_> = resolvers.iter().zip([closed, hung, closed]).collect();
    for asking in [Asking::InOrder, Asking::AtOnce] {
        let (found, took) = ask(&client(&authority, &at, asking, NOW)).await;
        assert!(found.advice().is_empty());
        assert_eq!(words(found.resolvers()), ["network", "timeout", "network"]);
        assert!(took < BUDGET.in_all, "{took:?}");
    }
}
