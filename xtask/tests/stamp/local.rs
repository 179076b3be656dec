//! An authority of our own, made by the plain command without a network.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{LIST, Repository, VERSION, openssl};

const TOKEN: &str = "proof/0.9-rc.1/SHA256SUMS.local-0.9-rc.1.tsr";
const FOLDER: &str = "proof/authorities/local-0.9-rc.1";

#[test]
fn it_stamps_says_that_it_proves_nothing_and_its_keys_are_nowhere() {
    let repository = Repository::new();
    let ran = repository.run(&["stamp", VERSION, "--authority", "local"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let verdict = ran.out.lines().next().unwrap();
    assert!(
        verdict.starts_with("proof/0.9-rc.1/SHA256SUMS is stamped 2"),
        "{verdict}"
    );
    assert!(
        verdict.ends_with(
            "by ourselves (local-0.9-rc.1): the machinery works, and nothing is proven about time"
        ),
        "{verdict}"
    );

    let files = repository.files();
    let names: Vec<_> = files.keys().map(String::as_str).collect();
    let toml = format!("{FOLDER}/authority.toml");
    assert_eq!(
        names,
        [
            LIST,
            TOKEN,
            &toml,
            &format!("{FOLDER}/chain.pem"),
            &format!("{FOLDER}/root.pem")
        ]
    );
    assert!(String::from_utf8_lossy(&repository.read(&toml)).contains("independent = false\n"));
    for (name, bytes) in &files {
        assert!(
            !String::from_utf8_lossy(bytes).contains("PRIVATE KEY"),
            "{name}"
        );
    }
    assert_eq!(repository.left_behind(), Vec::<String>::new());
    let mode = fs::metadata(repository.path(FOLDER))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o755);
}

/// OpenSSL made the token, so that it verifies it is no wonder; that it verifies it from what was kept is the point.
#[test]
fn openssl_verifies_what_was_kept() {
    let repository = Repository::new();
    assert_eq!(
        repository
            .run(&["stamp", VERSION, "--authority", "local"])
            .code,
        0
    );
    let (root, chain) = (format!("{FOLDER}/root.pem"), format!("{FOLDER}/chain.pem"));
    let verify = [
        "ts",
        "-verify",
        "-data",
        LIST,
        "-in",
        TOKEN,
        "-CAfile",
        &root,
        "-untrusted",
        &chain,
    ];
    openssl(&repository.path(""), &verify);
}

#[test]
fn the_request_of_the_freeze_is_the_one_that_is_answered() {
    let repository = Repository::new();
    let query = [
        "ts",
        "-query",
        "-data",
        LIST,
        "-sha256",
        "-cert",
        "-out",
        "proof/0.9-rc.1/SHA256SUMS.local-0.9-rc.1.tsq",
    ];
    openssl(&repository.path(""), &query);
    assert_eq!(
        repository
            .run(&["stamp", VERSION, "--authority", "local"])
            .code,
        0
    );
    let root = format!("{FOLDER}/root.pem");
    openssl(
        &repository.path(""),
        &[
            "ts",
            "-verify",
            "-queryfile",
            "proof/0.9-rc.1/SHA256SUMS.local-0.9-rc.1.tsq",
            "-in",
            TOKEN,
            "-CAfile",
            &root,
        ],
    );
}

#[test]
fn a_request_about_something_else_is_found_out() {
    let repository = Repository::new();
    repository.write("other", b"another list\n");
    let query = [
        "ts",
        "-query",
        "-data",
        "other",
        "-sha256",
        "-cert",
        "-out",
        "proof/0.9-rc.1/SHA256SUMS.local-0.9-rc.1.tsq",
    ];
    openssl(&repository.path(""), &query);
    let before = repository.files();
    let ran = repository.run(&["stamp", VERSION, "--authority", "local"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.err.starts_with(
            "error[message-imprint]: the answer of local-0.9-rc.1 does not verify, and nothing was kept"
        ),
        "{}",
        ran.err
    );
    assert_eq!(repository.files(), before);
}

#[test]
fn a_second_stamp_changes_nothing() {
    let repository = Repository::new();
    assert_eq!(
        repository
            .run(&["stamp", VERSION, "--authority", "local"])
            .code,
        0
    );
    let before = repository.files();
    let ran = repository.run(&["stamp", VERSION, "--authority", "local"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("error[proof-exists]"), "{}", ran.err);
    assert_eq!(repository.files(), before);
}

#[test]
fn without_openssl_nothing_is_kept() {
    let repository = Repository::new();
    let before = repository.files();
    let output = repository
        .command(&["stamp", VERSION, "--authority", "local"])
        .env("PATH", "/nonexistent")
        .output();
    let ran = crate::support::Ran::from(output.unwrap());
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err
            .contains("error[openssl]: `openssl genpkey -algorithm` failed"),
        "{}",
        ran.err
    );
    assert!(
        ran.err
            .contains("help: a local authority needs the command `openssl`"),
        "{}",
        ran.err
    );
    assert_eq!(repository.files(), before);
    assert_eq!(repository.left_behind(), Vec::<String>::new());
}

#[test]
fn what_is_not_frozen_is_not_stamped() {
    let repository = Repository::new();
    let ran = repository.run(&["stamp", "0.8", "--authority", "local"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err
            .contains("error[not-frozen]: version 0.8 is not frozen"),
        "{}",
        ran.err
    );
    assert_eq!(
        repository
            .run(&["stamp", "../0.8", "--authority", "local"])
            .code,
        2
    );
    assert_eq!(repository.run(&["stamp", VERSION]).code, 2);
    assert_eq!(
        repository
            .run(&["stamp", VERSION, "--authority", "local", "--ots"])
            .code,
        2
    );
}

#[cfg(not(feature = "network"))]
#[test]
fn without_the_network_it_says_which_command_has_one() {
    let repository = Repository::new();
    for (words, command) in [
        (
            vec!["stamp", VERSION, "--authority", "freetsa"],
            "stamp 0.9-rc.1 --authority freetsa",
        ),
        (vec!["stamp", VERSION, "--ots"], "stamp 0.9-rc.1 --ots"),
    ] {
        let ran = repository.run(&words);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(
            ran.err
                .contains(&format!("help: run: cargo xtask-network {command}\n")),
            "{}",
            ran.err
        );
    }
}
