//! A timestamp authority over HTTP: `openssl ts -reply` behind a socket.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use tempfile::TempDir;

use crate::server::{Answer, Asked, Server};
use crate::support::{LIST, Ran, Repository, VERSION, openssl};

const REPLY: &str = "application/timestamp-reply";
const TOKEN: &str = "proof/0.9-rc.1/SHA256SUMS.test.tsr";

/// Keys and certificates of an authority, and `openssl` to use them.
#[derive(Clone)]
pub(crate) struct Authority {
    folder: Arc<TempDir>,
    /// `openssl ts` keeps its serial number in a file.
    turn: Arc<Mutex<()>>,
}

const CONFIGURATION: &str = "
[req]
distinguished_name = name
prompt = no
[name]
CN = test
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[signer]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[authority]
serial = serial
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
default_policy = 1.2.3.4.1
";

impl Authority {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("openssl.cnf"), CONFIGURATION).unwrap();
        fs::write(folder.path().join("serial"), "01\n").unwrap();
        for command in [
            "req -new -x509 -newkey rsa:2048 -nodes -keyout root.key -days 30 -config openssl.cnf -extensions root -out root.pem",
            "req -new -newkey rsa:2048 -nodes -keyout signer.key -config openssl.cnf -subj /CN=signer -out signer.csr",
            "x509 -req -days 30 -in signer.csr -CA root.pem -CAkey root.key -set_serial 2 -extfile openssl.cnf -extensions signer -out signer.pem",
        ] {
            openssl(folder.path(), &command.split(' ').collect::<Vec<_>>());
        }
        Self {
            folder: Arc::new(folder),
            turn: Arc::default(),
        }
    }

    pub(crate) fn root(&self) -> Vec<u8> {
        fs::read(self.folder.path().join("root.pem")).unwrap()
    }

    pub(crate) fn signer(&self) -> Vec<u8> {
        fs::read(self.folder.path().join("signer.pem")).unwrap()
    }

    pub(crate) fn fingerprint(&self) -> String {
        fingerprint(self.folder.path(), "root.pem")
    }

    fn reply(&self, query: &[u8]) -> Vec<u8> {
        let _turn = self.turn.lock().unwrap();
        let folder = self.folder.path();
        fs::write(folder.join("query"), query).unwrap();
        let words = "ts -reply -config openssl.cnf -section authority -queryfile query -signer signer.pem -inkey signer.key -out reply";
        openssl(folder, &words.split(' ').collect::<Vec<_>>());
        fs::read(folder.join("reply")).unwrap()
    }

    /// A request of our own over the data, with another nonce.
    fn query(&self, data: &[u8]) -> Vec<u8> {
        let _turn = self.turn.lock().unwrap();
        fs::write(self.folder.path().join("data"), data).unwrap();
        openssl(
            self.folder.path(),
            &["ts", "-query", "-data", "data", "-sha256", "-cert"],
        )
    }

    /// Describes it in the repository, with its root there.
    fn install(&self, repository: &Repository, url: &str) {
        let toml = format!(
            "name = 'test'\ndescription = 'Test Authority'\nindependent = true\nurl = '{url}'\npolicies = ['1.2.3.4.1']\n\
             [[root]]\nsubject = 'CN=test'\nsha256 = '{}'\n",
            self.fingerprint()
        );
        repository.write("proof/authorities/test/authority.toml", toml.as_bytes());
        repository.write("proof/authorities/test/root.pem", &self.root());
    }
}

pub(crate) fn fingerprint(folder: &Path, file: &str) -> String {
    let said = openssl(
        folder,
        &["x509", "-in", file, "-noout", "-fingerprint", "-sha256"],
    );
    let said = String::from_utf8(said).unwrap();
    said.trim()
        .rsplit('=')
        .next()
        .unwrap()
        .replace(':', "")
        .to_ascii_lowercase()
}

const CONTACT: [&str; 3] = [
    "--allow-loopback",
    "--contact",
    "https://example.org/editors",
];

fn stamp(repository: &Repository) -> Ran {
    let words = ["stamp", VERSION, "--authority", "test", "--timeout", "2"];
    repository.run(&[&words[..], &CONTACT].concat())
}

#[test]
fn an_answer_that_verifies_is_kept() {
    let authority = Authority::new();
    let signing = authority.clone();
    let server =
        Server::start(move |_, asked: &Asked| Answer::ok(REPLY, signing.reply(&asked.body)));
    let repository = Repository::new();
    authority.install(&repository, &server.url("/tsr"));

    let ran = stamp(&repository);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out
            .starts_with("proof/0.9-rc.1/SHA256SUMS existed by 2"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .lines()
            .next()
            .unwrap()
            .ends_with("says test, which is independent of this project"),
        "{}",
        ran.out
    );
    assert_eq!(
        ran.err,
        format!("asking Test Authority at {}\n", server.url("/tsr"))
    );
    let verify = [
        "ts",
        "-verify",
        "-data",
        LIST,
        "-in",
        TOKEN,
        "-CAfile",
        "proof/authorities/test/root.pem",
    ];
    openssl(&repository.path(""), &verify);

    let asked = &server.asked()[0];
    assert_eq!(asked.line, "POST /tsr");
    for field in [
        "content-type: application/timestamp-query",
        "accept: application/timestamp-reply",
        concat!(
            "user-agent: capability-resolution-xtask/",
            env!("CARGO_PKG_VERSION"),
            " (+https://example.org/editors)"
        ),
    ] {
        assert!(
            asked.head.lines().any(|line| line == field),
            "{field}: {}",
            asked.head
        );
    }

    // Once is enough: no second request is made, and the token stays.
    let before = repository.files();
    let again = stamp(&repository);
    assert_eq!(again.code, 2, "{again:?}");
    assert!(again.err.contains("error[proof-exists]"), "{}", again.err);
    assert_eq!(server.asked().len(), 1);
    assert_eq!(repository.files(), before);
}

#[test]
fn two_requests_have_two_nonces() {
    let authority = Authority::new();
    let server = Server::start(|_, _| Answer::status("503 Service Unavailable"));
    let repository = Repository::new();
    authority.install(&repository, &server.url("/"));
    stamp(&repository);
    stamp(&repository);
    let asked = server.asked();
    assert_ne!(asked[0].body, asked[1].body);
}

#[test]
fn the_request_of_the_freeze_is_the_one_that_is_sent() {
    let authority = Authority::new();
    let signing = authority.clone();
    let server = Server::start(move |_, asked| Answer::ok(REPLY, signing.reply(&asked.body)));
    let repository = Repository::new();
    authority.install(&repository, &server.url("/"));
    let query = authority.query(&repository.read(LIST));
    repository.write("proof/0.9-rc.1/SHA256SUMS.test.tsq", &query);
    assert_eq!(stamp(&repository).code, 0);
    assert_eq!(server.asked()[0].body, query);
}

/// A path of the server, the exit code, and what the message holds.
type Case = (&'static str, i32, &'static [&'static str]);

const CASES: [Case; 13] = [
    (
        "/500",
        2,
        &[
            "error[answer-status]",
            "/500: expected status 200, found 500",
        ],
    ),
    (
        "/redirect",
        2,
        &[
            "error[answer-status]",
            "found 302, a redirect to http://127.0.0.1:",
            "/good, which is not followed",
        ],
    ),
    (
        "/media-type",
        2,
        &[
            "error[answer-media-type]",
            "expected the media type application/timestamp-reply, found text/html",
        ],
    ),
    (
        "/no-media-type",
        2,
        &["error[answer-media-type]", "found none"],
    ),
    (
        "/silence",
        2,
        &["error[timeout-", "took longer than 2000 ms"],
    ),
    (
        "/half",
        2,
        &["error[truncated]", "the answer ends too early"],
    ),
    (
        "/oversized",
        2,
        &["error[body-too-large]", "the limit is 65536 bytes"],
    ),
    (
        "/refused",
        2,
        &[
            "error[not-granted]",
            "the answer of test does not verify, and nothing was kept",
        ],
    ),
    (
        "/garbage",
        1,
        &[
            "error[malformed]",
            "the answer of test does not verify, and nothing was kept",
        ],
    ),
    ("/empty", 1, &["error[malformed]"]),
    ("/nonce", 1, &["error[nonce]"]),
    ("/imprint", 1, &["error[message-imprint]"]),
    ("/stranger", 1, &["error[path-"]),
];

#[test]
fn whatever_else_comes_is_not_kept() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let signing = authority.clone();
    let server = Server::start(move |own, asked| {
        let good = || signing.reply(&asked.body);
        match asked.line.as_str() {
            "POST /500" => Answer::status("500 Internal Server Error"),
            "POST /redirect" => {
                Answer::Whole(format!("302 Found\r\nLocation: {own}/good?q"), Vec::new())
            }
            "POST /media-type" => Answer::ok("text/html; charset=utf-8", good()),
            "POST /no-media-type" => Answer::Whole("200 OK".to_owned(), good()),
            "POST /silence" => Answer::Silence,
            "POST /half" => Answer::Half(format!("200 OK\r\nContent-Type: {REPLY}"), good()),
            "POST /oversized" => Answer::ok(REPLY, vec![0x30; 70_000]),
            // TimeStampResp with PKIStatus 2 (rejection) and nothing else.
            "POST /refused" => Answer::ok(REPLY, [0x30, 5, 0x30, 3, 2, 1, 2]),
            "POST /garbage" => Answer::ok(REPLY, *b"<html>It works!</html>"),
            "POST /empty" => Answer::ok(REPLY, []),
            "POST /nonce" => {
                let list = "0".repeat(64) + "  spec/0.9-rc.1/capability-resolution.md\n";
                Answer::ok(REPLY, signing.reply(&signing.query(list.as_bytes())))
            }
            "POST /imprint" => Answer::ok(REPLY, signing.reply(&signing.query(b"another list"))),
            "POST /stranger" => Answer::ok(REPLY, stranger.reply(&asked.body)),
            _ => Answer::ok(REPLY, good()),
        }
    });
    for (path, code, said) in CASES {
        let repository = Repository::new();
        authority.install(&repository, &server.url(path));
        let before = repository.files();
        let ran = stamp(&repository);
        assert_eq!(ran.code, code, "{path}: {ran:?}");
        assert_eq!(ran.out, "", "{path}");
        for part in said {
            assert!(
                ran.err.contains(part),
                "{path}: {part:?} is not in\n{}",
                ran.err
            );
        }
        assert_eq!(repository.files(), before, "{path}");
    }
    assert!(
        !server
            .asked()
            .iter()
            .any(|asked| asked.line.contains("/good")),
        "no redirect was followed"
    );
}

#[test]
fn this_machine_is_not_reached_unless_it_is_meant() {
    let authority = Authority::new();
    let server = Server::start(|_, _| Answer::status("500 Internal Server Error"));
    let repository = Repository::new();
    authority.install(&repository, &server.url("/"));
    let ran = repository.run(&[
        "stamp",
        VERSION,
        "--authority",
        "test",
        "--contact",
        "https://example.org/",
    ]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err.contains("error[address-refused]") && ran.err.contains("a loopback address"),
        "{}",
        ran.err
    );
    assert!(server.asked().is_empty());
}

#[test]
fn what_is_missing_is_said_before_anything_is_sent() {
    let authority = Authority::new();
    let server = Server::start(|_, _| Answer::status("500 Internal Server Error"));
    let repository = Repository::new();
    let ran = stamp(&repository);
    assert!(
        ran.code == 2 && ran.err.contains("no authority is called `test`"),
        "{ran:?}"
    );

    authority.install(&repository, &server.url("/"));
    fs::remove_file(repository.path("proof/authorities/test/root.pem")).unwrap();
    let ran = stamp(&repository);
    assert!(
        ran.code == 2 && ran.err.contains("nobody has fetched it yet"),
        "{ran:?}"
    );

    authority.install(&repository, &server.url("/"));
    let ran = repository.run(&["stamp", VERSION, "--authority", "test"]);
    assert!(
        ran.code == 2 && ran.err.contains("error[no-contact]"),
        "{ran:?}"
    );
    assert!(server.asked().is_empty());
}
