//! Programs that keep to the protocol, rightly or wrongly.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::suite::{Folder, Test};

pub(super) const TESTS: &[Test] = &[
    ("a_right_program_passes", a_right_program_passes),
    (
        "noise_on_standard_error_is_no_fault",
        noise_on_standard_error_is_no_fault,
    ),
    (
        "how_a_program_ends_after_its_last_answer_does_not_matter",
        how_a_program_ends,
    ),
    (
        "an_accepted_invalid_input_fails",
        an_accepted_invalid_input_fails,
    ),
    ("a_refused_valid_input_fails", a_refused_valid_input_fails),
    (
        "a_wrong_reason_fails_and_says_so",
        a_wrong_reason_fails_and_says_so,
    ),
    (
        "reasons_can_be_ignored_and_the_report_says_so",
        reasons_can_be_ignored,
    ),
    ("a_missing_reason_fails_and_says_so", a_missing_reason_fails),
    ("another_output_fails", another_output_fails),
    ("a_missing_output_fails", a_missing_output_fails),
    ("a_name_needs_no_reason", a_name_needs_no_reason),
    ("a_skip_is_never_green", a_skip_is_never_green),
    (
        "a_skip_beside_a_failure_is_a_failure",
        a_skip_beside_a_failure,
    ),
    (
        "a_listed_failure_is_no_failure",
        a_listed_failure_is_no_failure,
    ),
    (
        "a_listed_vector_that_passes_is_a_failure",
        a_listed_vector_that_passes,
    ),
    (
        "a_listed_vector_that_was_not_selected_is_no_failure",
        a_listed_vector_not_selected,
    ),
    (
        "a_listed_vector_that_is_skipped_is_not_green",
        a_listed_vector_that_is_skipped,
    ),
    (
        "the_json_report_keeps_its_schema",
        the_json_report_keeps_its_schema,
    ),
    ("the_junit_report_is_xml", the_junit_report_is_xml),
];

fn a_right_program_passes() {
    assert_snapshot!(Folder::new().run(&[], "right").all());
}

fn noise_on_standard_error_is_no_fault() {
    let ran = Folder::new().run(&[], "stderr-flood");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

fn how_a_program_ends() {
    for behaviour in ["exit-7-at-end", "no-final-newline"] {
        assert_eq!(
            Folder::new().run(&[], behaviour).code,
            Some(0),
            "{behaviour}"
        );
    }
    let ran = Folder::new().run(&["--timeout", "1"], "stays-at-end");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn an_accepted_invalid_input_fails() {
    assert_snapshot!(Folder::new().run(&[], "accept@token-expired").all());
}

fn a_refused_valid_input_fails() {
    assert_snapshot!(Folder::new().run(&[], "refuse@request-long").all());
}

fn a_wrong_reason_fails_and_says_so() {
    assert_snapshot!(Folder::new().run(&[], "refuse@token-expired").all());
}

fn reasons_can_be_ignored() {
    let folder = Folder::new();
    for behaviour in ["refuse@token-expired", "no-reason@token-expired"] {
        let ran = folder.run(&["--reasons", "ignore"], behaviour);
        assert_eq!(ran.code, Some(0), "{behaviour}");
        assert_snapshot!("reasons_can_be_ignored", ran.all());
    }
    let ran = folder.run(&["--reasons", "ignore"], "accept@token-expired");
    assert_eq!(ran.code, Some(1), "the verdict still counts");
    assert!(
        ran.out
            .contains("run --vectors VECTORS --reasons ignore --only token-expired -- PROGRAM")
    );
}

fn a_missing_reason_fails() {
    let ran = Folder::new().run(&[], "no-reason@token-expired");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out
            .contains("got       invalid, no reason: refused, but for another reason"),
        "{}",
        ran.out
    );
}

fn another_output_fails() {
    assert_snapshot!(Folder::new().run(&[], "other-output@request-long").all());
}

fn a_missing_output_fails() {
    let ran = Folder::new().run(&[], "no-output@request-long");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains("got       valid, no output"),
        "{}",
        ran.out
    );
}

fn a_name_needs_no_reason() {
    for behaviour in ["refuse@names-origin-slash", "no-reason@names-origin-slash"] {
        assert_eq!(
            Folder::new().run(&[], behaviour).code,
            Some(0),
            "{behaviour}"
        );
    }
}

// r[conformance.vectors.skip]
fn a_skip_is_never_green() {
    assert_snapshot!(
        Folder::new()
            .run(&[], "unsupported@names-origin-slash")
            .all()
    );
}

fn a_skip_beside_a_failure() {
    let folder = Folder::new();
    let list = folder.file("known.txt", "token-in-time");
    let ran = folder.run(
        &["--expected-failures", &list],
        "unsupported@names-origin-slash",
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

fn a_listed_failure_is_no_failure() {
    let folder = Folder::new();
    let list = folder.file(
        "known.txt",
        "# Known.\n\n  token-expired  # see our issue 7\r\n",
    );
    let ran = folder.run(&["--expected-failures", &list], "accept@token-expired");
    assert_snapshot!(ran.all());
    let ran = folder.run(&["--expected-failures", &list], "crash@token-expired");
    assert_eq!(
        ran.code,
        Some(0),
        "a crash is a failure like any other: {ran:?}"
    );
}

fn a_listed_vector_that_passes() {
    let folder = Folder::new();
    let list = folder.file("known.txt", "token-expired\n");
    assert_snapshot!(folder.run(&["--expected-failures", &list], "right").all());
}

fn a_listed_vector_not_selected() {
    let folder = Folder::new();
    let list = folder.file("known.txt", "token-expired\n");
    let options = ["--expected-failures", &list, "--only", "names-origin-slash"];
    assert_eq!(folder.run(&options, "right").code, Some(0));
}

fn a_listed_vector_that_is_skipped() {
    let folder = Folder::new();
    let list = folder.file("known.txt", "token-expired\n");
    let ran = folder.run(&["--expected-failures", &list], "unsupported@token-expired");
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

fn the_json_report_keeps_its_schema() {
    let folder = Folder::new();
    let list = folder.file("known.txt", "token-in-time\n");
    let json = ["--format", "json", "--timeout", "1"];
    for (options, behaviour, status, problem) in [
        (&[][..], "right", "passed", Value::Null),
        (&[], "accept@token-expired", "failed", json!("accepted")),
        (&[], "refuse@token-expired", "failed", json!("other-reason")),
        (&[], "unsupported@token-expired", "skipped", Value::Null),
        (&[], "garbage@token-expired", "failed", json!("garbage")),
        (&[], "crash@token-expired", "failed", json!("crash")),
        (
            &["--expected-failures", list.as_str()],
            "right",
            "passed",
            Value::Null,
        ),
    ] {
        let ran = folder.run(&[&json, options].concat(), behaviour);
        let report = ran.json("conformance-run");
        let test = &report["tests"][1];
        assert_eq!(test["id"], "token-expired");
        assert_eq!(test["status"], status, "{behaviour}");
        assert_eq!(
            test["problem"].get("code").unwrap_or(&Value::Null),
            &problem,
            "{behaviour}"
        );
        let listed = &report["tests"][0]["status"];
        let wanted = if options.is_empty() {
            "passed"
        } else {
            "passed-though-listed"
        };
        assert_eq!(listed, wanted, "{behaviour}");
        let all = report["summary"].as_object().expect("a summary").values();
        let sum: u64 = all.map(|count| count.as_u64().expect("a count")).sum();
        assert_eq!(sum, 4, "{behaviour}");
    }
    let ran = folder.run(&json, "crash-at-start");
    assert_eq!(ran.json("conformance-run")["summary"]["failed"], 4);
}

fn the_junit_report_is_xml() {
    let folder = Folder::new();
    let list = folder.file("known.txt", "names-origin-slash\ntoken-expired\n");
    let options = ["--format", "junit", "--expected-failures", &list];
    assert_snapshot!("junit", folder.run(&options, "garbage@token-in-time").all());
    for behaviour in [
        "right",
        "crash-at-start",
        "unsupported@token-expired",
        "other-output@request-long",
    ] {
        let ran = folder.run(&options, behaviour);
        let document =
            roxmltree::Document::parse(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.out));
        let cases = document
            .descendants()
            .filter(|node| node.has_tag_name("testcase"));
        assert_eq!(cases.count(), 4, "{behaviour}");
        let count = |tag: &str| {
            document
                .descendants()
                .filter(|node| node.has_tag_name(tag))
                .count()
        };
        let suite = document.root_element();
        assert_eq!(
            suite.attribute("failures"),
            Some(count("failure").to_string().as_str())
        );
        assert_eq!(
            suite.attribute("skipped"),
            Some(count("skipped").to_string().as_str())
        );
    }
}
