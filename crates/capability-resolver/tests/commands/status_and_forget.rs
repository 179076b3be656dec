//! `status` and `forget`, over a store that has seen something.

use std::fs;

use capability_resolution::Time;
use capability_resolver::observed::{FailureClass, Observed, Outcome, Reason, Start};
use capability_resolver::store::{FileRow, SqliteStore, Store as _};
use insta::assert_snapshot;

use crate::common::{NOW, Place};

fn place() -> Place {
    let place = Place::with_resolver();
    let hosts = [
        "ok.example",
        "in.example",
        "down.example",
        "blocked.example",
        "old.example",
        "new.example",
        "deny.example",
        "x.deny.example",
    ];
    let lines: Vec<_> = hosts
        .iter()
        .map(|host| format!("{{\"url\":\"https://{host}/mcp\"}}\n"))
        .collect();
    fs::write(place.path("source"), lines.concat()).unwrap();
    assert_eq!(
        place.at("2026-11-29T12:00:00Z", &["import", "source"]).code,
        Some(0)
    );
    let mut store = SqliteStore::open(&place.path("r/store.sqlite")).unwrap();
    let mut servers = Vec::new();
    store
        .each_server(&mut |server| servers.push(server))
        .unwrap();
    let now = Time::from_document(NOW).unwrap().unix_seconds();
    let mut saw = |at: usize, ago: i64, outcome| {
        let ended_at = Time::from_unix_seconds(now - ago);
        let observed = Observed {
            started_at: ended_at,
            ended_at,
            outcome,
            began_with: Start::Discover,
            led_by: None,
            handshake_ms: None,
            requests: 2,
            retry_after: None,
            tools: None,
        };
        store
            .append(
                servers[at].id,
                &observed,
                Time::from_unix_seconds(now - ago + 30_000),
            )
            .unwrap();
    };
    saw(0, 3_000, Outcome::Ok);
    saw(1, 4_000, Outcome::SignIn);
    saw(2, 2_000, Outcome::Failure(FailureClass::Timeout));
    saw(2, 1_000, Outcome::Failure(FailureClass::Timeout));
    saw(3, 40_000, Outcome::Unknown(Reason::Blocked));
    saw(4, 90_000, Outcome::Ok);
    saw(6, 3_000, Outcome::Ok);
    let deny = FileRow {
        fetched_at: Time::from_unix_seconds(now - 100),
        answered_at: Some(Time::from_unix_seconds(now - 100)),
        body: Some(b"Resolvers: -https://resolver.test\n".to_vec()),
        claims: false,
        withheld: None,
    };
    store.put_server_file("deny.example", &deny).unwrap();
    place
}

// r[captxt.scope.deny-wins] r[captxt.scope.which-files] r[deny.every-source]
#[test]
fn every_server_is_counted_once() {
    let place = place();
    let human = place.at(NOW, &["status"]);
    assert_snapshot!(human.all());
    let json = place
        .at(NOW, &["status", "--format", "json"])
        .json("resolver-status.schema.json");
    assert_snapshot!(serde_json::to_string_pretty(&json).unwrap().replace(
        &place.path("").canonicalize().unwrap().display().to_string(),
        "FOLDER"
    ));
}

#[test]
fn a_new_resolver_knows_nothing_and_says_so() {
    let place = Place::with_resolver();
    assert_snapshot!(place.at(NOW, &["status"]).all());
    place
        .at(NOW, &["status", "--format", "json"])
        .json("resolver-status.schema.json");
}

#[test]
fn a_host_is_forgotten_and_comes_back_only_when_asked_for() {
    let place = place();
    let mut story = String::new();
    for arguments in [
        &["forget", "deny.example"][..],
        &["import", "source"],
        &["status"],
        &["forget", "example.com:8443"],
        &["forget", "co.uk"],
        &["forget", "--undo", "deny.example"],
        &["forget", "--undo", "deny.example"],
    ] {
        story += &format!(
            "$ {}\n{}\n",
            arguments.join(" "),
            place.at(NOW, arguments).all()
        );
    }
    assert_snapshot!(story);
    let json = place
        .at(NOW, &["forget", "ok.example", "--format", "json"])
        .json("resolver-forget.schema.json");
    assert_eq!(
        (&json["servers"], &json["observations"]),
        (&1.into(), &1.into())
    );
    assert_eq!(place.at(NOW, &["import", "source"]).code, Some(0));
    // The deny holds for a server that comes back.
    let status = place
        .at(NOW, &["status", "--format", "json"])
        .json("resolver-status.schema.json");
    assert_eq!(
        (&status["servers"]["denied"], &status["deny"]["hosts"]),
        (&2.into(), &1.into())
    );
}

// The list that is compiled in is of 2026-11-05T05:58:23Z. captxt.scope.psl-age
#[test]
fn an_outdated_suffix_list_is_warned_of() {
    let place = Place::with_resolver();
    for (now, is_warned) in [
        ("2026-12-05T05:58:23Z", false),
        ("2026-12-05T05:58:24Z", true),
    ] {
        for command in [&["status"][..], &["observe", "--once", "--allow-loopback"]] {
            let ran = place.at(now, command);
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let warned = ran.err.contains("warning[suffixes-outdated]");
            assert_eq!(warned, is_warned, "{command:?} at {now}: {}", ran.err);
        }
    }
}
