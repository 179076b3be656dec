//! `capability-resolution-check adapter`: our implementation as a program for the runner of `conformance-vectors`.

mod captxt;
mod operations;

use std::io::{self, BufRead, Read as _, Write};

use command_console::{Failure, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::CheckError;
use operations::Answered;

/// The longest question, in bytes. The longest input is an answer one byte over its limit of 262,144, of which each
/// byte can take six as an escape.
const MAX_LINE_BYTES: usize = 2_097_152;

/// Answer vectors: one JSON object a line on standard input, one on standard output.
///
/// A question is {"id", "operation", "input"}, the answer {"id", "result", "reason", "output"}, or
/// {"id", "unsupported": true} for an operation that is not known. A line that is no question is answered with
/// {"id", "error"}.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  conformance-vectors run -- capability-resolution-check adapter")]
pub(crate) struct Args {}

#[derive(Deserialize)]
struct Question {
    id: String,
    operation: String,
    input: Map<String, Value>,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Answer {
    Judgement {
        id: String,
        result: &'static str,
        reason: Option<&'static str>,
        output: Option<Value>,
    },
    Unsupported {
        id: String,
        unsupported: bool,
    },
    Error {
        id: Option<String>,
        error: String,
    },
}

pub(crate) fn run() -> Result<Outcome, Failure> {
    let mut questions = io::stdin().lock();
    let mut answers = io::stdout().lock();
    loop {
        let answer = match line(&mut questions).map_err(CheckError::Input)? {
            Line::End => return Ok(Outcome::True),
            Line::TooLong => error(None, format!("a line has at most {MAX_LINE_BYTES} bytes")),
            Line::Whole(line) => answer(&line),
        };
        let written = serde_json::to_string(&answer)
            .map_err(io::Error::from)
            .and_then(|answer| writeln!(answers, "{answer}"))
            .and_then(|()| answers.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Outcome::True),
            written => written.map_err(CheckError::Output)?,
        }
    }
}

fn answer(line: &[u8]) -> Answer {
    let Question {
        id,
        operation,
        input,
    } = match serde_json::from_slice(line) {
        Ok(question) => question,
        Err(why) => return error(None, format!("no question: {why}")),
    };
    match operations::answer(&operation, &input) {
        None => Answer::Unsupported {
            id,
            unsupported: true,
        },
        Some(Err(why)) => error(Some(id), why),
        Some(Ok(Answered {
            valid,
            reason,
            output,
        })) => Answer::Judgement {
            id,
            result: if valid { "valid" } else { "invalid" },
            reason,
            output,
        },
    }
}

fn error(id: Option<String>, error: String) -> Answer {
    Answer::Error { id, error }
}

enum Line {
    Whole(Vec<u8>),
    /// Its rest was skipped.
    TooLong,
    End,
}

/// A line of bounded length.
fn line(stream: &mut impl BufRead) -> io::Result<Line> {
    let limit = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
    let mut line = Vec::new();
    stream
        .by_ref()
        .take(limit + 1)
        .read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(Line::End);
    }
    if line.len() <= MAX_LINE_BYTES {
        return Ok(Line::Whole(line));
    }
    while line.last() != Some(&b'\n') {
        line.clear();
        if stream.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            break;
        }
    }
    Ok(Line::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> String {
        serde_json::to_string(&answer(line.as_bytes())).unwrap()
    }

    #[test]
    fn what_is_no_question_is_answered_with_an_error() {
        for line in [
            "",
            "{",
            "[]",
            "7",
            "{\"id\":1}",
            "\u{feff}{}",
            r#"{"id":"a","operation":"need"}"#,
        ] {
            assert!(
                said(line).starts_with(r#"{"id":null,"error":"no question: "#),
                "{line}"
            );
        }
        assert_eq!(
            said(r#"{"id":"a","operation":"dance","input":{}}"#),
            r#"{"id":"a","unsupported":true}"#
        );
        assert!(
            said(r#"{"id":"a","operation":"need","input":{}}"#)
                .starts_with(r#"{"id":"a","error":"#)
        );
    }

    #[test]
    fn a_line_is_bounded_and_the_next_one_is_read() {
        let long = "x".repeat(MAX_LINE_BYTES);
        let text = format!("{long}\nabc\n{long}{long}{long}\ndef");
        let mut stream = text.as_bytes();
        let mut lines = Vec::new();
        loop {
            match line(&mut stream).unwrap() {
                Line::End => break,
                Line::TooLong => lines.push("too long".to_owned()),
                Line::Whole(line) => lines.push(String::from_utf8(line).unwrap()),
            }
        }
        assert_eq!(lines, ["too long", "abc\n", "too long", "def"]);
    }
}
