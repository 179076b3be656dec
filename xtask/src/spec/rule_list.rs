//! The lists of rules beside the text: `retired-ids.toml` and `not-observable.toml`.

use std::ops::Range;
use std::path::Path;

use command_console::{Diagnostic, Place};
use serde::Deserialize;
use toml::Spanned;

use crate::repo::{self, RepoError};

/// Repository-relative path of the ids that are never used again.
pub const RETIRED: &str = "spec/draft/retired-ids.toml";

/// Repository-relative path of the rules that no vector, check or test can see.
pub const NOT_OBSERVABLE: &str = "spec/draft/not-observable.toml";

/// A list of rules, each with a reason:
///
/// ```toml
/// [[rule]]
/// id = "token.exp.max-life"
/// reason = "One sentence at least."
/// ```
#[derive(Debug, Default)]
pub struct RuleList {
    /// The entries in order.
    pub entries: Vec<Entry>,
    /// Why the file is no such list, if it is none.
    pub fault: Option<Diagnostic>,
    path: String,
    text: String,
}

/// One rule of a [`RuleList`].
#[derive(Debug)]
pub struct Entry {
    /// The rule's id.
    pub id: String,
    /// Why it is in the list.
    pub reason: String,
    span: Range<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rule: Vec<FileEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileEntry {
    id: Spanned<String>,
    reason: String,
}

impl RuleList {
    /// Reads `file`, which messages call `path`. A file that does not exist is an empty list.
    ///
    /// # Errors
    /// If the file exists and cannot be read.
    pub fn read(file: &Path, path: &str) -> Result<Self, RepoError> {
        let text = if file.exists() {
            repo::read_text(file)?
        } else {
            String::new()
        };
        Ok(Self::parse(text, path))
    }

    /// Reads a list from `text`, which messages call `path`. If it is not TOML of the form above, the list is empty and
    /// [`RuleList::fault`] says why.
    #[must_use]
    pub fn parse(text: String, path: &str) -> Self {
        let mut list = Self {
            path: path.to_owned(),
            text,
            ..Self::default()
        };
        match toml::from_str::<File>(&list.text) {
            Ok(file) => {
                let entry = |entry: FileEntry| Entry {
                    span: entry.id.span(),
                    id: entry.id.into_inner(),
                    reason: entry.reason,
                };
                list.entries = file.rule.into_iter().map(entry).collect();
            }
            Err(error) => {
                let span = error.span().unwrap_or_default();
                let fault = Diagnostic::error("rule-list", error.message().to_owned())
                    .at(Place::in_text(path, &list.text, span))
                    .help("write [[rule]] with id = \"...\" and reason = \"...\" for each rule");
                list.fault = Some(fault);
            }
        }
        list
    }

    /// The reason given for a rule.
    #[must_use]
    pub fn reason(&self, id: &str) -> Option<&str> {
        self.entries
            .iter()
            .find(|entry| entry.id == id)
            .map(|entry| entry.reason.as_str())
    }

    /// Where the entry is, for a finding.
    #[must_use]
    pub fn place(&self, entry: &Entry) -> Place {
        Place::in_text(&self.path, &self.text, entry.span.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_know_their_place() {
        let text = "# why\n[[rule]]\nid = \"a.b\"\nreason = \"Because.\"\n";
        let list = RuleList::parse(text.into(), "x.toml");
        let place = list.place(&list.entries[0]);
        assert_eq!(
            (place.line, place.column, place.length, place.text.as_str()),
            (3, 6, 5, "id = \"a.b\"")
        );
        assert_eq!(list.reason("a.b"), Some("Because."));
        assert_eq!(list.reason("a.c"), None);
    }

    #[test]
    fn what_is_no_list_is_a_finding() {
        for text in [
            "[[rule]]\nid = 1\n",
            "[[rule]]\nid = \"a.b\"\n",
            "[[rules]]\n",
            "=",
            "rule = 1",
        ] {
            let finding = RuleList::parse(text.into(), "x.toml").fault.unwrap();
            assert_eq!(finding.code(), "rule-list", "{text}");
        }
    }

    #[test]
    fn no_file_is_an_empty_list() {
        let list = RuleList::read(Path::new("/nonexistent/list.toml"), "x").unwrap();
        assert!(list.entries.is_empty());
    }
}
