//! Whole observations.

use guarded_fetch::HeaderName;
use mcp_observation::{Answer, ListEnd, Message, Procedure, Start, Step};

use crate::replies::*;

// r[mcp.ok] r[mcp.modern.headers] r[mcp.request] r[mcp.handshake]
#[test]
fn the_modern_era_takes_two_requests() {
    let run = run(&from(Start::Discover), &[discovered(), modern_tools()]);
    assert_eq!(run.steps, [Step::Discover, Step::ModernTools]);
    assert_eq!(run.findings.outcome.to_string(), "ok");
    assert_eq!(run.findings.handshake_ms, Some(2));
    assert_eq!(run.findings.next_start(), Start::ModernTools);
    assert_eq!(run.findings.revision.unwrap().as_str(), "2026-07-28");
    let example = include_str!("../../../../spec/draft/capability-resolution.md");
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
