//! The local MCP server, by hand in both eras, and what hosts are told of it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use capability_resolution::Status;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{Home, NOW, Resolver, check, unchanged};

const MAIL: &str = "https://mail.example.com/mcp";

/// A host's end of the conversation.
struct Host {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Host {
    fn start(home: &Home) -> Self {
        let mut child = home
            .command()
            .args(["--now", NOW, "--allow-loopback", "mcp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    fn ask(&mut self, id: u32, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The input ends, and so does the program.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    params
}

fn with_resolver() -> (Home, Resolver) {
    let home = Home::new();
    let resolver = Resolver::start("first", &[(MAIL, Status::Ok, 1_078)], unchanged);
    let added = home.at_now(&["resolvers", "add", resolver.origin()]);
    assert_eq!(added.code, Some(0), "{added:?}");
    (home, resolver)
}

// r[mcp.tool.name] r[mcp.tool.title] r[mcp.tool.error]
#[test]
fn both_eras_find_a_server() {
    let (home, _resolver) = with_resolver();
    for is_modern in [true, false] {
        let mut host = Host::start(&home);
        let with = |params: Value| if is_modern { modern(params) } else { params };
        if is_modern {
            let found = host.ask(1, "server/discover", &with(json!({})));
            assert!(
                found["result"]["supportedVersions"]
                    .to_string()
                    .contains("2026-07-28"),
                "{found}"
            );
        } else {
            let client = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
            let begun = host.ask(1, "initialize", &client);
            assert_eq!(begun["result"]["protocolVersion"], "2025-11-25", "{begun}");
            assert_eq!(
                begun["result"]["serverInfo"]["name"],
                "capability-resolver-client"
            );
            host.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        let list = host.ask(2, "tools/list", &with(json!({})));
        let tools = list["result"]["tools"].as_array().unwrap();
        assert_eq!(tools.len(), 1);
        let tool = &tools[0];
        assert_eq!(
            (&tool["name"], &tool["title"]),
            (&json!("resolve"), &json!("Find servers for a job"))
        );
        assert_eq!(
            (
                &tool["annotations"]["readOnlyHint"],
                &tool["annotations"]["openWorldHint"]
            ),
            (&json!(true), &json!(true))
        );
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        let names: Vec<_> = tool["inputSchema"]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect();
        assert_eq!(
            names,
            [
                "max_handshake_ms",
                "need",
                "payment",
                "read_only",
                "sign_in"
            ]
        );

        let call =
            json!({"name": "resolve", "arguments": {"need": "send an email", "payment": "none"}});
        let called = host.ask(3, "tools/call", &with(call));
        let result = &called["result"];
        check(&result["structuredContent"], "client-resolve.schema.json");
        assert_eq!(
            result["structuredContent"]["candidates"][0]["url"], MAIL,
            "{called}"
        );
        assert_eq!(
            result["structuredContent"]["candidates"][0]["resolver"],
            "first Resolver"
        );
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);

        let call = json!({"name": "resolve", "arguments": {"need": "secret\u{1} words"}});
        let failed = host.ask(4, "tools/call", &with(call));
        assert_eq!(failed["result"]["isError"], true, "{failed}");
        assert!(
            failed["result"]["content"][0]["text"]
                .as_str()
                .unwrap()
                .starts_with("need-character: ")
        );
        assert!(!failed.to_string().contains("secret"));
        let other = host.ask(
            5,
            "tools/call",
            &with(json!({"name": "connect", "arguments": {}})),
        );
        assert!(other["error"].is_object(), "{other}");
        host.end();
    }
}

#[test]
fn settings_that_change_are_seen_by_the_next_call() {
    let home = Home::new();
    let mut host = Host::start(&home);
    host.ask(1, "server/discover", &modern(json!({})));
    let call = || modern(json!({"name": "resolve", "arguments": {"need": "send an email"}}));
    let nobody = host.ask(2, "tools/call", &call());
    assert_eq!(nobody["result"]["isError"], true);
    let text = nobody["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("error[no-resolvers]: "), "{text}");
    let resolver = Resolver::start("first", &[(MAIL, Status::Ok, 60)], unchanged);
    home.at_now(&["resolvers", "add", resolver.origin()]);
    let found = host.ask(3, "tools/call", &call());
    assert_eq!(
        found["result"]["structuredContent"]["candidates"][0]["url"], MAIL,
        "{found}"
    );
    host.end();
}

#[test]
fn each_host_is_told_what_it_reads() {
    let home = Home::new();
    let program = env!("CARGO_BIN_EXE_capability-resolver-client");
    let mut all = String::new();
    for (host, servers) in [
        ("claude-code", "mcpServers"),
        ("cursor", "mcpServers"),
        ("vscode", "servers"),
        ("gemini-cli", "mcpServers"),
    ] {
        let ran = home.run(&["mcp", "--print-config", host]);
        let config: Value = serde_json::from_str(&ran.out).unwrap();
        let server = &config[servers]["capability-resolver"];
        assert_eq!(config.as_object().unwrap().len(), 1, "{config}");
        assert_eq!(
            (&server["command"], &server["args"]),
            (&json!(program), &json!(["mcp"]))
        );
        // VS Code asks for the type; the others take it from the command.
        assert_eq!(
            server.get("type"),
            (host == "vscode").then_some(&json!("stdio"))
        );
        all += &format!("{host}\n{}", ran.all().replace(program, "PROGRAM"));
        // What the configuration says can be started as it is.
        let started = std::process::Command::new(server["command"].as_str().unwrap())
            .args(
                server["args"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|word| word.as_str().unwrap()),
            )
            .env("HOME", home.path("."))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(started.status.success() && started.stdout.is_empty());
    }
    assert_snapshot!(all);
    let ran = home.run(&["--config", "my.toml", "mcp", "--print-config", "cursor"]);
    let config: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        config["mcpServers"]["capability-resolver"]["args"],
        json!(["mcp", "--config", "HOME/my.toml"])
    );
}

#[test]
fn no_message_repeats_a_need() {
    let (home, _resolver) = with_resolver();
    let call = |arguments: Value| json!({"name": "resolve", "arguments": arguments});
    let with = |method: &str, params: Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
    };
    let need = json!({"need": "quetzalcoatl"});
    for line in [
        with("tools/call", call(need.clone())),
        with(
            "tools/call",
            modern(call(
                json!({"need": "quetzalcoatl", "page": "quetzalcoatl"}),
            )),
        ),
        with(
            "tools/call",
            modern(call(json!({"need": "quetzalcoatl\u{1} quetzalcoatl"}))),
        ),
        with("quetzalcoatl", need.clone()),
        with("initialize", need),
        "quetzalcoatl".to_owned(),
        "{\"need\":\"quetzalcoatl\"}".to_owned(),
    ] {
        let mut command = home.command();
        command.args(["--now", NOW, "--allow-loopback", "mcp"]);
        let ran = home.run_with(&mut command, format!("{line}\n").as_bytes());
        // The name of a method is no need, and JSON-RPC gives it back.
        let out = if line.contains("\"method\":\"quetz") {
            ""
        } else {
            &ran.out
        };
        assert!(
            !out.contains("quetzal") && !ran.err.contains("quetzal"),
            "{line}: {ran:?}"
        );
    }
}
