//! TLS by the resolver itself, and what is not said in the clear.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use capability_resolution::{Answer, Discovery};
use capability_resolver::clock;
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::common::{Folder, Server, issuer, mail, raw, response, soon};

const NEED: &str = "/resolve?need=send+email";

fn certify(folder: &Folder) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["resolver.test".to_owned()]).unwrap();
    let signing_key: KeyPair = signing_key;
    fs::create_dir_all(folder.path("tls")).unwrap();
    let key = folder.path("tls/privkey.pem");
    fs::write(
        folder.path("tls/fullchain.pem"),
        pem("CERTIFICATE", cert.der()),
    )
    .unwrap();
    fs::write(&key, pem("PRIVATE KEY", &signing_key.serialize_der())).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    cert.der().clone()
}

pub(crate) fn pem(label: &str, der: &[u8]) -> String {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode(der);
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}

fn secure(folder: &Folder) {
    folder.edit("resolver.toml", "# tls-certificate", "tls-certificate");
    folder.edit("resolver.toml", "# tls-key", "tls-key");
}

/// Asks over TLS, trusting this certificate alone; nothing if it is another.
fn get(server: &Server, trusted: &CertificateDer<'static>, target: &str) -> Option<Vec<u8>> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("resolver.test").unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = StreamOwned::new(connection, TcpStream::connect(server.address).unwrap());
    let head = format!("GET {target} HTTP/1.1\r\nHost: resolver.test\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    let mut came = Vec::new();
    let _ = stream.read_to_end(&mut came);
    response(&came).map(|one| one.body)
}

// r[http.https]
#[test]
fn answers_over_tls_and_takes_a_new_certificate_without_a_pause() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let first = certify(&folder);
    secure(&folder);
    let server = folder.serve_plain();
    let discovery = get(&server, &first, "/.well-known/capability-resolver").unwrap();
    let discovery = Discovery::read(&discovery, &issuer()).unwrap();
    let answer = get(&server, &first, NEED).unwrap();
    assert_eq!(
        Answer::read(&answer, &discovery, clock::now())
            .unwrap()
            .candidates
            .len(),
        1
    );
    // In the clear nobody is told anything.
    let clear = raw(
        server.address,
        format!("GET {NEED} HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes(),
    );
    assert!(
        response(&clear).is_none(),
        "{:?}",
        String::from_utf8_lossy(&clear)
    );
    // Half a hello, and nothing more: others are served meanwhile.
    let mut half = TcpStream::connect(server.address).unwrap();
    half.write_all(b"\x16\x03\x01\x02\x00\x01").unwrap();

    let second = certify(&folder);
    soon("the new certificate", || {
        get(&server, &second, NEED).is_some()
    });
    assert!(get(&server, &first, NEED).is_none());
    fs::write(folder.path("tls/privkey.pem"), "no key").unwrap();
    server.signal("HUP");
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    assert!(get(&server, &second, NEED).is_some());
    let (_, err) = server.stop();
    assert!(
        err.contains("new connections get the new certificate"),
        "{err}"
    );
    assert!(
        err.contains("certificate and key are those of before"),
        "{err}"
    );
}

/// A ClientHello that offers this version and no newer one: RFC 5246 section 7.4.1.2.
fn hello(version: [u8; 2]) -> Vec<u8> {
    /// After its length, which has so many bytes.
    fn sized(bytes: usize, content: &[u8]) -> Vec<u8> {
        let length = content.len().to_be_bytes();
        [&length[length.len() - bytes..], content].concat()
    }
    // ECDHE-ECDSA with AES-128-GCM for TLS 1.2, with AES-128-CBC for what is older.
    let suites = [0xc0, 0x2b, 0xc0, 0x09];
    let extension = |kind: u8, content: &[u8]| [&[0, kind][..], &sized(2, content)].concat();
    let extensions = [
        // Groups: P-256; points: uncompressed; signatures: ECDSA with P-256 and SHA-256, and with SHA-1.
        extension(10, &sized(2, &[0x00, 0x17])),
        extension(11, &sized(1, &[0x00])),
        extension(13, &sized(2, &[0x04, 0x03, 0x02, 0x03])),
    ]
    .concat();
    let hello = [
        &version[..],
        &[7; 32],
        &sized(1, &[]),
        &sized(2, &suites),
        &sized(1, &[0]),
        &sized(2, &extensions),
    ]
    .concat();
    let message = [&[1][..], &sized(3, &hello)].concat();
    [&[22, 3, 1][..], &sized(2, &message)].concat()
}

// r[http.tls-version]
#[test]
fn nobody_is_answered_over_tls_older_than_1_2() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    certify(&folder);
    secure(&folder);
    let server = folder.serve_plain();
    for older in [[3, 0], [3, 1], [3, 2]] {
        let came = raw(server.address, &hello(older));
        // One alert record: fatal, protocol_version.
        assert_eq!(
            (came.len(), came[0], &came[5..]),
            (7, 21, &[2, 70][..]),
            "{came:?}"
        );
    }
    // The same hello with TLS 1.2 gets a ServerHello of it.
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(&hello([3, 3])).unwrap();
    let mut came = [0; 11];
    stream.read_exact(&mut came).unwrap();
    assert_eq!(
        (came[0], came[5], &came[9..]),
        (22, 2, &[3, 3][..]),
        "{came:?}"
    );
    server.stop();
}

// r[http.https]
#[test]
fn what_would_be_served_in_the_clear_is_not_served() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let serve = |more: &[&str]| {
        let ran = folder.command(&[&["--config", "r/resolver.toml", "serve"], more].concat());
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    let (code, err) = serve(&["--listen", "0.0.0.0:0"]);
    assert!(code == Some(2) && err.contains("plain-http"), "{err}");
    folder.edit("resolver.toml", "# tls-key", "tls-key");
    let (code, err) = serve(&[]);
    assert!(code == Some(2) && err.contains("half-tls"), "{err}");
    certify(&folder);
    folder.edit("resolver.toml", "# tls-certificate", "tls-certificate");
    fs::set_permissions(
        folder.path("tls/privkey.pem"),
        fs::Permissions::from_mode(0o644),
    )
    .unwrap();
    let (code, err) = serve(&[]);
    assert!(code == Some(2) && err.contains("tls-mode"), "{err}");
}

// r[obligation.disclosure] r[policy.statements] r[policy.dated] r[policy.changelog] r[policy.page]
#[test]
fn what_is_not_finished_is_not_served() {
    for (file, from, to, says) in [
        (
            "policy.md",
            "are: none",
            "are: **[name each one, or write: none]**",
            "obligation.disclosure",
        ),
        (
            "policy.md",
            "obligation.payment",
            "payment",
            "policy.statements",
        ),
        (
            "policy.md",
            "In force from 20",
            "In force from the year 20",
            "policy.dated",
        ),
        (
            "changelog.md",
            "## 20",
            "## the year 20",
            "policy.changelog",
        ),
        ("resolver.toml", "policy.md", "policy.pdf", "policy.page"),
        (
            "resolver.toml",
            "https://resolver.test\"",
            "https://resolver.example\"",
            "http.user-agent",
        ),
    ] {
        let folder = Folder::new();
        if says == "policy.dated" || says == "policy.changelog" {
            let text = fs::read_to_string(folder.path(file)).unwrap();
            fs::write(folder.path(file), text.replace("20", "")).unwrap();
        } else {
            folder.edit(file, from, to);
        }
        let ran = folder.command(&[
            "--config",
            "r/resolver.toml",
            "serve",
            "--listen",
            "127.0.0.1:0",
        ]);
        let err = String::from_utf8(ran.stderr).unwrap();
        assert!(
            ran.status.code() == Some(2) && err.contains(says),
            "{says}: {err}"
        );
    }
}
