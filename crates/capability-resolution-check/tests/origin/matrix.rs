//! For each fault exactly the checks that it breaks fail, and no other; without a fault none fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Mutex;
use std::thread;

use serde_json::Value;

use crate::ran::{check_schema, command};
use crate::served::{Faulty, alone, ids};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/origin/matrix.txt");

/// A run waits most of its time, so many go on at once.
const AT_ONCE: usize = 24;

/// Runs of so many checks and more are written as their first and last.
const RANGE: usize = 3;

/// Each fault with its line of the matrix, and what stands above the lines.
fn matrix() -> (String, BTreeMap<String, String>) {
    let text = fs::read_to_string(PATH).unwrap();
    let (head, lines): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with('#'));
    let lines = lines.into_iter().map(|line| {
        let (fault, rest) = line.split_once(':').unwrap();
        (fault.to_owned(), rest.trim().to_owned())
    });
    (head.join("\n"), lines.collect())
}

/// What the matrix says of a run: what failed, what could not be told, and what does not apply unless it is `usual`.
fn line(report: &Value, usual: &[String]) -> String {
    let mut line = ids(report, "failed").join(" ");
    for (mark, outcome) in [("?", "could-not-tell"), ("-", "not-applicable")] {
        let found = ids(report, outcome);
        if !found.is_empty() && found != usual {
            line += &format!(" {mark} {}", ranges(report, &found));
        }
    }
    line.trim().to_owned()
}

/// Ids in the order of the report.
fn ranges(report: &Value, found: &[String]) -> String {
    let checks = report["checks"].as_array().unwrap();
    let all: Vec<&str> = checks.iter().map(|c| c["id"].as_str().unwrap()).collect();
    let is_found = |id: &str| found.iter().any(|found| found == id);
    let runs = all.chunk_by(|a, b| is_found(a) == is_found(b));
    let written = runs.filter(|run| is_found(run[0])).map(|run| match run {
        [first, .., last] if run.len() >= RANGE => format!("{first}..{last}"),
        run => run.join(" "),
    });
    written.collect::<Vec<_>>().join(" ")
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

/// To bring the matrix up to date, and then to read what changed in it:
/// `UPDATE_MATRIX=1 cargo test -p capability-resolution-check --test origin matrix`.
// r[conformance.should] r[conformance.resolver-1] r[conformance.could-not-tell] r[conformance.not-applicable]
#[test]
fn each_fault_breaks_exactly_its_checks() {
    let _alone = alone();
    let plain = Faulty::serve("none").check(&["--format", "json"]).json();
    let usual = ids(&plain, "not-applicable");
    let faults = faults();
    let left = Mutex::new(faults.iter());
    let (wrong, lines) = (Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
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
            lines.lock().unwrap().insert(fault, line(&report, &usual));
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    let lines = lines.into_inner().unwrap();
    let (head, expected) = matrix();
    if std::env::var_os("UPDATE_MATRIX").is_some() {
        let found = |(fault, _): &(String, String)| format!("{fault}: {}\n", lines[fault]);
        let rows: String = faults.iter().map(found).collect();
        fs::write(PATH, format!("{head}\nnone: {}\n{rows}", line(&plain, &[]))).unwrap();
        return;
    }
    let mut wrong = wrong.into_inner().unwrap();
    for (fault, _) in &faults {
        let (found, expected) = (lines.get(fault), expected.get(fault));
        if found != expected {
            wrong.push(format!(
                "{fault}: {found:?}, and in the matrix {expected:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(expected.get("none"), Some(&line(&plain, &[])));
    assert_eq!(
        expected.len(),
        faults.len() + 1,
        "the matrix has lines of no fault"
    );
}

#[test]
fn without_a_fault_everything_passes_and_a_check_that_no_fault_trips_does_not_exist() {
    let ran = Faulty::serve("none").check(&["--format", "json"]);
    let report = ran.json();
    check_schema("check-origin", &report);
    assert_eq!((ran.code, &report["verdict"]), (Some(0), &"reached".into()));
    assert_eq!(ids(&report, "failed"), [""; 0]);
    assert_eq!(ids(&report, "could-not-tell"), [""; 0]);
    let not_applicable = ids(&report, "not-applicable");
    assert_eq!(
        not_applicable,
        ["error.rate", "error.unavailable", "http.https"]
    );
    let checks = report["checks"].as_array().unwrap();
    let reasons = [
        "no request was answered with 429",
        "no request was answered with 503",
        "asked by http",
    ];
    for (id, reason) in not_applicable.iter().zip(reasons) {
        let check = checks.iter().find(|check| check["id"] == *id).unwrap();
        assert!(check["seen"].as_str().unwrap().contains(reason), "{check}");
    }
    assert_eq!(
        report["counts"]["passed"],
        checks.len() - not_applicable.len()
    );

    let (_, lines) = matrix();
    let failed = lines.values().flat_map(|line| {
        let words = line.split_whitespace();
        words.take_while(|word| !matches!(*word, "?" | "-"))
    });
    let tripped: BTreeSet<&str> = failed.collect();
    let ids = checks.iter().map(|check| check["id"].as_str().unwrap());
    let never: Vec<_> = ids.filter(|id| !tripped.contains(id)).collect();
    assert_eq!(never, [""; 0]);
}
