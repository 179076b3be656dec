//! What a broken or hostile server can do to a prober.

use std::time::Duration;

use capability_resolution::Time;
use guarded_fetch::Fetcher;
use mcp_observation::{Limits, Options, Step, Target, probe};

use crate::server::{Reply, Request, STREAM, Server, accepted, json, legacy, modern, result};
use crate::{fetcher, observe, observe_url, options};

/// A tenth of the time of the text.
pub(crate) fn impatient() -> Options {
    let mut options = options();
    options.limits = Limits {
        connect: Duration::from_millis(1_000),
        head: Duration::from_millis(1_000),
        discover: Duration::from_millis(1_500),
        endpoint: Duration::from_millis(500),
        total: Duration::from_millis(3_000),
        ..options.limits
    };
    options
}

/// How an observation ends whose server lists its tools so, in the modern era; and the code of the last failure.
async fn list(
    options: Options,
    reply: impl Fn(u64) -> Reply + Send + Sync + 'static,
) -> (String, Option<&'static str>) {
    let handler =
        move |_, request: &Request| modern(request).unwrap_or_else(|| reply(request.id()));
    let server = Server::start(handler).await;
    let observation = observe(&server, &options).await;
    let last = observation.exchanges.last().unwrap();
    (observation.findings.outcome.to_string(), last.failure)
}

const CHUNK: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";

fn repeat(text: &str) -> Vec<u8> {
    text.repeat(65_536 / text.len()).into_bytes()
}

// r[mcp.limits] r[mcp.answer.other] r[mcp.answer.body]
#[tokio::test(flavor = "multi_thread")]
async fn answers_that_never_end_or_end_too_early() {
    const NOW: Duration = Duration::ZERO;
    const SLOWLY: Duration = Duration::from_millis(20);
    let timeout = "failure (timeout)";
    let protocol = "unknown (protocol)";
    let too_large = Some("body-too-large");

    let silent = list(impatient(), |_| Reply::Hang(vec![])).await;
    assert_eq!(silent, (timeout.to_owned(), Some("timeout-head")));
    let head = b"HTTP/1.1 200 OK\r\n";
    let trickled_head = list(impatient(), |_| {
        Reply::Endless(head.to_vec(), b"x: y\r\n".to_vec(), SLOWLY)
    })
    .await;
    assert_eq!(trickled_head.0, timeout, "{trickled_head:?}");
    let half = list(impatient(), |_| Reply::Hang(CHUNK.to_vec())).await;
    assert_eq!(half, (timeout.to_owned(), Some("timeout-session")));
    let trickled = list(impatient(), |_| {
        Reply::Endless(STREAM.to_vec(), b":\n".to_vec(), SLOWLY)
    })
    .await;
    assert_eq!(trickled, (timeout.to_owned(), Some("timeout-session")));
    let wrong = b"data: {\"id\":99,\"result\":{\"tools\":[]}}\n\n";
    let wrong_ids = list(impatient(), |_| {
        Reply::Endless(STREAM.to_vec(), wrong.to_vec(), SLOWLY)
    })
    .await;
    assert_eq!(wrong_ids.0, timeout);

    for endless in [
        repeat(": comment\n\n"),
        repeat("data: x\n\n"),
        repeat("data: x\n"),
        repeat("x"),
    ] {
        let flood = list(options(), move |_| {
            Reply::Endless(STREAM.to_vec(), endless.clone(), NOW)
        })
        .await;
        assert_eq!(flood, (protocol.to_owned(), too_large));
    }
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n[";
    let gigabyte = list(options(), |_| {
        Reply::Endless(head.to_vec(), repeat("[],"), NOW)
    })
    .await;
    assert_eq!(gigabyte, (protocol.to_owned(), too_large));

    let cut = list(options(), |_| Reply::Close(CHUNK.to_vec())).await;
    assert_eq!(cut, (protocol.to_owned(), Some("truncated")));
    let nothing = list(options(), |_| Reply::Close(vec![])).await;
    assert_eq!(nothing.0, protocol);
    let no_http = list(options(), |_| {
        Reply::Close(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec())
    })
    .await;
    assert_eq!(no_http, (protocol.to_owned(), Some("http-invalid")));
    let gzip = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b";
    let coded = list(options(), |_| Reply::Close(gzip.to_vec())).await;
    assert_eq!(coded, (protocol.to_owned(), Some("coding-refused")));

    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let tools =
        format!(r#"{{"resultType":"complete","tools":[{{"name":"a","inputSchema":{deep}}}]}}"#);
    assert_eq!(
        list(options(), move |id| Reply::Bytes(result(id, &tools)))
            .await
            .0,
        "ok"
    );
    let bomb = "[".repeat(4_000_000);
    let bomb = list(options(), move |_| Reply::Bytes(json("200 OK", &bomb))).await;
    assert_eq!(bomb.0, "failure (not-mcp)");
}

// r[mcp.step.discover] r[mcp.limits]
#[tokio::test(flavor = "multi_thread")]
async fn silence_at_step_1_leaves_time_for_step_3() {
    let silent = |_: u16, request: &Request| match request.what() {
        "server/discover" => Reply::Hang(vec![]),
        "tools/list" => Reply::Bytes(result(request.id(), r#"{"tools":[]}"#)),
        _ => legacy(request).unwrap(),
    };
    let server = Server::start(silent).await;
    let observation = observe(&server, &impatient()).await;
    assert_eq!(observation.findings.outcome.to_string(), "ok");

    let server = Server::start(|_, _| Reply::Hang(vec![])).await;
    let observation = observe(&server, &impatient()).await;
    assert_eq!(
        observation.findings.outcome.to_string(),
        "failure (timeout)"
    );
    let steps: Vec<_> = observation
        .exchanges
        .iter()
        .map(|exchange| exchange.step)
        .collect();
    assert_eq!(steps, [Step::Discover, Step::Initialize]);
    let (started, ended) = ("2026-11-30T12:00:02Z", "2026-11-30T12:00:06Z");
    let ended = Time::from_document(ended).unwrap();
    assert!(
        observation.ended >= Time::from_document(started).unwrap() && observation.ended <= ended
    );

    // Each answer comes in time, and all of them together do not.
    let slow = Server::start(|_, request| {
        std::thread::sleep(Duration::from_millis(900));
        legacy(request).unwrap_or(Reply::Hang(vec![]))
    })
    .await;
    let observation = observe(&slow, &impatient()).await;
    assert_eq!(
        observation.findings.outcome.to_string(),
        "failure (timeout)"
    );
}

// r[mcp.step.legacy-tools] r[mcp.step.delete]
#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_matter_is_not_waited_for() {
    type Make = fn() -> Reply;
    let cases: [(Make, Make, usize); 4] = [
        (|| Reply::Hang(vec![]), || Reply::Hang(vec![]), 5),
        (|| Reply::Hang(STREAM.to_vec()), || Reply::Close(vec![]), 5),
        // The notification is lost, and sent again.
        (
            || Reply::Close(vec![]),
            || Reply::Bytes(json("500 No", "")),
            6,
        ),
        (
            || Reply::Hang(CHUNK.to_vec()),
            || Reply::Hang(CHUNK.to_vec()),
            5,
        ),
    ];
    for (notification, delete, requests) in cases {
        let server = Server::start(move |_, request| match request.what() {
            "initialize" => {
                let mut open = result(request.id(), r#"{"protocolVersion":"2025-06-18"}"#);
                let session = b"HTTP/1.1 200 OK\r\nMcp-Session-Id: s\r\n";
                open.splice(..17, session.iter().copied());
                Reply::Bytes(open)
            }
            "notifications/initialized" => notification(),
            "tools/list" => Reply::Bytes(result(request.id(), r#"{"tools":[]}"#)),
            "DELETE" => delete(),
            _ => Reply::Bytes(json("404 Not Found", "")),
        })
        .await;
        let observation = observe(&server, &impatient()).await;
        assert_eq!(
            observation.findings.outcome.to_string(),
            "ok",
            "{observation:?}"
        );
        assert_eq!(server.seen().last().unwrap().method, "DELETE");
        assert_eq!(
            server.seen().last().unwrap().header("mcp-session-id"),
            Some("s")
        );
        assert_eq!(server.seen().len(), requests);
    }
}

// r[http.address] r[mcp.step.discover] r[status.observed]
#[tokio::test(flavor = "multi_thread")]
async fn where_there_is_no_connection() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let observation = observe_url(&format!("http://127.0.0.1:{port}/mcp"), &impatient()).await;
    assert_eq!(
        observation.findings.outcome.to_string(),
        "failure (connection)"
    );
    assert_eq!(observation.exchanges[0].failure, Some("connect-refused"));

    let private: Target = "https://10.0.0.1/mcp".parse().unwrap();
    let outside = Fetcher::builder("test/1.0", "https://example.org/contact")
        .build()
        .unwrap();
    let started = Time::from_document("2026-11-30T12:00:00Z").unwrap();
    let observation = probe(&outside, &private, &options(), started)
        .await
        .unwrap();
    assert_eq!(
        observation.findings.outcome.to_string(),
        "failure (connection)"
    );
    assert_eq!(observation.exchanges[0].failure, Some("address-refused"));
}

// r[observation.retry-after]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asked_to_be_left_alone_is_not_asked() {
    let server = Server::start(|_, _| {
        Reply::Bytes(b"HTTP/1.1 429 Later\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n".to_vec())
    })
    .await;
    let (fetcher, target) = (fetcher(), Target::loopback(&server.url("/mcp")).unwrap());
    let started = Time::from_document("2026-11-30T12:00:00Z").unwrap();
    let first = probe(&fetcher, &target, &options(), started).await.unwrap();
    assert_eq!(first.findings.retry_after, Some(Duration::from_secs(60)));
    let second = probe(&fetcher, &target, &options(), started)
        .await
        .unwrap_err();
    assert_eq!(second.code(), "retry-later");
    assert_eq!(server.seen().len(), 1);
}

// r[mcp.request.again]
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_the_server_ends_is_no_failure_of_the_server() {
    let lists = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |_, request| match modern(request) {
        Some(reply) => reply,
        // It takes the request on the kept connection, and ends it without a word.
        None if lists.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 => {
            Reply::Close(vec![])
        }
        None => Reply::Bytes(result(
            request.id(),
            r#"{"resultType":"complete","tools":[]}"#,
        )),
    })
    .await;
    let observation = observe(&server, &options()).await;
    assert_eq!(
        observation.findings.outcome.to_string(),
        "ok",
        "{observation:?}"
    );
    assert_eq!(
        observation.exchanges[1].failure,
        Some("kept-connection-lost")
    );
    assert_eq!((server.seen().len(), observation.findings.requests), (3, 3));
}

// r[mcp.handshake]
#[tokio::test(flavor = "multi_thread")]
async fn the_handshake_is_what_the_server_took() {
    let pause = Duration::from_millis(120);
    let server = Server::start(move |_, request| {
        std::thread::sleep(pause);
        match request.what() {
            "tools/list" => Reply::Bytes(result(request.id(), r#"{"tools":[]}"#)),
            "notifications/initialized" => Reply::Bytes(accepted()),
            _ => legacy(request).unwrap(),
        }
    })
    .await;
    let observation = observe(&server, &options()).await;
    let sum: Duration = observation.exchanges[1..]
        .iter()
        .map(|exchange| exchange.took)
        .sum();
    let handshake = observation.findings.handshake_ms.unwrap();
    assert!(handshake >= 360, "{handshake}");
    assert_eq!(u128::from(handshake), sum.as_nanos().div_ceil(1_000_000));
    // A connection that the server leaves open is used again.
    let secret = Server::start(|_, _| Reply::Bytes(json("401 No", "{}"))).await;
    let url = secret.url("/mcp?key=secret");
    let observation = observe_url(&url, &options()).await;
    assert!(!format!("{observation:?}").contains("secret"));
}
