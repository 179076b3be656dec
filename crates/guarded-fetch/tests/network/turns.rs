//! Courtesy: how many at once, and "later".

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use guarded_fetch::{Error, Fetcher, Request, Traffic};
use tokio::io::AsyncWriteExt;

use crate::support::Server;
use crate::{OK, builder, code};

fn fetcher(traffic: Traffic) -> Fetcher {
    builder()
        .allow_loopback(true)
        .traffic(traffic)
        .build()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_at_once_than_allowed() {
    // Who is being answered right now, by host; and the most that ever were.
    let now: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
    let (most, most_per_host) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let server = {
        let (now, most, most_per_host) = (
            Arc::clone(&now),
            Arc::clone(&most),
            Arc::clone(&most_per_host),
        );
        Server::start("127.0.0.1", move |mut stream, request| {
            let (now, most, most_per_host) = (
                Arc::clone(&now),
                Arc::clone(&most),
                Arc::clone(&most_per_host),
            );
            async move {
                let line = request
                    .lines()
                    .find(|line| line.starts_with("host: "))
                    .unwrap();
                let host = line.to_owned();
                {
                    let mut now = now.lock().unwrap();
                    let here = now.entry(host.clone()).or_default();
                    *here += 1;
                    most_per_host.fetch_max(*here, Ordering::SeqCst);
                    most.fetch_max(now.values().sum(), Ordering::SeqCst);
                }
                let _ = stream
                    .write_all(format!("{OK}Content-Length: 5\r\n\r\n").as_bytes())
                    .await;
                tokio::time::sleep(Duration::from_millis(20)).await;
                *now.lock().unwrap().get_mut(&host).unwrap() -= 1;
                let _ = stream.write_all(b"hello").await;
            }
        })
        .await
    };
    let fetcher = fetcher(Traffic {
        in_all: 5,
        per_host: 2,
        ..Traffic::default()
    });
    let mut tasks = tokio::task::JoinSet::new();
    for i in 0..60 {
        // Names that mean loopback without a name server.
        let url = format!("http://host{}.localhost:{}/", i % 4, server.address.port());
        let fetcher = fetcher.clone();
        tasks.spawn(async move { fetcher.send(Request::get(url)).await?.bytes().await });
    }
    while let Some(body) = tasks.join_next().await {
        assert_eq!(body.unwrap().unwrap(), b"hello");
    }
    let (most, most_per_host) = (
        most.load(Ordering::SeqCst),
        most_per_host.load(Ordering::SeqCst),
    );
    assert!(
        most_per_host == 2 && (3..=5).contains(&most),
        "{most_per_host} {most}"
    );
    assert_eq!(server.connections(), 60);
}

#[tokio::test]
async fn a_turn_lasts_until_the_answer_is_read_or_dropped() {
    let server = Server::fixed(format!("{OK}Content-Length: 5\r\n\r\nhello")).await;
    let fetcher = fetcher(Traffic {
        per_host: 1,
        wait: Duration::from_millis(80),
        ..Traffic::default()
    });
    let request = || Request::get(server.url("/"));
    let open = fetcher.send(request()).await.unwrap();
    let error = fetcher.send(request()).await.unwrap_err();
    assert!(
        matches!(error, Error::Busy { waited, .. } if waited.as_millis() == 80),
        "{error}"
    );
    assert_eq!(
        code(
            fetcher
                .session(&server.url("/"), Duration::from_secs(1))
                .await
        ),
        "busy"
    );
    open.bytes().await.unwrap();
    drop(fetcher.send(request()).await.unwrap());
    let session = fetcher
        .session(&server.url("/"), Duration::from_secs(60))
        .await
        .unwrap();
    // A session is one turn, whatever is sent in it.
    session
        .send(request())
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    session
        .send(request())
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    assert_eq!(code(fetcher.send(request()).await), "busy");
    drop(session);
    fetcher.send(request()).await.unwrap();
    // Whoever gives up waiting leaves nothing behind.
    let open = fetcher.send(request()).await.unwrap();
    let given_up = tokio::time::timeout(Duration::from_millis(5), fetcher.send(request())).await;
    assert!(given_up.is_err());
    drop(open);
    fetcher.send(request()).await.unwrap();
}

#[tokio::test]
async fn a_redirect_takes_one_turn_at_a_time() {
    let server = Server::keep_alive(None, |request| {
        Some(if request.starts_with("GET /0 ") {
            b"HTTP/1.1 302 Found\r\nLocation: /1\r\nContent-Length: 0\r\n\r\n".to_vec()
        } else {
            b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec()
        })
    })
    .await;
    let fetcher = fetcher(Traffic {
        in_all: 1,
        per_host: 1,
        wait: Duration::from_secs(30),
        ..Traffic::default()
    });
    let follow = guarded_fetch::Redirects::Https { limit: 1 };
    let request = Request::get(server.url("/0")).redirects(follow);
    assert_eq!(fetcher.send(request).await.unwrap().hops().len(), 1);
}

async fn asked_later(status: &str, value: &str) -> (Fetcher, Server, Option<Duration>) {
    let head = format!("HTTP/1.1 {status} No\r\nRetry-After: {value}\r\nContent-Length: 0\r\n\r\n");
    let server = Server::fixed(head).await;
    let fetcher = fetcher(Traffic {
        retry_after: Duration::from_secs(3_000),
        ..Traffic::default()
    });
    let response = fetcher.send(Request::get(server.url("/"))).await.unwrap();
    let wait = response.retry_after();
    (fetcher, server, wait)
}

// r[client.retry-after]
#[tokio::test]
async fn who_asks_to_be_left_alone_is() {
    let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(500));
    let far = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(50_000));
    let past = httpdate::fmt_http_date(SystemTime::now() - Duration::from_secs(50));
    let longest = Some(Duration::from_secs(3_000));
    for (status, value, expected) in [
        ("429", "300", Some(Duration::from_secs(300))),
        ("503", "300", Some(Duration::from_secs(300))),
        ("429", "99999999999999999999999999", longest),
        ("429", &far, longest),
        ("429", "0", Some(Duration::ZERO)),
        ("429", &past, Some(Duration::ZERO)),
        ("429", "-1", None),
        ("429", "soon", None),
        (
            "429",
            "100\r\nRetry-After: 200",
            Some(Duration::from_secs(200)),
        ),
        ("200", "300", None),
        ("500", "300", None),
    ] {
        let (fetcher, server, wait) = asked_later(status, value).await;
        assert_eq!(wait, expected, "{status} {value}");
        let again = fetcher.send(Request::get(server.url("/"))).await;
        let session = fetcher
            .session(&server.url("/"), Duration::from_secs(1))
            .await;
        if expected.unwrap_or_default().is_zero() {
            assert!(again.is_ok() && session.is_ok(), "{status} {value}");
        } else {
            assert!(matches!(again, Err(Error::RetryLater { left, .. }) if Some(left) <= expected));
            assert_eq!(code(session), "retry-later");
            assert_eq!(server.connections(), 1, "nothing was sent");
        }
    }
    let (_, _, wait) = asked_later("429", &soon).await;
    let wait = wait.unwrap().as_secs();
    assert!((400..=500).contains(&wait), "{wait}");
}

#[tokio::test]
async fn later_ends_and_is_nobody_elses() {
    let (fetcher, server, _) = asked_later("429", "1").await;
    let other = Server::fixed(format!("{OK}\r\n")).await;
    fetcher.send(Request::get(other.url("/"))).await.unwrap();
    assert_eq!(
        code(fetcher.send(Request::get(server.url("/other"))).await),
        "retry-later"
    );
    tokio::time::sleep(Duration::from_millis(1_050)).await;
    fetcher.send(Request::get(server.url("/"))).await.unwrap();
}

/// Those who waited for their turn while the server said "later" hear of it.
#[tokio::test]
async fn later_is_for_the_waiting_too() {
    let head = "HTTP/1.1 429 No\r\nRetry-After: 5\r\nContent-Length: 1\r\n\r\n";
    let server = Server::fixed(head).await;
    let fetcher = fetcher(Traffic {
        per_host: 1,
        ..Traffic::default()
    });
    let first = fetcher.send(Request::get(server.url("/"))).await.unwrap();
    // The first holds the only turn; the second began before anything was known.
    let other = Server::fixed(format!("{OK}\r\n")).await;
    let waiting = fetcher.send(Request::get(other.url("/")));
    let ended = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        drop(first);
    };
    let (waited, ()) = tokio::join!(waiting, ended);
    assert_eq!(
        waited.unwrap().status(),
        200,
        "another origin of the same host"
    );

    let slow = Server::start("127.0.0.1", |mut stream, _| async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let head = "HTTP/1.1 503 No\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n";
        let _ = stream.write_all(head.as_bytes()).await;
    })
    .await;
    let send = || fetcher.send(Request::get(slow.url("/")));
    let (first, second) = tokio::join!(send(), send());
    assert_eq!(first.unwrap().status(), 503);
    assert_eq!(code(second), "retry-later");
    assert_eq!(slow.connections(), 1);
}

/// A redirect is no way to an origin that is to be left alone.
#[tokio::test]
async fn a_hop_is_refused_too() {
    let (fetcher, busy, _) = asked_later("503", "5").await;
    let location = busy.url("/");
    let server = Server::fixed(format!(
        "HTTP/1.1 302 Found\r\nLocation: {location}\r\n\r\n"
    ))
    .await;
    let follow = guarded_fetch::Redirects::Https { limit: 1 };
    let request = Request::get(server.url("/")).redirects(follow);
    assert_eq!(code(fetcher.send(request).await), "retry-later");
    assert_eq!(busy.connections(), 1);
}
