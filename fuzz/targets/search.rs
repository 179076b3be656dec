//! A need and what servers say of themselves: whatever it is, at most ten are found, soon, the same ones each time, and what
//! the operator is told of each is what it was found by.
//!
//! The parts of the input end with a byte 0: the need, then one server each. The lines of a server are its name, its
//! description and its job, then names and descriptions of tools.
#![no_main]

use std::collections::HashSet;
use std::time::{Duration, Instant};

use capability_resolver::search::{Document, Hit, Index, ToolText};
use libfuzzer_sys::fuzz_target;

/// How many candidates an answer has at most (rule `resolve.answer.count`).
const LIMIT: usize = 10;

/// Hundreds of times what the longest input takes; it is a bound, and no measurement.
const TIME_MAX: Duration = Duration::from_secs(20);

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let mut parts = text.split('\0');
    let need = parts.next().unwrap_or_default();
    let documents: Vec<Document> = parts.enumerate().map(document).collect();
    let began = Instant::now();
    let index = Index::build(documents.clone());
    assert_eq!(index.len(), documents.len());
    let (hits, asked) = find(&index, need, LIMIT);
    assert!(hits.len() <= LIMIT && asked == hits.len());
    let mut seen = HashSet::new();
    for hit in &hits {
        let place = usize::try_from(hit.document).expect("a place");
        let tools = documents[place].tools.len();
        assert!(seen.insert(place) && hit.score.is_finite() && hit.score > 0.0);
        assert!(
            hit.tools
                .iter()
                .all(|tool| usize::try_from(*tool).is_ok_and(|tool| tool < tools))
        );
        let explained = index
            .explain(need, hit.document)
            .expect("why it was found");
        assert_eq!(explained.score, hit.score);
        assert_eq!(explained.tool, hit.tools.first().copied());
    }
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
    // The best are the first of all, and no server that makes a candidate is left out.
    let (all, _) = find(&index, need, documents.len());
    assert_eq!(hits[..], all[..all.len().min(LIMIT)]);
    let candidates = (0..documents.len())
        .filter(|place| u32::try_from(*place).is_ok_and(|at| index.explain(need, at).is_some()));
    assert_eq!(candidates.count(), all.len());
    assert_eq!(find(&Index::build(documents), need, LIMIT).0, hits);
    assert!(began.elapsed() < TIME_MAX, "{:?}", began.elapsed());
});

/// What is found, and of how many it was asked whether to keep them.
fn find(index: &Index, need: &str, limit: usize) -> (Vec<Hit>, usize) {
    let mut asked = 0;
    let hits = index.find(need, limit, &mut |_| {
        asked += 1;
        true
    });
    (hits, asked)
}

fn document((number, text): (usize, &str)) -> Document {
    let mut lines = text.split('\n').map(str::to_owned);
    let mut line = || lines.next().unwrap_or_default();
    let (name, description, job) = (line(), line(), line());
    let rest: Vec<String> = lines.collect();
    Document {
        key: format!("https://{number}.example/mcp"),
        name,
        description,
        jobs: vec![job],
        tools: rest
            .chunks(2)
            .map(|tool| ToolText {
                name: tool[0].clone(),
                description: tool.get(1).cloned().unwrap_or_default(),
            })
            .collect(),
    }
}
