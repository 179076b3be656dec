//! Several requests to one origin: connections kept, addresses checked, streams read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use guarded_fetch::{
    Bytes, Error, HeaderName, HeaderValue, Limits, Method, Redirects, Request, Session, Stage,
};
use tokio::io::AsyncWriteExt;

use crate::support::{Server, read_request};
use crate::{Answers, builder, certificate, code, fetcher, loopback, patient};

const HELLO: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

async fn session(server: &Server) -> Session {
    let total = Duration::from_secs(60);
    fetcher().session(&server.url("/mcp"), total).await.unwrap()
}

fn post(server: &Server, path: &str) -> Request {
    let media_type = HeaderValue::from_static("application/json");
    Request::post(server.url(path), media_type, &b"{\"id\":1}"[..])
}

#[tokio::test]
async fn one_connection_serves_the_session_and_no_other() {
    let server = Server::keep_alive(None, |_| Some(HELLO.to_vec())).await;
    let first = session(&server).await;
    for count in 1..=4 {
        let response = first.send(post(&server, "/mcp")).await.unwrap();
        let times = response.times();
        assert_eq!(times.reused, count > 1);
        assert!(times.started <= times.connected && times.connected <= times.head);
        assert_eq!(response.peer(), server.address);
        assert_eq!(response.bytes().await.unwrap(), b"hello");
        assert_eq!(first.requests(), count);
    }
    assert_eq!(server.connections(), 1);
    let second = session(&server).await;
    second.send(post(&server, "/mcp")).await.unwrap();
    assert_eq!(server.connections(), 2);
    // A single request has a connection of its own.
    let response = fetcher().send(post(&server, "/mcp")).await.unwrap();
    assert!(!response.times().reused);
    assert_eq!(server.connections(), 3);
}

#[tokio::test]
async fn a_connection_is_kept_only_where_its_answer_is_at_its_end() {
    let server = Server::keep_alive(None, |_| Some(HELLO.to_vec())).await;
    let session = session(&server).await;
    drop(session.send(post(&server, "/mcp")).await.unwrap());
    assert_eq!(server.connections(), 1);
    // The body was not read, so that what follows on that connection would be it.
    let mut response = session.send(post(&server, "/mcp")).await.unwrap();
    assert_eq!(server.connections(), 2);
    // Its length says where it ends: the last byte is enough.
    while response
        .chunk()
        .await
        .unwrap()
        .is_some_and(|chunk| !chunk.ends_with(b"o"))
    {}
    drop(response);
    session.send(post(&server, "/mcp")).await.unwrap();
    assert_eq!(server.connections(), 2);
    // An answer without a body is at its end at once.
    let empty = |_: &str| Some(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".to_vec());
    let server = Server::keep_alive(None, empty).await;
    let session = self::session(&server).await;
    for _ in 0..3 {
        drop(session.send(post(&server, "/mcp")).await.unwrap());
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_connection_that_the_server_ended_is_not_used() {
    for (answer, ends) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
        (
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            false,
        ),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
    ] {
        let server = Server::start("127.0.0.1", move |mut stream, _| async move {
            stream.write_all(answer.as_bytes()).await.unwrap();
            if !ends {
                // Open, as far as TCP goes.
                tokio::time::sleep(Duration::from_secs(60)).await;
            }
        })
        .await;
        let session = session(&server).await;
        for count in 1..=3 {
            session.send(post(&server, "/mcp")).await.unwrap();
            assert_eq!(server.connections(), count, "{answer}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Nothing is sent twice, but whoever may send it again is told.
#[tokio::test]
async fn a_kept_connection_lost_is_no_failure_of_the_server() {
    for (beginning, expected) in [("", "kept-connection-lost"), ("HTTP/1.1 2", "truncated")] {
        let server = Server::start("127.0.0.1", move |mut stream, _| async move {
            stream.write_all(HELLO).await.unwrap();
            read_request(&mut stream).await;
            stream.write_all(beginning.as_bytes()).await.unwrap();
        })
        .await;
        let session = session(&server).await;
        let response = session.send(post(&server, "/")).await.unwrap();
        response.bytes().await.unwrap();
        assert_eq!(code(session.send(post(&server, "/")).await), expected);
        assert_eq!(session.requests(), 2);
        // Again, on a new one.
        session.send(post(&server, "/")).await.unwrap();
        assert_eq!(server.connections(), 2);
    }
    // On a connection that is not kept, it is the server's failure.
    let server = Server::fixed("").await;
    let session = session(&server).await;
    assert_eq!(code(session.send(post(&server, "/")).await), "truncated");
}

/// Nothing that was not asked for is taken as the answer to what was.
#[tokio::test]
async fn an_answer_too_many_is_nobodys() {
    for extra in [
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfake",
        "garbage",
        "\r\n\r\n",
    ] {
        let server = Server::keep_alive(None, move |request| {
            let mut bytes = HELLO.to_vec();
            if request.contains("POST /first") {
                bytes.extend_from_slice(extra.as_bytes());
            }
            Some(bytes)
        })
        .await;
        let session = session(&server).await;
        let first = session.send(post(&server, "/first")).await.unwrap();
        assert_eq!(first.bytes().await.unwrap(), b"hello");
        let second = session.send(post(&server, "/second")).await.unwrap();
        assert_eq!(second.bytes().await.unwrap(), b"hello", "{extra:?}");
    }
}

#[tokio::test]
async fn a_stream_is_read_event_by_event_beside_another_request() {
    let ended = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&ended);
    let server = Server::start("127.0.0.1", move |mut stream, request| {
        let seen = Arc::clone(&seen);
        async move {
            if request.starts_with("POST") {
                stream.write_all(HELLO).await.unwrap();
                return;
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
                        Transfer-Encoding: chunked\r\n\r\n";
            stream.write_all(head.as_bytes()).await.unwrap();
            for event in ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"] {
                let chunk = format!("{:x}\r\n{event}\r\n", event.len());
                stream.write_all(chunk.as_bytes()).await.unwrap();
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            // Open until the reader has had enough.
            assert_eq!(read_request(&mut stream).await, "");
            seen.fetch_add(1, Ordering::SeqCst);
        }
    })
    .await;
    let session = session(&server).await;
    let get = Request::new(Method::GET, server.url("/sse"));
    let mut stream = session.send(get).await.unwrap();
    assert_eq!(stream.media_type().as_deref(), Some("text/event-stream"));
    assert_eq!(stream.chunk().await.unwrap().unwrap(), "data: 1\n\n");
    let answer = session.send(post(&server, "/messages")).await.unwrap();
    // Two answers are open; a third is one too many.
    assert_eq!(code(session.send(post(&server, "/messages")).await), "busy");
    assert_eq!(answer.bytes().await.unwrap(), b"hello");
    session.send(post(&server, "/messages")).await.unwrap();
    assert_eq!(stream.chunk().await.unwrap().unwrap(), "data: 2\n\n");
    assert_eq!(session.requests(), 3);

    drop(stream);
    let start = Instant::now();
    while ended.load(Ordering::SeqCst) == 0 {
        assert!(start.elapsed() < Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_chunk_that_nobody_waits_for_is_not_lost() {
    let server = Server::start("127.0.0.1", |mut stream, _| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        for byte in b"abcdefgh" {
            tokio::time::sleep(Duration::from_millis(20)).await;
            stream.write_all(&[*byte]).await.unwrap();
        }
    })
    .await;
    let mut response = fetcher().send(Request::get(server.url("/"))).await.unwrap();
    let mut body = Vec::new();
    loop {
        // Given up again and again, in the midst of everything.
        let chunk = tokio::time::timeout(Duration::from_millis(3), response.chunk()).await;
        match chunk {
            Err(_) => {}
            Ok(Ok(Some(chunk))) => body.extend_from_slice(&chunk),
            Ok(Ok(None)) => break,
            Ok(Err(error)) => panic!("{error}"),
        }
    }
    assert_eq!(body, b"abcdefgh");
}

#[tokio::test]
async fn a_session_follows_redirects_within_its_origin_only() {
    let (root, acceptor) = certificate("moved.test");
    let port = Arc::new(AtomicUsize::new(0));
    let own_port = Arc::clone(&port);
    let server = Server::keep_alive(Some(acceptor), move |request| {
        let port = own_port.load(Ordering::SeqCst);
        let location = match request.split(' ').nth(1) {
            Some("/mcp") => format!("https://moved.test:{port}/mcp/"),
            Some("/away") => format!("https://other.test:{port}/mcp/"),
            Some("/loop") => "/loop".to_owned(),
            _ => return Some(HELLO.to_vec()),
        };
        let answer =
            format!("HTTP/1.1 307 Go\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
        Some(answer.into_bytes())
    })
    .await;
    port.store(usize::from(server.address.port()), Ordering::SeqCst);
    let resolver = Answers::new(|_| std::future::ready(Ok(vec![loopback(1)])));
    let asked = Arc::clone(&resolver.asked);
    let fetcher = builder()
        .allow_loopback(true)
        .root_certificate(root)
        .resolver(resolver)
        .build()
        .unwrap();
    let url = |path: &str| format!("https://moved.test:{}{path}", server.address.port());
    let session = fetcher
        .session(&url("/mcp"), Duration::from_secs(60))
        .await
        .unwrap();
    let get = |path: &str| {
        Request::get(url(path))
            .header(
                HeaderName::from_static("mcp-method"),
                HeaderValue::from_static("a/b"),
            )
            .redirects(Redirects::Https { limit: 3 })
    };
    let response = session.send(get("/mcp")).await.unwrap();
    assert_eq!(response.url().as_str(), url("/mcp/"));
    assert_eq!(response.hops().len(), 1);
    assert_eq!(session.requests(), 2);
    assert!(response.times().reused, "the redirect had no body");
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].replace("GET /mcp ", "GET /mcp/ "), requests[1]);
    assert!(requests[0].contains("mcp-method: a/b\r\n"));
    assert_eq!(response.bytes().await.unwrap(), b"hello");

    assert_eq!(code(session.send(get("/away")).await), "other-origin");
    let error = session.send(get("/loop")).await.unwrap_err();
    assert!(
        matches!(&error, Error::TooManyRedirects { limit: 3, status, .. } if status.as_u16() == 307),
        "{error}"
    );
    assert_eq!(session.requests(), 7);
    assert!(asked.load(Ordering::SeqCst) <= server.connections());
}

/// The name is looked up for each connection, and a kept one needs no look-up: it goes where it
/// was checked to go.
// r[http.address-once]
#[tokio::test]
async fn a_name_that_turns_to_loopback_is_refused_at_the_next_connection() {
    let server = Server::launch("127.0.0.2", None, |mut stream, _| async move {
        for _ in 0..3 {
            stream.write_all(HELLO).await.unwrap();
            if read_request(&mut stream).await.is_empty() {
                return;
            }
        }
    })
    .await;
    let resolver = Answers::new(|asked| {
        std::future::ready(Ok(vec![loopback(if asked == 0 { 2 } else { 1 })]))
    });
    let asked = Arc::clone(&resolver.asked);
    let (root, _) = certificate("rebind.test");
    let fetcher = builder()
        .allow("127.0.0.2/32".parse().unwrap())
        .root_certificate(root)
        .resolver(resolver)
        .build()
        .unwrap();
    // Plain http, so that the server needs no certificate: no session speaks it, but for this.
    let request = || {
        Request::get(format!("http://rebind.test:{}/", server.address.port()))
            .scheme(guarded_fetch::Scheme::SelfProving)
    };
    let response = fetcher.send(request()).await.unwrap();
    assert_eq!(response.peer().ip(), loopback(2));
    assert_eq!(code(fetcher.send(request()).await), "address-refused");
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_session_keeps_to_its_origin_and_its_time() {
    let server = Server::start("127.0.0.1", |stream, _| async move {
        tokio::time::sleep(Duration::from_secs(60)).await;
        drop(stream);
    })
    .await;
    let total = Duration::from_millis(300);
    let session = fetcher().session(&server.url("/"), total).await.unwrap();
    for other in [
        "http://127.0.0.1:1/",
        "http://localhost:1/",
        "https://a.example/",
    ] {
        assert_eq!(
            code(session.send(Request::get(other)).await),
            "other-origin"
        );
    }
    let start = Instant::now();
    let error = session.send(post(&server, "/")).await.unwrap_err();
    assert!(
        matches!(error, Error::TimedOut { stage: Stage::Session, limit, .. } if limit == total),
        "{error}"
    );
    assert!(start.elapsed() < Duration::from_secs(30));
    // It is over.
    assert_eq!(
        code(session.send(post(&server, "/")).await),
        "timeout-session"
    );

    for total in [Duration::ZERO, Duration::from_secs(86_401), Duration::MAX] {
        assert_eq!(
            code(fetcher().session(&server.url("/"), total).await),
            "setup-invalid"
        );
    }
    for (url, expected) in [
        ("https://10.0.0.1/", "address-refused"),
        ("http://a.example/", "scheme-refused"),
        ("https://u@a.example/", "credentials-refused"),
        ("mcp", "url-invalid"),
    ] {
        let total = Duration::from_secs(1);
        assert_eq!(code(fetcher().session(url, total).await), expected);
    }
}

#[tokio::test]
async fn a_request_may_have_limits_of_its_own() {
    let server = Server::start("127.0.0.1", |stream, _| async move {
        tokio::time::sleep(Duration::from_secs(60)).await;
        drop(stream);
    })
    .await;
    let session = session(&server).await;
    let limits = |head, total| {
        patient(|limits| {
            limits.head = Duration::from_millis(head);
            limits.total = Duration::from_millis(total);
        })
    };
    for (limits, expected) in [
        (limits(100, 60_000), "timeout-head"),
        (limits(60_000, 100), "timeout-total"),
        (limits(0, 100), "setup-invalid"),
    ] {
        let request = post(&server, "/").limits(limits);
        assert_eq!(code(session.send(request).await), expected);
    }
    let request = post(&server, "/").limits(Limits {
        request_bytes: 7,
        ..Limits::default()
    });
    assert_eq!(code(session.send(request).await), "request-too-large");
    let connect = Request::new(Method::CONNECT, server.url("/"));
    assert_eq!(code(session.send(connect).await), "method-refused");
}

#[tokio::test]
async fn every_other_method_is_the_callers() {
    let server = Server::keep_alive(None, |request| {
        let length = if request.starts_with("HEAD") {
            "99999999999"
        } else {
            "0"
        };
        Some(format!("HTTP/1.1 204 OK\r\nContent-Length: {length}\r\n\r\n").into_bytes())
    })
    .await;
    for method in [
        "GET", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "QUERY", "TRACE",
    ] {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let response = fetcher()
            .send(Request::new(method, server.url("/")))
            .await
            .unwrap();
        assert_eq!(response.bytes().await.unwrap(), Bytes::new());
    }
    let sent = server.requests();
    assert!(sent[5].starts_with("DELETE / HTTP/1.1\r\n"), "{}", sent[5]);
}
