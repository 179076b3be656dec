//! The protocol's own tests of clients: those that apply to a client that only looks.
//!
//! Of the client scenarios of `@modelcontextprotocol/conformance` 0.1.16 that is `initialize`. The others ask for what
//! `observation.no-use` forbids: `tools_call`, `elicitation-...` and `sse-retry` call a tool, `auth/...` sign in.

use std::process::Command;

use crate::peers::servers;

// r[mcp.step.initialize] r[observation.no-use]
#[test]
fn initialize() {
    let Some(servers) = servers() else {
        return;
    };
    // Beside the folder of this test's program.
    let program = std::env::current_exe().unwrap();
    let probe = program
        .parent()
        .unwrap()
        .parent()
        .unwrap()
        .join("examples/probe");
    assert!(
        probe.is_file(),
        "`cargo build -p mcp-observation --example probe` comes first"
    );
    let packages = servers.join("node-current/node_modules");
    let output = Command::new(packages.join("node/bin/node"))
        .arg(packages.join("@modelcontextprotocol/conformance/dist/index.js"))
        .args(["client", "--scenario", "initialize", "--command"])
        .arg(format!(
            "{} --loopback https://example.org/contact",
            probe.display()
        ))
        .current_dir(std::env::temp_dir())
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}\n{err}");
    let said = format!("{out}{err}");
    assert!(said.contains("Passed: 1/1"), "{said}");
}
