//! Whatever is answered.

use mcp_observation::{Answer, End, Message, Start, Step};
use proptest::prelude::*;

use crate::replies::*;

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
