//! The proofs of the frozen versions: what `proof/` holds, and whether it is true.
//!
//! Everything here reads files of the repository and nothing else: no network, no clock. What it finds are values
//! ([`report`]); [`human`] prints them.

pub mod authority;
pub mod files;
pub mod headers;
pub mod human;
pub mod manifest;
pub mod proof;
pub mod report;
pub mod upstream;
mod version;

use std::collections::{BTreeMap, BTreeSet};

use command_console::Diagnostic;
use timestamp_proof::ots::BlockHeader;

use crate::repo::{Repo, RepoError};
use crate::spec::version::Version;
use authority::Authority;
use files::Kind;
use headers::Header;
use report::{Problem, Report, Verdict, VersionReport, worst};
use upstream::UpstreamFile;

/// Repository-relative path of the folder that holds one folder for each time-stamping authority.
pub const AUTHORITIES: &str = "proof/authorities";

/// What to verify, and what is given besides the repository.
#[derive(Debug, Clone)]
pub struct Options {
    /// The versions; none for all.
    pub versions: Vec<String>,
    /// Block headers that the caller vouches for.
    pub headers: Vec<Header>,
    /// Bytes of texts of others.
    pub upstream: Vec<UpstreamFile>,
    /// Whether a version without a proof by somebody independent is undecided.
    pub require_independent: bool,
    /// How much work a block header must have to count, see [`headers::LEAST_WORK_BITS`].
    pub least_work_bits: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            versions: Vec::new(),
            headers: Vec::new(),
            upstream: Vec::new(),
            require_independent: false,
            least_work_bits: headers::LEAST_WORK_BITS,
        }
    }
}

/// What the checks of a version share.
struct Context<'a> {
    repo: &'a Repo,
    authorities: Vec<String>,
    headers: BTreeMap<u64, BlockHeader>,
    least_work_bits: u32,
}

/// Verifies the versions that are asked for, with everything that is held of them.
#[must_use]
pub fn verify(repo: &Repo, options: &Options) -> Report {
    let mut report = Report::default();
    let (upstream, problems) = upstream::verify(repo, &options.upstream);
    report.upstream = upstream;
    report.problems = problems;

    let versions = existing(repo).map(|existing| {
        if existing.is_empty() {
            report.problems.push(Problem::unknown(Diagnostic::error(
                "no-version",
                "no version exists: nothing was frozen yet, and `spec` holds the draft alone",
            )));
        }
        asked(existing, &options.versions, &mut report.problems)
    });
    let headers = headers::gather(repo, &options.headers).unwrap_or_else(|problem| {
        report.problems.push(problem);
        BTreeMap::new()
    });
    match (versions, Authority::names(repo)) {
        (Ok(versions), Ok(authorities)) => {
            let context = Context {
                repo,
                authorities,
                headers,
                least_work_bits: options.least_work_bits,
            };
            report.versions = versions
                .iter()
                .map(|version| version::verify(&context, version))
                .collect();
        }
        (versions, names) => {
            let errors = [
                ("the folders of versions", versions.err()),
                (AUTHORITIES, names.err()),
            ];
            let told = errors
                .into_iter()
                .filter_map(|(path, error)| Some(Problem::unreadable(path, &error?)));
            report.problems.extend(told);
        }
    }
    if options.require_independent {
        report.versions.iter_mut().for_each(require_independent);
    }
    let verdicts = report.versions.iter().map(|version| version.verdict);
    report.verdict = verdicts
        .max()
        .unwrap_or_default()
        .max(worst(&report.problems));
    report
}

/// Every folder of a version, in whichever of the three places it is.
fn existing(repo: &Repo) -> Result<BTreeSet<Version>, RepoError> {
    let mut versions = BTreeSet::new();
    for place in ["spec", "test-vectors", "proof"] {
        for found in files::list(repo, place)? {
            // A link is a version too, so that it is told.
            if matches!(found.kind, Kind::Folder | Kind::Symlink) {
                versions.extend(
                    found
                        .path
                        .rsplit('/')
                        .next()
                        .and_then(|name| name.parse::<Version>().ok()),
                );
            }
        }
    }
    Ok(versions)
}

fn asked(
    existing: BTreeSet<Version>,
    asked: &[String],
    problems: &mut Vec<Problem>,
) -> Vec<Version> {
    let names: Vec<_> = existing.iter().map(ToString::to_string).collect();
    for name in asked.iter().filter(|name| !names.contains(name)) {
        let name = manifest::printable(name);
        let diagnostic =
            Diagnostic::error("unknown-version", format!("there is no version {name}"));
        let known = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        problems.push(Problem::unknown(diagnostic.fact("versions", known)));
    }
    let wanted = |version: &Version| asked.is_empty() || asked.contains(&version.to_string());
    existing.into_iter().filter(wanted).collect()
}

fn require_independent(version: &mut VersionReport) {
    if version.independent {
        return;
    }
    let message = format!(
        "nobody independent vouches for the time of {}",
        version.version
    );
    let help = format!(
        "with a network: cargo xtask-network stamp {} --authority freetsa",
        version.version
    );
    version.problems.push(Problem::unknown(
        Diagnostic::error("no-independent", message).help(help),
    ));
    version.verdict = version.verdict.max(Verdict::Unknown);
}
