//! The line that a program answers with.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::fault::Fault;
use crate::judge::Judgement;
use crate::model::Verdict;

/// How much of a line is kept for the report, in characters.
const EXCERPT_CHARACTERS: usize = 200;

/// A program's answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    Unsupported,
    Judgement(Judgement),
}

#[derive(Deserialize)]
struct Line {
    id: String,
    result: Option<Verdict>,
    reason: Option<String>,
    output: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    unsupported: bool,
}

impl Reply {
    /// Reads the answer to the question about `id`. Members that the protocol does not know are ignored.
    pub(super) fn read(line: &[u8], id: &str) -> Result<Self, Fault> {
        let garbage = |why: String| Fault::Garbage {
            line: excerpt(line),
            why,
        };
        let answer: Line =
            serde_json::from_slice(line).map_err(|error| garbage(error.to_string()))?;
        if answer.id != id {
            let found = excerpt(answer.id.as_bytes());
            return Err(Fault::OtherId { found });
        }
        match (answer.result, answer.unsupported) {
            (None, true) => Ok(Self::Unsupported),
            (None, false) => Err(garbage(
                "it has neither a result nor unsupported true".to_owned(),
            )),
            (Some(_), true) => Err(garbage(
                "it has both a result and unsupported true".to_owned(),
            )),
            (Some(Verdict::Valid), false) if answer.reason.is_some() => {
                Err(garbage("a valid input has no reason".to_owned()))
            }
            (Some(result), false) => Ok(Self::Judgement(Judgement {
                result,
                reason: answer.reason,
                output: answer.output,
            })),
        }
    }
}

impl Reply {
    /// Adds to an output what the runner saw itself, whatever the program says of it.
    pub(super) fn with(mut self, name: &str, seen: Value) -> Self {
        if let Self::Judgement(Judgement {
            output: Some(output),
            ..
        }) = &mut self
        {
            output.insert(name.to_owned(), seen);
        }
        self
    }
}

/// The start of a line, whatever its bytes.
pub(super) fn excerpt(line: &[u8]) -> String {
    let kept = line.get(..4 * EXCERPT_CHARACTERS).unwrap_or(line);
    let text = String::from_utf8_lossy(kept);
    let text = text.trim_end_matches(['\n', '\r']);
    match text.char_indices().nth(EXCERPT_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None if kept.len() < line.len() => format!("{text}…"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Reply, String> {
        Reply::read(line.as_bytes(), "a").map_err(|fault| fault.to_string())
    }

    #[test]
    fn the_forms_of_an_answer() {
        assert_eq!(
            read(r#"{"id":"a","unsupported":true}"#),
            Ok(Reply::Unsupported)
        );
        let refused = Judgement {
            result: Verdict::Invalid,
            reason: Some("expired".to_owned()),
            output: None,
        };
        let line = r#"{"id":"a","result":"invalid","reason":"expired","output":null,"ms":3}"#;
        assert_eq!(read(line), Ok(Reply::Judgement(refused)));
        assert!(read("{\"id\":\"a\",\"result\":\"valid\",\"reason\":null}\r\n").is_ok());
    }

    #[test]
    fn everything_else_is_a_fault_that_says_why() {
        for (line, why) in [
            ("", "EOF while parsing"),
            ("\n", "EOF while parsing"),
            ("ready", "expected value"),
            (r#"{"result":"valid"}"#, "missing field `id`"),
            (r#"{"id":1,"result":"valid"}"#, "expected a string"),
            (r#"{"id":"a"}"#, "neither a result nor unsupported"),
            (
                r#"{"id":"a","unsupported":false}"#,
                "neither a result nor unsupported",
            ),
            (
                r#"{"id":"a","result":"valid","unsupported":true}"#,
                "both a result and unsupported",
            ),
            (
                r#"{"id":"a","result":"acceptable"}"#,
                "unknown variant `acceptable`",
            ),
            (
                r#"{"id":"a","result":"valid","reason":"expired"}"#,
                "a valid input has no reason",
            ),
            (
                r#"{"id":"a","result":"valid","result":"invalid"}"#,
                "duplicate field `result`",
            ),
            (r#"{"id":"a","result":"valid"} {}"#, "trailing characters"),
            (r#"{"id":"b","result":"valid"}"#, "the answer is for \"b\""),
        ] {
            let fault = read(line).unwrap_err();
            assert!(fault.contains(why), "{line}: {fault}");
        }
        assert!(Reply::read(b"\"\xff\"", "a").is_err());
    }

    #[test]
    fn an_excerpt_is_bounded() {
        assert_eq!(excerpt(b"x\r\n"), "x");
        assert_eq!(excerpt(&[b'x'; 200]).chars().count(), 200);
        for byte in [b'x', 0xff] {
            assert_eq!(excerpt(&[byte; 70_000]).chars().count(), 201);
        }
        assert_eq!(excerpt("ü".repeat(500).as_bytes()).chars().count(), 201);
    }
}
