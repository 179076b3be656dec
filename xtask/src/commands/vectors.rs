//! `vectors`: writes the test vectors, or says whether the ones that are there are those.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use command_console::{Console, Diagnostic, Failure, Outcome};
use conformance_vectors::lint::{self, lint};
use conformance_vectors::{MAX_FILE_BYTES, VectorFile, generate, render};

use crate::repo::{self, Repo, RepoError};
use crate::spec;
use crate::spec::text::Text;

/// Where the vectors are: for everybody, and once more inside the crate, since a published crate has nothing else.
const FOLDERS: [&str; 2] = ["test-vectors/draft", "crates/conformance-vectors/vectors"];

/// The page on their format, which is frozen with them.
const FORMAT: &str = "FORMAT.md";

/// The rules whose tables list the codes that vectors have to show.
const CODE_LISTS: [&str; 2] = ["code.token-list", "code.document-list"];

/// Writes the test vectors of the draft, after they were checked against its text.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask vectors           writes test-vectors/draft, and the copy in the crate
  cargo xtask vectors --check   says whether both are what would be written")]
pub struct Args {
    /// Write nothing; fail if something would be written.
    #[arg(long)]
    pub check: bool,
}

/// Runs the command: true if the vectors are sound and, with `--check`, are those in the repository.
///
/// # Errors
/// If a file cannot be read or written.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    let files = generate();
    let mut findings = check_against_text(&repo, &files)?;
    let rendered = render_all(&files, &mut findings);
    if args.check {
        findings.extend(differences(&repo, &rendered)?);
    } else if findings.is_empty() {
        write(&repo, &rendered)?;
    }
    for finding in &findings {
        console.talk(format_args!("{finding}\n"));
    }
    let count: usize = files.iter().map(|file| file.tests.len()).sum();
    console.data(format_args!(
        "{count} vectors in {} files: {}",
        files.len(),
        match (findings.len(), args.check) {
            (0, true) => "as in the repository".to_owned(),
            (0, false) => "written".to_owned(),
            (1, _) => "1 finding".to_owned(),
            (n, _) => format!("{n} findings"),
        }
    ));
    Ok(Outcome::from_bool(findings.is_empty()))
}

fn check_against_text(repo: &Repo, files: &[VectorFile]) -> Result<Vec<Diagnostic>, RepoError> {
    let source = repo::read_text(&repo.path(spec::DRAFT))?;
    let text = facts(&Text::parse(&source));
    let findings = lint(files, &text);
    Ok(findings
        .into_iter()
        .map(|finding| Diagnostic::error("vector", finding.to_string()))
        .collect())
}

/// What the text says that vectors refer to.
fn facts(text: &Text<'_>) -> lint::Text {
    let rules: BTreeMap<_, _> = text
        .rules
        .iter()
        .filter_map(|rule| Some((rule.id.clone(), rule.level()?)))
        .collect();
    let lists: Vec<_> = text
        .rules
        .iter()
        .filter(|rule| CODE_LISTS.contains(&rule.id.as_str()))
        .map(|rule| rule.body.clone())
        .collect();
    let codes = text
        .code
        .iter()
        .filter(|code| lists.iter().any(|list| list.contains(&code.span.start)))
        .map(|code| code.text.clone())
        .collect();
    lint::Text { rules, codes }
}

/// Each file's name and text.
fn render_all(files: &[VectorFile], findings: &mut Vec<Diagnostic>) -> BTreeMap<String, String> {
    let mut rendered = BTreeMap::new();
    for file in files {
        let name = format!("{}.json", file.kind);
        match render(file) {
            Ok(text) if text.len() <= MAX_FILE_BYTES => {
                rendered.insert(name, text);
            }
            Ok(text) => findings.push(
                Diagnostic::error("vector-file", format!("{name} has {} bytes", text.len()))
                    .note(format!("expected at most {MAX_FILE_BYTES}")),
            ),
            Err(error) => findings.push(Diagnostic::error(
                "vector-file",
                format!("{name} cannot be written: {error}"),
            )),
        }
    }
    rendered
}

fn write(repo: &Repo, rendered: &BTreeMap<String, String>) -> Result<(), RepoError> {
    for folder in FOLDERS {
        let folder = repo.path(folder);
        fs::create_dir_all(&folder).map_err(RepoError::io("create", &folder))?;
        for (name, text) in rendered {
            let path = folder.join(name);
            fs::write(&path, text).map_err(RepoError::io("write", &path))?;
        }
    }
    Ok(())
}

/// What in the repository is not what would be written.
fn differences(
    repo: &Repo,
    rendered: &BTreeMap<String, String>,
) -> Result<Vec<Diagnostic>, RepoError> {
    let mut differences = Vec::new();
    for folder in FOLDERS {
        let mut there = BTreeMap::new();
        // The schemas lie in a folder beside the vectors; they and the page on the format are written by hand.
        let is_made = |path: &PathBuf| !path.is_dir() && !path.ends_with(FORMAT);
        for path in repo::list(&repo.path(folder))?.into_iter().filter(is_made) {
            let name = repo.relative(&path);
            let name = name.rsplit('/').next().unwrap_or_default().to_owned();
            there.insert(name, repo::read(&path)?);
        }
        for (name, text) in rendered {
            let what = match there.remove(name) {
                None => "is missing".to_owned(),
                Some(bytes) if bytes == text.as_bytes() => continue,
                Some(bytes) => first_difference(&bytes, text),
            };
            differences.push(stale(folder, name, &what));
        }
        for name in there.keys() {
            differences.push(stale(folder, name, "is none of the generated files"));
        }
    }
    Ok(differences)
}

fn stale(folder: &str, name: &str, what: &str) -> Diagnostic {
    Diagnostic::error("vectors-stale", format!("{folder}/{name} {what}")).help(
        "vectors are changed in crates/conformance-vectors/src/generate; then: cargo xtask vectors",
    )
}

/// Where two texts of a file part, by the id of the vector.
fn first_difference(there: &[u8], expected: &str) -> String {
    let (Ok(there), Ok(expected)) = (
        serde_json::from_slice::<VectorFile>(there),
        serde_json::from_str::<VectorFile>(expected),
    ) else {
        return "is no file of vectors".to_owned();
    };
    let mut pairs = there.tests.iter().zip(&expected.tests);
    match pairs.find(|(there, expected)| there != expected) {
        Some((there, expected)) if there.id == expected.id => {
            format!("differs first in {}", expected.id)
        }
        Some((there, expected)) => {
            format!("has {} where {} is expected", there.id, expected.id)
        }
        None if there.tests.len() != expected.tests.len() => format!(
            "has {} vectors where {} are expected",
            there.tests.len(),
            expected.tests.len()
        ),
        None => "differs outside of its vectors".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use conformance_vectors::Level;

    use super::*;

    fn repository() -> (tempfile::TempDir, Repo, BTreeMap<String, String>) {
        let directory = tempfile::tempdir().unwrap();
        for folder in ["spec", "proof"] {
            fs::create_dir(directory.path().join(folder)).unwrap();
        }
        let repo = Repo::find_from(directory.path()).unwrap();
        let mut findings = Vec::new();
        let rendered = render_all(&generate(), &mut findings);
        assert_eq!(findings.len(), 0, "{findings:?}");
        write(&repo, &rendered).unwrap();
        (directory, repo, rendered)
    }

    fn found(repo: &Repo, rendered: &BTreeMap<String, String>) -> Vec<String> {
        let found = differences(repo, rendered).unwrap();
        found
            .iter()
            .map(|diagnostic| diagnostic.message().to_owned())
            .collect()
    }

    #[test]
    fn every_difference_is_named() {
        let (_directory, repo, rendered) = repository();
        assert_eq!(found(&repo, &rendered), [""; 0]);
        let path = |name: &str| repo.path(&format!("test-vectors/draft/{name}"));
        let edit = |name: &str, from: &str, to: &str| {
            let text = fs::read_to_string(path(name)).unwrap();
            fs::write(path(name), text.replacen(from, to, 1)).unwrap();
        };
        edit("token.json", "\"valid\"", "\"invalid\"");
        edit("names.json", "names-origin-plain", "names-origin-other");
        edit("answer.json", "\"version\": \"", "\"version\": \"9");
        fs::write(path("record.json"), "{}").unwrap();
        fs::remove_file(path("request.json")).unwrap();
        fs::write(path("more.json"), "{}").unwrap();
        assert_eq!(
            found(&repo, &rendered),
            [
                "test-vectors/draft/answer.json differs outside of its vectors",
                "test-vectors/draft/names.json has names-origin-other where names-origin-plain is expected",
                "test-vectors/draft/record.json is no file of vectors",
                "test-vectors/draft/request.json is missing",
                "test-vectors/draft/token.json differs first in token-plain",
                "test-vectors/draft/more.json is none of the generated files",
            ]
        );
    }

    #[test]
    fn codes_are_read_from_the_tables_of_the_text() {
        let text = "# T\n\n## 1. A\n\nr[code.token-list | vector]\nThe codes MUST be these:\n\n\
                    | code | rule |\n|---|---|\n| `one`, `two` | [a.b] |\n\n\
                    r[code.other | vector]\nThis SHOULD be `three`.\n";
        let facts = facts(&Text::parse(text));
        assert_eq!(facts.codes.into_iter().collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(facts.rules["code.token-list"], Level::Must);
        assert_eq!(facts.rules["code.other"], Level::Should);
    }
}
