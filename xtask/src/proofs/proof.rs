//! The proofs beside a manifest: which file is a proof of what, by whom, and whether it holds.

mod bitcoin;
mod timestamp;

use timestamp_proof::digest::Digest;

use super::authority::Authority;
use super::files::{self, Kind};
use super::manifest::{self, Manifest, printable};
use super::report::{Problem, ProofReport, ProofState};
use super::{AUTHORITIES, Context};
use crate::diagnostic::Diagnostic;
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

/// Checks every file in `proof/<version>` but the manifest; a file that is no proof of anything is a problem too.
pub(super) fn verify_all(
    context: &Context<'_>,
    version: &Version,
    manifest: Option<&Stamped>,
    entries: Option<&Manifest>,
) -> (Vec<ProofReport>, Vec<Problem>) {
    let folder = format!("proof/{version}");
    let found = match files::list(context.repo, &folder) {
        Ok(found) => found,
        Err(error) => return (Vec::new(), vec![Problem::unreadable(&folder, &error)]),
    };
    let (mut proofs, mut problems) = (Vec::new(), Vec::new());
    for found in found {
        let name = found.path.rsplit('/').next().unwrap_or_default().to_owned();
        if name == manifest::NAME {
            continue;
        }
        let judged = match (found.kind, Purpose::of(&name, &context.authorities)) {
            (Kind::File, Ok(purpose)) => match purpose.stamped(manifest, entries) {
                Some(stamped) => purpose.verify(context, &found.path, &stamped),
                // Of a manifest that is missing or malformed, that was said already.
                None if manifest.is_none() || entries.is_none() => continue,
                None => Err(orphan(
                    &found.path,
                    "the file that it would be a proof of is not listed, or two are called so",
                )),
            },
            (Kind::File, Err(why)) => Err(orphan(&found.path, why)),
            (Kind::Symlink, _) => {
                Err(files::FileFault::Symlink(found.path.clone()).problem(&found.path))
            }
            _ => Err(orphan(&found.path, "only files belong here")),
        };
        match judged {
            Ok(Some((proof, problem))) => {
                proofs.push(proof);
                problems.extend(problem);
            }
            Ok(None) => {}
            Err(problem) => problems.push(problem),
        }
    }
    (proofs, problems)
}

fn orphan(path: &str, why: &str) -> Problem {
    let message = format!("{} proves nothing here", printable(path));
    let names = "FILE.AUTHORITY.tsr, FILE.AUTHORITY.tsq or FILE.ots, where FILE is SHA256SUMS or a listed file";
    Problem::invalid(
        Diagnostic::error("proof.orphan", message)
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
            Self::Request { stamped }
        })
    }

    fn stamped(&self, manifest: Option<&Stamped>, entries: Option<&Manifest>) -> Option<Stamped> {
        let (Self::Token { stamped, .. } | Self::Request { stamped } | Self::Bitcoin { stamped }) =
            self;
        if *stamped == manifest::NAME {
            return manifest.cloned();
        }
        let (path, entry) = entries?.find_name(stamped)?;
        Some(Stamped {
            path: path.to_owned(),
            content: Content::Sha256(entry.digest.clone()),
        })
    }

    fn verify(
        &self,
        context: &Context<'_>,
        path: &str,
        stamped: &Stamped,
    ) -> Result<Option<(ProofReport, Option<Problem>)>, Problem> {
        match self {
            Self::Request { .. } => Ok(None),
            Self::Bitcoin { .. } => Ok(Some(bitcoin::verify(context, path, stamped))),
            Self::Token { authority, .. } => match Authority::load(context.repo, authority) {
                Ok(authority) => Ok(Some(timestamp::verify(context, path, stamped, &authority))),
                Err(error) => {
                    let diagnostic = Diagnostic::from_error(&error);
                    Err(Problem::unknown(
                        diagnostic
                            .fact("proof", path)
                            .fact("folder", format!("{AUTHORITIES}/{authority}")),
                    ))
                }
            },
        }
    }
}
