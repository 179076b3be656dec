//! What came of the benches: docs/schema/bench.schema.json, and the same for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use command_console::Outcome;
use serde::Serialize;

use super::criterion::Measured;
use super::machine::Machine;
use super::{Aim, Bench, BenchError, Limit, median, ratio};

/// What came of all benches.
#[derive(Debug, Serialize)]
pub struct Report {
    /// On what.
    pub machine: Machine,
    /// How often everything was measured.
    pub rounds: u32,
    /// How long each time.
    pub milliseconds: u64,
    /// Each bench.
    pub benches: Vec<BenchReport>,
}

/// What came of one bench.
#[derive(Debug, Serialize)]
pub struct BenchReport {
    /// The crate.
    pub package: &'static str,
    /// The bench's name in it.
    pub target: &'static str,
    /// What was measured: our own first, then what is like it, then the rest.
    pub measurements: Vec<Measurement>,
    /// The peers that were not, and why.
    pub left_out: Vec<LeftOut>,
}

/// A figure.
#[derive(Debug, Serialize)]
pub struct Measurement {
    /// The benchmark, or the peer.
    pub name: String,
    /// Whether it is another program.
    pub peer: bool,
    /// Median over the rounds.
    pub nanoseconds: f64,
    /// How many times our own it takes: the median of the rounds' ratios.
    pub ratio: Option<f64>,
    /// The same for 1,024 bytes of input, where that says something.
    pub nanoseconds_per_kib: Option<f64>,
    /// The most memory that it held, where that says something: the median over the rounds.
    pub mebibytes: Option<f64>,
    /// What else was measured, by name: of the last round.
    pub figures: BTreeMap<String, f64>,
    /// What has to hold of it.
    pub aims: Vec<AimReport>,
}

impl BenchReport {
    /// Of a bench that cannot be measured here.
    #[must_use]
    pub fn left_out(bench: &'static Bench, reason: String) -> Self {
        Self {
            package: bench.package,
            target: bench.target,
            measurements: Vec::new(),
            left_out: vec![LeftOut {
                name: bench.target,
                reason,
            }],
        }
    }
}

/// Whether an aim is reached.
#[derive(Debug, Serialize)]
pub struct AimReport {
    /// The aim.
    pub limit: String,
    /// What was measured, in the aim's unit.
    pub found: f64,
    /// Whether it is reached.
    pub reached: bool,
    /// Why it is known not to be.
    pub known_miss: Option<&'static str>,
}

/// A peer that was not measured.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    /// The peer.
    pub name: &'static str,
    /// Why, and what to do.
    pub reason: String,
}

/// What was measured of a bench, round by round.
#[derive(Debug, Default)]
pub struct Series {
    /// The crate's benchmarks.
    own: BTreeMap<String, Own>,
    /// The peers: nanoseconds of each round, or why they are left out.
    peers: Vec<(&'static str, Result<Vec<f64>, String>)>,
}

/// What was measured of a benchmark.
#[derive(Debug, Default)]
struct Own {
    bytes: Option<u32>,
    /// Of each round.
    nanoseconds: Vec<f64>,
    mebibytes: Vec<f64>,
    /// Of the last round.
    figures: BTreeMap<String, f64>,
}

impl Own {
    /// The memory, where it was measured.
    fn memory(&self) -> Option<f64> {
        Some(median(&self.mebibytes)).filter(|mebibytes| !mebibytes.is_nan())
    }

    /// A figure; not a number where it was not measured.
    fn figure(&self, name: &str) -> f64 {
        self.figures.get(name).copied().unwrap_or(f64::NAN)
    }
}

impl Series {
    /// Adds a round of the crate's own benchmarks.
    pub fn add_own(&mut self, round: BTreeMap<String, Measured>) {
        for (id, measured) in round {
            let own = self.own.entry(id).or_default();
            own.bytes = measured.bytes;
            own.nanoseconds.push(measured.nanoseconds);
            own.mebibytes.extend(measured.mebibytes);
            own.figures = measured.figures;
        }
    }

    /// Adds a round of a peer, or that there is none; then the peer is left out.
    pub fn add_peer(&mut self, name: &'static str, measured: Result<f64, String>) {
        let at = self.peers.iter().position(|(known, _)| *known == name);
        match (at, measured) {
            (None, measured) => self.peers.push((name, measured.map(|value| vec![value]))),
            (Some(at), Ok(value)) => {
                if let Ok(values) = &mut self.peers[at].1 {
                    values.push(value);
                }
            }
            (Some(at), Err(reason)) => self.peers[at].1 = Err(reason),
        }
    }

    /// What the rounds show together.
    ///
    /// # Errors
    /// [`BenchError::Unknown`] if something that the table names was not measured.
    pub fn report(self, bench: &'static Bench) -> Result<BenchReport, BenchError> {
        let own = |id: &'static str| {
            self.own.get(id).ok_or(BenchError::Unknown {
                target: bench.target,
                id,
            })
        };
        let ours = &own(bench.ours)?.nanoseconds;
        let mut aims: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for aim in bench.aims {
            let of = own(aim.of)?;
            let nanoseconds = &of.nanoseconds;
            let report = match &aim.limit {
                Limit::Ratio { to, most } => {
                    let limit = format!("at most {most} times {to}");
                    let found = ratio(nanoseconds, &own(to)?.nanoseconds);
                    reached(aim, limit, found, found <= *most)
                }
                Limit::PerKib(most) => {
                    let found = of
                        .bytes
                        .map_or(f64::NAN, |bytes| per_kib(median(nanoseconds), bytes));
                    let limit = format!("at most {} \u{b5}s/KiB", most / 1e3);
                    reached(aim, limit, found / 1e3, found <= *most)
                }
                Limit::PerMinute(least) => {
                    let found = 60e9 / median(nanoseconds);
                    let limit = format!("at least {least} a minute");
                    reached(aim, limit, found, found >= *least)
                }
                Limit::Milliseconds(most) => {
                    let found = median(nanoseconds) / 1e6;
                    let limit = format!("at most {most} ms");
                    reached(aim, limit, found, found <= *most)
                }
                Limit::Memory { to, most } => {
                    let (of, to_memory) = (of.memory(), own(to)?.memory());
                    let found = of.zip(to_memory).map_or(f64::NAN, |(of, to)| of - to);
                    let limit = format!("at most {most} MiB more than {to}");
                    reached(aim, limit, found, found <= *most)
                }
                Limit::Figure { figure, least } => {
                    let found = of.figure(figure);
                    let limit = format!("{figure} at least {least}");
                    reached(aim, limit, found, found >= *least)
                }
                Limit::Above { figure, than } => {
                    let (found, other) = (of.figure(figure), own(than)?.figure(figure));
                    let limit = format!("{figure} above {than} with {other:.4}");
                    reached(aim, limit, found, found > other)
                }
            };
            aims.entry(aim.of).or_default().push(report);
        }
        let group = |id: &str| id.split_once('/').map(|(group, _)| group.to_owned());
        let of_own = |(id, own): (&String, &Own)| Measurement {
            name: id.clone(),
            peer: false,
            nanoseconds: median(&own.nanoseconds),
            ratio: (id != bench.ours && group(id) == group(bench.ours))
                .then(|| ratio(&own.nanoseconds, ours)),
            nanoseconds_per_kib: own
                .bytes
                .map(|bytes| per_kib(median(&own.nanoseconds), bytes)),
            mebibytes: own.memory(),
            figures: own.figures.clone(),
            aims: Vec::new(),
        };
        let mut measurements: Vec<_> = self.own.iter().map(of_own).collect();
        let mut left_out = Vec::new();
        for (name, values) in &self.peers {
            match values {
                Ok(values) => measurements.push(Measurement {
                    name: (*name).to_owned(),
                    peer: true,
                    nanoseconds: median(values),
                    ratio: Some(ratio(values, ours)),
                    nanoseconds_per_kib: None,
                    mebibytes: None,
                    figures: BTreeMap::new(),
                    aims: Vec::new(),
                }),
                Err(reason) => left_out.push(LeftOut {
                    name,
                    reason: reason.clone(),
                }),
            }
        }
        for measurement in &mut measurements {
            measurement.aims = aims.remove(measurement.name.as_str()).unwrap_or_default();
        }
        // Stable: what is as near stays in its order.
        measurements.sort_by_key(|row| (row.name != bench.ours, row.ratio.is_none()));
        Ok(BenchReport {
            package: bench.package,
            target: bench.target,
            measurements,
            left_out,
        })
    }
}

fn per_kib(nanoseconds: f64, bytes: u32) -> f64 {
    nanoseconds / f64::from(bytes) * 1024.0
}

fn reached(aim: &Aim, limit: String, found: f64, reached: bool) -> AimReport {
    AimReport {
        limit,
        found,
        reached,
        known_miss: aim.known_miss,
    }
}

impl AimReport {
    /// What was found, with so many places that a narrow miss does not look like the limit.
    pub(super) fn shown(&self) -> String {
        if self.found < 10.0 {
            format!("{:.4}", self.found)
        } else {
            format!("{:.2}", self.found)
        }
    }

    /// Whether it is reached, in words.
    #[must_use]
    pub fn verdict(&self) -> String {
        match (self.reached, self.known_miss) {
            (true, None) => "reached".to_owned(),
            (true, Some(_)) => "reached, though it is listed as missed".to_owned(),
            (false, None) => "MISSED".to_owned(),
            (false, Some(why)) => format!("missed as is known: {why}"),
        }
    }
}

impl Report {
    /// In how many rounds a bench was measured.
    #[must_use]
    pub fn rounds_of(&self, bench: &Bench) -> u32 {
        self.rounds.min(bench.slow.unwrap_or(u32::MAX))
    }

    /// False if an aim is missed that is not known to be, unknown if a peer is left out.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let rows = self.benches.iter().flat_map(|bench| &bench.measurements);
        let mut aims = rows.flat_map(|row| &row.aims);
        if aims.any(|aim| !aim.reached && aim.known_miss.is_none()) {
            Outcome::False
        } else if self.benches.iter().any(|bench| !bench.left_out.is_empty()) {
            Outcome::Unknown
        } else {
            Outcome::True
        }
    }

    /// For people.
    #[must_use]
    pub fn human(&self) -> String {
        let mut text = String::new();
        for bench in &self.benches {
            let _ = writeln!(text, "{} {}", bench.package, bench.target);
            let names = bench.measurements.iter().map(|row| row.name.len());
            let width = names.max().unwrap_or(0);
            for row in &bench.measurements {
                let compared = match (row.ratio, row.nanoseconds_per_kib) {
                    (Some(ratio), _) => format!("{ratio:9.2} times ours"),
                    (None, Some(per_kib)) => format!("{:9.2} \u{b5}s/KiB", per_kib / 1e3),
                    (None, None) => String::new(),
                };
                let time = row.nanoseconds / 1e3;
                let memory = row
                    .mebibytes
                    .map_or(String::new(), |mebibytes| format!("  {mebibytes:.0} MiB"));
                let figures: String = row
                    .figures
                    .iter()
                    .map(|(name, figure)| format!("  {name} {figure:.4}"))
                    .collect();
                let line = format!(
                    "  {:width$}  {time:9.2} \u{b5}s  {compared}{memory}{figures}",
                    row.name
                );
                let _ = writeln!(text, "{}", line.trim_end());
            }
            for (row, aim) in bench
                .measurements
                .iter()
                .flat_map(|row| row.aims.iter().map(move |aim| (row, aim)))
            {
                let _ = writeln!(
                    text,
                    "  aim: {} {}, found {}: {}",
                    row.name,
                    aim.limit,
                    aim.shown(),
                    aim.verdict()
                );
            }
            for peer in &bench.left_out {
                let _ = writeln!(text, "  left out: {}: {}", peer.name, peer.reason);
            }
            text.push('\n');
        }
        let _ = write!(
            text,
            "fastest samples, medians over {} rounds of {} ms each; {}",
            self.rounds,
            self.milliseconds,
            self.machine.human()
        );
        text
    }
}

impl Machine {
    /// In a line.
    #[must_use]
    pub fn human(&self) -> String {
        let cores = self.cores.map(|cores| format!("{cores} threads"));
        let load = self.load.map(|load| format!("load {load:.1}"));
        let facts = [
            &self.processor,
            &cores,
            &Some(self.system.clone()),
            &self.rustc,
            &load,
        ];
        let facts: Vec<&str> = facts.into_iter().flatten().map(String::as_str).collect();
        facts.join(", ")
    }
}

#[cfg(test)]
pub(super) mod tests;
