//! `proof/upstream.toml`: what others state about their texts, whose bytes are not held here.

use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use command_console::Diagnostic;
use serde::Deserialize;
use timestamp_proof::digest::{Digest, DigestAlgorithm};

use super::report::{Problem, UpstreamBytes, UpstreamReport};
use crate::repo::{self, Repo, RepoError};

/// Repository-relative path of the statements.
const PATH: &str = "proof/upstream.toml";

/// The bytes of a text of somebody else, as given on the command line: `0.2=PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamFile {
    version: String,
    path: PathBuf,
}

impl FromStr for UpstreamFile {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        match written.split_once('=') {
            Some((version, path)) if !version.is_empty() && !path.is_empty() => Ok(Self {
                version: version.to_owned(),
                path: path.into(),
            }),
            _ => Err("expected VERSION=PATH, such as 0.2=text.md".to_owned()),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Statements {
    text: Vec<Statement>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Statement {
    version: String,
    publisher: String,
    sha256: Option<String>,
    timestamp: Option<toml::value::Datetime>,
    timestamp_by: Option<String>,
    bitcoin_block: Option<u64>,
}

/// Reads the statements and compares the files that were given with them.
pub(super) fn verify(repo: &Repo, files: &[UpstreamFile]) -> (Vec<UpstreamReport>, Vec<Problem>) {
    let mut problems = Vec::new();
    let statements = read(repo).unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    let mut reports: Vec<_> = statements.into_iter().map(Statement::report).collect();
    for file in files {
        let Some(report) = reports
            .iter_mut()
            .find(|report| report.version == file.version)
        else {
            let stated: Vec<_> = reports
                .iter()
                .map(|report| report.version.as_str())
                .collect();
            let message = format!("{PATH} states nothing about a version {}", file.version);
            let diagnostic = Diagnostic::error("upstream-unknown-version", message);
            problems.push(Problem::unknown(
                diagnostic.fact("stated", stated.join(", ")),
            ));
            continue;
        };
        let compared = compare(report, file);
        report.bytes = match &compared {
            Ok(()) => UpstreamBytes::AsStated,
            Err(problem) if problem.verdict == super::report::Verdict::Invalid => {
                UpstreamBytes::Different
            }
            Err(_) => UpstreamBytes::Unknown,
        };
        problems.extend(compared.err());
    }
    (reports, problems)
}

fn compare(report: &UpstreamReport, file: &UpstreamFile) -> Result<(), Problem> {
    let UpstreamFile { version, path } = file;
    let Some(stated) = &report.sha256 else {
        let message = format!(
            "{} states no digest of its {version}: {} cannot be compared",
            report.publisher,
            path.display()
        );
        return Err(Problem::unknown(Diagnostic::error(
            "upstream-no-digest",
            message,
        )));
    };
    let bytes = repo::read(path)
        .map_err(|error| Problem::unreadable(&path.display().to_string(), &error))?;
    let found = Digest::of_bytes(DigestAlgorithm::Sha256, &bytes).to_hex();
    if &found == stated {
        return Ok(());
    }
    let message = format!(
        "{} is not the {version} that {} published",
        path.display(),
        report.publisher
    );
    let diagnostic = Diagnostic::error("upstream-file-differs", message)
        .fact("stated", format!("sha256 {stated}   {PATH}"))
        .fact("given", format!("sha256 {found}"));
    Err(Problem::invalid(diagnostic))
}

fn read(repo: &Repo) -> Result<Vec<Statement>, Problem> {
    let text = match repo::read_text(&repo.path(PATH)) {
        Err(RepoError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(Vec::new());
        }
        text => text.map_err(|error| Problem::unreadable(PATH, &error))?,
    };
    let statements: Statements = toml::from_str(&text).map_err(|error| {
        let message = format!("{PATH} is not a list of statements: {}", error.message());
        Problem::unknown(Diagnostic::error("upstream-form", message))
    })?;
    Ok(statements.text)
}

impl Statement {
    fn report(self) -> UpstreamReport {
        let Self {
            version,
            publisher,
            sha256,
            timestamp,
            timestamp_by,
            bitcoin_block,
        } = self;
        let bytes = UpstreamBytes::NotHeld;
        UpstreamReport {
            version,
            publisher,
            sha256,
            timestamp,
            timestamp_by,
            bitcoin_block,
            bytes,
        }
    }
}
