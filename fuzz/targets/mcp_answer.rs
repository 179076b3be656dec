//! Answers of a server of the Model Context Protocol, one after the other: whatever they are, an observation ends within
//! six requests, does not depend on how the bytes were cut, and keeps no character that cannot be seen.
//!
//! The first byte says where the observation begins, and each answer, up to a byte 0, how it is framed. `$` stands for
//! the id of the request.
#![no_main]

use std::time::Duration;

use capability_resolution::text;
use guarded_fetch::{HeaderMap, HeaderValue, StatusCode};
use libfuzzer_sys::fuzz_target;
use mcp_observation::{
    Answer, End, Findings, MAX_PAGES, MAX_REQUESTS, MAX_TOOLS, Options, Procedure, Reader, Start,
    Step, Target,
};

fuzz_target!(|data: &[u8]| {
    let Some((first, answers)) = data.split_first() else {
        return;
    };
    let answers: Vec<&[u8]> = answers.split(|byte| *byte == 0).collect();
    let mut options = Options::new("fuzz", "0");
    options.start = Start::ALL[usize::from(first % 4)];
    options.all_pages = first & 4 != 0;
    let whole = run(&options, &answers, usize::MAX);
    assert_eq!(whole, run(&options, &answers, 1));
    assert_eq!(whole, run(&options, &answers, 7));

    let (steps, findings) = whole;
    let pages = steps.len() - usize::from(findings.requests);
    assert!(findings.requests <= MAX_REQUESTS && pages < usize::from(MAX_PAGES));
    assert!(pages == 0 || options.all_pages);
    assert!(findings.tools.len() <= MAX_TOOLS);
    assert_eq!(
        findings.outcome.is_settled(),
        findings.handshake_ms.is_some()
    );
    for tool in &findings.tools {
        let shown = [
            Some(&tool.name),
            tool.title.as_ref(),
            tool.description.as_ref(),
        ];
        for shown in shown.into_iter().flatten() {
            assert!(!shown.is_empty() && text::trim(shown) == shown);
            assert!(
                !shown
                    .chars()
                    .any(|c| text::is_control(c) || text::is_unsafe(c))
            );
        }
    }
});

/// Gives the answers one after the other, and the last for ever.
fn run(options: &Options, answers: &[&[u8]], chunk: usize) -> (Vec<Step>, Findings) {
    let target: Target = "https://mail.example.com/mcp"
        .parse()
        .expect("a server URL");
    let mut procedure = Procedure::new(&target, options);
    let mut steps = Vec::new();
    while let Some(message) = procedure.next() {
        let bytes = answers
            .get(steps.len())
            .or(answers.last())
            .expect("an answer");
        let answer = answer(bytes, message.id.unwrap_or_default(), chunk);
        steps.push(message.step);
        assert!(steps.len() < 32, "it does not end");
        procedure.answer(&answer, Duration::from_millis(1));
    }
    (steps, procedure.finish())
}

const STATUS: [u16; 16] = [
    200, 200, 200, 202, 307, 308, 301, 400, 401, 402, 403, 404, 405, 421, 429, 503,
];

fn answer(bytes: &[u8], id: u64, chunk: usize) -> Answer {
    let [frame, more, body @ ..] = bytes else {
        return [
            Answer::NoConnection,
            Answer::Late,
            Answer::Unreadable,
            Answer::Lost,
        ][bytes.first().map_or(0, |byte| usize::from(byte % 4))]
        .clone();
    };
    let status = StatusCode::from_u16(STATUS[usize::from(frame % 16)]).expect("a status");
    let mut headers = HeaderMap::new();
    for (bit, name, value) in [
        (1, "mcp-session-id", "session"),
        (2, "www-authenticate", "Bearer"),
        (4, "location", "/elsewhere"),
    ] {
        if more & bit != 0 {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    let end = match frame >> 4 {
        0 => End::Broken,
        1 => End::Late,
        _ => End::Complete,
    };
    let id_text = id.to_string();
    let body: Vec<u8> = body
        .iter()
        .flat_map(|byte| {
            if *byte == b'$' {
                id_text.as_bytes()
            } else {
                std::slice::from_ref(byte)
            }
        })
        .copied()
        .collect();
    let mut reader = Reader::new(status, &headers, more & 8 != 0, None, id);
    for chunk in body.chunks(chunk.min(body.len().max(1))) {
        if reader.push(chunk) {
            break;
        }
    }
    reader.finish(end)
}
