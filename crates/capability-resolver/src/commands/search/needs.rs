//! A file of needs: read whole before the first is searched, answered line by line.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use capability_resolution::{Code, Need};
use command_console::style::{BOLD, DIM};
use command_console::{Console, Diagnostic, Explain, Format, Outcome};
use serde::{Deserialize, Serialize};

use super::Catalogue;

/// The longest file of needs, in bytes.
const FILE_MAX_BYTES: u64 = 64 << 20;

/// One need.
pub(super) struct Line {
    id: Id,
    /// The need, or the code for which it is none.
    need: Result<Need, Code>,
}

/// What names a need in the answer.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
}

#[derive(Deserialize)]
struct Asked {
    id: Id,
    need: String,
}

/// docs/schema/resolver-search-line.schema.json.
#[derive(Serialize)]
struct Answered<'a> {
    id: &'a Id,
    urls: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
}

/// Why a file of needs is none. The words of a need are in none of the messages.
#[derive(Debug, thiserror::Error)]
pub(super) enum NeedsError {
    #[error("cannot read {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{} has more than {FILE_MAX_BYTES} bytes", path.display())]
    TooLong { path: PathBuf },
    #[error("{} line {line} is not an object with id and need", path.display())]
    Form { path: PathBuf, line: usize },
}

impl Explain for NeedsError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "needs-unreadable",
            Self::TooLong { .. } => "needs-too-long",
            Self::Form { .. } => "needs-form",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Unreadable { .. } => None,
            Self::TooLong { .. } => Some("search for a part of it at a time".to_owned()),
            Self::Form { .. } => {
                Some("one line is like {\"id\": 1, \"need\": \"send an email\"}".to_owned())
            }
        }
    }
}

pub(super) fn read(path: &Path) -> Result<Vec<Line>, NeedsError> {
    let unreadable = |source| NeedsError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let stream: Box<dyn Read> = match path.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(File::open(path).map_err(unreadable)?),
    };
    let mut text = String::new();
    let read = stream
        .take(FILE_MAX_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(unreadable)?;
    if u64::try_from(read).is_ok_and(|read| read > FILE_MAX_BYTES) {
        return Err(NeedsError::TooLong {
            path: path.to_owned(),
        });
    }
    let lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(text, line)| {
            let asked: Asked = serde_json::from_str(text).map_err(|_| NeedsError::Form {
                path: path.to_owned(),
                line,
            })?;
            Ok(Line {
                id: asked.id,
                need: Need::new(&asked.need).map_err(|refusal| refusal.code()),
            })
        })
        .collect()
}

/// True if every one is a need.
pub(super) fn answer(
    lines: &[Line],
    catalogue: &Catalogue,
    format: Format,
    console: &mut Console,
) -> Outcome {
    let mut refused = 0_u64;
    for Line { id, need } in lines {
        let (urls, error) = match need {
            Ok(need) => (catalogue.urls(need), None),
            Err(code) => (Vec::new(), Some(code.as_str())),
        };
        refused += u64::from(error.is_some());
        match format {
            // A line is made of strings and numbers, which always can be written.
            Format::Json => {
                console
                    .data(serde_json::to_string(&Answered { id, urls, error }).unwrap_or_default());
            }
            Format::Human => {
                let note = error.unwrap_or(if urls.is_empty() { "nothing" } else { "" });
                console.data(format_args!(
                    "{BOLD}{}{BOLD:#} {DIM}{note}{DIM:#}",
                    command_console::visible(&id.to_string())
                ));
                urls.iter()
                    .for_each(|url| console.data(format_args!("  {url}")));
            }
        }
    }
    if refused > 0 {
        console.talk(
            Diagnostic::warning(
                "needs-refused",
                format!("{refused} of {} lines hold no need", lines.len()),
            )
            .help(
                "a need has 3 to 200 characters and no control character (rule resolve.need.read)",
            ),
        );
    }
    Outcome::from_bool(refused == 0)
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => number.fmt(f),
        }
    }
}
