//! For each fault exactly the checks that it breaks fail, and no other; without a fault none fails.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::thread;

use serde_json::Value;

use crate::ran::{check_schema, command};
use crate::served::{Faulty, ids};

/// The fault, and behind a colon the ids of the checks that fail.
const MATRIX: &str = include_str!("matrix.txt");

/// A run waits most of its time, so many go on at once.
const AT_ONCE: usize = 24;

fn expected() -> BTreeMap<&'static str, Vec<String>> {
    let lines = MATRIX.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (fault, ids) = line.split_once(':').unwrap();
            (fault, ids.split_whitespace().map(str::to_owned).collect())
        })
        .collect()
}

/// Name and rule of each fault.
fn faults() -> Vec<(String, String)> {
    let list = command(&["faulty", "--list", "--format", "json"], b"", "/no/folder");
    let text = |fault: &Value, name: &str| fault[name].as_str().unwrap().to_owned();
    let list = list.json();
    let faults = list.as_array().unwrap().iter();
    faults
        .map(|fault| (text(fault, "fault"), text(fault, "rule")))
        .collect()
}

fn level(report: &Value, id: &str) -> String {
    let checks = report["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["id"] == id).unwrap();
    check["level"].as_str().unwrap().to_owned()
}

// r[conformance.should] r[conformance.resolver-1] r[conformance.could-not-tell]
#[test]
fn each_fault_breaks_exactly_its_checks() {
    let (faults, expected) = (faults(), expected());
    let names: BTreeSet<&str> = faults.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        expected.keys().copied().collect(),
        "matrix.txt lists the faults"
    );
    let left = Mutex::new(faults.iter());
    let wrong = Mutex::new(Vec::new());
    let work = || {
        loop {
            let next = left.lock().unwrap().next();
            let Some((fault, rule)) = next else {
                return;
            };
            let ran = Faulty::serve(fault).check(&["--format", "json", "--timeout", "60"]);
            let report = ran.json();
            check_schema("check-origin", &report);
            let failed = ids(&report, "failed");
            let say = |what: String| wrong.lock().unwrap().push(format!("{fault}: {what}"));
            if failed != expected[fault.as_str()] {
                say(format!("failed are {failed:?}"));
            }
            // What the fault says of itself is among what it breaks.
            if !failed.iter().any(|id| id.split('#').next() == Some(rule)) {
                say(format!("{rule} did not fail"));
            }
            let must = failed.iter().any(|id| level(&report, id) == "MUST");
            let hidden = ids(&report, "could-not-tell");
            let hidden = hidden.iter().any(|id| level(&report, id) == "MUST");
            let (code, verdict) = match (must, hidden) {
                (true, _) => (1, "not-reached"),
                (false, true) => (2, "could-not-tell"),
                (false, false) => (0, "reached"),
            };
            if ran.code != Some(code) || report["verdict"] != verdict {
                say(format!("exit {:?}, {}", ran.code, report["verdict"]));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

// r[conformance.not-applicable]
#[test]
fn without_a_fault_everything_passes_and_a_check_that_no_fault_trips_does_not_exist() {
    let ran = Faulty::serve("none").check(&["--format", "json"]);
    let report = ran.json();
    check_schema("check-origin", &report);
    assert_eq!((ran.code, &report["verdict"]), (Some(0), &"reached".into()));
    assert_eq!(ids(&report, "failed"), [""; 0]);
    assert_eq!(ids(&report, "could-not-tell"), [""; 0]);
    assert_eq!(ids(&report, "not-applicable"), ["http.https"]);
    let checks = report["checks"].as_array().unwrap();
    let https = checks.iter().find(|check| check["id"] == "http.https");
    let reason = https.unwrap()["seen"].as_str().unwrap();
    assert!(reason.contains("asked by http"), "{reason}");
    assert_eq!(report["counts"]["passed"], checks.len() - 1);

    let tripped: BTreeSet<String> = expected().into_values().flatten().collect();
    let all = ["passed", "not-applicable"].map(|outcome| ids(&report, outcome));
    let never: Vec<_> = all
        .iter()
        .flatten()
        .filter(|id| !tripped.contains(*id))
        .collect();
    assert_eq!(never, [""; 0]);
}
