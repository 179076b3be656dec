//! What is served, read by the reading of the text in Python, which knows none of our code.

use std::io::Write as _;
use std::process::{Command, Stdio};

use capability_resolver::clock;
use serde_json::{Value, json};

use crate::common::{Folder, ISSUER, Server, mail};

/// What the reading says of each input, or nothing where it cannot run.
#[allow(clippy::print_stderr, reason = "what is skipped is told")]
pub(crate) fn ask(asked: &[(&str, Value)]) -> Option<Vec<Value>> {
    let has = Command::new("python3")
        .args(["-c", "import cryptography, idna"])
        .stderr(Stdio::null())
        .status();
    if !has.is_ok_and(|status| status.success()) {
        eprintln!("skipped: python3 with cryptography and idna is not there");
        return None;
    }
    let lines: String = asked
        .iter()
        .zip(0..)
        .map(|((operation, input), id)| {
            format!(
                "{}\n",
                json!({"id": id.to_string(), "operation": operation, "input": input})
            )
        })
        .collect();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../interop/python/main.py");
    let mut child = Command::new("python3")
        .arg(program)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let said = out.lines().map(|line| serde_json::from_str(line).unwrap());
    Some(said.collect())
}

/// What it says of an answer that a server gave just now.
pub(crate) fn judge(server: &Server, answer: &str) -> Option<Value> {
    let discovery = server.get("/.well-known/capability-resolver").body;
    let input = json!({
        "document": answer,
        "discovery": String::from_utf8(discovery).unwrap(),
        "issuer": ISSUER,
        "now": clock::now().to_string(),
    });
    ask(&[("answer", input)])?.pop()
}

#[test]
fn a_reading_by_strangers_takes_it_all() {
    let mail_url = "https://mail.example.com/mcp";
    let folder = Folder::with(&[mail(mail_url), mail("https://post.example.net/mcp")]);
    let server = folder.serve_plain();
    let text = |target: &str| String::from_utf8(server.get(target).body).unwrap();
    let discovery = text("/.well-known/capability-resolver");
    let answer = text("/resolve?need=send+email");
    let record = text(&format!("/record?url={mail_url}"));
    let now = clock::now().to_string();
    let judged = |more: Value| {
        let mut input = json!({"discovery": discovery, "issuer": ISSUER, "now": now});
        input
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        input
    };
    let token = serde_json::from_str::<Value>(&answer).unwrap()["candidates"][1]["jws"].clone();
    let asked = [
        (
            "discovery",
            json!({"document": discovery, "issuer": ISSUER}),
        ),
        ("answer", judged(json!({"document": answer}))),
        (
            "record",
            judged(json!({"document": record, "requestedUrl": mail_url})),
        ),
        ("token", judged(json!({"token": token}))),
        // And it looks: of another time and another issuer it takes nothing.
        (
            "record",
            judged(json!({"document": record, "now": "2027-12-31T00:00:00Z"})),
        ),
        (
            "discovery",
            json!({"document": discovery, "issuer": "https://other.test"}),
        ),
    ];
    let Some(said) = ask(&asked) else {
        return;
    };
    let results: Vec<&Value> = said.iter().map(|one| &one["result"]).collect();
    assert_eq!(
        results,
        ["valid", "valid", "valid", "valid", "invalid", "invalid"],
        "{said:?}"
    );
    assert_eq!(
        said[1]["output"]["candidates"].as_array().unwrap().len(),
        2,
        "{said:?}"
    );
    for place in ["dropped", "copyDiffers", "duplicateUrl"] {
        assert_eq!(said[1]["output"][place], json!([]), "{said:?}");
    }
    assert_eq!(said[2]["output"]["copyDiffers"], json!([]), "{said:?}");
}
