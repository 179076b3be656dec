//! The page for people, in a real browser: `interop/browser`.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::common::{Folder, mail, request, tool};

const NEED: &str = "send a transactional email";
const MAIL: &str = "https://mail.example.com/mcp";
const OTHER: &str = "https://post.example.net/mcp";

fn folder() -> Folder {
    let mut reading = mail(OTHER);
    reading.handshake_ms = 80;
    reading.tools = vec![tool(
        "find_email",
        "Find a transactional email that was sent",
        true,
    )];
    Folder::with(&[mail(MAIL), reading])
}

/// What the browser saw, or nothing where there is none.
#[allow(clippy::print_stderr, reason = "what is skipped is told")]
fn seen() -> Option<Value> {
    let Some(browser) = std::env::var_os("BROWSER_DIR") else {
        eprintln!("skipped: BROWSER_DIR names no folder, see interop/browser/README.md");
        return None;
    };
    let folder = folder();
    let server = folder.serve(&["--allow-loopback"]);
    let shots = std::env::var_os("SHOTS").map_or_else(|| folder.root().to_owned(), PathBuf::from);
    let ran = Command::new("node")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../interop/browser/page.mjs"
        ))
        .arg(browser)
        .arg(format!("http://{}/", server.address))
        .arg(NEED)
        .arg(shots)
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&ran.stdout);
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{out}{err}");
    Some(serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}")))
}

fn texts(shown: &Value) -> Vec<&str> {
    let items = shown["items"].as_array().unwrap();
    items.iter().map(|item| item.as_str().unwrap()).collect()
}

/// Elements of the page's own, however a text is spelled that was put into them.
fn has_only_its_own_elements(shown: &Value) {
    for name in shown["made"].as_array().unwrap() {
        let name = name.as_str().unwrap();
        assert!(
            ["li", "p", "code", "strong", "time", "span", "a"].contains(&name),
            "{name} in {shown}"
        );
    }
}

#[test]
fn people_see_candidates_and_what_their_tokens_are_worth() {
    let Some(saw) = seen() else {
        return;
    };
    for place in ["desktop", "phone"] {
        let shown = &saw[place];
        assert_eq!(shown["said"], "2 servers, best first", "{shown}");
        let items = texts(shown);
        for url in [MAIL, OTHER] {
            let item = items.iter().find(|item| item.contains(url));
            let item = item.unwrap_or_else(|| panic!("{url}: {shown}"));
            assert!(item.contains("ok: lists its tools to everybody"), "{item}");
            assert!(
                item.contains("looked at ") && item.contains(", holds until "),
                "{item}"
            );
            assert!(item.contains("verified: signed by key "), "{item}");
        }
        let who = shown["who"].as_str().unwrap();
        assert!(
            who.starts_with(
                "Test Resolver, https://resolver.test (this page came from http://127.0.0.1:"
            ),
            "{who}"
        );
        // The need is in no address and no history.
        let address = shown["address"].as_str().unwrap();
        assert!(
            address.ends_with('/') && !address.contains('?'),
            "{address}"
        );
        assert_eq!(shown["history"], saw["historyBefore"]);
        assert_eq!(shown["tooWide"], false, "{place}");
        let links = shown["links"].as_array().unwrap();
        assert_eq!(links.len(), 2);
        assert!(links.iter().all(|link| {
            link.as_str()
                .unwrap()
                .starts_with("https://resolver.test/record?id=")
        }));
        has_only_its_own_elements(shown);
    }
    assert!(saw["touch"].as_f64().unwrap() >= 40.0, "{}", saw["touch"]);
    assert_eq!(
        saw["nothing"]["said"],
        "Nobody that was looked at can do this."
    );
    for constraint in ["constrained", "limited"] {
        let items = texts(&saw[constraint]);
        assert!(
            items.len() == 1 && items[0].contains(OTHER),
            "{constraint}: {items:?}"
        );
    }
    // A limit that is none: nothing was asked.
    assert_eq!(
        saw["unlimited"],
        serde_json::json!({"valid": false, "said": ""})
    );

    // Claims, not the copies beside them; and what does not verify is said not to.
    let lying = texts(&saw["lying"]);
    assert!(
        lying[0].contains("verified: ") && lying[0].contains("https://"),
        "{lying:?}"
    );
    assert!(!lying[0].contains("onerror"), "{lying:?}");
    assert!(
        lying[1].contains("not to be believed: its signature does not fit"),
        "{lying:?}"
    );
    assert!(
        lying[2].contains("not to be believed: its signature does not fit"),
        "{lying:?}"
    );
    assert!(
        lying[3].contains("not to be believed: it is no token"),
        "{lying:?}"
    );
    assert!(
        lying[4].contains("not to be believed: it is no token"),
        "{lying:?}"
    );
    // What somebody wrote as markup is there to read.
    assert!(
        lying[3].contains("<img src=x onerror=alert(1)>"),
        "{lying:?}"
    );
    assert_eq!(saw["lying"]["links"], serde_json::json!([]));
    let every = |place: &str, word: &str| {
        let items = texts(&saw[place]);
        assert!(
            items.len() == 2 && items.iter().all(|item| item.contains(word)),
            "{place}: {items:?}"
        );
    };
    every("other", "not to be believed: it is of another issuer");
    assert!(
        saw["other"]["who"]
            .as_str()
            .unwrap()
            .starts_with("<img src=x")
    );
    every("later", "not to be believed: it has expired");
    every(
        "old",
        "could not tell: this browser cannot check signatures",
    );
    every(
        "insecure",
        "could not tell: this browser cannot check signatures",
    );
    let failed = saw["failing"]["said"].as_str().unwrap();
    assert!(
        failed.contains("(unavailable)") && failed.contains("<img"),
        "{failed}"
    );
    assert_eq!(saw["away"]["said"], "The resolver does not answer.");
    for place in ["lying", "other", "failing"] {
        has_only_its_own_elements(&saw[place]);
    }

    // Nothing ran that is not the page's own, and nobody else was talked to or told where a request comes from.
    for nothing in ["dialogs", "errors", "referers", "elsewhere"] {
        assert_eq!(saw[nothing], serde_json::json!([]), "{nothing}");
    }
    assert_eq!(saw["injected"], false);

    let says = saw["plainSays"].as_str().unwrap();
    assert!(
        says.starts_with("Without script you get the answer as JSON"),
        "{says}"
    );
    let address = saw["plain"]["address"].as_str().unwrap();
    assert!(
        address.ends_with("/resolve?need=send+a+transactional+email"),
        "{address}"
    );
    assert!(saw["plain"]["text"].as_str().unwrap().contains(MAIL));
}

#[test]
fn the_page_is_one_document_that_loads_nothing() {
    let server = folder().serve_plain();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
    assert!(
        !policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    let html = String::from_utf8(page.body).unwrap();
    assert_eq!(
        (
            html.matches("<script").count(),
            html.matches("<style").count()
        ),
        (1, 1)
    );
    assert!(!html.contains("innerHTML") && !html.contains("src=") && !html.contains(" style="));
    // A need that somebody puts into its address is in no byte of it.
    let asked = server.get("/?need=zqxcanary");
    assert_eq!(String::from_utf8(asked.body).unwrap(), html);
    let tag = asked
        .headers
        .iter()
        .find(|(name, _)| name == "etag")
        .unwrap()
        .1
        .clone();
    let again = request(server.address, "GET", "/", &[("If-None-Match", &tag)]);
    assert_eq!(again.status, 304);
    assert_eq!(request(server.address, "POST", "/", &[]).status, 405);
}
