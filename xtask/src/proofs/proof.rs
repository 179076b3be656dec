//! The proofs beside a manifest: which file is a proof of what, by whom, and whether it holds.

mod bitcoin;
mod timestamp;

use command_console::Diagnostic;
use timestamp_proof::digest::Digest;

use super::Context;
use super::authority::Authority;
use super::files::{self, FileFault, Found, Kind};
use super::manifest::{self, Manifest, printable};
use super::report::{Problem, ProofReport, ProofState};
use crate::spec::version::Version;

/// A file that a proof is about.
#[derive(Debug, Clone)]
pub(super) struct Stamped {
    /// Its path relative to the repository.
    path: String,
    /// Its frozen content, or, of a listed file, the digest of that.
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Bytes(Vec<u8>),
    Sha256(Digest),
}

impl Stamped {
    /// The manifest itself.
    pub(super) fn manifest(version: &Version, bytes: &[u8]) -> Self {
        Self {
            path: manifest::path(version),
            content: Content::Bytes(bytes.to_vec()),
        }
    }
}

impl ProofReport {
    /// Whether the proof shows a time.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        matches!(self.state, ProofState::Proven(_))
    }
}

/// What lies beside a manifest.
#[derive(Debug, Default)]
pub(super) struct All {
    pub(super) proofs: Vec<ProofReport>,
    pub(super) unanswered: Vec<String>,
    pub(super) problems: Vec<Problem>,
}

/// Checks every file in `proof/<version>` but the manifest; a file that is no proof of anything is a problem too.
pub(super) fn verify_all(
    context: &Context<'_>,
    version: &Version,
    manifest: Option<&Stamped>,
    entries: Option<&Manifest>,
) -> All {
    let mut all = All::default();
    let folder = format!("proof/{version}");
    let found = files::list(context.repo, &folder).unwrap_or_else(|error| {
        all.problems.push(Problem::unreadable(&folder, &error));
        Vec::new()
    });
    for Found { path, kind } in &found {
        let name = path.rsplit('/').next().unwrap_or_default();
        if name == manifest::NAME {
            continue;
        }
        let purpose = match (kind, Purpose::of(name, &context.authorities)) {
            (Kind::File, Ok(purpose)) => purpose,
            (Kind::File, Err(why)) => {
                all.problems.push(orphan(path, why));
                continue;
            }
            (Kind::Symlink, _) => {
                all.problems
                    .push(FileFault::Symlink(path.clone()).problem(path));
                continue;
            }
            _ => {
                all.problems.push(orphan(path, "only files belong here"));
                continue;
            }
        };
        let Some(stamped) = purpose.stamped(manifest, entries) else {
            // Of a manifest that is missing or malformed, that was said already.
            if manifest.is_some() && entries.is_some() {
                let why =
                    "the file that it would be a proof of is not listed, or two are called so";
                all.problems.push(orphan(path, why));
            }
            continue;
        };
        match purpose {
            Purpose::Bitcoin { .. } => all.add(bitcoin::verify(context, path, &stamped)),
            Purpose::Token { authority, .. } => match Authority::load(context.repo, authority) {
                Ok(authority) => all.add(timestamp::verify(context, path, &stamped, &authority)),
                Err(error) => {
                    let diagnostic = Diagnostic::from_error(&error).fact("proof", path);
                    all.problems.push(Problem::unknown(diagnostic));
                }
            },
            Purpose::Request { authority, .. } => {
                let answer = format!("{}tsr", path.trim_end_matches("tsq"));
                if !found.iter().any(|found| found.path == answer) {
                    all.unanswered.push(authority.to_owned());
                }
            }
        }
    }
    all
}

impl All {
    fn add(&mut self, (proof, problem): (ProofReport, Option<Problem>)) {
        self.proofs.push(proof);
        self.problems.extend(problem);
    }
}

fn orphan(path: &str, why: &str) -> Problem {
    let message = format!("{} proves nothing here", printable(path));
    let names = "FILE.AUTHORITY.tsr, FILE.AUTHORITY.tsq or FILE.ots, where FILE is SHA256SUMS or a listed file";
    Problem::invalid(
        Diagnostic::error("orphan", message)
            .fact("expected", names)
            .note(why),
    )
}

/// What a file beside a manifest is for, by its name.
enum Purpose<'a> {
    Token {
        stamped: &'a str,
        authority: &'a str,
    },
    Request {
        stamped: &'a str,
        authority: &'a str,
    },
    Bitcoin {
        stamped: &'a str,
    },
}

impl<'a> Purpose<'a> {
    fn of(name: &'a str, authorities: &'a [String]) -> Result<Self, &'static str> {
        if let Some(stamped) = name.strip_suffix(".ots") {
            return Ok(Self::Bitcoin { stamped });
        }
        let (stem, is_token) = match (name.strip_suffix(".tsr"), name.strip_suffix(".tsq")) {
            (Some(stem), _) => (stem, true),
            (_, Some(stem)) => (stem, false),
            _ => return Err("its name ends in none of the three ways"),
        };
        // A name may hold dots, so the longest authority that fits is the one that is meant.
        let fits = |authority: &&String| {
            stem.strip_suffix(authority.as_str())
                .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
        };
        let Some(authority) = authorities
            .iter()
            .filter(fits)
            .max_by_key(|authority| authority.len())
        else {
            return Err("no authority in proof/authorities is called so");
        };
        let stamped = stem
            .get(..stem.len() - authority.len() - 1)
            .unwrap_or_default();
        Ok(if is_token {
            Self::Token { stamped, authority }
        } else {
            Self::Request { stamped, authority }
        })
    }

    fn stamped(&self, manifest: Option<&Stamped>, entries: Option<&Manifest>) -> Option<Stamped> {
        let (Self::Token { stamped, .. }
        | Self::Request { stamped, .. }
        | Self::Bitcoin { stamped }) = self;
        if *stamped == manifest::NAME {
            return manifest.cloned();
        }
        let (path, entry) = entries?.find_name(stamped)?;
        Some(Stamped {
            path: path.to_owned(),
            content: Content::Sha256(entry.digest.clone()),
        })
    }
}
