//! What the known catalogues say of words: how usual each is, and which others stand for much the same.
//!
//! The table is derived from the texts of 20,519 servers by `examples/associations.rs`. It holds words and numbers alone.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A line a word, as its stem: in how many servers it stands, and the words near it, each with its nearness in hundredths.
/// The line of `*` says how many servers there are.
const TABLE: &str = include_str!("associations.tsv");

/// What is known of a word.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// In how many servers of the catalogues it stands.
    pub(super) servers: f32,
    near: &'static str,
}

impl Known {
    /// The words near it, the nearest first, with their nearness from 0 to 1.
    pub(super) fn near(self) -> impl Iterator<Item = (&'static str, f32)> {
        let mut fields = self.near.split_ascii_whitespace();
        std::iter::from_fn(move || {
            let (word, nearness) = (fields.next()?, fields.next()?);
            Some((word, nearness.parse::<f32>().ok()? / 100.0))
        })
    }
}

/// What is known of a word, by its stem.
pub(super) fn known(stem: &str) -> Known {
    table().get(stem).copied().unwrap_or_default()
}

/// How many servers the catalogues have.
pub(super) fn servers() -> f32 {
    known("*").servers
}

fn table() -> &'static HashMap<&'static str, Known> {
    static READ: OnceLock<HashMap<&'static str, Known>> = OnceLock::new();
    READ.get_or_init(|| {
        let lines = TABLE.lines().filter_map(|line| {
            let (word, rest) = line.split_once('\t')?;
            let (servers, near) = rest.split_once('\t')?;
            Some((
                word,
                Known {
                    servers: servers.parse().ok()?,
                    near,
                },
            ))
        });
        lines.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole_and_in_order() {
        let words: Vec<&str> = TABLE
            .lines()
            .map(|line| line.split('\t').next().unwrap())
            .collect();
        assert!(words.is_sorted_by(|a, b| a < b));
        assert_eq!(table().len(), words.len(), "a line could not be read");
        assert_eq!(servers(), 20_519.0);
        for (line, word) in TABLE.lines().zip(&words) {
            let near: Vec<(&str, f32)> = known(word).near().collect();
            let written = line
                .rsplit('\t')
                .next()
                .unwrap()
                .split_ascii_whitespace()
                .count();
            assert_eq!(near.len() * 2, written, "{line}");
            assert!(
                near.iter()
                    .all(|(other, nearness)| other != word && (0.3..=1.0).contains(nearness)),
                "{line}"
            );
        }
    }

    #[test]
    fn what_stands_for_the_same_is_near() {
        for (word, other) in [("weather", "forecast"), ("movi", "film"), ("email", "mail")] {
            assert!(known(word).near().any(|(near, _)| near == other), "{word}");
        }
        assert_eq!(known("zzz").near().count(), 0);
    }
}
