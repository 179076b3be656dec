//! HTTP+SSE: step 4.

use mcp_observation::Step;

use crate::faults::impatient;
use crate::observe;
use crate::server::{Reply, Request, STREAM, Server, accepted, json};

fn event(name: &str, data: &str) -> Vec<u8> {
    format!("event: {name}\r\ndata: {data}\r\n\r\n").into_bytes()
}

fn message(id: u64, result: &str) -> Vec<u8> {
    event(
        "message",
        &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
    )
}

/// What a server of HTTP+SSE without faults answers.
fn sound(request: &Request) -> Reply {
    let id = request.id();
    match (request.what(), request.path.as_str()) {
        ("GET", _) => Reply::Listen([STREAM, &event("endpoint", "/post?sid=secret")].concat()),
        ("initialize", "/post?sid=secret") => Reply::Push(
            message(id, r#"{"protocolVersion":"2024-11-05"}"#),
            accepted(),
        ),
        ("notifications/initialized", _) => Reply::Bytes(accepted()),
        ("tools/list", _) => Reply::Push(message(id, r#"{"tools":[{"name":"a"}]}"#), accepted()),
        _ => Reply::Bytes(json("404 Not Found", "")),
    }
}

/// How an observation ends of a server that is sound but for one answer.
async fn but_for(
    what: &'static str,
    reply: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> String {
    let handler = move |_, request: &Request| {
        let is_it = request.what() == what && (request.path != "/mcp" || what == "GET");
        if is_it {
            reply(request)
        } else {
            sound(request)
        }
    };
    let server = Server::start(handler).await;
    let observation = observe(&server, &impatient()).await;
    observation.findings.outcome.to_string()
}

// r[mcp.step.sse] r[mcp.step.legacy-session] r[mcp.request.count]
#[tokio::test(flavor = "multi_thread")]
async fn six_requests_list_the_tools() {
    let server = Server::start(|_, request| sound(request)).await;
    let observation = observe(&server, &impatient()).await;
    assert_eq!(
        observation.findings.outcome.to_string(),
        "ok",
        "{observation:?}"
    );
    assert_eq!(
        observation.findings.next_start(),
        mcp_observation::Start::Stream
    );
    let seen = server.seen();
    let methods: Vec<_> = seen.iter().map(Request::what).collect();
    let expected = [
        "server/discover",
        "initialize",
        "GET",
        "initialize",
        "notifications/initialized",
        "tools/list",
    ];
    assert_eq!(methods, expected);
    assert_eq!(seen[2].header("accept"), Some("text/event-stream"));
    for request in &seen[3..] {
        assert_eq!(request.header("mcp-protocol-version"), None);
        assert_eq!(request.path, "/post?sid=secret");
    }
    assert!(!format!("{observation:?}").contains("secret"));
    let steps: Vec<_> = observation
        .exchanges
        .iter()
        .map(|exchange| exchange.step)
        .collect();
    assert_eq!(
        steps[3..],
        [
            Step::StreamInitialize,
            Step::StreamInitialized,
            Step::StreamTools
        ]
    );
}

// r[mcp.step.sse]
#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_is_of_the_same_origin() {
    let endpoint = |data: &'static str| {
        but_for("GET", move |_| {
            Reply::Listen([STREAM, &event("endpoint", data)].concat())
        })
    };
    for other in [
        "https://other.example/post",
        "http://127.0.0.1:1/post",
        "//other.example/post",
        "http://[",
    ] {
        assert_eq!(endpoint(other).await, "unknown (protocol)", "{other}");
    }
    let server = Server::start(|port, request| match request.what() {
        "GET" => {
            let other = format!("http://user@127.0.0.1:{port}/post?sid=secret");
            Reply::Listen([STREAM, &event("endpoint", &other)].concat())
        }
        _ => sound(request),
    })
    .await;
    let observation = observe(&server, &impatient()).await;
    assert_eq!(
        observation.findings.outcome.to_string(),
        "unknown (protocol)"
    );
    assert_eq!(server.seen().len(), 3);
    assert_eq!(endpoint("post?sid=secret").await, "ok");
}

// r[mcp.step.sse] r[mcp.answer.other] r[mcp.limits]
#[tokio::test(flavor = "multi_thread")]
async fn faults_of_streams() {
    let get = |reply: fn() -> Reply| but_for("GET", move |_| reply());
    assert_eq!(
        get(|| Reply::Listen(STREAM.to_vec())).await,
        "failure (not-mcp)"
    );
    assert_eq!(
        get(|| Reply::Close(STREAM.to_vec())).await,
        "failure (not-mcp)"
    );
    assert_eq!(get(|| Reply::Hang(vec![])).await, "failure (not-mcp)");
    assert_eq!(
        get(|| Reply::Bytes(json("200 OK", "{}"))).await,
        "failure (not-mcp)"
    );
    assert_eq!(
        get(|| Reply::Bytes(json("500 No", "{}"))).await,
        "failure (server-error)"
    );
    assert_eq!(get(|| Reply::Bytes(json("401 No", "{}"))).await, "sign_in");

    let post = |reply: fn() -> Reply| but_for("tools/list", move |_| reply());
    for status in ["400 No", "404 No", "405 No"] {
        let refused = but_for("initialize", move |_| Reply::Bytes(json(status, "{}"))).await;
        assert_eq!(refused, "unknown (protocol)");
        let refused = but_for("tools/list", move |_| Reply::Bytes(json(status, "{}"))).await;
        assert_eq!(refused, "unknown (protocol)");
    }
    assert_eq!(post(|| Reply::Bytes(json("401 No", ""))).await, "sign_in");
    assert_eq!(
        post(|| Reply::Bytes(json("429 No", ""))).await,
        "unknown (rate-limited)"
    );
    assert_eq!(
        post(|| Reply::Bytes(json("503 No", ""))).await,
        "failure (server-error)"
    );
    // Accepted, and never answered.
    assert_eq!(post(|| Reply::Bytes(accepted())).await, "failure (timeout)");
    let wrong_id = || Reply::Push(message(99, r#"{"tools":[]}"#), accepted());
    assert_eq!(post(wrong_id).await, "failure (timeout)");
    let error = but_for("tools/list", |request| {
        let error = format!(r#"{{"id":{},"error":{{"code":1}}}}"#, request.id());
        Reply::Push(event("message", &error), accepted())
    });
    assert_eq!(error.await, "unknown (error)");
    // More than one body may hold.
    let flood = || Reply::Push(vec![b':'; 5 << 20], accepted());
    assert_eq!(post(flood).await, "unknown (protocol)");
    let closed = but_for("GET", |_| {
        Reply::Close([STREAM, &event("endpoint", "/post?sid=secret")].concat())
    });
    assert_eq!(closed.await, "unknown (protocol)");
    // What an answer to the POST says is not looked at.
    let in_the_body = but_for("tools/list", |request| {
        let id = request.id();
        let answer = format!(r#"{{"id":{id},"result":{{"tools":{{}}}}}}"#);
        Reply::Push(message(id, r#"{"tools":[]}"#), json("200 OK", &answer))
    });
    assert_eq!(in_the_body.await, "ok");
}
