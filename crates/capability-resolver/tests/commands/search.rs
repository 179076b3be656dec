//! `search`: what the operator finds, and why.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::common::{NOW, Place};

const CATALOGUE: &str = r#"{"url":"https://mail.example/mcp","name":"Postbox","description":"Mail for programs","tools":[{"name":"send_email","description":"Send a transactional email to one or more recipients"},{"name":"list_templates","description":"List the templates of an account"}]}
{"url":"https://weather.example/mcp","name":"Weather","description":"Forecasts for any place","tools":[{"name":"getForecast","description":"The weather forecast of the next days for a city"}]}
{"url":"https://evil.example/mcp","name":"\u001b[31mred","description":"email","tools":[]}
"#;

fn place() -> Place {
    let place = Place::with_resolver();
    fs::write(place.path("servers.jsonl"), CATALOGUE).unwrap();
    assert_eq!(place.at(NOW, &["import", "servers.jsonl"]).code, Some(0));
    place
}

#[test]
fn what_is_found_and_why() {
    let place = place();
    assert_snapshot!(
        place
            .at(NOW, &["search", "send a transactional email"])
            .all()
    );
    assert_snapshot!(
        place
            .at(
                NOW,
                &[
                    "search",
                    "please send me emials about recipients today",
                    "--explain"
                ]
            )
            .all()
    );
    assert_snapshot!(place.at(NOW, &["search", "walk my dog"]).all());
    assert_snapshot!(place.at(NOW, &["search", " a"]).all());
}

#[test]
fn an_answer_for_programs_has_a_schema() {
    let place = place();
    for explain in [&[][..], &["--explain"]] {
        let arguments = [&["search", "send email", "--format", "json"], explain].concat();
        let answer = place
            .at(NOW, &arguments)
            .json("resolver-search.schema.json");
        let server = &answer["servers"][0];
        assert_eq!(server["url"], "https://mail.example/mcp");
        assert_eq!(server["tools"][0], "send_email");
        assert_eq!(server["status"], Value::Null, "it was never observed");
        assert_eq!(server.get("explanation").is_some(), !explain.is_empty());
    }
}

#[test]
fn every_need_of_a_file_is_answered_by_a_line() {
    let place = place();
    let needs = "{\"id\":\"a\",\"need\":\"send an email\"}\n\n{\"id\":2,\"need\":\"x\",\"more\":1}\n{\"id\":3,\"need\":\"walk my dog\"}\n{\"id\":4,\"need\":\"see\\u0001d\"}";
    fs::write(place.path("needs"), needs).unwrap();
    let ran = place.at(NOW, &["search", "--needs", "needs", "--format", "json"]);
    assert_snapshot!(ran.all());
    for line in ran.out.lines() {
        let one = crate::common::Ran {
            out: line.to_owned(),
            ..Default::default()
        };
        one.json("resolver-search-line.schema.json");
    }
    let again = place.run_with(
        &[
            "--config",
            "r/resolver.toml",
            "search",
            "--needs",
            "-",
            "--format",
            "json",
        ],
        needs.as_bytes(),
    );
    assert_eq!(again.out, ran.out, "standard input is read too");
    assert_snapshot!(place.at(NOW, &["search", "--needs", "needs"]).all());
}

#[test]
fn a_file_that_holds_no_needs_is_not_half_answered() {
    let place = place();
    let secret = "canary";
    for wrong in [
        "{\"id\":1}",
        "[]",
        "canary",
        "{\"id\":1.5,\"need\":\"canary\"}",
        "{\"id\":1,\"need\":\"canary\",\"id\":2}",
    ] {
        fs::write(
            place.path("needs"),
            format!("{{\"id\":1,\"need\":\"send email\"}}\n{wrong}\n"),
        )
        .unwrap();
        let ran = place.at(NOW, &["search", "--needs", "needs", "--format", "json"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{wrong}");
        assert!(
            ran.err.contains("needs-form") && ran.err.contains("line 2"),
            "{}",
            ran.err
        );
        assert!(
            !ran.err.contains(secret),
            "a need is in no message: {}",
            ran.err
        );
    }
    assert_eq!(place.at(NOW, &["search", "--needs", "none"]).code, Some(2));
    assert_eq!(place.at(NOW, &["search"]).code, Some(2));
}

// r[deny.every-source]
#[test]
fn a_server_that_denies_is_not_found() {
    use capability_resolution::Time;
    use capability_resolver::store::{FileRow, SqliteStore, Store as _};
    let place = place();
    let now = Time::from_document(NOW).unwrap();
    let mut store = SqliteStore::open(&place.path("r/store.sqlite")).unwrap();
    let file = FileRow {
        fetched_at: now,
        answered_at: Some(now),
        body: Some(b"Capabilities: 1\nResolvers: none\n".to_vec()),
        claims: false,
        withheld: None,
    };
    store.put_server_file("mail.example", &file).unwrap();
    let ran = place.at(NOW, &["search", "send email"]);
    assert!(!ran.out.contains("mail.example"), "{ran:?}");
}
