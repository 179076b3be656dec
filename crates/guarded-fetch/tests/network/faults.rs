//! What hostile and broken servers do.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flate2::{Compression, write::GzEncoder};
use guarded_fetch::{Class, Error, Redirects, Request, Scheme};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use crate::support::Server;
use crate::{Answers, OK, answer, body, builder, certificate, code, fetcher, loopback, patient};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn gzipped(body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("{OK}Content-Encoding: gzip\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

async fn unzip(answer: Vec<u8>, limit: u64) -> Result<Vec<u8>, Error> {
    let server = Server::fixed(answer).await;
    body(Request::get(server.url("/")).gzip().response_bytes(limit)).await
}

#[tokio::test]
async fn gzip_is_undone_where_it_was_asked_for() {
    let text = "a server file\n".repeat(1_000).into_bytes();
    let server = Server::fixed(gzipped(&gzip(&text))).await;
    let asked = Request::get(server.url("/")).gzip();
    assert_eq!(body(asked).await.unwrap(), text);
    assert!(server.requests()[0].contains("\r\naccept-encoding: gzip\r\n"));
    assert_eq!(
        code(body(Request::get(server.url("/"))).await),
        "coding-refused"
    );

    // Several members are one body; none is an empty one.
    let members = [gzip(b"one "), gzip(b""), gzip(b"two")].concat();
    assert_eq!(unzip(gzipped(&members), 100).await.unwrap(), b"one two");
    assert_eq!(unzip(gzipped(b""), 100).await.unwrap(), b"");
    // Asked for, and not used.
    let plain = format!("{OK}\r\nplain").into_bytes();
    assert_eq!(unzip(plain, 100).await.unwrap(), b"plain");
    for coding in [
        "br",
        "deflate",
        "zstd",
        "gzip, gzip",
        "gzip\r\nContent-Encoding: gzip",
    ] {
        let answer = format!("{OK}Content-Encoding: {coding}\r\n\r\n");
        let answer = [answer.as_bytes(), &gzip(b"x")].concat();
        assert_eq!(code(unzip(answer, 100).await), "coding-refused", "{coding}");
    }
}

#[tokio::test]
async fn gzip_that_is_none() {
    let whole = gzip(&b"some text".repeat(50));
    for cut in [1, 5, 12, whole.len() - 9, whole.len() - 1] {
        let answer = gzipped(&whole[..cut]);
        assert_eq!(code(unzip(answer, 1_000).await), "truncated", "{cut}");
    }
    let mut wrong_sum = whole.clone();
    let at = wrong_sum.len() - 6;
    wrong_sum[at] ^= 1;
    let trailing = [&whole[..], b"and something else"].concat();
    for answer in [&b"plain text"[..], &wrong_sum, &trailing] {
        let error = unzip(gzipped(answer), 1_000).await.unwrap_err();
        assert_eq!(
            (error.code(), error.class()),
            ("coding-invalid", Class::Transfer)
        );
    }
}

#[tokio::test]
async fn a_gzip_bomb_stops_at_the_limit() {
    // A thousandth of its size on the wire.
    let bomb = gzip(&vec![0; 16 << 20]);
    assert!(bomb.len() < 17_000);
    let error = unzip(gzipped(&bomb), 100_000).await.unwrap_err();
    assert!(
        matches!(error, Error::BodyTooLarge { limit: 100_000, .. }),
        "{error}"
    );

    let server = Server::fixed(gzipped(&bomb)).await;
    let request = || Request::get(server.url("/")).gzip().response_bytes(100_000);
    let prefix = fetcher()
        .send(request())
        .await
        .unwrap()
        .prefix()
        .await
        .unwrap();
    assert_eq!(prefix, vec![0; 100_000]);
    // As a stream, no step gives more than the limit has left, and an error stays one.
    let mut response = fetcher().send(request()).await.unwrap();
    let mut given = 0;
    let error = loop {
        match response.chunk().await {
            Ok(chunk) => given += chunk.unwrap().len(),
            Err(error) => break error,
        }
    };
    assert_eq!((given, error.code()), (100_000, "body-too-large"));
    assert_eq!(response.chunk().await.unwrap_err(), error);
}

/// Deflate can say nothing at any length: blocks that hold no byte, members that hold no block.
#[tokio::test]
async fn an_endless_nothing_stops_too() {
    let header = gzip(b"")[..10].to_vec();
    let empty_block = [0, 0, 0, 0xff, 0xff].repeat(1_000);
    let empty_member = gzip(b"").repeat(200);
    for (start, endless) in [(header, empty_block), (Vec::new(), empty_member)] {
        let sent = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&sent);
        let server = Server::start("127.0.0.1", move |mut stream, _| {
            let (start, endless, counted) = (start.clone(), endless.clone(), Arc::clone(&counted));
            async move {
                let head = format!("{OK}Content-Encoding: gzip\r\n\r\n");
                let _ = stream.write_all(&[head.as_bytes(), &start].concat()).await;
                while let Ok(written) = stream.write(&endless).await {
                    counted.fetch_add(u64::try_from(written).unwrap(), Ordering::SeqCst);
                }
            }
        })
        .await;
        let request = Request::get(server.url("/")).gzip().response_bytes(100_000);
        assert_eq!(code(body(request).await), "body-too-large");
        assert!(sent.load(Ordering::SeqCst) < 16 << 20);
    }
}

/// An event is there when it was sent, also where the stream is coded.
#[tokio::test]
async fn a_coded_stream_is_read_as_it_comes() {
    let server = Server::start("127.0.0.1", |mut stream, _| async move {
        let head = format!("{OK}Content-Encoding: gzip\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        for event in ["data: 1\n\n".to_owned(), "a".repeat(300_000)] {
            encoder.write_all(event.as_bytes()).unwrap();
            encoder.flush().unwrap();
            stream
                .write_all(&std::mem::take(encoder.get_mut()))
                .await
                .unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        tokio::time::sleep(Duration::from_secs(60)).await;
    })
    .await;
    let request = Request::get(server.url("/")).gzip();
    let mut response = fetcher().send(request).await.unwrap();
    assert_eq!(response.chunk().await.unwrap().unwrap(), "data: 1\n\n");
    let mut given = 0;
    while given < 300_000 {
        given += response.chunk().await.unwrap().unwrap().len();
    }
    assert_eq!(given, 300_000);
}

#[tokio::test]
async fn interim_answers_are_passed_over_but_not_for_ever() {
    let few = "HTTP/1.1 103 Early\r\nLink: <x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n";
    let whole = format!("{few}{OK}Content-Length: 5\r\n\r\nhello");
    assert_eq!(answer(whole).await.unwrap(), b"hello");

    let sent = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&sent);
    let flood = Server::start("127.0.0.1", move |mut stream, _| {
        let counted = Arc::clone(&counted);
        async move {
            let block = b"HTTP/1.1 103 Early\r\nLink: <x>\r\n\r\n".repeat(100);
            while let Ok(written) = stream.write(&block).await {
                counted.fetch_add(u64::try_from(written).unwrap(), Ordering::SeqCst);
            }
        }
    })
    .await;
    assert_eq!(
        code(body(Request::get(flood.url("/"))).await),
        "head-too-large"
    );
    assert!(sent.load(Ordering::SeqCst) < 16 << 20);
    // Nobody asked for another protocol.
    let upgrade = "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nbytes";
    let server = Server::fixed(upgrade).await;
    let answer = fetcher().send(Request::get(server.url("/"))).await;
    assert!(answer.is_err() || answer.is_ok_and(|answer| answer.status() == 101));
}

#[tokio::test]
async fn heads_that_break_the_rules() {
    for (head, expected) in [
        ("X: a\0b", "http-invalid"),
        ("X: a\rb", "http-invalid"),
        ("X: a\x7fb", "http-invalid"),
        ("X\0: a", "http-invalid"),
        ("X : a", "http-invalid"),
        (" X: a", "http-invalid"),
        ("X", "http-invalid"),
        (": a", "http-invalid"),
        ("X: a\r\n folded", "http-invalid"),
        ("Content-Length: 0x5", "http-invalid"),
        ("Content-Length: +5", "http-invalid"),
        ("Content-Length: 99999999999999999999999", "http-invalid"),
    ] {
        let answer = answer(format!("{OK}{head}\r\n\r\nhello")).await;
        assert_eq!(
            answer.map_err(|error| error.code()),
            Err(expected),
            "{head:?}"
        );
    }
    // Bytes above 0x7f are allowed, and no text; a bad `Location` leads nowhere.
    let server = Server::fixed(
        [&b"HTTP/1.1 302 Found\r\nLocation: /\xff\xfe\r\nContent-Type: \xe9\r\n\r\n"[..]].concat(),
    )
    .await;
    let request = Request::get(server.url("/")).redirects(Redirects::Https { limit: 5 });
    let response = fetcher().send(request).await.unwrap();
    assert_eq!(
        (response.status().as_u16(), response.media_type()),
        (302, None)
    );
    // One field more than is taken.
    let fields = |count: usize| answer(format!("{OK}{}\r\nhello", "X: y\r\n".repeat(count)));
    assert_eq!(fields(100).await.unwrap(), b"hello");
    assert_eq!(code(fields(101).await), "head-too-large");
}

// r[http.address]
#[tokio::test]
async fn no_hop_leads_to_an_address_that_is_not_public() {
    for host in [
        "10.0.0.1",
        "10.1",
        "0xa000001",
        "012.0.0.1",
        "167772161",
        "192.168.0.1",
        "172.16.5.4",
        "169.254.169.254",
        "2852039166",
        "100.64.0.1",
        "0.0.0.0",
        "0",
        "224.0.0.1",
        "255.255.255.255",
        "%31%30.0.0.1",
        "[::]",
        "[::ffff:10.0.0.1]",
        "[::ffff:a00:1]",
        "[0:0:0:0:0:ffff:10.0.0.1]",
        "[::10.0.0.1]",
        "[64:ff9b::a00:1]",
        "[64:ff9b:1::a00:1]",
        "[2002:a00:1::1]",
        "[2001:0:1:1::f5ff:fffe]",
        "[2606:4700::5efe:a00:1]",
        "[fe80::1]",
        "[fd00::1]",
        "[fec0::1]",
        "[ff02::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
    ] {
        for location in [
            format!("http://{host}/"),
            format!("https://{host}:8443/x?y#z"),
        ] {
            let head = format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\n\r\n");
            let server = Server::fixed(head).await;
            let request = Request::get(server.url("/")).redirects(Redirects::Https { limit: 5 });
            let error = fetcher().send(request).await.unwrap_err();
            assert_eq!(
                (error.code(), error.class()),
                ("address-refused", Class::Connection)
            );
        }
    }
    // Loopback itself, without the switch.
    for host in [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "[::1]",
        "localhost",
    ] {
        let (root, acceptor) = certificate("start.test");
        let answer = format!("HTTP/1.1 302 Found\r\nLocation: https://{host}/\r\n\r\n");
        let server = Server::launch("127.0.0.2", Some(acceptor), move |mut stream, _| {
            let answer = answer.clone();
            async move {
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.shutdown().await;
            }
        })
        .await;
        // The second look-up is that of `localhost`.
        let resolver = Answers::new(|asked| {
            std::future::ready(Ok(vec![loopback(if asked == 0 { 2 } else { 1 })]))
        });
        let fetcher = builder()
            .allow("127.0.0.2/32".parse().unwrap())
            .root_certificate(root)
            .resolver(resolver)
            .build()
            .unwrap();
        let request = Request::get(format!("https://start.test:{}/", server.address.port()))
            .redirects(Redirects::Https { limit: 5 });
        assert_eq!(
            code(fetcher.send(request).await),
            "address-refused",
            "{host}"
        );
        assert_eq!(server.connections(), 1);
    }
}

// r[http.no-credentials] r[http.user-agent]
#[tokio::test]
async fn a_cookie_is_not_brought_back() {
    let server = Server::keep_alive(None, |request| {
        let location = if request.starts_with("GET /0 ") {
            "/1"
        } else {
            ""
        };
        let status = if location.is_empty() {
            "200 OK"
        } else {
            "302 Found"
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nSet-Cookie: id=secret; Path=/\r\nLocation: {location}\r\n\
             WWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
        );
        Some(head.into_bytes())
    })
    .await;
    let follow = || Request::get(server.url("/0")).redirects(Redirects::Https { limit: 1 });
    let fetcher = fetcher();
    fetcher.send(follow()).await.unwrap();
    let session = fetcher
        .session(&server.url("/"), Duration::from_secs(60))
        .await
        .unwrap();
    session.send(follow()).await.unwrap();
    session.send(Request::get(server.url("/1"))).await.unwrap();
    let requests = server.requests();
    assert_eq!(requests.len(), 5);
    for request in requests {
        let request = request.to_ascii_lowercase();
        for absent in ["cookie", "authorization", "secret", "referer", "origin"] {
            assert!(!request.contains(absent), "{request}");
        }
        let agent = "\r\nuser-agent: guarded-fetch-test/1.0 (+https://example.org/contact)\r\n";
        assert!(request.contains(agent), "{request}");
    }
}

#[tokio::test]
async fn no_connection_says_why() {
    // A server that hangs up, and one that resets, at the first byte of TLS.
    for linger in [false, true] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            if linger {
                stream.set_zero_linger().unwrap();
            }
            let _ = stream.read(&mut [0]).await;
        });
        let error = body(Request::get(format!("https://{address}/")))
            .await
            .unwrap_err();
        assert_eq!(
            (error.code(), error.class()),
            ("connect-reset", Class::Connection),
            "{error}"
        );
        server.await.unwrap();
    }
    // Plain http where TLS was expected: it answers what it can, and hangs up.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 1_000]).await;
        let answer = b"HTTP/1.1 400 Bad Request\r\n\r\n";
        stream.write_all(answer).await.unwrap();
    });
    let error = body(Request::get(format!("https://{address}/")))
        .await
        .unwrap_err();
    assert_eq!(error.class(), Class::Connection, "{error}");
    server.await.unwrap();
    // A server of HTTP/2 alone says so in the handshake.
    let (root, acceptor) = certificate("127.0.0.1");
    let mut config = rustls::ServerConfig::clone(acceptor.config());
    config.alpn_protocols = vec![b"h2".to_vec()];
    let server = Server::fixed_tls(Arc::new(config).into(), b"").await;
    let fetcher = builder()
        .allow_loopback(true)
        .root_certificate(root)
        .build()
        .unwrap();
    let request = Request::get(format!("https://{}/", server.address));
    let error = fetcher.send(request).await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::TlsFailed {
                certificate: false,
                ..
            }
        ),
        "{error}"
    );
}

#[tokio::test]
async fn a_reset_is_told_from_an_end() {
    for (bytes, received) in [
        (&b""[..], 0),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", 4),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.set_zero_linger().unwrap();
            let _ = stream.read(&mut [0; 1_000]).await;
            stream.write_all(bytes).await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        });
        let sending = async {
            let request = Request::get(format!("http://{address}/"));
            let mut response = fetcher().send(request).await?;
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await? {
                body.extend_from_slice(&chunk);
            }
            Ok::<_, Error>(body)
        };
        let error = sending.await.unwrap_err();
        assert!(
            matches!(error, Error::Reset { received: found, .. } if found == received),
            "{error}"
        );
        assert_eq!(error.class(), Class::Transfer);
        server.await.unwrap();
    }
}

#[tokio::test]
async fn a_certificate_that_has_expired() {
    let (root, acceptor) = crate::expired_certificate("old.test");
    let server = Server::fixed_tls(acceptor, b"HTTP/1.1 200 OK\r\n\r\n").await;
    let fetcher = builder()
        .allow_loopback(true)
        .root_certificate(root)
        .resolver(Answers::new(|_| std::future::ready(Ok(vec![loopback(1)]))))
        .build()
        .unwrap();
    let request = Request::get(format!("https://old.test:{}/", server.address.port()));
    let error = fetcher.send(request).await.unwrap_err();
    assert!(
        matches!(
            &error,
            Error::TlsFailed {
                certificate: true,
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("xpired"), "{error}");
    assert!(server.requests().is_empty());
}

/// An address where nobody answers: its queue is full, and stays so while the value lives.
#[cfg(target_os = "linux")]
async fn silent() -> (SocketAddr, TcpListener, Vec<TcpStream>) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 3], 0).into()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    let patience = Duration::from_millis(100);
    while let Ok(stream) = tokio::time::timeout(patience, TcpStream::connect(address)).await {
        waiting.push(stream.unwrap());
        assert!(waiting.len() < 10);
    }
    (address, listener, waiting)
}

/// The second address answers, without waiting for the first.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn another_address_is_tried_beside_a_dead_one() {
    let server = Server::fixed(format!("{OK}Content-Length: 5\r\n\r\nhello")).await;
    let port = server.address.port();
    let (silent, _listener, _waiting) = silent().await;
    let refusing = SocketAddr::from(([127, 0, 0, 4], silent.port()));
    for first in [refusing, silent] {
        let fetcher = builder()
            .allow_loopback(true)
            .resolver(move |_: &str, _: u16| Ok(vec![first, ([127, 0, 0, 1], port).into()]))
            .build()
            .unwrap();
        let request = Request::get("http://two.test/").scheme(Scheme::SelfProving);
        let response = fetcher.send(request).await.unwrap();
        assert_eq!(response.peer(), server.address);
        assert_eq!(response.bytes().await.unwrap(), b"hello");
    }
    let short = patient(|limits| limits.connect = Duration::from_millis(300));
    let alone = Request::get(format!("http://{silent}/")).limits(short);
    assert_eq!(code(fetcher().send(alone).await), "timeout-connect");
}

/// What a server URL may hold goes out as it stands.
#[tokio::test]
async fn the_path_and_the_query_go_out_byte_for_byte() {
    let server = Server::fixed(format!("{OK}Content-Length: 0\r\n\r\n")).await;
    let paths = [
        "/a-b._~!$&'()*+,;=:@%2f%2F%00",
        "/?",
        "/a?-._~!$&()*+,;=:@/?%7b",
        "/a//b/%41?x=%20&y=+",
        "//",
        "/;v=1?a=b?c",
    ];
    for path in paths {
        fetcher()
            .send(Request::get(server.url(path)))
            .await
            .unwrap();
    }
    let lines: Vec<String> = server
        .requests()
        .iter()
        .map(|request| request.split("\r\n").next().unwrap().to_owned())
        .collect();
    assert_eq!(lines, paths.map(|path| format!("GET {path} HTTP/1.1")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever a server sends, there is an answer or an error, within the limits and the time.
    #[test]
    fn no_bytes_from_a_server_are_too_much(
        head in prop_oneof![
            Just(String::new()),
            Just(OK.to_owned()),
            Just(format!("{OK}Transfer-Encoding: chunked\r\n\r\n")),
            Just(format!("{OK}Content-Encoding: gzip\r\n\r\n")),
        ],
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let server = Server::fixed([head.as_bytes(), &bytes].concat()).await;
            let request = Request::get(server.url("/")).gzip().response_bytes(1_000);
            if let Ok(found) = body(request).await {
                assert!(found.len() <= 1_000);
            }
        });
    }
}
