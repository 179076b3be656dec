//! The conformance checker, asked of this resolver: two programs, over TLS.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use capability_resolver::observed::Outcome;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::Value;

use crate::common::{Folder, ISSUER, Seen, mail, tool};
use crate::tls::pem;

/// An authority of this test, and a certificate of it for `localhost` in the resolver's folder.
fn certify(folder: &Folder) -> std::path::PathBuf {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().unwrap();
    let authority = params.self_signed(&authority_key).unwrap();
    let issuer = Issuer::from_params(&params, &authority_key);
    let key = KeyPair::generate().unwrap();
    let own = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let own = own.signed_by(&key, &issuer).unwrap();

    fs::create_dir_all(folder.path("tls")).unwrap();
    fs::write(
        folder.path("tls/fullchain.pem"),
        pem("CERTIFICATE", own.der()),
    )
    .unwrap();
    let path = folder.path("tls/privkey.pem");
    fs::write(&path, pem("PRIVATE KEY", &key.serialize_der())).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    folder.edit("resolver.toml", "# tls-certificate", "tls-certificate");
    folder.edit("resolver.toml", "# tls-key", "tls-key");
    let path = folder.path("authority.pem");
    fs::write(&path, pem("CERTIFICATE", authority.der())).unwrap();
    path
}

fn servers() -> [Seen; 4] {
    let sign_in = Seen {
        outcome: Outcome::SignIn,
        tools: Vec::new(),
        ..mail("https://two.example.com/mcp")
    };
    let read_only = Seen {
        tools: vec![tool("find_email", "Find an email", true)],
        ..mail("https://three.example.com/mcp?a=b")
    };
    [
        mail("https://one.example.com/mcp"),
        sign_in,
        read_only,
        mail("https://four.example.com/mcp"),
    ]
}

#[test]
#[allow(clippy::print_stderr, reason = "what is skipped is told")]
fn the_checker_finds_nothing_to_mend() {
    let resolver = Path::new(env!("CARGO_BIN_EXE_capability-resolver"));
    let checker = resolver.with_file_name("capability-resolution-check");
    if !checker.exists() {
        eprintln!("skipped: cargo build -p capability-resolution-check was not run");
        return;
    }
    // Its port is part of a resolver's name, so it has to be known before.
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let origin = format!("https://localhost:{}", free.port());
    let folder = Folder::new();
    folder.edit("resolver.toml", ISSUER, &origin);
    folder.edit(
        "resolver.toml",
        "requests-per-minute = 0",
        "requests-per-minute = 300",
    );
    folder.see(&servers());
    let authority = certify(&folder);
    let mut serving = Command::new(resolver)
        .current_dir(folder.root())
        .args(["--config", "r/resolver.toml", "serve", "--listen"])
        .arg(free.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(serving.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();

    let checked = Command::new(checker)
        .args([
            &origin,
            "--allow-loopback",
            "--sample-need",
            "send email",
            "--format",
            "json",
        ])
        .env("SSL_CERT_FILE", authority)
        .output()
        .unwrap();
    let _ = serving.kill();
    let _ = serving.wait();
    let report: Value = serde_json::from_slice(&checked.stdout)
        .unwrap_or_else(|error| panic!("{error}: {checked:?}"));
    let not_passed: Vec<&Value> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        // Nothing was asked so often, or at such a time, that it was refused.
        .filter(|check| check["id"] != "error.rate" && check["id"] != "error.unavailable")
        .filter(|check| check["outcome"] != "passed")
        .collect();
    assert!(not_passed.is_empty(), "{not_passed:#?}");
    assert_eq!(report["verdict"], "reached");
    assert_eq!(checked.status.code(), Some(0));
}
