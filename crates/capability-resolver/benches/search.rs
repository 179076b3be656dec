//! How well and how fast servers are found: `FIXTURES_DIR=... cargo bench -p capability-resolver --bench search`.
//!
//! - Quality over the labelled needs of `FIXTURES_DIR/retrieval`, beside plain BM25 ([`bm25`]): each document is a server
//!   with one tool; needs of 3 to 200 characters, at most 1,000 of a set, evenly taken.
//! - The same with numbers that were chosen without the set ([`held_out`]); in some minutes, and only with `--held-out` or for
//!   `cargo xtask bench`.
//! - How many needs that no server of `FIXTURES_DIR/mcp-corpus` serves get no candidate there: those by which the threshold
//!   was chosen (`data/unservable.jsonl`), and others, written before any search had seen them
//!   (`data/unservable-held-out.jsonl`). Each was compared with what plain BM25 finds for it, and struck if a server does it
//!   after all; a model, a browser or a search engine that can talk of anything does not do it. And what it costs: how many
//!   labelled needs get none either, over the documents of the corpus and of all sets together.
//! - Speed over 45,000 servers with 200,000 tools: those of the corpus, and made ones whose texts are those of other tools of
//!   the corpus under other names. How many are which is printed.
//!
//! Where `CRITERION_HOME` is set, the figures are written there in the form of criterion's files, for `cargo xtask bench`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::as_conversions,
    reason = "a bench is its own caller"
)]

#[path = "search/bm25.rs"]
mod bm25;
#[path = "search/held_out.rs"]
mod held_out;
#[path = "search/sets.rs"]
mod sets;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bm25::Bm25;
use capability_resolver::search::{Document, Index, Settings, ToolText};
use serde_json::json;
use sets::{Scores, Set};

const UNSERVABLE: &str = include_str!("data/unservable.jsonl");
const UNSERVABLE_HELD_OUT: &str = include_str!("data/unservable-held-out.jsonl");
const SERVERS: usize = 45_000;
const TOOLS: usize = 200_000;
/// How many needs of a set are asked of everything together.
const TOGETHER_NEEDS: usize = 100;

fn main() {
    let Some(fixtures) = std::env::var_os("FIXTURES_DIR").map(PathBuf::from) else {
        println!("skipped: FIXTURES_DIR is not set");
        return;
    };
    let home = std::env::var_os("CRITERION_HOME").map(PathBuf::from);
    let held_out = home.is_some() || std::env::args().any(|argument| argument == "--held-out");
    let out = Out { home };
    let sets = sets::sets(&fixtures.join("retrieval"));
    quality(&sets, held_out, &out);
    let corpus = sets::catalogue(&fixtures.join("mcp-corpus/servers.jsonl"));
    unservable(&corpus, &sets, &out);
    speed(corpus, &sets, &out);
}

/// Where figures are written.
struct Out {
    home: Option<PathBuf>,
}

impl Out {
    /// As criterion writes what it measured, and figures beside it; `time` is that of one need.
    fn write(&self, id: &str, time: Duration, figures: &[(&str, f64)]) {
        let Some(home) = &self.home else {
            return;
        };
        let folder = home.join(id).join("new");
        fs::create_dir_all(&folder).unwrap();
        let figures: BTreeMap<&str, f64> = figures.iter().copied().collect();
        let benchmark = json!({"full_id": id, "throughput": null, "figures": figures});
        let sample = json!({"iters": [1.0], "times": [time.as_secs_f64() * 1e9]});
        for (name, value) in [("benchmark.json", benchmark), ("sample.json", sample)] {
            fs::write(folder.join(name), value.to_string()).unwrap();
        }
    }

    fn scores(&self, id: &str, time: Duration, scores: Scores) {
        let figures = [
            ("nDCG@10", scores.ndcg),
            ("recall@10", scores.recall),
            ("MRR", scores.mrr),
        ];
        self.write(id, time, &figures);
    }
}

/// The scores of a set, and how long a need took.
fn timed(set: &Set, ask: impl Fn() -> Scores) -> (Scores, Duration) {
    let began = Instant::now();
    let scores = ask();
    (scores, per(began.elapsed(), set.needs.len()))
}

fn per(time: Duration, many: usize) -> Duration {
    time / u32::try_from(many).unwrap().max(1)
}

fn quality(sets: &[Set], held_out: bool, out: &Out) {
    println!(
        "{:22}{:>6}{:>6}   {:>7}{:>7}{:>7}   {:>7}{:>7}{:>7}   no threshold",
        "ours, then BM25", "docs", "needs", "nDCG@10", "R@10", "MRR", "nDCG@10", "R@10", "MRR"
    );
    let mut all: [Vec<(Scores, Duration)>; 3] = Default::default();
    for set in sets {
        let mut index = Index::build(set.documents.iter().cloned());
        let ours = timed(set, || held_out::ask(set, &index));
        let bm25 = Bm25::build(&set.documents);
        let plain = timed(set, || set.ask(&mut |need| bm25.find(need)));
        let without = Settings {
            chance: 0.0,
            ..Settings::DEFAULT
        };
        index.renumber(without);
        let without = timed(set, || held_out::ask(set, &index));
        println!(
            "{:22}{:6}{:6}   {}   {}   {:12.3}",
            set.name,
            set.documents.len(),
            set.needs.len(),
            row(ours.0),
            row(plain.0),
            without.0.ndcg
        );
        out.scores(&format!("{}/ours", set.name), ours.1, ours.0);
        out.scores(&format!("{}/BM25", set.name), plain.1, plain.0);
        let id = format!("{}/ours without a threshold", set.name);
        out.scores(&id, without.1, without.0);
        for (all, one) in all.iter_mut().zip([ours, plain, without]) {
            all.push(one);
        }
    }
    let names = ["ours", "BM25", "ours without a threshold"];
    for (name, all) in names.iter().zip(&all) {
        let scores: Vec<Scores> = all.iter().map(|(scores, _)| *scores).collect();
        let time: Duration = all.iter().map(|(_, time)| *time).sum();
        mean(name, &scores, per(time, all.len()), out);
    }
    if held_out {
        let began = Instant::now();
        let found = held_out::measure(sets);
        mean(
            "ours, numbers chosen without the set",
            &found.scores,
            began.elapsed(),
            out,
        );
        for (set, scores) in sets.iter().zip(&found.scores) {
            println!("  {:20}{:>12}   {}", set.name, "", row(*scores));
        }
        for (number, values) in found.chosen {
            let values: Vec<String> = values
                .iter()
                .map(|(value, times)| format!("{value} {times} times"))
                .collect();
            println!("  {number}: {}", values.join(", "));
        }
    }
    println!();
}

fn mean(name: &str, scores: &[Scores], time: Duration, out: &Out) {
    let mean = Scores::mean(scores);
    println!(
        "mean over {} sets: nDCG@10 {:.4}, recall@10 {:.4}, MRR {:.4}: {name}",
        scores.len(),
        mean.ndcg,
        mean.recall,
        mean.mrr
    );
    out.scores(&format!("mean/{name}"), time, mean);
}

fn row(scores: Scores) -> String {
    let Scores { ndcg, recall, mrr } = scores;
    format!("{ndcg:7.3}{recall:7.3}{mrr:7.3}")
}

fn unservable(corpus: &[Document], sets: &[Set], out: &Out) {
    let is_empty = |index: &Index, need: &str| index.find(need, 1, &mut |_| true).is_empty();
    let files = [("chosen by", UNSERVABLE), ("held out", UNSERVABLE_HELD_OUT)];
    // The threshold was chosen on the whole corpus; a company's own list is much shorter.
    for (every, suffix) in [(1, ""), (16, ", every sixteenth server")] {
        let index = Index::build(corpus.iter().step_by(every).cloned());
        for (name, needs) in files {
            let needs = sets::lines(needs);
            // Of each kind: how many get no candidate, of how many.
            let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
            let began = Instant::now();
            for line in &needs {
                let kind = kinds.entry(line["kind"].as_str().unwrap()).or_default();
                kind.0 += usize::from(is_empty(&index, line["need"].as_str().unwrap()));
                kind.1 += 1;
            }
            let time = per(began.elapsed(), needs.len());
            let empty: usize = kinds.values().map(|(empty, _)| empty).sum();
            let kinds: Vec<String> = kinds
                .iter()
                .map(|(kind, (empty, all))| format!("{kind} {empty} of {all}"))
                .collect();
            println!(
                "{empty} of {} needs that nobody serves ({name}) get no candidate among {} servers: {}",
                needs.len(),
                index.len(),
                kinds.join(", ")
            );
            let share = empty as f64 / needs.len() as f64;
            out.write(
                &format!("unservable/{name}{suffix}"),
                time,
                &[("empty", share)],
            );
        }
    }
    let together = sets.iter().flat_map(|set| set.documents.iter().cloned());
    let index = Index::build(corpus.iter().cloned().chain(together));
    let began = Instant::now();
    let (mut all, mut empty) = (0, 0);
    for set in sets {
        for (need, _) in &set.sample(TOGETHER_NEEDS).needs {
            all += 1;
            empty += usize::from(is_empty(&index, need));
        }
    }
    let share = empty as f64 / all as f64;
    let time = per(began.elapsed(), all);
    out.write("unservable/labelled needs", time, &[("empty", share)]);
    println!(
        "{empty} of {all} labelled needs get no candidate among {} servers\n",
        index.len()
    );
}

fn speed(mut servers: Vec<Document>, sets: &[Set], out: &Out) {
    let real: Vec<ToolText> = servers
        .iter()
        .flat_map(|server| server.tools.iter().cloned())
        .collect();
    let real_servers = servers.len();
    let missing = TOOLS - real.len();
    let made_servers = SERVERS - real_servers;
    // Each made tool has the name of one real tool and the description of another, so that words stay as usual as they are.
    let mut made = (0..missing).map(|n| ToolText {
        name: real[n * 31 % real.len()].name.clone(),
        description: real[n * 17 % real.len()].description.clone(),
    });
    for n in 0..made_servers {
        servers.push(Document {
            key: format!("made {n}"),
            name: servers[n % real_servers].name.clone(),
            description: servers[n * 7 % real_servers].description.clone(),
            jobs: Vec::new(),
            tools: made.by_ref().take(missing.div_ceil(made_servers)).collect(),
        });
    }
    println!(
        "{} servers, {real_servers} real and {made_servers} made; {TOOLS} tools, {} real and {missing} made",
        servers.len(),
        real.len()
    );
    let before = resident_mebibytes();
    let began = Instant::now();
    let index = Index::build(servers);
    println!("built in {:.2} s", began.elapsed().as_secs_f64());
    if let (Some(before), Some(after)) = (before, resident_mebibytes()) {
        println!("resident memory {after} MiB, {before} MiB of it before, with the texts");
    }
    // Evenly out of all sets.
    let needs: Vec<&String> = sets
        .iter()
        .flat_map(|set| set.needs.iter().map(|(need, _)| need))
        .collect();
    let step = needs.len().div_ceil(2_000);
    let needs: Vec<&String> = needs.into_iter().step_by(step).collect();
    let mut times: Vec<Duration> = Vec::new();
    for need in &needs {
        let began = Instant::now();
        let hits = index.find(need, 10, &mut |_| true);
        times.push(began.elapsed());
        std::hint::black_box(hits);
    }
    times.sort();
    let milliseconds =
        |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{} needs, one after the other: p50 {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        times.len(),
        milliseconds(0.5),
        milliseconds(0.99),
        milliseconds(1.0)
    );
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
        let time = Duration::from_secs_f64(milliseconds(share) / 1e3);
        out.write(&format!("200000 tools/{name}"), time, &[]);
    }
}

fn resident_mebibytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_ascii_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kibibytes| kibibytes / 1024)
}
