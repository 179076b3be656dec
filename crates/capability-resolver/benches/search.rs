//! How well and how fast servers are found: `FIXTURES_DIR=... cargo bench -p capability-resolver --bench search`.
//!
//! Three tables:
//!
//! - quality over the labelled needs of `FIXTURES_DIR/retrieval`, each document a server with one tool: needs of 3 to 200
//!   characters, at most 1,000 of a set, evenly taken;
//! - how many of the needs in `data/unservable.jsonl`, which no server of `FIXTURES_DIR/mcp-corpus` serves, get no
//!   candidate there;
//! - speed over 45,000 servers with 200,000 tools: those of the corpus, and made ones whose texts are those of other tools of
//!   the corpus under other names. How many are which is printed.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::as_conversions,
    reason = "a bench is its own caller"
)]

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use capability_resolver::search::{Document, Index, ToolText};
use serde_json::Value;

const UNSERVABLE: &str = include_str!("data/unservable.jsonl");
const SERVERS: usize = 45_000;
const TOOLS: usize = 200_000;
const NEEDS_MAX: usize = 1_000;

fn main() {
    let Some(fixtures) = std::env::var_os("FIXTURES_DIR").map(PathBuf::from) else {
        println!("skipped: FIXTURES_DIR is not set");
        return;
    };
    let needs = quality(&fixtures.join("retrieval"));
    let corpus = corpus(&fixtures.join("mcp-corpus/servers.jsonl"));
    unservable(&corpus);
    speed(corpus, &needs);
}

/// A benchmark of labelled needs.
struct Set {
    ids: Vec<String>,
    documents: Vec<Document>,
    /// Each with what is right.
    needs: Vec<(String, HashSet<String>)>,
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn set(folder: &Path) -> Set {
    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let mut right: HashMap<String, HashSet<String>> = HashMap::new();
    for line in read("qrels.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[2]
            .parse::<u32>()
            .is_ok_and(|relevance| relevance > 0)
        {
            right
                .entry(fields[0].to_owned())
                .or_default()
                .insert(fields[1].to_owned());
        }
    }
    let documents = lines(&read("docs.jsonl"));
    let mut needs: Vec<(String, HashSet<String>)> = Vec::new();
    for line in lines(&read("queries.jsonl")) {
        let need = text(&line["text"]);
        if let Some(right) = right.get(&text(&line["id"]))
            && (3..=200).contains(&need.trim().chars().count())
        {
            needs.push((need, right.clone()));
        }
    }
    let step = needs.len().div_ceil(NEEDS_MAX).max(1);
    Set {
        ids: documents
            .iter()
            .map(|document| text(&document["id"]))
            .collect(),
        documents: documents
            .iter()
            .map(|document| Document {
                key: text(&document["id"]),
                tools: vec![tool(document)],
                ..Document::default()
            })
            .collect(),
        needs: needs.into_iter().step_by(step).collect(),
    }
}

fn tool(value: &Value) -> ToolText {
    let text = |member: &str| value[member].as_str().unwrap_or_default().to_owned();
    ToolText {
        name: text("name"),
        description: text("description"),
    }
}

/// Prints the table of quality, and gives out all needs.
fn quality(folder: &Path) -> Vec<String> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("queries.jsonl").is_file())
        .collect();
    folders.sort();
    println!(
        "{:24}{:>7}{:>7}{:>9}{:>7}{:>7}",
        "set", "docs", "needs", "nDCG@10", "R@10", "MRR"
    );
    let (mut all, mut means) = (Vec::new(), Vec::new());
    for folder in folders {
        let set = set(&folder);
        if set.needs.is_empty() {
            continue;
        }
        let index = Index::build(set.documents.iter().cloned());
        let mut sums = [0.0; 3];
        for (need, right) in &set.needs {
            let hits = index.find(need, 10, &mut |_| true);
            let found: Vec<bool> = hits
                .iter()
                .map(|hit| right.contains(&set.ids[hit.document as usize]))
                .collect();
            let discount = |place: usize| 1.0 / ((place + 2) as f64).log2();
            let gain: f64 = (0..found.len())
                .filter(|place| found[*place])
                .map(discount)
                .sum();
            sums[0] += gain / (0..right.len().min(10)).map(discount).sum::<f64>();
            sums[1] += found.iter().filter(|found| **found).count() as f64 / right.len() as f64;
            sums[2] += found
                .iter()
                .position(|found| *found)
                .map_or(0.0, |place| 1.0 / (place + 1) as f64);
        }
        let [ndcg, recall, mrr] = sums.map(|sum| sum / set.needs.len() as f64);
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        println!(
            "{name:24}{:7}{:7}{ndcg:9.3}{recall:7.3}{mrr:7.3}",
            set.ids.len(),
            set.needs.len()
        );
        means.push(ndcg);
        all.extend(set.needs.into_iter().map(|(need, _)| need));
    }
    println!(
        "mean nDCG@10 {:.4} over {} sets\n",
        means.iter().sum::<f64>() / means.len() as f64,
        means.len()
    );
    all
}

/// The servers of the corpus that have a name.
fn corpus(path: &Path) -> Vec<Document> {
    let server = |server: &Value| {
        let text = |member: &str| server[member].as_str().unwrap_or_default().to_owned();
        Document {
            key: text("id"),
            name: text("name"),
            description: text("description"),
            jobs: Vec::new(),
            tools: server["tools"]
                .as_array()
                .into_iter()
                .flatten()
                .map(tool)
                .collect(),
        }
    };
    lines(&fs::read_to_string(path).unwrap())
        .iter()
        .map(server)
        .collect()
}

fn unservable(corpus: &[Document]) {
    let index = Index::build(corpus.iter().cloned());
    let needs = lines(UNSERVABLE);
    let none = needs
        .iter()
        .filter(|line| {
            index
                .find(line["need"].as_str().unwrap(), 10, &mut |_| true)
                .is_empty()
        })
        .count();
    println!(
        "{none} of {} needs that nobody serves get no candidate among {} servers\n",
        needs.len(),
        corpus.len()
    );
}

fn speed(mut servers: Vec<Document>, needs: &[String]) {
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
    let needs: Vec<&String> = needs.iter().step_by(needs.len().div_ceil(2_000)).collect();
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
