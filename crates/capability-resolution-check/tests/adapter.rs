//! Our implementation passes every vector, asked by the runner over the line protocol.

use std::io::Write as _;
use std::process::{Command, Stdio};

use conformance_vectors::run::{Outcome, Settings, run};
use conformance_vectors::{Operation, Suite, Vector};

const PROGRAM: &str = env!("CARGO_BIN_EXE_capability-resolution-check");

/// All but those of a client, which this program is not.
#[test]
fn all_vectors_pass() {
    let suite = Suite::embedded().unwrap();
    let command = [PROGRAM.into(), "adapter".into()];
    let run = run(&command, suite.vectors(), Settings::default()).unwrap();
    assert_eq!(run.judged.len(), suite.vectors().count());
    let expected = |vector: &Vector| match vector.operation {
        Operation::Client => Outcome::Unsupported,
        _ => Outcome::Passed,
    };
    let failed: Vec<_> = run
        .judged
        .iter()
        .filter(|judged| judged.outcome != expected(judged.vector))
        .map(|judged| format!("{}: {:?}", judged.vector.id, judged.outcome))
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_bad_line_is_answered_and_the_next_one_is_read() {
    let mut child = Command::new(PROGRAM)
        .arg("adapter")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = b"nonsense\n\xff\n{\"id\":\"a\",\"operation\":\"dance\",\"input\":{}}\n\
        {\"id\":\"b\",\"operation\":\"need\",\"input\":{\"need\":\" mail me \"}}";
    child.stdin.take().unwrap().write_all(lines).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let out = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), 4, "{out}");
    assert!(
        lines[..2]
            .iter()
            .all(|line| line.starts_with("{\"id\":null,\"error\":")),
        "{out}"
    );
    assert_eq!(lines[2], r#"{"id":"a","unsupported":true}"#);
    assert_eq!(
        lines[3],
        r#"{"id":"b","result":"valid","reason":null,"output":{"need":"mail me"}}"#
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Command::new(PROGRAM)
        .arg("adapter")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let _ = child.stdin.take().unwrap().write_all(b"x\nx\nx\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
