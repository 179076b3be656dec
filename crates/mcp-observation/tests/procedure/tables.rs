//! Every row of every table.

use mcp_observation::{Answer, End, Start};

use crate::replies::*;

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
