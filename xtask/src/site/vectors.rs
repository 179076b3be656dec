//! Files of vectors as they are shown: read without their schema, so that those of every version can be.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::SiteError;
use crate::repo::{self, Repo};
use crate::spec::rule_id::is_rule_id;

/// The vectors of one kind.
#[derive(Debug)]
pub(super) struct File {
    /// The stem of the file's name.
    pub(super) kind: String,
    /// The vectors in order.
    pub(super) tests: Vec<Vector>,
}

/// One vector.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Vector {
    pub(super) id: String,
    pub(super) comment: String,
    pub(super) rules: Vec<String>,
    pub(super) level: String,
    pub(super) derived_from: Option<String>,
    pub(super) mutation: Option<String>,
    pub(super) operation: String,
    pub(super) input: BTreeMap<String, Value>,
    pub(super) result: String,
    pub(super) reason: Option<String>,
    pub(super) output: Option<Value>,
    /// The vector as the file has it, in lines that begin at the margin.
    #[serde(skip)]
    pub(super) raw: String,
}

#[derive(Deserialize)]
struct RawFile {
    kind: String,
    tests: Vec<Box<RawValue>>,
}

/// The files of vectors of an edition, by kind.
pub(super) fn read(repo: &Repo, edition: &str) -> Result<Vec<File>, SiteError> {
    let folder = repo.path(&format!("test-vectors/{edition}"));
    let is_json = |path: &std::path::PathBuf| path.extension().is_some_and(|found| found == "json");
    repo::list(&folder)?
        .into_iter()
        .filter(is_json)
        .map(|path| {
            let text = repo::read_text(&path)?;
            file(&text).map_err(|detail| SiteError::Form {
                path: repo.relative(&path),
                what: "vectors",
                detail,
            })
        })
        .collect()
}

fn file(text: &str) -> Result<File, String> {
    let raw: RawFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let vector = |raw: Box<RawValue>| {
        let mut vector: Vector =
            serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
        // Both become names of files.
        if !is_slug(&vector.id) || !vector.rules.iter().all(|id| is_rule_id(id)) {
            return Err(format!("{:?} or a rule of it is no id", vector.id));
        }
        vector.raw = at_margin(raw.get());
        Ok(vector)
    };
    if !is_slug(&raw.kind) {
        return Err(format!("{:?} is no kind", raw.kind));
    }
    Ok(File {
        kind: raw.kind,
        tests: raw
            .tests
            .into_iter()
            .map(vector)
            .collect::<Result<_, _>>()?,
    })
}

fn is_slug(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.len() <= 120 && text.bytes().all(is_part)
}

/// Takes from each line what the last one, a bracket, is indented by.
fn at_margin(raw: &str) -> String {
    let last = raw.rsplit('\n').next().unwrap_or_default();
    let indent = last.len() - last.trim_start_matches(' ').len();
    let margin = " ".repeat(indent);
    let lines: Vec<_> = raw
        .split('\n')
        .map(|line| line.strip_prefix(&margin).unwrap_or(line))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const VECTOR: &str = "{\n      \"id\": \"ID\",\n      \"comment\": \"C.\",\n      \"rules\": [\"a.b\"],\n      \"level\": \"MUST\",\n      \
        \"derivedFrom\": null,\n      \"mutation\": null,\n      \"operation\": \"need\",\n      \"input\": {\"need\": \"x\"},\n      \
        \"result\": \"valid\",\n      \"reason\": null,\n      \"output\": null\n    }";

    fn with(id: &str) -> String {
        format!(
            "{{\n  \"kind\": \"request\",\n  \"tests\": [\n    {}\n  ]\n}}",
            VECTOR.replace("ID", id)
        )
    }

    #[test]
    fn a_vector_keeps_its_own_bytes() {
        let file = file(&with("request-a")).unwrap();
        let raw = &file.tests[0].raw;
        assert!(
            raw.starts_with("{\n  \"id\": \"request-a\",\n") && raw.ends_with("\n}"),
            "{raw}"
        );
    }

    #[test]
    fn what_would_be_another_path_is_no_id() {
        for id in ["../a", "a/b", "", "a.b", "A"] {
            assert!(file(&with(id)).is_err(), "{id}");
        }
    }
}
