//! `capability-resolver-client adapter`: our client as a program for the runner of `conformance-vectors`.

mod scenario;
mod transport;

use std::io::{self, BufRead, Read as _, Write as _};

use command_console::{Explain, Failure, Outcome};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use scenario::Scenario;

/// The longest question, in bytes.
const MAX_LINE_BYTES: u64 = 2_097_152;

/// Answer vectors: one JSON object a line on standard input, one on standard output.
///
/// A question is {"id", "operation", "input"} with the operation client, the answer {"id", "result", "reason",
/// "output"}, or {"id", "unsupported": true} for another operation. A line that is no question is answered with
/// {"id", "error"}.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  conformance-vectors run -- capability-resolver-client adapter")]
pub(crate) struct Args {}

#[derive(Deserialize)]
struct Question {
    id: String,
    operation: String,
    input: Value,
}

/// Why the adapter ended before its input did.
#[derive(Debug, thiserror::Error)]
pub(super) enum AdapterError {
    #[error("cannot read a question or write its answer")]
    Stream(#[from] io::Error),
    #[error("a line has more than {MAX_LINE_BYTES} bytes")]
    TooLong,
}

impl Explain for AdapterError {
    fn code(&self) -> &'static str {
        match self {
            Self::Stream(_) => "io",
            Self::TooLong => "line-too-long",
        }
    }
}

pub(crate) fn run() -> Result<Outcome, Failure> {
    Ok(answer_all()?)
}

fn answer_all() -> Result<Outcome, AdapterError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut questions = io::stdin().lock();
    let mut answers = io::stdout().lock();
    while let Some(line) = next_line(&mut questions)? {
        writeln!(answers, "{}", answer(&runtime, &line))?;
        answers.flush()?;
    }
    Ok(Outcome::True)
}

fn next_line(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, AdapterError> {
    let mut line = Vec::new();
    let read = input
        .take(MAX_LINE_BYTES + 1)
        .read_until(b'\n', &mut line)?;
    if u64::try_from(read).is_ok_and(|read| read > MAX_LINE_BYTES) {
        return Err(AdapterError::TooLong);
    }
    Ok((read > 0).then_some(line))
}

fn answer(runtime: &Runtime, line: &[u8]) -> Value {
    let Question {
        id,
        operation,
        input,
    } = match serde_json::from_slice(line) {
        Ok(question) => question,
        Err(why) => return json!({"id": null, "error": format!("no question: {why}")}),
    };
    if operation != "client" {
        return json!({"id": id, "unsupported": true});
    }
    let played = Scenario::read(input).map(|scenario| runtime.block_on(scenario.play()));
    match played {
        Err(why) => json!({"id": id, "error": why}),
        Ok((reason, output)) => {
            let result = if reason.is_some() { "invalid" } else { "valid" };
            json!({"id": id, "result": result, "reason": reason, "output": output})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_long_as_the_message_says() {
        let longest = usize::try_from(MAX_LINE_BYTES).unwrap();
        let line = |length: usize| [vec![b' '; length - 1], b"\n7".to_vec()].concat();
        let mut input = &line(longest)[..];
        assert_eq!(next_line(&mut input).unwrap().unwrap().len(), longest);
        assert_eq!(next_line(&mut input).unwrap().as_deref(), Some(&b"7"[..]));
        assert!(next_line(&mut input).unwrap().is_none());
        let refused = next_line(&mut &line(longest + 1)[..]);
        assert!(matches!(refused, Err(AdapterError::TooLong)));
    }

    #[test]
    fn what_is_no_question_is_answered_with_an_error() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let said = |line: &str| answer(&runtime, line.as_bytes()).to_string();
        for line in [
            "",
            "{",
            "[]",
            "7",
            r#"{"id":1}"#,
            r#"{"id":"a","operation":"client"}"#,
        ] {
            assert!(
                said(line).starts_with(r#"{"error":"no question: "#),
                "{line}"
            );
        }
        assert_eq!(
            said(r#"{"id":"a","operation":"dance","input":{}}"#),
            r#"{"id":"a","unsupported":true}"#
        );
        assert!(said(r#"{"id":"a","operation":"client","input":{}}"#).starts_with(r#"{"error":"#));
    }
}
