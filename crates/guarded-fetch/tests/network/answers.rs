//! Answers that are too long, too slow, too short, or no HTTP.

use std::time::{Duration, Instant};

use guarded_fetch::{Error, Fetcher, HeaderName, HeaderValue, Limits, Request, Stage};
use tokio::io::AsyncWriteExt;

use crate::support::Server;
use crate::{Answers, OK, answer, body, builder, certificate, code, fetcher, patient};

#[tokio::test]
async fn a_plain_answer_arrives_and_the_request_says_who_asks() {
    let server = Server::fixed(format!(
        "{OK}Content-Type: Text/Plain; a=b\r\nContent-Length: 5\r\n\r\nhello"
    ))
    .await;
    let response = fetcher()
        .send(Request::get(server.url("/p?q=1")))
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.media_type().as_deref(), Some("text/plain"));
    assert_eq!(response.url().query(), Some("q=1"));
    assert_eq!(response.bytes().await.unwrap(), b"hello");

    let request = server.requests().remove(0).to_ascii_lowercase();
    assert!(request.starts_with("get /p?q=1 http/1.1\r\n"), "{request}");
    assert!(
        request
            .contains("\r\nuser-agent: guarded-fetch-test/1.0 (+https://example.org/contact)\r\n")
    );
    assert!(request.contains("\r\naccept-encoding: identity\r\n"));
    for absent in ["cookie:", "authorization:", "referer:"] {
        assert!(!request.contains(absent), "{request}");
    }
}

#[tokio::test]
async fn a_program_of_a_person_says_what_it_is_and_no_more() {
    let server = Server::fixed(format!("{OK}Content-Length: 2\r\n\r\nok")).await;
    let fetcher = Fetcher::of_a_person("program/1.0")
        .root_certificate(certificate("unused.test").0)
        .allow_loopback(true)
        .build()
        .unwrap();
    fetcher.send(Request::get(server.url("/"))).await.unwrap();
    let request = server.requests().remove(0).to_ascii_lowercase();
    assert!(
        request.contains("\r\nuser-agent: program/1.0\r\n"),
        "{request}"
    );
    let no_name = Fetcher::of_a_person("program (of Alice)").build();
    assert_eq!(no_name.unwrap_err().code(), "setup-invalid");
}

#[tokio::test]
async fn a_post_arrives_once_and_a_large_one_not_at_all() {
    let server = Server::fixed(format!("{OK}Content-Length: 2\r\n\r\nok")).await;
    let post = |length| {
        let media_type = HeaderValue::from_static("application/timestamp-query");
        Request::post(server.url("/"), media_type, vec![b'x'; length])
    };
    assert_eq!(body(post(200_000)).await.unwrap(), b"ok");
    assert_eq!(code(body(post((1 << 20) + 1)).await), "request-too-large");
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert!(requests[0].contains("content-type: application/timestamp-query\r\n"));
    assert!(requests[0].ends_with(&"x".repeat(200_000)));
}

#[tokio::test]
async fn a_failing_status_is_an_answer() {
    let server = Server::fixed("HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\nsad!").await;
    let response = fetcher().send(Request::get(server.url("/"))).await.unwrap();
    assert_eq!(response.status(), 500);
    assert_eq!(response.bytes().await.unwrap(), b"sad!");
}

#[tokio::test]
async fn an_endless_body_is_cut_at_the_limit() {
    let server = Server::start("127.0.0.1", |mut stream, _| async move {
        let _ = stream.write_all(OK.as_bytes()).await;
        let _ = stream.write_all(b"\r\n").await;
        while stream.write_all(&[b'a'; 65_536]).await.is_ok() {}
    })
    .await;
    let error = body(Request::get(server.url("/")).response_bytes(100_000))
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::BodyTooLarge {
                limit: 100_000,
                declared: None,
                ..
            }
        ),
        "{error}"
    );
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_passes() {
    let server = Server::fixed(format!("{OK}Content-Length: 10\r\n\r\n0123456789")).await;
    assert_eq!(
        body(Request::get(server.url("/")).response_bytes(10))
            .await
            .unwrap()
            .len(),
        10
    );
    assert_eq!(
        code(body(Request::get(server.url("/")).response_bytes(9)).await),
        "body-too-large"
    );
}

/// What is given out stops at the limit, and no chunk is empty.
#[tokio::test]
async fn a_stream_that_is_too_large_gives_the_limit_and_then_the_error() {
    let chunks = "4\r\nhalf\r\n4\r\nmore\r\n0\r\n\r\n";
    let server = Server::fixed(format!("{OK}Transfer-Encoding: chunked\r\n\r\n{chunks}")).await;
    for (limit, expected) in [(4, "half"), (6, "halfmo"), (8, "halfmore")] {
        let request = Request::get(server.url("/")).response_bytes(limit);
        let mut response = fetcher().send(request).await.unwrap();
        let mut given = Vec::new();
        let end = loop {
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    assert!(!chunk.is_empty());
                    given.extend_from_slice(&chunk);
                }
                end => break end.map_err(|error| error.code()),
            }
        };
        assert_eq!(given, expected.as_bytes());
        let whole = limit == 8;
        assert_eq!(
            end,
            if whole {
                Ok(None)
            } else {
                Err("body-too-large")
            }
        );
    }
}

#[tokio::test]
async fn a_large_content_length_is_refused_before_the_body() {
    let error = answer(format!("{OK}Content-Length: 9999999999\r\n\r\n"))
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::BodyTooLarge {
                declared: Some(9_999_999_999),
                ..
            }
        ),
        "{error}"
    );
}

#[tokio::test]
async fn a_content_length_that_lies() {
    let short = answer(format!("{OK}Content-Length: 10\r\n\r\nhalf"))
        .await
        .unwrap_err();
    assert!(
        matches!(short, Error::Truncated { received: 4, .. }),
        "{short}"
    );
    // What follows the declared length is not part of the answer.
    assert_eq!(
        answer(format!("{OK}Content-Length: 4\r\n\r\nhalf and more"))
            .await
            .unwrap(),
        b"half"
    );
    assert_eq!(
        code(
            answer(format!(
                "{OK}Content-Length: 4\r\nContent-Length: 5\r\n\r\nhalf!"
            ))
            .await
        ),
        "http-invalid"
    );
    assert_eq!(
        code(answer(format!("{OK}Content-Length: -1\r\n\r\nx")).await),
        "http-invalid"
    );
}

#[tokio::test]
async fn half_an_answer() {
    assert_eq!(code(answer("").await), "truncated");
    assert_eq!(code(answer("HTTP/1.1 20").await), "truncated");
    assert_eq!(
        code(answer(format!("{OK}Content-Type: te")).await),
        "truncated"
    );
    let chunked = format!("{OK}Transfer-Encoding: chunked\r\n\r\n");
    assert_eq!(
        answer(format!("{chunked}4\r\nhalf\r\n0\r\n\r\n"))
            .await
            .unwrap(),
        b"half"
    );
    assert_eq!(
        code(answer(format!("{chunked}4\r\nhalf\r\n")).await),
        "truncated"
    );
    assert_eq!(code(answer(format!("{chunked}4\r\nha")).await), "truncated");
    assert_eq!(
        code(answer(format!("{chunked}zz\r\nhalf\r\n")).await),
        "http-invalid"
    );
}

#[tokio::test]
async fn what_is_not_http() {
    assert_eq!(
        code(answer("SSH-2.0-OpenSSH_9.2\r\n\r\n").await),
        "http-invalid"
    );
    assert_eq!(code(answer([0xff; 512]).await), "http-invalid");
    assert_eq!(
        code(answer("HTTP/9.9 200 OK\r\n\r\n").await),
        "http-invalid"
    );
}

#[tokio::test]
async fn a_huge_head_is_refused() {
    let line = format!("X: {}\r\n", "y".repeat(60_000));
    assert_eq!(
        code(answer(format!("{OK}{}", line.repeat(20))).await),
        "head-too-large"
    );
    let many = "X: y\r\n".repeat(500);
    assert_eq!(
        code(answer(format!("{OK}{many}\r\n")).await),
        "head-too-large"
    );
}

#[tokio::test]
async fn an_endless_head_is_refused() {
    let server = Server::start("127.0.0.1", |mut stream, _| async move {
        let _ = stream.write_all(OK.as_bytes()).await;
        while stream
            .write_all(b"X-Header: and another one\r\n")
            .await
            .is_ok()
        {}
    })
    .await;
    assert_eq!(
        code(body(Request::get(server.url("/"))).await),
        "head-too-large"
    );
}

#[tokio::test]
async fn silence_trickle_and_slow_heads_end_in_time() {
    const HEAD: &str = "HTTP/1.1 200 OK\r\n\r\n";
    /// The text at once, and then a byte at a time.
    async fn drip(text: &'static str, pause: u64, limits: Limits) -> (Error, Duration) {
        let server = Server::start("127.0.0.1", move |mut stream, _| async move {
            let _ = stream.write_all(text.as_bytes()).await;
            loop {
                tokio::time::sleep(Duration::from_millis(pause)).await;
                if stream.write_all(b"z").await.is_err() {
                    return;
                }
            }
        })
        .await;
        let start = Instant::now();
        let request = Request::get(server.url("/")).limits(limits);
        let error = body(request).await.unwrap_err();
        (error, start.elapsed())
    }
    const LIMIT: Duration = Duration::from_millis(400);
    let head = patient(|limits| limits.head = LIMIT);
    let idle = patient(|limits| limits.idle = LIMIT);
    let total = patient(|limits| limits.total = LIMIT);
    let (silent, slow_head, silent_body, trickle) = tokio::join!(
        drip("", 120_000, head),
        drip("HTTP/1.1 200 OK\r\nX: ", 50, head),
        drip(HEAD, 120_000, idle),
        drip(HEAD, 50, total),
    );
    for ((error, elapsed), expected) in [
        (silent, Stage::Head),
        (slow_head, Stage::Head),
        (silent_body, Stage::Idle),
        (trickle, Stage::Total),
    ] {
        assert!(
            matches!(error, Error::TimedOut { stage, limit: LIMIT, .. } if stage == expected),
            "{error}"
        );
        // The machine may be busy; a limit that is not kept takes a minute.
        assert!(
            elapsed >= LIMIT && elapsed < Duration::from_secs(30),
            "{elapsed:?}"
        );
    }
}

#[tokio::test]
async fn a_handshake_or_a_name_server_that_hangs_ends_in_time() {
    let server = Server::start("127.0.0.1", |stream, _| async move {
        tokio::time::sleep(Duration::from_secs(60)).await;
        drop(stream);
    })
    .await;
    let short = patient(|limits| limits.connect = Duration::from_millis(300));
    let url = server.url("/").replace("http:", "https:");
    let handshake = Request::get(url).limits(short);
    assert_eq!(code(body(handshake).await), "timeout-connect");

    let fetcher = builder()
        .resolver(Answers::new(|_| std::future::pending()))
        .build()
        .unwrap();
    let name = Request::get("https://slow.test/").limits(short);
    assert_eq!(code(fetcher.send(name).await), "timeout-connect");
}

#[tokio::test]
async fn no_one_listens() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    assert_eq!(
        code(body(Request::get(format!("http://127.0.0.1:{port}/"))).await),
        "connect-refused"
    );
}

#[tokio::test]
async fn compressed_bodies_are_refused_unread() {
    for head in [
        "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x08\x00",
        "Content-Encoding: identity, br\r\n\r\nx",
        "Content-Encoding: identity\r\nContent-Encoding: deflate\r\n\r\nx",
        "Transfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip\r\n\r\nx",
    ] {
        assert_eq!(
            code(answer(format!("{OK}{head}")).await),
            "coding-refused",
            "{head}"
        );
    }
    assert_eq!(
        answer(format!("{OK}Content-Encoding: Identity\r\n\r\nx"))
            .await
            .unwrap(),
        b"x"
    );
}

#[tokio::test]
async fn a_tls_body_cut_without_a_close_notify_is_truncated() {
    let (root, acceptor) = certificate("127.0.0.1");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = acceptor.accept(stream).await.unwrap();
        stream
            .write_all(b"HTTP/1.1 200 OK\r\n\r\nhalf")
            .await
            .unwrap();
        stream.flush().await.unwrap();
        // The TCP connection ends in order; TLS was never told.
        stream.get_mut().0.shutdown().await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
    });
    let fetcher = builder()
        .allow_loopback(true)
        .root_certificate(root)
        .build()
        .unwrap();
    let response = fetcher
        .send(Request::get(format!("https://{address}/")))
        .await
        .unwrap();
    assert_eq!(code(response.bytes().await), "truncated");
    server.abort();
}

// r[http.no-credentials]
#[tokio::test]
async fn headers_that_are_not_the_callers() {
    let server = Server::fixed(format!("{OK}\r\n")).await;
    for name in [
        "authorization",
        "cookie",
        "proxy-authorization",
        "host",
        "user-agent",
        "accept-encoding",
        "content-length",
        "transfer-encoding",
        "connection",
        "referer",
    ] {
        let request = Request::get(server.url("/"))
            .header(HeaderName::from_static(name), HeaderValue::from_static("x"));
        assert_eq!(
            code(fetcher().send(request).await),
            "header-refused",
            "{name}"
        );
    }
    assert!(server.requests().is_empty());
    let request = Request::get(server.url("/")).header(
        HeaderName::from_static("accept"),
        HeaderValue::from_static("text/plain"),
    );
    fetcher().send(request).await.unwrap();
    let sent = server.requests();
    assert_eq!(sent[0].matches("accept: ").count(), 1);
    assert!(
        sent[0].contains("\r\naccept: text/plain\r\n"),
        "{}",
        sent[0]
    );
}

#[tokio::test]
async fn no_message_and_no_debug_form_holds_the_query() {
    let server = Server::fixed(format!("{OK}Content-Length: 9\r\n\r\nx")).await;
    let request = Request::get(server.url("/p?need=secret#secret"));
    assert!(!format!("{request:?}").contains("secret"));
    let response = fetcher().send(request).await.unwrap();
    assert!(!format!("{response:?}").contains("secret"));
    let error = response.bytes().await.unwrap_err();
    assert!(
        !format!("{error} {error:?}").contains("secret"),
        "{error:?}"
    );

    for url in [
        "https://u:secret@a.test/",
        "ftp://a.test/?secret",
        "https://10.0.0.1/?secret",
        "https://[/?secret",
    ] {
        let error = fetcher().send(Request::get(url)).await.unwrap_err();
        assert!(
            !format!("{error} {error:?}").contains("secret"),
            "{error:?}"
        );
    }
}

#[test]
fn settings_that_cannot_be_used() {
    let contact = "https://example.org/contact";
    let cases = [
        Fetcher::builder("", contact),
        Fetcher::builder("two words", contact),
        Fetcher::builder("a/1\r\nX: y", contact),
        Fetcher::builder("a/1", "example.org"),
        Fetcher::builder("a/1", "https://example.org/a)b"),
        Fetcher::builder("a/1", contact).root_certificate(vec![1, 2, 3]),
        Fetcher::builder("a/1", contact).limits(Limits {
            idle: Duration::ZERO,
            ..Limits::default()
        }),
        Fetcher::builder("a/1", contact).limits(Limits {
            total: Duration::MAX,
            ..Limits::default()
        }),
    ];
    for case in cases {
        assert_eq!(code(case.build()), "setup-invalid");
    }
}
