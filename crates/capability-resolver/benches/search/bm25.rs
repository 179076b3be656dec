//! Plain BM25, as a library has it that knows nothing of tools: bm25s 0.3 with its defaults (the variant of Lucene, k1 1.5,
//! b 0.75, its 33 English stop words, words of two characters or more) and Snowball stemming. A document is the name of
//! the tool, its name once more as it is cut at case and punctuation, and its description.

use std::collections::HashMap;

use capability_resolver::search::Document;
use rust_stemmers::{Algorithm, Stemmer};

const K1: f64 = 1.5;
const B: f64 = 0.75;
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
    "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with",
];

pub(crate) struct Bm25 {
    stemmer: Stemmer,
    documents: f64,
    /// For each word, the documents that have it, each with its worth there.
    lists: HashMap<String, Vec<(usize, f64)>>,
}

impl Bm25 {
    pub(crate) fn build(documents: &[Document]) -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        let texts: Vec<Vec<String>> = documents
            .iter()
            .map(|document| {
                let tool = &document.tools[0];
                let text = format!("{} {} {}", tool.name, cut(&tool.name), tool.description);
                words(&text, &stemmer)
            })
            .collect();
        let mean = texts.iter().map(Vec::len).sum::<usize>() as f64 / texts.len() as f64;
        let mut lists: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        for (place, text) in texts.iter().enumerate() {
            let mut counts: HashMap<&str, f64> = HashMap::new();
            for word in text {
                *counts.entry(word).or_default() += 1.0;
            }
            let length = 1.0 - B + B * text.len() as f64 / mean;
            for (word, count) in counts {
                let worth = count / (count + K1 * length);
                lists
                    .entry(word.to_owned())
                    .or_default()
                    .push((place, worth));
            }
        }
        Self {
            stemmer,
            documents: documents.len() as f64,
            lists,
        }
    }

    /// The documents that have a word of the need, best first; among equals the first.
    pub(crate) fn find(&self, need: &str) -> Vec<usize> {
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for word in words(need, &self.stemmer) {
            let list = self.lists.get(&word).map_or(&[][..], Vec::as_slice);
            let with = list.len() as f64;
            let rarity = (1.0 + (self.documents - with + 0.5) / (with + 0.5)).ln();
            for (place, worth) in list {
                *scores.entry(*place).or_default() += rarity * worth;
            }
        }
        let mut found: Vec<(usize, f64)> = scores.into_iter().collect();
        found.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        found.into_iter().map(|(place, _)| place).collect()
    }
}

fn words(text: &str, stemmer: &Stemmer) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.chars().count() > 1 && !STOP_WORDS.contains(word))
        .map(|word| stemmer.stem(word).into_owned())
        .collect()
}

fn cut(name: &str) -> String {
    let mut cut = String::new();
    let mut last = ' ';
    for c in name.chars() {
        if last.is_lowercase() && c.is_uppercase() {
            cut.push(' ');
        }
        cut.push(if c.is_alphanumeric() { c } else { ' ' });
        last = c;
    }
    cut
}
