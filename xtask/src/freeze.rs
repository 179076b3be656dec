//! Cutting a version: the draft's bytes become `spec/<version>`, `test-vectors/<version>` and `proof/<version>`.
//!
//! All or nothing. Everything is built in one folder ([`STAGING`]) of the same file system and then renamed into place,
//! `proof/<version>` last: a version exists if and only if that folder does ([`frozen`](crate::spec::version::frozen)). Whatever an
//! interrupted run left behind is taken away by the next one.

mod error;
mod staging;

use serde_json::Value;
use timestamp_proof::digest::{Digest, DigestAlgorithm};
use timestamp_proof::rfc3161;

pub use error::FreezeError;
pub use staging::STAGING;

use crate::commands::requirements;
use crate::proofs::authority::Authority;
pub use crate::proofs::manifest::NAME as SUMS;
use crate::repo::{self, Repo};
use crate::spec;
use crate::spec::examples::{EXAMPLES, Example};
use crate::spec::text::Text;
use crate::spec::version::Version;

use staging::Staging;

/// The folders whose drafts are frozen; the second may be empty.
const FOLDERS: [&str; 2] = ["spec", "test-vectors"];

/// What was frozen.
#[derive(Debug)]
pub struct Frozen {
    /// The frozen files, repository-relative and sorted, as `SHA256SUMS` lists them.
    pub files: Vec<String>,
    /// The SHA-256 digest of `SHA256SUMS`, which stands for all of them.
    pub manifest: Digest,
    /// The independent authorities for which there is a request.
    pub authorities: Vec<String>,
}

/// Called before each change of the file system; an error there is an error of the change. Tests break off here.
type Hook<'a> = &'a mut dyn FnMut() -> std::io::Result<()>;

/// Freezes the draft as `version`. With `strict`, or for a final version, every rule has to be covered.
///
/// # Errors
/// [`FreezeError`]: why the draft cannot be frozen. Nothing was changed then.
pub fn freeze(repo: &Repo, version: &Version, strict: bool) -> Result<Frozen, FreezeError> {
    let examples = EXAMPLES;
    Cut {
        repo,
        version,
        strict,
        examples,
    }
    .make(&mut || Ok(()))
}

/// A version to be cut.
struct Cut<'a> {
    repo: &'a Repo,
    version: &'a Version,
    strict: bool,
    examples: &'a [Example],
}

impl Cut<'_> {
    fn make(&self, hook: Hook<'_>) -> Result<Frozen, FreezeError> {
        Staging::clean(self.repo)?;
        self.check()?;
        let frozen = self.build(hook);
        if frozen.is_err() {
            Staging::clean(self.repo)?;
        }
        frozen
    }

    fn check(&self) -> Result<(), FreezeError> {
        let Self { repo, version, .. } = self;
        for folder in FOLDERS.into_iter().chain(["proof"]) {
            let path = format!("{folder}/{version}");
            if repo.path(&path).symlink_metadata().is_ok() {
                return Err(FreezeError::Exists { path });
            }
        }
        let changed = git(repo, &["status", "--porcelain", "--untracked-files=all"])?;
        if !changed.is_empty() {
            return Err(FreezeError::Dirty {
                changed: changed.lines().map(str::to_owned).collect(),
            });
        }
        let source = repo::read_text(&repo.path(spec::DRAFT))?;
        let said = Text::parse(&source)
            .versions
            .first()
            .map(|line| line.text.clone());
        if said.as_deref() != Some(version.to_string().as_str()) {
            return Err(FreezeError::HeadVersion {
                version: version.to_string(),
                found: said,
            });
        }
        self.check_vectors()?;
        let findings = spec::lint_draft(repo, self.examples)?.len();
        if findings > 0 {
            return Err(FreezeError::Lint { findings });
        }
        if self.strict || version.is_final() {
            let findings = requirements::findings(&requirements::read(repo)?, true).count();
            if findings > 0 {
                return Err(FreezeError::Requirements { findings });
            }
        }
        Ok(())
    }

    /// Whoever embeds a frozen file is to read in it which version it is of.
    fn check_vectors(&self) -> Result<(), FreezeError> {
        let version = self.version.to_string();
        for path in tracked_files(self.repo, "test-vectors/draft")? {
            let bytes = repo::read(&self.repo.path(&path))?;
            let file: Option<Value> = serde_json::from_slice(&bytes).ok();
            let found = file.as_ref().and_then(|file| file.get("version")?.as_str());
            if let Some(found) = found.filter(|found| *found != version) {
                let found = found.to_owned();
                return Err(FreezeError::VectorVersion {
                    path,
                    version,
                    found,
                });
            }
        }
        Ok(())
    }

    fn build(&self, hook: Hook<'_>) -> Result<Frozen, FreezeError> {
        let Self { repo, version, .. } = self;
        let mut staging = Staging::create(repo, version, hook)?;
        let mut files = Vec::new();
        let mut parts = Vec::new();
        for folder in FOLDERS {
            let drafts = tracked_files(repo, &format!("{folder}/draft"))?;
            if !drafts.is_empty() {
                parts.push(folder);
            }
            for draft in drafts {
                let inside = draft
                    .strip_prefix(&format!("{folder}/draft/"))
                    .unwrap_or(&draft);
                let bytes = repo::read(&repo.path(&draft))?;
                staging.write(folder, inside, &bytes, hook)?;
                files.push((
                    format!("{folder}/{version}/{inside}"),
                    sha256(&bytes).to_hex(),
                ));
            }
        }
        files.sort();
        let sums: String = files
            .iter()
            .map(|(path, digest)| format!("{digest}  {path}\n"))
            .collect();
        staging.write("proof", SUMS, sums.as_bytes(), hook)?;
        let manifest = sha256(sums.as_bytes());
        let authorities = independent_authorities(repo)?;
        for name in &authorities {
            let nonce = getrandom::u64().map_err(|source| FreezeError::Random {
                reason: source.to_string(),
            })?;
            let request = rfc3161::request(&manifest, Some(nonce), None);
            let request = request.map_err(FreezeError::Request)?;
            staging.write("proof", &format!("{SUMS}.{name}.tsq"), &request, hook)?;
        }
        parts.push("proof");
        staging.commit(repo, &parts, hook)?;
        Ok(Frozen {
            files: files.into_iter().map(|(path, _)| path).collect(),
            manifest,
            authorities,
        })
    }
}

fn sha256(bytes: &[u8]) -> Digest {
    Digest::of_bytes(DigestAlgorithm::Sha256, bytes)
}

fn independent_authorities(repo: &Repo) -> Result<Vec<String>, FreezeError> {
    let mut independent = Vec::new();
    for name in Authority::names(repo)? {
        if Authority::load(repo, &name)?.description().independent {
            independent.push(name);
        }
    }
    Ok(independent)
}

/// The files under `folder` that git knows, sorted: what is ignored or a link is no part of a version.
fn tracked_files(repo: &Repo, folder: &str) -> Result<Vec<String>, FreezeError> {
    let listed = git(repo, &["ls-files", "-z", "--", folder])?;
    let mut files: Vec<_> = listed.split_terminator('\0').map(str::to_owned).collect();
    files.sort();
    for path in &files {
        let is_portable = path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
        let is_file = repo
            .path(path)
            .symlink_metadata()
            .is_ok_and(|file| file.is_file());
        if !is_portable || !is_file {
            return Err(FreezeError::FileName { path: path.clone() });
        }
    }
    Ok(files)
}

fn git(repo: &Repo, arguments: &[&str]) -> Result<String, FreezeError> {
    let run = std::process::Command::new("git")
        .arg("-C")
        .arg(repo.root())
        .args(arguments)
        .output();
    let output = run.map_err(|source| FreezeError::Git {
        reason: source.to_string(),
    })?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(FreezeError::Git { reason });
    }
    String::from_utf8(output.stdout).map_err(|_| FreezeError::Git {
        reason: "a path is not UTF-8".into(),
    })
}

#[cfg(test)]
mod tests;
