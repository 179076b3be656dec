//! One frozen version: its files against the manifest, and what lies where nothing should.

use command_console::Diagnostic;
use timestamp_proof::digest::{Digest, DigestAlgorithm};

use super::Context;
use super::files::{self, FileFault, Found, Kind};
use super::manifest::{self, Entry, Manifest};
use super::proof::{self, Stamped};
use super::report::{Problem, VersionReport, worst};
use crate::spec::version::Version;

/// Checks all that this repository holds of a version.
pub(super) fn verify(context: &Context<'_>, version: &Version) -> VersionReport {
    let mut check = Check {
        context,
        version,
        problems: Vec::new(),
        checks: Vec::new(),
    };
    let manifest_bytes = check.manifest_bytes();
    let manifest = manifest_bytes
        .as_deref()
        .and_then(|bytes| check.manifest(bytes));
    let files_frozen = manifest
        .as_ref()
        .map_or(0, |manifest| check.files(manifest));
    if let Some(manifest) = &manifest {
        check.unlisted(manifest);
    }
    let stamped = manifest_bytes
        .as_deref()
        .map(|bytes| Stamped::manifest(version, bytes));
    let proof::All {
        proofs,
        unanswered,
        problems,
    } = proof::verify_all(context, version, stamped.as_ref(), manifest.as_ref());
    check.problems.extend(problems);

    let Check {
        problems, checks, ..
    } = check;
    let manifest_path = manifest::path(version);
    VersionReport {
        version: version.to_string(),
        verdict: worst(&problems),
        files_listed: manifest
            .as_ref()
            .map_or(0, |manifest| manifest.iter().len()),
        files_frozen,
        manifest_sha256: manifest_bytes
            .map(|bytes| Digest::of_bytes(DigestAlgorithm::Sha256, &bytes).to_hex()),
        independent: proofs
            .iter()
            .any(|proof| proof.independent && proof.is_proven() && proof.stamped == manifest_path),
        proofs,
        unanswered,
        checks,
        problems,
    }
}

struct Check<'a> {
    context: &'a Context<'a>,
    version: &'a Version,
    problems: Vec<Problem>,
    checks: Vec<String>,
}

impl Check<'_> {
    fn manifest_bytes(&mut self) -> Option<Vec<u8>> {
        let path = manifest::path(self.version);
        let problem = match files::read(self.context.repo, &path) {
            Ok(bytes) => return self.with_lf(&path, bytes),
            Err(FileFault::Missing) => {
                let message = format!(
                    "{} has no {path}: nothing says which bytes are frozen",
                    self.version
                );
                let help = format!("bring it back: git checkout -- {path}");
                Problem::invalid(Diagnostic::error("manifest-missing", message).help(help))
            }
            Err(fault) => fault.problem(&path),
        };
        self.problems.push(problem);
        None
    }

    /// A manifest whose line endings were rewritten says so, and is then read as it was frozen.
    fn with_lf(&mut self, path: &str, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let Some(frozen) = without_cr(&bytes) else {
            return Some(bytes);
        };
        if Manifest::parse(&frozen, self.version).is_ok() {
            self.problems.push(rewritten(
                Diagnostic::error(
                    "line-endings",
                    format!("{path} is not as it was frozen: its line endings were rewritten"),
                ),
                path,
            ));
            return Some(frozen);
        }
        Some(bytes)
    }

    fn manifest(&mut self, bytes: &[u8]) -> Option<Manifest> {
        match Manifest::parse(bytes, self.version) {
            Ok(manifest) => {
                self.checks.push(format!(
                    "{} has {} lines, each a digest and a path in a folder of {}, none twice",
                    manifest::path(self.version),
                    manifest.iter().len(),
                    self.version
                ));
                Some(manifest)
            }
            Err(diagnostic) => {
                self.problems.push(Problem::invalid(diagnostic));
                None
            }
        }
    }

    /// Compares each listed file with its digest, and counts those that are as they were frozen.
    fn files(&mut self, manifest: &Manifest) -> usize {
        let mut frozen = 0;
        for (path, entry) in manifest.iter() {
            match files::read(self.context.repo, path) {
                Ok(bytes) => match self.compare(path, entry, &bytes) {
                    None => frozen += 1,
                    Some(problem) => self.problems.push(problem),
                },
                Err(FileFault::Missing) => {
                    let message = format!("{path} is listed and not there");
                    let diagnostic = Diagnostic::error("file-missing", message)
                        .fact("frozen", self.frozen(entry))
                        .help(format!("bring it back: git checkout -- {path}"));
                    self.problems.push(Problem::invalid(diagnostic));
                }
                Err(fault) => self.problems.push(fault.problem(path)),
            }
        }
        if frozen > 0 {
            self.checks.push(format!(
                "{frozen} files were read, and each has the SHA-256 digest that is listed"
            ));
        }
        frozen
    }

    fn frozen(&self, entry: &Entry) -> String {
        format!(
            "sha256 {}   {}:{}",
            entry.digest.to_hex(),
            manifest::path(self.version),
            entry.line
        )
    }

    fn compare(&self, path: &str, entry: &Entry, bytes: &[u8]) -> Option<Problem> {
        let sha256 = |bytes: &[u8]| Digest::of_bytes(DigestAlgorithm::Sha256, bytes);
        let found = sha256(bytes);
        if found == entry.digest {
            return None;
        }
        let on_disk = format!("sha256 {}   {} bytes", found.to_hex(), bytes.len());
        if without_cr(bytes).is_some_and(|frozen| sha256(&frozen) == entry.digest) {
            let message =
                format!("{path} is not as it was frozen: its line endings were rewritten");
            let diagnostic = Diagnostic::error("line-endings", message)
                .fact("frozen", self.frozen(entry))
                .fact("on disk", on_disk)
                .note("with CRLF turned into LF the digest is the frozen one: the text itself is intact");
            return Some(rewritten(diagnostic, path));
        }
        let diagnostic = Diagnostic::error(
            "file-changed",
            format!("{path} is not the file that was frozen"),
        )
        .fact("frozen", self.frozen(entry))
        .fact("on disk", on_disk)
        .help(format!(
            "see the change: git diff HEAD -- {path}\nundo it:        git checkout HEAD -- {path}"
        ));
        Some(Problem::invalid(diagnostic))
    }

    /// Whatever lies in the frozen folders and is not listed.
    fn unlisted(&mut self, manifest: &Manifest) {
        let (mut seen, mut all_listed) = (0, true);
        for folder in manifest::folders(self.version) {
            let found = match files::walk(self.context.repo, &folder) {
                Ok(found) => found,
                Err(error) => {
                    self.problems.push(Problem::unreadable(&folder, &error));
                    all_listed = false;
                    continue;
                }
            };
            seen += found.len();
            for Found { path, kind } in found {
                if manifest.contains(&path) {
                    continue;
                }
                all_listed = false;
                let path = manifest::printable(&path);
                let what = if kind == Kind::Symlink {
                    "is a symbolic link, and"
                } else {
                    "lies in a frozen folder and"
                };
                let diagnostic =
                    Diagnostic::error("file-unlisted", format!("{path} {what} is not listed"))
                        .fact("manifest", manifest::path(self.version))
                        .help(
                            "a frozen folder holds the frozen files and nothing else: move it away"
                                .to_owned(),
                        );
                self.problems.push(Problem::invalid(diagnostic));
            }
        }
        if all_listed {
            let [spec, vectors] = manifest::folders(self.version);
            self.checks.push(format!(
                "{spec} and {vectors} hold {seen} files, and none that is not listed"
            ));
        }
    }
}

impl FileFault {
    /// What to say of the file `path`; a missing file has other words at each place.
    pub(super) fn problem(self, path: &str) -> Problem {
        match self {
            Self::Missing => Problem::invalid(Diagnostic::error("file-missing", format!("{path} is not there"))),
            Self::Symlink(link) => Problem::invalid(
                Diagnostic::error("symlink", format!("{path} is reached through a symbolic link"))
                    .fact("link", link)
                    .note("links are not followed: what they name can change, and lie outside the repository"),
            ),
            Self::NotAFile => {
                Problem::invalid(Diagnostic::error("not-a-file", format!("{path} is not a regular file")))
            }
            Self::Unreadable(error) => Problem::unreadable(path, &error),
        }
    }
}

fn rewritten(diagnostic: Diagnostic, path: &str) -> Problem {
    let help = format!("git config core.autocrlf false && rm {path} && git checkout -- {path}");
    Problem::invalid(diagnostic.help(help))
}

/// The bytes with each CRLF turned into LF; `None` if there is none.
fn without_cr(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\r' || rest.peek() != Some(&b'\n') {
            kept.push(byte);
        }
    }
    (kept.len() < bytes.len()).then_some(kept)
}
