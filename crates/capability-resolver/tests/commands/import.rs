//! `import` of files, with every message.

use std::fs;

use insta::assert_snapshot;

use crate::common::{NOW, Place};

fn import(place: &Place, text: impl AsRef<[u8]>, arguments: &[&str]) -> crate::common::Ran {
    fs::write(place.path("source"), text).unwrap();
    place.at(NOW, &[&["import", "source"], arguments].concat())
}

// r[mcp.template]
#[test]
fn every_line_that_cannot_be_used_is_told_of_and_the_rest_is_taken() {
    let place = Place::with_resolver();
    let mut text: Vec<u8> = [
        r#"{"id":"a","name":"A","url":"https://a.example/mcp","description":"Sends mail.","tools":[{"name":"send","description":"d","read_only":false}],"source":"x"}"#,
        r#"{"id":"none","url":null}"#,
        r#"{"id":"none"}"#,
        r#"{"url":"https://b.example/{tenant}/mcp","servers":["io.example/b"]}"#,
        r#"{"url":"https://b.example/<key>/mcp"}"#,
        "",
        r#"{"url":"http://c.example/mcp"}"#,
        r#"{"url":"https://c.example/a/../mcp"}"#,
        r#"{"url":"https://user@c.example/mcp"}"#,
        r#"{"url":17}"#,
        r#"{"url":"https://d.example/mcp","name":17}"#,
        r#"{"url":"https://d.example/mcp"#,
        r#"["https://d.example/mcp"]"#,
        r#"{"url":"https://D.example"}"#,
        r#"{"url":"https://a.example/mcp","servers":["io.example/other"]}"#,
    ]
    .join("\n")
    .into_bytes();
    text.extend_from_slice(b"\n{\"url\":\"https://e.example/\xff\"}\r\n");
    text.extend_from_slice(
        format!(
            "{{\"url\":\"https://e.example/{}\"}}\n",
            "x".repeat(1 << 20)
        )
        .as_bytes(),
    );
    text.extend_from_slice(b"{\"url\":\"https://last.example/mcp\"}");
    let ran = import(&place, &text, &[]);
    assert_snapshot!(ran.all());
    let again = import(&place, &text, &["--format", "json"]);
    let report = again.json("resolver-import.schema.json")["sources"][0].clone();
    assert_eq!(
        (&report["new_servers"], &report["known_servers"]),
        (&0.into(), &4.into())
    );
    assert_eq!(again.err, ran.err);
}

#[test]
fn a_list_of_hosts() {
    let place = Place::with_resolver();
    let ran = import(
        &place,
        "# ours\ntools.example\nB\u{fc}cher.example # by hand\n\nhttps://a.example\na.example:8443\ntools.example\n1.2.3\n",
        &[],
    );
    assert_snapshot!(ran.all());
}

#[test]
fn a_listing_of_a_registry() {
    let place = Place::with_resolver();
    let listing = r#"{
      "servers": [
        {"server": {"name": "io.example/a", "title": "A", "description": "Does a.", "version": "2",
                    "remotes": [{"type": "streamable-http", "url": "https://a.example/mcp"},
                                {"type": "sse", "url": "https://a.example/sse"},
                                {"type": "streamable-http", "url": "https://{tenant}.example/mcp"}]},
         "_meta": {"io.modelcontextprotocol.registry/official": {"status": "active", "isLatest": true}}},
        {"server": {"name": "io.example/a", "version": "1", "remotes": [{"type": "sse", "url": "https://old.example/"}]},
         "_meta": {"io.modelcontextprotocol.registry/official": {"status": "active", "isLatest": false}}},
        {"server": {"name": "io.example/local", "packages": []}},
        {"server": {"name": "io.example/gone", "remotes": [{"type": "sse", "url": "https://gone.example/"}]},
         "_meta": {"io.modelcontextprotocol.registry/official": {"status": "deleted", "isLatest": true}}},
        {"server": {"name": "io.example/odd"}, "_meta": {"io.modelcontextprotocol.registry/official": {"status": "odd"}}},
        {"server": {"title": "no name"}},
        {"server": {"name": "io.example/deprecated", "remotes": [{"type": "sse", "url": "https://deprecated.example/"}]},
         "_meta": {"io.modelcontextprotocol.registry/official": {"status": "deprecated", "isLatest": true}}}
      ],
      "metadata": {"count": 7}
    }"#;
    let ran = import(&place, listing, &[]);
    assert_snapshot!(ran.all());
    let status = place
        .at(NOW, &["status", "--format", "json"])
        .json("resolver-status.schema.json");
    assert_eq!(
        (&status["servers"]["all"], &status["servers"]["unnamed"]),
        (&4.into(), &1.into())
    );
    // What was taken out is named no more.
    let deleted = listing.replace(
        "\"active\", \"isLatest\": true",
        "\"deleted\", \"isLatest\": true",
    );
    assert_eq!(import(&place, deleted, &[]).code, Some(0));
    let status = place
        .at(NOW, &["status", "--format", "json"])
        .json("resolver-status.schema.json");
    assert_eq!(status["servers"]["unnamed"], 3);
}

#[test]
fn what_is_no_source_says_so() {
    let place = Place::with_resolver();
    let mut story = place.at(NOW, &["import"]).all();
    story += &place.at(NOW, &["import", "missing.jsonl"]).all();
    story += &import(&place, "{\"servers\":[{\"server\":", &[]).all();
    story += &import(&place, "<!doctype html>\n<p>Not found\n", &[]).all();
    story += &import(&place, "", &[]).all();
    story += &place
        .run(&["--config", "none.toml", "import", "source"])
        .all();
    assert_snapshot!(story);
    let ran = place.run_with(
        &["--config", "r/resolver.toml", "import", "-"],
        b"{\"url\":\"https://a.example/mcp\"}\n",
    );
    assert_snapshot!(ran.all());
}

#[test]
fn the_sources_of_the_settings_are_read_without_an_argument() {
    let place = Place::with_resolver();
    fs::write(
        place.path("source"),
        "{\"url\":\"https://a.example/mcp\"}\n",
    )
    .unwrap();
    let settings = fs::read_to_string(place.path("r/resolver.toml")).unwrap();
    fs::write(
        place.path("r/resolver.toml"),
        settings.replace("sources = [", "sources = [\"source\","),
    )
    .unwrap();
    let ran = place.at(NOW, &["import"]);
    assert_eq!(
        (ran.code, ran.out.contains("1 new and 0 known")),
        (Some(0), true),
        "{ran:?}"
    );
}

#[test]
fn a_store_that_is_not_ours_is_told_of() {
    let place = Place::with_resolver();
    fs::write(
        place.path("r/store.sqlite"),
        "something else entirely, and long enough to be looked at\n".repeat(20),
    )
    .unwrap();
    assert_snapshot!(import(&place, "{\"url\":\"https://a.example/mcp\"}\n", &[]).all());
}
