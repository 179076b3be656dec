//! What covers the rules: vectors, checks of the conformance checker, and tests.
//!
//! - A vector covers the rules in an array `rules`, at any depth of a JSON file under `test-vectors/draft`; a check of an
//!   origin those in `docs/checks.json`, which a test of the checker keeps.
//! - A comment `r[rule.id]` in test code (`tests/`, `tests.rs`, below `#[cfg(test)]`, or a test file of the programs
//!   under `interop`) says that the test beside it covers the rule; in the conformance checker's own source it says that
//!   the check does.
//! - A comment in other source names the rule that the code follows. That covers nothing, but the rule has to exist.

use std::path::{Path, PathBuf};

use command_console::{Diagnostic, Place};
use serde::Serialize;

use crate::repo::{self, Repo, RepoError};
use crate::spec::rule_id;

/// Where the vectors of the draft are.
const VECTORS: &str = "test-vectors/draft";

/// Repository-relative path of the checks of an origin.
pub const CHECKS: &str = "docs/checks.json";

/// Where comments are read.
const SOURCES: [&str; 3] = ["crates", "interop", "xtask/tests"];

/// The source of the conformance checker: a rule named there is one that it checks.
const CHECKER: &str = "crates/capability-resolution-check/src/";

/// Folders of other people's files and of build products.
const FOREIGN: [&str; 6] = [
    "target",
    "node_modules",
    ".venv",
    "__pycache__",
    "corpus",
    "artifacts",
];

/// Folders deeper than this are not entered.
const MAX_DEPTH: usize = 16;

/// What covers a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A vector.
    Vector,
    /// A check of the conformance checker.
    Check,
    /// A test.
    Test,
}

/// One place that names a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The id that is named.
    pub id: String,
    /// What covers the rule; `None` if the place only names it.
    pub kind: Option<Kind>,
    /// Repository-relative path.
    pub path: String,
    /// Where in the file.
    pub at: At,
}

/// Where in a file a [`Citation`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// A comment.
    Comment(Place),
    /// A vector or a check in a list, with its `id` if it has one.
    Listed(Option<String>),
}

/// Everything that names rules, and the files that could not be understood.
#[derive(Debug, Default)]
pub struct Coverage {
    /// In the order of paths and lines.
    pub citations: Vec<Citation>,
    /// Files of vectors or checks that are no JSON.
    pub findings: Vec<Diagnostic>,
}

impl Coverage {
    /// Reads vectors and comments of a repository.
    ///
    /// # Errors
    /// If a file or directory cannot be read.
    pub fn read(repo: &Repo) -> Result<Self, RepoError> {
        let mut coverage = Self::of_vectors(repo, VECTORS)?;
        let checks = repo.path(CHECKS);
        if checks.exists() {
            coverage.listed(Kind::Check, CHECKS, &repo::read_text(&checks)?);
        }
        for path in SOURCES
            .iter()
            .map(|folder| files(&repo.path(folder)))
            .collect::<Result<Vec<_>, _>>()?
            .concat()
        {
            if has_extension(&path, &["rs", "py", "js", "mjs"]) {
                coverage.comments(&repo.relative(&path), &repo::read_text(&path)?);
            }
        }
        Ok(coverage)
    }

    /// Reads the vectors in a folder of a repository, and nothing else.
    ///
    /// # Errors
    /// If a file or directory cannot be read.
    pub fn of_vectors(repo: &Repo, folder: &str) -> Result<Self, RepoError> {
        let mut coverage = Self::default();
        for path in files(&repo.path(folder))? {
            if has_extension(&path, &["json"]) {
                let text = repo::read_text(&path)?;
                coverage.listed(Kind::Vector, &repo.relative(&path), &text);
            }
        }
        Ok(coverage)
    }

    /// The rules in a file of vectors or checks.
    fn listed(&mut self, kind: Kind, path: &str, text: &str) {
        match serde_json::from_str(text) {
            Ok(value) => self.listed_rules(kind, path, &value, None),
            Err(error) => {
                let line = text
                    .split('\n')
                    .nth(error.line().saturating_sub(1))
                    .unwrap_or_default();
                let place = Place {
                    path: path.to_owned(),
                    line: error.line().max(1),
                    column: error.column().max(1),
                    length: 1,
                    text: line.chars().take(200).collect(),
                };
                let message = format!("the file is not JSON: {error}");
                self.findings.push(
                    Diagnostic::error("vector-file", message)
                        .at(place)
                        .help("generate it again"),
                );
            }
        }
    }

    /// serde_json bounds the depth of what it reads, so this recursion is bounded too.
    fn listed_rules(
        &mut self,
        kind: Kind,
        path: &str,
        value: &serde_json::Value,
        around: Option<&str>,
    ) {
        match value {
            serde_json::Value::Array(values) => {
                for value in values {
                    self.listed_rules(kind, path, value, around);
                }
            }
            serde_json::Value::Object(members) => {
                let name = members
                    .get("id")
                    .and_then(serde_json::Value::as_str)
                    .or(around);
                for (key, value) in members {
                    match value.as_array() {
                        Some(ids) if key == "rules" => {
                            let ids = ids.iter().filter_map(serde_json::Value::as_str);
                            self.citations.extend(ids.map(|id| Citation {
                                id: id.to_owned(),
                                kind: Some(kind),
                                path: path.to_owned(),
                                at: At::Listed(name.map(str::to_owned)),
                            }));
                        }
                        _ => self.listed_rules(kind, path, value, name),
                    }
                }
            }
            _ => {}
        }
    }

    fn comments(&mut self, path: &str, text: &str) {
        let opening = if path.ends_with(".py") { "#" } else { "//" };
        let mut in_tests = is_test_file(path);
        for (index, line) in text.lines().enumerate() {
            in_tests |= path.ends_with(".rs") && line.trim_start().starts_with("#[cfg(test)]");
            let Some(comment) = line.find(opening) else {
                continue;
            };
            let kind = match () {
                () if in_tests => Some(Kind::Test),
                () if path.starts_with(CHECKER) => Some(Kind::Check),
                () => None,
            };
            for (at, id) in rule_id::cited(&line[comment..]) {
                let place = Place {
                    path: path.to_owned(),
                    line: index + 1,
                    column: line[..comment + at].chars().count() + 1,
                    length: id.len(),
                    text: line.to_owned(),
                };
                let at = At::Comment(place);
                self.citations.push(Citation {
                    id: id.to_owned(),
                    kind,
                    path: path.to_owned(),
                    at,
                });
            }
        }
    }
}

/// True for a file that holds tests only.
fn is_test_file(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or_default();
    let is_named_so = match name.rsplit_once('.') {
        Some((_, "rs")) => stem == "tests",
        Some((stem, _)) => {
            stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with(".test")
        }
        None => false,
    };
    is_named_so
        || folder
            .split('/')
            .any(|part| part == "tests" || part == "test")
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| extensions.contains(&extension))
}

/// The files below a folder in order; symbolic links are not followed.
fn files(folder: &Path) -> Result<Vec<PathBuf>, RepoError> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_path_buf(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for path in repo::list(&folder)? {
            let is_foreign = path
                .file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| FOREIGN.contains(&name));
            let kind = path
                .symlink_metadata()
                .map_err(RepoError::io("read", &path))?
                .file_type();
            if kind.is_file() {
                found.push(path);
            } else if kind.is_dir() && !is_foreign && depth < MAX_DEPTH {
                folders.push((path, depth + 1));
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(path: &str, text: &str) -> Vec<(String, Option<Kind>)> {
        let mut coverage = Coverage::default();
        coverage.comments(path, text);
        coverage
            .citations
            .into_iter()
            .map(|citation| (citation.id, citation.kind))
            .collect()
    }

    #[test]
    fn a_comment_covers_only_in_tests_and_in_the_checker() {
        let rule = || "a.b".to_owned();
        let comment = "// r[a.b]\nlet x = r[0]; // arr[c.d]\n";
        assert_eq!(
            cited("crates/x/tests/y.rs", comment),
            [(rule(), Some(Kind::Test))]
        );
        assert_eq!(
            cited("crates/x/src/y/tests.rs", comment),
            [(rule(), Some(Kind::Test))]
        );
        assert_eq!(cited("crates/x/src/y.rs", comment), [(rule(), None)]);
        assert_eq!(cited("crates/x/src/latest.rs", comment), [(rule(), None)]);
        assert_eq!(
            cited("crates/capability-resolution-check/src/y.rs", comment),
            [(rule(), Some(Kind::Check))]
        );
        assert_eq!(
            cited("interop/node/jws.test.mjs", comment),
            [(rule(), Some(Kind::Test))]
        );
        assert_eq!(
            cited("interop/python/test_jws.py", "x = 'r[c.d]'  # r[a.b]\n"),
            [(rule(), Some(Kind::Test))]
        );
        assert_eq!(
            cited("interop/python/jws.py", "# r[a.b]\n"),
            [(rule(), None)]
        );

        let both =
            "/// r[a.b]\nfn f() {}\n#[cfg(test)]\nmod tests {\n    // r[a.b] and r[a.c]\n}\n";
        let expected = [
            (rule(), None),
            (rule(), Some(Kind::Test)),
            ("a.c".to_owned(), Some(Kind::Test)),
        ];
        assert_eq!(cited("crates/x/src/y.rs", both), expected);
    }

    #[test]
    fn lists_name_rules_at_any_depth() {
        let mut coverage = Coverage::default();
        coverage.listed(Kind::Vector, "v.json", r#"{"id": "all", "groups": [{"cases": [{"id": "one", "rules": ["a.b", "a.c"]}]}], "rules": ["a.d"]}"#);
        let found: Vec<_> = coverage
            .citations
            .iter()
            .map(|c| (c.id.as_str(), c.at.clone()))
            .collect();
        let at = |id: &str| At::Listed(Some(id.to_owned()));
        assert_eq!(
            found,
            [("a.b", at("one")), ("a.c", at("one")), ("a.d", at("all"))]
        );
        coverage.listed(
            Kind::Check,
            "c.json",
            r#"[{"id": "check", "rules": ["a.b"]}]"#,
        );
        let check = coverage.citations.last().unwrap();
        assert_eq!((check.kind, &check.at), (Some(Kind::Check), &at("check")));
        coverage.listed(Kind::Vector, "v.json", "{\n\"rules\": [\n");
        let finding = &coverage.findings[0];
        assert_eq!(
            (finding.code(), finding.place().map(|place| place.line)),
            ("vector-file", Some(3))
        );
    }
}
