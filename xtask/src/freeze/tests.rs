//! Freezing in repositories of its own, broken off at every step.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use command_console::Explain;

use super::*;
use crate::spec::rule_list::NOT_OBSERVABLE;
use crate::spec::version;

const TEXT: &str = "# Title\n\nVersion: 0.2-rc.1\n\n## 1. One\n\nr[a.b | vector]\nThis MUST be.\n";

struct Sandbox {
    directory: tempfile::TempDir,
    repo: Repo,
}

impl Sandbox {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        for folder in ["spec/draft", "proof"] {
            fs::create_dir_all(directory.path().join(folder)).unwrap();
        }
        let repo = Repo::find_from(directory.path()).unwrap();
        let sandbox = Self { directory, repo };
        sandbox.git(&["init", "-q"]);
        sandbox.write("proof/README.md", "Proofs.\n");
        sandbox.write(spec::DRAFT, TEXT);
        sandbox.write("spec/draft/sub/more.txt", "more\n");
        sandbox.write(
            "test-vectors/draft/v.json",
            "[{\"id\": \"one\", \"rules\": [\"a.b\"]}]\n",
        );
        for (name, independent) in [("freetsa", true), ("local-0.1", false)] {
            let root = format!(
                "[[root]]\nsubject = \"CN=x\"\nsha256 = \"{}\"\n",
                "ab".repeat(32)
            );
            let text = format!(
                "name = \"{name}\"\ndescription = \"x\"\nindependent = {independent}\n{root}"
            );
            sandbox.write(&format!("proof/authorities/{name}/authority.toml"), &text);
        }
        sandbox.write(".gitignore", "*.ignored\n");
        sandbox.commit();
        sandbox
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.repo.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let who = [
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@x.example",
            "-c",
            "commit.gpgsign=false",
        ];
        let run = Command::new("git")
            .current_dir(self.directory.path())
            .args(who)
            .args(arguments)
            .output()
            .unwrap();
        assert!(
            run.status.success(),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "x"]);
    }

    /// Every file outside of `.git`, with its bytes.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.directory.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for path in repo::list(&folder).unwrap() {
                match path.is_dir() {
                    true if path.ends_with(".git") => {}
                    true => folders.push(path),
                    false => {
                        drop(found.insert(self.repo.relative(&path), fs::read(&path).unwrap()))
                    }
                }
            }
        }
        found
    }

    fn freeze(&self, text: &str) -> Result<Frozen, FreezeError> {
        self.freeze_with(text, false, &mut || Ok(()))
    }

    fn freeze_with(&self, text: &str, strict: bool, hook: Hook<'_>) -> Result<Frozen, FreezeError> {
        Cut {
            repo: &self.repo,
            version: &text.parse().unwrap(),
            strict,
            examples: &[],
        }
        .make(hook)
    }

    /// Nobody tidies up after a crash: [`Cut::make`] does not get to it.
    fn crash_at(&self, text: &str, step: usize) -> Result<Frozen, FreezeError> {
        let version = &text.parse().unwrap();
        Cut {
            repo: &self.repo,
            version,
            strict: false,
            examples: &[],
        }
        .build(&mut fail_at(step))
    }

    fn refusal(&self, text: &str) -> String {
        let error = self.freeze(text).unwrap_err();
        assert!(error.is_refusal(), "{error}");
        format!("{}: {error}", error.code())
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

#[test]
fn the_draft_is_copied_hashed_and_requested() {
    let sandbox = Sandbox::new();
    sandbox.write("spec/draft/left.ignored", "not tracked");
    let frozen = sandbox.freeze("0.2-rc.1").unwrap();
    let expected = [
        "spec/0.2-rc.1/capability-resolution.md",
        "spec/0.2-rc.1/sub/more.txt",
        "test-vectors/0.2-rc.1/v.json",
    ];
    assert_eq!(frozen.files, expected);
    assert_eq!(frozen.authorities, ["freetsa"]);

    let files = sandbox.files();
    assert_eq!(
        files["spec/0.2-rc.1/capability-resolution.md"],
        TEXT.as_bytes()
    );
    assert!(
        !files
            .keys()
            .any(|path| path.contains(STAGING) || path == "spec/0.2-rc.1/left.ignored"),
        "{files:?}"
    );
    let run = Command::new("sha256sum")
        .current_dir(sandbox.directory.path())
        .args(["--check", "--strict", "proof/0.2-rc.1/SHA256SUMS"])
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    assert_eq!(String::from_utf8_lossy(&run.stdout).lines().count(), 3);
    assert_eq!(
        version::frozen(&sandbox.repo).unwrap(),
        ["0.2-rc.1".parse().unwrap()]
    );
}

#[test]
fn a_request_asks_for_the_digest_of_the_list_with_a_nonce_of_its_own() {
    let requests: Vec<_> = [Sandbox::new(), Sandbox::new()]
        .iter()
        .map(|sandbox| {
            sandbox.freeze("0.2-rc.1").unwrap();
            let files = sandbox.files();
            let sums =
                Digest::of_bytes(DigestAlgorithm::Sha256, &files["proof/0.2-rc.1/SHA256SUMS"]);
            let request = files["proof/0.2-rc.1/SHA256SUMS.freetsa.tsq"].clone();
            assert!(request.windows(32).any(|bytes| bytes == sums.as_bytes()));
            request
        })
        .collect();
    assert_ne!(requests[0], requests[1], "the same nonce twice");
}

#[test]
fn what_must_not_be_frozen_is_refused_and_nothing_changes() {
    let sandbox = Sandbox::new();
    let before = sandbox.files();
    let mut refusals = vec![sandbox.refusal("0.2-rc.2")];
    sandbox.write("untracked.txt", "x");
    refusals.push(sandbox.refusal("0.2-rc.1"));
    fs::remove_file(sandbox.repo.path("untracked.txt")).unwrap();
    assert_eq!(sandbox.files(), before);

    sandbox.write(spec::DRAFT, &format!("{TEXT}\nIt MUST not stand here.\n"));
    sandbox.commit();
    refusals.push(sandbox.refusal("0.2-rc.1"));

    sandbox.write(spec::DRAFT, TEXT);
    sandbox.write("spec/draft/a b.txt", "x");
    sandbox.commit();
    refusals.push(sandbox.refusal("0.2-rc.1"));
    assert!(!exists(&sandbox.repo.path(STAGING)));

    fs::remove_file(sandbox.repo.path("spec/draft/a b.txt")).unwrap();
    let vectors = "test-vectors/draft/w.json";
    sandbox.write(vectors, "{\"version\": \"draft\"}");
    sandbox.commit();
    refusals.push(sandbox.refusal("0.2-rc.1"));
    sandbox.write(vectors, "{\"version\": \"0.2-rc.1\"}");
    sandbox.commit();
    sandbox.freeze("0.2-rc.1").unwrap();
    let frozen = sandbox.files();
    refusals.push(sandbox.refusal("0.2-rc.1"));
    assert_eq!(sandbox.files(), frozen);
    insta::assert_snapshot!(refusals.join("\n"));
}

#[test]
fn a_final_version_needs_every_rule_covered() {
    let sandbox = Sandbox::new();
    let uncovered = "\nr[a.c | none]\nThat MUST be.\n";
    sandbox.write(spec::DRAFT, &(TEXT.replace("0.2-rc.1", "0.2") + uncovered));
    sandbox.commit();
    assert_eq!(
        sandbox.refusal("0.2"),
        "freeze-requirements: requirements --strict finds faults (1)"
    );

    // The same holds for a candidate if it is asked for.
    sandbox.write(spec::DRAFT, &(TEXT.to_owned() + uncovered));
    sandbox.commit();
    let strict = sandbox.freeze_with("0.2-rc.1", true, &mut || Ok(()));
    assert_eq!(strict.unwrap_err().code(), "freeze-requirements");
    sandbox.freeze("0.2-rc.1").unwrap();

    let covered =
        "[{\"id\": \"one\", \"rules\": [\"a.b\"]}, {\"id\": \"two\", \"rules\": [\"a.c\"]}]\n";
    sandbox.write("test-vectors/draft/v.json", covered);
    sandbox.write(spec::DRAFT, &(TEXT.replace("0.2-rc.1", "0.2") + uncovered));
    sandbox.commit();
    assert!(!exists(&sandbox.repo.path(NOT_OBSERVABLE)));
    sandbox.freeze("0.2").unwrap();
}

#[test]
fn without_vectors_there_is_no_folder_for_them() {
    let sandbox = Sandbox::new();
    fs::remove_dir_all(sandbox.repo.path("test-vectors")).unwrap();
    sandbox.commit();
    assert_eq!(sandbox.freeze("0.2-rc.1").unwrap().files.len(), 2);
    assert!(!exists(&sandbox.repo.path("test-vectors")));
}

/// Fails at the step of this number, counted from 0.
fn fail_at(step: usize) -> impl FnMut() -> io::Result<()> {
    let mut steps = 0;
    move || {
        steps += 1;
        if steps == step + 1 {
            Err(io::Error::other("broken off"))
        } else {
            Ok(())
        }
    }
}

/// Folder, three files, list, request, three renames, removal of the folder.
const STEPS: usize = 10;

#[test]
fn an_error_at_any_step_leaves_everything_as_it_was() {
    let sandbox = Sandbox::new();
    let before = sandbox.files();
    for step in 0..STEPS - 1 {
        let error = sandbox
            .freeze_with("0.2-rc.1", false, &mut fail_at(step))
            .unwrap_err();
        assert_eq!(error.code(), "io", "step {step}");
        assert_eq!(sandbox.files(), before, "step {step}");
        assert!(!exists(&sandbox.repo.path(STAGING)), "step {step}");
    }
    // The last step comes after the version is cut.
    sandbox
        .freeze_with("0.2-rc.1", false, &mut fail_at(STEPS - 1))
        .unwrap();
    Sandbox::new()
        .freeze_with("0.2-rc.1", false, &mut fail_at(STEPS))
        .unwrap();
}

#[test]
fn a_crash_at_any_step_leaves_no_version_and_the_next_run_cleans_up() {
    let version: Version = "0.2-rc.1".parse().unwrap();
    let whole = {
        let sandbox = Sandbox::new();
        sandbox.freeze("0.2-rc.1").unwrap();
        sandbox.files().into_keys().collect::<Vec<_>>()
    };
    for step in 0..STEPS {
        let sandbox = Sandbox::new();
        let crashed = sandbox.crash_at("0.2-rc.1", step);
        let is_cut = version::frozen(&sandbox.repo).unwrap() == [version.clone()];
        assert_eq!(is_cut, step == STEPS - 1, "step {step}");
        assert_eq!(crashed.is_ok(), is_cut, "step {step}");
        if is_cut {
            assert_eq!(
                sandbox.refusal("0.2-rc.1").split(':').next(),
                Some("freeze-exists")
            );
        } else {
            sandbox.freeze("0.2-rc.1").unwrap();
        }
        assert_eq!(
            sandbox.files().into_keys().collect::<Vec<_>>(),
            whole,
            "step {step}"
        );
        assert!(!exists(&sandbox.repo.path(STAGING)), "step {step}");
    }
}
