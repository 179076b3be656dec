//! The benches of the crates: criterion runs them, and its files are read. A bench that does without criterion writes the
//! same files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Deserialize;

use super::{Bench, BenchError};
use crate::repo::{self, Repo};

/// What one round showed of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Time of one iteration, in the fastest of criterion's samples.
    pub nanoseconds: f64,
    /// How many bytes of input one iteration takes, where the benchmark says so.
    pub bytes: Option<u32>,
    /// The most memory that the process held, where the benchmark says so. Criterion never does.
    pub mebibytes: Option<f64>,
    /// What the benchmark measured besides, by name, such as how good an answer is.
    pub figures: BTreeMap<String, f64>,
}

/// Compiles a bench, so that no round waits for it.
///
/// # Errors
/// If cargo cannot be run or the bench does not compile.
pub fn compile(repo: &Repo, bench: &Bench) -> Result<(), BenchError> {
    cargo(repo, bench, &["--no-run"], Path::new("")).map(|_| ())
}

/// Runs a bench once, each benchmark in it for the given time, and gives out the benchmarks by name.
///
/// # Errors
/// If cargo cannot be run, the bench fails, or what it wrote cannot be read.
pub fn round(
    repo: &Repo,
    bench: &Bench,
    time: Duration,
) -> Result<BTreeMap<String, Measured>, BenchError> {
    let home = tempfile::tempdir().map_err(|source| BenchError::Run {
        line: bench.target.to_owned(),
        source,
    })?;
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let (warm_up, measure) = (seconds(time / 4), seconds(time));
    // Few resamples: criterion's own estimates are not read.
    let options = [
        "--",
        "--warm-up-time",
        &warm_up,
        "--measurement-time",
        &measure,
        "--nresamples",
        "1000",
    ];
    cargo(repo, bench, &options, home.path())?;
    let mut found = BTreeMap::new();
    for group in repo::list(home.path())? {
        for function in repo::list(&group)? {
            let report = function.join("new");
            if report.is_dir() {
                let (id, measured) = read(&report)?;
                found.insert(id, measured);
            }
        }
    }
    Ok(found)
}

fn cargo(repo: &Repo, bench: &Bench, options: &[&str], home: &Path) -> Result<(), BenchError> {
    let words = ["bench", "-q", "-p", bench.package, "--bench", bench.target];
    let mut command = Command::new("cargo");
    command
        .args(words)
        .args(options)
        .current_dir(repo.root())
        .stdin(Stdio::null())
        .env("CRITERION_HOME", home);
    let line = || format!("cargo {}", words.join(" "));
    let done = command.output().map_err(|source| BenchError::Run {
        line: line(),
        source,
    })?;
    if done.status.success() {
        return Ok(());
    }
    Err(BenchError::Failed {
        line: line(),
        output: String::from_utf8_lossy(&done.stderr).trim().to_owned(),
    })
}

#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
    throughput: Option<Throughput>,
    mebibytes: Option<f64>,
    #[serde(default)]
    figures: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct Throughput {
    #[serde(rename = "Bytes")]
    bytes: Option<u32>,
}

/// Iterations and nanoseconds of each sample.
#[derive(Deserialize)]
struct Samples {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Reads what criterion wrote of one benchmark.
fn read(report: &Path) -> Result<(String, Measured), BenchError> {
    let benchmark: Benchmark = json(report.join("benchmark.json"))?;
    let samples: Samples = json(report.join("sample.json"))?;
    let times = samples.times.iter().zip(&samples.iters);
    let measured = Measured {
        nanoseconds: times
            .map(|(time, iters)| time / iters)
            .fold(f64::INFINITY, f64::min),
        bytes: benchmark.throughput.and_then(|throughput| throughput.bytes),
        mebibytes: benchmark.mebibytes,
        figures: benchmark.figures,
    };
    Ok((benchmark.full_id, measured))
}

fn json<T: for<'de> Deserialize<'de>>(path: PathBuf) -> Result<T, BenchError> {
    serde_json::from_slice(&repo::read(&path)?).map_err(|error| BenchError::Json {
        path: path.display().to_string(),
        detail: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_criterion_are_understood() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(directory.path().join(name), text).unwrap();
        };
        write(
            "benchmark.json",
            r#"{"group_id":"garbage","function_id":"random bytes","value_str":null,
                "throughput":{"Bytes":1024},"full_id":"garbage/random bytes"}"#,
        );
        write(
            "sample.json",
            r#"{"sampling_mode":"Linear","iters":[2.0,4.0,6.0],"times":[19.0,30.0,60.0]}"#,
        );
        let expected = Measured {
            nanoseconds: 7.5,
            bytes: Some(1024),
            mebibytes: None,
            figures: BTreeMap::new(),
        };
        assert_eq!(
            read(directory.path()).unwrap(),
            ("garbage/random bytes".to_owned(), expected)
        );
        write("sample.json", "{}");
        let error = read(directory.path()).unwrap_err().to_string();
        assert!(error.contains("missing field `iters`"), "{error}");
    }
}
