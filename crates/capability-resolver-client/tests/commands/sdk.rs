//! Clients of the Model Context Protocol that others wrote, and the local server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use capability_resolution::Status;
use serde_json::Value;

use crate::common::{Home, NOW, Resolver, check, unchanged};

const MAIL: &str = "https://mail.example.com/mcp";
const PROGRAM: &str = env!("CARGO_BIN_EXE_capability-resolver-client");

/// Where the packages are, by `interop/mcp-servers/servers.py install`.
fn packages(of: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("MCP_SERVERS_DIR").map(PathBuf::from) else {
        println!("skipped: MCP_SERVERS_DIR is not set");
        return None;
    };
    let there = folder.join(of);
    if !there.is_dir() {
        println!("skipped: {} is not there", there.display());
        return None;
    }
    Some(folder)
}

/// A program of ours finds its packages from where it lies.
fn beside(folder: &Path, name: &str) -> PathBuf {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../interop/mcp-servers")
        .join(name);
    let there = folder.join(name);
    fs::copy(ours, &there).unwrap();
    there
}

fn node(folder: &Path) -> PathBuf {
    folder.join("node-current/node_modules/node/bin/node")
}

fn with_resolver() -> (Home, Resolver) {
    let home = Home::new();
    let resolver = Resolver::start("first", &[(MAIL, Status::Ok, 60)], unchanged);
    home.at_now(&["resolvers", "add", resolver.origin()]);
    (home, resolver)
}

fn said(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?} {err}"))
}

fn is_found(result: &Value) {
    check(&result["structuredContent"], "client-resolve.schema.json");
    let candidate = &result["structuredContent"]["candidates"][0];
    assert_eq!(candidate["url"], MAIL, "{result}");
    assert_eq!(candidate["resolver"], "first Resolver");
}

/// Both SDKs start the server as their guides say, in the era that they take themselves and in the older one.
fn by_sdk(program: &Path, script: &Path) {
    let (home, _resolver) = with_resolver();
    for mode in ["auto", "legacy"] {
        let mut command = Command::new(program);
        command
            .arg(script)
            .args([
                mode,
                "resolve",
                r#"{"need":"send an email","payment":"none"}"#,
                PROGRAM,
            ])
            .args(["mcp", "--allow-loopback", "--now", NOW])
            .env("HOME", home.path("."))
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_CACHE_HOME");
        let said = said(&mut command);
        assert_eq!(
            said["tools"][0]["title"], "Find servers for a job",
            "{mode}"
        );
        is_found(&said["result"]);
    }
}

#[test]
fn the_python_sdk() {
    if let Some(folder) = packages("python-current") {
        let environment = folder.join("python-current");
        let script = beside(&environment, "stdio_client.py");
        by_sdk(&environment.join("bin/python"), &script);
    }
}

#[test]
fn the_typescript_sdk() {
    if let Some(folder) = packages("node-clients") {
        let script = beside(&folder.join("node-clients"), "stdio_client.mjs");
        by_sdk(&node(&folder), &script);
    }
}

#[test]
fn the_inspector() {
    let Some(folder) = packages("node-clients") else {
        return;
    };
    let (home, _resolver) = with_resolver();
    let launcher = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
    let mut command = Command::new(node(&folder));
    command
        .current_dir(folder.join("node-clients"))
        .arg(launcher)
        .args(["--cli", PROGRAM, "mcp", "--allow-loopback", "--now", NOW])
        .args(["--method", "tools/call", "--tool-name", "resolve"])
        .args(["--tool-arg", "need=send an email"])
        .env("HOME", home.path("."))
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_CACHE_HOME");
    is_found(&said(&mut command));
}
