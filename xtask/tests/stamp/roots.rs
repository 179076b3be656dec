//! `authority add` against a server of certificates.

use crate::authority::Authority;
use crate::server::{Answer, Server};
use crate::support::{Ran, Repository, openssl};

const ROOT: &str = "proof/authorities/test/root.pem";
const CHAIN: &str = "proof/authorities/test/chain.pem";

fn describe(repository: &Repository, sha256: &str, root: &str, chain: Option<&str>) {
    let mut toml = format!(
        "name = 'test'\ndescription = 'Test Authority'\nindependent = true\n\
         [[root]]\nsubject = 'CN=test'\nsha256 = '{sha256}'\nsource = '{root}'\n"
    );
    if let Some(chain) = chain {
        toml.push_str(&format!("[chain]\nsource = '{chain}'\n"));
    }
    repository.write("proof/authorities/test/authority.toml", toml.as_bytes());
}

fn add(repository: &Repository) -> Ran {
    let words = [
        "authority",
        "add",
        "test",
        "--allow-loopback",
        "--contact",
        "https://example.org/",
        "--timeout",
        "2",
    ];
    repository.run(&words)
}

/// The authority, another one, and a server that has both.
fn server() -> (Authority, Server) {
    let (authority, other) = (Authority::new(), Authority::new());
    let (root, signer, stranger) = (authority.root(), authority.signer(), other.root());
    let der = {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("root.pem"), &root).unwrap();
        openssl(
            folder.path(),
            &["x509", "-in", "root.pem", "-outform", "DER"],
        )
    };
    let server = Server::start(move |own, asked| match asked.line.as_str() {
        "GET /root.pem" => Answer::ok("application/x-pem-file", root.clone()),
        "GET /root.der" => Answer::ok("application/pkix-cert", der.clone()),
        // Somebody's remarks, another certificate, and the one that is looked for.
        "GET /bundle.pem" => Answer::ok(
            "text/plain",
            [b"Our roots\n".as_slice(), &stranger, b"\nand\n", &root].concat(),
        ),
        "GET /chain.pem" => Answer::ok("text/plain", signer.clone()),
        "GET /stranger.pem" => Answer::ok("text/plain", stranger.clone()),
        "GET /garbage" => Answer::ok("text/plain", *b"<html>It works!</html>"),
        "GET /broken" => Answer::ok("text/plain", root.replace_middle()),
        "GET /half" => Answer::Half("200 OK".to_owned(), root.clone()),
        "GET /redirect" => {
            Answer::Whole(format!("301 Moved\r\nLocation: {own}/root.pem"), Vec::new())
        }
        "GET /silence" => Answer::Silence,
        "GET /oversized" => Answer::ok("text/plain", vec![b'\n'; 1_100_000]),
        _ => Answer::status("404 Not Found"),
    });
    (authority, server)
}

trait Damage {
    fn replace_middle(&self) -> Vec<u8>;
}

impl Damage for Vec<u8> {
    fn replace_middle(&self) -> Vec<u8> {
        let mut bytes = self.clone();
        let middle = bytes.len() / 2;
        bytes[middle] = b'*';
        bytes
    }
}

#[test]
fn a_pinned_root_is_kept_as_pem_and_nothing_else_is() {
    let (authority, server) = server();
    for path in ["/root.pem", "/root.der", "/bundle.pem"] {
        let repository = Repository::new();
        describe(
            &repository,
            &authority.fingerprint(),
            &server.url(path),
            Some(&server.url("/chain.pem")),
        );
        let ran = add(&repository);
        assert_eq!(ran.code, 0, "{path}: {ran:?}");
        assert!(
            ran.out
                .starts_with("test: its root is the one that authority.toml pins, and is kept\n"),
            "{}",
            ran.out
        );
        assert!(
            ran.out.contains(&authority.fingerprint()) && ran.out.contains(ROOT),
            "{}",
            ran.out
        );
        assert!(
            ran.err.contains(&format!("fetching {}", server.url(path))),
            "{}",
            ran.err
        );
        assert_eq!(repository.read(ROOT), authority.root(), "{path}");
        assert_eq!(repository.read(CHAIN), authority.signer(), "{path}");

        let before = repository.files();
        assert_eq!(add(&repository).code, 0, "the same again is no harm");
        assert_eq!(repository.files(), before);
        repository.write(ROOT, b"another root");
        let ran = add(&repository);
        assert!(
            ran.code == 2 && ran.err.contains("error[proof-exists]"),
            "{ran:?}"
        );
        assert_eq!(repository.read(ROOT), b"another root");
    }
}

#[test]
fn a_root_that_is_not_pinned_is_not_kept() {
    let (authority, server) = server();
    let repository = Repository::new();
    describe(
        &repository,
        &authority.fingerprint(),
        &server.url("/stranger.pem"),
        Some(&server.url("/chain.pem")),
    );
    let before = repository.files();
    let ran = add(&repository);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.err.contains("error[root-not-there]") && ran.err.contains(&authority.fingerprint()),
        "{}",
        ran.err
    );
    assert_eq!(ran.out, "");
    assert_eq!(repository.files(), before);
}

#[test]
fn whatever_else_comes_is_not_kept() {
    let (authority, server) = server();
    for (root, chain, code) in [
        ("/missing", "/chain.pem", "answer-status"),
        ("/garbage", "/chain.pem", "no-certificate"),
        ("/broken", "/chain.pem", "pem"),
        ("/half", "/chain.pem", "truncated"),
        ("/redirect", "/chain.pem", "answer-status"),
        ("/silence", "/chain.pem", "timeout-"),
        ("/oversized", "/chain.pem", "body-too-large"),
        // With a bad chain the root is not kept either.
        ("/root.pem", "/missing", "answer-status"),
        ("/root.pem", "/garbage", "no-certificate"),
    ] {
        let repository = Repository::new();
        describe(
            &repository,
            &authority.fingerprint(),
            &server.url(root),
            Some(&server.url(chain)),
        );
        let before = repository.files();
        let ran = add(&repository);
        assert_eq!(ran.code, 2, "{root} {chain}: {ran:?}");
        assert!(
            ran.err.contains("error[") && ran.err.contains(code),
            "{root} {chain}: {}",
            ran.err
        );
        assert_eq!(repository.files(), before, "{root} {chain}");
    }
}

#[test]
fn a_root_without_an_address_is_said() {
    let (authority, _server) = server();
    let repository = Repository::new();
    let toml = format!(
        "name = 'test'\ndescription = 'd'\nindependent = true\n[[root]]\nsubject = 'CN=test'\nsha256 = '{}'\n",
        authority.fingerprint()
    );
    repository.write("proof/authorities/test/authority.toml", toml.as_bytes());
    let ran = add(&repository);
    assert!(
        ran.code == 2 && ran.err.contains("error[no-source]"),
        "{ran:?}"
    );
}
