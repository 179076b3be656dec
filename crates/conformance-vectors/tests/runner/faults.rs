//! Programs that do not keep to the protocol. Each costs its vector, and the others are judged all the same.

use insta::assert_snapshot;

use super::suite::{Folder, Test};

pub(super) const TESTS: &[Test] = &[
    ("a_crash_costs_its_vector_and_shows_standard_error", a_crash),
    ("a_signal_is_a_crash", a_signal_is_a_crash),
    (
        "a_program_that_never_starts_stops_the_run",
        a_program_that_never_starts,
    ),
    ("a_hang_costs_its_vector", a_hang),
    ("a_late_answer_costs_its_vector_alone", a_late_answer),
    (
        "a_program_that_does_not_read_is_a_hang",
        a_program_that_does_not_read,
    ),
    ("garbage_costs_its_vector_and_is_shown_harmless", garbage),
    ("what_is_no_answer_costs_its_vector", what_is_no_answer),
    ("a_line_without_end_costs_its_vector", a_line_without_end),
    ("a_wrong_id_costs_its_vector", a_wrong_id),
    ("a_second_answer_costs_the_next_vector", a_second_answer),
    (
        "a_line_after_the_last_answer_costs_the_last_vector",
        a_line_after_the_last,
    ),
    ("a_closed_output_costs_its_vector", a_closed_output),
    ("a_program_takes_its_children_down_with_it", children),
];

/// Runs a program that misbehaves once, and checks that all others are judged.
fn costs_its_vector(behaviour: &str, timeout: &str) -> String {
    let ran = Folder::new().run(&["--timeout", timeout], behaviour);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.out.ends_with("\n3 passed, 1 failed, 0 skipped\n"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches("FAIL").count(), 1, "{}", ran.out);
    assert_eq!(ran.err, "");
    ran.out
}

fn a_crash() {
    assert_snapshot!(costs_its_vector("crash@token-expired", "10"));
}

fn a_signal_is_a_crash() {
    let out = costs_its_vector("abort@token-expired", "10");
    assert!(
        out.contains("the program ended before it answered"),
        "{out}"
    );
}

fn a_program_that_never_starts() {
    let folder = Folder::new();
    let ran = folder.run(&[], "crash-at-start");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains("stderr    no configurationU+001B[31m"),
        "{}",
        ran.out
    );

    // Four vectors are too few to stop; the embedded ones are more.
    let this = std::env::current_exe().expect("this program");
    let (this, path) = (
        this.display().to_string(),
        folder.path().display().to_string(),
    );
    let program = ["--", &this, "program", "crash-at-start", &path];
    let ran = folder.command(&[&["run", "--format", "json"][..], &program].concat());
    let report = ran.json("conformance-run");
    assert_eq!(ran.code, Some(1));
    let total = report["numberOfTests"].as_u64().expect("a number");
    assert_eq!(report["summary"]["failed"], 5);
    assert_eq!(report["summary"]["notRun"], total - 5);
    assert_eq!(report["stopped"], total > 5);
}

fn a_hang() {
    assert_snapshot!(costs_its_vector("hang@token-in-time", "1"));
}

fn a_late_answer() {
    let out = costs_its_vector("late@token-in-time", "1");
    assert!(out.contains("got       no answer within 1 s"), "{out}");
}

fn a_program_that_does_not_read() {
    let ran = Folder::new().run(&["--timeout", "1", "--only", "request-long"], "deaf");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains("got       no answer within 1 s"),
        "{}",
        ran.out
    );
}

fn garbage() {
    assert_snapshot!(costs_its_vector("garbage@request-long", "10"));
}

fn what_is_no_answer() {
    for what in ["empty-line", "not-utf8", "log-before"] {
        let out = costs_its_vector(&format!("{what}@token-expired"), "10");
        assert!(
            out.contains("got       the line is no answer: "),
            "{what}: {out}"
        );
    }
}

fn a_line_without_end() {
    for what in ["endless", "long"] {
        let out = costs_its_vector(&format!("{what}@token-expired"), "10");
        assert!(
            out.contains("got       the program wrote a line of more than 65536 bytes"),
            "{out}"
        );
    }
}

fn a_wrong_id() {
    let out = costs_its_vector("wrong-id@token-expired", "10");
    let got = "the answer is for \"token-expired-not\": a late answer, a second one, or a wrong id";
    assert!(out.contains(got), "{out}");
}

fn a_second_answer() {
    let out = costs_its_vector("twice@token-in-time", "10");
    assert!(
        out.contains("FAIL token-expired") && out.contains("the answer is for \"token-in-time\""),
        "{out}"
    );
}

fn a_line_after_the_last() {
    for behaviour in ["twice@names-origin-slash", "speaks-at-end"] {
        let out = costs_its_vector(behaviour, "10");
        assert!(out.contains("FAIL names-origin-slash"), "{out}");
        assert!(
            out.contains("got       the program wrote one more line after its last answer"),
            "{out}"
        );
    }
}

fn a_closed_output() {
    let out = costs_its_vector("close@token-expired", "10");
    #[cfg(unix)]
    assert!(
        out.contains("closed its standard output and went on"),
        "{out}"
    );
}

fn children() {
    let folder = Folder::new();
    let ran = folder.run(&["--timeout", "2"], "grandchild@token-expired");
    assert_eq!(ran.code, Some(1));
    #[cfg(target_os = "linux")]
    {
        use std::path::Path;
        let pid =
            std::fs::read_to_string(folder.path().join("sleeper.pid")).expect("the grandchild ran");
        let gone = || match std::fs::read_to_string(Path::new("/proc").join(&pid).join("stat")) {
            Err(_) => true,
            // Nobody may have waited for it yet.
            Ok(stat) => stat.contains(") Z "),
        };
        let mut polls = 0;
        while !gone() && polls < 100 {
            std::thread::sleep(std::time::Duration::from_millis(20));
            polls += 1;
        }
        assert!(gone(), "{pid} still runs");
    }
}
