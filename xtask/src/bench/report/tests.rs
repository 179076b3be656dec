//! What a report says of what was measured.

use super::super::Peer;
use super::*;

const PEER: Peer = Peer {
    name: "another",
    command: &["another"],
    installed: "",
    install: "",
};

pub(in crate::bench) const BENCH: Bench = Bench {
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
    slow: None,
    needs: None,
};

static WORK: Bench = BENCH;

pub(in crate::bench) fn measured(ours: [f64; 3]) -> Report {
    let mut series = Series::default();
    for (ours, bare) in ours.into_iter().zip([10_000.0, 20_000.0, 10_000.0]) {
        let plain = |nanoseconds| Measured {
            nanoseconds,
            bytes: None,
            mebibytes: None,
            figures: BTreeMap::new(),
        };
        let long = Measured {
            nanoseconds: 3_000.0,
            bytes: Some(512),
            mebibytes: None,
            figures: BTreeMap::new(),
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
        benches: vec![series.report(&WORK).unwrap()],
    }
}

#[test]
fn figures_stand_side_by_side() {
    let report = measured([10_500.0, 21_000.0, 10_500.0]);
    insta::assert_snapshot!(report.human());
    assert_eq!(report.outcome(), Outcome::Unknown, "a peer is left out");
    let report = measured([11_500.0, 23_000.0, 11_500.0]);
    assert!(report.human().contains("found 1.1500: MISSED"));
    assert_eq!(report.outcome(), Outcome::False);
}

#[test]
fn a_rate_a_time_and_memory_are_aims_too() {
    static BENCH: Bench = Bench {
        package: "a-crate",
        target: "many",
        ours: "many/large",
        aims: &[
            Aim {
                of: "many/large",
                limit: Limit::PerMinute(750.0),
                known_miss: None,
            },
            Aim {
                of: "many/large",
                limit: Limit::Milliseconds(80.5),
                known_miss: None,
            },
            Aim {
                of: "many/large",
                limit: Limit::Memory {
                    to: "many/small",
                    most: 32.0,
                },
                known_miss: None,
            },
        ],
        peers: &[],
        input: |_| Ok(serde_json::Value::Null),
        slow: Some(3),
        needs: None,
    };
    for (nanoseconds, mebibytes, reached) in [
        (79e6, 50.0, [true, true, true]),
        (80.2e6, 50.0, [false, true, true]),
        (81e6, 51.0, [false, false, true]),
        (79e6, 53.0, [true, true, false]),
    ] {
        let mut series = Series::default();
        let measured = |mebibytes| Measured {
            nanoseconds,
            bytes: None,
            mebibytes: Some(mebibytes),
            figures: BTreeMap::new(),
        };
        series.add_own(BTreeMap::from([
            ("many/large".to_owned(), measured(mebibytes)),
            ("many/small".to_owned(), measured(20.0)),
        ]));
        let report = series.report(&BENCH).unwrap();
        let aims: Vec<bool> = report.measurements[0]
            .aims
            .iter()
            .map(|aim| aim.reached)
            .collect();
        assert_eq!(aims, reached, "{nanoseconds} {mebibytes}");
    }
}

#[test]
fn a_figure_is_an_aim_of_its_own_or_beside_another() {
    static BENCH: Bench = Bench {
        package: "a-crate",
        target: "found",
        ours: "set/ours",
        aims: &[
            Aim {
                of: "set/ours",
                limit: Limit::Above {
                    figure: "recall",
                    than: "set/another",
                },
                known_miss: None,
            },
            Aim {
                of: "set/ours",
                limit: Limit::Figure {
                    figure: "recall",
                    least: 0.7,
                },
                known_miss: None,
            },
        ],
        peers: &[],
        input: |_| Ok(serde_json::Value::Null),
        slow: Some(1),
        needs: None,
    };
    let measured = |recall: Option<f64>| Measured {
        nanoseconds: 1.0,
        bytes: None,
        mebibytes: None,
        figures: recall
            .map(|recall| ("recall".to_owned(), recall))
            .into_iter()
            .collect(),
    };
    for (ours, another, reached) in [
        (Some(0.75), Some(0.6), [true, true]),
        (Some(0.69), Some(0.6), [true, false]),
        (Some(0.75), Some(0.75), [false, true]),
        (None, Some(0.6), [false, false]),
    ] {
        let mut series = Series::default();
        series.add_own(BTreeMap::from([
            ("set/ours".to_owned(), measured(ours)),
            ("set/another".to_owned(), measured(another)),
        ]));
        let report = series.report(&BENCH).unwrap();
        let aims: Vec<bool> = report.measurements[0]
            .aims
            .iter()
            .map(|aim| aim.reached)
            .collect();
        assert_eq!(aims, reached, "{ours:?} {another:?}");
    }
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
    let error = Series::default().report(&WORK).unwrap_err();
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
