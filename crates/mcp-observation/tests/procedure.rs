//! The procedure without network: every row of every table of section 15.1, and whole runs.

#![expect(clippy::unwrap_used, reason = "a test: to panic is to fail")]

use std::time::Duration;

use guarded_fetch::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use mcp_observation::{
    Answer, End, Findings, ListEnd, Message, Options, Procedure, Reader, Start, Step, Target,
};
use proptest::prelude::*;

const URL: &str = "https://mail.example.com/mcp";

/// An answer before it is known to which request.
#[derive(Debug, Clone)]
enum Reply {
    Raw(Answer),
    Http {
        status: u16,
        headers: Vec<(&'static str, String)>,
        /// `ID` stands for the id of the request.
        body: String,
        end: End,
    },
}

fn http(status: u16, body: &str) -> Reply {
    Reply::Http {
        status,
        headers: vec![],
        body: body.to_owned(),
        end: End::Complete,
    }
}

fn result(result: &str) -> Reply {
    http(
        200,
        &format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{result}}}"#),
    )
}

fn error(status: u16, code: i64) -> Reply {
    http(
        status,
        &format!(r#"{{"id":null,"error":{{"code":{code}}}}}"#),
    )
}

fn unsupported(supported: &str) -> Reply {
    let body = r#"{"id":ID,"error":{"code":-32022,"data":{"supported":SUPPORTED}}}"#;
    http(400, &body.replace("SUPPORTED", supported))
}

fn events(events: &str) -> Reply {
    http(200, events).with("content-type", "text/event-stream")
}

impl Reply {
    fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Self::Http { headers, .. } = &mut self {
            headers.push((name, value.to_owned()));
        }
        self
    }

    fn challenge(self) -> Self {
        self.with("www-authenticate", "Bearer")
    }

    fn ends(mut self, how: End) -> Self {
        if let Self::Http { end, .. } = &mut self {
            *end = how;
        }
        self
    }

    fn to(&self, message: &Message) -> Answer {
        let (status, headers, body, end) = match self {
            Self::Raw(answer) => return answer.clone(),
            Self::Http {
                status,
                headers,
                body,
                end,
            } => (status, headers, body, end),
        };
        let status = StatusCode::from_u16(*status).unwrap();
        let is_stream = headers
            .iter()
            .any(|(_, value)| value == "text/event-stream");
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_str(value).unwrap(),
                )
            })
            .collect();
        let id = message.id.unwrap_or_default();
        let mut reader = Reader::new(status, &headers, is_stream, None, id);
        reader.push(body.replace("ID", &id.to_string()).as_bytes());
        reader.finish(*end)
    }
}

struct Run {
    steps: Vec<Step>,
    messages: Vec<Message>,
    findings: Findings,
}

/// Gives the replies one after the other, and the last for ever.
fn run(options: &Options, replies: &[Reply]) -> Run {
    let target: Target = URL.parse().unwrap();
    let mut procedure = Procedure::new(&target, options);
    let mut messages: Vec<Message> = Vec::new();
    while let Some(message) = procedure.next().cloned() {
        let reply = replies.get(messages.len()).or(replies.last()).unwrap();
        procedure.answer(&reply.to(&message), Duration::from_micros(1_500));
        messages.push(message);
        assert!(messages.len() < 100, "it does not end");
    }
    Run {
        steps: messages.iter().map(|message| message.step).collect(),
        messages,
        findings: procedure.finish(),
    }
}

fn from(start: Start) -> Options {
    let mut options = Options::new("example-prober", "1.0");
    options.start = start;
    options
}

/// What a row says: the next step, or how the observation ended.
fn next(start: Start, before: &[Reply], reply: &Reply) -> String {
    let (options, target) = (from(start), URL.parse().unwrap());
    let mut procedure = Procedure::new(&target, &options);
    for reply in before.iter().chain([reply]) {
        let message = procedure.next().expect("a request").clone();
        procedure.answer(&reply.to(&message), Duration::ZERO);
    }
    match procedure.next() {
        Some(message) if message.step != Step::Delete => format!("{:?}", message.step),
        _ => procedure.finish().outcome.to_string(),
    }
}

fn check(start: Start, before: &[Reply], rows: &[(Reply, &str)]) {
    for (reply, expected) in rows {
        assert_eq!(&next(start, before, reply), expected, "{reply:?}");
    }
}

fn discovered() -> Reply {
    result(r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#)
}

fn initialized(version: &str) -> Reply {
    result(&format!(
        r#"{{"protocolVersion":"{version}","serverInfo":{{"name":"s"}}}}"#
    ))
    .with("mcp-session-id", "secret")
}

fn legacy_tools() -> Reply {
    result(r#"{"tools":[{"name":"a"}]}"#)
}

fn modern_tools() -> Reply {
    result(r#"{"resultType":"complete","tools":[{"name":"a"}]}"#)
}

/// The rows that several tables share, in the words of steps 2 and 3.
fn shared() -> Vec<(Reply, &'static str)> {
    vec![
        (http(401, ""), "sign_in"),
        (error(401, -32001), "sign_in"),
        (http(403, "").challenge(), "sign_in"),
        (http(403, ""), "unknown (blocked)"),
        (http(402, "{}"), "unknown (payment-required)"),
        (http(421, ""), "unknown (blocked)"),
        (http(429, ""), "unknown (rate-limited)"),
        (http(301, "").with("location", "/x"), "unknown (redirect)"),
        (http(303, "").with("location", "/x"), "unknown (redirect)"),
        (
            http(307, "").with("location", "https://other.example/"),
            "unknown (redirect)",
        ),
        (
            http(308, "").with("location", "https://u@mail.example.com/"),
            "unknown (redirect)",
        ),
        (
            http(307, "").with("location", "https://mail.example.com:8443/"),
            "unknown (redirect)",
        ),
        (http(307, ""), "unknown (redirect)"),
        (error(200, -32603), "unknown (error)"),
        (error(500, -32603), "unknown (error)"),
        (error(200, -32001), "unknown (error)"),
    ]
}

/// The rows of `mcp.answer.other`, where no other row takes them.
fn others() -> Vec<(Reply, &'static str)> {
    vec![
        (Reply::Raw(Answer::NoConnection), "failure (connection)"),
        (Reply::Raw(Answer::Late), "failure (timeout)"),
        (Reply::Raw(Answer::Unreadable), "unknown (protocol)"),
        (http(200, "").ends(End::Late), "failure (timeout)"),
        (http(500, "").ends(End::Late), "failure (timeout)"),
        (http(500, ""), "failure (server-error)"),
        (http(599, "").ends(End::Broken), "failure (server-error)"),
        (http(410, "{}"), "failure (gone)"),
        (
            http(200, r#"{"id":ID,"#).ends(End::Broken),
            "unknown (protocol)",
        ),
        (events(": nothing\n\n"), "unknown (protocol)"),
        (http(200, ""), "failure (not-mcp)"),
        (http(202, ""), "failure (not-mcp)"),
        (http(200, "<html>"), "failure (not-mcp)"),
        (http(200, "{}"), "unknown (protocol)"),
        (http(200, "7"), "unknown (protocol)"),
        (http(406, "{}"), "unknown (protocol)"),
        (http(204, ""), "failure (not-mcp)"),
    ]
}

// r[mcp.step.discover]
#[test]
fn step_1_row_by_row() {
    let versions = |versions: &str| result(&format!(r#"{{"supportedVersions":{versions}}}"#));
    let with_capabilities = |capabilities: &str| {
        result(&format!(
            r#"{{"supportedVersions":["2026-07-28"],"capabilities":{capabilities}}}"#
        ))
    };
    check(
        Start::Discover,
        &[],
        &[
            (discovered(), "ModernTools"),
            (versions(r#"["2026-07-28"]"#), "ModernTools"),
            (versions(r#"["2025-11-25","2026-07-28"]"#), "ModernTools"),
            (with_capabilities("{}"), "unknown (no-tools)"),
            (with_capabilities(r#"{"prompts":{}}"#), "unknown (no-tools)"),
            (with_capabilities(r#"{"tools":null}"#), "ModernTools"),
            (with_capabilities("[]"), "ModernTools"),
            (with_capabilities("null"), "ModernTools"),
            (versions(r#"["2027-07-28","2025-06-18"]"#), "Initialize"),
            (versions(r#"["2027-07-28"]"#), "unknown (version)"),
            (versions("[]"), "unknown (version)"),
            (versions(r#"["2026-07-28",1]"#), "Initialize"),
            (versions(r#""2026-07-28""#), "Initialize"),
            (result("{}"), "Initialize"),
            (unsupported(r#"["2026-07-28"]"#), "ModernTools"),
            (unsupported(r#"["2024-11-05"]"#), "Initialize"),
            (unsupported(r#"["2027-07-28"]"#), "unknown (version)"),
            (unsupported("null"), "unknown (version)"),
            (error(200, -32022), "unknown (version)"),
            (error(400, -32020), "ModernTools"),
            (error(400, -32021), "ModernTools"),
            (error(404, -32601), "ModernTools"),
            (error(200, -32601), "Initialize"),
            (error(400, -32601), "Initialize"),
            (http(401, "").challenge(), "sign_in"),
            (
                http(401, r#"{"message":"see -32602"}"#).challenge(),
                "sign_in",
            ),
            (http(401, "").challenge().ends(End::Broken), "sign_in"),
            (error(401, -32601).challenge(), "Initialize"),
            (
                http(401, r#"{"data":"{\"code\":-32601}"}"#).challenge(),
                "Initialize",
            ),
            (events("data: -32601\n\n"), "Initialize"),
            (http(401, ""), "Initialize"),
            (http(403, "").challenge(), "sign_in"),
            (http(402, ""), "unknown (payment-required)"),
            (http(403, ""), "unknown (blocked)"),
            (http(421, ""), "unknown (blocked)"),
            (http(429, ""), "unknown (rate-limited)"),
            (http(302, "").with("location", "/x"), "unknown (redirect)"),
            (
                http(307, "").with("location", "https://other.example/"),
                "unknown (redirect)",
            ),
            (Reply::Raw(Answer::NoConnection), "failure (connection)"),
            (Reply::Raw(Answer::Late), "Initialize"),
            (http(200, "").ends(End::Late), "Initialize"),
            (Reply::Raw(Answer::Unreadable), "Initialize"),
            (http(200, "<html>"), "Initialize"),
            (http(400, ""), "Initialize"),
            (http(404, ""), "Initialize"),
            (http(405, ""), "Initialize"),
            (http(406, ""), "Initialize"),
            (http(415, ""), "Initialize"),
            (http(503, ""), "Initialize"),
            (http(304, ""), "Initialize"),
        ],
    );
}

// r[mcp.step.modern-tools] r[mcp.answer.other]
#[test]
fn step_2_row_by_row() {
    let rows = [
        (modern_tools(), "ok"),
        (result(r#"{"resultType":"complete","tools":[]}"#), "ok"),
        (
            result(r#"{"resultType":"input_required"}"#),
            "unknown (input-required)",
        ),
        (
            result(r#"{"resultType":"later","tools":[]}"#),
            "unknown (protocol)",
        ),
        (legacy_tools(), "unknown (protocol)"),
        (
            result(r#"{"resultType":"complete","tools":{}}"#),
            "failure (not-mcp)",
        ),
        (result(r#"{"resultType":"complete"}"#), "failure (not-mcp)"),
        (error(404, -32601), "unknown (error)"),
        (http(404, ""), "failure (gone)"),
    ];
    check(Start::Discover, &[discovered()], &rows);
    check(Start::Discover, &[discovered()], &shared());
    check(Start::Discover, &[discovered()], &others());
    // Step 1 gave no result.
    check(
        Start::Discover,
        &[error(400, -32020)],
        &[
            (error(404, -32601), "Initialize"),
            (error(200, -32601), "Initialize"),
        ],
    );
    check(
        Start::ModernTools,
        &[],
        &[(error(200, -32601), "Initialize"), (modern_tools(), "ok")],
    );
}

// r[mcp.step.initialize] r[mcp.answer.other]
#[test]
fn step_3_row_by_row() {
    let before = [http(404, "")];
    let rows = [
        (initialized("2024-10-07"), "Initialized"),
        (initialized("2024-11-05"), "Initialized"),
        (initialized("2025-03-26"), "Initialized"),
        (initialized("2025-06-18"), "Initialized"),
        (initialized("2025-11-25"), "Initialized"),
        (initialized("2026-07-28"), "unknown (version)"),
        (initialized("DRAFT"), "unknown (version)"),
        (result("{}"), "unknown (protocol)"),
        (
            result(r#"{"protocolVersion":20251125}"#),
            "unknown (protocol)",
        ),
        (unsupported(r#"["2026-07-28"]"#), "ModernTools"),
        (unsupported(r#"["2025-11-25"]"#), "unknown (version)"),
        (error(400, -32022), "unknown (version)"),
        (error(400, -32000), "Stream"),
        (http(400, ""), "Stream"),
        (http(404, "<html>"), "Stream"),
        (http(405, ""), "Stream"),
    ];
    check(Start::Discover, &before, &rows);
    check(Start::Discover, &before, &shared());
    check(Start::Discover, &before, &others());
    // Step 2 was done.
    let before = [error(400, -32020), error(404, -32601)];
    check(
        Start::Discover,
        &before,
        &[(unsupported(r#"["2026-07-28"]"#), "unknown (version)")],
    );
}

// r[mcp.step.legacy-tools] r[mcp.answer.other]
#[test]
fn the_list_of_the_legacy_era_row_by_row() {
    let before = [http(404, ""), initialized("2025-03-26"), http(202, "")];
    let rows = [
        (legacy_tools(), "ok"),
        (modern_tools(), "ok"),
        (result(r#"{"tools":[]}"#), "ok"),
        (result("{}"), "failure (not-mcp)"),
        (result(r#"{"tools":{"a":{}}}"#), "failure (not-mcp)"),
        (error(400, -32000), "unknown (error)"),
        (http(404, ""), "failure (gone)"),
        (http(400, ""), "failure (not-mcp)"),
    ];
    check(Start::Discover, &before, &rows);
    check(Start::Discover, &before, &shared());
    check(Start::Discover, &before, &others());
    // The notification.
    let before = [http(404, ""), initialized("2025-03-26")];
    check(
        Start::Discover,
        &before,
        &[
            (http(202, ""), "LegacyTools"),
            (http(200, "{}"), "LegacyTools"),
            (http(500, ""), "LegacyTools"),
            (error(400, -32000), "LegacyTools"),
            (http(403, ""), "LegacyTools"),
            (http(302, "").with("location", "/x"), "LegacyTools"),
            (Reply::Raw(Answer::Late), "LegacyTools"),
            (Reply::Raw(Answer::NoConnection), "LegacyTools"),
            (http(401, ""), "sign_in"),
            (http(403, "").challenge(), "sign_in"),
        ],
    );
}

// r[mcp.step.sse]
#[test]
fn a_get_without_an_endpoint_row_by_row() {
    let rows = |otherwise: &'static str| {
        vec![
            (http(401, ""), "sign_in"),
            (http(403, "").challenge(), "sign_in"),
            (http(403, ""), "unknown (blocked)"),
            (http(402, ""), "unknown (payment-required)"),
            (http(421, ""), "unknown (blocked)"),
            (http(429, ""), "unknown (rate-limited)"),
            (http(302, "").with("location", "/x"), "unknown (redirect)"),
            (Reply::Raw(Answer::NoConnection), "failure (connection)"),
            (http(502, ""), "failure (server-error)"),
            (http(404, ""), otherwise),
            (http(405, ""), otherwise),
            (http(200, ""), otherwise),
            (Reply::Raw(Answer::Late), otherwise),
            (Reply::Raw(Answer::Unreadable), otherwise),
        ]
    };
    let before = [http(404, ""), http(405, "")];
    check(Start::Discover, &before, &rows("failure (not-mcp)"));
    let before = [http(404, ""), error(400, -32000)];
    check(Start::Discover, &before, &rows("unknown (error)"));
    check(Start::Stream, &[], &rows("failure (not-mcp)"));
}

// r[mcp.answer.result] r[mcp.answer.body] r[mcp.answer.array]
#[test]
fn a_result_is_an_object_in_an_answer_of_success_with_the_id_of_the_request() {
    let tools = r#""result":{"tools":[]}"#;
    let before = [http(404, ""), initialized("2025-03-26"), http(202, "")];
    check(
        Start::Discover,
        &before,
        &[
            (http(200, &format!(r#"{{"id":ID,{tools}}}"#)), "ok"),
            (http(299, &format!(r#"{{"id":ID,{tools}}}"#)), "ok"),
            (http(200, &format!("\u{feff}{{\"id\":ID,{tools}}}")), "ok"),
            (
                http(200, &format!(" {{\"id\":ID,{tools}}}\n")).with("content-type", "text/plain"),
                "ok",
            ),
            (
                http(200, &format!("\u{feff}\u{feff}{{\"id\":ID,{tools}}}")),
                "failure (not-mcp)",
            ),
            (
                http(200, &format!(r#"{{"id":"ID",{tools}}}"#)),
                "unknown (protocol)",
            ),
            (
                http(200, &format!(r#"{{"id":99,{tools}}}"#)),
                "unknown (protocol)",
            ),
            (
                http(200, &format!(r#"{{"id":null,{tools}}}"#)),
                "unknown (protocol)",
            ),
            (http(200, &format!("{{{tools}}}")), "unknown (protocol)"),
            (http(200, r#"{"id":ID,"result":[]}"#), "unknown (protocol)"),
            (
                http(200, r#"{"id":ID,"result":null}"#),
                "unknown (protocol)",
            ),
            (
                http(200, &format!(r#"[{{"id":ID,{tools}}}]"#)),
                "unknown (protocol)",
            ),
            (
                http(500, &format!(r#"{{"id":ID,{tools}}}"#)),
                "failure (server-error)",
            ),
            (
                http(400, &format!(r#"{{"id":ID,{tools}}}"#)),
                "unknown (protocol)",
            ),
            (
                http(200, &format!(r#"{{"id":ID,{tools}}} x"#)),
                "failure (not-mcp)",
            ),
        ],
    );
    let mut not_utf8 = Reader::new(StatusCode::OK, &HeaderMap::new(), false, None, 1);
    not_utf8.push(b"{\"id\":1,\"result\":{\"tools\":[]},\"x\":\"\xff\"}");
    let not_utf8 = Reply::Raw(not_utf8.finish(End::Complete));
    check(Start::Discover, &before, &[(not_utf8, "failure (not-mcp)")]);
}

// r[mcp.answer.error-id] r[mcp.answer.result]
#[test]
fn an_error_is_an_integer_code_under_any_status_and_any_id() {
    let before = [http(404, ""), initialized("2025-03-26"), http(202, "")];
    let error = |id: &str, error: &str| http(200, &format!(r#"{{{id}"error":{error}}}"#));
    let wide = r#"{"code":18446744073709551615}"#;
    check(
        Start::Discover,
        &before,
        &[
            (error("\"id\":ID,", r#"{"code":1}"#), "unknown (error)"),
            (error("\"id\":null,", r#"{"code":1}"#), "unknown (error)"),
            (
                error("\"id\":\"server-error\",", r#"{"code":1}"#),
                "unknown (error)",
            ),
            (error("\"id\":99,", r#"{"code":1}"#), "unknown (error)"),
            (error("", r#"{"code":1}"#), "unknown (error)"),
            (error("", wide), "unknown (error)"),
            (error("", r#"{"code":"1"}"#), "unknown (protocol)"),
            (error("", r#"{"code":1.5}"#), "unknown (protocol)"),
            (error("", "{}"), "unknown (protocol)"),
            (error("", "\"denied\""), "unknown (protocol)"),
        ],
    );
}

// r[mcp.answer.events] r[mcp.answer.body] r[mcp.answer.array]
#[test]
fn the_response_is_found_among_events() {
    let before = [http(404, ""), initialized("2025-03-26"), http(202, "")];
    let response = r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[]}}"#;
    let found = |skipped: &str| events(&format!("{skipped}data: {response}\n\n"));
    let mut rows: Vec<(Reply, &str)> = [
        "",
        "event: message\n",
        "id: 1\nretry: 9\ndata: \n\n",
        ": comment\n\n",
        "event: endpoint\ndata: /x\n\n",
        "data: {\"method\":\"notifications/message\"}\n\n",
        "data: {\"id\":\"s1\",\"method\":\"roots/list\"}\n\n",
        "data: {\"id\":ID,\"method\":\"ping\",\"result\":{}}\n\n",
        "data: {\"id\":99,\"result\":{\"tools\":{}}}\n\n",
        "data: {\"id\":null,\"error\":{\"code\":1}}\n\n",
        "data: {\"id\":ID}\n\n",
        "data: [\ndata: ]\n\n",
        "data: no JSON\n\n",
        "data: [{\"id\":ID,\"error\":{\"code\":1}}]\n\n",
        "event: other\ndata: {\"id\":ID,\"error\":{\"code\":1}}\n\n",
    ]
    .iter()
    .map(|skipped| (found(skipped), "ok"))
    .collect();
    rows.extend([
        (
            events("data: {\"id\":ID,\"error\":{\"code\":1}}\n\n"),
            "unknown (error)",
        ),
        (
            events("data: {\"id\":ID,\"result\":[]}\n\n"),
            "unknown (protocol)",
        ),
        (
            events("data: {\"id\":ID,\"result\":{\"tools\":[]}}\n"),
            "unknown (protocol)",
        ),
        (
            events(&format!("data: [{response}]\n\n")),
            "unknown (protocol)",
        ),
        (found("").ends(End::Late), "ok"),
        (events("").ends(End::Late), "failure (timeout)"),
    ]);
    check(Start::Discover, &before, &rows);
}

// r[mcp.ok] r[mcp.modern.headers] r[mcp.request] r[mcp.handshake]
#[test]
fn the_modern_era_takes_two_requests() {
    let run = run(&from(Start::Discover), &[discovered(), modern_tools()]);
    assert_eq!(run.steps, [Step::Discover, Step::ModernTools]);
    assert_eq!(run.findings.outcome.to_string(), "ok");
    assert_eq!(run.findings.handshake_ms, Some(2));
    assert_eq!(run.findings.next_start(), Start::ModernTools);
    assert_eq!(run.findings.revision.unwrap().as_str(), "2026-07-28");
    let example = include_str!("../../../spec/draft/capability-resolution.md");
    let (_, example) = example
        .split_once("```http example=mcp-discover-request\n")
        .unwrap();
    let (head, body) = example.split_once("\n\n").unwrap();
    let message = &run.messages[0];
    for (name, value) in &message.headers {
        let line = format!("{name}: {}", value.to_str().unwrap());
        let found = head.lines().any(|l| l.eq_ignore_ascii_case(&line));
        assert!(found, "{line}");
    }
    assert_eq!(message.headers.len(), 4);
    let sent: serde_json::Value = serde_json::from_str(&message.body).unwrap();
    let body = body.split_once("\n```").unwrap().0;
    assert_eq!(
        sent,
        serde_json::from_str::<serde_json::Value>(body).unwrap()
    );
}

// r[mcp.ok] r[mcp.step.legacy-session] r[mcp.step.legacy-tools] r[mcp.step.delete] r[mcp.handshake]
#[test]
fn the_legacy_era_takes_four_requests_and_ends_its_session() {
    for (version, deletes) in [
        ("2024-10-07", false),
        ("2024-11-05", false),
        ("2025-03-26", false),
        ("2025-06-18", true),
        ("2025-11-25", true),
    ] {
        for (list, outcome) in [
            (legacy_tools(), "ok"),
            (http(500, ""), "failure (server-error)"),
            (http(401, ""), "sign_in"),
        ] {
            let replies = [
                http(400, ""),
                initialized(version),
                http(202, ""),
                list,
                http(404, ""),
            ];
            let run = run(&from(Start::Discover), &replies);
            assert_eq!(run.findings.outcome.to_string(), outcome);
            assert_eq!(run.findings.revision.unwrap().as_str(), version);
            assert_eq!(
                run.steps.last() == Some(&Step::Delete),
                deletes,
                "{version}"
            );
            assert_eq!(run.steps.len(), if deletes { 5 } else { 4 });
            let header = |message: &Message, name: &str| {
                let found = message.headers.iter().find(|(found, _)| found == name);
                found.map(|(_, value)| value.to_str().unwrap().to_owned())
            };
            for message in &run.messages[..2] {
                assert_eq!(header(message, "mcp-session-id"), None);
            }
            assert_eq!(header(&run.messages[1], "mcp-protocol-version"), None);
            for message in &run.messages[2..] {
                assert_eq!(header(message, "mcp-session-id").as_deref(), Some("secret"));
                assert_eq!(
                    header(message, "mcp-protocol-version").as_deref(),
                    Some(version)
                );
            }
            let expected = match outcome {
                "ok" => Some(5),
                "sign_in" => Some(2),
                _ => None,
            };
            assert_eq!(run.findings.handshake_ms, expected);
        }
    }
}

// r[mcp.step.legacy-session]
#[test]
fn a_session_id_counts_only_in_an_answer_of_success_to_initialize() {
    let elsewhere = http(400, "").with("mcp-session-id", "other");
    let open = result(r#"{"protocolVersion":"2025-11-25"}"#);
    let replies = [
        elsewhere,
        open,
        http(202, "").with("mcp-session-id", "late"),
        legacy_tools(),
    ];
    let run = run(&from(Start::Discover), &replies);
    let session = HeaderName::from_static("mcp-session-id");
    let sends = |message: &Message| message.headers.iter().any(|(name, _)| *name == session);
    assert!(!run.messages.iter().any(sends));
    assert_eq!(run.steps.len(), 4);
    assert!(!format!("{:?}", run.messages).contains("secret"));
}

// r[mcp.redirect]
#[test]
fn redirects_lead_on_within_the_origin_three_times() {
    let to = |location: &str| http(307, "").with("location", location);
    let replies = [to("/mcp/"), discovered(), modern_tools()];
    let run_ = run(&from(Start::Discover), &replies);
    let urls: Vec<_> = run_.messages.iter().map(|m| m.url.as_str()).collect();
    let moved = "https://mail.example.com/mcp/";
    assert_eq!(urls, [URL, moved, moved]);
    assert_eq!(run_.messages[0].body, run_.messages[1].body);
    assert!(run_.messages[1].is_again && !run_.messages[2].is_again);
    assert_eq!(run_.findings.outcome.to_string(), "ok");

    // `http` of the same host is read as `https`; the request that hangs then is at its new place.
    let replies = [
        to("http://mail.example.com/mcp/"),
        Reply::Raw(Answer::Late),
        http(500, ""),
    ];
    let run_ = run(&from(Start::Discover), &replies);
    assert_eq!(run_.messages[2].url.as_str(), moved);

    // Three in all, over all steps.
    let replies = [to("/1"), to("/2"), error(404, -32601), to("/3"), to("/4")];
    let run_ = run(&from(Start::Discover), &replies);
    assert_eq!(run_.findings.outcome.to_string(), "unknown (redirect)");
    assert_eq!(run_.messages.last().unwrap().url.path(), "/3");
    assert_eq!(run_.messages.len(), 5);
}

// r[mcp.redirect]
#[test]
fn a_redirect_leads_to_the_same_origin_or_nowhere() {
    let led = |status: u16, location: &str| {
        let reply = http(status, "").with("location", location);
        let run_ = run(
            &from(Start::Discover),
            &[reply, discovered(), modern_tools()],
        );
        let ended = run_.findings.outcome.to_string();
        (run_.messages.get(1).map(|m| m.url.to_string()), ended)
    };
    for (location, target) in [
        ("/x", "https://mail.example.com/x"),
        ("x?q", "https://mail.example.com/x?q"),
        ("http://mail.example.com:80/x", "https://mail.example.com/x"),
        (
            "http://mail.example.com:443/x",
            "https://mail.example.com/x",
        ),
        (
            "https://mail.example.com:443/x",
            "https://mail.example.com/x",
        ),
        ("http://MAIL.EXAMPLE.COM/x", "https://mail.example.com/x"),
    ] {
        for status in [307, 308] {
            let expected = (Some(target.to_owned()), "ok".to_owned());
            assert_eq!(led(status, location), expected, "{status} {location}");
        }
        for status in [301, 302, 303] {
            let expected = (None, "unknown (redirect)".to_owned());
            assert_eq!(led(status, location), expected, "{status} {location}");
        }
    }
    for location in [
        "http://mail.example.com:8080/x",
        "https://mail.example.com:8443/x",
        "https://example.com/x",
        "https://www.mail.example.com/x",
        "https://mail.example.com./x",
        "https://user@mail.example.com/x",
        "//b.example/x",
        "ftp://mail.example.com/x",
        "javascript:1",
    ] {
        for status in [301, 302, 303, 307, 308] {
            let expected = (None, "unknown (redirect)".to_owned());
            assert_eq!(led(status, location), expected, "{status} {location}");
        }
    }
}

// r[mcp.request.count]
#[test]
fn a_seventh_request_is_not_sent() {
    let to = |location: &str| http(308, "").with("location", location);
    let (open, accepted) = (initialized("2025-11-25"), http(202, ""));
    // The list would be the seventh.
    let replies = [
        to("/1"),
        to("/2"),
        to("/3"),
        http(404, ""),
        open.clone(),
        accepted.clone(),
    ];
    let run_ = run(&from(Start::Discover), &replies);
    assert_eq!(run_.findings.outcome.to_string(), "unknown (budget)");
    assert_eq!(run_.steps.len(), 6);
    // DELETE would be, and the status is settled.
    let replies = [
        to("/1"),
        to("/2"),
        http(404, ""),
        open,
        accepted,
        legacy_tools(),
    ];
    let run_ = run(&from(Start::Discover), &replies);
    assert_eq!(run_.findings.outcome.to_string(), "ok");
    assert_eq!(run_.steps.len(), 6);
    assert_eq!(run_.steps.last(), Some(&Step::LegacyTools));
    // A redirect would be.
    let replies = [
        error(404, -32601),
        error(404, -32601),
        http(404, ""),
        to("/1"),
        to("/2"),
        to("/3"),
        to("/4"),
    ];
    let run_ = run(&from(Start::Discover), &replies);
    assert_eq!(run_.findings.outcome.to_string(), "unknown (budget)");
    assert_eq!(run_.steps.len(), 6);
}

// r[mcp.era-cache] r[mcp.era-cache.recheck]
#[test]
fn an_observation_may_begin_where_the_last_ended() {
    let accepted = http(202, "");
    let replies = [initialized("2025-03-26"), accepted, legacy_tools()];
    let run_ = run(&from(Start::Initialize), &replies);
    assert_eq!(
        run_.steps,
        [Step::Initialize, Step::Initialized, Step::LegacyTools]
    );
    assert_eq!(run_.findings.next_start(), Start::Initialize);
    for (start, reply, expected) in [
        (Start::ModernTools, modern_tools(), Start::ModernTools),
        (Start::ModernTools, http(401, ""), Start::ModernTools),
        (Start::Stream, http(401, ""), Start::Stream),
        (Start::ModernTools, http(500, ""), Start::Discover),
        (Start::Initialize, http(429, ""), Start::Discover),
    ] {
        assert_eq!(run(&from(start), &[reply]).findings.next_start(), expected);
    }
}

// r[mcp.request.again]
#[test]
fn a_lost_request_is_sent_once_more_and_counts() {
    let lost = Reply::Raw(Answer::Lost);
    let replies = [discovered(), lost.clone(), modern_tools()];
    let run_ = run(&from(Start::Discover), &replies);
    assert_eq!(run_.findings.outcome.to_string(), "ok");
    assert_eq!((run_.steps.len(), run_.findings.requests), (3, 3));
    assert_eq!(run_.messages[1].body, run_.messages[2].body);
    assert_eq!(run_.findings.handshake_ms, Some(3));
    let replies = [discovered(), lost.clone(), lost.clone()];
    let run_ = run(&from(Start::Discover), &replies);
    assert_eq!(run_.findings.outcome.to_string(), "unknown (protocol)");
    assert_eq!(run_.steps.len(), 3);
    let run_ = run(&from(Start::Discover), &[lost]);
    assert_eq!(run_.findings.outcome.to_string(), "unknown (protocol)");
    assert_eq!(run_.steps.len(), 4);
}

fn paged(pages: &[&str]) -> Run {
    let mut options = from(Start::ModernTools);
    options.all_pages = true;
    let pages: Vec<_> = pages.iter().map(|page| result(page)).collect();
    run(&options, &pages)
}

// r[mcp.tools.pages]
#[test]
fn pages_end() {
    let page = |cursor: &str| {
        format!(r#"{{"resultType":"complete","tools":[{{"name":"a"}}],"nextCursor":{cursor}}}"#)
    };
    let last = page("null");
    let many = format!(
        r#"{{"resultType":"complete","tools":[{}],"nextCursor":"more"}}"#,
        vec![r#"{"name":"a"}"#; 1_500].join(",")
    );
    let long = page(&format!("\"{}\"", "x".repeat(5_000)));
    for (pages, requests, tools, end) in [
        (vec![last.as_str()], 1, 1, ListEnd::Complete),
        (vec![page("\"2\"").as_str(), &last], 2, 2, ListEnd::Complete),
        (vec![page("\"\"").as_str(), &last], 2, 2, ListEnd::Complete),
        (vec![page("\"\"").as_str()], 2, 2, ListEnd::RepeatedCursor),
        (
            vec![page("\"again\"").as_str()],
            2,
            2,
            ListEnd::RepeatedCursor,
        ),
        (vec![page("\"2\"").as_str(), "{}"], 2, 1, ListEnd::Refused),
        (vec![page("7").as_str()], 1, 1, ListEnd::Complete),
        (vec![long.as_str()], 1, 1, ListEnd::Refused),
        (
            vec![many.as_str(), &many.replace("more", "most")],
            2,
            2_000,
            ListEnd::TooManyTools,
        ),
    ] {
        let run = paged(&pages);
        assert_eq!(run.findings.outcome.to_string(), "ok");
        assert_eq!(run.findings.list_end, end, "{pages:?}");
        assert_eq!(run.steps.len(), requests);
        assert_eq!(run.findings.tools.len(), tools);
    }
    let endless: Vec<_> = (0..50).map(|n| page(&format!("\"{n}\""))).collect();
    let run_ = paged(&endless.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(
        (run_.steps.len(), run_.findings.list_end),
        (20, ListEnd::TooManyPages)
    );
    assert!(run_.messages[19].body.contains(r#""cursor":"18""#));
    // Nobody asked for them.
    let run_ = run(&from(Start::ModernTools), &[result(&page("\"2\""))]);
    assert_eq!(
        (run_.steps.len(), run_.findings.list_end),
        (1, ListEnd::FirstPage)
    );
    // Pages are none of the six, and the session ends after them.
    let mut options = from(Start::Initialize);
    options.all_pages = true;
    let mut replies = vec![initialized("2025-11-25"), http(202, "")];
    replies.extend(endless.iter().map(|page| result(page)));
    let run_ = run(&options, &replies);
    assert_eq!(run_.steps.len(), 23);
    assert_eq!(run_.steps.last(), Some(&Step::Delete));
}

// r[mcp.limits]
#[test]
fn what_is_not_settled_in_time_is_a_failure() {
    let (options, target) = (from(Start::Discover), URL.parse().unwrap());
    let mut procedure = Procedure::new(&target, &options);
    procedure.give_up();
    assert!(procedure.next().is_none());
    assert_eq!(procedure.finish().outcome.to_string(), "failure (timeout)");
}

fn any_reply() -> impl Strategy<Value = Reply> {
    let status = prop_oneof![
        4 => Just(200_u16),
        1 => proptest::sample::select(vec![
            202, 204, 301, 302, 307, 308, 400, 401, 402, 403, 404, 405, 406, 410, 421, 429, 500, 503,
        ]),
    ];
    let body = proptest::sample::select(vec![
        "",
        "<html>",
        "{}",
        "[]",
        r#"{"id":ID,"result":{}}"#,
        r#"{"id":ID,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}"#,
        r#"{"id":ID,"result":{"supportedVersions":["2025-11-25"]}}"#,
        r#"{"id":ID,"result":{"protocolVersion":"2025-11-25"}}"#,
        r#"{"id":ID,"result":{"protocolVersion":"2025-03-26"}}"#,
        r#"{"id":ID,"result":{"resultType":"complete","tools":[{"name":"a"}],"nextCursor":"c"}}"#,
        r#"{"id":ID,"result":{"tools":[{"name":"a"}],"nextCursor":""}}"#,
        r#"{"id":ID,"error":{"code":-32601}}"#,
        r#"{"id":ID,"error":{"code":-32020}}"#,
        r#"{"id":ID,"error":{"code":-32022,"data":{"supported":["2026-07-28"]}}}"#,
        r#"{"id":ID,"error":{"code":-32022,"data":{"supported":["2025-11-25"]}}}"#,
        "data: {\"id\":ID,\"result\":{\"tools\":[]}}\n\n",
    ]);
    let headers = proptest::sample::subsequence(
        vec![
            ("content-type", "text/event-stream"),
            ("mcp-session-id", "s"),
            ("www-authenticate", "Bearer"),
            ("location", "/elsewhere"),
        ],
        0..=3,
    );
    let end = prop_oneof![4 => Just(End::Complete), 1 => Just(End::Broken), 1 => Just(End::Late)];
    let http = (status, body, headers, end).prop_map(|(status, body, headers, end)| {
        let reply = http(status, body).ends(end);
        let with = |reply: Reply, (name, value): (&'static str, &str)| reply.with(name, value);
        headers.into_iter().fold(reply, with)
    });
    prop_oneof![
        20 => http,
        1 => Just(Reply::Raw(Answer::NoConnection)),
        1 => Just(Reply::Raw(Answer::Late)),
        1 => Just(Reply::Raw(Answer::Unreadable)),
        1 => Just(Reply::Raw(Answer::Lost)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4_096,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    // r[observation.procedure] r[mcp.request.count] r[mcp.request.no-head] r[mcp.tools.pages] r[mcp.step.delete]
    #[test]
    fn whatever_is_answered_it_ends_within_six_requests(
        replies in proptest::collection::vec(any_reply(), 1..12),
        start in proptest::sample::select(vec![
            Start::Discover, Start::ModernTools, Start::Initialize, Start::Stream,
        ]),
        all_pages: bool,
    ) {
        let mut options = from(start);
        options.all_pages = all_pages;
        let run = run(&options, &replies);
        let is_further_page = |message: &&Message| message.body.contains("\"cursor\"");
        let pages = run.messages.iter().filter(is_further_page).count();
        prop_assert!(run.messages.len() - pages <= 6);
        prop_assert_eq!(run.messages.len() - pages, usize::from(run.findings.requests));
        prop_assert!(pages <= 19);
        let gets = run.steps.iter().filter(|step| **step == Step::Stream && step.method() == "GET");
        // One that is lost, and three that are redirected.
        prop_assert!(gets.count() <= 5);
        prop_assert!(run.steps.iter().all(|step| step.method() != "HEAD"));
        if let Some(at) = run.steps.iter().position(|step| *step == Step::Delete) {
            prop_assert!(run.steps[at..].iter().all(|step| *step == Step::Delete));
            let version = run.findings.revision.unwrap().as_str();
            prop_assert!(version >= "2025-06-18");
        }
        if run.findings.outcome.is_settled() {
            prop_assert!(run.findings.handshake_ms.is_some() && run.findings.led_by.is_some());
        } else {
            prop_assert_eq!(run.findings.next_start(), Start::Discover);
            prop_assert!(run.findings.tools.is_empty());
        }
    }
}
