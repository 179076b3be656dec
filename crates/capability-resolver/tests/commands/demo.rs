//! `demo`: a resolver and servers on this machine, for real, and nothing of them left.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::{Value, json};

/// The command, with a place of its own for what is temporary.
fn demo(temporary: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_capability-resolver"));
    command
        .args(["demo", "--listen", "127.0.0.1:0"])
        .args(more)
        .env("TMPDIR", temporary)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn left(temporary: &Path) -> usize {
    fs::read_dir(temporary).unwrap().count()
}

fn stop(child: &mut Child, signal: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &pid]).status();
    assert!(sent.unwrap().success());
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "it does not stop"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    response.split_once("\r\n\r\n").unwrap().1.to_owned()
}

fn get(address: &str, path: &str) -> String {
    ask(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"),
    )
}

/// Ports and times are others each time.
fn plain(out: &str) -> String {
    let mut text = String::new();
    for line in out.lines() {
        let words = line.split(' ').map(|word| {
            if let Some(rest) = word.strip_prefix("http://127.0.0.1:") {
                let path = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                format!("http://127.0.0.1:PORT{path}")
            } else if word.len() >= 20 && word.starts_with("20") {
                format!("TIME{}", &word[20..])
            } else {
                word.to_owned()
            }
        });
        text.push_str(words.collect::<Vec<_>>().join(" ").trim_end());
        text.push('\n');
    }
    text
}

#[test]
fn once_it_asks_itself_and_shows_what_verifies() {
    let temporary = tempfile::tempdir().unwrap();
    let ran = demo(temporary.path(), &["--once"]).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
    assert_snapshot!("demo_once", plain(&String::from_utf8_lossy(&ran.stdout)));
    assert_eq!(left(temporary.path()), 0);
}

#[test]
fn it_answers_until_it_is_stopped_and_leaves_nothing() {
    let temporary = tempfile::tempdir().unwrap();
    let mut child = demo(temporary.path(), &[]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let address = first
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split(',').next())
        .unwrap_or_else(|| panic!("{first}"))
        .to_owned();
    // The line that it tells people to run.
    let curl = lines
        .by_ref()
        .map(Result::unwrap)
        .find(|line| line.contains("curl"))
        .unwrap();
    let url = curl.split('\'').nth(1).unwrap();
    let path = url.strip_prefix(&format!("http://{address}")).unwrap();
    let answer: Value = serde_json::from_str(&get(&address, path)).unwrap();
    let statuses: Vec<&Value> = answer["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["status"])
        .collect();
    assert_eq!(statuses, ["ok", "sign_in", "unknown"], "{answer}");
    assert!(get(&address, "/").contains("Find servers for a job"));
    // What it promises is true of it, and nothing is left to fill in.
    let policy = get(&address, "/policy");
    assert!(policy.contains(&format!("of the resolver http://{address}.")));
    assert!(
        policy.contains("we run all of them")
            && policy.contains("under origins of their own")
            && !policy.contains("We do not host")
            && !policy.contains('['),
        "{policy}"
    );
    // The server that it names is one: it lists its tools and can be called.
    let server = answer["candidates"][0]["url"].as_str().unwrap();
    let host = server
        .strip_prefix("http://")
        .unwrap()
        .strip_suffix("/mcp")
        .unwrap();
    let post = |host: &str, method: &str, params: Value| -> Value {
        let body =
            json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let text = ask(
            host,
            &format!(
                "POST /mcp HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
                 Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        );
        serde_json::from_str(&text).unwrap()
    };
    let tools = post(host, "tools/list", json!({}));
    assert_eq!(tools["result"]["tools"][0]["name"], "send_email", "{tools}");
    let called = post(
        host,
        "tools/call",
        json!({"name": "send_email", "arguments": {}}),
    );
    assert!(
        called["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("nothing was done")
    );
    let as_tool = post(
        &address,
        "tools/call",
        json!({"name": "resolve", "arguments": {"need": "weather in a place"}}),
    );
    let candidates = &as_tool["result"]["structuredContent"]["candidates"];
    assert_eq!(candidates.as_array().unwrap().len(), 1, "{as_tool}");
    assert_eq!(left(temporary.path()), 1);
    stop(&mut child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(left(temporary.path()), 0);
}

#[test]
fn whenever_it_is_stopped_nothing_is_left() {
    for wait_ms in [30, 120, 250, 500] {
        let temporary = tempfile::tempdir().unwrap();
        let mut child = demo(temporary.path(), &[]).spawn().unwrap();
        let began = Instant::now();
        // Not before there is something that could be left.
        while left(temporary.path()) == 0 {
            assert!(began.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(wait_ms));
        stop(&mut child, "TERM");
        assert_eq!(left(temporary.path()), 0, "after {wait_ms} ms");
    }
}

#[test]
fn it_is_for_this_machine_and_says_what_is_in_its_way() {
    let temporary = tempfile::tempdir().unwrap();
    let run = |address: &str| {
        let ran = Command::new(env!("CARGO_BIN_EXE_capability-resolver"))
            .args(["demo", "--once", "--listen", address])
            .env("TMPDIR", temporary.path())
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(2), "{ran:?}");
        assert_eq!(left(temporary.path()), 0);
        String::from_utf8(ran.stderr).unwrap()
    };
    for address in ["0.0.0.0:0", "192.0.2.1:8420", "[::1]:0", "8420"] {
        assert!(run(address).contains("--listen"), "{address}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let said = run(&taken.local_addr().unwrap().to_string());
    assert!(said.contains("error[cannot-listen]"), "{said}");
    assert!(said.contains("help: "), "{said}");
}
