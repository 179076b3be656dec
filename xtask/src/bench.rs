//! What is measured, beside what, and what came of it.
//!
//! Machines are busy, and others only ever make a program slower. So everything is measured in rounds, one after the
//! other in each; what counts of a round is its fastest sample of a few milliseconds at most, a figure is the median over
//! the rounds, and a ratio the median of the rounds' ratios.

pub mod criterion;
pub mod figures;
pub mod machine;
pub mod peer;
pub mod report;
pub mod table;

use std::io;

use command_console::Explain;
use serde_json::Value;
use thiserror::Error;

use crate::repo::{Repo, RepoError};

/// One bench of a crate, and what is measured beside it.
#[derive(Debug)]
pub struct Bench {
    /// The crate.
    pub package: &'static str,
    /// The bench's name in the crate; every benchmark in it is measured.
    pub target: &'static str,
    /// The benchmark to which others are compared: those of its group, and the peers.
    pub ours: &'static str,
    /// What has to hold.
    pub aims: &'static [Aim],
    /// Programs that do the same.
    pub peers: &'static [Peer],
    /// What the peers are asked: the `input` of the operation `measure`, in which the bench's own input is.
    pub input: fn(&Repo) -> Result<Value, BenchError>,
    /// Whether a round takes minutes: then it is measured only where it is asked for by name, and in so many rounds at
    /// most.
    pub slow: Option<u32>,
    /// The variable of the environment without which it cannot be measured, and what it names.
    pub needs: Option<(&'static str, &'static str)>,
}

/// What has to hold of a benchmark.
#[derive(Debug)]
pub struct Aim {
    /// The benchmark, as criterion names it: group and function.
    pub of: &'static str,
    /// The limit.
    pub limit: Limit,
    /// Why it is known to be missed: then it is told, and fails nothing.
    pub known_miss: Option<&'static str>,
}

/// A limit that does not depend on the machine too much.
#[derive(Debug)]
pub enum Limit {
    /// At most so many times another benchmark.
    Ratio {
        /// The other benchmark.
        to: &'static str,
        /// The limit.
        most: f64,
    },
    /// So many nanoseconds for 1,024 bytes of input at most.
    PerKib(f64),
    /// So many times in a minute at least.
    PerMinute(f64),
    /// So many milliseconds at most.
    Milliseconds(f64),
    /// So many MiB of memory at most beyond what another benchmark takes.
    Memory {
        /// The other benchmark.
        to: &'static str,
        /// The limit.
        most: f64,
    },
    /// At least so much of a figure other than time.
    Figure {
        /// As the benchmark calls it.
        figure: &'static str,
        /// The limit.
        least: f64,
    },
    /// More of a figure other than time than another benchmark has.
    Above {
        /// As the benchmarks call it.
        figure: &'static str,
        /// The other benchmark.
        than: &'static str,
    },
}

/// A program that speaks the line protocol of the vectors, and besides answers the operation `measure`: it reads the
/// same `input` with the member `milliseconds`, does the work for that long, and answers with the member `nanoseconds`,
/// the time of doing it once in the fastest of many samples.
#[derive(Debug)]
pub struct Peer {
    /// As it is shown, with what is not the same about it.
    pub name: &'static str,
    /// The program and its arguments, run in the repository's root.
    pub command: &'static [&'static str],
    /// What is there, below the root, if it is installed.
    pub installed: &'static str,
    /// How to install it.
    pub install: &'static str,
}

/// Why a bench has no figures.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// A file could not be read.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// A file is not the JSON that is expected.
    #[error("{path} is not what is expected: {detail}")]
    Json {
        /// The file.
        path: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A program cannot be started, or broke off.
    #[error("cannot run `{line}`")]
    Run {
        /// The command line.
        line: String,
        /// What the system said.
        source: io::Error,
    },
    /// A bench failed.
    #[error("`{line}` failed: {output}")]
    Failed {
        /// The command line.
        line: String,
        /// What it printed.
        output: String,
    },
    /// A benchmark that the table names was not measured.
    #[error("the bench {target} has no benchmark {id}")]
    Unknown {
        /// The bench.
        target: &'static str,
        /// The benchmark.
        id: &'static str,
    },
}

impl Explain for BenchError {
    fn code(&self) -> &'static str {
        match self {
            Self::Repo(error) => error.code(),
            Self::Json { .. } => "bench-json",
            Self::Run { .. } => "bench-run",
            Self::Failed { .. } => "bench-failed",
            Self::Unknown { .. } => "bench-unknown",
        }
    }
}

/// The middle of the values, or the mean of the two in the middle; NaN if there is none.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        _ if sorted.is_empty() => f64::NAN,
        1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// The median of the ratios of two series that were measured round by round.
#[must_use]
pub fn ratio(of: &[f64], to: &[f64]) -> f64 {
    let ratios: Vec<f64> = of.iter().zip(to).map(|(of, to)| of / to).collect();
    median(&ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn a_ratio_is_taken_round_by_round() {
        // The second round ran on a machine half as fast.
        assert_eq!(ratio(&[10.0, 20.0, 10.0], &[5.0, 10.0, 5.0]), 2.0);
    }
}
