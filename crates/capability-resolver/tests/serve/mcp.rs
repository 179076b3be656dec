//! The resolver as a tool of the Model Context Protocol: section 15.1.5 of the text. Requests of both eras by hand, and
//! those of clients that others wrote.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use capability_resolution::Answer;
use capability_resolver::clock;
use serde_json::{Value, json};

use crate::common::{
    Folder, ISSUER, Response, Server, ago, mail, raw, request, response, soon, tool,
};
use crate::python::judge;

const NEED: &str = "send a transactional email";
const MAIL: &str = "https://mail.example.com/mcp";
const OTHER: &str = "https://post.example.net/mcp";

/// How a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Era {
    Modern,
    Legacy(&'static str),
}

const ERAS: [Era; 5] = [
    Era::Modern,
    Era::Legacy("2025-11-25"),
    Era::Legacy("2025-06-18"),
    Era::Legacy("2025-03-26"),
    Era::Legacy("2024-11-05"),
];

/// The bytes of a request to the endpoint.
fn post(headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut head = format!(
        "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    let usual = [
        ("Host", "resolver.test"),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let given = |name: &str| headers.iter().any(|(given, _)| *given == name);
    let usual = usual.iter().filter(|(name, _)| !given(name));
    for (name, value) in usual.chain(headers).filter(|(_, value)| !value.is_empty()) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    [head.as_bytes(), b"\r\n", body.as_bytes()].concat()
}

fn sent(server: &Server, headers: &[(&str, &str)], body: &str) -> Response {
    let bytes = raw(server.address, &post(headers, body));
    response(&bytes).unwrap_or_else(|| panic!("{:?}", String::from_utf8_lossy(&bytes)))
}

fn rpc(server: &Server, era: Era, method: &str, mut params: Value) -> Value {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    match era {
        Era::Modern => {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            headers.extend([
                ("MCP-Protocol-Version", "2026-07-28"),
                ("Mcp-Method", method),
                ("Mcp-Name", &name),
            ]);
        }
        Era::Legacy(version) => headers.push(("MCP-Protocol-Version", version)),
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let response = sent(server, &headers, &body.to_string());
    assert_eq!(response.status, 200, "{era:?} {method}: {response:?}");
    // Neither a stream nor a session.
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("mcp-session-id"), None);
    let answer = response.json();
    assert!(answer["error"].is_null(), "{era:?} {method}: {answer}");
    answer["result"].clone()
}

fn call(server: &Server, era: Era, arguments: &Value) -> Value {
    let params = json!({"name": "resolve", "arguments": arguments});
    rpc(server, era, "tools/call", params)
}

fn candidates(server: &Server) -> Vec<String> {
    let result = call(server, Era::Modern, &json!({"need": NEED}));
    let candidates = result["structuredContent"]["candidates"]
        .as_array()
        .unwrap();
    let urls = candidates.iter().map(|one| one["url"].as_str().unwrap());
    urls.map(str::to_owned).collect()
}

// r[mcp.tool.name] r[mcp.tool.title]
#[test]
fn the_one_tool_says_what_it_is() {
    let folder = Folder::with(&[mail(MAIL)]);
    let server = folder.serve_plain();
    assert_eq!(
        server.discovery().mcp().unwrap().as_str(),
        format!("{ISSUER}/mcp")
    );
    for era in ERAS {
        let listed = rpc(&server, era, "tools/list", json!({}));
        let tools = listed["tools"].as_array().unwrap();
        assert_eq!(tools.len(), 1, "{listed}");
        let tool = &tools[0];
        assert_eq!(tool["name"], "resolve");
        assert_eq!(tool["title"], "Find servers for a job");
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], true, "{tool}");
        assert_eq!(hints["openWorldHint"], true, "{tool}");
        let input = &tool["inputSchema"];
        assert_eq!(input["additionalProperties"], false);
        assert_eq!(input["required"], json!(["need"]));
        let names: Vec<_> = input["properties"].as_object().unwrap().keys().collect();
        let expected = [
            "max_handshake_ms",
            "need",
            "payment",
            "read_only",
            "sign_in",
        ];
        assert_eq!(names, expected);
        if era == Era::Modern {
            assert_eq!(listed["cacheScope"], "public");
            assert!(listed["ttlMs"].as_u64().unwrap() > 0);
        }
    }
    let modern = rpc(&server, Era::Modern, "server/discover", json!({}));
    assert!(
        modern["supportedVersions"]
            .as_array()
            .unwrap()
            .contains(&"2026-07-28".into())
    );
    let legacy = rpc(
        &server,
        Era::Legacy("2025-06-18"),
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    assert_eq!(legacy["protocolVersion"], "2025-06-18");
    assert_eq!(legacy["capabilities"], json!({"tools": {}}));
}

// r[mcp.tool.result] r[mcp.tool.same-tokens] r[mcp.tool.name]
#[test]
fn it_gives_what_the_resolve_endpoint_gives() {
    let mut reading = mail(OTHER);
    reading.tools = vec![tool("read_email", "Read a transactional email", true)];
    let folder = Folder::with(&[mail(MAIL), reading]);
    let file = format!(
        "Conformance: Capability Resolution 0.2\nContact: mailto:a@example.net\nExpires: {}\nResolvers: *\n\n\
         Endpoint: {OTHER}\nProtocol: mcp\nJobs: send an email\nPayment: none\n",
        ago(-86_400)
    );
    folder.server_file("post.example.net", &file, 60);
    let server = folder.serve_plain();
    let schema =
        rpc(&server, Era::Modern, "tools/list", json!({}))["tools"][0]["outputSchema"].clone();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let mut counts = Vec::new();
    for (arguments, query) in [
        (json!({"need": NEED}), ""),
        (json!({"need": format!("\u{a0} {NEED} ")}), ""),
        (json!({"need": NEED, "sign_in": "none"}), "&sign_in=none"),
        (json!({"need": NEED, "read_only": true}), "&read_only=true"),
        (json!({"need": NEED, "payment": "none"}), "&payment=none"),
        (
            json!({"need": NEED, "max_handshake_ms": 120}),
            "&max_handshake_ms=120",
        ),
        (
            json!({"need": NEED, "max_handshake_ms": 119}),
            "&max_handshake_ms=119",
        ),
    ] {
        let need = NEED.replace(' ', "+");
        let over_http = server.get(&format!("/resolve?need={need}{query}"));
        for era in ERAS {
            let result = call(&server, era, &arguments);
            assert_ne!(result["isError"], true, "{result}");
            let content = result["content"].as_array().unwrap();
            assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")));
            let text = content[0]["text"].as_str().unwrap();
            assert_eq!(text.as_bytes(), over_http.body, "{arguments}");
            let structured = &result["structuredContent"];
            assert_eq!(*structured, over_http.json());
            assert!(schema.is_valid(structured), "{structured}");
        }
        let answer = Answer::read(&over_http.body, &server.discovery(), clock::now()).unwrap();
        counts.push(answer.candidates.len());
    }
    assert_eq!(counts, [2, 2, 2, 1, 1, 2, 0]);
}

// r[mcp.tool.error] r[mcp.tool.name] r[error.no-need]
#[test]
fn what_is_wrong_is_told_by_its_code_and_not_by_the_need() {
    let folder = Folder::with(&[mail(MAIL)]);
    let server = folder.serve_plain();
    let long = "zqx".repeat(67);
    let table = [
        (json!({}), "need-missing"),
        (json!({"need": 7}), "need-missing"),
        (json!({"need": "zq"}), "need-length"),
        (json!({"need": long}), "need-length"),
        (json!({"need": "zqx\u{7}"}), "need-character"),
        (json!({"need": "zqx", "zqx": 1}), "parameter-unknown"),
        (json!({"need": "zqx", "payment": "zqx"}), "constraint-value"),
        (
            json!({"need": "zqx", "read_only": false}),
            "constraint-value",
        ),
        (
            json!({"need": "zqx", "max_handshake_ms": 60_001}),
            "constraint-value",
        ),
    ];
    let is_error = |arguments: &Value, code: &str| {
        for era in ERAS {
            let result = call(&server, era, arguments);
            assert_eq!(result["isError"], true, "{arguments}: {result}");
            let text = result["content"][0]["text"].as_str().unwrap();
            assert!(text.starts_with(&format!("{code}: ")), "{text}");
            assert!(!result.to_string().contains("zq"), "{result}");
            assert!(result["structuredContent"].is_null());
        }
    };
    for (arguments, code) in &table {
        is_error(arguments, code);
    }
    let store = folder.path("store.sqlite");
    std::fs::rename(&store, folder.path("away")).unwrap();
    is_error(&json!({"need": NEED}), "unavailable");
    std::fs::rename(folder.path("away"), &store).unwrap();
    soon("answers again", || server.get("/health").status == 200);
    assert_eq!(candidates(&server), [MAIL]);
}

// r[deny.at-once] r[deny.honoured]
#[test]
fn who_denies_is_in_no_answer_from_the_commit_on_also_after_a_restart() {
    let folder = Folder::with(&[mail(MAIL), mail(OTHER)]);
    let server = folder.serve_plain();
    assert_eq!(candidates(&server).len(), 2);
    folder.server_file("mail.example.com", "Resolvers: none\n", 0);
    assert_eq!(candidates(&server), [OTHER]);
    drop(server);
    assert_eq!(candidates(&folder.serve_plain()), [OTHER]);
}

#[test]
fn requests_of_every_other_kind_are_refused() {
    let folder = Folder::with(&[mail(MAIL)]);
    let server = folder.serve_plain();
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let status = |headers: &[(&str, &str)], body: &str| sent(&server, headers, body).status;
    assert_eq!(status(&[], list), 200);
    // Whose name is another's: a page that was led here by its name server, or a proxy that is not set up.
    assert_eq!(status(&[("Host", "other.test")], list), 403);
    assert_eq!(status(&[("Host", "127.0.0.1")], list), 403);
    assert_eq!(status(&[("Host", "")], list), 400);
    assert_eq!(status(&[("Origin", ISSUER)], list), 200);
    for origin in [
        "https://other.test",
        "http://resolver.test",
        "https://resolver.test:8443",
        "http://127.0.0.1",
        "null",
    ] {
        let response = sent(&server, &[("Origin", origin)], list);
        assert_eq!(response.status, 403, "{origin}");
        assert_eq!(response.header("access-control-allow-origin"), Some(ISSUER));
    }
    assert_eq!(status(&[("Content-Type", "text/plain")], list), 415);
    assert_eq!(status(&[("Accept", "text/html")], list), 406);
    assert_eq!(status(&[("MCP-Protocol-Version", "1999-01-01")], list), 400);
    let filled = |bytes: usize| {
        let without =
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"x": ""}});
        let filling = "x".repeat(bytes - without.to_string().len());
        without
            .to_string()
            .replace("\"\"", &format!("\"{filling}\""))
    };
    assert_eq!(status(&[], &filled(65_536)), 200);
    assert_eq!(status(&[], &filled(65_537)), 413);
    assert_ne!(
        status(
            &[],
            &format!("{}1{}", "[".repeat(20_000), "]".repeat(20_000))
        ),
        200
    );
    for body in [
        "",
        "{",
        "null",
        "[]",
        "7",
        "\u{0}",
        "{\"jsonrpc\":\"2.0\"}",
        &format!("[{list}]"),
    ] {
        let status = status(&[], body);
        assert!((400..500).contains(&status), "{body}: {status}");
    }
    for method in ["GET", "DELETE", "PUT", "OPTIONS"] {
        let response = request(
            server.address,
            method,
            "/mcp",
            &[("Accept", "text/event-stream")],
        );
        assert_eq!(response.status, 405, "{method}");
        assert_eq!(response.header("allow"), Some("POST"), "{method}");
    }
    let unknown = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"zqx"}}"#;
    let refused = sent(&server, &[], unknown).json();
    assert!(refused["error"]["code"].is_number(), "{refused}");
    assert!(!refused.to_string().contains("zqx"), "{refused}");
    // On this machine, for those who develop.
    drop(server);
    let server = folder.serve(&["--allow-loopback"]);
    let status = |headers: &[(&str, &str)]| sent(&server, headers, list).status;
    for host in ["127.0.0.1:1234", "localhost", "[::1]:80", "resolver.test"] {
        assert_eq!(status(&[("Host", host)]), 200, "{host}");
    }
    assert_eq!(status(&[("Origin", "http://localhost:3000")]), 200);
    assert_eq!(status(&[("Origin", "https://other.test")]), 403);
    assert_eq!(status(&[("Host", "other.test")]), 403);
}

// r[error.rate] r[mcp.tool.refused-before]
#[test]
fn a_caller_is_limited_as_over_http() {
    let folder = Folder::with(&[mail(MAIL)]);
    folder.edit(
        "resolver.toml",
        "requests-per-minute = 0",
        "requests-per-minute = 20",
    );
    let server = folder.serve_plain();
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let ask = || sent(&server, &[("X-Forwarded-For", "192.0.2.1")], list);
    assert!((0..20).all(|_| ask().status == 200));
    let refused = ask();
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["code"], "rate-limited");
    assert!(refused.header("retry-after").is_some());
}

#[test]
fn a_body_that_does_not_come_is_waited_for_no_longer_than_ten_seconds() {
    let folder = Folder::with(&[mail(MAIL)]);
    let server = folder.serve_plain();
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    let head = String::from_utf8(post(&[], "")).unwrap();
    let head = head.replace("Content-Length: 0", "Content-Length: 1000");
    stream.write_all(head.as_bytes()).unwrap();
    let began = std::time::Instant::now();
    let mut came = Vec::new();
    let _ = stream.read_to_end(&mut came);
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(response(&came).unwrap().status, 408);
}

/// What a client that others wrote says it was given, or nothing where it is not installed.
#[allow(clippy::print_stderr, reason = "what is skipped is told")]
fn client(server: &Server, name: &str, arguments: &Value) -> Option<Value> {
    let Some(folder) = std::env::var_os("MCP_SERVERS_DIR") else {
        eprintln!("skipped: MCP_SERVERS_DIR names no folder, see interop/mcp-servers/README.md");
        return None;
    };
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../interop/mcp-servers/servers.py"
    );
    let url = format!("http://{}/mcp", server.address);
    let ran = Command::new("python3")
        .args([program, "call"])
        .arg(folder)
        .args([name, &url, "resolve", &arguments.to_string()])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&ran.stdout);
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{name}: {out}{err}");
    Some(serde_json::from_str(&out).unwrap_or_else(|error| panic!("{name}: {error}: {out}")))
}

// r[mcp.tool.result]
#[test]
fn clients_that_others_wrote_get_tokens_that_verify() {
    let folder = Folder::with(&[mail(MAIL), mail(OTHER)]);
    let server = folder.serve(&["--allow-loopback"]);
    for name in ["inspector", "ts", "ts-legacy", "py", "py-legacy"] {
        let arguments = json!({"need": NEED, "sign_in": "none", "max_handshake_ms": 500});
        let Some(given) = client(&server, name, &arguments) else {
            return;
        };
        assert_eq!(
            given["tools"][0]["title"], "Find servers for a job",
            "{name}"
        );
        let text = given["result"]["content"][0]["text"].as_str().unwrap();
        let structured: Value = serde_json::from_str(text).unwrap();
        assert_eq!(given["result"]["structuredContent"], structured, "{name}");
        // By the reading of the text in Python, which knows none of our code.
        if let Some(said) = judge(&server, text) {
            assert_eq!(said["result"], "valid", "{name}: {said}");
            let candidates = said["output"]["candidates"].as_array().unwrap();
            assert_eq!(candidates.len(), 2, "{name}: {said}");
            assert_eq!(said["output"]["dropped"], json!([]), "{name}: {said}");
        }
    }
}

#[test]
fn the_observer_finds_it_ok_as_it_would_any_other_server() {
    let folder = Folder::with(&[mail(MAIL)]);
    let server = folder.serve(&["--allow-loopback"]);
    let url = format!("http://{}/mcp", server.address);
    std::fs::write(folder.path("own.jsonl"), json!({"url": url}).to_string()).unwrap();
    let run = |arguments: &[&str]| {
        let usual = ["--config", "r/resolver.toml"];
        let ran = folder.command(&[&usual, arguments].concat());
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8(ran.stdout).unwrap()
    };
    run(&["import", "--allow-loopback", "r/own.jsonl"]);
    let observed: Value = serde_json::from_str(&run(&[
        "observe",
        "--once",
        "--allow-loopback",
        "--format",
        "json",
    ]))
    .unwrap();
    assert_eq!(observed["observed"], json!({"ok": 1}), "{observed}");
    // And it is found by what its tool says.
    soon("it is in answers", || {
        let answer = server.get("/resolve?need=find+servers+for+a+job").json();
        let found = &answer["candidates"][0];
        found["url"] == url && found["status"] == "ok"
    });
}
