//! Derives `src/search/associations.tsv` from a catalogue of servers:
//!
//! ```text
//! cargo run --release -p capability-resolver --example associations -- FIXTURES/mcp-corpus/servers.jsonl
//! ```
//!
//! A word is near another when both stand beside the same words. How much more often than by chance two words stand in
//! one text (positive pointwise mutual information) makes a row of numbers for each word; the rows are cut down to their
//! 200 strongest directions (a singular value decomposition, by orthogonal iteration), and words whose rows point the
//! same way are near. Only words and numbers are written, no text. The same catalogue gives the same file.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::as_conversions,
    reason = "a tool of the makers, run by hand"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use capability_resolver::search::stems;
use serde_json::Value;

/// A word that stands in fewer texts is not known well enough.
const TEXTS_MIN: usize = 4;
/// A word of fewer servers is not counted.
const SERVERS_MIN: usize = 3;
const DIRECTIONS: usize = 200;
const ROUNDS: usize = 12;
const NEAREST: usize = 8;
const NEARNESS_MIN: f64 = 0.35;

type Rows = Vec<Vec<(usize, f64)>>;

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let (texts, servers, count) = read(&fs::read_to_string(path).unwrap());
    let mut in_texts = BTreeMap::new();
    for text in &texts {
        for word in text.iter().collect::<BTreeSet<_>>() {
            *in_texts.entry(word.as_str()).or_insert(0_usize) += 1;
        }
    }
    let known = |word: &str| word.chars().count() > 2 && word.chars().all(char::is_alphabetic);
    let words: Vec<&str> = in_texts
        .iter()
        .filter(|(word, texts)| **texts >= TEXTS_MIN && known(word))
        .map(|(word, _)| *word)
        .collect();
    let vectors = directions(&information(&texts, &words));
    let near: BTreeMap<&str, String> = words
        .iter()
        .enumerate()
        .map(|(at, word)| (*word, nearest(at, &vectors, &words)))
        .collect();
    println!("*\t{count}\t");
    let all: BTreeSet<&str> = servers
        .keys()
        .map(String::as_str)
        .chain(near.keys().copied())
        .collect();
    for word in all {
        let servers = servers.get(word).copied().unwrap_or(0);
        let near = near.get(word).map_or("", String::as_str);
        if servers >= SERVERS_MIN || !near.is_empty() {
            println!("{word}\t{servers}\t{near}");
        }
    }
}

/// The texts, each once; in how many servers each word stands; how many servers there are.
fn read(catalogue: &str) -> (BTreeSet<Vec<String>>, BTreeMap<String, usize>, usize) {
    let (mut texts, mut servers, mut count) = (BTreeSet::new(), BTreeMap::new(), 0);
    for line in catalogue.lines() {
        let server: Value = serde_json::from_str(line).unwrap();
        let mut words = BTreeSet::new();
        for one in std::iter::once(&server).chain(server["tools"].as_array().into_iter().flatten())
        {
            let text = |member: &str| stems(one[member].as_str().unwrap_or_default());
            let text = [text("name"), text("description")].concat();
            words.extend(text.iter().cloned());
            texts.insert(text);
        }
        for word in words {
            *servers.entry(word).or_insert(0) += 1;
        }
        count += 1;
    }
    (texts, servers, count)
}

/// For each word, how much more often than by chance it stands beside others; only what is more.
fn information(texts: &BTreeSet<Vec<String>>, words: &[&str]) -> Rows {
    let size = words.len();
    let mut together = vec![0.0_f64; size * size];
    for text in texts {
        let mut counts = BTreeMap::new();
        for word in text {
            if let Ok(at) = words.binary_search(&word.as_str()) {
                *counts.entry(at).or_insert(0.0_f64) += 1.0;
            }
        }
        // A long text says less of each pair in it.
        let length: f64 = counts.values().sum::<f64>().max(3.0);
        for (a, in_a) in &counts {
            for (b, in_b) in &counts {
                together[a * size + b] += in_a * in_b / length;
            }
        }
    }
    let sums: Vec<f64> = together.chunks(size).map(|row| row.iter().sum()).collect();
    // Rare neighbours are made a little more usual, else they would mean most.
    let usual: Vec<f64> = sums.iter().map(|sum| sum.powf(0.75)).collect();
    let all: f64 = usual.iter().sum();
    let row = |a: usize| {
        let others = together[a * size..(a + 1) * size].iter().enumerate();
        let information = others
            .filter(|(b, _)| *b != a)
            .map(|(b, beside)| (b, (beside / sums[a] / (usual[b] / all)).ln()));
        information
            .filter(|(_, information)| *information > 0.0)
            .collect()
    };
    (0..size).map(row).collect()
}

/// The rows in their strongest directions, each of length 1.
fn directions(rows: &Rows) -> Vec<Vec<f64>> {
    let size = rows.len();
    let mut state = 1_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
    };
    // More directions than are kept, so that the last ones come out right too.
    let wide = DIRECTIONS + 20;
    let mut basis: Vec<Vec<f64>> = (0..size)
        .map(|_| (0..wide).map(|_| random()).collect())
        .collect();
    orthogonal(&mut basis);
    for _ in 0..ROUNDS {
        basis = times(rows, &transposed_times(rows, &basis));
        orthogonal(&mut basis);
    }
    let back = transposed_times(rows, &basis);
    let mut small = vec![vec![0.0; wide]; wide];
    for row in &back {
        for a in 0..wide {
            for b in 0..wide {
                small[a][b] += row[a] * row[b];
            }
        }
    }
    let (values, turned) = eigen(small);
    let mut order: Vec<usize> = (0..wide).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let vector = |row: &Vec<f64>| {
        // The fourth root of an eigenvalue is the square root of the singular value.
        let one = |at: &usize| {
            (0..wide).map(|k| row[k] * turned[k][*at]).sum::<f64>()
                * values[*at].max(0.0).powf(0.25)
        };
        let vector: Vec<f64> = order.iter().take(DIRECTIONS).map(one).collect();
        let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-12);
        vector.into_iter().map(|x| x / length).collect()
    };
    basis.iter().map(vector).collect()
}

fn times(rows: &Rows, columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let product = |row: &Vec<(usize, f64)>| {
        let mut sum = vec![0.0; columns[0].len()];
        for (at, value) in row {
            sum.iter_mut()
                .zip(&columns[*at])
                .for_each(|(sum, x)| *sum += value * x);
        }
        sum
    };
    rows.iter().map(product).collect()
}

fn transposed_times(rows: &Rows, columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut product = vec![vec![0.0; columns[0].len()]; rows.len()];
    for (row, column) in rows.iter().zip(columns) {
        for (at, value) in row {
            product[*at]
                .iter_mut()
                .zip(column)
                .for_each(|(sum, x)| *sum += value * x);
        }
    }
    product
}

/// Makes the columns orthogonal and of length 1 (Gram and Schmidt, modified).
fn orthogonal(rows: &mut [Vec<f64>]) {
    let wide = rows[0].len();
    for column in 0..wide {
        let length = rows
            .iter()
            .map(|row| row[column] * row[column])
            .sum::<f64>()
            .sqrt()
            .max(1e-12);
        rows.iter_mut().for_each(|row| row[column] /= length);
        let mut shares = vec![0.0; wide];
        for row in rows.iter() {
            let own = row[column];
            shares
                .iter_mut()
                .zip(row)
                .skip(column + 1)
                .for_each(|(share, x)| *share += own * x);
        }
        for row in rows.iter_mut() {
            let own = row[column];
            row.iter_mut()
                .zip(&shares)
                .skip(column + 1)
                .for_each(|(x, share)| *x -= own * share);
        }
    }
}

/// Eigenvalues and eigenvectors, in columns, of a symmetric matrix (Jacobi).
fn eigen(mut matrix: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = matrix.len();
    let mut vectors: Vec<Vec<f64>> = (0..size)
        .map(|a| (0..size).map(|b| f64::from(u8::from(a == b))).collect())
        .collect();
    for _ in 0..12 {
        for p in 0..size {
            for q in p + 1..size {
                if matrix[p][q].abs() < 1e-12 {
                    continue;
                }
                let angle = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
                let tangent = angle.signum() / (angle.abs() + angle.hypot(1.0));
                let tangent = if angle == 0.0 { 1.0 } else { tangent };
                let cosine = 1.0 / tangent.hypot(1.0);
                let sine = tangent * cosine;
                let turn = |row: &mut Vec<f64>| {
                    let (a, b) = (row[p], row[q]);
                    row[p] = cosine * a - sine * b;
                    row[q] = sine * a + cosine * b;
                };
                matrix.iter_mut().for_each(turn);
                let (first, second) = (matrix[p].clone(), matrix[q].clone());
                for (at, (a, b)) in first.iter().zip(&second).enumerate() {
                    matrix[p][at] = cosine * a - sine * b;
                    matrix[q][at] = sine * a + cosine * b;
                }
                vectors.iter_mut().for_each(turn);
            }
        }
    }
    ((0..size).map(|at| matrix[at][at]).collect(), vectors)
}

/// The nearest words, each with its nearness in hundredths.
fn nearest(at: usize, vectors: &[Vec<f64>], words: &[&str]) -> String {
    let nearness = |other: &Vec<f64>| {
        vectors[at]
            .iter()
            .zip(other)
            .map(|(a, b)| a * b)
            .sum::<f64>()
    };
    let mut near: Vec<(f64, &str)> = vectors
        .iter()
        .map(nearness)
        .zip(words.iter().copied())
        .collect();
    near.remove(at);
    near.sort_by(|(x, a), (y, b)| y.total_cmp(x).then(a.cmp(b)));
    let near = near
        .iter()
        .take(NEAREST)
        .filter(|(nearness, _)| *nearness >= NEARNESS_MIN);
    near.map(|(nearness, word)| format!("{word} {:.0}", nearness * 100.0))
        .collect::<Vec<_>>()
        .join(" ")
}
