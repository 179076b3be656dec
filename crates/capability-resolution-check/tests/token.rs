//! `capability-resolution-check token`, and every message of it.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail as it does")]

#[path = "support/ran.rs"]
mod ran;

use std::collections::BTreeSet;
use std::fs;

use capability_resolution::{Observation, RecordClaims, Signer, Status, Time};
use conformance_vectors::{Operation, Suite, Verdict};
use insta::assert_snapshot;
use serde_json::{Value, json};
use tempfile::TempDir;

use ran::{Ran, check_schema, command};

const NOW: &str = "2026-11-30T12:00:05Z";

impl Ran {
    /// The first paragraphs of the answer: the verdict without the checks.
    fn verdict(&self) -> &str {
        self.out.split("\ndiscovery document\n").next().unwrap()
    }

    /// The answer of `--format json`, which is of the form that is promised.
    fn answer(&self) -> Value {
        let answer = self.json();
        check_schema("check-token", &answer);
        answer
    }
}

/// A folder with a discovery document.
struct Folder(TempDir);

impl Folder {
    fn new(document: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("d.json"), document).unwrap();
        Self(folder)
    }

    fn run(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        let document = self.0.path().join("d.json").display().to_string();
        let arguments = [
            &["token", "--discovery", &document, "--now", NOW],
            arguments,
        ]
        .concat();
        command(&arguments, stdin, &self.0.path().display().to_string())
    }
}

fn signer() -> Signer {
    Signer::new("https://resolver.example".parse().unwrap(), "k1", &[7; 32]).unwrap()
}

fn time(text: &str) -> Time {
    Time::from_document(text).unwrap()
}

fn observation() -> Observation {
    Observation {
        url: "https://mail.example.com/mcp".parse().unwrap(),
        status: Status::Ok,
        checked_at: time("2026-11-30T11:42:07Z"),
    }
}

fn token() -> String {
    let (iat, exp) = (time("2026-11-30T12:00:00Z"), time("2026-12-02T12:00:00Z"));
    signer().token(&observation(), iat, exp).unwrap()
}

fn document() -> Value {
    json!({
        "v": "0.2", "iss": "https://resolver.example", "resolver": "Example Resolver",
        "endpoints": {"resolve": "https://resolver.example/resolve", "record": "https://resolver.example/record"},
        "keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k1", "x": signer().public_x()}],
        "policy": "https://resolver.example/policy",
    })
}

fn with(pointer: &str, value: Value) -> String {
    let mut document = document();
    *document.pointer_mut(pointer).unwrap() = value;
    document.to_string()
}

#[test]
fn a_valid_token() {
    let folder = Folder::new(document().to_string());
    let ran = folder.run(&["--issuer", "https://resolver.example", &token()], b"");
    assert_snapshot!(ran.all());
    let answer = folder
        .run(&["--format", "json", "-"], token().as_bytes())
        .answer();
    assert_eq!(answer["verdict"], "valid");
    assert_eq!(answer["issuer_source"], "document");
    assert_eq!(answer["claims"]["iat"], 1_796_040_000);
    assert_eq!(answer["checks_not_made"], 0);
}

#[test]
fn without_an_issuer_the_document_is_believed_and_the_answer_says_so() {
    let ran = Folder::new(document().to_string()).run(&[&token()], b"");
    assert_eq!(ran.code, Some(0));
    let said =
        "No --issuer was given, so the discovery document was believed about its own name.\n";
    assert!(ran.out.ends_with(said), "{}", ran.out);
}

#[test]
fn a_token_of_a_record() {
    let claims = RecordClaims {
        name: "Example Mail".to_owned(),
        first_seen: time("2026-08-02T06:30:00Z"),
        history: Some("https://resolver.example/history/s-1".parse().unwrap()),
    };
    let (iat, exp) = (time("2026-11-30T12:00:00Z"), time("2026-12-02T12:00:00Z"));
    let token = signer()
        .record_token(&observation(), &claims, iat, exp)
        .unwrap();
    let folder = Folder::new(document().to_string());
    assert_snapshot!(folder.run(&["--record", &token], b"").verdict());
    let answer = folder
        .run(&["--record", "--format", "json", &token], b"")
        .answer();
    assert_eq!(answer["claims"]["name"], "Example Mail");
    assert_eq!(
        answer["checks"].as_array().unwrap().last().unwrap()["rule"],
        "record.history-form"
    );

    let ran = folder.run(&["--record", &self::token()], b"");
    assert_snapshot!("a_token_of_no_record", ran.all());
}

#[test]
fn a_refused_token() {
    let folder = Folder::new(document().to_string());
    let (iat, exp) = (time("2026-11-27T12:00:00Z"), time("2026-11-28T12:00:00Z"));
    let seen = Observation {
        checked_at: iat,
        ..observation()
    };
    let expired = signer().token(&seen, iat, exp).unwrap();
    assert_snapshot!(folder.run(&[&expired], b"").all());
    let answer = folder.run(&["--format", "json", &expired], b"").answer();
    assert_eq!(
        (&answer["code"], &answer["rule"]),
        (&json!("expired"), &json!("token.exp.expired"))
    );
    assert_eq!(
        (&answer["claims"], &answer["refused"]),
        (&Value::Null, &json!("token"))
    );
}

#[test]
fn what_nobody_signed_is_not_shown() {
    let mut forged = token();
    forged.replace_range(
        forged.len() - 10..forged.len() - 9,
        if forged.ends_with('A') { "B" } else { "A" },
    );
    let folder = Folder::new(document().to_string());
    let (header, rest) = forged.split_once('.').unwrap();
    let ran = folder.run(&[&format!("{header}.{rest}")], b"");
    assert_eq!(ran.code, Some(1));
    assert!(
        !ran.out.contains("mail.example.com") && !ran.out.contains("signed, and"),
        "{}",
        ran.out
    );
}

#[test]
fn a_refused_document_refuses_the_token() {
    for (pointer, value, code, rule) in [
        ("/v", json!("0.3"), "version-unsupported", "version.unknown"),
        ("/v", json!(2), "member-type", "discovery.members"),
        ("/iss", json!(7), "member-type", "discovery.members"),
        (
            "/iss",
            json!("https://Resolver.example"),
            "iss-mismatch",
            "discovery.iss",
        ),
        (
            "/iss",
            json!("https://192.0.2.7"),
            "iss-mismatch",
            "discovery.iss",
        ),
        (
            "/resolver",
            json!("\u{202e}"),
            "name-invalid",
            "discovery.name",
        ),
        (
            "/endpoints/record",
            json!("x"),
            "endpoint-invalid",
            "discovery.endpoints",
        ),
        (
            "/endpoints/record",
            json!("https://resolver.example/record?"),
            "endpoint-invalid",
            "discovery.endpoints.query",
        ),
        (
            "/endpoints/record",
            json!("https://a.example/"),
            "endpoint-origin",
            "discovery.endpoints.origin",
        ),
        ("/keys/0", json!("x"), "member-type", "discovery.key-type"),
        (
            "/policy",
            json!("x"),
            "endpoint-invalid",
            "discovery.endpoints",
        ),
    ] {
        let answer = Folder::new(with(pointer, value))
            .run(&["--format", "json", &token()], b"")
            .answer();
        assert_eq!(answer["code"], code, "{pointer}");
        assert_eq!(answer["refused"], "discovery");
        let last = answer["checks"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(
            last,
            json!({"of": "discovery", "rule": rule, "passed": false}),
            "{pointer}"
        );
        let made = answer["checks"].as_array().unwrap().len();
        let wanted = match pointer {
            "/v" if code == "member-type" => 9,
            "/v" => 10,
            "/policy" => 26,
            _ => made,
        };
        assert_eq!(made, wanted, "{pointer}");
    }
    for document in ["", "[]", "\u{feff}{}", "{\"v\":\"0.2\",\"v\":\"0.2\"}"] {
        let ran = Folder::new(document).run(&[&token()], b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{document}");
    }
}

#[test]
fn a_document_without_a_name_to_believe_says_so() {
    let ran = Folder::new(with("/iss", json!("https://resolver.example/"))).run(&[&token()], b"");
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(ran.verdict());
}

#[test]
fn a_private_key_is_told_of_and_not_shown() {
    let secret = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
    for member in ["d", "k"] {
        let mut document = document();
        document["keys"][0][member] = secret.into();
        for asked in ["https://resolver.example", "https://other.example"] {
            for format in ["human", "json"] {
                let folder = Folder::new(document.to_string());
                let ran = folder.run(&["--issuer", asked, "--format", format, &token()], b"");
                assert_eq!(ran.code, Some(1));
                assert!(
                    !ran.all().contains(secret) && !ran.all().contains(&secret[..8]),
                    "{ran:?}"
                );
            }
        }
    }
    let mut document = document();
    document["keys"][0]["d"] = secret.into();
    assert_snapshot!(
        Folder::new(document.to_string())
            .run(&[&token()], b"")
            .verdict()
    );
}

#[test]
fn standard_input_is_read_as_it_is_and_no_further_than_needed() {
    let folder = Folder::new(document().to_string());
    let ran = folder.run(
        &["--format", "json", "-"],
        format!("{}\n", token()).as_bytes(),
    );
    assert_eq!(ran.answer()["code"], "token-bad-character");
    let ran = folder.run(&["-"], &vec![b'a'; 5_000_000]);
    assert_snapshot!(ran.verdict());
    let ran = folder.run(&["--format", "json", "-"], &[0xff, b'.', b'.']);
    assert_eq!(ran.answer()["code"], "token-bad-character");
    let ran = folder.run(&["--format", "json", "-"], b"");
    assert_eq!(ran.answer()["code"], "token-segment-count");
}

#[test]
fn a_document_over_the_limit_is_refused() {
    let mut text = document().to_string();
    text.push_str(&" ".repeat(1_000_000));
    let ran = Folder::new(text).run(&["--issuer", "https://resolver.example", &token()], b"");
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(ran.verdict());
}

#[test]
fn what_turns_the_direction_of_writing_is_shown() {
    let ran = Folder::new(with("/v", json!("0.3\u{202e}\u{1b}[2J"))).run(&[&token()], b"");
    let hidden = ran
        .out
        .chars()
        .find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
    assert_eq!(hidden, None, "{ran:?}");
}

#[test]
fn what_cannot_be_told_ends_with_2() {
    let folder = Folder::new(document().to_string());
    let path = folder.0.path().display().to_string();
    let run = |arguments: &[&str]| command(&[&["token"][..], arguments].concat(), b"", &path);
    let document = format!("{path}/d.json");
    let mut told = String::new();
    for arguments in [
        &["--discovery", "/no/such/file", "--now", NOW, "x"][..],
        &["--discovery", &path, "--now", NOW, "x"],
        &["--discovery", &document, "--now", "today", "x"],
        &[
            "--discovery",
            &document,
            "--now",
            NOW,
            "--issuer",
            "https://resolver.example/",
            "x",
        ],
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        told += &ran.err;
    }
    assert_snapshot!(told);
    for arguments in [&[][..], &["x"], &["--now", NOW, "x"]] {
        assert_eq!(run(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn without_now_the_clock_of_this_computer_judges() {
    let folder = Folder::new(document().to_string());
    let path = folder.0.path().display().to_string();
    let document = format!("{path}/d.json");
    let run = |more: &[&str]| {
        let all = [&["token", "--discovery", &document], more].concat();
        command(&all, token().as_bytes(), &path)
    };
    let human = run(&["-"]).out;
    assert!(
        human.contains(" by the clock of this computer. "),
        "{human}"
    );
    let json: Value = serde_json::from_str(&run(&["--format", "json", "-"]).out).unwrap();
    assert_eq!(json["now_source"], "clock");
}

#[test]
fn help_is_complete() {
    assert_snapshot!("help", command(&["--help"], b"", "/no/folder").out);
    assert_snapshot!(
        "help_token",
        command(&["token", "--help"], b"", "/no/folder").out
    );
    assert_snapshot!(
        "help_adapter",
        command(&["adapter", "--help"], b"", "/no/folder").out
    );
}

/// The command gives the verdict of each vector, and the check that failed is the one whose rule was broken.
#[test]
fn the_vectors_get_their_verdict() {
    let suite = Suite::embedded().unwrap();
    let (mut judged, mut rules) = (0, BTreeSet::new());
    for vector in suite.vectors() {
        let input = |name| vector.input.bytes(name);
        // A document is judged before any token, and a record by the token in it.
        let record = (vector.operation == Operation::Record)
            .then(|| input("document").unwrap())
            .and_then(|document| serde_json::from_slice::<Value>(&document).ok())
            .and_then(|document| Some(document.get("jws")?.as_str()?.as_bytes().to_vec()));
        let (document, token) = match vector.operation {
            Operation::Token => (input("discovery").unwrap(), input("token").unwrap()),
            Operation::Discovery => (input("document").unwrap(), b"a.b.c".to_vec()),
            Operation::Record if let Some(token) = record => (input("discovery").unwrap(), token),
            _ => continue,
        };
        let folder = Folder::new(document);
        let document = folder.0.path().join("d.json").display().to_string();
        let now = vector.input.text("now").unwrap_or(NOW);
        let issuer = vector.input.text("issuer").unwrap();
        let mut arguments = vec![
            "token",
            "--format",
            "json",
            "--discovery",
            &document,
            "--now",
            now,
            "--issuer",
            issuer,
            "-",
        ];
        if vector.operation == Operation::Record {
            arguments.push("--record");
        }
        let ran = command(&arguments, &token, "/no/folder");
        if ran.err.starts_with("error[issuer-form]") {
            // Nobody can be asked by that name.
            continue;
        }
        let answer = ran.answer();
        if vector.operation == Operation::Token {
            let code = i32::from(vector.result == Verdict::Invalid);
            assert_eq!(ran.code, Some(code), "{}", vector.id);
        }
        if vector.operation == Operation::Token || answer["refused"] == "discovery" {
            let reason = vector.reason.as_deref();
            assert_eq!(answer["code"].as_str(), reason, "{}", vector.id);
        }
        let checks = answer["checks"].as_array().unwrap();
        let failed: Vec<_> = checks
            .iter()
            .filter(|check| check["passed"] == false)
            .collect();
        let wanted: Vec<_> = match &answer["rule"] {
            Value::Null => vec![],
            rule => vec![json!({"of": answer["refused"], "rule": rule, "passed": false})],
        };
        assert_eq!(failed, wanted.iter().collect::<Vec<_>>(), "{}", vector.id);
        rules.extend(answer["rule"].as_str().map(str::to_owned));
        judged += 1;
    }
    assert!(judged > 0 && rules.len() > 40, "{judged} {rules:?}");
}
