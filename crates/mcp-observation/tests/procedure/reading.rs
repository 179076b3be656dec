//! What is read from an answer: section 15.1.4.

use guarded_fetch::{HeaderMap, StatusCode};
use mcp_observation::{End, Reader, Start};

use crate::replies::*;

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
    let digits = "9".repeat(400);
    let [wide, deep] = ["", "-"].map(|sign| format!(r#"{{"code": {sign}{digits} }}"#));
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
            (
                error("", r#"{"code":18446744073709551615}"#),
                "unknown (error)",
            ),
            (error("", &wide), "unknown (error)"),
            (error("", &deep), "unknown (error)"),
            (error("", r#"{"code":1e3}"#), "unknown (protocol)"),
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
