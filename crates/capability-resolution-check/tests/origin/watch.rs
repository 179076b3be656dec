//! `watch`: what changed, and what monitoring reads.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use crate::ran::{Ran, command};
use crate::served::Faulty;

fn watch(origin: &str, more: &[&str]) -> Ran {
    let arguments = [
        &["watch", origin, "--allow-loopback", "--every", "1s"],
        more,
    ]
    .concat();
    command(&arguments, b"", "/no/folder")
}

/// Lines without their time.
fn lines(ran: &Ran) -> Vec<&str> {
    ran.out
        .lines()
        .map(|line| line.split_once(' ').unwrap().1.trim())
        .collect()
}

#[test]
fn what_stays_the_same_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("resolver.prom");
    let resolver = Faulty::serve("none");
    let ran = watch(
        &resolver.origin,
        &["--runs", "2", "--prometheus", path.to_str().unwrap()],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        lines(&ran),
        [format!("{} reaches resolver-1", resolver.origin)]
    );
    let metrics = fs::read_to_string(&path).unwrap();
    let line = format!(
        "capability_resolution_check_reached{{origin=\"{}\"}} 1",
        resolver.origin
    );
    assert!(metrics.lines().any(|found| found == line), "{metrics}");
    assert!(metrics.contains(",outcome=\"failed\"} 0"), "{metrics}");
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing is left behind"
    );
}

#[test]
fn a_failure_ends_it_unless_it_is_told_to_go_on() {
    let resolver = Faulty::serve("policy-undated");
    let ran = watch(&resolver.origin, &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told = lines(&ran);
    assert_eq!(told.len(), 2, "{ran:?}");
    assert!(told[0].ends_with("does not reach resolver-1"), "{ran:?}");
    assert!(
        told[1].starts_with("policy.dated  failed; no date"),
        "{ran:?}"
    );

    let went_on = watch(&resolver.origin, &["--keep-going", "--runs", "2"]);
    assert_eq!((went_on.code, lines(&went_on)), (Some(1), told));
    let folder = resolver.origin.clone();
    drop(resolver);
    let silent = watch(&folder, &["--runs", "2"]);
    assert_eq!(silent.code, Some(2), "{silent:?}");
    assert_eq!(lines(&silent).len(), 1, "{silent:?}");
    assert!(
        lines(&silent)[0].starts_with("could not tell: "),
        "{silent:?}"
    );
}

/// The same origin, with another fault in each run.
#[test]
fn a_change_is_told_with_what_was_before() {
    let first = Faulty::serve("changelog-oldest-first");
    let origin = first.origin.clone();
    let port = origin.rsplit_once(':').unwrap().1.to_owned();
    let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolution-check"))
        .args(["watch", &origin, "--allow-loopback", "--every", "3s"])
        .args(["--keep-going", "--runs", "2"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut told = String::new();
    // Both lines of the first run.
    out.read_line(&mut told).unwrap();
    out.read_line(&mut told).unwrap();
    drop(first);
    let _second = Faulty::serve_with("policy-undated", &["--port", &port]);
    out.read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{told}");
    let changes: Vec<&str> = told
        .lines()
        .skip(2)
        .map(|line| line.split_once(' ').unwrap().1.trim())
        .collect();
    assert_eq!(
        changes,
        [
            "policy.changelog#order  passed, before: failed",
            "policy.dated  failed, before: passed; no date in the form YYYY-MM-DD"
        ],
        "{told}"
    );
}

#[test]
fn a_stranger_is_asked_once_a_minute_at_most() {
    for every in ["1s", "0", "8d", "soon"] {
        let ran = command(
            &["watch", "https://resolver.example", "--every", every],
            b"",
            "/no",
        );
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.starts_with("error[every-form]"), "{ran:?}");
    }
}
