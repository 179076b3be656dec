//! How a run is told: to people, to programs, and compared with an earlier one.

use std::fs;
use std::sync::mpsc;
use std::time::Instant;

use insta::assert_snapshot;
use serde_json::json;

use crate::ran::{check_schema, command, schema};
use crate::served::{Faulty, alone, check, ids};
use crate::strangers::serve;

/// What differs from run to run: port, time and milliseconds.
fn steady(text: &str, origin: &str) -> String {
    let mut out = Vec::new();
    for line in text.replace(origin, "ORIGIN").lines() {
        let words = line.split(' ').collect::<Vec<_>>();
        out.push(match words.as_slice() {
            [number, "requests", "in", ..] => format!("{number} requests in N ms ..."),
            _ => line.to_owned(),
        });
    }
    out.join("\n")
}

#[test]
fn help_is_complete() {
    assert_snapshot!("help", command(&["--help"], b"", "/no/folder").out);
    let faulty = command(&["faulty", "--help"], b"", "/no/folder");
    assert_snapshot!("help_faulty", faulty.out);
}

#[test]
fn a_person_reads_what_is_broken_and_how_to_mend_it() {
    let resolver = Faulty::serve("token-too-long-lived");
    let ran = resolver.check(&[]);
    let text = steady(&ran.all(), &resolver.origin);
    // What a token holds differs from run to run.
    let lines = text.lines().map(|line| match line.split_once("exp 2") {
        Some((before, _)) => format!("{before}exp ..."),
        None => line.to_owned(),
    });
    assert_snapshot!("failed", lines.collect::<Vec<_>>().join("\n"));

    let resolver = Faulty::serve("answer-weak-etag");
    let text = steady(&resolver.check(&[]).all(), &resolver.origin);
    assert!(text.contains("ORIGIN reaches resolver-1\n"), "{text}");
    assert!(text.contains("2 failed"), "{text}");
    assert!(text.contains("SHOULD"), "{text}");

    let resolver = Faulty::serve("none");
    let ran = resolver.check(&["--verbose", "--only", "resolve.need.length"]);
    assert_snapshot!("chosen", steady(&ran.all(), &resolver.origin));
}

#[test]
fn a_choice_of_checks_is_no_verdict() {
    let resolver = Faulty::serve("token-with-aud");
    let chosen = |only: &str| resolver.check(&["--only", only, "--format", "json"]);
    let report = chosen("policy.");
    check_schema("check-origin", &report.json());
    assert_eq!(
        (report.code, &report.json()["verdict"]),
        (Some(0), &json!(null))
    );
    let report = chosen("token.aud");
    assert_eq!(report.code, Some(1));
    assert_eq!(ids(&report.json(), "failed"), ["token.aud"]);
    let none = chosen("token.autograph");
    assert_eq!(none.code, Some(2));
    assert!(none.err.starts_with("error[no-check]"), "{}", none.err);
}

#[test]
fn what_changed_since_an_earlier_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("before.json");
    let file = path.to_str().unwrap();
    let resolver = Faulty::serve("policy-undated");
    fs::write(&path, resolver.check(&["--format", "json"]).out).unwrap();
    let same = resolver.check(&["--compare", file, "--format", "json"]);
    assert_eq!(same.json()["changes"], json!([]));
    drop(resolver);

    let resolver = Faulty::serve("changelog-oldest-first");
    let other = resolver.check(&["--compare", file, "--format", "json"]);
    check_schema("check-origin", &other.json());
    assert_eq!(
        other.json()["changes"],
        json!([
            {"id": "policy.changelog#order", "before": "passed", "after": "failed"},
            {"id": "policy.dated", "before": "failed", "after": "passed"},
        ])
    );
    let text = resolver.check(&["--compare", file]).out;
    assert!(
        text.contains("policy.dated  passed, before: failed"),
        "{text}"
    );

    fs::write(&path, "{}").unwrap();
    let none = resolver.check(&["--compare", file]);
    assert_eq!(none.code, Some(2));
    assert!(none.err.starts_with("error[report-form]"), "{}", none.err);
}

#[test]
fn junit_counts_what_could_not_be_told_as_an_error() {
    let resolver = Faulty::serve("token-without-alg");
    let ran = resolver.check(&["--format", "junit"]);
    let report = resolver.check(&["--format", "json"]).json();
    let xml = roxmltree::Document::parse(&ran.out).unwrap();
    let named = |name: &str| {
        let nodes = xml.descendants().filter(|node| node.has_tag_name(name));
        nodes.count()
    };
    for (name, outcome) in [
        ("failure", "failed"),
        ("error", "could-not-tell"),
        ("skipped", "not-applicable"),
    ] {
        assert_eq!(named(name), ids(&report, outcome).len(), "{name}");
    }
    let suite = xml
        .descendants()
        .find(|node| node.has_tag_name("testsuite"))
        .unwrap();
    assert_eq!(suite.attribute("failures"), Some("1"));
    assert_eq!(
        named("testcase"),
        report["checks"].as_array().unwrap().len()
    );
}

#[test]
fn a_run_is_short_and_polite() {
    let _alone = alone();
    let resolver = Faulty::serve("none");
    let began = Instant::now();
    let report = resolver.check(&["--format", "json"]).json();
    // Two seconds on a machine that does nothing else, which the machine of a test seldom is.
    assert!(began.elapsed().as_secs() < 45, "{:?}", began.elapsed());
    // About a hundred, say the help and README.md.
    assert!((80..=120).contains(&report["requests"].as_u64().unwrap()));
}

#[test]
fn what_cannot_be_asked_is_said() {
    for (arguments, code) in [
        (&["http://127.0.0.1:1"][..], "origin-form"),
        (&["resolver.example"], "origin-form"),
        (&["https://resolver.example/path"], "origin-form"),
        (
            &["https://resolver.example", "--sample-need", "ab"],
            "need-form",
        ),
        (
            &["https://resolver.example", "--contact", "me"],
            "no-fetcher",
        ),
        (
            &["https://resolver.example", "--compare", "/no/file"],
            "file-unreadable",
        ),
        (&["faulty", "no-such-fault"], "no-fault"),
    ] {
        let ran = command(arguments, b"", "/no/folder");
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.starts_with(&format!("error[{code}]")), "{ran:?}");
        assert!(ran.out.is_empty(), "{ran:?}");
    }
    let nobody = check("http://127.0.0.1:1", &[]);
    assert_eq!(nobody.code, Some(2), "{nobody:?}");
}

#[test]
fn faults_are_listed_in_the_documented_form() {
    let list = ["faulty", "--list", "--format", "json"];
    let list = command(&list, b"", "/no/folder").json();
    check_schema("check-faulty", &list);
    let schema = schema("check-faulty");
    assert!(!schema.is_valid(&json!([])));
    for (member, value) in [("fault", "No Fault"), ("rule", "rule"), ("more", "of it")] {
        let mut list = list.clone();
        list[1][member] = value.into();
        assert!(!schema.is_valid(&list), "{member}");
    }
    for member in ["fault", "rule", "does"] {
        let mut list = list.clone();
        list[1].as_object_mut().unwrap().remove(member).unwrap();
        assert!(!schema.is_valid(&list), "{member}");
    }
}

// r[conformance.not-applicable]
#[test]
fn what_leaves_nothing_out_has_not_passed() {
    let resolver = Faulty::serve("sign-in-ignored");
    let judge = |need: &str| {
        let report = resolver.check(&["--sample-need", need, "--format", "json"]);
        let report = report.json();
        let mut checks = report["checks"].as_array().unwrap().iter();
        let check = checks.find(|check| check["id"] == "constraint.honoured");
        check.unwrap().clone()
    };
    assert_eq!(judge("send an email")["outcome"], "failed");
    let none = judge("unheard of");
    assert_eq!(none["outcome"], "not-applicable");
    let reason = none["seen"].as_str().unwrap();
    assert!(reason.contains("nothing had to be left out"), "{reason}");
}

/// Nobody is named who did not ask to be.
#[test]
fn who_asks_is_told_only_if_they_say_who_they_are() {
    let (said, agents) = mpsc::channel();
    let origin = serve(move |_, head| {
        let mut lines = head.lines();
        let agent = lines.find_map(|line| line.strip_prefix("user-agent: "));
        let _ = said.send(agent.unwrap_or_default().to_owned());
    });
    let product = concat!("capability-resolution-check/", env!("CARGO_PKG_VERSION"));
    check(&origin, &[]);
    assert_eq!(agents.recv().unwrap(), product);
    check(&origin, &["--contact", "mailto:tools@example.com"]);
    let named = agents.iter().find(|agent| agent != product).unwrap();
    assert_eq!(named, format!("{product} (+mailto:tools@example.com)"));
}

// r[token.no-need]
#[test]
fn a_server_may_be_named_after_the_need() {
    let resolver = Faulty::serve("none");
    let ran = resolver.check(&["--sample-need", "server"]);
    let text = ran.all();
    assert!(text.contains("reaches resolver-1\n"), "{text}");
    assert!(text.contains(" 0 failed, 0 could not tell"), "{text}");
}
