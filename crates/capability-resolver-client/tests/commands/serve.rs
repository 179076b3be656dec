//! The reference resolver and this client, each a process of its own, over TLS with an authority of the tests' own.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Home;
use crate::stand::{Act, Authority, Greeting, Stand, http};

/// The resolver's program: where the whole workspace was built, it lies beside this one. `CAPABILITY_RESOLVER` names
/// another.
fn resolver() -> Option<PathBuf> {
    let own = PathBuf::from(env!("CARGO_BIN_EXE_capability-resolver-client"));
    let named = std::env::var_os("CAPABILITY_RESOLVER").map(PathBuf::from);
    let program = named.unwrap_or_else(|| own.with_file_name("capability-resolver"));
    let serves = Command::new(&program).args(["serve", "--help"]).output();
    if serves.is_ok_and(|output| output.status.success()) {
        return Some(program);
    }
    println!(
        "skipped: {} is not there, or serves nothing",
        program.display()
    );
    None
}

/// A server of the Model Context Protocol, of the modern era, with one tool.
fn mcp(target: &str) -> Act {
    let result = match target {
        "/mcp#server/discover" => {
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}"#
        }
        "/mcp#tools/list" => {
            r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"send_email","description":"Send a transactional email","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}}"#
        }
        _ => return Act::Say(http(404, &[], "")),
    };
    Act::Say(http(200, &[("Content-Type", "application/json")], result))
}

struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

// r[http.https] r[client.verify] r[record.same-claims]
#[test]
fn what_the_resolver_observed_is_found() {
    let Some(program) = resolver() else { return };
    let (home, authority) = (Home::new(), Authority::new());
    fs::write(home.path("root.pem"), &authority.pem).unwrap();
    let server = Stand::start(Some(authority.tls("localhost")), Greeting::None, mcp);
    let url = format!("https://localhost:{}/mcp", server.address.port());
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let issuer = format!("https://localhost:{port}");

    let command = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command
            .current_dir(home.path("."))
            .args(arguments)
            .env("SSL_CERT_FILE", home.path("root.pem"))
            .stdin(Stdio::null());
        command
    };
    let run = |arguments: &[&str]| {
        let output = command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    run(&["init", "r", "--origin", &issuer, "--name", "Test Resolver"]);
    let (certificate, key) = authority.certify_pem("localhost");
    fs::create_dir_all(home.path("r/tls")).unwrap();
    fs::write(home.path("r/tls/fullchain.pem"), certificate).unwrap();
    fs::write(home.path("r/tls/privkey.pem"), key).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(home.path("r/tls/privkey.pem"), private).unwrap();
    }
    let settings = fs::read_to_string(home.path("r/resolver.toml")).unwrap();
    let settings = settings
        .replace("# tls-", "tls-")
        .replace("127.0.0.1:8420", &format!("127.0.0.1:{port}"));
    fs::write(home.path("r/resolver.toml"), settings).unwrap();
    let policy = fs::read_to_string(home.path("r/policy.md")).unwrap();
    fs::write(
        home.path("r/policy.md"),
        policy.replace("**[name each one, or write: none]**", "none"),
    )
    .unwrap();
    let line = serde_json::json!({"url": url, "name": "Mail", "description": "Sends emails"});
    fs::write(home.path("servers.jsonl"), format!("{line}\n")).unwrap();
    let config = ["--config", "r/resolver.toml"];
    run(&[
        &config[..],
        &["import", "--allow-loopback", "servers.jsonl"],
    ]
    .concat());
    run(&[&config[..], &["observe", "--once", "--allow-loopback"]].concat());
    let _serving = Serving(
        command(&[&config[..], &["serve", "--allow-loopback"]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "it does not listen"
        );
        std::thread::sleep(Duration::from_millis(50));
    }

    let ask = |arguments: &[&str]| {
        let mut command = home.command();
        command
            .arg("--allow-loopback")
            .args(arguments)
            .args(["--resolver", &issuer, "--format", "json"])
            .env("SSL_CERT_FILE", home.path("root.pem"));
        home.run_with(&mut command, b"")
    };
    let found = ask(&["resolve", "send a transactional email"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    let value = found.json("client-resolve.schema.json");
    let candidate = &value["candidates"][0];
    assert_eq!(
        (&candidate["url"], &candidate["status"]),
        (&url.as_str().into(), &"ok".into())
    );
    assert_eq!(candidate["resolver"], "Test Resolver");
    assert_eq!(value["resolvers"][0]["differences"], serde_json::json!([]));
    let again = ask(&["resolve", "send a transactional email"]).json("client-resolve.schema.json");
    assert_eq!(again["resolvers"][0]["cached"], true);

    let record = ask(&["record", &url]);
    assert_eq!(record.code, Some(0), "{record:?}");
    let value = record.json("client-record.schema.json");
    assert_eq!(value["record"]["name"], "Mail");
    for member in ["status", "checked_at"] {
        assert_eq!(value["record"][member], candidate[member]);
    }
    let jws = candidate["jws"].as_str().unwrap();
    assert_eq!(ask(&["verify", jws]).code, Some(0));
    let other = if jws.ends_with('A') { "Q" } else { "A" };
    let forged = format!("{}{other}", &jws[..jws.len() - 1]);
    assert_eq!(ask(&["verify", &forged]).code, Some(1));
    let nobody = ask(&["resolve", "repair a bicycle tube in Oslo"]);
    assert_eq!(nobody.code, Some(1), "{nobody:?}");
}
