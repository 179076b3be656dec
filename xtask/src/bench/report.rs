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
    /// What has to hold of it.
    pub aim: Option<AimReport>,
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
    /// The crate's benchmarks: bytes of input, and nanoseconds of each round.
    own: BTreeMap<String, (Option<u32>, Vec<f64>)>,
    /// The peers: nanoseconds of each round, or why they are left out.
    peers: Vec<(&'static str, Result<Vec<f64>, String>)>,
}

impl Series {
    /// Adds a round of the crate's own benchmarks.
    pub fn add_own(&mut self, round: BTreeMap<String, Measured>) {
        for (id, measured) in round {
            let (bytes, values) = self.own.entry(id).or_default();
            *bytes = measured.bytes;
            values.push(measured.nanoseconds);
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
        let rounds_of = |id: &'static str| {
            let found = self.own.get(id).map(|(_, values)| values.as_slice());
            found.ok_or(BenchError::Unknown {
                target: bench.target,
                id,
            })
        };
        let ours = rounds_of(bench.ours)?;
        let mut aims = BTreeMap::new();
        for aim in bench.aims {
            let of = rounds_of(aim.of)?;
            let report = match &aim.limit {
                Limit::Ratio { to, most } => {
                    let limit = format!("at most {most} times {to}");
                    reached(aim, limit, ratio(of, rounds_of(to)?), *most)
                }
                Limit::PerKib(most) => {
                    let bytes = self.own.get(aim.of).and_then(|(bytes, _)| *bytes);
                    let found = bytes.map_or(f64::NAN, |bytes| per_kib(median(of), bytes));
                    let limit = format!("at most {} \u{b5}s/KiB", most / 1e3);
                    reached(aim, limit, found / 1e3, most / 1e3)
                }
            };
            aims.insert(aim.of, report);
        }
        let group = |id: &str| id.split_once('/').map(|(group, _)| group.to_owned());
        let of_own = |id: &String, (bytes, values): &(Option<u32>, Vec<f64>)| Measurement {
            name: id.clone(),
            peer: false,
            nanoseconds: median(values),
            ratio: (id != bench.ours && group(id) == group(bench.ours))
                .then(|| ratio(values, ours)),
            nanoseconds_per_kib: bytes.map(|bytes| per_kib(median(values), bytes)),
            aim: None,
        };
        let mut measurements: Vec<_> = self.own.iter().map(|(id, rest)| of_own(id, rest)).collect();
        let mut left_out = Vec::new();
        for (name, values) in &self.peers {
            match values {
                Ok(values) => measurements.push(Measurement {
                    name: (*name).to_owned(),
                    peer: true,
                    nanoseconds: median(values),
                    ratio: Some(ratio(values, ours)),
                    nanoseconds_per_kib: None,
                    aim: None,
                }),
                Err(reason) => left_out.push(LeftOut {
                    name,
                    reason: reason.clone(),
                }),
            }
        }
        for measurement in &mut measurements {
            measurement.aim = aims.remove(measurement.name.as_str());
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

fn reached(aim: &Aim, limit: String, found: f64, most: f64) -> AimReport {
    AimReport {
        limit,
        found,
        reached: found <= most,
        known_miss: aim.known_miss,
    }
}

impl Report {
    /// False if an aim is missed that is not known to be, unknown if a peer is left out.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let rows = self.benches.iter().flat_map(|bench| &bench.measurements);
        let mut aims = rows.filter_map(|row| row.aim.as_ref());
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
                let line = format!("  {:width$}  {time:9.2} \u{b5}s  {compared}", row.name);
                let _ = writeln!(text, "{}", line.trim_end());
            }
            for (row, aim) in bench
                .measurements
                .iter()
                .filter_map(|row| Some((row, row.aim.as_ref()?)))
            {
                let verdict = match (aim.reached, aim.known_miss) {
                    (true, None) => "reached".to_owned(),
                    (true, Some(_)) => "reached, though it is listed as missed".to_owned(),
                    (false, None) => "MISSED".to_owned(),
                    (false, Some(why)) => format!("missed as is known: {why}"),
                };
                let _ = writeln!(
                    text,
                    "  aim: {} {}, found {:.2}: {verdict}",
                    row.name, aim.limit, aim.found
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
    fn human(&self) -> String {
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
mod tests {
    use super::super::Peer;
    use super::*;

    const PEER: Peer = Peer {
        name: "another",
        command: &["another"],
        installed: "",
        install: "",
    };

    static BENCH: Bench = Bench {
        package: "a-crate",
        target: "work",
        ours: "work/ours",
        aims: &[
            Aim {
                of: "work/ours",
                limit: Limit::Ratio {
                    to: "work/bare",
                    most: 1.1,
                },
                known_miss: None,
            },
            Aim {
                of: "garbage/long",
                limit: Limit::PerKib(2_000.0),
                known_miss: Some("it has to be read whole"),
            },
        ],
        peers: &[PEER],
        input: |_| Ok(serde_json::Value::Null),
    };

    fn measured(ours: [f64; 3]) -> Report {
        let mut series = Series::default();
        for (ours, bare) in ours.into_iter().zip([10_000.0, 20_000.0, 10_000.0]) {
            let plain = |nanoseconds| Measured {
                nanoseconds,
                bytes: None,
            };
            let long = Measured {
                nanoseconds: 3_000.0,
                bytes: Some(512),
            };
            series.add_own(BTreeMap::from([
                ("work/ours".to_owned(), plain(ours)),
                ("work/bare".to_owned(), plain(bare)),
                ("garbage/long".to_owned(), long),
            ]));
            series.add_peer("another", Ok(ours * 4.0));
            series.add_peer("a third", Err("not installed".to_owned()));
        }
        Report {
            machine: Machine {
                processor: Some("A Processor".to_owned()),
                cores: Some(2),
                system: "linux x86_64".to_owned(),
                rustc: Some("rustc 1.95.0".to_owned()),
                load: None,
            },
            rounds: 3,
            milliseconds: 600,
            benches: vec![series.report(&BENCH).unwrap()],
        }
    }

    #[test]
    fn figures_stand_side_by_side() {
        let report = measured([10_500.0, 21_000.0, 10_500.0]);
        insta::assert_snapshot!(report.human());
        assert_eq!(report.outcome(), Outcome::Unknown, "a peer is left out");
        let report = measured([11_500.0, 23_000.0, 11_500.0]);
        assert!(report.human().contains("found 1.15: MISSED"));
        assert_eq!(report.outcome(), Outcome::False);
    }

    #[test]
    fn a_peer_that_breaks_off_is_left_out() {
        let mut series = Series::default();
        series.add_peer("another", Ok(1.0));
        series.add_peer("another", Err("it ended".to_owned()));
        series.add_peer("another", Ok(1.0));
        assert_eq!(series.peers, [("another", Err("it ended".to_owned()))]);
    }

    #[test]
    fn what_the_table_names_has_to_be_measured() {
        let error = Series::default().report(&BENCH).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the bench work has no benchmark work/ours"
        );
    }

    #[test]
    fn the_report_for_programs_has_the_documented_form() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../docs/schema/bench.schema.json"
        );
        let schema = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        jsonschema::draft202012::meta::validate(&schema).unwrap();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let mut report = serde_json::to_value(measured([1.0, 2.0, 1.0])).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(&report)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{errors:#?}\n{report:#}");
        report["benches"][0]["measurements"][0]["nanoseconds"] = "1".into();
        assert!(!validator.is_valid(&report));
    }
}
