//! Which vectors: where they come from, and which of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use conformance_vectors::{Operation, Suite, Vector};

use super::error::CliError;

/// Where the vectors come from.
#[derive(Debug, clap::Args)]
pub(super) struct Source {
    /// Read the vectors of this folder instead of the copy inside this program.
    #[arg(long, value_name = "DIR")]
    pub(super) vectors: Option<PathBuf>,
}

/// Which of them.
#[derive(Debug, clap::Args)]
pub(super) struct Only {
    /// Only the vector with this id, or those about this rule or the rules below it; may be given several times.
    #[arg(long, value_name = "RULE|ID")]
    pub(super) only: Vec<String>,
    /// Leave out the vectors of this operation, such as client for a program that asks no resolver; may be given several
    /// times.
    #[arg(long, value_name = "OPERATION", hide_possible_values = true,
        value_parser = PossibleValuesParser::new(Operation::ALL.map(Operation::name)))]
    pub(super) without: Vec<String>,
}

/// The vectors and where each stands.
pub(super) struct Vectors {
    pub(super) suite: Suite,
    /// The folder as it is named in messages.
    folder: String,
    /// Whether it was named on the command line.
    given: bool,
    places: BTreeMap<String, String>,
}

impl Source {
    pub(super) fn read(&self) -> Result<Vectors, CliError> {
        let suite = match &self.vectors {
            Some(folder) => Suite::read(folder)?,
            None => Suite::embedded()?,
        };
        let folder = match &self.vectors {
            Some(folder) => folder.display().to_string(),
            None => format!("test-vectors/{}", version(&suite)),
        };
        let mut places = BTreeMap::new();
        for file in suite.files() {
            for (at, vector) in file.tests.iter().enumerate() {
                let place = format!("{folder}/{}.json#/tests/{at}", file.kind);
                places.insert(vector.id.clone(), place);
            }
        }
        Ok(Vectors {
            suite,
            folder,
            given: self.vectors.is_some(),
            places,
        })
    }
}

impl Vectors {
    /// The version of the text that they judge by.
    pub(super) fn version(&self) -> &str {
        version(&self.suite)
    }

    /// The folder: as it was given, or as the repository has it.
    pub(super) fn folder(&self) -> &str {
        &self.folder
    }

    /// A command of this program on the same vectors, ready for a shell.
    pub(super) fn command<'w>(&'w self, words: impl IntoIterator<Item = &'w str>) -> String {
        let mut words: Vec<&str> = ["conformance-vectors"].into_iter().chain(words).collect();
        if self.given {
            words.splice(2..2, ["--vectors", &self.folder]);
        }
        // Only a word with a NUL byte cannot be quoted, and the system hands over none.
        shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
    }

    /// The file of a vector and the place inside of it, as a JSON pointer.
    pub(super) fn place(&self, id: &str) -> &str {
        self.places.get(id).map_or("", String::as_str)
    }

    /// The vectors that were asked for, in their order.
    pub(super) fn select(&self, only: &Only) -> Result<Vec<&Vector>, CliError> {
        for wanted in &only.only {
            if !self.suite.vectors().any(|vector| is_about(vector, wanted)) {
                return Err(CliError::NothingSelected {
                    only: wanted.clone(),
                    similar: self.similar(wanted),
                });
            }
        }
        let selected = |vector: &&Vector| {
            let is_left_out = |name: &String| vector.operation.name() == name;
            (only.only.is_empty() || only.only.iter().any(|wanted| is_about(vector, wanted)))
                && !only.without.iter().any(is_left_out)
        };
        Ok(self.suite.vectors().filter(selected).collect())
    }

    /// The vector with this id.
    pub(super) fn get(&self, id: &str) -> Result<&Vector, CliError> {
        self.suite.get(id).ok_or_else(|| CliError::UnknownId {
            id: id.to_owned(),
            similar: self.similar(id),
        })
    }

    /// The ids and rules that a mistyped one was meant to be, at most three.
    fn similar(&self, text: &str) -> Vec<String> {
        let names: BTreeSet<&String> = self
            .suite
            .vectors()
            .flat_map(|vector| vector.rules.iter().chain([&vector.id]))
            .collect();
        let mut scored: Vec<_> = names
            .into_iter()
            .map(|name| (strsim::jaro_winkler(text, name), name))
            .filter(|(score, _)| *score > 0.85)
            .collect();
        scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let best = scored.into_iter().take(3);
        best.map(|(_, name)| name.clone()).collect()
    }
}

/// Whether a vector has the id, or is about the rule or one below it.
fn is_about(vector: &Vector, wanted: &str) -> bool {
    vector.id == wanted
        || vector.rules.iter().any(|rule| {
            rule.strip_prefix(wanted)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
}

fn version(suite: &Suite) -> &str {
    suite.files().first().map_or("", |file| &file.version)
}
