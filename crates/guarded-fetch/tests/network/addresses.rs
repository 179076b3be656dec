//! Where a request may go: redirects, names, certificates.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use guarded_fetch::{Builder, Error, HeaderValue, Redirects, Request, Scheme};
use tokio::io::AsyncWriteExt;

use crate::support::Server;
use crate::{Answers, OK, builder, certificate, code, fetcher, loopback, patient};

#[tokio::test]
async fn a_redirect_is_the_answer_unless_it_is_followed() {
    let target = Server::fixed(format!("{OK}\r\nend")).await;
    let start = Server::fixed(format!(
        "HTTP/1.1 302 Found\r\nLocation: {}\r\n\r\n",
        target.url("/x")
    ))
    .await;
    let response = fetcher().send(Request::get(start.url("/"))).await.unwrap();
    assert_eq!(response.status(), 302);
    assert!(target.requests().is_empty());

    let follow = Request::get(start.url("/")).redirects(Redirects::Https { limit: 1 });
    let response = fetcher().send(follow).await.unwrap();
    assert_eq!(response.url().as_str(), target.url("/x"));
    assert_eq!(response.hops().len(), 1);
    assert_eq!(response.hops()[0].status, 302);
    assert_eq!(response.hops()[0].from.as_str(), start.url("/"));
    assert_eq!(response.bytes().await.unwrap(), b"end");

    // A body goes nowhere but where it was sent.
    let post = Request::post(start.url("/"), HeaderValue::from_static("a/b"), vec![1])
        .redirects(Redirects::Https { limit: 5 });
    assert_eq!(code(fetcher().send(post).await), "redirect-refused");
    assert_eq!(target.requests().len(), 1);
}

#[tokio::test]
async fn every_hop_is_checked_as_the_first() {
    for (location, expected) in [
        ("http://10.0.0.1/", "address-refused"),
        ("http://0xa9fea9fe/latest/meta-data", "address-refused"),
        ("//[::ffff:10.0.0.1]/", "address-refused"),
        ("http://example.com/", "scheme-refused"),
        ("ftp://127.0.0.1/", "scheme-refused"),
        ("file:///etc/passwd", "scheme-refused"),
        ("http://user@127.0.0.1/", "credentials-refused"),
        ("http://127.0.0.1:0/", "url-invalid"),
    ] {
        let server =
            Server::fixed(format!("HTTP/1.1 307 Go\r\nLocation: {location}\r\n\r\n")).await;
        let follow = Request::get(server.url("/")).redirects(Redirects::Https { limit: 5 });
        assert_eq!(code(fetcher().send(follow).await), expected, "{location}");
    }
}

#[tokio::test]
async fn a_redirect_loop_ends_at_the_limit() {
    let server = Server::fixed("HTTP/1.1 301 Moved\r\nLocation: /again\r\n\r\n").await;
    let follow = Request::get(server.url("/")).redirects(Redirects::Https { limit: 3 });
    let error = fetcher().send(follow).await.unwrap_err();
    assert!(
        matches!(error, Error::TooManyRedirects { limit: 3, .. }),
        "{error}"
    );
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn slow_redirects_share_one_deadline() {
    let server = Server::start("127.0.0.1", |mut stream, _| async move {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let _ = stream
            .write_all(b"HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n")
            .await;
    })
    .await;
    let follow = Request::get(server.url("/"))
        .redirects(Redirects::Https { limit: 255 })
        .limits(patient(|limits| limits.total = Duration::from_millis(900)));
    assert_eq!(code(fetcher().send(follow).await), "timeout-total");
    assert!(server.requests().len() <= 5);
}

// r[http.address-once]
#[tokio::test]
async fn a_second_answer_of_the_name_server_changes_nothing() {
    // The operator allows 127.0.0.2, which stands for a public address; 127.0.0.1 is refused. The
    // name server gives the first address once, and the second from then on.
    let outside = Server::start("127.0.0.2", |mut stream, _| async move {
        let _ = stream
            .write_all(b"HTTP/1.1 302 Found\r\nLocation: /inside\r\n\r\n")
            .await;
    })
    .await;
    let port = outside.address.port();
    let inside = Server::start("127.0.0.1", |mut stream, _| async move {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nsecret").await;
    })
    .await;
    let resolver =
        Answers::new(|asked| async move { Ok(vec![loopback(if asked == 0 { 2 } else { 1 })]) });
    let asked = Arc::clone(&resolver.asked);
    let fetcher = builder()
        .allow("127.0.0.2/32".parse().unwrap())
        .resolver(resolver)
        .build()
        .unwrap();
    let request =
        || Request::get(format!("http://rebind.test:{port}/")).scheme(Scheme::SelfProving);

    let response = fetcher.send(request()).await.unwrap();
    assert_eq!(response.status(), 302);
    assert_eq!(
        asked.load(Ordering::SeqCst),
        1,
        "asked once, connected to what was checked"
    );
    assert_eq!(outside.requests().len(), 1);

    let error = fetcher.send(request()).await.unwrap_err();
    assert!(
        matches!(error, Error::AddressRefused { address, .. } if address == loopback(1)),
        "{error}"
    );
    assert_eq!(outside.requests().len(), 1);
    assert!(inside.requests().is_empty());
}

#[tokio::test]
async fn a_hop_resolves_again_and_is_checked_again() {
    let outside = Server::start("127.0.0.2", |mut stream, _| async move {
        let _ = stream
            .write_all(b"HTTP/1.1 302 Found\r\nLocation: /inside\r\n\r\n")
            .await;
    })
    .await;
    let resolver =
        Answers::new(|asked| async move { Ok(vec![loopback(if asked == 0 { 2 } else { 1 })]) });
    let fetcher = builder()
        .allow("127.0.0.2/32".parse().unwrap())
        .resolver(resolver)
        .build()
        .unwrap();
    let request = Request::get(format!("http://rebind.test:{}/", outside.address.port()))
        .scheme(Scheme::SelfProving)
        .redirects(Redirects::Https { limit: 3 });
    assert_eq!(code(fetcher.send(request).await), "address-refused");
}

// r[http.address] r[http.address-once]
#[tokio::test]
async fn one_refused_address_refuses_the_name() {
    for addresses in [
        vec!["8.8.8.8", "127.0.0.1"],
        vec!["::1"],
        vec!["::ffff:127.0.0.1"],
        vec!["64:ff9b::7f00:1"],
        vec!["169.254.169.254"],
        vec!["2606:4700::1111", "fe80::1"],
    ] {
        let addresses: Vec<IpAddr> = addresses.iter().map(|a| a.parse().unwrap()).collect();
        let resolver = Answers::new(move |_| std::future::ready(Ok(addresses.clone())));
        let fetcher = builder().resolver(resolver).build().unwrap();
        assert_eq!(
            code(fetcher.send(Request::get("https://mixed.test/")).await),
            "address-refused"
        );
    }
}

#[tokio::test]
async fn names_without_addresses() {
    let nothing = Answers::new(|_| std::future::ready(Ok(Vec::new())));
    let fetcher = builder().resolver(nothing).build().unwrap();
    assert_eq!(
        code(fetcher.send(Request::get("https://a.test/")).await),
        "name-not-resolved"
    );
    let failing = Answers::new(|_| std::future::ready(Err(std::io::Error::other("SERVFAIL"))));
    let fetcher = builder().resolver(failing).build().unwrap();
    let error = fetcher
        .send(Request::get("https://a.test/"))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "https://a.test/: the name of the host could not be looked up: SERVFAIL"
    );
    assert_eq!(error.code(), "name-lookup-failed");
    let none = Answers::new(|_| {
        let error = std::io::Error::new(std::io::ErrorKind::NotFound, "NXDOMAIN");
        std::future::ready(Err(error))
    });
    let fetcher = builder().resolver(none).build().unwrap();
    let answer = fetcher.send(Request::get("https://a.test/")).await;
    assert_eq!(code(answer), "name-not-resolved");
}

// r[origin.loopback] r[origin.loopback-off]
#[tokio::test]
async fn localhost_is_refused_without_the_switch_and_needs_no_name_server_with_it() {
    let server = Server::fixed(format!("{OK}\r\nhere")).await;
    let url = format!("http://localhost:{}/", server.address.port());
    let plain = builder().build().unwrap();
    let request = Request::get(&url).scheme(Scheme::SelfProving);
    assert_eq!(code(plain.send(request).await), "address-refused");
    assert_eq!(code(plain.send(Request::get(&url)).await), "scheme-refused");

    let lost = Answers::new(|_| std::future::ready(Ok(vec![Ipv4Addr::new(10, 0, 0, 1).into()])));
    let development = builder()
        .allow_loopback(true)
        .resolver(lost)
        .build()
        .unwrap();
    let response = development.send(Request::get(&url)).await.unwrap();
    assert_eq!(response.bytes().await.unwrap(), b"here");
}

#[tokio::test]
async fn https_verifies_the_name_against_the_roots() {
    let (root, acceptor) = certificate("secure.test");
    let server = Server::fixed_tls(acceptor, b"HTTP/1.1 200 OK\r\n\r\nsecure").await;
    let port = server.address.port();
    let with = |root: Option<Vec<u8>>| {
        let resolver = Answers::new(|_| std::future::ready(Ok(vec![loopback(1)])));
        let builder = builder().allow_loopback(true).resolver(resolver);
        root.into_iter()
            .fold(builder, Builder::root_certificate)
            .build()
            .unwrap()
    };
    let url = |name: &str| Request::get(format!("https://{name}:{port}/?need=secret"));

    let response = with(Some(root.clone()))
        .send(url("secure.test"))
        .await
        .unwrap();
    assert_eq!(response.bytes().await.unwrap(), b"secure");

    let wrong_name = with(Some(root.clone()))
        .send(url("other.test"))
        .await
        .unwrap_err();
    assert_eq!(wrong_name.code(), "tls-certificate");
    let unknown_root = with(None).send(url("secure.test")).await.unwrap_err();
    assert_eq!(unknown_root.code(), "tls-certificate");
    assert!(
        !unknown_root.to_string().contains("secret"),
        "{unknown_root}"
    );
    let not_tls = with(Some(root))
        .send(Request::get(format!("http://secure.test:{port}/")))
        .await;
    assert_eq!(code(not_tls), "scheme-refused");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn https_never_becomes_http() {
    let (root, acceptor) = certificate("127.0.0.1");
    let plain = Server::fixed(format!("{OK}\r\nplain")).await;
    let answer = format!("HTTP/1.1 302 Found\r\nLocation: {}\r\n\r\n", plain.url("/"));
    let server = Server::fixed_tls(acceptor, Box::leak(answer.into_boxed_str()).as_bytes()).await;
    let fetcher = builder()
        .allow_loopback(true)
        .root_certificate(root)
        .build()
        .unwrap();
    let request = Request::get(format!("https://{}/", server.address))
        .scheme(Scheme::SelfProving)
        .redirects(Redirects::Https { limit: 3 });
    assert_eq!(code(fetcher.send(request).await), "redirect-refused");
    assert!(plain.requests().is_empty());
}
