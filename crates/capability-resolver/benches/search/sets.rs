//! Labelled needs, and how well an answer to one is.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use capability_resolver::search::{Document, ToolText};
use serde_json::Value;

/// The needs of a set that are asked, evenly taken.
const NEEDS_MAX: usize = 1_000;

/// A benchmark of labelled needs.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) documents: Vec<Document>,
    /// Each with the keys of the documents that are right.
    pub(crate) needs: Vec<(String, HashSet<String>)>,
}

/// nDCG@10, recall@10 and MRR: each from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Scores {
    pub(crate) ndcg: f64,
    pub(crate) recall: f64,
    pub(crate) mrr: f64,
}

impl Scores {
    /// The mean of some.
    pub(crate) fn mean(of: &[Self]) -> Self {
        let mean = |one: fn(&Self) -> f64| of.iter().map(one).sum::<f64>() / of.len().max(1) as f64;
        Self {
            ndcg: mean(|scores| scores.ndcg),
            recall: mean(|scores| scores.recall),
            mrr: mean(|scores| scores.mrr),
        }
    }

    /// Of one answer: at most ten documents, best first.
    fn of(found: &[&str], right: &HashSet<String>) -> Self {
        let discount = |place: usize| 1.0 / ((place + 2) as f64).log2();
        let hits: Vec<usize> = (0..found.len())
            .filter(|place| right.contains(found[*place]))
            .collect();
        let gain: f64 = hits.iter().copied().map(discount).sum();
        Self {
            ndcg: gain / (0..right.len().min(10)).map(discount).sum::<f64>(),
            recall: hits.len() as f64 / right.len() as f64,
            mrr: hits.first().map_or(0.0, |place| 1.0 / (place + 1) as f64),
        }
    }
}

impl Set {
    /// Asks every need of `answer`, which gives out places of documents, best first.
    pub(crate) fn ask(&self, answer: &mut dyn FnMut(&str) -> Vec<usize>) -> Scores {
        let scores: Vec<Scores> = self
            .needs
            .iter()
            .map(|(need, right)| {
                let found = answer(need);
                let keys: Vec<&str> = found
                    .iter()
                    .take(10)
                    .map(|place| self.documents[*place].key.as_str())
                    .collect();
                Scores::of(&keys, right)
            })
            .collect();
        Scores::mean(&scores)
    }

    /// The same set with fewer needs, evenly taken.
    pub(crate) fn sample(&self, most: usize) -> Self {
        Self {
            name: self.name.clone(),
            documents: self.documents.clone(),
            needs: evenly(&self.needs, most),
        }
    }

    /// Sets of one family share documents or needs: they have the first part of the name in common.
    pub(crate) fn family(&self) -> &str {
        self.name.split('-').next().unwrap()
    }
}

fn evenly<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    let step = all.len().div_ceil(most).max(1);
    all.iter().step_by(step).cloned().collect()
}

/// The sets of a folder that have needs of 3 to 200 characters, by name.
pub(crate) fn sets(folder: &Path) -> Vec<Set> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("queries.jsonl").is_file())
        .collect();
    folders.sort();
    folders
        .iter()
        .map(|folder| set(folder))
        .filter(|set| !set.needs.is_empty())
        .collect()
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
    let need = |line: &Value| {
        let need = text(&line["text"]);
        let right = right.get(&text(&line["id"]))?;
        (3..=200)
            .contains(&need.trim().chars().count())
            .then(|| (need, right.clone()))
    };
    let needs: Vec<_> = lines(&read("queries.jsonl"))
        .iter()
        .filter_map(need)
        .collect();
    Set {
        name: folder.file_name().unwrap().to_string_lossy().into_owned(),
        documents: lines(&read("docs.jsonl"))
            .iter()
            .map(|document| Document {
                key: text(&document["id"]),
                tools: vec![tool(document)],
                ..Document::default()
            })
            .collect(),
        needs: evenly(&needs, NEEDS_MAX),
    }
}

/// The servers of a catalogue.
pub(crate) fn catalogue(path: &Path) -> Vec<Document> {
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

/// The values of a file of JSON lines.
pub(crate) fn lines(text: &str) -> Vec<Value> {
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

fn tool(value: &Value) -> ToolText {
    let text = |member: &str| value[member].as_str().unwrap_or_default().to_owned();
    ToolText {
        name: text("name"),
        description: text("description"),
    }
}
