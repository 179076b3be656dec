//! A user's folders, the binary run among them, and resolvers that it can ask.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use capability_resolution::{Observation, Origin, RecordClaims, Signer, Status, Time};
use rustls::ServerConfig;
use serde_json::Value;
use tempfile::TempDir;

use crate::stand::{Act, Greeting, Stand, http, json};

pub(crate) const NOW: &str = "2026-11-30T12:00:05Z";
const NOW_SECONDS: i64 = 1_796_040_005;

/// What a command did; paths of the test's own folder and ports are replaced.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn all(&self) -> String {
        let code = self.code.map_or("none".to_owned(), |code| code.to_string());
        format!("exit {code}\n{}{}", self.out, self.err)
    }

    /// With each resolver under a name instead of its address.
    pub(crate) fn shown(&self, resolvers: &[&Resolver]) -> String {
        resolvers.iter().fold(self.all(), |text, resolver| {
            text.replace(
                resolver.issuer.as_str(),
                &format!("http://{}", resolver.name),
            )
        })
    }

    pub(crate) fn json(&self, schema: &str) -> Value {
        let value = serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"));
        check(&value, schema);
        value
    }
}

/// Holds a value against a schema of docs/schema.
pub(crate) fn check(value: &Value, schema: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/schema")
        .join(schema);
    let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<_> = validator
        .iter_errors(value)
        .map(|e| e.to_string())
        .collect();
    assert!(faults.is_empty(), "{faults:#?}: {value:#}");
}

/// A user's home.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The program, with this home and nothing of the real one.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_capability-resolver-client"));
        // Help is wrapped at this width where no terminal says its own.
        command.env_remove("COLUMNS");
        command
            .current_dir(self.0.path())
            .env("HOME", self.0.path());
        for name in [
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
        ] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(self.command().args(arguments), b"")
    }

    /// At [`NOW`], with loopback allowed.
    pub(crate) fn at_now(&self, arguments: &[&str]) -> Ran {
        self.run(&[&["--now", NOW, "--allow-loopback"], arguments].concat())
    }

    pub(crate) fn run_with(&self, command: &mut Command, stdin: &[u8]) -> Ran {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that needs no more of its input may have closed it.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        let output = child.wait_with_output().unwrap();
        let folder = self.0.path().canonicalize().unwrap().display().to_string();
        let text = |bytes| String::from_utf8(bytes).unwrap().replace(&folder, "HOME");
        Ran {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// A resolver on this machine.
pub(crate) struct Resolver {
    pub(crate) name: String,
    pub(crate) issuer: Origin,
    pub(crate) signer: Signer,
    pub(crate) stand: Stand,
}

impl Resolver {
    /// By http, with an answer to every need and records of what is in it. `change` may make something else of any body.
    pub(crate) fn start(
        name: &str,
        servers: &[(&str, Status, i64)],
        change: fn(&str, String) -> String,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let issuer = Origin::loopback(&issuer).unwrap();
        Self::on(listener, issuer, None, name, servers, NOW_SECONDS, change)
    }

    /// The same over TLS as `https://localhost:PORT`, at a moment.
    pub(crate) fn start_tls(
        tls: Arc<ServerConfig>,
        name: &str,
        servers: &[(&str, Status, i64)],
        now: i64,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let issuer: Origin = format!("https://localhost:{port}").parse().unwrap();
        Self::on(
            listener,
            issuer,
            Some(tls),
            name,
            servers,
            now,
            |_, body| body,
        )
    }

    fn on(
        listener: TcpListener,
        issuer: Origin,
        tls: Option<Arc<ServerConfig>>,
        name: &str,
        servers: &[(&str, Status, i64)],
        now: i64,
        change: fn(&str, String) -> String,
    ) -> Self {
        let mut seed = [9; 32];
        seed[..name.len()].copy_from_slice(name.as_bytes());
        let signer = Signer::new(issuer.clone(), "k1", &seed).unwrap();
        let time = |seconds| Time::from_unix_seconds(seconds);
        let seen = |(url, status, age): &(&str, Status, i64)| Observation {
            url: url.parse().unwrap(),
            status: *status,
            checked_at: time(now - age),
        };
        let candidates: Vec<Value> = servers
            .iter()
            .map(|server| {
                let (seen, exp) = (seen(server), time(now - server.2 + 86_400));
                serde_json::json!({
                    "url": server.0, "status": server.1.as_str(), "checked_at": seen.checked_at.to_string(),
                    "expires": exp.to_string(), "jws": signer.token(&seen, seen.checked_at, exp).unwrap(),
                })
            })
            .collect();
        let resolver_name = format!("{name} Resolver");
        let document = serde_json::json!({
            "v": "0.2", "iss": issuer.as_str(), "resolver": resolver_name,
            "policy": format!("{issuer}/policy"),
            "endpoints": {"resolve": format!("{issuer}/resolve"), "record": format!("{issuer}/record")},
            "keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k1", "x": signer.public_x()}],
        });
        let answer = serde_json::json!({
            "v": "0.2", "iss": issuer.as_str(), "resolver": resolver_name, "candidates": candidates,
        });
        let record = servers.first().map(|server| {
            let claims = RecordClaims {
                name: format!("The \u{1f4ee} of {name}"),
                first_seen: time(now - 8_000_000),
                history: None,
            };
            let seen = seen(server);
            let jws = signer.record_token(&seen, &claims, seen.checked_at, time(now + 3_600));
            let record = serde_json::json!({
                "v": "0.2", "iss": issuer.as_str(), "resolver": resolver_name, "jws": jws.unwrap(),
            });
            (server.0.to_owned(), record.to_string())
        });
        let (document, answer) = (document.to_string(), answer.to_string());
        let stand = Stand::on(listener, tls, Greeting::None, move |target| {
            let (path, query) = target.split_once('?').unwrap_or((target, ""));
            let body = match path {
                "/resolve" => answer.clone(),
                "/record" => match &record {
                    Some((url, record)) if query == format!("url={}", encoded(url)) => {
                        record.clone()
                    }
                    _ => return Act::Say(http(404, &[], "")),
                },
                _ => document.clone(),
            };
            let body = change(path, body);
            match body.strip_prefix("status ") {
                Some(status) => Act::Say(http(status.parse().unwrap(), &[], "")),
                None => Act::Say(json(body)),
            }
        });
        Self {
            name: name.to_owned(),
            issuer,
            signer,
            stand,
        }
    }

    pub(crate) fn origin(&self) -> &str {
        self.issuer.as_str()
    }
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// As it is.
pub(crate) fn unchanged(_: &str, body: String) -> String {
    body
}
