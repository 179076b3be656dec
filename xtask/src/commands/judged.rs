//! How the commands that judge one proof of time answer.

use std::io;
use std::path::Path;

use command_console::{Console, Format, Outcome};
use serde::Serialize;

/// A verdict, what led to it, and what was found.
#[derive(Debug, Serialize)]
pub(super) struct Judged<F> {
    pub(super) verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<&'static str>,
    pub(super) detail: String,
    #[serde(flatten)]
    pub(super) found: F,
}

impl<F: Default> Judged<F> {
    pub(super) fn new(verdict: &'static str, code: &'static str, detail: String) -> Self {
        Self {
            verdict,
            code: Some(code),
            detail,
            found: F::default(),
        }
    }

    pub(super) fn invalid(code: &'static str, detail: String) -> Self {
        Self::new("invalid", code, detail)
    }

    pub(super) fn unknown(code: &'static str, detail: String) -> Self {
        Self::new("unknown", code, detail)
    }

    /// What cannot be read is a verdict too.
    pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| {
            let detail = format!("cannot read {}: {error}", path.display());
            Self::unknown("unreadable", detail)
        }
    }
}

impl<F: Serialize> Judged<F> {
    /// Writes the answer; for people, what was found by `print`. True if valid, false if invalid.
    pub(super) fn write(
        &self,
        format: Format,
        console: &mut Console,
        print: impl FnOnce(&F, &mut Console),
    ) -> Outcome {
        match format {
            Format::Json => console.json(self),
            Format::Human => {
                let code = self.code.map_or(String::new(), |code| format!(" [{code}]"));
                console.data(format_args!("{}{code}: {}", self.verdict, self.detail));
                print(&self.found, console);
            }
        }
        match self.verdict {
            "valid" => Outcome::True,
            "invalid" => Outcome::False,
            _ => Outcome::Unknown,
        }
    }
}
